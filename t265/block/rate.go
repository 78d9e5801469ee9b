package block

import "math/bits"

// Rates of residual_coding in the rdo tier, from tables that are made of odds
// now and then. Costs are in 1/4096 squared quantiser steps, the unit of
// squared errors in 1/64 step.

// LambdaBit is the cost of a bit. At high rate theory gives 2 ln 2 / 12 of a
// squared step, 473.
const LambdaBit = 410

// Never is the cost of what cannot be.
const Never = 1 << 60

// remainingBits returns the length of coeff_abs_level_remaining.
func remainingBits(v uint32, rice uint) int32 {
	if v < 4<<rice {
		return int32(v>>rice) + 1 + int32(rice)
	}
	k := bits.Len32((v-2<<rice)>>rice) - 1
	return int32(2*k + 4 + int(rice))
}

// remainingRate is the cost of coeff_abs_level_remaining by Rice parameter
// and value.
var remainingRate = func() (t [5][16]int32) {
	for r := range t {
		for v := range t[r] {
			t[r][v] = LambdaBit * remainingBits(uint32(v), uint(r))
		}
	}
	return t
}()

// A levelState is a state of the coder of magnitudes within a sub-block: the
// row of a levelRates times 16, plus the number of levels so far. Without
// flags, that is 8, or 9 if a magnitude above one was among those with flags.
type levelState uint8

// Rows of a levelRates: greater1Ctx 1 to 3 with no magnitude above one so far,
// then greater1Ctx 0 by cRiceParam, then levels without flags by cRiceParam.
const (
	rowSeen    = 3
	rowNoFlags = 8
	numRows    = 13
)

// seen reports whether greater1Ctx is zero at the end of a sub-block.
func (s levelState) seen() bool { return s&15 == 9 || s>>4 >= rowSeen && s>>4 < rowNoFlags }

// rice returns cRiceParam.
func (s levelState) rice() uint {
	switch {
	case s>>4 < rowSeen:
		return 0
	case s>>4 < rowNoFlags:
		return uint(s>>4) - rowSeen
	}
	return uint(s>>4) - rowNoFlags
}

// base returns the least magnitude that has coeff_abs_level_remaining.
func (s levelState) base() uint32 {
	switch {
	case s>>4 < rowSeen:
		return 3
	case s>>4 < rowNoFlags:
		return 2
	}
	return 1
}

// after returns the state after the magnitude l.
func (s levelState) after(l uint32) levelState {
	if l == 0 {
		return s
	}
	rice, seen := s.rice(), s.seen()
	if l >= s.base() && l > 3<<rice && rice < 4 {
		rice++
	}
	count := s & 15
	if count < 8 {
		count++
		seen = seen || l > 1
	}
	switch {
	case count < 8 && seen:
		return levelState(rowSeen+rice)<<4 | count
	case count < 8:
		return min(count, 2)<<4 | count
	case seen:
		count = 9
	}
	return levelState(rowNoFlags+rice)<<4 | count
}

// levelAfter tabulates after for magnitudes up to 15, which stands for 15 to
// 24, and for more.
var levelAfter = func() (t [256][32]levelState) {
	for s := range t {
		if s>>4 < numRows {
			for l := range uint32(16) {
				t[s][l] = levelState(s).after(l)
			}
			t[s][16] = levelState(s).after(25)
		}
	}
	return t
}()

// next returns the state after the magnitude l.
func (s levelState) next(l uint32) levelState {
	if l > 24 {
		return levelAfter[s][16]
	}
	return levelAfter[s][min(l, 15)]
}

// A levelRates gives the cost of a magnitude below 16 and its sign by row and
// magnitude; zero has no cost here.
type levelRates [16][16]int32

// A Rates holds the costs of residual_coding for one transform size.
type Rates struct {
	level        [4]levelRates // by ctxSet
	sig          [32][2]int32  // sig_coeff_flag by context increment and bin
	coded        [2][2]int32   // coded_sub_block_flag
	lastX, lastY [32]int32     // last position by coordinate
	// guess is the least cost of a coefficient by magnitude in 1/16 step.
	guess [guessSize]uint16
}

const guessSize = 512

// loadGuess makes the table of guesses.
func (t *Rates) loadGuess(log2 int) {
	// the mean cost of sig_coeff_flag among coded neighbours
	var s0, s1 int32
	for _, c := range SigContexts[log2-2][ScanDiag][min(log2-2, 1)][3] {
		s0 += t.sig[c&31][0]
		s1 += t.sig[c&31][1]
	}
	s0, s1 = s0>>4, s1>>4
	lv := &t.level[0]
	if log2 > 2 {
		lv = &t.level[3]
	}
	a, b := &lv[rowSeen+1], &lv[rowNoFlags+1]
	last := s0
	var next int32
	for l := range int32(guessSize / 16) {
		if l >= 15 {
			next = last + LambdaBit>>1
		} else {
			next = s1 + (a[l+1]+b[l+1])>>1
		}
		out := t.guess[l*16:][:16]
		for i := range out {
			f := int32(4*i + 2)
			out[i] = uint16(min(f*f+last, (64-f)*(64-f)+next))
		}
		last = next
	}
}

// Estimate guesses the cost of n coefficients.
func (t *Rates) Estimate(coef []int32, z *Quantizer) int {
	scale, fine := z.scale, (z.fine+2)&31
	total := uint32(0)
	for _, c := range coef {
		s := c >> 31
		v := uint32((c^s)-s) * scale >> fine
		if v >= guessSize {
			total += (v - guessSize) << 3
			v = guessSize - 1
		}
		total += uint32(t.guess[v&(guessSize-1)])
	}
	return int(total)
}

// Load makes the tables.
func (t *Rates) Load(c *Odds, log2 int) {
	rate := func(i, bin int) int32 { return int32(c.Rate(i, bin)) }
	for set := range t.level {
		lv := &t.level[set]
		g2 := CtxGreater2 + set
		for g := 1; g < 4; g++ {
			g1 := CtxGreater1 + 4*set + g
			row := &lv[g-1]
			row[1] = LambdaBit + rate(g1, 0)
			more := LambdaBit + rate(g1, 1)
			row[2] = more + rate(g2, 0)
			more += rate(g2, 1)
			for l := 3; l < 16; l++ {
				row[l] = more + remainingRate[0][l-3]
			}
		}
		g1 := CtxGreater1 + 4*set
		one, more := LambdaBit+rate(g1, 0), LambdaBit+rate(g1, 1)
		for r := range remainingRate {
			row := &lv[rowSeen+r]
			row[1] = one
			for l := 2; l < 16; l++ {
				row[l] = more + remainingRate[r][l-2]
			}
			row = &lv[rowNoFlags+r]
			for l := 1; l < 16; l++ {
				row[l] = LambdaBit + remainingRate[r][l-1]
			}
		}
	}
	for i := range numSigContexts {
		t.sig[i] = [2]int32{rate(CtxSig+i, 0), rate(CtxSig+i, 1)}
	}
	for i := range t.coded {
		t.coded[i] = [2]int32{rate(CtxCodedSubBlock+i, 0), rate(CtxCodedSubBlock+i, 1)}
	}
	offset, shift := LastContext(log2)
	limit := 2*log2 - 1
	var px, py [10]int32
	var sx, sy int32
	for p := 0; p <= limit; p++ {
		px[p], py[p] = sx+LambdaBit*int32(GroupBits[p]), sy+LambdaBit*int32(GroupBits[p])
		if p < limit {
			cx, cy := CtxLastX+offset+p>>shift, CtxLastY+offset+p>>shift
			px[p] += rate(cx, 0)
			py[p] += rate(cy, 0)
			sx += rate(cx, 1)
			sy += rate(cy, 1)
		}
	}
	for i := range 1 << log2 {
		t.lastX[i], t.lastY[i] = px[GroupOf[i]], py[GroupOf[i]]
	}
	t.loadGuess(log2)
}

// magnitude returns the cost of the magnitude l and its sign in a state.
func (lv *levelRates) magnitude(s levelState, l uint32) survivor {
	if l < 16 {
		return survivor(lv[s>>4][l]) << survivorCost
	}
	return lv.large(s, l)
}

// large is magnitude from 16 on.
func (lv *levelRates) large(s levelState, l uint32) survivor {
	more := remainingBits(l-s.base(), s.rice()) - remainingBits(15-s.base(), s.rice())
	return survivor(lv[s>>4][15]+LambdaBit*more) << survivorCost
}

// Block returns the cost of residual_coding of a block with levels.
func (t *Rates) Block(l *Levels, hide bool) int {
	lev, mask, scan := l.Lev, l.Mask, l.Order()
	lastSub, lastPos, x, y := l.Last()
	sum := int(t.lastX[x&31] + t.lastY[y&31])
	sigTab := &SigContexts[l.Log2-2][l.Scan]
	var coded [9]uint16
	seen := false
	for i := lastSub; i >= 0; i-- {
		sx, sy := int(scan.SubX[i&63]), int(scan.SubY[i&63])
		csbf := coded[sx+1]>>sy&1 | coded[sx]>>(sy+1)&1<<1
		m := mask[i]
		k, set := 15, 0
		if i > 0 {
			set = 2
		}
		switch {
		case i == lastSub:
			k = lastPos - 1
		case i > 0:
			c := &t.coded[min(csbf, 1)]
			if m == 0 {
				sum += int(c[0])
				continue
			}
			sum += int(c[1])
		}
		coded[sx] |= 1 << sy
		tab := &sigTab[set>>1][csbf&3]
		low := 0
		if i > 0 && i < lastSub && m == 1 {
			low = 1
		}
		for ; k >= low; k-- {
			sum += int(t.sig[tab[k&15]&31][m>>(k&15)&1])
		}
		if m == 0 {
			continue
		}
		if i < lastSub && seen {
			set++
		}
		if hide && bits.Len16(m)-bits.TrailingZeros16(m) > 4 {
			sum -= LambdaBit
		}
		in := lev[i*16:][:16]
		state := levelState(0)
		for m != 0 {
			k := bits.Len16(m) - 1
			m &^= 1 << k
			l := uint32(abs(int(in[k&15])))
			sum += int(t.level[set].magnitude(state, l) >> survivorCost)
			state = state.next(l)
		}
		seen = state.seen()
	}
	return sum
}
