package t264

import (
	"math/bits"

	"vcsim/internal/cabac"
	"vcsim/sim"
)

// RTL: rtl/t264/t264_enc_code.v

// A SliceWord holds bytes of the slice of a thread, emulation prevention
// included.
type SliceWord struct {
	cabac.Word
	Thread uint8
}

// An EncCodeUnit is the entropy coding of the hardware encoder: store, lanes and
// their contexts, and one stream of words.
type EncCodeUnit struct {
	AC  *sim.Stream[ACToken]
	MB  *sim.Stream[MBToken]
	Out *sim.Stream[SliceWord]
	// Take tells that a macroblock of TakeThread was requested; Room is by
	// thread: one more may be.
	Take       bool
	TakeThread uint8
	Room       uint64

	store   *EncStoreUnit
	context *ContextUnit
	lanes   []*EncLaneUnit
	sets    []sim.Stream[ContextValue]
	words   []sim.Stream[SliceWord]
	outs    []sim.Stream[cabac.Word]

	all   uint64 // lanes
	valid uint64 // by lane: words is valid
	init  uint64 // by lane: Init
	// A lane that is ahead has done the cycles up to the one in which it is due;
	// it is stepped when awake.
	awake   uint64
	due     [64]uint64 // by cycle modulo 64
	cycle   int        // modulo 64
	stepped bool       // all lanes are stepped

	sel, was int // input that the arbiter selects, and that of the cycle before
	outValid bool
	out      SliceWord
}

// NewEncCodeUnit returns a unit after reset.
func NewEncCodeUnit(ac *sim.Stream[ACToken], mb *sim.Stream[MBToken], out *sim.Stream[SliceWord], spec EncSpec) *EncCodeUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	n := spec.Lanes
	u := &EncCodeUnit{
		AC: ac, MB: mb, Out: out, store: NewEncStoreUnit(ac, mb, spec.Threads, n),
		sets: make([]sim.Stream[ContextValue], n), words: make([]sim.Stream[SliceWord], n), outs: make([]sim.Stream[cabac.Word], n),
	}
	var sets []*sim.Stream[ContextValue]
	u.all = ^uint64(0) >> (64 - n)
	u.awake = u.all
	for l := range n {
		sets = append(sets, &u.sets[l])
		u.lanes = append(u.lanes, NewEncLaneUnit(&u.store.Fetch[l], &u.sets[l], &u.outs[l], spec.Bypass, spec.Threads/n))
		u.store.Thread[l] = uint8(l)
	}
	u.context = NewContextUnit(sets, ContextSpec{Lanes: n})
	return u
}

// Overflow reports that a lane lost bytes: a run of 2^16 outstanding ones.
func (u *EncCodeUnit) Overflow() bool {
	for _, l := range u.lanes {
		if l.Overflow() {
			return true
		}
	}
	return false
}

// ops counts the operations that the lanes take in this cycle, context values
// not counted. A lane that is ahead takes one.
func (u *EncCodeUnit) ops() uint64 {
	n := bits.OnesCount64(u.all &^ u.awake)
	for m := u.awake; m != 0; m &= m - 1 {
		l := u.lanes[bits.TrailingZeros64(m)]
		if l.ops.Moves() && l.ops.Data.Kind != cabac.OpInit {
			n++
		}
	}
	return uint64(n)
}

func (u *EncCodeUnit) Eval() {
	s := u.store
	u.evalArbiter()
	s.evalLoad()
	for m := u.awake; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		bit := uint64(1) << i
		l, w, out := u.lanes[i], &u.words[i], &u.outs[i]
		thread := s.Thread[i]
		out.Ready = w.Ready
		l.Avail = s.full>>thread&1 != 0
		l.Load = s.Load&bit != 0
		l.Block = &s.Block
		l.Eval()
		if w.Valid = out.Valid; w.Valid {
			w.Data = SliceWord{out.Data, thread}
			u.valid |= bit
		} else {
			u.valid &^= bit
		}
		u.context.Init[i], u.context.QP[i] = l.Init, l.QP
		if l.Init {
			u.init |= bit
		} else {
			u.init &^= bit
		}
		if l.Late {
			s.open &^= 1 << thread
		} else {
			s.open |= 1 << thread
		}
		s.Fetch[i].Ready = false
		if s.Fetch[i].Valid {
			s.want |= bit
		} else {
			s.want &^= bit
		}
	}
	if u.init != 0 || !u.context.idle() {
		u.context.Eval()
	}
	s.eval()
	u.Room = s.Room
}

func (u *EncCodeUnit) Clock() {
	s := u.store
	s.Take, s.TakeThread = u.Take, u.TakeThread
	awake := u.awake
	u.cycle = (u.cycle + 1) & 63
	for m := awake; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		l := u.lanes[i]
		if !u.stepped {
			if n := l.ahead(len(u.due)); n > 0 {
				u.awake &^= 1 << i
				u.due[(u.cycle+n-1)&63] |= 1 << i
				continue
			}
		}
		l.Clock()
	}
	u.awake |= u.due[u.cycle]
	u.due[u.cycle] = 0
	s.Clock()
	for m := awake; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		s.Thread[i] = u.lanes[i].Turn*uint8(len(u.lanes)) + uint8(i)
	}
	u.clockArbiter()
	if u.init != 0 || !u.context.idle() {
		u.context.Clock()
	}
}

// evalArbiter and clockArbiter are sim.Arbiter over words, with the mask of those
// that are valid.
func (u *EncCodeUnit) evalArbiter() {
	u.Out.Valid, u.Out.Data = u.outValid, u.out
	u.words[u.was].Ready = false
	u.words[u.sel].Ready = !u.outValid || u.Out.Ready
	u.was = u.sel
}

func (u *EncCodeUnit) clockArbiter() {
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

// LaneBits is the width of the number of a lane, at least 1.
func (s EncSpec) LaneBits() int { return ContextSpec{Lanes: s.Lanes}.LaneBits() }

// TurnBits is the width of the number of a thread among those of a lane, at
// least 1.
func (s EncSpec) TurnBits() int { return max(1, bits.Len(uint(s.Threads/s.Lanes-1))) }

// StoreBits is the width of the address of a block in the store.
func (s EncSpec) StoreBits() int { return bits.Len(uint(s.Threads*storeWords - 1)) }
