package hw

import (
	"testing"
	"vcsim/t264/block"
)

// TestEncOrder: each context of the hw tier is there once.
func TestEncOrder(t *testing.T) {
	seen := map[int16]int{}
	for i, c := range encOrder {
		if j, ok := seen[c]; ok {
			t.Errorf("context %d has the indices %d and %d", c, i, j)
		}
		seen[c] = i
	}
	if len(seen) != 7+4+2*(4+10)+2*(15+14) {
		t.Errorf("%d contexts", len(seen))
	}
}

// TestDecOrder: every context but the one that chroma would use has one place.
func TestDecOrder(t *testing.T) {
	var places [block.NumContexts]int
	used := 0
	for i, o := range decOrder {
		if o >= 0 {
			places[o]++
			used++
		} else if got := InitialDecContexts[26][i]; got != 124 {
			t.Errorf("place %d: got context %d, want 124", i, got)
		}
	}
	for o, n := range places {
		want := 1
		if o == block.CtxMBType+5 {
			want = 0
		}
		if n != want {
			t.Errorf("context %d has %d places, want %d", o, n, want)
		}
	}
	if used != block.NumContexts-1 {
		t.Errorf("%d places are used, want %d", used, block.NumContexts-1)
	}
}
