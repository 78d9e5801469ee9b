package block

import "math/bits"

// Intra mode decision of the hw tier, once for each coding unit: planar, DC,
// vertical and horizontal prediction compared by an estimate of what the
// Hadamard coefficients of the residual cost in tiles of 8x8.

// DecisionModes are the four modes, in the order of the lanes below.
var DecisionModes = [4]uint8{ModeDC, ModePlanar, ModeVertical, ModeHorizontal}

// ModePrice is the price of a mode other than DC in 1/256 squared steps.
const ModePrice = 400

// BestMode returns the lane with the least cost, the first of equals.
func BestMode(costs [4]int) int {
	best, least := 0, costs[0] // DC, the commonest mode, needs no price
	for l, c := range costs[1:] {
		if c += ModePrice; c < least {
			best, least = l+1, c
		}
	}
	return best
}

// laneBias turns four signed 16-bit lanes, summed with their weights into one
// word, into four unsigned lanes above 1<<15.
const laneBias = 0x8000800080008000

// laneOnes has the lowest bit of every lane set.
const laneOnes = 0x0001000100010001

// bump estimates the cost of one coefficient in 1/256 squared quantiser steps,
// squared error plus 0.1 for each bit, by the logarithm of its magnitude in
// steps in 1/8 octaves, from bumpFloor on.
//
// Entry i stands for u = 2^((i+bumpFloor)/8) steps and is the least of
// (u-l)^2 + R(l)/10 over the levels l, where R(0) = 0.7 bits and
// R(l) = 3 + 1.15 log2 l.
var bump = [128]uint16{
	34, 37, 41, 45, 50, 56, 63, 72, 82, 94, 108, 108, 99, 90, 83, 79,
	77, 79, 86, 99, 121, 152, 132, 113, 106, 115, 143, 166, 131, 125, 157, 164,
	136, 169, 160, 154, 183, 160, 179, 188, 165, 190, 235, 211, 204, 212, 239, 219,
	195, 249, 202, 222, 246, 240, 219, 250, 224, 231, 232, 298, 255, 274, 255, 275,
	253, 268, 264, 264, 330, 295, 310, 315, 283, 331, 302, 294, 298, 343, 323, 324,
	312, 323, 369, 323, 327, 340, 389, 401, 342, 375, 353, 353, 358, 399, 365, 368,
	371, 401, 395, 383, 392, 402, 399, 397, 401, 437, 471, 413, 440, 470, 448, 427,
	430, 454, 437, 447, 482, 451, 488, 458, 460, 513, 467, 492, 489, 489, 497, 495,
}

const bumpFloor = -16

// A CostTable gives bump by an 8x8 Hadamard coefficient of magnitude up to
// 16320, which is eight times that of an orthonormal transform.
type CostTable [16384]uint16

// Load fills the table for a QP. The logarithm is exact at powers of two and
// linear between them.
func (t *CostTable) Load(qp int) {
	offset := 24 + (4*(qp-4)+1)/3 // of 8 quantiser steps
	if qp < 4 {
		offset = 24 + (4*(qp-4)-1)/3
	}
	t[0] = bump[0]
	for v := 1; v < len(t); v++ {
		e := bits.Len(uint(v)) - 1
		m := v << 3 >> e & 7
		t[v] = bump[min(max(8*e+m-offset-bumpFloor, 0), len(bump)-1)]
	}
}

// Hadamard returns the estimated costs of source minus prediction for four
// predictions, which are rasters of a block of size 1<<log2, at least 8. A word
// carries all four at once: residuals are s9, coefficients s15.
func (t *CostTable) Hadamard(pred *[4][1024]uint8, src []byte, stride, log2 int) (sums [4]int) {
	n := 1 << log2
	var tile [64]int64
	for ty := 0; ty < n; ty += 8 {
		for tx := 0; tx < n; tx += 8 {
			for y := range 8 {
				s := src[(ty+y)*stride+tx:][:8]
				at := (ty+y)*n + tx
				for x := range 8 {
					tile[8*y+x] = lanes(pred, s[x], at+x)
				}
			}
			for i := range 8 {
				hadamard8(&tile, 8*i, 1)
			}
			for i := range 8 {
				hadamard8(&tile, i, 8)
			}
			t.sum(&tile, &sums)
		}
	}
	return sums
}

// lanes returns s minus the four predictions at i.
func lanes(pred *[4][1024]uint8, s uint8, i int) int64 {
	return int64(s)*laneOnes - int64(uint64(pred[0][i&1023])|uint64(pred[1][i&1023])<<16|
		uint64(pred[2][i&1023])<<32|uint64(pred[3][i&1023])<<48)
}

func hadamard8(t *[64]int64, at, step int) {
	a, b, c, d := t[at&63], t[(at+step)&63], t[(at+2*step)&63], t[(at+3*step)&63]
	i, j, k, l := t[(at+4*step)&63], t[(at+5*step)&63], t[(at+6*step)&63], t[(at+7*step)&63]
	a, i = a+i, a-i
	b, j = b+j, b-j
	c, k = c+k, c-k
	d, l = d+l, d-l
	a, c = a+c, a-c
	b, d = b+d, b-d
	i, k = i+k, i-k
	j, l = j+l, j-l
	t[at&63], t[(at+step)&63] = a+b, a-b
	t[(at+2*step)&63], t[(at+3*step)&63] = c+d, c-d
	t[(at+4*step)&63], t[(at+5*step)&63] = i+j, i-j
	t[(at+6*step)&63], t[(at+7*step)&63] = k+l, k-l
}

// sum adds the costs of the lanes of a tile to sums.
func (t *CostTable) sum(tile *[64]int64, sums *[4]int) {
	var a, b, c, d int
	for _, w := range tile {
		v := uint64(w) + laneBias
		neg := (v>>15&laneOnes ^ laneOnes) * 0xffff
		v = (v ^ laneBias) ^ neg
		v += neg & laneOnes
		a += int(t[v&0x3fff])
		b += int(t[v>>16&0x3fff])
		c += int(t[v>>32&0x3fff])
		d += int(t[v>>48&0x3fff])
	}
	sums[0] += a
	sums[1] += b
	sums[2] += c
	sums[3] += d
}

// AbsoluteDifference returns the sum of absolute differences of source and
// prediction, a raster of n by n samples.
func AbsoluteDifference(src []byte, stride int, pred []byte, n int) (sum int) {
	for y := range n {
		s, p := src[y*stride:][:n], pred[y*n:][:n]
		for x := range s {
			sum += abs(int(s[x]) - int(p[x]))
		}
	}
	return sum
}

// SquaredDifference returns the sum of squared differences of source and
// reconstruction, a raster of n by n samples.
func SquaredDifference(src []byte, stride int, rec []byte, n int) (sum int) {
	for y := range n {
		s, p := src[y*stride:][:n], rec[y*n:][:n]
		for x := range s {
			d := int(s[x]) - int(p[x])
			sum += d * d
		}
	}
	return sum
}
