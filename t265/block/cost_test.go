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

// TestRowsCost compares the cost of a residual with that of its coefficients, and its limit.
func TestRowsCost(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	stopped, large := 0, 0
	for trial := range 3000 {
		log2, qp := 3+trial%2, rng.IntN(52)
		n := 1 << log2
		q := NewQuantizer(qp, log2, trial%3 > 0, false)
		var src, pred [256]byte
		noise := rng.IntN(256)
		for i := range n * n {
			src[i], pred[i] = byte(rng.IntN(noise+1)), byte(255-rng.IntN(noise+1))
			if trial%7 == 0 {
				src[i], pred[i] = byte(-(rng.IntN(noise+1) & 1)), byte(-(i>>2 + i>>6&1))
			}
		}
		var res Pairs
		var coef [1024]int32
		SubtractRows(&res, src[:], n, pred[:], n)
		ForwardRows(&coef, &res, log2, false)
		want := q.Cost(&coef, log2, Never)
		for _, limit := range []int{Never, want + 1} {
			if got := q.RowsCost(&res, log2, limit); got != want {
				t.Fatalf("trial %d: cost %d with limit %d, want %d", trial, got, limit, want)
			}
		}
		limit := rng.IntN(want + 1)
		got := q.RowsCost(&res, log2, limit)
		if got < limit || got > want {
			t.Fatalf("trial %d: cost %d with limit %d, want it from there to %d", trial, got, limit, want)
		}
		if got < want {
			stopped++
		}
		for _, c := range coef[:n*n] {
			if uint64(abs(int(c)))*uint64(q.scale)>>q.fine >= stepRange {
				large++
				break
			}
		}
	}
	if stopped < 500 || large < 300 || large > 2700 {
		t.Errorf("%d of the limits ended a block; %d blocks have levels that the table does not hold", stopped, large)
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
