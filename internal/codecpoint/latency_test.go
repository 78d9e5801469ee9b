package codecpoint

import (
	"math"
	"math/rand/v2"
	"testing"

	"vcsim/t265/hwenc"
)

// TestLatency265: the latency of a CTU of T.265 is what the clocked model takes for one alone in the encoder, beside the operations of its lane: the
// most of CTUs of noise, from flat to coarse, at several quantisers.
func TestLatency265(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	spec := hwenc.DefaultSpec()
	spec.Threads, spec.Lanes = 1, 1
	most := 0.0
	for _, qp := range []int{8, 20, 26, 30, 34, 38, 42} {
		for range 40 {
			h, err := hwenc.NewHost(spec)
			if err != nil {
				t.Fatal(err)
			}
			pix, step := make([]byte, 256), 1<<rng.IntN(8)
			for i := range pix {
				pix[i] = byte(128 + step*(rng.IntN(2)*2-1)*rng.IntN(2)/2)
			}
			if err := h.Begin([]hwenc.Frame{{Pix: pix, Stride: 16, Width: 16, Height: 16, QP16: 16 * qp}}); err != nil {
				t.Fatal(err)
			}
			_, _, src, out := h.Ports()
			first, last := -1, 0
			for k := 0; !h.Done(); k++ {
				h.Step()
				if src.Moves() && first < 0 {
					first = k
				}
				if out.Valid {
					last = k
				}
			}
			most = max(most, float64(last-first)-float64(h.Activity.Ops))
		}
	}
	if got := find("t265", encoderUnit).latency(8); math.Abs(most/got-1) > .05 {
		t.Errorf("a CTU takes %g cycles beside the operations of its lane, the latency is %g", most, got)
	}
}
