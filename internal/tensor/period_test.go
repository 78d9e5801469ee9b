package tensor

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
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

// TestAutocorrelation compares it with the sums of its definition, also of more values than half a power of two.
func TestAutocorrelation(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{40, 64, 65, 100, 116} {
		z := make([]complex128, n)
		var mean complex128
		for i := range z {
			z[i] = complex(3+rng.NormFloat64(), 1+rng.ExpFloat64()*float64(1+i%3))
			mean += z[i] / complex(float64(n), 0)
		}
		lags := 28
		sums := make([]float64, lags)
		for lag := range sums {
			for i := range n - lag {
				sums[lag] += real((z[i] - mean) * cmplx.Conj(z[i+lag]-mean))
			}
		}
		got := autocorrelation(z, lags)
		if len(got) != lags {
			t.Fatalf("%d lags, want %d", len(got), lags)
		}
		for lag := range got {
			want := sums[lag] / float64(n-lag) / (sums[0] / float64(n))
			if math.Abs(got[lag]-want) > 1e-12 {
				t.Errorf("%d values, lag %d: %g, want %g", n, lag, got[lag], want)
			}
		}
	}
	tiny := []complex128{1e-9, -1e-9, 1e-9, -1e-9}
	if r := autocorrelation(tiny, 2); len(r) != 2 || math.Abs(r[1]+1) > 1e-12 { // of a sum of squares far below one
		t.Errorf("of tiny values: %v", r)
	}
	if r := autocorrelation(make([]complex128, 20), 4); r != nil {
		t.Errorf("of zeros: %v", r)
	}
}

// TestStanding: a lag against the mean of the 9 neighbours 4 to 12 away on both sides; the function is even.
func TestStanding(t *testing.T) {
	r := make([]float64, 60)
	for i := range r {
		r[i] = 1 / float64(1+i*i)
	}
	for lag := 2; lag < 48; lag++ {
		want := r[lag]
		for d := 4; d <= 12; d++ {
			for _, k := range []int{lag - d, lag + d} {
				want -= r[max(k, -k)] / 18
			}
		}
		if got := standing(r, lag); math.Abs(got-want) > 1e-15 {
			t.Errorf("lag %d: %g, want %g", lag, got, want)
		}
	}
}

// TestTypical: the median of the magnitudes, or their mean where the median is zero, of at most some 4096 values.
func TestTypical(t *testing.T) {
	for _, c := range []struct {
		x    []float32
		want float64
	}{{[]float32{-0.25}, 0.25}, {[]float32{-3}, 3}, {[]float32{1, -5, 2}, 2}, {[]float32{0, 0, 0, 4}, 1}, {[]float32{0, 0, 0}, 0}, {[]float32{-1, -2, 3, 4}, 3}} {
		if got := typical(c.x); got != c.want {
			t.Errorf("typical(%v) = %g, want %g", c.x, got, c.want)
		}
	}
	for _, n := range []int{4095, 4096, 4097, 8192, 100000} {
		x := make([]float32, n)
		step := 1 + n/4096
		for i := range x {
			x[i] = 1e9 // of values that are passed over
			if i%step == 0 {
				x[i] = float32(-i)
			}
		}
		want := float64((n + step - 1) / step / 2 * step)
		if got := typical(x); got != want {
			t.Errorf("%d values: %g, want %g", n, got, want)
		}
	}
}

// TestPeriodBounds: the least and the largest period that can be told, from the middle of a long sequence, however large some values.
func TestPeriodBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	columns := func(n, cols int, noise float64) []float32 {
		level := make([]float64, cols)
		for i := range level {
			level[i] = rng.NormFloat64()
		}
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(level[i%cols] + noise*rng.NormFloat64())
		}
		return x
	}
	for _, c := range []struct{ n, cols, want int }{
		{31, 2, 0},                           // 16 values a lag are needed
		{200, 2, 2}, {1 << 18, 16383, 16383}, // the lag of 2^14 is the first that is too long
		{1 << 18, 16384, 0}, {4096, 255, 255},
	} {
		if got := Period(columns(c.n, c.cols, 0.1)); got != c.want {
			t.Errorf("%d values of period %d: got %d", c.n, c.cols, got)
		}
	}
	steps := make([]float32, 1000) // of which the typical magnitude is 1
	for i := range steps {
		steps[i] = []float32{1, -1, 1, 1, -1}[i%5]
	}
	if got := Period(steps); got != 5 {
		t.Errorf("magnitudes of one: period %d", got)
	}
	if got := Period(slices.Repeat([]float32{4}, 4096)); got != 0 {
		t.Errorf("constant: period %d", got)
	}
	// Only the middle counts: both ends have another period.
	long := columns(PeriodSample+2*200000, 300, 0.1)
	copy(long[200000:], columns(PeriodSample, 77, 0.1))
	if got := Period(long); got != 77 {
		t.Errorf("the middle: period %d, want 77", got)
	}
	// Most values are zero, one in fifty is huge: they count as six times the typical one at most.
	sparse := columns(1<<16, 96, 0.5)
	for i := range sparse {
		if i%96%8 != 3 {
			sparse[i] = 0
		}
		if rng.IntN(50) == 0 {
			sparse[i] *= 1e6
		}
	}
	if got := Period(sparse); got == 0 || got%8 != 0 {
		t.Errorf("sparse: period %d", got)
	}
}
