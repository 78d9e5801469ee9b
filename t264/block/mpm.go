package block

// Coding of intra modes: the predicted mode (clauses 8.3.1.1 and 8.3.2.1).

// ModeFromRemainder inverts ModeRemainder.
func ModeFromRemainder(rem, predicted int) int {
	if rem >= predicted {
		rem++
	}
	return rem
}

// ModeRemainder returns rem_intra4x4_pred_mode of a mode other than the
// predicted one.
func ModeRemainder(mode, predicted int) int {
	if mode > predicted {
		mode--
	}
	return mode
}
