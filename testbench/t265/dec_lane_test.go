package t265

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t265"
	"vcsim/t265/hw"
	"vcsim/t265/hwdec"
	"vcsim/testbench"
)

// decLaneSlices returns slice segments of both tiers, of x265 and of random syntax.
var decLaneSlices = sync.OnceValues(func() ([]hwdec.Slice, error) {
	var out []hwdec.Slice
	rng := rand.New(rand.NewPCG(51, 52))
	pix := make([]byte, 128*64)
	for i, p := range []t265.Params{
		{Tier: t265.HW}, {Tier: t265.HW, CTU: 16, MaxTU: 8, FineQP: true}, {Tier: t265.HW, CTU: 32, Slices: 2}, {Tier: t265.HW, CTU: 64, MaxTU: 32},
		{Tier: t265.RDO, CTU: 16}, {Tier: t265.RDO, CTU: 32, Slices: 2}, {Tier: t265.RDO}, {Tier: t265.RDO, CTU: 16, MaxTU: 16, Off: t265.ToolSDH},
	} {
		p.Width, p.Height = 56+24*(i%3), 40
		e, err := t265.NewEncoder(p)
		if err != nil {
			return nil, err
		}
		stream := e.AppendHeader(nil)
		for j, qp := range []int{26, 18, 33, 4, 0, 48} {
			decLanePlane(rng, pix, p.Width, (i+j)%4)
			if p.FineQP {
				stream, err = e.AppendFrameFine(stream, pix, p.Width, 16*qp+5*(j&1))
			} else {
				stream, err = e.AppendFrame(stream, pix, p.Width, qp)
			}
			if err != nil {
				return nil, err
			}
		}
		slices, err := hwdec.Slices(stream)
		if err != nil {
			return nil, err
		}
		out = append(out, slices...)
	}
	files, err := filepath.Glob(filepath.Join(testbench.Root(), "t265/testdata/x265/*.265"))
	if err != nil || len(files) < 10 {
		return nil, fmt.Errorf("%d streams of x265: %v", len(files), err)
	}
	for _, name := range files {
		stream, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if slices, err := hwdec.Slices(stream); err == nil {
			out = append(out, slices...)
		}
	}
	return out, nil
})

// decLanePlane fills a plane with Gaussian or white noise, slopes or checks.
func decLanePlane(rng *rand.Rand, pix []byte, width, kind int) {
	for i := range pix {
		x, y := i%width, i/width
		switch kind {
		case 0:
			pix[i] = uint8(min(max(128+rng.NormFloat64()*20, 0), 255))
		case 1:
			pix[i] = uint8(rng.Uint32())
		case 2:
			pix[i] = uint8(3*x + 2*y + rng.IntN(3))
		case 3:
			pix[i] = uint8(255 * ((x>>2 ^ y>>3) & 1))
		}
	}
}

// decLaneModel drives a lane with slice segments, some of them damaged.
type decLaneModel struct {
	words  sim.Stream[cabachw.Word]
	config sim.Stream[hwdec.SliceConfig]
	set    sim.Stream[hw.ContextValue]
	above  sim.Stream[hwdec.AboveRequest]
	reply  sim.Stream[uint16]
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
	memory [1024]uint16
	asks   hwdec.AboveRequest
	wait   int // cycles until the reply, 0 for none
	next   int // context
}

func newDecLaneModel(spec hwdec.LaneSpec, slices []hwdec.Slice, stall testbench.Stall, seed uint64) *decLaneModel {
	m := &decLaneModel{spec: spec, stall: stall, idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back),
		rng: rand.New(rand.NewPCG(seed, 7))}
	for _, s := range slices {
		c := &s.Config
		if int(c.LastX) < spec.FrameCTUs && int(c.LastY) < spec.FrameCTUs && 16<<c.Log2CTB <= spec.MaxCTU && 4<<c.Log2MaxTB <= spec.MaxTU {
			m.slices = append(m.slices, s)
		}
	}
	m.lane = hwdec.NewLaneUnit(spec, &m.words, &m.config, &m.set, &m.above, &m.reply, &m.out)
	return m
}

// slice draws the next slice segment.
func (m *decLaneModel) slice() {
	rng := m.rng
	s := m.slices[rng.IntN(len(m.slices))]
	for range 2 { // mostly short ones
		if more := m.slices[rng.IntN(len(m.slices))]; len(more.Data) < len(s.Data) {
			s = more
		}
	}
	m.cfg, m.data, m.asked = s.Config, append(m.data[:0], s.Data...), false
	if !m.begun { // whole: what comes to registers as they are after a reset is of no meaning
		m.begun = true
		m.cfg.Dependent = false
		return
	}
	m.slow, m.stuck = m.stall.Idle && rng.IntN(3) == 0, m.stall.Back && rng.IntN(3) == 0
	switch rng.IntN(14) {
	case 0, 1:
		for range 1 + rng.IntN(3) {
			m.data[rng.IntN(len(m.data))] ^= 1 << rng.IntN(8)
		}
	case 2, 9:
		m.data = m.data[:1+rng.IntN(len(m.data))]
	case 3, 10:
		m.data = m.data[:1+rng.IntN(min(400, len(m.data)))]
		for i := range m.data {
			m.data[i] = uint8(rng.Uint32())
		}
		if rng.IntN(4) == 0 {
			m.data[0] = 0xff
		}
		m.tools()
	case 4:
		m.cfg.Dependent = true
	case 5:
		m.cfg.QP = uint8(rng.IntN(52))
	case 6, 8: // another place, another size
		m.cfg.LastX, m.cfg.LastY = uint16(rng.IntN(m.spec.FrameCTUs)), uint16(rng.IntN(m.spec.FrameCTUs))
		if rng.IntN(2) == 0 {
			m.cfg.LastX = uint16(rng.IntN(4))
		}
		m.cfg.X, m.cfg.Y = uint16(rng.IntN(int(m.cfg.LastX)+1)), uint16(rng.IntN(int(m.cfg.LastY)+1))
		m.cfg.PartX, m.cfg.PartY = uint8(1+rng.IntN(2<<m.cfg.Log2CTB)), uint8(1+rng.IntN(2<<m.cfg.Log2CTB))
	case 7, 12: // bins that are nearly always zero or one
		fill := [...]uint8{0, 0xfe}[rng.IntN(2)]
		for i := range m.data {
			m.data[i] = fill
			if i%7 == 6 {
				m.data[i] = 3
			}
		}
		m.tools()
	case 13:
		m.tools()
	}
}

// tools draws other parameter sets, which are legal.
func (m *decLaneModel) tools() {
	rng, c := m.rng, &m.cfg
	flip := func() bool { return rng.IntN(2) == 0 }
	ctb := 4 + rng.IntN(3)
	for 1<<ctb > m.spec.MaxCTU {
		ctb--
	}
	minCB := 3 + rng.IntN(ctb-2)
	minTB := 2 + rng.IntN(min(minCB-2, 4))
	maxTB := min(minTB+rng.IntN(4), ctb, 5)
	for 1<<maxTB > m.spec.MaxTU {
		maxTB--
	}
	minTB = min(minTB, maxTB)
	low := min(minCB, 5)
	minPCM := low + rng.IntN(min(ctb, 5)-low+1)
	c.Tools = hwdec.Tools{Log2CTB: uint8(ctb - 4), Log2MinCB: uint8(minCB - 3), Log2MinTB: uint8(minTB - 2), Log2MaxTB: uint8(maxTB - 2),
		Depth: uint8(rng.IntN(ctb - minTB + 1)), QPDepth: uint8(rng.IntN(min(ctb-minCB, 3) + 1)), Log2MinPCM: uint8(minPCM - 3), Log2MaxPCM: uint8(minPCM - 3 + rng.IntN(min(ctb, 5)-minPCM+1)),
		QPDelta: flip(), Skip: flip(), Hide: flip(), TransquantFlag: rng.IntN(8) == 0, PCM: rng.IntN(4) == 0, Strong: flip()}
	// Sides are multiples of the smallest coding unit.
	unit := 1 << (minCB - 3)
	c.PartX, c.PartY = uint8(unit*(1+rng.IntN(2<<c.Log2CTB/unit))), uint8(unit*(1+rng.IntN(2<<c.Log2CTB/unit)))
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
	m.set.Data = hw.ContextValue{Ctx: uint8(m.rng.IntN(128)), Value: uint8(m.rng.IntN(128)), Last: m.rng.IntN(2) == 0}
	if m.set.Valid {
		for hw.DecOrder[m.next] < 0 {
			m.next++
		}
		m.set.Data = hw.ContextValue{Ctx: uint8(m.next), Value: hw.InitialDecContexts[qp][m.next], Last: m.next == hw.DecContexts-1}
	}
	if m.wait > 1 {
		m.wait--
	}
	m.reply.Valid = m.wait == 1
	m.reply.Data = m.memory[m.asks.Read]

	w, c := &m.words.Data, &m.config.Data
	copy(in, []uint64{bit(m.words.Valid), w.Data, uint64(w.Count), bit(w.Last),
		bit(m.config.Valid), uint64(c.LastX), uint64(c.LastY), uint64(c.PartX), uint64(c.PartY), uint64(c.X), uint64(c.Y), uint64(c.QP), bit(c.Dependent), c.Tools.Pack(),
		bit(m.set.Valid), uint64(m.set.Data.Ctx), uint64(m.set.Data.Value), bit(m.set.Data.Last),
		bit(m.above.Ready), bit(m.reply.Valid), uint64(m.reply.Data), bit(m.out.Ready)})
	q, t := m.lane.Parse.Request(), m.lane.Parse.Item()
	copy(out, []uint64{bit(m.words.Ready), bit(m.config.Ready), bit(ask), uint64(qp), bit(m.set.Ready),
		bit(m.above.Valid), bit(q.Write), uint64(q.X), uint64(q.Read), uint64(q.Word), bit(m.reply.Ready),
		bit(m.out.Valid), uint64(t.Kind) | uint64(t.SubX)<<2 | uint64(t.SubY)<<5 | uint64(t.Group)<<8, t.Data, uint64(m.lane.Parse.Error())})
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
			m.memory[m.asks.X] = m.asks.Word & (1<<m.spec.AboveBits() - 1)
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
		Top: "t265_dec_lane", Source: "rtl/t265/t265_dec_lane.v", Binding: "testbench/t265/bind/t265_dec_lane.cpp",
		In: []testbench.Port{one("word_valid_i", 1), one("word_data_i", 64), one("word_count_i", 4), one("word_last_i", 1),
			one("cfg_valid_i", 1), one("cfg_last_x_i", 0), one("cfg_last_y_i", 0), one("cfg_part_x_i", 4), one("cfg_part_y_i", 4), one("cfg_x_i", 0), one("cfg_y_i", 0),
			one("cfg_qp_i", 6), one("cfg_dependent_i", 1), one("cfg_tools_i", 23),
			one("set_valid_i", 1), one("set_ctx_i", 7), one("set_value_i", 7), one("set_last_i", 1),
			one("above_ready_i", 1), one("reply_valid_i", 1), one("reply_word_i", 0), one("item_ready_i", 1)},
		Out: []testbench.Port{one("word_ready_o", 1), one("cfg_ready_o", 1), one("init_o", 1), guarded("init_qp_o", 6, "init_o"), one("set_ready_o", 1),
			one("above_valid_o", 1), guarded("above_write_o", 1, "above_valid_o"), guarded("above_x_o", 0, "above_valid_o"), guarded("above_read_o", 0, "above_valid_o"),
			guarded("above_word_o", 0, "above_valid_o"), one("reply_ready_o", 1),
			one("item_valid_o", 1), guarded("item_tag_o", 10, "item_valid_o"), guarded("item_data_o", 64, "item_valid_o"), one("error_o", 3)},
	}
	for _, spec := range []hwdec.LaneSpec{{FrameCTUs: 64, MaxCTU: 64, MaxTU: 32, Bypass: 4}, {FrameCTUs: 16, MaxCTU: 16, MaxTU: 16, Bypass: 2},
		{FrameCTUs: 1024, MaxCTU: 32, MaxTU: 32, Bypass: 1}, {FrameCTUs: 64, MaxCTU: 64, MaxTU: 16, Bypass: 3}} {
		sets = append(sets, decLaneSet(spec, slices))
	}
	return u, sets
}

// decLaneSet is the set of a spec.
func decLaneSet(spec hwdec.LaneSpec, slices []hwdec.Slice) testbench.Set {
	w := spec.CTUBits()
	return testbench.Set{
		Params: []testbench.Param{{Name: "FrameCTUs", Value: spec.FrameCTUs}, {Name: "MaxCTU", Value: spec.MaxCTU}, {Name: "MaxTU", Value: spec.MaxTU}, {Name: "Bypass", Value: spec.Bypass}},
		Width: map[string]int{"cfg_last_x_i": w, "cfg_last_y_i": w, "cfg_x_i": w, "cfg_y_i": w, "above_x_o": w, "above_read_o": w,
			"reply_word_i": spec.AboveBits(), "above_word_o": spec.AboveBits()},
		Model: func(stall testbench.Stall, seed uint64) testbench.Model {
			return newDecLaneModel(spec, slices, stall, seed)
		},
	}
}

func TestDecLane(t *testing.T) {
	u, sets := decLaneSets(t)
	testbench.Cosim(t, u, sets, 3*cosimCycles/2)
}
