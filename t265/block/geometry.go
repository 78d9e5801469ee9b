package block

// Block geometry shared by encoder and decoder: where a transform block lies
// in its picture, slice and CTU, and which neighbours precede it in decoding
// order (clause 6.4.1).

// A Grid divides a picture into CTUs.
type Grid struct {
	Width, Height       int // coded size, samples
	Log2CTB             int
	CTBWidth, CTBHeight int // CTUs, also those that the picture cuts
}

// NewGrid returns the grid of a picture with CTUs of size 1<<log2CTB.
func NewGrid(width, height, log2CTB int) Grid {
	return Grid{width, height, log2CTB, (width + 1<<log2CTB - 1) >> log2CTB, (height + 1<<log2CTB - 1) >> log2CTB}
}

// A CTUEdge tells which neighbouring CTUs are available: inside the picture
// and in the same slice.
type CTUEdge struct {
	Left, Above, AboveLeft, AboveRight bool
}

// Edges returns the available neighbours of the CTU with raster address addr
// in a slice that starts at CTU start.
func (g *Grid) Edges(addr, start int) CTUEdge {
	w := g.CTBWidth
	x := addr % w
	return CTUEdge{
		Left:       x > 0 && addr-1 >= start,
		Above:      addr-w >= start,
		AboveLeft:  x > 0 && addr-w-1 >= start,
		AboveRight: x+1 < w && addr-w+1 >= start,
	}
}

// ZOrder interleaves the bits of the 4x4 coordinates within a CTU of up to
// 64x64: index y<<4 | x, value decoding order (clause 6.5.2).
var ZOrder = func() (t [256]uint8) {
	for i := range t {
		x, y := i&15, i>>4
		for b := range 4 {
			t[i] |= uint8(x>>b&1<<(2*b) | y>>b&1<<(2*b+1))
		}
	}
	return t
}()

// A Neighbourhood counts the reference samples of a block that are available.
type Neighbourhood struct {
	Left, Above, Corner bool
	BelowLeft           int // samples below the left neighbours
	AboveRight          int // samples right of the above neighbours
}

// Neighbours derives the neighbourhood of the n by n block at (x, y) of the
// CTU whose edges are e.
func (g *Grid) Neighbours(x, y, n int, e CTUEdge) (nb Neighbourhood) {
	size := 1 << g.Log2CTB
	cx, cy := x&(size-1), y&(size-1)
	nb.Left = cx > 0 || e.Left
	nb.Above = cy > 0 || e.Above
	switch {
	case cx > 0 && cy > 0:
		nb.Corner = true
	case cx > 0:
		nb.Corner = e.Above
	case cy > 0:
		nb.Corner = e.Left
	default:
		nb.Corner = e.AboveLeft
	}
	here := ZOrder[cy>>2<<4|cx>>2]
	right := false
	switch {
	case cy == 0 && cx+n < size:
		right = e.Above
	case cy == 0:
		right = e.AboveRight
	case cx+n < size:
		right = ZOrder[(cy-1)>>2<<4|(cx+n)>>2] < here
	}
	if right {
		nb.AboveRight = max(0, min(n, g.Width-x-n))
	}
	below := false
	if cy+n < size {
		if cx == 0 {
			below = e.Left
		} else {
			below = ZOrder[(cy+n)>>2<<4|(cx-1)>>2] < here
		}
	}
	if below {
		nb.BelowLeft = max(0, min(n, g.Height-y-n))
	}
	return nb
}
