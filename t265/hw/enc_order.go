package hw

import "vcsim/t265/block"

// The order of the contexts in an encoder lane.

// Contexts of the hw tier by the index in a lane. Those that blocks of 16x16 and
// of 32x32 alone use come last, so that a lane of smaller blocks does without.
const (
	EncGreater1       = 0 // 4 * ctxSet + greater1Ctx
	EncGreater2       = EncGreater1 + 16
	EncCodedSubBlock  = EncGreater2 + 4
	EncQPDelta        = EncCodedSubBlock + 2
	EncCbf            = EncQPDelta + 2
	EncPartMode       = EncCbf + 2
	EncPrevIntra      = EncPartMode + 1
	EncSplitTransform = EncPrevIntra + 1
	EncTransformSkip  = EncSplitTransform + 3
	encLastX          = EncTransformSkip + 1 // of 4x4 and 8x8
	encLastY          = encLastX + 6
	EncSig            = encLastY + 6 // ctxInc 0..20 up to 8x8, 21..26 above
	encLastX16        = EncSig + 27
	encLastY16        = encLastX16 + 4
	encLastX32        = encLastY16 + 4
	encLastY32        = encLastX32 + 5
	encContexts       = encLastY32 + 5
)

// EncLast gives the first context of last_sig_coeff_x_prefix and of _y_prefix by
// log2 of the size of the block, less 2.
var EncLast = [4][2]uint8{{encLastX, encLastY}, {encLastX + 3, encLastY + 3}, {encLastX16, encLastY16}, {encLastX32, encLastY32}}

// EncContexts returns the number of contexts of a lane by its largest transform
// block, 8, 16 or 32.
func EncContexts(maxTU int) int {
	switch maxTU {
	case 8:
		return EncSig + 21
	case 16:
		return encLastX32
	}
	return encContexts
}

// encOrder gives the index into the array of contexts of each context of a lane.
var encOrder = func() (t [encContexts]uint8) {
	for _, r := range []struct{ lane, codec, n int }{
		{EncGreater1, block.CtxGreater1, 16}, {EncGreater2, block.CtxGreater2, 4}, {EncCodedSubBlock, block.CtxCodedSubBlock, 2},
		{EncQPDelta, block.CtxQPDelta, 2}, {EncCbf, block.CtxCbfLuma, 2}, {EncPartMode, block.CtxPartMode, 1}, {EncPrevIntra, block.CtxPrevIntra, 1},
		{EncSplitTransform, block.CtxSplitTransform, 3}, {EncTransformSkip, block.CtxTransformSkip, 1},
		{EncSig, block.CtxSig, 27},
	} {
		for i := range r.n {
			t[r.lane+i] = uint8(r.codec + i)
		}
	}
	for log2 := 2; log2 <= 5; log2++ {
		offset, shift := block.LastContext(log2)
		for i := range (2*log2-2)>>shift + 1 { // prefixes have 2*log2 - 1 bins
			t[int(EncLast[log2-2][0])+i] = uint8(block.CtxLastX + offset + i)
			t[int(EncLast[log2-2][1])+i] = uint8(block.CtxLastY + offset + i)
		}
	}
	return t
}()

// InitialEncContexts are the contexts of a lane by SliceQpY.
var InitialEncContexts = func() (t [52][encContexts]uint8) {
	for qp := range t {
		for i, o := range encOrder {
			t[qp][i] = block.InitialContexts[qp][o]
		}
	}
	return t
}()
