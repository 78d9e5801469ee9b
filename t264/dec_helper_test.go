package t264

import (
	"testing"

	"vcsim/internal/codectest"
)

// encodePicture codes one picture with the software encoder and returns stream
// and reconstruction.
func encodePicture(t testing.TB, p Params, pix []byte, qp int) (stream, recon []byte) {
	t.Helper()
	e, err := NewEncoder(p)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	return codectest.Encode(t, e, pix, p.Width, qp)
}

// decodePicture decodes a stream of one picture with the software decoder.
func decodePicture(stream []byte) (pix []byte, w, h int, err error) {
	d, err := NewDecoder(stream)
	if err != nil {
		return nil, 0, 0, err
	}
	p, err := d.Next()
	return p.Pix, p.Width, p.Height, err
}
