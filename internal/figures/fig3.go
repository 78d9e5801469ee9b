package figures

import (
	"fmt"
	"math"

	"vcsim/internal/tensor"
)

// Fig3 is how far the values of a tensor lie from their mean, as they are and after orthonormal transforms.
type Fig3 struct {
	Tensor  string
	Domains []Fig3Domain
}

// A Fig3Domain is the values as they are or after one transform.
type Fig3Domain struct {
	Name                   string
	Peak                   float64 // largest distance from the mean, in standard deviations
	Kurtosis               float64
	Beyond6                float64 // percent of the values beyond six standard deviations
	Lost                   float64 // percent of the non-zero values whose 8-bit code is that of zero
	NMSE8DB, NMSE4DB       float64 // of round-to-nearest quantisation with one scale; -Inf without a loss
	Distance, ShareFurther []float64
}

// NewFig3 works the figure out for a tensor of rows x cols values; seed is of the signs of the Hadamard transforms.
func NewFig3(name string, x []float32, rows, cols int, seed uint64) *Fig3 {
	r := &Fig3{Tensor: name}
	add := func(name string, v []float32) { r.Domains = append(r.Domains, newFig3Domain(name, v, rows, cols)) }
	add("values", x)
	for _, n := range []int{4, 8, 16, 32} {
		add(fmt.Sprintf("DCT %dx%d", n, n), tensor.BlockDCT(x, rows, cols, n))
	}
	for _, h := range []struct {
		name string
		h    tensor.Hadamard
	}{{"Hadamard, rows", tensor.Hadamard{Rows: true, Seed: seed}}, {"Hadamard, both sides", tensor.Hadamard{Rows: true, Cols: true, Seed: seed}}} {
		v := append([]float32(nil), x...)
		h.h.Forward(v, rows, cols)
		add(h.name, v)
	}
	return r
}

func newFig3Domain(name string, v []float32, rows, cols int) Fig3Domain {
	s := shapeOf(v)
	d := Fig3Domain{Name: name, Peak: s.peak, Kurtosis: s.kurtosis, Beyond6: 100 * s.beyond(6), Lost: 100 * lost(v)}
	for _, q := range []struct {
		bits int
		to   *float64
	}{{8, &d.NMSE8DB}, {4, &d.NMSE4DB}} {
		y, _ := tensor.RTN(v, rows, cols, q.bits, tensor.PerTensor)
		*q.to = tensor.Compare(v, y).NMSEDB
	}
	for k := 0.5; k < s.peak; k *= 1.1 {
		if p := s.beyond(k); p > 0 {
			d.Distance, d.ShareFurther = append(d.Distance, k), append(d.ShareFurther, p)
		}
	}
	return d
}

// A distribution holds the distances of values from their mean in standard deviations, sorted.
type distribution struct {
	peak, kurtosis float64
	distance       []float64
}

func shapeOf(x []float32) distribution {
	mean := 0.0
	for _, v := range x {
		mean += float64(v) / float64(len(x))
	}
	std := math.Sqrt(tensor.Variance(x))
	var d distribution
	for _, v := range x {
		z := math.Abs(float64(v)-mean) / std
		d.distance = append(d.distance, z)
		d.peak = max(d.peak, z)
		d.kurtosis += z * z * z * z / float64(len(x))
	}
	return d
}

// beyond is the share of values more than k standard deviations from the mean.
func (d distribution) beyond(k float64) float64 {
	n := 0
	for _, z := range d.distance {
		if z > k {
			n++
		}
	}
	return float64(n) / float64(len(d.distance))
}

// lost is the share of the non-zero values whose 8-bit code is that of zero.
func lost(x []float32) float64 {
	q := tensor.Quant{}
	codes := make([]uint8, len(x))
	q.Quantize(codes, x, 1, len(x), q.Fit(x, 1, len(x)))
	gone, all := 0, 0
	for i, v := range x {
		if v != 0 {
			all++
			if codes[i] == 128 {
				gone++
			}
		}
	}
	return float64(gone) / float64(max(1, all))
}
