package t264

import (
	"fmt"
	"io"
	"math/bits"
)

// The software decoder as the source of the items that a lane would make.

// DecodeItems decodes an Annex B stream and returns, beside the pictures, the
// items of each: those of its slices one after the other. It fails where a
// Decoder does, and on what lanes do not take: I_PCM and transform bypass.
func DecodeItems(stream []byte) (pictures []Picture, items [][]Item, err error) {
	d, err := NewDecoder(stream)
	if err != nil {
		return nil, nil, err
	}
	var of []Item
	var refused error // the first macroblock that lanes do not take
	d.Observe(func(m *Macroblock) {
		if err := laneTakes(m); err != nil && refused == nil {
			refused = fmt.Errorf("t264: picture %d, macroblock %d: %w", len(pictures), m.Addr, err)
		}
		if refused == nil {
			of = appendItems(of, m)
		}
	})
	for {
		p, err := d.Next()
		switch {
		case refused != nil:
			return nil, nil, refused
		case err == io.EOF:
			return pictures, items, nil
		case err != nil:
			return nil, nil, err
		}
		pictures, items = append(pictures, p), append(items, of)
		of = nil
	}
}

// laneTakes returns why lanes do not take a macroblock, nil if they do.
func laneTakes(m *Macroblock) error {
	switch {
	case m.Kind == mbPCM:
		return UnsupportedError("mb_type = 25")
	case m.Bypass:
		return UnsupportedError("qpprime_y_zero_transform_bypass_flag = 1")
	}
	return nil
}

// appendItems appends the items of a macroblock, and that of the end behind the
// last one of a slice.
func appendItems(dst []Item, m *Macroblock) []Item {
	mb := MBItem{Kind: m.Kind, Mode: m.Mode16, CBP: m.CBP, QP: uint8(m.QP), Left: m.Edge.left, Above: m.Edge.above,
		AboveLeft: m.Edge.aboveLeft, AboveRight: m.Edge.aboveRight, Final: m.Final, X: uint16(m.X), Y: uint16(m.Y)}
	dst = append(dst, Item{Kind: ItemMB, Data: mb.Pack()})
	if m.Kind == mb16x16 {
		dst = appendLevels(dst, Item{Kind: ItemDC}, m.DC[:], uint64(m.DCMask))
	} else {
		var modes uint64
		for b, mode := range m.Modes {
			modes |= uint64(mode) << (4 * b)
		}
		dst = append(dst, Item{Kind: ItemModes, Data: modes})
	}
	for i := range 4 {
		switch {
		case m.CBP>>i&1 == 0:
		case m.Kind == mb8x8:
			dst = appendLevels(dst, Item{Kind: ItemBlock, Block: uint8(4 * i)}, m.Levels[64*i:][:64], m.Mask[i])
		default:
			for b := 4 * i; b < 4*i+4; b++ {
				dst = appendLevels(dst, Item{Kind: ItemBlock, Block: uint8(b)}, m.Levels[16*b:][:16], uint64(m.Mask4(b)))
			}
		}
	}
	if m.Last {
		dst = append(dst, Item{Kind: ItemEnd, Data: EndComplete})
	}
	return dst
}

// appendLevels appends the items of a block like t, from the highest group with
// levels down. Levels are by scan position; those in mask are not zero.
func appendLevels(dst []Item, t Item, levels []int16, mask uint64) []Item {
	if mask == 0 {
		t.Last = true
		return append(dst, t)
	}
	t.Coded = true
	for mask != 0 {
		t.Group, t.Data = uint8(bits.Len64(mask)-1)>>2, 0
		for i, l := range levels[4*t.Group:][:4] {
			t.Data |= uint64(uint16(l)) << (16 * i)
		}
		mask &= 1<<(4*t.Group) - 1
		t.Last = mask == 0
		dst = append(dst, t)
	}
	return dst
}
