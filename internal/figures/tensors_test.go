package figures

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/internal/peertest"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

// matrix is a tensor of rows x cols values in one frame, prepared for a codec.
func matrix(t *testing.T, codec, tier string, rows, cols int, value func(y, x int) float32) *tensorcodec.Matrix {
	t.Helper()
	raw := make([]byte, 0, 4*rows*cols)
	for y := range rows {
		for x := range cols {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(value(y, x)))
		}
	}
	c, err := tensorcodec.Lookup(codec)
	if err != nil {
		t.Fatal(err)
	}
	var o tensorcodec.TensorOptions
	o.Codec, o.Tier = c, tier
	m, err := tensorcodec.NewMatrix(tensor.Info{Name: "test", DType: tensor.F32, Shape: []int{rows, cols}}, raw, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFig2b: on a Gaussian no stage is better than the bound, none clearly better than all of rdo, and the rows are those of the table.
func TestFig2b(t *testing.T) {
	for _, codec := range []string{"t265", "t264"} {
		random := rand.New(rand.NewPCG(1, 2))
		m := matrix(t, codec, "rdo", 64, 64, func(int, int) float32 { return float32(random.NormFloat64()) })
		steps := 0
		dbs := []float64{-70, -19}
		r, err := NewFig2b(m, dbs, paper(t), func() { steps++ })
		if err != nil {
			t.Fatal(err)
		}
		if steps != Fig2bStages(codec) || len(r.Rows) != steps+4 || r.Codec != codec || r.Tensor != "test" {
			t.Fatalf("%s: %d steps, %d rows: %+v", codec, steps, len(r.Rows), r)
		}
		if v := r.Rows[0].Bits; v[0] != nil || v[1] == nil || *v[1] != 8 {
			t.Errorf("%s: the codes reach %v, want nothing at -70 dB and 8 bits at -19", codec, v)
		}
		var full *Fig2bRow
		for i := range r.Rows {
			x := &r.Rows[i]
			if x.Codes != (i < 2) {
				t.Errorf("%s, %s: codes %v", codec, x.Name, x.Codes)
			}
			if strings.HasSuffix(x.Name, "(all of rdo)") {
				full = x
			}
			for k := 1; k < len(dbs); k++ {
				if x.Bits[k] == nil {
					t.Fatalf("%s, %s: %v dB is not reached", codec, x.Name, dbs[k])
				}
				if bound := -dbs[k] / (20 * math.Log10(2)); math.Abs(*x.Bits[k]-*x.Above[k]-bound) > 1e-9 || *x.Above[k] < -0.1 {
					t.Errorf("%s, %s at %v dB: %.3f bits, %.3f above the bound of %.3f", codec, x.Name, dbs[k], *x.Bits[k], *x.Above[k], bound)
				}
			}
		}
		for _, x := range r.Rows[:len(r.Rows)-2] {
			if *x.Bits[1] < *full.Bits[1]-0.05 { // half a step of the search for the error
				t.Errorf("%s: %s takes %.3f bits, all of rdo %.3f", codec, x.Name, *x.Bits[1], *full.Bits[1])
			}
		}
		last := r.Statements[len(r.Statements)-1]
		if last.Ours != full.Bits[1] || !strings.Contains(last.Formula, "-19 dB") {
			t.Errorf("%s: the statement on full intra coding is %+v, want the bits of all of rdo at -19 dB", codec, last)
		}
	}
}

// TestFig3: of a tensor with one outlier, a rotation of both sides spreads it over all values; the transforms keep the energy.
func TestFig3(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	x := make([]float32, 64*64)
	for i := range x {
		x[i] = float32(random.NormFloat64())
	}
	x[777] = 3000
	r := NewFig3("test", x, 64, 64, 1)
	byName := map[string]Fig3Domain{}
	for _, d := range r.Domains {
		byName[d.Name] = d
		for i := 1; i < len(d.Distance); i++ {
			if d.ShareFurther[i] > d.ShareFurther[i-1] || d.Distance[i] <= d.Distance[i-1] {
				t.Errorf("%s: the share beyond %v is %v, beyond %v it is %v", d.Name, d.Distance[i-1], d.ShareFurther[i-1], d.Distance[i], d.ShareFurther[i])
			}
		}
	}
	values, both := byName["values"], byName["Hadamard, both sides"]
	if len(r.Domains) != 7 || math.Abs(values.Peak-64) > 1 || values.Beyond6 != 100./4096 || values.Lost < 99 {
		t.Errorf("%d domains, values: %+v", len(r.Domains), values)
	}
	if both.Peak > 2 || both.Beyond6 != 0 || both.Lost > 1 || both.NMSE8DB > values.NMSE8DB {
		t.Errorf("rotated: peak %v, beyond 6: %v %%, lost %v %%, %v dB; as it is %v dB", both.Peak, both.Beyond6, both.Lost, both.NMSE8DB, values.NMSE8DB)
	}
}

// TestFig4: of vertical stripes, prediction leaves little; the residual is what the prediction misses.
func TestFig4(t *testing.T) {
	for _, codec := range []string{"t265", "t264"} {
		m := matrix(t, codec, "rdo", 512, 64, func(_, x int) float32 { return float32(x*7919%101) - 50 })
		r, err := NewFig4(m, 20)
		if err != nil {
			t.Fatal(err)
		}
		if !(r.ResidualShare < 20) || !(r.BitsPerValue < 2) || math.Abs(r.ResidualEnergy/r.CodeVariance*100-r.ResidualShare) > 1e-9 {
			t.Errorf("%s: %v %% of the energy left, %v bits a value", codec, r.ResidualShare, r.BitsPerValue)
		}
		for i, v := range r.Residual {
			if want := max(0, min(255, int(r.Codes[i])-int(r.Prediction[i])+128)); int(v) != want {
				t.Fatalf("%s: residual %d is %d, want %d", codec, i, v, want)
			}
		}
		if d := tensor.CompareCodes(r.Codes, r.Recon); d.MSE != r.MSE || r.MSE > 30 {
			t.Errorf("%s: mean squared error %v, of the planes %v", codec, r.MSE, d.MSE)
		}
	}
	large := matrix(t, "t265", "hw", 512, 2048, func(_, x int) float32 { return float32(x) })
	if _, err := NewFig4(large, 20); err == nil || !strings.Contains(err.Error(), "2 frames") {
		t.Errorf("a tensor of two frames: %v", err)
	}
}

// TestInference: what the paper states of the memory follows, and the decoders of Table II hold a token up.
func TestInference(t *testing.T) {
	r, err := NewInference(paper(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Statements {
		agrees := strings.HasPrefix(s.Remark, "agrees")
		if strings.HasPrefix(s.What, "KV cache, FP16") && !agrees || math.Abs(*s.Ours / *s.Paper - 1) > 0.1 {
			t.Errorf("%s: paper %v, ours %v: %s", s.What, *s.Paper, *s.Ours, s.Remark)
		}
	}
	free, t265 := &r.Study.Outcomes[0].Step, &r.Study.Outcomes[1].Step
	if !free.Fits || r.Study.Plain.Fits || t265.Token <= free.Token || t265.DecodeInstances <= 13 {
		t.Errorf("fits %v, uncompressed %v; a token takes %v s, with decoders %v s; %v decoders needed", free.Fits, r.Study.Plain.Fits, free.Token, t265.Token, t265.DecodeInstances)
	}
}

// TestCompareLossless: every compressor restores a real checkpoint's layout, and what is random does not shrink.
func TestCompareLossless(t *testing.T) {
	peertest.Tool(t, "bzip2")
	random := rand.New(rand.NewPCG(5, 6))
	data := make([]byte, 1<<16)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	head, err := tensor.SafetensorsHeader([]tensor.Info{{Name: "a", DType: tensor.BF16, Shape: []int{len(data) / 2}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "random.safetensors")
	if err := os.WriteFile(path, append(head, data...), 0o666); err != nil {
		t.Fatal(err)
	}
	runs := 0
	rows, err := CompareLossless(t.Context(), []string{path}, func() { runs++ })
	if runs != LosslessRuns() {
		t.Errorf("%d compressors were reported as done, want %d", runs, LosslessRuns())
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 11 || rows[0].Compressor != "vcsim snapshot" {
		t.Fatalf("%d rows, the first %+v", len(rows), rows[0])
	}
	size := float64(len(head) + len(data))
	for _, r := range rows {
		if r.File != "random.safetensors" || math.Abs(r.Ratio*float64(r.PackedBytes)/size-1) > 1e-12 || r.Ratio > 1.01 || r.OfBound > 101 || r.PackGBPerS <= 0 || r.UnpackGBPerS <= 0 {
			t.Errorf("%+v of %v bytes", r, size)
		}
	}
	if _, err := CompareLossless(t.Context(), []string{path + ".no"}, func() {}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := CompareLossless(ctx, []string{path}, func() {}); err == nil {
		t.Error("an interrupted run: no error")
	}
	t.Setenv("PATH", "")
	if _, err := CompareLossless(t.Context(), []string{path}, func() {}); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("without bzip2: %v", err)
	}
}
