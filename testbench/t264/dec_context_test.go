package t264

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t264"
	"vcsim/testbench"
)

// decContextModel lets lanes ask at random; each asks until it has the last
// context.
type decContextModel struct {
	set   []*sim.Stream[t264.ContextValue]
	unit  *t264.DecContextUnit
	gates []*testbench.Gate
	rng   *rand.Rand
	ask   []bool
	qp    []uint8
}

func newDecContextModel(lanes int, stall testbench.Stall, seed uint64) *decContextModel {
	m := &decContextModel{rng: rand.New(rand.NewPCG(seed, 3)), ask: make([]bool, lanes), qp: make([]uint8, lanes)}
	for i := range lanes {
		m.set = append(m.set, new(sim.Stream[t264.ContextValue]))
		m.gates = append(m.gates, testbench.NewGate(seed<<8+uint64(i), stall.Idle))
	}
	m.unit = t264.NewDecContextUnit(m.set)
	return m
}

func (m *decContextModel) Cycle(in, out []uint64) {
	clear(in)
	clear(out)
	for i := range m.ask {
		if !m.ask[i] && m.gates[i].Open() && m.rng.IntN(100) == 0 {
			m.ask[i], m.qp[i] = true, uint8(m.rng.IntN(52))
		}
		m.unit.Init[i], m.unit.QP[i] = m.ask[i], 0
		if m.ask[i] {
			m.unit.QP[i] = m.qp[i]
			in[0] |= 1 << i
			in[1] |= uint64(m.qp[i]) << (6 * i)
		}
	}
	m.unit.Eval()
	for i, s := range m.set {
		if s.Valid {
			out[0] |= 1 << i
			if s.Data.Last {
				m.ask[i] = false // from the next cycle on
			}
		}
	}
	v := m.unit.Value()
	out[1], out[2] = uint64(v.Ctx), uint64(v.Value)
	if v.Last {
		out[3] = 1
	}
	m.unit.Clock()
}

func decContextSets(testing.TB) (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t264_dec_context", Source: "rtl/t264/t264_dec_context.v", Binding: "testbench/t264/bind/t264_dec_context.cpp",
		In: []testbench.Port{{Name: "init_i"}, {Name: "init_qp_i"}},
		Out: []testbench.Port{{Name: "set_valid_o"}, {Name: "set_ctx_o", Bits: 8, Guard: "set_valid_o"}, {Name: "set_value_o", Bits: 7, Guard: "set_valid_o"},
			{Name: "set_last_o", Bits: 1, Guard: "set_valid_o"}},
	}
	for _, lanes := range []int{8, 1, 5} {
		bits := newDecContextModel(lanes, testbench.Stall{}, 0).unit.LaneBits()
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Lanes", Value: lanes}, {Name: "LaneBits", Value: bits}},
			Width:  map[string]int{"init_i": lanes, "init_qp_i": 6 * lanes, "set_valid_o": lanes},
			Model: func(stall testbench.Stall, seed uint64) testbench.Model {
				return newDecContextModel(lanes, stall, seed)
			},
		})
	}
	return u, sets
}

func TestDecContext(t *testing.T) {
	u, sets := decContextSets(t)
	testbench.Cosim(t, u, sets, 1_100_000)
}
