package hwenc

import (
	"vcsim/internal/cabac"
	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_enc_lane.v

// laneRunBits bounds the outstanding bytes of a lane of a Unit.
const laneRunBits = 16

// wordBytes is the size of the words that a lane emits.
const wordBytes = 8

// A LaneUnit codes the macroblocks of the threads of a lane, one slice after
// the other: ResidualUnit, cabachw.EncoderUnit and cabachw.NALUnit. Between slices,
// with the bytes of the last one gone, it looks at one thread a cycle.
type LaneUnit struct {
	Out *sim.Stream[cabachw.Word]
	// Turn is the thread of the lane that is looked at or coded.
	Turn uint8

	residual *ResidualUnit
	ops      sim.Stream[cabac.Op]
	engine   *cabachw.EncoderUnit
	bytes    sim.Stream[cabachw.Byte]
	nal      *cabachw.NALUnit
	turns    uint8
	open     bool // a slice is under way, or its bytes are
	first    bool // nothing of it is coded

	coder *cabachw.EncoderAhead // engine and nal while the lane runs ahead
	ahead laneAhead
}

// NewLaneUnit returns a lane of an encoder after reset, to which the store answers with block; runBits bounds its
// outstanding bytes.
func NewLaneUnit(spec Spec, runBits int, fetch *sim.Stream[Fetch], block *Block, set *sim.Stream[hw.ContextValue], out *sim.Stream[cabachw.Word]) *LaneUnit {
	u := &LaneUnit{Out: out, turns: uint8(spec.Threads / spec.Lanes)}
	u.residual = NewResidualUnit(spec.Bypass, 32-storeWords, fetch, set, &u.ops)
	u.residual.Block = block
	u.engine = cabachw.NewEncoderUnit(cabachw.EncoderSpec{Contexts: hw.EncContexts, Bypass: spec.Bypass, RunBits: runBits}, &u.ops, &u.bytes)
	u.nal = cabachw.NewNALUnit(wordBytes, &u.bytes, out)
	u.coder = cabachw.NewEncoderAhead(u.engine, u.nal)
	return u
}

// Overflow reports that a run of outstanding bytes did not fit its counter.
func (u *LaneUnit) Overflow() bool { return u.engine.Overflow() }

// drive drives the inputs beside the streams: whether the store holds a macroblock for the lane, and whether the block of the
// store is its answer.
func (u *LaneUnit) drive(avail, load bool) {
	u.residual.Avail, u.residual.Load = avail, load
}

// wish is what the store sees of the lane.
func (u *LaneUnit) wish() wish {
	r := u.residual
	return wish{asks: r.req, fetch: r.want, late: r.isLate}
}

// Init returns whether the lane asks for contexts, and of which QP.
func (u *LaneUnit) Init() (ask bool, qp uint8) { return u.residual.Init, u.residual.QP }

// codes reports whether an operation other than a context value moves.
func (u *LaneUnit) codes() bool { return u.ops.Moves() && u.ops.Data.Kind != cabac.OpInit }

func (u *LaneUnit) Eval() {
	u.nal.Eval()
	u.engine.Eval()
	u.residual.Eval()
	u.residual.Start = !u.open
}

func (u *LaneUnit) Clock() {
	switch {
	case u.residual.Init:
		u.open, u.first = true, true
	case u.Out.Moves() && u.Out.Data.Last:
		u.open = false
	case !u.open && !u.residual.Avail:
		if u.Turn++; u.Turn == u.turns {
			u.Turn = 0
		}
	}
	u.nal.Clock()
	u.engine.Clock()
	u.residual.Clock()
}
