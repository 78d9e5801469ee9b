package block

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/codectest"
)

// TestDigests: neither tables nor what functions make of them change by accident.
func TestDigests(t *testing.T) {
	codectest.TestDigests(t, "testdata/digests.txt", func(note func(string, ...any)) {
		note("geometry", ZOrder)
		note("modes", DecisionModes, intraAngle, inverseAngle, filterThreshold)
		note("scans", Scans, SigContexts, GroupOf, GroupStart, GroupBits)
		note("contexts", InitValues, InitialContexts)
		note("transforms", dctMatrix, odd16, odd32, odd16, forward32t)
		note("scales", LevelScale, quantScale)
		note("steps", *deadZoneSteps, *roundedSteps, *deadZoneTallies, *roundedTallies, lanesBefore)
		note("rates of tier hw", BlockRate, patternRate, smallRates, BitPrice, SplitPrice, OpenPrice)
		note("rates of tier rdo", stateOdds, oddsRate, remainingRate, levelAfter, LambdaBit)
		note("codes", RemainingCodes, Greater1Index)
		for log2 := 2; log2 <= 5; log2++ {
			offset, shift := LastContext(log2)
			note("codes", offset, shift)
			for mode := range NumModes {
				note("modes", Filtered(log2, mode), ScanIndex(log2, mode))
			}
		}
		for rice := range uint(5) {
			for v := uint32(0); v < 1<<15; v += 1 + v/7 {
				code, n := RemainingCode(v, rice)
				note("codes", code, n, remainingBits(v, rice))
			}
		}
		digestGeometry(note)
		digestModes(note)
		digestRates(note)
	})
}

func digestGeometry(note func(string, ...any)) {
	for log2 := 4; log2 <= 6; log2++ {
		for _, size := range [][2]int{{72, 40}, {200, 136}, {64, 64}} {
			g := NewGrid(size[0], size[1], log2)
			note("grid", g)
			for _, start := range []int{0, 1, 3} {
				for addr := start; addr < g.CTBWidth*g.CTBHeight; addr++ {
					e := g.Edges(addr, start)
					note("edges", e)
					x, y := addr%g.CTBWidth<<log2, addr/g.CTBWidth<<log2
					for n := 4; n <= min(32, 1<<log2); n *= 2 {
						for by := y; by < min(y+1<<log2, g.Height); by += n {
							for bx := x; bx < min(x+1<<log2, g.Width); bx += n {
								note("neighbours", g.Neighbours(bx, by, n, e))
							}
						}
					}
				}
			}
		}
	}
}

func digestModes(note func(string, ...any)) {
	rng := rand.New(rand.NewPCG(91, 92))
	var pred [1024]uint8
	var src [64 * 72]byte
	var border OpenBorder
	for qp := range 52 {
		note("open thresholds", OpenThreshold(qp))
		for log2 := 2; log2 <= 6; log2++ {
			spread := 1 << rng.IntN(9)
			random := func(list []uint8) {
				for i := range list {
					list[i] = uint8(128 + (rng.IntN(spread)-spread/2)*255/256)
				}
			}
			random(src[:])
			random(border.Above[:])
			random(border.Left[:])
			if log2 > 2 {
				note("open modes", OpenMode(src[:], 72, log2, qp, &border))
			}
			if log2 > 5 {
				continue
			}
			for lane := range DecisionModes {
				OpenPredict(pred[:], log2, lane, border.Above[:], border.Left[:])
				note("open predictions", pred, AbsoluteDifference(src[:], 72, pred[:], 1<<log2), SquaredDifference(src[:], 72, pred[:], 1<<log2))
			}
		}
	}
	for v := range int32(1 << 14) {
		note("open costs", OpenCost(v, 0), OpenCost(-v, 7))
	}
	for left := range NumModes {
		for above := range NumModes {
			note("probable modes", ProbableModes(left, above))
		}
	}
}

func digestRates(note func(string, ...any)) {
	trellisCases(800, func(i int, l *Levels, hide bool, z *Quantizer, coef *[1024]int32, rt *Rates) {
		note("rates", *rt)
		note("estimates", rt.Estimate(coef[:1<<(2*l.Log2)], z))
		tr := Trellis{Hide: hide, Rates: rt}
		for _, limit := range []int{Never, 20000} {
			clear(l.Mask)
			cost, dist, any := tr.Block(l, coef, z, Prices{Zero: 50, One: 300}, limit)
			note("trellis", cost, dist, any)
			if any {
				note("trellis", l.Mask, nonzero(l))
			}
		}
		any, dist, rate := z.Block(l, coef)
		note("quantiser", any, dist, rate, l.Mask, l.Lev)
		if any {
			sub, pos, x, y := l.Last()
			c := evenOdds()
			c.Train(l)
			note("odds", *c, sub, pos, x, y, rt.Block(l, hide), l.LastSubBlock())
			for mode := range NumModes {
				note("odds", c.ModeRate(mode, ProbableModes(mode/2, 34-mode)))
			}
		}
	})
}

// nonzero returns the levels that the masks show.
func nonzero(l *Levels) (list []int16) {
	for i, v := range l.Lev {
		if l.Mask[i>>4]>>(i&15)&1 != 0 {
			list = append(list, v)
		}
	}
	return list
}

// evenOdds are odds of one half.
func evenOdds() *Odds {
	c := new(Odds)
	for i := range c {
		c[i] = 1 << 15
	}
	return c
}
