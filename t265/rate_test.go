package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabac"
)

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

// evenOdds are odds of one half: a bin costs lambdaBit, or one unit less or
// more.
func evenOdds() *odds {
	c := new(odds)
	for i := range c {
		c[i] = 1 << 15
	}
	return c
}

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

// TestOdds: odds settle on the frequency of ones, and rates on its entropy.
func TestOdds(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	for _, p := range []float64{0, 0.02, 0.3, 0.5, 0.9, 1} {
		v := uint16(1 << 15)
		sum := 0.0
		const n = 20000
		for i := range n {
			bin := 0
			if rng.Float64() < p {
				bin = 1
			}
			learn(&v, bin)
			if i >= n/2 {
				sum += float64(v) / 65536
			}
		}
		if got := sum / (n / 2); got < p-0.01 || got > p+0.01 {
			t.Errorf("odds of bins of %v: %v", p, got)
		}
	}
	var c odds
	c.reset(&initialContexts[26])
	for i := range c {
		// The less probable bin costs at least a bit, both at most 7.
		a, b := c.rate(i, 0), c.rate(i, 1)
		if max(a, b) < lambdaBit-1 || min(a, b) > lambdaBit+1 || max(a, b) > 7*lambdaBit || min(a, b) < 0 {
			t.Errorf("context %d: rates %d and %d", i, a, b)
		}
		if mps := int(initialContexts[26][i] & 1); c.rate(i, mps) > c.rate(i, 1-mps)+2 {
			t.Errorf("context %d: the more probable bin costs more", i)
		}
	}
}

// TestLevelState follows clause 9.3.4.2.6 and 9.3.3.11 beside the states.
func TestLevelState(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 66))
	for range 3000 {
		s := levelState(0)
		greater1, rice, seen := 1, uint(0), false
		size := rng.Float64() * 30
		for count := range 16 {
			l := uint32(1 + rng.ExpFloat64()*size)
			row, base := 0, uint32(1)
			switch {
			case count >= 8:
				row = rowNoFlags + int(rice)
			case seen:
				row, base = rowSeen+int(rice), 2
			default:
				row, base = greater1-1, 3
			}
			if got := int(s >> 4); got != row {
				t.Fatalf("level %d: row %d, want %d", count, got, row)
			}
			if count < 8 {
				if l > 1 {
					greater1, seen = 0, true
				} else if greater1 > 0 {
					greater1 = min(greater1+1, 3)
				}
			}
			if l >= base && l > 3<<rice && rice < 4 {
				rice++
			}
			s = s.next(l)
			if got, want := s.seen(), greater1 == 0; got != want {
				t.Fatalf("level %d: seen %v, want %v", count, got, want)
			}
		}
	}
}
