package cabachw

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"vcsim/internal/bitio"
	"vcsim/sim"
)

// words cuts a NAL unit into words of up to 8 bytes.
func words(nal []byte, size func() int) []Word {
	var out []Word
	for len(nal) > 0 {
		n := min(size(), len(nal))
		w := Word{Count: uint8(n), Last: n == len(nal)}
		for i, b := range nal[:n] {
			w.Data |= uint64(b) << (8 * i)
		}
		out = append(out, w)
		nal = nal[n:]
	}
	return out
}

// TestUnpackUnit: the bytes of bitio.AppendUnescaped, in as many cycles as the
// NAL unit has bytes.
func TestUnpackUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	var in sim.Stream[Word]
	var out sim.Stream[Byte]
	u := NewUnpackUnit(&in, &out)
	for trial := range 300 {
		nal := make([]byte, 1+rng.IntN(200))
		for i := range nal {
			nal[i] = [...]byte{0, 0, 0, 3, 3, 1, uint8(rng.Uint32())}[rng.IntN(7)]
		}
		want := bitio.AppendUnescaped(nil, nal)
		if bytes.HasSuffix(nal, []byte{0, 0, 3}) && len(want) < len(bitio.AppendUnescaped(nil, append(nal, 1))) {
			want = append(want, 3) // the last byte stays
		}
		full := trial%2 == 0
		ws := words(nal, func() int {
			if full {
				return 8
			}
			return 1 + rng.IntN(8)
		})
		var got []byte
		cycles := 0
		for i := 0; ; cycles++ {
			if cycles > 10000 {
				t.Fatalf("trial %d: no end after %d cycles", trial, cycles)
			}
			if !in.Valid && i < len(ws) && (full || rng.IntN(2) == 0) {
				in.Valid, in.Data = true, ws[i]
				i++
			}
			out.Ready = full || rng.IntN(2) == 0
			u.Eval()
			u.Clock()
			if in.Moves() {
				in.Valid = false
			}
			if out.Moves() {
				got = append(got, out.Data.Data)
				if out.Data.Last {
					break
				}
			}
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("trial %d: %x: got %x, want %x", trial, nal, got, want)
		}
		if full && cycles > len(nal)+2 {
			t.Errorf("trial %d: %d cycles for %d bytes", trial, cycles, len(nal))
		}
	}
}
