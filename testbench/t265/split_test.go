package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/t265/block"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// splitModel drives the comparison of the costs of CTUs, most of which are as much as those of their parts,
// one more, or one less.
type splitModel struct {
	unit  *hwenc.SplitSums
	spec  hwenc.Spec
	rng   *rand.Rand
	junk  *rand.Rand         // for costs that are not valid
	gates [3]*testbench.Gate // of the costs by size, the smallest first
	costs [3]hwenc.CostUnit
	first uint64 // what the first CTU is

	// Costs to come by size, and in which cycle those of its parts were there.
	queue [3][]uint32
	ready [3][]int
	come  [2]int // costs of the smallest blocks, and of tiles
	cycle int
	trees map[[2]uint8]int // CTUs by their tree
}

func newSplitModel(spec hwenc.Spec, stall testbench.Stall, seed uint64) *splitModel {
	m := &splitModel{unit: hwenc.NewSplitSums(spec), spec: spec, rng: rand.New(rand.NewPCG(seed, 1)), junk: rand.New(rand.NewPCG(seed, 2)), first: seed,
		trees: map[[2]uint8]int{}}
	for i, stalls := range [3]bool{stall.Idle, stall.Back, stall.Back} {
		m.gates[i] = testbench.NewGate(3*seed+uint64(i), stalls)
	}
	return m
}

// next makes a CTU. Costs of 4x4 have 18 bits, and those of larger blocks two more each.
func (m *splitModel) next() {
	rng := m.rng
	near := func() int { return rng.IntN(3) - 1 }
	wide := near()
	switch m.first & 3 { // the state that a reset leaves counts in the first CTU alone
	case 0: // parts win by one
		near, wide = func() int { return 1 }, 1
	case 1: // tiles are not split, by nothing
		near, wide = func() int { return 0 }, 1
	case 2: // nor is the CTU
		near, wide = func() int { return 0 }, 0
	}
	m.first = 3
	// whole returns the cost of a block by the costs of its parts and the price of a split, mostly near.
	whole := func(parts, bits, by int) uint32 {
		if rng.IntN(8) == 0 {
			return uint32(rng.IntN(1 << bits))
		}
		return uint32(min(parts+by, 1<<bits-1))
	}
	sum, size := block.SplitPrice, 2+rng.IntN(17)
	for range 4 {
		parts := block.SplitPrice
		for range 4 {
			cost := rng.IntN(1 << size)
			if rng.IntN(64) == 0 {
				cost = 1<<18 - 1
			}
			parts += cost
			m.queue[0] = append(m.queue[0], uint32(cost))
		}
		tile := whole(parts, 20, near())
		if m.queue[1] = append(m.queue[1], tile); m.spec.MinTU == 4 {
			tile = min(tile, uint32(parts))
		}
		sum += int(tile)
	}
	if m.spec.MaxTU == 16 {
		m.queue[2] = append(m.queue[2], whole(sum, 22, wide))
	}
}

// drive puts out the costs of a cycle: four small ones before that of their tile, and four tiles
// before that of their CTU, which the comparison of a tile takes a cycle more for. As many wait as
// there is room for.
func (m *splitModel) drive() {
	if len(m.queue[0]) == 0 {
		m.next()
	}
	for i := range m.costs {
		m.costs[i].Done, m.costs[i].Cost = false, uint32(m.junk.IntN(1<<(18+2*i)))
		due := i == 0 && len(m.ready[1]) < 4 && len(m.ready[2]) < 2 || i > 0 && len(m.ready[i]) > 0 && m.ready[i][0] < m.cycle
		if !due || !m.gates[i].Open() {
			continue
		}
		m.costs[i].Done, m.costs[i].Cost, m.queue[i] = true, m.queue[i][0], m.queue[i][1:]
		if i > 0 {
			m.ready[i] = m.ready[i][1:]
		}
		if i == 2 || i == 1 && m.spec.MaxTU == 8 {
			continue
		}
		if m.come[i]++; m.come[i]%4 == 0 {
			m.ready[i+1] = append(m.ready[i+1], m.cycle+i)
		}
	}
	m.cycle++
}

func (m *splitModel) Cycle(in, out []uint64) {
	u := m.unit
	m.drive()
	for i := range m.costs {
		in[2*i], in[2*i+1] = bit(m.costs[i].Done), uint64(m.costs[i].Cost)
	}
	out[0], out[1], out[2] = bit(u.Done), bit(u.Split), 0
	if u.Split {
		out[2] = uint64(u.Split8)
	}
	if u.Done {
		m.trees[[2]uint8{uint8(out[1]), uint8(out[2])}]++
	}
	u.Clock(&m.costs[0], &m.costs[1], &m.costs[2])
}

func splitSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_split_sum", Source: "rtl/t265/t265_split_sum.v", Binding: "testbench/t265/bind/t265_split_sum.cpp",
		In: []testbench.Port{{Name: "small_valid_i", Bits: 1}, {Name: "small_cost_i", Bits: 18}, {Name: "narrow_valid_i", Bits: 1}, {Name: "narrow_cost_i", Bits: 20},
			{Name: "wide_valid_i", Bits: 1}, {Name: "wide_cost_i", Bits: 22}},
		Out: []testbench.Port{{Name: "valid_o", Bits: 1}, {Name: "split_o", Bits: 1, Guard: "valid_o", Loose: true}, {Name: "split8_o", Bits: 4, Guard: "valid_o", Loose: true}},
	}
	for _, p := range [][2]int{{16, 4}, {8, 4}, {16, 8}, {8, 8}} {
		spec := hwenc.DefaultSpec()
		spec.MaxTU, spec.MinTU = p[0], p[1]
		sets = append(sets, testbench.Set{Params: testbench.Params{{Name: "MaxTU", Value: spec.MaxTU}, {Name: "MinTU", Value: spec.MinTU}},
			Model: func(stall testbench.Stall, seed uint64) testbench.Model { return newSplitModel(spec, stall, seed) }})
	}
	return u, sets
}

func TestSplitSum(t *testing.T) {
	u, sets := splitSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}

// TestSplitSumStimulus: the costs lead to every tree that there is.
func TestSplitSumStimulus(t *testing.T) {
	_, sets := splitSets()
	in, out := make([]uint64, 6), make([]uint64, 3)
	for i, set := range sets {
		m := set.Model(testbench.Stall{}, uint64(i)).(*splitModel)
		for range 1 << 14 {
			m.Cycle(in, out)
		}
		want := 1
		if m.spec.MinTU == 4 {
			want = 16
		}
		if m.spec.MaxTU == 16 {
			want++
		}
		if len(m.trees) != want {
			t.Errorf("%v: %d trees, want %d: %v", set.Params, len(m.trees), want, m.trees)
		}
	}
}
