package block

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/codectest"
)

// TestBlock4 compares the 4x4 arithmetic with that of any size.
func TestBlock4(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 82))
	for i := range 2000 {
		qp := rng.IntN(52)
		src, pred := make([]byte, 64), make([]byte, 16)
		for j := range src {
			src[j] = byte(rng.Uint32())
		}
		for j := range pred {
			pred[j] = byte(rng.Uint32())
		}
		if i%3 == 0 { // extremes
			for j := range src {
				src[j] = 255 * (src[j] & 1)
			}
			for j := range pred {
				pred[j] = 255 * (pred[j] & 1)
			}
		}
		var diff Pairs
		Subtract(&diff, src, 16, pred, 4)
		var got, want [2][1024]int32 // transformed, scaled for transform skip
		Forward4x4(&got[0], &got[1], src, 16, pred)
		Forward(&want[0], &diff, 2, true)
		ForwardSkip(&want[1], &diff)
		for kind := range want {
			for j := range 16 {
				if got[kind][j] != want[kind][j] {
					t.Fatalf("block %d kind %d: coefficient %d is %d, want %d", i, kind, j, got[kind][j], want[kind][j])
				}
			}
		}

		idx := i % 3
		lev, mask := codectest.Levels(rng, 2, []float64{1, 10, 300}[i/3%3])
		s, l := NewScaler(qp, 2), LevelsIn(lev, mask, 2, idx)
		for kind := range 2 {
			a, b := make([]byte, 64), make([]byte, 64)
			copy(a, src)
			copy(b, src)
			Restore4x4(a, 16, &s, &l, kind == 1)
			var w Restorer
			w.Restore(b, 16, &s, &l, kind == 1)
			for j := range a {
				if a[j] != b[j] {
					t.Fatalf("block %d kind %d QP %d: sample %d is %d, want %d", i, kind, qp, j, a[j], b[j])
				}
			}
		}
	}
}
