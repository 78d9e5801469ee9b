package common

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/testbench"
)

// unpackModel sends words whose bytes are mostly zeros and threes; share is the
// part of full words, in 8ths.
type unpackModel struct {
	in         sim.Stream[cabachw.Word]
	out        sim.Stream[cabachw.Byte]
	unit       *cabachw.UnpackUnit
	idle, back *testbench.Gate
	rng        *rand.Rand
	share      int
}

func (m *unpackModel) Cycle(in, out []uint64) {
	if !m.in.Valid && m.idle.Open() {
		w := cabachw.Word{Count: 8, Last: m.rng.IntN(8) == 0}
		if m.rng.IntN(8) >= m.share {
			w.Count = uint8(1 + m.rng.IntN(8))
		}
		for range 8 {
			w.Data = w.Data<<8 | uint64([...]uint8{0, 0, 0, 3, 1, uint8(m.rng.Uint32())}[m.rng.IntN(6)])
		}
		m.in.Valid, m.in.Data = true, w
	}
	m.out.Ready = m.back.Open()
	m.unit.Eval()
	w := &m.in.Data
	in[0], in[1], in[2], in[3], in[4] = bit(m.in.Valid), w.Data, uint64(w.Count), bit(w.Last), bit(m.out.Ready)
	out[0], out[1], out[2], out[3] = bit(m.in.Ready), bit(m.out.Valid), uint64(m.out.Data.Data), bit(m.out.Data.Last)
	m.unit.Clock()
	if m.in.Moves() {
		m.in.Valid = false
	}
}

func unpackSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "vc_nal_unpack", Source: "rtl/common/vc_nal_unpack.v", Binding: "testbench/common/bind/vc_nal_unpack.cpp",
		In: []testbench.Port{{Name: "in_valid_i", Bits: 1}, {Name: "in_data_i", Bits: 64}, {Name: "in_count_i", Bits: 4}, {Name: "in_last_i", Bits: 1},
			{Name: "out_ready_i", Bits: 1}},
		Out: []testbench.Port{{Name: "in_ready_o", Bits: 1}, {Name: "out_valid_o", Bits: 1}, {Name: "out_data_o", Bits: 8, Guard: "out_valid_o"},
			{Name: "out_last_o", Bits: 1, Guard: "out_valid_o"}},
	}
	// The module has no parameter; the sets differ in the words.
	for _, share := range []int{8, 4, 0} {
		sets = append(sets, testbench.Set{Model: func(stall testbench.Stall, seed uint64) testbench.Model {
			m := &unpackModel{idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back),
				rng: rand.New(rand.NewPCG(seed, 1)), share: share}
			m.unit = cabachw.NewUnpackUnit(&m.in, &m.out)
			return m
		}})
	}
	return u, sets
}

func TestNALUnpack(t *testing.T) {
	u, sets := unpackSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
