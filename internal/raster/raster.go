// Package raster checks and copies rectangles of 8-bit samples in planes of bytes,
// row by row: sample (x, y) of a plane is pix[y*stride+x].
package raster

import "fmt"

// Copy copies w by h samples from src to dst.
func Copy(dst []byte, dstStride int, src []byte, srcStride, w, h int) {
	for y := range h {
		copy(dst[y*dstStride:][:w], src[y*srcStride:])
	}
}

// Pad copies w by h samples from src to dst, and repeats the last column and the
// last row until all of dst, rows of dstW samples, is full.
func Pad(dst []byte, dstW int, src []byte, srcStride, w, h int) {
	for y := range h {
		row := dst[y*dstW:][:dstW]
		copy(row, src[y*srcStride:][:w])
		for x := w; x < dstW; x++ {
			row[x] = row[w-1]
		}
	}
	last := dst[(h-1)*dstW:][:dstW]
	for rest := dst[h*dstW:]; len(rest) > 0; rest = rest[dstW:] {
		copy(rest, last)
	}
}

// Check reports samples, in rows of stride, that do not hold a picture of w by h.
func Check(pix []byte, stride, w, h int) error {
	if stride < w || len(pix) < (h-1)*stride+w {
		return fmt.Errorf("%d samples in rows of %d do not hold a picture of %dx%d", len(pix), stride, w, h)
	}
	return nil
}

// CheckSize reports a picture that is empty, wider or higher than side, or of more
// samples than that.
func CheckSize(w, h, side, samples int) error {
	if w < 1 || h < 1 || w > side || h > side || w*h > samples {
		return fmt.Errorf("picture size %dx%d: want 1 to %d a side, at most %d samples", w, h, side, samples)
	}
	return nil
}
