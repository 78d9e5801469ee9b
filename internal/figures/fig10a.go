package figures

import (
	"fmt"
	"math"

	"vcsim/cluster"
	"vcsim/cluster/collective"
	"vcsim/internal/codecpoint"
	"vcsim/internal/presets"
)

const (
	fig10Ratio = 5 // of all traffic
	fig10Model = "llama2-7b"
)

// Fig10aBatch is the sequences of a step, 16 for each of 4 replicas.
const Fig10aBatch = 4 * 16

// fig10aSystems are the two clusters, with recomputation as memory forces it.
var fig10aSystems = []Fig10aSystem{
	{GPU: "rtx3090", Title: "RTX 3090", Layout: cluster.Layout{DP: 4, PP: 8, TP: 1, Microbatch: 1, Interleave: 1, Recompute: cluster.RecomputeFull}},
	{GPU: "a100-80g", Title: "A100 80 GB", Layout: cluster.Layout{DP: 4, PP: 2, TP: 1, Microbatch: 1, Interleave: 1, Recompute: cluster.RecomputeFull}},
}

// The curves, in the order of the tables.
const (
	CurveIdeal = iota
	CurveT265
	CurveNVENCPixels
	CurveNVENCFP16
	NumCurves
)

// CurveNames are the keys of the curves.
var CurveNames = [NumCurves]string{"ideal", "t265", "nvenc_pixels", "nvenc_fp16"}

// CurveTitles name the curves as people write them; the figures of NVENC are its payload rate in Gbps.
var CurveTitles = [NumCurves]string{"ideal", "T.265", "NVENC 14.4", "NVENC 7.2"}

// A derivedPoint is the speedup worked out by hand for never bypassed codecs: the step is
// (16 + p - 1)/16 of the compute time, taken as 42 % of the peak, plus the whole time on the wire, V/B plain and V/min(rB, E, D)
// with a codec, where V = 2 x 3/4 x 16 P/p + 2 x 16 x 16 x 4096 x 4096 bits. Link rate in Gbps; values in the order of the curves.
type derivedPoint struct {
	gbps   float64
	values [NumCurves]float64
}

var fig10aDerived = map[string][]derivedPoint{
	"rtx3090": {
		{0.1, [...]float64{4.13, 4.13, 4.13, 4.13}},
		{1, [...]float64{2.06, 2.06, 2.06, 2.06}},
		{5, [...]float64{1.27, 1.27, 1.21, 1.09}},
		{10, [...]float64{1.14, 1.14, 1.05, 0.94}},
		{25, [...]float64{1.06, 1.05, 0.95, 0.86}},
		{100, [...]float64{1.01, 1.00, 0.91, 0.82}},
	},
	"a100-80g": {
		{0.1, [...]float64{4.77, 4.77, 4.77, 4.77}},
		{1, [...]float64{3.49, 3.49, 3.49, 3.49}},
		{5, [...]float64{1.99, 1.99, 1.69, 1.24}},
		{10, [...]float64{1.57, 1.57, 1.16, 0.85}},
		{25, [...]float64{1.25, 1.23, 0.85, 0.62}},
		{100, [...]float64{1.07, 1.00, 0.69, 0.50}},
	},
}

// Fig10aRates are the link rates of the table, in Gbps.
var Fig10aRates = []float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 25, 50, 100, 200, 400}

// A Fig10aSystem is one cluster, with the codecs of the curves: bypassed where that is faster, and never bypassed.
type Fig10aSystem struct {
	GPU, Title  string // preset, and its name as people write it
	Layout      cluster.Layout
	Efficiency  string // which constants serve
	job         cluster.Job
	auto, never [NumCurves]cluster.Codec
}

// Fig10a is the speedup of training that a codec gives, against the link rate per GPU.
type Fig10a struct {
	Figure     string        `json:"figure"`
	Model      string        `json:"model"`
	Ratio      float64       `json:"ratio"`
	Curves     []Fig10aCurve `json:"curves"` // by cluster, bypass and codec
	Derived    []Fig10aCheck `json:"derived"`
	Statements []Statement   `json:"statements"`

	Systems []Fig10aSystem `json:"-"`
}

// A Fig10aCurve is one codec on one cluster.
type Fig10aCurve struct {
	GPU     string         `json:"gpu"`
	Layout  cluster.Layout `json:"layout"`
	Codec   string         `json:"codec"`
	Bypass  string         `json:"bypass"`
	BW      []float64      `json:"bw_gbps"`
	Speedup []float64      `json:"speedup"`

	Kind   int  `json:"-"` // CurveIdeal and so on
	Forced bool `json:"-"` // never bypassed
}

// A Fig10aCheck is a point worked out by hand beside the model's.
type Fig10aCheck struct {
	GPU        string  `json:"gpu"`
	BW         float64 `json:"bw_gbps"`
	Codec      string  `json:"codec"`
	Ours       float64 `json:"speedup"`
	Derived    float64 `json:"derived_speedup"`
	Difference float64 `json:"difference_percent"`
}

// NewFig10a works out the curves, the checks and the statements.
func NewFig10a(paper *presets.Stated) (*Fig10a, error) {
	r := &Fig10a{Figure: "fig10a", Model: fig10Model, Ratio: fig10Ratio}
	model, err := presets.Model(fig10Model)
	if err != nil {
		return nil, err
	}
	for _, s := range fig10aSystems {
		if err := s.prepare(&model.Value); err != nil {
			return nil, err
		}
		r.Systems = append(r.Systems, s)
	}
	if err := r.curves(); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return r, r.statements(paper)
}

// prepare looks up what the cluster is made of.
func (s *Fig10aSystem) prepare(m *cluster.Model) error {
	gpu, err := presets.GPU(s.GPU)
	if err != nil {
		return err
	}
	constants, err := presets.Efficiency(s.GPU, "megatron-lm")
	if err != nil {
		return err
	}
	s.Efficiency = constants.String()
	eff := constants.Values
	eff.InterFraction, eff.InterCapGB = 1, 0 // the link rate is what the link gives
	s.job = cluster.Job{Model: *m, GPU: gpu.Value, Eff: eff, Seq: 4096, GlobalBatch: Fig10aBatch}
	table, err := presets.Engines()
	if err != nil {
		return err
	}
	o := presets.CodecOptions{Bits: cluster.UniformBits(fig10Ratio),
		Point: codecpoint.Options{Table: table, Instances: codecpoint.TableInstances, Video: presets.Video(s.GPU, &gpu.Value)}}
	o.Point.Video.Force = true
	for i, name := range [NumCurves]string{CurveIdeal: "ideal", CurveT265: "t265-paper", CurveNVENCPixels: "nvenc", CurveNVENCFP16: "nvenc"} {
		if i == CurveNVENCFP16 {
			o.Point.Video.Pixel = codecpoint.PixelFP16
		}
		c, err := o.Codec(name)
		if err != nil {
			return err
		}
		s.auto[i], s.never[i] = c.Codec, c.Codec
		s.never[i].Bypass = cluster.BypassNever
	}
	return nil
}

// speedup is the uncompressed step over the compressed one at a link rate in bit/s, at the fixed layout.
func (s *Fig10aSystem) speedup(c cluster.Codec, bps float64) (float64, error) {
	j := s.job
	j.Net = collective.FlatNetwork(collective.BytesPerSecond(bps / 8))
	plain, err := cluster.NewSystem(j)
	if err != nil {
		return 0, err
	}
	with, err := plain.WithCodec(c)
	if err != nil {
		return 0, err
	}
	a, err := plain.Step(s.Layout)
	if err != nil {
		return 0, err
	}
	b, err := with.Step(s.Layout)
	return a.Time / b.Time, err
}

// below is the link rate in bit/s under which the codec gives at least the speedup, by bisection between 0.1 and 1000 Gbps, or an
// end of that range.
func (s *Fig10aSystem) below(c cluster.Codec, speedup float64) (float64, error) {
	lo, hi := math.Log(1e8), math.Log(1e12)
	for range 50 {
		mid := (lo + hi) / 2
		up, err := s.speedup(c, math.Exp(mid))
		if err != nil {
			return 0, err
		}
		if up >= speedup {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Exp(lo), nil
}

func (r *Fig10a) curves() error {
	const perDecade = 40
	var grid []float64
	for i := range int(math.Round(math.Log10(4000)*perDecade)) + 1 { // 0.1 to 400 Gbps
		grid = append(grid, 0.1*math.Pow(10, float64(i)/perDecade))
	}
	grid[len(grid)-1] = 400
	for k := range r.Systems {
		s := &r.Systems[k]
		for k, codecs := range []*[NumCurves]cluster.Codec{&s.auto, &s.never} {
			for i, c := range codecs {
				curve := Fig10aCurve{GPU: s.GPU, Layout: s.Layout, Codec: CurveNames[i], Bypass: c.Bypass.String(), BW: grid, Kind: i, Forced: k == 1}
				for _, gbps := range grid {
					up, err := s.speedup(c, gbps*1e9)
					if err != nil {
						return err
					}
					curve.Speedup = append(curve.Speedup, up)
				}
				r.Curves = append(r.Curves, curve)
			}
		}
	}
	return nil
}

func (r *Fig10a) check() error {
	for k := range r.Systems {
		s := &r.Systems[k]
		for _, d := range fig10aDerived[s.GPU] {
			for i, want := range d.values {
				up, err := s.speedup(s.never[i], d.gbps*1e9)
				if err != nil {
					return err
				}
				r.Derived = append(r.Derived, Fig10aCheck{s.GPU, d.gbps, CurveNames[i], up, want, 100 * (up/want - 1)})
			}
		}
	}
	return nil
}

// statements holds the one sentence of the paper on the figure against the curves.
func (r *Fig10a) statements(paper *presets.Stated) error {
	helps := paper.Get("section6.nvenc-helps-below")
	if paper.Err != nil {
		return paper.Err
	}
	for k := range r.Systems {
		s := &r.Systems[k]
		for _, i := range []int{CurveNVENCFP16, CurveNVENCPixels, CurveT265} {
			even, err := s.below(s.never[i], 1)
			if err != nil {
				return err
			}
			much, err := s.below(s.auto[i], 1.1)
			if err != nil {
				return err
			}
			for _, x := range []struct {
				what    string
				ours    float64
				formula string
			}{
				{"helps below", even, "never bypassed: speedup 1"},
				{"helps by 10 % below", much, "bypassed where faster: speedup 1.1"},
			} {
				ours := x.ours / 1e9
				st := Statement{What: fmt.Sprintf("%s on %s %s", CurveTitles[i], s.GPU, x.what), Unit: "Gbps", Ours: &ours, Formula: x.formula}
				if i != CurveT265 {
					st.Paper = &helps
				}
				if s.job.GPU.NVENC == 0 && i != CurveT265 {
					st.Remark = "hypothetical: this GPU has no video encoder"
				}
				r.Statements = append(r.Statements, st)
			}
		}
	}
	return nil
}

// Of returns the curves of a cluster that are worth showing: a codec without a limit is never slower, so being forced says nothing.
func (r *Fig10a) Of(gpu string) (list []*Fig10aCurve) {
	for i := range r.Curves {
		if c := &r.Curves[i]; c.GPU == gpu && !(c.Forced && c.Kind == CurveIdeal) {
			list = append(list, c)
		}
	}
	return list
}

// At is the speedup at a link rate in Gbps, interpolated over its logarithm.
func (c *Fig10aCurve) At(gbps float64) float64 {
	for i := 1; i < len(c.BW); i++ {
		if gbps <= c.BW[i]*(1+1e-9) {
			w := math.Log(gbps/c.BW[i-1]) / math.Log(c.BW[i]/c.BW[i-1])
			return c.Speedup[i-1] + w*(c.Speedup[i]-c.Speedup[i-1])
		}
	}
	return c.Speedup[len(c.Speedup)-1]
}

// A Fig10aRow is the checks of one cluster at one link rate, in the order of the curves.
type Fig10aRow struct {
	Checks []Fig10aCheck
	Most   float64 // the difference that is largest in magnitude, in percent
}

// Rows groups the checks.
func (r *Fig10a) Rows() (rows []Fig10aRow) {
	for k := 0; k < len(r.Derived); k += NumCurves {
		row := Fig10aRow{Checks: r.Derived[k : k+NumCurves]}
		for _, c := range row.Checks {
			if math.Abs(c.Difference) > math.Abs(row.Most) {
				row.Most = c.Difference
			}
		}
		rows = append(rows, row)
	}
	return rows
}
