package t264

// Coding of intra modes: the predicted mode (clauses 8.3.1.1 and 8.3.2.1).

// predictedMode returns predIntra4x4PredMode, or its 8x8 equal, of the block
// (x, y): the smaller mode of the blocks to the left and above, or DC where
// one is not available. Macroblocks that are not I_NxN count as DC, which is
// what f.mode holds for them. An 8x8 block reads the 4x4 block beside its top
// left sample, as clause 8.3.2.1 picks them.
func (f *frame) predictedMode(x, y int, e mbEdge) int {
	if x&15 == 0 && !e.left || y&15 == 0 && !e.above {
		return modeDC
	}
	at := y>>2*f.stride4 + x>>2
	return int(min(f.mode[at-1], f.mode[at-f.stride4]))
}

// modeFromRemainder inverts modeRemainder.
func modeFromRemainder(rem, predicted int) int {
	if rem >= predicted {
		rem++
	}
	return rem
}

// modeRemainder returns rem_intra4x4_pred_mode of a mode other than the
// predicted one.
func modeRemainder(mode, predicted int) int {
	if mode > predicted {
		mode--
	}
	return mode
}
