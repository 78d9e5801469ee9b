package t264

import (
	"math/rand/v2"
	"testing"
)

// TestWords4: levels and coefficients of words are those of block4 and restore4,
// from the smallest coefficients to the largest, and at each threshold.
func TestWords4(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for qp := range quantizers {
		for _, r := range []rounder{deadZone, nearest} {
			q, s := quantizers[qp], &scalers[qp]
			q.rounder = r
			for i := range 4000 {
				var coef, want, got [16]int16
				var v block4
				limit := 2 << rng.IntN(13)
				for p := range coef {
					if i%3 == 0 && rng.IntN(8) > 0 {
						continue
					}
					coef[p] = int16(rng.IntN(2*limit+1) - limit)
					if i%2 == 0 { // near a threshold
						steps := float64(rng.IntN(4)) + []float64{32. / 64, 35. / 64, 38. / 64, 54. / 64}[rng.IntN(4)]
						coef[p] = int16((1 - 2*rng.IntN(2)) * min(int(steps*float64(uint64(1)<<q.shift)/float64(q.four[p]))+rng.IntN(3)-1, 9180))
					}
				}
				for p, c := range coef {
					v[p>>2] += int64(c) << (16 * (p & 3))
				}
				mask := q.block4(&want, &coef, 0)
				if coded := q.words4(&v); coded != (mask != 0) {
					t.Fatalf("QP %d, %v, coefficients %v: coded %v", qp, r, coef, coded)
				}
				v.scan(&got)
				if got != want {
					t.Fatalf("QP %d, %v, coefficients %v:\ngot  %v\nwant %v", qp, r, coef, got, want)
				}
				var back block4
				s.restore4(&back, &want, mask)
				s.words4(&v)
				if v != back {
					t.Fatalf("QP %d, levels %v: %x, want %x", qp, got, v, back)
				}
			}
		}
	}
}
