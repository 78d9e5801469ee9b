package t264

import (
	"math/bits"

	"vcsim/internal/cabac"
	"vcsim/t264/block"
)

// A residualEncoder binarises residual_block_cabac (clauses 7.3.5.3.3, 9.3.2
// and 9.3.3.1.3) and codes the bins.
type residualEncoder struct {
	c     cabac.Encoder
	ctx   block.Contexts
	stats *Stats
}

// coded codes coded_block_flag with the given ctxIdxInc.
func (e *residualEncoder) coded(cat, inc, bin int) {
	e.stats.Bins[ElemCodedBlock]++
	e.stats.Blocks[cat]++
	e.c.Bin(&e.ctx[block.CtxCodedBlock+4*cat+inc], bin)
}

// encode codes the levels of a block of n coefficients; lev is by scan
// position, and mask, not zero, has the bits of levels that are not zero.
func (e *residualEncoder) encode(cat, n int, lev []int16, mask uint64) {
	st, c := e.stats, &e.c
	st.Coded[cat]++
	sig, last := e.ctx[block.SigBase[cat]:], e.ctx[block.LastBase[cat]:]
	sigInc, lastInc := block.SigContexts[cat], block.LastContexts[cat]
	end := bits.Len64(mask) - 1
	count := bits.OnesCount64(mask)
	for k := range end {
		bin := int(mask >> (k & 63) & 1)
		c.Bin(&sig[sigInc[k&63]], bin)
		if bin != 0 {
			c.Bin(&last[lastInc[k&63]], 0)
		}
	}
	st.Bins[ElemSig] += int64(end)
	st.Bins[ElemLast] += int64(count - 1)
	if end < n-1 {
		c.Bin(&sig[sigInc[end&63]], 1)
		c.Bin(&last[lastInc[end&63]], 1)
		st.Bins[ElemSig]++
		st.Bins[ElemLast]++
	}
	abs := e.ctx[block.CtxAbs+10*cat:][:10]
	state := uint8(0)
	prefix, suffix := 0, 0
	for mask != 0 {
		k := bits.Len64(mask) - 1
		mask &^= 1 << k
		v := int32(lev[k])
		s := uint32(v >> 31)
		a := (uint32(v) ^ s) - s
		if a == 1 {
			c.Bin(&abs[block.AbsOne[state&7]], 0)
			state = block.AfterOne[state&7]
			c.Bypass(s&1, 1)
			prefix++
			continue
		}
		c.Bin(&abs[block.AbsOne[state&7]], 1)
		ctx := &abs[block.AbsMore[state&7]]
		state = block.AfterTwo[state&7]
		for range min(a, block.MaxPrefix+1) - 2 {
			c.Bin(ctx, 1)
		}
		if a <= block.MaxPrefix {
			c.Bin(ctx, 0)
			c.Bypass(s&1, 1)
			prefix += int(a)
			continue
		}
		// Exp-Golomb of order 0: ones, a zero, and as many bits.
		rest := a - block.MaxPrefix // 1 more than the value
		ones := bits.Len32(rest) - 1
		c.BypassLong(1<<(ones+1)-2, ones+1)
		c.BypassLong(uint64(rest-1<<ones), ones)
		c.Bypass(s&1, 1)
		prefix += block.MaxPrefix
		suffix += 2*ones + 1
	}
	st.Bins[ElemAbsPrefix] += int64(prefix)
	st.Bins[ElemAbsSuffix] += int64(suffix)
	st.Bins[ElemSign] += int64(count)
}
