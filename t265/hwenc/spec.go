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
