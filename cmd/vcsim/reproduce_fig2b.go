package main

import (
	"fmt"

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
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return interruptible(cmd.Context(), func() error { return a.fig2b(&f, out, dbs) })
		},
	}
	f.register(c, "weights")
	c.Flags().Float64SliceVar(&dbs, "nmse", []float64{-28, -24, -20, -16, -12}, "errors relative to the variance, dB")
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
		Schema: reproduceSchema, Title: "Figure 2b: bits a value at equal error, stage by stage (" + r.Tensor + ")",
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
func fig2bChart(r *figures.Fig2b) report.Chart {
	chart := report.Chart{Title: "Stages of " + r.Codec + ": " + r.Tensor, X: report.Axis{Label: "NMSE (dB)"}, Y: report.Axis{Label: "bits a value above the Gaussian bound"}}
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
