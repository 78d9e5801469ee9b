package hwdec

import (
	"math/bits"

	"vcsim/internal/cabachw"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_parse_residual.v rtl/t265/t265_parse_scan.v rtl/t265/t265_parse_remaining.v

// States of a residualUnit: what is being decoded, or, where nothing is, what is
// done.
const (
	resLastX  = iota // last_sig_coeff_x_prefix
	resGap           // goes on to y
	resLastY         // last_sig_coeff_y_prefix
	resBitsX         // last_sig_coeff_x_suffix
	resBitsY         // last_sig_coeff_y_suffix
	resBegin         // finds the sub-block and the position of the last level
	resKnown         // a level is known to be at k: the last one of the block, or the one that is inferred
	resEnter         // enters the sub-block at (0, 0), when the levels of the one before are in items
	resAdv           // goes on to the next sub-block, past one without levels
	resCoded         // coded_sub_block_flag; it waits for these levels, too
	resSig           // sig_coeff_flag of position k
	resG1            // coeff_abs_level_greater1_flag
	resG2            // coeff_abs_level_greater2_flag
	resSign          // coeff_sign_flag of up to Bypass levels
	resPrefix        // coeff_abs_level_remaining: its prefix, or the least that it has
	resSuffix        // the rest of it
	resFlush         // waits until the levels of the last sub-block are in items
)

// A residualUnit parses residual_coding (clause 7.3.8.11), a bin with a context a
// cycle, and bypass bins of signs and levels in groups. A level with
// coeff_abs_level_remaining has at least one bin of prefix and cRiceParam bins of
// suffix: so many are asked for at once. The levels go to a levelUnit, which works
// while the next ones are decoded. From the last flag of significance on, the place is
// that of the next sub-block.
type residualUnit struct {
	bypass uint8 // bypass bins a cycle, 1..4
	levels levelUnit

	state      uint8
	log2, scan uint8 // of the block; 2..5, scanIdx
	hide       bool  // sign_data_hiding_enabled_flag
	// The last position, prefix first; then, in bits 4..2, the sub-block.
	x, y uint8
	n    uint8 // bins of the prefix
	need uint8 // bypass bins to come: of a suffix, or of signs; 0..21
	// coded_sub_block_flag of the sub-block on the right by row, and of the one below
	// by column: those of the one visited last there.
	right, below uint8
	subX, subY   uint8 // the sub-block whose levels are on their way
	home         bool  // it is the one at (0, 0)
	k            uint8
	count        uint8 // its levels so far, 0..16
	top          uint8 // position of the first one
	set          uint8 // ctxSet
	greater1     uint8 // greater1Ctx; of the sub-block before, before that is derived
	first        bool  // the next remainder is that of the first level above two
	m            uint8 // flags of levels so far, 0..7
	remain       uint8 // its levels with coeff_abs_level_remaining that are to come, 0..16

	prefix uint8  // ones of the prefix, 0..20
	group  uint8  // bins that are decoded of a prefix or suffix, 1..bypass
	asked  uint8  // cRiceParam when the bins are asked for, which may grow until they come
	a      uint16 // the prefix, or 1 if that is above 3, with the bits of the suffix behind it
}

func (r *residualUnit) context(state, ctx uint8) cabachw.Request {
	r.state = state
	return cabachw.Request{Kind: cabachw.RequestContext, Ctx: ctx}
}

func (r *residualUnit) bypassBins(state, n uint8) cabachw.Request {
	r.state = state
	return cabachw.Request{Kind: cabachw.RequestBypass, Count: n}
}

func (r *residualUnit) none(state uint8) cabachw.Request {
	r.state = state
	return requestNone
}

// start prepares for a block; it returns the first request.
func (r *residualUnit) start(log2, scan uint8, hide bool) cabachw.Request {
	r.log2, r.scan, r.hide, r.n = log2, scan, hide, 0
	r.right, r.below, r.greater1 = 0, 0, 1
	r.levels.more, r.levels.there = false, false
	return r.context(resLastX, hw.DecLast(false, log2, 0))
}

// cycle puts levels into items; free says that these may change.
func (r *residualUnit) cycle(free bool) groupWrite {
	r.asked = r.levels.rice
	return r.levels.cycle(r.a, r.state != resSign, r.home, free)
}

// ready reports, behind cycle, that the next request may come.
func (r *residualUnit) ready(free bool) bool {
	switch r.state {
	case resGap:
		return free
	case resPrefix, resSuffix:
		return !r.levels.full
	case resEnter, resCoded, resFlush:
		return !r.levels.busy()
	}
	return true
}

// later reports that the sub-block is not the one at (0, 0).
func (r *residualUnit) later() bool { return (r.x|r.y)>>2 != 0 }

// beside returns coded_sub_block_flag of the sub-blocks on the right of and below (x,
// y), in units of four samples.
func (r *residualUnit) beside(x, y uint8) (right, below uint8) {
	return r.right >> y & 1, r.below >> x & 1
}

// nextSub returns the sub-block before the current one in scan order.
func (r *residualUnit) nextSub() (x, y uint8) {
	x, y = r.x>>2, r.y>>2
	end := uint8(1)<<(r.log2-2) - 1
	switch {
	case r.scan == block.ScanHoriz && x != 0:
		return x - 1, y
	case r.scan == block.ScanHoriz:
		return end, (y - 1) & 7
	case x == 0:
		return (y - 1) & 7, 0
	case y == end:
		return end, x - 1
	}
	return x - 1, y + 1
}

// suffixX goes on to the suffix of x, if there is one.
func (r *residualUnit) suffixX() cabachw.Request {
	if r.x < 4 {
		return r.suffixY()
	}
	r.need, r.x = r.x>>1-1, 2|r.x&1
	return r.bypassBins(resBitsX, 1)
}

// suffixY does the same of y.
func (r *residualUnit) suffixY() cabachw.Request {
	if r.y < 4 {
		return r.none(resBegin)
	}
	r.need, r.y = r.y>>1-1, 2|r.y&1
	return r.bypassBins(resBitsY, 1)
}

// sig requests sig_coeff_flag of position k of the sub-block.
func (r *residualUnit) sig(k uint8) cabachw.Request {
	right, below := r.beside(r.x>>2, r.y>>2)
	later := 0
	if r.later() {
		later = 1
	}
	return r.context(resSig, hw.DecSig+block.SigContexts[r.log2-2][r.scan][later][right|below<<1][k&15])
}

// flags requests the first coeff_abs_level_greater1_flag of the sub-block (clause
// 9.3.4.2.6).
func (r *residualUnit) flags() cabachw.Request {
	r.set = 0
	if r.later() {
		r.set = 2
	}
	if r.greater1 == 0 {
		r.set++
	}
	r.greater1 = 1
	r.leave(1)
	return r.context(resG1, hw.DecGreater1(r.set, 1))
}

// open prepares for the flags of a sub-block.
func (r *residualUnit) open() {
	r.count, r.m, r.remain, r.first = 0, 0, 0, false
	r.levels.open()
}

// found notes a level at position k.
func (r *residualUnit) found() {
	if r.count == 0 {
		r.top, r.levels.hidden = r.k, false
	}
	r.levels.hidden = r.hide && r.top-r.k > 3
	if r.count >= 8 {
		r.remain++
	}
	r.count++
	r.levels.sig |= 1 << r.k
}

// leave goes on to the next sub-block, from one that is coded or not.
func (r *residualUnit) leave(coded uint8) {
	r.home, r.subX, r.subY = !r.later(), r.x>>2, r.y>>2
	x, y := r.nextSub()
	r.right = r.right&^(1<<r.subY) | coded<<r.subY
	r.below = r.below&^(1<<r.subX) | coded<<r.subX
	r.x, r.y = x<<2, y<<2
}

// enter begins with the sub-block at (x, y), if there is one.
func (r *residualUnit) enter() cabachw.Request {
	switch {
	case r.home:
		return r.none(resFlush)
	case !r.later():
		return r.none(resEnter)
	}
	right, below := r.beside(r.x>>2, r.y>>2)
	return r.context(resCoded, hw.DecCodedSubBlock+(right|below)<<2)
}

// signs requests the signs of a sub-block.
func (r *residualUnit) signs() cabachw.Request {
	r.levels.begin(r.top>>2, r.count)
	r.need = r.count
	if r.levels.hidden {
		r.need--
	}
	return r.bypassBins(resSign, min(r.bypass, r.need))
}

// remaining requests the first bins of a level.
func (r *residualUnit) remaining() cabachw.Request {
	r.prefix = 0
	r.group = min(r.bypass, 1+r.asked)
	return r.bypassBins(resPrefix, r.group)
}

// complete hands the level over; its successor is decoded next.
func (r *residualUnit) complete() cabachw.Request {
	l := &r.levels
	l.full, l.big = true, r.prefix > 3
	switch {
	case r.remain+8 <= r.count: // the levels from the ninth on have no flags
		l.base = 1
	case r.first:
		l.base = 3
	default:
		l.base = 2
	}
	r.first = false
	if r.remain--; r.remain == 0 {
		return r.enter()
	}
	return r.remaining()
}

// suffix requests more bits of a level.
func (r *residualUnit) suffix() cabachw.Request {
	r.group = min(r.bypass, r.need)
	return r.bypassBins(resSuffix, r.group)
}

// step takes the bins of a cycle and returns the next request, none at the end of the
// block. rice is cRiceParam of a prefix.
func (r *residualUnit) step(bin, rice uint8) cabachw.Request {
	switch r.state {
	case resLastX, resLastY:
		r.n += bin
		vertical := r.state == resLastY
		if bin != 0 && r.n < 2*r.log2-1 {
			return r.context(r.state, hw.DecLast(vertical, r.log2, r.n))
		}
		if vertical {
			r.y = r.n
			return r.suffixX()
		}
		r.x = r.n
		return r.none(resGap)
	case resGap:
		r.n = 0
		return r.context(resLastY, hw.DecLast(true, r.log2, 0))
	case resBitsX:
		r.x = r.x<<1 | bin
		if r.need--; r.need == 0 {
			return r.suffixY()
		}
		return r.bypassBins(resBitsX, 1)
	case resBitsY:
		r.y = r.y<<1 | bin
		if r.need--; r.need == 0 {
			return r.none(resBegin)
		}
		return r.bypassBins(resBitsY, 1)
	case resBegin:
		if r.scan == block.ScanVert {
			r.x, r.y = r.y, r.x
		}
		r.k = block.Scans[0][r.scan].PosAt[r.y&3<<2|r.x&3]
		return r.none(resKnown)
	case resKnown:
		r.open()
		r.found()
		if r.k == 0 {
			return r.flags()
		}
		r.k--
		return r.sig(r.k)
	case resEnter:
		r.open()
		r.k = 15
		return r.sig(15)
	case resAdv:
		r.leave(0)
		return r.enter()
	case resCoded:
		if bin == 0 {
			return r.none(resAdv)
		}
		r.open()
		r.k = 15
		return r.sig(15)
	case resSig:
		if bin != 0 {
			r.found()
		}
		switch {
		case r.k == 0 && r.count == 0: // of the sub-block at (0, 0) alone
			r.leave(0)
			r.levels.begin(0, 0)
			return r.enter()
		case r.k == 0:
			return r.flags()
		case r.k == 1 && r.count == 0 && r.later(): // the level at 0 is inferred
			r.k = 0
			return r.none(resKnown)
		}
		r.k--
		return r.sig(r.k)
	case resG1:
		r.levels.flag(r.m, bin)
		switch {
		case bin != 0:
			r.greater1 = 0
			r.remain++
		case r.greater1 != 0:
			r.greater1 = min(r.greater1+1, 3)
		}
		r.m++
		switch {
		case r.m < 8 && r.m < r.count:
			return r.context(resG1, hw.DecGreater1(r.set, r.greater1))
		case r.levels.above != 0:
			return r.context(resG2, hw.DecGreater2+r.set)
		}
		return r.signs()
	case resG2:
		if r.first = bin != 0; !r.first {
			r.levels.two()
			r.remain--
		}
		return r.signs()
	case resSign:
		n := min(r.bypass, r.need)
		r.levels.signs = r.levels.signs<<n | uint16(bin)
		if r.need -= n; r.need != 0 {
			return r.bypassBins(resSign, min(r.bypass, r.need))
		}
		if r.remain == 0 {
			return r.enter()
		}
		return r.remaining()
	case resPrefix:
		return r.prefixBins(bin, rice)
	case resSuffix:
		r.a = r.a<<r.group | uint16(bin)
		if r.need -= r.group; r.need != 0 {
			return r.suffix()
		}
		return r.complete()
	}
	return requestNone // resFlush
}

// prefixBins takes bins of a prefix (clause 9.3.3.11). Several are the first ones of
// a level, and none of them is beyond its end; where they begin with a one, the next
// bin alone is sure to be.
func (r *residualUnit) prefixBins(bin, rice uint8) cabachw.Request {
	behind := r.group - 1 // bins behind the first one
	if bin>>behind == 0 {
		r.need = rice - behind
		switch {
		case r.prefix > 3:
			r.a, r.need = 1, r.prefix-3+rice
		case behind == 0:
			r.a = uint16(r.prefix)
		default:
			r.a = uint16(bin)
		}
		if r.need == 0 {
			return r.complete()
		}
		return r.suffix()
	}
	ones := uint8(bits.LeadingZeros8(^(bin << (8 - r.group))))
	r.prefix += ones
	if ones == r.group {
		r.group = 1
		if r.prefix == 20 { // above all levels of 16 bits: the suffix follows, as in a Decoder
			r.a, r.need = 1, 17+rice
			return r.bypassBins(resSuffix, 1)
		}
		return r.bypassBins(resPrefix, 1)
	}
	// The zero is among the bins, behind one to three ones.
	got := behind - ones
	r.need = rice - got
	r.a = uint16(ones)<<got | uint16(bin&(1<<got-1))
	r.group = 1
	return r.bypassBins(resSuffix, 1)
}
