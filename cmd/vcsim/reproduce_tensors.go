package main

import (
	"fmt"
	"image"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"vcsim/internal/figures"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

func newFig2bCommand(a *app, out *reproduceFlags) *cobra.Command {
	var f sampleFlags
	var dbs []float64
	c := &cobra.Command{
		Use:   "fig2b",
		Short: "Figure 2b: bits a value at equal error, stage by stage",
		Long: `fig2b codes the key projection of a small language model at given errors relative to its variance and shows the bits a
value as one stage of the codec (--codec t265 or t264) after the other is switched on. The paper does so for LLaMA-2-7B at a mean squared error below
0.01, which is -20 dB when the variance is 1. --sample keys shows a tensor in which prediction pays.`,
		Example: "  vcsim reproduce fig2b --out charts\n  vcsim reproduce fig2b --sample keys --nmse -30,-20,-10",
		Args:    wantArgs(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return interruptible(cmd.Context(), func() error { return a.fig2b(&f, out, dbs) })
		},
	}
	f.register(c, "weights")
	c.Flags().Float64SliceVar(&dbs, "nmse", []float64{-28, -24, -20, -16, -12}, "errors relative to the variance, dB")
	c.Flags().Lookup("nmse").DefValue = "-28,-24,-20,-16,-12" // as one types it, where pflag shows six decimals
	return c
}

func (a *app) fig2b(f *sampleFlags, out *reproduceFlags, dbs []float64) error {
	fewerCollections()
	m, err := f.load()
	if err != nil {
		return err
	}
	paper, err := presets.Paper()
	if err != nil {
		return err
	}
	bar := a.progress("coding", figures.Fig2bStages(m.Options().Codec.Name()))
	defer bar.Stop()
	r, err := figures.NewFig2b(m, dbs, paper, func() { bar.Add(1) })
	if err != nil {
		return err
	}
	files, err := out.save(a, namedChart{"fig2b", fig2bChart(r)})
	if err != nil {
		return err
	}
	return a.print(&report.Result{
		Schema: reproduceSchema("fig2b"), Title: "Figure 2b: bits a value at equal error, stage by stage (" + r.Tensor + ")",
		Tables: []report.Table{fig2bTable(r), statementTable(r.Statements)}, Notes: fileNote(files),
	})
}

func fig2bTable(r *figures.Fig2b) report.Table {
	t := report.Table{Name: "bits_per_value", Columns: []report.Column{{Key: "stage"}}}
	for _, db := range r.NMSEDB {
		t.Columns = append(t.Columns, report.Column{Key: fmt.Sprintf("at_%g_db", -db), Title: fmt.Sprintf("at %g dB", db), Digits: 3})
	}
	for _, x := range r.Rows {
		row := []any{x.Name}
		for _, v := range x.Bits {
			row = append(row, cell(v))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// fig2bChart draws the stages; the codes themselves are far above.
func fig2bChart(r *figures.Fig2b) *report.Chart {
	chart := &report.Chart{Title: "Stages of " + r.Codec + ": " + r.Tensor, X: report.Axis{Label: "NMSE (dB)"}, Y: report.Axis{Label: "bits a value above the Gaussian bound"}}
	for _, x := range r.Rows {
		l := report.Line{Name: x.Name}
		for i, v := range x.Above {
			if v != nil {
				l.X, l.Y = append(l.X, r.NMSEDB[i]), append(l.Y, *v)
			}
		}
		if len(l.X) > 0 && !x.Codes {
			chart.Lines = append(chart.Lines, l)
		}
	}
	return chart
}

func newFig3Command(a *app, out *reproduceFlags) *cobra.Command {
	var f sampleFlags
	c := &cobra.Command{
		Use:   "fig3",
		Short: "Figure 3: what transforms do to outliers",
		Long: `fig3 shows how far the values of an activation with massive outliers lie from the mean, as they are and after orthonormal
transforms, and what that does to round-to-nearest quantisation. The built-in activation is a real one with synthetic
outliers: one channel fifteen times as large, and two values of token 0 thousands of times.`,
		Example: "  vcsim reproduce fig3 --out charts\n  vcsim reproduce fig3 --in model.safetensors --tensor '*down_proj*'",
		Args:    wantArgs(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return interruptible(cmd.Context(), func() error { return a.fig3(&f, out) })
		},
	}
	f.register(c, "activation")
	return c
}

func (a *app) fig3(f *sampleFlags, out *reproduceFlags) error {
	m, err := f.load()
	if err != nil {
		return err
	}
	r := figures.NewFig3(m.Name, m.Values, m.Rows, m.Cols, f.seed)
	t := report.Table{Name: "domains", Columns: []report.Column{
		{Key: "domain"}, {Key: "max_over_std", Digits: 1}, {Key: "kurtosis", Digits: 1}, {Key: "beyond_6_std_percent", Unit: "%", Digits: 4},
		{Key: "lost_percent", Title: "lost at RTN 8 bit", Unit: "%", Digits: 1},
		{Key: "rtn_8_bit_nmse_db", Title: "RTN 8 bit NMSE", Unit: "dB", Digits: 1}, {Key: "rtn_4_bit_nmse_db", Title: "RTN 4 bit NMSE", Unit: "dB", Digits: 1},
	}}
	chart := report.Chart{Title: "Outliers before and after transforms: " + r.Tensor,
		X: report.Axis{Label: "distance from the mean (standard deviations)", Log: true}, Y: report.Axis{Label: "share of values beyond", Log: true}}
	for _, d := range r.Domains {
		t.Rows = append(t.Rows, []any{d.Name, d.Peak, d.Kurtosis, d.Beyond6, d.Lost, finiteOrNil(d.NMSE8DB), finiteOrNil(d.NMSE4DB)})
		if len(d.Distance) > 0 {
			chart.Lines = append(chart.Lines, report.Line{Name: d.Name, X: d.Distance, Y: d.ShareFurther})
		}
	}
	files, err := out.save(a, namedChart{"fig3", &chart})
	if err != nil {
		return err
	}
	return a.print(&report.Result{Schema: reproduceSchema("fig3"), Title: "Figure 3: outliers before and after transforms (" + r.Tensor + ")", Tables: []report.Table{t},
		Notes: append([]string{"A value is lost when it is not zero and its 8-bit code, scaled to the largest value, is the code of zero."}, fileNote(files)...)})
}

func newFig4Command(a *app, out *reproduceFlags) *cobra.Command {
	var f sampleFlags
	var qp float64
	var zoom int
	c := &cobra.Command{
		Use:   "fig4",
		Short: "Figure 4: a tensor, its intra prediction and the residual",
		Long: `fig4 codes a key cache and draws its codes, what intra prediction made of them, the residual that was left to code (grey is
zero) and the reconstruction. It states how much of the energy the prediction takes away.`,
		Example: "  vcsim reproduce fig4 --out charts\n  vcsim reproduce fig4 --sample weights --qp 30",
		Args:    wantArgs(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return interruptible(cmd.Context(), func() error { return a.fig4(&f, out, qp, zoom) })
		},
	}
	f.register(c, "keys")
	c.Flags().Float64Var(&qp, "qp", 22, "quantiser parameter")
	c.Flags().StringVar(&f.tier, "tier", "rdo", "hw or rdo")
	c.Flags().IntVar(&zoom, "zoom", 2, "pixels for one value")
	return c
}

func (a *app) fig4(f *sampleFlags, out *reproduceFlags, qp float64, zoom int) error {
	m, err := f.load()
	if err != nil {
		return err
	}
	if zoom < 1 || zoom > 16 {
		return fmt.Errorf("--zoom %d: want 1 to 16", zoom)
	}
	r, err := figures.NewFig4(m, qp)
	if err != nil {
		return err
	}
	var files []string
	if out.out != "" {
		if err := os.MkdirAll(out.out, 0o777); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		files = []string{filepath.Join(out.out, "fig4.png")}
		if err := a.alsoWrites(files...); err != nil {
			return err
		}
		var panels []report.Panel
		for _, p := range []struct {
			title string
			pix   []byte
		}{{"codes", r.Codes}, {"intra prediction", r.Prediction}, {"residual", r.Residual}, {"reconstruction", r.Recon}} {
			panels = append(panels, report.Panel{Title: p.title, Image: gray(p.pix, r.Width, r.Height)})
		}
		if err := report.SavePanels(files[0], zoom, panels...); err != nil {
			return err
		}
	}
	return a.print(&report.Result{Schema: reproduceSchema("fig4"), Title: "Figure 4: prediction and residual (" + r.Tensor + ")", Facts: []report.Fact{
		fact("tier", f.tier), fact("qp", qp), fact("bits_per_value", r.BitsPerValue),
		fact("code_variance", r.CodeVariance), fact("residual_energy", r.ResidualEnergy),
		{Column: report.Column{Key: "residual_share_percent", Unit: "%"}, Value: r.ResidualShare},
		fact("mse", r.MSE),
	}, Notes: fileNote(files)})
}

// gray makes a picture of a plane.
func gray(pix []byte, w, h int) *image.Gray {
	return &image.Gray{Pix: pix, Stride: w, Rect: image.Rect(0, 0, w, h)}
}

func newLMCCommand(a *app, f *reproduceFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "lmc FILE...",
		Short: "Lossless compression of checkpoints against gzip, bzip2 and zstd",
		Long: "lmc packs safetensors files with 'vcsim snapshot' and with general compressors, and compares size and speed with what the\n" +
			"LMC paper (arXiv 2505.09810) states. Times are processor time of one thread. bzip2 is the program; the others run here.\n" +
			"'grouped' means that the compressor sees the byte planes. There is no chart.",
		Example: "  vcsim reproduce lmc model.safetensors --markdown",
		Args:    wantArgs(1, many),
		RunE: func(cmd *cobra.Command, args []string) error {
			bar := a.progress("compressing", len(args)*figures.LosslessRuns())
			rows, err := figures.CompareLossless(cmd.Context(), args, func() { bar.Add(1) })
			bar.Stop()
			if err != nil {
				return err
			}
			return a.print(losslessResult(rows))
		},
	}
}

func losslessResult(rows []figures.Lossless) *report.Result {
	t := report.Table{Name: "compressors", Columns: []report.Column{{Key: "file"}, {Key: "compressor"}, {Key: "packed_bytes", Unit: "bytes"}, {Key: "ratio", Digits: 4},
		{Key: "of_bound_percent", Title: "of bound", Unit: "%", Digits: 2}, {Key: "compress_gb_per_s", Title: "compress", Unit: "GB/s", Digits: 3}, {Key: "decompress_gb_per_s", Title: "decompress", Unit: "GB/s", Digits: 3}}}
	for _, r := range rows {
		t.Rows = append(t.Rows, []any{r.File, r.Compressor, r.PackedBytes, r.Ratio, r.OfBound, r.PackGBPerS, r.UnpackGBPerS})
	}
	return &report.Result{Schema: reproduceSchema("lmc"), Title: "Lossless compression of checkpoints", Tables: []report.Table{t}, Notes: []string{
		"Stated by the paper on 16 cores: 2.78 GiB/s compressing and 3.76 GiB/s decompressing, 0.187 and 0.252 GB/s a core; better than bzip2 in a tenth of its time.",
		"The bound is the order-0 entropy of the byte planes, block by block; a compressor that finds repetitions may pass it. Speeds are bytes of the file by processor time, one run each: repeat them before relying on them."}}
}
