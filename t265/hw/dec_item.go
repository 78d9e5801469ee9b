package hw

import "vcsim/t265/block"

// Items are what a decoder lane hands to the pixel path: the transform blocks of a
// slice, parsed. In decoding order, a CTU is
//
//	ItemTU       each transform block, coded or not: place, neighbours, mode, QP
//	ItemLevels   of a coded one: groups of four scan positions
//	ItemCTU      once, behind the last block of the CTU
//
// and a slice segment ends with ItemEnd, after the ItemCTU of its last CTU, or
// anywhere, if its data is bad.
//
// A coded block has an item for each group that holds a level with sig_coeff_flag,
// the last sub-block in scan order first, and in it the highest group first. The
// last one is that of group 0 of the sub-block at (0, 0), which always comes.
// Levels that have no item are zero.

// Kinds of items, 2 bits.
const (
	ItemTU     = iota // Data: a Head
	ItemLevels        // Data: four levels
	ItemCTU           // Data: a Head, whose fields of a transform block are zero
	ItemEnd           // Data: an error code, 0 for a slice segment that is complete
)

// ItemBits is the width of an Item in Verilog.
const ItemBits = 74

// An Item is one word between lane and pixel path, in Verilog the fields in their
// order, the first one lowest, in the bits that the tags say. Fields that a kind
// does not name are zero.
type Item struct {
	Kind uint8 `rtl:"2"`
	// Of ItemLevels: column and row of the sub-block in the transform block, in units
	// of four samples, and scan positions 4*Group..4*Group+3 in the sub-block.
	SubX, SubY uint8 `rtl:"3"` // 0..7
	Group      uint8 `rtl:"2"`
	// Data of levels: TransCoeffLevel of scan position 4*Group+i as s16 in bits 16*i.
	// The scan is that of Head.Scan (block.Scan.PosX, PosY).
	Data uint64 `rtl:"64"`
}

// Level returns level i of the group, 0..3.
func (t *Item) Level(i int) int16 { return int16(t.Data >> (16 * (i & 3))) }

// Last reports that an ItemLevels ends its transform block.
func (t *Item) Last() bool { return t.SubX|t.SubY|t.Group == 0 }

// A Head is Data of ItemTU and of ItemCTU, in Verilog 62 bits. It has all that the
// pixel path needs to predict and reconstruct a block.
type Head struct {
	// The transform block.
	X, Y  uint8 `rtl:"4"` // its first sample in the CTU, in units of four, 0..15
	Log2  uint8 `rtl:"2"` // log2 of its size, less 2: 0..3
	Mode  uint8 `rtl:"6"` // IntraPredModeY, 0..34
	Scan  uint8 `rtl:"2"` // scanIdx, 0..2; follows from Log2 and Mode
	QP    uint8 `rtl:"6"` // QpY, 0..51; 0 unless Coded
	Coded bool  // cbf_luma: ItemLevels follow
	Skip  bool  // transform_skip_flag; without it 4x4 blocks have the DST-VII

	// The CTU.
	CTUX, CTUY                         uint16 `rtl:"10"` // its column and row
	Log2CTB                            uint8  `rtl:"2"`  // log2 of its size, less 4: 0..2
	Left, Above, AboveLeft, AboveRight bool   // the neighbouring CTUs are in the picture and in the slice
	// What there is of the picture: columns of eight samples from the left side of
	// the CTU to the right side of the picture, at most 15, and 15 unless the CTU is
	// the last one of its row or the one before that; and rows of eight samples from
	// its top, at most those of a CTU.
	Right  uint8 `rtl:"4"`
	Bottom uint8 `rtl:"4"`
	Final  bool  // the last CTU of the picture
	Strong bool  // strong_intra_smoothing_enabled_flag
}

// HeadBits is the width of a Head in Verilog.
const HeadBits = 62

// Pack returns the bits of h.
func (h *Head) Pack() uint64 {
	v := uint64(h.X) | uint64(h.Y)<<4 | uint64(h.Log2)<<8 | uint64(h.Mode)<<10 | uint64(h.Scan)<<16 | uint64(h.QP)<<18 |
		uint64(h.CTUX)<<26 | uint64(h.CTUY)<<36 | uint64(h.Log2CTB)<<46 | uint64(h.Right)<<52 | uint64(h.Bottom)<<56
	for i, b := range [...]bool{24: h.Coded, 25: h.Skip, 48: h.Left, 49: h.Above, 50: h.AboveLeft, 51: h.AboveRight, 60: h.Final, 61: h.Strong} {
		if b {
			v |= 1 << i
		}
	}
	return v
}

// UnpackHead inverts Pack.
func UnpackHead(v uint64) Head {
	field := func(at, n int) uint64 { return v >> at & (1<<n - 1) }
	bit := func(at int) bool { return field(at, 1) != 0 }
	return Head{
		X: uint8(field(0, 4)), Y: uint8(field(4, 4)), Log2: uint8(field(8, 2)), Mode: uint8(field(10, 6)), Scan: uint8(field(16, 2)), QP: uint8(field(18, 6)),
		Coded: bit(24), Skip: bit(25), CTUX: uint16(field(26, 10)), CTUY: uint16(field(36, 10)), Log2CTB: uint8(field(46, 2)),
		Left: bit(48), Above: bit(49), AboveLeft: bit(50), AboveRight: bit(51), Right: uint8(field(52, 4)), Bottom: uint8(field(56, 4)),
		Final: bit(60), Strong: bit(61),
	}
}

// Neighbours returns the reference samples of the transform block that are available.
func (h *Head) Neighbours() block.Neighbourhood {
	log2 := int(h.Log2CTB) + 4
	// The CTU in a picture of which this is all that counts.
	grid := block.Grid{Width: 8 * int(h.Right), Height: 8 * int(h.Bottom), Log2CTB: log2}
	return grid.Neighbours(4*int(h.X), 4*int(h.Y), 4<<h.Log2, block.CTUEdge{Left: h.Left, Above: h.Above, AboveLeft: h.AboveLeft, AboveRight: h.AboveRight})
}

// Codes of ItemEnd and of the error output of a lane, 3 bits. All but the first end
// the slice segment where they are found.
const (
	EndComplete = iota // end_of_slice_segment_flag
	EndStart           // the codeword starts with 510 or 511 (clause 9.3.2.5)
	EndData            // the slice data ends early
	EndPCM             // pcm_flag, which stays in software
	EndBypass          // cu_transquant_bypass_flag, which stays in software
	EndQPDelta         // cu_qp_delta_abs above 26
	EndPicture         // slice data beyond the last CTU
)
