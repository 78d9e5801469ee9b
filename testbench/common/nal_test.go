package common

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/testbench"
)

// nalModel drives the packing with slice data of many small bytes.
type nalModel struct {
	in    sim.Stream[cabachw.Byte]
	out   sim.Stream[cabachw.Word]
	unit  *cabachw.NALUnit
	idle  *testbench.Gate
	back  *testbench.Gate
	rng   *rand.Rand
	left  int // bytes of the NAL unit
	small int // bytes below 4 in 8
	zeros int // bytes of zero still to come at the start
}

func newNALModel(size int, stall testbench.Stall, seed uint64) *nalModel {
	m := &nalModel{
		idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back),
		rng: rand.New(rand.NewPCG(seed, 3)), left: 100, small: 6, zeros: 2, // the first word is full: all its bytes have a value
	}
	m.unit = cabachw.NewNALUnit(size, &m.in, &m.out)
	return m
}

func (m *nalModel) next() cabachw.Byte {
	m.left--
	b := cabachw.Byte{Data: uint8(m.rng.IntN(256)), Last: m.left == 0}
	if m.rng.IntN(8) < m.small {
		b.Data &= uint8(m.rng.IntN(8))
	}
	if m.zeros > 0 {
		m.zeros--
		b.Data = 0
	}
	if b.Last {
		b.Data |= 1
		m.left, m.small = 1+m.rng.IntN(1+m.rng.IntN(60)), m.rng.IntN(9)
	}
	return b
}

func (m *nalModel) Cycle(in, out []uint64) {
	if !m.in.Valid && m.idle.Open() {
		m.in.Valid, m.in.Data = true, m.next()
	}
	m.out.Ready = m.back.Open()
	m.unit.Eval()
	in[0], in[1], in[2], in[3] = bit(m.in.Valid), uint64(m.in.Data.Data), bit(m.in.Data.Last), bit(m.out.Ready)
	w := &m.out.Data
	out[0], out[1], out[2], out[3], out[4] = bit(m.in.Ready), bit(m.out.Valid), w.Data, uint64(w.Count), bit(w.Last)
	m.unit.Clock()
	if m.in.Moves() {
		m.in.Valid = false
	}
}

func nalSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "vc_nal_pack", Source: "rtl/common/vc_nal_pack.v", Binding: "testbench/common/bind/vc_nal_pack.cpp",
		In: []testbench.Port{{Name: "in_valid_i", Bits: 1}, {Name: "in_data_i", Bits: 8}, {Name: "in_last_i", Bits: 1}, {Name: "out_ready_i", Bits: 1}},
		Out: []testbench.Port{{Name: "in_ready_o", Bits: 1}, {Name: "out_valid_o", Bits: 1}, {Name: "out_data_o", Guard: "out_valid_o"},
			{Name: "out_count_o", Guard: "out_valid_o"}, {Name: "out_last_o", Bits: 1, Guard: "out_valid_o"}},
	}
	for _, size := range []int{8, 2, 5} {
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Bytes", Value: size}},
			Width:  map[string]int{"out_data_o": 8 * size, "out_count_o": cabachw.CountBits(size)},
			Model:  func(stall testbench.Stall, seed uint64) testbench.Model { return newNALModel(size, stall, seed) },
		})
	}
	return u, sets
}

func TestNALPack(t *testing.T) { cosim(t, nalSets) }
