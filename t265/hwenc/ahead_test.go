package hwenc

import (
	"math/rand/v2"
	"os"
	"testing"

	"vcsim/sim"
	"vcsim/t265/hw"
)

// A portEncoder is an encoder with the streams around it.
type portEncoder struct {
	cfg  sim.Stream[hw.FrameConfig]
	req  sim.Stream[hw.CTURequest]
	src  sim.Stream[hw.SourceBeat]
	out  sim.Stream[SliceWord]
	unit *Unit
}

func newPortEncoder(spec Spec) *portEncoder {
	e := new(portEncoder)
	e.unit = NewUnit(spec, &e.cfg, &e.req, &e.src, &e.out)
	return e
}

// portState is what an encoder drives in a cycle, and counts.
type portState struct {
	CfgReady, SrcReady, Overflow bool
	Req                          sim.Stream[hw.CTURequest]
	Out                          sim.Stream[SliceWord]
	Ops                          uint64
}

func (e *portEncoder) state() portState {
	return portState{e.cfg.Ready, e.src.Ready, e.unit.Overflow(), e.req, e.out, e.unit.Ops()}
}

// TestUnitAhead: a pixel path and lanes that do many cycles at once and
// those that are stepped drive the same ports in every cycle, under stalls of
// every kind.
func TestUnitAhead(t *testing.T) {
	cycles := 15000
	if os.Getenv("VCSIM_ENC_AHEAD") == "1" {
		cycles = 1000000
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for _, p := range [][6]int{{1, 1, 16, 4, 2, 4}, {2, 1, 8, 7, 16, 4}, {4, 2, 16, 5, 3, 16}, {6, 2, 8, 6, 2, 8}, {3, 3, 16, 4, 8, 5}, {8, 8, 16, 4, 8, 16}, {18, 18, 16, 4, 8, 16}, {36, 18, 16, 4, 4, 8}, {64, 64, 8, 4, 8, 4}} {
		spec := Spec{Threads: p[0], Lanes: p[1], MaxTU: p[2], CTU: 16, Bypass: p[3], Groups: p[4], FrameCTUs: p[5]}
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
