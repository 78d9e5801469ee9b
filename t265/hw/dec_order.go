package hw

import "vcsim/t265/block"

// The contexts of a decoder lane, in 7 bits of an index, so that an index needs few
// additions. Two contexts can follow a bin of coeff_abs_level_greater1_flag alone;
// after a one that is one of DecGreater1Zero, the only ones with a second read port.
// Those of blocks of 32x32 alone come last but for these.
const (
	DecSig            = 0      // + ctxInc
	DecSplitTransform = 27     // of 32x32; see DecSplit
	DecGreater2       = 28     // + ctxSet
	decLastX          = 32     // + ctxInc, up to 16x16
	DecQPDelta        = 42     // + 0 or 1
	DecSplitCU        = 44     // + ctxInc
	DecPrevIntra      = 47     //
	decLastY          = 48     // + ctxInc, up to 16x16
	DecPartMode       = 58     //
	DecTransformSkip  = 59     //
	decSplit          = 60     // + 0 for 16x16, 1 for 8x8
	DecTransquant     = 62     //
	decGreater1       = 64     // + ctxSet<<2 + greater1Ctx 1..3
	DecCbf            = 64     // 68 in the root of a transform tree
	DecCodedSubBlock  = 72     // 76 beside a coded sub-block
	decLastX32        = 80     // + ctxInc
	decLastY32        = 88     // + ctxInc
	DecGreater1Zero   = 96     // + ctxSet: greater1Ctx 0
	DecContexts       = 96 + 4 //
)

// DecSplit is the index of split_transform_flag of a node of size 1<<log2, 3..5.
func DecSplit(log2 uint8) uint8 {
	if log2 == 5 {
		return DecSplitTransform
	}
	return decSplit + 4 - log2
}

// DecLast is the index of bin n of last_sig_coeff_x_prefix, or of _y_prefix, of a
// block of size 1<<log2.
func DecLast(vertical bool, log2, n uint8) uint8 {
	at := uint8(decLastX)
	if vertical {
		at = decLastY
	}
	switch log2 {
	case 2:
		return at + n
	case 3, 4:
		return at + 3*(log2-2) + n>>1
	}
	if vertical {
		return decLastY32 + n>>1
	}
	return decLastX32 + n>>1
}

// DecGreater1 is the index of coeff_abs_level_greater1_flag.
func DecGreater1(set, greater1 uint8) uint8 {
	if greater1 == 0 {
		return DecGreater1Zero + set
	}
	return decGreater1 + set<<2 + greater1
}

// DecOrder maps the index of a context to that in block.Contexts, -1 where there is
// none.
var DecOrder = func() (t [DecContexts]int8) {
	for i := range t {
		t[i] = -1
	}
	for i := range 27 {
		t[DecSig+i] = int8(block.CtxSig + i)
	}
	for log2 := uint8(2); log2 <= 5; log2++ {
		offset, shift := block.LastContext(int(log2))
		for n := range 2*log2 - 1 {
			t[DecLast(false, log2, n)] = int8(block.CtxLastX + offset + int(n)>>shift)
			t[DecLast(true, log2, n)] = int8(block.CtxLastY + offset + int(n)>>shift)
		}
		if log2 > 2 {
			t[DecSplit(log2)] = int8(block.CtxSplitTransform + 5 - int(log2))
		}
	}
	for set := range uint8(4) {
		for i := range uint8(4) {
			t[DecGreater1(set, i)] = int8(block.CtxGreater1 + int(4*set+i))
		}
		t[DecGreater2+set] = int8(block.CtxGreater2 + int(set))
	}
	for i := range 3 {
		t[DecSplitCU+i] = int8(block.CtxSplitCU + i)
	}
	for i := range 2 {
		t[DecQPDelta+i] = int8(block.CtxQPDelta + i)
		t[DecCbf+4*i] = int8(block.CtxCbfLuma + i)
		t[DecCodedSubBlock+4*i] = int8(block.CtxCodedSubBlock + i)
	}
	t[DecPrevIntra], t[DecPartMode] = block.CtxPrevIntra, block.CtxPartMode
	t[DecTransformSkip], t[DecTransquant] = block.CtxTransformSkip, block.CtxTransquant
	return t
}()

// InitialDecContexts are the contexts of a decoder lane by SliceQpY and index.
var InitialDecContexts = func() (t [52][DecContexts]uint8) {
	for qp := range t {
		for i, o := range DecOrder {
			if o >= 0 {
				t[qp][i] = block.InitialContexts[qp][o]
			}
		}
	}
	return t
}()
