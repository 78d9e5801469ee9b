package raster

import (
	"bytes"
	"fmt"
	"testing"
)

// numbered returns n samples that tell their place.
func numbered(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
	return b
}

func TestCopyAndPad(t *testing.T) {
	const side = 20
	src := numbered(side * side)
	for _, c := range []struct{ w, h, dw, dh, stride int }{
		{1, 1, 1, 1, 1}, {1, 1, 8, 8, 20}, {3, 5, 3, 5, 3}, {7, 9, 16, 16, 11}, {16, 15, 16, 16, 20}, {15, 16, 16, 16, 15},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			dst := make([]byte, c.dw*c.dh)
			Pad(dst, c.dw, src, c.stride, c.w, c.h)
			for i, got := range dst {
				x, y := min(i%c.dw, c.w-1), min(i/c.dw, c.h-1)
				if want := src[y*c.stride+x]; got != want {
					t.Fatalf("padded (%d, %d): got %d, want %d", i%c.dw, i/c.dw, got, want)
				}
			}
			back := make([]byte, c.dw*c.dh)
			Copy(back, c.dw, dst, c.dw, c.w, c.h)
			for i, got := range back {
				want := dst[i]
				if i%c.dw >= c.w || i/c.dw >= c.h {
					want = 0
				}
				if got != want {
					t.Fatalf("copied (%d, %d): got %d, want %d", i%c.dw, i/c.dw, got, want)
				}
			}
		})
	}
	// The last row of a source may end with its picture.
	dst := make([]byte, 4)
	if Copy(dst, 2, src[:7], 5, 2, 2); !bytes.Equal(dst, []byte{src[0], src[1], src[5], src[6]}) {
		t.Errorf("got %d", dst)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		n, stride, w, h int
		ok              bool
	}{{12, 4, 4, 3, true}, {11, 4, 3, 3, true}, {10, 4, 3, 3, false}, {11, 4, 4, 3, false}, {100, 3, 4, 3, false}} {
		if err := Check(make([]byte, c.n), c.stride, c.w, c.h); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, c := range []struct {
		w, h int
		ok   bool
	}{{1, 1, true}, {10, 6, true}, {0, 1, false}, {1, 0, false}, {-3, -3, false}, {11, 1, false}, {1, 11, false}, {10, 7, false}} {
		if err := CheckSize(c.w, c.h, 10, 60); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
