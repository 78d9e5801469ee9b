// Package codectest holds the tests that both codecs pass, and the pictures that
// they run on.
package codectest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/internal/peertest"
)

// A Codec is the package under test.
type Codec struct {
	Format  string // of package peertest
	Vectors string // folder of streams that others wrote, with vectors.txt

	// NewDecoder returns the method that decodes the next picture of a stream.
	NewDecoder func(stream []byte) (next func() (Picture, error), err error)
	Split      func(stream []byte) ([][]byte, error) // SplitFrames
	// Domain reports an error of the types of the codec.
	Domain func(error) bool
}

// Decode returns the samples of all pictures of a stream, and the size of the
// last.
func (c *Codec) Decode(stream []byte) (pix []byte, w, h int, err error) {
	next, err := c.NewDecoder(stream)
	if err != nil {
		return nil, 0, 0, err
	}
	for {
		p, err := next()
		if err == io.EOF {
			return pix, w, h, nil
		}
		if err != nil {
			return pix, w, h, err
		}
		pix, w, h = append(pix, p.Pix...), p.Width, p.Height
	}
}

// CheckDecode decodes a stream of one picture.
func (c *Codec) CheckDecode(t testing.TB, what string, width, height int, stream, want []byte) {
	t.Helper()
	got, w, h, err := c.Decode(stream)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if w != width || h != height || len(got) != len(want) {
		t.Fatalf("%s: decoded size %dx%d, %d samples, want %d", what, w, h, len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: decoder and reconstruction differ at (%d, %d): %d, %d", what, i%width, i/width, got[i], want[i])
		}
	}
}

// CheckStream decodes a stream of any number of pictures of the given width with
// the codec and with every player.
func (c *Codec) CheckStream(t testing.TB, what string, width int, stream, want []byte) {
	t.Helper()
	peertest.Check(t, what, c.Format, width, stream, want)
	got, _, _, err := c.Decode(stream)
	if err != nil {
		t.Fatalf("%s: own decoder: %v", what, err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s: own decoder differs", what)
	}
}

// CheckPeer decodes the stream of an encoder of others as ffmpeg does.
func (c *Codec) CheckPeer(t testing.TB, what string, stream []byte) {
	t.Helper()
	want, err := peertest.Players(t, c.Format)[0].Play(t, stream)
	if err != nil {
		t.Fatal(err)
	}
	got, _, _, err := c.Decode(stream)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: differs from ffmpeg, err %v", what, err)
	}
}

// Streams returns the vectors by name.
func (c *Codec) Streams(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(c.Vectors, "*.26[45]"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	m := make(map[string][]byte)
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		m[filepath.Base(n)] = b
	}
	return m
}

// TestVectors compares the vectors with the digests of vectors.txt, lines of name,
// width, height, pictures and SHA-256.
func (c *Codec) TestVectors(t *testing.T) {
	list, err := os.ReadFile(filepath.Join(c.Vectors, "vectors.txt"))
	if err != nil {
		t.Fatal(err)
	}
	streams := c.Streams(t)
	lines := strings.Split(strings.TrimSpace(string(list)), "\n")
	if len(lines) != len(streams) {
		t.Errorf("%d vectors, %d lines in vectors.txt", len(streams), len(lines))
	}
	for _, line := range lines {
		var name, sum string
		var w, h, n int
		if _, err := fmt.Sscan(line, &name, &w, &h, &n, &sum); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			pix, gotW, gotH, err := c.Decode(streams[name])
			if err != nil {
				t.Fatal(err)
			}
			if gotW != w || gotH != h || len(pix) != n*w*h {
				t.Fatalf("got %dx%d, %d samples, want %d pictures of %dx%d", gotW, gotH, len(pix), n, w, h)
			}
			if got := fmt.Sprintf("%x", sha256.Sum256(pix)); got != sum {
				t.Errorf("digest %s, want %s", got, sum)
			}
		})
	}
}

// TestSplit decodes the parts of a stream of several vectors apart.
func (c *Codec) TestSplit(t *testing.T, names ...string) {
	streams := c.Streams(t)
	var joined []byte
	for _, n := range names {
		joined = append(joined, streams[n]...)
	}
	frames, err := c.Split(joined)
	if err != nil || len(frames) != len(names) {
		t.Fatalf("got %d frames, err %v, want %d", len(frames), err, len(names))
	}
	c.checkParts(t, joined, frames)
	if _, err := c.Split([]byte{1, 2, 3}); err == nil || !c.Domain(err) {
		t.Errorf("no picture: got %v", err)
	}
}

// checkParts decodes a stream at once and in parts.
func (c *Codec) checkParts(t testing.TB, stream []byte, frames [][]byte) {
	t.Helper()
	want, _, _, err := c.Decode(stream)
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	for i, f := range frames {
		pix, _, _, err := c.Decode(f)
		if err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		got = append(got, pix...)
	}
	if !bytes.Equal(got, want) {
		t.Error("frames decoded apart differ from the stream decoded at once")
	}
}

// TestUnitsBetween puts units that mean nothing to a decoder before every NAL unit
// of a vector of several slices.
func (c *Codec) TestUnitsBetween(t *testing.T, name string, units ...[]byte) {
	stream := c.Streams(t)[name]
	want, _, _, err := c.Decode(stream)
	if err != nil {
		t.Fatal(err)
	}
	start := []byte{0, 0, 1}
	for _, unit := range units {
		between := bytes.ReplaceAll(stream, start, append(append(append([]byte{}, start...), unit...), start...))
		got, _, _, err := c.Decode(between)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("unit % x: decoded pictures differ, err %v", unit, err)
			continue
		}
		frames, err := c.Split(between)
		if err != nil || len(frames) != 1 {
			t.Errorf("unit % x: %d frames, err %v, want one", unit, len(frames), err)
			continue
		}
		c.checkParts(t, stream, frames)
	}
}

// TestDamaged cuts and corrupts the vectors: an error or a picture, no panic.
func (c *Codec) TestDamaged(t *testing.T) {
	for name, s := range c.Streams(t) {
		for i := 0; i < len(s); i += 1 + len(s)/60 {
			if _, _, _, err := c.Decode(s[:i]); err != nil && !c.Domain(err) {
				t.Errorf("%s, %d bytes: error of another type: %v", name, i, err)
			}
			b := bytes.Clone(s)
			b[i] ^= 1 << (i & 7)
			if _, _, _, err := c.Decode(b); err != nil && !c.Domain(err) {
				t.Errorf("%s, byte %d: error of another type: %v", name, i, err)
			}
		}
	}
}

// FuzzDecode decodes any bytes: an error or a picture, no panic.
func (c *Codec) FuzzDecode(f *testing.F) {
	for _, s := range c.Streams(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, _, _, err := c.Decode(b); err != nil && !c.Domain(err) {
			t.Errorf("error of another type: %v", err)
		}
		if frames, err := c.Split(b); err == nil && len(frames) == 0 {
			t.Error("no frames and no error")
		}
	})
}

// BenchmarkDecode decodes some of the vectors.
func (c *Codec) BenchmarkDecode(b *testing.B, names ...string) {
	for _, name := range names {
		s := c.Streams(b)[name]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				pix, _, _, err := c.Decode(s)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(pix)))
			}
		})
	}
}
