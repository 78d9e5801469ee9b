package t264

// The contexts of a decoder lane lie so that an index needs no addition: bits
// 7..6 say what is coded, bits 5..4 the category, bits 3..0 are ctxIdxInc. The
// few other syntax elements fill places that are free there.
//
//	0 significant_coeff_flag       by scan position in blocks of 16; of 8x8 blocks by Table 9-43
//	1 last_significant_coeff_flag  the same
//	2 coeff_abs_level_minus1       0..9, and coded_block_flag 12..15
const (
	decSig       = 0 << 6
	decLast      = 1 << 6
	decAbs       = 2 << 6
	decCoded     = decAbs | 12              // + category<<4 + ctxIdxInc
	decCBP       = decCoded | cat8x8<<4     // + ctxIdxInc
	decQPDelta   = decLast | cat8x8<<4 | 12 // + ctxIdxInc
	decMBType    = decLast | cat8x8<<4 | 9  // + ctxIdxInc of the first bin
	decTypeBins  = decAbs | 11              // + i<<4 for mb_type 3, 4, 6, 7
	decT8        = decAbs | 10              // + ctxIdxInc<<4
	decPrevIntra = decAbs | cat8x8<<4 | 10  //
	decRemIntra  = decSig | catDC<<4 | 15   //
	decContexts  = 3 << 6                   // 184 of them in use
)

// decContextOrder maps a context of a lane to its offset in contexts, -1 where there
// is none.
var decContextOrder = func() (t [decContexts]int16) {
	for i := range t {
		t[i] = -1
	}
	for cat := range numCats {
		first := 0 // scan position of the first flag
		sigs, lasts := 15, 15
		switch cat {
		case catAC:
			first, sigs, lasts = 1, 14, 14
		case cat8x8:
			lasts = 9
		}
		for i := range sigs {
			t[decSig|cat<<4|(first+i)] = int16(sigBase[cat] + i)
		}
		for i := range lasts {
			t[decLast|cat<<4|(first+i)] = int16(lastBase[cat] + i)
		}
		for i := range 10 {
			t[decAbs|cat<<4|i] = int16(ctxAbs + 10*cat + i)
		}
		for i := range 4 {
			if cat != cat8x8 {
				t[decCoded|cat<<4|i] = int16(ctxCodedBlock + 4*cat + i)
			}
			t[decCBP|i] = int16(ctxCBP + i)
			t[decQPDelta|i] = int16(ctxQPDelta + i)
			t[decTypeBins|i<<4] = int16(ctxMBType + [4]int{3, 4, 6, 7}[i])
		}
	}
	for i := range 3 {
		t[decMBType+i] = int16(ctxMBType + i)
		t[decT8+i<<4] = int16(ctxTransform8 + i)
	}
	t[decPrevIntra], t[decRemIntra] = ctxPrevIntra, ctxRemIntra
	return t
}()

// initialDecContexts are the contexts of a lane by SliceQPY; 0 where none is.
var initialDecContexts = func() (t [52][decContexts]uint8) {
	for qp := range t {
		for i, o := range decContextOrder {
			if o >= 0 {
				t[qp][i] = initialContexts[qp][o]
			}
		}
	}
	return t
}()

// DecContexts is the number of places for contexts in a decoder lane.
const DecContexts = decContexts

// DecContext returns the context in place i, 0 to DecContexts-1, at the start
// of a slice of SliceQPY qp.
func DecContext(qp, i int) uint8 { return initialDecContexts[qp][i] }
