package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"image"
	"math"

	"github.com/spf13/cobra"

	"vcsim/internal/report"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
	"vcsim/t265"
)

// sampleTensors are small real tensors; see samples/README.md.
//
//go:embed samples/samples.safetensors
var sampleTensors []byte

// Names of the sample tensors.
const (
	sampleWeights    = "model.layers.1.self_attn.k_proj.weight"
	sampleKeys       = "layers.3.k_cache"
	sampleActivation = "activation"
)

// sampleFlags choose the tensor a figure is made of.
type sampleFlags struct {
	codecFlags
	in     string
	sample string
	plot   string
}

// samples are the short names of the built-in tensors.
var samples = map[string]string{"weights": sampleWeights, "keys": sampleKeys, "activation": sampleActivation}

func (f *sampleFlags) register(c *cobra.Command, sample string) {
	f.codecFlags.register(c.Flags())
	c.Flags().StringVar(&f.sample, "sample", sample, "built-in tensor: weights (a key projection), keys (a key cache) or activation (with massive outliers)")
	c.Flags().StringVar(&f.in, "in", "", "file to use instead")
	c.Flags().StringVar(&f.plot, "plot", "", "write the picture here")
}

// load prepares the tensor of a figure.
func (f *sampleFlags) load() (*tensorcodec.Matrix, error) {
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	if f.in == "" {
		name, ok := samples[f.sample]
		if !ok {
			return nil, fmt.Errorf("--sample %s: want weights, keys or activation", f.sample)
		}
		return loadSample(name, o)
	}
	all, err := loadMatrices(f.in, &compareFlags{codecFlags: f.codecFlags}, o)
	if err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, fmt.Errorf("%s: %d tensors match; choose one with --tensor", f.in, len(all))
	}
	return all[0], nil
}

// loadSample prepares a built-in tensor.
func loadSample(name string, o tensorcodec.TensorOptions) (*tensorcodec.Matrix, error) {
	s, err := tensor.ReadSafetensors(bytes.NewReader(sampleTensors), int64(len(sampleTensors)), "samples")
	if err != nil {
		return nil, err
	}
	info, ok := s.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("no sample %q", name)
	}
	raw, err := s.Read(name, nil)
	if err != nil {
		return nil, err
	}
	return tensorcodec.NewMatrix(info, raw, o)
}

// A stage is one step of the ablation: a tier with some tools left out.
type stage struct{ name, tier, off string }

// stages switch the tools of T.265 on one after the other. Without transform, every 4x4 block is coded as it is predicted;
// a DC prediction remains, because the format has no way without.
var stages = []stage{
	{"+ quantisation, contexts", "rdo", "transform,intra,rdoq,sdh,deadzone"},
	{"+ transform", "rdo", "intra,rdoq,sdh,deadzone"},
	{"+ planar, horizontal, vertical", "rdo", "angular,rdoq,sdh,deadzone"},
	{"+ all intra modes", "rdo", "rdoq,sdh,deadzone"},
	{"+ dead zone", "rdo", "rdoq,sdh"},
	{"+ sign hiding", "rdo", "rdoq"},
	{"+ RDOQ (all of rdo)", "rdo", ""},
	{"all of hw", "hw", ""},
}

func addFig2b(a *app, c *cobra.Command) {
	var f sampleFlags
	var dbs []float64
	c.Long = `fig2b codes the key projection of a small language model at given errors relative to its variance and shows the bits a
value as one stage after the other is switched on. The paper does so for LLaMA-2-7B at a mean squared error below 0.01,
which is -20 dB when the variance is 1.`
	f.register(c, "weights")
	c.Flags().Float64SliceVar(&dbs, "nmse", []float64{-28, -24, -20, -16, -12}, "errors relative to the variance, dB")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		return interruptible(cmd.Context(), func() error { return a.fig2b(&f, dbs) })
	}
}

func (a *app) fig2b(f *sampleFlags, dbs []float64) error {
	fewerCollections()
	m, err := f.load()
	if err != nil {
		return err
	}
	variance := tensor.Variance(m.Values)
	exact, err := m.Distortion(m.Codes)
	if err != nil {
		return err
	}
	signed := make([]float32, len(m.Codes))
	for i, v := range m.Codes {
		signed[i] = float32(v)
	}
	entropy, _ := tensor.NewECSQ(signed).At(1)
	ecsq := tensor.NewECSQ(m.Values)
	t := report.Table{Name: "bits_per_value", Columns: []report.Column{{Key: "stage"}}}
	for _, db := range dbs {
		t.Columns = append(t.Columns, report.Column{Key: fmt.Sprintf("at_%g_db", -db), Title: fmt.Sprintf("at %g dB", db), Digits: 3})
	}
	row := func(name string, bits func(mse float64) (any, error)) error {
		r := []any{name}
		for _, db := range dbs {
			v, err := bits(variance * math.Pow(10, db/10))
			if err != nil {
				return err
			}
			r = append(r, v)
		}
		t.Rows = append(t.Rows, r)
		return nil
	}
	fixed := func(bits float64) func(float64) (any, error) {
		return func(mse float64) (any, error) {
			if exact.MSE > mse {
				return nil, nil
			}
			return bits, nil
		}
	}
	bar := a.progress("coding", len(stages))
	defer bar.Stop()
	if err := row("8-bit codes", fixed(8)); err != nil {
		return err
	}
	if err := row("+ entropy coding (ideal, order 0)", fixed(entropy)); err != nil {
		return err
	}
	for _, s := range stages {
		err := row(s.name, func(mse float64) (any, error) {
			o := m.Options()
			o.Tier, o.Off, o.Target = s.tier, s.off, tensorcodec.Target{Kind: tensorcodec.TargetMSE, Value: mse}
			coded, err := m.Encode(o)
			if err != nil || coded.Note != "" {
				return nil, err
			}
			return 8 * float64(len(coded.Stream)) / float64(len(m.Codes)), nil
		})
		if err != nil {
			return err
		}
		bar.Add(1)
	}
	for _, bound := range []struct {
		name string
		bits func(mse float64) float64
	}{{"ECSQ", ecsq.AtMSE}, {"Gaussian bound", func(mse float64) float64 { return tensor.GaussianBits(variance, mse) }}} {
		if err := row(bound.name, func(mse float64) (any, error) { return bound.bits(mse), nil }); err != nil {
			return err
		}
	}
	r := &report.Result{
		Schema: "vcsim.reproduce.fig2b/1", Title: "Figure 2b: bits a value at equal error, stage by stage (" + m.Name + ")", Tables: []report.Table{t},
		Notes: []string{"The paper, for LLaMA-2-7B at -20 dB: 8.0 bits, 0.4 saved by entropy coding, 2.6 bits with full intra coding; inter prediction does not help."},
	}
	if f.plot != "" {
		chart := &report.Chart{Title: "Stages of T.265: " + m.Name, X: report.Axis{Label: "NMSE (dB)"}, Y: report.Axis{Label: "bits a value above the Gaussian bound"}}
		for _, row := range t.Rows[2:] { // the first two are far above
			l := report.Line{Name: row[0].(string)}
			for i, db := range dbs {
				if v, ok := row[i+1].(float64); ok {
					l.X, l.Y = append(l.X, db), append(l.Y, v-tensor.GaussianBits(1, math.Pow(10, db/10)))
				}
			}
			if len(l.X) > 0 {
				chart.Lines = append(chart.Lines, l)
			}
		}
		if err := chart.Save(f.plot); err != nil {
			return err
		}
	}
	return a.print(r)
}

func addFig3(a *app, c *cobra.Command) {
	var f sampleFlags
	c.Long = `fig3 shows how far the values of an activation with massive outliers lie from the mean, as they are and after orthonormal
transforms, and what that does to round-to-nearest quantisation. The built-in activation is a real one with synthetic
outliers: one channel fifteen times as large, and two values of token 0 thousands of times.`
	f.register(c, "activation")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		return interruptible(cmd.Context(), func() error { return a.fig3(&f) })
	}
}

func (a *app) fig3(f *sampleFlags) error {
	m, err := f.load()
	if err != nil {
		return err
	}
	x := m.Values
	domains := []struct {
		name string
		v    []float32
	}{{"values", x}}
	for _, n := range []int{4, 8, 16, 32} {
		domains = append(domains, struct {
			name string
			v    []float32
		}{fmt.Sprintf("DCT %dx%d", n, n), tensor.BlockDCT(x, m.Rows, m.Cols, n)})
	}
	for _, h := range []struct {
		name string
		h    tensor.Hadamard
	}{{"Hadamard, rows", tensor.Hadamard{Rows: true, Seed: f.seed}}, {"Hadamard, both sides", tensor.Hadamard{Rows: true, Cols: true, Seed: f.seed}}} {
		v := append([]float32(nil), x...)
		h.h.Forward(v, m.Rows, m.Cols)
		domains = append(domains, struct {
			name string
			v    []float32
		}{h.name, v})
	}
	t := report.Table{Name: "domains", Columns: []report.Column{
		{Key: "domain"}, {Key: "max_over_std", Digits: 1}, {Key: "kurtosis", Digits: 1}, {Key: "beyond_6_std_percent", Unit: "%", Digits: 4},
		{Key: "lost_percent", Title: "lost at RTN 8 bit", Unit: "%", Digits: 1},
		{Key: "rtn_8_bit_nmse_db", Title: "RTN 8 bit NMSE", Unit: "dB", Digits: 1}, {Key: "rtn_4_bit_nmse_db", Title: "RTN 4 bit NMSE", Unit: "dB", Digits: 1},
	}}
	chart := &report.Chart{Title: "Outliers before and after transforms: " + m.Name,
		X: report.Axis{Label: "distance from the mean (standard deviations)", Log: true}, Y: report.Axis{Label: "share of values beyond", Log: true}}
	for _, d := range domains {
		s := shapeOf(d.v)
		row := []any{d.name, s.peak, s.kurtosis, 100 * s.beyond(6), 100 * lost(d.v)}
		for _, bits := range []int{8, 4} {
			y, _ := tensor.RTN(d.v, m.Rows, m.Cols, bits, tensor.PerTensor)
			row = append(row, finiteOrNil(tensor.Compare(d.v, y).NMSEDB))
		}
		t.Rows = append(t.Rows, row)
		l := report.Line{Name: d.name}
		for k := 0.5; k < s.peak; k *= 1.1 {
			if p := s.beyond(k); p > 0 {
				l.X, l.Y = append(l.X, k), append(l.Y, p)
			}
		}
		if len(l.X) > 0 {
			chart.Lines = append(chart.Lines, l)
		}
	}
	if f.plot != "" {
		if err := chart.Save(f.plot); err != nil {
			return err
		}
	}
	return a.print(&report.Result{Schema: "vcsim.reproduce.fig3/1", Title: "Figure 3: outliers before and after transforms (" + m.Name + ")", Tables: []report.Table{t},
		Notes: []string{"A value is lost when it is not zero and its 8-bit code, scaled to the largest value, is the code of zero."}})
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

func addFig4(a *app, c *cobra.Command) {
	var f sampleFlags
	var qp float64
	var zoom int
	c.Long = `fig4 codes a tensor and draws its codes, what intra prediction made of them, the residual that was left to code (grey is
zero) and the reconstruction. It also states how much of the energy the prediction takes away.`
	c.Example = "  vcsim reproduce fig4 --plot fig4.png"
	f.register(c, "keys")
	c.Flags().Float64Var(&qp, "qp", 22, "quantiser parameter")
	c.Flags().StringVar(&f.tier, "tier", "rdo", "hw or rdo")
	c.Flags().IntVar(&zoom, "zoom", 2, "pixels for one value")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		return interruptible(cmd.Context(), func() error { return a.fig4(&f, qp, zoom) })
	}
}

func (a *app) fig4(f *sampleFlags, qp float64, zoom int) error {
	m, err := f.load()
	if err != nil {
		return err
	}
	if m.Grid.Frames() != 1 {
		return fmt.Errorf("tensor %q has %d frames; fig4 draws one", m.Name, m.Grid.Frames())
	}
	if zoom < 1 || zoom > 16 {
		return fmt.Errorf("--zoom %d: want 1 to 16", zoom)
	}
	o := m.Options()
	o.Target = tensorcodec.Target{Kind: tensorcodec.TargetQP, Value: qp}
	coded, err := m.Encode(o)
	if err != nil {
		return err
	}
	d, err := t265.NewDecoder(coded.Stream)
	if err != nil {
		return err
	}
	d.KeepPrediction()
	p, err := d.Next()
	if err != nil {
		return err
	}
	residual := make([]byte, len(m.Codes))
	var energy, left, mean float64
	for _, v := range m.Codes {
		mean += float64(v) / float64(len(m.Codes))
	}
	for i, v := range m.Codes {
		e := float64(v) - float64(p.Prediction[i])
		left += e * e
		energy += (float64(v) - mean) * (float64(v) - mean)
		residual[i] = byte(max(0, min(255, e+128)))
	}
	if f.plot != "" {
		err := report.SavePanels(f.plot, zoom,
			report.Panel{Title: "codes", Image: gray(m.Codes, m.Cols, m.Rows)},
			report.Panel{Title: "intra prediction", Image: gray(p.Prediction, m.Cols, m.Rows)},
			report.Panel{Title: "residual", Image: gray(residual, m.Cols, m.Rows)},
			report.Panel{Title: "reconstruction", Image: gray(coded.Recon, m.Cols, m.Rows)})
		if err != nil {
			return err
		}
	}
	n := float64(len(m.Codes))
	fact := func(key, unit string, v any) report.Fact {
		return report.Fact{Column: report.Column{Key: key, Unit: unit}, Value: v}
	}
	return a.print(&report.Result{Schema: "vcsim.reproduce.fig4/1", Title: "Figure 4: prediction and residual (" + m.Name + ")", Facts: []report.Fact{
		fact("tier", "", f.tier), fact("qp", "", qp), fact("bits_per_value", "", 8*float64(len(coded.Stream))/n),
		fact("code_variance", "", energy/n), fact("residual_energy", "", left/n), fact("residual_share_percent", "%", 100*left/energy),
		fact("mse", "", tensor.CompareCodes(m.Codes, coded.Recon).MSE),
	}})
}

// gray makes a picture of a plane.
func gray(pix []byte, w, h int) *image.Gray {
	return &image.Gray{Pix: pix, Stride: w, Rect: image.Rect(0, 0, w, h)}
}
