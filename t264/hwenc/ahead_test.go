package hwenc

import (
	"math/rand/v2"
	"os"
	"testing"

	"vcsim/sim"
	"vcsim/t264/block"
	"vcsim/t264/hw"
)

// A portEncoder is an encoder with the streams around it.
type portEncoder struct {
	cfg  sim.Stream[hw.FrameConfig]
	req  sim.Stream[hw.MBRequest]
	src  sim.Stream[hw.SourceBeat]
	out  sim.Stream[SliceWord]
	unit *Unit
}

func newPortEncoder(spec Spec) *portEncoder {
	e := new(portEncoder)
	e.unit = NewUnit(spec, &e.cfg, &e.req, &e.src, &e.out)
	return e
}

// A portInput gives an encoder, or a pixel path, frames and samples at random.
type portInput struct {
	spec Spec
	rng  *rand.Rand
	cfg  *sim.Stream[hw.FrameConfig]
	req  *sim.Stream[hw.MBRequest]
	src  *sim.Stream[hw.SourceBeat]

	beats int     // that are asked for
	noise float64 // of the samples
}

// drive offers, with the probabilities given, a frame and samples where none wait.
func (in *portInput) drive(frame, samples float64) {
	rng, spec := in.rng, in.spec
	if !in.cfg.Valid && rng.Float64() < frame {
		in.cfg.Valid = true
		in.cfg.Data = hw.FrameConfig{
			Thread: uint8(rng.IntN(spec.Threads)), Width: uint16(1 + rng.IntN(min(spec.FrameMBs, 5))), Height: uint16(1 + rng.IntN(4)), QP16: uint16(rng.IntN(16*51 + 1)),
		}
	}
	if !in.src.Valid && in.beats > 0 && rng.Float64() < samples {
		in.src.Valid, in.src.Data = true, 0
		for i := range spec.Values {
			in.src.Data |= hw.SourceBeat(block.Clip8(int32(128+in.noise*rng.NormFloat64()))) << (8 * i)
		}
	}
}

// moved notes what moved in the cycle.
func (in *portInput) moved() {
	if in.req.Moves() {
		in.beats += 256 / in.spec.Values
		in.noise = []float64{0, 1, 8, 30, 100}[in.rng.IntN(5)]
	}
	if in.cfg.Moves() {
		in.cfg.Valid = false
	}
	if in.src.Moves() {
		in.src.Valid = false
		in.beats--
	}
}

// portState is what an encoder drives in a cycle, and counts.
type portState struct {
	CfgReady, SrcReady, Overflow bool
	Req                          sim.Stream[hw.MBRequest]
	Out                          sim.Stream[SliceWord]
	Ops                          uint64
}

func (e *portEncoder) state() portState {
	return portState{e.cfg.Ready, e.src.Ready, e.unit.Overflow(), e.req, e.out, e.unit.code.ops()}
}

// TestUnitAhead: a pixel path and lanes that do many cycles at once and
// those that are stepped drive the same ports in every cycle, under stalls of
// every kind.
func TestUnitAhead(t *testing.T) {
	cycles := 20000
	if os.Getenv("VCSIM_ENC_AHEAD") == "1" {
		cycles = 1000000
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for _, spec := range []Spec{
		{1, 1, 8, 4, 4}, {2, 1, 4, 1, 4}, {4, 2, 8, 4, 16}, {6, 2, 4, 7, 8}, {3, 3, 4, 2, 5}, {8, 8, 8, 4, 16}, {24, 24, 8, 4, 16}, {48, 24, 8, 3, 8}, {64, 64, 8, 4, 4}, {4, 4, 4, 5, 4}, {5, 5, 8, 6, 4},
	} {
		// Probabilities that config, source, request and output move; the last one
		// below zero: the output is open and closed for many cycles in turn.
		for _, open := range [][4]float64{{1, 1, 1, 1}, {0.02, 0.3, 1, 1}, {1, 1, 0.2, 0.1}, {1, 1, 1, 0.003}, {0.5, 0.7, 0.5, 0.5}, {1, 1, 1, -0.02}} {
			fast, slow := newPortEncoder(spec), newPortEncoder(spec)
			slow.unit.SetStepped()
			in := portInput{spec: spec, rng: rng, cfg: &fast.cfg, req: &fast.req, src: &fast.src}
			words, closed := 0, false
			for cycle := range cycles {
				in.drive(open[0], open[1])
				fast.req.Ready, fast.out.Ready = rng.Float64() < open[2], rng.Float64() < open[3]
				if open[3] < 0 {
					closed = closed != (rng.Float64() < -open[3])
					fast.out.Ready = !closed
				}
				slow.cfg.Valid, slow.cfg.Data, slow.src.Valid, slow.src.Data = fast.cfg.Valid, fast.cfg.Data, fast.src.Valid, fast.src.Data
				slow.req.Ready, slow.out.Ready = fast.req.Ready, fast.out.Ready
				fast.unit.Eval()
				slow.unit.Eval()
				if s := slow.unit; s.ac.Valid && !s.ac.Ready || s.mb.Valid && !s.mb.Ready {
					t.Fatalf("%+v, %v, cycle %d: the store lets a token wait", spec, open, cycle)
				}
				if got, want := fast.state(), slow.state(); got != want {
					t.Fatalf("%+v, %v, cycle %d: %+v, want %+v", spec, open, cycle, got, want)
				}
				fast.unit.Clock()
				slow.unit.Clock()
				in.moved()
				if fast.out.Moves() {
					words++
				}
			}
			if words < cycles/1000 {
				t.Errorf("%+v, %v: %d words", spec, open, words)
			}
		}
	}
}
