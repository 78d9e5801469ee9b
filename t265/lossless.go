package t265

import "vcsim/t265/block"

// Transquant bypass (cu_transquant_bypass_flag, clause 7.4.9.5): the levels are
// the residual.

// losslessLevels stores a residual as levels in coding order. It returns whether one
// is not zero.
func losslessLevels(l *block.Levels, diff *block.Pairs) bool {
	lev, mask, scan := l.Lev, l.Mask, l.Order()
	all := uint16(0)
	for i := range mask {
		at := int(scan.SubY[i&63])<<(l.Log2+2) + int(scan.SubX[i&63])<<2
		m := uint32(0)
		for k := range 16 {
			v := diff.At(at + int(scan.Raster[k]))
			lev[16*i+k] = int16(v)
			m = m>>1 | uint32(v|-v)>>31<<15
		}
		mask[i] = uint16(m)
		all |= uint16(m)
	}
	return all != 0
}

// losslessRate estimates the bits of a residual in 1/16.
func losslessRate(diff *block.Pairs, log2 int) int {
	rate := int(block.BlockRate[log2])
	for i := range 1 << (2*log2 - 4) {
		at := i>>(log2-2)<<(log2+2) + i&(1<<(log2-2)-1)<<2
		m, sum := uint32(0), uint32(0)
		for k := range 16 {
			v := diff.At(at + k>>2<<log2 + k&3)
			m = m>>1 | uint32(v|-v)>>31<<15
			sum += uint32(max(v, -v))
		}
		rate += block.SubBlockRate(m, sum)
	}
	return rate
}
