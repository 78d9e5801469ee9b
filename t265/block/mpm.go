package block

// Coding of intra modes: the most probable modes (clause 8.4.2).

// ProbableModes returns candModeList from the modes of the left and the above
// block, ModeDC where there is none or where it lies in the CTU row above.
func ProbableModes(left, above int) (cand [3]int) {
	if left == above {
		if left < 2 {
			return [3]int{ModePlanar, ModeDC, ModeVertical}
		}
		return [3]int{left, 2 + (left+29)&31, 2 + (left-2+1)&31}
	}
	cand = [3]int{left, above, ModeVertical}
	if left != ModePlanar && above != ModePlanar {
		cand[2] = ModePlanar
	} else if left != ModeDC && above != ModeDC {
		cand[2] = ModeDC
	}
	return cand
}

// ModeFromRemainder inverts ModeRemainder.
func ModeFromRemainder(rem int, cand [3]int) int {
	a, b, c := sort3(cand)
	for _, m := range [3]int{a, b, c} {
		if rem >= m {
			rem++
		}
	}
	return rem
}

// ModeRemainder returns rem_intra_luma_pred_mode of a mode outside cand.
func ModeRemainder(mode int, cand [3]int) int {
	rem := mode
	for _, m := range cand {
		if mode > m {
			rem--
		}
	}
	return rem
}

func sort3(v [3]int) (a, b, c int) {
	a, b, c = v[0], v[1], v[2]
	if a > b {
		a, b = b, a
	}
	if b > c {
		b, c = c, b
	}
	if a > b {
		a, b = b, a
	}
	return a, b, c
}
