package tensorcodec

import "vcsim/t265"

func init() { codecs["t265"] = codec265{} }

// codec265 is package t265 behind the interface.
type codec265 struct{}

func (codec265) Name() string { return "t265" }
func (codec265) MaxQP() int   { return 51 }

func (codec265) NewEncoder(c Config) (Encoder, error) {
	tier, err := t265.ParseTier(c.Tier)
	if err != nil {
		return nil, err
	}
	off, err := t265.ParseTools(c.Off)
	if err != nil {
		return nil, err
	}
	e, err := t265.NewEncoder(t265.Params{
		Width: c.Width, Height: c.Height, Tier: tier, Lossless: c.Lossless, Off: off, CTU: c.CTU, FineQP: c.FineQP,
	})
	if err != nil {
		return nil, err
	}
	e.OnRow(c.OnRow)
	return encoder265{e}, nil
}

// encoder265 is a t265.Encoder behind the interface.
type encoder265 struct{ *t265.Encoder }

// AppendFrame codes a frame; IDR pictures of H.265 do not depend on their position.
func (e encoder265) AppendFrame(dst, pix []byte, stride int, qp QP, _ int) ([]byte, error) {
	return e.AppendFrameFine(dst, pix, stride, int(qp)*16/qpOne)
}

func (e encoder265) Bins() Bins {
	s := e.Stats()
	return Bins{s.Regular(), s.BypassBins()}
}

func (codec265) SplitFrames(stream []byte) ([][]byte, error) { return t265.SplitFrames(stream) }

func (codec265) DecodeFrame(part []byte) (Picture, error) {
	d, err := t265.NewDecoder(part)
	if err != nil {
		return Picture{}, err
	}
	p, err := d.Next()
	return decoded(p.Width, p.Height, p.Pix, err)
}
