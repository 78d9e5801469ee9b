package t265

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"vcsim/internal/bitio"
)

// TestQuantizer compares levels with the definition in exact arithmetic and
// checks the parity that sign data hiding promises.
func TestQuantizer(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for trial := range 400 {
		log2, qp := 2+trial%4, rng.IntN(52)
		n := 1 << log2
		hide := trial%2 == 0
		q := newQuantizer(qp, log2, true, hide)
		idx := 0
		if log2 < 4 {
			idx = rng.IntN(3)
		}
		var coef [1024]int32
		for i := range n * n {
			coef[i] = int32(rng.NormFloat64() * float64(int(4)<<(qp/6)))
		}
		lev, mask := make([]int16, n*n), make([]uint16, n*n/16)
		any, dist, _ := q.block(lev, mask, &coef, log2, idx)
		scan := &scans[log2-2][idx]
		wantDist, seen := 0, false
		for i, m := range mask {
			moved, parity, first, last := 0, 0, -1, -1
			for k := range 16 {
				at := int(scan.subY[i])*4*n + int(scan.subX[i])*4 + int(scan.raster[k])
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

// TestRemainingCode compares with the binarisation of clause 9.3.3.11.
func TestRemainingCode(t *testing.T) {
	for rice := range uint(5) {
		for v := uint32(0); v < 3000; v++ {
			prefix, suffix := v>>rice, ""
			want := ""
			if prefix < 4 {
				want = strings.Repeat("1", int(prefix)) + "0"
				if rice > 0 {
					suffix = fmt.Sprintf("%0*b", int(rice), v&(1<<rice-1))
				}
			} else {
				// prefix 1111, then EGk of order rice+1
				s, k := v-4<<rice, rice+1
				want = "1111"
				for s >= 1<<k {
					want += "1"
					s -= 1 << k
					k++
				}
				want += "0"
				suffix = fmt.Sprintf("%0*b", int(k), s)
			}
			want += suffix
			code, n := remainingCode(v, rice)
			if got := fmt.Sprintf("%0*b", n, code); got != want || n != int(remainingBits(v, rice)) {
				t.Fatalf("value %d rice %d: got %s, want %s", v, rice, got, want)
			}
		}
	}
}

func TestLevels(t *testing.T) {
	for _, c := range []struct{ w, h, idc int }{
		{8, 8, 30}, {512, 512, 90}, {1024, 1024, 120}, {4096, 8, 120}, {4096, 544, 120}, {2048, 2048, 150}, {8192, 4096, 180},
	} {
		if got, err := levelFor(c.w, c.h); err != nil || got != c.idc {
			t.Errorf("%dx%d: level %d, %v, want %d", c.w, c.h, got, err, c.idc)
		}
	}
	if _, err := levelFor(16888, 8000); err == nil {
		t.Error("a picture above level 6.2 has a level")
	}
}

// TestUnsupported checks that valid parameter sets outside the subset are
// refused by the name of the element.
func TestUnsupported(t *testing.T) {
	sps := func(chroma uint32, scaling bool) []byte {
		var w bitio.Writer
		w.Bits(1, 8)
		writeProfileTierLevel(&w, 30)
		w.UE(0)
		w.UE(chroma)
		w.UE(64)
		w.UE(64)
		w.Flag(false)
		for range 3 {
			w.UE(0)
		}
		w.Flag(true)
		for _, v := range []uint32{0, 0, 0, 0, 2, 0, 3, 0, 0} {
			w.UE(v)
		}
		w.Flag(scaling)
		w.Bits(0, 3)
		w.UE(0)
		w.Bits(0, 5)
		w.Trailing()
		return w.Bytes()
	}
	if _, err := parseSPS(sps(0, false)); err != nil {
		t.Fatal(err)
	}
	for want, rbsp := range map[string][]byte{"chroma_format_idc = 1": sps(1, false), "scaling_list_enabled_flag": sps(0, true)} {
		_, err := parseSPS(rbsp)
		var u UnsupportedError
		if !errors.As(err, &u) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want unsupported %s", err, want)
		}
	}
}
