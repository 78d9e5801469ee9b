package t265

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// decodeAll returns the samples of all pictures of a stream.
func decodeAll(stream []byte) (pix []byte, w, h int, err error) {
	d, err := NewDecoder(stream)
	if err != nil {
		return nil, 0, 0, err
	}
	for {
		p, err := d.Next()
		if err == io.EOF {
			return pix, w, h, nil
		}
		if err != nil {
			return pix, w, h, err
		}
		pix, w, h = append(pix, p.Pix...), p.Width, p.Height
	}
}

func vectors(t testing.TB) map[string][]byte {
	names, err := filepath.Glob("testdata/x265/*.265")
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

func TestVectors(t *testing.T) {
	list, err := os.ReadFile("testdata/x265/vectors.txt")
	if err != nil {
		t.Fatal(err)
	}
	streams := vectors(t)
	for _, line := range strings.Split(strings.TrimSpace(string(list)), "\n") {
		var name, sum string
		var w, h, n int
		if _, err := fmt.Sscan(line, &name, &w, &h, &n, &sum); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			pix, gotW, gotH, err := decodeAll(streams[name])
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

func TestSplitFrames(t *testing.T) {
	var joined []byte
	one := vectors(t)["ultrafast-q12.265"]
	for range 3 {
		joined = append(joined, one...)
	}
	frames, err := SplitFrames(joined)
	if err != nil || len(frames) != 3 {
		t.Fatalf("got %d frames, err %v, want 3", len(frames), err)
	}
	want, _, _, err := decodeAll(joined)
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	for i, f := range frames {
		pix, _, _, err := decodeAll(f)
		if err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		got = append(got, pix...)
	}
	if !bytes.Equal(got, want) {
		t.Error("frames decoded apart differ from the stream decoded at once")
	}
	if _, err := SplitFrames([]byte{1, 2, 3}); err == nil {
		t.Error("no picture: no error")
	}
}

// TestTruncated cuts and corrupts streams: an error or a picture, no panic.
func TestTruncated(t *testing.T) {
	for name, s := range vectors(t) {
		for i := 0; i < len(s); i += 1 + len(s)/60 {
			if _, _, _, err := decodeAll(s[:i]); err != nil {
				checkDomainError(t, name, err)
			}
			b := bytes.Clone(s)
			b[i] ^= 1 << (i & 7)
			if _, _, _, err := decodeAll(b); err != nil {
				checkDomainError(t, name, err)
			}
		}
	}
}

func checkDomainError(t testing.TB, name string, err error) {
	t.Helper()
	var f FormatError
	var u UnsupportedError
	if !errors.As(err, &f) && !errors.As(err, &u) {
		t.Errorf("%s: error of another type: %v", name, err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range vectors(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, _, _, err := decodeAll(b); err != nil {
			checkDomainError(t, "fuzz", err)
		}
		SplitFrames(b)
	})
}

func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"ultrafast-q12.265", "placebo-q30.265", "lossless.265"} {
		s := vectors(b)[name]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				pix, _, _, err := decodeAll(s)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(pix)))
			}
		})
	}
}
