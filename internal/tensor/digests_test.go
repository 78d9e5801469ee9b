package tensor

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"vcsim/internal/golden"
)

// TestDigests: what the functions of this package make of seeded input does not
// change by accident. Numbers count to seven digits, since some processors fuse
// products and sums.
func TestDigests(t *testing.T) {
	var s strings.Builder
	digest := func(name string, lines ...string) {
		fmt.Fprintf(&s, "%s %x\n", name, sha256.Sum256([]byte(strings.Join(lines, "\n"))))
	}
	rng := rand.New(rand.NewPCG(11, 12))
	values := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(rng.NormFloat64() * float64(1+i%7))
		}
		return x
	}
	short := func(x ...any) string { return fmt.Sprintf(strings.Repeat("%.7g ", len(x)), x...) }
	var quant, compared, coded []string
	for _, size := range [][2]int{{1, 1}, {3, 5}, {16, 64}, {7, 40}} {
		rows, cols := size[0], size[1]
		x := values(rows * cols)
		for _, scheme := range []string{"tensor", "channel", "row", "group8", "group16"} {
			sch, err := ParseScheme(scheme)
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range []Quant{{sch, false, 0}, {sch, true, 0}, {sch, false, 0.9}, {sch, true, 0.95}} {
				p := q.Fit(x, rows, cols)
				codes, back := make([]uint8, len(x)), make([]float32, len(x))
				q.Quantize(codes, x, rows, cols, p)
				q.Dequantize(back, codes, rows, cols, p)
				d := Compare(x, back)
				whole := Window{Cols: cols, W: cols, H: rows, Stride: cols}
				inner := Window{X: cols / 3, Y: rows / 2, Cols: cols, W: cols - cols/3, H: rows - rows/2, Stride: cols}
				at := inner.Y*cols + inner.X
				quant = append(quant, short(q.SquaredError(x, codes, whole, p), q.SquaredError(x[at:], codes[at:], inner, p)))
				quant = append(quant, sch.String(), short(p.Scale, p.Low), fmt.Sprint(codes), fmt.Sprint(sch.Scales(rows, cols)))
				compared = append(compared, short(d.N, d.MSE, d.NMSEDB, d.PSNRDB, d.Max, d.Cosine, Variance(x), GaussianBits(Variance(x), d.MSE)))
				c := CompareCodes(codes, codes[:])
				compared = append(compared, short(c.N, c.MSE, c.NMSEDB, c.PSNRDB, c.Max, c.Cosine))
			}
			for bits := 2; bits <= 6; bits++ {
				y, scales := RTN(x, rows, cols, bits, sch)
				coded = append(coded, short(y, scales))
			}
		}
		means := RemoveMeans(x, rows, cols)
		quant = append(quant, short(means, x))
	}
	zero := make([]float32, 10)
	for _, pair := range [][2][]float32{{zero, zero}, {zero, values(10)}, {values(10), zero}} {
		d := Compare(pair[0], pair[1])
		compared = append(compared, short(d.N, d.MSE, d.NMSEDB, d.PSNRDB, d.Max, d.Cosine, Variance(pair[0])))
	}
	digest("quantisers", quant...)
	digest("distortion", compared...)
	digest("RTN", coded...)

	var npy []string
	for _, shape := range [][]int{nil, {1}, {7}, {2, 3}, {2, 3, 4}, {1, 12, 100, 1000}} {
		for _, d := range []DType{F32, F16, I8, U8} {
			b, err := AppendNPY([]byte("before"), Info{DType: d, Shape: shape})
			npy = append(npy, fmt.Sprintf("%q %v", b, err))
		}
	}
	digest("npy", npy...)

	var pgm []string
	for _, text := range []string{"P5\n2 1\n255\nab", "P5 2 1 255 ab", "P5\n#c\n2 #d\n1\n255\nab", "P5\n2 1\n256\nab", "P5\n2 1\n255\na", "P5\n2 1\n255\nabc", "P2\n2 1\n255\nab",
		"P7\n", "P8\n2 1\n255\nab", "P0\n2", "", "P", "P5", "P5\n0 1\n255\n", "P5\n2 1 254\nab", "P5\n123456789 1\n255\n", "P5\n1234567890 1\n255\n", "Q5\n2 1\n255\nab"} {
		w, h, pix, err := ParsePGM([]byte(text), "x.pgm")
		pgm = append(pgm, fmt.Sprint(w, h, pix, err))
	}
	pgm = append(pgm, string(AppendPGM([]byte("y"), 12, 34)))
	digest("pgm", pgm...)

	for _, n := range []int{2, 4, 8} {
		digest(fmt.Sprint("cosine transform ", n), short(BlockDCT(values(16*24), 16, 24, n)))
	}
	var periods []string
	for _, p := range []int{2, 3, 8, 48, 64, 100} {
		x := make([]float32, 6400)
		for i := range x {
			x[i] = float32(rng.NormFloat64()) * float32(1+(i%p)*(i%p))
		}
		periods = append(periods, fmt.Sprint(Period(x), Period(x[:p+1])))
	}
	digest("periods", periods...)
	golden.Check(t, "testdata/digests.txt", s.String())
}
