package tensor

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// nearest rounds v to a binary format with the given precision and minimum exponent through math/big, ties to even.
func nearest(v float64, prec uint, minExp int) float64 {
	if v == 0 {
		return 0
	}
	exp := math.Ilogb(v)
	if exp < minExp {
		prec -= uint(minExp - exp) // subnormal: fewer bits; the callers stay above half of the least one
	}
	f, _ := new(big.Float).SetPrec(prec).SetMode(big.ToNearestEven).SetFloat64(v).Float64()
	return f
}

func TestHalfRoundTrip(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		if h&0x7c00 != 0x7c00 {
			if got := Float32ToF16(F16ToFloat32(h)); got != h {
				t.Fatalf("F16 %#04x: got %#04x", h, got)
			}
		}
		if h&0x7f80 != 0x7f80 {
			if got := Float32ToBF16(BF16ToFloat32(h)); got != h {
				t.Fatalf("BF16 %#04x: got %#04x", h, got)
			}
		}
	}
}

func TestHalfRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 200000 {
		v := math.Float32frombits(rng.Uint32())
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			continue
		}
		if a := math.Abs(float64(v)); a < 65504 && a >= 0x1p-24 {
			if got, want := float64(F16ToFloat32(Float32ToF16(v))), nearest(float64(v), 11, -14); got != want {
				t.Fatalf("case %d: F16(%g) = %g, want %g", i, v, got, want)
			}
		}
		if a := math.Abs(float64(v)); a < 3.3e38 && a >= 0x1p-126 {
			if got, want := float64(BF16ToFloat32(Float32ToBF16(v))), nearest(float64(v), 8, -126); got != want {
				t.Fatalf("case %d: BF16(%g) = %g, want %g", i, v, got, want)
			}
		}
		up, down := BF16Up(v), BF16Down(v)
		if math.Abs(float64(v)) < 3.3e38 && !(down <= v && v <= up) {
			t.Fatalf("case %d: BF16Down(%g) = %g, BF16Up = %g", i, v, down, up)
		}
		if Float32ToBF16(up) != uint16(math.Float32bits(up)>>16) {
			t.Fatalf("case %d: BF16Up(%g) = %g is not a bfloat16", i, v, up)
		}
	}
}

// TestBF16Bounds: the nearest bfloat16 at or above, and at or below.
func TestBF16Bounds(t *testing.T) {
	const largest = 0x7f7f0000
	for _, c := range []struct{ v, down, up uint32 }{
		{0, 0, 0},
		{0x3f800000, 0x3f800000, 0x3f800000}, // exact
		{0xbf800000, 0xbf800000, 0xbf800000},
		{0x3f800001, 0x3f800000, 0x3f810000},
		{0x3f80ffff, 0x3f800000, 0x3f810000},
		{0x3f808000, 0x3f800000, 0x3f810000},
		{0xbf800001, 0xbf810000, 0xbf800000},
		{0xbf80ffff, 0xbf810000, 0xbf800000},
		{0x3fffffff, 0x3fff0000, 0x40000000},
		{1, 0, 0x00010000},
		{0x80000001, 0x80010000, 0x80000000},
		{largest, largest, largest},
		{largest + 1, largest, largest},
		{0xff7f0001, 0xff7f0000, 0xff7f0000},
	} {
		v := math.Float32frombits(c.v)
		if got := math.Float32bits(BF16Up(v)); got != c.up {
			t.Errorf("BF16Up(%#x) = %#x, want %#x", c.v, got, c.up)
		}
		if got := math.Float32bits(BF16Down(v)); got != c.down {
			t.Errorf("BF16Down(%#x) = %#x, want %#x", c.v, got, c.down)
		}
	}
}

func TestHalfExtremes(t *testing.T) {
	for i, c := range []struct {
		v    float32
		f16  uint16
		bf16 uint16
	}{
		{0, 0, 0},
		{65504, 0x7bff, 0x4780},
		{65519, 0x7bff, 0x4780},
		{1e30, 0x7bff, 0x714a},
		{-1e30, 0xfbff, 0xf14a},
		{math.MaxFloat32, 0x7bff, 0x7f7f},
		{float32(math.Inf(-1)), 0xfc00, 0xff80},
		{0x1p-24, 1, 0x3380},
		{0x1p-25, 0, 0x3300}, // tie to even
		{0x3p-25, 2, 0x33c0}, // 1.5 units: tie to even
		{0x1p-14, 0x400, 0x3880},
	} {
		if got := Float32ToF16(c.v); got != c.f16 {
			t.Errorf("case %d: F16(%g) = %#04x, want %#04x", i, c.v, got, c.f16)
		}
		if got := Float32ToBF16(c.v); got != c.bf16 {
			t.Errorf("case %d: BF16(%g) = %#04x, want %#04x", i, c.v, got, c.bf16)
		}
	}
	if v := F16ToFloat32(Float32ToF16(float32(math.NaN()))); v == v {
		t.Errorf("F16(NaN) = %g", v)
	}
	if v := BF16ToFloat32(Float32ToBF16(math.Float32frombits(0x7f800001))); v == v {
		t.Errorf("BF16(NaN with low fraction) = %g", v)
	}
}

func TestDecodeEncode(t *testing.T) {
	values := []float32{0, 1, -1, 3, 100, -128, 127, 300, -300}
	for _, c := range []struct {
		d    DType
		want []float32
	}{
		{F64, values}, {F32, values}, {F16, values}, {BF16, values},
		{I8, []float32{0, 1, -1, 3, 100, -128, 127, 127, -128}},
		{U8, []float32{0, 1, 0, 3, 100, 0, 127, 255, 0}},
	} {
		raw, err := Encode(nil, c.d, values)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := len(raw), len(values)*c.d.Bits()/8; got != want {
			t.Fatalf("%s: %d bytes, want %d", c.d, got, want)
		}
		got, err := Decode(nil, c.d, raw)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: value %d: got %g, want %g", c.d, i, got[i], c.want[i])
			}
		}
		if c.d.Bits() > 8 {
			if _, err := Decode(nil, c.d, raw[1:]); err == nil {
				t.Errorf("%s: no error on a partial value", c.d)
			}
		}
	}
	for d := F64; int(d) < len(dtypes); d++ {
		if got, err := ParseDType(d.String()); err != nil || got != d {
			t.Errorf("ParseDType(%q) = %v, %v", d, got, err)
		}
		if !d.Codable() {
			if _, err := Decode(nil, d, nil); err == nil {
				t.Errorf("Decode accepts %s", d)
			}
			if _, err := Encode(nil, d, nil); err == nil {
				t.Errorf("Encode accepts %s", d)
			}
		}
	}
}

func TestFold(t *testing.T) {
	for i, c := range []struct {
		shape      []int
		rows, cols int
		bad        bool
	}{
		{nil, 1, 1, false},
		{[]int{7}, 1, 7, false},
		{[]int{3, 5}, 3, 5, false},
		{[]int{2, 3, 5}, 6, 5, false},
		{[]int{2, 0, 5}, 0, 0, false},
		{[]int{5, 0}, 0, 0, false},
		{[]int{-1, 5}, 0, 0, true},
		{[]int{1 << 40, 1 << 40}, 0, 0, true},
		{[]int{0, 1 << 62, 1 << 62}, 0, 0, true},
	} {
		rows, cols, err := Fold(c.shape)
		if rows != c.rows || cols != c.cols || (err != nil) != c.bad {
			t.Errorf("case %d: Fold(%v) = %d, %d, %v", i, c.shape, rows, cols, err)
		}
	}
}

func TestCheckFinite(t *testing.T) {
	if err := CheckFinite([]float32{1, -math.MaxFloat32, 0}); err != nil {
		t.Error(err)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		err := CheckFinite([]float32{1, 2, float32(v)})
		if _, ok := err.(UnsupportedError); !ok {
			t.Errorf("%v: error %v", v, err)
		}
	}
}
