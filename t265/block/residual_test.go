package block

import (
	"fmt"
	"strings"
	"testing"
)

// TestRemainingCode compares with the binarisation of clause 9.3.3.11.
func TestRemainingCode(t *testing.T) {
	for rice := range uint(5) {
		for v := uint32(0); v < 3000; v++ {
			prefix, suffix := v>>rice, ""
			want := ""
			if prefix < 4 {
				want = strings.Repeat("1", int(prefix)) + "0"
				if rice > 0 {
					suffix = fmt.Sprintf("%0*b", int(rice), v&(1<<rice-1))
				}
			} else {
				// prefix 1111, then EGk of order rice+1
				s, k := v-4<<rice, rice+1
				want = "1111"
				for s >= 1<<k {
					want += "1"
					s -= 1 << k
					k++
				}
				want += "0"
				suffix = fmt.Sprintf("%0*b", int(k), s)
			}
			want += suffix
			code, n := RemainingCode(v, rice)
			if got := fmt.Sprintf("%0*b", n, code); got != want || n != int(remainingBits(v, rice)) {
				t.Fatalf("value %d rice %d: got %s, want %s", v, rice, got, want)
			}
		}
	}
}
