package t265

import (
	"fmt"
	"math"
	"testing"

	"vcsim/internal/codectest"
)

// BenchmarkBits reports what settings of tier hw cost in bits a value beside the
// default ones, at equal squared error on the planes of the data folder: the mean
// and the worst over the planes.
func BenchmarkBits(b *testing.B) {
	planes := codectest.SharedPlanes(b)
	if len(planes) == 0 {
		b.Skip("the data folder ../shared is not beside the checkout")
	}
	base := make([]curve, len(planes))
	for i, p := range planes {
		base[i] = newCurve(b, Params{Width: p.Width, Height: p.Height}, p.Pix)
	}
	for _, size := range []struct{ tu, ctu int }{{8, 16}, {8, 32}, {16, 16}, {16, 32}, {16, 64}, {32, 32}, {4, 16}} {
		for _, off := range []Tools{0, ToolTSkip, ToolSDH, ToolIntra, ToolTU4, ToolTU8} {
			if size.tu == 4 && off != 0 || off == ToolTU8 && size.tu == 8 || size.ctu == 64 && off != 0 {
				continue
			}
			b.Run(fmt.Sprintf("TU%d/CTU%d/%v", size.tu, size.ctu, off), func(b *testing.B) {
				for b.Loop() {
					sum, worst := 0.0, math.Inf(-1)
					for i, p := range planes {
						d := newCurve(b, Params{Width: p.Width, Height: p.Height, MaxTU: size.tu, CTU: size.ctu, Off: off}, p.Pix).above(base[i])
						sum += d
						worst = max(worst, d)
					}
					b.ReportMetric(sum/float64(len(planes)), "mean-bits")
					b.ReportMetric(worst, "worst-bits")
				}
			})
		}
	}
}

// A curve holds logarithms of the mean squared error, falling, and bits a value.
type curve [][2]float64

func newCurve(b *testing.B, p Params, pix []byte) (c curve) {
	e := newEncoder(b, p)
	for qp := 32; qp >= 12; qp -= 4 {
		stream, err := e.AppendFrame(e.AppendHeader(nil), pix, p.Width, qp)
		if err != nil {
			b.Fatal(err)
		}
		sse := 0
		for i, v := range e.Recon() {
			d := int(v) - int(pix[i])
			sse += d * d
		}
		c = append(c, [2]float64{math.Log(max(float64(sse)/float64(len(pix)), 1e-9)), 8 * float64(len(stream)) / float64(len(pix))})
	}
	return c
}

// at interpolates the bits at x, which is within the curve.
func (c curve) at(x float64) float64 {
	i := 1
	for i < len(c)-1 && c[i][0] > x {
		i++
	}
	p, q := c[i-1], c[i]
	return p[1] + (q[1]-p[1])*(x-p[0])/(q[0]-p[0])
}

// above returns the bits of c above those of o, the mean over the errors of both.
func (c curve) above(o curve) (sum float64) {
	const points = 21
	last := len(c) - 1
	low, high := max(c[last][0], o[last][0]), min(c[0][0], o[0][0])
	for k := range points {
		x := low + (high-low)*float64(k)/(points-1)
		sum += c.at(x) - o.at(x)
	}
	return sum / points
}
