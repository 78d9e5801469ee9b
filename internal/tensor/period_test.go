package tensor

import (
	"math/rand/v2"
	"testing"
)

// TestPeriod: the columns of a matrix are found in its values when they differ in level or in magnitude, and noise or a
// ramp has none.
func TestPeriod(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	level, scale := make([]float64, 12000), make([]float64, 12000)
	for i := range level {
		level[i], scale[i] = rng.NormFloat64(), 0.3+rng.ExpFloat64()
	}
	for _, tt := range []struct {
		name          string
		n, cols       int
		level, spread float64 // how much columns differ
		want          int
	}{
		{"noise", 1 << 18, 1, 0, 0, 0},
		{"short noise", 5000, 1, 0, 0, 0},
		{"few", 7, 3, 1, 0, 0},
		{"levels", 1 << 16, 688, 0.5, 0, 688},
		{"magnitudes", 1 << 18, 688, 0, 1, 688},
		{"prime", 1 << 20, 4099, 0, 1, 4099},
		{"wide", 1 << 22, 11008, 0, 1, 11008},
		{"narrow", 30000, 3, 2, 0, 3},
		{"pairs", 30000, 2, 0, 1, 2},
	} {
		x := make([]float32, tt.n)
		for i := range x {
			c := i % tt.cols
			x[i] = float32(tt.level*level[c] + rng.NormFloat64()*(1+tt.spread*(scale[c]-1)))
		}
		if tt.n > 100 {
			x[tt.n/2] = 1e30
		}
		if got := Period(x); got != tt.want {
			t.Errorf("%s: period %d, want %d", tt.name, got, tt.want)
		}
	}
	ramp := make([]float32, 1<<16)
	for i := range ramp {
		ramp[i] = float32(i) + 100*float32(rng.NormFloat64())
	}
	if got := Period(ramp); got != 0 {
		t.Errorf("ramp: period %d", got)
	}
	if got := Period(make([]float32, 4096)); got != 0 {
		t.Errorf("zeros: period %d", got)
	}
}
