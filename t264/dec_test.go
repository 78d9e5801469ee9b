package t264

import (
	"errors"
	"io"
	"testing"

	"vcsim/internal/codectest"
	"vcsim/internal/peertest"
)

// codec is this package to the tests that it shares with the other codec.
var codec = codectest.Codec{
	Format:  peertest.H264,
	Vectors: "testdata/x264",
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
	codec.TestSplit(t, "ultrafast-q12.264", "slices-q28.264", "ultrafast-q12.264")
}

// TestUnitsBetween: units that a decoder drops may stand between slices.
func TestUnitsBetween(t *testing.T) {
	codec.TestUnitsBetween(t, "slices-q28.264",
		[]byte{12, 0xff, 0x80},              // filler data
		[]byte{3<<5 | 20, 0x80, 0, 1, 0x80}, // slice of another layer or view
		[]byte{19, 0x80},                    // auxiliary picture
		[]byte{24, 0x80})                    // unspecified
}

func TestTruncated(t *testing.T) { codec.TestDamaged(t) }

func FuzzDecode(f *testing.F) { codec.FuzzDecode(f) }

func BenchmarkDecode(b *testing.B) {
	codec.BenchmarkDecode(b, "ultrafast-q12.264", "placebo-q30.264", "lossless.264")
}

// TestVectorsCover checks that the vectors use every kind of macroblock and
// every mode.
func TestVectorsCover(t *testing.T) {
	var all Stats
	for name, s := range codec.Streams(t) {
		d, err := NewDecoder(s)
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := d.Next(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		st := d.Stats()
		all.Add(&st)
	}
	check := func(what string, counts []int64) {
		for i, n := range counts {
			if n == 0 {
				t.Errorf("%s %d: not in the vectors", what, i)
			}
		}
	}
	check("macroblock kind", all.MBs[:])
	check("4x4 mode", all.Modes4[:])
	check("8x8 mode", all.Modes8[:])
	check("16x16 mode", all.Modes16[:])
	check("coded category", all.Coded[:])
	check("element", all.Bins[:])
}
