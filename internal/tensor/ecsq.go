package tensor

import (
	"math"
	"slices"
)

// ECSQ is the baseline of entropy-coded scalar quantisation: a uniform step around the mean, reconstruction at the
// centroid of each cell, and an ideal order-0 entropy coder. It holds the values sorted, so that any step costs
// one pass over the occupied cells.
type ECSQ struct {
	v          []float32 // sorted
	sum, sum2  []float64 // of the values before index i, relative to the mean
	mean, span float64
}

// NewECSQ prepares the baseline for finite values.
func NewECSQ(x []float32) *ECSQ {
	e := &ECSQ{v: slices.Clone(x), sum: make([]float64, len(x)+1), sum2: make([]float64, len(x)+1)}
	slices.Sort(e.v)
	for _, v := range e.v {
		e.mean += float64(v)
	}
	if len(x) > 0 {
		e.mean /= float64(len(x))
		e.span = float64(e.v[len(x)-1]) - float64(e.v[0])
	}
	for i, v := range e.v {
		d := float64(v) - e.mean
		e.sum[i+1] = e.sum[i] + d
		e.sum2[i+1] = e.sum2[i] + d*d
	}
	return e
}

// At returns the entropy in bits a value and the mean squared error at a step > 0.
func (e *ECSQ) At(step float64) (bits, mse float64) {
	n := len(e.v)
	for i := 0; i < n; {
		cell := math.Floor((float64(e.v[i])-e.mean)/step + 0.5)
		edge := e.mean + (cell+0.5)*step
		j := i + e.run(i, edge)
		k := float64(j - i)
		s, s2 := e.sum[j]-e.sum[i], e.sum2[j]-e.sum2[i]
		mse += max(0, s2-s*s/k)
		bits -= k * math.Log2(k/float64(n))
		i = j
	}
	return bits / float64(max(1, n)), mse / float64(max(1, n))
}

// run counts the values from i that lie below edge, at least one: a doubling search, then a binary one.
func (e *ECSQ) run(i int, edge float64) int {
	n := len(e.v) - i
	hi := 1
	for hi < n && float64(e.v[i+hi]) < edge {
		hi *= 2
	}
	lo := hi / 2 // v[i+lo] is inside; v[i+hi] is outside or beyond the end
	hi = min(hi, n)
	for hi-lo > 1 {
		if m := (lo + hi) / 2; float64(e.v[i+m]) < edge {
			lo = m
		} else {
			hi = m
		}
	}
	return max(1, hi)
}

// AtBits returns the mean squared error of the step whose entropy is nearest to bits.
func (e *ECSQ) AtBits(bits float64) (mse float64) {
	_, mse = e.solve(func(b, _ float64) bool { return b > bits })
	return mse
}

// AtMSE returns the entropy of the step whose mean squared error is nearest to mse.
func (e *ECSQ) AtMSE(mse float64) (bits float64) {
	bits, _ = e.solve(func(_, m float64) bool { return m < mse })
	return bits
}

// solve bisects for the largest step that is not too fine, on a logarithmic scale.
func (e *ECSQ) solve(tooFine func(bits, mse float64) bool) (bits, mse float64) {
	if e.span == 0 {
		return 0, 0
	}
	lo, hi := math.Log2(e.span)-24, math.Log2(e.span)+1
	for range 40 {
		m := (lo + hi) / 2
		if tooFine(e.At(math.Exp2(m))) {
			lo = m
		} else {
			hi = m
		}
	}
	return e.At(math.Exp2(hi))
}
