package hwenc

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/romtest"
	"vcsim/t265/hw"
)

//go:generate go test -run ^TestWords$ -update .

// Words that stay in a memory. Fields and tags as in path.go.

// A placeWord is a place of the scheduler.
type placeWord struct {
	Width  uint16 `rtl:"10"`
	Height uint16 `rtl:"10"`
	QP     uint8  `rtl:"6"`
	High   uint32 `rtl:"20"`
	Fine   bool
	X      uint16 `rtl:"XBits"`
	Y      uint16 `rtl:"10"`
}

// A walkWord is what the walk of a transform tree needs of a Plan.
type walkWord struct {
	X      uint16 `rtl:"XBits"`
	QP     uint8  `rtl:"6"`
	High   bool
	Fine   bool
	First  bool
	Last   bool
	Left   bool
	Above  bool
	Right  bool
	Mode   uint8 `rtl:"2"`
	Split  bool
	Split8 uint8 `rtl:"4"`
}

// TestWords: the header of the modules has the layout of the words of Go.
func TestWords(t *testing.T) {
	const file = "t265_enc_words.vh"
	romtest.CheckWords(t, "../../rtl/t265/gen", file, romtest.Words(file, "T265",
		"Words between the units of the T.265 encoder: offset and width of each field. ThreadBits\nand XBits are parameters of the module that names them.",
		"t265/hw/token.go, t265/hwenc/path.go, mode.go and word.go", []romtest.Word{
			{Name: "CFG", Value: hw.FrameConfig{}}, {Name: "REQ", Value: hw.CTURequest{}},
			{Name: "JOB", Value: Job{}}, {Name: "REF", Value: RefJob{}}, {Name: "PLAN", Value: Plan{}}, {Name: "CHOSEN", Value: Chosen{}}, {Name: "HEAD", Value: Head{}},
			{Name: "TAG", Value: Tag{}}, {Name: "TU", Value: TU{}}, {Name: "FIRST", Value: FirstTU{}}, {Name: "RES", Value: Residual{}}, {Name: "SKIP", Value: SkipResidual{}},
			{Name: "COEF", Value: Coefs{}}, {Name: "SCALED", Value: SkipScaled{}}, {Name: "LEV", Value: SubLevels{}},
			{Name: "PLACE", Value: placeWord{}}, {Name: "WALK", Value: walkWord{}},
			{Name: "DONE", Value: Done{}}, {Name: "LINE", Value: Line{}},
			{Name: "BLOCK", Value: BlockWord{}}, {Name: "SUB", Value: SubBlockWord{}}, {Name: "LEVELS", Value: LevelsWord{}},
			{Name: "SLICE", Value: SliceWord{}},
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
		}{{"block", uint64(b.Word()), romtest.Bits(b), 39}, {"sub-block", uint64(s.Word()), romtest.Bits(s), 53}, {"levels", uint64(l.Word()), romtest.Bits(l), 56}} {
			if mask := uint64(1)<<x.bits - 1; x.got != x.want || x.got != uint64(w)&mask {
				t.Fatalf("%s of %#x: got %#x, and by the tags %#x", x.name, w, x.got, x.want)
			}
		}
	}
}
