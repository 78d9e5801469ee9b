package t264

import (
	"math/bits"

	"vcsim/sim"
)

// RTL: rtl/t264/t264_dec_context.v

// A DecContextUnit computes the contexts of a slice (clause 9.3.1.1) for the
// decoder lanes that ask, one lane at a time, the lowest first, in the order of
// their places. A lane takes what is set while it asks. Stages: table; product
// and limits.
type DecContextUnit struct {
	Init []bool  // by lane: asks for the contexts of QP, until it has the last
	QP   []uint8 // by lane, while Init is set
	Set  []*sim.Stream[ContextValue]

	busy  bool // lane gets its contexts
	lane  int
	qp    uint8
	index int  // of the next context to read from the table
	end   bool // the table is read
	// Stages.
	valid1, valid2 bool
	ctx1           uint8
	value2         ContextValue
}

// NewDecContextUnit returns a unit for the lanes at the other end of set.
func NewDecContextUnit(set []*sim.Stream[ContextValue]) *DecContextUnit {
	return &DecContextUnit{Init: make([]bool, len(set)), QP: make([]uint8, len(set)), Set: set}
}

// LaneBits is the width of the number of a lane.
func (u *DecContextUnit) LaneBits() int { return max(1, bits.Len(uint(len(u.Set)-1))) }

// Value returns what the registers behind Set hold, also while none is valid.
func (u *DecContextUnit) Value() ContextValue { return u.value2 }

func (u *DecContextUnit) Eval() {
	for i, s := range u.Set {
		s.Valid, s.Data = u.valid2 && u.lane == i, u.value2
	}
}

func (u *DecContextUnit) Clock() {
	if !u.busy {
		for i, ask := range u.Init {
			if ask {
				u.busy, u.lane, u.qp, u.index, u.end = true, i, u.QP[i], 0, false
				break
			}
		}
		return
	}
	u.busy = !(u.valid2 && u.value2.Last)
	u.valid2 = u.valid1
	if u.valid1 {
		u.value2 = ContextValue{Ctx: u.ctx1, Value: initialDecContexts[u.qp][u.ctx1], Last: u.ctx1 == decContexts-1}
	}
	u.valid1 = !u.end
	if u.valid1 {
		u.ctx1 = uint8(u.index)
		u.end = u.index == decContexts-1
		u.index++
	}
}
