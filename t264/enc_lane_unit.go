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
	lead   int  // cycles that engine and packing have done already
}

// NewEncLaneUnit returns a lane of turns threads after reset.
func NewEncLaneUnit(fetch *sim.Stream[Fetch], set *sim.Stream[ContextValue], out *sim.Stream[cabac.Word], bypass, turns int) *EncLaneUnit {
	u := &EncLaneUnit{Out: out, turns: uint8(turns)}
	u.ResidualUnit = *NewResidualUnit(fetch, set, &u.ops, bypass, 32-storeWords)
	u.engine = cabac.NewEncoderUnit(&u.ops, &u.bytes, cabac.EncoderSpec{Contexts: laneContexts, Bypass: bypass, RunBits: laneRunBits})
	u.nal = cabac.NewNALUnit(&u.bytes, out, wordBytes)
	return u
}

// Overflow reports that a run of outstanding bytes did not fit its counter.
func (u *EncLaneUnit) Overflow() bool { return u.engine.Overflow() }

func (u *EncLaneUnit) Eval() {
	if u.lead == 0 {
		u.nal.Eval()
		u.engine.Eval()
	} else {
		u.Out.Valid, u.ops.Ready = false, true
	}
	u.ResidualUnit.Eval()
	u.Start = !u.open
}

func (u *EncLaneUnit) Clock() {
	switch {
	case u.Init:
		u.open = true
	case u.Out.Moves() && u.Out.Data.Last:
		u.open = false
	case !u.open && !u.Avail:
		if u.Turn++; u.Turn == u.turns {
			u.Turn = 0
		}
	}
	if u.lead == 0 {
		u.nal.Clock()
		u.engine.Clock()
	} else {
		u.lead--
	}
	u.ResidualUnit.Clock()
}

// ahead is called before Clock. It lets engine and packing do the operations that
// are made, up to the next word or a stage that waits; then one moves in each of
// these cycles. It returns the number of cycles from this one on, limit at most,
// in which besides no output changes and no input is looked at: they are done,
// and until they are over neither Eval nor Clock may be called.
func (u *EncLaneUnit) ahead(limit int) int {
	r := &u.ResidualUnit
	if r.state != residualRun || !r.valid || r.take || !u.open {
		return 0
	}
	if u.lead == 0 {
		if r.pos == 0 { // op is not of ops
			return 0
		}
		if u.lead = u.engine.Ahead(u.nal, r.ops[r.pos-1:]); u.lead == 0 {
			return 0
		}
		u.ops.Ready = true
	}
	if r.req || r.wait || u.Out.Valid {
		return 0
	}
	end := len(r.ops)
	if r.fetchAt >= 0 {
		end = min(end, r.fetchAt)
	}
	if r.lateAt >= 0 {
		end = min(end, r.lateAt)
	}
	n := min(limit, end-r.pos, u.lead)
	if n <= 0 {
		return 0
	}
	u.lead -= n
	r.pos += n
	r.op = r.ops[r.pos-1]
	r.passed()
	return n
}
