package block

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
						want += Abs32(int32(a[y*stride+x]) - int32(b[y*stride+x]))
					}
				}
				if got := SAD(a, b, stride, log2); got != want {
					t.Fatalf("size %d: got %d, want %d", 1<<log2, got, want)
				}
			}
		}
	}
}

func TestPick(t *testing.T) {
	both := Neighbourhood{Left: true, Above: true}
	for _, c := range []struct {
		cost [3]int
		nb   Neighbourhood
		want int
	}{
		{[3]int{ModeVertical: 90, ModeHorizontal: 90, ModeDC: 100}, both, ModeDC}, // the price is 10
		{[3]int{ModeVertical: 89, ModeHorizontal: 89, ModeDC: 100}, both, ModeVertical},
		{[3]int{ModeVertical: 89, ModeHorizontal: 88, ModeDC: 100}, both, ModeHorizontal},
		{[3]int{ModeVertical: 1, ModeHorizontal: 89, ModeDC: 100}, Neighbourhood{Left: true}, ModeHorizontal},
		{[3]int{ModeVertical: 1, ModeHorizontal: 1, ModeDC: 100}, Neighbourhood{}, ModeDC},
	} {
		if got := PickMode(&c.cost, c.nb, 10); got != c.want {
			t.Errorf("costs %v, %+v: got %d, want %d", c.cost, c.nb, got, c.want)
		}
	}
}
