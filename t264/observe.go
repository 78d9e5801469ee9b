package t264

import (
	"math/bits"
	"vcsim/t264/block"
)

// A Macroblock is what an Encoder or a Decoder tells a function that observes
// it of one macroblock: its decisions, its levels and, from a Decoder, its
// prediction. It is valid during the call.
type Macroblock struct {
	Addr   int        // in raster order of the picture (mbAddr)
	X, Y   int        // column and row, in macroblocks
	Kind   uint8      // I_NxN of 4x4 blocks 0, of 8x8 blocks 1, I_16x16 2, I_PCM 3
	Edge   block.Edge // the neighbouring macroblocks that are available
	Mode16 uint8      // Intra16x16PredMode of I_16x16
	// Modes are the intra modes of I_NxN by 4x4 block in decoding order; an 8x8
	// block fills four.
	Modes  [16]uint8
	CBP    uint8 // CodedBlockPatternLuma: bit i for 8x8 block i; 0 or 15 in I_16x16
	QP     int   // QPY, 0..51
	Bypass bool  // TransformBypassModeFlag: the levels are the residual itself
	Last   bool  // the last one of its slice
	Final  bool  // the last one of its picture

	// DC holds Intra16x16DCLevel by scan position, s16, and DCMask has the bits
	// of those that are not zero.
	DC     [16]int16
	DCMask uint16
	// Levels holds those of 8x8 block i from 64*i on, by scan position, s16; those
	// of 4x4 block b, in decoding order, from 16*b on. AC blocks count positions
	// from the DC on, whose level is 0. Bit k of Mask[i] is set where level 64*i+k
	// is not zero: so 4x4 block b has bits 16*(b&3) to 16*(b&3)+15 of Mask[b>>2].
	Levels [256]int16
	Mask   [4]uint64

	// Prediction holds the samples before the residual, row by row. It comes from
	// a Decoder only.
	Prediction [256]uint8
}

// Mask4 returns the mask of 4x4 block b, 0..15.
func (m *Macroblock) Mask4(b int) uint16 { return uint16(m.Mask[b>>2&3] >> (16 * (b & 3))) }

// Observe makes the Encoder call f with each macroblock once it is coded, in
// decoding order; nil ends that.
func (e *Encoder) Observe(f func(*Macroblock)) { e.observe = f }

// report tells e.observe of a macroblock that is coded.
func (e *Encoder) report(addr int, last bool) {
	f, p := &e.f, &e.plan
	m := Macroblock{
		Addr: addr, X: addr % f.mbWidth, Y: addr / f.mbWidth, Kind: p.kind, Edge: e.edge, CBP: p.cbp, QP: e.fine.prev,
		Bypass: e.p.Lossless, Last: last, Final: addr == len(f.mb)-1, Mask: p.mask,
	}
	if p.kind == block.MB16x16 {
		m.Mode16, m.DCMask = p.mode16, uint16(p.dcMask)
		for k := range m.DC {
			if m.DCMask>>k&1 != 0 {
				m.DC[k] = p.dcLev[k]
			}
		}
	} else {
		m.Modes = f.modes(addr)
	}
	for i, mask := range m.Mask {
		for ; mask != 0; mask &= mask - 1 {
			k := 64*i + bits.TrailingZeros64(mask)
			m.Levels[k] = p.lev[k]
		}
	}
	e.observe(&m)
}

// Observe makes Next call f with each macroblock once it is decoded, in decoding
// order; nil ends that. It is not called for a macroblock that cannot be decoded.
func (d *Decoder) Observe(f func(*Macroblock)) {
	d.m.observe, d.m.seen = f, nil
	if f != nil {
		d.m.seen = new(Macroblock)
	}
}

// report tells m.observe of a macroblock that is decoded.
func (m *mbDecoder) report(addr int, last bool) {
	f, s := &m.f, m.seen
	info := &f.mb[addr]
	s.Addr, s.X, s.Y, s.Kind, s.Edge = addr, addr%f.mbWidth, addr/f.mbWidth, info.kind, m.edge
	s.CBP, s.QP, s.Bypass, s.Last, s.Final = info.cbp, m.qp, m.bypass, last, addr == len(f.mb)-1
	if info.kind < block.MB16x16 {
		s.Modes = f.modes(addr)
	}
	m.observe(s)
}

// see notes the levels decoded last, count of them, of the block that begins
// with 4x4 block b; their positions in the scan count from first.
func (m *mbDecoder) see(b, first, count int) {
	r, s := &m.residual, m.seen
	for i := range count {
		k := int(r.at[i]) + first
		s.Levels[16*b+k] = int16(r.lev[i])
		s.Mask[b>>2] |= 1 << (16*(b&3) + k)
	}
}

// seeDC notes the DC levels decoded last, count of them.
func (m *mbDecoder) seeDC(count int) {
	r, s := &m.residual, m.seen
	for i := range count {
		s.DC[r.at[i]&15] = int16(r.lev[i])
		s.DCMask |= 1 << (r.at[i] & 15)
	}
}

// seePrediction notes the prediction of the n by n block (x, y), which is in the
// picture still without its residual.
func (m *mbDecoder) seePrediction(x, y, n int) {
	for j := range n {
		copy(m.seen.Prediction[16*(y&15+j)+x&15:][:n], m.f.pix[(y+j)*m.f.stride+x:])
	}
}
