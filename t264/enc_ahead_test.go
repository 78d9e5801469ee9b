package t264

import (
	"math/rand/v2"
	"os"
	"testing"

	"vcsim/sim"
)

// A portEncoder is an encoder with the streams around it.
type portEncoder struct {
	cfg  sim.Stream[FrameConfig]
	req  sim.Stream[MBRequest]
	src  sim.Stream[SourceBeat]
	out  sim.Stream[SliceWord]
	unit *EncoderUnit
}

func newPortEncoder(spec EncSpec) *portEncoder {
	e := new(portEncoder)
	e.unit = NewEncoderUnit(spec, &e.cfg, &e.req, &e.src, &e.out)
	return e
}

// encPortState is what an encoder drives in a cycle, and counts.
type encPortState struct {
	CfgReady, SrcReady, Overflow bool
	Req                          sim.Stream[MBRequest]
	Out                          sim.Stream[SliceWord]
	Ops                          uint64
}

func (e *portEncoder) state() encPortState {
	return encPortState{e.cfg.Ready, e.src.Ready, e.unit.Overflow(), e.req, e.out, e.unit.code.ops()}
}

// TestEncoderUnitAhead: a pixel path and lanes that do many cycles at once and
// those that are stepped drive the same ports in every cycle, under stalls of
// every kind.
func TestEncoderUnitAhead(t *testing.T) {
	cycles := 20000
	if os.Getenv("VCSIM_ENC_AHEAD") == "1" {
		cycles = 1000000
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for _, spec := range []EncSpec{
		{1, 1, 8, 4, 4}, {2, 1, 4, 1, 4}, {4, 2, 8, 4, 16}, {6, 2, 4, 7, 8}, {3, 3, 4, 2, 5}, {8, 8, 8, 4, 16}, {24, 24, 8, 4, 16}, {48, 24, 8, 3, 8}, {64, 64, 8, 4, 4}, {4, 4, 4, 5, 4}, {5, 5, 8, 6, 4},
	} {
		// Probabilities that config, source, request and output move; the last one
		// below zero: the output is open and closed for many cycles in turn.
		for _, open := range [][4]float64{{1, 1, 1, 1}, {0.02, 0.3, 1, 1}, {1, 1, 0.2, 0.1}, {1, 1, 1, 0.003}, {0.5, 0.7, 0.5, 0.5}, {1, 1, 1, -0.02}} {
			fast, slow := newPortEncoder(spec), newPortEncoder(spec)
			slow.unit.SetStepped()
			words, beats, noise, closed := 0, 0, 1.0, false
			for cycle := range cycles {
				if !fast.cfg.Valid && rng.Float64() < open[0] {
					fast.cfg.Valid = true
					fast.cfg.Data = FrameConfig{uint8(rng.IntN(spec.Threads)), uint16(1 + rng.IntN(min(spec.FrameMBs, 5))), uint16(1 + rng.IntN(4)), uint16(rng.IntN(16*51 + 1))}
				}
				if !fast.src.Valid && beats > 0 && rng.Float64() < open[1] {
					fast.src.Valid, fast.src.Data = true, 0
					for i := range spec.Values {
						fast.src.Data |= SourceBeat(clip8(int32(128+noise*rng.NormFloat64()))) << (8 * i)
					}
				}
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
				if fast.req.Moves() {
					beats += 256 / spec.Values
					noise = []float64{0, 1, 8, 30, 100}[rng.IntN(5)]
				}
				if fast.cfg.Moves() {
					fast.cfg.Valid = false
				}
				if fast.src.Moves() {
					fast.src.Valid = false
					beats--
				}
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
