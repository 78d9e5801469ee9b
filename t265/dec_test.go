package t265

import (
	"errors"
	"testing"

	"vcsim/internal/codectest"
	"vcsim/internal/peertest"
)

// codec is this package to the tests that it shares with the other codec.
var codec = codectest.Codec{
	Format:  peertest.H265,
	Vectors: "testdata/x265",
	NewDecoder: func(stream []byte) (func() (codectest.Picture, error), error) {
		d, err := NewDecoder(stream)
		if err != nil {
			return nil, err
		}
		return func() (codectest.Picture, error) {
			p, err := d.Next()
			return codectest.Picture{Width: p.Width, Height: p.Height, Pix: p.Pix}, err
		}, nil
	},
	Split: SplitFrames,
	Domain: func(err error) bool {
		var f FormatError
		var u UnsupportedError
		return errors.As(err, &f) || errors.As(err, &u)
	},
}

func TestVectors(t *testing.T) { codec.TestVectors(t) }

func TestSplitFrames(t *testing.T) {
	codec.TestSplit(t, "ultrafast-q12.265", "aq-slices.265", "ultrafast-q12.265")
}

// TestUnitsBetween: units that a decoder drops may stand between slices.
func TestUnitsBetween(t *testing.T) {
	codec.TestUnitsBetween(t, "aq-slices.265",
		[]byte{38 << 1, 1, 0xff, 0x80},  // filler data
		[]byte{40 << 1, 1, 0x80},        // SEI that follows a picture
		[]byte{1 << 1, 1<<3 | 1, 0x80},  // slice of another layer
		[]byte{33 << 1, 1<<3 | 1, 0x80}, // parameter set of another layer
		[]byte{12 << 1, 1, 0x80},        // reserved types of slices
		[]byte{22 << 1, 1, 0x80},
		[]byte{31 << 1, 1, 0x80},
		[]byte{47 << 1, 1, 0x80}, // reserved
		[]byte{63 << 1, 1, 0x80}) // unspecified
}

func TestTruncated(t *testing.T) { codec.TestDamaged(t) }

func FuzzDecode(f *testing.F) { codec.FuzzDecode(f) }

func BenchmarkDecode(b *testing.B) {
	codec.BenchmarkDecode(b, "ultrafast-q12.265", "placebo-q30.265", "lossless.265")
}
