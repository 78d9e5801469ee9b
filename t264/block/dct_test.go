package block

import (
	"math"
	"testing"

	"vcsim/internal/codectest"
)

// inverse1 is the one-dimensional inverse transform as the standard prints it
// (clauses 8.5.12.2 and 8.5.13).
func inverse1(d []int) []int {
	if len(d) == 4 {
		e := []int{d[0] + d[2], d[0] - d[2], d[1]>>1 - d[3], d[1] + d[3]>>1}
		return []int{e[0] + e[3], e[1] + e[2], e[1] - e[2], e[0] - e[3]}
	}
	a := []int{
		d[0] + d[4], -d[3] + d[5] - d[7] - d[7]>>1, d[0] - d[4], d[1] + d[7] - d[3] - d[3]>>1,
		d[2]>>1 - d[6], -d[1] + d[7] + d[5] + d[5]>>1, d[2] + d[6]>>1, d[3] + d[5] + d[1] + d[1]>>1,
	}
	b := []int{
		a[0] + a[6], a[1] + a[7]>>2, a[2] + a[4], a[3] + a[5]>>2,
		a[2] - a[4], a[3]>>2 - a[5], a[0] - a[6], a[7] - a[1]>>2,
	}
	return []int{b[0] + b[7], b[2] + b[5], b[4] + b[3], b[6] + b[1], b[6] - b[1], b[4] - b[3], b[2] - b[5], b[0] - b[7]}
}

// slowInverse transforms rows, then columns, of a raster.
func slowInverse(b []int, n int) []int {
	mid, out := make([]int, n*n), make([]int, n*n)
	for y := range n {
		copy(mid[y*n:], inverse1(b[y*n:][:n]))
	}
	col := make([]int, n)
	for x := range n {
		for y := range n {
			col[y] = mid[y*n+x]
		}
		for y, v := range inverse1(col) {
			out[y*n+x] = v
		}
	}
	return out
}

// columns packs a raster column by column, four values to a word.
func columns(words []int64, b []int, n int) {
	clear(words)
	for x := range n {
		for y := range n {
			p := x*n + y
			words[p>>2] += int64(b[y*n+x]) << (16 * (p & 3))
		}
	}
}

func TestInverseTransforms(t *testing.T) {
	for bi, b := range codectest.Blocks(4, 1800, 1) {
		want := slowInverse(b, 4)
		var v Lanes4
		columns(v[:], b, 4)
		InverseTransform4(&v)
		for i, w := range want {
			if got := int(Lane(v[i>>2], i&3)); got != w {
				t.Fatalf("4x4 block %d, sample %d: got %d, want %d", bi, i, got, w)
			}
		}
	}
	for bi, b := range codectest.Blocks(8, 180, 2) {
		want := slowInverse(b, 8)
		var v Lanes8
		columns(v[:], b, 8)
		InverseTransform8(&v)
		for i, w := range want {
			y, x := i>>3, i&7
			if got := int(Lane(v[2*y+x&1], x>>1)); got != w {
				t.Fatalf("8x8 block %d, sample (%d, %d): got %d, want %d", bi, x, y, got, w)
			}
		}
	}
}

// forwardMatrix4 and 8 are the forward transforms: rows are frequencies; those
// of 8 points in units of 1/8.
var forwardMatrix4 = [4][4]int{{1, 1, 1, 1}, {2, 1, -1, -2}, {1, -1, -1, 1}, {1, -2, 2, -1}}

var forwardMatrix8 = [8][8]int{
	{8, 8, 8, 8, 8, 8, 8, 8},
	{12, 10, 6, 3, -3, -6, -10, -12},
	{8, 4, -4, -8, -8, -4, 4, 8},
	{10, -3, -12, -6, 6, 12, 3, -10},
	{8, -8, -8, 8, 8, -8, -8, 8},
	{6, -12, 3, 10, -10, -3, 12, -6},
	{4, -8, 8, -4, -4, 8, -8, 4},
	{3, -6, 10, -12, 12, -10, 6, -3},
}

func TestForwardTransforms(t *testing.T) {
	for bi, b := range codectest.Blocks(4, 255, 3) {
		var v Lanes4
		for i, r := range b {
			v[i>>2] += int64(r) << (16 * (i & 3))
		}
		ForwardTransform4(&v)
		for k := range 4 {
			for l := range 4 {
				want := 0
				for i, r := range b {
					want += forwardMatrix4[k][i>>2] * forwardMatrix4[l][i&3] * r
				}
				if got := int(Lane(v[l], k)); got != want {
					t.Fatalf("4x4 block %d, coefficient (%d, %d): got %d, want %d", bi, l, k, got, want)
				}
			}
		}
	}
	for bi, b := range codectest.Blocks(8, 255, 4) {
		var v Lanes8
		for i, r := range b {
			y, x := i>>3, i&7
			v[2*y+x&1] += int64(r) << (16 * (x >> 1))
		}
		ForwardTransform8(&v)
		for k := range 8 {
			for l := range 8 {
				sum := 0
				for i, r := range b {
					sum += forwardMatrix8[k][i>>3] * forwardMatrix8[l][i&7] * r
				}
				// The shifts of the first stage lose up to a unit each.
				got := float64(Lane(v[2*l+k>>2], k&3))
				if want := float64(sum) / 64; math.Abs(got-want) > 16 {
					t.Fatalf("8x8 block %d, coefficient (%d, %d): got %g, want %g", bi, l, k, got, want)
				}
			}
		}
	}
}

// TestQuantStep checks that quantising and scaling restore a residual at a
// fine QP, which ties quantizer, scaler, both transforms and rounding.
func TestQuantStep(t *testing.T) {
	for bi, b := range codectest.Blocks(8, 120, 5) {
		var src, pred [64]byte
		for i, r := range b {
			src[i], pred[i] = byte(128+r), 128
		}
		q, s := Quantizers[4], &Scalers[4]
		q.Rounder = Nearest
		var v8 Lanes8
		var coef8, lev8 [64]int16
		Subtract8(&v8, src[:], 8, pred[:], 8)
		ForwardTransform8(&v8)
		Unpack(coef8[:], v8[:])
		s.Restore8(&v8, &lev8, q.Quantise8(&lev8, &coef8))
		InverseTransform8(&v8)
		got := pred
		Reconstruct8(got[:], 8, &v8)
		for i := range src {
			if d := int(got[i]) - int(src[i]); d < -1 || d > 1 {
				t.Fatalf("8x8 block %d, sample %d: got %d, want %d", bi, i, got[i], src[i])
			}
		}
		for y := 0; y < 8; y += 4 {
			for x := 0; x < 8; x += 4 {
				var v4 Lanes4
				var lev4 [16]int16
				Subtract4(&v4, src[8*y+x:], 8, pred[8*y+x:], 8)
				ForwardTransform4(&v4)
				s.Restore4(&v4, &lev4, q.Quantise4(&lev4, &v4))
				InverseTransform4(&v4)
				got := pred
				Reconstruct4(got[8*y+x:], 8, &v4)
				for i := range 16 {
					at := 8*(y+i>>2) + x + i&3
					if d := int(got[at]) - int(src[at]); d < -1 || d > 1 {
						t.Fatalf("4x4 block %d, sample %d: got %d, want %d", bi, at, got[at], src[at])
					}
				}
			}
		}
	}
}

func TestDCTransform(t *testing.T) {
	m := [4][4]int32{{1, 1, 1, 1}, {1, 1, -1, -1}, {1, -1, -1, 1}, {1, -1, 1, -1}}
	for bi, b := range codectest.Blocks(4, 2000, 6) {
		var got [16]int32
		for i, v := range b {
			got[i] = int32(v)
		}
		InverseDC(&got)
		for k := range 4 {
			for l := range 4 {
				want := int32(0)
				for i, v := range b {
					want += m[k][i>>2] * int32(v) * m[i&3][l]
				}
				if got[4*k+l] != want {
					t.Fatalf("block %d, (%d, %d): got %d, want %d", bi, k, l, got[4*k+l], want)
				}
			}
		}
	}
}

// TestAddClip covers every sum of an 8-bit sample and a residual.
func TestAddClip(t *testing.T) {
	for p := range 256 {
		for r := -20000; r <= 20000; r += 7 {
			want := min(max(p+(r+32)>>6, 0), 255)
			got := addClip(uint64(p)*LaneOnes, int64(r)*LaneOnes)
			if got != uint64(want)*LaneOnes {
				t.Fatalf("%d + %d/64: got %#x, want %d", p, r, got, want)
			}
		}
	}
}

// TestScan compares the first and last positions with Table 8-2 of the frame
// scans, and checks that each position occurs once.
func TestScan(t *testing.T) {
	want := []uint8{0, 4, 1, 2, 5, 8, 12, 9, 6, 3, 7, 10, 13, 14, 11, 15}
	for k, p := range want {
		if Scan4[k] != p {
			t.Errorf("4x4 scan position %d: got %d, want %d", k, Scan4[k], p)
		}
	}
	seen := map[uint8]bool{}
	for _, p := range Scan8 {
		seen[p] = true
	}
	if len(seen) != 64 || Scan8[2] != 1 || Scan8[3] != 2 || Scan8[63] != 63 || Scan8[62] != 6*8+7 {
		t.Errorf("8x8 scan: %v", Scan8)
	}
}

func BenchmarkTransforms(b *testing.B) {
	in := codectest.Blocks(8, 255, 7)[140]
	var v4 Lanes4
	var v8 Lanes8
	columns(v4[:], in[:16], 4)
	columns(v8[:], in, 8)
	for _, c := range []struct {
		name string
		n    int
		f    func()
	}{
		{"forward4", 4, func() { v := v4; ForwardTransform4(&v) }},
		{"inverse4", 4, func() { v := v4; InverseTransform4(&v) }},
		{"forward8", 8, func() { v := v8; ForwardTransform8(&v) }},
		{"inverse8", 8, func() { v := v8; InverseTransform8(&v) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(c.n * c.n))
			b.ReportAllocs()
			for b.Loop() {
				c.f()
			}
		})
	}
}
