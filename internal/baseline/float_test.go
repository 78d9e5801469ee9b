package baseline

import (
	"math"
	"math/rand/v2"
	"testing"

	"vcsim/internal/tensor"
)

// half is the value of a code read as part of a binary16, whose fields are in the same order: the exponent's bias differs by a
// factor alone, and subnormal values are subnormal there too.
func half(f *Float, code uint8) float64 {
	magnitude := uint16(code & (1<<(f.exponent+f.mantissa) - 1))
	v := float64(tensor.F16ToFloat32(magnitude<<(10-f.mantissa))) * math.Exp2(float64(15-f.bias))
	if code>>(f.exponent+f.mantissa)&1 == 1 {
		return -v
	}
	return v
}

// TestCodePoints: every code of a format has the value that binary16 gives its fields, but for codes that are not numbers. Limits are
// those that the specifications print (OCP MX 1.0, table 1; OCP 8-bit floating point 1.0, table 1).
func TestCodePoints(t *testing.T) {
	for _, tt := range []struct {
		f                                    *Float
		bits                                 int
		max, minNormal, maxSubnormal, minAny float64
		nan                                  []uint8
		infinity                             []uint8
	}{
		{&E2M1, 4, 6, 1, 0.5, 0.5, nil, nil},
		{&E4M3, 8, 448, math.Exp2(-6), 0.875 * math.Exp2(-6), math.Exp2(-9), []uint8{0x7f, 0xff}, nil},
		{&E5M2, 8, 57344, math.Exp2(-14), 0.75 * math.Exp2(-14), math.Exp2(-16), []uint8{0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff}, []uint8{0x7c, 0xfc}},
	} {
		f := tt.f
		if f.Bits() != tt.bits || f.Max() != tt.max {
			t.Errorf("%v: %d bits up to %v", f, f.Bits(), f.Max())
		}
		special := map[uint8]bool{}
		for _, c := range tt.nan {
			special[c] = true
			if v := f.Decode(c); !math.IsNaN(v) {
				t.Errorf("%v: code %#x is %v, want NaN", f, c, v)
			}
		}
		for _, c := range tt.infinity {
			special[c] = true
			if v := f.Decode(c); !math.IsInf(v, 1-2*int(c>>7)) {
				t.Errorf("%v: code %#x is %v, want an infinity", f, c, v)
			}
		}
		most, least := 0., math.Inf(1)
		for c := range 1 << f.Bits() {
			c := uint8(c)
			if special[c] {
				continue
			}
			v := f.Decode(c)
			if want := half(f, c); v != want || math.Signbit(v) != math.Signbit(want) {
				t.Errorf("%v: code %#x is %v, want %v", f, c, v, want)
			}
			if got := f.Encode(v); got != c {
				t.Errorf("%v: %v of code %#x becomes %#x", f, v, c, got)
			}
			if most = max(most, v); v > 0 {
				least = min(least, v)
			}
		}
		if most != tt.max || least != tt.minAny {
			t.Errorf("%v: numbers from %v to %v, want %v to %v", f, least, most, tt.minAny, tt.max)
		}
		code := uint8(1 << f.mantissa)
		if f.Decode(code) != tt.minNormal || f.Decode(code-1) != tt.maxSubnormal {
			t.Errorf("%v: normal from %v, subnormal up to %v", f, f.Decode(code), f.Decode(code-1))
		}
		want := uint8(0)
		if len(tt.nan) > 0 {
			want = 1<<(tt.bits-1) - 1
		}
		if got := f.Encode(math.NaN()); got != want {
			t.Errorf("%v: NaN is %#x, want %#x", f, got, want)
		}
	}
}

// nearest finds the code of v by looking at all of them: the nearest value, of two the one with the even code, saturating.
func nearest(f *Float, v float64) uint8 {
	var best uint8
	least := math.Inf(1)
	for c := range 1 << (f.Bits() - 1) {
		c := uint8(c)
		x := half(f, c)
		if x > f.Max() {
			break
		}
		if d := math.Abs(min(math.Abs(v), 2*f.Max()) - x); d < least || d == least && c%2 == 0 {
			best, least = c, d
		}
	}
	if math.Signbit(v) {
		best |= 1 << (f.Bits() - 1)
	}
	return best
}

// TestNearest: rounding agrees with a search of all codes, on the midpoints between neighbours, on the numbers just beside them, and on
// random numbers of all sizes.
func TestNearest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, f := range []*Float{&E2M1, &E4M3, &E5M2} {
		var values []float64
		for c := uint8(0); f.Decode(c+1) <= f.Max() && c < 1<<(f.Bits()-1)-1; c++ {
			mid := (f.Decode(c) + f.Decode(c+1)) / 2
			values = append(values, mid, math.Nextafter(mid, 0), math.Nextafter(mid, 1e9))
		}
		values = append(values, f.Max(), f.Max()*1.01, f.Max()*1.2, 1e300, 5e-324, 0, math.Copysign(0, -1))
		for range 20000 {
			values = append(values, random.NormFloat64()*math.Exp2(40*random.Float64()-22))
		}
		for _, v := range values {
			for _, v := range []float64{v, -v} {
				want := nearest(f, v)
				if got := f.Encode(v); got != want {
					t.Fatalf("%v: %v has code %#x, want %#x", f, v, got, want)
				}
				if got := f.Round(v); got != f.Decode(want) {
					t.Fatalf("%v: %v rounds to %v, want %v", f, v, got, f.Decode(want))
				}
			}
		}
		if v := f.Round(math.Inf(-1)); v != -f.Max() {
			t.Errorf("%v: an infinity becomes %v", f, v)
		}
	}
}

func TestE8M0(t *testing.T) {
	for c := range 255 {
		v := DecodeE8M0(uint8(c))
		if v != math.Exp2(float64(c-127)) {
			t.Errorf("code %d is %v", c, v)
		}
		if got := EncodeE8M0(math.Ilogb(v)); got != uint8(c) {
			t.Errorf("%v has code %d, want %d", v, got, c)
		}
	}
	if !math.IsNaN(DecodeE8M0(255)) || EncodeE8M0(-200) != 0 || EncodeE8M0(128) != 254 || EncodeE8M0(400) != 254 {
		t.Errorf("255 is %v, beyond the range %d and %d", DecodeE8M0(255), EncodeE8M0(-200), EncodeE8M0(400))
	}
}
