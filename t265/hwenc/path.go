package hwenc

import (
	"fmt"
	"math/bits"

	"vcsim/t265"
)

// A Spec holds the parameters of a hardware encoder, spelled as in Verilog.
type Spec struct {
	Threads   int // independent frames in flight, 1..64
	Lanes     int // CABAC engines, 1..Threads; Threads is a multiple of Lanes
	MaxTU     int // largest transform block, 8 or 16
	MinTU     int // smallest, 4 or 8; 0 is 4. Blocks of 4x4 are those with transform skip
	CTU       int // size of a CTU, which is a coding unit: 16
	Bypass    int // bypass bins a cycle, 4..7
	Groups    int // groups of bypass bins that wait in a lane, 2..16
	FrameCTUs int // widest frame in CTUs, 2..256
}

// Values is the number of samples that the pixel path takes a cycle.
const Values = 8

// DefaultSpec has lanes for 8 values a cycle at 3 bits a value.
func DefaultSpec() Spec {
	return Spec{Threads: 18, Lanes: 18, MaxTU: 16, MinTU: 4, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 64}
}

// Validate reports the first parameter out of range.
func (s Spec) Validate() error {
	for _, p := range []struct {
		name         string
		v, low, high int
	}{{"Threads", s.Threads, 1, 64}, {"Lanes", s.Lanes, 1, s.Threads}, {"FrameCTUs", s.FrameCTUs, 2, 256}} {
		if p.v < p.low || p.v > p.high {
			return fmt.Errorf("t265: %s is %d, not in %d..%d", p.name, p.v, p.low, p.high)
		}
	}
	switch {
	case s.Threads%s.Lanes != 0:
		return fmt.Errorf("t265: Threads is %d, not a multiple of %d Lanes", s.Threads, s.Lanes)
	case s.MaxTU != 8 && s.MaxTU != 16:
		return fmt.Errorf("t265: MaxTU is %d: the pixel path has transforms up to 8 or 16", s.MaxTU)
	case s.MinTU != 0 && s.MinTU != 4 && s.MinTU != 8:
		return fmt.Errorf("t265: MinTU is %d: the smallest transform block is 4 or 8", s.MinTU)
	case s.CTU != 16:
		return fmt.Errorf("t265: CTU is %d: the pixel path has CTUs of 16", s.CTU)
	}
	return s.LaneSpec().Validate()
}

// small reports whether there are blocks of 4x4.
func (s Spec) small() bool { return s.MinTU != 8 }

// Off returns the tools that the hardware does not have: a stream is that of the hw tier
// without them.
func (s Spec) Off() t265.Tools {
	if s.small() {
		return 0
	}
	return t265.ToolTU4
}

// LaneSpec returns the parameters of a lane.
func (s Spec) LaneSpec() LaneSpec {
	return LaneSpec{Bypass: s.Bypass, Groups: s.Groups, MaxTU: s.MaxTU}
}

// ThreadBits is the width of a thread number, at least 1.
func (s Spec) ThreadBits() int { return max(1, bits.Len(uint(s.Threads-1))) }

// XBits is the width of the column of a CTU.
func (s Spec) XBits() int { return bits.Len(uint(s.FrameCTUs - 1)) }

// The words between the units of the pixel path. In Verilog a word has its fields in
// this order, the first one lowest, in the bits that the tags say; ThreadBits and
// XBits follow from the parameters of a module. rtl/t265/gen/t265_enc_words.vh has
// their offsets. Samples are 8 bits; a mode is a lane of block.DecisionModes.

// A Job is a CTU to code.
type Job struct {
	Thread uint8  `rtl:"ThreadBits"`
	X      uint16 `rtl:"XBits"` // column
	QP     uint8  `rtl:"6"`     // 0..51
	High   bool   // QP is SliceQpY + 1
	Fine   bool   // cu_qp_delta is enabled
	First  bool   // of the frame
	Last   bool   // of the frame
	Left   bool   // the CTU on the left is available,
	Above  bool   // the one above,
	Right  bool   // and the one above on the right
}

// A RefJob is a Job with the reconstructed samples above it: those of the CTU above,
// two of the one on its right, and the last one of the one on its left. They are
// meaningless where there is no such CTU.
type RefJob struct {
	Job
	Row    [18]uint8 `rtl:"8"` // from the left
	Corner uint8     `rtl:"8"`
}

// A Plan is a CTU that is decided.
type Plan struct {
	RefJob
	Mode   uint8 `rtl:"2"`
	Split  bool  // into four parts, always if MaxTU is 8
	Split8 uint8 `rtl:"4"` // bit i: part i is split into blocks of 4x4; 0 without Split
}

// A Head is what the entropy coding needs of a Plan. It goes before the levels of its
// CTU.
type Head struct {
	Thread uint8 `rtl:"ThreadBits"`
	QP     uint8 `rtl:"6"`
	High   bool
	Fine   bool
	First  bool
	Last   bool
	Left   bool
	Mode   uint8 `rtl:"2"`
	Split  bool
	Split8 uint8 `rtl:"4"`
}

// A Tag says of which transform block a word is.
type Tag struct {
	Thread uint8 `rtl:"ThreadBits"`
	CX     uint8 `rtl:"2"` // place in the CTU in units of 4 samples
	CY     uint8 `rtl:"2"`
	Mode   uint8 `rtl:"2"`
	QP     uint8 `rtl:"6"`
	LastTU bool  // of its CTU
	Log2   uint8 `rtl:"2"` // of the size, less 2: 0..2
}

// A TU is a transform block to code.
type TU struct {
	Tag
	First bool // of its CTU
	Left  bool // as in Job, of the CTU
	Above bool
	Right bool
}

// A FirstTU is a TU with the samples above its CTU and at its corner, as in RefJob. They
// count if First.
type FirstTU struct {
	TU
	Row    [18]uint8 `rtl:"8"`
	Corner uint8     `rtl:"8"`
}

// A Residual is a beat of a block of 8x8 or 16x16 samples: a row of 8, or half a row
// of 16, the left half first.
type Residual struct {
	Tag
	Values [8]int16 `rtl:"9"` // s9
}

// A SkipResidual is a beat of a block of 4x4 samples: two rows.
type SkipResidual struct {
	Tag
	Values [8]int16 `rtl:"9"` // s9; a coefficient is 32 times that
}

// A Coefs is a beat of coefficients, scaled ones as well: columns 0 and 1 of a 4x4
// sub-block, then columns 2 and 3, each from the top. Sub-blocks come from the top
// of a strip of four columns down, strips from the left.
type Coefs struct {
	Tag
	Values [8]int16 `rtl:"16"` // s16
}

// A SkipScaled is a beat of the scaled coefficients of a 4x4 block with transform
// skip, in the order of a SkipResidual.
type SkipScaled struct {
	Tag
	Values [8]int16 `rtl:"16"` // s16
}

// A SubLevels holds the levels of a 4x4 sub-block.
type SubLevels struct {
	Tag
	SX      uint8     `rtl:"2"` // place in the block in units of 4 samples
	SY      uint8     `rtl:"2"`
	Scan    uint8     `rtl:"2"`  // scanIdx 0..2
	Mask    uint16    `rtl:"16"` // bit k: level k is not zero
	Levels  [16]int16 `rtl:"16"` // s16, by scan position
	LastSub bool      // the last one of its block as they come
}

// A Done tells that a transform block is reconstructed.
type Done struct {
	Thread uint8 `rtl:"ThreadBits"`
	LastTU bool  // of its CTU
}

// A Line is the last row of a reconstructed CTU.
type Line struct {
	Thread  uint8     `rtl:"ThreadBits"`
	Samples [16]uint8 `rtl:"8"` // from the left
}
