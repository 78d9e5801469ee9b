package hwenc

import (
	"vcsim/internal/cabac"
	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_enc_lane.v

// wordBytes is the size of the words that a lane emits.
const wordBytes = 8

// A LaneUnit codes slices, one after the other: BinariseUnit, cabachw.EncoderUnit and
// cabachw.NALUnit. A slice begins when the bytes of the one before are gone.
type LaneUnit struct {
	In  *sim.Stream[Word]
	Out *sim.Stream[cabachw.Word]

	binarise *BinariseUnit
	ops      sim.Stream[cabac.Op]
	engine   *cabachw.EncoderUnit
	bytes    sim.Stream[cabachw.Byte]
	nal      *cabachw.NALUnit
	open     bool // a slice is under way, or its bytes are
	first    bool // nothing of it is coded

	coder *cabachw.EncoderAhead // engine and nal while the lane runs ahead
	ahead laneAhead
}

// NewLaneUnit returns a lane after reset; runBits bounds its outstanding bytes.
func NewLaneUnit(spec LaneSpec, runBits int, in *sim.Stream[Word], set *sim.Stream[hw.ContextValue], out *sim.Stream[cabachw.Word]) *LaneUnit {
	u := &LaneUnit{In: in, Out: out}
	u.binarise = NewBinariseUnit(spec, in, set, &u.ops)
	u.engine = cabachw.NewEncoderUnit(cabachw.EncoderSpec{Contexts: hw.EncContexts(spec.MaxTU), Bypass: spec.Bypass, RunBits: runBits}, &u.ops, &u.bytes)
	u.nal = cabachw.NewNALUnit(wordBytes, &u.bytes, out)
	u.coder = cabachw.NewEncoderAhead(u.engine, u.nal)
	u.ahead.binarise.coder, u.ahead.binarise.ops = u.coder, new(aheadOps)
	u.ahead.binarise.size, u.ahead.binarise.depth = uint8(spec.Bypass), uint32(spec.Groups)
	return u
}

// Overflow reports that a run of outstanding bytes did not fit its counter.
func (u *LaneUnit) Overflow() bool { return u.engine.Overflow() }

// Outstanding starts the lane with the count of outstanding bytes at n; see cabachw.EncoderUnit.Outstanding.
func (u *LaneUnit) Outstanding(n uint32) { u.engine.Outstanding(n) }

// Init returns whether the lane asks for contexts, and of which QP.
func (u *LaneUnit) Init() (ask bool, qp uint8) { return u.binarise.Init, u.binarise.QP }

// codes reports whether an operation other than a context value moves.
func (u *LaneUnit) codes() bool { return u.ops.Moves() && u.ops.Data.Kind != cabac.OpInit }

func (u *LaneUnit) Eval() {
	u.nal.Eval()
	u.engine.Eval()
	u.binarise.Start = !u.open
	u.binarise.Eval()
}

func (u *LaneUnit) Clock() {
	switch {
	case u.binarise.Init:
		u.open, u.first = true, true
	case u.Out.Moves() && u.Out.Data.Last:
		u.open = false
	}
	u.nal.Clock()
	u.engine.Clock()
	u.binarise.Clock()
}
