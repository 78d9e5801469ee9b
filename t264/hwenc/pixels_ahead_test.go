package hwenc

import (
	"math/rand/v2"
	"os"
	"testing"

	"vcsim/sim"
	"vcsim/t264/hw"
)

// A portPixels is a pixel path with the streams around it.
type portPixels struct {
	cfg  sim.Stream[hw.FrameConfig]
	req  sim.Stream[hw.MBRequest]
	src  sim.Stream[hw.SourceBeat]
	ac   sim.Stream[hw.ACToken]
	mb   sim.Stream[hw.MBToken]
	unit *PixelsUnit
}

func newPortPixels(spec Spec) *portPixels {
	p := new(portPixels)
	p.unit = NewPixelsUnit(spec, &p.cfg, &p.req, &p.src, &p.ac, &p.mb)
	return p
}

// pixelsPortState is what a pixel path drives in a cycle: tokens where they are
// valid.
type pixelsPortState struct {
	CfgReady, SrcReady, ACValid, MBValid bool
	Req                                  sim.Stream[hw.MBRequest]
	AC                                   hw.ACToken
	MB                                   hw.MBToken
}

func (p *portPixels) state() pixelsPortState {
	s := pixelsPortState{CfgReady: p.cfg.Ready, SrcReady: p.src.Ready, ACValid: p.ac.Valid, MBValid: p.mb.Valid, Req: p.req}
	if p.ac.Valid {
		s.AC = p.ac.Data
	}
	if p.mb.Valid {
		s.MB = p.mb.Data
	}
	return s
}

// TestPixelsAhead: a pixel path that runs ahead and one that is stepped drive
// the same ports in every cycle, whatever waits in front of them.
func TestPixelsAhead(t *testing.T) {
	cycles := 10000
	if os.Getenv("VCSIM_ENC_AHEAD") == "1" {
		cycles = 1000000
	}
	rng := rand.New(rand.NewPCG(9, 10))
	for _, spec := range []Spec{{1, 1, 8, 4, 2}, {1, 1, 4, 4, 2}, {2, 2, 8, 4, 4}, {3, 3, 4, 4, 16}, {4, 4, 8, 4, 256}, {5, 5, 8, 4, 8}, {30, 30, 4, 4, 5}, {64, 64, 8, 4, 4}} {
		// Shares of cycles in which a frame, source samples, a request, and room may
		// move; the last one is that of cycles in which room changes.
		for _, open := range [][5]float64{{1, 1, 1, 1, 0}, {0.05, 1, 1, 1, 0}, {1, 0.9, 1, 1, 0}, {1, 0.2, 1, 1, 0}, {1, 1, 0.03, 1, 0}, {1, 1, 1, 0.5, 0.1}, {0.5, 0.7, 0.5, 0.7, 0.01}} {
			fast, slow := newPortPixels(spec), newPortPixels(spec)
			fast.unit.SetAhead()
			room := uint64(1)<<spec.Threads - 1
			in := portInput{spec: spec, rng: rng, cfg: &fast.cfg, req: &fast.req, src: &fast.src}
			tokens := 0
			for cycle := range cycles {
				in.drive(open[0], open[1])
				if rng.Float64() < open[4] {
					room = 0
					for i := range spec.Threads {
						if rng.Float64() < open[3] {
							room |= 1 << i
						}
					}
				}
				fast.req.Ready = rng.Float64() < open[2]
				slow.cfg.Valid, slow.cfg.Data, slow.src.Valid, slow.src.Data = fast.cfg.Valid, fast.cfg.Data, fast.src.Valid, fast.src.Data
				for _, p := range []*portPixels{fast, slow} {
					p.req.Ready, p.ac.Ready, p.mb.Ready = fast.req.Ready, true, true
					p.unit.Room = room
					p.unit.Eval()
				}
				if got, want := fast.state(), slow.state(); got != want {
					t.Fatalf("%+v, %v, cycle %d:\ngot  %+v\nwant %+v", spec, open, cycle, got, want)
				}
				fast.unit.Clock()
				slow.unit.Clock()
				in.moved()
				if fast.mb.Valid {
					tokens++
				}
			}
			if tokens < cycles/1000 {
				t.Errorf("%+v, %v: %d macroblocks", spec, open, tokens)
			}
		}
	}
}

// TestPixelsAheadRefuses: a token that is not taken at once is a bug of the
// caller, and so is a change of mind.
func TestPixelsAheadRefuses(t *testing.T) {
	for name, refuse := range map[string]func(*pixelsHost){
		"AC":   func(h *pixelsHost) { h.ac.Ready = false },
		"MB":   func(h *pixelsHost) { h.mb.Ready = false },
		"step": func(h *pixelsHost) { h.unit.setStepped() },
	} {
		h := newPixelsHost(Spec{Threads: 2, Lanes: 2, Values: 8, Bypass: 4, FrameMBs: 4}, func() bool { return false })
		h.unit.SetAhead()
		h.cfg.Valid, h.cfg.Data = true, hw.FrameConfig{Width: 4, Height: 4}
		h.pix[0], h.width[0] = make([]byte, 64*64), 64
		for range 80 {
			h.cycle()
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			for range 100 {
				h.req.Ready, h.ac.Ready, h.mb.Ready, h.src.Valid = true, true, true, true
				refuse(h)
				h.unit.Eval()
				h.unit.Clock()
			}
		}()
	}
}
