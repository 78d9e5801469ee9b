package block

import "vcsim/internal/cabac"

// Context variables of the syntax elements of a monochrome intra slice, by
// offset into one array (clause 9.3.4.2, initType 0). Each offset is computed
// from the sizes before it.
const (
	CtxSplitCU         = 0
	CtxTransquant      = CtxSplitCU + 3
	CtxPartMode        = CtxTransquant + 1
	CtxPrevIntra       = CtxPartMode + 1
	CtxSplitTransform  = CtxPrevIntra + 1
	CtxCbfLuma         = CtxSplitTransform + 3
	CtxQPDelta         = CtxCbfLuma + 2
	CtxTransformSkip   = CtxQPDelta + 2
	CtxLastX           = CtxTransformSkip + 1
	CtxLastY           = CtxLastX + 15
	CtxCodedSubBlock   = CtxLastY + 15
	CtxSig             = CtxCodedSubBlock + 2
	CtxGreater1        = CtxSig + 27
	CtxGreater2        = CtxGreater1 + 16
	NumContexts        = CtxGreater2 + 4
	numLastContexts    = 15 // of ctxLastX and ctxLastY, luma
	numSigContexts     = 27 // of ctxSig, luma
	numGreater1Context = 16 // of ctxGreater1, luma
)

// InitValues are the luma rows of Tables 9-5 to 9-37 for initType 0, in the
// order of the offsets above.
var InitValues = [NumContexts]uint8{
	139, 141, 157, // split_cu_flag, Table 9-7
	154,           // cu_transquant_bypass_flag, Table 9-8
	184,           // part_mode, Table 9-11
	184,           // prev_intra_luma_pred_flag, Table 9-12
	153, 138, 138, // split_transform_flag, Table 9-20
	111, 141, // cbf_luma, Table 9-21
	154, 154, // cu_qp_delta_abs, Table 9-24
	139,                                                                      // transform_skip_flag, Table 9-25
	110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, // last_sig_coeff_x_prefix, Table 9-26
	110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, // last_sig_coeff_y_prefix, Table 9-27
	91, 171, // coded_sub_block_flag, Table 9-28
	111, 111, 125, 110, 110, 94, 124, 108, 124, // sig_coeff_flag, Table 9-29
	107, 125, 141, 179, 153, 125,
	107, 125, 141, 179, 153, 125,
	107, 125, 141, 179, 153, 125,
	140, 92, 137, 138, 140, 152, 138, 139, 153, 74, 149, 92, 139, 107, 122, 152, // coeff_abs_level_greater1_flag, Table 9-30
	138, 153, 136, 167, // coeff_abs_level_greater2_flag, Table 9-31
}

// Contexts holds the state of every context variable, and some more, so that
// there are 32 from each set of ctxGreater1 on.
type Contexts [CtxGreater1 + 12 + 32]uint8

// InitialContexts by SliceQpY (clause 9.3.2.2).
var InitialContexts = func() (t [52]Contexts) {
	for qp := range t {
		for i, v := range InitValues {
			slope := int(v>>4)*5 - 45
			offset := int(v&15)<<3 - 16
			pre := min(max(slope*qp>>4+offset, 1), 126)
			t[qp][i] = cabac.InitContext(pre)
		}
	}
	return t
}()

// Reset gives the states at the start of a slice of QP 0..51.
func (c *Contexts) Reset(qp int) { *c = InitialContexts[qp] }
