package codectest

import "math/rand/v2"

// Levels makes the levels of a block of size 1<<log2 in coding order, whose
// magnitudes grow with size, and the masks of those that are not zero, 16 to a
// sub-block. There is at least one.
func Levels(rng *rand.Rand, log2 int, size float64) (lev []int16, mask []uint16) {
	lev, mask = make([]int16, 1<<(2*log2)), make([]uint16, 1<<(2*log2-4))
	density := rng.Float64()
	for i := range lev {
		if i == 0 || rng.Float64() < density {
			lev[i] = int16(rng.NormFloat64() * size)
		}
		if i == 0 && lev[i] == 0 {
			lev[i] = -1
		}
		if lev[i] != 0 {
			mask[i>>4] |= 1 << (i & 15)
		}
	}
	return lev, mask
}
