package block

import (
	"math/rand/v2"
	"testing"
)

// TestOpenMode: the mode is that of the least sum of costs of the residuals of
// predictions that are formed sample by sample.
func TestOpenMode(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var src [1024]uint8
	var seen [4]int
	for round := range 4000 {
		log2 := 3 + round%3
		n := 1 << log2
		var b OpenBorder
		dx, dy, noise := rng.IntN(9)-4, rng.IntN(9)-4, 1+rng.IntN(1<<rng.IntN(8))
		sample := func(x, y int) uint8 {
			return uint8(min(max(128+x*dx+y*dy+rng.IntN(noise)-noise/2, 0), 255))
		}
		for y := range n {
			b.Above[y], b.Left[y] = sample(y, -1), sample(-1, y)
			for x := range n {
				src[n*y+x] = sample(x, y)
			}
		}
		left, above := rng.IntN(4) > 0, rng.IntN(4) > 0
		b.Substitute(n, left, above)
		qp := rng.IntN(52)
		var costs [4]int
		for lane := range costs {
			costs[lane] = min(lane, 1) * OpenPrice
			var tile [64]int32
			for at := 0; at < n*n; at += 64 {
				tx, ty := at>>3%n, at>>3/n*8
				sum := n
				for i := range n {
					sum += int(b.Above[i]) + int(b.Left[i])
				}
				for i := range tile {
					x, y := tx+i&7, ty+i>>3
					a, l := int(b.Above[x]), int(b.Left[y])
					p := [4]int{sum >> (log2 + 1), (n-1-y)*a + (y+1)*int(b.Left[n-1]) + (n-1-x)*l + (x+1)*int(b.Above[n-1]), a, l}[lane]
					tile[i] = int32(p)
				}
				s := tile
				for i := range s {
					s[i] = int32(src[(ty+i>>3)*n+tx+i&7])
				}
				for _, v := range [][]int32{tile[:], s[:]} {
					for i := range 8 {
						Hadamard8(v[8*i:], 1)
					}
					for i := range 8 {
						Hadamard8(v[i:], 8)
					}
				}
				for i := range s {
					p := tile[i]
					if lane == 1 {
						p = (p + int32(n)) >> (log2 + 1)
					}
					costs[lane] += OpenCost(s[i]-p, OpenThreshold(qp))
				}
			}
		}
		want := 0
		for lane, c := range costs {
			if c < costs[want] {
				want = lane
			}
		}
		seen[want]++
		if got := OpenMode(src[:], n, log2, qp, &b); got != want {
			t.Fatalf("size %d, QP %d: mode %d, want %d of %d", n, qp, got, want, costs)
		}
	}
	for lane, n := range seen {
		if n < 50 {
			t.Errorf("mode %d is chosen %d times", lane, n)
		}
	}
}

// TestOpenPredict: it is the prediction of clause 8.4.4.2 where that has neither
// samples beyond nor filters.
func TestOpenPredict(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 1000 {
		log2 := 2 + round%4
		n := 1 << log2
		var b OpenBorder
		var r Refs
		for i := range n {
			b.Above[i], b.Left[i] = uint8(rng.Uint32()), uint8(rng.Uint32())
		}
		for i := range 2 * n {
			r[RefCorner+1+i], r[RefCorner-1-i] = b.Above[min(i, n-1)], b.Left[min(i, n-1)]
		}
		var got, want [1024]uint8
		for lane, mode := range DecisionModes {
			Predict(want[:], n, log2, int(mode), &r)
			OpenPredict(got[:], log2, lane, b.Above[:], b.Left[:])
			if n < 32 { // edge filters
				for i := range n {
					switch mode {
					case ModeVertical:
						want[n*i] = b.Above[0]
					case ModeHorizontal:
						want[i] = b.Left[0]
					}
				}
			}
			if got != want {
				t.Fatalf("size %d, mode %d: got %v, want %v", n, mode, got[:n*n], want[:n*n])
			}
		}
	}
}

// TestOpenSubtract compares residuals and costs of blocks predicted from samples around them
// with those of the prediction.
func TestOpenSubtract(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var src, pred, scratch [1024]uint8
	var above, left [32]uint8
	for round := range 3000 {
		log2, lane := 2+round%4, round/4%4
		n := 1 << log2
		low, span := rng.IntN(256), 1+rng.IntN(256)
		for _, s := range [][]uint8{src[:n*n], above[:], left[:]} {
			for i := range s {
				s[i] = uint8(min(low+rng.IntN(span), 255))
			}
		}
		OpenPredict(pred[:], log2, lane, above[:n], left[:n])
		var got, want Pairs
		OpenSubtract(&got, src[:], n, scratch[:], log2, lane, above[:n], left[:n])
		SubtractRows(&want, src[:], n, pred[:], n)
		if got != want {
			t.Fatalf("round %d, size %d, lane %d: residuals differ", round, n, lane)
		}
		if log2 > 2 {
			continue
		}
		q := NewQuantizer(rng.IntN(52), 2, true, false)
		var table SkipCosts
		table.Load(&q)
		if got, want := table.OpenCost(src[:], n, scratch[:], lane, above[:n], left[:n]), table.Cost(src[:], n, pred[:]); got != want {
			t.Fatalf("round %d, lane %d: cost %d, want %d", round, lane, got, want)
		}
	}
}
