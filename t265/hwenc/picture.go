package hwenc

import (
	"fmt"
	"math/bits"
	"slices"

	"vcsim/t265"
	"vcsim/t265/block"
)

// A CodedSlice is a slice of a picture, as the pixel path hands it to a lane and as
// it leaves: slice data with its emulation prevention bytes.
type CodedSlice struct {
	CTUs  []PathCTU // of an encoder with one coding unit a CTU
	Words []Word
	Data  []byte
}

// A PathCTU is what the pixel path says of a CTU.
type PathCTU struct {
	Head   Head        // but for its thread
	Levels []SubLevels // but for their thread, in the order in which they come
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
	path := newPathCTUs(&params, qp16)
	e.Observe(func(b *t265.Block) {
		if b.First {
			list = append(list, CodedSlice{})
		}
		s := &list[len(list)-1]
		s.Words = AppendWords(s.Words, b)
		s.CTUs = path.add(s.CTUs, b)
	})
	stream, err := e.AppendFrameFine(e.AppendHeader(nil), pix, stride, qp16)
	if err != nil {
		return nil, err
	}
	coded, err := t265.Slices(stream)
	if err != nil {
		return nil, err
	}
	for i := range coded {
		list[i].Data = coded[i].Data
	}
	return list, nil
}

// AppendWords appends the words of a block.
func AppendWords(dst []Word, b *t265.Block) []Word {
	w := BlockWord{
		Init: b.First, QP: uint8(b.SliceQP), Unit: b.Unit, Probable: b.Probable, Mode: b.Mode, Trees: uint8(b.TreeSplits), TreeEnd: b.TreeEnds,
		Root: b.Root, Coded: b.Coded, Skip: b.Skip, Log2: uint8(b.Levels.Log2 - 2), Scan: uint8(b.Levels.Scan),
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

// pathCTUs makes PathCTUs of the blocks of a picture.
type pathCTUs struct {
	width, high int // CTUs of a row, and those with the higher QP
	fine        bool
	at          int // CTU
	z           int // place in it
	left        int // mode of the CTU before
}

func newPathCTUs(p *t265.Params, qp16 int) *pathCTUs {
	size := p.CTU
	if size == 0 {
		size = 16
	}
	w, h := (p.Width+size-1)/size, (p.Height+size-1)/size
	u := &pathCTUs{width: w, fine: p.FineQP}
	if p.FineQP {
		u.high = (qp16&15*w*h + 8) >> 4
	}
	return u
}

// add appends a block, with its CTU if it is the first one.
func (u *pathCTUs) add(dst []PathCTU, b *t265.Block) []PathCTU {
	l := &b.Levels
	if b.Unit && u.z == 0 {
		h := Head{QP: uint8(b.SliceQP), High: u.at < u.high, Fine: u.fine, First: b.First, Left: u.at%u.width > 0, Split: l.Log2 < 4}
		h.QP += bin(h.High)
		if !h.Left {
			u.left = block.ModeDC
		}
		cand := block.ProbableModes(u.left, block.ModeDC)
		if u.left = cand[b.Mode%3]; !b.Probable {
			u.left = block.ModeFromRemainder(int(b.Mode), cand)
		}
		h.Mode = uint8(slices.Index(block.DecisionModes[:], uint8(u.left)))
		dst = append(dst, PathCTU{Head: h})
	}
	c := &dst[len(dst)-1]
	h := &c.Head
	if h.Last = b.Last; l.Log2 == 2 {
		h.Split8 |= 1 << (u.z >> 2 & 3)
	}
	n := 1 << (l.Log2 - 2) // sub-blocks on a side
	for i := range n * n {
		t := SubLevels{SX: uint8(i / n), SY: uint8(i % n), Scan: uint8(l.Scan), LastSub: i == n*n-1}
		t.QP, t.Mode, t.Log2, t.LastTU = h.QP, h.Mode, uint8(l.Log2-2), b.EndCTU
		t.CX, t.CY = uint8(u.z&1|u.z>>1&2), uint8(u.z>>1&1|u.z>>2&2)
		if at := int(l.Order().SubAt[t.SY<<3|t.SX]); b.Coded {
			t.Mask = l.Mask[at]
			for k, v := range l.Lev[16*at : 16*at+16] {
				if t.Mask>>k&1 != 0 {
					t.Levels[k] = v
				}
			}
		}
		c.Levels = append(c.Levels, t)
	}
	if u.z += n * n; b.EndCTU {
		u.z = 0
		u.at++
	}
	return dst
}
