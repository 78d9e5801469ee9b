package t265

import (
	"math/bits"

	"vcsim/internal/cabac"
)

// Levels of a transform block are kept in coding order: 16 values to a
// sub-block, sub-blocks in scan order, beside a mask of the nonzero values of
// each sub-block (bit k is scan position k).

// lastSubBlock returns the last sub-block with a nonzero mask, or -1.
func lastSubBlock(mask []uint16) int {
	for i := len(mask) - 1; i >= 0; i-- {
		if mask[i] != 0 {
			return i
		}
	}
	return -1
}

// A residualEncoder binarises residual_coding (clauses 7.3.8.11, 9.3.3 and
// 9.3.4.2) and codes the bins.
type residualEncoder struct {
	c     cabac.Encoder
	ctx   contexts
	stats *Stats
}

func (e *residualEncoder) lastPrefix(base, log2, v int) {
	offset, shift := lastContext(log2)
	limit := 2*log2 - 1
	for i := range v {
		e.c.Bin(&e.ctx[base+offset+i>>shift], 1)
	}
	if v < limit {
		e.c.Bin(&e.ctx[base+offset+v>>shift], 0)
	}
	e.stats.Bins[ElemLastPrefix] += int64(min(v+1, limit))
}

// remainingCode returns the binarisation of coeff_abs_level_remaining v >= 0
// (clause 9.3.3.11) as n <= 32 bits.
func remainingCode(v uint32, rice uint) (code uint32, n int) {
	if v < 4<<rice {
		q := v >> rice
		return (1<<(q+1)-2)<<rice | v&(1<<rice-1), int(q + 1 + uint32(rice))
	}
	// prefix ones, a zero, and prefix-3+rice bits of suffix
	v -= 2 << rice
	k := uint(bits.Len32(v>>rice)) - 1 // prefix - 3
	suffix := v - 1<<(k+rice)
	return (1<<(k+4)-2)<<(k+rice) | suffix, int(2*k + 4 + rice)
}

// encode codes the levels of a block of size 1<<log2 that has at least one.
// lev and mask are in coding order; hide applies sign data hiding, for which
// the levels must already have the right parity.
func (e *residualEncoder) encode(log2, scanIdx int, lev []int16, mask []uint16, hide bool) {
	st := e.stats
	scan := &scans[log2-2][scanIdx]
	lastSub := lastSubBlock(mask)
	lastPos := bits.Len16(mask[lastSub]) - 1
	x := int(scan.subX[lastSub&63])<<2 + int(scan.posX[lastPos&15])
	y := int(scan.subY[lastSub&63])<<2 + int(scan.posY[lastPos&15])
	if scanIdx == scanVert {
		x, y = y, x
	}
	px, py := int(groupOf[x&31]), int(groupOf[y&31])
	e.lastPrefix(ctxLastX, log2, px)
	e.lastPrefix(ctxLastY, log2, py)
	for _, v := range [2][2]int{{x, px}, {y, py}} {
		if n := int(groupBits[v[1]]); n > 0 {
			e.c.Bypass(uint32(v[0]-int(groupStart[v[1]])), n)
			st.Bins[ElemLastSuffix] += int64(n)
		}
	}
	sigTab := &sigContexts[log2-2][scanIdx]
	var coded [9]uint16 // as in residualDecoder.decode
	greater1 := 1
	for i := lastSub; i >= 0; i-- {
		sx, sy := int(scan.subX[i&63]), int(scan.subY[i&63])
		csbf := coded[sx+1]>>sy&1 | coded[sx]>>(sy+1)&1<<1
		m := mask[i]
		k := 15
		switch {
		case i == lastSub:
			k = lastPos - 1
		case i > 0:
			st.Bins[ElemCodedSubBlock]++
			ctx := &e.ctx[ctxCodedSubBlock+int(min(csbf, 1))]
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
		for ; k >= low; k-- {
			e.c.Bin(&e.ctx[ctxSig+int(tab[k&15])&31], int(m>>(k&15)&1))
		}
		if m == 0 {
			continue
		}
		greater1 = e.levels(lev[i*16:][:16], m, i, i == lastSub, greater1, hide)
	}
}

// levels codes the values of one sub-block from its greater1 flags on. prev
// is greater1Ctx at the end of the sub-block before; it returns its own.
func (e *residualEncoder) levels(lev []int16, m uint16, i int, last bool, prev int, hide bool) int {
	st := e.stats
	lev = lev[:16]
	var abs [16]uint32
	var signs uint32
	count := 0
	highest, lowest := bits.Len16(m)-1, bits.TrailingZeros16(m)
	for r := m; r != 0; {
		k := bits.Len16(r) - 1
		r &^= 1 << k
		v := int32(lev[k&15])
		s := v >> 31
		abs[count&15] = uint32((v ^ s) - s)
		signs = signs<<1 | uint32(s)&1
		count++
	}
	set := 0
	if i > 0 {
		set = 2
	}
	if !last && prev == 0 {
		set++
	}
	greater1 := 1
	first := -1
	g1 := e.ctx[ctxGreater1+4*set:][:4]
	flags := min(count, 8)
	for j := range flags {
		if abs[j&15] > 1 {
			e.c.Bin(&g1[greater1&3], 1)
			greater1 = 0
			if first < 0 {
				first = j
			}
			continue
		}
		e.c.Bin(&g1[greater1&3], 0)
		if greater1 > 0 && greater1 < 3 {
			greater1++
		}
	}
	st.Bins[ElemGreater1] += int64(flags)
	if first >= 0 {
		bin := 0
		if abs[first&15] > 2 {
			bin = 1
		}
		e.c.Bin(&e.ctx[ctxGreater2+set], bin)
		st.Bins[ElemGreater2]++
	}
	n := count
	if hide && highest-lowest > 3 {
		n--
		signs >>= 1
	}
	e.c.Bypass(signs, n)
	st.Bins[ElemSign] += int64(n)
	if first < 0 && count <= 8 {
		return greater1
	}
	rice := uint(0)
	rem := 0
	for j := range count {
		base := uint32(1)
		if j < 8 {
			base = 2
			if j == first {
				base = 3
			}
		}
		a := abs[j&15]
		if a < base {
			continue
		}
		code, bins := remainingCode(a-base, rice)
		rem += bins
		if bins <= 16 {
			e.c.Bypass(code, bins)
		} else {
			e.c.BypassLong(code, bins)
		}
		if a > 3<<rice && rice < 4 {
			rice++
		}
	}
	st.Bins[ElemRemaining] += int64(rem)
	return greater1
}
