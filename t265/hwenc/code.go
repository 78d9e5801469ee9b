package hwenc

import (
	"vcsim/internal/cabac"
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
}

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
	}
	var sets []*sim.Stream[hw.ContextValue]
	for l := range n {
		u.threads[l] = uint8(l)
		sets = append(sets, &u.sets[l])
		u.lanes = append(u.lanes, NewLaneUnit(spec.LaneSpec(), runBits, &u.Store.Words[l], &u.sets[l], &u.outs[l]))
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
func (u *CodeUnit) ops() (n uint64) {
	for _, l := range u.lanes {
		if o := &l.ops; o.Moves() && o.Data.Kind != cabac.OpInit {
			n++
		}
	}
	return n
}

func (u *CodeUnit) Eval() {
	u.merged.Ready = u.Out.Ready
	u.arbiter.Eval()
	u.Out.Valid, u.Out.Data = u.merged.Valid, u.merged.Data.Word
	u.context.Eval()
	for i, l := range u.lanes {
		u.outs[i].Ready = u.words[i].Ready
		l.Eval()
		u.context.Init[i], u.context.QP[i] = l.Init()
		if w := &u.words[i]; u.outs[i].Valid {
			w.Valid, w.Data = true, SliceWord{u.outs[i].Data, u.threads[i]}
		} else {
			w.Valid = false
		}
	}
	u.Store.Eval()
}

func (u *CodeUnit) Clock() {
	// The store looks for no other thread while the first word of a slice waits.
	for i, init := range u.context.Init {
		if init {
			u.threads[i] = u.Store.Turn(i)*uint8(len(u.lanes)) + uint8(i)
		}
	}
	u.arbiter.Clock()
	u.context.Clock()
	u.Store.Clock()
	for _, l := range u.lanes {
		l.Clock()
	}
}
