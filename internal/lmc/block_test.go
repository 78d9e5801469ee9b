package lmc

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// patterns are values of w bytes, by name, of every kind that a plane or a block treats in its own way.
func patterns(r *rand.Rand, n, w int) map[string][]byte {
	each := func(f func(i int) uint64) []byte {
		b := make([]byte, n*w)
		for i := range n {
			storeValue(b[i*w:], f(i), w)
		}
		return b
	}
	normal := func(int) uint64 {
		switch x := r.NormFloat64() * 0.02; w {
		case 8:
			return math.Float64bits(x)
		case 4:
			return uint64(math.Float32bits(float32(x)))
		default:
			return uint64(math.Float32bits(float32(x))) >> 16
		}
	}
	p := map[string][]byte{
		"zero":   each(func(int) uint64 { return 0 }),
		"one":    each(func(int) uint64 { return 0x3f803f803f803f80 }),
		"random": each(func(int) uint64 { return r.Uint64() }),
		"normal": each(normal),
		"ramp":   each(func(i int) uint64 { return uint64(i) }),
		"special": each(func(int) uint64 {
			return [...]uint64{0x7f807f807f807f80, 0xff81ff81ff81ff81, 0x7fc07fc17fc27fc3, 1, 0x8000800080008000, 0x8001, math.MaxUint64}[r.IntN(7)]
		}),
		"skewed": each(func(int) uint64 { return uint64(math.Exp2(-math.Log2(r.Float64()))) }), // needs codes beyond the limit
		"rows":   each(func(i int) uint64 { return uint64((i/64)%7) * 0x9e3779b97f4a7c15 * uint64(i%64+1) }),
	}
	for _, share := range []float64{0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.9999} {
		p[fmt.Sprintf("zeros-%g", share)] = each(func(i int) uint64 {
			if r.Float64() < share {
				return 0
			}
			return normal(i)
		})
	}
	return p
}

func TestBlockRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var e encoder
	var d decoder
	for _, w := range []int{1, 2, 4, 8} {
		for _, n := range []int{1, 2, 3, 7, 8, 9, 63, 64, 65, 257, 1000, 4099, 40000} {
			for name, values := range patterns(r, n, w) {
				for _, l := range []layout{{w: w}, {w: w, float: true, cols: 64, phase: min(n, 5*(n&1))}} {
					var stats PlaneStats
					coded := e.encodeBlock([]byte("before"), values, l, &stats)[6:]
					got := make([]byte, len(values))
					if fault := d.decodeBlock(got, coded, nil, w, l.float); fault != "" {
						t.Fatalf("%s, %d values of %d bytes, %+v: %s", name, n, w, l, fault)
					}
					if string(got) != string(values) {
						t.Fatalf("%s, %d values of %d bytes, %+v: values differ", name, n, w, l)
					}
					if len(coded) > len(values)+1+w {
						t.Errorf("%s, %d values of %d bytes: %d bytes", name, n, w, len(coded))
					}
				}
			}
		}
	}
}

func TestDifference(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, w := range []int{1, 2, 4, 8} {
		for _, n := range []int{1, 3, 8, 77} {
			a, b := make([]byte, n*w), make([]byte, n*w)
			for i := range a {
				a[i], b[i] = byte(r.Uint32()), byte(r.Uint32())
			}
			for _, mode := range []Mode{Whole, XOR, Zigzag} {
				d := make([]byte, n*w)
				difference(d, a, b, w, mode)
				for i := range n {
					x, y := loadValue(a[i*w:], w), loadValue(b[i*w:], w)
					bits := 8 * w
					s := int64(x-y) << (64 - bits) >> (64 - bits)
					want := [...]uint64{x, x ^ y, uint64(s<<1^s>>63) << (64 - bits) >> (64 - bits)}[mode]
					if got := loadValue(d[i*w:], w); got != want {
						t.Fatalf("%v, %d bytes, value %d: %#x and %#x give %#x, want %#x", mode, w, i, x, y, got, want)
					}
				}
				restore(d, d, b, w, mode)
				if string(d) != string(a) {
					t.Fatalf("%v, %d bytes, %d values: not restored", mode, w, n)
				}
			}
		}
	}
}

func FuzzDecodeBlock(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	var e encoder
	for _, w := range []int{1, 2, 4} {
		for _, values := range patterns(r, 300, w) {
			f.Add(e.encodeBlock(nil, values, layout{w: w, float: true, cols: 64}, nil), uint16(300), uint8(w))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, n uint16, w uint8) {
		size := 1 << (w & 3)
		var d decoder
		d.decodeBlock(make([]byte, int(n)*size), src, nil, size, w&4 != 0)
		// What is well formed for the decoder, the encoder takes back.
		if values := src[:len(src)/size*size]; len(values) > 0 {
			coded := e.encodeBlock(nil, values, layout{w: size, float: true, cols: 16 + int(n)%64}, nil)
			got := make([]byte, len(values))
			if fault := d.decodeBlock(got, coded, nil, size, true); fault != "" || string(got) != string(values) {
				t.Fatalf("round trip: %s", fault)
			}
		}
	})
}
