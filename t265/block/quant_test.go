package block

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestQuantizer compares levels with the definition in exact arithmetic and
// checks the parity that sign data hiding promises.
func TestQuantizer(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for trial := range 400 {
		log2, qp := 2+trial%4, rng.IntN(52)
		n := 1 << log2
		hide := trial%2 == 0
		q := NewQuantizer(qp, log2, true, hide)
		idx := 0
		if log2 < 4 {
			idx = rng.IntN(3)
		}
		var coef [1024]int32
		for i := range n * n {
			// Up to levels that the table of steps does not hold.
			c := rng.NormFloat64() * float64(int(4)<<(qp/6+2*(trial/20%6)))
			coef[i] = int32(max(-32768, min(c, 32767)))
		}
		lev, mask := make([]int16, n*n), make([]uint16, n*n/16)
		l := LevelsIn(lev, mask, log2, idx)
		any, dist, _ := q.Block(&l, &coef)
		scan := &Scans[log2-2][idx]
		wantDist, seen := 0, false
		for i, m := range mask {
			moved, parity, first, last := 0, 0, -1, -1
			for k := range 16 {
				at := int(scan.SubY[i])*4*n + int(scan.SubX[i])*4 + int(scan.Raster[k])
				v := int(lev[16*i+k])
				w := abs(int(coef[at])) * int(quantScale[qp%6]) >> (15 + qp/6 - log2)
				level := w / 64
				if from := []int{roundFrom0, roundFrom1}[min(level, 1)]; w%64 >= from {
					level++
				}
				moved += abs(abs(v) - level)
				wantDist += (w - 64*abs(v)) * (w - 64*abs(v))
				parity += v
				if (v != 0) != (m>>k&1 != 0) {
					t.Fatalf("trial %d sub-block %d: mask %#x does not show level %d at %d", trial, i, m, v, k)
				}
				if v != 0 {
					seen = true
					if first < 0 {
						first = k
					}
					last = k
					if v > 0 != (coef[at] > 0) {
						t.Fatalf("trial %d: level %d of coefficient %d", trial, v, coef[at])
					}
				}
			}
			if moved > 1 || moved == 1 && !hide {
				t.Fatalf("trial %d sub-block %d: levels off by %d", trial, i, moved)
			}
			if hide && last-first > 3 && parity&1 != 0 != (lev[16*i+first] < 0) {
				t.Fatalf("trial %d sub-block %d: parity %d hides the wrong sign", trial, i, parity&1)
			}
		}
		if dist != wantDist || any != seen {
			t.Fatalf("trial %d: error %d, want %d; any %v, want %v", trial, dist, wantDist, any, seen)
		}
	}
}

// TestHideSign compares one sub-block with the definition.
func TestHideSign(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	moves := 0
	for trial := range 20000 {
		qp := rng.IntN(52)
		plain, q := NewQuantizer(qp, 4, trial&1 == 0, false), NewQuantizer(qp, 4, trial&1 == 0, true)
		var in [16]int32
		for k := range in {
			in[k] = int32(rng.NormFloat64() * float64(int(8)<<(qp/6+trial/2%4)))
		}
		var want, got [16]int16
		m, sum, dist := plain.SubBlock(&want, &in)
		if first := bits.TrailingZeros32(m); m != 0 && bits.Len32(m)-first > 4 && sum&1 != 0 != (want[first&15] < 0) {
			moves++
			best, at, change, step := 1<<30, -1, 0, 0
			for k, c := range in {
				w := abs(int(c)) * int(q.scale) >> q.fine
				sign, l := 1, abs(int(want[k]))
				if c < 0 {
					sign = -1
				}
				d := 1
				if w < 64*l {
					d = -1
				}
				if k < first && (sign < 0) != (want[first] < 0) || k == first && l == 1 && d < 0 {
					continue // another level would carry the sign
				}
				before, after := w-64*l, w-64*(l+d)
				cost := (after*after-before*before)/64 + d*hideCost
				if l == 0 {
					cost += hideCost
				}
				if cost < best {
					best, at, change, step = cost, k, after*after-before*before, d*sign
				}
			}
			l := abs(int(want[at]))
			want[at] += int16(step)
			sum += uint32(abs(int(want[at])) - l)
			dist += change
			m &^= 1 << at
			if want[at] != 0 {
				m |= 1 << at
			}
		}
		gotM, gotSum, gotDist := q.SubBlock(&got, &in)
		if got != want || gotM != m || gotSum != sum || gotDist != dist {
			t.Fatalf("trial %d: levels %d mask %#x sum %d error %d, want %d %#x %d %d", trial, got, gotM, gotSum, gotDist, want, m, sum, dist)
		}
	}
	if moves < 1000 {
		t.Errorf("only %d moves", moves)
	}
}

// TestSkipBlock compares the short way of a transform skip block, there and
// back, with the one that all blocks can go.
func TestSkipBlock(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	var (
		w    Restorer
		diff Pairs
		coef [1024]int32
	)
	for trial := range 2000 {
		qp, idx, n := rng.IntN(52), rng.IntN(3), 1<<rng.IntN(9)
		q, s := NewQuantizer(qp, 2, trial%3 > 0, trial%5 > 0), NewScaler(qp, 2)
		const stride = 6
		var src, got, want [4 * stride]byte
		var pred [16]byte
		for i := range src {
			src[i] = byte(128 + (rng.IntN(n)-n/2)*255/256)
			got[i] = byte(rng.IntN(256))
		}
		for y := range 4 {
			for x := range 4 {
				pred[4*y+x] = byte(128 + (rng.IntN(n)-n/2)*255/256)
				got[y*stride+x] = pred[4*y+x]
			}
		}
		want = got
		var lev, wantLev [16]int16
		var mask, wantMask [1]uint16
		l, wantL := LevelsIn(lev[:], mask[:], 2, idx), LevelsIn(wantLev[:], wantMask[:], 2, idx)
		any, dist, rate := q.SkipBlock(&l, src[:], stride, pred[:])
		Subtract(&diff, src[:], stride, pred[:], 4)
		ForwardSkip(&coef, &diff)
		wantAny, wantDist, wantRate := q.Block(&wantL, &coef)
		if lev != wantLev || mask != wantMask || any != wantAny || dist != wantDist || rate != wantRate {
			t.Fatalf("trial %d: levels %d mask %#x error %d rate %d, want %d %#x %d %d", trial, lev, mask, dist, rate, wantLev, wantMask, wantDist, wantRate)
		}
		s.RestoreSkip(got[:], stride, &l)
		w.Restore(want[:], stride, &s, &wantL, true)
		if got != want {
			t.Fatalf("trial %d: reconstruction %d, want %d", trial, got, want)
		}
	}
}
