package t265

// Scaling of transform coefficient levels (clause 8.6.4.2) with flat lists.

// levelScale by QP modulo 6.
var levelScale = [6]int32{40, 45, 51, 57, 64, 72}

// A scaler turns levels into coefficients: (level*scale + round) >> shift,
// limited to 16 bits.
type scaler struct {
	scale int64 // m * levelScale << QP/6: 19 bits
	round int64
	shift uint // bdShift, BitDepth + log2 - 5
}

func newScaler(qp, log2 int) scaler {
	shift := uint(log2 + 3)
	return scaler{
		scale: 16 * int64(levelScale[qp%6]) << (qp / 6),
		round: 1 << (shift - 1),
		shift: shift,
	}
}

// coefficient returns the scaled level, s16; level is s16.
func (s *scaler) coefficient(level int32) int32 {
	v := (int64(level)*s.scale + s.round) >> (s.shift & 63)
	if v != int64(int16(v)) {
		if v < 0 {
			return -32768
		}
		return 32767
	}
	return int32(v)
}
