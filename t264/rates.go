package t264

import (
	"math"
	"vcsim/t264/block"
)

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

// A contextRates estimates the cost of bins by context and bin. The state of a
// context wavers around the statistics of its source; what a bin costs, now
// and by moving the state, is better told by the mean of the present cost and
// its average over the macroblocks before.
type contextRates struct {
	rate  [block.NumContexts][2]int32
	mean  [block.NumContexts][2]int32 // in 1/16 of the unit of rate
	begun bool
}

// reset forgets the macroblocks before: a slice starts.
func (r *contextRates) reset() { r.begun = false }

// update takes the states at the start of a macroblock into account.
func (r *contextRates) update(c *block.Contexts) {
	for i, s := range c {
		for bin := range 2 {
			now := 16 * binRate[(s^uint8(bin))&127]
			mean := &r.mean[i][bin]
			if r.begun {
				*mean += (now - *mean) >> 3
			} else {
				*mean = now
			}
			r.rate[i][bin] = (now + *mean + 16) >> 5
		}
	}
	r.begun = true
}

const bypassRate = 256

// maxLevelRate is the size of a table of level rates: from 15 on, the suffix
// adds to the rate of 15.
const maxLevelRate = block.MaxPrefix + 2

// blockRates holds the rates of the levels of one category.
type blockRates struct {
	coded    [4][2]int32            // coded_block_flag by ctxIdxInc
	skip     [64]int32              // a zero before the last level
	sigAfter [64]int32              // a level that others follow
	sigLast  [64]int32              // the last level
	level    [8][maxLevelRate]int32 // by abs state and magnitude, sign included
}

// load reads the rates of category cat, of n coefficients.
func (b *blockRates) load(c *contextRates, cat, n int) {
	if cat != block.Cat8x8 {
		copy(b.coded[:], c.rate[block.CtxCodedBlock+4*cat:])
	}
	for k := range n - 1 {
		sig := c.rate[block.SigBase[cat]+int(block.SigContexts[cat][k])]
		last := c.rate[block.LastBase[cat]+int(block.LastContexts[cat][k])]
		b.skip[k] = sig[0]
		b.sigAfter[k] = sig[1] + last[0]
		b.sigLast[k] = sig[1] + last[1]
	}
	b.sigLast[n-1] = 0 // by inference
	abs := c.rate[block.CtxAbs+10*cat:][:10]
	for s := range b.level {
		one, more := abs[block.AbsOne[s]], abs[block.AbsMore[s]]
		b.level[s][1] = one[0] + bypassRate
		for a := 2; a < maxLevelRate; a++ {
			r := one[1] + int32(a-2)*more[1] + bypassRate
			if a <= block.MaxPrefix {
				r += more[0]
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
	for rest := a - block.MaxPrefix; rest > 1; rest >>= 1 {
		ones++
	}
	return b.level[s&7][maxLevelRate-1] + (2*ones+1)*bypassRate
}
