package t264

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"vcsim/sim"
	"vcsim/t264/hw"
	"vcsim/t264/hwenc"
	"vcsim/testbench"
	"vcsim/testbench/gates"
)

// codeModel drives the entropy coding with what a pixel path would say: slices of
// real planes, and between them macroblocks of random levels.
type codeModel struct {
	spec hwenc.Spec
	ac   sim.Stream[hw.ACToken]
	mb   sim.Stream[hw.MBToken]
	out  sim.Stream[hwenc.SliceWord]
	unit *hwenc.CodeUnit
	runs int // RunBits of its lanes
	idle *testbench.Gate
	back *testbench.Gate
	rng  *rand.Rand
	junk *rand.Rand // for data that is not valid

	threads []codeThread
	next    int // thread to look at
	loop    []pathMB
	tail    []pathMB // with their AC blocks sent
	pace    int      // cycles from one AC block to the next
	cycle   int
	acAt    int

	mbs, wrong int
	first      error
}

// A codeThread is one thread of the pixel path.
type codeThread struct {
	random *randomMBs // of slices that the software encoder did not make
	real   *slice
	pos    int // macroblock of the slice
	inLoop bool
	wait   int      // cycles before the next slice
	want   [][]byte // of the slices that are coded; nil for random ones
	got    []byte
	first  *slice // of the thread, nil for any
}

// A pathMB is a macroblock in the pixel path.
type pathMB struct {
	m      *macroblock
	thread int
	at     int // cycle from which on it may leave
	sent   int // AC blocks
}

func newCodeModel(spec hwenc.Spec, runBits int, stall testbench.Stall, seed uint64) *codeModel {
	m := &codeModel{
		spec: spec, runs: runBits, idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back),
		rng: rand.New(rand.NewPCG(seed, 1)), junk: rand.New(rand.NewPCG(seed, 3)), threads: make([]codeThread, spec.Threads), pace: 8 / spec.Values * 2,
	}
	m.unit = hwenc.NewCodeUnit(spec, runBits, &m.ac, &m.mb, &m.out)
	for i := range m.threads {
		m.threads[i].random = newRandomMBs(seed + uint64(i)<<32)
	}
	return m
}

// request returns the next macroblock of a thread, or nil while it pauses.
func (m *codeModel) request(t *codeThread) *macroblock {
	if t.wait > 0 {
		t.wait--
		return nil
	}
	if t.real == nil && t.random.left == 0 {
		// The first slice of a thread is real: it fills a word.
		if t.want == nil || m.rng.IntN(3) != 0 {
			t.real, t.pos = slices()[m.rng.IntN(len(slices()))], 0
			if t.want == nil && t.first != nil {
				t.real = t.first
			}
			t.want = append(t.want, t.real.data)
		} else {
			t.want = append(t.want, nil)
		}
	}
	var mb *macroblock
	if t.real != nil {
		mb = &t.real.mbs[t.pos]
		if t.pos++; t.pos == len(t.real.mbs) {
			t.real = nil
		}
	} else {
		mb = t.random.next()
	}
	if mb.mb.Last && m.rng.IntN(4) == 0 {
		t.wait = m.rng.IntN(2000)
	}
	return mb
}

func (m *codeModel) Cycle(in, out []uint64) {
	u := m.unit
	m.cycle++
	// A request, by what Room was in the cycle before.
	u.Take = false
	for range m.threads {
		i := m.next
		if m.next++; m.next == len(m.threads) {
			m.next = 0
		}
		if t := &m.threads[i]; !t.inLoop && u.Room>>i&1 != 0 && len(m.loop) < 3 {
			if mb := m.request(t); mb != nil {
				t.inLoop = true
				u.Take, u.TakeThread = true, uint8(i)
				m.loop = append(m.loop, pathMB{m: mb, thread: i, at: m.cycle + 30})
				break
			}
		}
	}
	if !m.ac.Valid && len(m.loop) > 0 && m.cycle >= max(m.loop[0].at, m.acAt) && m.idle.Open() {
		p := &m.loop[0]
		m.ac.Valid, m.ac.Data = true, p.m.ac[p.sent]
		m.ac.Data.Thread = uint8(p.thread)
		m.acAt = m.cycle + m.pace
	}
	if !m.mb.Valid && len(m.tail) > 0 && m.cycle >= m.tail[0].at && m.idle.Open() {
		m.mb.Valid, m.mb.Data = true, m.tail[0].m.mb
		m.mb.Data.Thread = uint8(m.tail[0].thread)
	}
	m.out.Ready = m.back.Open()
	if !m.ac.Valid { // nobody may look at
		m.ac.Data = hw.ACToken{Thread: uint8(m.junk.IntN(m.spec.Threads)), Block: uint8(m.junk.IntN(16)), Coded: m.junk.IntN(2) == 0}
	}
	if !m.mb.Valid {
		m.mb.Data = hw.MBToken{Thread: uint8(m.junk.IntN(m.spec.Threads)), QP: uint8(m.junk.IntN(52)), Last: m.junk.IntN(2) == 0}
	}
	u.Eval()
	m.ports(in, out)
	u.Clock()
	if m.ac.Moves() {
		m.ac.Valid = false
		if p := &m.loop[0]; p.sent < 15 {
			p.sent++
		} else {
			p.at = m.cycle + 10 + m.rng.IntN(30)
			m.tail = append(m.tail, *p)
			m.loop = m.loop[1:]
		}
	}
	if m.mb.Moves() {
		m.mb.Valid = false
		m.threads[m.tail[0].thread].inLoop = false
		m.tail = m.tail[1:]
		m.mbs++
	}
	if m.out.Moves() {
		m.collect(&m.out.Data)
	}
}

// collect checks the bytes of a slice that ends.
func (m *codeModel) collect(w *hwenc.SliceWord) {
	t := &m.threads[w.Thread]
	for k := range w.Count {
		t.got = append(t.got, byte(w.Data>>(8*k)))
	}
	if !w.Last {
		return
	}
	if want := t.want[0]; want != nil && !bytes.Equal(t.got, want) {
		m.wrong++
		if m.first == nil {
			m.first = fmt.Errorf("cycle %d, thread %d: a slice of %d bytes, want %d: % x, want % x", m.cycle, w.Thread, len(t.got), len(want),
				t.got[:min(16, len(t.got))], want[:min(16, len(want))])
		}
	}
	t.want, t.got = t.want[1:], t.got[:0]
}

func (m *codeModel) ports(in, out []uint64) {
	u, tb := m.unit, m.spec.ThreadBits()
	clear(in)
	in[0], in[1], in[2], in[6], in[11] = bit(u.Take), uint64(u.TakeThread), bit(m.ac.Valid), bit(m.mb.Valid), bit(m.out.Ready)
	packAC(in[3:6], &m.ac.Data, tb)
	packMB(in[7:11], &m.mb.Data, tb)
	w := &m.out.Data
	out[0], out[1], out[2], out[3], out[4] = u.Room, bit(m.ac.Ready), bit(m.mb.Ready), bit(m.out.Valid), uint64(w.Thread)
	out[5], out[6], out[7], out[8] = w.Data, uint64(w.Count), bit(w.Last), bit(u.Overflow())
}

// packAC and packMB set the words of a token; see t264/hw/token.go.
func packAC(w []uint64, a *hw.ACToken, threadBits int) {
	put(w, 0, threadBits, uint64(a.Thread))
	put(w, threadBits, 4, uint64(a.Block))
	put(w, threadBits+4, 1, bit(a.Coded))
	for k, v := range a.Levels[1:] {
		put(w, threadBits+5+12*k, 12, uint64(v))
	}
}

func packMB(w []uint64, m *hw.MBToken, threadBits int) {
	at := 0
	add := func(n int, v uint64) {
		put(w, at, n, v)
		at += n
	}
	add(threadBits, uint64(m.Thread))
	add(6, uint64(m.QP))
	add(2, uint64(m.Mode))
	add(1, bit(m.CBP))
	add(2, uint64(m.QPDelta))
	add(1, bit(m.Changed))
	add(1, bit(m.Left))
	add(1, bit(m.Above))
	add(5, uint64(m.LeftCoded))
	add(5, uint64(m.AboveCoded))
	add(1, bit(m.Last))
	for _, v := range m.DC {
		add(14, uint64(v))
	}
}

// A runModel is a codeModel whose lanes start with a count of outstanding bytes that is about to have another bit, and code a slice that has a
// byte of 255 behind its first: the count goes up over the bit, or overflows, then down to zero.
type runModel struct {
	*codeModel
	counts []uint64 // by lane
}

func newRunModel(spec hwenc.Spec, runBits int, stall testbench.Stall, seed uint64) *runModel {
	m := &runModel{codeModel: newCodeModel(spec, runBits, stall, seed)}
	for i := range m.threads {
		m.threads[i].first = runSlices()[m.rng.IntN(len(runSlices()))]
	}
	for l := range spec.Lanes {
		n := uint64(1)<<(1+(uint64(l)+seed)%uint64(runBits)) - 1
		m.counts = append(m.counts, n)
		m.unit.Outstanding(l, uint32(n))
	}
	return m
}

func (m *runModel) Start() (list []gates.Register) {
	for l, n := range m.counts {
		list = append(list, gates.Register{Path: fmt.Sprintf("gen_lane[%d].u_lane", l), Name: "u_enc.u_pack.run_q", Value: n})
	}
	return list
}

// runSlices returns frames of one macroblock whose second byte is 255.
var runSlices = sync.OnceValue(func() (list []*slice) {
	rng := rand.New(rand.NewPCG(8, 8))
	from := pictures()
	for len(list) < 24 {
		p := &from[rng.IntN(len(from))]
		if s := codeSlice(p, rng.IntN(p.w-15), rng.IntN(p.h-15), 16, 16, rng.IntN(16*51)); len(s.data) > 2 && s.data[1] == 255 {
			list = append(list, s)
		}
	}
	return list
})

func codeSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t264_enc_code", Source: "rtl/t264/t264_enc_code.v", Binding: "testbench/t264/bind/t264_enc_code.cpp", CoverCycles: 1 << 13,
		In: []testbench.Port{{Name: "take_valid_i", Bits: 1}, {Name: "take_thread_i"}, {Name: "ac_valid_i", Bits: 1}},
		Out: []testbench.Port{{Name: "room_o"}, {Name: "ac_ready_o", Bits: 1}, {Name: "mb_ready_o", Bits: 1}, {Name: "out_valid_o", Bits: 1},
			{Name: "out_thread_o", Guard: "out_valid_o"}, {Name: "out_data_o", Bits: 64, Guard: "out_valid_o"}, {Name: "out_count_o", Bits: 4, Guard: "out_valid_o"},
			{Name: "out_last_o", Bits: 1, Guard: "out_valid_o"}, {Name: "overflow_o", Bits: 1}},
	}
	u.In = append(u.In, testbench.Wide("ac_data_i", 186, "")...)
	u.In = append(u.In, testbench.Port{Name: "mb_valid_i", Bits: 1})
	u.In = append(u.In, testbench.Wide("mb_data_i", 250, "")...)
	u.In = append(u.In, testbench.Port{Name: "out_ready_i", Bits: 1})
	for _, p := range [][5]int{{4, 4, 8, 4, 16}, {1, 1, 4, 1, 16}, {6, 2, 8, 7, 16}, {8, 8, 8, 4, 1}} { // the last one loses bytes
		spec := hwenc.Spec{Threads: p[0], Lanes: p[1], Values: p[2], Bypass: p[3], FrameMBs: 64}
		sets = append(sets, codeSet(spec, p[4]))
	}
	return u, sets
}

// codeSet is the set of a spec.
func codeSet(spec hwenc.Spec, runBits int) testbench.Set {
	return testbench.Set{
		Params: []testbench.Param{{Name: "Threads", Value: spec.Threads}, {Name: "Lanes", Value: spec.Lanes},
			{Name: "Bypass", Value: spec.Bypass}, {Name: "RunBits", Value: runBits}},
		Width: map[string]int{"take_thread_i": spec.ThreadBits(), "out_thread_o": spec.ThreadBits(), "room_o": spec.Threads},
		Model: func(stall testbench.Stall, seed uint64) testbench.Model {
			return newCodeModel(spec, runBits, stall, seed)
		},
	}
}

func TestEncCode(t *testing.T) {
	u, sets := codeSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}

// TestEncCodeBytes: the bytes of the slices are those of the software encoder.
func TestEncCodeBytes(t *testing.T) {
	_, sets := codeSets()
	in, out := make([]uint64, 12), make([]uint64, 9)
	for i, set := range sets {
		for _, stall := range testbench.Stalls {
			m := set.Model(stall, uint64(i)).(*codeModel)
			for range 60000 {
				m.Cycle(in, out)
			}
			if lossy := m.runs == 1; m.unit.Overflow() != lossy || m.wrong > 0 && !lossy || m.mbs < 40 {
				t.Errorf("%v, %v: %d macroblocks, overflow %v, %d slices differ: %v", set.Params, stall, m.mbs, m.unit.Overflow(), m.wrong, m.first)
			}
		}
	}
}
