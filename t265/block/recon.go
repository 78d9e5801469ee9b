package block

// Picture construction (clause 8.6.7): prediction plus residual.

// Reconstruct adds the residual, an n by n raster, s16, to the prediction in
// dst, whose rows are stride apart, and limits the sums to 8 bits.
func Reconstruct(dst []byte, stride, n int, res *[1024]int16) {
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

// A Restorer holds the scratch of the blocks that it restores.
type Restorer struct {
	coef Pairs // zero between blocks
	res  [1024]int16
}

// Restore adds the residual that levels stand for to the prediction in dst.
// skip is transform_skip_flag.
func (r *Restorer) Restore(dst []byte, stride int, s *Scaler, l *Levels, skip bool) {
	ext := s.ScaleLevels(&r.coef, l)
	if skip {
		InverseSkip(&r.res, &r.coef)
	} else {
		Inverse(&r.res, &r.coef, l.Log2, ext, l.Log2 == 2)
	}
	clear(r.coef[:1<<(2*l.Log2-1)])
	Reconstruct(dst, stride, 1<<l.Log2, &r.res)
}

// RestoreEdges is Restore of a block of 8x8 or 16x16, a raster without rows between, for the
// last row and the last column alone: what later blocks are predicted from.
func (r *Restorer) RestoreEdges(dst []byte, s *Scaler, l *Levels) {
	ext := s.ScaleLevels(&r.coef, l)
	inverseEdges(&r.res, &r.coef, l.Log2, ext)
	clear(r.coef[:1<<(2*l.Log2-1)])
	n := 1 << l.Log2
	for i := range n {
		at := i*n + n - 1
		dst[at] = clip8(int32(dst[at]) + int32(r.res[at&1023]))
	}
	for at := n * (n - 1); at < n*n-1; at++ {
		dst[at] = clip8(int32(dst[at]) + int32(r.res[at&1023]))
	}
}
