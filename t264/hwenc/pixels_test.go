package hwenc

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"vcsim/internal/codectest"
	"vcsim/sim"
	"vcsim/t264"
	"vcsim/t264/block"
	"vcsim/t264/hw"
)

// testPlanes returns the planes of the data folder, or where it is absent random
// ones of different character.
func testPlanes(t testing.TB) []codectest.Picture {
	out := codectest.SharedPlanes(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range 4 {
		p := codectest.Picture{Width: 256, Height: 256, Pix: make([]byte, 1<<16)}
		for i := range p.Pix {
			x, y := i%256, i/256
			p.Pix[i] = block.Clip8(int32(128 + rng.NormFloat64()*float64(4+20*k) + float64(k*x-k*y)/2))
		}
		out = append(out, p)
	}
	return out
}

// A pixelsHost feeds frames to a pixel path and collects its words.
type pixelsHost struct {
	cfg  sim.Stream[hw.FrameConfig]
	req  sim.Stream[hw.MBRequest]
	src  sim.Stream[hw.SourceBeat]
	ac   sim.Stream[hw.ACToken]
	mb   sim.Stream[hw.MBToken]
	unit *PixelsUnit
	spec Spec

	pix     [64][]byte // the frame of a thread
	width   [64]int
	pending []hw.MBRequest
	at      int // samples of pending[0] sent
	acs     [64][]hw.ACToken
	mbs     [64][]hw.MBToken
	stall   func() bool
	watch   sim.Activity
}

func newPixelsHost(spec Spec, stall func() bool) *pixelsHost {
	h := &pixelsHost{spec: spec, stall: stall}
	h.unit = NewPixelsUnit(spec, &h.cfg, &h.req, &h.src, &h.ac, &h.mb)
	h.unit.Room = 1<<spec.Threads - 1
	return h
}

// cycle runs one clock.
func (h *pixelsHost) cycle() {
	if !h.src.Valid && len(h.pending) > 0 && !h.stall() {
		h.src.Valid = true
		r := &h.pending[0]
		b := h.at / 16
		x, y := int(r.X)*16+int(block.X[b]), int(r.Y)*16+int(block.Y[b])+h.at%16/4
		beat := uint64(0)
		for i := range h.spec.Values {
			beat |= uint64(h.pix[r.Thread][(y+i/4)*h.width[r.Thread]+x+i%4]) << (8 * i)
		}
		h.src.Data = hw.SourceBeat(beat)
	}
	h.req.Ready, h.ac.Ready, h.mb.Ready = !h.stall(), !h.stall(), !h.stall()
	h.unit.Eval()
	h.watch.Watch(0)
	if h.ac.Moves() {
		h.acs[h.ac.Data.Thread] = append(h.acs[h.ac.Data.Thread], h.ac.Data)
	}
	if h.mb.Moves() {
		h.mbs[h.mb.Data.Thread] = append(h.mbs[h.mb.Data.Thread], h.mb.Data)
	}
	if h.req.Moves() {
		h.pending = append(h.pending, h.req.Data)
	}
	h.unit.Clock()
	if h.src.Moves() {
		h.src.Valid = false
		if h.at += h.spec.Values; h.at == 256 {
			h.at = 0
			h.pending = append(h.pending[:0], h.pending[1:]...)
		}
	}
	if h.cfg.Moves() {
		h.cfg.Valid = false
	}
}

// TestPixels: levels, modes and flags are those of the software encoder.
func TestPixels(t *testing.T) {
	planes := testPlanes(t)
	for _, spec := range []Spec{{Threads: 8, Lanes: 8, Values: 8, Bypass: 4, FrameMBs: 16}, {Threads: 5, Lanes: 1, Values: 4, Bypass: 4, FrameMBs: 8}, {Threads: 1, Lanes: 1, Values: 8, Bypass: 4, FrameMBs: 8}} {
		for _, share := range []float64{0, 0.3} {
			t.Run(fmt.Sprintf("T=%d V=%d stall=%.1f", spec.Threads, spec.Values, share), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(3, uint64(spec.Threads)))
				h := newPixelsHost(spec, func() bool { return rng.Float64() < share })
				var frames []hw.FrameConfig
				for i := range 3 * spec.Threads {
					frames = append(frames, hw.FrameConfig{Thread: uint8(i % spec.Threads), Width: uint16(1 + rng.IntN(spec.FrameMBs)),
						Height: uint16(1 + rng.IntN(6)), QP16: uint16(rng.IntN(16*51 + 1))})
				}
				for round := range 3 {
					var want int
					for i := range spec.Threads {
						f := &frames[round*spec.Threads+i]
						p := &planes[(round*spec.Threads+i)%len(planes)]
						h.width[i] = 16 * int(f.Width)
						h.pix[i] = p.Cut(rng.IntN(p.Width), rng.IntN(p.Height), 16*int(f.Width), 16*int(f.Height))
						want += int(f.Width) * int(f.Height)
						h.acs[i], h.mbs[i] = nil, nil
					}
					next, got := 0, 0
					for cycles := 0; got < want; cycles++ {
						if cycles > 1000*want+1000 {
							t.Fatalf("round %d: %d of %d macroblocks", round, got, want)
						}
						if !h.cfg.Valid && next < spec.Threads {
							h.cfg.Valid, h.cfg.Data = true, frames[round*spec.Threads+next]
							next++
						}
						h.cycle()
						if h.mb.Moves() {
							got++
							if th := h.mb.Data.Thread; len(h.acs[th]) < 16*len(h.mbs[th]) {
								t.Fatalf("thread %d: the word of macroblock %d is there after %d blocks", th, len(h.mbs[th])-1, len(h.acs[th]))
							}
						}
					}
					for i := range spec.Threads {
						check(t, &frames[round*spec.Threads+i], h.pix[i], h.acs[i], h.mbs[i])
					}
				}
			})
		}
	}
}

// check compares the words of a frame with the software encoder.
func check(t *testing.T, c *hw.FrameConfig, pix []byte, acs []hw.ACToken, mbs []hw.MBToken) {
	t.Helper()
	w, n := 16*int(c.Width), int(c.Width)*int(c.Height)
	if len(mbs) != n || len(acs) != 16*n {
		t.Fatalf("thread %d: %d macroblocks and %d blocks, want %d", c.Thread, len(mbs), len(acs), n)
	}
	i := 0
	_, err := AppendSlice(nil, t264.Params{Width: w, Height: len(pix) / w}, pix, w, int(c.QP16), func(mb *hw.MBToken, ac *[16]hw.ACToken) {
		want := *mb
		want.Thread = c.Thread
		if mbs[i] != want {
			t.Fatalf("thread %d, macroblock %d:\ngot  %+v\nwant %+v", c.Thread, i, mbs[i], want)
		}
		for b, want := range ac {
			want.Thread = c.Thread
			if got := acs[16*i+b]; got != want {
				t.Fatalf("thread %d, macroblock %d, block %d:\ngot  %+v\nwant %+v", c.Thread, i, b, got, want)
			}
		}
		i++
	})
	if err != nil || i != n {
		t.Fatalf("thread %d: the software encoder has %d macroblocks, want %d, %v", c.Thread, i, n, err)
	}
}

// TestPixelsActivity: with threads enough the source is what the path waits
// for, and the counts of each unit add up.
func TestPixelsActivity(t *testing.T) {
	h := newPixelsHost(Spec{Threads: 8, Lanes: 8, Values: 8, Bypass: 4, FrameMBs: 16}, func() bool { return false })
	p := testPlanes(t)[0]
	for i := range 8 {
		h.pix[i], h.width[i] = p.Cut(0, 0, 256, 1024), 256
	}
	h.unit.Observe(&h.watch)
	const cycles = 20000
	for i := range cycles {
		if !h.cfg.Valid && i < 100 {
			h.cfg.Valid, h.cfg.Data = true, hw.FrameConfig{Thread: uint8(i & 7), Width: 16, Height: 64, QP16: 27 * 16}
		}
		h.cycle()
	}
	for _, u := range h.watch.Units() {
		sum := uint64(0)
		for _, n := range u.Cycles {
			sum += n
		}
		if sum != cycles {
			t.Errorf("%s: the states add up to %d of %d cycles", u.Name, sum, cycles)
		}
	}
	if busy := float64(h.watch.Flow(&h.src.Wire).Moved) / cycles; busy < 0.95 {
		t.Errorf("source beats move in %.1f%% of the cycles", 100*busy)
	}
	if got := h.watch.Flow(&h.mb.Wire).Moved; got < cycles/34 {
		t.Errorf("%d macroblocks in %d cycles", got, cycles)
	}
}

func TestPixelsNoAllocation(t *testing.T) {
	h := newPixelsHost(Spec{Threads: 4, Lanes: 4, Values: 8, Bypass: 4, FrameMBs: 16}, func() bool { return false })
	h.req.Ready, h.ac.Ready, h.mb.Ready, h.src.Valid, h.cfg.Valid = true, true, true, true, true
	h.cfg.Data = hw.FrameConfig{Width: 16, Height: 1000, QP16: 400}
	moved := 0
	if n := testing.AllocsPerRun(5000, func() {
		h.unit.Eval()
		if h.mb.Moves() {
			moved++
		}
		h.unit.Clock()
		if h.cfg.Ready {
			h.cfg.Data.Thread = (h.cfg.Data.Thread + 1) % 4
		}
	}); n != 0 {
		t.Errorf("%v allocations a cycle", n)
	}
	if moved < 100 {
		t.Errorf("%d macroblocks in 5000 cycles", moved)
	}
}
