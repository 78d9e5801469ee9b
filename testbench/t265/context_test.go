package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/hw"
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
		Top: "t265_context", Source: "rtl/t265/t265_context.v", Binding: "testbench/t265/bind/t265_context.cpp",
		In: []testbench.Port{{Name: "init_i"}, {Name: "init_qp_i"}},
		Out: []testbench.Port{{Name: "set_valid_o"}, {Name: "set_ctx_o", Bits: 7, Guard: "set_valid_o"}, {Name: "set_value_o", Bits: 7, Guard: "set_valid_o"},
			{Name: "set_last_o", Bits: 1, Guard: "set_valid_o"}},
	}
	for _, spec := range []hw.ContextSpec{{Lanes: 4, MaxTU: 32}, {Lanes: 1, MaxTU: 8}, {Lanes: 10, MaxTU: 16}} {
		n := spec.Lanes
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Lanes", Value: n}, {Name: "MaxTU", Value: spec.MaxTU}},
			Width:  map[string]int{"init_i": n, "init_qp_i": 6 * n, "set_valid_o": n},
			Model:  func(stall testbench.Stall, seed uint64) testbench.Model { return newContextModel(spec, stall, seed) },
		})
	}
	return u, sets
}

func TestContext(t *testing.T) {
	u, sets := contextSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
