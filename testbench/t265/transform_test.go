package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// words packs fields into words of 64 bits, the lowest first.
type words struct {
	w []uint64
	n int
}

func (b *words) add(v uint64, n int) {
	v &= 1<<n - 1
	i, at := b.n/64, b.n%64
	b.w[i] |= v << at
	if at+n > 64 {
		b.w[i+1] |= v >> (64 - at)
	}
	b.n += n
}

// addBeat adds a tag and eight values of n bits.
func (b *words) addBeat(tag *hwenc.Tag, threadBits int, values *[8]int16, n int) {
	clear(b.w)
	b.n = 0
	b.add(uint64(tag.Thread), threadBits)
	b.add(uint64(tag.CX), 2)
	b.add(uint64(tag.CY), 2)
	b.add(uint64(tag.Mode), 2)
	b.add(uint64(tag.QP), 6)
	b.add(bit(tag.LastTU), 1)
	b.add(uint64(tag.Log2), 2)
	for _, v := range values {
		b.add(uint64(v), n)
	}
}

// randomBeats makes the beats of blocks of both sizes. What the values of a beat mean
// depends on the transform.
type randomBeats struct {
	rng   *rand.Rand
	maxTU int
	low   int // -low..high
	high  int
	left  int // beats of the block
	run   int // blocks of 8x8 before one of 16x16
	many  int // at most
	tag   hwenc.Tag
	share float64
	limit int
	kind  int
	check [2][8]int16
}

func (r *randomBeats) next(threadBits int) (tag hwenc.Tag, values [8]int16) {
	if r.left == 0 {
		r.block(threadBits)
	}
	r.left--
	for i := range values {
		v := 0
		switch {
		case r.rng.Float64() >= r.share:
		case r.kind == 0: // extremes at random
			v = [2]int{-r.low, r.high}[r.rng.IntN(2)]
		case r.kind == 1: // along the sign of a pattern, so that sums are large
			if v = r.high; r.check[r.left&1][i] < 0 {
				v = -r.low
			}
		default:
			v = r.rng.IntN(2*r.limit+1) - r.limit
		}
		values[i] = int16(min(max(v, -r.low), r.high))
	}
	return r.tag, values
}

func (r *randomBeats) block(threadBits int) {
	if r.run == 0 {
		r.run = 1 + r.rng.IntN(8)
		r.many = r.rng.IntN(3)
	}
	r.run--
	log2 := uint8(1)
	if r.maxTU == 16 && (r.many == 0 || r.many == 1 && r.rng.IntN(2) == 0) {
		log2 = 2
	}
	r.left = 2 << (2 * log2)
	r.tag = hwenc.Tag{Thread: uint8(r.rng.IntN(1 << threadBits)), CX: uint8(r.rng.IntN(4)), CY: uint8(r.rng.IntN(4)), Mode: uint8(r.rng.IntN(4)),
		QP: uint8(r.rng.IntN(64)), LastTU: r.rng.IntN(2) == 0, Log2: log2}
	r.share = [...]float64{0, 0.03, 0.3, 1, 1}[r.rng.IntN(5)]
	r.limit = 1 << r.rng.IntN(17)
	r.kind = r.rng.IntN(5)
	for i := range r.check[0] {
		r.check[0][i], r.check[1][i] = int16(r.rng.IntN(2))-1, int16(r.rng.IntN(2))-1
	}
}

// transformModel drives a transform, forward or inverse.
type transformModel struct {
	res, back  sim.Stream[hwenc.Residual]
	coef, deq  sim.Stream[hwenc.Coefs]
	forward    *hwenc.ForwardUnit // or
	inverse    *hwenc.InverseUnit
	beats      randomBeats
	idle, open *testbench.Gate
	threadBits int
	word       words
}

func newTransformModel(inverse bool, maxTU, threadBits int, stall testbench.Stall, seed uint64) *transformModel {
	m := &transformModel{idle: testbench.NewGate(2*seed, stall.Idle), open: testbench.NewGate(2*seed+1, stall.Back), threadBits: threadBits}
	m.beats = randomBeats{rng: rand.New(rand.NewPCG(seed, 1)), maxTU: maxTU, low: 255, high: 255}
	m.word.w = make([]uint64, 4)
	if inverse {
		m.beats.low, m.beats.high = 32768, 32767
		m.inverse = hwenc.NewInverseUnit(maxTU, &m.deq, &m.back)
	} else {
		m.forward = hwenc.NewForwardUnit(maxTU, &m.res, &m.coef)
	}
	return m
}

func (m *transformModel) Cycle(in, out []uint64) {
	if m.forward != nil {
		if !m.res.Valid {
			if m.res.Data.Log2 = uint8(m.beats.rng.IntN(4)); m.idle.Open() { // else nobody may look at it
				m.res.Valid = true
				m.res.Data.Tag, m.res.Data.Values = m.beats.next(m.threadBits)
			}
		}
		m.coef.Ready = m.open.Open()
		m.forward.Eval()
		n := m.pack(in[1:], &m.res.Data.Tag, &m.res.Data.Values, 9)
		in[0], in[1+n] = bit(m.res.Valid), bit(m.coef.Ready)
		out[0], out[1] = bit(m.res.Ready), bit(m.coef.Valid)
		m.pack(out[2:], &m.coef.Data.Tag, &m.coef.Data.Values, 16)
		m.forward.Clock()
		if m.res.Moves() {
			m.res.Valid = false
		}
		return
	}
	if !m.deq.Valid {
		if m.deq.Data.Log2 = uint8(m.beats.rng.IntN(4)); m.idle.Open() {
			m.deq.Valid = true
			m.deq.Data.Tag, m.deq.Data.Values = m.beats.next(m.threadBits)
		}
	}
	m.back.Ready = m.open.Open()
	m.inverse.Eval()
	n := m.pack(in[1:], &m.deq.Data.Tag, &m.deq.Data.Values, 16)
	in[0], in[1+n] = bit(m.deq.Valid), bit(m.back.Ready)
	out[0], out[1] = bit(m.deq.Ready), bit(m.back.Valid)
	m.pack(out[2:], &m.back.Data.Tag, &m.back.Data.Values, 9)
	m.inverse.Clock()
	if m.deq.Moves() {
		m.deq.Valid = false
	}
}

// pack sets ports of 64 bits to a beat and returns their number.
func (m *transformModel) pack(ports []uint64, tag *hwenc.Tag, values *[8]int16, n int) int {
	m.word.addBeat(tag, m.threadBits, values, n)
	return copy(ports, m.word.w[:(m.word.n+63)/64])
}

func transformSets(inverse bool) (u testbench.Unit, sets []testbench.Set) {
	name, in, out := "t265_forward", 72, 128
	if inverse {
		name, in, out = "t265_inverse", 128, 72
	}
	// As wide as the widest set: ports count in words of 32 bits.
	u = testbench.Unit{
		Top: name, Source: "rtl/t265/" + name + ".v", Binding: "testbench/t265/bind/" + name + ".cpp", Cover: 2, Lines: true, CoverCycles: 1 << 12,
		In:  append(append([]testbench.Port{{Name: "in_valid_i", Bits: 1}}, testbench.Wide("in_data_i", tagBits+6+in, "")...), testbench.Port{Name: "out_ready_i", Bits: 1}),
		Out: append([]testbench.Port{{Name: "in_ready_o", Bits: 1}, {Name: "out_valid_o", Bits: 1}}, testbench.Wide("out_data_o", tagBits+6+out, "out_valid_o")...),
	}
	for _, p := range []struct{ maxTU, threadBits int }{{16, 4}, {8, 6}, {16, 1}} {
		sets = append(sets, transformSet(inverse, p.maxTU, p.threadBits))
	}
	return u, sets
}

// tagBits are those of a tag without its thread.
const tagBits = 15

// transformSet is the set of a transform whose tags have a thread.
func transformSet(inverse bool, maxTU, threadBits int) testbench.Set {
	return testbench.Set{
		Params: []testbench.Param{{Name: "MaxTU", Value: maxTU}, {Name: "TagWidth", Value: tagBits + threadBits - 2}},
		Model: func(stall testbench.Stall, seed uint64) testbench.Model {
			return newTransformModel(inverse, maxTU, threadBits, stall, seed)
		},
	}
}

func forwardSets() (testbench.Unit, []testbench.Set) { return transformSets(false) }
func inverseSets() (testbench.Unit, []testbench.Set) { return transformSets(true) }

func TestForward(t *testing.T) {
	u, sets := forwardSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}

func TestInverse(t *testing.T) {
	u, sets := inverseSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
