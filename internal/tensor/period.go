package tensor

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"
)

const (
	// PeriodSample is the number of values that [Period] looks at, from the middle.
	PeriodSample = 1 << 18

	maxPeriod = 1 << 14
)

// Period returns the lag at which a sequence repeats its level or its magnitude, as a matrix of that many columns does whose
// columns differ from each other; 0 when there is none. It is the lag that, with its multiples, stands out most among its
// neighbours in the autocorrelation of z = x + i|x|, by the Wiener-Khinchin theorem. Values are first limited to six times
// the median magnitude, so that outliers count no more than others.
func Period(x []float32) int {
	if n := len(x); n > PeriodSample {
		x = x[(n-PeriodSample)/2:][:PeriodSample]
	}
	n := len(x)
	longest := min(maxPeriod, n/16)
	if longest < 2 {
		return 0
	}
	scale := typical(x)
	if scale == 0 {
		return 0
	}
	z := make([]complex128, n)
	for i, v := range x {
		a := max(-6, min(6, float64(v)/scale))
		z[i] = complex(a, math.Abs(a))
	}
	r := autocorrelation(z, longest+periodFar)
	if r == nil {
		return 0
	}
	least := max(0.03, 6/math.Sqrt(float64(n)))
	scores := make([]float64, longest) // what a lag and its multiples stand out by in the mean
	best, most := 0, least
	for lag := 2; lag < len(scores); lag++ {
		count := min(periodMultiples, (len(scores)-1)/lag)
		for m := 1; m <= count; m++ {
			scores[lag] += standing(r, m*lag) / float64(count)
		}
		if clear := scores[lag] * math.Sqrt(float64(count)); clear > most { // the noise of a mean is less
			best, most = lag, clear
		}
	}
	if best == 0 {
		return 0
	}
	for lag := 2; lag < best; lag++ {
		if best%lag == 0 && scores[lag] > 0.6*scores[best] {
			return lag
		}
	}
	return best
}

// autocorrelation returns the real part of the normalised autocorrelation of z around its mean at the lags below the given
// number, each from as many products as there are, by the Wiener-Khinchin theorem; nil when z is constant.
func autocorrelation(z []complex128, lags int) []float64 {
	n := len(z)
	size := 1
	for size < n+lags {
		size *= 2
	}
	var mean complex128
	for _, v := range z {
		mean += v / complex(float64(n), 0)
	}
	c := make([]complex128, size)
	for i, v := range z {
		c[i] = v - mean
	}
	fft := fourier.NewCmplxFFT(size)
	fft.Coefficients(c, c)
	for i, v := range c {
		c[i] = complex(real(v)*real(v)+imag(v)*imag(v), 0)
	}
	fft.Sequence(c, c)
	if real(c[0]) <= 0 {
		return nil
	}
	r := make([]float64, lags)
	for lag := range r {
		r[lag] = real(c[lag]) / real(c[0]) * float64(n) / float64(n-lag)
	}
	return r
}

// standing returns how far a lag stands above the mean of its neighbours on both sides in an even autocorrelation.
func standing(r []float64, lag int) float64 {
	sum := 0.0
	for d := periodNear; d <= periodFar; d++ {
		sum += r[max(lag-d, d-lag)] + r[lag+d]
	}
	return r[lag] - sum/(2*(periodFar-periodNear+1))
}

// The neighbours of a lag are those from periodNear to periodFar away.
const (
	periodNear = 4
	periodFar  = 12

	periodMultiples = 8
)

// typical returns about the median magnitude of x, or the mean where half of the values are zero.
func typical(x []float32) float64 {
	var some []float64
	sum := 0.0
	for i := 0; i < len(x); i += 1 + len(x)/4096 {
		some = append(some, math.Abs(float64(x[i])))
		sum += some[len(some)-1]
	}
	slices.Sort(some)
	if m := some[len(some)/2]; m > 0 {
		return m
	}
	return sum / float64(len(some))
}
