package hwenc

import (
	"math/rand/v2"
	"slices"
	"testing"

	"vcsim/sim"
	"vcsim/t265/block"
)

// randomCoefs fills a block with coefficients of a kind that differs from block to
// block: near the thresholds of levels, small, of any size, extreme, or none.
func randomCoefs(rng *rand.Rand, coefs []int32, qp, log2 int) {
	limit := int32(32768)
	if log2 == 2 {
		limit = 255 << 5
	}
	step := float64(block.LevelScale[qp%6]<<(qp/6)) / float64(int(1)<<(log2-1))
	kind, share := rng.IntN(6), rng.Float64()
	for i := range coefs {
		v := int32(0)
		switch {
		case kind == 0 && rng.Float64() < share:
			v = int32((rng.NormFloat64() * 1.5) * step)
		case kind == 1 && rng.Float64() < share:
			v = int32((float64(rng.IntN(4)-2) + 0.58 + rng.Float64()/16) * step)
		case kind == 2:
			v = rng.Int32N(2*limit) - limit
		case kind == 3:
			v = [4]int32{limit - 1, -limit, 0, limit / 2}[rng.IntN(4)]
		case kind == 4 && rng.Float64() < share/2:
			v = int32(float64(rng.IntN(7)-3) * step)
		}
		if coefs[i] = max(-limit, min(v, limit-1)); log2 == 2 {
			coefs[i] = max(-255, min(coefs[i]>>5, 255)) << 5
		}
	}
}

// A quantCase is a block on its way, and what has to come out.
type quantCase struct {
	tag    Tag
	coefs  [256]int32 // raster
	levels []SubLevels
	scaled [][8]int16
	beats  [][8]int16
}

// newQuantCase quantises a random block with the functions of the software.
func newQuantCase(rng *rand.Rand, log2 int, hide bool) *quantCase {
	c := &quantCase{tag: Tag{Thread: uint8(rng.IntN(16)), CX: uint8(rng.IntN(4)), CY: uint8(rng.IntN(4)), Mode: uint8(rng.IntN(4)),
		QP: uint8(rng.IntN(52)), LastTU: rng.IntN(2) == 0, Log2: uint8(log2 - 2)}}
	n := 1 << log2
	randomCoefs(rng, c.coefs[:n*n], int(c.tag.QP), log2)
	q, d := block.NewQuantizer(int(c.tag.QP), log2, true, hide), block.NewScaler(int(c.tag.QP), log2)
	levels := block.LevelsIn(make([]int16, 1024), make([]uint16, 64), log2, block.ScanIndex(log2, int(block.DecisionModes[c.tag.Mode])))
	var coefs [1024]int32
	copy(coefs[:], c.coefs[:])
	q.Block(&levels, &coefs)
	scan := levels.Order()
	var restored [256]int16
	for sx := range n / 4 {
		for sy := range n / 4 {
			i := int(scan.SubAt[sy<<3|sx])
			l := SubLevels{Tag: c.tag, SX: uint8(sx), SY: uint8(sy), Scan: uint8(levels.Scan), Mask: levels.Mask[i],
				Levels: [16]int16(levels.Lev[16*i:]), LastSub: sx == n/4-1 && sy == n/4-1}
			for k, v := range l.Levels {
				restored[(4*sy+int(scan.PosY[k]))*n+4*sx+int(scan.PosX[k])] = int16(d.Coefficient(int32(v)))
			}
			c.levels = append(c.levels, l)
			for beat := range 2 {
				var in, out [8]int16
				for k := range 8 {
					x, y := 4*sx+2*beat+k/4, 4*sy+k%4
					if log2 == 2 {
						x, y = k%4, 2*beat+k/4
					}
					in[k], out[k] = int16(c.coefs[y*n+x]), restored[y*n+x]
					if log2 == 2 {
						in[k] >>= 5
					}
				}
				c.beats, c.scaled = append(c.beats, in), append(c.scaled, out)
			}
		}
	}
	return c
}

// TestQuantUnit: levels and scaled coefficients are those of the software.
func TestQuantUnit(t *testing.T) {
	for i, share := range []float64{0, 0.3, 0.7} {
		for _, hide := range []bool{true, false} {
			rng := rand.New(rand.NewPCG(uint64(i), 11))
			stall := func() bool { return rng.Float64() < share }
			var coef sim.Stream[Coefs]
			var skip sim.Stream[SkipResidual]
			var lev sim.Stream[SubLevels]
			var deq sim.Stream[Coefs]
			var rest sim.Stream[SkipScaled]
			u := NewQuantUnit(hide, &coef, &skip, &lev, &deq, &rest)
			type beat struct {
				tag    Tag
				values [8]int16
			}
			var coefs, skips, wantDeq, wantRest []beat
			want := map[bool][]SubLevels{} // by skip
			for range 3000 {
				log2 := 2 + rng.IntN(3)
				c := newQuantCase(rng, log2, hide)
				in, out := &coefs, &wantDeq
				if log2 == 2 {
					in, out = &skips, &wantRest
				}
				for i := range c.beats {
					*in = append(*in, beat{c.tag, c.beats[i]})
					*out = append(*out, beat{c.tag, c.scaled[i]})
				}
				want[log2 == 2] = append(want[log2 == 2], c.levels...)
			}
			beats := len(coefs) + len(skips)
			cycles := 0
			for ; len(want[true])+len(want[false])+len(wantDeq)+len(wantRest) > 0; cycles++ {
				if cycles > 20*beats {
					t.Fatalf("hide %t, stalls %.1f: the unit stands still", hide, share)
				}
				if !coef.Valid && len(coefs) > 0 && !stall() {
					coef.Valid, coef.Data, coefs = true, Coefs{coefs[0].tag, coefs[0].values}, coefs[1:]
				}
				if !skip.Valid && len(skips) > 0 && !stall() {
					skip.Valid, skip.Data, skips = true, SkipResidual{skips[0].tag, skips[0].values}, skips[1:]
				}
				lev.Ready, deq.Ready, rest.Ready = !stall(), !stall(), !stall()
				u.Eval()
				if lev.Moves() {
					w := want[lev.Data.Log2 == 0]
					if len(w) == 0 || lev.Data != w[0] {
						t.Fatalf("hide %t, stalls %.1f: levels\n%+v, want\n%+v", hide, share, lev.Data, w[:min(1, len(w))])
					}
					want[lev.Data.Log2 == 0] = w[1:]
				}
				if deq.Moves() {
					if len(wantDeq) == 0 || deq.Data != (Coefs{wantDeq[0].tag, wantDeq[0].values}) {
						t.Fatalf("hide %t, stalls %.1f: scaled %+v, want %+v", hide, share, deq.Data, wantDeq[:min(1, len(wantDeq))])
					}
					wantDeq = wantDeq[1:]
				}
				if rest.Moves() {
					if len(wantRest) == 0 || rest.Data != (SkipScaled{wantRest[0].tag, wantRest[0].values}) {
						t.Fatalf("hide %t, stalls %.1f: scaled %+v, want %+v", hide, share, rest.Data, wantRest[:min(1, len(wantRest))])
					}
					wantRest = wantRest[1:]
				}
				moved := [2]bool{coef.Moves(), skip.Moves()}
				u.Clock()
				if moved[0] {
					coef.Valid = false
				}
				if moved[1] {
					skip.Valid = false
				}
			}
			if share == 0 && cycles > beats+10 {
				t.Errorf("%d cycles for %d beats", cycles, beats)
			}
		}
	}
}

// TestQuantLatency: scaled coefficients are there seven cycles after the first beat of their sub-block, as t265_quant.v says.
func TestQuantLatency(t *testing.T) {
	var coef sim.Stream[Coefs]
	var skip sim.Stream[SkipResidual]
	var lev sim.Stream[SubLevels]
	var deq sim.Stream[Coefs]
	var rest sim.Stream[SkipScaled]
	const latency = 7
	u := NewQuantUnit(true, &coef, &skip, &lev, &deq, &rest)
	lev.Ready, deq.Ready, rest.Ready = true, true, true
	var got []int
	for cycle := range 12 {
		skip.Valid = cycle < 2
		if u.Eval(); rest.Moves() {
			got = append(got, cycle)
		}
		if lev.Moves() != (cycle == latency) {
			t.Errorf("cycle %d: levels move: %t", cycle, lev.Moves())
		}
		u.Clock()
	}
	if want := []int{latency, latency + 1}; !slices.Equal(got, want) {
		t.Errorf("scaled coefficients move in cycles %v, want %v", got, want)
	}
}

// TestCostUnit: the cost is that of the software.
func TestCostUnit(t *testing.T) {
	for log2 := 2; log2 <= 5; log2++ {
		rng := rand.New(rand.NewPCG(uint64(log2), 12))
		u := NewCostUnit(log2)
		n := 1 << log2
		type result struct {
			cycle int
			cost  uint32
		}
		var want []result
		var coefs [1024]int32
		var blk []int32
		qp, at := 0, 0
		largest := uint32(0)
		for cycle := range 60000 {
			if u.Valid = rng.IntN(5) != 0; u.Valid {
				if at == 0 {
					qp = rng.IntN(52)
					randomCoefs(rng, coefs[:n*n], qp, log2)
					q := block.NewQuantizer(qp, log2, true, false)
					l := block.LevelsIn(make([]int16, 1024), make([]uint16, 64), log2, 0)
					_, dist, rate := q.Block(&l, &coefs)
					want = append(want, result{0, uint32(dist + rate*block.BitPrice>>4)})
					blk = blk[:0]
					for sx := range n / 4 {
						for sy := range n / 4 {
							for k := range 16 {
								blk = append(blk, coefs[(4*sy+k%4)*n+4*sx+k/4])
							}
						}
					}
				}
				for k := range u.Values {
					v := blk[at+k]
					if log2 == 2 {
						v >>= 5
					}
					u.Values[k] = int16(v)
				}
				at += 8
				u.QP, u.Last = uint8(qp), at == n*n
				if u.Last {
					at, want[len(want)-1].cycle = 0, cycle+costLag
				}
			}
			u.Eval()
			if u.Done {
				largest = max(largest, u.Cost)
				if len(want) == 0 || want[0] != (result{cycle, u.Cost}) {
					t.Fatalf("size %d, cycle %d: cost %d, want %+v", n, cycle, u.Cost, want[:min(1, len(want))])
				}
				want = want[1:]
			}
			u.Clock()
		}
		if bits := 2*log2 + 14; largest >= 1<<bits {
			t.Errorf("size %d: a cost of %d takes more than %d bits", n, largest, bits)
		}
	}
}

func TestQuantNoAllocation(t *testing.T) {
	var coef sim.Stream[Coefs]
	var skip sim.Stream[SkipResidual]
	var lev sim.Stream[SubLevels]
	var deq sim.Stream[Coefs]
	var rest sim.Stream[SkipScaled]
	u, c := NewQuantUnit(true, &coef, &skip, &lev, &deq, &rest), NewCostUnit(3)
	coef.Valid, skip.Valid, lev.Ready, deq.Ready, rest.Ready, c.Valid = true, true, true, true, true, true
	coef.Data.Log2, coef.Data.QP = 1, 20
	if n := testing.AllocsPerRun(1000, func() {
		u.Eval()
		c.Eval()
		u.Clock()
		c.Clock()
	}); n != 0 {
		t.Errorf("%v allocations a cycle", n)
	}
}
