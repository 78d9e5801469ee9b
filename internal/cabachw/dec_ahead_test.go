package cabachw

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
)

// A decoderStep is what a request gave.
type decoderStep struct {
	cycle        uint64
	bins         uint8
	overrun, cut bool
}

// TestDecoderAhead compares a decoder that goes ahead with the stepped units: every
// request in its cycle, when a word can move in, and when the last byte is gone.
func TestDecoderAhead(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	spec := DecoderSpec{Contexts: 40, Bypass: 7}
	overruns, cuts, steps := 0, 0, 0
	for trial := range 400 {
		data := make([]byte, 1+rng.IntN(80))
		for i := range data {
			if data[i] = uint8(rng.Uint32()); rng.IntN(2) == 0 {
				data[i] = uint8(3 * (rng.IntN(3) / 2)) // zeros, and threes to remove
			}
		}
		contexts := make([]uint8, spec.Contexts)
		for i := range contexts {
			contexts[i] = uint8(rng.IntN(126))
		}
		requests := planned(rng, spec, contexts, data, 20+rng.IntN(400)).requests
		open := []float64{1, 0.2, 0.02}[trial%3]

		var words sim.Stream[Word]
		var bytes sim.Stream[Byte]
		unpack, unit := NewUnpackUnit(&words, &bytes), NewDecoderUnit(spec, &bytes)
		copy(unit.ctx.mem, contexts)
		ahead := NewDecoderAhead()
		var want, got []decoderStep
		next := 0 // index of the request that follows
		var first, end, endAhead uint64
		if trial&1 != 0 {
			first = uint64(rng.IntN(40)) // words may come before
		}
		begun, ended := false, false
		rest, left := data, requests
		for cycle := uint64(0); end == 0 || !ended; cycle++ {
			if cycle > 100000 {
				t.Fatalf("trial %d: no end", trial)
			}
			if !words.Valid && len(rest) > 0 && rng.Float64() < open {
				n := min(1+rng.IntN(8), len(rest))
				words.Valid, words.Data = true, Word{Count: uint8(n), Last: n == len(rest)}
				for i, b := range rest[:n] {
					words.Data.Data |= uint64(b) << (8 * i)
				}
				rest = rest[n:]
			}
			if cycle > first && next > len(requests) {
				unit.Drain(true)
			}
			unit.Eval()
			unpack.Eval()
			if moves := ahead.Ready <= cycle; moves != words.Ready {
				t.Fatalf("trial %d, cycle %d: a word can move in: got %v, want %v", trial, cycle, moves, words.Ready)
			}
			draining := next > len(requests)
			if draining && end == 0 && unit.Ended() {
				end = cycle
			}
			bins, ok := unit.Step(true)
			cut := unit.Cut()
			req := Request{}
			if ok && cycle >= first && next < len(requests) {
				req = requests[next]
			}
			unit.Clock(req)
			unpack.Clock()
			if ok && cycle >= first {
				if next > 0 && next <= len(requests) {
					want = append(want, decoderStep{cycle, bins, unit.Overrun(), cut})
				}
				next++
			}
			if cycle == first {
				unit.Start()
				ahead.Now = cycle + 1
				ahead.Start(contexts)
				begun = true
			}
			if words.Moves() {
				words.Valid = false
				ahead.Word(&words.Data, cycle)
			}
			for begun && len(left) > 0 && (left[0].Kind == RequestNone || !ahead.Waits()) {
				bins := ahead.Decode(left[0])
				got = append(got, decoderStep{ahead.Now - 1, bins, ahead.Overrun(), left[0].Kind == RequestBypass && ahead.Cut()})
				left = left[1:]
			}
			if begun && len(left) == 0 && !ended {
				if ended = ahead.Drain(); ended {
					endAhead = ahead.Now
				}
			}
		}
		if len(got) != len(want) {
			t.Fatalf("trial %d: %d requests, want %d", trial, len(got), len(want))
		}
		for i := range want {
			if want[i].overrun && i > 0 && want[i-1].overrun {
				break // from here on the bins are of no meaning
			}
			if steps++; got[i] != want[i] {
				t.Fatalf("trial %d, request %d of %d, %+v: got %+v, want %+v", trial, i, len(want), requests[i], got[i], want[i])
			}
			if want[i].overrun {
				overruns++
			}
			if want[i].cut {
				cuts++
			}
		}
		if end != endAhead {
			t.Fatalf("trial %d: the last byte is gone in cycle %d, want %d", trial, endAhead, end)
		}
	}
	if steps < 10000 || overruns < 50 || cuts < 5 {
		t.Errorf("%d requests, %d overruns, %d cuts", steps, overruns, cuts)
	}
}
