package codectest

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"vcsim/internal/golden"
)

// TestStreams compares the digests of streams with those in file. What an encoder
// decides is free: no decoder sees a wrong decision, only the streams change.
// newEncoder returns an encoder of pictures of 96 by 80 by a name.
func TestStreams(t *testing.T, file string, names []string, newEncoder func(name string) Encoder) {
	const w, h = 96, 80
	var s strings.Builder
	for _, name := range names {
		e := newEncoder(name)
		for i, kind := range Kinds {
			sum := sha256.New()
			size := 0
			for qp16 := 5 * i; qp16 <= 51*16; qp16 += 16 * 7 {
				stream, err := e.AppendFrameFine(nil, Plane(kind, w, h, uint64(qp16)), w, qp16)
				if err != nil {
					t.Fatal(err)
				}
				sum.Write(stream)
				size += len(stream)
			}
			fmt.Fprintf(&s, "%s %s %d bytes %x\n", name, kind, size, sum.Sum(nil)[:8])
		}
	}
	golden.Check(t, file, s.String())
}
