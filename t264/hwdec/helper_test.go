package hwdec

import (
	"testing"

	"vcsim/internal/codectest"
	"vcsim/t264"
)

// encodePicture codes one picture with the software encoder and returns stream
// and reconstruction.
func encodePicture(t testing.TB, p t264.Params, pix []byte, qp int) (stream, recon []byte) {
	t.Helper()
	e, err := t264.NewEncoder(p)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	return codectest.Encode(t, e, pix, p.Width, qp)
}

// decodePicture decodes a stream of one picture with the software decoder.
func decodePicture(stream []byte) (pix []byte, w, h int, err error) {
	d, err := t264.NewDecoder(stream)
	if err != nil {
		return nil, 0, 0, err
	}
	p, err := d.Next()
	return p.Pix, p.Width, p.Height, err
}
