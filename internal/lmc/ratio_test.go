package lmc

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/internal/tensor"
)

func bzip2Size(t *testing.T, b []byte) int {
	t.Helper()
	cmd := exec.Command("bzip2", "-9c")
	cmd.Stdin = bytes.NewReader(b)
	out, err := cmd.Output()
	if err != nil {
		t.Skip("bzip2: ", err)
	}
	return len(out)
}

// deltaSize returns the coded size of the zigzag difference in blocks, and its order-0 bound, in bytes.
func deltaSize(values, base []byte, w int) (coded int, bound float64, diff []byte) {
	var e encoder
	var s PlaneStats
	diff = make([]byte, len(values))
	difference(diff, values, base, w, Zigzag)
	for b := diff; len(b) > 0; {
		n := min(len(b), BlockValues*w)
		coded += len(e.encodeBlock(nil, b[:n], layout{w: w, cols: 256}, &s))
		b = b[n:]
	}
	for k := range w {
		bound += s.BoundBits[k] / 8
	}
	return coded, bound, diff
}

// sparseUpdate returns values and a base of which the given share of values is unchanged; the others moved by a few steps.
func sparseUpdate(r *rand.Rand, n, w int, unchanged float64) (values, base []byte) {
	values, base = make([]byte, n*w), make([]byte, n*w)
	for i := range n {
		v := uint64(math.Float32bits(float32(r.NormFloat64() * 0.02)))
		step := uint64(int64(r.NormFloat64() * 4000))
		if w == 2 {
			v >>= 16
			step = uint64(int64(r.NormFloat64()*2)) | 1
		}
		storeValue(base[i*w:], v, w)
		if r.Float64() >= unchanged {
			v += step
		}
		storeValue(values[i*w:], v, w)
	}
	return values, base
}

// TestSparseDeltas: differences stay near the zigzag bound however many values are unchanged.
func TestSparseDeltas(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, w := range []int{2, 4} {
		for _, unchanged := range []float64{0, 0.25, 0.5, 0.75, 0.9, 0.99} {
			values, base := sparseUpdate(r, BlockValues, w, unchanged)
			coded, bound, diff := deltaSize(values, base, w)
			if bound < 0.95*float64(coded) {
				t.Errorf("%d bytes, %g unchanged: %.4f of the bound", w, unchanged, bound/float64(coded))
			}
			if os.Getenv("VCSIM_LMC_RATIO") != "" {
				bz, grouped := bzip2Size(t, diff), 0
				planes := make([]byte, len(diff))
				split(planes, diff, w, false)
				grouped = bzip2Size(t, planes)
				fmt.Printf("synthetic F%d %2.0f %% unchanged: %.4f of the bound, bzip2 %.3f, grouped %.3f times as large\n", 8*w, 100*unchanged, bound/float64(coded), float64(bz)/float64(coded), float64(grouped)/float64(coded))
			}
		}
	}
}

// TestRatio prints how near whole files and real differences of the corpus beside the checkout come to their bounds.
func TestRatio(t *testing.T) {
	if os.Getenv("VCSIM_LMC_RATIO") == "" {
		t.Skip("set VCSIM_LMC_RATIO=1 to measure")
	}
	files, _ := filepath.Glob("../../../shared/tensors/*.safetensors")
	for _, file := range files {
		s, err := Open(file)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		res, err := Pack(t.Context(), &out, s, PackOptions{Stats: true})
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		bound := 0.0
		for _, g := range res.Groups {
			for k := range g.Width {
				bound += g.BoundBits[k] / 8
			}
		}
		fmt.Printf("%s: ratio %.4f, %.4f of the bound, bzip2 %.4f times as large\n", filepath.Base(file), float64(s.Size())/float64(out.Len()), bound/float64(out.Len()), float64(bzip2Size(t, mustRead(t, file)))/float64(out.Len()))
		f, err := tensor.OpenSafetensors(file)
		if err != nil {
			t.Fatal(err)
		}
		last := map[string]string{} // tensor of the checkpoint before, by name without its step
		var sum [3]float64
		for _, info := range f.Tensors() {
			step, name, ok := strings.Cut(info.Name, ".")
			if !ok || !strings.HasPrefix(step, "step") {
				continue
			}
			if prev := last[name]; prev != "" {
				a, err := f.Read(info.Name, nil)
				if err != nil {
					t.Fatal(err)
				}
				b, err := f.Read(prev, nil)
				if err != nil {
					t.Fatal(err)
				}
				coded, bound, diff := deltaSize(a, b, info.DType.Bits()/8)
				sum[0] += float64(coded)
				sum[1] += bound
				sum[2] += float64(bzip2Size(t, diff))
			}
			last[name] = info.Name
		}
		f.Close()
		if sum[0] > 0 {
			fmt.Printf("  differences of consecutive steps: %.4f of the zigzag bound, bzip2 %.4f times as large\n", sum[1]/sum[0], sum[2]/sum[0])
		}
	}
}
