package t264

// Block geometry shared by encoder and decoder: where a block lies in its
// picture, slice and macroblock, and which neighbours precede it in decoding
// order (clauses 6.4.9 to 6.4.11).

const (
	// maxDimension and maxSamples bound a picture: level 6.2 (Table A-1)
	// allows 139 264 macroblocks, and the square root of eight times that
	// on a side.
	maxDimension = 16880
	maxSamples   = 35651584
)

// Kinds of macroblocks (Table 7-11).
const (
	mb4x4   = iota // I_NxN, transform_size_8x8_flag 0
	mb8x8          // I_NxN, transform_size_8x8_flag 1
	mb16x16        // I_16x16
	mbPCM          // I_PCM
	numMBKinds
)

// A mbInfo is what later macroblocks derive their contexts from.
type mbInfo struct {
	kind uint8
	cbp  uint8 // CodedBlockPatternLuma: bit i is 8x8 block i
	dc   uint8 // coded_block_flag of the DC block: 0, 1
}

// A frame is the picture under reconstruction with the side information that
// later blocks derive their contexts and modes from.
type frame struct {
	width, height int    // coded size, multiples of 16
	stride        int    // of pix, bytes
	pix           []byte // height rows
	mbWidth       int
	mb            []mbInfo // by macroblock
	// mode is the intra mode and coded the coded_block_flag by 4x4 block.
	mode, coded []uint8
	stride4     int
}

// init sets the size, a multiple of 16, and allocates what is too small.
func (f *frame) init(width, height int) {
	f.width, f.height, f.mbWidth = width, height, width/16
	f.stride, f.stride4 = width, width/4
	if n := width * height; cap(f.pix) < n {
		f.pix = make([]byte, n)
		f.mb = make([]mbInfo, n/256)
		f.mode = make([]uint8, n/16)
		f.coded = make([]uint8, n/16)
	} else {
		f.pix, f.mb, f.mode, f.coded = f.pix[:n], f.mb[:n/256], f.mode[:n/16], f.coded[:n/16]
	}
}

// fill4 sets the 4x4 entries of m that the block (x, y) of size n covers.
func (f *frame) fill4(m []uint8, x, y, n int, v uint8) {
	at := y>>2*f.stride4 + x>>2
	for range n >> 2 {
		row := m[at : at+n>>2]
		for i := range row {
			row[i] = v
		}
		at += f.stride4
	}
}

// A mbEdge tells which neighbouring macroblocks are available: inside the
// picture and in the same slice (mbAddrA, B, D and C of clause 6.4.9).
type mbEdge struct {
	left, above, aboveLeft, aboveRight bool
}

// edges returns the available neighbours of the macroblock addr in a slice
// that starts at macroblock start.
func (f *frame) edges(addr, start int) mbEdge {
	w := f.mbWidth
	x := addr % w
	return mbEdge{
		left:       x > 0 && addr-1 >= start,
		above:      addr-w >= start,
		aboveLeft:  x > 0 && addr-w-1 >= start,
		aboveRight: x+1 < w && addr-w+1 >= start,
	}
}

// blockX and blockY locate 4x4 block i of a macroblock, in samples (clause
// 6.4.3, the inverse scan); 8x8 block i is at blockX[4*i], blockY[4*i].
var (
	blockX = [16]uint8{0, 4, 0, 4, 8, 12, 8, 12, 0, 4, 0, 4, 8, 12, 8, 12}
	blockY = [16]uint8{0, 0, 4, 4, 0, 0, 4, 4, 8, 8, 12, 12, 8, 8, 12, 12}
)

// A neighbourhood tells which reference samples of a block are available.
type neighbourhood struct {
	left, above, corner, aboveRight bool
}

// later4 and later8 mark the blocks (by 4x4 or 8x8 raster in the macroblock)
// whose above right neighbour follows in decoding order or lies in the
// macroblock to the right.
var (
	later4 = [16]bool{5: true, 7: true, 11: true, 13: true, 15: true}
	later8 = [4]bool{3: true}
)

// neighbours derives the neighbourhood of the n by n block at (x, y), whose
// macroblock has the edges e.
func neighbours(x, y, n int, e mbEdge) (nb neighbourhood) {
	cx, cy := x&15, y&15
	nb.left = cx > 0 || e.left
	nb.above = cy > 0 || e.above
	switch {
	case cx > 0 && cy > 0:
		nb.corner = true
	case cx > 0:
		nb.corner = e.above
	case cy > 0:
		nb.corner = e.left
	default:
		nb.corner = e.aboveLeft
	}
	switch {
	case n == 16:
		// Intra16x16 reads no sample there.
	case cy == 0 && cx+n == 16:
		nb.aboveRight = e.aboveRight
	case cy == 0:
		nb.aboveRight = e.above
	case n == 4:
		nb.aboveRight = !later4[cy+cx>>2]
	default:
		nb.aboveRight = !later8[cy>>2+cx>>3]
	}
	return nb
}

// codedContext returns ctxIdxInc of coded_block_flag of the 4x4 block (x, y)
// (clause 9.3.3.1.1.9): unavailable neighbours count as coded.
func (f *frame) codedContext(x, y int, e mbEdge) (n int) {
	at := y>>2*f.stride4 + x>>2
	if x&15 == 0 && !e.left || f.coded[at-1] != 0 {
		n++
	}
	if y&15 == 0 && !e.above || f.coded[at-f.stride4] != 0 {
		n += 2
	}
	return n
}

// dcContext is codedContext of the DC block of macroblock addr.
func (f *frame) dcContext(addr int, e mbEdge) (n int) {
	if !e.left || f.mb[addr-1].dc != 0 {
		n++
	}
	if !e.above || f.mb[addr-f.mbWidth].dc != 0 {
		n += 2
	}
	return n
}

// typeContext returns ctxIdxInc of the first bin of mb_type (clause
// 9.3.3.1.1.3): neighbours other than I_NxN.
func (f *frame) typeContext(addr int, e mbEdge) (n int) {
	if e.left && f.mb[addr-1].kind >= mb16x16 {
		n++
	}
	if e.above && f.mb[addr-f.mbWidth].kind >= mb16x16 {
		n++
	}
	return n
}

// transform8Context returns ctxIdxInc of transform_size_8x8_flag (clause
// 9.3.3.1.1.10).
func (f *frame) transform8Context(addr int, e mbEdge) (n int) {
	if e.left && f.mb[addr-1].kind == mb8x8 {
		n++
	}
	if e.above && f.mb[addr-f.mbWidth].kind == mb8x8 {
		n++
	}
	return n
}

// cbpContext returns ctxIdxInc of bin i of coded_block_pattern (clause
// 9.3.3.1.1.4), whose bins before it are cbp: neighbouring 8x8 blocks without
// coefficients. I_PCM counts as 15.
func (f *frame) cbpContext(addr, i int, cbp uint8, e mbEdge) (n int) {
	switch {
	case i&1 != 0:
		n += int(^cbp >> (i - 1) & 1)
	case e.left:
		n += int(^f.mb[addr-1].cbp >> (i + 1) & 1)
	}
	switch {
	case i&2 != 0:
		n += 2 * int(^cbp>>(i-2)&1)
	case e.above:
		n += 2 * int(^f.mb[addr-f.mbWidth].cbp>>(i+2)&1)
	}
	return n
}

// clip8 limits v to 0..255.
func clip8(v int32) uint8 {
	if uint32(v) > 255 {
		return uint8(^(v >> 31))
	}
	return uint8(v)
}
