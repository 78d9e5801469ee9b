package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"vcsim/internal/report"
	"vcsim/internal/tensor"
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
	chart := report.Chart{Title: "Outliers before and after transforms: " + m.Name,
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
	files, err := out.save(a, namedChart{"fig3", chart})
	if err != nil {
		return err
	}
	return a.print(&report.Result{Schema: reproduceSchema, Title: "Figure 3: outliers before and after transforms (" + m.Name + ")", Tables: []report.Table{t},
		Notes: append([]string{"A value is lost when it is not zero and its 8-bit code, scaled to the largest value, is the code of zero."}, fileNote(files)...)})
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
