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
// coded, in four stages. The first makes a chunk of the signs of four scan positions, or takes
// a level; the second makes chunks of the level; the third puts chunks together
// to groups of the size that the engine takes; the fourth is a queue of groups, from
// which they leave when their turn comes.
type bypassUnit struct {
	Out *sim.Stream[Group]

	size  uint8 // bins of a full group
	queue sim.FIFO[Group]
	in    sim.Stream[Group] // of the queue

	// First stage.
	state  bypassState
	nibble uint8  // group of four scan positions whose signs come next
	mask   uint16 // levels that the second stage has not got
	count  uint8  // levels before, up to 8
	seen   bool   // one of them was above one

	// Second stage.
	coding codingState
	level  uint16 // magnitude of the level
	value  uint16 // coeff_abs_level_remaining
	codes  bool   // it is coded
	last   bool   // level of the sub-block
	rice   uint8  // cRiceParam
	left   uint8  // bins of the prefix, or groups of four bins of the suffix, that come

	chunk chunk // in front of the third stage
	// held is at most a full group: another bin decides whether it is the last.
	held, heldCount uint8

	// Of the cycle.
	moves  bool // the third stage, and so the one in front of it
	made   chunk
	ends   bool // the chunk ends a level
	next   codingState
	nextN  uint8 // left after the chunk
	picked uint16
	picks  bool // a level goes to the second stage
	take   bool // with it the word of levels
}

// A chunk is up to four bins.
type chunk struct {
	bits, count uint8
	end         bool // of the sub-block: no bins
}

type bypassState uint8

const (
	bypassIdle  bypassState = iota
	bypassSign              // coeff_sign_flag
	bypassLevel             // coeff_abs_level_remaining
)

type codingState uint8

const (
	codingNone   codingState = iota
	codingFirst              // a level, or what of its prefix fits
	codingPrefix             // more of the prefix
	codingSuffix             // the suffix
	codingEnd                // the sub-block ends
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

// Eval does the cycle for the flags of a sub-block, with the word of levels, if it
// is there. The queue has been evaluated.
func (u *bypassUnit) Eval(f *SubBlockWord, hide, valid bool, w Word) {
	// Third stage.
	total := u.heldCount + u.chunk.count
	push := u.chunk.end || total > u.size
	u.in.Valid = push
	held := uint16(u.held)<<u.chunk.count | uint16(u.chunk.bits)
	u.in.Data = Group{Bits: u.held, Count: u.heldCount, Last: u.chunk.end}
	if !u.chunk.end {
		u.in.Data = Group{Bits: uint8(held>>((total-u.size)&15)) & (1<<u.size - 1), Count: u.size}
	}
	u.moves = !push || u.in.Ready

	u.made, u.ends, u.next, u.nextN = chunk{}, false, u.coding, 0
	u.picks, u.take = false, false
	switch u.coding {
	case codingFirst, codingPrefix, codingSuffix:
		u.code()
	case codingEnd:
		u.made.end, u.next = true, codingNone
	case codingNone:
		if u.state == bypassSign {
			m := u.mask
			if hide {
				m &^= hidden(u.mask)
			}
			u.made = signs(m>>(4*u.nibble)&15, f.Sign>>(4*u.nibble)&15)
		}
	}
	if u.state == bypassLevel && (u.coding == codingNone || u.moves && u.ends) {
		u.pick(f, valid, w)
	}
}

// pick takes the last level of the mask.
func (u *bypassUnit) pick(f *SubBlockWord, valid bool, w Word) {
	p := bits.Len16(u.mask) - 1
	group := f.Greater>>(p&12)&15 != 0 // its word has to be there
	if group && !valid {
		return
	}
	u.picks, u.picked = true, 1
	if f.Greater>>(p&15)&1 != 0 {
		u.picked = w.level(p)
	}
	u.take = group && u.mask&^(1<<p)>>(p&12)&15 == 0
}

// code makes a chunk of a level.
func (u *bypassUnit) code() {
	c := &u.made
	r := binarise(u.value, u.rice)
	suffix := r.value & (1<<r.suffix - 1)
	switch {
	case !u.codes:
		u.ends = true
	case u.coding == codingFirst && r.prefix+r.suffix <= 4:
		ones := uint8(1)<<r.prefix - 2
		c.bits, c.count = ones<<r.suffix|uint8(suffix), r.prefix+r.suffix
		u.ends = true
	case u.coding == codingSuffix:
		c.bits, c.count = uint8(suffix>>(4*u.left))&15, 4
		if u.left == (r.suffix-1)>>2 {
			c.count = (r.suffix-1)&3 + 1
		}
		u.nextN = u.left - 1
		u.ends = u.left == 0
	default: // of the prefix
		n := u.left
		if u.coding == codingFirst {
			n = r.prefix
		}
		if n > 4 {
			c.bits, c.count, u.next, u.nextN = 15, 4, codingPrefix, n-4
			break
		}
		c.bits, c.count, u.next, u.nextN = 1<<n-2, n, codingSuffix, (r.suffix-1)>>2
	}
	if u.ends {
		u.next = codingNone
		if u.last {
			u.next = codingEnd
		}
	}
}

// Clock is the edge of a cycle.
func (u *bypassUnit) Clock(f *SubBlockWord) {
	u.queue.Clock()
	if u.moves {
		total := u.heldCount + u.chunk.count
		held := u.held<<u.chunk.count | u.chunk.bits
		switch {
		case u.chunk.end:
			total = 0
		case u.in.Valid:
			total -= u.size
		}
		u.held, u.heldCount = held&(1<<total-1), total
		u.chunk = u.made
		if u.coding == codingNone && u.state == bypassSign {
			u.rice = 0
			if u.nibble == 0 {
				u.state = bypassLevel
			}
			u.nibble--
		}
		if u.ends && u.level > 3<<u.rice && u.rice < 4 {
			u.rice++
		}
		u.coding, u.left = u.next, u.nextN
	}
	if !u.picks {
		return
	}
	p := bits.Len16(u.mask) - 1
	above := f.Greater>>p&1 != 0
	base := uint16(1)
	switch {
	case u.count < 8 && above && !u.seen:
		base = 3
	case u.count < 8:
		base = 2
	}
	u.level, u.value, u.codes = u.picked, u.picked-base, u.picked >= base
	u.mask &^= 1 << p
	u.last, u.coding = u.mask == 0, codingFirst
	if u.last {
		u.state = bypassIdle
	}
	if u.count < 8 {
		u.seen = u.seen || above
		u.count++
	}
}

// load is the edge at which a sub-block comes in.
func (u *bypassUnit) load(mask uint16) {
	u.state, u.nibble, u.mask = bypassSign, 3, mask
	u.count, u.seen = 0, false
}
