package t264

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// slow4 is block4 by its definition, one coefficient at a time.
func (q *quantizer) slow4(lev, coef *[16]int16) uint64 {
	m := uint64(0)
	for k, p := range scan4 {
		lev[k] = q.rounder.level(int32(coef[p]), q.four[p], q.shift)
		m |= notZero(lev[k]) << k
	}
	if bits.OnesCount64(m) != 1 {
		return m
	}
	k := bits.TrailingZeros64(m)
	p := scan4[k]
	if t := uint32(abs32(int32(coef[p]))) * q.four[p]; abs32(int32(lev[k])) > 1 || t>>(q.shift-6) >= q.rounder.alone {
		return m
	}
	lev[k] = 0
	return 0
}

// TestWords4: levels and coefficients of words are those of slow4 and restore4,
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
				mask := q.slow4(&want, &coef)
				got[3] = 1 // overwritten
				if m := q.block4(&got, &v); got != want || m != mask {
					t.Fatalf("QP %d, %v, coefficients %v:\ngot  %v, %016b\nwant %v, %016b", qp, r, coef, got, m, want, mask)
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
