package block

import "encoding/binary"

// Costs of the intra mode decision of the hw tier: sums of absolute differences
// (SAD) and a price.

// ModePrice is the price of a mode other than DC: about a quantiser step, which
// doubles every six QP.
func ModePrice(qp int) int { return 4 << (qp / 6) }

// PickMode returns the cheapest mode; cost holds SADs.
func PickMode(cost *[3]int, nb Neighbourhood, price int) (mode int) {
	best, mode := cost[ModeDC], ModeDC
	if c := cost[ModeVertical] + price; nb.Above && c < best {
		best, mode = c, ModeVertical
	}
	if c := cost[ModeHorizontal] + price; nb.Left && c < best {
		mode = ModeHorizontal
	}
	return mode
}

// SAD is the sum of absolute differences of two blocks of size 1<<log2.
func SAD(a, b []byte, stride, log2 int) int {
	n := 1 << log2
	sum := uint64(0)
	if n == 4 {
		for y := range n {
			sum += absDiff(uint64(binary.LittleEndian.Uint32(a[y*stride:])), uint64(binary.LittleEndian.Uint32(b[y*stride:])))
		}
		return SumLanes(sum)
	}
	for y := range n {
		p, q := a[y*stride:][:n], b[y*stride:][:n]
		for x := 0; x < n; x += 8 {
			sum += absDiff(binary.LittleEndian.Uint64(p[x:]), binary.LittleEndian.Uint64(q[x:]))
		}
	}
	return SumLanes(sum)
}

// absDiff returns the absolute differences of 8 samples, those of an even and
// an odd one added in a lane.
func absDiff(a, b uint64) uint64 {
	return absLanes(a&LaneBytes, b&LaneBytes) + absLanes(a>>8&LaneBytes, b>>8&LaneBytes)
}

// absLanes returns the absolute differences of lanes of 8 bits.
func absLanes(a, b uint64) uint64 {
	t := (a | 0x100*LaneOnes) - b // 1..511
	m := t >> 8 & LaneOnes        // a >= b
	return (t ^ (LaneOnes-m)*0x1ff) - 0xff*LaneOnes - m
}

// SumLanes adds the unsigned lanes.
func SumLanes(w uint64) int {
	w = w&laneEven + w>>16&laneEven
	return int(uint32(w)) + int(w>>32)
}
