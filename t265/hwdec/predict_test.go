package hwdec

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// A refBlock is a block with its reference samples, those that are not available random.
type refBlock struct {
	log2, mode int
	strong     bool
	refs       block.Refs
	nb         block.Neighbourhood
}

// randomRefs makes a block whose samples are random, extreme, or nearly on straight lines.
func randomRefs(rng *rand.Rand, log2, mode int) *refBlock {
	n := 1 << log2
	b := &refBlock{log2: log2, mode: mode, strong: rng.IntN(2) == 0}
	kind, at, slope := rng.IntN(4), rng.IntN(256), rng.IntN(9)-4
	for i := range b.refs {
		switch kind {
		case 0:
			b.refs[i] = uint8(255 * rng.IntN(2))
		case 1:
			b.refs[i] = uint8(min(max(at+slope*(i-block.RefCorner)/8+rng.IntN(3), 0), 255))
		default:
			b.refs[i] = uint8(rng.Uint32())
		}
	}
	b.nb = block.Neighbourhood{Left: rng.IntN(4) > 0, Above: rng.IntN(4) > 0, Corner: rng.IntN(4) > 0}
	if b.nb.Left {
		b.nb.BelowLeft = 4 * rng.IntN(n/4+1)
	}
	if b.nb.Above {
		b.nb.AboveRight = 4 * rng.IntN(n/4+1)
	}
	return b
}

// beats returns the words of the block.
func (b *refBlock) beats() (list []hw.RefBeat) {
	const c = block.RefCorner
	n := 1 << b.log2
	for i := 0; i < 2*n; i += 4 {
		w := hw.RefBeat{Log2: uint8(b.log2 - 2), Mode: uint8(b.mode), Strong: b.strong, Corner: b.refs[c-i], HasCorner: b.nb.Corner}
		w.HasAbove = b.nb.Above && i < n+b.nb.AboveRight
		w.HasLeft = b.nb.Left && i < n+b.nb.BelowLeft
		for k := range 4 {
			w.Above[k], w.Left[k] = b.refs[c+1+i+k], b.refs[c-1-i-k]
		}
		list = append(list, w)
	}
	return list
}

// samples is the prediction of the software in the order in which it leaves.
func (b *refBlock) samples() []uint8 {
	n := 1 << b.log2
	refs := b.refs
	refs.Substitute(n, b.nb)
	if block.Filtered(b.log2, b.mode) {
		unfiltered := refs
		unfiltered.Filter(&refs, b.log2, b.strong)
	}
	pred := make([]uint8, n*n)
	block.Predict(pred, n, b.log2, b.mode, &refs)
	if 2 <= b.mode && b.mode <= 17 {
		for y := range n {
			for x := range y {
				pred[y*n+x], pred[x*n+y] = pred[x*n+y], pred[y*n+x]
			}
		}
	}
	return pred
}

// runPredict sends blocks through a unit, and returns what leaves and the cycles of its words.
func runPredict(spec PredictSpec, blocks []*refBlock, rng *rand.Rand) (samples []uint8, cycles []int) {
	var in sim.Stream[hw.RefBeat]
	var out sim.Stream[PredictWord]
	u := NewPredictUnit(spec, &in, &out)
	var beats []hw.RefBeat
	count := 0
	for _, b := range blocks {
		beats = append(beats, b.beats()...)
		count += 1 << (2*b.log2 - 2)
	}
	for cycle := 0; len(cycles) < count && cycle < 1000+8*count; cycle++ {
		if !in.Valid && len(beats) > 0 && (rng == nil || rng.IntN(3) > 0) {
			in.Valid, in.Data = true, beats[0]
			beats = beats[1:]
		}
		out.Ready = rng == nil || rng.IntN(3) > 0
		u.Eval()
		if out.Moves() {
			samples, cycles = append(samples, out.Data[:]...), append(cycles, cycle)
		}
		u.Clock()
		if in.Moves() {
			in.Valid = false
		}
	}
	return samples, cycles
}

// TestPredictUnit: the samples are those of the software, in all modes and sizes.
func TestPredictUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 265))
	for _, spec := range []PredictSpec{{MaxTU: 8, Modes: 35}, {MaxTU: 16, Modes: 35}, {MaxTU: 32, Modes: 35}, {MaxTU: 16, Modes: 4}} {
		var blocks []*refBlock
		var want []uint8
		for mode := range block.NumModes {
			for range 60 {
				log2 := 2 + rng.IntN(4)
				if 1<<log2 > spec.MaxTU {
					continue
				}
				if spec.Modes == 4 {
					mode = int(block.DecisionModes[rng.IntN(4)])
				}
				b := randomRefs(rng, log2, mode)
				blocks, want = append(blocks, b), append(want, b.samples()...)
			}
		}
		got, _ := runPredict(spec, blocks, rng)
		if len(got) != len(want) {
			t.Fatalf("%+v: %d samples, want %d", spec, len(got), len(want))
		}
		for i, v := range got {
			if v != want[i] {
				t.Fatalf("%+v: sample %d is %d, want %d", spec, i, v, want[i])
			}
		}
	}
}

// TestPredictRate: blocks of one kind leave without a gap where their references come as
// fast, and the first one after the latency that the module states.
func TestPredictRate(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 265))
	for _, c := range []struct {
		name     string
		log2     int
		strong   bool
		interval float64 // cycles a block
		latency  int     // from the first beat to the first samples
	}{
		{"4x4", 2, false, 4, 6}, {"8x8", 3, false, 16, 8}, {"16x16", 4, false, 64, 12}, {"32x32", 5, false, 256, 20}, {"strong smoothing", 5, true, 256, 37},
	} {
		const count = 16
		var blocks []*refBlock
		for range count {
			b := randomRefs(rng, c.log2, block.ModePlanar)
			if b.strong = c.strong; b.strong {
				b.nb = block.Neighbourhood{}
			}
			blocks = append(blocks, b)
		}
		_, cycles := runPredict(PredictSpec{MaxTU: 32, Modes: 35}, blocks, nil)
		words := len(cycles) / count
		if got := float64(cycles[15*words]-cycles[words]) / 14; got != c.interval {
			t.Errorf("%s: %.2f cycles a block, want %.1f", c.name, got, c.interval)
		}
		if cycles[0] != c.latency {
			t.Errorf("%s: latency %d, want %d", c.name, cycles[0], c.latency)
		}
	}
}

func BenchmarkPredictUnit(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 265))
	var beats []hw.RefBeat
	for i := range 64 {
		beats = append(beats, randomRefs(rng, 2+i%3, rng.IntN(35)).beats()...)
	}
	var in sim.Stream[hw.RefBeat]
	var out sim.Stream[PredictWord]
	u := NewPredictUnit(DefaultPredictSpec(), &in, &out)
	out.Ready = true
	at := 0
	b.ReportAllocs()
	for b.Loop() {
		in.Valid, in.Data = true, beats[at]
		u.Eval()
		u.Clock()
		if in.Moves() {
			at = (at + 1) % len(beats)
		}
	}
}
