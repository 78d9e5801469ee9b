package rd

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vcsim/internal/peertest"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

// gaussian is a matrix of seeded values of standard deviation 1.
func gaussian(t *testing.T, rows, cols int) *tensorcodec.Matrix {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 8))
	raw := make([]byte, 0, 4*rows*cols)
	for range rows * cols {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(random.NormFloat64())))
	}
	var o tensorcodec.TensorOptions
	o.Codec, o.Tier = lookup(t, "t265"), "hw"
	m, err := tensorcodec.NewMatrix(tensor.Info{Name: "gaussian", DType: tensor.F32, Shape: []int{rows, cols}}, raw, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func lookup(t *testing.T, codec string) tensorcodec.Codec {
	t.Helper()
	c, err := tensorcodec.Lookup(codec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCompare: ECSQ is its own reference; on a Gaussian the bound lies below it by the known distance, which is a quarter of a bit at high
// rates, and no codec is below ECSQ by more than a few hundredths.
func TestCompare(t *testing.T) {
	m := gaussian(t, 128, 128)
	steps := 0
	methods := Methods{Codecs: []tensorcodec.Codec{lookup(t, "t265"), lookup(t, "t264")}, Tiers: []string{"hw"}, Step: func() { steps++ }}
	rates := []float64{2, 3, 7.9}
	r, err := Compare(t.Context(), m, rates, &methods)
	if err != nil {
		t.Fatal(err)
	}
	if steps != methods.Steps() || steps != 2 || r.Tensor != "gaussian" || len(r.Curves) != len(r.Above) {
		t.Fatalf("%d steps of %d, %d curves, %d of them compared", steps, methods.Steps(), len(r.Curves), len(r.Above))
	}
	var names []string
	for k, c := range r.Curves {
		names = append(names, c.Method)
		for i := range 2 {
			v := r.Above[k][i]
			if v == nil {
				t.Errorf("%s: nothing at %v bits", c.Method, rates[i])
				continue
			}
			lo, hi := 0., 0.
			switch c.Method {
			case "Gaussian bound":
				lo, hi = -0.28, -0.15
			case "RTN tensor":
				lo, hi = 0.05, 2
			case "RTN group128":
				lo, hi = 0.05, 1.5
			case "t265 hw", "t264 hw":
				lo, hi = -0.05, 0.6
			}
			if *v < lo-1e-9 || *v > hi+1e-9 {
				t.Errorf("%s at %v bits: %.4f above ECSQ, want %v to %v", c.Method, rates[i], *v, lo, hi)
			}
		}
		for i, p := range c.Points {
			if i > 0 && p.MSE > c.Points[i-1].MSE {
				t.Errorf("%s: the error rises from %v to %v", c.Method, c.Points[i-1].MSE, p.MSE)
			}
			if want := 10 * math.Log10(p.MSE/tensor.Variance(m.Values)); p.NMSEDB != want {
				t.Errorf("%s: %v dB, want %v", c.Method, p.NMSEDB, want)
			}
			if codec := strings.HasSuffix(c.Method, " hw"); (p.QP != nil) != codec || (p.Regular != nil) != codec || (p.Bypass != nil) != codec {
				t.Errorf("%s: %+v", c.Method, p)
			}
		}
	}
	if want := []string{"t265 hw", "t264 hw", "RTN tensor", "RTN group128", "ECSQ", "Gaussian bound"}; !slices.Equal(names, want) {
		t.Errorf("methods %q, want %q", names, want)
	}
	methods.Tiers = []string{"nosuch"}
	if _, err := Compare(t.Context(), m, rates, &methods); err == nil {
		t.Error("an unknown tier: no error")
	}
}

// TestAbove: between two points the rate is linear in the logarithm of the error; outside there is none.
func TestAbove(t *testing.T) {
	c := Curve{Points: []Point{{Bits: 1, MSE: 16}, {Bits: 3, MSE: 1}}}
	for _, tt := range []struct {
		mse, want float64
		ok        bool
	}{{16, 1 - 0.5, true}, {4, 2 - 0.5, true}, {2, 2.5 - 0.5, true}, {1, 3 - 0.5, true}, {17, 0, false}, {0.9, 0, false}} {
		if got, ok := c.Above(tt.mse, 0.5); ok != tt.ok || math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("at %v: got %v, %v, want %v, %v", tt.mse, got, ok, tt.want, tt.ok)
		}
	}
	one := Curve{Points: []Point{{Bits: 1, MSE: 16}}}
	if got, ok := one.Above(16, 0.5); !ok || got != 0.5 {
		t.Errorf("a single point at its own error: %v, %v", got, ok)
	}
	if _, ok := one.Above(15, 0.5); ok {
		t.Error("a single point reaches another error")
	}
}

// TestMeans: a tensor on which a method has no value is left out of the mean of all, and a method that did not run everywhere has none.
func TestMeans(t *testing.T) {
	v := func(x float64) *float64 { return &x }
	list := []*Comparison{
		{Tensor: "a", Curves: []Curve{{Method: "m"}, {Method: "n"}, {Method: "rare"}}, Above: [][]*float64{{v(1), v(10)}, {v(2), v(20)}, {v(9), v(9)}}},
		{Tensor: "b", Curves: []Curve{{Method: "m"}, {Method: "n"}}, Above: [][]*float64{{v(3), nil}, {v(5), v(30)}}},
		{Tensor: "c", Curves: []Curve{{Method: "m"}, {Method: "n"}}, Above: [][]*float64{{v(5), v(30)}, {v(8), v(50)}}},
	}
	means, counts := Means(list, 2)
	if !slices.Equal(counts, []int{3, 2}) || len(means) != 3 {
		t.Fatalf("%d means over %v tensors", len(means), counts)
	}
	for i, want := range []Mean{{"m", []*float64{v(3), v(20)}}, {"n", []*float64{v(5), v(35)}}, {"rare", []*float64{nil, nil}}} {
		if means[i].Method != want.Method {
			t.Errorf("mean %d is of %s, want %s", i, means[i].Method, want.Method)
		}
		for k, w := range want.Above {
			if got := means[i].Above[k]; (got == nil) != (w == nil) || w != nil && *got != *w {
				t.Errorf("%s at rate %d: got %v, want %v", want.Method, k, got, w)
			}
		}
	}
}

func TestChoosePeers(t *testing.T) {
	if list, err := ChoosePeers([]string{"none"}); err != nil || len(list) != 0 {
		t.Errorf("none: %d, %v", len(list), err)
	}
	var unknown UnknownError
	if _, err := ChoosePeers([]string{"h267"}); !errors.As(err, &unknown) {
		t.Errorf("h267: %v", err)
	}
	dir := t.TempDir()
	for _, name := range []string{"x265", "ffmpeg"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho first >&2\necho second >&2\nexit 1\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	list, err := ChoosePeers([]string{"installed"})
	if err != nil || len(list) != 3 || len(MissingPeers()) != len(peers)-3 {
		t.Errorf("%d installed, %d missing, %v; want the three presets of x265", len(list), len(MissingPeers()), err)
	}
	if list, err = ChoosePeers([]string{"x265 med"}); err != nil || len(list) != 1 || list[0].Name != "x265 medium" {
		t.Errorf("x265 med: %d, %v", len(list), err)
	}
	var missing *MissingError
	if _, err := ChoosePeers([]string{"x264"}); !errors.As(err, &missing) || missing.Tool != "x264" || !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("x264, which is not installed: %v", err)
	}
	// A program that fails is named with what it said, on one line.
	methods := Methods{Peers: list, Step: func() {}}
	if _, err := Compare(t.Context(), gaussian(t, 64, 64), []float64{3}, &methods); err == nil || !strings.Contains(err.Error(), "gaussian: x265 medium") || !strings.Contains(err.Error(), "first; second") {
		t.Errorf("a program that fails: %v", err)
	}
}

// TestPeer: another encoder's curve lies where the codecs' do.
func TestPeer(t *testing.T) {
	for _, tool := range []string{"x264", "x265", "ffmpeg"} {
		peertest.Tool(t, tool)
	}
	list, err := ChoosePeers([]string{"x265 medium", "x264 medium"})
	if err != nil {
		t.Fatal(err)
	}
	methods := Methods{Peers: list, Step: func() {}}
	r, err := Compare(t.Context(), gaussian(t, 128, 128), []float64{3}, &methods)
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range list {
		if v := r.Above[k][0]; r.Curves[k].Method != p.Name || v == nil || *v < 0 || *v > 1 {
			t.Errorf("%s: %+v", p.Name, v)
		}
	}
}
