package block

import "math/bits"

// Open-loop decisions of the hw tier: the samples around a block are those above
// its coding unit as reconstructed, and on its left and inside as the source has
// them.

// An OpenBorder holds what the decisions on a coding unit of size N know of its
// neighbours, N samples each.
type OpenBorder struct {
	Above, Left [32]uint8
}

// Substitute fills what is not available: the left column with the first sample
// above, the row above with the first one on the left, and both with 128.
func (b *OpenBorder) Substitute(n int, left, above bool) {
	v := uint8(128)
	switch {
	case left && above:
		return
	case left:
		v = b.Left[0]
	case above:
		v = b.Above[0]
	}
	for i := range n {
		if !left {
			b.Left[i] = v
		}
		if !above {
			b.Above[i] = v
		}
	}
}

// OpenPrice is the price of a mode other than DC.
const OpenPrice = 25

// OpenThreshold is the logarithm of OpenCost from which on a coefficient costs
// something at a QP.
func OpenThreshold(qp int) int { return (qp + 2) / 3 }

// OpenCost estimates the cost of an 8x8 Hadamard coefficient: by how much its
// logarithm, in half octaves and linear within an octave, is above a threshold.
func OpenCost(v int32, threshold int) int {
	m := uint32(abs(int(v)))
	if m == 0 {
		return 0
	}
	e := bits.Len32(m) - 1
	return max(2*e+int(m<<1>>e&1)-threshold, 0)
}

// OpenMode returns the lane of the intra mode of a coding unit of size 1<<log2, 8 to
// 32, whose samples begin at src. The costs of the Hadamard coefficients of its
// residual in tiles of 8x8 are added up for each mode, without edge filters and
// without rounding of samples: the transform is linear.
func OpenMode(src []byte, stride, log2, qp int, b *OpenBorder) int {
	n, threshold := 1<<log2, OpenThreshold(qp)
	sum := n
	for i := range n {
		sum += int(b.Above[i]) + int(b.Left[i])
	}
	dc := int32(sum >> (log2 + 1))
	var costs [4]int
	var t OpenTile
	for ty := 0; ty < n; ty += 8 {
		for tx := 0; tx < n; tx += 8 {
			t.load(src[ty*stride+tx:], stride, b, tx, ty)
			for k := range 8 {
				for j := range 8 {
					s := t.Source[8*j+k]
					all := OpenCost(s, threshold)
					c := [4]int{all, OpenCost(s-(t.Planar(j, k, tx, ty, log2, b)+int32(n))>>(log2+1), threshold), all, all}
					if j+k == 0 {
						c[0] = OpenCost(s-64*dc, threshold)
					}
					if j == 0 {
						c[2] = OpenCost(s-8*t.Above[k], threshold)
					}
					if k == 0 {
						c[3] = OpenCost(s-8*t.Left[j], threshold)
					}
					for l := range costs {
						costs[l] += c[l]
					}
				}
			}
		}
	}
	best := 0
	for l := range costs {
		if costs[l]+min(l, 1)*OpenPrice < costs[best]+min(best, 1)*OpenPrice {
			best = l
		}
	}
	return best
}

// An OpenTile holds Hadamard transforms of a tile of 8x8 samples in natural order: of
// its samples in a raster with rows of horizontal frequency, and of the parts of
// the row above and of the left column beside it.
type OpenTile struct {
	Source      [64]int32
	Above, Left [8]int32
}

func (t *OpenTile) load(src []byte, stride int, b *OpenBorder, tx, ty int) {
	for y := range 8 {
		for x, v := range src[y*stride:][:8] {
			t.Source[8*y+x] = int32(v)
		}
		t.Above[y], t.Left[y] = int32(b.Above[tx+y]), int32(b.Left[ty+y])
	}
	for i := range 8 {
		Hadamard8(t.Source[8*i:], 1)
	}
	for i := range 8 {
		Hadamard8(t.Source[i:], 8)
	}
	Hadamard8(t.Above[:], 1)
	Hadamard8(t.Left[:], 1)
}

// Hadamard8 transforms 8 values of v, which are step apart.
func Hadamard8(v []int32, step int) {
	for d := 1; d < 8; d *= 2 {
		for i := range 8 {
			if i&d == 0 {
				a, b := v[i*step], v[(i+d)*step]
				v[i*step], v[(i+d)*step] = a+b, a-b
			}
		}
	}
}

// ramp is coefficient i of the transform of n-1-at, n-2-at ... n-8-at.
func ramp(i, at, n int) int32 {
	switch i {
	case 0:
		return int32(8*(n-1-at) - 28)
	case 1, 2, 4:
		return int32(4 * i)
	}
	return 0
}

// Planar returns 2*n times coefficient j, k (vertical, horizontal frequency) of
// planar prediction of the tile at tx, ty of a coding unit of size n = 1<<log2.
func (t *OpenTile) Planar(j, k, tx, ty, log2 int, b *OpenBorder) int32 {
	n := 1 << log2
	p := t.Above[k]*ramp(j, ty, n) + t.Left[j]*ramp(k, tx, n)
	if k == 0 { // n+1 less a falling ramp
		p -= 8 * int32(b.Left[n-1]) * ramp(j, ty, n)
		if j == 0 {
			p += 64 * int32(b.Left[n-1]) * int32(n)
		}
	}
	if j == 0 {
		p -= 8 * int32(b.Above[n-1]) * ramp(k, tx, n)
		if k == 0 {
			p += 64 * int32(b.Above[n-1]) * int32(n)
		}
	}
	return p
}

// OpenPredict writes the prediction of a block of size 1<<log2 in the mode of a lane
// to dst, a raster of that size, from as many samples above and on the left. Only DC
// has edge filters.
func OpenPredict(dst []byte, log2, lane int, above, left []uint8) {
	n := 1 << log2
	sum := n
	for i := range n {
		sum += int(above[i]) + int(left[i])
	}
	dc := sum >> (log2 + 1)
	for y := range n {
		l, row := int(left[y]), dst[y*n:][:n]
		for x := range row {
			a := int(above[x])
			v := dc
			switch {
			case lane == 1:
				v = ((n-1-y)*a + (y+1)*int(left[n-1]) + (n-1-x)*l + (x+1)*int(above[n-1]) + n) >> (log2 + 1)
			case lane == 2:
				v = a
			case lane == 3:
				v = l
			case n == 32: // no edge filters
			case x == 0 && y == 0:
				v = (a + l + 2*dc + 2) >> 2
			case y == 0:
				v = (a + 3*dc + 2) >> 2
			case x == 0:
				v = (l + 3*dc + 2) >> 2
			}
			row[x] = uint8(v)
		}
	}
}
