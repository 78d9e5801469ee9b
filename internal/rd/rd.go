// Package rd measures the rate and the distortion of codecs on a tensor beside quantisers, entropy-coded scalar quantisation (ECSQ), the
// bound of a Gaussian and other encoders.
package rd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"sort"
	"sync"

	"vcsim/internal/baseline"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

// MinValues is the least number of values for which parameter sets do not decide a comparison.
const MinValues = 4096

// A Point is one coding: bits a value and mean squared error in the tensor's units.
type Point struct {
	Bits, MSE       float64
	NMSEDB          float64  // relative to the variance; -Inf without an error
	QP              *float64 // nil when there is none
	Regular, Bypass *float64 // bins a value; nil when not known
	nominal         float64  // rate under which an operating point is listed
}

// A Curve is one method on one tensor.
type Curve struct {
	Method string
	Points []Point // by falling error
	Exact  bool    // points are operating points: each is compared at its own error, not interpolated
}

// Above returns the method's bits above ECSQ at an error, and false where its points do not reach.
func (c *Curve) Above(mse, ecsq float64) (float64, bool) {
	x := math.Log2(mse)
	if len(c.Points) == 1 && c.Points[0].MSE == mse {
		return c.Points[0].Bits - ecsq, true
	}
	for i := 1; i < len(c.Points); i++ {
		a, b := c.Points[i-1], c.Points[i]
		xa, xb := math.Log2(a.MSE), math.Log2(b.MSE)
		if x <= xa && x >= xb && xa > xb {
			return a.Bits + (b.Bits-a.Bits)*(xa-x)/(xa-xb) - ecsq, true
		}
	}
	return 0, false
}

// operatingPoint returns the operating point whose nominal rate is rate.
func (c *Curve) operatingPoint(rate float64) (Point, bool) {
	for _, p := range c.Points {
		if p.nominal == rate {
			return p, true
		}
	}
	return Point{}, false
}

// Methods are what a tensor is coded with, beside round-to-nearest quantisation, ECSQ and the bound of a Gaussian.
type Methods struct {
	Codecs  []tensorcodec.Codec
	Tiers   []string // each with every codec
	Peers   []*Peer
	Formats []baseline.Format // number formats that the codecs are compared with at equal error
	Step    func()            // called after every codec and tier, and every peer
}

// Steps is how often Step is called for one tensor.
func (m *Methods) Steps() int { return len(m.Codecs)*len(m.Tiers) + len(m.Peers) }

// A Comparison is the methods on one tensor at rates of ECSQ.
type Comparison struct {
	Tensor string
	Curves []Curve
	Above  [][]*float64 // by curve and rate: bits a value above ECSQ at equal error; nil where the method or the tensor does not reach

	Formats []FormatPoint
}

// Compare codes a tensor with all methods and compares them where ECSQ needs the rates.
func Compare(ctx context.Context, m *tensorcodec.Matrix, rates []float64, methods *Methods) (*Comparison, error) {
	r := &Comparison{Tensor: m.Name}
	ecsq := tensor.NewECSQ(m.Values)
	mses, base := make([]float64, len(rates)), make([]float64, len(rates))
	for i, rate := range rates {
		mses[i] = ecsq.AtBits(rate)
		base[i] = ecsq.AtMSE(mses[i])                      // the rate, or the nearest one that integer values allow
		if mses[i] <= 0 || math.Abs(base[i]/rate-1) > .1 { // the values do not need so many bits
			mses[i] = 0
		}
	}
	r.Formats = measureFormats(m, methods.Formats, ecsq)
	var err error
	if r.Curves, err = measure(ctx, m, methods, ecsq, mses, r.Formats); err != nil {
		return nil, err
	}
	needs(r.Formats, r.Curves[:len(methods.Codecs)*len(methods.Tiers)])
	for k := range r.Curves {
		c := &r.Curves[k]
		above := make([]*float64, len(rates))
		for i := range rates {
			switch {
			case mses[i] == 0:
			case !c.Exact:
				if d, ok := c.Above(mses[i], base[i]); ok {
					above[i] = &d
				}
			default:
				if p, ok := c.operatingPoint(rates[i]); ok {
					d := p.Bits - ecsq.AtMSE(p.MSE)
					above[i] = &d
				}
			}
		}
		r.Above = append(r.Above, above)
	}
	return r, nil
}

// measure runs every method on one tensor, at errors around mses, of which 0 stands for none, and the codecs around those of the formats too.
func measure(ctx context.Context, m *tensorcodec.Matrix, methods *Methods, ecsq *tensor.ECSQ, mses []float64, formats []FormatPoint) ([]Curve, error) {
	qps := sampleQPs(m, mses)
	wide := extend(qps, m, formats)
	var curves []Curve
	for _, codec := range methods.Codecs {
		for _, tier := range methods.Tiers {
			c, err := measureCodec(m, codec, tier, wide)
			if err != nil {
				return nil, err
			}
			curves = append(curves, c)
			methods.Step()
		}
	}
	for _, p := range methods.Peers {
		if m.Cols >= minPeerSide && m.Rows >= minPeerSide {
			points, err := measurePeer(ctx, p, m, qps)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.Name, err)
			}
			curves = append(curves, Curve{Method: p.Name, Points: points})
		}
		methods.Step()
	}
	variance := tensor.Variance(m.Values)
	curves = append(curves, references(m, variance, ecsq, mses)...)
	for i := range curves {
		points := curves[i].Points
		for k := range points {
			points[k].NMSEDB = 10 * math.Log10(points[k].MSE/variance)
		}
		sort.SliceStable(points, func(a, b int) bool { return points[a].MSE > points[b].MSE })
	}
	return curves, nil
}

// measureCodec runs one tier of a codec at every quantiser parameter.
func measureCodec(m *tensorcodec.Matrix, codec tensorcodec.Codec, tier string, qps []float64) (Curve, error) {
	n := float64(len(m.Values))
	c := Curve{Method: codec.Name() + " " + tier}
	for _, qp := range qps {
		opt := m.Options()
		opt.Codec, opt.Tier, opt.Target = codec, tier, tensorcodec.Target{Kind: tensorcodec.TargetQP, Value: qp}
		coded, err := m.Encode(opt)
		if err != nil {
			return c, err
		}
		d, err := m.Distortion(coded.Recon)
		if err != nil {
			return c, err
		}
		regular, bypass := float64(coded.Bins.Regular)/n, float64(coded.Bins.Bypass)/n
		c.Points = append(c.Points, Point{QP: &qp, Bits: 8 * float64(len(coded.Stream)) / n, MSE: d.MSE, Regular: &regular, Bypass: &bypass})
	}
	return c, nil
}

// references are the methods that need no stream: quantisers, ECSQ and the bound.
func references(m *tensorcodec.Matrix, variance float64, ecsq *tensor.ECSQ, mses []float64) (curves []Curve) {
	bound, base := Curve{Method: "Gaussian bound"}, Curve{Method: "ECSQ"}
	for _, mse := range mses {
		if mse == 0 {
			continue
		}
		bound.Points = append(bound.Points, Point{Bits: tensor.GaussianBits(variance, mse), MSE: mse})
		base.Points = append(base.Points, Point{Bits: ecsq.AtMSE(mse), MSE: mse})
	}
	for _, s := range []tensor.Scheme{tensor.PerTensor, tensor.PerGroup(128)} {
		c := Curve{Method: "RTN " + s.String(), Exact: true}
		for bits := 2; bits <= 8; bits++ {
			y, rate := tensor.RTN(m.Values, m.Rows, m.Cols, bits, s)
			c.Points = append(c.Points, Point{nominal: float64(bits), Bits: rate, MSE: tensor.Compare(m.Values, y).MSE})
		}
		curves = append(curves, c)
	}
	return append(curves, base, bound)
}

// measurePeer runs another encoder at every quantiser parameter, as many at a time as there are cores.
func measurePeer(ctx context.Context, p *Peer, m *tensorcodec.Matrix, qps []float64) ([]Point, error) {
	points, errs := make([]Point, len(qps)), make([]error, len(qps))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, qp := range qps {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			dir, err := os.MkdirTemp("", "vcsim-compare-")
			if err != nil {
				errs[i] = err
				return
			}
			defer os.RemoveAll(dir)
			size, recon, err := p.run(ctx, dir, plane{m.Codes, m.Cols, m.Rows}, qp)
			if err != nil {
				errs[i] = err
				return
			}
			d, err := m.Distortion(recon)
			points[i], errs[i] = Point{QP: &qp, Bits: 8 * float64(size) / float64(len(m.Values)), MSE: d.MSE}, err
		})
	}
	wg.Wait()
	return points, errors.Join(errs...)
}

// Quantiser parameters are sampled a factor of sqrt(2) of the step apart.
const (
	qpStep = 3
	mostQP = 51
)

// sampleQPs are quantiser parameters, qpStep apart, that reach a little beyond the errors: a step is 2^((QP-4)/6) codes, and
// costs between step^2/12 and, with a dead zone at low rates, a third of that more.
func sampleQPs(m *tensorcodec.Matrix, mses []float64) []float64 {
	at := func(mse float64) float64 { return 4 + 3*math.Log2(max(12*mse/m.Unit(), 1e-3)) }
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, mse := range mses {
		if mse > 0 {
			lo, hi = min(lo, at(mse)), max(hi, at(mse))
		}
	}
	var qps []float64
	for qp := math.Floor(max(0, lo-5)); qp <= min(mostQP, hi+4); qp += qpStep {
		qps = append(qps, qp)
	}
	return qps
}

// A Mean is one method over several tensors.
type Mean struct {
	Method string
	Above  []*float64 // by rate
}

// Means returns the mean of every method, by rate, over the tensors on which all methods that ran on every tensor have a value, and the
// number of those tensors. A method that did not run on every tensor has none.
func Means(list []*Comparison, rates int) (means []Mean, counts []int) {
	above := map[string][][]*float64{} // by method, tensor and rate
	var order []string
	for _, r := range list {
		for k, c := range r.Curves {
			if above[c.Method] == nil {
				order = append(order, c.Method)
			}
			above[c.Method] = append(above[c.Method], r.Above[k])
		}
	}
	everywhere := func(method string) bool { return len(above[method]) == len(list) }
	counts = make([]int, rates)
	sums := map[string][]float64{}
	for _, method := range order {
		sums[method] = make([]float64, rates)
	}
	for i := range rates {
		for k := range list {
			all := true
			for _, method := range order {
				all = all && (!everywhere(method) || above[method][k][i] != nil)
			}
			if !all {
				continue
			}
			counts[i]++
			for _, method := range order {
				if everywhere(method) {
					sums[method][i] += *above[method][k][i]
				}
			}
		}
	}
	for _, method := range order {
		x := Mean{method, make([]*float64, rates)}
		for i, n := range counts {
			if n > 0 && everywhere(method) {
				v := sums[method][i] / float64(n)
				x.Above[i] = &v
			}
		}
		means = append(means, x)
	}
	return means, counts
}
