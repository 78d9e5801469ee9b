package tensor

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// Distortion compares a reconstruction with its original.
type Distortion struct {
	N      int
	MSE    float64 // mean squared error, in squared units of the values
	NMSEDB float64 // 10 log10(MSE / variance of the original); -Inf when the error is zero, +Inf when only the variance is
	PSNRDB float64 // 10 log10(peak^2 / MSE); peak is 255 for codes, the range max-min for tensors; +Inf when the error is zero
	Max    float64 // largest absolute error
	Cosine float64 // of the angle between the two; 1 when both are zero
}

// chunk is the number of values whose moments are summed by themselves: sums of floating-point numbers then do not depend
// on how many cores share the work.
const chunk = 1 << 16

// sumChunks adds up what f returns for values from to to, for all chunks of n values. Chunks are shared by all cores.
func sumChunks(n int, f func(from, to int) moments) (sum moments) {
	parts := make([]moments, (n+chunk-1)/chunk)
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < len(parts); i = int(next.Add(1)) - 1 {
			parts[i] = f(i*chunk, min(n, (i+1)*chunk))
		}
	}
	var wg sync.WaitGroup
	for range min(len(parts), runtime.GOMAXPROCS(0)) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	for i, m := range parts {
		if i == 0 {
			sum = m
			continue
		}
		sum.merge(m)
	}
	return sum
}

// Compare measures b against the original a, of the same length.
func Compare(a, b []float32) Distortion {
	m := sumChunks(len(a), func(from, to int) moments {
		m := moments{lo: math.Inf(1), hi: math.Inf(-1)}
		b := b[from:to]
		for i, v := range a[from:to] {
			m.lo, m.hi = min(m.lo, float64(v)), max(m.hi, float64(v))
			m.add(float64(v), float64(b[i]))
		}
		return m
	})
	return m.distortion(len(a), m.hi-m.lo)
}

// A Comparer does what [Compare] does for values that come in pieces, in their order.
type Comparer struct {
	sum, part moments
	n         int
}

// Add takes the next values of the original and of the reconstruction.
func (c *Comparer) Add(a, b []float32) {
	for len(a) > 0 {
		if c.n%chunk == 0 {
			c.flush()
			c.part = moments{lo: math.Inf(1), hi: math.Inf(-1)}
		}
		k := min(len(a), chunk-c.n%chunk)
		m := c.part
		for i, v := range a[:k] {
			m.lo, m.hi = min(m.lo, float64(v)), max(m.hi, float64(v))
			m.add(float64(v), float64(b[i]))
		}
		c.part = m
		c.n += k
		a, b = a[k:], b[k:]
	}
}

// flush adds a finished part to the sum.
func (c *Comparer) flush() {
	switch {
	case c.n == 0:
	case c.n <= chunk:
		c.sum = c.part
	default:
		c.sum.merge(c.part)
	}
}

// Distortion returns what the pieces come to. Nothing may be added afterwards.
func (c *Comparer) Distortion() Distortion {
	c.flush()
	return c.sum.distortion(c.n, c.sum.hi-c.sum.lo)
}

// CompareCodes measures 8-bit codes, with a peak of 255.
func CompareCodes(a, b []uint8) Distortion {
	m := sumChunks(len(a), func(from, to int) moments {
		var sa, saa, sbb, sab int // all sums are exact
		worst := 0
		b := b[from:to]
		for i, u := range a[from:to] {
			x, y := int(u), int(b[i])
			sa += x
			saa += x * x
			sbb += y * y
			sab += x * y
			worst = max(worst, x-y, y-x)
		}
		return moments{a: float64(sa), aa: float64(saa), bb: float64(sbb), ab: float64(sab), ee: float64(saa - 2*sab + sbb), worst: float64(worst)}
	})
	return m.distortion(len(a), 255)
}

// moments are sums over pairs of values: of the first and its square, of the square of the second, of products and of
// squared differences; the largest difference; and the range of the first.
type moments struct{ a, aa, bb, ab, ee, worst, lo, hi float64 }

func (m *moments) merge(o moments) {
	m.a += o.a
	m.aa += o.aa
	m.bb += o.bb
	m.ab += o.ab
	m.ee += o.ee
	m.worst = max(m.worst, o.worst)
	m.lo, m.hi = min(m.lo, o.lo), max(m.hi, o.hi)
}

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

// GaussianBits is the bits a value that an ideal code of an i.i.d. Gaussian source needs for a mean squared error.
func GaussianBits(variance, mse float64) float64 {
	if mse >= variance {
		return 0
	}
	return 0.5 * math.Log2(variance/mse)
}
