package block

import (
	"math/rand/v2"
	"testing"
)

// TestRestoreEdges: last row and last column are those of Restore, whatever levels there are.
func TestRestoreEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	var r, edges Restorer
	var lev [256]int16
	var mask [16]uint16
	for round := range 4000 {
		log2 := 3 + round&1
		n := 1 << log2
		s := NewScaler(rng.IntN(52), log2)
		l := LevelsIn(lev[:], mask[:], log2, rng.IntN(3))
		size, share := 1<<rng.IntN(15), rng.Float64()
		for i := range l.Mask {
			if l.Mask[i] = uint16(rng.Uint32()); rng.Float64() < share {
				l.Mask[i] = 0
			}
		}
		for i := range l.Lev {
			l.Lev[i] = int16(rng.IntN(2*size) - size)
		}
		var want, got [256]uint8
		for i := range want {
			want[i] = uint8(rng.Uint32())
		}
		got = want
		r.Restore(want[:n*n], n, &s, &l, false)
		edges.RestoreEdges(got[:n*n], &s, &l)
		for i := range n {
			for _, at := range [2]int{i*n + n - 1, n*(n-1) + i} {
				if got[at] != want[at] {
					t.Fatalf("round %d: sample %d of %dx%d is %d, want %d", round, at, n, n, got[at], want[at])
				}
			}
		}
	}
}
