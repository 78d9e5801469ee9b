package block

import (
	"math/rand/v2"
	"testing"
)

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
	var c Odds
	c.Reset(&InitialContexts[26])
	for i := range c {
		// The less probable bin costs at least a bit, both at most 7.
		a, b := c.Rate(i, 0), c.Rate(i, 1)
		if max(a, b) < LambdaBit-1 || min(a, b) > LambdaBit+1 || max(a, b) > 7*LambdaBit || min(a, b) < 0 {
			t.Errorf("context %d: rates %d and %d", i, a, b)
		}
		if mps := int(InitialContexts[26][i] & 1); c.Rate(i, mps) > c.Rate(i, 1-mps)+2 {
			t.Errorf("context %d: the more probable bin costs more", i)
		}
	}
}
