package block

import (
	"math/rand/v2"
	"testing"
)

// TestCost compares the cost of a block with that of its levels when no signs are
// hidden, up to levels that the table does not hold, and its limit.
func TestCost(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 48))
	stopped := 0
	for trial := range 2000 {
		log2, qp := 2+trial%4, rng.IntN(52)
		n := 1 << log2
		q := NewQuantizer(qp, log2, trial%3 > 0, false)
		var coef [1024]int32
		for i := range n * n {
			c := rng.NormFloat64() * float64(int(4)<<(qp/6+2*(trial/20%6)))
			coef[i] = int32(max(-32768, min(c, 32767)))
		}
		var lev [1024]int16
		var mask [64]uint16
		l := LevelsIn(lev[:], mask[:], log2, ScanDiag)
		_, dist, rate := q.Block(&l, &coef)
		want := dist + rate*BitPrice>>4
		if got := q.Cost(&coef, log2, Never); got != want {
			t.Fatalf("trial %d: cost %d, want %d", trial, got, want)
		}
		if got := q.Cost(&coef, log2, want+1); got != want {
			t.Fatalf("trial %d: cost %d below the limit, want %d", trial, got, want)
		}
		limit := rng.IntN(want + 1)
		got := q.Cost(&coef, log2, limit)
		if got < limit || got > want {
			t.Fatalf("trial %d: cost %d with limit %d, want it from there to %d", trial, got, limit, want)
		}
		if got < want {
			stopped++
		}
	}
	if stopped < 100 {
		t.Errorf("only %d of the limits ended a block", stopped)
	}
}

// TestSkipCosts compares the cost of a transform skip block with that of its levels.
func TestSkipCosts(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 50))
	for qp := range 52 {
		for _, deadZone := range []bool{true, false} {
			q := NewQuantizer(qp, 2, deadZone, false)
			var table SkipCosts
			table.Load(&q)
			for trial := range 100 {
				const stride = 7
				n := 1 << (trial % 9)
				var src [4 * stride]byte
				var pred [16]byte
				for i := range src {
					src[i] = byte(128 + (rng.IntN(n)-n/2)*255/256)
				}
				for i := range pred {
					pred[i] = byte(128 + (rng.IntN(n)-n/2)*255/256)
				}
				var lev [16]int16
				var mask [1]uint16
				l := LevelsIn(lev[:], mask[:], 2, ScanDiag)
				_, dist, rate := q.SkipBlock(&l, src[:], stride, pred[:])
				if got, want := table.Cost(src[:], stride, pred[:]), dist+rate*BitPrice>>4; got != want {
					t.Fatalf("QP %d, trial %d: cost %d, want %d", qp, trial, got, want)
				}
			}
		}
	}
}
