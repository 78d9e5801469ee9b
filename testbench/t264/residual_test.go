package t264

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabac"
	"vcsim/sim"
	"vcsim/t264/hw"
	"vcsim/t264/hwenc"
	"vcsim/testbench"
)

// residualModel drives a binariser with macroblocks. A pause of the input delays
// the answers to fetches and the contexts.
type residualModel struct {
	fetch sim.Stream[hwenc.Fetch]
	set   sim.Stream[hw.ContextValue]
	out   sim.Stream[cabac.Op]
	unit  *hwenc.ResidualUnit
	idle  *testbench.Gate
	back  *testbench.Gate
	rng   *rand.Rand
	mbs   *randomMBs
	cur   *macroblock
	rest  uint16 // AC blocks still to be fetched

	answer *hwenc.Block
	kind   hwenc.Fetch // of the answer
	wait   int         // cycles until the answer
	ctx    int         // contexts still to be set
}

func newResidualModel(bypass, late int, stall testbench.Stall, seed uint64) *residualModel {
	m := &residualModel{
		idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back),
		rng: rand.New(rand.NewPCG(seed, 1)), mbs: newRandomMBs(seed),
	}
	m.cur = m.mbs.next()
	m.unit = hwenc.NewResidualUnit(bypass, late, &m.fetch, &m.set, &m.out)
	return m
}

// take is what the store does when a fetch moves.
func (m *residualModel) take(f hwenc.Fetch) {
	m.kind = f
	switch f {
	case hwenc.FetchHead:
		m.answer, m.rest = m.cur.head(), m.cur.coded
	case hwenc.FetchLow:
		m.answer = m.cur.dcHalf(0)
	default:
		b := 0
		for m.rest>>b&1 == 0 {
			b++
		}
		m.rest &^= 1 << b
		m.answer = m.cur.acBlock(b)
	}
	m.wait = 1
	for !m.idle.Open() && m.wait < 40 {
		m.wait++
	}
	if f == hwenc.FetchLow && m.rest == 0 || f == hwenc.FetchAC && m.rest == 0 {
		m.cur = m.mbs.next()
	}
}

func (m *residualModel) Cycle(in, out []uint64) {
	u := m.unit
	u.Start, u.Avail = m.idle.Open(), m.idle.Open()
	m.fetch.Ready = m.idle.Open()
	u.Load = false
	if m.answer != nil {
		if m.wait--; m.wait < 0 {
			u.Load, u.Block = true, m.answer
		}
	}
	if !m.set.Valid && u.Init && m.idle.Open() {
		v := hw.ContextValue{Ctx: uint8(m.rng.IntN(97)), Value: uint8(m.rng.IntN(124)), Last: m.ctx == 0}
		if m.ctx--; m.ctx < 0 {
			m.ctx = m.rng.IntN(97)
		}
		m.set.Valid, m.set.Data = true, v
	}
	m.out.Ready = m.back.Open()
	u.Eval()
	clear(in)
	in[0], in[1], in[2], in[3] = bit(u.Start), bit(u.Avail), bit(m.fetch.Ready), bit(u.Load)
	if u.Load {
		packLoad(in[4:9], u.Block, m.kind)
	}
	if !u.Load { // nobody may look at
		in[4], in[5], in[6], in[7], in[8] = m.rng.Uint64()>>24, m.rng.Uint64()>>48, m.rng.Uint64(), m.rng.Uint64(), m.rng.Uint64()>>10
	}
	s := &m.set
	if !s.Valid {
		s.Data = hw.ContextValue{Ctx: uint8(m.rng.IntN(128)), Value: uint8(m.rng.IntN(128)), Last: m.rng.IntN(2) == 0}
	}
	in[9], in[10], in[11], in[12], in[13] = bit(s.Valid), uint64(s.Data.Ctx), uint64(s.Data.Value), bit(s.Data.Last), bit(m.out.Ready)
	op := &m.out.Data
	out[0], out[1], out[2], out[3], out[4] = bit(m.fetch.Valid), uint64(m.fetch.Data), bit(u.Late), bit(u.Init), uint64(u.QP)
	out[5], out[6], out[7], out[8], out[9], out[10] = bit(s.Ready), bit(m.out.Valid), uint64(op.Kind), uint64(op.Ctx), uint64(op.Count), uint64(op.Bits)
	u.Clock()
	if m.fetch.Moves() {
		m.take(m.fetch.Data)
	}
	if u.Load {
		m.answer = nil
	}
	if s.Moves() {
		s.Valid = false
	}
}

// packLoad sets the ports of a load: head, mask, and levels.
func packLoad(w []uint64, b *hwenc.Block, f hwenc.Fetch) {
	m := &b.MB
	head, low := f == hwenc.FetchHead, f == hwenc.FetchLow
	if head {
		w[0] = uint64(m.QP) | uint64(m.Mode)<<6 | uint64(m.QPDelta)<<8 | bit(m.Changed)<<10 | bit(m.Left)<<11 | bit(m.Above)<<12 |
			uint64(m.LeftCoded)<<13 | uint64(m.AboveCoded)<<18 | bit(m.Last)<<23 | uint64(b.Coded)<<24
	}
	w[1] = uint64(b.Mask)
	levels := w[2:5]
	if head || low {
		for k, v := range b.Levels[:8] {
			put(levels, 24*k, 14, uint64(v))
		}
		return
	}
	for k, v := range b.Levels[1:] {
		put(levels, 12*(k+1)-10, 12, uint64(v))
	}
}

// put sets n bits at bit at of the words.
func put(w []uint64, at, n int, v uint64) {
	v &= 1<<n - 1
	w[at>>6] |= v << (at & 63)
	if at&63+n > 64 {
		w[at>>6+1] |= v >> (64 - at&63)
	}
}

func residualSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t264_residual", Source: "rtl/t264/t264_residual.v", Binding: "testbench/t264/bind/t264_residual.cpp",
		In: []testbench.Port{{Name: "start_i", Bits: 1}, {Name: "avail_i", Bits: 1}, {Name: "fetch_ready_i", Bits: 1}, {Name: "load_valid_i", Bits: 1},
			{Name: "load_head_i", Bits: 40}, {Name: "load_mask_i", Bits: 16}},
		Out: []testbench.Port{{Name: "fetch_valid_o", Bits: 1}, {Name: "fetch_kind_o", Bits: 2, Guard: "fetch_valid_o"},
			{Name: "late_o", Bits: 1}, {Name: "init_valid_o", Bits: 1}, {Name: "init_qp_o", Bits: 6}, {Name: "set_ready_o", Bits: 1},
			{Name: "out_valid_o", Bits: 1}, {Name: "out_kind_o", Bits: 2, Guard: "out_valid_o"}, {Name: "out_ctx_o", Bits: 7, Guard: "out_valid_o"},
			{Name: "out_count_o", Bits: 3, Guard: "out_valid_o"}, {Name: "out_bits_o", Bits: 7, Guard: "out_valid_o"}},
	}
	u.In = append(u.In, testbench.Wide("load_levels_i", 182, "")...)
	u.In = append(u.In, testbench.Port{Name: "set_valid_i", Bits: 1}, testbench.Port{Name: "set_ctx_i", Bits: 7}, testbench.Port{Name: "set_value_i", Bits: 7},
		testbench.Port{Name: "set_last_i", Bits: 1}, testbench.Port{Name: "out_ready_i", Bits: 1})
	for _, p := range []struct{ bypass, late int }{{4, 12}, {1, 15}, {7, 1}, {2, 8}} {
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Bypass", Value: p.bypass}, {Name: "Late", Value: p.late}},
			Model: func(stall testbench.Stall, seed uint64) testbench.Model {
				return newResidualModel(p.bypass, p.late, stall, seed)
			},
		})
	}
	return u, sets
}

func TestResidual(t *testing.T) {
	u, sets := residualSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
