package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// costModel drives the estimate of the cost of blocks.
type costModel struct {
	unit   *hwenc.CostUnit
	idle   *testbench.Gate
	rng    *rand.Rand
	log2   int
	bits   int // of a value
	values [1024]int16
	at, n  int // of the block that comes
}

func newCostModel(log2 int, stall testbench.Stall, seed uint64) *costModel {
	m := &costModel{unit: hwenc.NewCostUnit(log2), idle: testbench.NewGate(seed, stall.Idle), rng: rand.New(rand.NewPCG(seed, 2)), log2: log2, bits: 16}
	if log2 == 2 {
		m.bits = 9
	}
	return m
}

// next makes a block; now and then one of fewer sub-blocks.
func (m *costModel) next() {
	m.at, m.n = 0, 1<<(2*m.log2)
	if m.rng.IntN(3) == 0 {
		m.n = 16 * (1 + m.rng.IntN(m.n/16))
	}
	m.unit.QP = uint8(m.rng.IntN(52))
	for at := 0; at < m.n; at += 16 {
		part := m.values[at : at+16]
		if randomBlock(m.rng, part, int(m.unit.QP), m.log2); m.rng.IntN(4) == 0 && at > 0 {
			copy(part, m.values[:16])
		}
	}
}

func (m *costModel) Cycle(in, out []uint64) {
	u := m.unit
	if u.Valid = m.idle.Open(); u.Valid {
		if m.at == m.n {
			m.next()
		}
		copy(u.Values[:], m.values[m.at:])
		m.at += 8
		u.Last = m.at == m.n
	}
	u.Eval()
	p := pathBits{ports: in}
	p.bit(u.Valid)
	p.bit(u.Last)
	p.add(uint64(u.QP), 6)
	p.end()
	for _, v := range u.Values {
		p.add(uint64(v)&(1<<m.bits-1), m.bits)
	}
	out[0], out[1] = bit(u.Done), uint64(u.Cost)
	u.Clock()
}

func costSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{Top: "t265_cost", Source: "rtl/t265/t265_cost.v", Binding: "testbench/t265/bind/t265_cost.cpp", Lines: true,
		In:  append([]testbench.Port{{Name: "valid_i", Bits: 1}, {Name: "last_i", Bits: 1}, {Name: "qp_i", Bits: 6}}, testbench.Wide("values_i", 128, "")...),
		Out: []testbench.Port{{Name: "done_o", Bits: 1}, {Name: "cost_o", Bits: 32, Guard: "done_o", Loose: true}},
	}
	for _, log2 := range []int{4, 3, 2, 5} {
		set := testbench.Set{Params: []testbench.Param{{Name: "Log2", Value: log2}},
			Model: func(stall testbench.Stall, seed uint64) testbench.Model { return newCostModel(log2, stall, seed) }}
		if log2 == 2 {
			set.Width = map[string]int{"values_i.1": 32}
		}
		sets = append(sets, set)
	}
	return u, sets
}

func TestCost(t *testing.T) {
	u, sets := costSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
