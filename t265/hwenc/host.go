package hwenc

import (
	"fmt"
	"math/bits"

	"vcsim/t265"
	"vcsim/t265/block"
)

// A CodedSlice is a slice of a picture, as the pixel path hands it to a lane and as
// it leaves: slice data with its emulation prevention bytes.
type CodedSlice struct {
	Words []Word
	Data  []byte
}

// CodePicture codes one picture like Encoder.AppendFrameFine, with params of the
// hw tier, and returns its slices.
func CodePicture(params t265.Params, pix []byte, stride, qp16 int) ([]CodedSlice, error) {
	if params.Tier != t265.HW || params.Lossless {
		return nil, fmt.Errorf("t265: the words of a lane come from the hw tier, which is not lossless")
	}
	e, err := t265.NewEncoder(params)
	if err != nil {
		return nil, err
	}
	var list []CodedSlice
	e.Observe(func(b *t265.Block) {
		if b.First {
			list = append(list, CodedSlice{})
		}
		s := &list[len(list)-1]
		s.Words = AppendWords(s.Words, b)
	})
	stream, err := e.AppendFrameFine(e.AppendHeader(nil), pix, stride, qp16)
	if err != nil {
		return nil, err
	}
	slices, err := t265.Slices(stream)
	if err != nil {
		return nil, err
	}
	for i := range slices {
		list[i].Data = slices[i].Data
	}
	return list, nil
}

// AppendWords appends the words of a block.
func AppendWords(dst []Word, b *t265.Block) []Word {
	w := BlockWord{
		Init: b.First, QP: uint8(b.SliceQP), Splits: uint8(b.CUSplits), SplitEnd: b.CUEnds, SplitInc: b.SplitInc,
		Unit: b.Unit, Part: b.PartMode, Probable: b.Probable, Mode: b.Mode, Trees: uint8(b.TreeSplits), TreeEnd: b.TreeEnds,
		Root: b.Root, Coded: b.Coded, SkipFlag: b.SkipCoded, Skip: b.Skip, Log2: uint8(b.Levels.Log2 - 2), Scan: uint8(b.Levels.Scan),
		Hide: b.Hides, EndCTU: b.EndCTU, Last: b.Last,
	}
	if b.QPCoded {
		w.Delta = [3]uint8{3, 1, 2}[b.QPDelta+1]
	}
	if !b.Coded {
		return append(dst, w.Word())
	}
	l := &b.Levels
	top, _, x, y := l.Last()
	w.LastX, w.LastY = uint8(x), uint8(y)
	return appendSubBlocks(append(dst, w.Word()), l, top)
}

// appendSubBlocks appends the words of the sub-blocks from the one with the last
// level on.
func appendSubBlocks(dst []Word, l *block.Levels, top int) []Word {
	scan := l.Order()
	var coded [9]uint16 // bit y of entry x is coded_sub_block_flag
	for i := top; i >= 0; i-- {
		x, y := int(scan.SubX[i]), int(scan.SubY[i])
		s := SubBlockWord{Mask: l.Mask[i], Around: uint8(coded[x+1]>>y&1 | coded[x]>>(y+1)&1<<1), DC: i == 0, Top: i == top}
		var groups [4]LevelsWord
		for k, v := range l.Lev[16*i : 16*i+16] {
			if s.Mask>>k&1 == 0 {
				continue
			}
			m := v
			if v < 0 {
				s.Sign |= 1 << k
				m = -v
			}
			if m > 1 {
				s.Greater |= 1 << k
				s.Two = m > 2
			}
			groups[k>>2].Level[k&3] = uint16(m)
		}
		if s.Mask != 0 {
			coded[x] |= 1 << y
		}
		dst = append(dst, s.Word())
		for g := bits.Len16(s.Greater) >> 2; g >= 0; g-- {
			if g < 4 && s.Greater>>(4*g)&15 != 0 {
				dst = append(dst, groups[g].Word())
			}
		}
	}
	return dst
}
