package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabac"
	"vcsim/sim"
	"vcsim/t265/hw"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// binariseModel drives a binariser with the words of random blocks.
type binariseModel struct {
	in    sim.Stream[hwenc.Word]
	set   sim.Stream[hw.ContextValue]
	out   sim.Stream[cabac.Op]
	unit  *hwenc.BinariseUnit
	idle  *testbench.Gate
	back  *testbench.Gate
	rng   *rand.Rand
	words *randomWords
	queue []hwenc.Word
	ctx   int // contexts still to be set
}

func newBinariseModel(spec hwenc.LaneSpec, stall testbench.Stall, seed uint64) *binariseModel {
	m := &binariseModel{
		idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back),
		rng: rand.New(rand.NewPCG(seed, 1)), words: newRandomWords(5, seed),
	}
	m.unit = hwenc.NewBinariseUnit(spec, &m.in, &m.set, &m.out)
	return m
}

func (m *binariseModel) Cycle(in, out []uint64) {
	u := m.unit
	u.Start = m.idle.Open()
	if len(m.queue) == 0 {
		m.queue = m.words.next()
	}
	if !m.in.Valid {
		if m.in.Data = hwenc.Word(m.rng.Uint64() >> 8); m.idle.Open() {
			m.in.Valid, m.in.Data = true, m.queue[0]
			m.queue = m.queue[1:]
		}
	}
	if !m.set.Valid {
		m.set.Data = hw.ContextValue{Ctx: uint8(m.rng.IntN(128)), Value: uint8(m.rng.IntN(128)), Last: m.rng.IntN(2) == 0}
		if u.Init && m.idle.Open() {
			m.set.Valid, m.set.Data.Last = true, m.ctx == 0
			if m.ctx--; m.ctx < 0 {
				m.ctx = m.rng.IntN(20)
			}
		}
	}
	m.out.Ready = m.back.Open()
	u.Eval()
	op, s := &m.out.Data, &m.set
	in[0], in[1], in[2], in[3], in[4] = bit(u.Start), bit(m.in.Valid), uint64(m.in.Data), bit(s.Valid), uint64(s.Data.Ctx)
	in[5], in[6], in[7] = uint64(s.Data.Value), bit(s.Data.Last), bit(m.out.Ready)
	out[0], out[1], out[2], out[3], out[4] = bit(m.in.Ready), bit(u.Init), uint64(u.QP), bit(s.Ready), bit(m.out.Valid)
	out[5], out[6], out[7], out[8] = uint64(op.Kind), uint64(op.Ctx), uint64(op.Count), uint64(op.Bits)
	u.Clock()
	if m.in.Moves() {
		m.in.Valid = false
	}
	if s.Moves() {
		s.Valid = false
	}
}

func binariseSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_binarise", Source: "rtl/t265/t265_binarise.v", Binding: "testbench/t265/bind/t265_binarise.cpp",
		In: []testbench.Port{{Name: "start_i", Bits: 1}, {Name: "in_valid_i", Bits: 1}, {Name: "in_data_i", Bits: 56}, {Name: "set_valid_i", Bits: 1},
			{Name: "set_ctx_i", Bits: 7}, {Name: "set_value_i", Bits: 7}, {Name: "set_last_i", Bits: 1}, {Name: "out_ready_i", Bits: 1}},
		Out: []testbench.Port{{Name: "in_ready_o", Bits: 1}, {Name: "init_valid_o", Bits: 1}, {Name: "init_qp_o", Bits: 6}, {Name: "set_ready_o", Bits: 1},
			{Name: "out_valid_o", Bits: 1}, {Name: "out_kind_o", Bits: 2, Guard: "out_valid_o"}, {Name: "out_ctx_o", Bits: 7, Guard: "out_valid_o"},
			{Name: "out_count_o", Bits: 3, Guard: "out_valid_o"}, {Name: "out_bits_o", Bits: 7, Guard: "out_valid_o"}},
	}
	for _, spec := range []hwenc.LaneSpec{{Bypass: 4, Groups: 4, MaxTU: 32}, {Bypass: 7, Groups: 8, MaxTU: 32}, {Bypass: 5, Groups: 2, MaxTU: 32}} {
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Bypass", Value: spec.Bypass}, {Name: "Groups", Value: spec.Groups}},
			Model:  func(stall testbench.Stall, seed uint64) testbench.Model { return newBinariseModel(spec, stall, seed) },
		})
	}
	return u, sets
}

func TestBinarise(t *testing.T) {
	u, sets := binariseSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
