package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"vcsim/internal/baseline"
	"vcsim/internal/config"
	"vcsim/internal/rd"
	"vcsim/internal/report"
	"vcsim/internal/samples"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

type compareFlags struct {
	codecFlags
	tiers, rates, plot string
	peers, formats     []string
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

Number formats (NVFP4, MXFP4, MXFP8, FP8 with their scales) are in a table of their own: their bits and error, and the bits a
value that each codec and tier needs for the same error.

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
	markOutputs(flags, "plot")
	flags.BoolVar(&f.mean, "mean", false, "of several inputs, show the mean only")
	flags.BoolVar(&f.points, "points", false, "show every coding, too (JSON always does)")
	flags.StringSliceVar(&f.formats, "formats", baseline.Defaults(), "number formats to measure beside the codecs, or none: "+strings.Join(baseline.Names(), ", ")+" (rtn-K-gN: K bits, groups of N)")
	flags.StringSliceVar(&f.peers, "peers", []string{"installed"}, "other encoders: installed, none, or beginnings of names such as x265,av1")
	return c
}

func (a *app) compare(ctx context.Context, paths []string, f *compareFlags) error {
	fewerCollections()
	var methods rd.Methods
	for _, name := range strings.Split(f.codec, ",") {
		c, err := tensorcodec.Lookup(name)
		if err != nil {
			return err
		}
		methods.Codecs = append(methods.Codecs, c)
	}
	f.codec = methods.Codecs[0].Name()
	o, err := f.options()
	if err != nil {
		return err
	}
	rates, err := parseRates(f.rates)
	if err != nil {
		return err
	}
	var unknown rd.UnknownError
	if methods.Peers, err = rd.ChoosePeers(f.peers); errors.As(err, &unknown) {
		return fmt.Errorf("--peers %w", err)
	} else if err != nil {
		return err
	}
	if methods.Formats, err = parseFormats(f.formats); err != nil {
		return err
	}
	methods.Tiers = strings.Split(f.tiers, ",")
	matrices, err := f.matrices(paths, o)
	if err != nil {
		return err
	}
	if f.plot != "" && len(matrices) != 1 {
		return fmt.Errorf("--plot draws one tensor or plane; %d were given", len(matrices))
	}
	list, err := a.compareAll(ctx, matrices, rates, &methods)
	if err != nil {
		return err
	}
	if f.plot != "" {
		if err := rdChart(list[0], slices.Max(rates)+1).Save(f.plot); err != nil {
			return err
		}
	}
	table, notes := f.aboveTable(list, rates)
	if f.points && a.csv && a.table == "" {
		a.table = "points"
	}
	r := &report.Result{Schema: "vcsim.compare/1", Title: "Bits a value above ECSQ at equal mean squared error", Tables: []report.Table{table}, Notes: notes}
	if len(f.formats) > 0 && methods.Formats != nil {
		r.Tables = append(r.Tables, formatTable(list))
		r.Notes = append(r.Notes, "Formats take their bits with all scales; a codec's bits are those of its stream where its error is the format's, '-' where the tensor's 8-bit codes alone have a larger one.")
	}
	if f.points || a.json || a.table == "points" {
		r.Tables = append(r.Tables, rdPointTable(list))
	}
	if slices.Equal(f.peers, []string{"installed"}) {
		for _, p := range rd.MissingPeers() {
			r.Notes = append(r.Notes, fmt.Sprintf("%s is left out: %s is not installed.", p.Peer, p.Tool))
		}
	}
	return a.print(r)
}

// matrices prepares the tensors to compare on: the built-in ones where no path is given.
func (f *compareFlags) matrices(paths []string, o tensorcodec.TensorOptions) (list []*tensorcodec.Matrix, err error) {
	if len(paths) == 0 {
		for _, name := range []string{samples.Weights, samples.Keys} {
			m, err := loadSample(name, o)
			if err != nil {
				return nil, err
			}
			list = append(list, m)
		}
	}
	for _, path := range paths {
		m, err := loadMatrices(path, &f.codecFlags, o)
		if err != nil {
			return nil, err
		}
		list = append(list, m...)
	}
	return list, nil
}

// compareAll compares the methods on every tensor, with a bar.
func (a *app) compareAll(ctx context.Context, matrices []*tensorcodec.Matrix, rates []float64, methods *rd.Methods) (list []*rd.Comparison, err error) {
	bar := a.progress("comparing", len(matrices)*methods.Steps())
	defer bar.Stop()
	methods.Step = func() { bar.Add(1) }
	for _, m := range matrices {
		c, err := rd.Compare(ctx, m, rates, methods)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// aboveTable is the main table, of several tensors with the means.
func (f *compareFlags) aboveTable(list []*rd.Comparison, rates []float64) (t report.Table, notes []string) {
	t = report.Table{Name: "above_ecsq", Columns: []report.Column{{Key: "tensor"}, {Key: "method"}}}
	for _, r := range rates {
		t.Columns = append(t.Columns, report.Column{Key: "at_" + strings.ReplaceAll(fmt.Sprint(r), ".", "_"), Digits: 3})
	}
	add := func(name, method string, above []*float64) {
		row := []any{name, method}
		for _, v := range above {
			row = append(row, cell(v))
		}
		t.Rows = append(t.Rows, row)
	}
	if len(list) == 1 || !f.mean {
		for _, r := range list {
			for k, c := range r.Curves {
				add(r.Tensor, c.Method, r.Above[k])
			}
		}
	}
	if len(list) == 1 {
		return t, nil
	}
	means, counts := rd.Means(list, len(rates))
	for _, m := range means {
		add("mean", m.Method, m.Above)
	}
	for i, n := range counts {
		if n < len(list) {
			notes = append(notes, fmt.Sprintf("The means at %g bits are over the %d of %d inputs on which every method has a value.", rates[i], n, len(list)))
		}
	}
	return t, notes
}

// parseFormats looks up number formats; the one name none stands for no format.
func parseFormats(names []string) (list []baseline.Format, err error) {
	if slices.Equal(names, []string{"none"}) {
		return nil, nil
	}
	for _, name := range names {
		f, err := baseline.Lookup(name)
		if err != nil {
			return nil, fmt.Errorf("--formats: %w%s", err, config.DidYouMean(name, baseline.Names()))
		}
		list = append(list, f)
	}
	return list, nil
}

// formatTable sets the number formats beside what the codecs need for their error.
func formatTable(list []*rd.Comparison) report.Table {
	t := report.Table{Name: "formats", Columns: []report.Column{{Key: "tensor"}, {Key: "format"}, {Key: "bits_per_value", Title: "bits", Digits: 2},
		{Key: "nmse_db", Title: "NMSE", Unit: "dB", Digits: 1}, {Key: "ecsq_bits", Title: "ECSQ", Digits: 2}}}
	for _, n := range list[0].Formats[0].Needs {
		t.Columns = append(t.Columns, report.Column{Key: strings.ReplaceAll(n.Method, " ", "_") + "_bits", Title: n.Method, Digits: 2})
	}
	for _, r := range list {
		for _, f := range r.Formats {
			row := []any{r.Tensor, f.Format, f.Bits, finiteOrNil(f.NMSEDB), f.ECSQ}
			for _, n := range f.Needs {
				row = append(row, cell(n.Bits))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// rdPointTable lists every coding.
func rdPointTable(list []*rd.Comparison) report.Table {
	t := report.Table{Name: "points", Columns: []report.Column{{Key: "tensor"}, {Key: "method"}, {Key: "qp"}, {Key: "bits_per_value", Digits: 4}, {Key: "mse"},
		{Key: "nmse_db", Title: "NMSE", Unit: "dB", Digits: 2}, {Key: "regular_bins_per_value", Digits: 3}, {Key: "bypass_bins_per_value", Digits: 3}}}
	for _, r := range list {
		for _, c := range r.Curves {
			for _, p := range c.Points {
				t.Rows = append(t.Rows, []any{r.Tensor, c.Method, cell(p.QP), p.Bits, p.MSE, finiteOrNil(p.NMSEDB), cell(p.Regular), cell(p.Bypass)})
			}
		}
	}
	return t
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

// loadMatrices prepares the selected tensors of an input that a codec takes.
func loadMatrices(path string, f *codecFlags, o tensorcodec.TensorOptions) ([]*tensorcodec.Matrix, error) {
	in, err := openInput(path, f.size)
	if err != nil {
		return nil, err
	}
	defer in.close()
	in.planeOptions(&o, f)
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
		if n, err := tensor.NumValues(info.Shape); !ok || err != nil || n < rd.MinValues || !info.DType.Codable() {
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
		return nil, fmt.Errorf("%s: no tensor of at least %d values is selected", path, rd.MinValues)
	}
	return out, nil
}

// rdChart draws the curves up to a rate.
func rdChart(r *rd.Comparison, most float64) *report.Chart {
	c := &report.Chart{Title: "Rate and distortion: " + r.Tensor, X: report.Axis{Label: "bits a value"}, Y: report.Axis{Label: "NMSE (dB)"}}
	for _, k := range r.Curves {
		l := report.Line{Name: k.Method, Dots: k.Exact}
		for _, p := range k.Points {
			if p.MSE > 0 && p.Bits <= most {
				l.X, l.Y = append(l.X, p.Bits), append(l.Y, p.NMSEDB)
			}
		}
		if len(l.X) > 0 {
			c.Lines = append(c.Lines, l)
		}
	}
	return c
}
