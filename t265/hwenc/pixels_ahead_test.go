package hwenc

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"vcsim/sim"
	"vcsim/t265/hw"
)

// A portPixels is a pixel path with the streams around it.
type portPixels struct {
	cfg    sim.Stream[hw.FrameConfig]
	req    sim.Stream[hw.CTURequest]
	src    sim.Stream[hw.SourceBeat]
	heads  sim.Stream[Head]
	levels sim.Stream[SubLevels]
	unit   *PixelsUnit
}

func newPortPixels(spec Spec) *portPixels {
	p := new(portPixels)
	p.unit = NewPixelsUnit(spec, &p.cfg, &p.req, &p.src, &p.heads, &p.levels)
	return p
}

// pixelsPortState is what a pixel path drives in a cycle: heads and levels where they are
// valid.
type pixelsPortState struct {
	CfgReady, SrcReady, HeadValid, LevelsValid bool
	Req                                        sim.Stream[hw.CTURequest]
	Head                                       Head
	Levels                                     SubLevels
}

func (p *portPixels) state() pixelsPortState {
	s := pixelsPortState{CfgReady: p.cfg.Ready, SrcReady: p.src.Ready, HeadValid: p.heads.Valid, LevelsValid: p.levels.Valid, Req: p.req}
	if p.heads.Valid {
		s.Head = p.heads.Data
	}
	if p.levels.Valid {
		s.Levels = p.levels.Data
	}
	return s
}

// A busyPixels is a pixel path that never waits for its host: one frame a thread, of the
// test planes, again and again.
type busyPixels struct {
	portPixels
	frames []Frame
	want   sim.Set // threads that want a frame
	last   int
	asked  ring[hw.CTURequest]
	at     int // beats of the first request that were sent
	beats  int
}

func newBusyPixels(t testing.TB, spec Spec) *busyPixels {
	planes := testPlanes(t)
	b := &busyPixels{portPixels: *newPortPixels(spec), want: sim.FirstOf(spec.Threads), asked: ring[hw.CTURequest]{at: make([]hw.CTURequest, spec.Threads)}}
	b.unit = NewPixelsUnit(spec, &b.cfg, &b.req, &b.src, &b.heads, &b.levels)
	b.unit.Room, b.req.Ready = b.want, true
	for i := range spec.Threads {
		p := &planes[i%len(planes)]
		b.frames = append(b.frames, Frame{Pix: p.Cut(i*64, 0, 256, 256), Stride: 256, Width: 256, Height: 256})
	}
	return b
}

func (b *busyPixels) cycle() {
	if !b.cfg.Valid && b.want != 0 {
		b.last = b.want.NextAfter(b.last)
		b.want.Remove(b.last)
		b.cfg.Valid, b.cfg.Data = true, hw.FrameConfig{Thread: uint8(b.last), Width: 16, Height: 16, QP: 25}
	}
	if !b.src.Valid && b.asked.n > 0 {
		r := b.asked.first()
		b.src.Valid, b.src.Data = true, b.frames[r.Thread].row8(int(r.X)*16+b.at>>3&1*8, int(r.Y)*16+b.at>>4*8+b.at&7)
	}
	b.unit.Eval()
	b.unit.Clock()
	if b.cfg.Moves() {
		b.cfg.Valid = false
	}
	if b.req.Moves() {
		b.asked.push(b.req.Data)
		if b.req.Data.Last {
			b.want.Add(int(b.req.Data.Thread))
		}
	}
	if b.src.Moves() {
		b.src.Valid = false
		b.beats++
		if b.at++; b.at == sourceBeats {
			b.at = 0
			b.asked.pop()
		}
	}
}

// A portInput gives pixel paths frames and samples at random.
type portInput struct {
	spec  Spec
	rng   *rand.Rand
	cfg   *sim.Stream[hw.FrameConfig]
	req   *sim.Stream[hw.CTURequest]
	src   *sim.Stream[hw.SourceBeat]
	asked int // beats
	noise float64
	base  float64
}

// drive offers, with the probabilities given, a frame and samples where none wait.
func (in *portInput) drive(frame, samples float64) {
	rng, spec := in.rng, in.spec
	if !in.cfg.Valid && rng.Float64() < frame {
		c := &in.cfg.Data
		*c = hw.FrameConfig{Thread: uint8(rng.IntN(spec.Threads)), Width: uint16(1 + rng.IntN(min(spec.FrameCTUs, 5))), Height: uint16(1 + rng.IntN(4)), QP: uint8(rng.IntN(51)), Fine: rng.IntN(2) == 0}
		if c.High = 0; c.Fine {
			c.High = uint32(rng.IntN(int(c.Width) * int(c.Height)))
		}
		in.cfg.Valid = true
	}
	if in.src.Valid || in.asked == 0 || rng.Float64() >= samples {
		return
	}
	if in.asked%8 == 0 {
		in.noise = []float64{0, 1, 8, 30, 100}[rng.IntN(5)]
		in.base = float64(rng.IntN(256))
	}
	in.src.Valid, in.src.Data = true, 0
	for i := range 8 {
		in.src.Data |= hw.SourceBeat(clip8(int(in.base+in.noise*rng.NormFloat64()))) << (8 * i)
	}
}

// moved notes what moved in the cycle.
func (in *portInput) moved() {
	if in.req.Moves() {
		in.asked += sourceBeats
	}
	if in.cfg.Moves() {
		in.cfg.Valid = false
	}
	if in.src.Moves() {
		in.src.Valid = false
		in.asked--
	}
}

// aheadSpecs are parameter sets for models that run ahead.
var aheadSpecs = func() (list []Spec) {
	for _, p := range [][5]int{
		{1, 1, 16, 4, 2}, {1, 1, 8, 4, 4}, {2, 1, 16, 8, 16}, {3, 3, 8, 4, 256}, {5, 5, 16, 4, 8}, {4, 2, 8, 8, 5},
		{18, 18, 16, 4, 16}, {30, 30, 8, 4, 5}, {64, 32, 16, 4, 4},
	} {
		spec := DefaultSpec()
		spec.Threads, spec.Lanes, spec.MaxTU, spec.MinTU, spec.FrameCTUs = p[0], p[1], p[2], p[3], p[4]
		list = append(list, spec)
	}
	return list
}()

// TestPixelsAhead: a pixel path that runs ahead and one that is stepped drive the same ports
// in every cycle, whatever waits around them.
func TestPixelsAhead(t *testing.T) {
	cycles := 10000
	if os.Getenv("VCSIM_ENC_AHEAD") == "1" {
		cycles = 1000000
	}
	for n, spec := range aheadSpecs {
		// Shares of cycles in which a frame, source samples, a request, and room may move; the
		// last one is that of cycles in which room changes.
		for k, open := range [][5]float64{{1, 1, 1, 1, 0}, {0.05, 1, 1, 1, 0}, {1, 0.9, 1, 1, 0}, {1, 0.2, 1, 1, 0}, {1, 1, 0.03, 1, 0}, {1, 1, 1, 0.5, 0.1}, {0.5, 0.7, 0.5, 0.7, 0.01}} {
			t.Run(fmt.Sprintf("T=%d TU=%d..%d %v", spec.Threads, spec.MinTU, spec.MaxTU, open), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(k)))
				fast, slow := newPortPixels(spec), newPortPixels(spec)
				fast.unit.SetAhead()
				room := sim.FirstOf(spec.Threads)
				in := portInput{spec: spec, rng: rng, cfg: &fast.cfg, req: &fast.req, src: &fast.src}
				heads := 0
				for cycle := range cycles {
					in.drive(open[0], open[1])
					if rng.Float64() < open[4] {
						room = 0
						for i := range spec.Threads {
							room.Put(i, rng.Float64() < open[3])
						}
					}
					fast.req.Ready = rng.Float64() < open[2]
					slow.cfg.Valid, slow.cfg.Data, slow.src.Valid, slow.src.Data = fast.cfg.Valid, fast.cfg.Data, fast.src.Valid, fast.src.Data
					slow.req.Ready = fast.req.Ready
					for _, p := range []*portPixels{fast, slow} {
						p.unit.Room = room
						p.unit.Eval()
					}
					if got, want := fast.state(), slow.state(); got != want {
						t.Fatalf("cycle %d:\ngot  %+v\nwant %+v", cycle, got, want)
					}
					fast.unit.Clock()
					slow.unit.Clock()
					in.moved()
					if fast.heads.Valid {
						heads++
					}
				}
				if heads < cycles/1000 {
					t.Errorf("%d CTUs", heads)
				}
			})
		}
	}
}

// TestPixelsAheadRefuses: a path that has begun does not change its mind.
func TestPixelsAheadRefuses(t *testing.T) {
	h := newBusyPixels(t, testSpecs[0])
	h.unit.SetAhead()
	h.cycle()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	h.unit.setStepped()
}

// TestPixelsAheadNoAllocation: a cycle allocates nothing.
func TestPixelsAheadNoAllocation(t *testing.T) {
	h := newBusyPixels(t, testSpecs[0])
	h.unit.SetAhead()
	if n := testing.AllocsPerRun(20000, h.cycle); n != 0 {
		t.Errorf("%v allocations a cycle", n)
	}
	if h.beats < 15000 {
		t.Errorf("%d beats of samples in 20000 cycles", h.beats)
	}
}
