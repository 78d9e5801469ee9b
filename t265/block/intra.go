package block

import "encoding/binary"

// Intra sample prediction (clauses 8.4.4.2.4 to 8.4.4.2.6) from reference
// samples to an n by n block in raster order.

// Intra prediction modes (Table 8-1).
const (
	ModePlanar     = 0
	ModeDC         = 1
	ModeHorizontal = 10
	ModeVertical   = 26
	NumModes       = 35
)

// intraAngle is intraPredAngle by mode, in 1/32 sample (Table 8-5).
var intraAngle = [NumModes]int{2: 32, 26, 21, 17, 13, 9, 5, 2, 0, -2, -5, -9, -13, -17, -21, -26,
	-32, -26, -21, -17, -13, -9, -5, -2, 0, 2, 5, 9, 13, 17, 21, 26, 32}

// inverseAngle is invAngle of modes 11 to 25 (Table 8-6): 8192/intraPredAngle.
var inverseAngle = [NumModes]int{11: -4096, -1638, -910, -630, -482, -390, -315,
	-256, -315, -390, -482, -630, -910, -1638, -4096}

// Predict writes the prediction of a block of size 1<<log2 to dst, whose rows
// are stride apart. r must hold filtered samples where filtered(log2, mode).
func Predict(dst []byte, stride, log2, mode int, r *Refs) {
	switch mode {
	case ModePlanar:
		Planar(dst, stride, log2, r)
	case ModeDC:
		DC(dst, stride, log2, r)
	case ModeVertical:
		Vertical(dst, stride, log2, r)
	case ModeHorizontal:
		Horizontal(dst, stride, log2, r)
	default:
		Angular(dst, stride, log2, mode, r)
	}
}

// Planar is clause 8.4.4.2.4. A word carries four samples in lanes of 16 bits;
// sums of products stay below 2*255*32 + 32, 14 bits.
func Planar(dst []byte, stride, log2 int, r *Refs) {
	const c = RefCorner
	n := 1 << log2
	right, below := int64(r[c+1+n]), int64(r[c-1-n])
	// down is (n-1-y)*above[x] + (y+1)*below + n, updated row by row by step.
	var down, step [8]int64
	for i := range n >> 2 {
		above := int64(spread4(binary.LittleEndian.Uint32(r[c+1+4*i:])))
		down[i&7] = above<<log2 + int64(n)*laneOnes
		step[i&7] = below*laneOnes - above
	}
	for y := range n {
		left := int64(r[c-1-y])
		// across is (n-1-x)*left + (x+1)*right
		across := left<<log2*laneOnes + (right-left)*0x0004_0003_0002_0001
		row := dst[y*stride:][:n]
		for i := 0; i < n; i += 4 {
			down[i>>2&7] += step[i>>2&7]
			binary.LittleEndian.PutUint32(row[i:i+4], join4(uint64(across+down[i>>2&7])>>(uint(log2+1)&63)))
			across += (right - left) * (4 * laneOnes)
		}
	}
}

// spread4 puts four bytes into four lanes of 16 bits; join4 takes the low
// bytes of the lanes.
func spread4(w uint32) uint64 {
	v := (uint64(w) | uint64(w)<<16) & 0x0000ffff_0000ffff
	return (v | v<<8) & 0x00ff00ff_00ff00ff
}

func join4(v uint64) uint32 {
	v &= 0x00ff00ff_00ff00ff
	v |= v >> 8
	return uint32(v&0xffff | v>>16&0xffff0000)
}

// fill sets the samples of a row, 4 or a multiple of 8 of them, to v.
func fill(row []byte, v uint8) {
	w := uint64(v) * 0x0101_0101_0101_0101
	if len(row) == 4 {
		binary.LittleEndian.PutUint32(row, uint32(w))
	}
	for ; len(row) >= 8; row = row[8:] {
		binary.LittleEndian.PutUint64(row, w)
	}
}

// DC is clause 8.4.4.2.5.
func DC(dst []byte, stride, log2 int, r *Refs) {
	const c = RefCorner
	n := 1 << log2
	var left [32]uint8
	for i := range left[:n&63] {
		left[i] = r[c-1-i]
	}
	dc(dst, stride, log2, r[c+1:], left[:])
}

// dc is DC from the samples above a block and those on its left, from the top.
func dc(dst []byte, stride, log2 int, above, left []uint8) {
	n := 1 << log2
	above, left = above[:n], left[:n]
	v := (uint64(n) + sumOf(above) + sumOf(left)) >> (uint(log2+1) & 63)
	if n >= 32 {
		for y := range n {
			fill(dst[y*stride:][:n], uint8(v))
		}
		return
	}
	edge, corner := 3*v+2, uint8((uint64(left[0])+2*v+uint64(above[0])+2)>>2)
	if n == 4 { // a row is a word
		inner := uint32(v) * 0x01010100
		for y, l := range (*[4]uint8)(left) {
			binary.LittleEndian.PutUint32(dst[y*stride:], inner|uint32((uint64(l)+edge)>>2))
		}
		binary.LittleEndian.PutUint32(dst, join4((spread4(binary.LittleEndian.Uint32(above))+edge*laneOnes)>>2))
		dst[0] = corner
		return
	}
	for y, l := range left {
		row := dst[y*stride:][:n]
		fill(row, uint8(v))
		row[0] = uint8((uint64(l) + edge) >> 2)
	}
	for top := dst[:n]; len(top) >= 4 && len(above) >= 4; top, above = top[4:], above[4:] {
		binary.LittleEndian.PutUint32(top, join4((spread4(binary.LittleEndian.Uint32(above))+edge*laneOnes)>>2))
	}
	dst[0] = corner
}

// sumOf adds up 4 samples, or a multiple of 8 of them up to 64.
func sumOf(row []byte) uint64 {
	if len(row) == 4 {
		return spread4(binary.LittleEndian.Uint32(row)) * laneOnes >> 48
	}
	const even = 0x00ff00ff_00ff00ff
	sums := uint64(0)
	for ; len(row) >= 8; row = row[8:] {
		w := binary.LittleEndian.Uint64(row)
		sums += w&even + w>>8&even
	}
	return sums * laneOnes >> 48
}

// Vertical is mode 26 of clause 8.4.4.2.6 with its edge filter.
func Vertical(dst []byte, stride, log2 int, r *Refs) {
	const c = RefCorner
	n := 1 << log2
	for y := range n {
		copy(dst[y*stride:][:n], r[c+1:])
	}
	if n < 32 {
		for y := range n {
			dst[y*stride] = clip8(int32(r[c+1]) + (int32(r[c-1-y])-int32(r[c]))>>1)
		}
	}
}

// Horizontal is mode 10 of clause 8.4.4.2.6 with its edge filter.
func Horizontal(dst []byte, stride, log2 int, r *Refs) {
	const c = RefCorner
	n := 1 << log2
	for y := range n {
		fill(dst[y*stride:][:n], r[c-1-y])
	}
	if n < 32 {
		for x := range n {
			dst[x] = clip8(int32(r[c-1]) + (int32(r[c+1+x])-int32(r[c]))>>1)
		}
	}
}

// Angular is clause 8.4.4.2.6 for the modes with an angle.
func Angular(dst []byte, stride, log2, mode int, r *Refs) {
	const c = RefCorner
	n := 1 << log2
	angle := intraAngle[mode]
	vert := mode >= 18
	// line[32+i] is ref[i] of the standard, i from -n to 2n.
	var line [32 + 64 + 1]uint8
	side := -1 // direction of the side references in r
	if !vert {
		side = 1
	}
	if vert {
		copy(line[32:], r[c:c+2*n+1])
	} else {
		for i := range 2*n + 1 {
			line[32+i] = r[c-i]
		}
	}
	if angle < 0 {
		inv := inverseAngle[mode]
		for i := -1; i >= n*angle>>5; i-- {
			line[32+i] = r[c+side*((i*inv+128)>>8)]
		}
	}
	for j := range n {
		pos := (j + 1) * angle
		whole, frac := pos>>5, uint(pos&31)
		src := line[33+whole:][:n]
		if frac != 0 {
			src = line[33+whole:][:n+1]
		}
		if vert {
			row := dst[j*stride:][:n]
			if frac == 0 {
				copy(row, src)
				continue
			}
			a := uint(src[0])
			for i := range row {
				b := uint(src[i+1])
				row[i] = uint8(((32-frac)*a + frac*b + 16) >> 5)
				a = b
			}
			continue
		}
		at := j
		if frac == 0 {
			for _, v := range src {
				dst[at] = v
				at += stride
			}
			continue
		}
		a := uint(src[0])
		for _, s := range src[1:] {
			b := uint(s)
			dst[at] = uint8(((32-frac)*a + frac*b + 16) >> 5)
			a = b
			at += stride
		}
	}
}
