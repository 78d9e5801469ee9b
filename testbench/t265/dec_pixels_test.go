package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
	"vcsim/t265/hwdec"
	"vcsim/testbench"
)

// decPicture makes the items of random pictures of one thread: sizes, slices, trees of
// transform blocks, modes and levels of all kinds. Some slices break off.
type decPicture struct {
	rng  *rand.Rand
	spec hwdec.PixelsSpec
	list []hw.Item

	grid        block.Grid
	addr, start int     // of the CTU, and of the first one of its slice
	share       float64 // of groups with levels
	size        int     // bits of a level
	coded       int     // of four blocks
}

func (p *decPicture) next() (t hw.Item) {
	for len(p.list) == 0 {
		p.ctu()
	}
	t = p.list[0]
	p.list = p.list[1:]
	return t
}

// ctu appends a CTU.
func (p *decPicture) ctu() {
	rng := p.rng
	if p.addr == p.grid.CTBWidth*p.grid.CTBHeight {
		log2 := 4 + rng.IntN(3)
		for 1<<log2 > p.spec.MaxCTU {
			log2--
		}
		side := func() int { return 8 * (1 + rng.IntN(min(2*p.spec.FrameCTUs, 16))) }
		p.grid, p.addr, p.start = block.NewGrid(side(), side(), log2), 0, 0
		p.share, p.size, p.coded = [...]float64{0, 0.05, 0.6, 1}[rng.IntN(4)], rng.IntN(12), rng.IntN(5)
	}
	g := &p.grid
	x, y := p.addr%g.CTBWidth, p.addr/g.CTBWidth
	e := g.Edges(p.addr, p.start)
	h := hw.Head{CTUX: uint16(x), CTUY: uint16(y), Log2CTB: uint8(g.Log2CTB - 4), Left: e.Left, Above: e.Above, AboveLeft: e.AboveLeft, AboveRight: e.AboveRight,
		Right: 15, Bottom: uint8(min(g.Height-y<<g.Log2CTB, 1<<g.Log2CTB) / 8), Strong: rng.IntN(2) == 0}
	if x >= g.CTBWidth-2 {
		h.Right = uint8(min((g.Width-x<<g.Log2CTB)/8, 15))
	}
	p.tree(h, 0, 0, 1<<g.Log2CTB)
	p.list = append(p.list, hw.Item{Kind: hw.ItemCTU, Data: h.Pack()})
	if p.addr++; p.addr == g.CTBWidth*g.CTBHeight || rng.IntN(6) == 0 {
		p.list = append(p.list, hw.Item{Kind: hw.ItemEnd})
		p.start = p.addr
	}
	if rng.IntN(40) == 0 { // data that is bad
		p.list = append(p.list[:rng.IntN(len(p.list)+1)], hw.Item{Kind: hw.ItemEnd, Data: hw.EndData})
		p.addr = g.CTBWidth * g.CTBHeight
	}
}

// tree appends the blocks of a part of a CTU.
func (p *decPicture) tree(h hw.Head, x, y, size int) {
	width, height := 8*int(h.Right), 8*int(h.Bottom)
	if x >= width || y >= height {
		return
	}
	if size > p.spec.MaxTU || x+size > width || y+size > height || size > 4 && p.rng.IntN(5) < 2 {
		for i := range 4 {
			p.tree(h, x+i%2*size/2, y+i/2*size/2, size/2)
		}
		return
	}
	rng := p.rng
	for h.Log2 = 0; 4<<h.Log2 < size; h.Log2++ {
	}
	h.X, h.Y = uint8(x/4), uint8(y/4)
	h.Mode = uint8(rng.IntN(block.NumModes))
	if p.spec.Modes != block.NumModes || rng.IntN(3) == 0 {
		h.Mode = uint8(block.DecisionModes[rng.IntN(len(block.DecisionModes))])
	}
	h.Scan = uint8(block.ScanIndex(int(h.Log2)+2, int(h.Mode)))
	if h.Coded = rng.IntN(4) < p.coded; !h.Coded {
		p.list = append(p.list, hw.Item{Kind: hw.ItemTU, Data: h.Pack()})
		return
	}
	h.QP, h.Skip = uint8(rng.IntN(52)), size == 4 && rng.IntN(2) == 0
	p.list = append(p.list, hw.Item{Kind: hw.ItemTU, Data: h.Pack()})
	n := 1 << h.Log2
	for i := 4*n*n - 1; i >= 0; i-- {
		if i > 0 && rng.Float64() >= p.share {
			continue
		}
		t := hw.Item{Kind: hw.ItemLevels, SubX: uint8(i / 4 % n), SubY: uint8(i / 4 / n), Group: uint8(i % 4)}
		for k := range 4 {
			v := rng.IntN(1<<p.size) - 1<<p.size/2
			if rng.IntN(200) == 0 {
				v = [...]int{127, 128, -128, -129, 32767, -32768}[rng.IntN(6)]
			}
			t.Data |= uint64(uint16(v)) << (16 * k)
		}
		p.list = append(p.list, t)
	}
}

// decItems offers the items of all threads, one in a cycle. An item that does not move may
// give way to that of another thread.
type decItems struct {
	rng      *rand.Rand
	pictures []decPicture
	held     []*hw.Item // by thread, the item that gave way
	in       sim.Stream[hwdec.ThreadItem]
}

func newDecItems(spec hwdec.PixelsSpec, seed uint64) *decItems {
	d := &decItems{rng: rand.New(rand.NewPCG(seed, 3)), held: make([]*hw.Item, spec.Threads)}
	for i := range spec.Threads {
		d.pictures = append(d.pictures, decPicture{rng: rand.New(rand.NewPCG(seed, uint64(10+i))), spec: spec})
	}
	return d
}

// offer sets the item of a cycle.
func (d *decItems) offer(open bool) {
	t := &d.in.Data
	if !d.in.Valid && open {
		t.Thread = uint8(d.rng.IntN(len(d.pictures)))
		if h := d.held[t.Thread]; h != nil {
			t.Item, d.held[t.Thread] = *h, nil
		} else {
			t.Item = d.pictures[t.Thread].next()
		}
		d.in.Valid = true
	}
	if !d.in.Valid { // nobody may look at it
		*t = hwdec.ThreadItem{Thread: uint8(d.rng.IntN(len(d.pictures))), Item: hw.Item{Kind: uint8(d.rng.IntN(4)), SubX: uint8(d.rng.IntN(8)), SubY: uint8(d.rng.IntN(8)), Group: uint8(d.rng.IntN(4)), Data: d.rng.Uint64()}}
	}
}

// moved ends the cycle.
func (d *decItems) moved() {
	switch {
	case d.in.Moves():
		d.in.Valid = false
	case d.in.Valid && d.rng.IntN(2) == 0:
		t := d.in.Data.Item
		d.held[d.in.Data.Thread] = &t
		d.in.Valid = false
	}
}

// inputs are the ports of the item, takes that of the threads that may send one.
func (d *decItems) inputs() []uint64 {
	t := &d.in.Data
	return []uint64{bit(d.in.Valid), uint64(t.Thread), uint64(t.Kind) | uint64(t.SubX)<<2 | uint64(t.SubY)<<5 | uint64(t.Group)<<8, t.Data}
}

func (d *decItems) takes(takes func(uint8) bool) (all uint64) {
	for i := range d.pictures {
		all |= bit(takes(uint8(i))) << i
	}
	return all
}

var decItemPorts = []testbench.Port{{Name: "in_valid_i", Bits: 1}, {Name: "in_thread_i"}, {Name: "in_tag_i", Bits: 10}, {Name: "in_data_i", Bits: 64}}

// decPixelSpecs are the parameter sets of the units of the pixel path. In the second one
// a block may have more words than a thread.
var decPixelSpecs = []hwdec.PixelsSpec{
	{Threads: 5, FrameCTUs: 9, MaxCTU: 32, MaxTU: 16, Modes: 35, Words: 80},
	{Threads: 16, FrameCTUs: 16, MaxCTU: 64, MaxTU: 16, Modes: 4, Words: 23},
	{Threads: 2, FrameCTUs: 70, MaxCTU: 16, MaxTU: 8, Modes: 35, Words: 16},
}

// decPixelPorts are the widths of ports by spec.
func decPixelPorts(spec hwdec.PixelsSpec) map[string]int {
	thread, pos, place := spec.ThreadBits(), spec.PosBits(), hwdec.InverseSpec{MaxTU: spec.MaxTU}.PlaceBits()
	return map[string]int{"in_thread_i": thread, "in_ready_o": spec.Threads, "out_thread_o": thread, "done_thread_i": thread, "thread_i": thread,
		"out_x_o": pos + 2, "out_y_o": pos + 2, "x_i": pos, "y_i": pos, "x_o": pos, "y_o": pos, "lev_x_o": place, "lev_y_o": place,
		"job_o": thread + 2*pos + 17, "job_i": thread + 2*pos + 17, "sum_o": thread + 2*pos + 12, "sum_i": thread + 2*pos + 12}
}

// decPixelSet is a set with the parameters of the spec that the module has.
func decPixelSet(spec hwdec.PixelsSpec, model func(stall testbench.Stall, seed uint64) testbench.Model, names ...string) testbench.Set {
	values := map[string]int{"Threads": spec.Threads, "FrameCTUs": spec.FrameCTUs, "MaxCTU": spec.MaxCTU, "MaxTU": spec.MaxTU, "Modes": spec.Modes, "Words": spec.Words}
	set := testbench.Set{Width: decPixelPorts(spec), Model: model}
	for _, name := range names {
		set.Params = append(set.Params, testbench.Param{Name: name, Value: values[name]})
	}
	return set
}

// decSchedModel drives the scheduler. Blocks are reconstructed some time after their last
// levels.
type decSchedModel struct {
	*decItems
	spec   hwdec.PixelsSpec
	jobs   sim.Stream[hwdec.BlockJob]
	levels sim.Stream[hwdec.LevelWord]
	done   sim.Stream[uint8]
	unit   *hwdec.SchedUnit
	idle   *testbench.Gate
	back   [2]*testbench.Gate
	under  []uint8 // threads whose levels leave
	wait   []uint8 // threads whose blocks are on their way
}

func newDecSchedModel(spec hwdec.PixelsSpec, stall testbench.Stall, seed uint64) *decSchedModel {
	m := &decSchedModel{decItems: newDecItems(spec, seed), spec: spec, idle: testbench.NewGate(3*seed, stall.Idle)}
	m.back = [2]*testbench.Gate{testbench.NewGate(3*seed+1, stall.Back), testbench.NewGate(3*seed+2, stall.Back)}
	m.unit = hwdec.NewSchedUnit(spec, &m.in, &m.jobs, &m.levels, &m.done)
	return m
}

func (m *decSchedModel) Cycle(in, out []uint64) {
	m.offer(m.idle.Open())
	m.jobs.Ready, m.levels.Ready = m.back[0].Open(), m.back[1].Open()
	if m.done.Valid = len(m.wait) > 0 && m.rng.IntN(8) == 0; m.done.Valid {
		i := m.rng.IntN(len(m.wait))
		m.done.Data = m.wait[i]
		m.wait[i] = m.wait[len(m.wait)-1]
		m.wait = m.wait[:len(m.wait)-1]
	} else {
		m.done.Data = uint8(m.rng.IntN(m.spec.Threads))
	}
	m.unit.Eval()
	copy(in, append(m.inputs(), bit(m.jobs.Ready), bit(m.levels.Ready), bit(m.done.Valid), uint64(m.done.Data)))
	l := &m.levels.Data
	var levels uint64
	for i, v := range l.Levels {
		levels |= uint64(uint16(v)) << (16 * i)
	}
	copy(out, []uint64{m.takes(m.unit.Takes), bit(m.jobs.Valid), new(packed).block(m.spec, &m.jobs.Data).w[0], bit(m.levels.Valid), uint64(l.Log2), bit(l.Skip), uint64(l.Scan), uint64(l.QP),
		bit(l.ByColumns), uint64(l.X), uint64(l.Y), uint64(l.Group), bit(l.Last), levels})
	if m.levels.Moves() && l.Last {
		m.wait, m.under = append(m.wait, m.under[0]), m.under[1:]
	}
	if m.jobs.Moves() {
		if j := &m.jobs.Data; j.Place.Coded {
			m.under = append(m.under, j.Thread)
		} else {
			m.wait = append(m.wait, j.Thread)
		}
	}
	m.unit.Clock()
	m.moved()
}

func decSchedSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_dec_sched", Source: "rtl/t265/t265_dec_sched.v", Binding: "testbench/t265/bind/t265_dec_sched.cpp", Lines: true,
		In:  append(decItemPorts[:4:4], testbench.Port{Name: "job_ready_i", Bits: 1}, testbench.Port{Name: "lev_ready_i", Bits: 1}, testbench.Port{Name: "done_i", Bits: 1}, testbench.Port{Name: "done_thread_i"}),
		Out: []testbench.Port{{Name: "in_ready_o"}, {Name: "job_valid_o", Bits: 1}, {Name: "job_o", Guard: "job_valid_o", Loose: true}, {Name: "lev_valid_o", Bits: 1}},
	}
	for _, p := range []testbench.Port{{Name: "log2", Bits: 2}, {Name: "skip", Bits: 1}, {Name: "scan", Bits: 2}, {Name: "qp", Bits: 6}, {Name: "columns", Bits: 1}, {Name: "x"}, {Name: "y"},
		{Name: "group", Bits: 2}, {Name: "last", Bits: 1}, {Name: "levels", Bits: 64}} {
		p.Loose = p.Name == "last" // it follows from others
		p.Name, p.Guard = "lev_"+p.Name+"_o", "lev_valid_o"
		u.Out = append(u.Out, p)
	}
	for _, spec := range decPixelSpecs {
		sets = append(sets, decPixelSet(spec, func(stall testbench.Stall, seed uint64) testbench.Model { return newDecSchedModel(spec, stall, seed) },
			"Threads", "FrameCTUs", "MaxTU", "Words"))
	}
	return u, sets
}

func TestDecSched(t *testing.T) {
	u, sets := decSchedSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}

// decPixelsModel drives the pixel path.
type decPixelsModel struct {
	*decItems
	out        sim.Stream[hwdec.PixelWord]
	unit       *hwdec.PixelsUnit
	idle, back *testbench.Gate
}

func newDecPixelsModel(spec hwdec.PixelsSpec, stall testbench.Stall, seed uint64) *decPixelsModel {
	m := &decPixelsModel{decItems: newDecItems(spec, seed), idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back)}
	m.unit = hwdec.NewPixelsUnit(spec, &m.in, &m.out)
	return m
}

func (m *decPixelsModel) Cycle(in, out []uint64) {
	m.offer(m.idle.Open())
	m.out.Ready = m.back.Open()
	m.unit.Eval()
	copy(in, append(m.inputs(), bit(m.out.Ready)))
	w := &m.out.Data
	copy(out, []uint64{m.takes(m.unit.Takes), bit(m.out.Valid), uint64(w.Thread), bit(w.ByColumns), uint64(w.X), uint64(w.Y), uint64(w.Data)})
	m.unit.Clock()
	m.moved()
}

func decPixelsSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_dec_pixels", Source: "rtl/t265/t265_dec_pixels.v", Binding: "testbench/t265/bind/t265_dec_pixels.cpp", Lines: true, Cover: 1,
		In: append(decItemPorts[:4:4], testbench.Port{Name: "out_ready_i", Bits: 1}),
		Out: []testbench.Port{{Name: "in_ready_o"}, {Name: "out_valid_o", Bits: 1}, {Name: "out_thread_o", Guard: "out_valid_o"}, {Name: "out_columns_o", Bits: 1, Guard: "out_valid_o"},
			{Name: "out_x_o", Guard: "out_valid_o"}, {Name: "out_y_o", Guard: "out_valid_o"}, {Name: "out_data_o", Bits: 32, Guard: "out_valid_o"}},
	}
	for _, spec := range decPixelSpecs {
		sets = append(sets, decPixelSet(spec, func(stall testbench.Stall, seed uint64) testbench.Model { return newDecPixelsModel(spec, stall, seed) },
			"Threads", "FrameCTUs", "MaxCTU", "MaxTU", "Modes", "Words"))
	}
	return u, sets
}

func TestDecPixels(t *testing.T) {
	u, sets := decPixelsSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
