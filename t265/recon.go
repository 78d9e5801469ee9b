package t265

// Picture construction (clause 8.6.7): prediction plus residual.

// reconstruct adds the residual, an n by n raster, s16, to the prediction in
// dst, whose rows are stride apart, and limits the sums to 8 bits.
func reconstruct(dst []byte, stride, n int, res *[1024]int16) {
	for y := range n {
		row := dst[y*stride:][:n]
		add := res[y*n:][:n]
		for x := range row {
			v := int32(row[x]) + int32(add[x])
			if uint32(v) > 255 {
				v = ^v >> 31
			}
			row[x] = uint8(v)
		}
	}
}

// clip8 limits v to 0..255.
func clip8(v int32) uint8 {
	if uint32(v) > 255 {
		return uint8(^(v >> 31))
	}
	return uint8(v)
}
