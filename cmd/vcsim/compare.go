package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"vcsim/internal/report"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

type compareFlags struct {
	codecFlags
	tiers, rates, plot string
	peers              []string
	points, mean       bool
}

func newCompareCommand(a *app) *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare [IN...]",
		Short: "Rate and distortion of the codecs beside quantisers, bounds and other encoders",
		Long: `compare codes planes or tensors with every tier of the codec and sets the results beside round-to-nearest quantisation
(per tensor and in groups of 128 with 16-bit scales), entropy-coded scalar quantisation (ECSQ: uniform step, centroids,
ideal order-0 entropy), the distortion-rate bound of a Gaussian of the same variance, and x265, x264 and AV1 where they
are installed.

The main table shows bits a value above ECSQ at equal mean squared error, where ECSQ needs --rates bits; less is better.
Rates are of the bitstream alone. Errors are in the tensor's units, the 8-bit quantisation included; a plane's are in
code units. Several inputs are followed by their mean over those on which every method
has a value. Without IN, compare runs on two built-in tensors: a key projection
and a key cache.`,
		Example: "  vcsim compare plane.pgm --plot rd.png\n" +
			"  vcsim compare model.safetensors --tensor '*k_proj*' --quant channel --peers x265 --rates 2,3,4",
		RunE: func(cmd *cobra.Command, args []string) error {
			return interruptible(cmd.Context(), func() error { return a.compare(cmd.Context(), args, &f) })
		},
	}
	flags := c.Flags()
	f.register(flags)
	flags.StringVar(&f.tiers, "tiers", "hw,rdo", "tiers to run")
	flags.StringVar(&f.rates, "rates", "2,3,4", "ECSQ rates at which methods are compared, bits a value")
	flags.StringVar(&f.plot, "plot", "", "draw the rate-distortion curves of a single input to this .png or .svg")
	flags.BoolVar(&f.mean, "mean", false, "of several inputs, show the mean only")
	flags.BoolVar(&f.points, "points", false, "show every coding, too (JSON always does)")
	flags.StringSliceVar(&f.peers, "peers", []string{"installed"}, "other encoders: installed, none, or beginnings of names such as x265,av1")
	return c
}

// A point is one coding: bits a value and mean squared error.
type rdPoint struct {
	bits, mse       float64
	qp              any     // nil when there is none
	nominal         float64 // rate under which an operating point is listed
	regular, bypass any     // bins a value; nil when not known
}

// A curve is one method on one input.
type rdCurve struct {
	method string
	points []rdPoint // by falling mse
	exact  bool      // points are operating points: compare each at its own error, do not interpolate
}

// above returns the method's bits above ECSQ at an error, and false where its points do not reach.
func (c *rdCurve) above(mse, ecsq float64) (float64, bool) {
	x := math.Log2(mse)
	if len(c.points) == 1 && c.points[0].mse == mse {
		return c.points[0].bits - ecsq, true
	}
	for i := 1; i < len(c.points); i++ {
		a, b := c.points[i-1], c.points[i]
		xa, xb := math.Log2(a.mse), math.Log2(b.mse)
		if x <= xa && x >= xb && xa > xb {
			return a.bits + (b.bits-a.bits)*(xa-x)/(xa-xb) - ecsq, true
		}
	}
	return 0, false
}

func (a *app) compare(ctx context.Context, paths []string, f *compareFlags) error {
	fewerCollections()
	var codecs []tensorcodec.Codec
	for _, name := range strings.Split(f.codec, ",") {
		c, err := tensorcodec.Lookup(name)
		if err != nil {
			return err
		}
		codecs = append(codecs, c)
	}
	f.codec = codecs[0].Name()
	o, err := f.options()
	if err != nil {
		return err
	}
	rates, err := parseRates(f.rates)
	if err != nil {
		return err
	}
	chosen, err := choosePeers(f.peers)
	if err != nil {
		return err
	}
	tiers := strings.Split(f.tiers, ",")
	var matrices []*tensorcodec.Matrix
	if len(paths) == 0 {
		for _, name := range []string{sampleWeights, sampleKeys} {
			m, err := loadSample(name, o)
			if err != nil {
				return err
			}
			matrices = append(matrices, m)
		}
	}
	for _, path := range paths {
		m, err := loadMatrices(path, f, o)
		if err != nil {
			return err
		}
		matrices = append(matrices, m...)
	}
	if f.plot != "" && len(matrices) != 1 {
		return fmt.Errorf("--plot draws one tensor or plane; %d were given", len(matrices))
	}
	bar := a.progress("comparing", len(matrices)*(len(codecs)*len(tiers)+len(chosen)))
	defer func() { bar.Stop() }()
	table := report.Table{Name: "above_ecsq", Columns: []report.Column{{Key: "tensor"}, {Key: "method"}}}
	for _, r := range rates {
		table.Columns = append(table.Columns, report.Column{Key: "at_" + strings.ReplaceAll(fmt.Sprint(r), ".", "_"), Digits: 3})
	}
	points := report.Table{Name: "points", Columns: []report.Column{{Key: "tensor"}, {Key: "method"}, {Key: "qp"}, {Key: "bits_per_value", Digits: 4}, {Key: "mse"},
		{Key: "nmse_db", Title: "NMSE", Unit: "dB", Digits: 2}, {Key: "regular_bins_per_value", Digits: 3}, {Key: "bypass_bins_per_value", Digits: 3}}}
	var last []rdCurve
	results := map[string][][]any{} // by method: cells by input and rate
	var order []string
	for _, m := range matrices {
		ecsq := tensor.NewECSQ(m.Values)
		variance := tensor.Variance(m.Values)
		mses, base := make([]float64, len(rates)), make([]float64, len(rates))
		for i, r := range rates {
			mses[i] = ecsq.AtBits(r)
			base[i] = ecsq.AtMSE(mses[i])                   // r, or the nearest rate that integer values allow
			if mses[i] <= 0 || math.Abs(base[i]/r-1) > .1 { // the values do not need so many bits
				mses[i] = 0
			}
		}
		curves, err := measure(ctx, m, codecs, tiers, chosen, ecsq, mses, func() { bar.Add(1) })
		if err != nil {
			return err
		}
		last = curves
		for _, c := range curves {
			cells := make([]any, len(rates))
			for i := range rates {
				switch {
				case mses[i] == 0:
				case !c.exact:
					if d, ok := c.above(mses[i], base[i]); ok {
						cells[i] = d
					}
				default:
					if p, ok := operatingPoint(c.points, rates[i]); ok {
						cells[i] = p.bits - ecsq.AtMSE(p.mse)
					}
				}
			}
			if results[c.method] == nil {
				order = append(order, c.method)
			}
			results[c.method] = append(results[c.method], cells)
			table.Rows = append(table.Rows, append([]any{m.Name, c.method}, cells...))
			for _, p := range c.points {
				points.Rows = append(points.Rows, []any{m.Name, c.method, p.qp, p.bits, p.mse, finiteOrNil(10 * math.Log10(p.mse/variance)), p.regular, p.bypass})
			}
		}
	}
	var notes []string
	if len(matrices) > 1 {
		if f.mean {
			table.Rows = nil
		}
		rows, counts := meanRows(order, results, len(matrices), len(rates))
		table.Rows = append(table.Rows, rows...)
		for i, n := range counts {
			if n < len(matrices) {
				notes = append(notes, fmt.Sprintf("The means at %g bits are over the %d of %d inputs on which every method has a value.", rates[i], n, len(matrices)))
			}
		}
	}
	bar.Stop()
	bar = nil
	if f.plot != "" {
		if err := rdChart(matrices[0].Name, last, tensor.Variance(matrices[0].Values), slices.Max(rates)+1).Save(f.plot); err != nil {
			return err
		}
	}
	r := &report.Result{Schema: "vcsim.compare/1", Title: "Bits a value above ECSQ at equal mean squared error", Tables: []report.Table{table}, Notes: notes}
	if f.points || a.json {
		r.Tables = append(r.Tables, points)
	}
	for _, p := range peers {
		if tool := p.missing(); tool != "" && slices.Equal(f.peers, []string{"installed"}) {
			r.Notes = append(r.Notes, fmt.Sprintf("%s is left out: %s is not installed.", p.name, tool))
		}
	}
	return a.print(r)
}

// meanRows returns the mean of every method that ran on all inputs, by rate, over the inputs on which all of these methods
// have a value, and the number of those inputs.
func meanRows(order []string, results map[string][][]any, inputs, rates int) (rows [][]any, counts []int) {
	counts = make([]int, rates)
	sums := map[string][]float64{}
	for i := range rates {
		for k := range inputs {
			all := true
			for _, method := range order {
				all = all && (len(results[method]) < inputs || results[method][k][i] != nil)
			}
			if !all {
				continue
			}
			counts[i]++
			for _, method := range order {
				if sums[method] == nil {
					sums[method] = make([]float64, rates)
				}
				if len(results[method]) == inputs {
					sums[method][i] += results[method][k][i].(float64)
				}
			}
		}
	}
	for _, method := range order {
		row := []any{"mean", method}
		for i, n := range counts {
			if n == 0 || len(results[method]) < inputs {
				row = append(row, nil)
			} else {
				row = append(row, sums[method][i]/float64(n))
			}
		}
		rows = append(rows, row)
	}
	return rows, counts
}

// operatingPoint returns the operating point whose nominal rate is rate.
func operatingPoint(points []rdPoint, rate float64) (rdPoint, bool) {
	for _, p := range points {
		if p.nominal == rate {
			return p, true
		}
	}
	return rdPoint{}, false
}

func parseRates(s string) ([]float64, error) {
	var rates []float64
	for _, w := range strings.Split(s, ",") {
		r, err := strconv.ParseFloat(w, 64)
		if err != nil || !(r > 0 && r <= 8) {
			return nil, fmt.Errorf("rate %q: want bits a value between 0 and 8", w)
		}
		rates = append(rates, r)
	}
	return rates, nil
}

// choosePeers finds the peers by the beginnings of their names; one that was asked for must be installed.
func choosePeers(names []string) ([]*peer, error) {
	var out []*peer
	for _, name := range names {
		found := false
		for i := range peers {
			p := &peers[i]
			tool := p.missing()
			switch {
			case name == "none":
				found = true
			case name == "installed":
				found = true
				if tool == "" {
					out = append(out, p)
				}
			case strings.HasPrefix(p.name, name):
				found = true
				if tool != "" {
					return nil, &exitError{exitMissingTool, fmt.Errorf("%s needs %s, which is not installed", p.name, tool)}
				}
				out = append(out, p)
			}
		}
		if !found {
			return nil, fmt.Errorf("--peers %s: no such encoder", name)
		}
	}
	return out, nil
}

// loadMatrices prepares the selected tensors of an input that a codec takes.
func loadMatrices(path string, f *compareFlags, o tensorcodec.TensorOptions) ([]*tensorcodec.Matrix, error) {
	in, err := openInput(path, f.size)
	if err != nil {
		return nil, err
	}
	defer in.close()
	in.planeOptions(&o, &f.codecFlags)
	src := in.asSource()
	var out []*tensorcodec.Matrix
	for _, info := range src.Tensors() {
		ok, err := tensorcodec.Selection{Globs: f.tensors}.Matches(info.Name)
		if err != nil {
			return nil, err
		}
		if in.plane != nil {
			ok = true
		}
		if n, err := tensor.NumValues(info.Shape); !ok || err != nil || n < minCompared || !info.DType.Codable() {
			continue
		}
		raw, err := src.Read(info.Name, nil)
		if err != nil {
			return nil, err
		}
		m, err := tensorcodec.NewMatrix(info, raw, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, m)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no tensor of at least %d values is selected", path, minCompared)
	}
	return out, nil
}

// minCompared is the least number of values for which parameter sets do not decide a comparison.
const minCompared = 4096

// measure runs every method on one matrix, at errors around mses.
func measure(ctx context.Context, m *tensorcodec.Matrix, codecs []tensorcodec.Codec, tiers []string, chosen []*peer, ecsq *tensor.ECSQ, mses []float64, step func()) ([]rdCurve, error) {
	n := float64(len(m.Values))
	qps := sampleQPs(m, mses)
	var curves []rdCurve
	for _, codec := range codecs {
		for _, tier := range tiers {
			c := rdCurve{method: codec.Name() + " " + tier}
			for _, qp := range qps {
				opt := m.Options()
				opt.Codec, opt.Tier, opt.Target = codec, tier, tensorcodec.Target{Kind: tensorcodec.TargetQP, Value: qp}
				coded, err := m.Encode(opt)
				if err != nil {
					return nil, err
				}
				d, err := m.Distortion(coded.Recon)
				if err != nil {
					return nil, err
				}
				c.points = append(c.points, rdPoint{qp: qp, bits: 8 * float64(len(coded.Stream)) / n, mse: d.MSE, regular: float64(coded.Bins.Regular) / n, bypass: float64(coded.Bins.Bypass) / n})
			}
			curves = append(curves, c)
			step()
		}
	}
	for _, p := range chosen {
		if m.Cols >= minPeerSide && m.Rows >= minPeerSide {
			points, err := measurePeer(ctx, p, m, qps)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.Name, err)
			}
			curves = append(curves, rdCurve{method: p.name, points: points})
		}
		step()
	}
	variance := tensor.Variance(m.Values)
	bound, base := rdCurve{method: "Gaussian bound"}, rdCurve{method: "ECSQ"}
	for _, mse := range mses {
		if mse == 0 {
			continue
		}
		bound.points = append(bound.points, rdPoint{bits: tensor.GaussianBits(variance, mse), mse: mse})
		base.points = append(base.points, rdPoint{bits: ecsq.AtMSE(mse), mse: mse})
	}
	for _, s := range []tensor.Scheme{tensor.PerTensor, tensor.PerGroup(128)} {
		c := rdCurve{method: "RTN " + s.String(), exact: true}
		for bits := 2; bits <= 8; bits++ {
			y, rate := tensor.RTN(m.Values, m.Rows, m.Cols, bits, s)
			c.points = append(c.points, rdPoint{nominal: float64(bits), bits: rate, mse: tensor.Compare(m.Values, y).MSE})
		}
		curves = append(curves, c)
	}
	curves = append(curves, base, bound)
	for i := range curves {
		sort.SliceStable(curves[i].points, func(a, b int) bool { return curves[i].points[a].mse > curves[i].points[b].mse })
	}
	return curves, nil
}

// measurePeer runs another encoder at every quantiser parameter, as many at a time as there are cores.
func measurePeer(ctx context.Context, p *peer, m *tensorcodec.Matrix, qps []float64) ([]rdPoint, error) {
	points, errs := make([]rdPoint, len(qps)), make([]error, len(qps))
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
			size, recon, err := p.run(ctx, dir, m.Codes, m.Cols, m.Rows, qp)
			if err != nil {
				errs[i] = err
				return
			}
			d, err := m.Distortion(recon)
			points[i], errs[i] = rdPoint{qp: qp, bits: 8 * float64(size) / float64(len(m.Values)), mse: d.MSE}, err
		})
	}
	wg.Wait()
	return points, errors.Join(errs...)
}

// sampleQPs are quantiser parameters, 3 apart, that reach a little beyond the errors: a step is 2^((QP-4)/6) codes, and
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
	for qp := math.Floor(max(0, lo-5)); qp <= min(51, hi+4); qp += 3 {
		qps = append(qps, qp)
	}
	return qps
}

// rdChart draws the curves up to a rate.
func rdChart(name string, curves []rdCurve, variance, most float64) *report.Chart {
	c := &report.Chart{Title: "Rate and distortion: " + name, X: report.Axis{Label: "bits a value"}, Y: report.Axis{Label: "NMSE (dB)"}}
	for _, k := range curves {
		l := report.Line{Name: k.method, Dots: k.exact}
		for _, p := range k.points {
			if p.mse > 0 && p.bits <= most {
				l.X = append(l.X, p.bits)
				l.Y = append(l.Y, 10*math.Log10(p.mse/variance))
			}
		}
		if len(l.X) > 0 {
			c.Lines = append(c.Lines, l)
		}
	}
	return c
}
