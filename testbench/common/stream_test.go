// Package common holds the co-simulations of the units under rtl/common.
package common

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/testbench"
)

// cosimCycles is what the issue asks of a unit, over all sets and patterns.
const cosimCycles = 1 << 20

// A setsFunc describes a unit and its parameter sets.
type setsFunc func() (testbench.Unit, []testbench.Set)

// cosim compares a unit, beside the others.
func cosim(t *testing.T, f setsFunc) {
	t.Parallel()
	u, sets := f()
	testbench.Cosim(t, u, sets, cosimCycles)
}

// streamModel drives a unit with one input and one output stream of words.
type streamModel struct {
	in, out sim.Stream[uint64]
	unit    sim.Unit
	idle    *testbench.Gate
	back    *testbench.Gate
	rng     *rand.Rand
	mask    uint64
}

func newStreamModel(width int, stall testbench.Stall, seed uint64) *streamModel {
	return &streamModel{
		idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back),
		rng: rand.New(rand.NewPCG(seed, 1)), mask: 1<<width - 1,
	}
}

func (m *streamModel) Cycle(in, out []uint64) {
	if !m.in.Valid {
		m.in.Data = m.rng.Uint64() & m.mask
		m.in.Valid = m.idle.Open()
	}
	m.out.Ready = m.back.Open()
	m.unit.Eval()
	in[0], in[1], in[2] = bit(m.in.Valid), m.in.Data, bit(m.out.Ready)
	out[0], out[1], out[2] = bit(m.in.Ready), bit(m.out.Valid), m.out.Data
	m.unit.Clock()
	if m.in.Moves() {
		m.in.Valid = false
	}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func streamUnit(top string) testbench.Unit {
	return testbench.Unit{
		Top: top, Source: "rtl/common/" + top + ".v", Binding: "testbench/common/bind/" + top + ".cpp",
		In:  []testbench.Port{{Name: "in_valid_i", Bits: 1}, {Name: "in_data_i"}, {Name: "out_ready_i", Bits: 1}},
		Out: []testbench.Port{{Name: "in_ready_o", Bits: 1}, {Name: "out_valid_o", Bits: 1}, {Name: "out_data_o", Guard: "out_valid_o"}},
	}
}

func streamSet(width int, more []testbench.Param, unit func(in, out *sim.Stream[uint64]) sim.Unit) testbench.Set {
	return testbench.Set{
		Params: append([]testbench.Param{{Name: "Width", Value: width}}, more...),
		Width:  map[string]int{"in_data_i": width, "out_data_o": width},
		Model: func(stall testbench.Stall, seed uint64) testbench.Model {
			m := newStreamModel(width, stall, seed)
			m.unit = unit(&m.in, &m.out)
			return m
		},
	}
}

func pipeSets() (testbench.Unit, []testbench.Set) {
	var sets []testbench.Set
	for _, width := range []int{1, 8, 40} {
		sets = append(sets, streamSet(width, nil, func(in, out *sim.Stream[uint64]) sim.Unit {
			return &sim.Pipe[uint64]{In: in, Out: out}
		}))
	}
	return streamUnit("vc_pipe"), sets
}

func skidSets() (testbench.Unit, []testbench.Set) {
	var sets []testbench.Set
	for _, width := range []int{1, 8, 40} {
		sets = append(sets, streamSet(width, nil, func(in, out *sim.Stream[uint64]) sim.Unit {
			return &sim.Skid[uint64]{In: in, Out: out}
		}))
	}
	return streamUnit("vc_skid"), sets
}

func ramFIFOSets() (testbench.Unit, []testbench.Set) {
	var sets []testbench.Set
	for _, p := range []struct{ width, depth int }{{8, 2}, {12, 4}, {33, 40}, {5, 7}} {
		more := []testbench.Param{{Name: "Depth", Value: p.depth}}
		sets = append(sets, streamSet(p.width, more, func(in, out *sim.Stream[uint64]) sim.Unit {
			return sim.NewRAMFIFO(in, out, p.depth)
		}))
	}
	return streamUnit("vc_fifo_ram"), sets
}

func fifoSets() (testbench.Unit, []testbench.Set) {
	var sets []testbench.Set
	for _, p := range []struct{ width, depth int }{{8, 2}, {12, 4}, {33, 16}, {5, 7}} {
		more := []testbench.Param{{Name: "Depth", Value: p.depth}}
		sets = append(sets, streamSet(p.width, more, func(in, out *sim.Stream[uint64]) sim.Unit {
			return sim.NewFIFO(in, out, p.depth)
		}))
	}
	return streamUnit("vc_fifo"), sets
}

func TestPipe(t *testing.T)    { cosim(t, pipeSets) }
func TestSkid(t *testing.T)    { cosim(t, skidSets) }
func TestFIFO(t *testing.T)    { cosim(t, fifoSets) }
func TestRAMFIFO(t *testing.T) { cosim(t, ramFIFOSets) }
