package common

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabac"
	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/testbench"
)

// decoderModel drives a decoder engine with codewords: encoded from random bins,
// the same damaged or cut, or random bytes.
type decoderModel struct {
	in       sim.Stream[cabachw.Byte]
	unit     *cabachw.DecoderUnit
	spec     cabachw.DecoderSpec
	idle     *testbench.Gate
	back     *testbench.Gate
	rng      *rand.Rand
	contexts []uint8 // at the start of a codeword
	data     []byte  // of the codeword
	pos      int
	init     int // contexts that are still to be set
	started  bool
	requests []cabachw.Request // of the codeword
	at       int               // the request in the engine is requests[at-1]
	drain    bool
	exact    bool // the request in the engine does not depend on bins
}

func newDecoderModel(spec cabachw.DecoderSpec, stall testbench.Stall, seed uint64) *decoderModel {
	m := &decoderModel{
		spec: spec, idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back),
		rng: rand.New(rand.NewPCG(seed, 1)), contexts: make([]uint8, spec.Contexts),
	}
	m.unit = cabachw.NewDecoderUnit(spec, &m.in)
	m.codeword()
	m.init = spec.Contexts
	return m
}

// codeword makes the next codeword and what is asked of it.
func (m *decoderModel) codeword() {
	rng := m.rng
	m.pos, m.at, m.started, m.drain = 0, 0, false, false
	m.init = m.spec.Contexts * rng.IntN(2)
	if m.init != 0 {
		for i := range m.contexts {
			m.contexts[i] = cabac.InitContext(1 + rng.IntN(126))
		}
	}
	ctx := append([]uint8(nil), m.contexts...)
	skew := [...]float64{0.02, 0.3, 0.97}[rng.IntN(3)]
	var e cabac.Encoder
	e.Reset(nil)
	m.requests = m.requests[:0]
	for range 9 {
		m.requests = append(m.requests, cabachw.Request{Kind: cabachw.RequestBypass, Count: 1})
	}
	bin := func() int {
		if rng.Float64() < skew {
			return 1
		}
		return 0
	}
	last := cabachw.Request{}
	for range rng.IntN(600) {
		r := cabachw.Request{Kind: cabachw.RequestContext, Ctx: uint8(rng.IntN(m.spec.Contexts))}
		switch kind := rng.IntN(16); {
		case kind < 3 && last.Kind == cabachw.RequestContext:
			r = last
			e.Bin(&ctx[r.Ctx], bin())
		case kind < 9:
			e.Bin(&ctx[r.Ctx], bin())
		case kind < 13:
			r = cabachw.Request{Kind: cabachw.RequestBypass, Count: uint8(1 + rng.IntN(m.spec.Bypass))}
			e.Bypass(uint32(rng.IntN(1<<r.Count)), int(r.Count))
		case kind < 15:
			r = cabachw.Request{}
		default:
			r = cabachw.Request{Kind: cabachw.RequestTerminate}
			e.Terminate(0)
		}
		m.requests = append(m.requests, r)
		last = r
	}
	if m.exact = rng.IntN(16) == 0; m.exact {
		m.brink()
		return
	}
	m.requests = append(m.requests, cabachw.Request{Kind: cabachw.RequestTerminate})
	e.Terminate(1)
	e.Flush()
	m.data = append(m.data[:0], e.Bytes()...)
	switch rng.IntN(6) {
	case 0: // damaged
		m.data[rng.IntN(len(m.data))] ^= 1 << rng.IntN(8)
	case 1: // cut
		m.data = m.data[:1+rng.IntN(len(m.data))]
	case 2: // random
		for i := range m.data {
			m.data[i] = uint8(rng.Uint32())
		}
	case 3: // does not end with its terminating bin
		m.data = append(m.data, make([]byte, rng.IntN(5))...)
	}
}

// brink makes a codeword of random bytes, of which all bits are gone when bins
// before a possible end begin. They take few: the first one that does not find
// its bit is one of them.
func (m *decoderModel) brink() {
	m.data = m.data[:0]
	for range 2 + m.rng.IntN(3) {
		m.data = append(m.data, uint8(m.rng.Uint32()))
	}
	m.data[0] &= 0x7f
	m.requests = m.requests[:0]
	for range 8 * len(m.data) {
		m.requests = append(m.requests, cabachw.Request{Kind: cabachw.RequestBypass, Count: 1})
	}
	for range 200 {
		m.requests = append(m.requests, cabachw.Request{Kind: cabachw.RequestTerminate})
	}
}

func (m *decoderModel) Cycle(in, out []uint64) {
	if !m.in.Valid && m.pos < len(m.data) && m.idle.Open() {
		m.in.Valid, m.in.Data = true, cabachw.Byte{Data: m.data[m.pos], Last: m.pos == len(m.data)-1}
		m.pos++
	}
	clear(in)
	enable := m.back.Open()
	start, init := false, false
	var value, ctx uint8
	switch {
	case m.init > 0:
		if init = m.idle.Open(); init {
			m.init--
			ctx, value = uint8(m.init), m.contexts[m.init]
		}
	case !m.started && enable:
		start = true
	}
	// The next request is known for one value of the bin, and drawn for the other.
	var current, next cabachw.Request
	if m.at > 0 && m.at <= len(m.requests) {
		current = m.requests[m.at-1]
	}
	if (start || m.started) && m.at < len(m.requests) {
		next = m.requests[m.at]
	}
	zero, one := next, next
	other := cabachw.Request{Kind: uint8(m.rng.IntN(4)), Ctx: uint8(m.rng.IntN(m.spec.Contexts)), Count: uint8(1 + m.rng.IntN(m.spec.Bypass))}
	if m.at >= len(m.requests) {
		other = cabachw.Request{}
	}
	if m.exact {
		other = next
	}
	guess := m.rng.IntN(2) // which bin this model expects
	switch current.Kind {
	case cabachw.RequestNone:
		one = other
	case cabachw.RequestBypass:
		if next.Kind == cabachw.RequestNone || next.Kind == cabachw.RequestBypass {
			if other.Kind &^= 1; guess == 0 { // none or bypass
				zero = other
			} else {
				one = other
			}
		}
	default:
		if guess == 0 {
			zero = other
		} else {
			one = other
		}
	}
	m.unit.Drain(m.drain)
	m.unit.Eval()
	in[0], in[1], in[2] = bit(m.in.Valid), uint64(m.in.Data.Data), bit(m.in.Data.Last)
	in[3], in[4], in[5], in[6], in[7], in[8] = bit(start), bit(m.drain), bit(init), uint64(ctx), uint64(value), bit(enable)
	// Without a fork the context of a bin that follows is that of zero.
	fork := m.rng.IntN(2) == 0
	if !fork {
		ends := func(r cabachw.Request) bool { return r.Kind == cabachw.RequestTerminate }
		switch {
		case ends(zero) != ends(one):
			fork = true
		case zero.Kind == cabachw.RequestContext && one.Kind == cabachw.RequestContext && zero.Ctx != one.Ctx:
			fork = true
		case one.Kind == cabachw.RequestContext:
			zero.Ctx = one.Ctx
		}
	}
	in[15] = bit(fork)
	for i, r := range []cabachw.Request{zero, one} {
		in[9+3*i], in[10+3*i], in[11+3*i] = uint64(r.Kind), uint64(r.Ctx), uint64(r.Count)
	}
	if !fork { // nobody may look at
		in[13] = uint64(m.rng.IntN(m.spec.Contexts))
	}
	bins, ok := m.unit.Step(enable)
	several := current.Kind == cabachw.RequestBypass && current.Count > 1
	out[0], out[1], out[2], out[3], out[4], out[5] = bit(m.in.Ready), bit(ok), bit(bins&1 != 0 && !several), uint64(bins), bit(m.unit.Ended()), bit(m.unit.Overrun())
	out[6] = bit(m.unit.Cut())
	taken := zero
	if out[2] != 0 {
		taken = one
	}
	if ok && (start || m.started) && m.at <= len(m.requests) {
		// A drawn request takes the place of the one it displaces.
		if m.at < len(m.requests) {
			m.requests[m.at] = taken
		}
		m.at++
	}
	m.unit.Clock(taken)
	if init {
		m.unit.Init(ctx, value)
	}
	if start {
		m.unit.Start()
		m.started = true
	}
	if m.in.Moves() {
		m.in.Valid = false
	}
	if m.at > len(m.requests) {
		if m.drain = true; m.unit.Ended() {
			// Contexts that are not set again keep what this codeword left.
			m.codeword()
		}
	}
}

func decoderSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "vc_cabac_dec", Source: "rtl/common/vc_cabac_dec.v", Binding: "testbench/common/bind/vc_cabac_dec.cpp",
		In: []testbench.Port{{Name: "in_valid_i", Bits: 1}, {Name: "in_data_i", Bits: 8}, {Name: "in_last_i", Bits: 1}, {Name: "start_i", Bits: 1},
			{Name: "drain_i", Bits: 1}, {Name: "init_i", Bits: 1}, {Name: "init_ctx_i"}, {Name: "init_value_i", Bits: 7}, {Name: "enable_i", Bits: 1},
			{Name: "zero_kind_i", Bits: 2}, {Name: "zero_ctx_i"}, {Name: "zero_count_i", Bits: 3},
			{Name: "one_kind_i", Bits: 2}, {Name: "one_ctx_i"}, {Name: "one_count_i", Bits: 3}, {Name: "fork_i", Bits: 1}},
		Out: []testbench.Port{{Name: "in_ready_o", Bits: 1}, {Name: "step_o", Bits: 1}, {Name: "bin_o", Bits: 1}, {Name: "bins_o"}, {Name: "ended_o", Bits: 1}, {Name: "overrun_o", Bits: 1}, {Name: "cut_o", Bits: 1}},
	}
	for _, spec := range []cabachw.DecoderSpec{cabachw.DefaultDecoderSpec(), {Contexts: 8, Bypass: 1}, {Contexts: 256, Bypass: 7}, {Contexts: 64, Bypass: 4}} {
		w := spec.CtxBits()
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Contexts", Value: spec.Contexts}, {Name: "Bypass", Value: spec.Bypass}},
			Width:  map[string]int{"init_ctx_i": w, "zero_ctx_i": w, "one_ctx_i": w, "bins_o": spec.Bypass},
			Model:  func(stall testbench.Stall, seed uint64) testbench.Model { return newDecoderModel(spec, stall, seed) },
		})
	}
	return u, sets
}

func TestCABACDecoder(t *testing.T) {
	u, sets := decoderSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
