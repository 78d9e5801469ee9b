package t264

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t264/hwdec"
	"vcsim/testbench"
)

// decModel drives a decoder with slices in all lanes, some of them damaged.
type decModel struct {
	unit   *hwdec.Unit
	out    sim.Stream[hwdec.PixelWord]
	spec   hwdec.Spec
	slices []hwdec.Slice
	idle   *testbench.Gate
	back   *testbench.Gate
	rng    *rand.Rand
	lanes  []decSlice
	word   int // lane whose word is offered, and what it was
	config int
	begun  bool // another lane than 0 may get something
	w      cabachw.Word
	c      hwdec.SliceConfig
}

// A decSlice is what a lane has still to get.
type decSlice struct {
	config bool
	cfg    hwdec.SliceConfig
	data   []byte
}

func newDecModel(spec hwdec.Spec, slices []hwdec.Slice, stall testbench.Stall, seed uint64) *decModel {
	m := &decModel{spec: spec, idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back),
		rng: rand.New(rand.NewPCG(seed, 7)), lanes: make([]decSlice, spec.Lanes), word: -1, config: -1}
	for _, s := range slices {
		if int(s.Config.LastX) < spec.FrameMBs && int(s.Config.LastY) < spec.FrameMBs {
			m.slices = append(m.slices, s)
		}
	}
	m.unit = hwdec.NewUnit(spec, &m.out)
	return m
}

// draw fills a lane with the next slice.
func (m *decModel) draw(l *decSlice) {
	rng := m.rng
	s := m.slices[rng.IntN(len(m.slices))]
	*l = decSlice{config: true, cfg: s.Config, data: append(l.data[:0], s.Data...)}
	switch rng.IntN(12) {
	case 0:
		for range 1 + rng.IntN(3) {
			l.data[rng.IntN(len(l.data))] ^= 1 << rng.IntN(8)
		}
	case 1:
		l.data = l.data[:1+rng.IntN(len(l.data))]
	case 2:
		l.data = l.data[:1+rng.IntN(min(400, len(l.data)))]
		for i := range l.data {
			l.data[i] = uint8(rng.Uint32())
		}
	case 3:
		l.cfg.QP = uint8(rng.IntN(52))
	}
	l.cfg.Transform8 = l.cfg.Transform8 && m.spec.Transform8
}

// lane chooses one: lane 0 is the first to begin, so that it is seen which one the
// choice among the items begins with.
func (m *decModel) lane() int {
	i := m.rng.IntN(len(m.lanes))
	if !m.begun {
		i = 0
	}
	return i
}

func (m *decModel) Cycle(in, out []uint64) {
	u := m.unit
	if m.word < 0 && m.idle.Open() {
		i := m.lane()
		l := &m.lanes[i]
		if len(l.data) == 0 && !l.config {
			m.draw(l)
		}
		if n := min(8, len(l.data)); n > 0 {
			m.word, m.w = i, cabachw.Word{Count: uint8(n), Last: n == len(l.data)}
			for k, b := range l.data[:n] {
				m.w.Data |= uint64(b) << (8 * k)
			}
			l.data = l.data[n:]
			u.Words[i].Valid, u.Words[i].Data = true, m.w
		}
	}
	if m.config < 0 && m.idle.Open() {
		if i := m.lane(); m.lanes[i].config {
			m.config, m.c = i, m.lanes[i].cfg
			m.lanes[i].config, m.begun = false, true
			u.Config[i].Valid, u.Config[i].Data = true, m.c
		}
	}
	m.out.Ready = m.back.Open()
	u.Eval()
	decPorts(u, m.word, m.config, &m.out, in, out)
	u.Clock()
	if m.word >= 0 && u.Words[m.word].Moves() {
		u.Words[m.word].Valid, m.word = false, -1
	}
	if m.config >= 0 && u.Config[m.config].Moves() {
		u.Config[m.config].Valid, m.config = false, -1
	}
}

// decPorts writes the ports of a decoder in a cycle, in which a word and a
// configuration are offered to the given lanes, or to none. The last ones stay on
// the wires.
func decPorts(u *hwdec.Unit, word, config int, samples *sim.Stream[hwdec.PixelWord], in, out []uint64) {
	in[0], in[8], in[13] = bit(config >= 0), bit(word >= 0), bit(samples.Ready)
	in[1], in[9] = 0, 0
	if config >= 0 {
		c := &u.Config[config].Data
		copy(in[1:8], []uint64{uint64(config), uint64(c.LastX), uint64(c.LastY), uint64(c.X), uint64(c.Y), uint64(c.QP), bit(c.Transform8)})
	}
	if word >= 0 {
		w := &u.Words[word].Data
		copy(in[9:13], []uint64{uint64(word), w.Data, uint64(w.Count), bit(w.Last)})
	}
	clear(out)
	for i := range u.Words {
		out[0] |= bit(u.Config[i].Ready) << i
		out[1] |= bit(u.Words[i].Ready) << i
		out[9] |= uint64(u.Error(i)) << (4 * i)
	}
	w := &samples.Data
	copy(out[2:9], []uint64{bit(samples.Valid), uint64(w.Thread), uint64(w.MBX), uint64(w.MBY), uint64(w.X), uint64(w.Y), uint64(w.Data)})
}

func decSets(t testing.TB) (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t264_dec", Source: "rtl/t264/t264_dec.v", Binding: "testbench/t264/bind/t264_dec.cpp", Cover: 1,
		In: []testbench.Port{{Name: "cfg_valid_i", Bits: 1}, {Name: "cfg_lane_i"}, {Name: "cfg_last_x_i"}, {Name: "cfg_last_y_i"}, {Name: "cfg_x_i"}, {Name: "cfg_y_i"},
			{Name: "cfg_qp_i", Bits: 6}, {Name: "cfg_t8_i", Bits: 1}, {Name: "word_valid_i", Bits: 1}, {Name: "word_lane_i"}, {Name: "word_data_i", Bits: 64},
			{Name: "word_count_i", Bits: 4}, {Name: "word_last_i", Bits: 1}, {Name: "out_ready_i", Bits: 1}},
		Out: []testbench.Port{{Name: "cfg_ready_o"}, {Name: "word_ready_o"}, {Name: "out_valid_o", Bits: 1}, {Name: "out_lane_o", Guard: "out_valid_o"},
			{Name: "out_mb_x_o", Guard: "out_valid_o"}, {Name: "out_mb_y_o", Guard: "out_valid_o"}, {Name: "out_x_o", Bits: 4, Guard: "out_valid_o"},
			{Name: "out_y_o", Bits: 2, Guard: "out_valid_o"}, {Name: "out_data_o", Bits: 32, Guard: "out_valid_o"}, {Name: "error_o"}},
	}
	for _, spec := range []hwdec.Spec{
		{Lanes: 3, FrameMBs: 64, Slots: 16, Bypass: 1, Transform8: true},
		{Lanes: 7, FrameMBs: 16, Slots: 20, Bypass: 4, Transform8: true},
		{Lanes: 2, FrameMBs: 16, Slots: 16, Bypass: 2, Transform8: false},
	} {
		sets = append(sets, decSet(t, spec))
	}
	return u, sets
}

// decSet is the parameter set of a spec.
func decSet(t testing.TB, spec hwdec.Spec) testbench.Set {
	slices, err := decLaneSlices()
	if err != nil {
		t.Fatal(err)
	}
	b, n := spec.LaneBits(), spec.MBBits()
	return testbench.Set{
		Params: []testbench.Param{{Name: "Lanes", Value: spec.Lanes}, {Name: "FrameMBs", Value: spec.FrameMBs},
			{Name: "Slots", Value: spec.Slots}, {Name: "Bypass", Value: spec.Bypass}, {Name: "Transform8", Value: int(bit(spec.Transform8))}},
		Width: map[string]int{"cfg_lane_i": b, "word_lane_i": b, "out_lane_o": b, "cfg_last_x_i": n, "cfg_last_y_i": n, "cfg_x_i": n, "cfg_y_i": n,
			"out_mb_x_o": n, "out_mb_y_o": n, "cfg_ready_o": spec.Lanes, "word_ready_o": spec.Lanes, "error_o": 4 * spec.Lanes},
		Model: func(stall testbench.Stall, seed uint64) testbench.Model {
			return newDecModel(spec, slices, stall, seed)
		},
	}
}

func TestDec(t *testing.T) {
	u, sets := decSets(t)
	testbench.Cosim(t, u, sets, cosimCycles)
}
