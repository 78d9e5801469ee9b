package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// treeModel drives the walk of transform trees with plans and ends blocks.
type treeModel struct {
	plan  sim.Stream[hwenc.Plan]
	done  sim.Stream[hwenc.Done]
	head  sim.Stream[hwenc.Head]
	out   sim.Stream[hwenc.FirstTU]
	unit  *hwenc.TreeUnit
	spec  hwenc.Spec
	rng   *rand.Rand
	idle  *testbench.Gate
	back  *testbench.Gate
	under []hwenc.Done     // blocks under way
	z     [64]int          // samples of its CTU that a thread got, over 16
	plans [64][]hwenc.Plan // of a thread, the one in the loop first
	heads [64]bool         // of that one is there
	wrong int              // blocks out of order
	ctus  int              // complete
}

func newTreeModel(spec hwenc.Spec, stall testbench.Stall, seed uint64) *treeModel {
	m := &treeModel{spec: spec, rng: rand.New(rand.NewPCG(seed, 9)), idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back)}
	m.unit = hwenc.NewTreeUnit(spec, &m.plan, &m.done, &m.head, &m.out)
	return m
}

// random makes a plan of a thread.
func (m *treeModel) random(p *hwenc.Plan, thread int) {
	v := m.rng.Uint64()
	*p = hwenc.Plan{RefJob: hwenc.RefJob{Job: hwenc.Job{Thread: uint8(thread), X: uint16(m.rng.IntN(m.spec.FrameCTUs)), QP: uint8(v & 63), High: v>>6&1 != 0,
		Fine: v>>7&1 != 0, First: v>>8&1 != 0, Last: v>>9&1 != 0, Left: v>>10&1 != 0, Above: v>>11&1 != 0, Right: v>>12&1 != 0}, Corner: uint8(v >> 16)},
		Mode: uint8(v >> 24 & 3), Split: m.spec.MaxTU == 8 || v>>26&3 != 0}
	if p.Split {
		p.Split8 = uint8(v >> 28 & 15)
		if v>>32&3 == 0 {
			p.Split8 = 15
		}
	}
	for i := range p.Row {
		p.Row[i] = uint8(m.rng.Uint32())
	}
}

func (m *treeModel) Cycle(in, out []uint64) {
	u, tb := m.unit, m.spec.ThreadBits()
	t := m.rng.IntN(m.spec.Threads)
	m.random(&m.plan.Data, t)
	m.plan.Valid = u.Free.Has(t) && m.idle.Open()
	m.done.Valid = len(m.under) > 0 && m.rng.IntN(len(m.under)+2) > 1
	m.done.Data = hwenc.Done{Thread: uint8(t), LastTU: m.rng.IntN(2) == 0}
	if m.done.Valid {
		i := m.rng.IntN(len(m.under))
		m.done.Data = m.under[i]
		m.under[i] = m.under[len(m.under)-1]
		m.under = m.under[:len(m.under)-1]
	}
	m.out.Ready = m.back.Open()
	u.Eval()
	var plan, done, first packed
	plan.plan(m.spec, &m.plan.Data)
	done.add(uint64(m.done.Data.Thread), tb).flag(m.done.Data.LastTU)
	first.firstTU(m.spec, &m.out.Data)
	in[0] = bit(m.plan.Valid)
	n := 1 + plan.put(in[1:])
	in[n], in[n+1], in[n+2] = bit(m.done.Valid), done.w[0], bit(m.out.Ready)
	var head packed
	head.head(m.spec, &m.head.Data)
	out[0], out[1], out[2], out[3], out[4] = uint64(u.Free), uint64(u.Idle), uint64(u.Slot), bit(m.head.Valid), head.w[0]
	out[5], out[6] = uint64(u.EnteredX), bit(m.out.Valid)
	first.put(out[7:])
	u.Clock()
	if m.plan.Valid {
		m.plans[t] = append(m.plans[t], m.plan.Data)
	}
	if m.head.Valid {
		m.takeHead(&m.head.Data)
	}
	if m.out.Moves() {
		m.take(&m.out.Data)
	}
}

// take checks that a block is the next one of its thread.
func (m *treeModel) take(b *hwenc.FirstTU) {
	m.under = append(m.under, hwenc.Done{Thread: b.Thread, LastTU: b.LastTU})
	if len(m.plans[b.Thread]) == 0 || !m.heads[b.Thread] {
		m.wrong++
		return
	}
	p, z := &m.plans[b.Thread][0], m.z[b.Thread]
	size := 16
	if p.Split {
		if size = 4; p.Split8>>(z/4)&1 != 0 {
			size = 1
		}
	}
	want := hwenc.FirstTU{TU: hwenc.TU{Tag: hwenc.Tag{Thread: b.Thread, CX: uint8(z&1 | z>>1&2), CY: uint8(z>>1&1 | z>>2&2), Mode: p.Mode, QP: p.QP,
		LastTU: z+size == 16, Log2: map[int]uint8{1: 0, 4: 1, 16: 2}[size]}, First: z == 0, Left: p.Left, Above: p.Above, Right: p.Right}, Row: b.Row, Corner: b.Corner}
	if z == 0 {
		want.Row, want.Corner = p.Row, p.Corner
	}
	if *b != want {
		m.wrong++
	}
	if m.z[b.Thread] = z + size; z+size == 16 {
		m.ctus++
		m.z[b.Thread], m.heads[b.Thread] = 0, false
		m.plans[b.Thread] = append(m.plans[b.Thread][:0], m.plans[b.Thread][1:]...)
	}
}

// takeHead checks that a head is that of the CTU which begins.
func (m *treeModel) takeHead(h *hwenc.Head) {
	if len(m.plans[h.Thread]) == 0 || m.heads[h.Thread] {
		m.wrong++
		return
	}
	p := &m.plans[h.Thread][0]
	want := hwenc.Head{Thread: p.Thread, QP: p.QP, High: p.High, Fine: p.Fine, First: p.First, Last: p.Last, Left: p.Left, Mode: p.Mode, Split: p.Split, Split8: p.Split8}
	if *h != want {
		m.wrong++
	}
	m.heads[h.Thread] = true
}

func treeSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_enc_tree", Source: "rtl/t265/t265_enc_tree.v", Binding: "testbench/t265/bind/t265_enc_tree.cpp",
		In: append([]testbench.Port{{Name: "plan_valid_i", Bits: 1}}, testbench.Wide("plan_data_i", 185, "")...),
		Out: append([]testbench.Port{{Name: "free_o"}, {Name: "idle_o"}, {Name: "slot_o"}, {Name: "head_valid_o", Bits: 1},
			{Name: "head_data_o", Guard: "head_valid_o", Loose: true}, {Name: "head_x_o", Guard: "head_valid_o", Loose: true}, {Name: "out_valid_o", Bits: 1}}, testbench.Wide("out_data_o", 175, "out_valid_o")...),
	}
	for i := range u.Out {
		u.Out[i].Loose = u.Out[i].Guard != ""
	}
	u.In = append(u.In, testbench.Port{Name: "done_valid_i", Bits: 1}, testbench.Port{Name: "done_data_i"}, testbench.Port{Name: "out_ready_i", Bits: 1})
	for _, spec := range loopSpecs {
		sets = append(sets, treeSet(spec))
	}
	return u, sets
}

// treeSet is the set of a spec.
func treeSet(spec hwenc.Spec) testbench.Set {
	return testbench.Set{
		Params: loopParams(spec),
		Width: map[string]int{"free_o": spec.Threads, "idle_o": spec.Threads, "slot_o": spec.Threads, "head_data_o": spec.ThreadBits() + 18, "head_x_o": spec.XBits(),
			"done_data_i": spec.ThreadBits() + 1},
		Model: func(stall testbench.Stall, seed uint64) testbench.Model { return newTreeModel(spec, stall, seed) },
	}
}

func TestEncTree(t *testing.T) {
	u, sets := treeSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}

// TestEncTreeOrder: each thread gets the blocks of its plans in z-order, and one a
// cycle goes out when enough threads have one.
func TestEncTreeOrder(t *testing.T) {
	_, sets := treeSets()
	in, out := make([]uint64, 16), make([]uint64, 16)
	for i, set := range sets {
		for _, stall := range testbench.Stalls {
			m := set.Model(stall, uint64(i)).(*treeModel)
			for range 40000 {
				m.Cycle(in, out)
			}
			if m.wrong > 0 || m.ctus < 200 {
				t.Errorf("%v, %v: %d blocks are wrong in %d CTUs", set.Params, stall, m.wrong, m.ctus)
			}
		}
	}
}
