package t264

import (
	"math/bits"

	"vcsim/sim"
)

// RTL: rtl/t264/t264_enc_context.v

// An EncContextUnit computes the initial contexts of a slice (clause 9.3.1.1) for
// the lanes that ask, one lane at a time, the lowest first. Stages: table;
// product and limits.
type EncContextUnit struct {
	Init []bool  // by lane: asks for the contexts of QP, until it has them
	QP   []uint8 // 0 where Init is not set
	Set  []*sim.Stream[ContextValue]

	busy  bool // lane gets its contexts
	lane  int
	qp    uint8
	index uint8 // of the next context to read from the table
	end   bool  // the table is read
	// Stages.
	valid1, valid2 bool
	ctx1           uint8
	value2         ContextValue
	move           bool
}

// NewEncContextUnit returns a unit for the given lanes.
func NewEncContextUnit(set []*sim.Stream[ContextValue]) *EncContextUnit {
	return &EncContextUnit{Init: make([]bool, len(set)), QP: make([]uint8, len(set)), Set: set}
}

// idle reports that nothing is under way: without Init a cycle changes nothing.
func (u *EncContextUnit) idle() bool { return !u.busy && !u.valid1 && !u.valid2 }

func (u *EncContextUnit) Eval() {
	for i, s := range u.Set {
		s.Valid, s.Data = u.valid2 && u.lane == i, u.value2
	}
	u.move = !u.valid2 || u.Set[u.lane].Ready
}

func (u *EncContextUnit) Clock() {
	done := u.valid2 && u.move && u.value2.Last
	if u.move {
		u.valid2 = u.valid1
		if u.valid1 {
			u.value2 = ContextValue{Ctx: u.ctx1, Value: initialContexts[u.qp][laneOrder[u.ctx1]], Last: u.ctx1 == laneContexts-1}
		}
		u.valid1 = u.busy && !u.end
		if u.valid1 {
			u.ctx1 = u.index
			u.end = u.index == laneContexts-1
			u.index++
		}
	}
	switch {
	case done:
		u.busy = false
	case !u.busy:
		for i, init := range u.Init {
			if init {
				u.busy, u.lane, u.qp, u.index, u.end = true, i, u.QP[i], 0, false
				break
			}
		}
	}
}

// LaneBits is the width of the number of a lane, at least 1.
func (s EncSpec) LaneBits() int { return max(1, bits.Len(uint(s.Lanes-1))) }
