package lmc

import (
	"bytes"
	"fmt"
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
)

func bzip2Size(t *testing.T, b []byte) int {
	t.Helper()
	cmd := exec.Command(peertest.Tool(t, "bzip2"), "-9c")
	cmd.Stdin = bytes.NewReader(b)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal("bzip2: ", err)
	}
	return len(out)
}

// deltaSize returns the coded size of values on a base in a mode, and the order-0 bound of the zigzag difference, in bytes,
// and that difference.
func deltaSize(t *testing.T, values, base []byte, w int, mode Mode) (coded int, bound float64, diff []byte) {
	t.Helper()
	var wk worker
	var s PlaneStats
	diff = make([]byte, len(values))
	difference(diff, values, base, w, Zigzag)
	l := layout{w: w, float: true, cols: 256}
	got := make([]byte, BlockValues*w)
	for from := 0; from < len(values); from += len(got) {
		to := min(from+len(got), len(values))
		wk.enc.measure(diff[from:to], layout{w: w}, &s)
		b := wk.encodeBlock(nil, bytes.Clone(values[from:to]), base[from:to], l, mode, nil)
		coded += len(b)
		if fault := wk.dec.restoreBlock(got[:to-from], b, base[from:to], l, mode); fault != "" || !bytes.Equal(got[:to-from], values[from:to]) {
			t.Fatalf("%v: values from %d differ: %s", mode, from/w, fault)
		}
	}
	for k := range w {
		bound += s.BoundBits[k] / 8
	}
	return coded, bound, diff
}

// uniformUpdate returns values and a base of which the given share of values is unchanged; the others moved by a few steps of
// the last place, as many for a small value as for a large one. The base tells nothing about them: entropy is what they
// are worth to a coder that knows how they were made, in bits a value.
func uniformUpdate(r *rand.Rand, n, w int, unchanged float64) (values, base []byte, entropy float64) {
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
	if unchanged > 0 {
		entropy = -unchanged*math.Log2(unchanged) - (1-unchanged)*math.Log2(1-unchanged)
	}
	return values, base, entropy + (1-unchanged)*math.Log2(4000*math.Sqrt(2*math.Pi*math.E))
}

// adamUpdate is uniformUpdate with changes of one size, however large the value.
func adamUpdate(r *rand.Rand, n, w int, unchanged float64) (values, base []byte) {
	values, base = make([]byte, n*w), make([]byte, n*w)
	round := func(x float32) uint64 {
		if w == 2 {
			return uint64(math.Float32bits(x)+0x8000) >> 16
		}
		return uint64(math.Float32bits(x))
	}
	for i := range n {
		x := float32(r.NormFloat64() * 0.02)
		storeValue(base[i*w:], round(x), w)
		if r.Float64() >= unchanged {
			x += float32(r.NormFloat64() * 3e-4)
		}
		storeValue(values[i*w:], round(x), w)
	}
	return values, base
}

// TestSparseDeltas: differences stay near the zigzag bound however many values are unchanged, and below bzip2 -9 of the difference.
func TestSparseDeltas(t *testing.T) {
	const less = 1.1 // of the size of bzip2's
	r := rand.New(rand.NewPCG(6, 6))
	for _, w := range []int{2, 4} {
		for _, unchanged := range []float64{0, 0.25, 0.5, 0.75, 0.9, 0.99} {
			for _, adam := range []bool{false, true} {
				dtype := map[int]string{2: "BF16", 4: "F32"}[w]
				name := dtype + ", uniform"
				values, base, entropy := uniformUpdate(r, BlockValues, w, unchanged)
				if adam {
					name = dtype + ", Adam"
					values, base = adamUpdate(r, BlockValues, w, unchanged)
				}
				name += fmt.Sprintf(", %2.0f %% unchanged", 100*unchanged)
				coded, bound, diff := deltaSize(t, values, base, w, Step)
				if bound < 0.95*float64(coded) {
					t.Errorf("%s: %.4f of the bound", name, bound/float64(coded))
				}
				if os.Getenv("VCSIM_LMC_RATIO") == "" {
					continue
				}
				planes := make([]byte, len(diff))
				split(planes, diff, w, false)
				bz, grouped := float64(bzip2Size(t, diff)), float64(bzip2Size(t, planes))
				fmt.Printf("%s: %.4f of the bound, bzip2 %.3f, grouped %.3f times as large", name, bound/float64(coded), bz/float64(coded), grouped/float64(coded))
				best := entropy * BlockValues / 8
				if w == 2 || adam || bz >= less*best {
					if bz < less*float64(coded) {
						t.Errorf("%s: bzip2 is %.4f times as large", name, bz/float64(coded))
					}
				} else { // no coder can
					fmt.Printf("; of the entropy of what was added %.3f times", bz/best)
					if float64(coded) > 1.005*best {
						t.Errorf("%s: %d bytes for %.0f of entropy", name, coded, best)
					}
				}
				fmt.Println()
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
		if bound < 0.99*float64(out.Len()) {
			t.Errorf("%s: %.5f of the bound", file, bound/float64(out.Len()))
		}
		fmt.Printf("%s: ratio %.4f, %.5f of the bound, bzip2 %.4f times as large\n", filepath.Base(file), float64(s.Size())/float64(out.Len()), bound/float64(out.Len()), float64(bzip2Size(t, mustRead(t, file)))/float64(out.Len()))
		f, err := tensor.OpenSafetensors(file)
		if err != nil {
			t.Fatal(err)
		}
		last := map[string]string{}                  // tensor of the checkpoint before, by name without its step
		shares := []float64{0, 0.5, 0.75, 0.9, 0.99} // of the values, that are put back
		sum := make([][4]float64, len(shares))
		r := rand.New(rand.NewPCG(6, 7))
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
				w := info.DType.Bits() / 8
				for k, share := range shares {
					values := bytes.Clone(a)
					for i := 0; i < len(a); i += w {
						if r.Float64() < share {
							copy(values[i:i+w], b[i:])
						}
					}
					coded, bound, diff := deltaSize(t, values, b, w, Step)
					sum[k][0] += float64(coded)
					sum[k][1] += bound
					sum[k][2] += float64(bzip2Size(t, diff))
					planes := make([]byte, len(diff))
					split(planes, diff, w, false)
					sum[k][3] += float64(bzip2Size(t, planes))
				}
			}
			last[name] = info.Name
		}
		f.Close()
		for k, s := range sum {
			if s[0] > 0 {
				fmt.Printf("  differences of consecutive steps, %2.0f %% put back: %.4f of the zigzag bound, bzip2 %.4f, grouped %.4f times as large\n", 100*shares[k], s[1]/s[0], s[2]/s[0], s[3]/s[0])
				if s[1] < 0.95*s[0] || s[2] < 1.1*s[0] {
					t.Errorf("%s: differences, %g put back: too large", file, shares[k])
				}
			}
		}
	}
}

// TestRealChain prints what whole snapshots of consecutive checkpoints take, packed each on the one before, against bzip2 -9
// of their zigzag differences, tensor after tensor.
func TestRealChain(t *testing.T) {
	if os.Getenv("VCSIM_LMC_RATIO") == "" {
		t.Skip("set VCSIM_LMC_RATIO=1 to measure")
	}
	files, _ := filepath.Glob("../../../shared/tensors/A_checkpoints*.safetensors")
	for _, file := range files {
		f, err := tensor.OpenSafetensors(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var names []string
		steps := map[string][]item{}
		for _, info := range f.Tensors() {
			step, name, _ := strings.Cut(info.Name, ".")
			b, err := f.Read(info.Name, nil)
			if err != nil {
				t.Fatal(err)
			}
			if steps[step] == nil {
				names = append(names, step)
			}
			steps[step] = append(steps[step], item{name, info.DType, info.Shape, b})
		}
		slices.Sort(names)
		dir := t.TempDir()
		packed, bz, raw := 0, 0, 0
		modes := map[Mode]int{}
		for k, step := range names {
			path := filepath.Join(dir, step+".safetensors")
			writeFile(t, path, steps[step])
			base := ""
			if k > 0 {
				base = filepath.Join(dir, names[k-1]+".lmc")
			}
			res := pack(t, path, base, filepath.Join(dir, step+".lmc"), PackOptions{})
			if k == 0 {
				continue
			}
			var diffs []byte
			for i, it := range steps[step] {
				diff := make([]byte, len(it.data))
				difference(diff, it.data, steps[names[k-1]][i].data, it.dtype.Bits()/8, Zigzag)
				diffs = append(diffs, diff...)
			}
			packed += int(res.PackedBytes)
			raw += int(res.RawBytes)
			bz += bzip2Size(t, diffs)
			for m, n := range res.Tensors {
				modes[m] += n
			}
		}
		checkRestore(t, filepath.Join(dir, names[len(names)-1]+".lmc"), filepath.Join(dir, names[len(names)-1]+".safetensors"))
		fmt.Printf("%s: chain of %d, ratio %.4f, bzip2 of the differences %.4f times as large; %v\n", filepath.Base(file), len(names)-1, float64(raw)/float64(packed), float64(bz)/float64(packed), modes)
		if float64(bz) < 1.1*float64(packed) {
			t.Errorf("%s: bzip2 is %.4f times as large", file, float64(bz)/float64(packed))
		}
	}
}
