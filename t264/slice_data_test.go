package t264

import (
	"encoding/gob"
	"os"
	"testing"

	"vcsim/internal/bitio"
)

// TestSliceData: random slice data has the end that the maker of the vectors
// noted: its parser is that of the hardware. I_PCM and levels beyond 16 bits,
// ends there, go on here.
func TestSliceData(t *testing.T) {
	const complete, pcm, level = 0, 3, 7
	f, err := os.Open("testdata/lane/random.gob")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var vectors []struct {
		Config struct {
			LastX, LastY, X, Y uint16
			QP                 uint8
			Transform8         bool
		}
		Data []byte
		Code uint8
	}
	if err := gob.NewDecoder(f).Decode(&vectors); err != nil {
		t.Fatal(err)
	}
	for i, v := range vectors {
		var m mbDecoder
		m.stats = new(Stats)
		m.residual.stats = m.stats
		c := v.Config
		s := &SPS{Width: 16 * (int(c.LastX) + 1), Height: 16 * (int(c.LastY) + 1)}
		m.startPicture(s)
		m.next = int(c.Y)*(int(c.LastX)+1) + int(c.X)
		h := sliceHeader{first: m.next, qp: int(c.QP), filter: deblocking{idc: 1}}
		err := m.slice(bitio.AppendUnescaped(nil, v.Data), s, &PPS{Transform8x8: c.Transform8}, &h)
		switch v.Code {
		case complete:
			if err != nil {
				t.Fatalf("vector %d: complete, but the decoder has %v", i, err)
			}
		case pcm, level:
		default:
			if err == nil {
				t.Fatalf("vector %d: code %d, but the decoder has no error", i, v.Code)
			}
		}
	}
	if len(vectors) < 100 {
		t.Errorf("only %d vectors", len(vectors))
	}
}
