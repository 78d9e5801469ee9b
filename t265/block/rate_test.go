package block

import (
	"math/rand/v2"
	"testing"
)

// TestLevelState follows clause 9.3.4.2.6 and 9.3.3.11 beside the states.
func TestLevelState(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 66))
	for range 3000 {
		s := levelState(0)
		greater1, rice, seen := 1, uint(0), false
		size := rng.Float64() * 30
		for count := range 16 {
			l := uint32(1 + rng.ExpFloat64()*size)
			row, base := 0, uint32(1)
			switch {
			case count >= 8:
				row = rowNoFlags + int(rice)
			case seen:
				row, base = rowSeen+int(rice), 2
			default:
				row, base = greater1-1, 3
			}
			if got := int(s >> 4); got != row {
				t.Fatalf("level %d: row %d, want %d", count, got, row)
			}
			if count < 8 {
				if l > 1 {
					greater1, seen = 0, true
				} else if greater1 > 0 {
					greater1 = min(greater1+1, 3)
				}
			}
			if l >= base && l > 3<<rice && rice < 4 {
				rice++
			}
			s = s.next(l)
			if got, want := s.seen(), greater1 == 0; got != want {
				t.Fatalf("level %d: seen %v, want %v", count, got, want)
			}
		}
	}
}
