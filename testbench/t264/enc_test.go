package t264

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"vcsim/sim"
	"vcsim/t264"
	"vcsim/t264/hw"
	"vcsim/t264/hwenc"
	"vcsim/testbench"
)

// encModel is the host of an encoder: frames of real planes in, bytes out.
type encModel struct {
	cfg  sim.Stream[hw.FrameConfig]
	req  sim.Stream[hw.MBRequest]
	src  sim.Stream[hw.SourceBeat]
	out  sim.Stream[hwenc.SliceWord]
	unit *hwenc.Unit
	spec hwenc.Spec
	from []picture
	rng  *rand.Rand
	idle *testbench.Gate
	cfgs *testbench.Gate
	back [2]*testbench.Gate

	frames [][]frame // of a thread, not yet asked for to the end
	asked  []request
	at     int       // samples of asked[0] sent
	coding [][]frame // of a thread, whose bytes are not there yet
	got    [][]byte
	begun  []bool // by thread

	done []codedFrame // when kept
	keep bool
}

// A codedFrame is a frame with the bytes of its slice.
type codedFrame struct {
	frame
	data []byte
}

func newEncModel(spec hwenc.Spec, from []picture, stall testbench.Stall, seed uint64) *encModel {
	m := &encModel{
		spec: spec, from: from, begun: make([]bool, spec.Threads), rng: rand.New(rand.NewPCG(seed, 1)), frames: make([][]frame, spec.Threads), coding: make([][]frame, spec.Threads),
		got: make([][]byte, spec.Threads), idle: testbench.NewGate(4*seed, stall.Idle), cfgs: testbench.NewGate(4*seed+1, stall.Idle),
	}
	for i := range m.back {
		m.back[i] = testbench.NewGate(4*seed+2+uint64(i), stall.Back)
	}
	m.unit = hwenc.NewUnit(spec, &m.cfg, &m.req, &m.src, &m.out)
	return m
}

// random cuts a small frame out of some picture.
func (m *encModel) random(thread int) frame {
	f := frame{from: &m.from[m.rng.IntN(len(m.from))], cfg: hw.FrameConfig{
		Thread: uint8(thread), Width: uint16(1 + m.rng.IntN(min(m.spec.FrameMBs, 6))), Height: uint16(1 + m.rng.IntN(4)), QP16: uint16(m.rng.IntN(16*51 + 1))}}
	if m.rng.IntN(3) == 0 {
		f.cfg.QP16 &^= 15
	}
	if !m.begun[thread] { // a slice that fills a word gives all its bytes a value
		m.begun[thread] = true
		f.cfg.Height, f.cfg.QP16 = 4, 16*10
	}
	f.x, f.y = m.rng.IntN(f.from.w), m.rng.IntN(f.from.h)
	return f
}

func (m *encModel) nextFrame() {
	t := m.rng.IntN(m.spec.Threads)
	if len(m.frames[t]) > 1 || !m.cfgs.Open() {
		return
	}
	f := m.random(t)
	m.frames[t] = append(m.frames[t], f)
	m.coding[t] = append(m.coding[t], f)
	m.cfg.Valid, m.cfg.Data = true, f.cfg
}

func (m *encModel) nextBeat() {
	r, b := &m.asked[0], m.at/16
	x := r.x*16 + b&1*4 + b>>2&1*8
	y := r.y*16 + b>>1&1*4 + b>>3*8 + m.at%16/4
	beat := uint64(0)
	for i := range m.spec.Values {
		beat |= uint64(r.frame.sample(x+i%4, y+i/4)) << (8 * i)
	}
	m.src.Valid, m.src.Data = true, hw.SourceBeat(beat)
}

// drive sets the inputs of a cycle, and settle moves the words of the host.
func (m *encModel) drive() {
	if !m.cfg.Valid {
		m.nextFrame()
	}
	if !m.src.Valid && len(m.asked) > 0 && m.idle.Open() {
		m.nextBeat()
	}
	m.req.Ready, m.out.Ready = m.back[0].Open(), m.back[1].Open()
	m.unit.Eval()
}

func (m *encModel) settle() {
	m.unit.Clock()
	if m.req.Moves() {
		r := &m.req.Data
		f := m.frames[r.Thread]
		m.asked = append(m.asked, request{f[0], int(r.X), int(r.Y)})
		if r.Last {
			m.frames[r.Thread] = append(f[:0], f[1:]...)
		}
	}
	if m.cfg.Moves() {
		m.cfg.Valid = false
	}
	if m.src.Moves() {
		m.src.Valid = false
		if m.at += m.spec.Values; m.at == 256 {
			m.at = 0
			m.asked = append(m.asked[:0], m.asked[1:]...)
		}
	}
	if m.out.Moves() {
		m.collect(&m.out.Data)
	}
}

func (m *encModel) collect(w *hwenc.SliceWord) {
	t := w.Thread
	if m.keep {
		for k := range w.Count {
			m.got[t] = append(m.got[t], byte(w.Data>>(8*k)))
		}
	}
	if w.Last {
		if m.keep {
			m.done = append(m.done, codedFrame{m.coding[t][0], m.got[t]})
			m.got[t] = nil
		}
		m.coding[t] = append(m.coding[t][:0], m.coding[t][1:]...)
	}
}

func (m *encModel) Cycle(in, out []uint64) {
	m.drive()
	encPorts(m.spec, &m.cfg, &m.req, &m.src, &m.out, m.unit.Overflow(), in, out)
	m.settle()
}

// encPorts writes the ports of an encoder in a cycle.
func encPorts(spec hwenc.Spec, cfg *sim.Stream[hw.FrameConfig], req *sim.Stream[hw.MBRequest], src *sim.Stream[hw.SourceBeat], words *sim.Stream[hwenc.SliceWord], overflow bool, in, out []uint64) {
	var c0, r0 bits
	c, r, w := &cfg.Data, &req.Data, &words.Data
	c0.add(uint64(c.Thread), spec.ThreadBits()).add(uint64(c.Width)-1, spec.XBits()).add(uint64(c.Height), 10).add(uint64(c.QP16), 10)
	in[0], in[1], in[2], in[3], in[4], in[5] = bit(cfg.Valid), c0.w[0], bit(req.Ready), bit(src.Valid), uint64(src.Data), bit(words.Ready)
	r0.add(uint64(r.Thread), spec.ThreadBits()).add(uint64(r.X), spec.XBits()).add(uint64(r.Y), 10).add(bit(r.Last), 1)
	out[0], out[1], out[2], out[3] = bit(cfg.Ready), bit(req.Valid), r0.w[0], bit(src.Ready)
	out[4], out[5], out[6], out[7], out[8], out[9] = bit(words.Valid), uint64(w.Thread), w.Data, uint64(w.Count), bit(w.Last), bit(overflow)
}

func encSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t264_enc", Source: "rtl/t264/t264_enc.v", Binding: "testbench/t264/bind/t264_enc.cpp", CoverCycles: 1 << 10,
		In: []testbench.Port{{Name: "cfg_valid_i", Bits: 1}, {Name: "cfg_data_i"}, {Name: "req_ready_i", Bits: 1}, {Name: "src_valid_i", Bits: 1},
			{Name: "src_data_i"}, {Name: "out_ready_i", Bits: 1}},
		Out: []testbench.Port{{Name: "cfg_ready_o", Bits: 1}, {Name: "req_valid_o", Bits: 1}, {Name: "req_data_o", Guard: "req_valid_o"}, {Name: "src_ready_o", Bits: 1},
			{Name: "out_valid_o", Bits: 1}, {Name: "out_thread_o", Guard: "out_valid_o"}, {Name: "out_data_o", Bits: 64, Guard: "out_valid_o"},
			{Name: "out_count_o", Bits: 4, Guard: "out_valid_o"}, {Name: "out_last_o", Bits: 1, Guard: "out_valid_o"}, {Name: "overflow_o", Bits: 1}},
	}
	from := pictures()
	for _, spec := range []hwenc.Spec{
		{Threads: 4, Lanes: 2, Values: 8, Bypass: 4, FrameMBs: 16},
		{Threads: 3, Lanes: 3, Values: 4, Bypass: 2, FrameMBs: 5},
		{Threads: 2, Lanes: 1, Values: 8, Bypass: 1, FrameMBs: 4},
	} {
		sets = append(sets, encSet(spec, func(stall testbench.Stall, seed uint64) testbench.Model { return newEncModel(spec, from, stall, seed) }))
	}
	return u, sets
}

// encSet is the set of a spec.
func encSet(spec hwenc.Spec, model func(testbench.Stall, uint64) testbench.Model) testbench.Set {
	tb, xb := spec.ThreadBits(), spec.XBits()
	return testbench.Set{
		Params: []testbench.Param{{Name: "Threads", Value: spec.Threads}, {Name: "Lanes", Value: spec.Lanes},
			{Name: "Values", Value: spec.Values}, {Name: "Bypass", Value: spec.Bypass}, {Name: "FrameMBs", Value: spec.FrameMBs}},
		Width: map[string]int{"cfg_data_i": tb + xb + 20, "req_data_o": tb + xb + 11, "src_data_i": 8 * spec.Values, "out_thread_o": tb},
		Model: model,
	}
}

func TestEnc(t *testing.T) {
	u, sets := encSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}

// software codes the frame with the software encoder.
func (f *frame) software(t testing.TB) []byte {
	t.Helper()
	w, h := 16*int(f.cfg.Width), 16*int(f.cfg.Height)
	data, err := hwenc.AppendSlice(nil, t264.Params{Width: w, Height: h}, f.samples(), w, int(f.cfg.QP16), nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (f *frame) samples() []byte {
	w, h := 16*int(f.cfg.Width), 16*int(f.cfg.Height)
	pix := make([]byte, w*h)
	for i := range pix {
		pix[i] = f.sample(i%w, i/w)
	}
	return pix
}

// TestEncBytes: the bytes are those of the software encoder, under every stall
// pattern and several parameters.
func TestEncBytes(t *testing.T) {
	from := pictures()
	for i, spec := range []hwenc.Spec{{Threads: 8, Lanes: 8, Values: 8, Bypass: 4, FrameMBs: 16}, {Threads: 6, Lanes: 2, Values: 4, Bypass: 7, FrameMBs: 8}, {Threads: 1, Lanes: 1, Values: 8, Bypass: 3, FrameMBs: 4}} {
		for _, stall := range testbench.Stalls {
			m := newEncModel(spec, from, stall, uint64(i))
			m.keep = true
			for range 40000 {
				m.drive()
				m.settle()
			}
			if len(m.done) == 0 {
				t.Errorf("%+v, %v: %d frames", spec, stall, len(m.done))
			}
			for n, f := range m.done {
				if want := f.software(t); !bytes.Equal(f.data, want) {
					t.Fatalf("%+v, %v: frame %d, %+v: %d bytes, want %d", spec, stall, n, f.cfg, len(f.data), len(want))
				}
			}
		}
	}
}

// TestEncThroughput: values a cycle at 3 bits a value, by lanes.
func TestEncThroughput(t *testing.T) {
	from := sharedPlanes()
	if len(from) == 0 { // noise that is alike all over
		rng, p := rand.New(rand.NewPCG(1, 2)), picture{w: 256, h: 256, pix: make([]byte, 256*256)}
		for i := range p.pix {
			p.pix[i] = byte(max(0, min(255, 128+20*rng.NormFloat64())))
		}
		from = append(from, p)
	}
	lanes := []int{8, 24}
	if os.Getenv("VCSIM_ENC_SWEEP") == "1" {
		lanes = []int{8, 16, 20, 22, 24, 26, 28, 32}
	}
	for _, n := range lanes {
		spec := hwenc.Spec{Threads: n, Lanes: n, Values: 8, Bypass: 4, FrameMBs: 64}
		host, err := hwenc.NewHost(spec)
		if err != nil {
			t.Fatal(err)
		}
		// One frame a thread, and the same again: what counts is the time until the
		// first one ends.
		var frames []hwenc.Frame
		for i := range n {
			p := &from[i%len(from)]
			f := frame{from: p, cfg: hw.FrameConfig{Width: 16, Height: 16}}
			frames = append(frames, hwenc.Frame{Pix: f.samples(), Stride: 256, Width: 256, Height: 256, QP16: threeBits(p)})
		}
		if err := host.Begin(frames); err != nil {
			t.Fatal(err)
		}
		for range 20000 {
			host.Step()
		}
		was := host.Activity
		const cycles = 100000
		for range cycles {
			host.Step()
		}
		a := host.Activity
		values, ops := float64(a.Values-was.Values), float64(a.Ops-was.Ops)
		rate, busy := values/cycles, ops/float64(n*cycles)
		t.Logf("%2d lanes: %.2f values a cycle, %.2f bits a value, %.2f operations a value, lanes %.3f operations a cycle, pixel path %.1f%% busy", n, rate,
			8*float64(a.Bytes-was.Bytes)/values, ops/values, busy, 100*rate/float64(spec.Values))
		if n <= 16 && busy < 0.88 {
			t.Errorf("%d lanes: %.3f operations a cycle", n, busy)
		}
		if n == 24 && rate < 0.9*float64(spec.Values) {
			t.Errorf("%d lanes: %.2f values a cycle", n, rate)
		}
	}
}

// threeBits returns the QP in 1/16 that gives a picture about 3 bits a value.
func threeBits(p *picture) int {
	if qp, ok := qps[p]; ok {
		return qp
	}
	f := frame{from: p, cfg: hw.FrameConfig{Width: 16, Height: 16}}
	best := 0
	for low, high := 0, 51*16; low <= high; {
		best = (low + high) / 2
		f.cfg.QP16 = uint16(best)
		data, err := hwenc.AppendSlice(nil, t264.Params{Width: 256, Height: 256}, f.samples(), 256, best, nil)
		if err != nil {
			panic(err)
		}
		if len(data)*8 > 3*65536 {
			low = best + 1
		} else {
			high = best - 1
		}
	}
	qps[p] = best
	return best
}

var qps = map[*picture]int{}
