package block

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/codectest"
)

// TestDigests: neither tables nor what functions make of them change by accident.
func TestDigests(t *testing.T) {
	codectest.TestDigests(t, "testdata/digests.txt", func(note func(string, ...any)) {
		note("geometry", X, Y, later4, later8)
		note("contexts", InitValues, initialContexts, SigBase, LastBase, ContextTable([]int16{5, -1, 0, 7}))
		note("context increments", SigContext8, LastContext8, AbsOne, AbsMore, AfterOne, AfterTwo)
		for cat := range NumCats {
			note("context increments", *SigContexts[cat], *LastContexts[cat])
		}
		note("scans", Scan4, Scan8)
		note("scales", NormAdjust4, NormAdjust8, Scalers)
		note("quantisers", Quantizers, DeadZone, Nearest, gains4, gains8)
		note("modes", Needs)
		for mode := range NumModes {
			for _, nb := range neighbourhoods() {
				note("modes", Allowed(2, mode, nb), Allowed(3, mode, nb))
			}
		}
		for qp := range 52 {
			note("modes", ModePrice(qp))
		}
		digestGeometry(note)
		rng := rand.New(rand.NewPCG(93, 94))
		for i := range 2000 {
			digestBlocks(note, rng, i)
		}
	})
}

func neighbourhoods() (list []Neighbourhood) {
	for i := range 16 {
		list = append(list, Neighbourhood{i&1 != 0, i&2 != 0, i&4 != 0, i&8 != 0})
	}
	return list
}

func digestGeometry(note func(string, ...any)) {
	for _, nb := range neighbourhoods() {
		e := Edge{nb.Left, nb.Above, nb.Corner, nb.AboveRight}
		for n := 4; n <= 16; n *= 2 {
			for y := 0; y < 16; y += n {
				for x := 0; x < 16; x += n {
					note("neighbours", Neighbours(16+x, 32+y, n, e))
				}
			}
		}
	}
}

func digestBlocks(note func(string, ...any), rng *rand.Rand, i int) {
	qp := i % 52
	size := 1 << rng.IntN(16)
	value := func() int16 { return int16(rng.IntN(2*size) - size) }
	var lev4 [16]int16
	var lev8 [64]int16
	for k := range lev4 {
		lev4[k] = value()
	}
	for k := range lev8 {
		lev8[k] = value()
	}
	s, q := &Scalers[qp], Quantizers[qp]
	q.Rounder = DeadZone
	if i&1 != 0 {
		q.Rounder = Nearest
	}
	var r4 [16]int32
	var r8 [64]int32
	var dc [16]int16
	Residual4(&r4, &lev4, uint8(qp), i&2 != 0, value())
	DCCoefficients(&dc, &lev4, uint8(qp))
	Residual8(&r8, &lev8, uint8(qp))
	note("residuals", r4, dc, r8, s.DCCoefficient(int32(value())))
	for k := range r4 {
		note("samples", AddResidual(uint8(lev8[k]), r4[k]), Clip8(r4[k]), Abs32(r4[k]))
	}
	sum := r4
	InverseDC(&sum)
	note("DC transform", sum)
	for k := range sum {
		sum[k] = sum[k] << 15 >> 15
	}
	var out4 [16]int16
	var out8 [64]int16
	mask8 := q.Quantise8(&out8, &lev8)
	maskDC := q.QuantiseDC(&out4, &sum)
	note("levels", out8, mask8, out4, maskDC)
	pred := make([]byte, 20*16)
	for k := range pred {
		pred[k] = byte(rng.Uint32())
	}
	small := make([]int16, 16)
	for k := range small {
		small[k] = lev4[k] >> 7
	}
	rec := append([]byte{}, pred...)
	ReconstructBypass(rec, 20, 4, i%3, small)
	note("bypass", rec[:80])
	var cost [3]int
	for k := range cost {
		cost[k] = rng.IntN(40)
	}
	nb := neighbourhoods()[rng.IntN(16)]
	note("choice", PickMode(&cost, nb, ModePrice(qp%24)), SAD(rec, pred, 20, 2), SAD(rec, pred, 20, 3))
	var refs, filtered Refs
	refs.Gather(pred, 20, 5*20+4, 8, Neighbourhood{Left: true, Above: true, Corner: true, AboveRight: i&1 != 0})
	refs.Filter(&filtered, Neighbourhood{Left: i&2 == 0, Above: i&4 == 0, Corner: i&8 == 0, AboveRight: i&1 != 0})
	note("references", refs)
	if nb.Left && nb.Above {
		note("references", filtered)
	}
}
