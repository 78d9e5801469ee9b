package figures

import (
	"fmt"

	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
	"vcsim/t264"
	"vcsim/t265"
)

// Fig4 is the codes of a tensor, what intra prediction made of them, the residual that was left to code, and the reconstruction:
// planes of Width x Height bytes.
type Fig4 struct {
	Tensor        string
	Width, Height int

	Codes, Prediction, Recon []byte
	Residual                 []byte // offset by 128 and clipped: grey is zero

	BitsPerValue   float64
	CodeVariance   float64
	ResidualEnergy float64 // mean square, before it is coded
	ResidualShare  float64 // of the variance, in percent
	MSE            float64 // of the reconstruction, in code units
}

// NewFig4 codes a tensor of one frame at a quantiser parameter, with the tier of its options.
func NewFig4(m *tensorcodec.Matrix, qp float64) (*Fig4, error) {
	if m.Grid.Frames() != 1 {
		return nil, fmt.Errorf("tensor %q has %d frames; fig4 draws one", m.Name, m.Grid.Frames())
	}
	o := m.Options()
	o.Target = tensorcodec.Target{Kind: tensorcodec.TargetQP, Value: qp}
	coded, err := m.Encode(o)
	if err != nil {
		return nil, err
	}
	r := &Fig4{Tensor: m.Name, Width: m.Cols, Height: m.Rows, Codes: m.Codes, Recon: coded.Recon}
	if r.Prediction, err = predictionOf(o.Codec.Name(), coded.Stream); err != nil {
		return nil, err
	}
	n := float64(len(m.Codes))
	r.Residual = make([]byte, len(m.Codes))
	var energy, left, mean float64
	for _, v := range m.Codes {
		mean += float64(v) / n
	}
	for i, v := range m.Codes {
		e := float64(v) - float64(r.Prediction[i])
		left += e * e
		energy += (float64(v) - mean) * (float64(v) - mean)
		r.Residual[i] = byte(max(0, min(255, e+128)))
	}
	r.BitsPerValue = 8 * float64(len(coded.Stream)) / n
	r.CodeVariance, r.ResidualEnergy, r.ResidualShare = energy/n, left/n, 100*left/energy
	r.MSE = tensor.CompareCodes(m.Codes, coded.Recon).MSE
	return r, nil
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
