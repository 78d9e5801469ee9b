package cabachw

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"vcsim/internal/bitio"
	"vcsim/sim"
)

// TestNALUnit: the words hold the bytes that bitio escapes.
func TestNALUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{2, 5, 8} {
		var in sim.Stream[Byte]
		var out sim.Stream[Word]
		u := NewNALUnit(size, &in, &out)
		for n := range 300 {
			raw := make([]byte, 1+rng.IntN(40))
			for i := range raw {
				raw[i] = uint8(rng.IntN(256)) & uint8(rng.IntN(8))
			}
			raw[len(raw)-1] |= 1
			var got []byte
			for i, done := 0, false; !done; {
				in.Valid = i < len(raw) && rng.IntN(4) != 0
				if in.Valid {
					in.Data = Byte{raw[i], i == len(raw)-1}
				}
				out.Ready = rng.IntN(4) != 0
				u.Eval()
				u.Clock()
				if in.Moves() {
					i++
				}
				if out.Moves() {
					w := out.Data
					for k := range w.Count {
						got = append(got, byte(w.Data>>(8*k)))
					}
					if !w.Last && int(w.Count) != size {
						t.Fatalf("size %d: a word of %d bytes", size, w.Count)
					}
					done = w.Last
				}
			}
			if want := bitio.AppendEscaped(nil, raw); !bytes.Equal(got, want) {
				t.Fatalf("size %d, unit %d: % x gives % x, want % x", size, n, raw, got, want)
			}
		}
	}
}
