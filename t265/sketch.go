package t265

import "vcsim/t265/block"

// What the hw tier decides on. The samples of a coding unit and the column on its
// left are those of the source, the row above those of the reconstruction. So no
// decision waits for the blocks before it in its row of CTUs.

// A sketch holds these samples of one coding unit, and what stands for the row and
// the column if they are not available. Nodes have their place in the picture.
type sketch struct {
	pix    [65 * sketchStride]uint8
	border block.OpenBorder
	mask   int // of coordinates in the unit
}

const (
	sketchStride = 80
	sketchFirst  = sketchStride + 8 // the first sample of the unit
)

// load takes the samples of a coding unit.
func (s *sketch) load(e *Encoder, n node) {
	f, b, size, from := &e.f, &s.border, n.size(), e.f.at(n)
	s.mask = size - 1
	mask := 1<<e.g.ctb - 1
	left, above := n.x&mask > 0 || e.edge.Left, n.y&mask > 0 || e.edge.Above
	for y := range size {
		copy(s.pix[sketchFirst+y*sketchStride:][:size], e.src[from+y*f.stride:])
	}
	if left {
		for y := range size {
			b.Left[y] = e.src[from-1+y*f.stride]
		}
	}
	if above {
		copy(b.Above[:size], f.pix[from-f.stride:])
	}
	b.Substitute(size, left, above)
	copy(s.pix[sketchFirst-sketchStride:], b.Above[:size])
	for y := range size {
		s.pix[sketchFirst-1+y*sketchStride] = b.Left[y]
	}
}

// at returns the index of the first sample of a node.
func (s *sketch) at(n node) int { return sketchFirst + n.y&s.mask*sketchStride + n.x&s.mask }

// mode returns the lane of the best mode for the unit at a node.
func (s *sketch) mode(n node, qp int) int {
	return block.OpenMode(s.pix[sketchFirst:], sketchStride, n.log2, qp, &s.border)
}

// predict writes the prediction of the block at a node in the mode of a lane to
// pred, a raster of its size, and returns its samples, rows of sketchStride.
func (s *sketch) predict(pred []uint8, n node, lane int) []uint8 {
	var left [32]uint8
	at, size := s.at(n), n.size()
	for i := range left[:size] {
		left[i] = s.pix[at-1+i*sketchStride]
	}
	block.OpenPredict(pred, n.log2, lane, s.pix[at-sketchStride:][:size], left[:size])
	return s.pix[at:]
}
