package block

import "math/bits"

// Quantisation and scaling of 4x4 blocks on the words of the transforms (idct.go),
// four coefficients at a time. Positions of one word that are two apart share a
// scale, so that a product of 64 bits is that of two coefficients.

// Lanes2 has a one in each of two 32-bit lanes.
const Lanes2 = 1<<32 | 1

// Quantise4 replaces coefficients by levels, writes these to lev by scan position, and
// returns the mask of those not zero.
func (q *Quantizer) Quantise4(lev *[16]int16, v *Lanes4) uint64 {
	if !q.Words4(v) {
		*lev = [16]int16{}
		return 0
	}
	v.Scan(lev)
	return v.mask()
}

// Words4 replaces coefficients, columns of a block with s15 lanes, by levels, and
// reports whether any is not zero.
func (q *Quantizer) Words4(v *Lanes4) bool {
	shift := q.Shift & 31 // 15..23
	// A rest that reaches the threshold of higher levels carries into the whole
	// steps. That of a one is higher; below it the lowest bit does not count.
	carry := uint64(64-q.Rounder.up[1]) << (shift - 6) * Lanes2
	one := (1<<31 - uint64(q.Rounder.up[0])<<(shift-6)) * Lanes2
	high := (1<<(32-shift) - 2) * uint64(Lanes2)
	var coef Lanes4
	sum := uint64(0)
	for x, w := range v {
		coef[x] = w
		c := biased(w) ^ laneBias
		minus := c >> 15 & LaneOnes * 0xffff
		c = (c ^ minus) + minus&LaneOnes
		even, odd := c&laneEven*uint64(q.Four[4*x]), c>>16&laneEven*uint64(q.Four[4*x+1]) // lanes below 2^30
		even = (even + carry) >> shift & ((even+one)>>31&Lanes2 | high)
		odd = (odd + carry) >> shift & ((odd+one)>>31&Lanes2 | high)
		l := even | odd<<16 // 4 lanes, 12 bits
		sum += l
		v[x] = int64(l&^minus) - int64(l&minus)
	}
	// A sum of one in a single lane: the only level of the block is a one.
	if sum&(sum-1) == 0 && sum&LaneOnes != 0 && q.alone(&coef, v, bits.TrailingZeros64(sum)/16) {
		*v = Lanes4{}
		return false
	}
	return sum != 0
}

// alone reports whether the only level of a block, a one in row y, does not reach
// its threshold.
func (q *Quantizer) alone(coef, lev *Lanes4, y int) bool {
	x := 0
	for lev[x] == 0 {
		x++
	}
	t := uint32(Abs32(int32(Lane(coef[x], y)))) * q.Four[4*x+y]
	return t>>((q.Shift-6)&31) < q.Rounder.alone
}

// Scan writes the lanes of a block to lev by Scan position (see Scan4).
func (v *Lanes4) Scan(lev *[16]int16) {
	a, b, c, d := biased(v[0])^laneBias, biased(v[1])^laneBias, biased(v[2])^laneBias, biased(v[3])^laneBias
	lev[0], lev[2], lev[3], lev[9] = int16(a), int16(a>>16), int16(a>>32), int16(a>>48)
	lev[1], lev[4], lev[8], lev[10] = int16(b), int16(b>>16), int16(b>>32), int16(b>>48)
	lev[5], lev[7], lev[11], lev[14] = int16(c), int16(c>>16), int16(c>>32), int16(c>>48)
	lev[6], lev[12], lev[13], lev[15] = int16(d), int16(d>>16), int16(d>>32), int16(d>>48)
}

// mask returns the mask, by scan position, of lanes that are not zero.
func (v *Lanes4) mask() uint64 {
	var at uint // by position
	for x, w := range v {
		c := biased(w) ^ laneBias
		bits := (c&^laneBias + 0x7fff*LaneOnes | c) >> 15 & LaneOnes
		at |= uint(bits*(1<<48|1<<33|1<<18|1<<3)>>48) & 15 << (4 * x)
	}
	return uint64(scanMask[0][at&255] | scanMask[1][at>>8&255])
}

// scanMask turns a mask by position, in two halves, into one by scan position.
var scanMask = func() (t [2][256]uint16) {
	for k, p := range Scan4 {
		for m := range 256 {
			t[p>>3][m] |= uint16(m>>(p&7)&1) << k
		}
	}
	return t
}()

// TakeDC returns the first coefficient and leaves zero.
func (v *Lanes4) TakeDC() int16 {
	dc := Lane(v[0], 0)
	v[0] -= int64(dc)
	return dc
}

// Words4 replaces levels, as quantizer.Words4 leaves them, by coefficients.
func (s *Scaler) Words4(v *Lanes4) {
	const sign = 0x8000 * Lanes2
	for x, w := range v {
		c := biased(w)
		even, odd := int64(c&laneEven)-sign, int64(c>>16&laneEven)-sign
		v[x] = even*int64(s.Four[4*x]) + odd*int64(s.Four[4*x+1])<<16
	}
}
