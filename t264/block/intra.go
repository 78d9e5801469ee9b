package block

// Intra sample prediction (clauses 8.3.1.2, 8.3.2.2 and 8.3.3) from reference
// samples to an n by n block in raster order. Blocks of 4x4 and 8x8 share
// their equations; those of 8x8 read filtered samples.

// Intra prediction modes of 4x4 and 8x8 blocks (Tables 8-2 and 8-3).
const (
	ModeVertical = iota
	ModeHorizontal
	ModeDC
	modeDownLeft
	modeDownRight
	modeVerticalRight
	modeHorizontalDown
	modeVerticalLeft
	modeHorizontalUp
	NumModes
)

// ModePlane is mode 3 of 16x16 blocks, whose modes 0 to 2 are those above
// (Table 8-4).
const ModePlane = 3

// Needs holds the reference samples that a mode of a 4x4 or 8x8 block reads;
// DC makes do with what there is.
var Needs = [NumModes]Neighbourhood{
	ModeVertical:       {Above: true},
	ModeHorizontal:     {Left: true},
	modeDownLeft:       {Above: true},
	modeDownRight:      {Left: true, Above: true, Corner: true},
	modeVerticalRight:  {Left: true, Above: true, Corner: true},
	modeHorizontalDown: {Left: true, Above: true, Corner: true},
	modeVerticalLeft:   {Above: true},
	modeHorizontalUp:   {Left: true},
}

// Allowed reports whether the samples that a mode reads are available.
func Allowed(log2, mode int, nb Neighbourhood) bool {
	n := Needs[mode]
	if log2 == 4 && mode == ModePlane {
		n = Needs[modeDownRight]
	}
	return (nb.Left || !n.Left) && (nb.Above || !n.Above) && (nb.Corner || !n.Corner)
}

// Predict writes the prediction of a block of size 1<<log2 to dst, whose rows
// are stride apart. The mode must be allowed; r holds filtered samples for
// 8x8 blocks.
func Predict(dst []byte, stride, log2, mode int, r *Refs, nb Neighbourhood) {
	switch {
	case mode == ModeVertical:
		vertical(dst, stride, log2, r)
	case mode == ModeHorizontal:
		horizontal(dst, stride, log2, r)
	case mode == ModeDC:
		dc(dst, stride, log2, r, nb)
	case log2 == 4:
		plane(dst, stride, r)
	default:
		directional(dst, stride, 1<<log2, mode, r)
	}
}

func vertical(dst []byte, stride, log2 int, r *Refs) {
	n := 1 << log2
	for y := range n {
		copy(dst[y*stride:][:n], r[RefCorner+1:])
	}
}

func horizontal(dst []byte, stride, log2 int, r *Refs) {
	n := 1 << log2
	for y := range n {
		Fill(dst[y*stride:][:n], r[RefCorner-1-y])
	}
}

func Fill(row []byte, v byte) {
	for i := range row {
		row[i] = v
	}
}

// dc predicts the mean of the samples that are available, else 128.
func dc(dst []byte, stride, log2 int, r *Refs, nb Neighbourhood) {
	n := 1 << log2
	v := dcValue(log2, r, nb)
	for y := range n {
		Fill(dst[y*stride:][:n], v)
	}
}

func dcValue(log2 int, r *Refs, nb Neighbourhood) uint8 {
	const c = RefCorner
	n := 1 << log2
	sum, shift := n>>1, log2
	if nb.Left {
		for _, v := range r[c-n : c] {
			sum += int(v)
		}
	}
	if nb.Above {
		for _, v := range r[c+1 : c+1+n] {
			sum += int(v)
		}
	}
	switch {
	case nb.Left && nb.Above:
		sum += n >> 1
		shift++
	case !nb.Left && !nb.Above:
		return 128 // 1 << (BitDepth-1)
	}
	return uint8(sum >> shift)
}

// plane is clause 8.3.3.4.
func plane(dst []byte, stride int, r *Refs) {
	const c = RefCorner
	var h, v int32
	for i := 1; i <= 8; i++ {
		h += int32(i) * (int32(r[c+8+i]) - int32(r[c+8-i]))
		v += int32(i) * (int32(r[c-8-i]) - int32(r[c-8+i]))
	}
	a := 16 * (int32(r[c-16]) + int32(r[c+16]))
	h, v = (5*h+32)>>6, (5*v+32)>>6 // b and c of the standard: s12
	for y := range int32(16) {
		row := dst[int(y)*stride:][:16]
		sum := a - 7*h + (y-7)*v + 16
		for x := range row {
			row[x] = Clip8(sum >> 5)
			sum += h
		}
	}
}

// directional is clauses 8.3.1.2.4 to 8.3.1.2.9 and 8.3.2.2.5 to 8.3.2.2.10.
// A sample depends on x+y, x-y, 2x-y, 2y-x, 2x+y or x+2y only, so that each row
// is a piece of a line of filtered samples.
func directional(dst []byte, stride, n, mode int, r *Refs) {
	const c = RefCorner
	// f2 and f3 are the filters of two and three samples, centred at i.
	f2 := func(i int) uint8 { return uint8((uint(r[i&31]) + uint(r[(i+1)&31]) + 1) >> 1) }
	f3 := func(i int) uint8 { return uint8((uint(r[i-1]) + 2*uint(r[i]) + uint(r[i+1]) + 2) >> 2) }
	var line, odd [32]uint8
	switch mode {
	case modeDownLeft:
		for i := range 2*n - 2 {
			line[i] = f3(c + 2 + i)
		}
		line[2*n-2] = uint8((uint(r[c+2*n-1]) + 3*uint(r[c+2*n]) + 2) >> 2)
		for y := range n {
			copy(dst[y*stride:][:n], line[y:])
		}
	case modeDownRight:
		for i := range 2*n - 1 {
			line[i] = f3(c + 1 - n + i)
		}
		for y := range n {
			copy(dst[y*stride:][:n], line[n-1-y:])
		}
	case modeVerticalRight:
		// line and odd serve even and odd rows; x - y>>1 = 0 is at h.
		h := n / 2
		for i := range n {
			line[h+i] = f2(c + i)
			odd[h+i] = f3(c + i)
		}
		for i := 1; i < h; i++ {
			line[h-i] = f3(c + 1 - 2*i)
			odd[h-i] = f3(c - 2*i)
		}
		for y := 0; y < n; y += 2 {
			copy(dst[y*stride:][:n], line[h-y/2:])
			copy(dst[(y+1)*stride:][:n], odd[h-y/2:])
		}
	case modeHorizontalDown:
		// 2y-x = 0 is at 2n-2.
		o := 2*n - 2
		for k := range n {
			line[o-2*k] = f2(c - k - 1)
			line[o-2*k+1] = f3(c - k)
		}
		for t := 2; t < n; t++ {
			line[o+t] = f3(c - 1 + t)
		}
		for y := range n {
			copy(dst[y*stride:][:n], line[o-2*y:])
		}
	case modeVerticalLeft:
		for i := range n + n/2 - 1 {
			line[i] = f2(c + 1 + i)
			odd[i] = f3(c + 2 + i)
		}
		for y := 0; y < n; y += 2 {
			copy(dst[y*stride:][:n], line[y/2:])
			copy(dst[(y+1)*stride:][:n], odd[y/2:])
		}
	case modeHorizontalUp:
		last := r[c-n]
		for i := range line {
			line[i] = last
		}
		for k := range n - 1 {
			line[2*k] = f2(c - 2 - k)
			if k < n-2 {
				line[2*k+1] = f3(c - 2 - k)
			}
		}
		line[2*n-3] = uint8((uint(r[c-n+1]) + 3*uint(last) + 2) >> 2)
		for y := range n {
			copy(dst[y*stride:][:n], line[2*y:])
		}
	}
}
