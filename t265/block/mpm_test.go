package block

import "testing"

func TestProbableModes(t *testing.T) {
	for left := range NumModes {
		for above := range NumModes {
			cand := ProbableModes(left, above)
			if cand[0] == cand[1] || cand[1] == cand[2] || cand[0] == cand[2] {
				t.Fatalf("%d, %d: %v not distinct", left, above, cand)
			}
			seen := 0
			for mode := range NumModes {
				if mode == cand[0] || mode == cand[1] || mode == cand[2] {
					continue
				}
				rem := ModeRemainder(mode, cand)
				if rem != seen {
					t.Fatalf("%v mode %d: remainder %d, want %d", cand, mode, rem, seen)
				}
				if got := ModeFromRemainder(rem, cand); got != mode {
					t.Fatalf("%v remainder %d: got mode %d, want %d", cand, rem, got, mode)
				}
				seen++
			}
		}
	}
	if got, want := ProbableModes(2, 2), [3]int{2, 33, 3}; got != want {
		t.Errorf("neighbours 2: got %v, want %v", got, want)
	}
	if got, want := ProbableModes(34, 34), [3]int{34, 33, 3}; got != want {
		t.Errorf("neighbours 34: got %v, want %v", got, want)
	}
}
