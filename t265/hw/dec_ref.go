package hw

// A RefBeat is one word of the reference samples of a block, on their way to the
// prediction. A block of n by n has 2n/4 of them, outwards from the corner p[-1][-1]:
// beat i has the samples p[4i..4i+3][-1] above and p[-1][4i..4i+3] on the left. Beats of
// a block follow each other. Samples that are not available may have any value.
//
// The samples that are available on a side are its first ones (Head.Neighbours), but for
// those above of a block whose slice begins above right of it: there the first half is
// not available. If nothing but this second half is, Corner is its first sample and
// HasCorner true: that sample replaces all before it (clause 8.4.4.2.2).
type RefBeat struct {
	Above    [4]uint8 `rtl:"8"`
	Left     [4]uint8 `rtl:"8"`
	HasAbove bool     // Above is available
	HasLeft  bool
	// Of the first beat; any value in others.
	Corner    uint8 `rtl:"8"`
	HasCorner bool
	// The same in all beats of a block, as in its Head.
	Log2   uint8 `rtl:"2"` // log2 of its size, less 2: 0..3
	Mode   uint8 `rtl:"6"` // IntraPredModeY, 0..34
	Strong bool  // strong_intra_smoothing_enabled_flag
}

// RefBeatBits is the width of a RefBeat in Verilog.
const RefBeatBits = 84

// ByColumns tells the modes in which the prediction leaves by columns: those from the
// left (clause 8.4.4.2.6) but for planar and DC.
func ByColumns(mode uint8) bool { return mode >= 2 && mode < 18 }
