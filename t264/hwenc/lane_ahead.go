package hwenc

import (
	"vcsim/internal/cabac"
	"vcsim/internal/cabachw"
)

// The lanes of the encoder between two events. From the first operation of a
// slice to its last word a lane knows the operations of a block when it is
// loaded, and cabachw.EncoderAhead does their arithmetic at once. What is left
// are the cycles in which something changes that others see: a fetch, Late, the
// end of a macroblock, an operation register that runs dry, a word. Between them
// the lane sleeps. To wake it in a cycle in which nothing happens does no harm.

// never is a cycle that does not come.
const never = uint64(1<<64 - 1)

// A laneAhead is what a lane needs besides its registers to run ahead.
type laneAhead struct {
	ahead   *cabachw.EncoderAhead
	running bool
	since   uint64 // the cycle that the registers of ResidualUnit belong to
	front   uint64 // the cycle in which they change next, but for one operation a cycle
	back    uint64 // the cycle that has to end with ahead.Plan
	due     uint64 // the cycle in which the lane wakes
	dry     uint64 // the cycle in which the last operation of ResidualUnit moves
}

// begin is called after Clock. It lets the lane run ahead from the given cycle
// on, if that is the one in which the first operation of a slice is there.
func (u *LaneUnit) begin(cycle uint64) bool {
	r := &u.ResidualUnit
	if !u.first || r.state != residualRun || !r.valid || r.op.Kind == cabac.OpInit {
		return false
	}
	u.first, u.running, u.since = false, true, cycle
	u.ahead.Begin(cycle)
	u.ahead.Code([]cabac.PackedOp{r.op.Pack()})
	u.ahead.Code(r.ops[r.pos:])
	u.back = u.ahead.Plan(cycle, cycle)
	u.front = u.nextFront(cycle)
	return true
}

// evalAhead drives the streams within the lane, if it is stepped.
func (u *LaneUnit) evalAhead() {
	u.ahead.Eval()
	u.ops.Valid, u.ops.Data, u.ops.Ready = u.valid, u.op, u.ahead.Ready()
}

// granted tells that the store takes the Fetch in this cycle.
func (u *LaneUnit) granted() { u.req, u.wait = false, true }

// clockAhead is the edge of a cycle of a lane that runs ahead; sent tells that its
// word moves. It may be left out in cycles in which the lane sleeps.
func (u *LaneUnit) clockAhead(cycle uint64, sent bool) {
	a, r := u.ahead, &u.ResidualUnit
	if a.Stepped() {
		if sent && u.Out.Data.Last {
			u.open, u.running = false, false
		}
		a.Clock(r.valid && u.ops.Ready)
	} else {
		u.ops.Ready = true
		if sent {
			a.Sent()
		}
	}
	if r.Load || cycle >= u.front || a.Stepped() {
		u.catchUp(cycle)
		r.Clock()
		u.since = cycle + 1
		if r.Load {
			a.Code(r.ops[r.loaded:])
			if !sent && cycle < u.back && !a.Stepped() {
				u.start()
			}
		}
	}
	if u.running {
		u.plan(cycle+1, sent)
	}
}

// start lets the first operation after a pause get there, in the cycle after the
// next, if nothing else changes then. Until then the lane is not stepped.
func (u *LaneUnit) start() {
	r := &u.ResidualUnit
	if !r.valid && !r.take && r.state == residualRun && r.fetchAt != 1 && r.lateAt != 1 && len(r.ops) > 1 {
		r.valid, r.pos, r.op = true, 1, r.ops[0].Op()
		u.since++
	}
}

// catchUp brings ResidualUnit to the start of a cycle: an operation has moved in
// each one before, while there was one.
func (u *LaneUnit) catchUp(cycle uint64) {
	r := &u.ResidualUnit
	if n := int(cycle - u.since); n > 0 && r.valid {
		if left := u.left(); n > left {
			r.valid, n = false, left
		}
		r.pos += n
		if r.pos > 0 {
			r.op = r.ops[r.pos-1].Op()
		}
	}
	u.since = cycle
}

// left returns the number of operations behind the one that is there.
func (u *LaneUnit) left() int { return len(u.ResidualUnit.ops) - u.pos }

// plan finds the cycles in which the lane wakes, from the given one on.
func (u *LaneUnit) plan(cycle uint64, sent bool) {
	a := u.ahead
	stepped, from := a.Stepped(), never
	if u.valid && !u.take {
		from = u.since
	}
	switch {
	case stepped && u.take:
		return // for the cycle that the operations of the last load wait
	case stepped || sent || cycle > u.back || from != never && a.Unknown():
		u.back = a.Plan(cycle, from)
	}
	switch {
	case !a.Stepped():
		if u.since >= cycle {
			u.front = u.nextFront(u.since)
		}
	case !stepped:
		u.catchUp(cycle)
	}
}

// nextFront returns the cycle, not before the given one, in which ResidualUnit
// does more than let an operation move.
func (u *LaneUnit) nextFront(cycle uint64) uint64 {
	r := &u.ResidualUnit
	left := u.left()
	switch {
	case r.take, !r.valid && left > 0, r.state == residualHead && r.Avail && !r.req && !r.wait && !r.fresh:
		return cycle
	case left == 0:
		return never
	}
	n := dueCycles - 2 // keeps dry in sight
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
