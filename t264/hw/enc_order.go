package hw

import "vcsim/t264/block"

// The order of the contexts in an encoder lane.

// Contexts of the hw tier by the index in a lane. An index is made of the bits
// that the binarisation has at hand; the elements with few contexts fill the
// gaps.
//
//	0 AC k       significant_coeff_flag, AC set for AC blocks, 4 bits of scan position
//	01 AC k      last_significant_coeff_flag
//	10 AC inc    coeff_abs_level_minus1, ctxIdxInc 0..9
//	10 AC 11 inc coded_block_flag
const (
	EncSig   = 0
	EncLast  = 32
	EncAbs   = 64
	EncCoded = 76
	EncAC    = 16 // added for AC blocks

	EncContexts = 97
	encCtxBits  = 7
)

// EncMBType are the contexts of mb_type by index into the array of contexts
// (see block.CtxMBType; 5 is of no use without chroma), EncQPDelta those of
// mb_qp_delta.
var (
	EncMBType  = [8]uint8{74, 75, 96, 90, 91, 0, 15, 16}
	EncQPDelta = [4]uint8{31, 47, 48, 63}
)

// encOrder gives the index into the array of contexts of each context of a
// lane.
var encOrder = func() (t [EncContexts]int16) {
	for ac := range 2 {
		at := EncAC * ac
		for k := ac; k < 15; k++ { // AC blocks start at scan position 1
			t[EncSig+at+k] = int16(block.SigBase[block.CatDC+ac] + k - ac)
			t[EncLast+at+k] = int16(block.LastBase[block.CatDC+ac] + k - ac)
		}
		for inc := range 10 {
			t[EncAbs+at+inc] = int16(block.CtxAbs + 10*(block.CatDC+ac) + inc)
		}
		for inc := range 4 {
			t[EncCoded+at+inc] = int16(block.CtxCodedBlock + 4*(block.CatDC+ac) + inc)
		}
	}
	for i, c := range EncMBType {
		if i != 5 {
			t[c] = int16(block.CtxMBType + i)
		}
	}
	for i, c := range EncQPDelta {
		t[c] = int16(block.CtxQPDelta + i)
	}
	return t
}()

// InitialEncContexts are the contexts of a lane by SliceQPY.
var InitialEncContexts = block.ContextTable(encOrder[:])
