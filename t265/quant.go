package t265

import "math/bits"

// Quantisation of the hw tier: fixed point, one coefficient at a time, then
// sign data hiding one sub-block at a time. No rule depends on coded bins.

// quantScale by QP modulo 6: 2^20 / levelScale.
var quantScale = [6]uint32{26214, 23302, 20560, 18396, 16384, 14564}

// A quantizer turns coefficients into levels.
type quantizer struct {
	scale uint32 // 15 bits
	fine  uint   // shift to 1/64 steps, 15 + QP/6 - log2: 10..21
	// limit is the largest fraction of a step, in 1/64, at which a magnitude
	// of one whole step or more is rounded down; extra is what one below a
	// whole step has in addition.
	limit, extra int32
	hide         bool
}

// Rounding thresholds in 1/64 step. Above one half, they trade distortion for
// rate: a step up from zero costs about three bits, later ones about one.
const (
	roundFrom0 = 39
	roundFrom1 = 36
	roundOff   = 32 // without the dead zone
)

func newQuantizer(qp, log2 int, deadZone, hide bool) quantizer {
	q := quantizer{scale: quantScale[qp%6], fine: uint(15 + qp/6 - log2), limit: roundOff - 1, hide: hide}
	if deadZone {
		q.limit, q.extra = roundFrom1-1, roundFrom0-roundFrom1
	}
	return q
}

// block quantises the coefficients of a block of size 1<<log2 into lev and
// mask, in coding order. It returns whether a level is not zero, the squared
// error in 1/4096 squared steps, and an estimate of the bits in 1/16.
func (q *quantizer) block(lev []int16, mask []uint16, coef *[1024]int32, log2, scanIdx int) (any bool, dist, rate int) {
	scan := &scans[log2-2][scanIdx]
	all := uint32(0)
	var off [16]int8
	for i := range mask {
		at := int(scan.subY[i&63])<<(log2+2) + int(scan.subX[i&63])<<2
		out := (*[16]int16)(lev[i*16:])
		m, sum, d := q.subBlock(out, &off, coef, at, &scan.raster)
		dist += d
		if q.hide && m&(m-1) != 0 && bits.Len32(m)-bits.TrailingZeros32(m) > 4 {
			if sum&1 != 0 != (out[bits.TrailingZeros32(m)&15] < 0) {
				var d, step int
				m, d, step = hideSign(out, m, &off, coef, at, &scan.raster)
				dist += d
				sum += uint32(step)
			}
		}
		mask[i] = uint16(m)
		all |= m
		rate += subBlockRate(m, sum)
	}
	return all != 0, dist, rate + int(blockRate[log2])
}

// subBlock quantises 16 coefficients, which lie at offsets from at, and
// returns the mask and the sum of the magnitudes of the levels and the squared
// error. off receives the errors of the levels in 1/64 step.
func (q *quantizer) subBlock(out *[16]int16, off *[16]int8, coef *[1024]int32, at int, raster *[16]uint16) (m, sum uint32, dist int) {
	fine, scale := q.fine&31, q.scale
	limit, extra := q.limit, q.extra
	var sq int32 // below 16 * 64 * 64
	for k := range raster {
		c := coef[(at+int(raster[k]))&1023]
		s := c >> 31
		w := int32(uint32((c^s)-s) * scale >> fine) // magnitude in 1/64 step
		l := w >> 6
		l -= (limit + extra&((l-1)>>31) - w&63) >> 31
		d := w - l<<6
		off[k] = int8(d)
		sq += d * d
		out[k] = int16((l ^ s) - s)
		m = m>>1 | uint32(-l)>>31<<15
		sum += uint32(l)
	}
	return m, sum, int(sq)
}

// blockRate is the estimated side information of a block by log2 of its size,
// patternRate that of the significance of a sub-block by the number of its
// nonzero levels: half a bit and log2 of the binomial coefficient. 1/16 bit.
var (
	blockRate   = [6]uint8{2: 26, 3: 44, 4: 80, 5: 112}
	patternRate = [17]uint8{8, 72, 119, 154, 181, 202, 216, 226, 229, 226, 216, 202, 181, 154, 119, 72, 8}
)

// subBlockRate estimates the bits of a sub-block in 1/16: the pattern, the
// signs, and the magnitudes less one in a Golomb-Rice code whose parameter
// suits their mean. sum is the sum of the magnitudes.
func subBlockRate(m, sum uint32) int {
	nz := uint32(bits.OnesCount32(m))
	rate := int(patternRate[nz&31%17])
	if nz == 0 {
		return rate
	}
	k := uint32(bits.Len32(sum/nz)) - 1
	return rate + int(nz+nz*(k+1)+(sum-nz)>>k)<<4
}

// hideSign makes the parity of the sum of the levels of a sub-block, which is
// wrong, say the sign of the level at the lowest scan position (clause
// 7.4.9.11): the level whose change costs least, the lowest of equals, moves
// by one towards its coefficient. The cost is the change of the squared error
// in 1/64 squared steps, plus hideCost if the level grows, less hideCost if it
// shrinks, plus hideCost if it was zero. off holds the errors of the levels.
// It returns the new mask, the change of the squared error in 1/4096 squared
// steps, and the step.
func hideSign(lev *[16]int16, m uint32, off *[16]int8, coef *[1024]int32, at int, raster *[16]uint16) (uint32, int, int) {
	lowest := bits.TrailingZeros32(m)
	negative := int32(lev[lowest&15]) >> 31
	best := int32(1 << 30) // cost << 4 | k
	for k := 15; k >= 0; k-- {
		e := int32(off[k])
		a := e >> 31
		cost := 64 - 2*((e^a)-a) + (hideCost ^ a - a) + (int32(m>>k&1)-1)&hideCost
		key := cost<<4 | int32(k)
		if k <= lowest {
			if k < lowest && coef[(at+int(raster[k]))&1023]>>31 != negative {
				continue // it would become the level whose sign is hidden
			}
			if k == lowest && e < 0 && lev[k] == 1|int16(negative) {
				continue // another level would carry the hidden sign
			}
		}
		best = min(best, key)
	}
	k := int(best & 15)
	e := int(off[k])
	step := 1 | e>>31
	s := coef[(at+int(raster[k]))&1023] >> 31
	lev[k] += int16((int32(step) ^ s) - s)
	m &^= 1 << k
	if lev[k] != 0 {
		m |= 1 << k
	}
	return m, (64 - 2*e*step) << 6, step
}

// hideCost is the price of one more unit of a level in 1/64 squared step.
const hideCost = 4

// scaleLevels writes the scaled coefficients of a block to coef, which must be
// zero, and returns where they lie.
func (s *scaler) scaleLevels(coef *pairs, lev []int16, mask []uint16, log2, scanIdx int) extent {
	scan := &scans[log2-2][scanIdx]
	var ext extent
	for i, m := range mask {
		if m == 0 {
			continue
		}
		sx, sy := int(scan.subX[i&63]), int(scan.subY[i&63])
		ext.cols |= 1 << sx
		ext.rows = max(ext.rows, 4*sy+4)
		at := sy<<(log2+2) + sx<<2
		in := lev[i*16:][:16]
		for ; m != 0; m &= m - 1 {
			k := bits.TrailingZeros16(m) & 15
			w := at + int(scan.raster[k])
			coef[w>>1&511] += int64(s.coefficient(int32(in[k]))) << (uint(w) & 1 << 5)
		}
	}
	return ext
}
