package t264

import (
	"math/bits"

	"vcsim/t264/block"
)

// Rate-distortion optimised quantisation: the levels of a block that minimise
// squared error plus lambda times rate, by dynamic programming over the state
// of the abs contexts, from the last scan position to the first.

// Costs are in 2^-20 squared quantiser steps.
const trellisShift = 4 // of the square of an error in 1/256 step

// A trellis quantises blocks.
type trellis struct {
	lambda int64 // cost of 1/256 bit
	choice [64][9]choice
}

// A choice is how a state is reached: the level's magnitude at this position
// and the state at the position before in coding order, the next one up.
type choice struct {
	level int16
	from  uint8
}

// unset is the state before any level: all positions above hold zero.
const unset = 8

// run quantises n coefficients: coef and scale are by position, scan gives the
// position, t = |c|*scale and shift the fraction bits of a step. first is 1
// for blocks without DC: then the coefficients of b are those from scan
// position 1 on. zero and one are the costs, in 1/256 bit, of a block without
// and with levels. Levels go to lev by scan position; it returns their mask.
func (t *trellis) run(b *blockRates, lev []int16, coef []int32, scale []uint32, scan []uint8, shift uint, first, n int, zero, one int32) uint64 {
	var cost [8]int64 // of the states that are live
	live := uint8(0)
	const none = int64(0) // cost of no level so far
	for k := n - 1; k >= 0; k-- {
		p := scan[k+first]
		c := coef[p]
		s := c >> 31
		x := uint32((c^s)-s) * scale[p]
		f := int64(x >> (shift - 8)) // in 1/256 step
		hi := int(f+128) >> 8
		ch := &t.choice[k]
		ch[unset] = choice{0, unset}
		skip := t.lambda * int64(b.skip[k])
		if hi == 0 {
			// Zero is the only candidate; its error is the same for all.
			for m := live; m != 0; m &= m - 1 {
				s := uint8(bits.TrailingZeros8(m)) & 7
				ch[s] = choice{0, s}
				cost[s] += skip
			}
			continue
		}
		// Errors are relative to that of zero.
		e0 := f * f
		next, reached := cost, live
		for m := live; m != 0; m &= m - 1 {
			s := uint8(bits.TrailingZeros8(m)) & 7
			ch[s] = choice{0, s}
			next[s] += skip
		}
		for v := hi; v > 0 && v >= hi-1; v-- {
			e := f - int64(v)<<8
			d := (e*e - e0) << trellisShift
			after := &block.AfterTwo
			if v == 1 {
				after = &block.AfterOne
			}
			// The last level.
			to := after[0] & 7
			if c := none + d + t.lambda*int64(b.sigLast[k]+b.of(0, v)); reached>>to&1 == 0 || c < next[to] {
				next[to] = c
				ch[to] = choice{int16(v), unset}
				reached |= 1 << to
			}
			sig := d + t.lambda*int64(b.sigAfter[k])
			for m := live; m != 0; m &= m - 1 {
				s := uint8(bits.TrailingZeros8(m)) & 7
				to := after[s] & 7
				if c := cost[s] + sig + t.lambda*int64(b.of(s, v)); reached>>to&1 == 0 || c < next[to] {
					next[to] = c
					ch[to] = choice{int16(v), s}
					reached |= 1 << to
				}
			}
		}
		cost, live = next, reached
	}
	best, state := none+t.lambda*int64(zero), uint8(unset)
	for m := live; m != 0; m &= m - 1 {
		s := uint8(bits.TrailingZeros8(m)) & 7
		if c := cost[s] + t.lambda*int64(one); c < best {
			best, state = c, s
		}
	}
	mask := uint64(0)
	for k := range n {
		ch := t.choice[k][state]
		v := ch.level
		if v != 0 {
			mask |= 1 << k
			if coef[scan[k+first]] < 0 {
				v = -v
			}
		}
		lev[k] = v
		state = ch.from
	}
	return mask
}
