package simrun

import (
	"fmt"
	"testing"

	"vcsim/internal/tensorcodec"
	"vcsim/t264/hwdec"
	"vcsim/t264/hwenc"
)

// TestVerify: one wrong byte of a slice, and one wrong sample inside the picture, are found.
func TestVerify(t *testing.T) {
	const w, h = 40, 24 // frames of 32x16, of which two by two cover the plane
	grid, err := tensorcodec.NewGrid(w, h, 32, 16)
	if err != nil {
		t.Fatal(err)
	}
	j := &Job{Name: "plane", Grid: grid, Coded: &tensorcodec.Coded{Recon: make([]byte, w*h)}}
	for range grid.Frames() {
		j.slices = append(j.slices, hwdec.Slice{Data: make([]byte, 3)})
		j.frames = append(j.frames, hwenc.Frame{})
	}
	p := &instance{places: share([]*Job{j}, 1)[0]}
	check := func(unit Unit, what string, ok bool) {
		t.Helper()
		r := Result{unit: unit, instances: []*instance{p}}
		if err := r.Verify(); (err == nil) != ok {
			t.Errorf("%s, %s: %v", unit, what, err)
		}
	}
	for range j.frames {
		p.data = append(p.data, make([]byte, 3))
	}
	check(Encoder, "the same bytes", true)
	for k := range p.data {
		for i := range p.data[k] {
			p.data[k][i] = 1
			check(Encoder, fmt.Sprintf("frame %d, byte %d", k, i), false)
			p.data[k][i] = 0
		}
	}
	p.data[1] = p.data[1][:2]
	check(Encoder, "a byte less", false)
	for k := range p.data {
		p.data[k] = make([]byte, 32*16)
	}
	check(Decoder, "the same samples", true)
	for k := range p.data {
		for y := range 16 {
			for x := range 32 {
				p.data[k][32*y+x] = 1
				check(Decoder, fmt.Sprintf("frame %d, column %d, row %d", k, x, y), x+k%2*32 >= w || y+k/2*16 >= h)
				p.data[k][32*y+x] = 0
			}
		}
	}
}
