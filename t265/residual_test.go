package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabac"
	"vcsim/internal/codectest"
	"vcsim/t265/block"
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
		lev, mask := codectest.Levels(rng, log2, []float64{0.8, 3, 40, 2000}[i/12%4])
		levels := block.LevelsIn(lev, mask, log2, idx)

		var stats Stats
		enc := residualEncoder{stats: &stats}
		for j := range enc.ctx {
			enc.ctx[j] = cabac.InitContext(64)
		}
		start := enc.ctx
		enc.c.Reset(nil)
		enc.encode(&levels, hide)
		bins := int(stats.Regular() + stats.BypassBins())

		c := evenOdds()
		var rt block.Rates
		rt.Load(c, log2)
		got, want := rt.Block(&levels, hide), bins*block.LambdaBit
		if max(got-want, want-got) > bins {
			t.Errorf("block %d of size %d scan %d hide %v: rate %d, want %d for %d bins", i, 1<<log2, idx, hide, got, want, bins)
		}

		c.Train(&levels)
		for j := block.CtxLastX; j < block.NumContexts; j++ {
			if trained, used := c[j] != 1<<15, enc.ctx[j] != start[j]; used && !trained {
				t.Errorf("block %d: context %d is used but not trained", i, j)
			}
		}
	}
}

// evenOdds are odds of one half: a bin costs lambdaBit, or one unit less or
// more.
func evenOdds() *block.Odds {
	c := new(block.Odds)
	for i := range c {
		c[i] = 1 << 15
	}
	return c
}
