package hwenc

import (
	"math/bits"

	"vcsim/sim"
)

// RTL: rtl/t265/t265_bypass.v rtl/t265/t265_remaining.v

// A Group is bypass bins that are coded in one cycle.
type Group struct {
	Bits, Count uint8 // the first bin highest
	Last        bool  // of the sub-block
}

// A bypassUnit makes the bypass bins of a sub-block, coeff_sign_flag and
// coeff_abs_level_remaining (clauses 7.3.8.11 and 9.3.3.11), while its context bins are
// coded: at most four bins a cycle, in three stages. The first takes four scan positions of
// signs, then one level, and makes a chunk of bins; the second puts chunks together
// to groups of the size that the engine takes; the third is a queue of groups, from
// which they leave when their turn comes.
type bypassUnit struct {
	Out *sim.Stream[Group]

	size  uint8 // bins of a full group
	queue sim.FIFO[Group]
	in    sim.Stream[Group] // of the queue

	state  bypassState
	nibble uint8  // group of four scan positions whose signs come next
	mask   uint16 // levels without their coeff_abs_level_remaining
	count  uint8  // levels before, up to 8
	seen   bool   // one of them was above one
	rice   uint8  // cRiceParam
	left   uint8  // bins of the prefix, or groups of four bins of the suffix, that follow the chunk under way

	// Between the first stages.
	chunk chunk
	// held is less than a full group, or a full one: another bin decides whether it is
	// the last.
	held, heldCount uint8

	// Of the cycle.
	made    chunk
	level   bool // the chunk ends a level
	take    bool // with it the word of levels goes
	next    bypassState
	nextN   uint8 // left after the chunk
	stalled bool  // the first stage
	grows   uint8 // cRiceParam
}

// A chunk is up to four bins.
type chunk struct {
	bits, count uint8
	end         bool // of the sub-block: no bins
}

type bypassState uint8

const (
	bypassIdle   bypassState = iota
	bypassSign               // coeff_sign_flag
	bypassLevel              // coeff_abs_level_remaining, or what of its prefix fits
	bypassPrefix             // more of the prefix
	bypassSuffix             // the suffix
	bypassEnd                // the sub-block ends
)

func newBypassUnit(size, depth int, out *sim.Stream[Group]) *bypassUnit {
	u := &bypassUnit{Out: out, size: uint8(size)}
	u.queue = *sim.NewFIFO(&u.in, out, depth)
	return u
}

// hidden returns the level whose sign is hidden, as a mask, or 0 (clause 7.3.8.11).
func hidden(mask uint16) uint16 {
	low := mask & -mask
	if uint32(mask) < uint32(low)<<4 {
		return 0
	}
	return low
}

// signs returns the signs of four levels of a mask, the last one first.
func signs(mask, sign uint16) (c chunk) {
	for k := 3; k >= 0; k-- {
		if mask>>k&1 != 0 {
			c.bits = c.bits<<1 | uint8(sign>>k&1)
			c.count++
		}
	}
	return c
}

// A remaining is the binarisation of coeff_abs_level_remaining (clause 9.3.3.11): ones
// and a zero, and the lowest bits of a value.
type remaining struct {
	prefix uint8 // bins, the zero included, 1..17
	suffix uint8 // bits, 0..13
	value  uint16
}

// binarise returns the binarisation of v = 0..13107 with cRiceParam 0..4.
func binarise(v uint16, rice uint8) remaining {
	if q := v >> rice; q < 4 {
		return remaining{uint8(q) + 1, rice, v}
	}
	v -= 2 << rice
	top := uint8(bits.Len16(v)) - 1
	return remaining{top - rice + 4, top, v}
}

// Eval makes the chunk of the cycle for the flags of a sub-block, from the word of
// levels, if it is there. The queue has been evaluated.
func (u *bypassUnit) Eval(f *SubBlockWord, hide, valid bool, w Word) {
	// Second stage.
	total := u.heldCount + u.chunk.count
	push := u.chunk.end || total > u.size
	u.in.Valid = push
	held := uint16(u.held)<<u.chunk.count | uint16(u.chunk.bits)
	u.in.Data = Group{Bits: u.held, Count: u.heldCount, Last: u.chunk.end}
	if !u.chunk.end {
		u.in.Data = Group{Bits: uint8(held>>((total-u.size)&15)) & (1<<u.size - 1), Count: u.size}
	}
	u.stalled = push && !u.in.Ready

	// First stage.
	u.made, u.level, u.take, u.next, u.nextN, u.grows = chunk{}, false, false, u.state, 0, u.rice
	switch u.state {
	case bypassSign:
		m := u.mask
		if hide {
			m &^= hidden(u.mask)
		}
		u.made = signs(m>>(4*u.nibble)&15, f.Sign>>(4*u.nibble)&15)
		if u.nibble == 0 {
			u.next = bypassLevel
		}
	case bypassLevel, bypassPrefix, bypassSuffix:
		u.code(f, valid, w)
	case bypassEnd:
		u.made.end, u.next = true, bypassIdle
	}
}

// code makes a chunk of a level.
func (u *bypassUnit) code(f *SubBlockWord, valid bool, w Word) {
	p := bits.Len16(u.mask) - 1
	group := f.Greater>>(p&12)&15 != 0 // its word is there
	if group && !valid {
		u.stalled = true
		return
	}
	above := f.Greater>>(p&15)&1 != 0
	a := uint16(1)
	if above {
		a = w.level(p)
	}
	base := uint16(1)
	switch {
	case u.count < 8 && above && !u.seen:
		base = 3
	case u.count < 8:
		base = 2
	}
	c := &u.made
	if a < base {
		u.level = true
	} else {
		r := binarise(a-base, u.rice)
		suffix := r.value & (1<<r.suffix - 1)
		switch {
		case u.state == bypassLevel && r.prefix+r.suffix <= 4:
			ones := uint8(1)<<r.prefix - 2
			c.bits, c.count = ones<<r.suffix|uint8(suffix), r.prefix+r.suffix
			u.level = true
		case u.state == bypassSuffix:
			c.bits, c.count = uint8(suffix>>(4*u.left))&15, 4
			if u.left == (r.suffix-1)>>2 {
				c.count = (r.suffix-1)&3 + 1
			}
			u.nextN = u.left - 1
			u.level = u.left == 0
		default: // of the prefix
			n := u.left
			if u.state == bypassLevel {
				n = r.prefix
			}
			if n > 4 {
				c.bits, c.count, u.next, u.nextN = 15, 4, bypassPrefix, n-4
				break
			}
			c.bits, c.count, u.next, u.nextN = 1<<n-2, n, bypassSuffix, (r.suffix-1)>>2
		}
		if u.level && a > 3<<u.rice && u.rice < 4 {
			u.grows = u.rice + 1
		}
	}
	if u.level {
		rest := u.mask &^ (1 << p)
		u.take = group && rest>>(p&12)&15 == 0
		u.next = bypassLevel
		if rest == 0 {
			u.next = bypassEnd
		}
	}
}

// takes reports whether the word of levels goes at the edge.
func (u *bypassUnit) takes() bool { return u.take && !u.stalled }

// Clock is the edge of a cycle.
func (u *bypassUnit) Clock(f *SubBlockWord) {
	full := u.in.Valid && !u.in.Ready // the second stage waits, and the first with it
	if !full {
		total := u.heldCount + u.chunk.count
		held := u.held<<u.chunk.count | u.chunk.bits
		switch {
		case u.chunk.end:
			total = 0
		case u.in.Valid:
			total -= u.size
		}
		u.held, u.heldCount = held&(1<<total-1), total
		u.chunk = chunk{}
	}
	u.queue.Clock()
	if u.stalled {
		return
	}
	if u.state == bypassSign {
		u.nibble--
	}
	u.chunk = u.made
	u.state, u.left, u.rice = u.next, u.nextN, u.grows
	if u.level {
		p := bits.Len16(u.mask) - 1
		if u.count < 8 {
			u.seen = u.seen || f.Greater>>p&1 != 0
			u.count++
		}
		u.mask &^= 1 << p
	}
}

// load is the edge at which a sub-block with levels comes in.
func (u *bypassUnit) load(mask uint16) {
	u.state, u.nibble, u.mask = bypassSign, 3, mask
	u.count, u.seen, u.rice = 0, false, 0
}
