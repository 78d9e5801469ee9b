package block

import "math/bits"

// Scaling of transform coefficient levels (clauses 8.5.9 to 8.5.13) with flat
// lists, Flat_4x4_16 and Flat_8x8_16.

// NormAdjust4 is v of equation 8-315: columns for positions with both
// coordinates even, both odd, and others.
var NormAdjust4 = [6][3]int32{{10, 16, 13}, {11, 18, 14}, {13, 20, 16}, {14, 23, 18}, {16, 25, 20}, {18, 29, 23}}

// NormAdjust8 is v of equation 8-318, by Class8.
var NormAdjust8 = [6][6]int32{
	{20, 18, 32, 19, 25, 24}, {22, 19, 35, 21, 28, 26}, {26, 23, 42, 24, 33, 31},
	{28, 25, 45, 26, 35, 33}, {32, 28, 51, 30, 40, 38}, {36, 32, 58, 34, 46, 43},
}

func class4(x, y int) int {
	switch {
	case x&1 == 0 && y&1 == 0:
		return 0
	case x&1 == 1 && y&1 == 1:
		return 1
	}
	return 2
}

func Class8(x, y int) int {
	switch {
	case x&3 == 0 && y&3 == 0:
		return 0
	case x&1 == 1 && y&1 == 1:
		return 1
	case x&3 == 2 && y&3 == 2:
		return 2
	case x&3 == 0 && y&1 == 1 || x&1 == 1 && y&3 == 0:
		return 3
	case x&1 == 0 && y&1 == 0:
		return 4
	}
	return 5
}

// A Scaler turns levels into coefficients, for one QP. Scales are by position
// (see Scan4); a flat list's weight of 16 cancels against the shifts.
//
//	4x4 and AC  level * four[p]
//	8x8         (level * eight[p] + 2) >> 2
//	DC          (sum * four[0] + 2) >> 2
type Scaler struct {
	Four  [16]int32 // v << QP/6: 13 bits
	Eight [64]int32 // v << QP/6: 14 bits
}

var Scalers = func() (t [52]Scaler) {
	for qp := range t {
		for p := range t[qp].Four {
			t[qp].Four[p] = NormAdjust4[qp%6][class4(p>>2, p&3)] << (qp / 6)
		}
		for p := range t[qp].Eight {
			t[qp].Eight[p] = NormAdjust8[qp%6][Class8(p>>3, p&7)] << (qp / 6)
		}
	}
	return t
}()

// DCCoefficient scales a sum of InverseDC.
func (s *Scaler) DCCoefficient(sum int32) int32 { return (sum*s.Four[0] + 2) >> 2 }

// Restore4 scales the levels of a 4x4 block whose bits are set in mask; v is
// overwritten.
func (s *Scaler) Restore4(v *Lanes4, lev *[16]int16, mask uint64) {
	*v = Lanes4{}
	for ; mask != 0; mask &= mask - 1 {
		k := bits.TrailingZeros64(mask) & 15
		p := Scan4[k] & 15
		v[p>>2] += int64(int32(lev[k])*s.Four[p]) << (16 * (p & 3))
	}
}

// Restore8 is Restore4 for an 8x8 block.
func (s *Scaler) Restore8(v *Lanes8, lev *[64]int16, mask uint64) {
	*v = Lanes8{}
	for ; mask != 0; mask &= mask - 1 {
		k := bits.TrailingZeros64(mask) & 63
		p := Scan8[k] & 63
		v[p>>2] += int64((int32(lev[k])*s.Eight[p]+2)>>2) << (16 * (p & 3))
	}
}
