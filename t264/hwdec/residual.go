package hwdec

import (
	"math/bits"

	"vcsim/internal/cabachw"
	"vcsim/t264/block"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_parse_residual.v

// States of a residualUnit: what is being decoded.
const (
	resSig    = iota // significant_coeff_flag of position k
	resLast          // last_significant_coeff_flag of position k
	resOne           // first bin of coeff_abs_level_minus1
	resMore          // a later bin of its prefix
	resOnes          // ones of the suffix
	resSuffix        // bypass bits of the suffix
	resSign          // the rest of them, fewer than bypass, and coeff_sign_flag
)

// A residualUnit parses residual_block_cabac (clause 7.3.5.3.3) into groups of
// four levels, a bin a cycle, and the bits of a suffix with the sign behind them
// in groups. While the levels are decoded, from the highest position down, it
// looks for the next group that has some, one group a cycle.
type residualUnit struct {
	bypass uint8 // bypass bins a cycle, 1..4

	state uint8
	cat   uint8 // block category
	k     uint8 // scan position; of levels: 4*group in its upper bits
	map4  uint8 // levels not zero in group k>>2, bit i for position i
	maps  [16]uint8
	count uint8  // levels that are not decoded yet
	abs   uint8  // state of the contexts of levels: block.AbsOne, block.AbsMore
	a     uint16 // level - 1; of an escaped one: 1, then the bits of its suffix
	esc   bool   // a is of a suffix
	ones  uint8  // of the suffix: ones, then bits to come
}

// A levelWrite is what a bin of a block does to the items.
type levelWrite struct {
	write bool // level to place slot of the group
	slot  uint8
	level uint16
	push  bool // the group is complete
	group uint8
	last  bool // and so is the block
	bad   bool // a level beyond 16 bits
}

// start prepares for a block; it returns the first request.
func (r *residualUnit) start(cat uint8) cabachw.Request {
	r.state, r.cat, r.k, r.map4, r.count, r.abs = resSig, cat, 0, 0, 0, 0
	r.a, r.esc, r.ones = 0, false, 0
	if cat == block.CatAC {
		r.k = 1
	}
	return cabachw.Request{Kind: cabachw.RequestContext, Ctx: r.sigCtx(r.k)}
}

func (r *residualUnit) sigCtx(k uint8) uint8 {
	if r.cat == block.Cat8x8 {
		return hw.DecSig8[block.SigContext8[k&63]]
	}
	return hw.DecSig | r.cat<<4 | k
}

func (r *residualUnit) lastCtx() uint8 {
	if r.cat == block.Cat8x8 {
		return hw.DecLast8[block.LastContext8[r.k&63]]
	}
	return hw.DecLast | r.cat<<4 | r.k
}

// waits reports that the sign cannot be taken: the group is being looked for.
func (r *residualUnit) waits() bool { return r.state == resSign && r.map4 == 0 }

// search is the edge of every cycle of a block.
func (r *residualUnit) search() {
	if r.state >= resOne && r.map4 == 0 {
		r.lower()
	}
}

func (r *residualUnit) lower() {
	r.k -= 4
	r.map4 = r.maps[r.k>>2&15]
}

// suffix requests the next bits of the suffix of a level, and the sign with the
// last of them.
func (r *residualUnit) suffix() cabachw.Request {
	n := r.ones + 1
	r.state = resSign
	if n > r.bypass {
		n, r.state = r.bypass, resSuffix
	}
	return cabachw.Request{Kind: cabachw.RequestBypass, Count: n}
}

// step takes the bin of a cycle, or the bins of a group, and returns the next
// request, RequestNone after the block.
func (r *residualUnit) step(bin uint8) (next cabachw.Request, w levelWrite) {
	context := func(ctx uint8) cabachw.Request { return cabachw.Request{Kind: cabachw.RequestContext, Ctx: ctx} }
	bypass := cabachw.Request{Kind: cabachw.RequestBypass, Count: 1}
	one := func() cabachw.Request {
		return context(hw.DecAbsContext(r.cat, block.AbsOne[r.abs&7]))
	}
	more := func() cabachw.Request {
		return context(hw.DecAbsContext(r.cat, block.AbsMore[r.abs&7]))
	}
	switch r.state {
	case resSig, resLast:
		if bin != 0 && r.state == resSig {
			r.map4 |= 1 << (r.k & 3)
			r.count++
			r.state = resLast
			return context(r.lastCtx()), w
		}
		if bin != 0 {
			r.state = resOne
			return one(), w
		}
		end := uint8(15)
		if r.cat == block.Cat8x8 {
			end = 63
		}
		if r.k&3 == 3 {
			r.maps[r.k>>2&15] = r.map4
			r.map4 = 0
		}
		if r.k++; r.k == end { // the last coefficient is not zero by inference
			r.map4 |= 8
			r.count++
			r.state = resOne
			return one(), w
		}
		r.state = resSig
		return context(r.sigCtx(r.k)), w
	case resOne:
		if bin == 0 {
			r.state = resSign
			return bypass, w
		}
		r.a, r.state = 1, resMore
		return more(), w
	case resMore:
		if bin == 0 {
			r.state = resSign
			return bypass, w
		}
		if r.a == block.MaxPrefix-1 {
			r.a, r.esc, r.state = 1, true, resOnes
			return bypass, w
		}
		r.a++
		return more(), w
	case resOnes:
		if bin != 0 {
			w.bad = r.ones == 14
			r.ones++
			return bypass, w
		}
		return r.suffix(), w
	case resSuffix:
		r.a = r.a<<r.bypass | uint16(bin)
		r.ones -= r.bypass
		return r.suffix(), w
	}
	// The level without its sign is m+1.
	m := r.a
	if r.esc {
		m = (m<<r.ones | uint16(bin>>1)) + 13
	}
	w.write, w.slot, w.level = true, uint8(bits.Len8(r.map4)-1), m+1
	w.bad = (m+1)>>15 != 0
	if bin&1 != 0 {
		w.level = ^m
		w.bad = m>>15 != 0
	}
	if r.a == 0 && !r.esc {
		r.abs = block.AfterOne[r.abs&7]
	} else {
		r.abs = block.AfterTwo[r.abs&7]
	}
	r.a, r.esc, r.ones, r.state = 0, false, 0, resOne
	r.map4 &^= 1 << w.slot
	r.count--
	w.group = r.k >> 2
	switch {
	case r.count == 0:
		w.push, w.last = true, true
		return cabachw.Request{}, w
	case r.map4 == 0:
		w.push = true
		r.lower()
	}
	return one(), w
}
