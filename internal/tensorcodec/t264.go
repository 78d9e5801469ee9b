package tensorcodec

import "vcsim/t264"

func init() { codecs["t264"] = codec264{} }

// codec264 is package t264 behind the interface.
type codec264 struct{}

func (codec264) Name() string { return "t264" }
func (codec264) MaxQP() int   { return 51 }

func (codec264) NewEncoder(c Config) (Encoder, error) {
	if c.CTU != 0 {
		return nil, UnsupportedError("t264 has macroblocks of 16x16, no coding tree units")
	}
	tier, err := t264.ParseTier(c.Tier)
	if err != nil {
		return nil, err
	}
	off, err := t264.ParseTools(c.Off)
	if err != nil {
		return nil, err
	}
	e, err := t264.NewEncoder(t264.Params{Width: c.Width, Height: c.Height, Tier: tier, Lossless: c.Lossless, Off: off})
	if err != nil {
		return nil, err
	}
	e.OnRow(c.OnRow)
	return encoder264{e}, nil
}

// encoder264 is a t264.Encoder behind the interface.
type encoder264 struct{ *t264.Encoder }

// AppendFrame codes a frame; successive IDR pictures of H.264 differ in idr_pic_id, which follows from the index.
func (e encoder264) AppendFrame(dst, pix []byte, stride int, qp QP, index int) ([]byte, error) {
	e.SetFrame(index)
	return e.AppendFrameFine(dst, pix, stride, int(qp)*16/qpOne)
}

func (e encoder264) Bins() Bins {
	s := e.Stats()
	return Bins{s.Regular(), s.BypassBins()}
}

func (codec264) SplitFrames(stream []byte) ([][]byte, error) { return t264.SplitFrames(stream) }

func (codec264) DecodeFrame(part []byte) (Picture, error) {
	d, err := t264.NewDecoder(part)
	if err != nil {
		return Picture{}, err
	}
	p, err := d.Next()
	return decoded(p.Width, p.Height, p.Pix, err)
}
