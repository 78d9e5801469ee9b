package t265

import "math/bits"

// Rate-distortion optimised quantisation. Costs are in squared quantiser
// steps: the squared error of a coefficient plus lambda times its bits.

// An rdoq holds the scratch of one block.
type rdoq struct {
	lambda float32 // per bit, in squared steps
	hide   bool
	ctx    *contexts
	last   lastCosts
	u      [1024]float32 // magnitudes in steps, coding order
	neg    [64]uint16    // signs by sub-block
	// cost of the best level, of its sig_coeff_flag, and of zero, coding order
	coded, sig, zero [1024]float32
	sub              [64]float32 // cost of coded_sub_block_flag
}

// block chooses levels for the coefficients of a block of size 1<<log2. It
// reports whether any is not zero; the cost beyond that of a zero block,
// cbf_luma excluded, is not positive then.
func (q *rdoq) block(lev []int16, mask []uint16, coef *[1024]int32, z *quantizer, log2, scanIdx int) bool {
	scan := &scans[log2-2][scanIdx]
	ctx := q.ctx
	norm := float32(z.scale) / float32(uint32(1)<<z.shift)
	// Magnitudes, and the last level that rounds to one or more.
	lastSub := -1
	for i := range mask {
		at := int(scan.subY[i&63])<<(log2+2) + int(scan.subX[i&63])<<2
		u := q.u[i*16:][:16]
		neg := uint16(0)
		big := false
		for k := range u {
			c := coef[(at+int(scan.raster[k&15]))&1023]
			s := c >> 31
			v := float32((c^s)-s) * norm
			u[k] = v
			neg |= uint16(s&1) << k
			if v >= 0.5 {
				big = true
			}
		}
		q.neg[i] = neg
		mask[i] = 0
		if big {
			lastSub = i
		}
	}
	clear(lev)
	if lastSub < 0 {
		return false
	}
	q.last.load(ctx, log2)
	lambda := q.lambda
	sigTab := &sigContexts[log2-2][scanIdx]
	var coded [9]uint16
	greater1 := 1
	var total, empty float32 // cost of the block so far, and if it were all zero
	for i := lastSub; i >= 0; i-- {
		sx, sy := int(scan.subX[i&63]), int(scan.subY[i&63])
		csbf := coded[sx+1]>>sy&1 | coded[sx]>>(sy+1)&1<<1
		later := 0
		if i > 0 {
			later = 1
		}
		tab := &sigTab[later][csbf&3]
		var sigCost [16][2]float32
		for k := range sigCost {
			c := ctx[ctxSig+int(tab[k])&31]
			sigCost[k] = [2]float32{lambda * cost(c, 0), lambda * cost(c, 1)}
		}
		st := newLevelState(i, i == lastSub, greater1)
		u := q.u[i*16:][:16]
		out := lev[i*16:][:16]
		m := uint16(0)
		var sum, none float32
		for k := 15; k >= 0; k-- {
			v := u[k]
			d0 := v * v
			none += d0
			q.zero[i*16+k] = d0
			best := d0 + sigCost[k][0]
			level := uint32(0)
			sig := sigCost[k][0]
			if v >= 0.5 {
				top := uint32(v + 0.5)
				low := max(top, 2) - 1
				for l := top; l >= low; l-- {
					e := v - float32(l)
					c := e*e + sigCost[k][1] + lambda*(1+st.cost(ctx, l))
					if c < best {
						best, level, sig = c, l, sigCost[k][1]
					}
				}
			}
			q.coded[i*16+k] = best
			q.sig[i*16+k] = sig
			sum += best
			out[k] = int16(level)
			if level != 0 {
				m |= 1 << k
				st.add(level)
			}
		}
		q.sub[i] = 0
		if i > 0 && i < lastSub {
			c := ctx[ctxCodedSubBlock+int(min(csbf, 1))]
			c0, c1 := lambda*cost(c, 0), lambda*cost(c, 1)
			if m == 1 { // the flag of position 0 is inferred
				sum -= sigCost[0][1]
				q.coded[i*16] -= sigCost[0][1]
				q.sig[i*16] = 0
			}
			if m == 0 || sum+c1 >= none+c0 {
				if m != 0 {
					clear(out)
					m = 0
				}
				for k := range 16 {
					q.coded[i*16+k] = q.zero[i*16+k]
					q.sig[i*16+k] = 0
				}
				sum = none
				q.sub[i] = c0
			} else {
				q.sub[i] = c1
			}
		}
		if m != 0 || i == 0 || i == lastSub {
			coded[sx] |= 1 << sy
		}
		if m != 0 {
			greater1 = st.greater1
		}
		mask[i] = m
		total += sum + q.sub[i]
		empty += none
	}
	return q.chooseLast(lev, mask, log2, scanIdx, lastSub, total, empty) && q.signs(lev, mask, log2, scanIdx)
}

// chooseLast drops the levels behind the best last position.
func (q *rdoq) chooseLast(lev []int16, mask []uint16, log2, scanIdx, lastSub int, total, empty float32) bool {
	scan := &scans[log2-2][scanIdx]
	best, bestSub, bestPos := empty, -1, 0
	for i := lastSub; i >= 0; i-- {
		m := mask[i]
		total -= q.sub[i]
		if m == 0 {
			for k := range 16 {
				total += q.zero[i*16+k] - q.coded[i*16+k]
			}
			continue
		}
		for k := 15; k >= 0; k-- {
			at := i*16 + k
			if m>>k&1 == 0 {
				total += q.zero[at] - q.coded[at]
				continue
			}
			x := int(scan.subX[i&63])<<2 + int(scan.posX[k])
			y := int(scan.subY[i&63])<<2 + int(scan.posY[k])
			if scanIdx == scanVert {
				x, y = y, x
			}
			if c := total - q.sig[at] + q.lambda*q.last.at(x, y); c < best {
				best, bestSub, bestPos = c, i, k
			}
			total += q.zero[at] - q.coded[at]
		}
	}
	if bestSub < 0 {
		clear(mask)
		clear(lev)
		return false
	}
	for i := bestSub; i <= lastSub; i++ {
		keep := uint16(0)
		if i == bestSub {
			keep = 1<<(bestPos+1) - 1
		}
		for k := range 16 {
			if keep>>k&1 == 0 {
				lev[i*16+k] = 0
			}
		}
		mask[i] &= keep
	}
	return true
}

// signs gives the levels their signs and, where sign data hiding applies, the
// right parity, by the single change that costs least.
func (q *rdoq) signs(lev []int16, mask []uint16, log2, scanIdx int) bool {
	last := lastSubBlock(mask)
	greater1 := 1
	for i := last; i >= 0; i-- {
		m := mask[i]
		if m == 0 {
			continue
		}
		out := lev[i*16:][:16]
		if q.hide && bits.Len16(m)-bits.TrailingZeros16(m) > 4 {
			m = q.hideSign(out, m, i, i == last, greater1)
			mask[i] = m
		}
		_, greater1 = levelsCost(q.ctx, out, m, i, i == last, greater1, q.hide)
		for k := range out {
			if q.neg[i]>>k&1 != 0 {
				out[k] = -out[k]
			}
		}
	}
	return true
}

// hideSign fixes the parity of a sub-block of magnitudes.
func (q *rdoq) hideSign(lev []int16, m uint16, i int, last bool, prev int) uint16 {
	parity := int16(0)
	for _, v := range lev {
		parity ^= v
	}
	lowest := bits.TrailingZeros16(m)
	negative := q.neg[i] >> lowest & 1
	if uint16(parity&1) == negative {
		return m
	}
	u := q.u[i*16:][:16]
	highest := bits.Len16(m) - 1
	limit := 16
	if last {
		limit = highest + 1
	}
	before, _ := levelsCost(q.ctx, lev, m, i, last, prev, true)
	best, bestAt, bestStep := float32(1e30), -1, int16(0)
	for k := range limit {
		for _, step := range [2]int16{1, -1} {
			l := lev[k]
			if l == 0 && step < 0 {
				continue
			}
			e0, e1 := u[k]-float32(l), u[k]-float32(l+step)
			d := e1*e1 - e0*e0
			if d > best {
				continue
			}
			next := m
			switch {
			case l == 0:
				next |= 1 << k
			case l+step == 0:
				next &^= 1 << k
			}
			if next == 0 {
				continue
			}
			if last && next>>highest&1 == 0 {
				continue // the last position is settled
			}
			// A level that takes over the hidden sign must have the same one.
			low := bits.TrailingZeros16(next)
			if low != lowest && bits.Len16(next)-low > 4 && q.neg[i]>>low&1 != negative {
				continue
			}
			lev[k] = l + step
			after, _ := levelsCost(q.ctx, lev, next, i, last, prev, true)
			lev[k] = l
			c := d + q.lambda*(after-before)
			switch { // sig_coeff_flag, about
			case l == 0:
				c += q.lambda * 1.5
			case l+step == 0:
				c -= q.lambda * 0.5
			}
			if c < best {
				best, bestAt, bestStep = c, k, step
			}
		}
	}
	lev[bestAt] += bestStep
	if lev[bestAt] != 0 {
		return m | 1<<bestAt
	}
	return m &^ (1 << bestAt)
}
