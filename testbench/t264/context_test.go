package t264

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t264/hw"
	"vcsim/testbench"
)

// contextModel drives the computing of contexts with lanes that ask at random,
// each until it has the last context.
type contextModel struct {
	unit *hw.ContextUnit
	set  []*sim.Stream[hw.ContextValue]
	idle *testbench.Gate
	rng  *rand.Rand
}

func newContextModel(spec hw.ContextSpec, stall testbench.Stall, seed uint64) *contextModel {
	m := &contextModel{idle: testbench.NewGate(seed, stall.Idle), rng: rand.New(rand.NewPCG(seed, 1))}
	for range spec.Lanes {
		m.set = append(m.set, new(sim.Stream[hw.ContextValue]))
	}
	m.unit = hw.NewContextUnit(spec, m.set)
	return m
}

func (m *contextModel) Cycle(in, out []uint64) {
	u := m.unit
	clear(in)
	for i, s := range m.set {
		if !u.Init[i] && m.rng.IntN(200) == 0 && m.idle.Open() {
			u.Init[i], u.QP[i] = true, uint8(m.rng.IntN(52))
		}
		s.Ready = u.Init[i]
		in[0] |= bit(u.Init[i]) << i
		in[1] |= uint64(u.QP[i]) << (6 * i)
	}
	u.Eval()
	clear(out)
	for i, s := range m.set {
		out[0] |= bit(s.Valid) << i
		out[1], out[2], out[3] = uint64(s.Data.Ctx), uint64(s.Data.Value), bit(s.Data.Last)
	}
	u.Clock()
	for i, s := range m.set {
		if s.Moves() && s.Data.Last {
			u.Init[i] = false
		}
	}
}

func contextSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t264_context", Source: "rtl/t264/t264_context.v", Binding: "testbench/t264/bind/t264_context.cpp",
		In: []testbench.Port{{Name: "init_i"}, {Name: "init_qp_i"}},
		Out: []testbench.Port{{Name: "set_valid_o"}, {Name: "set_ctx_o", Bits: 8, Guard: "set_valid_o"}, {Name: "set_value_o", Bits: 7, Guard: "set_valid_o"},
			{Name: "set_last_o", Bits: 1, Guard: "set_valid_o"}},
	}
	for _, spec := range []hw.ContextSpec{{Lanes: 4}, {Lanes: 8, Decoder: true}, {Lanes: 1}, {Lanes: 10}, {Lanes: 1, Decoder: true}, {Lanes: 5, Decoder: true}} {
		n := spec.Lanes
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Lanes", Value: n}, {Name: "Decoder", Value: int(bit(spec.Decoder))}},
			Width:  map[string]int{"init_i": n, "init_qp_i": 6 * n, "set_valid_o": n, "set_ctx_o": spec.CtxBits()},
			Model:  func(stall testbench.Stall, seed uint64) testbench.Model { return newContextModel(spec, stall, seed) },
		})
	}
	return u, sets
}

func TestContext(t *testing.T) {
	u, sets := contextSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
