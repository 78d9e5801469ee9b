package main

import (
	"github.com/spf13/cobra"

	"vcsim/internal/figures"
	"vcsim/internal/report"
)

func newFig3Command(a *app, out *reproduceFlags) *cobra.Command {
	var f sampleFlags
	c := &cobra.Command{
		Use:   "fig3",
		Short: "Figure 3: what transforms do to outliers",
		Long: `fig3 shows how far the values of an activation with massive outliers lie from the mean, as they are and after orthonormal
transforms, and what that does to round-to-nearest quantisation. The built-in activation is a real one with synthetic
outliers: one channel fifteen times as large, and two values of token 0 thousands of times.`,
		Example: "  vcsim reproduce fig3 --out charts\n  vcsim reproduce fig3 --in model.safetensors --tensor '*down_proj*'",
		Args:    cobra.NoArgs,
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
	files, err := out.save(a, namedChart{"fig3", chart})
	if err != nil {
		return err
	}
	return a.print(&report.Result{Schema: reproduceSchema, Title: "Figure 3: outliers before and after transforms (" + r.Tensor + ")", Tables: []report.Table{t},
		Notes: append([]string{"A value is lost when it is not zero and its 8-bit code, scaled to the largest value, is the code of zero."}, fileNote(files)...)})
}
