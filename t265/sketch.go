package t265

import "vcsim/t265/block"

// What the hw tier decides on. The samples of a CTU and the column on its left are
// those of the source, the row above and the corner those of the reconstruction. So
// no decision waits for the blocks before it in its row of CTUs. Samples to the
// right of the row above and below the left column are not available.

// A sketch holds these samples of one CTU. Nodes have their place in the picture.
type sketch struct {
	pix  [65 * sketchStride]uint8
	grid block.Grid // of the CTU alone
	edge block.CTUEdge
}

const (
	sketchStride = 80
	sketchFirst  = sketchStride + 8 // the first sample of the CTU
)

// load takes the samples of a CTU.
func (s *sketch) load(e *Encoder, n node) {
	f, size := &e.f, n.size()
	s.grid = block.Grid{Width: size, Height: size, Log2CTB: n.log2}
	s.edge = e.edge
	s.edge.AboveRight = false
	from, before := f.at(n), 0
	if s.edge.Left {
		before = 1
	}
	to := sketchFirst - before
	for y := range size {
		copy(s.pix[to+y*sketchStride:][:size+before], e.src[from-before+y*f.stride:])
	}
	if s.edge.Above {
		copy(s.pix[to-sketchStride:][:size+before], f.pix[from-before-f.stride:])
	}
}

// index returns where the first sample of a node is.
func (s *sketch) index(n node) int {
	mask := s.grid.Width - 1
	return sketchFirst + n.y&mask*sketchStride + n.x&mask
}

// at returns the samples from the first one of a node on, rows of sketchStride.
func (s *sketch) at(n node) []uint8 { return s.pix[s.index(n):] }

// gather reads the reference samples of the block at a node.
func (s *sketch) gather(r *block.Refs, n node) {
	mask := s.grid.Width - 1
	r.Gather(s.pix[:], sketchStride, s.index(n), n.size(), s.grid.Neighbours(n.x&mask, n.y&mask, n.size(), s.edge))
}
