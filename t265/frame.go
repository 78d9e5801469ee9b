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

// begins reports whether the first sample of a node lies in the picture, holds
// whether all do.
func (f *frame) begins(n node) bool { return n.x < f.grid.Width && n.y < f.grid.Height }
func (f *frame) holds(n node) bool {
	return n.x+n.size() <= f.grid.Width && n.y+n.size() <= f.grid.Height
}

// at, at4 and at8 return the index of the first sample of a node, of its first
// 4x4 block and of its first 8x8 block.
func (f *frame) at(n node) int  { return n.y*f.stride + n.x }
func (f *frame) at4(n node) int { return n.y>>2*f.stride4 + n.x>>2 }
func (f *frame) at8(n node) int { return n.y>>3*f.stride8 + n.x>>3 }

// fill8 sets the entries of m, which has one for each 8x8 block, in a node.
func (f *frame) fill8(m []uint8, n node, v uint8) {
	at, w := f.at8(n), n.size()>>3
	for range w {
		row := m[at : at+w]
		for i := range row {
			row[i] = v
		}
		at += f.stride8
	}
}

// fillMode sets the intra mode of a node.
func (f *frame) fillMode(n node, mode uint8) {
	at, w := f.at4(n), n.size()>>2
	for range w {
		row := f.mode[at : at+w]
		for i := range row {
			row[i] = mode
		}
		at += f.stride4
	}
}

// gather reads the reference samples of the block at a node of the CTU whose
// edges are e.
func (f *frame) gather(r *block.Refs, n node, e block.CTUEdge) {
	r.Gather(f.pix, f.stride, f.at(n), n.size(), f.grid.Neighbours(n.x, n.y, n.size(), e))
}

// splitContext returns the context increment of split_cu_flag (clause
// 9.3.4.2.2): how many of the left and above neighbours are deeper.
func (f *frame) splitContext(n node, e block.CTUEdge) (inc int) {
	mask := 1<<f.grid.Log2CTB - 1
	at := f.at8(n)
	if (n.x&mask > 0 || e.Left) && int(f.depth[at-1]) > n.depth {
		inc++
	}
	if (n.y&mask > 0 || e.Above) && int(f.depth[at-f.stride8]) > n.depth {
		inc++
	}
	return inc
}

// modeNeighbours returns the modes of the blocks left of and above a node as
// block.ProbableModes wants them.
func (f *frame) modeNeighbours(n node, e block.CTUEdge) (left, above int) {
	mask := 1<<f.grid.Log2CTB - 1
	left, above = block.ModeDC, block.ModeDC
	at := f.at4(n)
	if n.x&mask > 0 || e.Left {
		left = int(f.mode[at-1])
	}
	if n.y&mask > 0 {
		above = int(f.mode[at-f.stride4])
	}
	return left, above
}
