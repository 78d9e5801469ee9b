package main

import (
	"fmt"
	"image"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"vcsim/internal/figures"
	"vcsim/internal/report"
)

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
		Args:    cobra.NoArgs,
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
	return a.print(&report.Result{Schema: reproduceSchema, Title: "Figure 4: prediction and residual (" + r.Tensor + ")", Facts: []report.Fact{
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
