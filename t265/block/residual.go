package block

import "math/bits"

// Binarisation of residual_coding (clauses 7.3.8.11, 9.3.3 and 9.3.4.2).

// RemainingCode returns the binarisation of coeff_abs_level_remaining v >= 0
// (clause 9.3.3.11) as n <= 32 bits.
func RemainingCode(v uint32, rice uint) (code uint32, n int) {
	if v < 4<<rice {
		q := v >> rice
		return (1<<(q+1)-2)<<rice | v&(1<<rice-1), int(q + 1 + uint32(rice))
	}
	// prefix ones, a zero, and prefix-3+rice bits of suffix
	v -= 2 << rice
	k := uint(bits.Len32(v>>rice)) - 1 // prefix - 3
	suffix := v - 1<<(k+rice)
	return (1<<(k+4)-2)<<(k+rice) | suffix, int(2*k + 4 + rice)
}

// RemainingCodes holds remainingCode of v-1 by Rice parameter and v: code in
// bits 11..0, length above. Entry 0 is empty.
var RemainingCodes = func() (t [8][32]uint16) {
	for rice := range uint(5) {
		for v := range uint32(31) {
			code, n := RemainingCode(v, rice)
			t[rice][v+1] = uint16(code | uint32(n)<<12)
		}
	}
	return t
}()

// Greater1Index gives the context of coeff_abs_level_greater1_flag within its
// set (clause 9.3.4.2.6) for the flag coded j-th, index 15-j, by the number of
// flags that come before the first one, the first index.
var Greater1Index = func() (t [9][16]uint8) {
	for first := range t {
		for j := range first + 1 {
			t[first][15-j] = uint8(min(j+1, 3))
		}
	}
	return t
}()
