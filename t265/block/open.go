package block

import (
	"encoding/binary"
	"math/bits"
)

// Open-loop decisions of the hw tier: the samples around a block are those above
// its coding unit as reconstructed, and on its left and inside as the source has
// them.

// DecisionModes are the four modes that are compared, in the order of their lanes.
var DecisionModes = [4]uint8{ModeDC, ModePlanar, ModeVertical, ModeHorizontal}

// An OpenBorder holds what the decisions on a coding unit of size N know of its
// neighbours, N samples each.
type OpenBorder struct {
	Above, Left [64]uint8
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

// OpenCost estimates the cost of an 8x8 Hadamard coefficient: by how much the
// logarithm of its magnitude, in half octaves and linear within an octave, is above a
// threshold. The magnitude of a negative one is its ones' complement, which is one
// less; that of 0 and 1 has the logarithm 0.
func OpenCost(v int32, threshold int) int {
	m := uint32(v ^ v>>31)
	e := uint(bits.Len32(m|1) - 1)
	return max(int(2*e+uint(m<<1>>(e&31)&1))-threshold, 0)
}

// openLogs holds the logarithms of OpenCost by coefficient: the residuals of a tile are s9, so
// that their transform is s15.
var openLogs = func() *[1 << 15]uint8 {
	t := new([1 << 15]uint8)
	for i := range t {
		t[i] = uint8(OpenCost(int32(i)-1<<14, 0))
	}
	return t
}()

// openCost is OpenCost of an s15 plus the threshold.
func openCost(v, threshold int32) int32 {
	return max(int32(openLogs[uint32(v+1<<14)%(1<<15)]), threshold)
}

// OpenMode returns the lane of the intra mode of a coding unit of size 1<<log2, 8 to
// 64, whose samples begin at src. The costs of the Hadamard coefficients of its
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
			t.addCosts(&costs, dc, tx, ty, log2, threshold, b)
		}
	}
	best := 0
	for l, c := range costs {
		if costs[l] = c + min(l, 1)*OpenPrice; costs[l] < costs[best] {
			best = l
		}
	}
	return best
}

// addCosts adds the costs of a tile by lane. All modes but planar differ from the
// source in few coefficients, and planar does not where both ramps are zero.
func (t *OpenTile) addCosts(costs *[4]int, dc int32, tx, ty, log2, threshold int, b *OpenBorder) {
	n := 1 << log2
	below, right := int32(b.Left[n-1]), int32(b.Above[n-1])
	var rx [8]int32
	for k := range rx {
		rx[k] = ramp(k, tx, n)
	}
	floor := int32(threshold)
	var all, planar, vertical, horizontal int32
	first := 8 * below // of planar in column 0, by rise
	for j := range 8 {
		ry, left := ramp(j, ty, n), t.Left[j]
		s := (*[8]int32)(t.Source[8*j:])
		horizontal += openCost(s[0]-8*left, floor) - openCost(s[0], floor)
		p := [8]int32{0: first * rise(j, ty, n)}
		if j == 0 {
			for k := range p {
				p[k] += 8 * right * rise(k, tx, n)
				vertical += openCost(s[k]-8*t.Above[k], floor) - openCost(s[k], floor)
			}
		}
		for k, v := range s {
			c := openCost(v, floor)
			all += c
			if ry != 0 || rx[k] != 0 {
				c = openCost(v-(p[k]+t.Above[k]*ry+left*rx[k]+int32(n))>>(uint(log2+1)&31), floor)
			}
			planar += c
		}
	}
	all -= 64 * floor
	costs[0] += int(all - openCost(t.Source[0], floor) + openCost(t.Source[0]-64*dc, floor))
	costs[1] += int(planar - 64*floor)
	costs[2] += int(all + vertical)
	costs[3] += int(all + horizontal)
}

// An OpenTile holds Hadamard transforms of a tile of 8x8 samples in natural order: of
// its samples in a raster with rows of horizontal frequency, and of the parts of
// the row above and of the left column beside it.
type OpenTile struct {
	Source      [64]int32
	Above, Left [8]int32
}

func (t *OpenTile) load(src []byte, stride int, b *OpenBorder, tx, ty int) {
	// The left and right four samples of the rows in lanes of 16 bits: sums of 64
	// samples stay below 1<<14.
	var l, r [8]int64
	for y := range 8 {
		row := src[y*stride:][:8]
		l[y] = int64(spread4(binary.LittleEndian.Uint32(row)))
		r[y] = int64(spread4(binary.LittleEndian.Uint32(row[4:])))
	}
	hadamard8(&l)
	hadamard8(&r)
	for y := range 8 {
		out := (*[8]int32)(t.Source[8*y:])
		hadamard4(out[:4], l[y]+r[y])
		hadamard4(out[4:], l[y]-r[y])
	}
	for i := range 8 {
		t.Above[i], t.Left[i] = int32(b.Above[tx+i]), int32(b.Left[ty+i])
	}
	hadamard8(&t.Above)
	hadamard8(&t.Left)
}

// hadamard4 transforms the four lanes of a word.
func hadamard4(out []int32, w int64) {
	a := int32(int16(w))
	w = (w - int64(a)) >> 16
	b := int32(int16(w))
	w = (w - int64(b)) >> 16
	c := int32(int16(w))
	d := int32((w - int64(c)) >> 16)
	a, b = a+b, a-b
	c, d = c+d, c-d
	out[0], out[1], out[2], out[3] = a+c, b+d, a-c, b-d
}

// hadamard8 is Hadamard8 of values next to each other, or of words of several.
func hadamard8[T int32 | int64](v *[8]T) {
	a, b, c, d, i, j, k, l := v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]
	a, i = a+i, a-i
	b, j = b+j, b-j
	c, k = c+k, c-k
	d, l = d+l, d-l
	a, c = a+c, a-c
	b, d = b+d, b-d
	i, k = i+k, i-k
	j, l = j+l, j-l
	v[0], v[1], v[2], v[3] = a+b, a-b, c+d, c-d
	v[4], v[5], v[6], v[7] = i+j, i-j, k+l, k-l
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

// rise is coefficient i of the transform of at+1, at+2 ... at+8: of n+1 less the
// falling ramp.
func rise(i, at, n int) int32 {
	if i == 0 {
		return int32(8*n) - ramp(0, at, n)
	}
	return -ramp(i, at, n)
}

// Planar returns 2*n times coefficient j, k (vertical, horizontal frequency) of
// planar prediction of the tile at tx, ty of a coding unit of size n = 1<<log2.
func (t *OpenTile) Planar(j, k, tx, ty, log2 int, b *OpenBorder) int32 {
	n := 1 << log2
	p := t.Above[k]*ramp(j, ty, n) + t.Left[j]*ramp(k, tx, n)
	if k == 0 {
		p += 8 * int32(b.Left[n-1]) * rise(j, ty, n)
	}
	if j == 0 {
		p += 8 * int32(b.Above[n-1]) * rise(k, tx, n)
	}
	return p
}

// OpenPredict writes the prediction of a block of size 1<<log2 in the mode of a lane
// to dst, a raster of that size, from as many samples above and on the left. Only DC
// has edge filters.
func OpenPredict(dst []byte, log2, lane int, above, left []uint8) {
	n := 1 << log2
	switch lane {
	case 0:
		dc(dst, n, log2, above, left)
		return
	case 2:
		for y := range n {
			copy(dst[y*n:][:n], above)
		}
		return
	case 3:
		for y := range n {
			fill(dst[y*n:][:n], left[y])
		}
		return
	}
	var r Refs
	copy(r[RefCorner+1:], above[:n])
	r[RefCorner+1+n] = above[n-1]
	for i, v := range left[:n] {
		r[RefCorner-1-i] = v
	}
	r[RefCorner-1-n] = left[n-1]
	Planar(dst, n, log2, &r)
}

// OpenSubtract writes source minus the prediction of OpenPredict, which it may write to pred,
// as SubtractRows does.
func OpenSubtract(res *Pairs, src []byte, stride int, pred []byte, log2, lane int, above, left []uint8) {
	n := 1 << log2
	if lane != 0 || n >= 32 {
		OpenPredict(pred, log2, lane, above, left)
		SubtractRows(res, src, stride, pred, n)
		return
	}
	above, left = above[:n], left[:n]
	v := int64(n+int(sumOf(above)+sumOf(left))) >> (uint(log2+1) & 63)
	both := v + v<<32
	// What is above the mean in row 0 and in column 0, but for the corner.
	edge := func(sample uint8) int64 { return (int64(sample)+3*v+2)>>2 - v }
	for y := 0; y < n; y += 2 {
		a, b := src[y*stride:][:n], src[(y+1)*stride:][:n]
		row := res[y>>1*n:][:n]
		for x := range row {
			row[x] = int64(a[x]) + int64(b[x])<<32 - both
		}
		row[0] -= edge(left[y]) + edge(left[y+1])<<32
	}
	for x, sample := range above[1:] {
		res[x+1] -= edge(sample)
	}
	res[0] += edge(left[0]) + v - (int64(left[0])+2*v+int64(above[0])+2)>>2
}
