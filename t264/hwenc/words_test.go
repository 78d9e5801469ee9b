package hwenc

import (
	"testing"

	"vcsim/internal/romtest"
	"vcsim/t264/hw"
)

//go:generate go test -run ^TestWords$ -update .

// Words between the modules of the encoder for which the model hands on a pointer to
// its macroblock, or that stay in a memory. Fields and tags as in hw/token.go.

// A placeWord is a place in memory.
type placeWord struct {
	Width   uint16 `rtl:"XBits"` // in macroblocks, less one
	Height  uint16 `rtl:"10"`
	QP16    uint16 `rtl:"10"`
	X       uint16 `rtl:"XBits"`
	Y       uint16 `rtl:"10"`
	Acc     uint8  `rtl:"4"`
	High    bool
	Changed bool
}

// A token is a job whose prediction is chosen.
type token struct {
	Job                   job
	LeftCoded, AboveCoded uint8     `rtl:"5"` // as in hw.MBToken
	Mode                  uint8     `rtl:"2"` // Intra16x16PredMode 0..2
	Vector                [16]uint8 `rtl:"8"` // the row above, the column on the left, or 16 times the DC value
}

// A coefs holds Values coefficients of a 4x4 block, column by column.
type coefs struct {
	Thread uint8   `rtl:"ThreadBits"`
	QP     uint8   `rtl:"6"`
	Block  uint8   `rtl:"4"`
	Beat   uint8   `rtl:"(Values == 4 ? 2 : 1)"` // of the block
	Values []int16 `rtl:"15 * Values"`           // s15
}

// A blockSum is what the DC path needs of a 4x4 block.
type blockSum struct {
	Coded bool  // an AC level is not zero
	DC    int16 `rtl:"13"` // the DC coefficient, s13
}

// A blockEdge is what the reconstruction needs of a 4x4 block.
type blockEdge struct {
	QP     uint8     `rtl:"6"`
	Levels [16]int16 `rtl:"12 from 1"` // AC levels, as in hw.ACToken
}

// A borderDC completes four residuals of a border.
type borderDC struct {
	Value int16    `rtl:"16"` // of the inverse transform, s16
	Pred  [4]uint8 `rtl:"8"`
}

// A borderPlace says whose border that is, and has the flags of its blocks.
type borderPlace struct {
	Thread        uint8  `rtl:"ThreadBits"`
	X             uint16 `rtl:"XBits"`
	Below, Beside uint8  `rtl:"5"` // of the lower and of the right blocks, that of the DC block highest
}

// A borderDone is the border of a macroblock.
type borderDone struct {
	Thread        uint8     `rtl:"ThreadBits"`
	X             uint16    `rtl:"XBits"`
	Bottom, Right [16]uint8 `rtl:"8"` // samples
	Below, Beside uint8     `rtl:"5"`
}

// A head holds the fields of a macroblock that its lane needs: those of hw.MBToken,
// and the AC blocks with levels.
type head struct {
	QP                    uint8 `rtl:"6"`
	Mode                  uint8 `rtl:"2"`
	QPDelta               uint8 `rtl:"2"`
	Changed               bool
	Left, Above           bool
	LeftCoded, AboveCoded uint8 `rtl:"5"`
	Last                  bool
	Coded                 uint16 `rtl:"16"`
}

// A stored is a macroblock in the store.
type stored struct {
	head
	DC [16]int16 `rtl:"14"`
}

// TestWords: the header of the modules has the layout of the words of Go.
func TestWords(t *testing.T) {
	const file = "t264_enc_words.vh"
	romtest.CheckWords(t, "../../rtl/t264/gen", file, romtest.Words(file, "T264",
		"Words between the units of the T.264 encoder: offset and width of each field. ThreadBits,\nXBits and Values are parameters of the module that names them.",
		"t264/hw/token.go, t264/hwenc/sched.go, code.go and words_test.go", []romtest.Word{
			{Name: "CFG", Value: hw.FrameConfig{}}, {Name: "REQ", Value: hw.MBRequest{}}, {Name: "PLACE", Value: placeWord{}},
			{Name: "JOB", Value: job{}}, {Name: "TOKEN", Value: token{}}, {Name: "COEF", Value: coefs{}}, {Name: "SUM", Value: blockSum{}},
			{Name: "EDGE", Value: blockEdge{}}, {Name: "DC", Value: borderDC{}}, {Name: "BORDER", Value: borderPlace{}}, {Name: "DONE", Value: borderDone{}},
			{Name: "AC", Value: hw.ACToken{}}, {Name: "MB", Value: hw.MBToken{}}, {Name: "HEAD", Value: head{}}, {Name: "STORED", Value: stored{}},
			{Name: "SLICE", Value: SliceWord{}},
		}))
}
