package t264

import "vcsim/t264/block"

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
	const inf = int64(1) << 62
	cost := [9]int64{inf, inf, inf, inf, inf, inf, inf, inf, 0}
	for k := n - 1; k >= 0; k-- {
		p := scan[k+first]
		c := coef[p]
		s := c >> 31
		x := uint32((c^s)-s) * scale[p]
		f := int64(x >> (shift - 8)) // in 1/256 step
		hi := int(f+128) >> 8
		ch := &t.choice[k]
		if hi == 0 {
			// Zero is the only candidate; its error is the same for all.
			for s := range cost[:unset] {
				ch[s] = choice{0, uint8(s)}
				cost[s] += t.lambda * int64(b.skip[k])
			}
			ch[unset] = choice{0, unset}
			continue
		}
		// Errors are relative to that of zero.
		e0 := f * f
		next := cost
		for s := range cost[:unset] {
			ch[s] = choice{0, uint8(s)}
			next[s] += t.lambda * int64(b.skip[k])
		}
		ch[unset] = choice{0, unset}
		for v := hi; v > 0 && v >= hi-1; v-- {
			e := f - int64(v)<<8
			d := (e*e - e0) << trellisShift
			after := &block.AfterTwo
			if v == 1 {
				after = &block.AfterOne
			}
			// The last level.
			to := after[0]
			if c := cost[unset] + d + t.lambda*int64(b.sigLast[k]+b.of(0, v)); c < next[to] {
				next[to] = c
				ch[to] = choice{int16(v), unset}
			}
			if k == n-1 {
				continue
			}
			for s := range cost[:unset] {
				if cost[s] >= inf>>1 {
					continue
				}
				to := after[s]
				if c := cost[s] + d + t.lambda*int64(b.sigAfter[k]+b.of(uint8(s), v)); c < next[to] {
					next[to] = c
					ch[to] = choice{int16(v), uint8(s)}
				}
			}
		}
		cost = next
	}
	best, state := cost[unset]+t.lambda*int64(zero), uint8(unset)
	for s, c := range cost[:unset] {
		if c < inf>>1 && c+t.lambda*int64(one) < best {
			best, state = c+t.lambda*int64(one), uint8(s)
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
