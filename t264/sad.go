package t264

import "encoding/binary"

// Costs of the intra mode decision of the hw tier: sums of absolute differences
// (SAD) and a price.

// modePrice is the price of a mode other than DC: about a quantiser step, which
// doubles every six QP.
func modePrice(qp int) int { return 4 << (qp / 6) }

// pick returns the cheapest mode; cost holds SADs.
func pick(cost *[3]int, nb neighbourhood, price int) (mode int) {
	best, mode := cost[modeDC], modeDC
	if c := cost[modeVertical] + price; nb.above && c < best {
		best, mode = c, modeVertical
	}
	if c := cost[modeHorizontal] + price; nb.left && c < best {
		mode = modeHorizontal
	}
	return mode
}

// sad is the sum of absolute differences of two blocks of size 1<<log2.
func sad(a, b []byte, stride, log2 int) int {
	n := 1 << log2
	sum := uint64(0)
	if n == 4 {
		for y := range n {
			sum += absDiff(uint64(binary.LittleEndian.Uint32(a[y*stride:])), uint64(binary.LittleEndian.Uint32(b[y*stride:])))
		}
		return sumLanes(sum)
	}
	for y := range n {
		p, q := a[y*stride:][:n], b[y*stride:][:n]
		for x := 0; x < n; x += 8 {
			sum += absDiff(binary.LittleEndian.Uint64(p[x:]), binary.LittleEndian.Uint64(q[x:]))
		}
	}
	return sumLanes(sum)
}

// absDiff returns the absolute differences of 8 samples, those of an even and
// an odd one added in a lane.
func absDiff(a, b uint64) uint64 {
	return absLanes(a&laneBytes, b&laneBytes) + absLanes(a>>8&laneBytes, b>>8&laneBytes)
}

// absLanes returns the absolute differences of lanes of 8 bits.
func absLanes(a, b uint64) uint64 {
	t := (a | 0x100*laneOnes) - b // 1..511
	m := t >> 8 & laneOnes        // a >= b
	return (t ^ (laneOnes-m)*0x1ff) - 0xff*laneOnes - m
}

// sumLanes adds the unsigned lanes.
func sumLanes(w uint64) int {
	w = w&laneEven + w>>16&laneEven
	return int(uint32(w)) + int(w>>32)
}
