package cabachw

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabac"
	"vcsim/sim"
)

// A request list with the bins that a Decoder finds.
type plan struct {
	requests []Request
	bins     []uint8
	overrun  []bool // after each
}

// planned decodes data with a Decoder: count random requests, or up to a
// terminating one.
func planned(rng *rand.Rand, spec DecoderSpec, contexts []uint8, data []byte, count int) plan {
	var p plan
	var d cabac.Decoder
	ctx := append([]uint8(nil), contexts...)
	d.Reset(data)
	for range count {
		r := Request{Kind: RequestContext, Ctx: uint8(rng.IntN(spec.Contexts))}
		if rng.IntN(4) == 0 && len(p.requests) > 0 {
			r.Ctx = p.requests[len(p.requests)-1].Ctx
		}
		bins := 0
		switch kind := rng.IntN(16); {
		case kind < 9:
			bins = d.Bin(&ctx[r.Ctx])
		case kind < 14:
			r = Request{Kind: RequestBypass, Count: uint8(1 + rng.IntN(spec.Bypass))}
			bins = int(d.Bypass(int(r.Count)))
		case kind < 15:
			r = Request{Kind: RequestNone}
		default:
			r = Request{Kind: RequestTerminate}
			bins = d.Terminate()
		}
		p.requests = append(p.requests, r)
		p.bins = append(p.bins, uint8(bins))
		p.overrun = append(p.overrun, d.Overrun())
		if r.Kind == RequestTerminate && bins != 0 {
			break
		}
	}
	return p
}

// TestDecoderUnit: the bins of a Decoder, on encoded and on random bytes, and
// Overrun in the same place.
func TestDecoderUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, spec := range []DecoderSpec{DefaultDecoderSpec(), {Contexts: 8, Bypass: 1}, {Contexts: 256, Bypass: 7}} {
		var in sim.Stream[Byte]
		u := NewDecoderUnit(spec, &in)
		overruns := 0
		for trial := range 200 {
			contexts := make([]uint8, spec.Contexts)
			for i := range contexts {
				contexts[i] = cabac.InitContext(1 + rng.IntN(126))
			}
			var data []byte
			if trial%2 == 0 {
				ops := randomOps(rng, EncoderSpec{Contexts: spec.Contexts, Bypass: spec.Bypass, RunBits: 16}, 1)
				data = encodeOps(ops, spec.Contexts)[0]
			} else {
				data = make([]byte, 1+rng.IntN(200))
				for i := range data {
					data[i] = uint8(rng.Uint32())
				}
			}
			p := planned(rng, spec, contexts, data, 2000)
			for i, c := range contexts {
				u.Init(uint8(i), c)
			}
			u.Start()
			idle, stall := float64(trial%3)/3, float64(trial%5)/6
			pos := 0
			// cycle runs one cycle; next follows if the unit moves on.
			cycle := func(next Request) (uint8, bool) {
				if !in.Valid && pos < len(data) && rng.Float64() >= idle {
					in.Valid, in.Data = true, Byte{Data: data[pos], Last: pos == len(data)-1}
					pos++
				}
				u.Eval()
				bins, ok := u.Step(rng.Float64() >= stall)
				u.Clock(next)
				if in.Moves() {
					in.Valid = false
				}
				return bins, ok
			}
			do := func(next Request) uint8 {
				for range 1000 {
					if bins, ok := cycle(next); ok {
						return bins
					}
				}
				t.Fatalf("trial %d: no progress in 1000 cycles", trial)
				return 0
			}
			do(Request{Kind: RequestBypass, Count: 1})
			bad := false
			for i := range 9 {
				next := Request{Kind: RequestBypass, Count: 1}
				if i == 8 {
					next = p.requests[0]
				}
				bad = do(next) != 0 || bad
			}
			if wantBad := data[0] == 0xff; bad != wantBad { // 510 or 511
				t.Fatalf("trial %d: bad start: got %v, want %v", trial, bad, wantBad)
			}
			for i := range p.requests {
				if bad {
					break
				}
				next := Request{}
				if i+1 < len(p.requests) {
					next = p.requests[i+1]
				}
				if got := do(next); got != p.bins[i] {
					t.Fatalf("%+v trial %d request %d (%+v): got %d, want %d", spec, trial, i, p.requests[i], got, p.bins[i])
				}
				end := p.requests[i].Kind == RequestTerminate && p.bins[i] == 1
				if u.Overrun() != p.overrun[i] && !end {
					t.Fatalf("%+v trial %d request %d of %d (%+v): overrun: got %v, want %v", spec, trial, i, len(p.requests), p.requests[i], u.Overrun(), p.overrun[i])
				}
				if u.Overrun() {
					overruns++
					do(Request{})
					break
				}
			}
			do(Request{})
			u.Drain(true)
			for n := 0; !u.Ended(); n++ {
				cycle(Request{})
				if n > 10000 {
					t.Fatalf("trial %d: the bytes do not drain", trial)
				}
			}
			u.Drain(false)
			if pos != len(data) || in.Valid {
				t.Fatalf("trial %d: %d of %d bytes taken", trial, pos, len(data))
			}
		}
		if overruns < 20 {
			t.Errorf("%+v: %d overruns", spec, overruns)
		}
	}
}

func TestDecoderSpec(t *testing.T) {
	if err := DefaultDecoderSpec().Validate(); err != nil {
		t.Error(err)
	}
	for _, s := range []DecoderSpec{{}, {Contexts: 257, Bypass: 2}, {Contexts: 100, Bypass: 8}} {
		if s.Validate() == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}

func BenchmarkDecoderUnit(b *testing.B) {
	rng := rand.New(rand.NewPCG(23, 24))
	spec := DefaultDecoderSpec()
	data := make([]byte, 1<<16)
	for i := range data {
		data[i] = uint8(rng.Uint32())
	}
	data[0] = 0
	var in sim.Stream[Byte]
	u := NewDecoderUnit(spec, &in)
	for i := range spec.Contexts {
		u.Init(uint8(i), cabac.InitContext(1+rng.IntN(126)))
	}
	requests := make([]Request, 1<<12)
	for i := range requests {
		requests[i] = Request{Kind: RequestContext, Ctx: uint8(rng.IntN(spec.Contexts))}
		if rng.IntN(4) == 0 {
			requests[i] = Request{Kind: RequestBypass, Count: uint8(1 + rng.IntN(spec.Bypass))}
		}
	}
	u.Start()
	in.Valid = true
	i, pos := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		in.Data.Data = data[pos&(len(data)-1)]
		u.Eval()
		u.Step(true)
		u.Clock(requests[i&(len(requests)-1)])
		i++
		if in.Ready {
			pos++
		}
	}
}
