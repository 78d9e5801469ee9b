package t264

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t264"
	"vcsim/testbench"
)

// contextModel drives the computing of contexts with lanes that ask at random.
type contextModel struct {
	unit *t264.EncContextUnit
	set  []*sim.Stream[t264.ContextValue]
	idle *testbench.Gate
	back []*testbench.Gate
	rng  *rand.Rand
}

func newContextModel(lanes int, stall testbench.Stall, seed uint64) *contextModel {
	m := &contextModel{idle: testbench.NewGate(seed, stall.Idle), rng: rand.New(rand.NewPCG(seed, 1))}
	for i := range lanes {
		m.set = append(m.set, new(sim.Stream[t264.ContextValue]))
		m.back = append(m.back, testbench.NewGate(seed+uint64(100*i), stall.Back))
	}
	m.unit = t264.NewEncContextUnit(m.set)
	return m
}

func (m *contextModel) Cycle(in, out []uint64) {
	u := m.unit
	clear(in)
	for i, s := range m.set {
		if !u.Init[i] && m.rng.IntN(200) == 0 && m.idle.Open() {
			u.Init[i], u.QP[i] = true, uint8(m.rng.IntN(52))
		}
		s.Ready = u.Init[i] && m.back[i].Open()
		in[0] |= bit(u.Init[i]) << i
		in[1] |= uint64(u.QP[i]) << (6 * i)
		in[2] |= bit(s.Ready) << i
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
			u.Init[i], u.QP[i] = false, 0
		}
	}
}

func contextSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t264_enc_context", Source: "rtl/t264/t264_enc_context.v", Binding: "testbench/t264/bind/t264_enc_context.cpp",
		In: []testbench.Port{{Name: "init_valid_i"}, {Name: "init_qp_i"}, {Name: "set_ready_i"}},
		Out: []testbench.Port{{Name: "set_valid_o"}, {Name: "set_ctx_o", Bits: 7, Guard: "set_valid_o"}, {Name: "set_value_o", Bits: 7, Guard: "set_valid_o"},
			{Name: "set_last_o", Bits: 1, Guard: "set_valid_o"}},
	}
	for _, lanes := range []int{4, 1, 10} {
		bits := t264.EncSpec{Lanes: lanes}.LaneBits()
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Lanes", Value: lanes}, {Name: "LaneBits", Value: bits}},
			Width:  map[string]int{"init_valid_i": lanes, "init_qp_i": 6 * lanes, "set_ready_i": lanes, "set_valid_o": lanes},
			Model:  func(stall testbench.Stall, seed uint64) testbench.Model { return newContextModel(lanes, stall, seed) },
		})
	}
	return u, sets
}

func TestEncContext(t *testing.T) {
	u, sets := contextSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
