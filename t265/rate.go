package t265

import (
	"math"
	"math/bits"
)

// Rate estimation of the rdo tier: the cost of bins from the states of their
// contexts, which stay fixed during an estimate.

// binCost is the cost in bits of a bin by context byte XOR bin: 2^-cost is the
// probability that a state stands for, 0.5 * 0.9492^pStateIdx for the less
// probable symbol (clause 9.3.4.3.2 tabulates its product with the range).
var binCost = func() (t [128]float32) {
	alpha := math.Pow(0.01875/0.5, 1.0/63)
	for s := range 64 {
		p := 0.5 * math.Pow(alpha, float64(s))
		// index bit 0: 0 when the bin is 0 and valMps 0, or 1 and 1
		t[s<<1] = float32(-math.Log2(1 - p))
		t[s<<1|1] = float32(-math.Log2(p))
	}
	return t
}()

// cost returns the cost of bin under the context byte c.
func cost(c uint8, bin int) float32 { return binCost[(c^uint8(bin))&127] }

// remainingBits returns the length of coeff_abs_level_remaining.
func remainingBits(v uint32, rice uint) int {
	if v < 4<<rice {
		return int(v>>rice) + 1 + int(rice)
	}
	k := bits.Len32((v-2<<rice)>>rice) - 1
	return 2*k + 4 + int(rice)
}

// remainingCost tabulates remainingBits for small values, by Rice parameter.
var remainingCost = func() (t [5][64]float32) {
	for r := range t {
		for v := range t[r] {
			t[r][v] = float32(remainingBits(uint32(v), uint(r)))
		}
	}
	return t
}()

func remCost(v uint32, rice uint) float32 {
	if v < 64 {
		return remainingCost[rice][v]
	}
	return float32(remainingBits(v, rice))
}

// lastCost returns the cost of the last significant position (x, y), already
// swapped for the vertical scan, by prefix: see lastCosts.
type lastCosts struct {
	x, y [10]float32 // prefix and suffix by prefix value
}

// load computes the costs of every prefix for a block of size 1<<log2.
func (l *lastCosts) load(ctx *contexts, log2 int) {
	offset, shift := lastContext(log2)
	limit := 2*log2 - 1
	var sx, sy float32
	for p := 0; p <= limit; p++ {
		l.x[p], l.y[p] = sx+float32(groupBits[p]), sy+float32(groupBits[p])
		if p < limit {
			cx, cy := ctx[ctxLastX+offset+p>>shift], ctx[ctxLastY+offset+p>>shift]
			l.x[p] += cost(cx, 0)
			l.y[p] += cost(cy, 0)
			sx += cost(cx, 1)
			sy += cost(cy, 1)
		}
	}
}

// at returns the cost of the position.
func (l *lastCosts) at(x, y int) float32 { return l.x[groupOf[x&31]] + l.y[groupOf[y&31]] }

// modeCost returns the cost of an intra mode.
func modeCost(ctx *contexts, mode int, cand [3]int) float32 {
	c := ctx[ctxPrevIntra]
	switch mode {
	case cand[0]:
		return cost(c, 1) + 1
	case cand[1], cand[2]:
		return cost(c, 1) + 2
	}
	return cost(c, 0) + 5
}

// A levelState is what the cost of the next level of a sub-block depends on.
type levelState struct {
	set      int // context set of greater1
	greater1 int
	count    int // nonzero levels so far
	first    bool
	rice     uint
}

func newLevelState(i int, last bool, prev int) levelState {
	s := levelState{greater1: 1}
	if i > 0 {
		s.set = 2
	}
	if !last && prev == 0 {
		s.set++
	}
	return s
}

// cost returns the cost of the magnitude l >= 1 without its sign.
func (s *levelState) cost(ctx *contexts, l uint32) float32 {
	if s.count >= 8 {
		return remCost(l-1, s.rice)
	}
	c := ctx[ctxGreater1+4*s.set+s.greater1]
	if l == 1 {
		return cost(c, 0)
	}
	b := cost(c, 1)
	if s.first {
		return b + remCost(l-2, s.rice)
	}
	c = ctx[ctxGreater2+s.set]
	if l == 2 {
		return b + cost(c, 0)
	}
	return b + cost(c, 1) + remCost(l-3, s.rice)
}

// add moves the state past the magnitude l >= 1.
func (s *levelState) add(l uint32) {
	base := uint32(1)
	if s.count < 8 {
		base = 2
		if !s.first && l > 1 {
			base = 3
		}
		if l > 1 {
			s.greater1 = 0
			s.first = true
		} else if s.greater1 > 0 && s.greater1 < 3 {
			s.greater1++
		}
	}
	s.count++
	if l >= base && l > 3<<s.rice && s.rice < 4 {
		s.rice++
	}
}

// levelsCost returns the cost of the levels of sub-block i with the nonzero
// mask m, signs included, and greater1Ctx at its end.
func levelsCost(ctx *contexts, lev []int16, m uint16, i int, last bool, prev int, hide bool) (float32, int) {
	s := newLevelState(i, last, prev)
	n := bits.OnesCount16(m)
	if hide && bits.Len16(m)-bits.TrailingZeros16(m) > 4 {
		n--
	}
	sum := float32(n)
	lev = lev[:16]
	for m != 0 {
		k := bits.Len16(m) - 1
		m &^= 1 << k
		v := int32(lev[k&15])
		l := uint32((v ^ v>>31) - v>>31)
		sum += s.cost(ctx, l)
		s.add(l)
	}
	return sum, s.greater1
}

// residualCost returns the cost of residual_coding.
func residualCost(ctx *contexts, last *lastCosts, log2, scanIdx int, lev []int16, mask []uint16, hide bool) float32 {
	scan := &scans[log2-2][scanIdx]
	lastSub := lastSubBlock(mask)
	lastPos := bits.Len16(mask[lastSub]) - 1
	x := int(scan.subX[lastSub&63])<<2 + int(scan.posX[lastPos&15])
	y := int(scan.subY[lastSub&63])<<2 + int(scan.posY[lastPos&15])
	if scanIdx == scanVert {
		x, y = y, x
	}
	sum := last.at(x, y)
	sigTab := &sigContexts[log2-2][scanIdx]
	var coded [9]uint16
	greater1 := 1
	for i := lastSub; i >= 0; i-- {
		sx, sy := int(scan.subX[i&63]), int(scan.subY[i&63])
		csbf := coded[sx+1]>>sy&1 | coded[sx]>>(sy+1)&1<<1
		m := mask[i]
		k := 15
		later := 0
		if i > 0 {
			later = 1
		}
		switch {
		case i == lastSub:
			k = lastPos - 1
		case i > 0:
			c := ctx[ctxCodedSubBlock+int(min(csbf, 1))]
			if m == 0 {
				sum += cost(c, 0)
				continue
			}
			sum += cost(c, 1)
		}
		coded[sx] |= 1 << sy
		low := 0
		if i > 0 && i < lastSub && m == 1 {
			low = 1
		}
		tab := &sigTab[later][csbf&3]
		for ; k >= low; k-- {
			sum += cost(ctx[ctxSig+int(tab[k&15])&31], int(m>>(k&15)&1))
		}
		if m != 0 {
			var c float32
			c, greater1 = levelsCost(ctx, lev[i*16:][:16], m, i, i == lastSub, greater1, hide)
			sum += c
		}
	}
	return sum
}
