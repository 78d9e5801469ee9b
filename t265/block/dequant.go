package block

import "math/bits"

// Scaling of transform coefficient levels (clause 8.6.4.2) with flat lists.

// LevelScale is levelScale by QP modulo 6.
var LevelScale = [6]int32{40, 45, 51, 57, 64, 72}

// A Scaler turns levels into coefficients: (level*scale + round) >> shift,
// limited to 16 bits.
type Scaler struct {
	scale int64 // m * LevelScale << QP/6: 19 bits
	round int64
	shift uint // bdShift, BitDepth + log2 - 5
}

// NewScaler returns the Scaler of blocks of size 1<<log2 at a QP of 0..51.
func NewScaler(qp, log2 int) Scaler {
	shift := uint(log2 + 3)
	return Scaler{
		scale: 16 * int64(LevelScale[qp%6]) << (qp / 6),
		round: 1 << (shift - 1),
		shift: shift,
	}
}

// Coefficient returns the scaled level, s16; level is s16.
func (s *Scaler) Coefficient(level int32) int32 {
	v := (int64(level)*s.scale + s.round) >> (s.shift & 63)
	if v != int64(int16(v)) {
		if v < 0 {
			return -32768
		}
		return 32767
	}
	return int32(v)
}

// RestoreSkip adds the residual of a transform skip block to the prediction in
// dst: scaling, InverseSkip and reconstruction of 16 samples.
func (s *Scaler) RestoreSkip(dst []byte, stride int, l *Levels) {
	in := (*[16]int16)(l.Lev)
	order := &Scans[0][l.Scan].PosAt
	for y := range 4 {
		row := dst[y*stride:][:4]
		for x := range row {
			c := s.Coefficient(int32(in[order[4*y+x]&15]))
			row[x] = clip8(int32(row[x]) + (c<<7+1<<11)>>12)
		}
	}
}

// ScaleLevels writes the scaled coefficients of a block to coef, which must be
// zero, and returns where they lie.
func (s *Scaler) ScaleLevels(coef *Pairs, l *Levels) Extent {
	lev, scan := l.Lev, l.Order()
	var ext Extent
	for i, m := range l.Mask {
		if m == 0 {
			continue
		}
		sx, sy := int(scan.SubX[i&63]), int(scan.SubY[i&63])
		ext.Cols |= 1 << sx
		ext.Rows = max(ext.Rows, 4*sy+4)
		at := sy<<(l.Log2+2) + sx<<2
		in := lev[i*16:][:16]
		for ; m != 0; m &= m - 1 {
			k := bits.TrailingZeros16(m) & 15
			w := at + int(scan.Raster[k])
			coef[w>>1&511] += int64(s.Coefficient(int32(in[k]))) << (uint(w) & 1 << 5)
		}
	}
	return ext
}
