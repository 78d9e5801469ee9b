package tensorcodec

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vcsim/internal/tensor"
)

func TestFoldShape(t *testing.T) {
	for _, c := range []struct {
		fold       Fold
		dims       []int
		columns    bool
		rows, cols int
	}{
		{FoldAuto, []int{1 << 20}, false, 1024, 1024},
		{FoldAuto, []int{1 << 24}, false, 16384, 1024},
		{FoldAuto, []int{4096}, false, 64, 64},
		{FoldAuto, []int{1}, false, 1, 1},
		{FoldAuto, []int{7}, false, 4, 2},
		{FoldAuto, []int{65537}, false, 257, 256}, // a prime: the last row has one value
		{FoldAuto, []int{99991}, false, 391, 256}, // between 256 and 512, nearer to 256
		{FoldAuto, []int{1 << 19, 2}, false, 1024, 1024},
		{FoldAuto, []int{10000, 8}, false, 313, 256},
		{FoldAuto, []int{10000, 8}, true, 313, 256}, // 8 divides 256
		{FoldAuto, []int{10000, 6}, true, 313, 192}, // 32 times 6 columns
		{FoldAuto, []int{10000, 6}, false, 235, 256},
		{FoldAuto, []int{1 << 20, 3}, true, 4096, 768},
		{FoldAuto, []int{4000, 3, 3}, false, 141, 256},
		{FoldAuto, []int{64, 3, 7, 7}, false, 64, 147}, // a kernel
		{FoldAuto, []int{512, 512, 3, 3}, false, 512, 4608},
		{FoldAuto, []int{256, 256, 5}, false, 256, 1280},      // of one dimension
		{FoldAuto, []int{768, 1, 3, 3}, false, 108, 64},       // depthwise: 9 columns are too few
		{FoldAuto, []int{1, 32, 1024, 32}, false, 1024, 1024}, // a cache, not a kernel
		{FoldAuto, []int{1, 32, 1024, 128}, false, 32768, 128},
		{FoldAuto, []int{100, 64}, false, 100, 64},
		{FoldAuto, []int{100, 63}, false, 99, 64},
		{FoldAuto, []int{4096, 11008}, false, 4096, 11008},
		{FoldAuto, []int{1, 65536}, false, 256, 256},
		{FoldAuto, []int{8, 4096}, false, 128, 256},
		{FoldAuto, []int{8, 4096}, true, 8, 4096},
		{FoldNone, []int{10000, 8}, false, 10000, 8},
		{FoldNone, []int{4096}, false, 1, 4096},
		{100, []int{64, 64}, false, 41, 100},
		{5000, []int{64, 64}, false, 1, 4096},
	} {
		n, err := tensor.NumValues(c.dims)
		if err != nil {
			t.Fatal(err)
		}
		rows, cols := c.fold.shape(c.dims, n, nil, c.columns)
		if rows != c.rows || cols != c.cols {
			t.Errorf("fold %d of %v, columns %v: %dx%d, want %dx%d", c.fold, c.dims, c.columns, rows, cols, c.rows, c.cols)
		}
	}
}

func TestParseFold(t *testing.T) {
	for s, want := range map[string]Fold{"auto": FoldAuto, "none": FoldNone, "1": 1, "768": 768} {
		if got, err := ParseFold(s); err != nil || got != want {
			t.Errorf("%q: %d, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "0", "-1", "x", "65537", "1e3", "12x12"} {
		if _, err := ParseFold(s); err == nil {
			t.Errorf("%q is accepted", s)
		}
	}
}

// oddShapes are those whose matrix is not the last dimension, most with a last row that is not full.
var oddShapes = [][]int{{4999}, {4096}, {2500, 2}, {555, 3, 3}, {625, 8}, {17, 5, 7, 7}, {1, 5003}, {3, 1709}, {101, 1}, {1}, {61}}

// TestFoldRoundTrip: every odd shape comes back with its own shape and with the distortion that the encoder reports, for
// every quantiser, rotation and type.
func TestFoldRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shape := range oddShapes {
		n, _ := tensor.NumValues(shape)
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(rng.NormFloat64()) + float32(i%shape[len(shape)-1])
		}
		for _, d := range []tensor.DType{tensor.F32, tensor.BF16, tensor.F64, tensor.I8, tensor.U8} {
			data, err := tensor.Encode(nil, d, x)
			if err != nil {
				t.Fatal(err)
			}
			src := Single{tensor.Info{Name: "x", DType: d, Shape: shape}, data}
			for name, set := range map[string]func(*TensorOptions){
				"plain":    func(o *TensorOptions) {},
				"none":     func(o *TensorOptions) { o.Fold = FoldNone },
				"width":    func(o *TensorOptions) { o.Fold = 48 },
				"channel":  func(o *TensorOptions) { o.Quant.Scheme = tensor.PerChannel },
				"row asym": func(o *TensorOptions) { o.Quant = tensor.Quant{Scheme: tensor.PerRow, Asym: true} },
				"group":    func(o *TensorOptions) { o.Quant = tensor.Quant{Scheme: tensor.PerGroup(60)} },
				"all": func(o *TensorOptions) {
					o.Outliers, o.Means, o.Rotate = 2, true, tensor.Hadamard{Rows: true, Cols: true, Seed: 1}
					o.Residual = &Target{TargetQP, 30}
				},
				"frames": func(o *TensorOptions) { o.FrameWidth, o.FrameHeight = 1024, 16 },
				"bits":   func(o *TensorOptions) { o.Target = Target{TargetBits, 6} },
				"mse":    func(o *TensorOptions) { o.Target = Target{TargetMSE, 1e-3} },
			} {
				t.Run(fmt.Sprint(shape, d, name), func(t *testing.T) {
					o := standinTensors(Target{TargetQP, 4})
					o.Integers = true
					set(&o)
					e, b := pack(t, src, Selection{}, o, 0)
					check(t, src, e, b)
					r := e.Results[0]
					if _, cols, _ := tensor.Fold(shape); !r.Raw && strings.Contains(string(b), " fold=") != (r.Grid.Width != cols) {
						t.Errorf("a matrix of %d columns, fold in the recipe: %v", r.Grid.Width, strings.Contains(string(b), " fold="))
					}
				})
			}
		}
	}
}

// TestFrameLargerThanTensor: a frame is cut to the matrix; it does not fill up with padding.
func TestFrameLargerThanTensor(t *testing.T) {
	src := mixed(t)
	o := standinTensors(Target{TargetQP, 12})
	want, _ := pack(t, src, Selection{}, o, 0)
	o.FrameWidth, o.FrameHeight = 1024, 1024
	got, b := pack(t, src, Selection{}, o, 0)
	check(t, src, got, b)
	if got.Bytes != want.Bytes {
		t.Errorf("%d bytes in frames of 1024x1024, %d without", got.Bytes, want.Bytes)
	}
}

// TestColumnsStayTogether: folded, the columns of a narrow tensor keep scales and means of their own.
func TestColumnsStayTogether(t *testing.T) {
	const rows, cols = 9000, 3
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float32, rows*cols)
	for i := range x {
		x[i] = float32(rng.NormFloat64()) * []float32{1, 1000, 1e-3}[i%cols]
	}
	data, _ := tensor.Encode(nil, tensor.F32, x)
	src := Single{tensor.Info{Name: "x", DType: tensor.F32, Shape: []int{rows, cols}}, data}
	o := standinTensors(Target{TargetQP, 4})
	o.Quant.Scheme = tensor.PerChannel
	_, b := pack(t, src, Selection{}, o, 0)
	_, out, err := unpack(b)
	if err != nil {
		t.Fatal(err)
	}
	y, _ := tensor.Decode(nil, tensor.F32, out["x"])
	for c, dev := range []float32{1, 1000, 1e-3} {
		for r := range rows {
			if e := y[r*cols+c] - x[r*cols+c]; max(e, -e) > dev/10 {
				t.Fatalf("row %d column %d: %g became %g", r, c, x[r*cols+c], y[r*cols+c])
			}
		}
	}
}

// codedAs codes values as a tensor of a shape.
func codedAs(t *testing.T, codec string, x []float32, shape []int, target Target) TensorResult {
	t.Helper()
	data, err := tensor.Encode(nil, tensor.F32, x)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Encode(Single{tensor.Info{Name: "x", DType: tensor.F32, Shape: shape}, data}, Selection{}, codecOptions(t, codec, "hw", target), 0)
	if err != nil {
		t.Fatal(err)
	}
	return e.Results[0]
}

// foldCase are values as the matrix that they are or could be, and the other shapes that they are given.
type foldCase struct {
	name       string
	x          []float32
	rows, cols int
	shapes     [][]int
}

// TestFoldRate: values cost the same, within 0.05 bit at equal error, whether they come as a matrix, flat or narrow.
func TestFoldRate(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	gauss := make([]float32, 1<<20)
	for i := range gauss {
		gauss[i] = float32(rng.NormFloat64())
	}
	n, k := len(gauss), len(gauss)/16
	cases := []foldCase{
		{"gauss", gauss, 1024, 1024, [][]int{{n}}},
		{"gauss/16", gauss[:k], 256, 256, [][]int{{k}, {k / 2, 2}, {k / 8, 8}, {k / 9, 3, 3}, {65521}, {k / 27, 27}, {64, k / 64 / 9, 3, 3}, {16, k / 16}, {32, k / 32}}},
	}
	for _, g := range gradients(t) {
		k := g.rows * g.cols
		g.shapes = [][]int{{k}, {k / 2, 2}}
		cases = append(cases, g)
	}
	for _, codec := range []string{"t265", "t264"} {
		for _, c := range cases {
			for _, bits := range []float64{2, 3, 4} {
				want := codedAs(t, codec, c.x, []int{c.rows, c.cols}, Target{TargetBits, bits})
				for _, shape := range c.shapes {
					k, _ := tensor.NumValues(shape)
					got := codedAs(t, codec, c.x[:k], shape, Target{TargetMSE, want.MSE})
					rate := got.BitsPerValue()
					t.Logf("%s %s: %v takes %.4f bits a value, %dx%d %.4f", codec, c.name, shape, rate, c.rows, c.cols, want.BitsPerValue())
					if rate > want.BitsPerValue()+0.05 || got.MSE > 1.01*want.MSE {
						t.Errorf("%s %s: %v takes %.4f bits a value at an MSE of %g, %dx%d %.4f at %g; note %q", codec, c.name, shape, rate, got.MSE,
							c.rows, c.cols, want.BitsPerValue(), want.MSE, got.Note)
					}
				}
			}
		}
	}
}

// gradients returns the real weight gradients, where they are.
func gradients(t *testing.T) (cases []foldCase) {
	files, _ := filepath.Glob("../../../shared/tensors/*weight_grads*.safetensors")
	if len(files) == 0 {
		t.Log("no gradients beside the repository: Gaussian values only")
	}
	for _, path := range files {
		if _, err := os.Stat(path); err != nil {
			t.Fatal(err)
		}
		s, err := tensor.OpenSafetensors(path)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for _, info := range s.Tensors() { // one of every run of equal shapes
			if len(info.Shape) != 2 || slices.Min(info.Shape) < 128 || len(cases) > 0 && slices.Equal(info.Shape, []int{cases[len(cases)-1].rows, cases[len(cases)-1].cols}) || len(cases) == 4 {
				continue
			}
			raw, err := s.Read(info.Name, nil)
			if err != nil {
				t.Fatal(err)
			}
			x, err := tensor.Decode(nil, info.DType, raw)
			if err != nil {
				t.Fatal(err)
			}
			cases = append(cases, foldCase{name: info.Name, x: x, rows: info.Shape[0], cols: info.Shape[1]})
		}
	}
	return cases
}

// TestOldContainers: containers from before there was a fold decode to what they always did.
func TestOldContainers(t *testing.T) {
	for file, want := range map[string]map[string]string{
		"v1_t265": {"layers.3.k_cache": "6e5dd03ca920", "model.layers.1.mlp.gate_proj.weight": "dda275096727",
			"model.layers.1.input_layernorm.weight": "31a1baa95339", "activation": "bb53def5be9d", "input_ids": "f99724056ec0"},
		"v1_t264": {"flat": "3a2428e60ae5", "kernel": "db2a6b1cdab2", "narrow": "e65c1c4d70d6", "prime": "eb223968c9d0"},
	} {
		b, err := os.ReadFile("testdata/" + file + ".safetensors")
		if err != nil {
			t.Fatal(err)
		}
		_, out, err := unpack(b)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for name, sum := range want {
			if got := fmt.Sprintf("%x", sha256.Sum256(out[name]))[:12]; got != sum {
				t.Errorf("%s: tensor %q decodes to %s, want %s", file, name, got, sum)
			}
		}
	}
}
