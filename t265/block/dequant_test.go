package block

import (
	"math/rand/v2"
	"testing"
)

// TestScaleLevels compares with the scaling of one level at a time, beyond
// the limits of 16 bits too.
func TestScaleLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 48))
	for trial := range 2000 {
		log2, qp, idx := 2+trial%4, rng.IntN(52), 0
		if log2 < 4 {
			idx = rng.IntN(3)
		}
		n := 1 << log2
		s := NewScaler(qp, log2)
		most := 1 + 36000<<s.shift/int(s.scale)>>rng.IntN(12)
		lev, mask := make([]int16, n*n), make([]uint16, n*n/16)
		var got, want Pairs
		for range rng.IntN(n*n) + 1 {
			i := rng.IntN(n * n)
			lev[i] = int16(max(-32768, min(rng.IntN(2*most+1)-most, 32767)))
		}
		scan := &Scans[log2-2][idx]
		var cols uint8
		rows := 0
		for i, v := range lev {
			if v == 0 {
				continue
			}
			if i%7 == 3 {
				continue // the mask decides
			}
			mask[i/16] |= 1 << (i % 16)
			x, y := int(scan.SubX[i/16])*4+int(scan.PosX[i%16]), int(scan.SubY[i/16])*4+int(scan.PosY[i%16])
			want[(y*n+x)/2] += int64(s.Coefficient(int32(v))) << (32 * (x % 2))
			cols |= 1 << (x / 4)
			rows = max(rows, y&^3+4)
		}
		l := LevelsIn(lev, mask, log2, idx)
		if ext := s.ScaleLevels(&got, &l); got != want || ext.Cols != cols || ext.Rows != rows {
			t.Fatalf("trial %d: size %d, QP %d: coefficients or extent %v differ, want %d rows, columns %#x", trial, n, qp, ext, rows, cols)
		}
	}
}
