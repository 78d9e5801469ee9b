package t265

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265"
	"vcsim/t265/hw"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// encModel is the host of an encoder: frames of real planes in, bytes out.
type encModel struct {
	cfg  sim.Stream[hw.FrameConfig]
	req  sim.Stream[hw.CTURequest]
	src  sim.Stream[hw.SourceBeat]
	out  sim.Stream[hwenc.SliceWord]
	unit *hwenc.Unit
	spec hwenc.Spec
	rng  *rand.Rand
	idle *testbench.Gate
	cfgs *testbench.Gate
	back [2]*testbench.Gate

	frames [][]encFrame // of a thread, not yet asked for to the end
	asked  []encRequest
	at     int          // beats of asked[0] sent
	coding [][]encFrame // of a thread, whose bytes are not there yet
	got    [][]byte

	cycle, done, wrong int
	first              error
}

// An encFrame is a part of a plane, and what the software makes of it.
type encFrame struct {
	cfg    hw.FrameConfig
	pix    []byte // in whole CTUs
	stride int
	want   []byte
}

// An encRequest is a CTU that is asked for.
type encRequest struct {
	frame encFrame
	x, y  int // samples
}

func newEncModel(spec hwenc.Spec, stall testbench.Stall, seed uint64) *encModel {
	m := &encModel{
		spec: spec, rng: rand.New(rand.NewPCG(seed, 1)), frames: make([][]encFrame, spec.Threads), coding: make([][]encFrame, spec.Threads),
		got: make([][]byte, spec.Threads), idle: testbench.NewGate(4*seed, stall.Idle), cfgs: testbench.NewGate(4*seed+1, stall.Idle),
	}
	for i := range m.back {
		m.back[i] = testbench.NewGate(4*seed+2+uint64(i), stall.Back)
	}
	m.unit = hwenc.NewUnit(spec, &m.cfg, &m.req, &m.src, &m.out)
	return m
}

// random cuts a small frame out of some plane and codes it in software.
func (m *encModel) random(thread int) encFrame {
	p := &planes()[m.rng.IntN(len(planes()))]
	params := t265.Params{Width: 16 * (1 + m.rng.IntN(min(m.spec.FrameCTUs, 5))), Height: 16 * (1 + m.rng.IntN(3)), CTU: m.spec.CTU, MaxTU: m.spec.MaxTU, Off: m.spec.Off(), FineQP: m.rng.IntN(2) == 0}
	qp16 := m.rng.IntN(16*51 + 1)
	if !params.FineQP {
		qp16 &^= 15
	}
	x0, y0 := m.rng.IntN(p.w), m.rng.IntN(p.h)
	f := encFrame{stride: params.Width}
	for y := range params.Height {
		for x := range params.Width {
			f.pix = append(f.pix, p.pix[(y0+y)%p.h*p.w+(x0+x)%p.w])
		}
	}
	w, h := params.Width/16, params.Height/16
	f.cfg = hw.FrameConfig{Thread: uint8(thread), QP: uint8(qp16 >> 4), Fine: params.FineQP, Width: uint16(w), Height: uint16(h)}
	if f.cfg.Fine {
		f.cfg.High = uint32((qp16&15*w*h + 8) >> 4)
	}
	slices, err := hwenc.CodePicture(params, f.pix, f.stride, qp16)
	if err != nil {
		panic(err)
	}
	f.want = slices[0].Data
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

// nextBeat sends the next samples: tiles of 8x8, rows from the top.
func (m *encModel) nextBeat() {
	r := &m.asked[0]
	row := r.frame.pix[(r.y+m.at>>4*8+m.at&7)*r.frame.stride+r.x+m.at>>3&1*8:]
	beat := uint64(0)
	for i := range 8 {
		beat |= uint64(row[i]) << (8 * i)
	}
	m.src.Valid, m.src.Data = true, hw.SourceBeat(beat)
}

func (m *encModel) Cycle(in, out []uint64) {
	m.cycle++
	if !m.cfg.Valid {
		m.nextFrame()
	}
	if !m.src.Valid && len(m.asked) > 0 && m.idle.Open() {
		m.nextBeat()
	}
	m.req.Ready, m.out.Ready = m.back[0].Open(), m.back[1].Open()
	m.unit.Eval()
	encPorts(m.spec, &m.cfg, &m.req, &m.src, &m.out, m.unit.Overflow(), in, out)
	m.unit.Clock()
	if m.req.Moves() {
		r := &m.req.Data
		f := m.frames[r.Thread]
		m.asked = append(m.asked, encRequest{f[0], 16 * int(r.X), 16 * int(r.Y)})
		if r.Last {
			m.frames[r.Thread] = append([]encFrame(nil), f[1:]...)
		}
	}
	if m.cfg.Moves() {
		m.cfg.Valid = false
	}
	if m.src.Moves() {
		m.src.Valid = false
		if m.at++; m.at == 32 {
			m.at = 0
			m.asked = append([]encRequest(nil), m.asked[1:]...)
		}
	}
	if m.out.Moves() {
		m.collect(&m.out.Data)
	}
}

// collect checks the bytes of a frame that ends.
func (m *encModel) collect(w *hwenc.SliceWord) {
	t := w.Thread
	for k := range w.Count {
		m.got[t] = append(m.got[t], byte(w.Data>>(8*k)))
	}
	if !w.Last {
		return
	}
	f := &m.coding[t][0]
	m.done++
	if !bytes.Equal(m.got[t], f.want) {
		m.wrong++
		if m.first == nil {
			m.first = fmt.Errorf("cycle %d: %+v: %d bytes, want %d", m.cycle, f.cfg, len(m.got[t]), len(f.want))
		}
	}
	m.coding[t], m.got[t] = append([]encFrame(nil), m.coding[t][1:]...), m.got[t][:0]
}

// encPorts sets the ports of a cycle.
func encPorts(spec hwenc.Spec, cfg *sim.Stream[hw.FrameConfig], req *sim.Stream[hw.CTURequest], src *sim.Stream[hw.SourceBeat], words *sim.Stream[hwenc.SliceWord],
	overflow bool, in, out []uint64) {
	tb := spec.ThreadBits()
	c, r, w := &cfg.Data, &req.Data, &words.Data
	in[0], in[2], in[3], in[4], in[5] = bit(cfg.Valid), bit(req.Ready), bit(src.Valid), uint64(src.Data), bit(words.Ready)
	var p, q packed
	p.add(uint64(c.Thread), tb).add(uint64(c.QP), 6).add(uint64(c.High), 20).flag(c.Fine).add(uint64(c.Width), 10).add(uint64(c.Height), 10).put(in[1:2])
	q.add(uint64(r.Thread), tb).add(uint64(r.X), 10).add(uint64(r.Y), 10).flag(r.Last).put(out[2:3])
	out[0], out[1], out[3], out[4] = bit(cfg.Ready), bit(req.Valid), bit(src.Ready), bit(words.Valid)
	out[5], out[6], out[7], out[8], out[9] = uint64(w.Thread), w.Data, uint64(w.Count), bit(w.Last), bit(overflow)
}

var encUnit = testbench.Unit{
	Top: "t265_enc", Source: "rtl/t265/t265_enc.v", Binding: "testbench/t265/bind/t265_enc.cpp", Cover: -1,
	In: []testbench.Port{{Name: "cfg_valid_i", Bits: 1}, {Name: "cfg_data_i"}, {Name: "req_ready_i", Bits: 1}, {Name: "src_valid_i", Bits: 1},
		{Name: "src_data_i", Bits: 64}, {Name: "out_ready_i", Bits: 1}},
	Out: []testbench.Port{{Name: "cfg_ready_o", Bits: 1}, {Name: "req_valid_o", Bits: 1}, {Name: "req_data_o", Guard: "req_valid_o"}, {Name: "src_ready_o", Bits: 1},
		{Name: "out_valid_o", Bits: 1}, {Name: "out_thread_o", Guard: "out_valid_o"}, {Name: "out_data_o", Bits: 64, Guard: "out_valid_o"},
		{Name: "out_count_o", Bits: 4, Guard: "out_valid_o"}, {Name: "out_last_o", Bits: 1, Guard: "out_valid_o"}, {Name: "overflow_o", Bits: 1}},
}

// encSet is the parameter set of a spec.
func encSet(spec hwenc.Spec, model func(testbench.Stall, uint64) testbench.Model) testbench.Set {
	tb := spec.ThreadBits()
	return testbench.Set{
		Params: []testbench.Param{{Name: "Threads", Value: spec.Threads}, {Name: "Lanes", Value: spec.Lanes}, {Name: "MaxTU", Value: spec.MaxTU}, {Name: "Bypass", Value: spec.Bypass},
			{Name: "Groups", Value: spec.Groups}, {Name: "FrameCTUs", Value: spec.FrameCTUs}},
		Width: map[string]int{"cfg_data_i": tb + 47, "req_data_o": tb + 21, "out_thread_o": tb},
		Model: model,
	}
}

func encSets() (u testbench.Unit, sets []testbench.Set) {
	for _, p := range [][6]int{{4, 4, 16, 4, 8, 16}, {4, 2, 8, 5, 4, 5}, {1, 1, 16, 7, 2, 3}} {
		spec := hwenc.DefaultSpec()
		spec.Threads, spec.Lanes, spec.MaxTU, spec.Bypass, spec.Groups, spec.FrameCTUs = p[0], p[1], p[2], p[3], p[4], p[5]
		sets = append(sets, encSet(spec, func(stall testbench.Stall, seed uint64) testbench.Model { return newEncModel(spec, stall, seed) }))
	}
	return encUnit, sets
}

func TestEnc(t *testing.T) {
	u, sets := encSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}

// TestEncBytes: the bytes of the frames are those of the software encoder.
func TestEncBytes(t *testing.T) {
	_, sets := encSets()
	in, out := make([]uint64, 6), make([]uint64, 10)
	for i, set := range sets {
		for _, stall := range testbench.Stalls {
			m := set.Model(stall, uint64(i)).(*encModel)
			for range 40000 {
				m.Cycle(in, out)
			}
			if m.wrong > 0 || m.done < 8 || m.unit.Overflow() {
				t.Errorf("%v, %v: %d of %d frames differ: %v", set.Params, stall, m.wrong, m.done, m.first)
			}
		}
	}
}
