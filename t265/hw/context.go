// Package hw holds what both sides of the hardware of t265 share: the unit of
// the contexts and their order in the lanes.
package hw

import (
	"fmt"
	"math/bits"

	"vcsim/sim"
)

// RTL: rtl/t265/t265_context.v

// A ContextSpec holds the parameters of a ContextUnit, spelled as in Verilog.
type ContextSpec struct {
	Lanes int // 1..64
	MaxTU int // largest transform block, 8, 16 or 32; the contexts of larger ones do not exist
}

// Validate reports the first parameter out of range.
func (s ContextSpec) Validate() error {
	if s.Lanes < 1 || s.Lanes > 64 {
		return fmt.Errorf("t265: Lanes is %d, not in 1..64", s.Lanes)
	}
	if s.MaxTU != 8 && s.MaxTU != 16 && s.MaxTU != 32 {
		return fmt.Errorf("t265: MaxTU is %d, not 8, 16 or 32", s.MaxTU)
	}
	return nil
}

// Contexts is the number of contexts of a lane.
func (s ContextSpec) Contexts() int { return EncContexts(s.MaxTU) }

// CtxBits is the width of the index of a context.
func (s ContextSpec) CtxBits() int { return bits.Len(uint(s.Contexts() - 1)) }

// A ContextValue sets a context of a lane at the start of a slice. Value is
// pStateIdx above valMps.
type ContextValue struct {
	Ctx, Value uint8
	Last       bool // of the slice
}

// A ContextUnit computes the initial contexts of a slice (clause 9.3.2.2) for the
// lanes that ask, one lane at a time, the lowest first, one context a cycle in the
// order of the lane. A lane takes what is set while it asks; it is empty between
// slices, so that nothing waits. Stages: table; product and limits.
type ContextUnit struct {
	Init []bool  // by lane: asks for the contexts of QP, until it has the last
	QP   []uint8 // by lane, 0..51, while Init is set
	Set  []*sim.Stream[ContextValue]

	count uint8 // contexts of a lane
	busy  bool  // lane gets its contexts
	lane  int
	qp    uint8
	index uint8 // of the next context to read from the table
	end   bool  // the table is read
	// Stages.
	valid1, valid2 bool
	ctx1           uint8
	value2         ContextValue
}

// NewContextUnit returns a unit after reset for the lanes at the other end of set.
func NewContextUnit(spec ContextSpec, set []*sim.Stream[ContextValue]) *ContextUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	if len(set) != spec.Lanes {
		panic(fmt.Sprintf("t265: %d streams for %d lanes", len(set), spec.Lanes))
	}
	return &ContextUnit{Init: make([]bool, len(set)), QP: make([]uint8, len(set)), Set: set, count: uint8(spec.Contexts())}
}

// Idle reports that nothing is under way: without Init a cycle changes nothing.
func (u *ContextUnit) Idle() bool { return !u.busy && !u.valid1 && !u.valid2 }

func (u *ContextUnit) Eval() {
	for i, s := range u.Set {
		s.Valid, s.Data = u.valid2 && u.lane == i, u.value2
	}
}

func (u *ContextUnit) Clock() {
	done := u.valid2 && u.value2.Last
	u.valid2 = u.valid1
	if u.valid1 {
		u.value2 = ContextValue{Ctx: u.ctx1, Value: InitialEncContexts[u.qp][u.ctx1], Last: u.ctx1 == u.count-1}
	}
	u.valid1 = u.busy && !u.end
	if u.valid1 {
		u.ctx1 = u.index
		u.end = u.index == u.count-1
		u.index++
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
