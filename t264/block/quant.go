package block

// Quantisation of the hw tier: fixed point, one coefficient at a time, but for
// the single level of a 4x4 block. No rule depends on coded bins.

// A Quantizer turns coefficients of one QP into levels. A magnitude c gives
// t = c*scale[p]; t>>shift whole steps, and one more where the rest of t
// reaches a threshold.
type Quantizer struct {
	Four    [16]uint32 // by position (see Scan4): 2^17 gain / NormAdjust4, 14 bits
	Eight   [64]uint32 // 2^18 gain / NormAdjust8, 15 bits
	Shift   uint       // of 4x4 and AC, 15 + QP/6; 8x8 one more, DC two more
	Rounder rounder
}

// A rounder holds thresholds in 1/64 step.
type rounder struct {
	up    [2]uint32 // the rest from which 0, and 1 or more whole steps are rounded up
	alone uint32    // the magnitude from which a 4x4 block may hold a single level of one
}

// Above one half, thresholds trade distortion for rate. The only level of a
// block pays for the coded block and its end as well.
var (
	DeadZone = rounder{[2]uint32{38, 35}, 54}
	Nearest  = rounder{[2]uint32{32, 32}, 0}
)

// gains are, by class of position, the product over both directions of the
// squared norm of basis function 0 over that of the position's: 4 to 5 for the
// odd functions of 4 points; 8 to 5 for functions 2 and 6 of 8 points, and 256
// to 289 for the odd ones.
var (
	gains4 = [3][2]uint64{{1, 1}, {16, 25}, {4, 5}}
	gains8 = [6][2]uint64{{1, 1}, {256 * 256, 289 * 289}, {64, 25}, {256, 289}, {8, 5}, {256 * 8, 289 * 5}}
)

var Quantizers = func() (t [52]Quantizer) {
	ratio := func(g [2]uint64, one uint64, v int32) uint32 {
		d := g[1] * uint64(v)
		return uint32((one*g[0] + d/2) / d)
	}
	for qp := range t {
		q := &t[qp]
		q.Shift = uint(15 + qp/6)
		for p := range q.Four {
			c := class4(p>>2, p&3)
			q.Four[p] = ratio(gains4[c], 1<<17, NormAdjust4[qp%6][c])
		}
		for p := range q.Eight {
			c := Class8(p>>3, p&7)
			q.Eight[p] = ratio(gains8[c], 1<<18, NormAdjust8[qp%6][c])
		}
	}
	return t
}()

// level quantises c with a scale and shift; r is in units of 1/64.
func (r *rounder) level(c int32, scale uint32, shift uint) int16 {
	s := c >> 31
	t := uint32((c^s)-s) * scale // below 2^30
	l := t >> (shift & 31)
	rest := t >> ((shift - 6) & 31) & 63
	l += 1 - (rest-r.up[min(l, 1)])>>31 // rounded up where rest reaches the threshold
	return int16((int32(l) ^ s) - s)
}

// notZero is 1 for a level that is not zero.
func notZero(l int16) uint64 { return uint64(uint32(int32(l)|-int32(l)) >> 31) }

// Quantise8 quantises 64 coefficients by position into levels by scan position, and
// returns the mask of those not zero.
func (q *Quantizer) Quantise8(lev, coef *[64]int16) uint64 {
	m := uint64(0)
	for k := range lev {
		p := Scan8[k] & 63
		l := q.Rounder.level(int32(coef[p]), q.Eight[p], q.Shift+1)
		lev[k] = l
		m |= notZero(l) << (k & 63)
	}
	return m
}

// QuantiseDC is Lanes8 for the sums of InverseDC, s17, of 16 DC coefficients.
func (q *Quantizer) QuantiseDC(lev *[16]int16, sum *[16]int32) uint64 {
	m := uint64(0)
	for k := range lev {
		l := q.Rounder.level(sum[Scan4[k]&15], q.Four[0], q.Shift+2)
		lev[k] = l
		m |= notZero(l) << (k & 63)
	}
	return m
}

func Abs32(v int32) int {
	s := v >> 31
	return int((v ^ s) - s)
}
