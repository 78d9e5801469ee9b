package t265

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t265/hw"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// laneModel drives a lane with slices of real planes, and between them with random
// ones; the unit of the contexts stands beside it.
type laneModel struct {
	in      sim.Stream[hwenc.Word]
	set     sim.Stream[hw.ContextValue]
	out     sim.Stream[cabachw.Word]
	unit    *hwenc.LaneUnit
	context *hw.ContextUnit
	idle    *testbench.Gate
	back    *testbench.Gate
	rng     *rand.Rand
	random  *randomWords
	log2    int  // of the largest block
	runs    int  // RunBits
	far     bool // positions of last levels in random slices are any
	queue   []hwenc.Word
	want    [][]byte // of the slices that are under way; nil for random ones
	got     []byte
	cycle   int

	slices, wrong int // real ones
	first         error
}

func newLaneModel(spec hwenc.LaneSpec, runBits int, stall testbench.Stall, seed uint64) *laneModel {
	m := &laneModel{
		idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back),
		rng: rand.New(rand.NewPCG(seed, 1)), log2: bits.Len(uint(spec.MaxTU)) - 1, runs: runBits,
	}
	m.random = newRandomWords(m.log2, seed)
	m.unit = hwenc.NewLaneUnit(spec, runBits, &m.in, &m.set, &m.out)
	m.context = hw.NewContextUnit(hw.ContextSpec{Lanes: 1, MaxTU: spec.MaxTU}, []*sim.Stream[hw.ContextValue]{&m.set})
	return m
}

// refill puts the next slice into the queue, the first one a real one, or a block of
// a random one.
func (m *laneModel) refill() {
	if m.random.left == 0 {
		real := realSlices()[m.log2]
		if m.want == nil || m.rng.IntN(3) != 0 {
			s := &real[m.rng.IntN(len(real))]
			m.queue, m.want = s.Words, append(m.want, s.Data)
			return
		}
		m.want = append(m.want, nil)
	}
	m.queue = m.random.next()
	if m.far {
		any := (&hwenc.BlockWord{LastX: 31, LastY: 31}).Word()
		m.queue[0] = m.queue[0]&^any | hwenc.Word(m.rng.Uint64())&any
	}
}

func (m *laneModel) Cycle(in, out []uint64) {
	u := m.unit
	m.cycle++
	if len(m.queue) == 0 {
		m.refill()
	}
	if !m.in.Valid {
		if m.in.Data = hwenc.Word(m.rng.Uint64() >> 8); m.idle.Open() {
			m.in.Valid, m.in.Data = true, m.queue[0]
			m.queue = m.queue[1:]
		}
	}
	m.out.Ready = m.back.Open()
	m.context.Eval()
	u.Eval()
	m.context.Init[0], m.context.QP[0] = u.Init()
	s, w := &m.set, &m.out.Data
	in[0], in[1], in[2], in[3] = bit(m.in.Valid), uint64(m.in.Data), bit(s.Valid), uint64(s.Data.Ctx)
	in[4], in[5], in[6] = uint64(s.Data.Value), bit(s.Data.Last), bit(m.out.Ready)
	out[0], out[1], out[2], out[3] = bit(m.in.Ready), bit(m.context.Init[0]), uint64(m.context.QP[0]), bit(m.out.Valid)
	out[4], out[5], out[6], out[7] = w.Data, uint64(w.Count), bit(w.Last), bit(u.Overflow())
	m.context.Clock()
	u.Clock()
	if m.in.Moves() {
		m.in.Valid = false
	}
	if m.out.Moves() {
		m.collect(w)
	}
}

// collect checks the bytes of a slice that ends.
func (m *laneModel) collect(w *cabachw.Word) {
	for k := range w.Count {
		m.got = append(m.got, byte(w.Data>>(8*k)))
	}
	if !w.Last {
		return
	}
	if want := m.want[0]; want != nil {
		m.slices++
		if !bytes.Equal(m.got, want) {
			m.wrong++
			if m.first == nil {
				m.first = fmt.Errorf("cycle %d: a slice of %d bytes, want %d: % x, want % x", m.cycle, len(m.got), len(want),
					m.got[:min(16, len(m.got))], want[:min(16, len(want))])
			}
		}
	}
	m.want, m.got = append(m.want[:0:0], m.want[1:]...), m.got[:0]
}

func laneSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_enc_lane", Source: "rtl/t265/t265_enc_lane.v", Binding: "testbench/t265/bind/t265_enc_lane.cpp",
		In: []testbench.Port{{Name: "in_valid_i", Bits: 1}, {Name: "in_data_i", Bits: 56}, {Name: "set_valid_i", Bits: 1},
			{Name: "set_ctx_i", Bits: 7}, {Name: "set_value_i", Bits: 7}, {Name: "set_last_i", Bits: 1}, {Name: "out_ready_i", Bits: 1}},
		Out: []testbench.Port{{Name: "in_ready_o", Bits: 1}, {Name: "init_valid_o", Bits: 1}, {Name: "init_qp_o", Bits: 6}, {Name: "out_valid_o", Bits: 1},
			{Name: "out_data_o", Bits: 64, Guard: "out_valid_o"}, {Name: "out_count_o", Bits: 4, Guard: "out_valid_o"},
			{Name: "out_last_o", Bits: 1, Guard: "out_valid_o"}, {Name: "overflow_o", Bits: 1}},
	}
	for _, p := range [][4]int{{4, 8, 16, 16}, {7, 4, 32, 16}, {5, 2, 8, 16}, {4, 4, 16, 1}} { // the last one loses bytes
		spec := hwenc.LaneSpec{Bypass: p[0], Groups: p[1], MaxTU: p[2]}
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Bypass", Value: p[0]}, {Name: "Groups", Value: p[1]}, {Name: "MaxTU", Value: p[2]}, {Name: "RunBits", Value: p[3]}},
			Model:  func(stall testbench.Stall, seed uint64) testbench.Model { return newLaneModel(spec, p[3], stall, seed) },
		})
	}
	return u, sets
}

func TestEncLane(t *testing.T) {
	u, sets := laneSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}

// TestEncLaneBytes: the bytes of the slices are those of the software encoder.
func TestEncLaneBytes(t *testing.T) {
	_, sets := laneSets()
	in, out := make([]uint64, 7), make([]uint64, 8)
	for i, set := range sets {
		for _, stall := range testbench.Stalls {
			m := set.Model(stall, uint64(i)).(*laneModel)
			for range 60000 {
				m.Cycle(in, out)
			}
			if lossy := m.runs == 1; m.wrong > 0 && !lossy || m.unit.Overflow() && !lossy || m.slices < 2 {
				t.Errorf("%v, %v: overflow %v, %d of %d slices differ: %v", set.Params, stall, m.unit.Overflow(), m.wrong, m.slices, m.first)
			}
		}
	}
}
