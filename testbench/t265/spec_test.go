// Package t265 holds the benches of rtl/t265.
package t265

// cosimCycles is what each unit is compared over, over all parameter sets and patterns.
const cosimCycles = 1 << 20

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
