package t265

import (
	"math/bits"

	"vcsim/internal/cabac"
	"vcsim/t265/block"
)

// A residualEncoder binarises residual_coding (clauses 7.3.8.11, 9.3.3 and
// 9.3.4.2) and codes the bins.
type residualEncoder struct {
	c     cabac.Encoder
	ctx   block.Contexts
	stats *Stats
}

func (e *residualEncoder) lastPrefix(base, log2, v int) {
	offset, shift := block.LastContext(log2)
	limit := 2*log2 - 1
	for i := range v {
		e.c.Bin(&e.ctx[base+offset+i>>shift], 1)
	}
	if v < limit {
		e.c.Bin(&e.ctx[base+offset+v>>shift], 0)
	}
	e.stats.Bins[ElemLastPrefix] += int64(min(v+1, limit))
}

// encode codes the levels of a block that has at least one. hide applies sign
// data hiding, for which the levels must already have the right parity.
func (e *residualEncoder) encode(l *block.Levels, hide bool) {
	st := e.stats
	mask, log2, scan := l.Mask, l.Log2, l.Order()
	lastSub, lastPos, x, y := l.Last()
	px, py := int(block.GroupOf[x&31]), int(block.GroupOf[y&31])
	e.lastPrefix(block.CtxLastX, log2, px)
	e.lastPrefix(block.CtxLastY, log2, py)
	for _, v := range [2][2]int{{x, px}, {y, py}} {
		if n := int(block.GroupBits[v[1]]); n > 0 {
			e.c.Bypass(uint32(v[0]-int(block.GroupStart[v[1]])), n)
			st.Bins[ElemLastSuffix] += int64(n)
		}
	}
	sigTab := &block.SigContexts[log2-2][l.Scan]
	var coded [9]uint16 // as in residualDecoder.decode
	greater1 := 1       // greater1Ctx at the end of the sub-block before
	for i := lastSub; i >= 0; i-- {
		sx, sy := int(scan.SubX[i&63]), int(scan.SubY[i&63])
		csbf := coded[sx+1]>>sy&1 | coded[sx]>>(sy+1)&1<<1
		m := mask[i]
		k := 15
		switch {
		case i == lastSub:
			k = lastPos - 1
		case i > 0:
			st.Bins[ElemCodedSubBlock]++
			ctx := &e.ctx[block.CtxCodedSubBlock+int(min(csbf, 1))]
			if m == 0 {
				e.c.Bin(ctx, 0)
				continue
			}
			e.c.Bin(ctx, 1)
		}
		coded[sx] |= 1 << sy
		later := 0
		if i > 0 {
			later = 1
		}
		tab := &sigTab[later][csbf&3]
		low := 0
		if i > 0 && i < lastSub && m == 1 {
			low = 1 // sig_coeff_flag of position 0 is inferred
		}
		if k >= low {
			st.Bins[ElemSig] += int64(k + 1 - low)
		}
		e.c.Run((*[32]uint8)(e.ctx[block.CtxSig:]), tab, m, k, low)
		if m == 0 {
			continue
		}
		// ctxSet (clause 9.3.4.2.6)
		set := 2 * later
		if greater1 == 0 {
			set++
		}
		greater1 = e.levels((*[16]int16)(l.Lev[i*16:]), m, set, hide)
	}
}

// levels codes the values of one sub-block from its greater1 flags on, with the
// contexts of a set. It returns greater1Ctx at the end.
func (e *residualEncoder) levels(lev *[16]int16, m uint16, set int, hide bool) int {
	st := e.stats
	var abs [16]int32 // in coding order
	var signs, greater uint32
	count := 0
	for r := m; r != 0; count++ {
		k := bits.Len16(r) - 1
		r &^= 1 << k
		v := int32(lev[k&15])
		s := v >> 31
		a := (v ^ s) - s
		abs[count&15] = a
		signs = signs<<1 | uint32(s)&1
		greater |= uint32(1-a) >> 31 << (15 - count&15)
	}
	flags := min(count, 8)
	first := min(bits.LeadingZeros16(uint16(greater)), flags)
	e.c.Run((*[32]uint8)(e.ctx[block.CtxGreater1+4*set:]), &block.Greater1Index[first], uint16(greater), 15, 16-flags)
	st.Bins[ElemGreater1] += int64(flags)
	// base is the least level with coeff_abs_level_remaining, j where it may
	// come first.
	j, base, greater1 := 8, int32(1), min(flags+1, 3)
	if first < flags {
		j, base, greater1 = first, 3, 0
		e.c.Bin(&e.ctx[block.CtxGreater2+set], int(uint32(2-abs[first&15])>>31))
		st.Bins[ElemGreater2]++
	}
	n := count
	if hide && bits.Len16(m)-bits.TrailingZeros16(m) > 4 {
		n--
		signs >>= 1
	}
	st.Bins[ElemSign] += int64(n)
	word, have := uint64(signs), n // bypass bins
	rem, rice := 0, int32(0)
	limit := int32(3) // 3<<rice, but no limit when rice is 4
	for ; j < count; j++ {
		a := abs[j&15]
		code, length := uint64(0), 0
		if v := a - base; v < 31 {
			short := uint64(block.RemainingCodes[rice&7][(v+1)&31])
			code, length = short&0xfff, int(short>>12)
		} else {
			c, bins := block.RemainingCode(uint32(v), uint(rice))
			code, length = uint64(c), bins
		}
		if have+length > 64 {
			e.c.BypassLong(word, have)
			word, have = 0, 0
		}
		word = word<<(length&63) | code
		have += length
		rem += length
		up := uint32(limit-a) >> 31
		rice += int32(up)
		limit = limit<<(up&1) | rice>>2<<30
		base = 1 + int32(uint32(j-7)>>31)
	}
	e.c.BypassLong(word, have)
	st.Bins[ElemRemaining] += int64(rem)
	return greater1
}
