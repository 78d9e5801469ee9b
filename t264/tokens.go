package t264

import "fmt"

// Macroblocks receives each macroblock that an Encoder of the hw tier codes, as
// the pixel path of the hardware hands it to the entropy coding: its token and
// the levels of its AC blocks. Both are valid during the call. The thread is 0.
type Macroblocks func(mb *MBToken, ac *[16]ACToken)

// AppendSlice codes one picture like AppendFrameFine and appends the slice data
// alone, with emulation prevention: what the hardware makes of the tokens that
// each receives. Of params only sizes and switches of the hw tier count; the
// picture is one slice, and all macroblocks are I_16x16.
func (e *Encoder) AppendSlice(dst, pix []byte, stride, qp16 int, each Macroblocks) ([]byte, error) {
	if e.rdo != nil || e.p.Lossless || e.p.Slices > 1 {
		return dst, fmt.Errorf("t264: tokens come from the hw tier, one slice a picture")
	}
	e.tokens = each
	frame, err := e.AppendFrameFine(nil, pix, stride, qp16)
	e.tokens = nil
	if err != nil {
		return dst, err
	}
	// A start code, the header of the NAL unit, and the slice header, in which no
	// byte is escaped: it has no two zeros in a row.
	return append(dst, frame[4+1+e.header:]...), nil
}

// token hands the macroblock addr at (x, y) to e.tokens.
func (e *Encoder) token(addr, x, y int, last bool) {
	f, p := &e.f, &e.plan
	left, above := uint8(0x1f), uint8(0x1f)
	if e.edge.left {
		left = f.mb[addr-1].dc << 4
		for i := range 4 {
			left |= f.coded[(y>>2+i)*f.stride4+x>>2-1] << i
		}
	}
	if e.edge.above {
		above = f.mb[addr-f.mbWidth].dc << 4
		for i := range 4 {
			above |= f.coded[(y>>2-1)*f.stride4+x>>2+i] << i
		}
	}
	mb := MBToken{
		QP: uint8(e.fine.qp16 >> 4), Mode: p.mode16, CBP: p.cbp != 0, Changed: e.fine.changed,
		Left: e.edge.left, Above: e.edge.above, LeftCoded: left, AboveCoded: above, Last: last, DC: p.dcLev,
	}
	switch e.qp - e.fine.prev {
	case 1:
		mb.QPDelta = 1
	case -1:
		mb.QPDelta = 2
	}
	var ac [16]ACToken
	for b := range ac {
		ac[b] = ACToken{Block: uint8(b), Coded: p.mask4(b) != 0, Levels: [16]int16(p.lev[16*b:])}
		ac[b].Levels[0] = 0
	}
	e.tokens(&mb, &ac)
}
