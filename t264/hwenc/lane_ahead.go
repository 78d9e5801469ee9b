package hwenc

import (
	"vcsim/internal/cabac"
	"vcsim/sim"
)

// The lanes of the encoder between two events.
//
// Why the time can be computed: from the first operation of a slice to its last word a lane takes one operation a cycle
// from its binariser, ResidualUnit, for as long as there is one. ResidualUnit makes the operations of a block when the block
// is loaded, so that the cycles in which it does more than let one move are known by counting: the one in which
// the next fetch is asked for, the one in which Late rises, the one in which the operations run out. What the engine does
// with the operations is known by cabachw.EncoderAhead, which says in which cycle the next word is complete.
//
// An example: in cycle 100 the first of 12 operations is at the engine (since is 100, pos is 1), and the next fetch is asked for
// at position 9 (fetchAt). Operation k, counted from 0, moves in cycle 100+k, and pos is k+1 in that cycle; so the edge of
// cycle 107 brings pos to 9 and asks for the fetch, and nextFront returns 107 = 100 + (9-1) - 1. The last operation moves
// in cycle 111 = since + left. If the first word of the engine is complete at the edge of cycle 104, back is 104. The lane
// is visited in the cycles 104 and 107, and sleeps in the others.
//
// It is stepped, cycle by cycle, while the units before the first operation of a slice set contexts, while
// EncoderAhead.Stepped (a word waits, bytes are outstanding, the slice ends), and in every cycle after CodeUnit.stepped.
// To wake a lane in a cycle in which nothing happens does no harm.

// A laneAhead is what a lane needs besides its registers to run ahead.
type laneAhead struct {
	running bool
	since   uint64 // the cycle that the registers of ResidualUnit belong to
	front   uint64 // the cycle in which they change next, but for one operation a cycle
	back    uint64 // the cycle that has to end with coder.Plan
}

// begin is called after Clock. It lets the lane run ahead from the given cycle
// on, if that is the one in which the first operation of a slice is there.
func (u *LaneUnit) begin(cycle uint64) bool {
	r := u.residual
	if !u.first || r.state != residualRun || !r.valid || r.op.Kind == cabac.OpInit {
		return false
	}
	u.first, u.ahead.running, u.ahead.since = false, true, cycle
	u.coder.Begin(cycle)
	u.coder.Code([]cabac.PackedOp{r.op.Pack()})
	u.coder.Code(r.ops[r.pos:])
	u.ahead.back = u.coder.Plan(cycle, cycle)
	u.ahead.front = u.nextFront(cycle)
	return true
}

// evalAhead drives the streams within the lane, if it is stepped.
func (u *LaneUnit) evalAhead() {
	u.coder.Eval()
	u.ops.Valid, u.ops.Data, u.ops.Ready = u.residual.valid, u.residual.op, u.coder.Ready()
}

// granted tells that the store takes the Fetch in this cycle.
func (u *LaneUnit) granted() { u.residual.req, u.residual.wait = false, true }

// come tells that a macroblock for the lane is there from the given cycle on; it reports whether the lane waits for it.
func (u *LaneUnit) come(cycle uint64) bool {
	waits := u.residual.state == residualHead
	if waits {
		u.ahead.front = cycle
	}
	return waits
}

// since returns the cycle that the registers belong to.
func (u *LaneUnit) since() uint64 { return u.ahead.since }

// moves reports whether operations move from the cycle since on, one a cycle, and then returns the cycle of the last.
func (u *LaneUnit) moves() (last uint64, ok bool) {
	return u.ahead.since + uint64(u.left()), u.residual.valid
}

// nextEvent returns the cycle in which the lane has to be woken.
func (u *LaneUnit) nextEvent() uint64 { return min(u.ahead.front, u.ahead.back) }

// clockAhead is the edge of a cycle of a lane that runs ahead; sent tells that its
// word moves. It may be left out in cycles in which the lane sleeps.
func (u *LaneUnit) clockAhead(cycle uint64, sent bool) {
	t, c, r := &u.ahead, u.coder, u.residual
	if c.Stepped() {
		if sent && u.Out.Data.Last {
			u.open, t.running = false, false
		}
		c.Clock(r.valid && u.ops.Ready)
	} else {
		u.ops.Ready = true
		if sent {
			c.Sent()
		}
	}
	if r.Load || cycle >= t.front || c.Stepped() {
		u.catchUp(cycle)
		r.Clock()
		t.since = cycle + 1
		if r.Load {
			c.Code(r.ops[r.loaded:])
			if !sent && cycle < t.back && !c.Stepped() {
				u.start()
			}
		}
	}
	if t.running {
		u.plan(cycle+1, sent)
	}
}

// start lets the first operation after a pause get there, in the cycle after the
// next, if nothing else changes then. Until then the lane is not stepped.
func (u *LaneUnit) start() {
	r := u.residual
	if !r.valid && !r.take && r.state == residualRun && r.fetchAt != 1 && r.lateAt != 1 && len(r.ops) > 1 {
		r.valid, r.pos, r.op = true, 1, r.ops[0].Op()
		u.ahead.since++
	}
}

// catchUp brings ResidualUnit to the start of a cycle: an operation has moved in
// each one before, while there was one.
func (u *LaneUnit) catchUp(cycle uint64) {
	r := u.residual
	if n := int(cycle - u.ahead.since); n > 0 && r.valid {
		if left := u.left(); n > left {
			r.valid, n = false, left
		}
		r.pos += n
		if r.pos > 0 {
			r.op = r.ops[r.pos-1].Op()
		}
	}
	u.ahead.since = cycle
}

// left returns the number of operations behind the one that is there.
func (u *LaneUnit) left() int { return len(u.residual.ops) - u.residual.pos }

// plan finds the cycles in which the lane wakes, from the given one on.
func (u *LaneUnit) plan(cycle uint64, sent bool) {
	t, c, r := &u.ahead, u.coder, u.residual
	stepped, from := c.Stepped(), sim.Never
	if r.valid && !r.take {
		from = t.since
	}
	switch {
	case stepped && r.take:
		return // for the cycle that the operations of the last load wait
	case stepped || sent || cycle > t.back || from != sim.Never && c.Unknown():
		t.back = c.Plan(cycle, from)
	}
	switch {
	case !c.Stepped():
		if t.since >= cycle {
			t.front = u.nextFront(t.since)
		}
	case !stepped:
		u.catchUp(cycle)
	}
}

// nextFront returns the cycle, not before the given one, in which ResidualUnit
// does more than let an operation move.
func (u *LaneUnit) nextFront(cycle uint64) uint64 {
	r := u.residual
	left := u.left()
	switch {
	case r.take, !r.valid && left > 0, r.state == residualHead && r.Avail && !r.req && !r.wait && !r.ended:
		return cycle
	case left == 0:
		return sim.Never
	}
	n := sim.WheelCycles - 2 // keeps dry in sight
	if r.next > 16 {
		n = min(n, left)
	}
	if r.fetchAt >= 0 {
		n = min(n, r.fetchAt-r.pos)
	}
	if r.lateAt >= 0 {
		n = min(n, r.lateAt-r.pos)
	}
	return cycle + uint64(n) - 1
}
