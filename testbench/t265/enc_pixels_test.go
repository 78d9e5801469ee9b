package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/hw"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// A frame is what a thread codes: a part of a picture, which repeats.
type frame struct {
	cfg  hw.FrameConfig
	from *plane
	x, y int
}

// sample returns a sample of the frame.
func (f *frame) sample(x, y int) uint8 {
	return f.from.pix[(f.y+y)%f.from.h*f.from.w+(f.x+x)%f.from.w]
}

// pictures returns the planes, and made-up ones of extremes and of faint noise.
func pictures() []plane {
	rng := rand.New(rand.NewPCG(6, 2))
	hard := plane{w: 128, h: 128, pix: make([]byte, 1<<14)}
	faint := plane{w: 128, h: 128, pix: make([]byte, 1<<14)}
	for i := range hard.pix {
		x, y := i%128, i/128
		hard.pix[i] = [4]uint8{uint8(x >> 4 & 1 * 255), uint8(255 * (y >> 4 & 1)), uint8(255 * (x & 1)), uint8(255 * rng.IntN(2))}[y>>5]
		faint.pix[i] = uint8(128 + rng.IntN(16)/15 + x>>4&1)
	}
	return append(planes(), hard, faint)
}

// pixelsModel drives a pixel path with frames.
type pixelsModel struct {
	cfg    sim.Stream[hw.FrameConfig]
	req    sim.Stream[hw.CTURequest]
	src    sim.Stream[hw.SourceBeat]
	head   sim.Stream[hwenc.Head]
	lev    sim.Stream[hwenc.SubLevels]
	unit   *hwenc.PixelsUnit
	spec   hwenc.Spec
	idle   *testbench.Gate
	cfgs   *testbench.Gate
	back   *testbench.Gate
	rng    *rand.Rand
	junk   *rand.Rand // for data that is not valid
	stall  testbench.Stall
	from   []plane
	frames [][]frame // of a thread, not yet asked for to the end
	asked  []request
	at     int  // beats of asked[0] sent
	qp     int  // of the next frame
	full   bool // frames of full width, as many as threads
	beats  int
}

type request struct {
	frame frame
	x, y  int
}

func newPixelsModel(spec hwenc.Spec, from []plane, stall testbench.Stall, seed uint64) *pixelsModel {
	m := &pixelsModel{
		spec: spec, from: from, stall: stall, rng: rand.New(rand.NewPCG(seed, 1)), junk: rand.New(rand.NewPCG(seed, 3)), frames: make([][]frame, spec.Threads),
		idle: testbench.NewGate(3*seed, stall.Idle), cfgs: testbench.NewGate(3*seed+1, stall.Idle), back: testbench.NewGate(3*seed+2, stall.Back),
	}
	m.qp = int(seed * 11 % 52)
	m.unit = hwenc.NewPixelsUnit(spec, &m.cfg, &m.req, &m.src, &m.head, &m.lev)
	m.unit.Room = sim.FirstOf(spec.Threads)
	return m
}

// nextFrame sends a frame to some thread that has at most one to do.
func (m *pixelsModel) nextFrame() {
	t := m.rng.IntN(m.spec.Threads)
	if len(m.frames[t]) > 1 || m.full && len(m.frames[t]) > 0 || !m.cfgs.Open() {
		return
	}
	f := frame{from: &m.from[m.rng.IntN(len(m.from))], cfg: hw.FrameConfig{Thread: uint8(t), QP: uint8(m.qp), Fine: m.rng.IntN(3) > 0,
		Width: uint16(1 + m.rng.IntN(m.spec.FrameCTUs)), Height: uint16(1 + m.rng.IntN(4))}}
	m.qp = (m.qp + 19) % 52
	if m.rng.IntN(4) == 0 {
		f.cfg.Width = uint16(1 + m.rng.IntN(2))
	}
	if m.rng.IntN(16) == 0 {
		f.cfg.Width, f.cfg.Height = 1, uint16(1+m.rng.IntN(1023)) // may not come to its end
	}
	if m.full {
		f.cfg.Width, f.cfg.Height = uint16(m.spec.FrameCTUs), 64
	}
	if f.cfg.Fine && f.cfg.QP < 51 {
		f.cfg.High = uint32(m.rng.IntN(int(f.cfg.Width) * int(f.cfg.Height)))
	}
	f.x, f.y = m.rng.IntN(f.from.w), m.rng.IntN(f.from.h)
	if f.from.anchored {
		f.x, f.y = 0, 0
	}
	m.frames[t] = append(m.frames[t], f)
	m.cfg.Valid, m.cfg.Data = true, f.cfg
}

// nextBeat sends the next samples of the oldest request.
func (m *pixelsModel) nextBeat() {
	r := &m.asked[0]
	x, y := r.x*16+m.at>>3&1*8, r.y*16+m.at>>4*8+m.at&7
	beat := uint64(0)
	for i := range 8 {
		beat |= uint64(r.frame.sample(x+i, y)) << (8 * i)
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
	m.req.Ready = m.back.Open()
	m.unit.Eval()
	var cfg, req, head, lev packed
	tb := m.spec.ThreadBits()
	c, r := &m.cfg.Data, &m.req.Data
	cfg.add(uint64(c.Thread), tb).add(uint64(c.QP), 6).add(uint64(c.High), 20).flag(c.Fine).add(uint64(c.Width), 10).add(uint64(c.Height), 10)
	req.add(uint64(r.Thread), tb).add(uint64(r.X), 10).add(uint64(r.Y), 10).flag(r.Last)
	head.head(m.spec, &m.head.Data)
	lev.subLevels(m.spec, &m.lev.Data)
	in[0], in[1], in[2], in[3], in[4], in[5] = bit(m.cfg.Valid), cfg.w[0], bit(m.req.Ready), bit(m.src.Valid), uint64(m.src.Data), uint64(m.unit.Room)
	if !m.cfg.Valid { // nobody may look at
		in[1] = m.junk.Uint64() >> (64 - tb - 47)
	}
	if !m.src.Valid {
		in[4] = m.junk.Uint64()
	}
	out[0], out[1], out[2], out[3] = bit(m.cfg.Ready), bit(m.req.Valid), req.w[0], bit(m.src.Ready)
	out[4], out[5], out[6] = bit(m.head.Valid), head.w[0], bit(m.lev.Valid)
	lev.put(out[7:])
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
		if m.at++; m.at == 32 {
			m.at = 0
			m.asked = append(m.asked[:0], m.asked[1:]...)
		}
	}
}

// pathSpec is that of a pixel path for eight threads.
var pathSpec = hwenc.Spec{Threads: 8, Lanes: 8, MaxTU: 16, MinTU: 4, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 16}

func pixelsSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_enc_pixels", Source: "rtl/t265/t265_enc_pixels.v", Binding: "testbench/t265/bind/t265_enc_pixels.cpp", Cover: 1, Lines: true, CoverCycles: 1 << 13,
		In: []testbench.Port{{Name: "cfg_valid_i", Bits: 1}, {Name: "cfg_data_i"}, {Name: "req_ready_i", Bits: 1}, {Name: "src_valid_i", Bits: 1},
			{Name: "src_data_i", Bits: 64}, {Name: "room_i"}},
		Out: []testbench.Port{{Name: "cfg_ready_o", Bits: 1}, {Name: "req_valid_o", Bits: 1}, {Name: "req_data_o", Guard: "req_valid_o"}, {Name: "src_ready_o", Bits: 1},
			{Name: "head_valid_o", Bits: 1}, {Name: "head_data_o", Guard: "head_valid_o", Loose: true}, {Name: "lev_valid_o", Bits: 1}},
	}
	for _, p := range testbench.Wide("lev_data_o", 304, "lev_valid_o") {
		p.Loose = true
		u.Out = append(u.Out, p)
	}
	from := pictures()
	for _, spec := range []hwenc.Spec{
		pathSpec,
		{Threads: 3, Lanes: 1, MaxTU: 8, MinTU: 4, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 5},
		{Threads: 16, Lanes: 16, MaxTU: 16, MinTU: 8, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 64},
	} {
		sets = append(sets, pixelsSet(spec, from))
	}
	return u, sets
}

// pixelsSet is the set of a spec.
func pixelsSet(spec hwenc.Spec, from []plane) testbench.Set {
	tb := spec.ThreadBits()
	return testbench.Set{
		Params: testbench.Params{{Name: "Threads", Value: spec.Threads}, {Name: "MaxTU", Value: spec.MaxTU}, {Name: "MinTU", Value: spec.MinTU}, {Name: "FrameCTUs", Value: spec.FrameCTUs}},
		Width:  map[string]int{"cfg_data_i": tb + 47, "req_data_o": tb + 21, "room_i": spec.Threads, "head_data_o": tb + 18},
		Model: func(stall testbench.Stall, seed uint64) testbench.Model {
			return newPixelsModel(spec, from, stall, seed)
		},
	}
}

func TestEncPixels(t *testing.T) {
	u, sets := pixelsSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}

// TestEncPixelsThroughput: with room behind it, and threads enough, the path moves
// eight samples in nearly every cycle.
func TestEncPixelsThroughput(t *testing.T) {
	from := planes()
	for _, p := range []struct{ threads, maxTU, minTU int }{{1, 16, 4}, {4, 16, 4}, {8, 16, 4}, {12, 16, 4}, {16, 16, 4}, {24, 16, 4}, {18, 16, 4}, {18, 16, 8}, {18, 8, 4}, {18, 8, 8}} {
		threads, spec := p.threads, hwenc.DefaultSpec()
		spec.Threads, spec.Lanes, spec.MaxTU, spec.MinTU = threads, threads, p.maxTU, p.minTU
		m := newPixelsModel(spec, from, testbench.Stall{}, 1)
		m.full = true
		in, out := make([]uint64, 8), make([]uint64, 16)
		for range 5000 {
			m.Cycle(in, out)
		}
		m.beats = 0
		const n = 20000
		for range n {
			m.Cycle(in, out)
		}
		rate := float64(m.beats*hwenc.Values) / n
		t.Logf("%2d threads, blocks of %d to %d: %.2f values a cycle, %.1f%% busy", threads, p.minTU, p.maxTU, rate, 100*rate/hwenc.Values)
		if threads >= 16 && rate < 0.9*hwenc.Values {
			t.Errorf("%+v: %.2f values a cycle", p, rate)
		}
	}
}
