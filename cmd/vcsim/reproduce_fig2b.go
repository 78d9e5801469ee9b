package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"vcsim/internal/report"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

// A stage is one step of the ablation: a tier with some tools left out.
type stage struct{ name, tier, off string }

// stages switch the tools of a codec on one after the other. Without transform, every 4x4 block of T.265 is coded as it is
// predicted; T.264 has no lossy way without, so it starts with the 4x4 transform. A DC prediction remains, because the formats
// have no way without. The last but one stage is all of rdo.
var stages = map[string][]stage{
	"t265": {
		{"+ quantisation, contexts", "rdo", "transform,intra,rdoq,sdh,deadzone"},
		{"+ transform", "rdo", "intra,rdoq,sdh,deadzone"},
		{"+ planar, horizontal, vertical", "rdo", "angular,rdoq,sdh,deadzone"},
		{"+ all intra modes", "rdo", "rdoq,sdh,deadzone"},
		{"+ dead zone", "rdo", "rdoq,sdh"},
		{"+ sign hiding", "rdo", "rdoq"},
		{"+ RDOQ (all of rdo)", "rdo", ""},
		{"all of hw", "hw", ""},
	},
	"t264": {
		{"+ 4x4 transform, quantisation, contexts", "rdo", "intra,i8,i16,rdoq,deadzone"},
		{"+ 8x8 and 16x16 blocks", "rdo", "intra,rdoq,deadzone"},
		{"+ horizontal, vertical, plane", "rdo", "angular,rdoq,deadzone"},
		{"+ all intra modes", "rdo", "rdoq,deadzone"},
		{"+ dead zone", "rdo", "rdoq"},
		{"+ trellis (all of rdo)", "rdo", ""},
		{"all of hw", "hw", ""},
	},
}

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
	steps := stages[m.Options().Codec.Name()]
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
	bar := a.progress("coding", len(steps))
	defer bar.Stop()
	if err := row("8-bit codes", fixed(8)); err != nil {
		return err
	}
	if err := row("+ entropy coding (ideal, order 0)", fixed(entropy)); err != nil {
		return err
	}
	for _, s := range steps {
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
	chart := report.Chart{Title: "Stages of " + m.Options().Codec.Name() + ": " + m.Name, X: report.Axis{Label: "NMSE (dB)"}, Y: report.Axis{Label: "bits a value above the Gaussian bound"}}
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
	files, err := out.save(a, namedChart{"fig2b", chart})
	if err != nil {
		return err
	}
	list, err := fig2bStatements(t, dbs, entropy, steps[len(steps)-2].name)
	if err != nil {
		return err
	}
	return a.print(&report.Result{
		Schema: reproduceSchema, Title: "Figure 2b: bits a value at equal error, stage by stage (" + m.Name + ")",
		Tables: []report.Table{t, statementTable(list)}, Notes: fileNote(files),
	})
}

// fig2bStatements sets the paper's numbers beside ours at the error nearest to -20 dB.
func fig2bStatements(t report.Table, dbs []float64, entropy float64, all string) ([]statement, error) {
	paper, err := loadStated()
	if err != nil {
		return nil, err
	}
	k := 0
	for i, db := range dbs {
		if math.Abs(db+20) < math.Abs(dbs[k]+20) {
			k = i
		}
	}
	var list []statement
	add := func(what, name, from string, ours *float64, remark string) {
		v := paper.get(name)
		list = append(list, statement{What: what, Unit: "bit/value", Paper: &v, Ours: ours, Formula: from, Remark: join("another tensor than the paper's", remark)})
	}
	start, saved := 8.0, 8-entropy
	add("start", "figure2b.start", "8-bit codes", &start, "")
	add("entropy coding saves", "figure2b.entropy-coding-saves", "ideal order-0 entropy of the codes", &saved, "")
	var full *float64
	for _, row := range t.Rows {
		if v, ok := row[k+1].(float64); ok && row[0] == all {
			full = &v
		}
	}
	remark := ""
	if bound := tensor.GaussianBits(1, math.Pow(10, dbs[k]/10)); paper.get("figure2b.full-intra") < bound {
		remark = fmt.Sprintf("a Gaussian needs %.2f bits for this error, so the paper's is measured differently", bound)
	}
	add("full intra coding", "figure2b.full-intra", fmt.Sprintf("tier rdo at %g dB", dbs[k]), full, remark)
	return list, paper.err
}
