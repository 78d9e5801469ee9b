package t265

import "vcsim/t265/block"

// Transquant bypass (cu_transquant_bypass_flag, clause 7.4.9.5): the levels are
// the residual.

// losslessLevels stores a residual as levels in coding order and estimates its
// bits in 1/16.
func losslessLevels(l *block.Levels, diff *block.Pairs) (any bool, rate int) {
	lev, mask, scan := l.Lev, l.Mask, l.Order()
	all := uint16(0)
	for i := range mask {
		at := int(scan.SubY[i&63])<<(l.Log2+2) + int(scan.SubX[i&63])<<2
		m, sum := uint32(0), uint32(0)
		for k := range 16 {
			v := diff.At(at + int(scan.Raster[k]))
			lev[16*i+k] = int16(v)
			a := uint32(max(v, -v))
			m = m>>1 | (-a)>>31<<15
			sum += a
		}
		mask[i] = uint16(m)
		all |= uint16(m)
		rate += block.SubBlockRate(m, sum)
	}
	return all != 0, rate + int(block.BlockRate[l.Log2])
}
