package common

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabac"
	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/testbench"
)

// laneModel drives an encoder lane with codewords of random bins.
type laneModel struct {
	in   sim.Stream[cabac.Op]
	out  sim.Stream[cabachw.Byte]
	unit *cabachw.EncoderUnit
	spec cabachw.EncoderSpec
	idle *testbench.Gate
	back *testbench.Gate
	rng  *rand.Rand
	init int // contexts that are still to be set
	left int // ops of the codeword
	skew float64
	// source gives the next op, if there is one; random ones by default.
	source func() (cabac.Op, bool)
}

func newLaneModel(spec cabachw.EncoderSpec, stall testbench.Stall, seed uint64) *laneModel {
	m := &laneModel{
		spec: spec, idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back),
		rng: rand.New(rand.NewPCG(seed, 1)), init: spec.Contexts, left: 300, skew: 0.3,
	}
	m.unit = cabachw.NewEncoderUnit(spec, &m.in, &m.out)
	m.source = func() (cabac.Op, bool) { return m.next(), true }
	return m
}

// next returns the op that follows: all contexts, then bins, then the end.
func (m *laneModel) next() cabac.Op {
	if m.init > 0 {
		m.init--
		return cabac.Op{Kind: cabac.OpInit, Ctx: uint8(m.init), Bits: cabac.InitContext(1 + m.rng.IntN(126))}
	}
	if m.left == 0 {
		m.left = m.rng.IntN(1500)
		m.skew = [...]float64{0.02, 0.3, 0.97, 1}[m.rng.IntN(4)]
		m.init = m.spec.Contexts * m.rng.IntN(2)
		return cabac.Op{Kind: cabac.OpTerminate, Bits: 1}
	}
	m.left--
	op := cabac.Op{Ctx: uint8(m.rng.IntN(m.spec.Contexts))}
	switch kind := m.rng.IntN(16); {
	case kind < 8:
		if m.rng.Float64() < m.skew {
			op.Bits = 1
		}
		op.Count = uint8(m.rng.IntN(2))
		op.Bits |= uint8(m.rng.IntN(2)) << 1
	case kind < 14 || m.skew == 1 && m.left%64 != 0:
		op.Kind, op.Count = cabac.OpBypass, uint8(1+m.rng.IntN(m.spec.Bypass))
		op.Bits = uint8(m.rng.IntN(1 << op.Count))
		if m.skew > 0.9 {
			op.Bits = 1<<op.Count - 1
		}
	default:
		op.Kind = cabac.OpTerminate
	}
	return op
}

func (m *laneModel) Cycle(in, out []uint64) {
	if !m.in.Valid && m.idle.Open() {
		if op, ok := m.source(); ok {
			m.in.Valid, m.in.Data = true, op
		}
	}
	m.out.Ready = m.back.Open()
	m.unit.Eval()
	op := m.in.Data
	if !m.in.Valid { // whatever
		op = cabac.Op{Kind: uint8(m.rng.IntN(4)), Ctx: uint8(m.rng.IntN(m.spec.Contexts)), Count: uint8(m.rng.IntN(8)), Bits: uint8(m.rng.IntN(128))}
	}
	in[0], in[1], in[2], in[3], in[4], in[5] = bit(m.in.Valid), uint64(op.Kind), uint64(op.Ctx), uint64(op.Count), uint64(op.Bits), bit(m.out.Ready)
	out[0], out[1], out[2], out[3] = bit(m.in.Ready), bit(m.out.Valid), uint64(m.out.Data.Data), bit(m.out.Data.Last)
	out[4] = bit(m.unit.Overflow())
	m.unit.Clock()
	if m.in.Moves() {
		m.in.Valid = false
	}
}

func laneParams(spec cabachw.EncoderSpec) []testbench.Param {
	return []testbench.Param{{Name: "Contexts", Value: spec.Contexts},
		{Name: "Bypass", Value: spec.Bypass}, {Name: "RunBits", Value: spec.RunBits}}
}

func laneSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "vc_cabac_enc", Source: "rtl/common/vc_cabac_enc.v", Binding: "testbench/common/bind/vc_cabac_enc.cpp",
		In: []testbench.Port{{Name: "in_valid_i", Bits: 1}, {Name: "in_kind_i", Bits: 2}, {Name: "in_ctx_i"}, {Name: "in_count_i", Bits: 3},
			{Name: "in_bits_i", Bits: 7}, {Name: "out_ready_i", Bits: 1}},
		Out: []testbench.Port{{Name: "in_ready_o", Bits: 1}, {Name: "out_valid_o", Bits: 1}, {Name: "out_data_o", Bits: 8, Guard: "out_valid_o"},
			{Name: "out_last_o", Bits: 1, Guard: "out_valid_o"}, {Name: "overflow_o", Bits: 1}},
	}
	for _, spec := range []cabachw.EncoderSpec{cabachw.DefaultEncoderSpec(), {Contexts: 8, Bypass: 1, RunBits: 2}, {Contexts: 256, Bypass: 7, RunBits: 20}} {
		sets = append(sets, testbench.Set{
			Params: laneParams(spec),
			Width:  map[string]int{"in_ctx_i": spec.CtxBits()},
			Model:  func(stall testbench.Stall, seed uint64) testbench.Model { return newLaneModel(spec, stall, seed) },
		})
	}
	return u, sets
}

func TestCABACEncoder(t *testing.T) { cosim(t, laneSets) }
