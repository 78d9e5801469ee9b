package hwenc

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/romtest"
)

//go:generate go test -run ^TestWords$ -update .

// TestWords: the header of the modules has the layout of the words of Go.
func TestWords(t *testing.T) {
	const file = "t265_enc_words.vh"
	romtest.CheckWords(t, "../../rtl/t265/gen", file, romtest.Words(file, "T265",
		"Words from the pixel path of the T.265 encoder to a lane: offset and width of each field.",
		"t265/hwenc/word.go", []romtest.Word{
			{Name: "BLOCK", Value: BlockWord{}}, {Name: "SUB", Value: SubBlockWord{}}, {Name: "LEVELS", Value: LevelsWord{}},
		}))
}

// TestPack: words are packed as their tags say, and unpacked again.
func TestPack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		w := Word(rng.Uint64() & (1<<wordBits - 1))
		b, s, l := w.block(), w.subBlock(), LevelsWord{}
		for i := range l.Level {
			l.Level[i] = w.level(i)
		}
		for _, x := range []struct {
			name      string
			got, want uint64
			bits      int
		}{{"block", uint64(b.Word()), romtest.Bits(b), 50}, {"sub-block", uint64(s.Word()), romtest.Bits(s), 53}, {"levels", uint64(l.Word()), romtest.Bits(l), 56}} {
			if mask := uint64(1)<<x.bits - 1; x.got != x.want || x.got != uint64(w)&mask {
				t.Fatalf("%s of %#x: got %#x, and by the tags %#x", x.name, w, x.got, x.want)
			}
		}
	}
}
