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
	context *EncContextUnit
	lanes   []*EncLaneUnit
	sets    []sim.Stream[ContextValue]
	words   []sim.Stream[SliceWord]
	outs    []sim.Stream[cabac.Word]
	tagged  sim.Stream[sim.Tagged[SliceWord]]
	arbiter sim.Arbiter[SliceWord]
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
	u.arbiter.Out = &u.tagged
	for l := range n {
		sets = append(sets, &u.sets[l])
		u.lanes = append(u.lanes, NewEncLaneUnit(&u.store.Fetch[l], &u.sets[l], &u.outs[l], spec.Bypass, spec.Threads/n))
		u.arbiter.In = append(u.arbiter.In, &u.words[l])
		u.store.Thread[l] = uint8(l)
	}
	u.context = NewEncContextUnit(sets)
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
// not counted.
func (u *EncCodeUnit) ops() (n uint64) {
	for _, l := range u.lanes {
		if l.ops.Moves() && l.ops.Data.Kind != cabac.OpInit {
			n++
		}
	}
	return n
}

func (u *EncCodeUnit) Eval() {
	u.tagged.Ready = u.Out.Ready
	u.arbiter.Eval()
	u.Out.Valid, u.Out.Data = u.tagged.Valid, u.tagged.Data.Word
	u.store.EvalLanes()
	for i, l := range u.lanes {
		u.outs[i].Ready = u.words[i].Ready
		l.Avail = u.store.Avail>>i&1 != 0
		l.Load = u.store.Load>>i&1 != 0
		l.Block = &u.store.Block
		l.Eval()
		w := &u.words[i]
		w.Valid, w.Data = u.outs[i].Valid, SliceWord{u.outs[i].Data, u.store.Thread[i]}
		u.context.Init[i], u.context.QP[i] = l.Init, l.QP
		bit := uint64(1) << i
		u.store.Late &^= bit
		if l.Late {
			u.store.Late |= bit
		}
	}
	u.context.Eval()
	u.store.Eval()
	u.Room = u.store.Room
}

func (u *EncCodeUnit) Clock() {
	u.store.Take, u.store.TakeThread = u.Take, u.TakeThread
	for _, l := range u.lanes {
		l.Clock()
	}
	u.store.Clock()
	for i, l := range u.lanes {
		u.store.Thread[i] = l.Turn*uint8(len(u.lanes)) + uint8(i)
	}
	u.arbiter.Clock()
	u.context.Clock()
}

// TurnBits is the width of the number of a thread among those of a lane, at
// least 1.
func (s EncSpec) TurnBits() int { return max(1, bits.Len(uint(s.Threads/s.Lanes-1))) }

// StoreBits is the width of the address of a block in the store.
func (s EncSpec) StoreBits() int { return bits.Len(uint(s.Threads*storeWords - 1)) }
