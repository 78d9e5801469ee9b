package tensor

import "math"

// Hadamard is a randomised orthonormal rotation of the rows and/or the columns of a matrix, which spreads outliers over
// many values before they are quantised.
//
// A vector of n = 2^k values is multiplied by random signs, then by the Hadamard matrix over sqrt(n). For other n, let P be
// the largest power of two below n: the first P values are rotated, then the last P, with their own signs; the two ranges
// overlap, so every input reaches many outputs. The signs follow from Seed by splitmix64. Sums are kept in float64, and the
// inverse undoes the same steps in reverse order, exact up to the final rounding to float32.
type Hadamard struct {
	Rows bool   // rotate each row vector: mixes the columns
	Cols bool   // rotate each column vector: mixes the rows
	Seed uint64 // of the signs
}

// Forward rotates x, rows x cols, in place.
func (h Hadamard) Forward(x []float32, rows, cols int) {
	if h.Rows {
		for r := range rows {
			h.lanes(x[r*cols:], cols, 1, 1, 0, false)
		}
	}
	if h.Cols {
		for c := 0; c < cols; c += laneCount {
			h.lanes(x[c:], rows, cols, min(laneCount, cols-c), 2, false)
		}
	}
}

// Inverse undoes [Hadamard.Forward].
func (h Hadamard) Inverse(x []float32, rows, cols int) {
	if h.Cols {
		for c := 0; c < cols; c += laneCount {
			h.lanes(x[c:], rows, cols, min(laneCount, cols-c), 2, true)
		}
	}
	if h.Rows {
		for r := range rows {
			h.lanes(x[r*cols:], cols, 1, 1, 0, true)
		}
	}
}

// laneCount vectors are rotated together when they lie across the rows, so that memory is read in runs.
const laneCount = 16

// lanes rotates count neighbouring vectors of n values; value i of vector j is x[i*stride+j].
func (h Hadamard) lanes(x []float32, n, stride, count int, stream uint64, inverse bool) {
	if n < 2 {
		return
	}
	p := 1
	for p*2 <= n {
		p *= 2
	}
	starts := [2]int{0, n - p}
	passes := 2
	if p == n {
		passes = 1
	}
	buf := make([]float64, p*count)
	norm := 1 / math.Sqrt(float64(p))
	for k := range passes {
		pass := k
		if inverse {
			pass = passes - 1 - k
		}
		base := starts[pass] * stride
		signs := splitmix{h.Seed + (stream+uint64(pass))*0xd1342543de82ef95}
		for i := range p {
			f := 1.0
			if !inverse {
				f = signs.sign()
			}
			for j := range count {
				buf[i*count+j] = f * float64(x[base+i*stride+j])
			}
		}
		butterflies(buf, count)
		for i := range p {
			f := norm
			if inverse {
				f *= signs.sign()
			}
			for j := range count {
				x[base+i*stride+j] = finite(f * buf[i*count+j])
			}
		}
	}
}

// butterflies multiplies count interleaved vectors by the (unnormalised) Hadamard matrix.
func butterflies(b []float64, count int) {
	for half := count; half < len(b); half *= 2 {
		for at := 0; at < len(b); at += 2 * half {
			lo, hi := b[at:at+half], b[at+half:at+2*half]
			for i, u := range lo {
				v := hi[i]
				lo[i], hi[i] = u+v, u-v
			}
		}
	}
}

// splitmix is the splitmix64 generator (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014, with the
// constants of Vigna's splitmix64.c).
type splitmix struct{ s uint64 }

func (g *splitmix) word() uint64 {
	g.s += 0x9e3779b97f4a7c15
	z := g.s
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// sign returns -1 or 1 by the top bit of the next word.
func (g *splitmix) sign() float64 {
	if g.word()>>63 != 0 {
		return -1
	}
	return 1
}

// RemoveMeans subtracts from every column its mean, rounded to bfloat16, and returns those means; [AddMeans] adds them back.
func RemoveMeans(x []float32, rows, cols int) []float32 {
	m := NewMeans(cols)
	m.Add(x)
	mean := m.Means()
	SubtractMeans(x, rows, cols, mean)
	return mean
}

// Means sums up the columns of a matrix whose rows come a few at a time.
type Means struct {
	sum  []float64
	rows int
}

// NewMeans begins the means of a matrix of cols columns.
func NewMeans(cols int) *Means { return &Means{sum: make([]float64, cols)} }

// Add takes the next whole rows.
func (m *Means) Add(x []float32) {
	for cols := len(m.sum); len(x) > 0; x = x[cols:] {
		for c, v := range x[:cols] {
			m.sum[c] += float64(v)
		}
		m.rows++
	}
}

// Means returns the mean of every column so far, rounded to bfloat16.
func (m *Means) Means() []float32 {
	mean := make([]float32, len(m.sum))
	for c := range mean {
		mean[c] = BF16ToFloat32(Float32ToBF16(float32(m.sum[c] / float64(m.rows))))
	}
	return mean
}

// SubtractMeans subtracts mean[c] from every value of column c.
func SubtractMeans(x []float32, rows, cols int, mean []float32) {
	for r := range rows {
		row := x[r*cols : (r+1)*cols]
		for c := range row {
			row[c] = finite(float64(row[c]) - float64(mean[c]))
		}
	}
}

// AddMeans adds mean[c] to every value of column c.
func AddMeans(x []float32, rows, cols int, mean []float32) {
	for r := range rows {
		row := x[r*cols : (r+1)*cols]
		for c := range row {
			row[c] = finite(float64(row[c]) + float64(mean[c]))
		}
	}
}
