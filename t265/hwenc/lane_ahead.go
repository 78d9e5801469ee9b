package hwenc

import (
	"vcsim/internal/cabac"
	"vcsim/internal/cabachw"
	"vcsim/sim"
)

// The lanes of the encoder between two events.
//
// Why the time can be computed: from the first operation of a slice to its last word, binariseAhead says which
// operations leave BinariseUnit in which cycles, as long as the engine takes them, and cabachw.EncoderAhead says in which
// cycle the next word is complete, as long as nobody has to wait for it. The operations that follow each other
// without a pause are a run. A lane is visited when a word comes, when a run begins, when it takes a word in a
// cycle that hangs on the operations, and when its output changes; it sleeps in between.
//
// An example: a lane has nothing to do, and the word of a sub-block comes to it at the edge of cycle 99, in which it is visited.
// The first operation leaves in cycle 101, behind a pause, so that the lane is visited in that cycle; its run
// is at the engine from cycle 102 on. Of its 20 operations 14 are context bins, of which the last one leaves in cycle 114. If
// the word of the next sub-block waits by then, it is taken in that cycle, in which the lane is visited again.
//
// It is stepped, cycle by cycle, while the units before the first operation of a slice set contexts, while
// EncoderAhead.Stepped (a word waits, bytes are outstanding, the slice ends), and in every cycle after CodeUnit.stepped.
// To visit a lane in a cycle in which nothing happens does no harm.

// A laneAhead is what a lane needs besides its registers to run ahead.
type laneAhead struct {
	running  bool
	binarise binariseAhead
	issued   uint32 // operations of which coder knows when they come
	front    uint64 // the cycle in which binarise may have more to do
	freed    uint64 // the cycle in which it may take the next sub-block, if it is known
	last     uint64 // the cycle in which the last operation of the run moves
	back     uint64 // the cycle that has to end with coder.Plan
}

// begin is called after Clock. It lets the lane run ahead from the given cycle
// on, if that is the one in which the first operation of a slice is there.
func (u *LaneUnit) begin(cycle uint64) bool {
	b := u.binarise
	if !u.first || !b.valid || b.op.Kind == cabac.OpInit {
		return false
	}
	u.first = false
	t := &u.ahead
	t.running, t.issued = true, 0
	u.coder.Begin(cycle)
	t.binarise.begin(b.word.Data, cycle-1)
	t.binarise.advance(cycle)
	u.plan(cycle)
	return true
}

// end gives the lane back to the stepped units, behind a slice.
func (u *LaneUnit) end() {
	u.open, u.ahead.running = false, false
	b, m := u.binarise, &u.ahead.binarise
	b.valid, b.syntax = false, syntaxUnit{}
	p := &b.pipe
	p.Reset()
	p.Eval()
	was := p.In.Wire
	p.In.Valid, p.In.Data, p.In.Ready = m.full, m.word, true
	p.Clock()
	p.In.Wire = was
}

// evalAhead drives the streams within the lane, if it is stepped, at the start of a cycle.
func (u *LaneUnit) evalAhead(cycle uint64) {
	u.coder.Eval()
	u.ops.Valid, u.ops.Data.Kind, u.ops.Ready = u.ahead.binarise.waits(cycle), cabac.OpContext, u.coder.Ready()
}

// come puts a word in front of a lane that runs ahead, with the levels behind it, at the edge of a cycle. It
// reports whether clockAhead is due.
func (u *LaneUnit) come(cycle uint64, w Word, levels *[16]int16) bool {
	t := &u.ahead
	m := &t.binarise
	busy := m.busy
	m.arrive(w, levels, cycle+1)
	switch {
	case t.front == sim.Never:
		t.front = cycle
	case busy:
		t.front = max(cycle, min(t.front, m.room()))
	case m.subs:
		t.front = max(cycle, min(t.front, t.freed))
	}
	return t.front == cycle
}

// clockAhead is the edge of a cycle of a lane that runs ahead; sent tells that its
// word moves. It may be left out in cycles in which the lane sleeps. Come goes before it.
func (u *LaneUnit) clockAhead(cycle uint64, sent bool) {
	t, c := &u.ahead, u.coder
	m := &t.binarise
	if c.Stepped() {
		last := sent && u.Out.Data.Last // a slice ends with a lane that is stepped
		c.Clock(u.ops.Moves())
		if u.ops.Valid && !u.ops.Ready {
			m.hold(cycle)
		}
		m.advance(cycle + 1)
		if last {
			u.end()
		} else {
			u.plan(cycle + 1)
		}
		return
	}
	if sent {
		c.Sent()
	}
	if cycle >= t.front {
		m.advance(cycle + 1)
		u.plan(cycle + 1)
	}
	if sent || cycle >= t.back {
		t.back = c.Plan(cycle+1, sim.Never)
		if c.Stepped() {
			m.advance(cycle + 1)
		}
	}
}

// plan finds the cycles in which the lane is visited, from the given one on.
func (u *LaneUnit) plan(cycle uint64) {
	t, c := &u.ahead, u.coder
	m := &t.binarise
	op := m.walk.op
	var end uint32
	end, t.front, t.freed = m.ahead(t.issued)
	from := cycle
	if end != t.issued {
		if op <= t.issued { // a run goes on
			from = m.walk.slot + uint64(t.issued-op) + 1
		}
		c.Issue(end - t.issued)
		t.issued = end
	}
	t.last = 0
	if m.waits(cycle) {
		t.last = cycle + uint64(t.issued-op)
	}
	switch {
	case !c.Stepped() && c.Unknown():
		t.back = c.Plan(cycle, from)
	case c.Stepped() && m.waits(cycle):
		t.back = c.Plan(cycle, cycle)
	case c.Stepped() && t.issued == op:
		t.back = c.Plan(cycle, sim.Never)
	}
}

// free reports whether the lane has no word in front, and since which cycle.
func (u *LaneUnit) free() (since uint64, ok bool) {
	return u.ahead.binarise.taken, !u.ahead.binarise.full
}

// moves reports whether operations move from a cycle on, one a cycle, if no stage waits, and then returns the cycle of the last.
func (u *LaneUnit) moves(cycle uint64) (last uint64, ok bool) {
	return u.ahead.last, u.ahead.last >= cycle
}

// nextEvent returns the cycle in which the lane has to be visited.
func (u *LaneUnit) nextEvent() uint64 { return min(u.ahead.front, u.ahead.back) }

// word returns the word on the output of a lane that runs ahead, or nil.
func (u *LaneUnit) word() *cabachw.Word { return u.coder.Word() }
