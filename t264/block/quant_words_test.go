package block

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// slow4 is Lanes4 by its definition, one coefficient at a time.
func (q *Quantizer) slow4(lev, coef *[16]int16) uint64 {
	m := uint64(0)
	for k, p := range Scan4 {
		lev[k] = q.Rounder.level(int32(coef[p]), q.Four[p], q.Shift)
		m |= notZero(lev[k]) << k
	}
	if bits.OnesCount64(m) != 1 {
		return m
	}
	k := bits.TrailingZeros64(m)
	p := Scan4[k]
	if t := uint32(Abs32(int32(coef[p]))) * q.Four[p]; Abs32(int32(lev[k])) > 1 || t>>(q.Shift-6) >= q.Rounder.alone {
		return m
	}
	lev[k] = 0
	return 0
}

// TestWords4: levels and coefficients of words are those of slow4 and Restore4,
// from the smallest coefficients to the largest, and at each threshold.
func TestWords4(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for qp := range Quantizers {
		for _, r := range []rounder{DeadZone, Nearest} {
			q, s := Quantizers[qp], &Scalers[qp]
			q.Rounder = r
			for i := range 4000 {
				var coef, want, got [16]int16
				var v Lanes4
				limit := 2 << rng.IntN(13)
				for p := range coef {
					if i%3 == 0 && rng.IntN(8) > 0 {
						continue
					}
					coef[p] = int16(rng.IntN(2*limit+1) - limit)
					if i%2 == 0 { // near a threshold
						steps := float64(rng.IntN(4)) + []float64{32. / 64, 35. / 64, 38. / 64, 54. / 64}[rng.IntN(4)]
						coef[p] = int16((1 - 2*rng.IntN(2)) * min(int(steps*float64(uint64(1)<<q.Shift)/float64(q.Four[p]))+rng.IntN(3)-1, 9180))
					}
				}
				for p, c := range coef {
					v[p>>2] += int64(c) << (16 * (p & 3))
				}
				mask := q.slow4(&want, &coef)
				got[3] = 1 // overwritten
				if m := q.Quantise4(&got, &v); got != want || m != mask {
					t.Fatalf("QP %d, %v, coefficients %v:\ngot  %v, %016b\nwant %v, %016b", qp, r, coef, got, m, want, mask)
				}
				var back Lanes4
				s.Restore4(&back, &want, mask)
				s.Words4(&v)
				if v != back {
					t.Fatalf("QP %d, levels %v: %x, want %x", qp, got, v, back)
				}
			}
		}
	}
}
