package hwdec

import (
	"fmt"
	"math/bits"

	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_dec_lane.v rtl/t264/t264_dec_banks.v

// A LaneSpec holds the parameters of a decoder lane, spelled as in Verilog.
type LaneSpec struct {
	FrameMBs int // widest and highest picture, in macroblocks, 2..1024
	Bypass   int // bypass bins a cycle in a level, 1..4
}

// DefaultLaneSpec is a lane for pictures of up to 1024 x 1024 samples.
func DefaultLaneSpec() LaneSpec { return LaneSpec{FrameMBs: 64, Bypass: 1} }

// Validate reports the first parameter out of range.
func (s LaneSpec) Validate() error {
	if s.FrameMBs < 2 || s.FrameMBs > 1024 {
		return fmt.Errorf("t264: FrameMBs is %d, not in 2..1024", s.FrameMBs)
	}
	return validateBypass(s.Bypass)
}

// validateBypass holds for a lane and for a decoder of lanes.
func validateBypass(n int) error {
	if n < 1 || n > 4 {
		return fmt.Errorf("t264: Bypass is %d, not in 1..4", n)
	}
	return nil
}

// MBBits is the width of a column or row of macroblocks.
func (s LaneSpec) MBBits() int { return bits.Len(uint(s.FrameMBs - 1)) }

// A LaneUnit is a decoder lane: words of slice data in, Items out. It is a
// cabachw.UnpackUnit, a cabachw.DecoderUnit and a ParseUnit.
//
// A slice starts with a word of Config; its data, the bytes behind the slice
// header with emulation prevention, may come before that. Whatever the data, a
// slice ends with hw.ItemEnd, and its words are taken up to the last one.
type LaneUnit struct {
	Words *sim.Stream[cabachw.Word]
	Parse *ParseUnit

	bytes  sim.Stream[cabachw.Byte]
	unpack *cabachw.UnpackUnit
}

// NewLaneUnit returns a lane after reset. The streams are those of a
// ParseUnit.
func NewLaneUnit(spec LaneSpec, words *sim.Stream[cabachw.Word], config *sim.Stream[SliceConfig], set *sim.Stream[hw.ContextValue],
	above *sim.Stream[AboveRequest], reply *sim.Stream[uint32], out *sim.Stream[hw.Item]) *LaneUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	u := &LaneUnit{Words: words}
	u.unpack = cabachw.NewUnpackUnit(words, &u.bytes)
	engine := cabachw.NewDecoderUnit(cabachw.DecoderSpec{Contexts: hw.DecContexts, Bypass: spec.Bypass}, &u.bytes)
	u.Parse = NewParseUnit(spec.Bypass, engine, config, set, above, reply, out)
	return u
}

func (u *LaneUnit) Eval() {
	u.Parse.Eval()
	u.unpack.Eval()
}

func (u *LaneUnit) Clock() {
	u.Parse.Clock()
	u.unpack.Clock()
}
