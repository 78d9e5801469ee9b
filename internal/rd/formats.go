package rd

import (
	"math"

	"vcsim/internal/baseline"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

// A FormatPoint is a number format on one tensor, and what the coded methods need for the same error.
type FormatPoint struct {
	Format string
	Bits   float64 // a value, scales included
	MSE    float64 // in the tensor's units
	NMSEDB float64 // relative to the variance; -Inf without an error
	ECSQ   float64 // bits a value that entropy-coded scalar quantisation needs at the error
	Needs  []Need  // by codec and tier
}

// A Need is what a method takes at the error of a format.
type Need struct {
	Method string
	Bits   *float64 // a value; nil where the method's points do not reach the error
}

// measureFormats rounds a tensor to each format.
func measureFormats(m *tensorcodec.Matrix, formats []baseline.Format, ecsq *tensor.ECSQ) []FormatPoint {
	variance := tensor.Variance(m.Values)
	var points []FormatPoint
	for i := range formats {
		f := &formats[i]
		y, bits := f.Round(m.Values, m.Rows, m.Cols)
		p := FormatPoint{Format: f.Name(), Bits: bits, MSE: tensor.Compare(m.Values, y).MSE}
		p.NMSEDB = 10 * math.Log10(p.MSE/variance)
		p.ECSQ = ecsq.AtMSE(p.MSE)
		points = append(points, p)
	}
	return points
}

// extend adds quantiser parameters below and above, 3 apart as those given, until they reach a little beyond the formats' errors. A
// parameter below 0 does not exist, so that a codec may fall short of a small error.
func extend(qps []float64, m *tensorcodec.Matrix, formats []FormatPoint) []float64 {
	var mses []float64
	for i := range formats {
		mses = append(mses, formats[i].MSE)
	}
	more := sampleQPs(m, mses)
	if len(qps) == 0 || len(more) == 0 {
		return append(qps, more...)
	}
	var below []float64
	for qp := math.Mod(qps[0], qpStep); qp < qps[0]; qp += qpStep {
		if qp > more[0]-qpStep {
			below = append(below, qp)
		}
	}
	qps = append(below, qps...)
	for qp := qps[len(qps)-1] + qpStep; qp < more[len(more)-1]+qpStep && qp <= mostQP; qp += qpStep {
		qps = append(qps, qp)
	}
	return qps
}

// needs fills in what the first n curves, those of the codecs, take at the errors of the formats.
func needs(formats []FormatPoint, curves []Curve) {
	for i := range formats {
		f := &formats[i]
		for k := range curves {
			need := Need{Method: curves[k].Method}
			if bits, ok := curves[k].Above(f.MSE, 0); ok && f.MSE > 0 {
				need.Bits = &bits
			}
			f.Needs = append(f.Needs, need)
		}
	}
}
