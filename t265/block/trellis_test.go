package block

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// blockError returns the squared error of levels in 1/4096 squared steps.
func blockError(lev []int16, mask []uint16, coef *[1024]int32, z *Quantizer, log2, scanIdx int) (sum int) {
	scan := &Scans[log2-2][scanIdx]
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

// checkHidden reports a sub-block whose parity is not the hidden sign.
func checkHidden(t *testing.T, lev []int16, mask []uint16) {
	t.Helper()
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
func trellisCases(n int, f func(i, log2, idx int, hide bool, z *Quantizer, coef *[1024]int32, rt *Rates)) {
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
		f(i, log2, idx, hide, &z, &coef, &rt)
	}
}

// TestTrellisCost: the cost of a block is that of its levels, which obey sign
// data hiding, and is below those of zeros and, nearly always, of the plain
// quantiser.
func TestTrellisCost(t *testing.T) {
	worse, zeros, mended := 0, 0, 0
	const n = 3000
	trellisCases(n, func(i, log2, idx int, hide bool, z *Quantizer, coef *[1024]int32, rt *Rates) {
		size := 1 << (2 * log2)
		lev, mask := make([]int16, size), make([]uint16, size/16)
		tr := Trellis{Hide: hide, Rates: rt}
		const zero, one = 100, 700
		cost, dist, any := tr.Block(lev, mask, coef, z, log2, idx, zero, one, Never)
		if want := blockError(lev, mask, coef, z, log2, idx); dist != want {
			t.Errorf("block %d of size %d: error %d, want %d", i, 1<<log2, dist, want)
		}
		if any != (LastSubBlock(mask) >= 0) {
			t.Fatalf("block %d: levels %v, masks %v", i, any, mask)
		}
		if !any {
			zeros++
			if cost != dist+zero {
				t.Errorf("block %d of zeros: cost %d, want %d", i, cost, dist+zero)
			}
			return
		}
		if hide {
			checkHidden(t, lev, mask)
		}
		switch want := dist + one + rt.Block(log2, idx, lev, mask, hide); {
		case cost == want:
		case hide: // mend guesses rates
			mended++
		default:
			t.Errorf("block %d of size %d scan %d: cost %d, want %d", i, 1<<log2, idx, cost, want)
		}
		empty := blockError(lev, make([]uint16, size/16), coef, z, log2, idx)
		if cost > empty+zero {
			t.Errorf("block %d: cost %d, zeros %d", i, cost, empty+zero)
		}
		if got, _, _ := tr.Block(lev, mask, coef, z, log2, idx, zero, one, cost+1); got != cost {
			t.Errorf("block %d: cost %d with a limit, %d without", i, got, cost)
		}
		if got, _, _ := tr.Block(lev, mask, coef, z, log2, idx, zero, one, cost); got < cost {
			t.Errorf("block %d: cost %d below that without a limit, %d", i, got, cost)
		}
		if any, dist, _ := z.Block(lev, mask, coef, log2, idx); any && dist+one+rt.Block(log2, idx, lev, mask, hide) < cost {
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
	trellisCases(400, func(i, log2, idx int, hide bool, z *Quantizer, coef *[1024]int32, rt *Rates) {
		if log2 != 2 || n == 12 {
			return
		}
		n++
		var lev, try [16]int16
		mask := make([]uint16, 1)
		tr := Trellis{Hide: hide, Rates: rt}
		cost, _, _ := tr.Block(lev[:], mask, coef, z, 2, idx, 0, 0, Never)
		raster := &Scans[0][idx].Raster
		best := blockError(lev[:], make([]uint16, 1), coef, z, 2, idx)
		for up := range 1 << 16 {
			m, sum := uint16(0), 0
			for k := range try {
				c := int(coef[raster[k]])
				l := abs(c)*int(z.scale)>>z.fine>>6 + up>>k&1
				sum += l
				if try[k] = int16(l); c < 0 {
					try[k] = int16(-l)
				}
				if l != 0 {
					m |= 1 << k
				}
			}
			low := bits.TrailingZeros16(m)
			if m == 0 || hide && bits.Len16(m)-low > 4 && sum&1 != 0 != (try[low] < 0) {
				continue
			}
			mask[0] = m
			best = min(best, blockError(try[:], mask, coef, z, 2, idx)+rt.Block(2, idx, try[:], mask, hide))
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
			n := 1 << (2 * log2)
			lev, mask := make([]int16, n), make([]uint16, n/16)
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				tr.Block(lev, mask, &coefs[i&15], &z, log2, 0, 0, 0, Never)
			}
		})
	}
}
