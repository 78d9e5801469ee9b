package block

import (
	"math/rand/v2"
	"testing"
)

// sample reads p[x, y] of the standard, one of x and y being -1.
func (r *Refs) sample(x, y int) int {
	if x < 0 {
		return int(r[RefCorner-1-y])
	}
	return int(r[RefCorner+1+x])
}

// slowPredict follows the equations of clauses 8.3.1.2, 8.3.2.2 and 8.3.3.
func slowPredict(r *Refs, n, mode int, nb Neighbourhood) []int {
	p := r.sample
	out := make([]int, n*n)
	three := func(a, b, c int) int { return (a + 2*b + c + 2) >> 2 }
	two := func(a, b int) int { return (a + b + 1) >> 1 }
	top := func(x int) int { return p(x, -1) }
	left := func(y int) int { return p(-1, y) }
	sum, count := 0, 0
	for i := range n {
		if nb.Above {
			sum, count = sum+top(i), count+1
		}
		if nb.Left {
			sum, count = sum+left(i), count+1
		}
	}
	mean := 128
	if count > 0 {
		mean = (sum + count/2) / count
	}
	h, v := 0, 0
	if n == 16 {
		for i := range 8 {
			h += (i + 1) * (top(8+i) - p(6-i, -1))
			v += (i + 1) * (left(8+i) - p(-1, 6-i))
		}
	}
	for y := range n {
		for x := range n {
			v8 := 0
			switch {
			case mode == ModeVertical:
				v8 = top(x)
			case mode == ModeHorizontal:
				v8 = left(y)
			case mode == ModeDC:
				v8 = mean
			case n == 16:
				b, c := (5*h+32)>>6, (5*v+32)>>6
				v8 = min(max((16*(left(15)+top(15))+b*(x-7)+c*(y-7)+16)>>5, 0), 255)
			case mode == modeDownLeft && x == n-1 && y == n-1:
				v8 = (top(2*n-2) + 3*top(2*n-1) + 2) >> 2
			case mode == modeDownLeft:
				v8 = three(top(x+y), top(x+y+1), top(x+y+2))
			case mode == modeDownRight && x > y:
				v8 = three(p(x-y-2, -1), top(x-y-1), top(x-y))
			case mode == modeDownRight && x < y:
				v8 = three(p(-1, y-x-2), left(y-x-1), left(y-x))
			case mode == modeDownRight:
				v8 = three(top(0), p(-1, -1), left(0))
			case mode == modeVerticalRight:
				z := 2*x - y
				i := x - y>>1
				switch {
				case z >= 0 && z&1 == 0:
					v8 = two(p(i-1, -1), top(i))
				case z >= 0:
					v8 = three(p(i-2, -1), p(i-1, -1), top(i))
				case z == -1:
					v8 = three(left(0), p(-1, -1), top(0))
				default:
					v8 = three(left(y-2*x-1), left(y-2*x-2), p(-1, y-2*x-3))
				}
			case mode == modeHorizontalDown:
				z := 2*y - x
				i := y - x>>1
				switch {
				case z >= 0 && z&1 == 0:
					v8 = two(p(-1, i-1), left(i))
				case z >= 0:
					v8 = three(p(-1, i-2), p(-1, i-1), left(i))
				case z == -1:
					v8 = three(left(0), p(-1, -1), top(0))
				default:
					v8 = three(top(x-2*y-1), top(x-2*y-2), p(x-2*y-3, -1))
				}
			case mode == modeVerticalLeft:
				i := x + y>>1
				if y&1 == 0 {
					v8 = two(top(i), top(i+1))
				} else {
					v8 = three(top(i), top(i+1), top(i+2))
				}
			case mode == modeHorizontalUp:
				z := x + 2*y
				i := y + x>>1
				switch {
				case z > 2*n-3:
					v8 = left(n - 1)
				case z == 2*n-3:
					v8 = (left(n-2) + 3*left(n-1) + 2) >> 2
				case z&1 == 0:
					v8 = two(left(i), left(i+1))
				default:
					v8 = three(left(i), left(i+1), left(i+2))
				}
			}
			out[y*n+x] = v8
		}
	}
	return out
}

func TestPredictIsTheEquation(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for log2 := 2; log2 <= 4; log2++ {
		n := 1 << log2
		count := NumModes
		if n == 16 {
			count = ModePlane + 1
		}
		for mode := range count {
			for trial := range 64 {
				var r Refs
				for i := range r {
					switch trial {
					case 0:
						r[i] = 255 * uint8(i&1)
					case 1:
						r[i] = 255
					case 2:
						r[i] = 255 * uint8(i/RefCorner&1)
					default:
						r[i] = uint8(rng.Uint32())
					}
				}
				nb := Neighbourhood{Left: trial&8 == 0, Above: trial&16 == 0, Corner: trial&24 == 0, AboveRight: true}
				if !Allowed(log2, mode, nb) {
					continue
				}
				want := slowPredict(&r, n, mode, nb)
				stride := n + trial
				got := make([]byte, stride*n)
				Predict(got, stride, log2, mode, &r, nb)
				for i, w := range want {
					if g := int(got[i/n*stride+i%n]); g != w {
						t.Fatalf("%dx%d mode %d trial %d at (%d,%d): got %d, want %d", n, n, mode, trial, i%n, i/n, g, w)
					}
				}
			}
		}
	}
}

// TestFilter follows equations 8-78 to 8-86.
func TestFilter(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for trial := range 400 {
		var r, got Refs
		for i := range r {
			r[i] = uint8(rng.Uint32())
		}
		nb := Neighbourhood{Left: trial&1 != 0, Above: trial&2 != 0, Corner: trial&4 != 0, AboveRight: true}
		r.Filter(&got, nb)
		p := r.sample
		check := func(x, y, want int) {
			if g := got.sample(x, y); g != want {
				t.Fatalf("%+v p'[%d, %d]: got %d, want %d", nb, x, y, g, want)
			}
		}
		if nb.Above {
			if nb.Corner {
				check(0, -1, (p(-1, -1)+2*p(0, -1)+p(1, -1)+2)>>2)
			} else {
				check(0, -1, (3*p(0, -1)+p(1, -1)+2)>>2)
			}
			for x := 1; x < 15; x++ {
				check(x, -1, (p(x-1, -1)+2*p(x, -1)+p(x+1, -1)+2)>>2)
			}
			check(15, -1, (p(14, -1)+3*p(15, -1)+2)>>2)
		}
		if nb.Corner {
			switch {
			case nb.Above && nb.Left:
				check(-1, -1, (p(0, -1)+2*p(-1, -1)+p(-1, 0)+2)>>2)
			case nb.Above:
				check(-1, -1, (3*p(-1, -1)+p(0, -1)+2)>>2)
			case nb.Left:
				check(-1, -1, (3*p(-1, -1)+p(-1, 0)+2)>>2)
			default:
				check(-1, -1, p(-1, -1))
			}
		}
		if nb.Left {
			if nb.Corner {
				check(-1, 0, (p(-1, -1)+2*p(-1, 0)+p(-1, 1)+2)>>2)
			} else {
				check(-1, 0, (3*p(-1, 0)+p(-1, 1)+2)>>2)
			}
			for y := 1; y < 7; y++ {
				check(-1, y, (p(-1, y-1)+2*p(-1, y)+p(-1, y+1)+2)>>2)
			}
			check(-1, 7, (p(-1, 6)+3*p(-1, 7)+2)>>2)
		}
	}
}

// TestGather reads a picture whose samples tell their place.
func TestGather(t *testing.T) {
	const stride = 64
	pix := make([]byte, stride*64)
	for i := range pix {
		pix[i] = byte(i*31 + i>>8*7)
	}
	for _, n := range []int{4, 8, 16} {
		const at = 17*stride + 20
		for bits := range 16 {
			nb := Neighbourhood{bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0}
			var r Refs
			r.Gather(pix, stride, at, n, nb)
			for i := range n {
				if want := int(pix[at-1+i*stride]); nb.Left && r.sample(-1, i) != want {
					t.Fatalf("size %d left %d: got %d, want %d", n, i, r.sample(-1, i), want)
				}
			}
			if want := int(pix[at-1-stride]); nb.Corner && r.sample(-1, -1) != want {
				t.Fatalf("size %d corner: got %d, want %d", n, r.sample(-1, -1), want)
			}
			for i := 0; nb.Above && i < 2*n && i < 16; i++ {
				want := int(pix[at-stride+i])
				if i >= n && !nb.AboveRight {
					want = int(pix[at-stride+n-1])
				}
				if r.sample(i, -1) != want {
					t.Fatalf("size %d %+v above %d: got %d, want %d", n, nb, i, r.sample(i, -1), want)
				}
			}
		}
	}
}

// TestNeighbours compares availability with decoding order (clause 6.4.11).
func TestNeighbours(t *testing.T) {
	order := func(x, y int) int { // of the 4x4 block in its macroblock
		for b := range 16 {
			if int(X[b]) == x&12 && int(Y[b]) == y&12 {
				return b
			}
		}
		return -1
	}
	for bits := range 16 {
		e := Edge{bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0}
		for _, n := range []int{4, 8} {
			for y := 0; y < 16; y += n {
				for x := 0; x < 16; x += n {
					available := func(px, py int) bool {
						switch {
						case px < 0 && py < 0:
							return e.AboveLeft
						case px < 0:
							return e.Left
						case py < 0 && px > 15:
							return e.AboveRight
						case py < 0:
							return e.Above
						case px > 15:
							return false
						}
						return order(px, py) < order(x, y)
					}
					want := Neighbourhood{available(x-1, y), available(x, y-1), available(x-1, y-1), available(x+n, y-1)}
					if got := Neighbours(16+x, 32+y, n, e); got != want {
						t.Errorf("%+v, size %d at (%d, %d): got %+v, want %+v", e, n, x, y, got, want)
					}
				}
			}
		}
	}
}

func TestModeRemainder(t *testing.T) {
	for predicted := range NumModes {
		seen := 0
		for mode := range NumModes {
			if mode == predicted {
				continue
			}
			rem := ModeRemainder(mode, predicted)
			if rem != seen {
				t.Fatalf("predicted %d mode %d: remainder %d, want %d", predicted, mode, rem, seen)
			}
			if got := ModeFromRemainder(rem, predicted); got != mode {
				t.Fatalf("predicted %d remainder %d: got mode %d, want %d", predicted, rem, got, mode)
			}
			seen++
		}
	}
}
