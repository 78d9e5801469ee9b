package hwenc

import (
	"fmt"
	"vcsim/t264"
	"vcsim/t264/block"
	"vcsim/t264/hw"
)

// Macroblocks receives each macroblock that an Encoder of the hw tier codes, as
// the pixel path of the hardware hands it to the entropy coding: its token and
// the levels of its AC blocks. Both are valid during the call. The thread is 0.
type Macroblocks func(mb *hw.MBToken, ac *[16]hw.ACToken)

// AppendSlice codes one picture like Encoder.AppendFrameFine, with params of the
// hw tier, and appends the slice data alone, with emulation prevention: what the
// hardware makes of the tokens that each, if not nil, receives. The picture is
// one slice, and all macroblocks are I_16x16.
func AppendSlice(dst []byte, params t264.Params, pix []byte, stride, qp16 int, each Macroblocks) ([]byte, error) {
	if params.Tier != t264.HW || params.Lossless || params.Slices > 1 || params.Off&t264.ToolI16 != 0 {
		return dst, fmt.Errorf("t264: tokens come from the hw tier, one slice of I_16x16 macroblocks a picture")
	}
	e, err := t264.NewEncoder(params)
	if err != nil {
		return dst, err
	}
	if each != nil {
		t := tokens{each: each, sliceQP: qp16 >> 4, qp: qp16 >> 4, above: make([]uint8, (params.Width+15)/16)}
		e.Observe(t.macroblock)
	}
	stream, err := e.AppendFrameFine(e.AppendHeader(nil), pix, stride, qp16)
	if err != nil {
		return dst, err
	}
	slices, err := t264.Slices(stream)
	if err != nil {
		return dst, err
	}
	return append(dst, slices[0].Data...), nil
}

// tokens turns what an Encoder tells of its macroblocks into tokens.
type tokens struct {
	each    Macroblocks
	sliceQP int
	qp      int  // QPY of the macroblock before
	changed bool // its mb_qp_delta was not zero
	// left and above are coded_block_flag beside the next macroblock, as
	// MBToken.LeftCoded; above is by column.
	left  uint8
	above []uint8
}

func (t *tokens) macroblock(m *t264.Macroblock) {
	mb := hw.MBToken{
		QP: uint8(t.sliceQP), Mode: m.Mode16, CBP: m.CBP != 0, Changed: t.changed,
		Left: m.Edge.Left, Above: m.Edge.Above, LeftCoded: 0x1f, AboveCoded: 0x1f, Last: m.Last, DC: m.DC,
	}
	if mb.Left {
		mb.LeftCoded = t.left
	}
	if mb.Above {
		mb.AboveCoded = t.above[m.X]
	}
	switch m.QP - t.qp {
	case 1:
		mb.QPDelta = 1
	case -1:
		mb.QPDelta = 2
	}
	t.changed, t.qp = m.QP != t.qp, m.QP
	dc := bin(m.DCMask != 0) << 4
	t.left, t.above[m.X] = dc, dc
	var ac [16]hw.ACToken
	for b := range ac {
		coded := m.Mask4(b) != 0
		ac[b] = hw.ACToken{Block: uint8(b), Coded: coded, Levels: [16]int16(m.Levels[16*b:])}
		x, y := block.X[b]>>2, block.Y[b]>>2
		if x == 3 {
			t.left |= bin(coded) << y
		}
		if y == 3 {
			t.above[m.X] |= bin(coded) << x
		}
	}
	t.each(&mb, &ac)
}
