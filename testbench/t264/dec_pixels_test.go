package t264

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"vcsim/sim"
	"vcsim/t264"
	"vcsim/t264/hw"
	"vcsim/t264/hwdec"
	"vcsim/testbench"
)

// pixelItems holds the items of pictures of both tiers and of x264, at most 128
// samples wide.
var pixelItems = sync.OnceValues(func() (pictures [][]hw.Item, err error) {
	add := func(stream []byte) error {
		_, items, err := hwdec.DecodeItems(stream)
		pictures = append(pictures, items...)
		return err
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for i := range 24 {
		p := t264.Params{Width: 16 * (1 + rng.IntN(6)), Height: 16 * (1 + rng.IntN(6)), Tier: t264.Tier(i & 1), Slices: 1}
		p.Slices += rng.IntN(p.Height / 16)
		if p.Tier == t264.RDO {
			p.Off = [...]t264.Tools{0, t264.ToolI16, t264.ToolI4 | t264.ToolI16, t264.ToolI8 | t264.ToolI16}[rng.IntN(4)]
		}
		pix, noise := make([]byte, p.Width*p.Height), 1+rng.IntN(60)
		for j := range pix {
			x, y := j%p.Width, j/p.Width
			pix[j] = byte(max(0, min(255, 128+(x*(3+i)+y*(i*7%11))%180-90+rng.IntN(noise)*(1+x*y/300&3))))
		}
		qp := rng.IntN(52)
		if i%4 == 2 { // black and white, which change half way along each macroblock: the steepest planes
			qp = 0
			for j := range pix {
				x, y := j%p.Width+8, j/p.Width+8
				pix[j] = byte(-((x>>4 ^ y>>4 ^ i>>2) & 1))
			}
		}
		e, err := t264.NewEncoder(p)
		if err != nil {
			return nil, err
		}
		s, err := e.AppendFrame(e.AppendHeader(nil), pix, p.Width, qp)
		if err == nil {
			err = add(s)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"ultrafast-q12", "medium-q24", "placebo-q30", "no8x8-q20", "slices-q28", "aq-crf30", "q51", "waves-q26", "waves8-q30"} {
		s, err := os.ReadFile(filepath.Join(testbench.Root(), "t264/testdata/x264", name+".264"))
		if err == nil {
			err = add(s)
		}
		if err != nil {
			return nil, err
		}
	}
	return pictures, nil
})

// pixelModel drives a pixel path with pictures in all threads. Some slices break
// off, some of their levels are as large as they can be, or several together.
type pixelModel struct {
	in      sim.Stream[hwdec.ThreadItem]
	out     sim.Stream[hwdec.PixelWord]
	unit    *hwdec.PixelsUnit
	spec    hwdec.PixelsSpec
	idle    *testbench.Gate
	back    *testbench.Gate
	rng     *rand.Rand
	others  *rand.Rand // of items that only their kind is seen of
	source  [][]hw.Item
	pending [][]hw.Item // by thread
	wild    []int       // levels replaced, in 256
	apart   []bool      // no modes that need the corner of the macroblock
	opening []int       // threads of the first items
}

func newPixelModel(spec hwdec.PixelsSpec, stall testbench.Stall, seed uint64) *pixelModel {
	m := &pixelModel{
		spec: spec, idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back),
		rng: rand.New(rand.NewPCG(seed, 1)), others: rand.New(rand.NewPCG(seed, 2)), pending: make([][]hw.Item, spec.Threads), wild: make([]int, spec.Threads), apart: make([]bool, spec.Threads),
	}
	items, err := pixelItems()
	if err != nil {
		panic(err)
	}
	for _, p := range items {
		if spec.Transform8 || !hasKind(p, 1) {
			m.source = append(m.source, p)
		}
	}
	m.unit = hwdec.NewPixelsUnit(spec, &m.in, &m.out)
	// Two threads become ready in the first slot.
	empty := hw.MBItem{Kind: 2, Mode: 2, QP: 30}
	for i := range 2 {
		m.pending[i] = []hw.Item{{Kind: hw.ItemMB, Data: empty.Pack()}, {Kind: hw.ItemDC, Last: true}}
	}
	m.opening = []int{0, 0, 1, 1}
	return m
}

func hasKind(items []hw.Item, kind uint8) bool {
	for _, t := range items {
		if t.Kind == hw.ItemMB && hw.UnpackMBItem(t.Data).Kind == kind {
			return true
		}
	}
	return false
}

// next returns the next item of a thread.
func (m *pixelModel) next(thread int) hw.Item {
	p := &m.pending[thread]
	if len(*p) == 0 {
		*p = m.source[m.rng.IntN(len(m.source))]
		m.wild[thread] = [...]int{0, 0, 0, 3, 256}[m.rng.IntN(5)]
	}
	t := (*p)[0]
	*p = (*p)[1:]
	switch {
	case t.Kind == hw.ItemMB:
		// A column that the path has room for; the left edge stays where it is.
		mb := hw.UnpackMBItem(t.Data)
		mb.X &= 1<<m.spec.MBBits() - 1
		mb.Y &= 1<<m.spec.MBBits() - 1
		if m.wild[thread] != 0 {
			mb.QP = uint8(m.rng.IntN(52))
			if mb.Left && mb.Above && mb.AboveLeft && mb.Kind == 1 && m.rng.IntN(8) == 0 {
				mb.AboveLeft, m.apart[thread] = false, true // a slice begins above
			}
		}
		if mb.Kind == 2 && mb.Left && mb.Above && mb.AboveLeft && m.rng.IntN(8) < 1+min(3, m.wild[thread]) {
			mb.Mode = 3 // plane
		}
		t.Data = mb.Pack()
	case t.Kind == hw.ItemDC || t.Kind == hw.ItemBlock:
		for i := range 4 {
			if m.rng.IntN(256) < m.wild[thread] {
				v := uint64(uint16(m.rng.Uint32() >> m.rng.IntN(16)))
				t.Data = t.Data&^(0xffff<<(16*i)) | v<<(16*i)
			}
		}
		if m.rng.IntN(500) == 0 {
			t.Last = false
			m.breakOff(thread)
		}
	case t.Kind == hw.ItemModes && m.apart[thread]:
		m.apart[thread] = false
		if mode := t.Data & 15; 4 <= mode && mode <= 6 {
			t.Data = t.Data&^0xffff | 0x2222
		}
	case t.Kind == hw.ItemModes && m.rng.IntN(40) == 0:
		m.breakOff(thread)
	}
	return t
}

// breakOff ends the slice of a thread after the current item.
func (m *pixelModel) breakOff(thread int) {
	m.pending[thread] = []hw.Item{{Kind: hw.ItemEnd, Data: uint64(1 + m.rng.IntN(8))}}
}

func (m *pixelModel) Cycle(in, out []uint64) {
	if !m.in.Valid && m.idle.Open() {
		thread := m.rng.IntN(m.spec.Threads)
		if len(m.opening) > 0 {
			thread, m.opening = m.opening[0], m.opening[1:]
		}
		m.in.Valid, m.in.Data = true, hwdec.ThreadItem{Thread: uint8(thread), Item: m.next(thread)}
	}
	if !m.in.Valid { // nobody may look at
		m.in.Data = hwdec.ThreadItem{Thread: uint8(m.rng.IntN(m.spec.Threads)), Item: hw.Item{
			Kind: uint8(m.rng.IntN(5)), Group: uint8(m.rng.IntN(16)), Last: m.rng.IntN(2) == 0, Data: m.rng.Uint64()}}
	}
	m.out.Ready = m.back.Open()
	m.unit.Eval()
	t, w := &m.in.Data, &m.out.Data
	in[7], in[8], out[1] = 0, 0, 0
	for i := range m.spec.Threads {
		next := hwdec.ThreadItem{Thread: uint8(i), Item: hw.Item{Kind: uint8(m.others.IntN(5)), Data: m.others.Uint64N(2)}}
		if i == int(t.Thread) {
			next = *t
		}
		in[7] |= uint64(next.Kind) << (3 * i)
		in[8] |= bit(next.Data&15 != 0) << i
		out[1] |= bit(m.unit.Takes(&next)) << i
	}
	in[0], in[1], in[2], in[3], in[4], in[5], in[6] = bit(m.in.Valid), uint64(t.Thread), uint64(t.Kind), uint64(t.Group), bit(t.Last), t.Data, bit(m.out.Ready)
	out[0], out[2] = bit(m.unit.Open()), bit(m.out.Valid)
	out[3], out[4], out[5], out[6], out[7], out[8] = uint64(w.Thread), uint64(w.MBX), uint64(w.MBY), uint64(w.X), uint64(w.Y), uint64(w.Data)
	m.unit.Clock()
	if m.in.Moves() {
		m.in.Valid = false
	} else if m.in.Valid && len(m.opening) == 0 && m.rng.IntN(2) == 0 {
		// Another thread may be faster.
		back := m.in.Data
		m.pending[back.Thread] = append([]hw.Item{back.Item}, m.pending[back.Thread]...)
		m.in.Valid = false
	}
}

func pixelSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t264_dec_pixels", Source: "rtl/t264/t264_dec_pixels.v", Binding: "testbench/t264/bind/t264_dec_pixels.cpp", Cover: 1,
		In: []testbench.Port{{Name: "in_valid_i", Bits: 1}, {Name: "in_thread_i"}, {Name: "in_kind_i", Bits: 3}, {Name: "in_group_i", Bits: 4},
			{Name: "in_last_i", Bits: 1}, {Name: "in_data_i", Bits: 64}, {Name: "out_ready_i", Bits: 1}, {Name: "in_kinds_i"}, {Name: "in_bad_i"}},
		Out: []testbench.Port{{Name: "in_open_o", Bits: 1}, {Name: "in_ready_o"}, {Name: "out_valid_o", Bits: 1}},
	}
	for _, name := range []string{"out_thread_o", "out_mb_x_o", "out_mb_y_o", "out_x_o", "out_y_o", "out_data_o"} {
		p := testbench.Port{Name: name, Guard: "out_valid_o"}
		switch name {
		case "out_x_o":
			p.Bits = 4
		case "out_y_o":
			p.Bits = 2
		case "out_data_o":
			p.Bits = 32
		}
		u.Out = append(u.Out, p)
	}
	for _, spec := range []hwdec.PixelsSpec{
		{Threads: 5, FrameMBs: 12, Slots: 21, Transform8: true},
		hwdec.DefaultPixelsSpec(),
		{Threads: 2, FrameMBs: 20, Slots: 16, Transform8: false},
	} {
		sets = append(sets, pixelSet(spec))
	}
	return u, sets
}

// pixelSet is the set of a spec.
func pixelSet(spec hwdec.PixelsSpec) testbench.Set {
	return testbench.Set{
		Params: []testbench.Param{{Name: "Threads", Value: spec.Threads}, {Name: "FrameMBs", Value: spec.FrameMBs},
			{Name: "Slots", Value: spec.Slots}, {Name: "Transform8", Value: int(bit(spec.Transform8))}},
		Width: map[string]int{"in_kinds_i": 3 * spec.Threads, "in_bad_i": spec.Threads, "in_ready_o": spec.Threads, "in_thread_i": spec.ThreadBits(), "out_thread_o": spec.ThreadBits(), "out_mb_x_o": spec.MBBits(), "out_mb_y_o": spec.MBBits()},
		Model: func(stall testbench.Stall, seed uint64) testbench.Model { return newPixelModel(spec, stall, seed) },
	}
}

func TestPixels(t *testing.T) {
	u, sets := pixelSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
