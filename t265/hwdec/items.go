package hwdec

import (
	"fmt"
	"io"

	"vcsim/t265"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// The software decoder as the source of the items that a lane would make.

// DecodeItems decodes an Annex B stream and returns, beside the pictures, the items of
// each: those of its slice segments one after the other. It fails where a Decoder does,
// and on what lanes do not take.
func DecodeItems(stream []byte) (pictures []t265.Picture, items [][]hw.Item, err error) {
	if _, err := Slices(stream); err != nil {
		return nil, nil, err
	}
	d, err := t265.NewDecoder(stream)
	if err != nil {
		return nil, nil, err
	}
	var of []hw.Item
	var refused error
	d.Observe(func(b *t265.Transform, last bool) {
		sps, _ := d.ParameterSets()
		if b != nil && b.Bypass && refused == nil {
			refused = fmt.Errorf("t265: ctu %d: %w", b.CTU, t265.UnsupportedError("cu_transquant_bypass_flag = 1"))
		}
		of = appendItems(of, sps, b, last)
	})
	for {
		pcm := d.Stats().PCM
		p, err := d.Next()
		if refused == nil && d.Stats().PCM != pcm {
			refused = fmt.Errorf("t265: picture %d: %w", len(pictures), t265.UnsupportedError("pcm_flag = 1"))
		}
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

// appendItems appends the items of a transform block, or, without one, that of the end
// of its CTU, whose last block came before, and of the slice segment.
func appendItems(dst []hw.Item, sps *t265.SPS, b *t265.Transform, last bool) []hw.Item {
	if b == nil {
		// The CTU is that of the last head.
		i := len(dst) - 1
		for dst[i].Kind != hw.ItemTU {
			i--
		}
		h := hw.UnpackHead(dst[i].Data)
		h.X, h.Y, h.Log2, h.Mode, h.Scan, h.QP, h.Coded, h.Skip = 0, 0, 0, 0, 0, 0, false, false
		dst = append(dst, hw.Item{Kind: hw.ItemCTU, Data: h.Pack()})
		if last {
			dst = append(dst, hw.Item{Kind: hw.ItemEnd, Data: hw.EndComplete})
		}
		return dst
	}
	g := block.NewGrid(sps.Width, sps.Height, sps.Log2CTB)
	size := 1 << sps.Log2CTB
	x, y := b.CTU%g.CTBWidth, b.CTU/g.CTBWidth
	h := hw.Head{
		X: uint8(b.X & (size - 1) / 4), Y: uint8(b.Y & (size - 1) / 4), Log2: uint8(b.Log2 - 2), Mode: uint8(b.Mode), Scan: uint8(block.ScanIndex(b.Log2, b.Mode)),
		Coded: b.Coded, Skip: b.Skip, CTUX: uint16(x), CTUY: uint16(y), Log2CTB: uint8(sps.Log2CTB - 4),
		Left: b.Edge.Left, Above: b.Edge.Above, AboveLeft: b.Edge.AboveLeft, AboveRight: b.Edge.AboveRight,
		Right: 15, Bottom: uint8(min(sps.Height-y*size, size) / 8),
		Final: b.CTU == g.CTBWidth*g.CTBHeight-1, Strong: sps.StrongSmoothing,
	}
	if x >= g.CTBWidth-2 {
		h.Right = uint8(min((sps.Width-x*size)/8, 15))
	}
	if b.Coded {
		h.QP = uint8(b.QP)
	}
	dst = append(dst, hw.Item{Kind: hw.ItemTU, Data: h.Pack()})
	if !b.Coded {
		return dst
	}
	scan := &block.Scans[b.Log2-2][h.Scan]
	for i := scan.N - 1; i >= 0; i-- {
		for group := 3; group >= 0; group-- {
			if b.Sig[i]>>(4*group)&15 == 0 && i|group != 0 {
				continue
			}
			t := hw.Item{Kind: hw.ItemLevels, SubX: scan.SubX[i], SubY: scan.SubY[i], Group: uint8(group)}
			for j, l := range b.Levels[16*i+4*group:][:4] {
				t.Data |= uint64(uint16(l)) << (16 * j)
			}
			dst = append(dst, t)
		}
	}
	return dst
}
