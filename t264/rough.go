package t264

import (
	"math"

	"vcsim/t264/block"
)

// Most intra modes are ruled out by what their residual would cost about, before any levels are chosen: two modes of
// a block are coded in full. The estimate of a coefficient is the least of its squared error over lambda plus the usual rate
// of a level, over all levels, from a table.

// shortlistSize is how many modes of a block are coded in full.
const shortlistSize = 2

// A shortlist keeps the modes with the least estimates.
type shortlist struct {
	mode [shortlistSize]int
	cost [shortlistSize]int64 // rising
	n    int
}

// add takes a mode into account.
func (s *shortlist) add(mode int, cost int64) {
	if s.n < shortlistSize {
		s.n++
	} else if cost >= s.cost[shortlistSize-1] {
		return
	}
	i := s.n - 1
	for ; i > 0 && s.cost[i-1] > cost; i-- {
		s.mode[i], s.cost[i] = s.mode[i-1], s.cost[i-1]
	}
	s.mode[i], s.cost[i] = mode, cost
}

// take returns the modes, the most promising first, and empties the list. The result is valid until the next add.
func (s *shortlist) take() []int {
	n := s.n
	s.n = 0
	return s.mode[:n]
}

// A roughCost estimates the cost of coefficients, in 1/256 bit.
type roughCost struct {
	lambda int64 // that the table is for, as lambdaSteps returns it
	table  [roughSize]int32
}

const (
	roughSteps = 16              // entries of the table to a quantiser step
	roughSize  = 24 * roughSteps // magnitudes above cost as much as the last, and bits by their size
)

// Usual rates in 1/256 bit: a zero, a level of one and each doubling of it.
const (
	roughZero = 128
	roughOne  = 3 * 256
	roughMore = 2 * 256
)

// setLambda makes the table for a multiplier in 1/4096 squared steps a bit.
func (r *roughCost) setLambda(lambda int64) {
	if lambda == r.lambda {
		return
	}
	r.lambda = lambda
	for i := range r.table {
		least := int64(1) << 62
		for v := range i/roughSteps + 2 {
			bits := int64(roughZero)
			if v > 0 {
				bits = roughOne + int64(roughMore*math.Log2(float64(v)))
			}
			e := int64(i - v*roughSteps)
			least = min(least, bits+256*4096*e*e/(roughSteps*roughSteps*lambda))
		}
		r.table[i] = int32(least)
	}
}

// of estimates the cost of the coefficients of a 4x4 or 8x8 block.
func (r *roughCost) of(coef []int16, q *block.Quantizer, log2 int) (sum int64) {
	scale, shift := q.Four[:], q.Shift
	if log2 == 3 {
		scale, shift = q.Eight[:], q.Shift+1
	}
	shift -= 4 // to 1/16 step
	scale = scale[:len(coef)]
	for i, c := range coef {
		m := uint32(block.Abs32(int32(c))) * scale[i] >> shift
		if m >= roughSize {
			sum += int64(m-roughSize) << 4
			m = roughSize - 1
		}
		sum += int64(r.table[m])
	}
	return sum
}
