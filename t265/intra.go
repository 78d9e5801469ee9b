package t265

// Intra sample prediction (clauses 8.4.4.2.4 to 8.4.4.2.6) from reference
// samples to an n by n block in raster order.

// Intra prediction modes (Table 8-1).
const (
	modePlanar     = 0
	modeDC         = 1
	modeHorizontal = 10
	modeVertical   = 26
	numModes       = 35
)

// intraAngle is intraPredAngle by mode, in 1/32 sample (Table 8-5).
var intraAngle = [numModes]int{2: 32, 26, 21, 17, 13, 9, 5, 2, 0, -2, -5, -9, -13, -17, -21, -26,
	-32, -26, -21, -17, -13, -9, -5, -2, 0, 2, 5, 9, 13, 17, 21, 26, 32}

// inverseAngle is invAngle of modes 11 to 25 (Table 8-6): 8192/intraPredAngle.
var inverseAngle = [numModes]int{11: -4096, -1638, -910, -630, -482, -390, -315,
	-256, -315, -390, -482, -630, -910, -1638, -4096}

// predict writes the prediction of a block of size 1<<log2 to dst, whose rows
// are stride apart. r must hold filtered samples where filtered(log2, mode).
func predict(dst []byte, stride, log2, mode int, r *refs) {
	switch mode {
	case modePlanar:
		planar(dst, stride, log2, r)
	case modeDC:
		dc(dst, stride, log2, r)
	case modeVertical:
		vertical(dst, stride, log2, r)
	case modeHorizontal:
		horizontal(dst, stride, log2, r)
	default:
		angular(dst, stride, log2, mode, r)
	}
}

// planar is clause 8.4.4.2.4.
func planar(dst []byte, stride, log2 int, r *refs) {
	const c = refCorner
	n := 1 << log2
	right, below := int32(r[c+1+n]), int32(r[c-1-n])
	above := r[c+1:][:n]
	// down[x] = (n-1-y)*above[x] + (y+1)*below, updated row by row: 14 bits
	var down [32]int32
	for x, v := range above {
		down[x] = int32(n)*int32(v) + int32(n)
	}
	for y := range n {
		left := int32(r[c-1-y])
		across := int32(n) * left // (n-1-x)*left + (x+1)*right
		step := right - left
		row := dst[y*stride:][:n]
		for x := range row {
			across += step
			down[x&31] += below - int32(above[x&31])
			row[x] = uint8((across + down[x&31]) >> (uint(log2+1) & 31))
		}
	}
}

// dc is clause 8.4.4.2.5.
func dc(dst []byte, stride, log2 int, r *refs) {
	const c = refCorner
	n := 1 << log2
	sum := n
	for i := 1; i <= n; i++ {
		sum += int(r[c+i]) + int(r[c-i])
	}
	v := uint8(sum >> (log2 + 1))
	for y := range n {
		row := dst[y*stride:][:n]
		for x := range row {
			row[x] = v
		}
	}
	if n == 32 {
		return
	}
	w := int(v)
	dst[0] = uint8((int(r[c-1]) + 2*w + int(r[c+1]) + 2) >> 2)
	for i := 1; i < n; i++ {
		dst[i] = uint8((int(r[c+1+i]) + 3*w + 2) >> 2)
		dst[i*stride] = uint8((int(r[c-1-i]) + 3*w + 2) >> 2)
	}
}

// vertical is mode 26 of clause 8.4.4.2.6 with its edge filter.
func vertical(dst []byte, stride, log2 int, r *refs) {
	const c = refCorner
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

// horizontal is mode 10 of clause 8.4.4.2.6 with its edge filter.
func horizontal(dst []byte, stride, log2 int, r *refs) {
	const c = refCorner
	n := 1 << log2
	for y := range n {
		v := r[c-1-y]
		row := dst[y*stride:][:n]
		for x := range row {
			row[x] = v
		}
	}
	if n < 32 {
		for x := range n {
			dst[x] = clip8(int32(r[c-1]) + (int32(r[c+1+x])-int32(r[c]))>>1)
		}
	}
}

// angular is clause 8.4.4.2.6 for the modes with an angle.
func angular(dst []byte, stride, log2, mode int, r *refs) {
	const c = refCorner
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
