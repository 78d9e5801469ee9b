package block

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// blockError returns the squared error of levels in 1/4096 squared steps.
func blockError(l *Levels, coef *[1024]int32, z *Quantizer) (sum int) {
	lev, mask, log2, scan := l.Lev, l.Mask, l.Log2, l.Order()
	for i, m := range mask {
		at := int(scan.SubY[i])<<(log2+2) + int(scan.SubX[i])<<2
		for k := range 16 {
			c := int(coef[at+int(scan.Raster[k])])
			w := abs(c) * int(z.scale) >> z.fine
			if m>>k&1 != 0 {
				l := int(lev[16*i+k])
				if l*c < 0 {
					l = -abs(l) // the wrong sign
				} else {
					l = abs(l)
				}
				w -= 64 * l
			}
			sum += w * w
		}
	}
	return sum
}

// allZero returns a block without levels of the size and scan of l.
func allZero(l *Levels) *Levels {
	zero := *l
	zero.Mask = make([]uint16, len(l.Mask))
	return &zero
}

// checkHidden reports a sub-block whose parity is not the hidden sign.
func checkHidden(t *testing.T, l *Levels) {
	t.Helper()
	lev, mask := l.Lev, l.Mask
	for i, m := range mask {
		low := bits.TrailingZeros16(m)
		if bits.Len16(m)-low <= 4 {
			continue
		}
		sum := 0
		for k := range 16 {
			if m>>k&1 != 0 {
				sum += int(lev[16*i+k])
			}
		}
		if sum&1 != 0 != (lev[16*i+low] < 0) {
			t.Errorf("sub-block %d: sum %d beside the level %d", i, sum, lev[16*i+low])
		}
	}
}

// trellisCases calls f with blocks of all sizes, scans, densities and QPs.
func trellisCases(n int, f func(i int, l *Levels, hide bool, z *Quantizer, coef *[1024]int32, rt *Rates)) {
	rng := rand.New(rand.NewPCG(71, 72))
	var coef [1024]int32
	for i := range n {
		log2 := 2 + i%4
		idx := 0
		if log2 < 4 {
			idx = i / 4 % 3
		}
		qp := rng.IntN(52)
		hide := rng.IntN(4) > 0
		z := NewQuantizer(qp, log2, true, hide)
		unit := float64(uint32(64)<<z.fine) / float64(z.scale) // a step
		size := unit * []float64{0.2, 0.6, 2, 9, 60}[rng.IntN(5)]
		falls := rng.Float64() * 0.3
		for j := range 1 << (2 * log2) {
			x, y := j&(1<<log2-1), j>>log2
			v := rng.NormFloat64() * size / (1 + falls*float64(x+y))
			coef[j] = int32(min(max(v, -32768), 32767))
		}
		var c Odds
		c.Reset(&InitialContexts[qp])
		for j := range c {
			if rng.IntN(3) == 0 {
				c[j] = uint16(rng.Uint32())
			}
		}
		var rt Rates
		rt.Load(&c, log2)
		l := LevelsIn(make([]int16, 1024), make([]uint16, 64), log2, idx)
		f(i, &l, hide, &z, &coef, &rt)
	}
}

// TestTrellisCost: the cost of a block is that of its levels, which obey sign
// data hiding, and is below those of zeros and, nearly always, of the plain
// quantiser.
func TestTrellisCost(t *testing.T) {
	worse, zeros, mended := 0, 0, 0
	const n = 3000
	trellisCases(n, func(i int, l *Levels, hide bool, z *Quantizer, coef *[1024]int32, rt *Rates) {
		before := Prices{Zero: 100, One: 700}
		tr := Trellis{Hide: hide, Rates: rt}
		cost, dist, any := tr.Block(l, coef, z, before, Never)
		if want := blockError(l, coef, z); dist != want {
			t.Errorf("block %d of size %d: error %d, want %d", i, 1<<l.Log2, dist, want)
		}
		if any != (l.LastSubBlock() >= 0) {
			t.Fatalf("block %d: levels %v, masks %v", i, any, l.Mask)
		}
		if !any {
			zeros++
			if cost != dist+before.Zero {
				t.Errorf("block %d of zeros: cost %d, want %d", i, cost, dist+before.Zero)
			}
			return
		}
		if hide {
			checkHidden(t, l)
		}
		switch want := dist + before.One + rt.Block(l, hide); {
		case cost == want:
		case hide: // mend guesses rates
			mended++
		default:
			t.Errorf("block %d of size %d scan %d: cost %d, want %d", i, 1<<l.Log2, l.Scan, cost, want)
		}
		empty := blockError(allZero(l), coef, z)
		if cost > empty+before.Zero {
			t.Errorf("block %d: cost %d, zeros %d", i, cost, empty+before.Zero)
		}
		if got, _, _ := tr.Block(l, coef, z, before, cost+1); got != cost {
			t.Errorf("block %d: cost %d with a limit, %d without", i, got, cost)
		}
		if got, _, _ := tr.Block(l, coef, z, before, cost); got < cost {
			t.Errorf("block %d: cost %d below that without a limit, %d", i, got, cost)
		}
		if any, dist, _ := z.Block(l, coef); any && dist+before.One+rt.Block(l, hide) < cost {
			worse++
		}
	})
	if worse > n/50 || mended > n/12 || zeros == 0 {
		t.Errorf("of %d blocks: %d cost more than plain, %d of unexpected cost, %d zero", n, worse, mended, zeros)
	}
}

// TestTrellisBest compares 4x4 blocks with every choice of levels below and
// above.
func TestTrellisBest(t *testing.T) {
	excess, total := 0, 0
	n := 0
	trellisCases(400, func(i int, l *Levels, hide bool, z *Quantizer, coef *[1024]int32, rt *Rates) {
		if l.Log2 != 2 || n == 12 {
			return
		}
		n++
		try := LevelsIn(make([]int16, 16), make([]uint16, 1), 2, l.Scan)
		tr := Trellis{Hide: hide, Rates: rt}
		cost, _, _ := tr.Block(l, coef, z, Prices{}, Never)
		raster := &l.Order().Raster
		best := blockError(&try, coef, z)
		for up := range 1 << 16 {
			m, sum := uint16(0), 0
			for k := range try.Lev {
				c := int(coef[raster[k]])
				level := abs(c)*int(z.scale)>>z.fine>>6 + up>>k&1
				sum += level
				if try.Lev[k] = int16(level); c < 0 {
					try.Lev[k] = int16(-level)
				}
				if level != 0 {
					m |= 1 << k
				}
			}
			low := bits.TrailingZeros16(m)
			if m == 0 || hide && bits.Len16(m)-low > 4 && sum&1 != 0 != (try.Lev[low] < 0) {
				continue
			}
			try.Mask[0] = m
			best = min(best, blockError(&try, coef, z)+rt.Block(&try, hide))
		}
		if cost < best {
			t.Errorf("block %d: cost %d, below the least, %d", i, cost, best)
		}
		excess += cost - best
		total += best
	})
	if n < 12 || excess*200 > total {
		t.Errorf("%d blocks cost %d, which is %d too many", n, total, excess)
	}
}

func BenchmarkTrellis(b *testing.B) {
	rng := rand.New(rand.NewPCG(73, 74))
	for _, log2 := range []int{2, 3, 4, 5} {
		b.Run([]string{2: "4", 3: "8", 4: "16", 5: "32"}[log2], func(b *testing.B) {
			z := NewQuantizer(27, log2, true, true)
			var coefs [16][1024]int32
			for i := range coefs {
				for j := range coefs[i] {
					coefs[i][j] = int32(rng.NormFloat64() * 28 * float64(int(128)>>log2))
				}
			}
			var c Odds
			c.Reset(&InitialContexts[27])
			var rt Rates
			rt.Load(&c, log2)
			tr := Trellis{Hide: true, Rates: &rt}
			l := LevelsIn(make([]int16, 1024), make([]uint16, 64), log2, ScanDiag)
			b.SetBytes(int64(len(l.Lev)))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				tr.Block(&l, &coefs[i&15], &z, Prices{}, Never)
			}
		})
	}
}
