package t264

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t264/hwdec"
	"vcsim/testbench"
)

// decAboveModel lets lanes ask at random; each waits for its reply.
type decAboveModel struct {
	in    []*sim.Stream[hwdec.AboveRequest]
	out   []*sim.Stream[uint32]
	unit  *hwdec.AboveUnit
	gates []*testbench.Gate
	rng   *rand.Rand
	spec  hwdec.LaneSpec
	waits []bool

	filled []int // columns that a lane has written, at the beginning
}

func newDecAboveModel(spec hwdec.LaneSpec, lanes int, stall testbench.Stall, seed uint64) *decAboveModel {
	m := &decAboveModel{rng: rand.New(rand.NewPCG(seed, 4)), spec: spec, waits: make([]bool, lanes), filled: make([]int, lanes)}
	for i := range lanes {
		m.in = append(m.in, new(sim.Stream[hwdec.AboveRequest]))
		m.out = append(m.out, new(sim.Stream[uint32]))
		m.gates = append(m.gates, testbench.NewGate(seed<<8+uint64(i), stall.Idle))
	}
	m.unit = hwdec.NewAboveUnit(spec, m.in, m.out)
	return m
}

func (m *decAboveModel) Cycle(in, out []uint64) {
	clear(in)
	clear(out)
	for i, s := range m.in {
		if !s.Valid && !m.waits[i] && m.gates[i].Open() {
			s.Valid = true
			s.Data = hwdec.AboveRequest{Write: m.rng.IntN(4) != 0, X: uint16(m.rng.IntN(m.spec.FrameMBs)),
				Read: uint16(m.rng.IntN(m.spec.FrameMBs)), Word: m.rng.Uint32() & (1<<hwdec.AboveBits - 1)}
			if m.rng.IntN(4) == 0 {
				s.Data.Read = s.Data.X
			}
			if n := &m.filled[i]; *n < m.spec.FrameMBs { // every column once, first
				s.Data.Write, s.Data.X, s.Data.Read = true, uint16(*n), uint16(*n)
				*n++
			}
		}
	}
	m.unit.Eval()
	for i, s := range m.in {
		w := m.spec.MBBits() * i
		if s.Valid {
			in[0] |= 1 << i
		}
		if s.Data.Write {
			in[1] |= 1 << i
		}
		in[2] |= uint64(s.Data.X) << w
		in[3] |= uint64(s.Data.Read) << w
		in[4] |= uint64(s.Data.Word) << (hwdec.AboveBits * i)
		if s.Ready {
			out[0] |= 1 << i
		}
		if m.out[i].Valid {
			out[1] |= 1 << i
			m.waits[i] = false
		}
	}
	out[2] = uint64(m.unit.Word())
	m.unit.Clock()
	for i, s := range m.in {
		if s.Moves() {
			s.Valid, m.waits[i] = false, true
		}
	}
}

func decAboveSets(testing.TB) (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t264_dec_above", Source: "rtl/t264/t264_dec_above.v", Binding: "testbench/t264/bind/t264_dec_above.cpp",
		In:  []testbench.Port{{Name: "in_valid_i"}, {Name: "in_write_i"}, {Name: "in_x_i"}, {Name: "in_read_i"}, {Name: "in_word_i"}},
		Out: []testbench.Port{{Name: "in_ready_o"}, {Name: "out_valid_o"}, {Name: "out_word_o", Bits: hwdec.AboveBits, Guard: "out_valid_o"}},
	}
	for _, p := range []struct{ lanes, frame int }{{2, 64}, {1, 16}, {2, 300}} {
		spec := hwdec.LaneSpec{FrameMBs: p.frame, Bypass: 1}
		w := spec.MBBits()
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Lanes", Value: p.lanes}, {Name: "FrameMBs", Value: p.frame}},
			Width: map[string]int{"in_valid_i": p.lanes, "in_write_i": p.lanes, "in_x_i": p.lanes * w, "in_read_i": p.lanes * w,
				"in_word_i": p.lanes * hwdec.AboveBits, "in_ready_o": p.lanes, "out_valid_o": p.lanes},
			Model: func(stall testbench.Stall, seed uint64) testbench.Model {
				return newDecAboveModel(spec, p.lanes, stall, seed)
			},
		})
	}
	return u, sets
}

func TestDecAbove(t *testing.T) {
	u, sets := decAboveSets(t)
	testbench.Cosim(t, u, sets, 1_100_000)
}
