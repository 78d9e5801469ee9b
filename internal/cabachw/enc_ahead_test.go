package cabachw

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabac"
	"vcsim/sim"
)

// An aheadLane is an EncoderUnit with a NALUnit.
type aheadLane struct {
	in    sim.Stream[cabac.Op]
	bytes sim.Stream[Byte]
	out   sim.Stream[Word]
	unit  *EncoderUnit
	nal   *NALUnit
}

func newAheadLane(spec EncoderSpec, size int) *aheadLane {
	l := new(aheadLane)
	l.unit = NewEncoderUnit(spec, &l.in, &l.bytes)
	l.nal = NewNALUnit(size, &l.bytes, &l.out)
	return l
}

func (l *aheadLane) eval() {
	l.nal.Eval()
	l.unit.Eval()
}

func (l *aheadLane) clock() {
	l.nal.Clock()
	l.unit.Clock()
}

// aheadOps makes a codeword without its end: bins of any skew, all zeros for
// emulation prevention, or bypass ones on a range near 256 for long runs of
// outstanding bytes, which a carry may run through.
func aheadOps(rng *rand.Rand, spec EncoderSpec) []cabac.Op {
	var ops []cabac.Op
	skew := []float64{0, 0.02, 0.3, 0.97, 1}[rng.IntN(5)]
	mix := rng.IntN(4)
	for range rng.IntN(12) {
		switch mix {
		case 0: // a run
			for range rng.IntN(130) {
				ops = append(ops, cabac.Op{Kind: cabac.OpTerminate})
			}
			for range rng.IntN(60) {
				n := uint8(1 + rng.IntN(spec.Bypass))
				ops = append(ops, cabac.Op{Kind: cabac.OpBypass, Count: n, Bits: 1<<n - 1})
			}
		case 1: // zeros
			for range rng.IntN(60) {
				ops = append(ops, cabac.Op{Kind: cabac.OpBypass, Count: uint8(1 + rng.IntN(spec.Bypass))})
			}
		}
		for range rng.IntN(40) {
			op := cabac.Op{Ctx: uint8(rng.IntN(spec.Contexts))}
			switch rng.IntN(8) {
			case 0, 1, 2, 3:
				op.Count = uint8(rng.IntN(2))
				op.Bits = uint8(rng.IntN(2))<<1 | uint8(rng.IntN(2))
				if rng.Float64() < skew {
					op.Bits |= 1
				}
			case 4, 5, 6:
				op.Kind, op.Count = cabac.OpBypass, uint8(1+rng.IntN(spec.Bypass))
				op.Bits = uint8(rng.IntN(1 << op.Count))
			case 7:
				op.Kind = cabac.OpTerminate
			}
			ops = append(ops, op)
		}
	}
	return ops
}

// TestEncoderAhead: an EncoderAhead and its units stepped take operations and
// send words in the same cycles, whenever operations become known, under stalls
// of any length, with overflowing runs.
func TestEncoderAhead(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	words, overflows, stepped, cycles := 0, 0, 0, 0
	for trial := range 600 {
		spec := EncoderSpec{Contexts: 2 + rng.IntN(100), Bypass: 1 + trial%7, RunBits: []int{1, 2, 3, 16}[trial%4]}
		size := 2 + rng.IntN(7)
		slow, fast := newAheadLane(spec, size), newAheadLane(spec, size)
		a := NewEncoderAhead(fast.unit, fast.nal)
		pause, back := []float64{0, 0.02, 0.3, 0.9}[rng.IntN(4)], []float64{0, 0.1, 0.5, 0.9, 0.99}[rng.IntN(5)]
		group := []int{1, 3, 20, 250}[rng.IntN(4)]
		for range 4 {
			for i := range spec.Contexts {
				op := cabac.Op{Kind: cabac.OpInit, Ctx: uint8(i), Bits: cabac.InitContext(1 + rng.IntN(126))}
				for _, l := range []*aheadLane{slow, fast} {
					l.in.Valid, l.in.Data = true, op
					l.eval()
					l.clock()
				}
			}
			ops := append(aheadOps(rng, spec), cabac.Op{Kind: cabac.OpTerminate, Bits: 1})
			var queue []cabac.Op // known operations behind that at the input
			early := 0           // operations that are prepared, and not issued
			prepare := func(n int) {
				var packed []cabac.PackedOp
				for ; early < n; early++ {
					packed = append(packed, ops[early].Pack())
				}
				a.Prepare(packed)
			}
			cycle := uint64(rng.IntN(1000))
			a.Begin(cycle)
			due := a.Plan(cycle, sim.Never)
			in := &slow.in
			in.Valid = false
			for done := false; !done; cycle++ {
				cycles++
				if cycles > 20000000 {
					t.Fatal("no end")
				}
				ready := rng.Float64() >= back
				slow.out.Ready, fast.out.Ready = ready, ready
				slow.eval()
				takes := true
				if a.Stepped() {
					stepped++
					a.Eval()
					takes = a.Ready()
				}
				if in.Valid && takes != in.Ready {
					t.Fatalf("trial %d, %+v, cycle %d: takes an operation: %v, want %v", trial, spec, cycle, takes, in.Ready)
				}
				w := a.Word()
				if (w != nil) != slow.out.Valid || w != nil && *w != slow.out.Data {
					t.Fatalf("trial %d, %+v, cycle %d: word %v, want %v", trial, spec, cycle, w, slow.out)
				}
				if got, want := fast.unit.Overflow(), slow.unit.Overflow(); got != want {
					t.Fatalf("trial %d, %+v, cycle %d: overflow %v, want %v", trial, spec, cycle, got, want)
				}
				sent := slow.out.Moves()
				was := a.Stepped()
				if was {
					a.Clock(in.Valid && takes)
				} else if sent {
					a.Sent()
				}
				slow.clock()
				if sent {
					words++
					done = slow.out.Data.Last
				}
				if in.Moves() {
					in.Valid = false
				}
				if !in.Valid && len(queue) > 0 {
					in.Valid, in.Data, queue = true, queue[0], queue[1:]
				}
				if len(ops) > 0 && len(queue) < 200 && rng.Float64() >= pause {
					n := min(len(ops), 1+rng.IntN(group))
					prepare(min(len(ops), n+rng.IntN(40)))
					a.Issue(uint32(n))
					queue, ops, early = append(queue, ops[:n]...), ops[n:], early-n
				}
				if done {
					break
				}
				from := sim.Never
				switch {
				case in.Valid:
					from = cycle + 1
				case len(queue) > 0 && !was && !sent && cycle < due && rng.IntN(2) == 0:
					from = cycle + 2
				}
				if was || sent || cycle >= due || a.Unknown() && from != sim.Never || rng.IntN(8) == 0 {
					due = a.Plan(cycle+1, from)
				}
			}
			if fast.unit.Overflow() {
				overflows++
				slow.unit.Reset()
				fast.unit.Reset()
			}
			in.Valid = false
			for range 3 {
				slow.eval()
				slow.clock()
			}
		}
	}
	t.Logf("%d cycles, %d of them stepped, %d words, %d codewords with an overflow", cycles, stepped, words, overflows)
	if words < 10000 || overflows < 20 || stepped == cycles {
		t.Error("too little was seen")
	}
}

func TestPackedOp(t *testing.T) {
	for _, op := range []cabac.Op{{}, {Kind: 1, Ctx: 2, Count: 3, Bits: 4}, {Kind: 255, Ctx: 254, Count: 253, Bits: 252}, {Kind: cabac.OpContext, Ctx: 96, Count: 1, Bits: 3}} {
		if got := op.Pack().Op(); got != op {
			t.Errorf("%v, want %v", got, op)
		}
		if op.Kind == cabac.OpContext && cabac.PackContext(op.Ctx, op.Count, op.Bits) != op.Pack() {
			t.Errorf("PackContext of %v differs", op)
		}
	}
}
