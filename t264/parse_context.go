package t264

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
	decSig       = 0 << 6
	decLast      = 1 << 6
	decAbs       = 2 << 6
	decCBP       = 3 << 6         // + ctxIdxInc
	decAbs1      = decCBP + 4     // + category
	decRemIntra  = decSig | 59    //
	decQPDelta   = decSig | 60    // + ctxIdxInc
	decT8        = decAbs | 10<<2 // + ctxIdxInc
	decPrevIntra = decAbs | 10<<2 + 3
	decTypeBins  = decAbs | 11<<2 // + i for mb_type 3, 4, 6, 7
	decMBType    = decAbs | 14<<2 // + ctxIdxInc of the first bin
	DecContexts  = decAbs1 + numCats
)

// decCodedRow places coded_block_flag of each category where
// coeff_abs_level_minus1 leaves room: its index is decAbs | row<<2 + ctxIdxInc.
var decCodedRow = [numCats]uint8{catDC: 1, catAC: 12, cat4x4: 13}

func decCoded(cat, inc uint8) uint8 { return decAbs | decCodedRow[cat&3]<<2 | inc }

// decAbsContext is the index of ctxIdxInc of coeff_abs_level_minus1.
func decAbsContext(cat, inc uint8) uint8 {
	if inc == 1 {
		return decAbs1 + cat
	}
	return decAbs | inc<<2 | cat
}

// decSig8 and decLast8 are the indices of the flags of 8x8 blocks, by
// ctxIdxInc.
var (
	decSig8  = [15]uint8{15, 16, 31, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58}
	decLast8 = [9]uint8{decLast | 15, decLast | 16, decLast | 31, decLast | 47, decLast | 48, decLast | 49, decLast | 50, decLast | 51, decLast | 52}
)

// decContextOrder maps the index of a context to its offset in contexts, -1
// where there is none.
var decContextOrder = func() (t [DecContexts]int16) {
	for i := range t {
		t[i] = -1
	}
	for cat := range uint8(numCats) {
		flags := 15
		first := cat << 4
		if cat == catAC {
			flags, first = 14, first+1
		}
		for i := range flags {
			if cat == cat8x8 {
				t[decSig8[i]] = int16(sigBase[cat] + i)
				if i < len(decLast8) {
					t[decLast8[i]] = int16(lastBase[cat] + i)
				}
				continue
			}
			t[decSig|first+uint8(i)] = int16(sigBase[cat] + i)
			t[decLast|first+uint8(i)] = int16(lastBase[cat] + i)
		}
		for i := range uint8(10) {
			t[decAbsContext(cat, i)] = int16(ctxAbs + 10*int(cat) + int(i))
		}
	}
	for i := range uint8(4) {
		for cat := range uint8(cat8x8) {
			t[decCoded(cat, i)] = int16(ctxCodedBlock + 4*int(cat) + int(i))
		}
		t[decCBP+i] = int16(ctxCBP + int(i))
		t[decQPDelta+i] = int16(ctxQPDelta + int(i))
		t[decTypeBins+i] = int16(ctxMBType + [4]int{3, 4, 6, 7}[i])
		if i < 3 {
			t[decMBType+i] = int16(ctxMBType + int(i))
			t[decT8+i] = int16(ctxTransform8 + int(i))
		}
	}
	t[decPrevIntra], t[decRemIntra] = ctxPrevIntra, ctxRemIntra
	return t
}()

// InitialDecContexts are the contexts of a decoder lane by SliceQPY and place.
var InitialDecContexts = contextTable(decContextOrder[:])
