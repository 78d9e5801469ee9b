package hwenc

import (
	"fmt"
	"math/bits"
)

// A Spec holds the parameters of a hardware encoder, spelled as in Verilog.
type Spec struct {
	Threads  int // independent frames in flight, 1..64
	Lanes    int // CABAC engines, 1..Threads; Threads is a multiple of Lanes
	Values   int // samples a cycle in the pixel path, 4 or 8
	Bypass   int // bypass bins a cycle, 1..7
	FrameMBs int // widest frame in macroblocks, 2..256
}

// DefaultSpec has lanes for 8 values a cycle at 3 bits a value.
func DefaultSpec() Spec {
	return Spec{Threads: 24, Lanes: 24, Values: 8, Bypass: 4, FrameMBs: 64}
}

// Validate reports the first parameter out of range.
func (s Spec) Validate() error {
	for _, p := range []struct {
		name         string
		v, low, high int
	}{{"Threads", s.Threads, 1, 64}, {"Lanes", s.Lanes, 1, s.Threads}, {"Values", s.Values, 4, 16}, {"Bypass", s.Bypass, 1, 7}, {"FrameMBs", s.FrameMBs, 2, 256}} {
		if p.v < p.low || p.v > p.high {
			return fmt.Errorf("t264: %s is %d, not in %d..%d", p.name, p.v, p.low, p.high)
		}
	}
	if s.Threads%s.Lanes != 0 {
		return fmt.Errorf("t264: Threads is %d, not a multiple of %d Lanes", s.Threads, s.Lanes)
	}
	if s.Values != 4 && s.Values != 8 {
		return fmt.Errorf("t264: Values is %d: the pixel path takes 4 or 8 samples a cycle", s.Values)
	}
	return nil
}

// ThreadBits is the width of a thread number, at least 1.
func (s Spec) ThreadBits() int { return max(1, bits.Len(uint(s.Threads-1))) }

// XBits is the width of the column of a macroblock.
func (s Spec) XBits() int { return bits.Len(uint(s.FrameMBs - 1)) }

// rowBits is the width of the row and the height of a frame in macroblocks.
const rowBits = 10
