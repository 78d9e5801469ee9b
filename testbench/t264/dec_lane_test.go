package t264

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t264"
	"vcsim/t264/hw"
	"vcsim/t264/hwdec"
	"vcsim/testbench"
)

// decLanePlanes returns crops of the planes of ../shared, or noise without them.
func decLanePlanes() (planes [][]byte, width, height int) {
	width, height = 112, 64
	names, _ := filepath.Glob(filepath.Join(testbench.Root(), "../shared/planes/*.pgm"))
	for _, name := range names {
		data, err := os.ReadFile(name)
		parts := bytes.SplitN(data, []byte("\n"), 4)
		var w, h int
		if err != nil || len(parts) < 4 {
			continue
		}
		if n, _ := fmt.Sscan(string(parts[1]), &w, &h); n != 2 || w < width || h < height {
			continue
		}
		var p []byte
		for y := range height {
			p = append(p, parts[3][y*w:][:width]...)
		}
		planes = append(planes, p)
	}
	rng := rand.New(rand.NewPCG(51, 52))
	for len(planes) < 4 {
		p := make([]byte, width*height)
		for i := range p {
			p[i] = uint8(min(max(128+rng.NormFloat64()*20, 0), 255))
		}
		planes = append(planes, p)
	}
	return planes, width, height
}

// decLaneSlices returns slices of both tiers and of x264.
var decLaneSlices = sync.OnceValues(func() ([]hwdec.Slice, error) {
	var out []hwdec.Slice
	add := func(stream []byte) error {
		s, err := hwdec.Slices(stream)
		out = append(out, s...)
		return err
	}
	planes, w, h := decLanePlanes()
	for i, off := range []t264.Tools{0, 0, t264.ToolI16, t264.ToolI16 | t264.ToolI8, t264.ToolI16 | t264.ToolI4, 0} {
		p := t264.Params{Width: w, Height: h, Tier: t264.RDO, Off: off, Slices: 1 + i%3}
		if i < 2 {
			p.Tier = t264.HW
		}
		e, err := t264.NewEncoder(p)
		if err != nil {
			return nil, err
		}
		stream := e.AppendHeader(nil)
		for j, qp := range []int{26, 18, 33, 4, 0, 48} {
			if stream, err = e.AppendFrameFine(stream, planes[(i+3*j)%len(planes)], w, 16*qp+5*(j&1)); err != nil {
				return nil, err
			}
		}
		if err := add(stream); err != nil {
			return nil, err
		}
	}
	// White noise, half of whose bits are suffixes, and grey columns of many rows.
	noise, rng := make([]byte, 32*128), rand.New(rand.NewPCG(53, 54))
	for i := range 12 {
		for j := range noise {
			noise[j] = uint8(rng.Uint32())
		}
		p, qp := t264.Params{Width: 32, Height: 16, Slices: 1, Tier: t264.Tier(i & 1)}, i/2
		if i >= 8 {
			p.Width, p.Height, qp = 16+16*(i&1), 128, 40
			clear(noise)
		}
		e, err := t264.NewEncoder(p)
		if err != nil {
			return nil, err
		}
		stream, err := e.AppendFrame(e.AppendHeader(nil), noise, 32, qp)
		if err == nil {
			err = add(stream)
		}
		if err != nil {
			return nil, err
		}
	}
	files, err := filepath.Glob(filepath.Join(testbench.Root(), "t264/testdata/x264/*.264"))
	if err != nil || len(files) < 10 {
		return nil, fmt.Errorf("%d streams of x264: %v", len(files), err)
	}
	for _, name := range files {
		stream, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := add(stream); err != nil {
			return nil, err
		}
	}
	// Random syntax; see t264/hwdec/lane_vectors_test.go.
	f, err := os.Open(filepath.Join(testbench.Root(), "t264/testdata/lane/random.gob"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var vectors []hwdec.Slice
	err = gob.NewDecoder(f).Decode(&vectors)
	decLaneRandom = len(vectors)
	return append(out, vectors...), err
})

// decLaneRandom is how many of decLaneSlices, at the end, are of random syntax.
// No picture of them is wider or higher than the smallest that a test has.
var decLaneRandom int

// decLaneModel drives a lane with slices, some of them damaged.
type decLaneModel struct {
	words  sim.Stream[cabachw.Word]
	config sim.Stream[hwdec.SliceConfig]
	set    sim.Stream[hw.ContextValue]
	above  sim.Stream[hwdec.AboveRequest]
	reply  sim.Stream[uint32]
	out    sim.Stream[hw.Item]
	lane   *hwdec.LaneUnit
	slices []hwdec.Slice
	spec   hwdec.LaneSpec
	stall  testbench.Stall
	idle   *testbench.Gate
	back   *testbench.Gate
	rng    *rand.Rand
	data   []byte
	cfg    hwdec.SliceConfig
	begun  bool // not the first slice
	slow   bool // the words of the slice are short and far apart
	stuck  bool // its items wait for long
	asked  bool // the slice has begun
	memory [1024]uint32
	asks   hwdec.AboveRequest
	wait   int // cycles until the reply, 0 for none
	next   int // context
}

func newDecLaneModel(spec hwdec.LaneSpec, slices []hwdec.Slice, stall testbench.Stall, seed uint64) *decLaneModel {
	m := &decLaneModel{spec: spec, stall: stall, idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back),
		rng: rand.New(rand.NewPCG(seed, 7))}
	for _, s := range slices {
		if int(s.Config.LastX) < spec.FrameMBs && int(s.Config.LastY) < spec.FrameMBs {
			m.slices = append(m.slices, s)
		}
	}
	m.lane = hwdec.NewLaneUnit(spec, &m.words, &m.config, &m.set, &m.above, &m.reply, &m.out)
	return m
}

// slice draws the next slice.
func (m *decLaneModel) slice() {
	rng := m.rng
	if !m.begun {
		// Of the hw tier: levels before any mode come to registers as they are after
		// a reset.
		s := m.slices[rng.IntN(4)]
		m.begun, m.cfg, m.data = true, s.Config, append(m.data, s.Data...)
		return
	}
	m.slow, m.stuck = m.stall.Idle && rng.IntN(3) == 0, m.stall.Back && rng.IntN(3) == 0
	s := m.slices[rng.IntN(len(m.slices))]
	for range 2 { // mostly short ones
		if more := m.slices[rng.IntN(len(m.slices))]; len(more.Data) < len(s.Data) {
			s = more
		}
	}
	random := m.slow || m.stuck || rng.IntN(3) == 0
	if random {
		s = m.slices[len(m.slices)-1-rng.IntN(decLaneRandom)]
	}
	m.cfg = s.Config
	m.data = append(m.data[:0], s.Data...)
	m.asked = false
	if random && rng.IntN(2) == 0 {
		m.data = m.data[:1+rng.IntN(len(m.data))]
		return
	}
	switch rng.IntN(14) {
	case 0, 1:
		for range 1 + rng.IntN(3) {
			m.data[rng.IntN(len(m.data))] ^= 1 << rng.IntN(8)
		}
	case 2, 9:
		m.data = m.data[:1+rng.IntN(len(m.data))]
	case 3:
		m.data = m.data[:1+rng.IntN(min(400, len(m.data)))]
		for i := range m.data {
			m.data[i] = uint8(rng.Uint32())
		}
		if rng.IntN(4) == 0 {
			m.data[0] = 0xff
		}
	case 4:
		m.cfg.Transform8 = !m.cfg.Transform8
	case 5:
		m.cfg.QP = uint8(rng.IntN(52))
	case 6, 8: // another place, another size
		m.cfg.LastX, m.cfg.LastY = uint16(rng.IntN(m.spec.FrameMBs)), uint16(rng.IntN(m.spec.FrameMBs))
		if rng.IntN(2) == 0 {
			m.cfg.LastX = uint16(rng.IntN(4))
		}
		m.cfg.X, m.cfg.Y = uint16(rng.IntN(int(m.cfg.LastX)+1)), uint16(rng.IntN(int(m.cfg.LastY)+1))
	case 10: // the third macroblock has neighbours, but none above to the left
		m.cfg.LastX, m.cfg.LastY, m.cfg.X, m.cfg.Y = 1, uint16(1+rng.IntN(m.spec.FrameMBs-1)), 1, 0
		for i := 1 + rng.IntN(24); i < len(m.data); i++ {
			m.data[i] = uint8(rng.Uint32())
		}
	case 7, 12: // bins that are nearly always zero or one
		fill := [...]uint8{0, 0xfe}[rng.IntN(2)]
		for i := range m.data {
			m.data[i] = fill
			if i%7 == 6 {
				m.data[i] = 3
			}
		}
	}
}

func (m *decLaneModel) Cycle(in, out []uint64) {
	if len(m.data) == 0 && !m.words.Valid && m.asked {
		m.asked = false
	}
	if len(m.data) == 0 && !m.words.Valid && !m.config.Valid && m.config.Ready {
		m.slice()
	}
	if !m.words.Valid && len(m.data) > 0 && m.idle.Open() && (!m.slow || m.rng.IntN(16) == 0) {
		n := min(8, len(m.data))
		if m.slow {
			n = min(1+m.rng.IntN(2), n)
		} else if m.rng.IntN(4) == 0 {
			n = min(1+m.rng.IntN(8), n)
		}
		m.words.Valid, m.words.Data = true, cabachw.Word{Count: uint8(n), Last: n == len(m.data)}
		for i, b := range m.data[:n] {
			m.words.Data.Data |= uint64(b) << (8 * i)
		}
		m.data = m.data[n:]
	}
	if !m.asked && !m.config.Valid && (len(m.data) > 0 || m.words.Valid) && m.idle.Open() {
		m.config.Valid, m.config.Data, m.asked = true, m.cfg, true
	}
	m.out.Ready = m.back.Open() && (!m.stuck || m.rng.IntN(16) == 0)
	m.above.Ready = m.wait == 0 && m.back.Open()
	m.lane.Eval()
	ask, qp := m.lane.Parse.Init()
	m.set.Valid = ask && m.idle.Open()
	m.set.Data = hw.ContextValue{Ctx: uint8(m.rng.IntN(hw.DecContexts)), Value: uint8(m.rng.IntN(128)), Last: m.rng.IntN(2) == 0}
	if m.set.Valid {
		m.set.Data = hw.ContextValue{Ctx: uint8(m.next), Value: hw.InitialDecContexts[qp][m.next], Last: m.next == hw.DecContexts-1}
	}
	if m.wait > 1 {
		m.wait--
	}
	m.reply.Valid = m.wait == 1
	m.reply.Data = m.memory[m.asks.Read]

	b := func(v bool) uint64 {
		if v {
			return 1
		}
		return 0
	}
	w, c := &m.words.Data, &m.config.Data
	copy(in, []uint64{b(m.words.Valid), w.Data, uint64(w.Count), b(w.Last),
		b(m.config.Valid), uint64(c.LastX), uint64(c.LastY), uint64(c.X), uint64(c.Y), uint64(c.QP), b(c.Transform8),
		b(m.set.Valid), uint64(m.set.Data.Ctx), uint64(m.set.Data.Value), b(m.set.Data.Last),
		b(m.above.Ready), b(m.reply.Valid), uint64(m.reply.Data), b(m.out.Ready)})
	q, t := m.lane.Parse.Request(), m.lane.Parse.Item()
	copy(out, []uint64{b(m.words.Ready), b(m.config.Ready), b(ask), uint64(qp), b(m.set.Ready),
		b(m.above.Valid), b(q.Write), uint64(q.X), uint64(q.Read), uint64(q.Word), b(m.reply.Ready),
		b(m.out.Valid), uint64(t.Kind), uint64(t.Block), uint64(t.Group), b(t.Last), b(t.Coded), t.Data, uint64(m.lane.Parse.Error())})
	m.lane.Clock()
	if m.words.Moves() {
		m.words.Valid = false
	}
	if m.config.Moves() {
		m.config.Valid = false
	}
	if m.set.Moves() {
		m.next = (m.next + 1) % hw.DecContexts
	}
	if m.reply.Moves() {
		m.wait = 0
	}
	if m.above.Moves() {
		m.asks = m.above.Data
		if m.asks.Write {
			m.memory[m.asks.X] = m.asks.Word
		}
		m.wait = 2 + m.rng.IntN(3)
		if m.idle.Open() {
			m.wait = 2
		}
	}
}

func decLaneSets(t testing.TB) (u testbench.Unit, sets []testbench.Set) {
	slices, err := decLaneSlices()
	if err != nil {
		t.Fatal(err)
	}
	one := func(name string, bits int) testbench.Port { return testbench.Port{Name: name, Bits: bits} }
	guarded := func(name string, bits int, guard string) testbench.Port {
		return testbench.Port{Name: name, Bits: bits, Guard: guard}
	}
	u = testbench.Unit{
		Top: "t264_dec_lane", Source: "rtl/t264/t264_dec_lane.v", Binding: "testbench/t264/bind/t264_dec_lane.cpp",
		In: []testbench.Port{one("word_valid_i", 1), one("word_data_i", 64), one("word_count_i", 4), one("word_last_i", 1),
			one("cfg_valid_i", 1), one("cfg_last_x_i", 0), one("cfg_last_y_i", 0), one("cfg_x_i", 0), one("cfg_y_i", 0), one("cfg_qp_i", 6), one("cfg_t8_i", 1),
			one("set_valid_i", 1), one("set_ctx_i", 8), one("set_value_i", 7), one("set_last_i", 1),
			one("above_ready_i", 1), one("reply_valid_i", 1), one("reply_word_i", 25), one("item_ready_i", 1)},
		Out: []testbench.Port{one("word_ready_o", 1), one("cfg_ready_o", 1), one("init_o", 1), guarded("init_qp_o", 6, "init_o"), one("set_ready_o", 1),
			one("above_valid_o", 1), guarded("above_write_o", 1, "above_valid_o"), guarded("above_x_o", 0, "above_valid_o"), guarded("above_read_o", 0, "above_valid_o"),
			guarded("above_word_o", 25, "above_valid_o"), one("reply_ready_o", 1),
			one("item_valid_o", 1), guarded("item_kind_o", 3, "item_valid_o"), guarded("item_block_o", 4, "item_valid_o"), guarded("item_group_o", 4, "item_valid_o"),
			guarded("item_last_o", 1, "item_valid_o"), guarded("item_coded_o", 1, "item_valid_o"), guarded("item_data_o", 64, "item_valid_o"),
			one("error_o", 4)},
	}
	for _, spec := range []hwdec.LaneSpec{{FrameMBs: 64, Bypass: 1}, {FrameMBs: 16, Bypass: 4}, {FrameMBs: 1024, Bypass: 2}, {FrameMBs: 64, Bypass: 3}} {
		sets = append(sets, decLaneSet(spec, slices))
	}
	return u, sets
}

// decLaneSet is the set of a spec.
func decLaneSet(spec hwdec.LaneSpec, slices []hwdec.Slice) testbench.Set {
	w := spec.MBBits()
	return testbench.Set{
		Params: []testbench.Param{{Name: "FrameMBs", Value: spec.FrameMBs}, {Name: "Bypass", Value: spec.Bypass}},
		Width:  map[string]int{"cfg_last_x_i": w, "cfg_last_y_i": w, "cfg_x_i": w, "cfg_y_i": w, "above_x_o": w, "above_read_o": w},
		Model: func(stall testbench.Stall, seed uint64) testbench.Model {
			return newDecLaneModel(spec, slices, stall, seed)
		},
	}
}

const decLaneCycles = 1_500_000

func TestDecLane(t *testing.T) {
	u, sets := decLaneSets(t)
	testbench.Cosim(t, u, sets, decLaneCycles)
}

// BenchmarkDecLane times the Verilated lane on slices; BenchmarkDecLane of t264
// times the Go unit.
func BenchmarkDecLane(b *testing.B) {
	testbench.NeedTools(b, "verilator", "g++", "ar")
	u, sets := decLaneSets(b)
	verilated, err := u.Time(sets[0], testbench.Stall{}, 1, 1<<16, 10)
	if err != nil {
		b.Fatal(err)
	}
	m := sets[0].Model(testbench.Stall{}, 1)
	in, out := make([]uint64, len(u.In)), make([]uint64, len(u.Out))
	b.ReportAllocs()
	for b.Loop() {
		m.Cycle(in, out)
	}
	b.ReportMetric(verilated, "verilated-ns/op")
}
