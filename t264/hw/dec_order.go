package hw

import "vcsim/t264/block"

// The contexts of a decoder lane lie in four banks, bits 7..6 of an index, so
// that an index needs no addition and each bank as few read ports as possible.
// What follows a bin of zero is read from the banks 0, 2 and 3, what follows a
// bin of one, where the two differ, from the banks 1 and 3.
//
//	0 significant_coeff_flag: category<<4 + scan position; those of 8x8 blocks, by
//	  Table 9-43, in the places that are left; rem_intra_pred_mode, mb_qp_delta
//	1 last_significant_coeff_flag: the same
//	2 ctxIdxInc<<2 + category of coeff_abs_level_minus1; in the same scheme
//	  coded_block_flag, mb_type, transform_size_8x8_flag, prev_intra_pred_mode_flag
//	3 coded_block_pattern; ctxIdxInc 1 of coeff_abs_level_minus1
const (
	DecSig       = 0 << 6
	DecLast      = 1 << 6
	decAbs       = 2 << 6
	DecCBP       = 3 << 6         // + ctxIdxInc
	decAbs1      = DecCBP + 4     // + category
	DecRemIntra  = DecSig | 59    //
	DecQPDelta   = DecSig | 60    // + ctxIdxInc
	DecT8        = decAbs | 10<<2 // + ctxIdxInc
	DecPrevIntra = decAbs | 10<<2 + 3
	DecTypeBins  = decAbs | 11<<2 // + i for mb_type 3, 4, 6, 7
	DecMBType    = decAbs | 14<<2 // + ctxIdxInc of the first bin
	DecContexts  = decAbs1 + block.NumCats
)

// decCodedRow places coded_block_flag of each category where
// coeff_abs_level_minus1 leaves room: its index is decAbs | row<<2 + ctxIdxInc.
var decCodedRow = [block.NumCats]uint8{block.CatDC: 1, block.CatAC: 12, block.Cat4x4: 13}

func DecCoded(cat, inc uint8) uint8 { return decAbs | decCodedRow[cat&3]<<2 | inc }

// DecAbsContext is the index of ctxIdxInc of coeff_abs_level_minus1.
func DecAbsContext(cat, inc uint8) uint8 {
	if inc == 1 {
		return decAbs1 + cat
	}
	return decAbs | inc<<2 | cat
}

// DecSig8 and DecLast8 are the indices of the flags of 8x8 blocks, by
// ctxIdxInc.
var (
	DecSig8  = [15]uint8{15, 16, 31, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58}
	DecLast8 = [9]uint8{DecLast | 15, DecLast | 16, DecLast | 31, DecLast | 47, DecLast | 48, DecLast | 49, DecLast | 50, DecLast | 51, DecLast | 52}
)

// decOrder maps the index of a context to its offset in contexts, -1
// where there is none.
var decOrder = func() (t [DecContexts]int16) {
	for i := range t {
		t[i] = -1
	}
	for cat := range uint8(block.NumCats) {
		flags := 15
		first := cat << 4
		if cat == block.CatAC {
			flags, first = 14, first+1
		}
		for i := range flags {
			if cat == block.Cat8x8 {
				t[DecSig8[i]] = int16(block.SigBase[cat] + i)
				if i < len(DecLast8) {
					t[DecLast8[i]] = int16(block.LastBase[cat] + i)
				}
				continue
			}
			t[DecSig|first+uint8(i)] = int16(block.SigBase[cat] + i)
			t[DecLast|first+uint8(i)] = int16(block.LastBase[cat] + i)
		}
		for i := range uint8(10) {
			t[DecAbsContext(cat, i)] = int16(block.CtxAbs + 10*int(cat) + int(i))
		}
	}
	for i := range uint8(4) {
		for cat := range uint8(block.Cat8x8) {
			t[DecCoded(cat, i)] = int16(block.CtxCodedBlock + 4*int(cat) + int(i))
		}
		t[DecCBP+i] = int16(block.CtxCBP + int(i))
		t[DecQPDelta+i] = int16(block.CtxQPDelta + int(i))
		t[DecTypeBins+i] = int16(block.CtxMBType + [4]int{3, 4, 6, 7}[i])
		if i < 3 {
			t[DecMBType+i] = int16(block.CtxMBType + int(i))
			t[DecT8+i] = int16(block.CtxTransform8 + int(i))
		}
	}
	t[DecPrevIntra], t[DecRemIntra] = block.CtxPrevIntra, block.CtxRemIntra
	return t
}()

// InitialDecContexts are the contexts of a decoder lane by SliceQPY and place.
var InitialDecContexts = block.ContextTable(decOrder[:])
