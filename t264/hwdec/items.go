package hwdec

import (
	"fmt"
	"io"
	"math/bits"
	"vcsim/t264"
	"vcsim/t264/block"
	"vcsim/t264/hw"
)

// The software decoder as the source of the items that a lane would make.

// DecodeItems decodes an Annex B stream and returns, beside the pictures, the
// items of each: those of its slices one after the other. It fails where a
// Decoder does, and on what lanes do not take: I_PCM and transform bypass.
func DecodeItems(stream []byte) (pictures []t264.Picture, items [][]hw.Item, err error) {
	d, err := t264.NewDecoder(stream)
	if err != nil {
		return nil, nil, err
	}
	var of []hw.Item
	var refused error // the first macroblock that lanes do not take
	d.Observe(func(m *t264.Macroblock) {
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
func laneTakes(m *t264.Macroblock) error {
	switch {
	case m.Kind == block.MBPCM:
		return t264.UnsupportedError("mb_type = 25")
	case m.Bypass:
		return t264.UnsupportedError("qpprime_y_zero_transform_bypass_flag = 1")
	}
	return nil
}

// appendItems appends the items of a macroblock, and that of the end behind the
// last one of a slice.
func appendItems(dst []hw.Item, m *t264.Macroblock) []hw.Item {
	mb := hw.MBItem{Kind: m.Kind, Mode: m.Mode16, CBP: m.CBP, QP: uint8(m.QP), Left: m.Edge.Left, Above: m.Edge.Above,
		AboveLeft: m.Edge.AboveLeft, AboveRight: m.Edge.AboveRight, Final: m.Final, X: uint16(m.X), Y: uint16(m.Y)}
	dst = append(dst, hw.Item{Kind: hw.ItemMB, Data: mb.Pack()})
	if m.Kind == block.MB16x16 {
		dst = appendLevels(dst, hw.Item{Kind: hw.ItemDC}, m.DC[:], uint64(m.DCMask))
	} else {
		var modes uint64
		for b, mode := range m.Modes {
			modes |= uint64(mode) << (4 * b)
		}
		dst = append(dst, hw.Item{Kind: hw.ItemModes, Data: modes})
	}
	for i := range 4 {
		switch {
		case m.CBP>>i&1 == 0:
		case m.Kind == block.MB8x8:
			dst = appendLevels(dst, hw.Item{Kind: hw.ItemBlock, Block: uint8(4 * i)}, m.Levels[64*i:][:64], m.Mask[i])
		default:
			for b := 4 * i; b < 4*i+4; b++ {
				dst = appendLevels(dst, hw.Item{Kind: hw.ItemBlock, Block: uint8(b)}, m.Levels[16*b:][:16], uint64(m.Mask4(b)))
			}
		}
	}
	if m.Last {
		dst = append(dst, hw.Item{Kind: hw.ItemEnd, Data: hw.EndComplete})
	}
	return dst
}

// appendLevels appends the items of a block like t, from the highest group with
// levels down. Levels are by scan position; those in mask are not zero.
func appendLevels(dst []hw.Item, t hw.Item, levels []int16, mask uint64) []hw.Item {
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
