package tensor

import "math"

// Distortion compares a reconstruction with its original.
type Distortion struct {
	N      int
	MSE    float64 // mean squared error, in squared units of the values
	NMSEDB float64 // 10 log10(MSE / variance of the original); -Inf when the error is zero, +Inf when only the variance is
	PSNRDB float64 // 10 log10(peak^2 / MSE); peak is 255 for codes, the range max-min for tensors; +Inf when the error is zero
	Max    float64 // largest absolute error
	Cosine float64 // of the angle between the two; 1 when both are zero
}

// Compare measures b against the original a, of the same length.
func Compare(a, b []float32) Distortion {
	var m moments
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, v := range a {
		lo, hi = min(lo, float64(v)), max(hi, float64(v))
		m.add(float64(v), float64(b[i]))
	}
	return m.distortion(len(a), hi-lo)
}

// CompareCodes measures 8-bit codes, with a peak of 255.
func CompareCodes(a, b []uint8) Distortion {
	var m moments
	var s [5]int64 // a, aa, bb, ab, ee: exact in int64 for any plane that fits memory
	worst := 0
	for i, u := range a {
		x, y := int(u), int(b[i])
		e := x - y
		s[0] += int64(x)
		s[1] += int64(x * x)
		s[2] += int64(y * y)
		s[3] += int64(x * y)
		s[4] += int64(e * e)
		worst = max(worst, e, -e)
	}
	m = moments{float64(s[0]), float64(s[1]), float64(s[2]), float64(s[3]), float64(s[4]), float64(worst)}
	return m.distortion(len(a), 255)
}

type moments struct{ a, aa, bb, ab, ee, worst float64 }

func (m *moments) add(x, y float64) {
	e := x - y
	m.a += x
	m.aa += float64(x * x)
	m.bb += float64(y * y)
	m.ab += float64(x * y)
	m.ee += float64(e * e)
	m.worst = max(m.worst, math.Abs(e))
}

func (m *moments) distortion(n int, peak float64) Distortion {
	d := Distortion{N: n, Cosine: 1, Max: m.worst, NMSEDB: math.Inf(-1), PSNRDB: math.Inf(1)}
	if n == 0 {
		return d
	}
	d.MSE = m.ee / float64(n)
	if m.ee > 0 {
		mean := m.a / float64(n)
		d.NMSEDB = 10 * math.Log10(d.MSE/max(0, m.aa/float64(n)-mean*mean))
		d.PSNRDB = 10 * math.Log10(peak*peak/d.MSE)
		d.Cosine = 0
		if m.aa > 0 && m.bb > 0 {
			d.Cosine = m.ab / math.Sqrt(m.aa) / math.Sqrt(m.bb)
		}
	}
	return d
}

// Variance returns the population variance of x.
func Variance(x []float32) float64 {
	var sum, sum2 float64
	for _, v := range x {
		sum += float64(v)
	}
	mean := sum / float64(max(1, len(x)))
	for _, v := range x {
		e := float64(v) - mean
		sum2 += e * e
	}
	return sum2 / float64(max(1, len(x)))
}

// GaussianMSE is the distortion-rate bound of an i.i.d. Gaussian source: variance * 2^(-2 bits).
func GaussianMSE(variance, bits float64) float64 { return variance * math.Exp2(-2*bits) }

// GaussianBits is the inverse of [GaussianMSE]: the bits a value an ideal code needs for a mean squared error.
func GaussianBits(variance, mse float64) float64 {
	if mse >= variance {
		return 0
	}
	return 0.5 * math.Log2(variance/mse)
}
