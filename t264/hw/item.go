package hw

import "vcsim/t264/block"

// Items are what a decoder lane hands to the pixel path: the macroblocks of a
// slice, parsed. In order, a macroblock (clause 7.3.5) is
//
//	ItemMB       once: type, QP, pattern, neighbours, place
//	ItemModes    once, unless I_16x16: the intra modes
//	ItemDC       I_16x16: the DC block
//	ItemBlock    each block whose bit of the pattern is set, in decoding order
//
// and a slice ends with ItemEnd, after its last macroblock or in the middle of
// one when the data is bad.
//
// A DC block or a block has one item for each group of four scan positions that
// holds a level, highest group first, the last one marked; one without levels is
// a single item, not marked as coded, of group 0, levels 0. A block outside the
// pattern has no item.

// Kinds of items, 3 bits.
const (
	ItemMB    = iota // Data: an MBItem
	ItemModes        // Data: 16 modes of 4 bits, that of 4x4 block i in bits 4*i; an 8x8 block fills four
	ItemDC           // Data: levels of Intra16x16DCLevel
	ItemBlock        // Data: levels of a 4x4 block, of the AC of one, or of an 8x8 block
	ItemEnd          // Data: an error code, 0 for a slice that is complete
	numItemKinds
)

// An Item is one word between lane and pixel path, 77 bits in Verilog: Kind in
// bits 2..0, Block 6..3, Group 10..7, Last 11, Coded 12, Data 76..13. Fields that
// a kind does not name are zero.
type Item struct {
	Kind  uint8
	Block uint8 // of ItemBlock: 4x4 block in decoding order, 0..15; of an 8x8 block its first, a multiple of 4
	Group uint8 // of ItemDC and ItemBlock: scan positions 4*Group..4*Group+3; 0..3, in an 8x8 block 0..15
	Last  bool  // of ItemDC and ItemBlock: no more items of this block
	Coded bool  // of ItemDC and ItemBlock: not all levels of the block are zero
	// Data of levels: that of scan position 4*Group+i as s16 in bits 16*i. An AC
	// block counts positions from the DC on, whose level is 0.
	Data uint64
}

// Bits of an Item in Verilog.
const ItemBits = 77

// Level returns level i of the group, 0..3.
func (t *Item) Level(i int) int16 { return int16(t.Data >> (16 * (i & 3))) }

// An MBItem is Data of ItemMB: in Verilog 39 bits, the fields in their order, the
// first one lowest, in the bits that the tags say (gen/t264_dec_words.vh).
type MBItem struct {
	Kind uint8 `rtl:"2"` // 0 for 4x4 blocks, 1 for 8x8 blocks, 2 for I_16x16
	Mode uint8 `rtl:"2"` // Intra16x16PredMode of I_16x16 (0 vertical, 1 horizontal, 2 DC, 3 plane), else 0
	CBP  uint8 `rtl:"4"` // CodedBlockPatternLuma, bit i for 8x8 block i; 0 or 15 in I_16x16
	QP   uint8 `rtl:"6"` // QPY, 0..51
	// The neighbouring macroblocks that prediction may read, in the picture and in
	// the slice.
	Left, Above, AboveLeft, AboveRight bool
	Final                              bool   // the last macroblock of the picture
	X, Y                               uint16 `rtl:"10"` // its column and row
}

// Pack returns the bits of m.
func (m *MBItem) Pack() uint64 {
	v := uint64(m.Kind) | uint64(m.Mode)<<2 | uint64(m.CBP)<<4 | uint64(m.QP)<<8 | uint64(m.X)<<19 | uint64(m.Y)<<29
	for i, b := range [...]bool{m.Left, m.Above, m.AboveLeft, m.AboveRight, m.Final} {
		if b {
			v |= 1 << (14 + i)
		}
	}
	return v
}

// UnpackMBItem inverts Pack.
func UnpackMBItem(v uint64) MBItem {
	bit := func(i int) bool { return v>>i&1 != 0 }
	return MBItem{
		Kind: uint8(v & 3), Mode: uint8(v >> 2 & 3), CBP: uint8(v >> 4 & 15), QP: uint8(v >> 8 & 63),
		Left: bit(14), Above: bit(15), AboveLeft: bit(16), AboveRight: bit(17), Final: bit(18),
		X: uint16(v >> 19 & 1023), Y: uint16(v >> 29 & 1023),
	}
}

// Codes of ItemEnd and of the error output of a lane, 4 bits. All but the first
// end the slice where they are found.
const (
	EndComplete = iota // end_of_slice_flag
	EndStart           // the codeword starts with 510 or 511 (clause 9.3.1.2)
	EndData            // the slice data ends early
	EndPCM             // mb_type I_PCM, which stays in software
	EndChroma          // mb_type with chroma coefficients in a monochrome picture
	EndMode            // an intra mode without its neighbours
	EndQPDelta         // mb_qp_delta out of range
	EndLevel           // a level beyond 16 bits
	EndPicture         // slice data beyond the last macroblock
)

// Edge returns the neighbours of a macroblock.
func (m *MBItem) Edge() block.Edge {
	return block.Edge{Left: m.Left, Above: m.Above, AboveLeft: m.AboveLeft, AboveRight: m.AboveRight}
}
