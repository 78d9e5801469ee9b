package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// randomBlock fills coefs, s16, with those of a block of size 1<<log2 at a QP: near the
// thresholds between levels, small ones, of any size, extremes, or nearly none. With
// log2 2 they are residuals, s9.
func randomBlock(rng *rand.Rand, coefs []int16, qp, log2 int) {
	low, high, step := -32768., 32767., float64(block.LevelScale[qp%6]<<(qp/6))/float64(int(1)<<(log2-1))
	if log2 == 2 {
		low, high, step = -256, 255, step/32
	}
	kind, share := rng.IntN(6), rng.Float64()
	for i := range coefs {
		v := 0.
		switch {
		case kind == 0 && rng.Float64() < share:
			v = rng.NormFloat64() * 2 * step
		case kind == 1 && rng.Float64() < share:
			v = (float64(rng.IntN(5)-2) + 0.55 + rng.Float64()/10) * step
		case kind == 2:
			v = low + rng.Float64()*(high-low)
		case kind == 3:
			v = [4]float64{low, high, 0, high / 2}[rng.IntN(4)]
		case kind == 4 && rng.Float64() < share/3:
			v = float64(rng.IntN(5)-2) * step
		case kind == 5:
			v = rng.NormFloat64() * step / 3
		}
		coefs[i] = int16(max(low, min(v, high)))
	}
}

// quantModel drives a quantiser with blocks of both kinds.
type quantModel struct {
	coef  sim.Stream[hwenc.Coefs]
	skip  sim.Stream[hwenc.SkipResidual]
	lev   sim.Stream[hwenc.SubLevels]
	deq   sim.Stream[hwenc.Coefs]
	rest  sim.Stream[hwenc.SkipScaled]
	unit  *hwenc.QuantUnit
	spec  hwenc.Spec
	idle  [2]*testbench.Gate
	back  [3]*testbench.Gate
	rng   *rand.Rand
	coefs []hwenc.Coefs
	skips []hwenc.SkipResidual
}

func newQuantModel(spec hwenc.Spec, hide bool, stall testbench.Stall, seed uint64) *quantModel {
	m := &quantModel{spec: spec, rng: rand.New(rand.NewPCG(seed, 1))}
	for i := range m.idle {
		m.idle[i] = testbench.NewGate(5*seed+uint64(i), stall.Idle)
	}
	for i := range m.back {
		m.back[i] = testbench.NewGate(5*seed+2+uint64(i), stall.Back)
	}
	m.unit = hwenc.NewQuantUnit(hide, &m.coef, &m.skip, &m.lev, &m.deq, &m.rest)
	return m
}

func (m *quantModel) tag(log2 int) hwenc.Tag {
	r := m.rng
	return hwenc.Tag{Thread: uint8(r.IntN(m.spec.Threads)), CX: uint8(r.IntN(4)), CY: uint8(r.IntN(4)), Mode: uint8(r.IntN(4)),
		QP: uint8(r.IntN(52)), LastTU: r.IntN(2) == 0, Log2: uint8(log2 - 2)}
}

// fill makes the next block of a kind where there is none.
func (m *quantModel) fill() {
	var values [256]int16
	if len(m.skips) == 0 && m.spec.MinTU == 4 {
		tag := m.tag(2)
		randomBlock(m.rng, values[:16], int(tag.QP), 2)
		m.skips = append(m.skips, hwenc.SkipResidual{Tag: tag, Values: [8]int16(values[:])}, hwenc.SkipResidual{Tag: tag, Values: [8]int16(values[8:])})
	}
	if len(m.coefs) == 0 {
		log2 := 3
		if m.spec.MaxTU == 16 && m.rng.IntN(3) == 0 {
			log2 = 4
		}
		tag, n := m.tag(log2), 1<<(2*log2)
		for at := 0; at < n; at += 64 { // a kind for four sub-blocks
			randomBlock(m.rng, values[at:at+64], int(tag.QP), log2)
		}
		m.coefs = m.coefs[:0]
		for at := 0; at < n; at += 8 {
			m.coefs = append(m.coefs, hwenc.Coefs{Tag: tag, Values: [8]int16(values[at:])})
		}
	}
}

func (m *quantModel) Cycle(in, out []uint64) {
	m.fill()
	if !m.coef.Valid && m.idle[0].Open() {
		m.coef.Valid, m.coef.Data = true, m.coefs[0]
		m.coefs = m.coefs[1:]
	}
	if !m.skip.Valid && len(m.skips) > 0 && m.idle[1].Open() && m.rng.IntN(3) == 0 {
		m.skip.Valid, m.skip.Data = true, m.skips[0]
		m.skips = m.skips[1:]
	}
	m.lev.Ready, m.deq.Ready, m.rest.Ready = m.back[0].Open(), m.back[1].Open(), m.back[2].Open()
	m.unit.Eval()
	p := pathBits{ports: in}
	p.bit(m.coef.Valid)
	p.junk(m.rng, m.coef.Valid, func() { p.values(m.spec, &m.coef.Data.Tag, &m.coef.Data.Values, 16) })
	p.bit(m.skip.Valid)
	p.junk(m.rng, m.skip.Valid, func() { p.values(m.spec, &m.skip.Data.Tag, &m.skip.Data.Values, 9) })
	p.bit(m.lev.Ready)
	p.bit(m.deq.Ready)
	p.bit(m.rest.Ready)
	p = pathBits{ports: out}
	p.bit(m.coef.Ready)
	p.bit(m.skip.Ready)
	p.bit(m.lev.Valid)
	l := &m.lev.Data
	p.tag(m.spec, &l.Tag)
	p.add(uint64(l.SX)|uint64(l.SY)<<2|uint64(l.Scan)<<4|uint64(l.Mask)<<6, 22)
	for _, v := range l.Levels {
		p.add(uint64(uint16(v)), 16)
	}
	p.add(bit(l.LastSub), 1)
	p.end()
	p.bit(m.deq.Valid)
	p.values(m.spec, &m.deq.Data.Tag, &m.deq.Data.Values, 16)
	p.end()
	p.bit(m.rest.Valid)
	p.values(m.spec, &m.rest.Data.Tag, &m.rest.Data.Values, 16)
	p.end()
	m.unit.Clock()
	if m.coef.Moves() {
		m.coef.Valid = false
	}
	if m.skip.Moves() {
		m.skip.Valid = false
	}
}

// pathBits puts ports into records, each of as many words of 64 bits as it needs.
type pathBits struct {
	ports []uint64
	n     int // bits of the port that is under way
}

func (p *pathBits) add(v uint64, n int) {
	i, at := p.n/64, p.n%64
	if at == 0 {
		p.ports[i] = 0
	}
	p.ports[i] |= v << at
	if at+n > 64 {
		p.ports[i+1] = v >> (64 - at)
	}
	p.n += n
}

// end ends a port.
func (p *pathBits) end() { p.ports, p.n = p.ports[(p.n+63)/64:], 0 }

func (p *pathBits) bit(b bool) {
	p.add(bit(b), 1)
	p.end()
}

func (p *pathBits) tag(spec hwenc.Spec, t *hwenc.Tag) {
	p.add(uint64(t.Thread), spec.ThreadBits())
	p.add(uint64(t.CX)|uint64(t.CY)<<2|uint64(t.Mode)<<4|uint64(t.QP)<<6|bit(t.LastTU)<<12|uint64(t.Log2)<<13, 15)
}

func (p *pathBits) values(spec hwenc.Spec, t *hwenc.Tag, values *[8]int16, width int) {
	p.tag(spec, t)
	for _, v := range values {
		p.add(uint64(v)&(1<<width-1), width)
	}
}

// junk puts a port that is not valid: all of its bits but for those of its last word differ
// from cycle to cycle.
func (p *pathBits) junk(rng *rand.Rand, valid bool, put func()) {
	put()
	for i := range (p.n - 1) / 64 {
		if !valid {
			p.ports[i] = rng.Uint64()
		}
	}
	p.end()
}

func quantSets() (u testbench.Unit, sets []testbench.Set) {
	port := func(name string) testbench.Port { return testbench.Port{Name: name, Bits: 1} }
	const coef, skip, lev = 147, 91, 298
	u = testbench.Unit{Top: "t265_quant", Source: "rtl/t265/t265_quant.v", Binding: "testbench/t265/bind/t265_quant.cpp", Lines: true}
	u.In = append([]testbench.Port{port("coef_valid_i")}, testbench.Wide("coef_data_i", coef, "")...)
	u.In = append(append(u.In, port("skip_valid_i")), testbench.Wide("skip_data_i", skip, "")...)
	u.In = append(u.In, port("lev_ready_i"), port("deq_ready_i"), port("rest_ready_i"))
	u.Out = append([]testbench.Port{port("coef_ready_o"), port("skip_ready_o"), port("lev_valid_o")}, testbench.Wide("lev_data_o", lev, "lev_valid_o")...)
	u.Out = append(append(u.Out, port("deq_valid_o")), testbench.Wide("deq_data_o", coef, "deq_valid_o")...)
	u.Out = append(append(u.Out, port("rest_valid_o")), testbench.Wide("rest_data_o", coef, "rest_valid_o")...)
	for i := range u.Out {
		u.Out[i].Loose = u.Out[i].Guard != ""
	}
	for _, p := range []struct {
		threads, maxTU, minTU int
		hide                  bool
	}{{16, 16, 4, true}, {1, 8, 4, true}, {40, 16, 8, true}, {40, 16, 4, false}, {5, 8, 8, false}} {
		sets = append(sets, quantSet(hwenc.Spec{Threads: p.threads, MaxTU: p.maxTU, MinTU: p.minTU}, p.hide))
	}
	return u, sets
}

// quantSet is the set of a spec.
func quantSet(spec hwenc.Spec, hide bool) testbench.Set {
	return testbench.Set{
		Params: []testbench.Param{{Name: "Threads", Value: spec.Threads}, {Name: "MaxTU", Value: spec.MaxTU}, {Name: "MinTU", Value: spec.MinTU}, {Name: "Hide", Value: int(bit(hide))}},
		Model: func(stall testbench.Stall, seed uint64) testbench.Model {
			return newQuantModel(spec, hide, stall, seed)
		},
	}
}

func TestQuant(t *testing.T) {
	u, sets := quantSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
