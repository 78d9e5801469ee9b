package hwenc

import (
	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_enc_code.v

// A SliceWord holds bytes of the slice of a thread, emulation prevention
// included.
type SliceWord struct {
	cabachw.Word
	Thread uint8 `rtl:"ThreadBits"`
}

// A CodeUnit is the entropy coding of the hardware encoder: store, lanes and
// their contexts, and one stream of words.
type CodeUnit struct {
	AC  *sim.Stream[hw.ACToken]
	MB  *sim.Stream[hw.MBToken]
	Out *sim.Stream[SliceWord]
	// Take tells that a macroblock of TakeThread was requested; Room is by
	// thread: one more may be.
	Take       bool
	TakeThread uint8
	Room       uint64

	store   *StoreUnit
	context *hw.ContextUnit
	lanes   []*LaneUnit
	sets    []sim.Stream[hw.ContextValue]
	words   []sim.Stream[SliceWord]
	outs    []sim.Stream[cabachw.Word]
	arbiter sim.Arbiter[SliceWord]
	merged  sim.Stream[sim.Tagged[SliceWord]]

	// By lane.
	valid   sim.Set // words is valid
	init    sim.Set // Init
	running sim.Set // it runs ahead: it sleeps until it is due
	awake   sim.Set // it is stepped through every cycle
	moving  sim.Set // it sleeps, and an operation moves in every cycle
	start   sim.Set // it is moving from the next cycle on
	places  []wakePlace

	due     sim.Wheel[sim.Set] // lanes to wake
	dry     sim.Wheel[sim.Set] // lanes whose last operation moves
	cycle   uint64
	stepped bool // all lanes are stepped
}

// A wakePlace holds the cycles in which a lane is on the wheels.
type wakePlace struct{ due, dry uint64 }

// NewCodeUnit returns a unit after reset, whose lanes count outstanding bytes in
// runBits bits.
func NewCodeUnit(spec Spec, runBits int, ac *sim.Stream[hw.ACToken], mb *sim.Stream[hw.MBToken], out *sim.Stream[SliceWord]) *CodeUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	n := spec.Lanes
	u := &CodeUnit{
		AC: ac, MB: mb, Out: out, store: NewStoreUnit(spec, ac, mb),
		sets: make([]sim.Stream[hw.ContextValue], n), words: make([]sim.Stream[SliceWord], n), outs: make([]sim.Stream[cabachw.Word], n),
		awake: sim.FirstOf(n), places: make([]wakePlace, n),
	}
	var sets []*sim.Stream[hw.ContextValue]
	for l := range n {
		sets = append(sets, &u.sets[l])
		u.lanes = append(u.lanes, NewLaneUnit(spec, runBits, &u.store.Fetch[l], &u.store.Block, &u.sets[l], &u.outs[l]))
		u.arbiter.In = append(u.arbiter.In, &u.words[l])
	}
	u.arbiter.Out = &u.merged
	u.context = hw.NewContextUnit(hw.ContextSpec{Lanes: n}, sets)
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

// Outstanding starts a lane with the count of outstanding bytes at n; see cabachw.EncoderUnit.Outstanding.
func (u *CodeUnit) Outstanding(lane int, n uint32) { u.lanes[lane].engine.Outstanding(n) }

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
	s := u.store
	u.merged.Ready = u.Out.Ready
	u.arbiter.Eval()
	if u.Out.Valid = u.merged.Valid; u.Out.Valid {
		u.Out.Data = u.merged.Data.Word
	}
	s.evalLoad()
	for m := u.awake; m != 0; m = m.Rest() {
		i := m.First()
		u.outs[i].Ready = u.words[i].Ready
		if u.running.Has(i) {
			u.lanes[i].evalAhead()
		} else {
			u.evalLane(i)
		}
	}
	if u.init != 0 || !u.context.Idle() {
		u.context.Eval()
	}
	s.eval()
	u.Room = uint64(s.Room)
}

// evalLane drives the outputs of a lane that does not run ahead.
func (u *CodeUnit) evalLane(i int) {
	s, l := u.store, u.lanes[i]
	l.drive(s.Avail(i), s.Load.Has(i))
	l.Eval()
	ask, qp := l.Init()
	u.context.Init[i], u.context.QP[i] = ask, qp
	u.init.Put(i, ask)
	s.Show(i, l.wish())
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
	w.Valid, w.Data = true, SliceWord{*word, u.store.Thread(i)}
	u.valid.Add(i)
}

func (u *CodeUnit) Clock() {
	s := u.store
	if u.Take {
		s.Take(u.TakeThread)
	}
	wake := u.awake | u.due.Take(u.cycle) | s.Load
	u.moving, u.start = u.moving&^u.dry.Take(u.cycle)|u.start, 0
	var sent sim.Set
	if i := u.arbiter.Selected(); u.words[i].Ready && u.valid.Has(i) {
		sent.Add(i)
		wake |= sent
	}
	if g := s.Granted(); g >= 0 && u.running.Has(g) {
		u.lanes[g].granted()
		s.Show(g, u.lanes[g].wish())
	}
	u.arbiter.ClockAmong(u.valid)
	for m := wake; m != 0; m = m.Rest() {
		i := m.First()
		l := u.lanes[i]
		if u.running.Has(i) {
			l.drive(s.Avail(i), s.Load.Has(i))
			l.clockAhead(u.cycle, sent.Has(i))
			u.clocked(i)
			continue
		}
		l.Clock()
		if !u.stepped && l.begin(u.cycle+1) {
			u.running.Add(i)
			u.clocked(i)
		}
	}
	moved := s.MB.Moves()
	s.Clock()
	u.cycle++
	if moved {
		i := int(s.MB.Data.Thread) % len(u.lanes)
		if u.running.Has(i) && u.lanes[i].come(u.cycle) {
			u.wake(i)
		}
	}
	for m := u.awake &^ u.running; m != 0; m = m.Rest() {
		i := m.First()
		s.Serve(i, u.lanes[i].Turn*uint8(len(u.lanes))+uint8(i))
	}
	if u.init != 0 || !u.context.Idle() {
		u.context.Clock()
	}
}

// clocked drives the outputs of a lane after clockAhead and lets it sleep until
// the next event, if it need not be stepped.
func (u *CodeUnit) clocked(i int) {
	l, p := u.lanes[i], &u.places[i]
	if !l.ahead.running {
		u.running.Remove(i)
		u.awake.Add(i)
		return
	}
	u.driveWord(i, l.coder.Word())
	since := l.since()
	changed := since > u.cycle
	if changed {
		u.store.Show(i, l.wish())
		u.moving.Remove(i)
		u.dry.Slot(p.dry).Remove(i)
	}
	if l.coder.Stepped() {
		u.awake.Add(i)
		return
	}
	u.awake.Remove(i)
	if changed {
		if last, moves := l.moves(); moves {
			if since > u.cycle+1 {
				u.start.Add(i)
			} else {
				u.moving.Add(i)
			}
			// If that is out of sight, the lane wakes before.
			if p.dry = last; u.dry.Sees(u.cycle, last) {
				u.dry.Slot(last).Add(i)
			}
		}
	}
	u.wake(i)
}

// wake has a lane woken for its next event.
func (u *CodeUnit) wake(i int) {
	p := &u.places[i]
	u.due.Slot(p.due).Remove(i)
	p.due = u.due.Clamp(u.cycle, u.lanes[i].nextEvent())
	u.due.Slot(p.due).Add(i)
}
