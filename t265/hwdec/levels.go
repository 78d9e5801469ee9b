package hwdec

import "math/bits"

// RTL: rtl/t265/t265_parse_levels.v

// A levelUnit puts the levels of a sub-block together, group by group, from the
// highest scan position down: those that their flags tell at once, the others one a
// cycle, as their remainders are decoded. While one group is being put together, the
// kinds of levels of the next one are found.
type levelUnit struct {
	sig    uint16 // levels of the sub-block, bit k for scan position k
	signs  uint16 // the signs decoded so far, the last one lowest
	hidden bool   // the sign of the last level is hidden
	// By level in the order of decoding, those of the groups to come, the first one
	// lowest: coeff_abs_level_greater1_flag, and whether it has a remainder.
	above, escape uint8

	// The groups to come.
	more bool  // there are any
	next uint8 // the first one: scan position / 4
	left uint8 // their levels, 0..16

	// The group that is put together.
	there  bool
	kind   [4]uint8 // its levels by position: levelNone to levelEscape
	need   uint8    // remainders that are to come, by position
	place  uint8    // sign of its first level
	lowest bool     // it has the last level of the sub-block
	group  uint8    // scan position / 4
	parity uint8    // of the sum of the levels in the word and before

	full bool  // a remainder is there
	big  bool  // with a prefix above 3
	base uint8 // what is added to it, 1..3
	rice uint8 // cRiceParam, 0..4
}

// What a level is when its flags are there.
const (
	levelNone   = iota // 0
	levelOne           // 1 or -1
	levelTwo           // 2 or -2
	levelEscape        // it has a remainder
)

// open prepares for the flags of a sub-block.
func (u *levelUnit) open() { u.sig, u.above, u.escape, u.hidden = 0, 0, 0xff, false }

// flag notes coeff_abs_level_greater1_flag of level m, 0..7.
func (u *levelUnit) flag(m, bin uint8) {
	u.above |= bin << m
	u.escape &^= (bin ^ 1) << m
}

// two notes that coeff_abs_level_greater2_flag is zero: the level is two.
func (u *levelUnit) two() { u.escape &^= u.above & -u.above }

// begin starts with the highest group that has levels; all flags are there.
func (u *levelUnit) begin(group, count uint8) {
	u.more, u.next, u.left, u.parity, u.full, u.rice = true, group, count, 0, false, 0
}

// busy reports that a group has not left.
func (u *levelUnit) busy() bool { return u.more || u.there }

// A groupWrite is what a cycle of a levelUnit does to the items.
type groupWrite struct {
	set   [4]bool // the level of the position goes to the word
	level [4]uint16
	push  bool // the word is complete
	group uint8
}

// cycle is a cycle behind begin. The signs are there if signed; a is the remainder, one
// without cRiceParam of a longer prefix, if u.full. home tells the sub-block at (0, 0),
// whose group 0 has an item in any case. free says that the word may change.
func (u *levelUnit) cycle(a uint16, signed, home, free bool) (w groupWrite) {
	if u.there && signed && free {
		w = u.put(a)
	}
	if u.more && !u.there {
		u.take(home)
	}
	return w
}

// take goes on to the next group.
func (u *levelUnit) take(home bool) {
	sig4 := uint8(u.sig >> (4 * u.next) & 15)
	n := uint8(bits.OnesCount8(sig4))
	u.there, u.group, u.need = true, u.next, 0
	u.place, u.lowest = u.left-1, u.left == n
	if u.hidden {
		u.place--
	}
	for i := 3; i >= 0; i-- {
		u.kind[i] = levelNone
		if sig4>>i&1 == 0 {
			continue
		}
		switch {
		case u.escape&1 != 0:
			u.kind[i] = levelEscape
			u.need |= 1 << i
		case u.above&1 != 0:
			u.kind[i] = levelTwo
		default:
			u.kind[i] = levelOne
		}
		u.above >>= 1
		u.escape = u.escape>>1 | 1<<7
	}
	u.left -= n
	u.more = u.lower(home)
}

// lower goes to the next group that has an item; there may be none.
func (u *levelUnit) lower(home bool) bool {
	for u.next > 0 {
		u.next--
		if u.sig>>(4*u.next)&15 != 0 || u.next == 0 && home {
			return true
		}
	}
	return false
}

// put puts levels of the group into the word.
func (u *levelUnit) put(a uint16) (w groupWrite) {
	slot := 3
	for slot >= 0 && u.need>>slot&1 == 0 {
		slot--
	}
	if slot >= 0 && !u.full {
		return w
	}
	value := uint16(0)
	if slot >= 0 {
		value = a + uint16(u.base)
		if u.big {
			value += 2 << u.rice
		}
		u.parity ^= uint8(value & 1)
		if u.big || value > 3<<u.rice {
			u.rice = min(u.rice+1, 4)
		}
		u.need &^= 1 << slot
		u.full = false
	}
	w.group, w.push = u.group, u.need == 0
	flip := uint8(0) // parity of the levels without a remainder
	lowest := -1
	for i, k := range u.kind {
		if k == levelOne {
			flip ^= 1
		}
		if k != levelNone && lowest < 0 {
			lowest = i
		}
	}
	rank := uint8(0)
	for i := 3; i >= 0; i-- {
		v := uint16(u.kind[i])
		if v == levelEscape {
			v = value
		}
		minus := u.signs>>((u.place-rank)&15)&1 != 0
		if u.hidden && u.lowest && i == lowest { // the sum is complete with the word
			minus = u.parity^flip != 0
		}
		if minus {
			v = -v
		}
		w.set[i], w.level[i] = u.kind[i] != levelEscape || i == slot, v
		if u.kind[i] != levelNone {
			rank++
		}
	}
	if w.push {
		u.parity ^= flip
		u.there = false
	}
	return w
}
