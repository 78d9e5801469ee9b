package t265

// Block geometry shared by encoder and decoder: where a transform block lies
// in its picture, slice and CTU, and which neighbours precede it in decoding
// order (clause 6.4.1).

// A grid divides a picture into CTUs.
type grid struct {
	width, height       int // coded size, samples
	log2CTB             int
	ctbWidth, ctbHeight int // CTUs, also those that the picture cuts
}

// newGrid returns the grid of a picture with CTUs of size 1<<log2CTB.
func newGrid(width, height, log2CTB int) grid {
	return grid{width, height, log2CTB, (width + 1<<log2CTB - 1) >> log2CTB, (height + 1<<log2CTB - 1) >> log2CTB}
}

// A ctuEdge tells which neighbouring CTUs are available: inside the picture
// and in the same slice.
type ctuEdge struct {
	left, above, aboveLeft, aboveRight bool
}

// edges returns the available neighbours of the CTU with raster address addr
// in a slice that starts at CTU start.
func (g *grid) edges(addr, start int) ctuEdge {
	w := g.ctbWidth
	x := addr % w
	return ctuEdge{
		left:       x > 0 && addr-1 >= start,
		above:      addr-w >= start,
		aboveLeft:  x > 0 && addr-w-1 >= start,
		aboveRight: x+1 < w && addr-w+1 >= start,
	}
}

// zOrder interleaves the bits of the 4x4 coordinates within a CTU of up to
// 64x64: index y<<4 | x, value decoding order (clause 6.5.2).
var zOrder = func() (t [256]uint8) {
	for i := range t {
		x, y := i&15, i>>4
		for b := range 4 {
			t[i] |= uint8(x>>b&1<<(2*b) | y>>b&1<<(2*b+1))
		}
	}
	return t
}()

// A neighbourhood counts the reference samples of a block that are available.
type neighbourhood struct {
	left, above, corner bool
	belowLeft           int // samples below the left neighbours
	aboveRight          int // samples right of the above neighbours
}

// neighbours derives the neighbourhood of the n by n block at (x, y) of the
// CTU whose edges are e.
func (g *grid) neighbours(x, y, n int, e ctuEdge) (nb neighbourhood) {
	size := 1 << g.log2CTB
	cx, cy := x&(size-1), y&(size-1)
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
	here := zOrder[cy>>2<<4|cx>>2]
	right := false
	switch {
	case cy == 0 && cx+n < size:
		right = e.above
	case cy == 0:
		right = e.aboveRight
	case cx+n < size:
		right = zOrder[(cy-1)>>2<<4|(cx+n)>>2] < here
	}
	if right {
		nb.aboveRight = max(0, min(n, g.width-x-n))
	}
	below := false
	if cy+n < size {
		if cx == 0 {
			below = e.left
		} else {
			below = zOrder[(cy+n)>>2<<4|(cx-1)>>2] < here
		}
	}
	if below {
		nb.belowLeft = max(0, min(n, g.height-y-n))
	}
	return nb
}
