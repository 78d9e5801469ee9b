package tensorcodec

import (
	"fmt"

	"vcsim/internal/raster"
)

// Grid cuts a plane of Width x Height values into frames of one size, in row-major order. Frames at the right and lower
// edge are padded by replication; decoding crops the padding.
type Grid struct {
	Width, Height           int // of the plane
	FrameWidth, FrameHeight int
}

// maxFrame is the default bound of a frame of a tensor, so that the line buffers of a hardware codec stay small.
const maxFrame = 1024

// maxSide bounds a frame's width and height; codecs have bounds of their own below it.
const maxSide = 1 << 16

// NewGrid cuts a plane into frames of the given size; 0 for a side means the whole side of the plane.
func NewGrid(width, height, frameWidth, frameHeight int) (Grid, error) {
	g := Grid{width, height, frameWidth, frameHeight}
	if g.FrameWidth == 0 {
		g.FrameWidth = width
	}
	if g.FrameHeight == 0 {
		g.FrameHeight = height
	}
	return g, g.check()
}

// TensorGrid chooses the frames of a matrix: the fewest of at most 1024 x 1024 in each direction, of equal size, the size
// rounded up to a multiple of 8 where there are several.
func TensorGrid(width, height int) Grid {
	return Grid{width, height, even(width), even(height)}
}

func even(n int) int {
	k := (n + maxFrame - 1) / maxFrame
	if k <= 1 {
		return n
	}
	return (((n + k - 1) / k) + 7) &^ 7
}

func (g Grid) check() error {
	if g.Width < 1 || g.Height < 1 {
		return fmt.Errorf("plane of %dx%d values", g.Width, g.Height)
	}
	if g.FrameWidth < 1 || g.FrameHeight < 1 || g.FrameWidth > maxSide || g.FrameHeight > maxSide {
		return UnsupportedError(fmt.Sprintf("frame of %dx%d values: each side is 1..%d", g.FrameWidth, g.FrameHeight, maxSide))
	}
	return nil
}

func (g Grid) across() int { return (g.Width + g.FrameWidth - 1) / g.FrameWidth }

// Frames returns the number of frames.
func (g Grid) Frames() int {
	return g.across() * ((g.Height + g.FrameHeight - 1) / g.FrameHeight)
}

// rect returns where frame i lies in the plane and how much of it is inside.
func (g Grid) rect(i int) (x, y, w, h int) {
	x, y = i%g.across()*g.FrameWidth, i/g.across()*g.FrameHeight
	return x, y, min(g.FrameWidth, g.Width-x), min(g.FrameHeight, g.Height-y)
}

// Frame returns the samples of frame i and their stride: a window of the plane where the frame lies inside, else a padded
// copy in buf, which must hold a frame.
func (g Grid) Frame(plane, buf []byte, i int) ([]byte, int) {
	x, y, w, h := g.rect(i)
	if w == g.FrameWidth && h == g.FrameHeight {
		return plane[y*g.Width+x:], g.Width
	}
	raster.Pad(buf[:g.FrameWidth*g.FrameHeight], g.FrameWidth, plane[y*g.Width+x:], g.Width, w, h)
	return buf, g.FrameWidth
}

// place copies the inside of frame i from pix to the plane.
func (g Grid) place(plane, pix []byte, stride, i int) {
	x, y, w, h := g.rect(i)
	raster.Copy(plane[y*g.Width+x:], g.Width, pix, stride, w, h)
}
