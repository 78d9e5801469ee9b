package hwdec

import "math/bits"

// RTL: rtl/t265/t265_parse_levels.v

// A levelUnit puts the levels of a sub-block together, group by group, from the
// highest scan position down: those that their flags tell at once, the others one a
// cycle, as their remainders are decoded.
type levelUnit struct {
	sig    uint16 // levels of the sub-block, bit k for scan position k
	signs  uint16 // the signs decoded so far, the last one lowest
	hidden bool   // the sign of the last level is hidden
	// By level in the order of decoding, those of the groups to come, the first one
	// lowest: coeff_abs_level_greater1_flag, and whether it has a remainder.
	above, escape uint8

	group  uint8 // scan position / 4
	done   uint8 // remainders of the group that are in the word, by position
	left   uint8 // levels of this group and the lower ones, 0..16
	seen   bool  // a level of a higher group has coeff_abs_level_greater1_flag
	parity uint8 // of the sum of the levels in the word and before
	full   bool  // a remainder is there
	big    bool  // with a prefix above 3
	rice   uint8 // cRiceParam, 0..4
}

// open prepares for the flags of a sub-block.
func (u *levelUnit) open() { u.sig, u.above, u.escape, u.hidden = 0, 0, 0xff, false }

// flag notes coeff_abs_level_greater1_flag of level m, 0..7.
func (u *levelUnit) flag(m, bin uint8) {
	u.above |= bin << m
	u.escape &^= (bin ^ 1) << m
}

// two notes that coeff_abs_level_greater2_flag is zero: the level is two.
func (u *levelUnit) two() { u.escape &^= u.above & -u.above }

// begin starts with the highest group that has levels; all flags and signs are there.
func (u *levelUnit) begin(group, count uint8) {
	u.group, u.done, u.left, u.seen, u.parity, u.full, u.rice = group, 0, count, false, 0, false, 0
}

// A groupWrite is what a cycle of a levelUnit does to the items.
type groupWrite struct {
	set    [4]bool // the level of the position goes to the word
	level  [4]uint16
	any    bool // of set
	push   bool // the word is complete
	group  uint8
	finish bool // the sub-block has no other one
}

// cycle is a cycle in which remainders may come; a is one, without cRiceParam of a
// longer prefix, if u.full. later is false in the sub-block at (0, 0), whose group 0
// has an item in any case. free says that the word may change.
func (u *levelUnit) cycle(a uint16, later, free bool) (w groupWrite) {
	if !free {
		return w
	}
	sig4 := uint8(u.sig >> (4 * u.group) & 15)
	var escape, base [4]uint8
	need, before, rank, seen := -1, uint8(0), uint8(0), u.seen
	pending := 0
	flip := uint8(0) // parity of the levels without a remainder
	for i := 3; i >= 0; i-- {
		if sig4>>i&1 == 0 {
			continue
		}
		escape[i] = u.escape >> rank & 1
		base[i] = 1
		if u.above>>rank&1 != 0 {
			base[i] = 2
			if !seen && escape[i] != 0 {
				base[i] = 3
			}
			seen = true
		}
		if escape[i] == 0 {
			flip ^= base[i] & 1
		} else if u.done>>i&1 == 0 {
			pending++
			if need < 0 {
				need = i
			}
		}
		rank++
	}
	if need >= 0 && !u.full {
		return w
	}
	w.group = u.group
	value := uint16(0) // of the remainder, with its base
	if need >= 0 {
		value = a + uint16(base[need])
		if u.big {
			value += 2 << u.rice
		}
		u.parity ^= uint8(value & 1)
		if u.big || value > 3<<u.rice {
			u.rice = min(u.rice+1, 4)
		}
		u.done |= 1 << need
		u.full = false
		before = 1
	}
	rank = 0
	w.any = true
	for i := 3; i >= 0; i-- {
		has := sig4>>i&1 != 0
		if has && escape[i] != 0 && i != need {
			rank++
			continue
		}
		w.set[i] = true
		if !has {
			continue
		}
		v := uint16(base[i])
		if i == need {
			v = value
		}
		if u.negative(rank, flip) {
			v = -v
		}
		w.level[i] = v
		rank++
	}
	w.push = pending == int(before)
	if w.push {
		n := uint8(bits.OnesCount8(sig4))
		u.left -= n
		u.above >>= n
		u.escape = ^(^u.escape >> n)
		u.seen = seen
		u.parity ^= flip
		u.done = 0
		w.finish = !u.lower(later)
	}
	return w
}

// negative returns the sign of a level of the group by its rank there. A hidden one
// is the parity of the sum, which is complete with the word; flip is that of the levels
// of the group without a remainder.
func (u *levelUnit) negative(rank, flip uint8) bool {
	at := u.left - 1 - rank
	switch {
	case !u.hidden:
		return u.signs>>(at&15)&1 != 0
	case at == 0:
		return u.parity^flip != 0
	}
	return u.signs>>((at-1)&15)&1 != 0
}

// lower goes to the next group that has an item; there may be none.
func (u *levelUnit) lower(later bool) bool {
	for g := u.group; g > 0; {
		g--
		if u.sig>>(4*g)&15 != 0 || g == 0 && !later {
			u.group = g
			return true
		}
	}
	return false
}
