package t264

import "io"

// The software decoder as the source of the items that a lane would make.

// DecodeItems decodes an Annex B stream and returns, beside the pictures, the
// items of each: those of its slices one after the other. It fails where a
// Decoder does.
func DecodeItems(stream []byte) (pictures []Picture, items [][]Item, err error) {
	d, err := NewDecoder(stream)
	if err != nil {
		return nil, nil, err
	}
	var of []Item
	d.m.items = func(t Item) { of = append(of, t) }
	for {
		p, err := d.Next()
		if err == io.EOF {
			return pictures, items, nil
		}
		if err != nil {
			return nil, nil, err
		}
		pictures, items = append(pictures, p), append(items, of)
		of = nil
	}
}

// itemMB passes on macroblock addr, all of whose syntax but the residual is
// known; mode is Intra16x16PredMode.
func (m *mbDecoder) itemMB(addr, mode int) {
	f := &m.f
	info := &f.mb[addr]
	x, y := addr%f.mbWidth, addr/f.mbWidth
	mb := MBItem{Kind: info.kind, Mode: uint8(mode), CBP: info.cbp, QP: uint8(m.qp), Left: m.edge.left, Above: m.edge.above,
		AboveLeft: m.edge.aboveLeft, AboveRight: m.edge.aboveRight, Final: addr == len(f.mb)-1, X: uint16(x), Y: uint16(y)}
	m.items(Item{Kind: ItemMB, Data: mb.Pack()})
	if info.kind == mb16x16 {
		return
	}
	var modes uint64
	for b := range 16 {
		modes |= uint64(f.mode[(4*y+int(blockY[b]>>2))*f.stride4+4*x+int(blockX[b]>>2)]) << (4 * b)
	}
	m.items(Item{Kind: ItemModes, Data: modes})
}

// itemLevels passes on the levels decoded last, count of them, whose positions
// in the scan count from first.
func (m *mbDecoder) itemLevels(kind, block, first, count int) {
	r := &m.residual
	if count == 0 {
		m.items(Item{Kind: uint8(kind), Block: uint8(block), Last: true})
		return
	}
	t := Item{Kind: uint8(kind), Block: uint8(block), Group: (r.at[0] + uint8(first)) >> 2, Coded: true}
	for i := range count { // from the highest position down
		at := r.at[i] + uint8(first)
		if at>>2 != t.Group {
			m.items(t)
			t.Group, t.Data = at>>2, 0
		}
		t.Data |= uint64(uint16(r.lev[i])) << (16 * (at & 3))
	}
	t.Last = true
	m.items(t)
}
