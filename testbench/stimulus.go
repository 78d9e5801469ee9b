package testbench

import "math/rand/v2"

// A Gate opens and closes at random, in bursts of different lengths: mostly
// open, mostly closed or in alternation. One that may not close stays open.
type Gate struct {
	rng   *rand.Rand
	stall bool
	left  int
	share float64
}

// NewGate returns a gate that is always open, or one that stalls.
func NewGate(seed uint64, stall bool) *Gate {
	return &Gate{rng: rand.New(rand.NewPCG(seed, 0x67617465)), stall: stall}
}

// Open draws whether the gate is open in this cycle.
func (g *Gate) Open() bool {
	if !g.stall {
		return true
	}
	if g.left == 0 {
		g.left = 1 + g.rng.IntN(64)
		g.share = [...]float64{0, 0.1, 0.5, 0.9, 1}[g.rng.IntN(5)]
	}
	g.left--
	return g.rng.Float64() < g.share
}
