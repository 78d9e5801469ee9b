package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/hw"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// samplesModel drives prediction and reconstruction: CTUs with random trees, and a path
// that gives residuals back after some time, as they are or not.
type samplesModel struct {
	tu     sim.Stream[hwenc.FirstTU]
	res    sim.Stream[hwenc.Residual]
	skip   sim.Stream[hwenc.SkipResidual]
	inv    sim.Stream[hwenc.Residual]
	scaled sim.Stream[hwenc.SkipScaled]
	done   sim.Stream[hwenc.Done]
	line   sim.Stream[hwenc.Line]
	unit   *hwenc.SamplesUnit
	spec   hwenc.Spec
	idle   [4]*testbench.Gate // of tu, inv, scaled, and of what comes back at all
	back   [2]*testbench.Gate
	rng    *rand.Rand
	trees  []samplesTree // by thread
	kind   int           // of samples
	left   int           // cycles of that kind
	wide   []hwenc.Residual
	narrow []hwenc.SkipScaled
	answer [2]hw.SourceBeat
}

// A samplesTree holds the blocks of a CTU to come.
type samplesTree struct {
	blocks []hwenc.TU
	busy   bool
	inside bool // of a picture: its neighbours may be there
}

func newSamplesModel(spec hwenc.Spec, stall testbench.Stall, seed uint64) *samplesModel {
	m := &samplesModel{spec: spec, rng: rand.New(rand.NewPCG(seed, 1)), trees: make([]samplesTree, spec.Threads)}
	for i := range m.idle {
		m.idle[i] = testbench.NewGate(6*seed+uint64(i), stall.Idle)
	}
	for i := range m.back {
		m.back[i] = testbench.NewGate(6*seed+4+uint64(i), stall.Back)
	}
	m.unit = hwenc.NewSamplesUnit(spec, &m.tu, &m.res, &m.skip, &m.inv, &m.scaled, &m.done, &m.line)
	return m
}

// sample draws one: any, near the middle, or an extreme.
func (m *samplesModel) sample() uint8 {
	switch m.kind {
	case 0:
		return uint8(m.rng.Uint32())
	case 1:
		return uint8(120 + m.rng.IntN(16))
	}
	return uint8(255 * m.rng.IntN(2))
}

// grow makes the tree of the next CTU of a thread.
func (m *samplesModel) grow(s *samplesTree) {
	mode, splits := uint8(m.rng.IntN(4)), m.rng.IntN(4)
	var add func(cx, cy, log2 uint8)
	add = func(cx, cy, log2 uint8) {
		if 4<<log2 > m.spec.MinTU && (m.rng.IntN(4) < splits || 4<<log2 > m.spec.MaxTU) {
			h := uint8(1) << (log2 - 1)
			for i := range uint8(4) {
				add(cx+i&1*h, cy+i>>1*h, log2-1)
			}
			return
		}
		s.blocks = append(s.blocks, hwenc.TU{Tag: hwenc.Tag{CX: cx, CY: cy, Log2: log2, Mode: mode, QP: uint8(m.rng.IntN(52))}})
	}
	s.blocks = s.blocks[:0]
	add(0, 0, 2)
	s.blocks[0].First, s.blocks[len(s.blocks)-1].LastTU = true, true
	left := s.inside && m.rng.IntN(4) > 0
	above := m.rng.IntN(4) > 0
	right := above && m.rng.IntN(3) > 0
	for i := range s.blocks {
		s.blocks[i].Left, s.blocks[i].Above, s.blocks[i].Right = left, above, right
	}
	s.inside = true
}

// issue puts the next block of a thread that has none under way into TU.
func (m *samplesModel) issue() {
	i := m.rng.IntN(len(m.trees))
	for range m.trees {
		if i = (i + 1) % len(m.trees); !m.trees[i].busy {
			break
		}
	}
	s := &m.trees[i]
	if s.busy {
		return
	}
	if len(s.blocks) == 0 {
		m.grow(s)
	}
	f := hwenc.FirstTU{TU: s.blocks[0], Corner: m.sample()}
	s.blocks, s.busy = s.blocks[1:], true
	f.Thread = uint8(i)
	for k := range f.Row {
		f.Row[k] = m.sample()
	}
	m.tu.Valid, m.tu.Data = true, f
}

// back8 returns what becomes of a residual: nearly that, or anything.
func (m *samplesModel) back8(values *[8]int16, low, high, scale int) (back [8]int16) {
	wild := m.rng.IntN(4) == 0
	for k, v := range values {
		w := scale*int(v) + m.rng.IntN(4*scale) - 2*scale
		if wild {
			w = low + m.rng.IntN(high-low+1)
		}
		if m.rng.IntN(32) == 0 {
			w = [...]int{low, high}[m.rng.IntN(2)]
		}
		back[k] = int16(min(max(w, low), high))
	}
	return back
}

func (m *samplesModel) Cycle(in, out []uint64) {
	if m.left--; m.left < 0 {
		m.kind, m.left = m.rng.IntN(3), m.rng.IntN(500)
	}
	if !m.tu.Valid && m.idle[0].Open() {
		m.issue()
	}
	flows := m.idle[3].Open()
	if !m.inv.Valid && len(m.wide) > 0 && flows && m.idle[1].Open() {
		m.inv.Valid, m.inv.Data = true, m.wide[0]
		m.wide = m.wide[1:]
	}
	if !m.scaled.Valid && len(m.narrow) > 0 && flows && m.idle[2].Open() {
		m.scaled.Valid, m.scaled.Data = true, m.narrow[0]
		m.narrow = m.narrow[1:]
	}
	m.res.Ready, m.skip.Ready = m.back[0].Open(), m.back[1].Open()
	u := m.unit
	u.Src = m.answer
	u.Eval()
	read := u.SrcRead
	spec := m.spec
	p := pathBits{ports: in}
	p.bit(m.tu.Valid)
	p.junk(m.rng, m.tu.Valid, func() {
		f := &m.tu.Data
		p.tag(spec, &f.Tag)
		p.add(bit(f.First)|bit(f.Left)<<1|bit(f.Above)<<2|bit(f.Right)<<3, 4)
		for _, v := range f.Row {
			p.add(uint64(v), 8)
		}
		p.add(uint64(f.Corner), 8)
	})
	p.add(uint64(m.answer[0]), 64)
	p.end()
	p.add(uint64(m.answer[1]), 64)
	p.end()
	p.bit(m.res.Ready)
	p.bit(m.skip.Ready)
	p.bit(m.inv.Valid)
	p.junk(m.rng, m.inv.Valid, func() { p.values(spec, &m.inv.Data.Tag, &m.inv.Data.Values, 9) })
	p.bit(m.scaled.Valid)
	p.junk(m.rng, m.scaled.Valid, func() { p.values(spec, &m.scaled.Data.Tag, &m.scaled.Data.Values, 16) })
	p = pathBits{ports: out}
	p.bit(m.tu.Ready)
	p.add(bit(read[0])|bit(read[1])<<1, 2)
	p.end()
	p.add(uint64(u.SrcAddr), 16)
	p.end()
	p.bit(m.res.Valid)
	p.values(spec, &m.res.Data.Tag, &m.res.Data.Values, 9)
	p.end()
	p.bit(m.skip.Valid)
	p.values(spec, &m.skip.Data.Tag, &m.skip.Data.Values, 9)
	p.end()
	p.bit(m.inv.Ready)
	p.bit(m.scaled.Ready)
	p.bit(m.done.Valid)
	p.add(uint64(m.done.Data.Thread), spec.ThreadBits())
	p.add(bit(m.done.Data.LastTU), 1)
	p.end()
	p.bit(m.line.Valid)
	p.add(uint64(m.line.Data.Thread), spec.ThreadBits())
	for _, v := range m.line.Data.Samples {
		p.add(uint64(v), 8)
	}
	p.end()
	if m.res.Moves() {
		m.wide = append(m.wide, hwenc.Residual{Tag: m.res.Data.Tag, Values: m.back8(&m.res.Data.Values, -256, 255, 1)})
	}
	if m.skip.Moves() {
		m.narrow = append(m.narrow, hwenc.SkipScaled{Tag: m.skip.Data.Tag, Values: m.back8(&m.skip.Data.Values, -32768, 32767, 32)})
	}
	if m.done.Valid {
		m.trees[m.done.Data.Thread].busy = false
	}
	u.Clock()
	for i := range read {
		if read[i] {
			m.answer[i] = 0
			for k := range 8 {
				m.answer[i] |= hw.SourceBeat(m.sample()) << (8 * k)
			}
		}
	}
	for _, w := range []*sim.Wire{&m.tu.Wire, &m.inv.Wire, &m.scaled.Wire} {
		if w.Moves() {
			w.Valid = false
		}
	}
}

func samplesSets() (u testbench.Unit, sets []testbench.Set) {
	port := func(name string, bits int) testbench.Port { return testbench.Port{Name: name, Bits: bits} }
	const first, res, scaled, line = 175, 91, 147, 132
	u = testbench.Unit{Top: "t265_samples", Source: "rtl/t265/t265_samples.v", Binding: "testbench/t265/bind/t265_samples.cpp", Cover: 2, Lines: true, CoverCycles: 1 << 13}
	u.In = append([]testbench.Port{port("tu_valid_i", 1)}, testbench.Wide("tu_data_i", first, "")...)
	u.In = append(u.In, port("src_even_i", 64), port("src_odd_i", 64), port("res_ready_i", 1), port("skip_ready_i", 1), port("inv_valid_i", 1))
	u.In = append(append(u.In, testbench.Wide("inv_data_i", res, "")...), port("scaled_valid_i", 1))
	u.In = append(u.In, testbench.Wide("scaled_data_i", scaled, "")...)
	u.Out = []testbench.Port{port("tu_ready_o", 1), port("src_re_o", 2), {Name: "src_addr_o", Bits: 10, Guard: "src_re_o"}, port("res_valid_o", 1)}
	u.Out = append(append(u.Out, testbench.Wide("res_data_o", res, "res_valid_o")...), port("skip_valid_o", 1))
	u.Out = append(append(u.Out, testbench.Wide("skip_data_o", res, "skip_valid_o")...), port("inv_ready_o", 1), port("scaled_ready_o", 1))
	u.Out = append(u.Out, port("done_valid_o", 1), testbench.Port{Name: "done_data_o", Bits: 7, Guard: "done_valid_o"}, port("line_valid_o", 1))
	u.Out = append(u.Out, testbench.Wide("line_data_o", line, "line_valid_o")...)
	for i := range u.Out {
		u.Out[i].Loose = u.Out[i].Guard != ""
	}
	for _, p := range []struct{ threads, maxTU, minTU int }{{16, 16, 4}, {3, 8, 4}, {1, 16, 8}, {6, 8, 8}, {6, 16, 4}} {
		sets = append(sets, sampleSet(hwenc.Spec{Threads: p.threads, MaxTU: p.maxTU, MinTU: p.minTU}))
	}
	return u, sets
}

// sampleSet is the set of a spec.
func sampleSet(spec hwenc.Spec) testbench.Set {
	tb := spec.ThreadBits()
	return testbench.Set{
		Params: []testbench.Param{{Name: "Threads", Value: spec.Threads}, {Name: "MaxTU", Value: spec.MaxTU}, {Name: "MinTU", Value: spec.MinTU}},
		Model:  func(stall testbench.Stall, seed uint64) testbench.Model { return newSamplesModel(spec, stall, seed) },
		Width:  map[string]int{"src_addr_o": tb + 4, "done_data_o": tb + 1},
	}
}

func TestSamples(t *testing.T) {
	u, sets := samplesSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
