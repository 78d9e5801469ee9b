package t265

import (
	"math/rand/v2"
	"testing"
	"vcsim/internal/cabac"
)

// TestRates compares rates with the number of bins that the coder writes, and
// the contexts that train visits with those that the coder uses.
func TestRates(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	for i := range 400 {
		log2 := 2 + i%4
		idx := 0
		if log2 < 4 {
			idx = i / 4 % 3
		}
		hide := i&1 == 0
		lev, mask := randomLevels(rng, log2, []float64{0.8, 3, 40, 2000}[i/12%4])

		var stats Stats
		enc := residualEncoder{stats: &stats}
		for j := range enc.ctx {
			enc.ctx[j] = cabac.InitContext(64)
		}
		start := enc.ctx
		enc.c.Reset(nil)
		enc.encode(log2, idx, lev, mask, hide)
		bins := int(stats.Regular() + stats.BypassBins())

		c := evenOdds()
		var rt rates
		rt.load(c, log2)
		got, want := rt.block(log2, idx, lev, mask, hide), bins*lambdaBit
		if abs(got-want) > bins {
			t.Errorf("block %d of size %d scan %d hide %v: rate %d, want %d for %d bins", i, 1<<log2, idx, hide, got, want, bins)
		}

		c.train(log2, idx, lev, mask)
		for j := ctxLastX; j < numContexts; j++ {
			if trained, used := c[j] != 1<<15, enc.ctx[j] != start[j]; used && !trained {
				t.Errorf("block %d: context %d is used but not trained", i, j)
			}
		}
	}
}

// evenOdds are odds of one half: a bin costs lambdaBit, or one unit less or
// more.
func evenOdds() *odds {
	c := new(odds)
	for i := range c {
		c[i] = 1 << 15
	}
	return c
}

// randomLevels makes the levels of a block whose magnitudes grow with size,
// and which has at least one.
func randomLevels(rng *rand.Rand, log2 int, size float64) (lev []int16, mask []uint16) {
	lev, mask = make([]int16, 1<<(2*log2)), make([]uint16, 1<<(2*log2-4))
	density := rng.Float64()
	for i := range lev {
		if i == 0 || rng.Float64() < density {
			lev[i] = int16(rng.NormFloat64() * size)
		}
		if i == 0 && lev[i] == 0 {
			lev[i] = -1
		}
		if lev[i] != 0 {
			mask[i>>4] |= 1 << (i & 15)
		}
	}
	return lev, mask
}
