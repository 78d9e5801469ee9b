package t264

import "math"

// Rates of the rdo tier: the bits that bins cost in the present states of the
// contexts, in 1/256 bit.

// binRate is the cost of a bin by context byte, with the lowest bit inverted
// for a bin of one: index ctx ^ bin. An even index is the more probable symbol.
var binRate = func() (t [128]int32) {
	alpha := math.Pow(0.01875/0.5, 1.0/63)
	for s := range 64 {
		p := 0.5 * math.Pow(alpha, float64(s)) // of the less probable symbol
		t[2*s] = int32(math.Round(-256 * math.Log2(1-p)))
		t[2*s+1] = int32(math.Round(-256 * math.Log2(p)))
	}
	return t
}()

func rate(ctx uint8, bin int) int32 { return binRate[(ctx^uint8(bin))&127] }

const bypassRate = 256

// maxLevelRate is the size of a table of level rates: from 15 on, the suffix
// adds to the rate of 15.
const maxLevelRate = maxPrefix + 2

// blockRates holds the rates of the levels of one category.
type blockRates struct {
	coded    [4][2]int32 // coded_block_flag by ctxIdxInc
	sig      [64][2]int32
	last     [64][2]int32
	level    [8][maxLevelRate]int32 // by abs state and magnitude, sign included
	sigAfter [64]int32              // a level that others follow
	sigLast  [64]int32              // the last level
}

// load reads the rates of category cat, of n coefficients.
func (b *blockRates) load(c *contexts, cat, n int) {
	if cat != cat8x8 {
		for i := range b.coded {
			ctx := c[ctxCodedBlock+4*cat+i]
			b.coded[i] = [2]int32{rate(ctx, 0), rate(ctx, 1)}
		}
	}
	for k := range n - 1 {
		s := c[sigBase[cat]+int(sigContexts[cat][k])]
		l := c[lastBase[cat]+int(lastContexts[cat][k])]
		b.sig[k] = [2]int32{rate(s, 0), rate(s, 1)}
		b.last[k] = [2]int32{rate(l, 0), rate(l, 1)}
		b.sigAfter[k] = b.sig[k][1] + b.last[k][0]
		b.sigLast[k] = b.sig[k][1] + b.last[k][1]
	}
	b.sigLast[n-1] = 0 // by inference
	abs := c[ctxAbs+10*cat:][:10]
	for s := range b.level {
		one, more := abs[absOne[s]], abs[absMore[s]]
		b.level[s][1] = rate(one, 0) + bypassRate
		for a := 2; a < maxLevelRate; a++ {
			r := rate(one, 1) + int32(a-2)*rate(more, 1) + bypassRate
			if a <= maxPrefix {
				r += rate(more, 0)
			}
			b.level[s][a] = r
		}
	}
}

// of returns the rate of a magnitude a >= 1 in abs state s.
func (b *blockRates) of(s uint8, a int) int32 {
	if a < maxLevelRate-1 {
		return b.level[s&7][a]
	}
	ones := int32(0)
	for rest := a - maxPrefix; rest > 1; rest >>= 1 {
		ones++
	}
	return b.level[s&7][maxLevelRate-1] + (2*ones+1)*bypassRate
}
