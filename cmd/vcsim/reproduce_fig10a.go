package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

func newFig10aCommand(a *app, f *reproduceFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "fig10a",
		Short: "Figure 10a: training speedup against link speed",
		Long: "fig10a is the speedup of training LLaMA-2-7B that a codec gives, against the link rate per GPU, at a fixed layout and with one\n" +
			"compression ratio of 5 for all traffic: 4 replicas of 16 micro-batches of one sequence of 4096 tokens, on RTX 3090 (8 stages)\n" +
			"and A100 (2 stages). NVENC appears in both readings of its 900 MB/s: as 8-bit pixels and as bytes of FP16. The figure's own\n" +
			"values are not printed in the paper, so ours stand beside values derived by hand (docs/cluster.md).",
		Example: "  vcsim reproduce fig10a --out charts\n  vcsim reproduce fig10a --csv",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return interruptible(cmd.Context(), func() error {
				r, err := newFig10a()
				if err != nil {
					return err
				}
				return a.printFigure(r, f)
			})
		},
	}
}

const (
	fig10Ratio = 5 // of all traffic
	fig10Model = "llama2-7b"
)

// fig10aSystems are the two clusters: 4 x 16 sequences a step, recomputation as memory forces it.
var fig10aSystems = []struct {
	gpu    string
	layout cluster.Layout
}{
	{"rtx3090", cluster.Layout{DP: 4, PP: 8, TP: 1, Microbatch: 1, Interleave: 1, Recompute: cluster.RecomputeFull}},
	{"a100-80g", cluster.Layout{DP: 4, PP: 2, TP: 1, Microbatch: 1, Interleave: 1, Recompute: cluster.RecomputeFull}},
}

// The curves, in the order of the tables.
const (
	curveIdeal = iota
	curveT265
	curveNVENCPixels
	curveNVENCFP16
	numCurves
)

var curveNames = [numCurves]string{"ideal", "t265", "nvenc_pixels", "nvenc_fp16"}

var curveTitles = [numCurves]string{"ideal", "T.265", "NVENC 14.4", "NVENC 7.2"}

// A derivedPoint is the speedup worked out by hand for never bypassed codecs: the step is
// (16 + p - 1)/16 of the compute time, taken as 42 % of the peak, plus the whole time on the wire, V/B plain and V/min(rB, E, D)
// with a codec, where V = 2 x 3/4 x 16 P/p + 2 x 16 x 16 x 4096 x 4096 bits. Link rate in Gbps; values in the order of the curves.
type derivedPoint struct {
	gbps   float64
	values [numCurves]float64
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

// fig10aRates are the link rates of the table, in Gbps.
var fig10aRates = []float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 25, 50, 100, 200, 400}

// A fig10aSystem is one cluster, with the codecs of the curves: bypassed where that is faster, and never bypassed.
type fig10aSystem struct {
	gpu         string
	layout      cluster.Layout
	efficiency  string
	job         cluster.Job
	auto, never [numCurves]cluster.Codec
}

type fig10a struct {
	systems []fig10aSystem
	json    fig10aJSON
}

// fig10aJSON is the JSON of `vcsim reproduce fig10a`.
type fig10aJSON struct {
	Schema     string        `json:"schema"`
	Figure     string        `json:"figure"`
	Model      string        `json:"model"`
	Ratio      float64       `json:"ratio"`
	Curves     []fig10aCurve `json:"curves"`
	Derived    []fig10aCheck `json:"derived"`
	Statements []statement   `json:"statements"`
	Files      []string      `json:"files"`
}

type fig10aCurve struct {
	GPU     string         `json:"gpu"`
	Layout  cluster.Layout `json:"layout"`
	Codec   string         `json:"codec"`
	Bypass  string         `json:"bypass"`
	BW      []float64      `json:"bw_gbps"`
	Speedup []float64      `json:"speedup"`
}

type fig10aCheck struct {
	GPU        string  `json:"gpu"`
	BW         float64 `json:"bw_gbps"`
	Codec      string  `json:"codec"`
	Ours       float64 `json:"speedup"`
	Derived    float64 `json:"derived_speedup"`
	Difference float64 `json:"difference_percent"`
}

// newFig10a works out the curves, the checks and the statements.
func newFig10a() (*fig10a, error) {
	r := &fig10a{json: fig10aJSON{Schema: reproduceSchema, Figure: "fig10a", Model: fig10Model, Ratio: fig10Ratio, Files: []string{}}}
	model, err := config.Preset[cluster.Model]("models", fig10Model)
	if err != nil {
		return nil, err
	}
	table, err := presets.Engines()
	if err != nil {
		return nil, err
	}
	for _, sys := range fig10aSystems {
		gpu, err := presets.GPU(sys.gpu)
		if err != nil {
			return nil, err
		}
		eff, from, err := presets.Efficiency(sys.gpu, "megatron-lm")
		if err != nil {
			return nil, err
		}
		eff.InterFraction, eff.InterCapGB = 1, 0 // the link rate is what the link gives
		s := fig10aSystem{gpu: sys.gpu, layout: sys.layout, efficiency: from,
			job: cluster.Job{Model: model.Value, GPU: gpu.Value, Eff: eff, Seq: 4096, GlobalBatch: 4 * 16}}
		for i := range numCurves {
			o := presets.CodecOptions{Bits: cluster.UniformBits(fig10Ratio), Point: codecpoint.Options{Table: table, Instances: codecpoint.TableInstances, Video: presets.Video(sys.gpu, &gpu.Value)}}
			o.Point.Video.Force = true
			if i == curveNVENCFP16 {
				o.Point.Video.Pixel = codecpoint.PixelFP16
			}
			p, err := o.Codec([...]string{"ideal", "t265", "nvenc", "nvenc"}[i])
			if err != nil {
				return nil, err
			}
			s.auto[i], s.never[i] = p.Codec, p.Codec
			s.never[i].Bypass = cluster.BypassNever
		}
		r.systems = append(r.systems, s)
	}
	if err := r.curves(); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return r, r.statements()
}

// speedup is the uncompressed step over the compressed one at a link rate in bit/s, at the fixed layout.
func (s *fig10aSystem) speedup(c cluster.Codec, bps float64) (float64, error) {
	j := s.job
	j.Net = cluster.FlatNetwork(bps / 8)
	plain, err := cluster.NewSystem(j)
	if err != nil {
		return 0, err
	}
	with, err := plain.WithCodec(c)
	if err != nil {
		return 0, err
	}
	a, err := plain.Step(s.layout)
	if err != nil {
		return 0, err
	}
	b, err := with.Step(s.layout)
	return a.Time / b.Time, err
}

// below is the link rate in bit/s under which the codec gives at least the speedup, by bisection between 0.1 and 1000 Gbps, or an
// end of that range.
func (s *fig10aSystem) below(c cluster.Codec, speedup float64) (float64, error) {
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

func (r *fig10a) curves() error {
	const perDecade = 40
	var grid []float64
	for i := range int(math.Round(math.Log10(4000)*perDecade)) + 1 { // 0.1 to 400 Gbps
		grid = append(grid, 0.1*math.Pow(10, float64(i)/perDecade))
	}
	grid[len(grid)-1] = 400
	for k := range r.systems {
		s := &r.systems[k]
		for _, codecs := range []*[numCurves]cluster.Codec{&s.auto, &s.never} {
			for i, c := range codecs {
				curve := fig10aCurve{GPU: s.gpu, Layout: s.layout, Codec: curveNames[i], Bypass: c.Bypass.String(), BW: grid}
				for _, gbps := range grid {
					up, err := s.speedup(c, gbps*1e9)
					if err != nil {
						return err
					}
					curve.Speedup = append(curve.Speedup, up)
				}
				r.json.Curves = append(r.json.Curves, curve)
			}
		}
	}
	return nil
}

func (r *fig10a) check() error {
	for k := range r.systems {
		s := &r.systems[k]
		for _, d := range fig10aDerived[s.gpu] {
			for i, want := range d.values {
				up, err := s.speedup(s.never[i], d.gbps*1e9)
				if err != nil {
					return err
				}
				r.json.Derived = append(r.json.Derived, fig10aCheck{s.gpu, d.gbps, curveNames[i], up, want, 100 * (up/want - 1)})
			}
		}
	}
	return nil
}

// statements holds the one sentence of the paper on the figure against the curves.
func (r *fig10a) statements() error {
	paper, err := presets.Paper()
	if err != nil {
		return err
	}
	helps := paper.Get("section6.nvenc-helps-below")
	if paper.Err != nil {
		return paper.Err
	}
	for k := range r.systems {
		s := &r.systems[k]
		for _, i := range []int{curveNVENCFP16, curveNVENCPixels, curveT265} {
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
				st := statement{What: fmt.Sprintf("%s on %s %s", curveTitles[i], s.gpu, x.what), Unit: "Gbps", Ours: &ours, Formula: x.formula}
				if i != curveT265 {
					st.Paper = &helps
				}
				if s.job.GPU.NVENC == 0 && i != curveT265 {
					st.Remark = "hypothetical: this GPU has no video encoder"
				}
				r.json.Statements = append(r.json.Statements, st)
			}
		}
	}
	return nil
}

// charts is one chart per cluster: the same colour where the codec is never bypassed, but dotted.
func (r *fig10a) charts() []namedChart {
	var charts []namedChart
	for k := range r.systems {
		s := &r.systems[k]
		c := report.Chart{
			Title: fmt.Sprintf("LLaMA-2-7B on %d x %s (DP %d, PP %d), ratio %d", s.layout.GPUs(), gpuTitle(s.gpu), s.layout.DP, s.layout.PP, fig10Ratio),
			X:     report.Axis{Label: "link rate per GPU and direction (Gbps)", Log: true, Min: 0.1, Max: 400},
			Y:     report.Axis{Label: "speedup over no codec", Min: 0, Max: fig10Ratio},
		}
		for _, curve := range r.json.Curves {
			if curve.GPU != s.gpu {
				continue
			}
			i := 0
			for curveNames[i] != curve.Codec {
				i++
			}
			l := report.Line{Name: curveTitles[i], X: curve.BW, Y: curve.Speedup, Hue: []int{1, 5, 4, 6}[i], Dash: []int{1, 2, 4, 5}[i]}
			if i == curveNVENCPixels || i == curveNVENCFP16 {
				l.Name += " Gbps"
			}
			if curve.Bypass == "never" {
				if i == curveIdeal {
					continue // a codec without a limit is never slower
				}
				l.Name, l.Dash = l.Name+", forced", 3
			}
			c.Lines = append(c.Lines, l)
		}
		charts = append(charts, namedChart{"fig10a-" + s.gpu, c})
	}
	return charts
}

// gpuTitle is the name of a GPU preset as people write it.
func gpuTitle(preset string) string {
	return strings.NewReplacer("rtx", "RTX ", "-80g", " 80 GB", "-sxm", " SXM").Replace(strings.Replace(strings.Replace(preset, "a100", "A100", 1), "h100", "H100", 1))
}

func (r *fig10a) result(files []string) *report.Result {
	r.json.Files = append(r.json.Files, files...)
	main := report.Table{Name: "speedup", Columns: []report.Column{{Key: "gpu"}, {Key: "bw_gbps", Title: "link", Unit: "Gbps"}}}
	for _, bypass := range []string{"", "_forced"} {
		for i := range numCurves {
			if bypass == "" || i != curveIdeal {
				main.Columns = append(main.Columns, report.Column{Key: curveNames[i] + bypass, Title: curveTitles[i] + strings.ReplaceAll(bypass, "_", " "), Digits: 2})
			}
		}
	}
	for k := range r.systems {
		s := &r.systems[k]
		for _, gbps := range fig10aRates {
			row := []any{s.gpu, gbps}
			for _, curve := range r.json.Curves {
				if curve.GPU == s.gpu && (curve.Bypass == "auto" || curve.Codec != curveNames[curveIdeal]) {
					row = append(row, at(curve.BW, curve.Speedup, gbps))
				}
			}
			main.Rows = append(main.Rows, row)
		}
	}
	derived := report.Table{Name: "derived", Columns: []report.Column{{Key: "gpu"}, {Key: "bw_gbps", Title: "link", Unit: "Gbps"}}}
	for i := range numCurves {
		derived.Columns = append(derived.Columns, report.Column{Key: curveNames[i], Title: curveTitles[i], Digits: 2}, report.Column{Key: curveNames[i] + "_derived", Title: "derived", Digits: 2})
	}
	derived.Columns = append(derived.Columns, report.Column{Key: "difference_percent", Title: "largest difference", Unit: "%", Digits: 1})
	for k := 0; k < len(r.json.Derived); k += numCurves {
		row := []any{r.json.Derived[k].GPU, r.json.Derived[k].BW}
		var most float64
		for _, c := range r.json.Derived[k : k+numCurves] {
			row = append(row, c.Ours, c.Derived)
			if math.Abs(c.Difference) > math.Abs(most) {
				most = c.Difference
			}
		}
		derived.Rows = append(derived.Rows, append(row, most))
	}
	notes := []string{
		"One ratio of 5 for all traffic, codec pipelined with the wire, layout fixed, no overlap of communication with compute. 'forced' codecs are never bypassed; the derived values are of forced codecs, with rough compute times, so their shape binds and not the third digit.",
		"NVENC's 900 MB/s are 14.4 Gbps of FP16 payload when they are 8-bit pixels of one value each, 7.2 Gbps when they are bytes of FP16. The paper's 'less than 10 Gbps' lies between the two.",
		"T.265 is 13 engines of Table II, 100 Gbps of payload. A codec as fast as the link breaks even: to keep the ratio of 5 on a 100 Gbps link takes 500 Gbps of codec.",
	}
	for k := range r.systems {
		s := &r.systems[k]
		notes = append(notes, fmt.Sprintf("Efficiency on %s: %s.", s.gpu, s.efficiency))
	}
	return &report.Result{Schema: r.json.Schema, Payload: &r.json, Title: "Figure 10a: speedup of training LLaMA-2-7B against link rate per GPU and direction",
		Tables: []report.Table{main, derived, statementTable(r.json.Statements)}, Notes: append(notes, fileNote(files)...)}
}

// at interpolates a curve over the logarithm of x.
func at(xs, ys []float64, x float64) float64 {
	for i := 1; i < len(xs); i++ {
		if x <= xs[i]*(1+1e-9) {
			w := math.Log(x/xs[i-1]) / math.Log(xs[i]/xs[i-1])
			return ys[i-1] + w*(ys[i]-ys[i-1])
		}
	}
	return ys[len(ys)-1]
}
