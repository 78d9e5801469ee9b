package block

import (
	"math"
	"math/bits"
)

// Odds of bins, which the rdo tier estimates rates from. A context state
// follows the last few bins, so that the rate of the next one is a matter of
// luck; what a bin costs in the long run is the mean over many, and that is
// what decisions need.

// Odds are the probabilities of a one, in 1/65536, by context.
type Odds [NumContexts]uint16

// oddsWindow is log2 of the number of bins that odds remember.
const oddsWindow = 8

// stateOdds gives the odds that a context byte stands for: 0.5 * 0.9492^p for
// the less probable bin in state p (clause 9.3.4.3.2 tabulates the product
// with the range).
var stateOdds = func() (t [128]uint16) {
	alpha := math.Pow(0.01875/0.5, 1.0/63)
	for s := range t {
		p := 0.5 * math.Pow(alpha, float64(s>>1))
		if s&1 != 0 {
			p = 1 - p
		}
		t[s] = uint16(p * 65535)
	}
	return t
}()

// Reset takes the odds of context states.
func (c *Odds) Reset(states *Contexts) {
	for i := range c {
		c[i] = stateOdds[states[i]&127]
	}
}

// oddsRate is the cost of a bin of the given odds, in 1/1024.
var oddsRate = func() (t [1024]int32) {
	for i := range t {
		t[i] = int32(math.Round(-LambdaBit * math.Log2((float64(i)+0.5)/1024)))
	}
	return t
}()

// Rate returns the cost of a bin with context i.
func (c *Odds) Rate(i, bin int) int {
	p := c[i] >> 6
	if bin == 0 {
		p ^= 1023
	}
	return int(oddsRate[p])
}

// ModeRate returns the cost of an intra mode.
func (c *Odds) ModeRate(mode int, cand [3]int) int {
	switch mode {
	case cand[0]:
		return c.Rate(CtxPrevIntra, 1) + LambdaBit
	case cand[1], cand[2]:
		return c.Rate(CtxPrevIntra, 1) + 2*LambdaBit
	}
	return c.Rate(CtxPrevIntra, 0) + 5*LambdaBit
}

// learn moves the odds p by a bin.
func learn(p *uint16, bin int) {
	v := int32(*p)
	*p = uint16(v + (int32(-bin)&65535-v+1<<(oddsWindow-3))>>oddsWindow)
}

// Train moves the odds by the bins of residual_coding of a block with levels.
func (c *Odds) Train(l *Levels) {
	lev, mask, log2, scan := l.Lev, l.Mask, l.Log2, l.Order()
	lastSub, lastPos, x, y := l.Last()
	c.trainPrefix(CtxLastX, log2, int(GroupOf[x&31]))
	c.trainPrefix(CtxLastY, log2, int(GroupOf[y&31]))
	sigTab := &SigContexts[log2-2][l.Scan]
	sig := (*[32]uint16)(c[CtxSig:])
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
			b := &c[CtxCodedSubBlock+int(min(csbf, 1))]
			if m == 0 {
				learn(b, 0)
				continue
			}
			learn(b, 1)
		}
		coded[sx] |= 1 << sy
		tab := &sigTab[set>>1][csbf&3]
		low := 0
		if i > 0 && i < lastSub && m == 1 {
			low = 1
		}
		for ; k >= low; k-- {
			s := &sig[tab[k&15]&31]
			learn(s, int(m>>(k&15)&1))
		}
		if m == 0 {
			continue
		}
		if i < lastSub && seen {
			set++
		}
		in := lev[i*16:][:16]
		g1 := c[CtxGreater1+4*set:][:4]
		greater1 := 1
		for n := 0; n < 8 && m != 0; n++ {
			k := bits.Len16(m) - 1
			m &^= 1 << k
			l := abs(int(in[k&15]))
			if l == 1 {
				learn(&g1[greater1&3], 0)
				if greater1 > 0 && greater1 < 3 {
					greater1++
				}
				continue
			}
			learn(&g1[greater1&3], 1)
			if greater1 > 0 {
				g2 := &c[CtxGreater2+set]
				if l > 2 {
					learn(g2, 1)
				} else {
					learn(g2, 0)
				}
			}
			greater1 = 0
		}
		seen = greater1 == 0
	}
}

func (c *Odds) trainPrefix(base, log2, v int) {
	offset, shift := LastContext(log2)
	for i := range v {
		p := &c[base+offset+i>>shift]
		learn(p, 1)
	}
	if v < 2*log2-1 {
		p := &c[base+offset+v>>shift]
		learn(p, 0)
	}
}
