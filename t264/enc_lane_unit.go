package t264

import (
	"vcsim/internal/cabac"
	"vcsim/sim"
)

// RTL: rtl/t264/t264_enc_lane.v

// laneRunBits bounds the outstanding bytes of a lane.
const laneRunBits = 16

// wordBytes is the size of the words that a lane emits.
const wordBytes = 8

// An EncLaneUnit codes the macroblocks of the threads of a lane, one slice after
// the other: ResidualUnit, cabac.EncoderUnit and cabac.NALUnit. Between slices,
// with the bytes of the last one gone, it looks at one thread a cycle.
type EncLaneUnit struct {
	ResidualUnit
	Out *sim.Stream[cabac.Word]
	// Turn is the thread of the lane that is looked at or coded.
	Turn uint8

	ops    sim.Stream[cabac.Op]
	bytes  sim.Stream[cabac.Byte]
	engine *cabac.EncoderUnit
	nal    *cabac.NALUnit
	turns  uint8
	open   bool // a slice is under way, or its bytes are
	first  bool // nothing of it is coded
	encLaneAhead
}

// NewEncLaneUnit returns a lane of turns threads after reset.
func NewEncLaneUnit(fetch *sim.Stream[Fetch], set *sim.Stream[ContextValue], out *sim.Stream[cabac.Word], bypass, turns int) *EncLaneUnit {
	u := &EncLaneUnit{Out: out, turns: uint8(turns)}
	u.ResidualUnit = *NewResidualUnit(fetch, set, &u.ops, bypass, 32-storeWords)
	u.engine = cabac.NewEncoderUnit(&u.ops, &u.bytes, cabac.EncoderSpec{Contexts: laneContexts, Bypass: bypass, RunBits: laneRunBits})
	u.nal = cabac.NewNALUnit(&u.bytes, out, wordBytes)
	u.ahead = cabac.NewEncoderAhead(u.engine, u.nal)
	return u
}

// Overflow reports that a run of outstanding bytes did not fit its counter.
func (u *EncLaneUnit) Overflow() bool { return u.engine.Overflow() }

func (u *EncLaneUnit) Eval() {
	u.nal.Eval()
	u.engine.Eval()
	u.ResidualUnit.Eval()
	u.Start = !u.open
}

func (u *EncLaneUnit) Clock() {
	switch {
	case u.Init:
		u.open, u.first = true, true
	case u.Out.Moves() && u.Out.Data.Last:
		u.open = false
	case !u.open && !u.Avail:
		if u.Turn++; u.Turn == u.turns {
			u.Turn = 0
		}
	}
	u.nal.Clock()
	u.engine.Clock()
	u.ResidualUnit.Clock()
}
