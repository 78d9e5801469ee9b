package hwdec

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/romtest"
	"vcsim/t265/hw"
)

//go:generate go test -run Words$ -update .

// An endItem is Data of hw.ItemEnd.
type endItem struct {
	Code uint8 `rtl:"3"`
}

// TestWords: the header of the modules has the layout of the words of Go.
func TestWords(t *testing.T) {
	const file = "t265_dec_words.vh"
	romtest.CheckWords(t, "../../rtl/t265/gen", file, romtest.Words(file, "T265",
		"Words between the units of the T.265 decoder: offset and width of each field.",
		"t265/hw/dec_item.go and dec_ref.go, t265/hwdec/parse.go and words_test.go", []romtest.Word{
			{Name: "DEC_ITEM", Value: hw.Item{}}, {Name: "DEC_HEAD", Value: hw.Head{}}, {Name: "DEC_END", Value: endItem{}}, {Name: "DEC_REF", Value: hw.RefBeat{}},
			{Name: "TOOLS", Value: Tools{}},
		}))
}

// TestPixelWords: so has that of the words between the units of the pixel path.
func TestPixelWords(t *testing.T) {
	const file = "t265_dec_pixel_words.vh"
	romtest.CheckWords(t, "../../rtl/t265/gen", file, romtest.Words(file, "T265",
		"Words between the units of the T.265 decoder's pixel path: offset and width of each field.",
		"t265/hwdec/sched.go, windows.go and words_test.go", []romtest.Word{
			{Name: "DEC_KEPT", Value: keptHead{}}, {Name: "DEC_GROUP", Value: keptLevels{}}, {Name: "DEC_JOB", Value: BlockJob{}}, {Name: "DEC_SUM", Value: SumJob{}},
			{Name: "DEC_LEFT", Value: LeftWord{}},
		}))
}

// TestTools: the word is that of the tags.
func TestTools(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	flip := func() bool { return rng.IntN(2) == 0 }
	two := func() uint8 { return uint8(rng.IntN(4)) }
	for range 1000 {
		c := Tools{two(), two(), two(), two(), uint8(rng.IntN(8)), two(), two(), two(), flip(), flip(), flip(), flip(), flip(), flip()}
		if got, want := c.Pack(), romtest.Bits(c); got != want {
			t.Fatalf("%+v: got %#x, want %#x", c, got, want)
		}
	}
}
