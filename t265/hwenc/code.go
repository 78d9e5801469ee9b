package hwenc

import (
	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_enc_code.v

// laneRunBits bounds the outstanding bytes of a lane of a Unit.
const laneRunBits = 16

// A SliceWord holds bytes of the slice of a thread, emulation prevention
// included.
type SliceWord struct {
	cabachw.Word
	Thread uint8 `rtl:"ThreadBits"`
}

// A CodeUnit is the entropy coding of the hardware encoder: store, lanes and their
// contexts, and one stream of words. A lane codes the slices of its threads, thread l
// those of the threads l, l+Lanes, and so on, one after the other.
type CodeUnit struct {
	Out *sim.Stream[SliceWord]
	// Store takes what the pixel path says.
	Store *StoreUnit

	context *hw.ContextUnit
	lanes   []*LaneUnit
	threads []uint8 // by lane: the one whose slice it codes
	sets    []sim.Stream[hw.ContextValue]
	outs    []sim.Stream[cabachw.Word]
	words   []sim.Stream[SliceWord]
	arbiter sim.Arbiter[SliceWord]
	merged  sim.Stream[sim.Tagged[SliceWord]]

	// By lane.
	valid   sim.Set // words is valid
	init    sim.Set // Init
	running sim.Set // it runs ahead: it sleeps until it is due
	awake   sim.Set // it is stepped through every cycle
	moving  sim.Set // it sleeps, and an operation moves in every cycle
	ready   sim.Set // it runs ahead, and has no word in front
	places  []wakePlace

	due     sim.Wheel[sim.Set] // lanes to visit
	dry     sim.Wheel[sim.Set] // lanes whose last operation moves
	free    sim.Wheel[sim.Set] // lanes that are ready from a cycle on
	cycle   uint64
	stepped bool // all lanes are stepped
	setting bool // contexts are set, or were in the cycle before
}

// A wakePlace holds the cycles in which a lane is on the wheels.
type wakePlace struct{ due, dry uint64 }

// NewCodeUnit returns a unit after reset, whose lanes count outstanding bytes in
// runBits bits.
func NewCodeUnit(spec Spec, runBits int, heads *sim.Stream[Head], levels *sim.Stream[SubLevels], out *sim.Stream[SliceWord]) *CodeUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	n := spec.Lanes
	u := &CodeUnit{
		Out: out, Store: NewStoreUnit(spec, heads, levels), threads: make([]uint8, n),
		sets: make([]sim.Stream[hw.ContextValue], n), outs: make([]sim.Stream[cabachw.Word], n), words: make([]sim.Stream[SliceWord], n),
		awake: sim.FirstOf(n), places: make([]wakePlace, n),
	}
	var sets []*sim.Stream[hw.ContextValue]
	for l := range n {
		u.threads[l] = uint8(l)
		sets = append(sets, &u.sets[l])
		u.lanes = append(u.lanes, NewLaneUnit(spec.LaneSpec(), runBits, &u.Store.Words[l], &u.sets[l], &u.outs[l]))
		u.lanes[l].ahead.binarise.ops = u.lanes[0].ahead.binarise.ops
		u.arbiter.In = append(u.arbiter.In, &u.words[l])
	}
	u.arbiter.Out = &u.merged
	u.context = hw.NewContextUnit(hw.ContextSpec{Lanes: n, MaxTU: spec.MaxTU}, sets)
	return u
}

// Overflow reports that a lane lost bytes: a run of 2^16 outstanding ones.
func (u *CodeUnit) Overflow() bool {
	for _, l := range u.lanes {
		if l.Overflow() {
			return true
		}
	}
	return false
}

// ops counts the operations that the lanes take in this cycle, context values
// not counted.
func (u *CodeUnit) ops() uint64 {
	n := u.moving.Len()
	for m := u.awake; m != 0; m = m.Rest() {
		if u.lanes[m.First()].codes() {
			n++
		}
	}
	return uint64(n)
}

func (u *CodeUnit) Eval() {
	u.merged.Ready = u.Out.Ready
	u.arbiter.Eval()
	if u.Out.Valid = u.merged.Valid; u.Out.Valid {
		u.Out.Data = u.merged.Data.Word
	}
	if u.setting {
		u.context.Eval()
	}
	for m := u.awake; m != 0; m = m.Rest() {
		i := m.First()
		u.outs[i].Ready = u.words[i].Ready
		if l := u.lanes[i]; u.running.Has(i) {
			l.evalAhead(u.cycle)
		} else {
			u.evalLane(i)
		}
	}
	u.Store.sets.blind = u.running
	u.Store.Eval()
}

// evalLane drives the outputs of a lane that does not run ahead.
func (u *CodeUnit) evalLane(i int) {
	l := u.lanes[i]
	l.Eval()
	ask, qp := l.Init()
	u.context.Init[i], u.context.QP[i] = ask, qp
	u.init.Put(i, ask)
	if u.outs[i].Valid {
		u.driveWord(i, &u.outs[i].Data)
	} else {
		u.driveWord(i, nil)
	}
}

// driveWord drives the word of a lane, nil for none.
func (u *CodeUnit) driveWord(i int, word *cabachw.Word) {
	w := &u.words[i]
	if word == nil {
		w.Valid = false
		u.valid.Remove(i)
		return
	}
	w.Valid, w.Data = true, SliceWord{*word, u.threads[i]}
	u.valid.Add(i)
}

func (u *CodeUnit) Clock() {
	// The store looks for no other thread while the first word of a slice waits.
	for m := u.init; m != 0; m = m.Rest() {
		i := m.First()
		u.threads[i] = u.Store.Turn(i)*uint8(len(u.lanes)) + uint8(i)
	}
	if u.setting = u.init != 0 || u.setting && !u.context.Idle(); u.setting {
		u.context.Clock()
	}
	come := u.Store.come() & u.running
	u.ready = (u.ready | u.free.Take(u.cycle)) &^ come
	due := u.awake | u.due.Take(u.cycle)
	u.moving &^= u.dry.Take(u.cycle)
	var sent sim.Set
	if i := u.arbiter.Selected(); u.words[i].Ready && u.valid.Has(i) {
		sent.Add(i)
		due |= sent
	}
	u.arbiter.ClockAmong(u.valid)
	ready := u.ready | come // they are, up to the word
	for m := come; m != 0; m = m.Rest() {
		i := m.First()
		if w, levels := u.Store.coming(i); u.lanes[i].come(u.cycle, w, levels) {
			due.Add(i)
		} else if !due.Has(i) {
			u.rest(i)
		}
	}
	for m := due; m != 0; m = m.Rest() {
		i := m.First()
		l := u.lanes[i]
		if u.running.Has(i) {
			l.clockAhead(u.cycle, sent.Has(i))
			u.clocked(i)
			continue
		}
		ready.Put(i, u.Store.Words[i].Ready)
		l.Clock()
		if !u.stepped && l.begin(u.cycle+1) {
			u.running.Add(i)
			u.clocked(i)
		}
	}
	u.Store.clock(ready | u.ready)
	u.cycle++
}

// clocked drives the outputs of a lane after clockAhead and lets it sleep until
// the next event, if it need not be stepped.
func (u *CodeUnit) clocked(i int) {
	l, p := u.lanes[i], &u.places[i]
	u.moving.Remove(i)
	u.dry.Slot(p.dry).Remove(i)
	if !l.ahead.running {
		u.running.Remove(i)
		u.ready.Remove(i)
		u.awake.Add(i)
		return
	}
	u.driveWord(i, l.word())
	if l.coder.Stepped() {
		u.release(i)
		u.awake.Add(i)
		return
	}
	u.awake.Remove(i)
	if last, moves := l.moves(u.cycle + 1); moves {
		u.moving.Add(i)
		// If that is out of sight, the lane wakes before.
		if p.dry = last; u.dry.Sees(u.cycle, last) {
			u.dry.Slot(last).Add(i)
		}
	}
	u.rest(i)
}

// rest lets a lane sleep until the next event.
func (u *CodeUnit) rest(i int) {
	u.release(i)
	p := &u.places[i]
	if next := u.due.Clamp(u.cycle, u.lanes[i].nextEvent()); next != p.due {
		u.due.Slot(p.due).Remove(i)
		p.due = next
		u.due.Slot(next).Add(i)
	}
}

// release makes a lane ready if its word in front is gone, or lets it be when it is.
func (u *CodeUnit) release(i int) {
	since, ok := u.lanes[i].free()
	switch {
	case !ok || u.ready.Has(i):
	case since <= u.cycle:
		u.ready.Add(i)
	case u.free.Sees(u.cycle, since): // else the lane is visited before
		u.free.Slot(since).Add(i)
	}
}
