package main

import (
	"fmt"
	"image"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"vcsim/internal/report"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
	"vcsim/t264"
	"vcsim/t265"
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
	prediction, err := predictionOf(o.Codec.Name(), coded.Stream)
	if err != nil {
		return err
	}
	residual := make([]byte, len(m.Codes))
	var energy, left, mean float64
	for _, v := range m.Codes {
		mean += float64(v) / float64(len(m.Codes))
	}
	for i, v := range m.Codes {
		e := float64(v) - float64(prediction[i])
		left += e * e
		energy += (float64(v) - mean) * (float64(v) - mean)
		residual[i] = byte(max(0, min(255, e+128)))
	}
	var files []string
	if out.out != "" {
		if err := os.MkdirAll(out.out, 0o777); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		files = []string{filepath.Join(out.out, "fig4.png")}
		err := report.SavePanels(files[0], zoom,
			report.Panel{Title: "codes", Image: gray(m.Codes, m.Cols, m.Rows)},
			report.Panel{Title: "intra prediction", Image: gray(prediction, m.Cols, m.Rows)},
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
	return a.print(&report.Result{Schema: reproduceSchema, Title: "Figure 4: prediction and residual (" + m.Name + ")", Facts: []report.Fact{
		fact("tier", "", f.tier), fact("qp", "", qp), fact("bits_per_value", "", 8*float64(len(coded.Stream))/n),
		fact("code_variance", "", energy/n), fact("residual_energy", "", left/n), fact("residual_share_percent", "%", 100*left/energy),
		fact("mse", "", tensor.CompareCodes(m.Codes, coded.Recon).MSE),
	}, Notes: fileNote(files)})
}

// predictionOf decodes the first picture of a stream and returns what intra prediction made of it.
func predictionOf(codec string, stream []byte) ([]byte, error) {
	if codec == "t264" {
		d, err := t264.NewDecoder(stream)
		if err != nil {
			return nil, err
		}
		var mbs []t264.Macroblock
		d.Observe(func(m *t264.Macroblock) { mbs = append(mbs, *m) })
		p, err := d.Next()
		if err != nil {
			return nil, err
		}
		sps, _ := d.ParameterSets()
		out := make([]byte, p.Width*p.Height)
		for i := range out {
			x, y := i%p.Width+sps.CropLeft, i/p.Width+sps.CropTop
			out[i] = mbs[y/16*(sps.Width/16)+x/16].Prediction[y%16*16+x%16]
		}
		return out, nil
	}
	d, err := t265.NewDecoder(stream)
	if err != nil {
		return nil, err
	}
	d.KeepPrediction()
	p, err := d.Next()
	return p.Prediction, err
}

// gray makes a picture of a plane.
func gray(pix []byte, w, h int) *image.Gray {
	return &image.Gray{Pix: pix, Stride: w, Rect: image.Rect(0, 0, w, h)}
}
