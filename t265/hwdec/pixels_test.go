package hwdec

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"vcsim/internal/codectest"
	"vcsim/sim"
	"vcsim/t265"
	"vcsim/t265/hw"
)

// A pixelRun is a path whose threads decode pictures.
type pixelRun struct {
	spec    PixelsSpec
	in      sim.Stream[ThreadItem]
	out     sim.Stream[PixelWord]
	unit    *PixelsUnit
	pending [][]hw.Item // by thread
	frames  [][]byte
	width   []int
	samples int
	cycles  int
	next    int
}

func newPixelRun(spec PixelsSpec) *pixelRun {
	r := &pixelRun{spec: spec, pending: make([][]hw.Item, spec.Threads), frames: make([][]byte, spec.Threads), width: make([]int, spec.Threads)}
	r.unit = NewPixelsUnit(spec, &r.in, &r.out)
	return r
}

// start gives a thread a picture of width by height samples.
func (r *pixelRun) start(thread int, items []hw.Item, width, height int) {
	r.pending[thread], r.width[thread], r.frames[thread] = items, width, make([]byte, width*height)
}

// cycle runs one cycle. The first thread from next on that can sends an item.
func (r *pixelRun) cycle(offer, ready bool) {
	r.in.Valid, r.out.Ready = false, ready
	r.unit.Eval()
	for i := range r.spec.Threads {
		t := (r.next + i) % r.spec.Threads
		if offer && len(r.pending[t]) > 0 && r.unit.Takes(uint8(t)) {
			r.in.Valid, r.in.Data = true, ThreadItem{Thread: uint8(t), Item: r.pending[t][0]}
			r.pending[t] = r.pending[t][1:]
			r.next = t + 1
			break
		}
	}
	r.unit.Eval()
	if r.out.Moves() {
		w := &r.out.Data
		for i := range 4 {
			x, y := int(w.X)+i, int(w.Y)
			if w.ByColumns {
				x, y = int(w.X), int(w.Y)+i
			}
			if f := r.frames[w.Thread]; x < r.width[w.Thread] && y < len(f)/r.width[w.Thread] { // it may be cropped
				f[y*r.width[w.Thread]+x] = byte(w.Data >> (8 * i))
			}
		}
		r.samples += 4
	}
	r.unit.Clock()
	r.cycles++
}

// samplesOf returns the number of samples of the blocks.
func samplesOf(items []hw.Item) (n int) {
	for i := range items {
		if items[i].Kind == hw.ItemTU {
			h := hw.UnpackHead(items[i].Data)
			n += 16 << (2 * h.Log2)
		}
	}
	return n
}

// checkPixels decodes pictures of at most 256 by 256 samples, in all threads at once.
func checkPixels(t testing.TB, spec PixelsSpec, pictures []t265.Picture, items [][]hw.Item, rng *rand.Rand) *pixelRun {
	t.Helper()
	pause := func() bool { return rng != nil && rng.IntN(3) == 0 }
	r := newPixelRun(spec)
	for first := 0; first < len(pictures); first += spec.Threads {
		want := r.samples
		for i := range min(spec.Threads, len(pictures)-first) {
			p := &pictures[first+i]
			r.start(i, items[first+i], p.Width, p.Height)
			want += samplesOf(items[first+i])
		}
		for limit := r.cycles + 4*(want-r.samples) + 10000; r.samples < want; {
			if r.cycle(!pause(), !pause()); r.cycles > limit {
				t.Fatalf("%d samples of %d after %d cycles", r.samples, want, r.cycles)
			}
		}
		for i := range min(spec.Threads, len(pictures)-first) {
			p := &pictures[first+i]
			for at, v := range r.frames[i] {
				if x, y := at%p.Width, at/p.Width; v != p.Pix[y*p.Width+x] {
					t.Fatalf("picture %d, sample (%d, %d) is %d, want %d", first+i, x, y, v, p.Pix[y*p.Width+x])
				}
			}
		}
	}
	return r
}

// TestPixels: the samples are those of the software decoder.
func TestPixels(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 265))
	for _, spec := range []PixelsSpec{DefaultPixelsSpec(), {Threads: 5, FrameCTUs: 9, MaxCTU: 64, MaxTU: 16, Modes: 35, Words: 20}, {Threads: 16, FrameCTUs: 16, MaxCTU: 16, MaxTU: 8, Modes: 35, Words: 32}} {
		var pictures []t265.Picture
		var items [][]hw.Item
		for i, p := range laneParams {
			p.MaxTU = min(max(p.MaxTU, 16), spec.MaxTU)
			if p.CTU > spec.MaxCTU {
				continue
			}
			if spec.MaxCTU == 16 {
				p.CTU = 16
			}
			for j, kind := range codectest.Kinds {
				p.Width, p.Height = 72+24*(i%3), 40+16*(j%4)
				p.Slices = min(p.Slices, 1+(p.Height-1)/32)
				stream := encodePicture(t, p, codectest.Plane(kind, p.Width, p.Height, uint64(i)), []int{0, 4, 12, 22, 30, 44, 51}[(i+j)%7])
				pic, list, err := DecodeItems(stream)
				if err != nil {
					t.Fatal(err)
				}
				pictures, items = append(pictures, pic...), append(items, list...)
			}
		}
		t.Logf("%+v: %d pictures", spec, len(pictures))
		checkPixels(t, spec, pictures, items, nil)
		checkPixels(t, spec, pictures, items, rng)
	}
}

// largest returns the size of the largest transform block and of the CTUs.
func largest(items []hw.Item) (tu, ctu int) {
	for i := range items {
		if items[i].Kind == hw.ItemTU {
			h := hw.UnpackHead(items[i].Data)
			tu, ctu = max(tu, 4<<h.Log2), 16<<h.Log2CTB
		}
	}
	return tu, ctu
}

// TestPixelsX265: also those of the streams of x265 that have no larger blocks.
func TestPixelsX265(t *testing.T) {
	files, err := filepath.Glob("../testdata/x265/*.265")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d streams: %v", len(files), err)
	}
	taken := 0
	for _, name := range files {
		stream, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pictures, items, err := DecodeItems(stream)
		if err != nil {
			t.Logf("%s: %v", filepath.Base(name), err)
			continue
		}
		tu, ctu := 0, 0
		for _, list := range items {
			a, b := largest(list)
			tu, ctu = max(tu, a), max(ctu, b)
		}
		t.Logf("%s: %d pictures of %dx%d, CTUs of %d, transform blocks up to %d", filepath.Base(name), len(pictures), pictures[0].Width, pictures[0].Height, ctu, tu)
		if tu > 16 {
			continue
		}
		taken++
		t.Run(filepath.Base(name), func(t *testing.T) {
			checkPixels(t, PixelsSpec{Threads: 4, FrameCTUs: 64, MaxCTU: 64, MaxTU: 16, Modes: 35, Words: 80}, pictures, items, nil)
		})
	}
	t.Logf("%d streams taken", taken)
}

// TestPixelsRate: values a cycle of 16 threads at about three bits a value.
func TestPixelsRate(t *testing.T) {
	const w, h = 128, 128
	for tier, want := range map[t265.Tier]float64{t265.HW: 3, t265.RDO: 2.35} {
		p := t265.Params{Width: w, Height: h, Tier: tier, MaxTU: 16}
		spec := DefaultPixelsSpec()
		var pictures []t265.Picture
		var items [][]hw.Item
		bits, count, tus := 0, 0, [3]int{}
		for i := range spec.Threads {
			var stream []byte
			for qp := 32; qp > 0; qp-- {
				if stream = encodePicture(t, p, codectest.Plane("gauss", w, h, uint64(9+i)), qp); len(stream)*8 > 3*w*h {
					break
				}
			}
			pic, list, err := DecodeItems(stream)
			if err != nil {
				t.Fatal(err)
			}
			bits += 8 * len(stream)
			for j := range list[0] {
				if count++; list[0][j].Kind == hw.ItemTU {
					hd := hw.UnpackHead(list[0][j].Data)
					tus[hd.Log2] += 16 << (2 * hd.Log2)
				}
			}
			pictures, items = append(pictures, pic...), append(items, list...)
		}
		r := checkPixels(t, spec, pictures, items, nil)
		values := float64(w * h * spec.Threads)
		t.Logf("%v: %.2f bits a value, %.2f items a block of 16 values, values in blocks of 4, 8 and 16: %.2f %.2f %.2f, %.3f values a cycle", tier, float64(bits)/values, 16*float64(count)/values,
			float64(tus[0])/values, float64(tus[1])/values, float64(tus[2])/values, values/float64(r.cycles))
		if values/float64(r.cycles) < want {
			t.Errorf("%v: %.3f values a cycle, want %.2f", tier, values/float64(r.cycles), want)
		}
	}
}

// TestPixelsLatency: from the last item of a block to its first samples, as the module
// states it.
func TestPixelsLatency(t *testing.T) {
	for log2, want := range map[uint8]map[bool]int{0: {false: 13, true: 30}, 1: {false: 15, true: 38}, 2: {false: 19, true: 86}} {
		for coded, want := range want {
			h := hw.Head{Log2: log2, Mode: 1, Coded: coded, Log2CTB: 2, Right: 15, Bottom: 8}
			items := []hw.Item{{Kind: hw.ItemTU, Data: h.Pack()}}
			if coded {
				items = append(items, hw.Item{Kind: hw.ItemLevels, Data: 1})
			}
			r := newPixelRun(DefaultPixelsSpec())
			r.start(0, items, 64, 64)
			cycles := -1
			for r.samples == 0 && r.cycles < 1000 {
				if r.cycle(true, true); len(r.pending[0]) == 0 {
					cycles++
				}
			}
			if cycles != want {
				t.Errorf("%dx%d, coded %t: %d cycles, want %d", 4<<log2, 4<<log2, coded, cycles, want)
			}
		}
	}
}
