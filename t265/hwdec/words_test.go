package hwdec

import (
	"testing"

	"vcsim/internal/romtest"
	"vcsim/t265/hw"
)

//go:generate go test -run ^TestWords$ -update .

// An endItem is Data of hw.ItemEnd.
type endItem struct {
	Code uint8 `rtl:"3"`
}

// TestWords: the header of the modules has the layout of the words of Go.
func TestWords(t *testing.T) {
	const file = "t265_dec_words.vh"
	romtest.CheckWords(t, "../../rtl/t265/gen", file, romtest.Words(file, "T265",
		"Words between the units of the T.265 decoder: offset and width of each field.",
		"t265/hw/dec_item.go, t265/hwdec/parse.go and words_test.go", []romtest.Word{
			{Name: "DEC_ITEM", Value: hw.Item{}}, {Name: "DEC_HEAD", Value: hw.Head{}}, {Name: "DEC_END", Value: endItem{}}, {Name: "TOOLS", Value: Tools{}},
		}))
}
