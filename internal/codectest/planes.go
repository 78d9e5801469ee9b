package codectest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// Kinds are those that Plane makes.
var Kinds = []string{"noise", "gauss", "flat", "gradient", "extremes", "columns", "outliers", "checks"}

// Plane makes a picture of w by h samples. Kinds are of different character: what
// a tensor looks like (gauss, columns, outliers), and what is hard to code.
func Plane(kind string, w, h int, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, uint64(w*h)))
	b := make([]byte, w*h)
	for i := range b {
		x, y := i%w, i/w
		switch kind {
		case "noise":
			b[i] = byte(rng.Uint32())
		case "gauss":
			b[i] = byte(min(max(128+28*rng.NormFloat64(), 0), 255))
		case "flat":
			b[i] = 77
		case "gradient":
			b[i] = byte((2*x + 3*y) / 2)
		case "extremes":
			b[i] = 255 * byte(rng.IntN(2))
		case "columns":
			b[i] = byte(min(max(float64(20+x*37%200)+4*rng.NormFloat64(), 0), 255))
		case "outliers":
			b[i] = byte(128 + rng.IntN(5))
			if rng.IntN(50) == 0 {
				b[i] = byte(rng.Uint32())
			}
		case "checks": // the largest coefficients of small transforms
			b[i] = 255 * byte((x>>(y>>4&3)^y>>(x>>4&3))&1)
		default:
			panic(kind)
		}
	}
	return b
}

// A Picture is one of Width by Height samples, in rows of its width.
type Picture struct {
	Name          string
	Width, Height int
	Pix           []byte
}

// Cut copies w by h samples from (x, y) on, repeating the picture.
func (p *Picture) Cut(x, y, w, h int) []byte {
	out := make([]byte, 0, w*h)
	for j := range h {
		for i := range w {
			out = append(out, p.Pix[(y+j)%p.Height*p.Width+(x+i)%p.Width])
		}
	}
	return out
}

// SharedPlanes returns the planes of the data folder ../shared beside the
// checkout, none where it is absent.
func SharedPlanes(t testing.TB) []Picture {
	t.Helper()
	names, _ := filepath.Glob("../../shared/planes/*.pgm")
	var out []Picture
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p := Picture{Name: filepath.Base(name)}
		parts := bytes.SplitN(b, []byte("\n"), 4) // magic number, size, maximum, samples
		if len(parts) == 4 {
			_, err = fmt.Sscan(string(parts[1]), &p.Width, &p.Height)
			p.Pix = parts[3]
		}
		if err != nil || len(p.Pix) != p.Width*p.Height || len(p.Pix) == 0 {
			t.Fatalf("%s: not a plane (%v)", name, err)
		}
		out = append(out, p)
	}
	return out
}

// Blocks returns blocks of n by n values within limit: impulses and inverted
// impulses, in every place of the smaller blocks, flat, extremes and random ones.
func Blocks(n, limit int, seed uint64) [][]int {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	var out [][]int
	add := func(f func(i int) int) {
		b := make([]int, n*n)
		for i := range b {
			b[i] = f(i)
		}
		out = append(out, b)
	}
	for at := range n * n {
		if n > 8 && at > 1 && at != n && at != n*n-1 {
			continue
		}
		add(func(i int) int {
			if i == at {
				return limit
			}
			return 0
		})
		add(func(i int) int {
			if i == at {
				return -limit
			}
			return 1
		})
	}
	add(func(int) int { return limit })
	add(func(int) int { return -limit })
	add(func(i int) int { return limit * (1 - 2*(i&1)) })
	add(func(i int) int { return limit * (1 - 2*(i/n&1)) })
	for range 50 {
		add(func(int) int { return rng.IntN(2*limit+1) - limit })
		add(func(int) int { return rng.IntN(2) * (rng.IntN(21) - 10) })
	}
	return out
}
