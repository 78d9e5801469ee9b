package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
	"vcsim/t265/hwdec"
	"vcsim/testbench"
)

// randomRefs makes the reference samples of blocks in all modes and sizes: random,
// extreme, and nearly on straight lines, for strong smoothing, with all availabilities.
type randomRefs struct {
	rng   *rand.Rand
	spec  hwdec.PredictSpec
	run   int // blocks before size and mode are drawn again
	head  hw.RefBeat
	left  int // beats of the block under way
	total int

	kind, corner int
	slope        [2]int // on the left and above, in 1/8 a sample
	bend         int    // what they are off at sample 64, from sample 32 on
	first, last  [2]int // beats that are available above and on the left
}

func (r *randomRefs) next() (w hw.RefBeat) {
	if r.left == 0 {
		r.block()
	}
	w = r.head
	i := r.total - r.left
	w.HasAbove = i >= r.first[0] && i < r.last[0]
	w.HasLeft = i >= r.first[1] && i < r.last[1]
	for k := range 4 {
		w.Above[k], w.Left[k] = r.sample(4*i+k+1), r.sample(-4*i-k-1)
	}
	if i > 0 {
		w.Corner, w.HasCorner = uint8(r.rng.Uint32()), r.rng.IntN(2) == 0
	}
	r.left--
	return w
}

// sample is the one at a distance from the corner.
func (r *randomRefs) sample(at int) uint8 {
	switch r.kind {
	case 0:
		return uint8(255 * r.rng.IntN(2))
	case 1, 2:
		slope := r.slope[0]
		if at > 0 {
			slope = r.slope[1]
		}
		bend := r.bend * max(at-32, -at-32, 0) / 32
		return uint8(min(max(r.corner+slope*at/8+bend+r.rng.IntN(2*r.kind-1), 0), 255))
	}
	return uint8(r.rng.Uint32())
}

func (r *randomRefs) block() {
	rng := r.rng
	if r.run == 0 {
		r.run = 1 + rng.IntN(6)
		for r.head.Log2 = uint8(rng.IntN(4)); 4<<r.head.Log2 > r.spec.MaxTU; {
			r.head.Log2 = uint8(rng.IntN(4))
		}
	}
	r.run--
	if rng.IntN(3) > 0 {
		r.head.Mode = uint8(rng.IntN(block.NumModes))
		if r.spec.Modes == 4 || rng.IntN(4) == 0 {
			r.head.Mode = block.DecisionModes[rng.IntN(4)]
		}
	}
	r.kind, r.corner = rng.IntN(5), rng.IntN(256)
	r.slope, r.bend = [2]int{rng.IntN(25) - 12, rng.IntN(25) - 12}, rng.IntN(19)-9
	r.head.Strong = rng.IntN(4) > 0
	r.head.Corner, r.head.HasCorner = r.sample(0), rng.IntN(4) > 0
	half := 1 << r.head.Log2
	r.total = 2 * half
	r.left = r.total
	for i := range r.first {
		r.first[i], r.last[i] = 0, half+rng.IntN(half+1)
		if rng.IntN(2) == 0 {
			r.last[i] = 2 * half
		}
		if rng.IntN(4) == 0 {
			r.last[i] = 0
		}
	}
	if r.head.Log2 == 3 && rng.IntN(2) == 0 { // two lines that fit between 0 and 255
		r.kind, r.corner, r.head.Strong = 1+rng.IntN(2), 110+rng.IntN(36), true
		r.head.Corner, r.head.HasCorner = r.sample(0), true
		r.first, r.last = [2]int{}, [2]int{r.total, r.total}
		return
	}
	if rng.IntN(16) == 0 && (r.head.HasCorner || r.last[1] > 0) { // the slice begins above right
		r.first[0], r.last[0] = half, half+1+rng.IntN(half)
	}
}

// predictModel drives the prediction of the decoder.
type predictModel struct {
	in         sim.Stream[hw.RefBeat]
	out        sim.Stream[hwdec.PredictWord]
	unit       *hwdec.PredictUnit
	refs       randomRefs
	idle, open *testbench.Gate
}

func newPredictModel(spec hwdec.PredictSpec, stall testbench.Stall, seed uint64) *predictModel {
	m := &predictModel{idle: testbench.NewGate(2*seed, stall.Idle), open: testbench.NewGate(2*seed+1, stall.Back)}
	m.refs = randomRefs{rng: rand.New(rand.NewPCG(seed, 8)), spec: spec}
	m.unit = hwdec.NewPredictUnit(spec, &m.in, &m.out)
	return m
}

func (m *predictModel) Cycle(in, out []uint64) {
	if !m.in.Valid && m.idle.Open() {
		m.in.Valid, m.in.Data = true, m.refs.next()
	}
	m.out.Ready = m.open.Open()
	m.unit.Eval()
	var word packed
	word.refBeat(&m.in.Data)
	in[0] = bit(m.in.Valid)
	in[1+word.put(in[1:])] = bit(m.out.Ready)
	var pred packed
	pred.samples(m.out.Data[:])
	copy(out, []uint64{bit(m.in.Ready), bit(m.out.Valid), pred.w[0]})
	m.unit.Clock()
	if m.in.Moves() {
		m.in.Valid = false
	}
}

func decPredictSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_dec_predict", Source: "rtl/t265/t265_dec_predict.v", Binding: "testbench/t265/bind/t265_dec_predict.cpp",
		In:  append(append([]testbench.Port{{Name: "in_valid_i", Bits: 1}}, testbench.Wide("in_data_i", hw.RefBeatBits, "")...), testbench.Port{Name: "out_ready_i", Bits: 1}),
		Out: []testbench.Port{{Name: "in_ready_o", Bits: 1}, {Name: "out_valid_o", Bits: 1}, {Name: "out_data_o", Bits: 32, Guard: "out_valid_o"}},
	}
	for _, spec := range []hwdec.PredictSpec{hwdec.DefaultPredictSpec(), {MaxTU: 32, Modes: 35}, {MaxTU: 8, Modes: 35}, {MaxTU: 16, Modes: 4}, {MaxTU: 32, Modes: 4}, {MaxTU: 8, Modes: 4}} {
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "MaxTU", Value: spec.MaxTU}, {Name: "Modes", Value: spec.Modes}},
			Model: func(stall testbench.Stall, seed uint64) testbench.Model {
				return newPredictModel(spec, stall, seed)
			},
		})
	}
	return u, sets
}

func TestDecPredict(t *testing.T) {
	u, sets := decPredictSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
