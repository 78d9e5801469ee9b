package block

// The 4x4 blocks of the rdo tier, of which it tries many: the arithmetic of
// dct.go, dequant.go, idct.go and recon.go with the whole block in one array.

// Forward4x4 computes what Forward does with the DST-VII, and what
// ForwardSkip does, of source minus prediction.
func Forward4x4(dst, skip *[1024]int32, src []byte, srcStride int, pred []byte) {
	var r, mid [16]int32
	p := (*[16]uint8)(pred)
	for y := range 4 {
		s := src[y*srcStride:][:4]
		for x := range s {
			v := int32(s[x]) - int32(p[4*y+x])
			r[4*y+x] = v
			skip[4*y+x] = v << 5
		}
	}
	for x := range 4 {
		a, b, c, d := r[x], r[4+x], r[8+x], r[12+x]
		mid[x] = (29*a + 55*b + 74*c + 84*d + 1) >> 1
		mid[4+x] = (74*(a+b-d) + 1) >> 1
		mid[8+x] = (84*a - 29*b - 74*c + 55*d + 1) >> 1
		mid[12+x] = (55*a - 84*b + 74*c - 29*d + 1) >> 1
	}
	for y := range 4 {
		a, b, c, d := mid[4*y], mid[4*y+1], mid[4*y+2], mid[4*y+3]
		dst[4*y] = (29*a + 55*b + 74*c + 84*d + 128) >> 8
		dst[4*y+1] = (74*(a+b-d) + 128) >> 8
		dst[4*y+2] = (84*a - 29*b - 74*c + 55*d + 128) >> 8
		dst[4*y+3] = (55*a - 84*b + 74*c - 29*d + 128) >> 8
	}
}

// Restore4x4 is Restorer.Restore for a 4x4 block.
func Restore4x4(dst []byte, stride int, s *Scaler, l *Levels, skip bool) {
	raster := &Scans[0][l.Scan].Raster
	in, m := (*[16]int16)(l.Lev), l.Mask[0]
	var c, mid [16]int32
	for k := range in {
		if m>>k&1 != 0 {
			c[raster[k]&15] = s.Coefficient(int32(in[k]))
		}
	}
	if skip {
		for i, v := range c {
			mid[i] = (v<<7 + 1<<11) >> 12
		}
	} else {
		for x := range 4 {
			v := [4]int64{int64(c[x]), int64(c[4+x]), int64(c[8+x]), int64(c[12+x])}
			inverseDST4(&v)
			for y := range 4 {
				mid[4*y+x] = clip16(int32(v[y]+64) >> 7)
			}
		}
		for y := range 4 {
			v := [4]int64{int64(mid[4*y]), int64(mid[4*y+1]), int64(mid[4*y+2]), int64(mid[4*y+3])}
			inverseDST4(&v)
			for x := range 4 {
				mid[4*y+x] = int32(v[x]+1<<11) >> 12
			}
		}
	}
	for y := range 4 {
		row := dst[y*stride:][:4]
		for x := range row {
			row[x] = clip8(int32(row[x]) + mid[4*y+x])
		}
	}
}
