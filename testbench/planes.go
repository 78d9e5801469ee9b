package testbench

import (
	"bytes"
	"fmt"
	"image"
)

// Cuts returns the frames of at most 256x64 samples that a plane is cut into for a top, from the left and the top: all of them where
// everything is asked for, else eight.
func Cuts(width, height int) (list []image.Rectangle) {
	const cutWidth, cutHeight, most = 256, 64, 8
	for y := 0; y < height; y += cutHeight {
		for x := 0; x < width; x += cutWidth {
			if All() || len(list) < most {
				list = append(list, image.Rect(x, y, min(x+cutWidth, width), min(y+cutHeight, height)))
			}
		}
	}
	return list
}

// SameSlices returns an error with the first frame whose slice has other bytes than that of the software.
func SameSlices(got, want [][]byte) error {
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			return fmt.Errorf("frame %d: %d bytes differ from %d of the software", i, len(got[i]), len(want[i]))
		}
	}
	return nil
}
