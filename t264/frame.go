package t264

import "vcsim/t264/block"

// The picture under reconstruction, and what blocks derive from those around
// them: the contexts of clause 9.3.3.1.1 and the predicted intra mode.

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

// edges returns the available neighbours of the macroblock addr in a slice
// that starts at macroblock start.
func (f *frame) edges(addr, start int) block.Edge {
	w := f.mbWidth
	x := addr % w
	return block.Edge{
		Left:       x > 0 && addr-1 >= start,
		Above:      addr-w >= start,
		AboveLeft:  x > 0 && addr-w-1 >= start,
		AboveRight: x+1 < w && addr-w+1 >= start,
	}
}

// codedContext returns ctxIdxInc of coded_block_flag of the 4x4 block (x, y)
// (clause 9.3.3.1.1.9): unavailable neighbours count as coded.
func (f *frame) codedContext(x, y int, e block.Edge) (n int) {
	at := y>>2*f.stride4 + x>>2
	if x&15 == 0 && !e.Left || f.coded[at-1] != 0 {
		n++
	}
	if y&15 == 0 && !e.Above || f.coded[at-f.stride4] != 0 {
		n += 2
	}
	return n
}

// dcContext is codedContext of the DC block of macroblock addr.
func (f *frame) dcContext(addr int, e block.Edge) (n int) {
	if !e.Left || f.mb[addr-1].dc != 0 {
		n++
	}
	if !e.Above || f.mb[addr-f.mbWidth].dc != 0 {
		n += 2
	}
	return n
}

// typeContext returns ctxIdxInc of the first bin of mb_type (clause
// 9.3.3.1.1.3): neighbours other than I_NxN.
func (f *frame) typeContext(addr int, e block.Edge) (n int) {
	if e.Left && f.mb[addr-1].kind >= block.MB16x16 {
		n++
	}
	if e.Above && f.mb[addr-f.mbWidth].kind >= block.MB16x16 {
		n++
	}
	return n
}

// transform8Context returns ctxIdxInc of transform_size_8x8_flag (clause
// 9.3.3.1.1.10).
func (f *frame) transform8Context(addr int, e block.Edge) (n int) {
	if e.Left && f.mb[addr-1].kind == block.MB8x8 {
		n++
	}
	if e.Above && f.mb[addr-f.mbWidth].kind == block.MB8x8 {
		n++
	}
	return n
}

// cbpContext returns ctxIdxInc of bin i of coded_block_pattern (clause
// 9.3.3.1.1.4), whose bins before it are cbp: neighbouring 8x8 blocks without
// coefficients. I_PCM counts as 15.
func (f *frame) cbpContext(addr, i int, cbp uint8, e block.Edge) (n int) {
	switch {
	case i&1 != 0:
		n += int(^cbp >> (i - 1) & 1)
	case e.Left:
		n += int(^f.mb[addr-1].cbp >> (i + 1) & 1)
	}
	switch {
	case i&2 != 0:
		n += 2 * int(^cbp>>(i-2)&1)
	case e.Above:
		n += 2 * int(^f.mb[addr-f.mbWidth].cbp>>(i+2)&1)
	}
	return n
}

// predictedMode returns predIntra4x4PredMode, or its 8x8 equal, of the block
// (x, y): the smaller mode of the blocks to the left and above, or DC where
// one is not available. Macroblocks that are not I_NxN count as DC, which is
// what f.mode holds for them. An 8x8 block reads the 4x4 block beside its top
// left sample, as clause 8.3.2.1 picks them.
func (f *frame) predictedMode(x, y int, e block.Edge) int {
	if x&15 == 0 && !e.Left || y&15 == 0 && !e.Above {
		return block.ModeDC
	}
	at := y>>2*f.stride4 + x>>2
	return int(min(f.mode[at-1], f.mode[at-f.stride4]))
}

// modes returns the intra modes of macroblock addr by 4x4 block.
func (f *frame) modes(addr int) (modes [16]uint8) {
	x, y := addr%f.mbWidth*4, addr/f.mbWidth*4
	for b := range modes {
		modes[b] = f.mode[(y+int(block.Y[b]>>2))*f.stride4+x+int(block.X[b]>>2)]
	}
	return modes
}
