package hwenc

import (
	"vcsim/sim"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_decide.v

// A DecideUnit decides mode and transform tree of the CTUs of a pixel path, in order: the
// mode while the source samples come, the tree behind it. It copies the samples to the
// memory of the closed loop and sends the plan behind them.
type DecideUnit struct {
	Ref  *sim.Stream[RefJob]
	Src  *sim.Stream[hw.SourceBeat]
	Plan *sim.Stream[Plan] // always taken

	mode  *ModeUnit
	split *splitUnit
}

// NewDecideUnit returns the unit after reset.
func NewDecideUnit(spec Spec, ref *sim.Stream[RefJob], src *sim.Stream[hw.SourceBeat], plan *sim.Stream[Plan]) *DecideUnit {
	u := &DecideUnit{Ref: ref, Src: src, Plan: plan}
	u.mode = NewModeUnit(spec, ref, src)
	u.split = newSplitUnit(spec, &u.mode.Out, plan)
	u.mode.Room = &u.split.room
	return u
}

func (u *DecideUnit) Eval() {
	u.split.eval()
	u.mode.Eval()
}

// Written returns the beat that goes to the memory of the closed loop in this cycle, and
// its address: thread, number of the beat.
func (u *DecideUnit) Written() (beat hw.SourceBeat, addr int, valid bool) { return u.split.written() }

func (u *DecideUnit) Clock() {
	come := u.Src.Moves()
	// The split unit looks at the choice that the mode unit changes.
	u.split.clock(come, u.Src.Data)
	u.mode.Clock()
}
