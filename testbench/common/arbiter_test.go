package common

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/testbench"
)

type arbiterModel struct {
	in    []sim.Stream[uint64]
	out   sim.Stream[sim.Tagged[uint64]]
	unit  sim.Arbiter[uint64]
	idle  []*testbench.Gate
	back  *testbench.Gate
	rng   *rand.Rand
	width int
}

func newArbiterModel(width, inputs int, stall testbench.Stall, seed uint64) *arbiterModel {
	m := &arbiterModel{in: make([]sim.Stream[uint64], inputs), width: width, rng: rand.New(rand.NewPCG(seed, 1)), back: testbench.NewGate(seed<<8, stall.Back)}
	m.unit.Out = &m.out
	for i := range m.in {
		m.unit.In = append(m.unit.In, &m.in[i])
		m.idle = append(m.idle, testbench.NewGate(seed<<8+uint64(i)+1, stall.Idle))
	}
	return m
}

func (m *arbiterModel) Cycle(in, out []uint64) {
	m.out.Ready = m.back.Open()
	for i := range m.in {
		if s := &m.in[i]; !s.Valid {
			s.Data = m.rng.Uint64() & (1<<m.width - 1)
			s.Valid = m.idle[i].Open()
		}
	}
	m.unit.Eval()
	clear(in)
	clear(out)
	for i := range m.in {
		in[0] |= bit(m.in[i].Valid) << i
		in[1] |= m.in[i].Data << (m.width * i)
		out[0] |= bit(m.in[i].Ready) << i
	}
	in[2] = bit(m.out.Ready)
	out[1], out[2], out[3] = bit(m.out.Valid), m.out.Data.Word, uint64(m.out.Data.Source)
	m.unit.Clock()
	for i := range m.in {
		if m.in[i].Moves() {
			m.in[i].Valid = false
		}
	}
}

func arbiterSets() (testbench.Unit, []testbench.Set) {
	u := streamUnit("vc_arbiter")
	u.Out = append(u.Out, testbench.Port{Name: "out_source_o", Guard: "out_valid_o"})
	var sets []testbench.Set
	for _, p := range []struct{ width, inputs, bits int }{{8, 4, 2}, {16, 1, 1}, {9, 2, 1}, {8, 5, 3}} {
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Width", Value: p.width}, {Name: "Inputs", Value: p.inputs}},
			Width: map[string]int{"in_valid_i": p.inputs, "in_ready_o": p.inputs, "in_data_i": p.width * p.inputs,
				"out_data_o": p.width, "out_source_o": p.bits},
			Model: func(stall testbench.Stall, seed uint64) testbench.Model {
				return newArbiterModel(p.width, p.inputs, stall, seed)
			},
		})
	}
	return u, sets
}

func TestArbiter(t *testing.T) { cosim(t, arbiterSets) }
