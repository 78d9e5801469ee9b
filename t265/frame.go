package t265

import "vcsim/t265/block"

// The picture with what later blocks need of earlier ones: contexts of
// split_cu_flag (clause 9.3.4.2.2), neighbours of intra modes (8.4.2).

// A frame is the picture under reconstruction with the side information that
// later blocks derive their contexts and modes from.
type frame struct {
	grid   block.Grid
	stride int    // of pix, bytes
	pix    []byte // height rows
	// depth is the coding quadtree depth and qp the QpY by 8x8 block;
	// mode is the intra mode by 4x4 block.
	depth, qp []uint8
	mode      []uint8
	stride8   int
	stride4   int
}

// init sets the size, a multiple of 8, and allocates what is too small.
func (f *frame) init(width, height, log2CTB int) {
	f.grid = block.NewGrid(width, height, log2CTB)
	f.stride, f.stride8, f.stride4 = width, width/8, width/4
	if n := width * height; cap(f.pix) < n {
		f.pix = make([]byte, n)
		f.depth = make([]uint8, n/64)
		f.qp = make([]uint8, n/64)
		f.mode = make([]uint8, n/16)
	} else {
		f.pix, f.depth, f.qp, f.mode = f.pix[:n], f.depth[:n/64], f.qp[:n/64], f.mode[:n/16]
	}
}

// fill8 sets the 8x8 entries of m that the block (x, y) of size n covers.
func (f *frame) fill8(m []uint8, x, y, n int, v uint8) {
	at := y>>3*f.stride8 + x>>3
	for range n >> 3 {
		row := m[at : at+n>>3]
		for i := range row {
			row[i] = v
		}
		at += f.stride8
	}
}

// fillMode sets the intra mode of the block (x, y) of size n.
func (f *frame) fillMode(x, y, n int, mode uint8) {
	at := y>>2*f.stride4 + x>>2
	for range n >> 2 {
		row := f.mode[at : at+n>>2]
		for i := range row {
			row[i] = mode
		}
		at += f.stride4
	}
}

// splitContext returns the context increment of split_cu_flag (clause
// 9.3.4.2.2): how many of the left and above neighbours are deeper.
func (f *frame) splitContext(x, y, depth int, e block.CTUEdge) (n int) {
	mask := 1<<f.grid.Log2CTB - 1
	at := y>>3*f.stride8 + x>>3
	if (x&mask > 0 || e.Left) && int(f.depth[at-1]) > depth {
		n++
	}
	if (y&mask > 0 || e.Above) && int(f.depth[at-f.stride8]) > depth {
		n++
	}
	return n
}

// modeNeighbours returns the modes of the blocks left of and above (x, y) as
// probableModes wants them.
func (f *frame) modeNeighbours(x, y int, e block.CTUEdge) (left, above int) {
	mask := 1<<f.grid.Log2CTB - 1
	left, above = block.ModeDC, block.ModeDC
	at := y>>2*f.stride4 + x>>2
	if x&mask > 0 || e.Left {
		left = int(f.mode[at-1])
	}
	if y&mask > 0 {
		above = int(f.mode[at-f.stride4])
	}
	return left, above
}
