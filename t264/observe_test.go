package t264

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/codectest"
	"vcsim/t264/block"
)

// TestObserve: a Decoder tells of the macroblocks that the Encoder told of, each
// once and in order; where a block has no levels, its prediction is what comes
// out.
func TestObserve(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	seen := 0
	for i := range 200 {
		p, kind, qp := sweepParams(i, rng)
		if p.Validate() != nil {
			continue
		}
		e := newEncoder(t, p)
		var want, got []Macroblock
		e.Observe(func(m *Macroblock) { want = append(want, *m) })
		stream, recon := codectest.Encode(t, e, codectest.Plane(kind, p.Width, p.Height, uint64(i)), p.Width, qp)
		d, err := NewDecoder(stream)
		if err != nil {
			t.Fatal(err)
		}
		d.Observe(func(m *Macroblock) { got = append(got, *m) })
		if _, err := d.Next(); err != nil {
			t.Fatal(err)
		}
		w := (p.Width + 15) / 16
		if n := w * ((p.Height + 15) / 16); len(got) != n || len(want) != n {
			t.Fatalf("%+v: %d macroblocks decoded, %d coded, want %d", p, len(got), len(want), n)
		}
		for k := range got {
			m := got[k]
			m.Prediction = [256]uint8{}
			if m != want[k] {
				t.Fatalf("%+v: macroblock %d:\ngot  %+v\nwant %+v", p, k, m, want[k])
			}
			if m.Addr != k || m.X != k%w || m.Y != k/w {
				t.Fatalf("%+v: macroblock %d is number %d, (%d, %d)", p, k, m.Addr, m.X, m.Y)
			}
			for j, v := range got[k].Prediction {
				x, y := j%16, j/16
				if m.Kind == block.MB16x16 && m.DCMask != 0 || m.Mask[y/8*2+x/8] != 0 || 16*m.X+x >= p.Width || 16*m.Y+y >= p.Height {
					continue
				}
				seen++
				if r := recon[(16*m.Y+y)*p.Width+16*m.X+x]; v != r {
					t.Fatalf("%+v: macroblock %d: sample (%d, %d) is predicted as %d and reconstructed as %d", p, k, x, y, v, r)
				}
			}
		}
	}
	if seen < 10000 {
		t.Errorf("only %d samples without a residual", seen)
	}
}
