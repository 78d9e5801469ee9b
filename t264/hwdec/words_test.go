package hwdec

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/romtest"
	"vcsim/t264/hw"
)

//go:generate go test -run ^TestWords$ -update .

// Words between the modules of the decoder that the model does not have. Fields and
// tags as in hw/item.go.

// A pathItem is what the pixel path reads of an item.
type pathItem struct {
	Kind  uint8 `rtl:"3"`
	Group uint8 `rtl:"4"`
	Last  bool
	Data  uint64 `rtl:"64"`
}

// An endItem is Data of hw.ItemEnd.
type endItem struct {
	Code uint8 `rtl:"4"`
}

// A near has the neighbouring macroblocks that prediction may read.
type near struct {
	Left, Above, AboveLeft, AboveRight bool
}

// A kept is a hw.MBItem in the store of the pixel path.
type kept struct {
	Kind uint8 `rtl:"2"`
	Mode uint8 `rtl:"2"`
	CBP  uint8 `rtl:"4"`
	QP   uint8 `rtl:"6"`
	near
	X, Y uint16 `rtl:"MBBits"`
}

// A step is a block on its way through the pixel path, one word of an 8x8 block.
type step struct {
	Thread uint8 `rtl:"ThreadBits"`
	Kind   uint8 `rtl:"2"` // 0 4x4, 1 8x8, 2 AC, 3 DC
	Block  uint8 `rtl:"4"`
	Mode   uint8 `rtl:"4"`
	near
	X, Y uint16 `rtl:"MBBits"`
	Word uint8  `rtl:"2"`
}

// A plane is a prediction of I_16x16 in mode DC or plane, in units of 1/32: the
// value at the first sample, rounded, and what it grows by.
type plane struct {
	First       int16 `rtl:"16"` // s16
	Right, Down int16 `rtl:"11"` // s11
}

// TestWords: the header of the modules has the layout of the words of Go.
func TestWords(t *testing.T) {
	const file = "t264_dec_words.vh"
	romtest.CheckWords(t, "../../rtl/t264/gen", file, romtest.Words(file, "T264",
		"Words between the units of the T.264 decoder: offset and width of each field. ThreadBits and\nMBBits are parameters of the module that names them.",
		"t264/hw/item.go, t264/hwdec/pixels.go, around.go, parse.go and words_test.go", []romtest.Word{
			{Name: "ITEM", Value: pathItem{}}, {Name: "MB_ITEM", Value: hw.MBItem{}}, {Name: "END_ITEM", Value: endItem{}},
			{Name: "KEPT", Value: kept{}}, {Name: "STEP", Value: step{}}, {Name: "PIXEL", Value: PixelWord{}}, {Name: "PLANE", Value: plane{}},
			{Name: "AROUND", Value: aboveWord{}}, {Name: "ASK", Value: AboveRequest{}},
		}))
}

// TestAboveWord: the word that the model packs is that of its tags.
func TestAboveWord(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		want := unpackAbove(rng.Uint32() & (1<<AboveBits - 1))
		if got := want.pack(); uint64(got) != romtest.Bits(want) || unpackAbove(got) != want {
			t.Fatalf("%+v: got %#x, want %#x", want, got, romtest.Bits(want))
		}
	}
	if got := romtest.Bits(aboveWord{kind: 3, dc: 1, cbp: 3, coded: 15, mode: [4]uint8{15, 15, 15, 15}}); got != 1<<AboveBits-1 {
		t.Errorf("all bits are %#x, not %d", got, AboveBits)
	}
}
