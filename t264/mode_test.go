package t264

import (
	"math/rand/v2"
	"testing"
)

func TestSAD(t *testing.T) {
	const stride = 20
	rng := rand.New(rand.NewPCG(1, 2))
	for _, high := range []int{256, 2} { // all values; extremes
		for range 200 {
			a, b := make([]byte, 16*stride), make([]byte, 16*stride)
			for i := range a {
				a[i], b[i] = byte(rng.IntN(high)*255/(high-1)), byte(rng.IntN(high)*255/(high-1))
			}
			for log2 := 2; log2 <= 4; log2++ {
				want := 0
				for y := range 1 << log2 {
					for x := range 1 << log2 {
						want += abs32(int32(a[y*stride+x]) - int32(b[y*stride+x]))
					}
				}
				if got := sad(a, b, stride, log2); got != want {
					t.Fatalf("size %d: got %d, want %d", 1<<log2, got, want)
				}
			}
		}
	}
}

func TestPick(t *testing.T) {
	both := neighbourhood{left: true, above: true}
	for _, c := range []struct {
		cost [3]int
		nb   neighbourhood
		want int
	}{
		{[3]int{modeVertical: 90, modeHorizontal: 90, modeDC: 100}, both, modeDC}, // the price is 10
		{[3]int{modeVertical: 89, modeHorizontal: 89, modeDC: 100}, both, modeVertical},
		{[3]int{modeVertical: 89, modeHorizontal: 88, modeDC: 100}, both, modeHorizontal},
		{[3]int{modeVertical: 1, modeHorizontal: 89, modeDC: 100}, neighbourhood{left: true}, modeHorizontal},
		{[3]int{modeVertical: 1, modeHorizontal: 1, modeDC: 100}, neighbourhood{}, modeDC},
	} {
		if got := pick(&c.cost, c.nb, 10); got != c.want {
			t.Errorf("costs %v, %+v: got %d, want %d", c.cost, c.nb, got, c.want)
		}
	}
}
