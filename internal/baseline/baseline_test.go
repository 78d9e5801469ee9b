package baseline

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vcsim/internal/tensor"
)

func lookup(t *testing.T, name string) Format {
	t.Helper()
	f, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestBits: the widths that the formats are known by, and what blocks that are not whole cost.
func TestBits(t *testing.T) {
	for name, want := range map[string]float64{"nvfp4": 4.5, "mxfp4": 4.25, "mxfp8": 8.25, "mxfp8-e5m2": 8.25, "fp8": 8, "fp8-e5m2": 8, "fp8-row": 8, "fp8-block": 8.25, "rtn-4-g128": 4.125, "rtn-2-g32": 2.5} {
		f := lookup(t, name)
		if f.Nominal() != want {
			t.Errorf("%s: %v bits, want %v", name, f.Nominal(), want)
		}
	}
	for name, want := range map[string]float64{
		"nvfp4": 4 + (8*3*2.+32)/66, "mxfp4": 4 + 8*3/66., "fp8": 8 + 32/66., "fp8-row": 8 + 32*3/66., "fp8-block": 8 + 32*3/66., "rtn-3-g8": 3 + 16*9/66.,
	} {
		f := lookup(t, name)
		if got := f.Bits(3, 22); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v bits a value of 3 x 22, want %v", name, got, want)
		}
		c := f.Encode(make([]float32, 66), 3, 22)
		scales := 8*len(c.Scales) + 32*len(c.Wide)
		switch f.scaling {
		case scaleE4M3:
			scales += 32
		case scaleRTN:
			scales /= 2
		}
		if got := float64(f.width()) + float64(scales)/66; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: what is stored takes %v bits, want %v", name, got, want)
		}
	}
	if f := lookup(t, "nvfp4"); f.Bits(0, 5) != 4 || len(f.Encode(nil, 0, 5).Decode()) != 0 {
		t.Error("an empty matrix")
	}
}

// TestBlocks: worked by hand from the specifications. MX: the scale is 2^(floor(log2 max) - emax), so that 7 in a block of MXFP4
// leaves the scale at 1 and saturates to 6, and 8 takes a scale of 2.
func TestBlocks(t *testing.T) {
	for _, tt := range []struct {
		format  string
		x, want []float32
		scales  []uint8
		wide    []float32
		codes   []uint8
		tensor  float32
	}{
		{"mxfp4", []float32{7, 1, -0.6, 0.25, 0.75, -5}, []float32{6, 1, -0.5, 0, 1, -4}, []uint8{127}, nil, []uint8{7, 2, 9, 0, 2, 14}, 0},
		{"mxfp4", []float32{8, 1, -1.5, 5}, []float32{8, 1, -2, 4}, []uint8{128}, nil, []uint8{6, 1, 10, 4}, 0},
		{"mxfp4", []float32{0, 0}, []float32{0, 0}, []uint8{0}, nil, []uint8{0, 0}, 0},
		{"mxfp8", []float32{1, 1.0625, 1.1875, -0.001}, []float32{1, 1, 1.25, -0.0009765625}, []uint8{119}, nil, []uint8{0x78, 0x78, 0x7a, 0xa8}, 0},
		{"mxfp8-e5m2", []float32{1, 1.125, 1.375}, []float32{1, 1, 1.5}, []uint8{112}, nil, []uint8{0x78, 0x78, 0x7a}, 0},
		{"fp8", []float32{448, -448, 1, 17}, []float32{448, -448, 1, 16}, nil, []float32{1}, []uint8{0x7e, 0xfe, 0x38, 0x58}, 0},
		// A tensor up to 2688 = 6 x 448 has the tensor scale 1, the block's scale 448 and elements up to 6.
		{"nvfp4", []float32{2688, -448, 100, 1344}, []float32{2688, -448, 0, 1344}, []uint8{0x7e}, nil, []uint8{7, 10, 0, 5}, 1},
		{"rtn-3-g4", []float32{-4, 3.4, 0.5, 1.5, 8, 7, -8, 1}, []float32{-4, 3, 0, 2, 6, 6, -8, 0}, nil, []float32{1, 2}, []uint8{0xfc, 3, 0, 2, 3, 3, 0xfc, 0}, 0},
	} {
		f := lookup(t, tt.format)
		c := f.Encode(tt.x, 1, len(tt.x))
		if got := c.Decode(); !slices.Equal(got, tt.want) || !slices.Equal(c.Codes, tt.codes) || !slices.Equal(c.Scales, tt.scales) || !slices.Equal(c.Wide, tt.wide) || c.Tensor != tt.tensor {
			t.Errorf("%s of %v: %v, codes %#v, scales %v %v %v; want %v, %#v, %v %v %v", tt.format, tt.x, got, c.Codes, c.Scales, c.Wide, c.Tensor, tt.want, tt.codes, tt.scales, tt.wide, tt.tensor)
		}
	}
}

// TestAgainstSearch: matrices of heavy tails, zeros and rows that do not divide, against a search of all codes with the scales worked
// out anew.
func TestAgainstSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"nvfp4", "mxfp4", "mxfp8", "mxfp8-e5m2", "fp8", "fp8-e5m2", "fp8-row", "fp8-block"} {
		f := lookup(t, name)
		for _, size := range [][2]int{{1, 1}, {3, 50}, {4, 64}, {2, 300}} {
			rows, cols := size[0], size[1]
			x := make([]float32, rows*cols)
			for i := range x {
				x[i] = float32(math.Pow(random.NormFloat64(), 3) * 1e-4)
				if random.IntN(7) == 0 {
					x[i] = 0
				}
			}
			var most float64
			for _, v := range x {
				most = max(most, math.Abs(float64(v)))
			}
			block := map[string]int{"nvfp4": 16, "mxfp4": 32, "mxfp8": 32, "mxfp8-e5m2": 32, "fp8-block": 128, "fp8-row": cols, "fp8": len(x), "fp8-e5m2": len(x)}[name]
			got, _ := f.Round(x, rows, cols)
			for i, v := range x {
				row := i / cols * cols
				lo, hi := row+(i-row)/block*block, min(row+cols, row+(i-row)/block*block+block)
				if block == len(x) {
					lo, hi = 0, len(x)
				}
				var peak float64
				for _, u := range x[lo:hi] {
					peak = max(peak, math.Abs(float64(u)))
				}
				var scale float64
				switch {
				case strings.HasPrefix(name, "mx"):
					scale = math.Exp2(max(-127, math.Floor(math.Log2(peak))-math.Floor(math.Log2(f.element.Max()))))
				case name == "nvfp4":
					whole := float64(float32(most / 6 / 448))
					scale = half(&E4M3, nearest(&E4M3, peak/6/whole)) * whole
				default:
					scale = float64(float32(peak / f.element.Max()))
				}
				var want float32
				if scale > 0 {
					want = float32(half(f.element, nearest(f.element, float64(v)/scale)) * scale)
				}
				if got[i] != want && !(got[i] == 0 && want == 0) {
					t.Fatalf("%s, value %d of %d x %d: %v becomes %v, want %v", name, i, rows, cols, v, got[i], want)
				}
			}
		}
	}
}

// TestRTN: integers per group are those of the tensor package, but for the scale's rounding.
func TestRTN(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	x := make([]float32, 8*300)
	for i := range x {
		x[i] = float32(random.NormFloat64())
	}
	for _, bits := range []int{2, 3, 4, 8} {
		f, err := RTN(bits, 128)
		if err != nil {
			t.Fatal(err)
		}
		ours, rate := f.Round(x, 8, 300)
		theirs, want := tensor.RTN(x, 8, 300, bits, tensor.PerGroup(128))
		a, b := tensor.Compare(x, ours).MSE, tensor.Compare(x, theirs).MSE
		if rate != want || math.Abs(a/b-1) > 0.02 {
			t.Errorf("%d bits: rate %v and error %v, want %v and about %v", bits, rate, a, want, b)
		}
	}
}

// TestGaussian: the error of a format on a normal distribution is that of its own cells, integrated here from the density without any
// rounding, where one scale serves all values.
func TestGaussian(t *testing.T) {
	f := lookup(t, "fp8")
	random := rand.New(rand.NewPCG(9, 9))
	x := make([]float32, 1<<18)
	for i := range x {
		x[i] = float32(random.NormFloat64())
	}
	y, _ := f.Round(x, 1, len(x))
	scale := peak(x) / 448
	var want, mass float64
	for u := -6.; u < 6; u += 1e-4 { // a sum over the density
		p := math.Exp(-u*u/2) / math.Sqrt(2*math.Pi) * 1e-4
		v := half(&E4M3, nearest(&E4M3, u/scale)) * scale
		want += p * (u - v) * (u - v)
		mass += p
	}
	got := tensor.Compare(x, y).MSE
	if math.Abs(mass-1) > 1e-4 || math.Abs(got/want-1) > 0.02 {
		t.Errorf("mean squared error %v, want %v", got, want)
	}
}

func TestLookup(t *testing.T) {
	for _, name := range append(Names(), Defaults()...) {
		if f := lookup(t, name); f.Name() != name {
			t.Errorf("%s is called %s", name, f.Name())
		}
	}
	for _, name := range []string{"", "nvfp5", "rtn-4", "rtn-x-g4", "rtn-4-g", "int4"} {
		var unknown UnknownError
		if _, err := Lookup(name); !errors.As(err, &unknown) || !strings.Contains(err.Error(), "mxfp4") {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"rtn-0-g4", "rtn-9-g4", "rtn-4-g0", "rtn-4-g99999999"} {
		if _, err := Lookup(name); err == nil || !strings.Contains(err.Error(), "1 to 8 bits") {
			t.Errorf("%q: %v", name, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a matrix of another size is taken")
		}
	}()
	f := lookup(t, "nvfp4")
	f.Encode(make([]float32, 5), 2, 3)
}

func BenchmarkEncode(b *testing.B) {
	f, _ := Lookup("nvfp4")
	x := make([]float32, 1<<16)
	random := rand.New(rand.NewPCG(9, 9))
	for i := range x {
		x[i] = float32(random.NormFloat64())
	}
	b.SetBytes(int64(4 * len(x)))
	for b.Loop() {
		f.Encode(x, 256, 256)
	}
}
