// Package t264 holds the co-simulations of the units under rtl/t264.
package t264

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"vcsim/sim"
	"vcsim/t264/hw"
	"vcsim/t264/hwenc"
	"vcsim/testbench"
)

// cosimCycles is what the issue asks of a unit, over all sets and patterns.
const cosimCycles = 1 << 20

// A picture is a source of frames.
type picture struct {
	w, h int
	pix  []byte
	// Frames start at the origin; QPs are low.
	anchored, faint bool
	coarse          bool // QP is 51
}

// sharedPlanes returns the planes of the data folder, where it is there.
func sharedPlanes() (out []picture) {
	files, _ := filepath.Glob(filepath.Join(testbench.Root(), "../shared/planes/*.pgm"))
	for _, file := range files {
		var p picture
		data, err := os.ReadFile(file)
		if err == nil {
			_, err = fmt.Sscanf(string(data[:min(len(data), 40)]), "P5\n%d %d\n255\n", &p.w, &p.h)
		}
		if err != nil {
			panic(err)
		}
		p.pix = data[len(data)-p.w*p.h:]
		out = append(out, p)
	}
	return out
}

// pictures returns the planes, and made-up ones, such as noise on a ramp.
func pictures() []picture {
	rng := rand.New(rand.NewPCG(1, 2))
	p := picture{w: 512, h: 256, pix: make([]byte, 1<<17)}
	for i := range p.pix {
		p.pix[i] = uint8(min(max(128+rng.NormFloat64()*float64(i%512)/4+float64(i>>9)/2-64, 0), 255))
	}
	// A corner of extremes: black, white, and blocks of either.
	for i := range 128 * 128 {
		x, y := i%128, i/128
		p.pix[y*512+x] = [4]uint8{uint8(x >> 4 & 1 * 255), uint8(255 * (y >> 4 & 1)), uint8(255 * (x & 1)), uint8(255 * rng.IntN(2))}[y>>5]
	}
	// Symmetric about its diagonal, where vertical and horizontal prediction tie;
	// and faint noise, where costs are small and tie with prices.
	sym := picture{w: 128, h: 128, pix: make([]byte, 1<<14), anchored: true}
	faint := picture{w: 128, h: 128, pix: make([]byte, 1<<14), faint: true}
	for i := range sym.pix {
		x, y := i%128, i/128
		sym.pix[i] = uint8(128 + 40*(x>>1&1) + 40*(y>>1&1) + x*y*7%13)
		faint.pix[i] = uint8(128 + rng.IntN(16)/15 + x>>4&1)
	}
	return append(sharedPlanes(), p, sym, faint, p, sym, faint)
}

// overshoot returns white macroblocks, every other one with five black samples in
// its last block. At QP 51 their mean goes to zero and the rest does not, so that
// the reconstruction goes beyond twice white.
func overshoot() picture {
	p := picture{w: 128, h: 128, pix: make([]byte, 1<<14), anchored: true, coarse: true}
	for i := range p.pix {
		x, y := i%128, i/128
		p.pix[i] = 255
		if x>>4&1 != 0 && (x>>2)&(y>>2)&3 == 3 && 0x1065>>(y&3*4+x&3)&1 != 0 {
			p.pix[i] = 0
		}
	}
	return p
}

// A frame is what a thread codes.
type frame struct {
	cfg  hw.FrameConfig
	from *picture
	x, y int
}

// sample returns a sample of the frame; the picture repeats.
func (f *frame) sample(x, y int) uint8 {
	return f.from.pix[(f.y+y)%f.from.h*f.from.w+(f.x+x)%f.from.w]
}

// pixelsModel drives a pixel path with frames.
type pixelsModel struct {
	cfg    sim.Stream[hw.FrameConfig]
	req    sim.Stream[hw.MBRequest]
	src    sim.Stream[hw.SourceBeat]
	ac     sim.Stream[hw.ACToken]
	mb     sim.Stream[hw.MBToken]
	unit   *hwenc.PixelsUnit
	spec   hwenc.Spec
	idle   *testbench.Gate
	cfgs   *testbench.Gate
	back   [3]*testbench.Gate
	rng    *rand.Rand
	junk   *rand.Rand // for data that is not valid
	stall  testbench.Stall
	from   []picture
	frames [][]frame // of a thread, not yet asked for to the end
	asked  []request
	at     int // samples of asked[0] sent
	beats  int
	qp     int  // of the next frame
	full   bool // frames of full width, as many as threads
	hold   int  // cycles that an AC block has to wait
	held   bool // the last one of the first macroblock has
}

type request struct {
	frame frame
	x, y  int
}

func newPixelsModel(spec hwenc.Spec, from []picture, stall testbench.Stall, seed uint64) *pixelsModel {
	m := &pixelsModel{
		spec: spec, from: from, stall: stall, rng: rand.New(rand.NewPCG(seed, 1)), junk: rand.New(rand.NewPCG(seed, 3)), frames: make([][]frame, spec.Threads),
		idle: testbench.NewGate(5*seed, stall.Idle), cfgs: testbench.NewGate(5*seed+1, stall.Idle),
	}
	for i := range m.back {
		m.back[i] = testbench.NewGate(5*seed+2+uint64(i), stall.Back)
	}
	m.qp = int(seed * 11 % 52)
	m.unit = hwenc.NewPixelsUnit(spec, &m.cfg, &m.req, &m.src, &m.ac, &m.mb)
	m.unit.Room = 1<<spec.Threads - 1
	return m
}

// nextFrame sends a frame to some thread that has at most one to do.
func (m *pixelsModel) nextFrame() {
	t := m.rng.IntN(m.spec.Threads)
	if len(m.frames[t]) > 1 || m.full && len(m.frames[t]) > 0 || !m.cfgs.Open() {
		return
	}
	f := frame{from: &m.from[m.rng.IntN(len(m.from))], cfg: hw.FrameConfig{
		Thread: uint8(t), Width: uint16(1 + m.rng.IntN(m.spec.FrameMBs)), Height: uint16(1 + m.rng.IntN(4)), QP16: uint16(m.qp * 16)}}
	m.qp = (m.qp + 19) % 52
	if m.qp != 0 && m.rng.IntN(3) > 0 {
		f.cfg.QP16 = uint16(min(int(f.cfg.QP16)+m.rng.IntN(16), 16*51))
	}
	if m.rng.IntN(16) == 0 {
		f.cfg.Width, f.cfg.Height = 1, uint16(1+m.rng.IntN(1023)) // may not come to its end
	}
	if m.full {
		f.cfg.Width, f.cfg.Height = uint16(m.spec.FrameMBs), 64
	}
	f.x, f.y = m.rng.IntN(f.from.w), m.rng.IntN(f.from.h)
	if m.rng.IntN(8) == 0 {
		f.cfg.QP16 %= 96
	}
	if f.from.anchored {
		f.x, f.y = 0, 0
	}
	if f.from.faint {
		f.cfg.QP16 %= 160
	}
	if f.from.coarse {
		f.cfg.QP16 = 16 * 51
	}
	m.frames[t] = append(m.frames[t], f)
	m.cfg.Valid, m.cfg.Data = true, f.cfg
}

// nextBeat sends the next samples of the oldest request.
func (m *pixelsModel) nextBeat() {
	r, b := &m.asked[0], m.at/16
	x := r.x*16 + b&1*4 + b>>2&1*8
	y := r.y*16 + b>>1&1*4 + b>>3*8 + m.at%16/4
	beat := uint64(0)
	for i := range m.spec.Values {
		beat |= uint64(r.frame.sample(x+i%4, y+i/4)) << (8 * i)
	}
	m.src.Valid, m.src.Data = true, hw.SourceBeat(beat)
}

func (m *pixelsModel) Cycle(in, out []uint64) {
	if !m.cfg.Valid {
		m.nextFrame()
	}
	if !m.src.Valid && len(m.asked) > 0 && m.idle.Open() {
		m.nextBeat()
	}
	if m.stall.Back && m.rng.IntN(8) == 0 {
		m.unit.Room ^= 1 << m.rng.IntN(m.spec.Threads)
	}
	m.req.Ready, m.ac.Ready, m.mb.Ready = m.back[0].Open(), m.back[1].Open(), m.back[2].Open()
	if m.hold--; m.stall.Back && m.hold < 0 && m.ac.Valid {
		switch end := m.ac.Data.Block == 15; {
		case end && (!m.held || m.junk.IntN(16) == 0): // the levels of DC are ready before
			m.hold, m.held = 60, true
		case m.held && m.junk.IntN(250) == 0: // the queue of samples fills up
			m.hold = 150
		}
	}
	m.ac.Ready = m.ac.Ready && m.hold <= 0
	m.unit.Eval()
	var cfg, req, ac, mb bits
	c, r := &m.cfg.Data, &m.req.Data
	cfg.add(uint64(c.Thread), m.spec.ThreadBits()).add(uint64(c.Width)-1, m.spec.XBits()).add(uint64(c.Height), 10).add(uint64(c.QP16), 10)
	in[0], in[1], in[2], in[3], in[4], in[5] = bit(m.cfg.Valid), cfg.w[0], bit(m.req.Ready), bit(m.src.Valid), uint64(m.src.Data), m.unit.Room
	in[6], in[7] = bit(m.ac.Ready), bit(m.mb.Ready)
	if !m.cfg.Valid { // nobody may look at
		in[1] = m.junk.Uint64() >> (64 - m.spec.ThreadBits() - m.spec.XBits() - 20)
	}
	if !m.src.Valid {
		in[4] = m.junk.Uint64() >> (64 - 8*m.spec.Values)
	}
	req.add(uint64(r.Thread), m.spec.ThreadBits()).add(uint64(r.X), m.spec.XBits()).add(uint64(r.Y), 10).add(bit(r.Last), 1)
	out[0], out[1], out[2], out[3] = bit(m.cfg.Ready), bit(m.req.Valid), req.w[0], bit(m.src.Ready)
	m.packAC(&ac)
	m.packMB(&mb)
	out[4], out[5], out[6], out[7] = bit(m.ac.Valid), ac.w[0], ac.w[1], ac.w[2]
	out[8], out[9], out[10], out[11], out[12] = bit(m.mb.Valid), mb.w[0], mb.w[1], mb.w[2], mb.w[3]
	m.unit.Clock()
	if m.req.Moves() {
		f := m.frames[r.Thread]
		m.asked = append(m.asked, request{f[0], int(r.X), int(r.Y)})
		if r.Last {
			m.frames[r.Thread] = f[1:]
		}
	}
	if m.cfg.Moves() {
		m.cfg.Valid = false
	}
	if m.src.Moves() {
		m.beats++
		m.src.Valid = false
		if m.at += m.spec.Values; m.at == 256 {
			m.at = 0
			m.asked = append(m.asked[:0], m.asked[1:]...)
		}
	}
}

func (m *pixelsModel) packAC(b *bits) {
	w := &m.ac.Data
	b.add(uint64(w.Thread), m.spec.ThreadBits()).add(uint64(w.Block), 4).add(bit(w.Coded), 1)
	for _, l := range w.Levels[1:] {
		b.add(uint64(l)&0xfff, 12)
	}
}

func (m *pixelsModel) packMB(b *bits) {
	w := &m.mb.Data
	b.add(uint64(w.Thread), m.spec.ThreadBits()).add(uint64(w.QP), 6).add(uint64(w.Mode), 2).add(bit(w.CBP), 1).add(uint64(w.QPDelta), 2)
	b.add(bit(w.Changed), 1).add(bit(w.Left), 1).add(bit(w.Above), 1).add(uint64(w.LeftCoded), 5).add(uint64(w.AboveCoded), 5).add(bit(w.Last), 1)
	for _, l := range w.DC {
		b.add(uint64(l)&0x3fff, 14)
	}
}

// bits packs fields, lowest first.
type bits struct {
	w [4]uint64
	n int
}

func (b *bits) add(v uint64, n int) *bits {
	i, at := b.n/64, b.n%64
	b.w[i] |= v << at
	if at+n > 64 {
		b.w[i+1] |= v >> (64 - at)
	}
	b.n += n
	return b
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func pixelsSets() (u testbench.Unit, sets []testbench.Set) {
	wide := func(ports []testbench.Port, name, guard string, n int) []testbench.Port {
		ports = append(ports, testbench.Port{Name: guard, Bits: 1})
		for i := range n {
			ports = append(ports, testbench.Port{Name: fmt.Sprintf("%s_%d", name, i), Bits: 64, Guard: guard})
		}
		return ports
	}
	u = testbench.Unit{
		Top: "t264_enc_pixels", Source: "rtl/t264/t264_enc_pixels.v", Binding: "testbench/t264/bind/t264_enc_pixels.cpp", CoverCycles: 1 << 13,
		In: []testbench.Port{{Name: "cfg_valid_i", Bits: 1}, {Name: "cfg_data_i"}, {Name: "req_ready_i", Bits: 1}, {Name: "src_valid_i", Bits: 1},
			{Name: "src_data_i"}, {Name: "room_i"}, {Name: "ac_ready_i", Bits: 1}, {Name: "mb_ready_i", Bits: 1}},
		Out: []testbench.Port{{Name: "cfg_ready_o", Bits: 1}, {Name: "req_valid_o", Bits: 1}, {Name: "req_data_o", Guard: "req_valid_o"}, {Name: "src_ready_o", Bits: 1}},
	}
	u.Out = wide(u.Out, "ac_data_o", "ac_valid_o", 3)
	u.Out = wide(u.Out, "mb_data_o", "mb_valid_o", 4)
	from := append(pictures(), overshoot())
	for _, spec := range []hwenc.Spec{
		{Threads: 8, Lanes: 8, Values: 8, Bypass: 4, FrameMBs: 16},
		{Threads: 3, Lanes: 1, Values: 4, Bypass: 4, FrameMBs: 5},
		{Threads: 30, Lanes: 30, Values: 8, Bypass: 4, FrameMBs: 64},
	} {
		sets = append(sets, pixelsSet(spec, from))
	}
	return u, sets
}

// pixelsSet is the set of a spec.
func pixelsSet(spec hwenc.Spec, from []picture) testbench.Set {
	tb, xb := spec.ThreadBits(), spec.XBits()
	return testbench.Set{
		Params: []testbench.Param{{Name: "Threads", Value: spec.Threads}, {Name: "Values", Value: spec.Values}, {Name: "FrameMBs", Value: spec.FrameMBs}},
		Width:  map[string]int{"cfg_data_i": tb + xb + 20, "req_data_o": tb + xb + 11, "src_data_i": 8 * spec.Values, "room_i": spec.Threads},
		Model: func(stall testbench.Stall, seed uint64) testbench.Model {
			return newPixelsModel(spec, from, stall, seed)
		},
	}
}

func TestEncPixels(t *testing.T) {
	u, sets := pixelsSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}

// TestEncPixelsThroughput: with the back end always ready, and threads enough,
// the path moves Values samples in nearly every cycle.
func TestEncPixelsThroughput(t *testing.T) {
	from := pictures()
	for _, values := range []int{4, 8} {
		for _, threads := range []int{1, 2, 4, 6, 8, 16, 30} {
			spec := hwenc.Spec{Threads: threads, Lanes: threads, Values: values, Bypass: 4, FrameMBs: 64}
			m := newPixelsModel(spec, from, testbench.Stall{}, 1)
			m.full = true
			var in [8]uint64
			var out [13]uint64
			for range 5000 {
				m.Cycle(in[:], out[:])
			}
			m.beats = 0
			const n = 50000
			for range n {
				m.Cycle(in[:], out[:])
			}
			rate := float64(m.beats*values) / n
			t.Logf("%2d threads, %d values: %.2f values a cycle, %.1f%% busy", threads, values, rate, 100*rate/float64(values))
			if threads >= 8 && rate < 0.95*float64(values) {
				t.Errorf("%d threads, %d values: %.2f values a cycle", threads, values, rate)
			}
		}
	}
}

// BenchmarkEncPixels times the Go pixel path on a recorded source, against the
// Verilated one.
func BenchmarkEncPixels(b *testing.B) {
	testbench.NeedTools(b, "verilator", "g++", "ar")
	u, sets := pixelsSets()
	verilated, err := u.Time(sets[0], testbench.Stall{}, 1, 1<<14, 4)
	if err != nil {
		b.Fatal(err)
	}
	spec := hwenc.Spec{Threads: 8, Lanes: 8, Values: 8, Bypass: 4, FrameMBs: 16}
	var cfg sim.Stream[hw.FrameConfig]
	var req sim.Stream[hw.MBRequest]
	var src sim.Stream[hw.SourceBeat]
	var ac sim.Stream[hw.ACToken]
	var mb sim.Stream[hw.MBToken]
	unit := hwenc.NewPixelsUnit(spec, &cfg, &req, &src, &ac, &mb)
	unit.SetAhead()
	unit.Room = 1<<spec.Threads - 1
	rng := rand.New(rand.NewPCG(1, 2))
	beats := make([]hw.SourceBeat, 1<<12)
	for i := range beats {
		for k := range 8 {
			beats[i] |= hw.SourceBeat(uint8(min(max(128+20*rng.NormFloat64(), 0), 255))) << (8 * k)
		}
	}
	src.Valid, req.Ready, ac.Ready, mb.Ready, cfg.Valid = true, true, true, true, true
	cfg.Data = hw.FrameConfig{Width: 16, Height: 1000, QP16: 27 * 16}
	at := 0
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		src.Data = beats[at&(len(beats)-1)]
		unit.Eval()
		unit.Clock()
		if src.Ready {
			at++
		}
		if cfg.Ready {
			cfg.Data.Thread = (cfg.Data.Thread + 1) % 8
		}
	}
	perCycle := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	b.ReportMetric(float64(8*at)/float64(b.N), "values/op")
	b.ReportMetric(verilated, "verilated-ns/op")
	b.ReportMetric(verilated/perCycle, "times")
}
