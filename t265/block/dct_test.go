package block

import (
	"math"
	"math/rand/v2"
	"testing"

	"vcsim/internal/codectest"
)

// blocks are those of codectest, as coefficients.
func blocks(n, limit int, seed uint64) (out [][]int32) {
	for _, b := range codectest.Blocks(n, limit, seed) {
		c := make([]int32, len(b))
		for i, v := range b {
			c[i] = int32(v)
		}
		out = append(out, c)
	}
	return out
}

// matrix returns the n-point transform matrix of clause 8.6.4.2.
func matrix(n int, dst bool) [][]int64 {
	m := make([][]int64, n)
	for k := range m {
		m[k] = make([]int64, n)
		for i := range m[k] {
			m[k][i] = dctMatrix[k*32/n][i]
		}
	}
	if dst {
		return [][]int64{{29, 55, 74, 84}, {74, 74, 0, -74}, {84, -29, -74, 55}, {55, -84, 74, -29}}
	}
	return m
}

func packed(b []int32) *Pairs {
	var p Pairs
	for i := 0; i < len(b); i += 2 {
		p[i/2] = Pair(b[i], b[i+1])
	}
	return &p
}

func TestMatrixIsNearCosine(t *testing.T) {
	for k := range 32 {
		for n := range 32 {
			c := 64 * math.Sqrt2 * math.Cos(math.Pi*float64(k*(2*n+1))/64)
			if k == 0 {
				c = 64
			}
			if d := math.Abs(float64(dctMatrix[k][n]) - c); d > 1.7 {
				t.Errorf("row %d column %d: %d, cosine %.2f", k, n, dctMatrix[k][n], c)
			}
		}
	}
}

func TestTransformsAreMatrixProducts(t *testing.T) {
	for _, c := range []struct {
		log2 int
		dst  bool
	}{{2, true}, {2, false}, {3, false}, {4, false}, {5, false}} {
		n := 1 << c.log2
		m := matrix(n, c.dst)
		for bi, b := range blocks(n, 255, 1) {
			s1, s2 := uint(c.log2-1), uint(c.log2+6)
			mid, want := make([]int64, n*n), make([]int64, n*n)
			for k := range n {
				for x := range n {
					var s int64
					for y := range n {
						s += m[k][y] * int64(b[y*n+x])
					}
					mid[k*n+x] = (s + 1<<s1>>1) >> s1
				}
			}
			for k := range n {
				for l := range n {
					var s int64
					for x := range n {
						s += m[l][x] * mid[k*n+x]
					}
					want[k*n+l] = (s + 1<<s2>>1) >> s2
				}
			}
			var got [1024]int32
			Forward(&got, packed(b), c.log2, c.dst)
			for i, w := range want {
				if int64(got[i]) != w || w != int64(int16(w)) {
					t.Fatalf("forward %d points, block %d, coefficient %d: got %d, want %d", n, bi, i, got[i], w)
				}
			}
			// The other order, of the transposed block.
			var src [1024]byte
			var pred [1024]uint8
			for i, v := range b {
				at := i%n*n + i/n
				src[at], pred[at] = byte(max(v, 0)), uint8(max(-v, 0))
			}
			var res Pairs
			SubtractRows(&res, src[:], n, pred[:], n)
			ForwardRows(&got, &res, c.log2, c.dst)
			for i, w := range want {
				if g := got[i%n*n+i/n]; int64(g) != w {
					t.Fatalf("forward %d points, rows first, block %d, coefficient %d: got %d, want %d", n, bi, i, g, w)
				}
			}
		}
		for bi, b := range blocks(n, 32767, 2) {
			mid, want := make([]int64, n*n), make([]int64, n*n)
			var ext Extent
			for y := range n {
				for x := range n {
					var s int64
					for k := range n {
						s += m[k][y] * int64(b[k*n+x])
					}
					mid[y*n+x] = min(max((s+64)>>7, -32768), 32767)
					if b[y*n+x] != 0 {
						ext.Rows = max(ext.Rows, y&^3+4)
						ext.Cols |= 1 << (x / 4)
					}
				}
			}
			for y := range n {
				for x := range n {
					var s int64
					for k := range n {
						s += m[k][x] * mid[y*n+k]
					}
					want[y*n+x] = (s + 1<<11) >> 12
				}
			}
			var got [1024]int16
			Inverse(&got, packed(b), c.log2, ext, c.dst)
			for i, w := range want {
				if int64(got[i]) != w {
					t.Fatalf("inverse %d points, block %d, sample %d: got %d, want %d", n, bi, i, got[i], w)
				}
			}
		}
	}
}

// TestSparseInverse checks that rows and columns outside the extent are not
// needed.
func TestSparseInverse(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for trial := range 400 {
		log2 := 2 + trial%4
		n := 1 << log2
		b := make([]int32, n*n)
		var ext Extent
		for range 1 + rng.IntN(6) {
			x, y := rng.IntN(n), rng.IntN(n)
			b[y*n+x] = int32(rng.IntN(2000) - 1000)
			ext.Rows = max(ext.Rows, y&^3+4)
			ext.Cols |= 1 << (x / 4)
		}
		var got, want [1024]int16
		Inverse(&got, packed(b), log2, ext, false)
		Inverse(&want, packed(b), log2, Extent{n, 0xff}, false)
		if got != want {
			t.Fatalf("trial %d, %d points, extent %+v differs from the whole block", trial, n, ext)
		}
	}
}

func BenchmarkTransforms(b *testing.B) {
	for log2 := 2; log2 <= 5; log2++ {
		n := 1 << log2
		in := packed(blocks(n, 255, 4)[12])
		b.Run("forward"+string(rune('0'+log2)), func(b *testing.B) {
			var out [1024]int32
			b.SetBytes(int64(n * n))
			b.ReportAllocs()
			for b.Loop() {
				Forward(&out, in, log2, false)
			}
		})
		b.Run("forward rows"+string(rune('0'+log2)), func(b *testing.B) {
			var out [1024]int32
			b.SetBytes(int64(n * n))
			b.ReportAllocs()
			for b.Loop() {
				ForwardRows(&out, in, log2, false)
			}
		})
		b.Run("inverse"+string(rune('0'+log2)), func(b *testing.B) {
			var out [1024]int16
			b.SetBytes(int64(n * n))
			b.ReportAllocs()
			for b.Loop() {
				Inverse(&out, in, log2, Extent{n, 0xff}, false)
			}
		})
	}
}
