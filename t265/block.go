package t265

// Block geometry shared by encoder and decoder: where a transform block lies
// in its picture, slice and CTU, and which neighbours precede it in decoding
// order (clause 6.4.1).

const (
	// maxDimension and maxSamples bound a picture: level 6.2 (Table A.8)
	// allows 35 651 584 samples and the square root of eight times that.
	maxDimension = 16888
	maxSamples   = 35651584
)

// A frame is the picture under reconstruction with the side information that
// later blocks derive their contexts and modes from.
type frame struct {
	width, height int    // coded size, multiples of 8
	stride        int    // of pix, bytes
	pix           []byte // height rows
	log2CTB       int
	ctbWidth      int
	// depth is the coding quadtree depth and qp the QpY by 8x8 block;
	// mode is the intra mode by 4x4 block.
	depth, qp []uint8
	mode      []uint8
	stride8   int
	stride4   int
}

// init sets the size, a multiple of 8, and allocates what is too small.
func (f *frame) init(width, height, log2CTB int) {
	f.width, f.height, f.log2CTB = width, height, log2CTB
	f.ctbWidth = (width + 1<<log2CTB - 1) >> log2CTB
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

// A ctuEdge tells which neighbouring CTUs are available: inside the picture
// and in the same slice.
type ctuEdge struct {
	left, above, aboveLeft, aboveRight bool
}

// edges returns the available neighbours of the CTU with raster address addr
// in a slice that starts at CTU start.
func (f *frame) edges(addr, start int) ctuEdge {
	w := f.ctbWidth
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
func (f *frame) neighbours(x, y, n int, e ctuEdge) (nb neighbourhood) {
	size := 1 << f.log2CTB
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
		nb.aboveRight = max(0, min(n, f.width-x-n))
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
		nb.belowLeft = max(0, min(n, f.height-y-n))
	}
	return nb
}

// clip8 limits v to 0..255.
func clip8(v int32) uint8 {
	if uint32(v) > 255 {
		return uint8(^(v >> 31))
	}
	return uint8(v)
}

// splitContext returns the context increment of split_cu_flag (clause
// 9.3.4.2.2): how many of the left and above neighbours are deeper.
func (f *frame) splitContext(x, y, depth int, e ctuEdge) (n int) {
	mask := 1<<f.log2CTB - 1
	at := y>>3*f.stride8 + x>>3
	if (x&mask > 0 || e.left) && int(f.depth[at-1]) > depth {
		n++
	}
	if (y&mask > 0 || e.above) && int(f.depth[at-f.stride8]) > depth {
		n++
	}
	return n
}
