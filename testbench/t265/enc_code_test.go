package t265

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"sync"
	"testing"

	"vcsim/sim"
	"vcsim/t265"
	"vcsim/t265/block"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// A codePath says what a pixel path would say: slices of real planes, and between them CTUs
// of random levels.
type codePath struct {
	spec   hwenc.Spec
	heads  sim.Stream[hwenc.Head]
	levels sim.Stream[hwenc.SubLevels]
	idle   *testbench.Gate
	rng    *rand.Rand
	junk   *rand.Rand // for data that is not valid

	threads []codeThread
	next    int // thread to look at for a request
	block   int // thread whose block of more than one sub-block comes, or -1
	gap     int // cycles to the next sub-block
	cycle   int
	ctus    int
	blank   bool // the first slice of each thread has no levels
}

func newCodePath(spec hwenc.Spec, stall testbench.Stall, seed uint64) codePath {
	return codePath{
		spec: spec, idle: testbench.NewGate(2*seed, stall.Idle), rng: rand.New(rand.NewPCG(seed, 1)), junk: rand.New(rand.NewPCG(seed, 3)),
		threads: make([]codeThread, spec.Threads), block: -1,
	}
}

// drive sets the inputs of a cycle.
func (m *codePath) drive(s *hwenc.StoreUnit) {
	m.cycle++
	m.request(s)
	m.send()
}

// ports sets those of the path and returns their number.
func (m *codePath) ports(s *hwenc.StoreUnit, in []uint64) int {
	in[0], in[1], in[2], in[4] = bit(s.Take), uint64(s.TakeThread), bit(m.heads.Valid), bit(m.levels.Valid)
	new(packed).head(m.spec, &m.heads.Data).put(in[3:4])
	return 5 + new(packed).subLevels(m.spec, &m.levels.Data).put(in[5:])
}

// codeModel drives the entropy coding.
type codeModel struct {
	codePath
	out  sim.Stream[hwenc.SliceWord]
	unit *hwenc.CodeUnit
	runs int // RunBits of its lanes
	back *testbench.Gate

	wrong int
	first error
}

// A codeThread is one thread of the pixel path.
type codeThread struct {
	queue []hwenc.PathCTU // of the slice that is requested
	path  []pathCTU       // requested, and not sent to the end
	since int             // cycle of the last request
	wait  int             // cycles before the next request
	begun bool
	want  [][]byte // of the slices that are coded; nil for random ones
	got   []byte
}

// A pathCTU is a CTU in the pixel path.
type pathCTU struct {
	hwenc.PathCTU
	at   int  // cycle from which on it may leave
	head bool // is sent
	sent int  // sub-blocks
}

func newCodeModel(spec hwenc.Spec, runBits int, stall testbench.Stall, seed uint64) *codeModel {
	m := &codeModel{codePath: newCodePath(spec, stall, seed), runs: runBits, back: testbench.NewGate(2*seed+1, stall.Back)}
	m.unit = hwenc.NewCodeUnit(spec, runBits, &m.heads, &m.levels, &m.out)
	return m
}

// refill puts the next slice into the queue of a thread. The first one is real, so that it fills a word, or blank.
func (m *codePath) refill(t *codeThread) {
	if m.blank && !t.begun {
		t.begun = true
		t.queue, t.want = m.random(), append(t.want, nil)
		for _, c := range t.queue {
			for i := range c.Levels {
				c.Levels[i].Mask, c.Levels[i].Levels = 0, [16]int16{}
			}
		}
		return
	}
	if real := codeSlices()[bits.Len(uint(m.spec.MaxTU))-1]; !t.begun || m.rng.IntN(3) != 0 {
		t.begun = true
		s := &real[m.rng.IntN(len(real))]
		t.queue, t.want = s.CTUs, append(t.want, s.Data)
		return
	}
	t.queue, t.want = m.random(), append(t.want, nil)
}

// random returns a slice of random CTUs.
func (m *codePath) random() (list []hwenc.PathCTU) {
	r := m.rng
	n, fine, qp := 1+r.IntN(6), r.IntN(2) == 0, r.IntN(51)
	for i := range n {
		c := hwenc.PathCTU{Head: hwenc.Head{QP: uint8(qp), Fine: fine, First: i == 0, Last: i == n-1, Left: i > 0 && r.IntN(4) != 0,
			Mode: uint8(r.IntN(4)), Split: m.spec.MaxTU == 8 || r.IntN(3) != 0}}
		h := &c.Head
		if h.High = fine && r.IntN(2) == 0; h.High {
			h.QP++
		}
		if h.Split {
			h.Split8 = uint8(r.IntN(16))
		}
		density := [...]float64{0, 0.02, 0.1, 0.5, 0.9, 1}[r.IntN(6)]
		size := r.IntN(14)
		for z := 0; z < 16; {
			log2 := 2
			if h.Split {
				log2 = 1 - int(h.Split8>>(z>>2)&1)
			}
			side := 1 << log2
			for k := range side * side {
				l := hwenc.SubLevels{SX: uint8(k / side), SY: uint8(k % side), LastSub: k == side*side-1,
					Scan: uint8(block.ScanIndex(log2+2, int(block.DecisionModes[h.Mode])))}
				l.Log2, l.Mode, l.QP, l.LastTU = uint8(log2), h.Mode, h.QP, z+side*side == 16
				l.CX, l.CY = uint8(z>>1&2|z&1), uint8(z>>2&2|z>>1&1)
				d := density
				if r.IntN(3) == 0 {
					d = [...]float64{0, 0.06, 1}[r.IntN(3)]
				}
				for p := range l.Levels {
					if r.Float64() < d {
						v := 1 + r.IntN(1<<r.IntN(size+1))
						if r.IntN(64) == 0 {
							v = 13108
						}
						v = min(v, 13108)
						l.Mask |= 1 << p
						l.Levels[p] = int16(v * (1 - 2*r.IntN(2)))
					}
				}
				c.Levels = append(c.Levels, l)
			}
			z += side * side
		}
		list = append(list, c)
	}
	return list
}

// request asks for a CTU of some thread, by what Room was in the cycle before.
func (m *codePath) request(s *hwenc.StoreUnit) {
	s.Take = false
	for range m.threads {
		i := m.next
		if m.next++; m.next == len(m.threads) {
			m.next = 0
		}
		t := &m.threads[i]
		if t.wait > 0 {
			t.wait--
			continue
		}
		if !s.Room.Has(i) || m.cycle < t.since+2 || !m.idle.Open() {
			continue
		}
		if len(t.queue) == 0 {
			m.refill(t)
		}
		t.path = append(t.path, pathCTU{PathCTU: t.queue[0], at: m.cycle + 20 + m.rng.IntN(40)})
		switch t.queue = t.queue[1:]; {
		case len(t.queue) == 0 && m.rng.IntN(4) == 0:
			t.wait = m.rng.IntN(2000)
		case m.rng.IntN(2) == 0: // until a CTU goes, or about then
			t.wait = m.rng.IntN(1 << m.rng.IntN(10))
		}
		t.since = m.cycle
		s.Take, s.TakeThread = true, uint8(i)
		return
	}
}

// send sends a Head and a sub-block. Blocks of more than one sub-block come one after the other; those of one may come between.
func (m *codePath) send() {
	m.heads.Valid, m.levels.Valid = false, false
	m.heads.Data = hwenc.Head{Thread: uint8(m.junk.IntN(m.spec.Threads)), QP: uint8(m.junk.IntN(64)), Mode: uint8(m.junk.IntN(4)), Last: m.junk.IntN(2) == 0}
	m.levels.Data = hwenc.SubLevels{Mask: uint16(m.junk.IntN(1 << 16)), SX: uint8(m.junk.IntN(4)), SY: uint8(m.junk.IntN(4)), Scan: uint8(m.junk.IntN(3)),
		LastSub: m.junk.IntN(2) == 0}
	m.levels.Data.Thread, m.levels.Data.Log2 = uint8(m.junk.IntN(m.spec.Threads)), uint8(m.junk.IntN(3))
	m.gap--
	from := m.rng.IntN(len(m.threads))
	for k := range m.threads {
		i := (from + k) % len(m.threads)
		t := &m.threads[i]
		if len(t.path) == 0 || t.path[0].at > m.cycle {
			continue
		}
		c := &t.path[0]
		if !c.head {
			if !m.heads.Valid {
				c.head, m.heads.Valid, m.heads.Data = true, true, c.Head
				m.heads.Data.Thread = uint8(i)
			}
			continue
		}
		l := &c.Levels[c.sent]
		if m.levels.Valid || m.gap > 0 || l.Log2 > 0 && m.block >= 0 && m.block != i || !m.idle.Open() {
			continue
		}
		m.levels.Valid, m.levels.Data = true, *l
		m.levels.Data.Thread = uint8(i)
		if m.gap = 2; m.rng.IntN(8) == 0 {
			m.gap = 1
		}
		if l.Log2 > 0 {
			if m.block = i; l.LastSub {
				m.block = -1
			}
		}
		if c.sent++; c.sent == len(c.Levels) {
			t.path = t.path[1:]
			m.ctus++
		}
	}
}

func (m *codeModel) Cycle(in, out []uint64) {
	u := m.unit
	m.drive(u.Store)
	m.out.Ready = m.back.Open()
	u.Eval()
	clear(in)
	in[m.ports(u.Store, in)] = bit(m.out.Ready)
	w := &m.out.Data
	out[0], out[1], out[2] = uint64(u.Store.Room), bit(m.out.Valid), uint64(w.Thread)
	out[3], out[4], out[5], out[6] = w.Data, uint64(w.Count), bit(w.Last), bit(u.Overflow())
	u.Clock()
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
	t.want, t.got = append(t.want[:0:0], t.want[1:]...), t.got[:0]
}

// codeSlices returns slices of the planes by log2 of the largest block.
var codeSlices = sync.OnceValue(func() (list [6][]slice) {
	rng := rand.New(rand.NewPCG(5, 4))
	for i, p := range planes() {
		for log2 := 3; log2 <= 4; log2++ {
			params := t265.Params{Width: min(p.w, 16+rng.IntN(50)), Height: min(p.h, 16+rng.IntN(30)), CTU: 16, MaxTU: 1 << log2, FineQP: i%2 == 0}
			at := rng.IntN(p.h-params.Height+1)*p.w + rng.IntN(p.w-params.Width+1)
			slices, err := hwenc.CodePicture(params, p.pix[at:], p.w, 16*rng.IntN(45)+5*(1-i%2))
			if err != nil {
				panic(err)
			}
			list[log2] = append(list[log2], slices...)
		}
	}
	return list
})

// pathPorts are the inputs of the pixel path.
func pathPorts() []testbench.Port {
	list := []testbench.Port{{Name: "take_valid_i", Bits: 1}, {Name: "take_thread_i"}, {Name: "head_valid_i", Bits: 1}, {Name: "head_data_i"}, {Name: "lev_valid_i", Bits: 1}}
	return append(list, testbench.Wide("lev_data_i", 297, "")...)
}

func codeSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_enc_code", Source: "rtl/t265/t265_enc_code.v", Binding: "testbench/t265/bind/t265_enc_code.cpp", Cover: 2, Lines: true, CoverCycles: 1 << 13,
		In: append(pathPorts(), testbench.Port{Name: "out_ready_i", Bits: 1}),
		Out: []testbench.Port{{Name: "room_o"}, {Name: "out_valid_o", Bits: 1},
			{Name: "out_thread_o", Guard: "out_valid_o"}, {Name: "out_data_o", Bits: 64, Guard: "out_valid_o"}, {Name: "out_count_o", Bits: 4, Guard: "out_valid_o"},
			{Name: "out_last_o", Bits: 1, Guard: "out_valid_o"}, {Name: "overflow_o", Bits: 1}},
	}
	for _, p := range [][6]int{{4, 4, 16, 4, 8, 16}, {1, 1, 8, 4, 4, 16}, {6, 2, 16, 7, 4, 16}, {3, 3, 8, 5, 2, 1}} { // the last one loses bytes
		spec := hwenc.DefaultSpec()
		spec.Threads, spec.Lanes, spec.MaxTU, spec.Bypass, spec.Groups = p[0], p[1], p[2], p[3], p[4]
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Threads", Value: spec.Threads}, {Name: "Lanes", Value: spec.Lanes}, {Name: "MaxTU", Value: spec.MaxTU},
				{Name: "Bypass", Value: spec.Bypass}, {Name: "Groups", Value: spec.Groups}, {Name: "RunBits", Value: p[5]}},
			Width: map[string]int{"take_thread_i": spec.ThreadBits(), "out_thread_o": spec.ThreadBits(), "room_o": spec.Threads, "head_data_i": spec.ThreadBits() + 18},
			Model: func(stall testbench.Stall, seed uint64) testbench.Model { return newCodeModel(spec, p[5], stall, seed) },
		})
	}
	return u, sets
}

func TestEncCode(t *testing.T) {
	u, sets := codeSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}

// TestEncCodeBytes: the bytes of the slices are those of the software encoder.
func TestEncCodeBytes(t *testing.T) {
	_, sets := codeSets()
	in, out := make([]uint64, 11), make([]uint64, 7)
	for i, set := range sets {
		for _, stall := range testbench.Stalls {
			m := set.Model(stall, uint64(i)).(*codeModel)
			for range 60000 {
				m.Cycle(in, out)
			}
			if lossy := m.runs == 1; m.wrong > 0 && !lossy || m.unit.Overflow() && !lossy || m.ctus < 10 {
				t.Errorf("%v, %v: %d CTUs, overflow %v, %d slices differ: %v", set.Params, stall, m.ctus, m.unit.Overflow(), m.wrong, m.first)
			}
		}
	}
}
