// Package hwdec holds the clocked units of the T.265 decoder, and the host side of
// its lanes.
package hwdec

import (
	"fmt"
	"math/bits"

	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_dec_lane.v rtl/t265/t265_dec_banks.v

// A LaneSpec holds the parameters of a decoder lane, spelled as in Verilog.
type LaneSpec struct {
	FrameCTUs int // widest and highest picture, in CTUs, 2..1024
	MaxCTU    int // largest CTU, 16, 32 or 64
	MaxTU     int // largest transform block, 16 or 32, at most MaxCTU
	Bypass    int // bypass bins a cycle of signs and levels, 1..4
}

// DefaultLaneSpec is a lane for pictures of up to 1024x1024 samples and all streams.
func DefaultLaneSpec() LaneSpec { return LaneSpec{FrameCTUs: 64, MaxCTU: 64, MaxTU: 32, Bypass: 4} }

// Validate reports the first parameter out of range.
func (s LaneSpec) Validate() error {
	if s.FrameCTUs < 2 || s.FrameCTUs > 1024 {
		return fmt.Errorf("t265: FrameCTUs is %d, not in 2..1024", s.FrameCTUs)
	}
	if s.MaxCTU != 16 && s.MaxCTU != 32 && s.MaxCTU != 64 {
		return fmt.Errorf("t265: MaxCTU is %d, not 16, 32 or 64", s.MaxCTU)
	}
	if s.MaxTU != 16 && s.MaxTU != 32 || s.MaxTU > s.MaxCTU {
		return fmt.Errorf("t265: MaxTU is %d, not 16, or 32 in CTUs of 32 or 64", s.MaxTU)
	}
	if s.Bypass < 1 || s.Bypass > 4 {
		return fmt.Errorf("t265: Bypass is %d, not in 1..4", s.Bypass)
	}
	return nil
}

// CTUBits is the width of a column or row of CTUs.
func (s LaneSpec) CTUBits() int { return bits.Len(uint(s.FrameCTUs - 1)) }

// AboveBits is the width of the word that a lane keeps for each column of CTUs.
func (s LaneSpec) AboveBits() int { return s.MaxCTU / 4 }

// A LaneUnit is a decoder lane: words of slice data in, Items out. It is a
// cabachw.UnpackUnit, a cabachw.DecoderUnit and a ParseUnit.
//
// A slice segment starts with a word of Config; its data, the bytes behind the header
// with emulation prevention, may come before that. Whatever the data, it ends with
// hw.ItemEnd, and its words are taken up to the last one.
type LaneUnit struct {
	Words *sim.Stream[cabachw.Word]
	Parse *ParseUnit

	bytes  sim.Stream[cabachw.Byte]
	unpack *cabachw.UnpackUnit
}

// NewLaneUnit returns a lane after reset. The streams are those of a ParseUnit.
func NewLaneUnit(spec LaneSpec, words *sim.Stream[cabachw.Word], config *sim.Stream[SliceConfig], set *sim.Stream[hw.ContextValue],
	above *sim.Stream[AboveRequest], reply *sim.Stream[uint16], out *sim.Stream[hw.Item]) *LaneUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	u := &LaneUnit{Words: words}
	u.unpack = cabachw.NewUnpackUnit(words, &u.bytes)
	engine := cabachw.NewDecoderUnit(cabachw.DecoderSpec{Contexts: 128, Bypass: spec.Bypass}, &u.bytes)
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
