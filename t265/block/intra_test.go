package block

import (
	"math/rand/v2"
	"testing"
)

// sample reads p[x][y] of the standard, one of x and y being -1.
func (r *Refs) sample(x, y int) int {
	if x < 0 {
		return int(r[RefCorner-1-y])
	}
	return int(r[RefCorner+1+x])
}

// slowPredict follows the equations of clauses 8.4.4.2.4 to 8.4.4.2.6.
func slowPredict(r *Refs, log2, mode int) []int {
	n := 1 << log2
	p := r.sample
	out := make([]int, n*n)
	clip := func(v int) int { return min(max(v, 0), 255) }
	dcVal := n
	for i := range n {
		dcVal += p(i, -1) + p(-1, i)
	}
	dcVal >>= log2 + 1
	for y := range n {
		for x := range n {
			v := 0
			switch {
			case mode == ModePlanar:
				v = ((n-1-x)*p(-1, y) + (x+1)*p(n, -1) + (n-1-y)*p(x, -1) + (y+1)*p(-1, n) + n) >> (log2 + 1)
			case mode == ModeDC:
				v = dcVal
				switch {
				case n == 32:
				case x == 0 && y == 0:
					v = (p(-1, 0) + 2*dcVal + p(0, -1) + 2) >> 2
				case y == 0:
					v = (p(x, -1) + 3*dcVal + 2) >> 2
				case x == 0:
					v = (p(-1, y) + 3*dcVal + 2) >> 2
				}
			default:
				// Work in the orientation of the vertical modes.
				main, side := func(i int) int { return p(i, -1) }, func(i int) int { return p(-1, i) }
				u, w := x, y
				if mode < 18 {
					main, side = side, main
					u, w = y, x
				}
				angle := intraAngle[mode]
				ref := func(i int) int {
					if i > 0 {
						return main(i - 1)
					}
					if i == 0 {
						return p(-1, -1)
					}
					return side(-1 + (i*inverseAngle[mode]+128)>>8)
				}
				idx, fact := (w+1)*angle>>5, (w+1)*angle&31
				v = ref(u + idx + 1)
				if fact != 0 {
					v = ((32-fact)*ref(u+idx+1) + fact*ref(u+idx+2) + 16) >> 5
				}
				if angle == 0 && u == 0 && n < 32 {
					v = clip(main(0) + (side(w)-p(-1, -1))>>1)
				}
			}
			out[y*n+x] = v
		}
	}
	return out
}

func TestPredictIsTheEquation(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for log2 := 2; log2 <= 5; log2++ {
		n := 1 << log2
		for mode := range NumModes {
			for trial := range 6 {
				var r Refs
				for i := range r {
					switch trial {
					case 0:
						r[i] = 255 * uint8(i&1)
					case 1:
						r[i] = 255
					default:
						r[i] = uint8(rng.Uint32())
					}
				}
				// p(-1,-1) through sample would be ambiguous only in y.
				want := slowPredict(&r, log2, mode)
				stride := n + trial
				got := make([]byte, stride*n)
				Predict(got, stride, log2, mode, &r)
				for i, w := range want {
					if g := int(got[i/n*stride+i%n]); g != w {
						t.Fatalf("%dx%d mode %d trial %d at (%d,%d): got %d, want %d", n, n, mode, trial, i%n, i/n, g, w)
					}
				}
			}
		}
	}
}

// TestGather compares with substitution sample by sample (8.4.4.2.2).
func TestGather(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	pix := make([]byte, 128*128)
	for i := range pix {
		pix[i] = byte(rng.Uint32())
	}
	for trial := range 2000 {
		log2 := 2 + rng.IntN(4)
		n := 1 << log2
		nb := Neighbourhood{Left: rng.IntN(3) > 0, Above: rng.IntN(3) > 0, Corner: rng.IntN(3) > 0}
		if nb.Left {
			nb.BelowLeft = rng.IntN(n/4+1) * 4
		}
		nb.AboveRight = rng.IntN(n/4+1) * 4 // without Above where a slice begins above right
		const at = 33*128 + 40
		val := make([]int, 4*n+1) // in the order of refs, -1 not available
		for i := range val {
			val[i] = -1
			d := i - 2*n // distance from the corner
			switch {
			case d == 0 && nb.Corner:
				val[i] = int(pix[at-129])
			case d > 0 && d <= n && nb.Above, d > n && d <= n+nb.AboveRight:
				val[i] = int(pix[at-128+d-1])
			case d < 0 && nb.Left && -d <= n+nb.BelowLeft:
				val[i] = int(pix[at-1+128*(-d-1)])
			}
		}
		first := -1
		for _, v := range val {
			if v >= 0 {
				first = v
				break
			}
		}
		if first < 0 {
			first = 128
		}
		for i := range val {
			if val[i] < 0 {
				if i == 0 {
					val[i] = first
				} else {
					val[i] = val[i-1]
				}
			}
		}
		var r Refs
		r.Gather(pix, 128, at, n, nb)
		for i, want := range val {
			if got := int(r[RefCorner-2*n+i]); got != want {
				t.Fatalf("trial %d, size %d, %+v, sample %d: got %d, want %d", trial, n, nb, i-2*n, got, want)
			}
		}
	}
}

func TestFilter(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	strongUsed := 0
	for trial := range 400 {
		log2 := 3 + trial%3
		n := 1 << log2
		strong := trial%2 == 0
		var r, got Refs
		for i := range r {
			r[i] = uint8(100 + i/8 + rng.IntN(1+trial%5))
		}
		r.Filter(&got, log2, strong)
		lo, c, hi := RefCorner-2*n, RefCorner, RefCorner+2*n
		v := func(i int) int { return int(r[i]) }
		bi := strong && n == 32 && abs(v(c)+v(hi)-2*v(c+n)) < 8 && abs(v(c)+v(lo)-2*v(c-n)) < 8
		if bi {
			strongUsed++
		}
		for i := lo; i <= hi; i++ {
			want := v(i)
			d := i - c
			switch {
			case i == lo || i == hi:
			case bi && d > 0:
				want = ((64-d)*v(c) + d*v(hi) + 32) >> 6
			case bi && d < 0:
				want = ((64+d)*v(c) - d*v(lo) + 32) >> 6
			case !bi:
				want = (v(i-1) + 2*v(i) + v(i+1) + 2) >> 2
			}
			if int(got[i]) != want {
				t.Fatalf("trial %d size %d strong %v sample %d: got %d, want %d", trial, n, strong, d, got[i], want)
			}
		}
	}
	if strongUsed == 0 {
		t.Error("strong smoothing never used")
	}
}

func TestFiltered(t *testing.T) {
	// Modes whose references are filtered, by size (8.4.4.2.3).
	want := map[int][]int{2: {}, 3: {0, 2, 18, 34}}
	for log2, modes := range want {
		in := make(map[int]bool)
		for _, m := range modes {
			in[m] = true
		}
		for mode := range NumModes {
			if got := Filtered(log2, mode); got != in[mode] {
				t.Errorf("size %d mode %d: got %v", 1<<log2, mode, got)
			}
		}
	}
	for mode := range NumModes {
		d := min(abs(mode-10), abs(mode-26))
		if got, want := Filtered(4, mode), mode != 1 && d > 1; got != want {
			t.Errorf("size 16 mode %d: got %v", mode, got)
		}
		if got, want := Filtered(5, mode), mode != 1 && d > 0; got != want {
			t.Errorf("size 32 mode %d: got %v", mode, got)
		}
	}
}
