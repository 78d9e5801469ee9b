package t264

import (
	"vcsim/internal/cabac"
	"vcsim/t264/block"
)

// A residualDecoder parses residual_block_cabac (clause 7.3.5.3.3).
type residualDecoder struct {
	c     cabac.Decoder
	ctx   block.Contexts
	stats *Stats
	// The levels of the last block, from the highest scan position down:
	// lev[i] is at position at[i] of the scan of its category.
	lev [64]int32
	at  [64]uint8
}

// coded decodes coded_block_flag with the given ctxIdxInc.
func (d *residualDecoder) coded(cat, inc int) bool {
	d.stats.Bins[ElemCodedBlock]++
	d.stats.Blocks[cat]++
	return d.c.Bin(&d.ctx[block.CtxCodedBlock+4*cat+inc]) != 0
}

// maxSuffix bounds the ones of the suffix of coeff_abs_level_minus1: 16 exceed
// every level that conforms.
const maxSuffix = 16

// decode parses the levels of a block of n coefficients and returns how many
// are not zero: at least one, at most n.
func (d *residualDecoder) decode(cat, n int) int {
	d.stats.Coded[cat]++
	c := &d.c
	sig, last := d.ctx[block.SigBase[cat]:], d.ctx[block.LastBase[cat]:]
	sigInc, lastInc := block.SigContexts[cat], block.LastContexts[cat]
	var at [64]uint8 // scan positions, upwards
	count, k := 0, 0
	for ; k < n-1; k++ {
		if c.Bin(&sig[sigInc[k&63]]) == 0 {
			continue
		}
		at[count&63] = uint8(k)
		count++
		if c.Bin(&last[lastInc[k&63]]) != 0 {
			break
		}
	}
	st := d.stats
	if k == n-1 { // the last coefficient is not zero by inference
		st.Bins[ElemSig] += int64(k)
		st.Bins[ElemLast] += int64(count)
		at[count&63] = uint8(k)
		count++
	} else {
		st.Bins[ElemSig] += int64(k + 1)
		st.Bins[ElemLast] += int64(count)
	}
	abs := d.ctx[block.CtxAbs+10*cat:][:10]
	state := uint8(0)
	prefix, suffix := 0, 0
	for i := range count {
		v := int32(1)
		if c.Bin(&abs[block.AbsOne[state&7]]) == 0 {
			state = block.AfterOne[state&7]
			prefix++
		} else {
			ctx := &abs[block.AbsMore[state&7]]
			state = block.AfterTwo[state&7]
			v++
			for v <= block.MaxPrefix && c.Bin(ctx) != 0 {
				v++
			}
			if v > block.MaxPrefix {
				ones := c.Unary(maxSuffix)
				v += 1<<ones - 1 + int32(c.Bypass(ones))
				prefix += block.MaxPrefix
				suffix += 2*ones + 1
			} else {
				prefix += int(v)
			}
		}
		s := -int32(c.Bypass(1))
		d.lev[i&63] = (v ^ s) - s
		d.at[i&63] = at[(count-1-i)&63]
	}
	st.Bins[ElemAbsPrefix] += int64(prefix)
	st.Bins[ElemAbsSuffix] += int64(suffix)
	st.Bins[ElemSign] += int64(count)
	return count
}
