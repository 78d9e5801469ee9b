package hwdec

import "vcsim/t264/block"

// RTL: rtl/t264/t264_parse_around.v

// An aboveWord is what a macroblock leaves for the one below: AboveBits in Verilog,
// the fields in their order, the first one lowest (gen/t264_dec_words.vh).
type aboveWord struct {
	kind  uint8    `rtl:"2"` // 0 for 4x4 blocks, 1 for 8x8 blocks, 2 for I_16x16
	dc    uint8    `rtl:"1"` // coded_block_flag of the DC block
	cbp   uint8    `rtl:"2"` // the 8x8 blocks of the bottom row
	coded uint8    `rtl:"4"` // coded_block_flag of the bottom row
	mode  [4]uint8 `rtl:"4"` // intra modes of the bottom row
}

// AboveBits is the size of the word that a lane keeps for each macroblock
// column.
const AboveBits = 25

func (a *aboveWord) pack() uint32 {
	v := uint32(a.kind) | uint32(a.dc)<<2 | uint32(a.cbp)<<3 | uint32(a.coded)<<5
	for i, m := range a.mode {
		v |= uint32(m) << (9 + 4*i)
	}
	return v
}

func unpackAbove(v uint32) (a aboveWord) {
	a.kind, a.dc, a.cbp, a.coded = uint8(v&3), uint8(v>>2&1), uint8(v>>3&3), uint8(v>>5&15)
	for i := range a.mode {
		a.mode[i] = uint8(v >> (9 + 4*i) & 15)
	}
	return a
}

// modeNone stands for the mode of a macroblock that is not available.
const modeNone = 15

// notAvailable is what contexts and modes derive from a macroblock outside the
// slice: its blocks count as coded (clauses 9.3.3.1.1.3 to 9.3.3.1.1.10).
var notAvailable = aboveWord{dc: 1, cbp: 3, coded: 15, mode: [4]uint8{modeNone, modeNone, modeNone, modeNone}}

// An aroundUnit holds what the blocks of a macroblock derive contexts and modes
// from: one entry for each column, of the block above, and for each row, of the
// block to the left. A block replaces both entries. So at the end of a macroblock
// they are what its right and lower neighbours need.
type aroundUnit struct {
	left, above aboveWord // rows and columns
}

// next is the edge at which a macroblock begins; above is the word of its
// column.
func (u *aroundUnit) next(above uint32, hasLeft, hasAbove bool) {
	u.above = notAvailable
	if hasAbove {
		u.above = unpackAbove(above)
	}
	if !hasLeft {
		u.left = notAvailable
	}
}

// typeInc is ctxIdxInc of mb_type, of a macroblock that has begun.
func (u *aroundUnit) typeInc() uint8 { return u.left.kind>>1 + u.above.kind>>1 }

// t8Inc is ctxIdxInc of transform_size_8x8_flag.
func (u *aroundUnit) t8Inc() uint8 { return u.left.kind&1 + u.above.kind&1 }

// modes returns the modes to the left of and above block b.
func (u *aroundUnit) modes(b uint8) (left, above uint8) {
	return u.left.mode[block.Y[b]>>2], u.above.mode[block.X[b]>>2]
}

// setMode is the edge that gives block b, of n columns and rows, its mode.
func (u *aroundUnit) setMode(b, n, mode uint8) {
	x, y := block.X[b]>>2, block.Y[b]>>2
	for i := range n {
		u.left.mode[y+i], u.above.mode[x+i] = mode, mode
	}
}

// cbpInc is ctxIdxInc of bin i of coded_block_pattern.
func (u *aroundUnit) cbpInc(i uint8) uint8 {
	return ^u.left.cbp>>(i>>1)&1 + ^u.above.cbp>>(i&1)&1<<1
}

// setCBP is the edge that gives 8x8 block i its bit.
func (u *aroundUnit) setCBP(i, bin uint8) {
	u.left.cbp = u.left.cbp&^(1<<(i>>1)) | bin<<(i>>1)
	u.above.cbp = u.above.cbp&^(1<<(i&1)) | bin<<(i&1)
}

// dcInc is ctxIdxInc of coded_block_flag of the DC block.
func (u *aroundUnit) dcInc() uint8 { return u.left.dc + u.above.dc<<1 }

// codedInc is ctxIdxInc of coded_block_flag of block b.
func (u *aroundUnit) codedInc(b uint8) uint8 {
	return u.left.coded>>(block.Y[b&15]>>2)&1 + u.above.coded>>(block.X[b&15]>>2)&1<<1
}

// setCoded is the edge that gives block b its flag.
func (u *aroundUnit) setCoded(b, bin uint8) {
	x, y := block.X[b&15]>>2, block.Y[b&15]>>2
	u.left.coded = u.left.coded&^(1<<y) | bin<<y
	u.above.coded = u.above.coded&^(1<<x) | bin<<x
}

// setCoded8 is setCoded for the four blocks of 8x8 block i.
func (u *aroundUnit) setCoded8(i, bin uint8) {
	x, y := i&1<<1, i>>1<<1
	u.left.coded = u.left.coded&^(3<<y) | bin*3<<y
	u.above.coded = u.above.coded&^(3<<x) | bin*3<<x
}

// setKind is the edge at which the macroblock has its type and pattern.
func (u *aroundUnit) setKind(kind, cbp uint8) {
	u.left.kind, u.above.kind = kind, kind
	if kind != block.MB16x16 {
		u.left.dc, u.above.dc = 0, 0
		return
	}
	u.left.cbp, u.above.cbp = cbp&3, cbp&3
	for i := range 4 {
		u.left.mode[i], u.above.mode[i] = block.ModeDC, block.ModeDC
	}
}
