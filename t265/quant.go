package t265

import "math/bits"

// Quantisation of the hw tier: fixed point, one coefficient at a time, then
// sign data hiding one sub-block at a time. No rule depends on coded bins.

// quantScale by QP modulo 6: 2^20 / levelScale.
var quantScale = [6]uint32{26214, 23302, 20560, 18396, 16384, 14564}

// A quantizer turns coefficients into levels.
type quantizer struct {
	scale uint32 // 15 bits
	shift uint   // 21 + QP/6 - log2: 16..27
	// threshold is the fraction of a step, scaled by 1<<shift, from which a
	// magnitude of 0, 1, and 2 or more whole steps is rounded up.
	threshold [3]uint32
	hide      bool
}

// Rounding thresholds in 1/64 step. Above one half, they trade distortion for
// rate: a step up from zero costs about three bits, later ones about one.
const (
	roundFrom0 = 41
	roundFrom1 = 37
	roundFrom2 = 36
	roundOff   = 32 // without the dead zone
)

func newQuantizer(qp, log2 int, deadZone, hide bool) quantizer {
	q := quantizer{scale: quantScale[qp%6], shift: uint(21 + qp/6 - log2), hide: hide}
	t := [3]uint32{roundFrom0, roundFrom1, roundFrom2}
	if !deadZone {
		t = [3]uint32{roundOff, roundOff, roundOff}
	}
	for i := range t {
		q.threshold[i] = t[i] << (q.shift - 6)
	}
	return q
}

// block quantises the coefficients of a block of size 1<<log2 into lev and
// mask, in coding order, and reports whether a level is not zero.
func (q *quantizer) block(lev []int16, mask []uint16, coef *[1024]int32, log2, scanIdx int) bool {
	scan := &scans[log2-2][scanIdx]
	any := uint16(0)
	shift := q.shift & 31
	fracMask := uint32(1)<<shift - 1
	raster := &scan.raster
	t0, t1, t2 := q.threshold[0], q.threshold[1], q.threshold[2]
	for i := range mask {
		at := int(scan.subY[i&63])<<(log2+2) + int(scan.subX[i&63])<<2
		out := lev[i*16:][:16]
		m := uint16(0)
		for k := range out {
			c := coef[(at+int(raster[k&15]))&1023]
			s := c >> 31
			t := uint32((c^s)-s) * q.scale // below 2^30
			l := t >> shift
			limit := t2
			if l == 0 {
				limit = t0
			} else if l == 1 {
				limit = t1
			}
			if t&fracMask >= limit {
				l++
			}
			out[k] = int16((int32(l) ^ s) - s)
			if l != 0 {
				m |= 1 << k
			}
		}
		if q.hide && m&(m-1) != 0 && bits.Len16(m)-bits.TrailingZeros16(m) > 4 {
			m = q.hideSign(out, m, coef, at, raster)
		}
		mask[i] = m
		any |= m
	}
	return any != 0
}

// hideSign makes the parity of the sum of the levels of a sub-block say the
// sign of the level at the lowest scan position (clause 7.4.9.11): where it
// does not, the level whose change costs least moves by one. A cost is the
// change of the squared error in 1/64 squared steps plus hideRate for each bit
// that the change is worth.
func (q *quantizer) hideSign(lev []int16, m uint16, coef *[1024]int32, at int, raster *[16]uint16) uint16 {
	lev = lev[:16]
	parity := uint32(0)
	for _, v := range lev {
		parity ^= uint32(v)
	}
	lowest := bits.TrailingZeros16(m)
	negative := lev[lowest&15] < 0
	if parity&1 != 0 == negative {
		return m
	}
	best, bestAt, bestStep := int32(1<<30), 0, int32(0)
	for k := range lev {
		c := coef[(at+int(raster[k&15]))&1023]
		s := c >> 31
		t := uint32((c^s)-s) * q.scale
		l := int32(lev[k])
		l = (l ^ l>>31) - l>>31
		// error of the level in 1/64 step, above -64
		e := int32(t>>(q.shift-6)) - l<<6
		var cost, step int32
		if e >= 0 {
			step = 1
			cost = 64 - 2*e + hideUp
			if l == 0 {
				if k < lowest && c < 0 != negative {
					continue // it would become the level whose sign is hidden
				}
				cost += hideNew
			}
		} else {
			step = -1
			cost = 64 + 2*e - hideUp
			if l == 1 {
				if k == lowest {
					continue // another level would carry the hidden sign
				}
				cost -= hideNew
			}
		}
		if cost < best {
			best, bestAt, bestStep = cost, k, step
		}
	}
	k := bestAt & 15
	if v := int32(lev[k]); v < 0 || v == 0 && coef[(at+int(raster[k]))&1023] < 0 {
		lev[k] -= int16(bestStep)
	} else {
		lev[k] += int16(bestStep)
	}
	if lev[k] != 0 {
		return m | 1<<k
	}
	return m &^ (1 << k)
}

// Costs of hideSign in 1/64 squared step: of one more unit of a level, and of
// a level that was zero.
const (
	hideUp  = 8
	hideNew = 12
)

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
