package hwenc

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"vcsim/t265"
)

// TestHost: the bytes of frames of all sizes and QPs are those of the software encoder.
func TestHost(t *testing.T) {
	planes := testPlanes(t)
	for _, spec := range testSpecs {
		rng := rand.New(rand.NewPCG(5, uint64(spec.Threads)))
		h, err := NewHost(spec)
		if err != nil {
			t.Fatal(err)
		}
		h.Latency = uint64(rng.IntN(60))
		var frames []Frame
		for i := range 20 + 52 {
			p := &planes[rng.IntN(len(planes))]
			f := Frame{Width: 1 + rng.IntN(min(p.Width, 16*spec.FrameCTUs)), Height: 1 + rng.IntN(48), QP16: rng.IntN(16*51 + 1), Fine: true}
			if i >= 20 {
				f.QP16, f.Fine = 16*(i-20), i%3 == 0
			}
			f.Pix, f.Stride = p.Cut(rng.IntN(p.Width), rng.IntN(p.Height), f.Width, f.Height), f.Width
			frames = append(frames, f)
		}
		got, err := h.Encode(frames)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range frames {
			want, err := CodePicture(t265.Params{Width: f.Width, Height: f.Height, CTU: spec.CTU, MaxTU: spec.MaxTU, Off: spec.Off(), FineQP: f.Fine}, f.Pix, f.Stride, f.QP16)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got[i], want[0].Data) {
				t.Errorf("%+v: frame %d of %dx%d, QP %d/16: %d bytes differ from %d of the software", spec, i, f.Width, f.Height, f.QP16, len(got[i]), len(want[0].Data))
			}
		}
	}
}

// TestHostRefused: frames that cannot be coded are refused.
func TestHostRefused(t *testing.T) {
	h, err := NewHost(testSpecs[0])
	if err != nil {
		t.Fatal(err)
	}
	pix := make([]byte, 512)
	for _, f := range []Frame{
		{Pix: pix, Stride: 16, Width: 0, Height: 16},
		{Pix: pix, Stride: 272, Width: 257, Height: 1},
		{Pix: pix, Stride: 16, Width: 16, Height: 33},
		{Pix: pix, Stride: 8, Width: 16, Height: 16},
		{Pix: pix, Stride: 16, Width: 16, Height: 16, QP16: 817, Fine: true},
		{Pix: pix, Stride: 16, Width: 16, Height: 16, QP16: 401},
	} {
		if _, err := h.Encode([]Frame{f}); err == nil {
			t.Errorf("%+v is taken", f)
		}
	}
	if _, err := NewHost(Spec{}); err == nil {
		t.Error("no threads are taken")
	}
}

// TestSpecRefused: each parameter out of its range is refused by its name.
func TestSpecRefused(t *testing.T) {
	for name, change := range map[string]func(*Spec){
		"Threads":   func(s *Spec) { s.Threads = 65 },
		"Lanes":     func(s *Spec) { s.Lanes = 19 },
		"FrameCTUs": func(s *Spec) { s.FrameCTUs = 1 },
		"MaxTU":     func(s *Spec) { s.MaxTU = 32 },
		"MinTU":     func(s *Spec) { s.MinTU = 16 },
		"CTU":       func(s *Spec) { s.CTU = 32 },
		"Bypass":    func(s *Spec) { s.Bypass = 3 },
		"Groups":    func(s *Spec) { s.Groups = 17 },
	} {
		spec := DefaultSpec()
		change(&spec)
		if err := spec.Validate(); err == nil || !strings.Contains(err.Error(), name+" is ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, minTU := range []int{0, 4, 8} {
		spec := DefaultSpec()
		spec.MinTU = minTU
		if err := spec.Validate(); err != nil {
			t.Error(err)
		}
	}
}
