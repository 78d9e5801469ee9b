package hwenc

import (
	"math/bits"

	"vcsim/internal/cabac"
	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_enc_code.v

// A SliceWord holds bytes of the slice of a thread, emulation prevention
// included.
type SliceWord struct {
	cabachw.Word
	Thread uint8
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

	// Masks by lane.
	valid   uint64            // words is valid
	init    uint64            // Init
	running uint64            // it runs ahead: it sleeps until it is due
	awake   uint64            // it is stepped through every cycle
	busy    uint64            // it sleeps, and an operation moves in every cycle
	start   uint64            // it is busy from the next cycle on
	due     [dueCycles]uint64 // by cycle: lanes to wake
	dry     [dueCycles]uint64 // by cycle: lanes whose last operation moves
	cycle   uint64
	stepped bool // all lanes are stepped

	sel, was int // input that the arbiter selects, and that of the cycle before
	outValid bool
	out      SliceWord
}

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
	}
	var sets []*sim.Stream[hw.ContextValue]
	u.awake = ^uint64(0) >> (64 - n)
	for l := range n {
		sets = append(sets, &u.sets[l])
		u.lanes = append(u.lanes, NewLaneUnit(spec, runBits, &u.store.Fetch[l], &u.sets[l], &u.outs[l]))
		u.store.Thread[l] = uint8(l)
	}
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

// ops counts the operations that the lanes take in this cycle, context values
// not counted.
func (u *CodeUnit) ops() uint64 {
	n := bits.OnesCount64(u.busy)
	for m := u.awake; m != 0; m &= m - 1 {
		l := u.lanes[bits.TrailingZeros64(m)]
		if l.ops.Moves() && l.ops.Data.Kind != cabac.OpInit {
			n++
		}
	}
	return uint64(n)
}

func (u *CodeUnit) Eval() {
	s := u.store
	u.evalArbiter()
	s.evalLoad()
	for m := u.awake; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		u.outs[i].Ready = u.words[i].Ready
		if u.running>>i&1 != 0 {
			u.lanes[i].evalAhead()
		} else {
			u.evalLane(i)
		}
	}
	if u.init != 0 || !u.context.Idle() {
		u.context.Eval()
	}
	s.eval()
	u.Room = s.Room
}

// evalLane drives the outputs of a lane that does not run ahead.
func (u *CodeUnit) evalLane(i int) {
	s, l := u.store, u.lanes[i]
	l.Avail = s.full>>s.Thread[i]&1 != 0
	l.Load = s.Load>>i&1 != 0
	l.Block = &s.Block
	l.Eval()
	u.context.Init[i], u.context.QP[i] = l.Init, l.QP
	u.init = u.init&^(1<<i) | uint64(bin(l.Init))<<i
	u.driveFetch(l, i)
	u.words[i].Valid = false
	if u.outs[i].Valid {
		u.driveWord(i, &u.outs[i].Data)
	} else {
		u.driveWord(i, nil)
	}
}

// driveFetch drives what the store sees of a lane.
func (u *CodeUnit) driveFetch(l *LaneUnit, i int) {
	s := u.store
	t := s.Thread[i]
	s.open = s.open&^(1<<t) | uint64(bin(!l.isLate))<<t
	f := &s.Fetch[i]
	f.Valid, f.Data, f.Ready = l.req, l.want, false
	s.want = s.want&^(1<<i) | uint64(bin(l.req))<<i
}

// driveWord drives the word of a lane, nil for none.
func (u *CodeUnit) driveWord(i int, word *cabachw.Word) {
	w := &u.words[i]
	w.Valid = word != nil
	if word == nil {
		u.valid &^= 1 << i
		return
	}
	w.Data = SliceWord{*word, u.store.Thread[i]}
	u.valid |= 1 << i
}

func (u *CodeUnit) Clock() {
	s := u.store
	s.Take, s.TakeThread = u.Take, u.TakeThread
	slot := u.cycle % dueCycles
	wake := u.awake | u.due[slot] | s.Load
	u.busy, u.start = u.busy&^u.dry[slot]|u.start, 0
	u.due[slot], u.dry[slot] = 0, 0
	sent := uint64(0)
	if u.words[u.sel].Ready {
		sent = u.valid & (1 << u.sel)
		wake |= sent
	}
	if g := s.grant; g >= 0 && u.running>>g&1 != 0 {
		u.lanes[g].granted()
		s.Fetch[g].Valid, s.Fetch[g].Ready = false, false
		s.want &^= 1 << g
	}
	u.clockArbiter()
	for m := wake; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		l := u.lanes[i]
		if u.running>>i&1 != 0 {
			l.Load = s.Load>>i&1 != 0
			l.Avail = s.full>>s.Thread[i]&1 != 0
			l.clockAhead(u.cycle, sent>>i&1 != 0)
			u.clocked(l, i)
			continue
		}
		l.Clock()
		if !u.stepped && l.begin(u.cycle+1) {
			u.running |= 1 << i
			u.clocked(l, i)
		}
	}
	moved := s.MB.Moves()
	s.Clock()
	u.cycle++
	if moved { // a lane may wait for the macroblock
		i := int(s.MB.Data.Thread) % len(u.lanes)
		if l := u.lanes[i]; u.running>>i&1 != 0 && l.state == residualHead {
			l.front = u.cycle
			u.wake(l, i)
		}
	}
	for m := u.awake &^ u.running; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		s.Thread[i] = u.lanes[i].Turn*uint8(len(u.lanes)) + uint8(i)
	}
	if u.init != 0 || !u.context.Idle() {
		u.context.Clock()
	}
}

// dueCycles is how far ahead a lane is woken; it wakes earlier if its event is
// later.
const dueCycles = 256

// clocked drives the outputs of a lane after clockAhead and lets it sleep until
// the next event, if it need not be stepped.
func (u *CodeUnit) clocked(l *LaneUnit, i int) {
	bit := uint64(1) << i
	if !l.running {
		u.running &^= bit
		u.awake |= bit
		return
	}
	u.driveWord(i, l.ahead.Word())
	if l.since > u.cycle {
		u.driveFetch(l, i)
		u.busy &^= bit
		u.dry[l.dry%dueCycles] &^= bit
	}
	if l.ahead.Stepped() {
		u.awake |= bit
		return
	}
	u.awake &^= bit
	if l.since > u.cycle && l.valid {
		if l.since > u.cycle+1 {
			u.start |= bit
		} else {
			u.busy |= bit
		}
		// If that is out of sight, the lane wakes before.
		if l.dry = l.since + uint64(l.left()); l.dry-u.cycle < dueCycles {
			u.dry[l.dry%dueCycles] |= bit
		}
	}
	u.wake(l, i)
}

// wake has a lane woken for its next event.
func (u *CodeUnit) wake(l *LaneUnit, i int) {
	u.due[l.due%dueCycles] &^= 1 << i
	l.due = min(l.front, l.back, u.cycle+dueCycles-1)
	u.due[l.due%dueCycles] |= 1 << i
}

// evalArbiter and clockArbiter are sim.Arbiter over words, with the mask of those
// that are valid.
func (u *CodeUnit) evalArbiter() {
	u.Out.Valid, u.Out.Data = u.outValid, u.out
	u.words[u.was].Ready = false
	u.words[u.sel].Ready = !u.outValid || u.Out.Ready
	u.was = u.sel
}

func (u *CodeUnit) clockArbiter() {
	in := &u.words[u.sel]
	valid := u.valid>>u.sel&1 != 0
	if in.Ready {
		if u.outValid = valid; valid {
			u.out = in.Data
		}
	}
	if others := u.valid &^ (1 << u.sel); others != 0 && (in.Ready || !valid) {
		if behind := others & (^uint64(0) << u.sel); behind != 0 {
			others = behind
		}
		u.sel = bits.TrailingZeros64(others)
	}
}
