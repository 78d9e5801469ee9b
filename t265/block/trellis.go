package block

import "math/bits"

// Rate-distortion optimised quantisation by dynamic programming. A sub-block
// is passed in coding order with two survivors, one for either parity of the
// sum of its magnitudes, which sign data hiding needs; at each coefficient
// either takes the level below or the one above.

// Costs are in 1/4096 squared quantiser steps: errors are in 1/64 step.

// A survivor is a path through a sub-block in one word: its cost, which
// coefficients took the level above, the first nonzero scan position, and the
// state of the level coder.
type survivor = int64

const (
	survivorStart = 8  // 4 bits: first nonzero scan position
	survivorPath  = 12 // 16 bits: by scan position
	survivorCost  = 28 // the rest
	survivorState = 1<<8 - 1
	unreachable   = survivor(1) << 61
)

// hardZero is the magnitude, in 1/64 step, below which a level is zero.
const hardZero = 24

// A Trellis holds the scratch of one block.
type Trellis struct {
	Hide  bool
	Rates *Rates
	w     [16]int32 // magnitudes in 1/64 step
}

// A SubBlock is a sub-block under way, its bits by scan position.
type subBlock struct {
	tab  *[16]uint8 // context increments of sig_coeff_flag
	lv   *levelRates
	neg  uint16 // negative coefficients
	full uint16 // magnitudes of a step and more
	odd  uint16 // levels below that are odd
	big  bool   // a level above 14
}

// levels returns the nonzero levels of a survivor.
func (b *subBlock) levels(s survivor) uint16 {
	return (b.full | uint16(s>>survivorPath)) & uint16(2<<(uint(s>>survivorStart)&15)-1)
}

// Prices are the costs of what precedes the levels of a block: Zero of cbf_luma
// without levels, One of all with some.
type Prices struct {
	Zero, One int
}

// Block chooses levels for the coefficients of a block, and returns their cost,
// or that of a block of zeros if that is less, and the squared error in it. It
// gives up, with the cost Never, when the cost reaches the limit.
func (t *Trellis) Block(l *Levels, coef *[1024]int32, z *Quantizer, before Prices, limit int) (cost, dist int, any bool) {
	lev, mask, log2, scan := l.Lev, l.Mask, l.Log2, l.Order()
	rt := t.Rates
	sigTab := &SigContexts[log2-2][l.Scan]
	var coded [9]uint16
	empty := 0       // cost of zeros so far
	best := -1       // cost of the best path with levels so far
	mayStart := true // whether the last sub-block may still come
	seen := false
	lastSub := 0
	gain := 0 // of the error by the levels
	for i := len(mask) - 1; i >= 0; i-- {
		sx, sy := int(scan.SubX[i&63]), int(scan.SubY[i&63])
		csbf := coded[sx+1]>>sy&1 | coded[sx]>>(sy+1)&1<<1
		later := 0
		if i > 0 {
			later = 1
		}
		tab := &sigTab[later][csbf&3]
		b := subBlock{tab: tab}
		sum, most := t.prepare(&b, coef, sy<<(log2+2)+sx<<2, &scan.Raster, z)
		mask[i] = 0
		if best < 0 && most < 32 {
			empty += sum
			continue
		}
		// The sub-block may be empty or not, or the last one.
		cost, path, m, nextSeen := Never, survivor(0), uint16(0), seen
		if best >= 0 {
			c1 := 0
			if i > 0 {
				c := &rt.coded[min(csbf, 1)]
				cost = best + sum + int(c[0])
				c1 = int(c[1])
			}
			if i == 0 || most >= 32 {
				set := 2 * later
				if seen {
					set++
				}
				b.lv = &rt.level[set]
				s := t.finish(&b, 15, survivor(15)<<survivorStart, unreachable, b.odd)
				n := b.levels(s)
				c := best + c1 + int(s>>survivorCost)
				if i > 0 && n == 1 {
					c -= int(rt.sig[tab[0]&31][1]) // inferred
				}
				if i == 0 || n != 0 && c < cost {
					cost, path, m = c, s, n
					if n != 0 {
						nextSeen = levelState(s & survivorState).seen()
					}
				}
			}
		}
		if mayStart && most >= 32 {
			b.tab, b.lv = &sigTab[later][0], &rt.level[2*later]
			s, again := t.start(&b, l, i, empty)
			if n := b.levels(s); n != 0 && int(s>>survivorCost) < cost {
				cost, path, m = int(s>>survivorCost), s, n
				nextSeen = levelState(s & survivorState).seen()
				for j := i + 1; j <= lastSub; j++ {
					mask[j] = 0
				}
				clear(coded[:])
				gain = 0
				lastSub = i
			}
			mayStart = again
		}
		empty += sum
		best, seen = cost, nextSeen
		mayStart = mayStart && empty <= best
		if best+before.One >= limit && empty+before.Zero >= limit {
			return Never, 0, false
		}
		mask[i] = m
		if m != 0 || i == 0 {
			coded[sx] |= 1 << sy
		}
		out := lev[i*16:][:16]
		up := uint32(path>>survivorPath) & 0xffff
		for ; m != 0; m &= m - 1 {
			k := bits.TrailingZeros16(m) & 15
			w := t.w[k]
			l := w>>6 + int32(up>>k&1)
			gain += int(l<<6) * int(2*w-l<<6)
			s := -int32(b.neg >> k & 1)
			out[k] = int16((l ^ s) - s)
		}
	}
	if best < 0 || best+before.One >= empty+before.Zero {
		clear(mask)
		return empty + before.Zero, empty, false
	}
	return best + before.One, empty - gain, true
}

// prepare takes the magnitudes of a sub-block, whose coefficients lie at
// offsets from at, and fills the steps. It returns the squared error of zeros
// and the largest magnitude.
func (t *Trellis) prepare(b *subBlock, coef *[1024]int32, at int, raster *[16]uint16, z *Quantizer) (sum int, most int32) {
	scale, fine := z.scale, z.fine&31
	var neg, full, odd uint32
	for k := range t.w {
		c := coef[(at+int(raster[k]))&1023]
		s := c >> 31
		w := int32(uint32((c^s)-s) * scale >> fine)
		l := w >> 6
		neg = neg>>1 | uint32(s)&0x8000
		full = full>>1 | uint32(-l)>>31<<15
		odd = odd>>1 | uint32(l)<<15&0x8000
		sum += int(w) * int(w)
		most = max(most, w)
		t.w[k] = w
	}
	b.neg, b.full, b.odd, b.big = uint16(neg), uint16(full), uint16(odd), most >= 15<<6
	return sum, most
}

// start codes sub-block i of a block as the last one: the first nonzero level
// is chosen as well. empty is the cost of the zeros before it. It reports
// whether a later start may pay.
func (t *Trellis) start(b *subBlock, l *Levels, i, empty int) (survivor, bool) {
	rt, scan := t.Rates, l.Order()
	sx, sy := int(scan.SubX[i&63]), int(scan.SubY[i&63])
	even, odd := unreachable, unreachable // by parity of the levels so far
	for k := 15; k >= 0; k-- {
		w := t.w[k]
		some := even < unreachable || odd < unreachable
		if w >= 32 {
			level := uint32(w >> 6)
			if some {
				even, odd = t.step(b, k, even, odd)
				if level&1 != 0 {
					even, odd = odd, even
				}
			}
			x, y := sx<<2+int(scan.PosX[k&15]), sy<<2+int(scan.PosY[k&15])
			if l.Scan == ScanVert {
				x, y = y, x
			}
			f := int(w & 63)
			base := min(empty, 1<<32) + int(rt.lastX[x&31]+rt.lastY[y&31])
			here := survivor(k) << survivorStart
			above := survivor(base+(64-f)*(64-f))<<survivorCost + b.lv.magnitude(0, level+1) + survivor(levelState(0).next(level+1)) + here + 1<<(survivorPath+k)
			below := unreachable
			if level > 0 {
				below = survivor(base+f*f)<<survivorCost + b.lv.magnitude(0, level) + survivor(levelState(0).next(level)) + here
			}
			if level&1 != 0 {
				above, below = below, above
			}
			even, odd = min(even, below), min(odd, above)
		} else if some {
			s := survivor(w*w+rt.sig[b.tab[k]&31][0]) << survivorCost
			even += s
			odd += s
		}
		empty += int(w) * int(w)
		if int(min(even, odd)>>survivorCost) < empty {
			return t.finish(b, k-1, even, odd, b.odd&(1<<k-1)), false
		}
	}
	return t.finish(b, -1, even, odd, 0), true
}

// finish passes the coefficients from scan position k down and chooses a
// survivor. odd holds the bits of those whose level below is odd.
func (t *Trellis) finish(b *subBlock, k int, even, odd survivor, bit uint16) survivor {
	if b.big {
		for ; k >= 0; k-- {
			even, odd = t.step(b, k, even, odd)
		}
	} else {
		even, odd = t.pass(b, k, even, odd)
	}
	if bits.OnesCount16(bit)&1 != 0 {
		even, odd = odd, even
	}
	return t.resolve(b, even, odd)
}

// pass moves two survivors of different parity past the scan positions from k
// down. The first one to return is that of the parity of the first one to come
// plus the levels below.
func (t *Trellis) pass(sb *subBlock, k int, a, b survivor) (survivor, survivor) {
	sigs, tab, lv := &t.Rates.sig, sb.tab, sb.lv
	up := survivor(1) << (survivorPath + k&15)
	for ; k >= 0; k-- {
		w := t.w[k&15]
		sig := &sigs[tab[k&15]&31]
		l := w >> 6
		f := w & 63
		if w < hardZero {
			s := survivor(w*w+sig[0]) << survivorCost
			a += s
			b += s
			up >>= 1
			continue
		}
		below := survivor(f*f+sig[uint32(-l)>>31]) << survivorCost
		above := survivor((64-f)*(64-f)+sig[1])<<survivorCost + up
		l &= 15
		h := (l + 1) & 15
		na, nb := &levelAfter[uint8(a)], &levelAfter[uint8(b)]
		ra, rb := &lv[uint8(a)>>4], &lv[uint8(b)>>4]
		a &^= survivorState
		b &^= survivorState
		a0 := a + below + survivor(na[l]) + survivor(ra[l])<<survivorCost
		b1 := b + above + survivor(nb[h]) + survivor(rb[h])<<survivorCost
		b0 := b + below + survivor(nb[l]) + survivor(rb[l])<<survivorCost
		a1 := a + above + survivor(na[h]) + survivor(ra[h])<<survivorCost
		a, b = lesser(a0, b1), lesser(b0, a1)
		up >>= 1
	}
	return a, b
}

// lesser returns the least of two without a branch, which nobody could predict.
func lesser(a, b survivor) survivor {
	d := a - b
	return b + d&(d>>63)
}

// step is pass for one position and any level.
func (t *Trellis) step(sb *subBlock, k int, a, b survivor) (survivor, survivor) {
	lv := sb.lv
	w := t.w[k&15]
	sig := &t.Rates.sig[sb.tab[k&15]&31]
	f := w & 63
	below := survivor(f*f+sig[uint32(-(w>>6))>>31]) << survivorCost
	above := survivor((64-f)*(64-f)+sig[1])<<survivorCost + 1<<(survivorPath+k)
	l := uint32(t.w[k&15] >> 6)
	na, nb := levelState(a&survivorState), levelState(b&survivorState)
	a &^= survivorState
	b &^= survivorState
	a0 := a + below + survivor(na.next(l)) + lv.magnitude(na, l)
	a1 := a + above + survivor(na.next(l+1)) + lv.magnitude(na, l+1)
	b0 := b + below + survivor(nb.next(l)) + lv.magnitude(nb, l)
	b1 := b + above + survivor(nb.next(l+1)) + lv.magnitude(nb, l+1)
	return min(a0, b1), min(b0, a1)
}

// resolve chooses between the survivors at the end of a sub-block: where sign
// data hiding applies, one whose parity is the sign at its lowest position.
func (t *Trellis) resolve(b *subBlock, even, odd survivor) survivor {
	if !t.Hide {
		return min(even, odd)
	}
	e, o := b.hidden(even, 0), b.hidden(odd, 1)
	if s := min(e, o); s < unreachable {
		return s
	}
	return b.mend(t, min(even, odd))
}

// hidden returns a survivor of the given parity without the cost of the sign
// that is hidden, or unreachable if that is wrong.
func (b *subBlock) hidden(s survivor, parity uint16) survivor {
	m := b.levels(s)
	low := bits.TrailingZeros16(m)
	switch {
	case bits.Len16(m)-low <= 4:
		return s
	case b.neg>>low&1 != parity:
		return unreachable
	}
	return s - LambdaBit<<survivorCost
}

// mend gives a path the right parity by a change of one level. There is one:
// any level between the lowest and the highest position may change.
func (b *subBlock) mend(t *Trellis, s survivor) survivor {
	start := int(s>>survivorStart) & 15
	m := b.levels(s)
	low := bits.TrailingZeros16(m)
	best, at := int32(1<<30), 0
	for k := range start + 1 {
		f := t.w[k] & 63
		d := (64-f)*(64-f) - f*f + LambdaBit // from below to above
		if t.w[k] < 64 {
			d += 2 * LambdaBit
		}
		flipped := s ^ 1<<(survivorPath+k)
		if flipped < s {
			d = -d
		}
		n := b.levels(flipped)
		if n>>start == 0 || d >= best {
			continue
		}
		// A level that takes over the hidden sign must have the same one.
		if l := bits.TrailingZeros16(n); l != low && bits.Len16(n)-l > 4 && (b.neg>>l^b.neg>>low)&1 != 0 {
			continue
		}
		best, at = d, k
	}
	return s ^ 1<<(survivorPath+at) + survivor(best-LambdaBit)<<survivorCost
}
