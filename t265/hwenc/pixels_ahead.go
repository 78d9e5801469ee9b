package hwenc

import (
	"vcsim/sim"
	"vcsim/t265/hw"
)

// A pixelsAhead does what the units of a PixelsUnit do; it steps the scheduler alone.
//
// Why arithmetic and time are apart: blocks wait for each other, so that no formula gives
// their cycles. But how long they wait depends on the sizes of the blocks alone, and these
// are decided once a CTU. So the cycles are gone through without data: a counter knows of a
// beat the size of its block, and of a block its thread. The arithmetic is done at once, in
// two places and by the functions of the software encoder: mode and tree of a CTU when its last
// samples are turned (aheadCode.decide), and a transform block, from its prediction to what
// the next one is predicted from, as the tree hands it out (aheadCode.block). A thread has
// one block under way, so that nobody sees what is known early.
//
// An example: a block of 8x8 of thread 3 leaves the tree. Its levels lie in the thread from
// then on, while eight beats of size 8 go through the counters of prediction and forward
// transform. Where a fourth pair of them has passed those of the quantiser, sub-block 3 of
// thread 3 is at Levels.
//
// The closed loop gets nothing but plans, and those are known many cycles before they come. So
// it goes through loopCycles cycles at a time, which is faster than one, and what comes out of
// it waits for its cycle. What it reads or changes of a thread, nobody else looks at then: all
// that is done for a CTU before the loop is done before its plan is known, and that for the next
// one begins when the scheduler has seen, in its cycle, that the thread is free.
type pixelsAhead struct {
	src    *sim.Stream[hw.SourceBeat]
	heads  *sim.Stream[Head]
	levels *sim.Stream[SubLevels]

	sched  *SchedUnit
	job    *sim.Stream[Job]
	ref    refAhead
	decide decideAhead
	loop   loopAhead
	out    loopOut
	at     int     // the cycle of out
	turned sim.Set // threads with a CTU to be decided
	code   aheadCode
	begun  bool
}

// loopCycles is a number of cycles below the latency of a splitUnit.
const loopCycles = 56

// A loopOut is what comes out of the closed loop in loopCycles cycles.
type loopOut struct {
	headValid, levelsValid uint64 // bit i: in cycle i
	heads                  [loopCycles]Head
	levels                 [loopCycles]SubLevels
	free, idle             [loopCycles]sim.Set
}

func newPixelsAhead(spec Spec, u *PixelsUnit) *pixelsAhead {
	a := &pixelsAhead{src: u.Src, heads: u.Heads, levels: u.Levels, sched: u.sched, job: &u.job}
	a.code.init(spec)
	a.decide.latency = splitLatency(spec)
	if a.decide.latency <= loopCycles {
		panic("t265: a plan comes sooner than the closed loop looks for it")
	}
	a.loop.init(spec)
	a.run()
	return a
}

// run decides CTUs and takes the closed loop through the next cycles.
func (a *pixelsAhead) run() {
	for ; a.turned != 0; a.turned = a.turned.Rest() {
		a.code.decide(uint8(a.turned.First()))
	}
	a.out.headValid, a.out.levelsValid, a.at = 0, 0, 0
	for i := range loopCycles {
		a.loop.step(&a.code, a.decide.next(a.decide.cycle+uint64(i)), &a.out, i)
	}
}

func (a *pixelsAhead) eval() {
	o, i := &a.out, a.at
	if a.heads.Valid = o.headValid>>i&1 != 0; a.heads.Valid {
		a.heads.Data = o.heads[i]
	}
	if a.levels.Valid = o.levelsValid>>i&1 != 0; a.levels.Valid {
		a.levels.Data = o.levels[i]
	}
	a.decide.eval()
	a.src.Ready = a.decide.srcReady
	a.job.Ready = a.ref.state == refIdle || a.ref.state == refOut && a.decide.refReady
	a.sched.Eval()
}

func (a *pixelsAhead) clock(room sim.Set) {
	a.begun = true
	o, d, s := &a.out, &a.decide, a.sched
	planned := d.planned()
	s.Room, s.Free, s.Idle, s.Planned = room, o.free[a.at], o.idle[a.at], planned
	s.Clock()
	come := a.src.Moves()
	if come {
		if d.at == 0 {
			d.coming = a.ref.job.Thread
		}
		a.code.beat(d.coming, d.at, uint64(a.src.Data))
	}
	if d.last && d.enable {
		a.turned.Add(int(d.turns))
	}
	ref := a.ref.state == refOut
	taken := ref && d.refReady
	d.clock(planned >= 0, ref, a.ref.job.Thread, come)
	a.ref.clock(a.job, taken, &a.code)
	if a.at++; a.at == loopCycles {
		a.run()
	}
}

// A refAhead is the time of a RefUnit.
type refAhead struct {
	state uint8
	job   Job
}

func (u *refAhead) clock(job *sim.Stream[Job], taken bool, code *aheadCode) {
	switch {
	case job.Moves():
		u.job, u.state = job.Data, refAbove
	case u.state == refAbove:
		code.above(&u.job)
		u.state = refOut
	case taken:
		u.state = refIdle
	}
}

// A decideAhead is the time of a DecideUnit. What is not said here is said of the fields
// of a ModeUnit and a splitUnit, which have the same names.
//
// The latter is never held up: blocks of one size pass each transform of it, one beat a
// cycle at most. So a plan comes a fixed number of cycles after its CTU is taken.
type decideAhead struct {
	turnMemory
	prepare uint8
	ends    uint8
	coming  uint8 // thread of the CTU that comes,
	turns   uint8 // of the one that is turned,
	chosen  uint8 // and of the one at the output,
	valid   bool  // if there is one

	used      uint8
	take, run bool  // begin and run of the splitUnit
	read      uint8 // its at, modulo 32
	latency   uint64
	cycle     uint64
	// Plans by number: their cycles, their threads, the first one that has not come, the first
	// one that the closed loop does not know, and the next one.
	due               [splitFlight]uint64
	threads           [splitFlight]uint8
	front, seen, back uint8

	enable, srcReady, refReady bool
}

// splitLatency returns the number of cycles from that in which a splitUnit takes a CTU to
// that of its plan, as a splitUnit tells.
func splitLatency(spec Spec) (cycles uint64) {
	in, plan := sim.Stream[Chosen]{Wire: sim.Wire{Valid: true}}, sim.Stream[Plan]{}
	u := newSplitUnit(spec, &in, &plan)
	for u.eval(); !in.Ready; u.eval() {
		u.clock(false, 0)
	}
	for ; !plan.Valid; u.eval() {
		u.clock(false, 0)
		in.Valid = false
		cycles++
	}
	return cycles
}

// planned returns the thread whose plan comes in this cycle, or -1.
func (u *decideAhead) planned() int { return u.plan(u.front, u.cycle) }

// next returns the thread whose plan comes to the closed loop in a cycle, or -1.
func (u *decideAhead) next(cycle uint64) int {
	thread := u.plan(u.seen, cycle)
	if thread >= 0 {
		u.seen++
	}
	return thread
}

// plan returns the thread of a plan if it comes in a cycle, or -1.
func (u *decideAhead) plan(number uint8, cycle uint64) int {
	if i := number % splitFlight; number != u.back && u.due[i] == cycle {
		return int(u.threads[i])
	}
	return -1
}

func (u *decideAhead) eval() {
	u.enable = !u.last || !u.valid || u.take
	u.refReady = u.begin && u.turned == 0 && u.enable
	u.srcReady = u.used != 64 && u.enable && (u.prepare == prepared || u.at >= 8) && u.open()
}

// clock is the edge; planned tells of a plan, ref of a RefJob of a thread, come of samples that
// move.
func (u *decideAhead) clock(planned, ref bool, thread uint8, come bool) {
	taken := u.take
	u.split(planned, come)
	if taken {
		u.valid = false
	}
	u.mode(ref, thread, come)
	u.cycle++
}

// split is the edge of the splitUnit.
func (u *decideAhead) split(planned, come bool) {
	last := u.run && u.read == 31
	start := u.valid && !u.take && u.back-u.front != splitFlight && (!u.run || last)
	if planned {
		u.front++
	}
	if u.run {
		if u.read&15 == 15 {
			u.used -= 16
		}
		u.read = (u.read + 1) & 31
	}
	if u.take {
		i := u.back % splitFlight
		u.due[i], u.threads[i] = u.cycle+u.latency, u.chosen
		u.back++
	}
	u.take = start
	u.run = start || u.run && !last
	u.used += bin(come)
}

// mode is the edge of the ModeUnit.
func (u *decideAhead) mode(ref bool, thread uint8, come bool) {
	load := ref && u.refReady
	if u.ends>>(modeStages-1)&1 != 0 {
		u.valid = true
	}
	u.ends <<= 1
	switch {
	case u.prepare == prepared:
		if load {
			u.prepare = 0
		}
	case u.prepare > 0 || ref && (u.at == 0 || u.turns != thread):
		u.prepare++
	}
	if u.enable && u.last {
		u.ends |= 1
		u.chosen = u.turns
	}
	if load {
		u.turns = thread
	}
	u.turnMemory.clock(come, u.enable)
}
