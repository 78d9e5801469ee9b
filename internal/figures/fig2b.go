package figures

import (
	"fmt"
	"math"

	"vcsim/internal/presets"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

// A fig2bStage is one step of the ablation: a tier with some tools left out.
type fig2bStage struct {
	name, tier, off string
	full            bool // all of rdo, which the paper's full intra coding is held against
}

// fig2bStages switch the tools of a codec on one after the other. Without transform, every 4x4 block of T.265 is coded as it is
// predicted; T.264 has no lossy way without, so it starts with the 4x4 transform. A DC prediction remains, because the formats
// have no way without.
var fig2bStages = map[string][]fig2bStage{
	"t265": {
		{"+ quantisation, contexts", "rdo", "transform,intra,rdoq,sdh,deadzone", false},
		{"+ transform", "rdo", "intra,rdoq,sdh,deadzone", false},
		{"+ planar, horizontal, vertical", "rdo", "angular,rdoq,sdh,deadzone", false},
		{"+ all intra modes", "rdo", "rdoq,sdh,deadzone", false},
		{"+ dead zone", "rdo", "rdoq,sdh", false},
		{"+ sign hiding", "rdo", "rdoq", false},
		{"+ RDOQ (all of rdo)", "rdo", "", true},
		{"all of hw", "hw", "", false},
	},
	"t264": {
		{"+ 4x4 transform, quantisation, contexts", "rdo", "intra,i8,i16,rdoq,deadzone", false},
		{"+ 8x8 and 16x16 blocks", "rdo", "intra,rdoq,deadzone", false},
		{"+ horizontal, vertical, plane", "rdo", "angular,rdoq,deadzone", false},
		{"+ all intra modes", "rdo", "rdoq,deadzone", false},
		{"+ dead zone", "rdo", "rdoq", false},
		{"+ trellis (all of rdo)", "rdo", "", true},
		{"all of hw", "hw", "", false},
	},
}

// Fig2b is the bits a value that a tensor takes at equal error, as one stage of a codec after the other is switched on.
type Fig2b struct {
	Codec, Tensor string
	NMSEDB        []float64  // errors relative to the variance
	Rows          []Fig2bRow // the codes, their entropy, the stages, and bounds
	Statements    []Statement
}

// A Fig2bRow is one stage.
type Fig2bRow struct {
	Name  string
	Codes bool       // the 8-bit codes themselves, far above all stages
	Bits  []*float64 // a value, by error; nil where the error is not reached
	Above []*float64 // bits above those that a Gaussian of the same variance needs
}

// Fig2bStages is the number of stages of a codec: NewFig2b calls step after each.
func Fig2bStages(codec string) int { return len(fig2bStages[codec]) }

// NewFig2b codes the tensor at each error with each stage.
func NewFig2b(m *tensorcodec.Matrix, dbs []float64, paper *presets.Stated, step func()) (*Fig2b, error) {
	r := &Fig2b{Codec: m.Options().Codec.Name(), Tensor: m.Name, NMSEDB: dbs}
	variance := tensor.Variance(m.Values)
	exact, err := m.Distortion(m.Codes)
	if err != nil {
		return nil, err
	}
	entropy := codeEntropy(m.Codes)
	row := func(name string, bits func(mse float64) (*float64, error)) error {
		x := Fig2bRow{Name: name}
		for _, db := range dbs {
			v, err := bits(variance * math.Pow(10, db/10))
			if err != nil {
				return err
			}
			var above *float64
			if v != nil {
				d := *v - gaussianBits(db)
				above = &d
			}
			x.Bits, x.Above = append(x.Bits, v), append(x.Above, above)
		}
		r.Rows = append(r.Rows, x)
		return nil
	}
	for _, codes := range []struct {
		name string
		bits float64
	}{{"8-bit codes", 8}, {"+ entropy coding (ideal, order 0)", entropy}} {
		if err := row(codes.name, func(mse float64) (*float64, error) {
			if exact.MSE > mse {
				return nil, nil
			}
			return &codes.bits, nil
		}); err != nil {
			return nil, err
		}
		r.Rows[len(r.Rows)-1].Codes = true
	}
	var full *Fig2bRow
	for _, s := range fig2bStages[r.Codec] {
		if err := row(s.name, func(mse float64) (*float64, error) { return stageBits(m, s, mse) }); err != nil {
			return nil, err
		}
		if s.full {
			full = &r.Rows[len(r.Rows)-1]
		}
		step()
	}
	ecsq := tensor.NewECSQ(m.Values)
	for _, bound := range []struct {
		name string
		bits func(mse float64) float64
	}{{"ECSQ", ecsq.AtMSE}, {"Gaussian bound", func(mse float64) float64 { return tensor.GaussianBits(variance, mse) }}} {
		if err := row(bound.name, func(mse float64) (*float64, error) { v := bound.bits(mse); return &v, nil }); err != nil {
			return nil, err
		}
	}
	r.Statements = fig2bStatements(full, dbs, entropy, paper)
	return r, paper.Err
}

// codeEntropy is the order-0 entropy of 8-bit codes.
func codeEntropy(codes []uint8) float64 {
	signed := make([]float32, len(codes))
	for i, v := range codes {
		signed[i] = float32(v)
	}
	entropy, _ := tensor.NewECSQ(signed).At(1)
	return entropy
}

// stageBits is what a stage takes for a mean squared error, nil where it does not reach it.
func stageBits(m *tensorcodec.Matrix, s fig2bStage, mse float64) (*float64, error) {
	o := m.Options()
	o.Tier, o.Off, o.Target = s.tier, s.off, tensorcodec.Target{Kind: tensorcodec.TargetMSE, Value: mse}
	coded, err := m.Encode(o)
	if err != nil || coded.Note != "" {
		return nil, err
	}
	bits := 8 * float64(len(coded.Stream)) / float64(len(m.Codes))
	return &bits, nil
}

// gaussianBits is what a Gaussian needs for an error relative to its variance.
func gaussianBits(db float64) float64 { return tensor.GaussianBits(1, math.Pow(10, db/10)) }

// fig2bStatements sets the paper's numbers beside ours at the error nearest to -20 dB.
func fig2bStatements(full *Fig2bRow, dbs []float64, entropy float64, paper *presets.Stated) []Statement {
	k := 0
	for i, db := range dbs {
		if math.Abs(db+20) < math.Abs(dbs[k]+20) {
			k = i
		}
	}
	var list []Statement
	add := func(what, name, from string, ours *float64, remark string) {
		v := paper.Get(name)
		list = append(list, Statement{What: what, Unit: "bit/value", Paper: &v, Ours: ours, Formula: from, Remark: join("another tensor than the paper's", remark)})
	}
	start, saved := 8.0, 8-entropy
	add("start", "figure2b.start", "8-bit codes", &start, "")
	add("entropy coding saves", "figure2b.entropy-coding-saves", "ideal order-0 entropy of the codes", &saved, "")
	remark := ""
	if bound := gaussianBits(dbs[k]); paper.Get("figure2b.full-intra") < bound {
		remark = fmt.Sprintf("a Gaussian needs %.2f bits for this error, so the paper's is measured differently", bound)
	}
	add("full intra coding", "figure2b.full-intra", fmt.Sprintf("tier rdo at %g dB", dbs[k]), full.Bits[k], remark)
	return list
}
