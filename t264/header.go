package t264

import (
	"fmt"

	"vcsim/internal/bitio"
	"vcsim/t264/block"
)

// NAL unit types (Table 7-1).
const (
	nalSlice      = 1
	nalPartitionA = 2
	nalPartitionC = 4
	nalIDR        = 5
	nalSEI        = 6
	nalSPS        = 7
	nalPPS        = 8
	nalAUD        = 9
)

// Profiles (Annex A) whose sequence parameter sets hold chroma_format_idc.
const (
	profileHigh    = 100
	profileHigh444 = 244
)

// An SPS holds what this package uses of a sequence parameter set (clause
// 7.3.2.1). Sizes are in luma samples.
type SPS struct {
	ID                  int
	ProfileIDC          int
	LevelIDC            int // 10 times the level number
	Width, Height       int // coded size, multiples of 16
	CropLeft, CropRight int
	CropTop, CropBottom int
	LosslessQP0         bool // qpprime_y_zero_transform_bypass_flag

	log2MaxFrameNum int
	pocType         int
	log2MaxPOC      int
	deltaPOCZero    bool // delta_pic_order_always_zero_flag
	frameMBsOnly    bool
	mbaff           bool
}

// A PPS holds what this package uses of a picture parameter set (7.3.2.2).
type PPS struct {
	ID, SPS      int
	InitQP       int
	Transform8x8 bool

	pocPresent      bool // bottom_field_pic_order_in_frame_present_flag
	filterControl   bool
	redundantPicCnt bool
}

// A sliceHeader holds one slice header (clause 7.3.3).
type sliceHeader struct {
	first  int // first_mb_in_slice
	qp     int // SliceQPY
	filter deblocking
}

// deblocking holds the deblocking parameters of a slice.
type deblocking struct {
	idc         int // disable_deblocking_filter_idc
	alpha, beta int // FilterOffsetA and B
}

// active reports whether the filter may change samples of a macroblock of the
// given kind and QPY: below index 16, alpha and beta are zero (Table 8-16), and
// so they are for the mean of two macroblocks below. The QP of I_PCM is 0.
func (d *deblocking) active(kind uint8, qp int) bool {
	if kind == block.MBPCM {
		qp = 0
	}
	return d.idc != 1 && qp+d.alpha >= 16 && qp+d.beta >= 16
}

func unsupported(element string, value any) error {
	return UnsupportedError(fmt.Sprintf("%s = %v", element, value))
}

// hasChromaFormat reports whether a profile's parameter set says more than
// 4:2:0 and 8 bits (clause 7.3.2.1.1).
func hasChromaFormat(profile int) bool {
	switch profile {
	case profileHigh, 110, 122, profileHigh444, 44, 83, 86, 118, 128, 138, 139, 134, 135:
		return true
	}
	return false
}

// parseSPS reads a sequence parameter set up to the VUI, which has no effect
// on decoding.
func parseSPS(rbsp []byte) (*SPS, error) {
	r := bitio.NewReader(rbsp)
	s := new(SPS)
	s.ProfileIDC = int(r.Bits(8))
	r.Bits(8) // constraint flags
	s.LevelIDC = int(r.Bits(8))
	id := r.UE()
	if id > 31 {
		return nil, FormatError("seq_parameter_set_id above 31")
	}
	s.ID = int(id)
	chroma := uint32(1)
	if hasChromaFormat(s.ProfileIDC) {
		chroma = r.UE()
	}
	if chroma > 3 {
		return nil, FormatError("chroma_format_idc above 3")
	}
	if chroma != 0 && r.Err() == nil {
		return nil, unsupported("chroma_format_idc", chroma)
	}
	if d := r.UE(); d != 0 && r.Err() == nil {
		return nil, unsupported("bit_depth_luma_minus8", d)
	}
	r.UE() // bit_depth_chroma_minus8
	s.LosslessQP0 = r.Flag()
	if r.Flag() {
		return nil, unsupported("seq_scaling_matrix_present_flag", 1)
	}
	num := r.UE()
	if num > 12 {
		return nil, FormatError("log2_max_frame_num_minus4 above 12")
	}
	s.log2MaxFrameNum = int(num) + 4
	switch s.pocType = int(r.UE()); s.pocType {
	case 0:
		n := r.UE()
		if n > 12 {
			return nil, FormatError("log2_max_pic_order_cnt_lsb_minus4 above 12")
		}
		s.log2MaxPOC = int(n) + 4
	case 1:
		s.deltaPOCZero = r.Flag()
		r.SE()
		r.SE()
		n := r.UE()
		if n > 255 {
			return nil, FormatError("num_ref_frames_in_pic_order_cnt_cycle above 255")
		}
		for range n {
			r.SE()
		}
	case 2:
	default:
		return nil, FormatError("pic_order_cnt_type above 2")
	}
	r.UE()   // max_num_ref_frames
	r.Flag() // gaps_in_frame_num_value_allowed_flag
	w, h := r.UE(), r.UE()
	s.frameMBsOnly = r.Flag()
	fields := 1
	if !s.frameMBsOnly {
		s.mbaff = r.Flag()
		fields = 2
	}
	r.Flag() // direct_8x8_inference_flag
	if r.Err() != nil {
		return nil, FormatError("sequence parameter set: " + r.Err().Error())
	}
	if w >= maxDimension/16 || h >= maxDimension/16 || (int(w)+1)*(int(h)+1)*fields > maxSamples/256 {
		return nil, unsupported("pic_width_in_mbs_minus1 x pic_height_in_map_units_minus1", fmt.Sprintf("%dx%d", w, h))
	}
	s.Width, s.Height = 16*(int(w)+1), 16*(int(h)+1)*fields
	if r.Flag() { // frame_cropping_flag, in samples and rows of fields
		var c [4]int
		for i := range c {
			v := r.UE()
			if v > maxDimension {
				return nil, FormatError("frame cropping")
			}
			c[i] = int(v)
		}
		s.CropLeft, s.CropRight, s.CropTop, s.CropBottom = c[0], c[1], c[2]*fields, c[3]*fields
		if s.CropLeft+s.CropRight >= s.Width || s.CropTop+s.CropBottom >= s.Height {
			return nil, FormatError("frame cropping larger than the picture")
		}
	}
	r.Flag() // vui_parameters_present_flag
	if r.Err() != nil {
		return nil, FormatError("sequence parameter set: " + r.Err().Error())
	}
	return s, nil
}

// parsePPS reads a picture parameter set.
func parsePPS(rbsp []byte) (*PPS, error) {
	r := bitio.NewReader(rbsp)
	p := new(PPS)
	id, sps := r.UE(), r.UE()
	if id > 255 || sps > 31 {
		return nil, FormatError("parameter set id")
	}
	p.ID, p.SPS = int(id), int(sps)
	if cabac := r.Flag(); !cabac && r.Err() == nil {
		return nil, unsupported("entropy_coding_mode_flag", 0)
	}
	p.pocPresent = r.Flag()
	if n := r.UE(); n != 0 && r.Err() == nil {
		return nil, unsupported("num_slice_groups_minus1", n)
	}
	r.UE()    // num_ref_idx_l0_default_active_minus1
	r.UE()    // num_ref_idx_l1_default_active_minus1
	r.Bits(3) // weighted_pred_flag, weighted_bipred_idc
	qp := r.SE()
	if qp < -26 || qp > 25 {
		return nil, FormatError("pic_init_qp_minus26")
	}
	p.InitQP = 26 + int(qp)
	r.SE() // pic_init_qs_minus26
	r.SE() // chroma_qp_index_offset
	p.filterControl = r.Flag()
	r.Flag() // constrained_intra_pred_flag: no effect without inter blocks
	p.redundantPicCnt = r.Flag()
	if r.Err() == nil && r.MoreRBSPData() {
		p.Transform8x8 = r.Flag()
		if r.Flag() {
			return nil, unsupported("pic_scaling_matrix_present_flag", 1)
		}
		r.SE() // second_chroma_qp_index_offset
	}
	if r.Err() != nil {
		return nil, FormatError("picture parameter set: " + r.Err().Error())
	}
	return p, nil
}

// The parameterSets of a stream are those in force, by their identifiers.
type parameterSets struct {
	sps [32]*SPS
	pps [256]*PPS
}

// read replaces the parameter set that nal holds, whose RBSP is given.
func (p *parameterSets) read(nal, rbsp []byte) error {
	switch nal[0] & 31 {
	case nalSPS:
		set, err := parseSPS(rbsp)
		if err != nil {
			return err
		}
		p.sps[set.ID] = set
	case nalPPS:
		set, err := parsePPS(rbsp)
		if err != nil {
			return err
		}
		p.pps[set.ID] = set
	}
	return nil
}

// parseSlice reads the slice header of nal, whose RBSP is given, and returns the
// parameter sets that it activates and the number of RBSP bytes that it takes,
// cabac_alignment_one_bit included.
func parseSlice(rbsp, nal []byte, sets *parameterSets) (h sliceHeader, s *SPS, p *PPS, size int, err error) {
	fail := func(err error) (sliceHeader, *SPS, *PPS, int, error) { return h, nil, nil, 0, err }
	nalType, refIDC := int(nal[0]&31), int(nal[0]>>5&3)
	if nalType >= nalPartitionA && nalType <= nalPartitionC {
		return fail(unsupported("nal_unit_type", nalType))
	}
	r := bitio.NewReader(rbsp)
	first, typ, id := r.UE(), r.UE(), r.UE()
	if r.Err() != nil {
		return fail(FormatError("slice header: " + r.Err().Error()))
	}
	if id > 255 || sets.pps[id] == nil || sets.sps[sets.pps[id].SPS] == nil {
		return fail(FormatError("slice refers to a parameter set that is absent"))
	}
	p = sets.pps[id]
	s = sets.sps[p.SPS]
	if typ != 2 && typ != 7 {
		return fail(unsupported("slice_type", typ))
	}
	if s.mbaff {
		return fail(unsupported("mb_adaptive_frame_field_flag", 1))
	}
	if first >= uint32(s.Width*s.Height/256) {
		return fail(FormatError("first_mb_in_slice beyond the picture"))
	}
	h.first = int(first)
	r.Bits(s.log2MaxFrameNum)
	if !s.frameMBsOnly && r.Flag() {
		return fail(unsupported("field_pic_flag", 1))
	}
	if nalType == nalIDR {
		r.UE() // idr_pic_id
	}
	switch {
	case s.pocType == 0:
		r.Bits(s.log2MaxPOC)
		if p.pocPresent {
			r.SE()
		}
	case s.pocType == 1 && !s.deltaPOCZero:
		r.SE()
		if p.pocPresent {
			r.SE()
		}
	}
	if p.redundantPicCnt {
		if n := r.UE(); n != 0 && r.Err() == nil {
			return fail(unsupported("redundant_pic_cnt", n))
		}
	}
	if refIDC != 0 {
		skipMarking(r, nalType == nalIDR)
	}
	qp := p.InitQP + int(r.SE())
	if qp < 0 || qp > 51 {
		return fail(FormatError("slice_qp_delta"))
	}
	h.qp = qp
	if p.filterControl {
		idc := r.UE()
		if idc > 2 {
			return fail(FormatError("disable_deblocking_filter_idc above 2"))
		}
		if h.filter.idc = int(idc); idc != 1 {
			a, b := r.SE(), r.SE()
			if a < -6 || a > 6 || b < -6 || b > 6 {
				return fail(FormatError("slice_alpha_c0_offset_div2 or slice_beta_offset_div2"))
			}
			h.filter.alpha, h.filter.beta = 2*int(a), 2*int(b)
		}
	}
	r.Align()
	if r.Err() != nil {
		return fail(FormatError("slice header: " + r.Err().Error()))
	}
	return h, s, p, r.Pos() / 8, nil
}

// skipMarking passes over dec_ref_pic_marking (clause 7.3.3.3).
func skipMarking(r *bitio.Reader, idr bool) {
	if idr {
		r.Bits(2)
		return
	}
	if !r.Flag() {
		return
	}
	for op := r.UE(); op != 0 && r.Err() == nil; op = r.UE() {
		if op != 5 {
			r.UE()
		}
		if op == 3 {
			r.UE()
		}
	}
}

// appendParameterSets appends SPS and PPS as NAL units.
func appendParameterSets(dst []byte, p *Params, g *geometry) []byte {
	var w bitio.Writer
	profile := uint32(profileHigh)
	if p.Lossless {
		profile = profileHigh444
	}
	w.Bits(profile, 8)
	w.Bits(0, 8) // no constraint flags
	w.Bits(uint32(g.level), 8)
	w.UE(0)
	w.UE(0) // chroma_format_idc
	w.UE(0) // bit depths
	w.UE(0)
	w.Flag(p.Lossless) // qpprime_y_zero_transform_bypass_flag
	w.Flag(false)      // seq_scaling_matrix_present_flag
	w.UE(0)            // log2_max_frame_num_minus4
	w.UE(2)            // pic_order_cnt_type: output in decoding order
	w.UE(0)            // max_num_ref_frames
	w.Flag(false)
	w.UE(uint32(g.width/16 - 1))
	w.UE(uint32(g.height/16 - 1))
	w.Flag(true) // frame_mbs_only_flag
	w.Flag(true) // direct_8x8_inference_flag
	if right, bottom := g.width-p.Width, g.height-p.Height; right != 0 || bottom != 0 {
		w.Flag(true)
		w.UE(0)
		w.UE(uint32(right))
		w.UE(0)
		w.UE(uint32(bottom))
	} else {
		w.Flag(false)
	}
	w.Flag(false) // vui_parameters_present_flag
	w.Trailing()
	dst = bitio.AppendNAL(dst, []byte{3<<5 | nalSPS}, w.Bytes())

	w.Reset(nil)
	w.UE(0)
	w.UE(0)
	w.Flag(true)  // entropy_coding_mode_flag
	w.Flag(false) // bottom_field_pic_order_in_frame_present_flag
	w.UE(0)       // num_slice_groups_minus1
	w.UE(0)
	w.UE(0)
	w.Bits(0, 3)  // no weighted prediction
	w.SE(0)       // pic_init_qp_minus26
	w.SE(0)       // pic_init_qs_minus26
	w.SE(0)       // chroma_qp_index_offset
	w.Flag(true)  // deblocking_filter_control_present_flag
	w.Flag(false) // constrained_intra_pred_flag
	w.Flag(false) // redundant_pic_cnt_present_flag
	w.Flag(true)  // transform_8x8_mode_flag
	w.Flag(false) // pic_scaling_matrix_present_flag
	w.SE(0)       // second_chroma_qp_index_offset
	w.Trailing()
	return bitio.AppendNAL(dst, []byte{3<<5 | nalPPS}, w.Bytes())
}

// writeSliceHeader writes the header of a slice of an IDR picture that starts
// at macroblock first, up to slice data.
func writeSliceHeader(w *bitio.Writer, first, idrPicID, qp int) {
	w.UE(uint32(first))
	w.UE(7) // slice_type I, as all slices of the picture
	w.UE(0)
	w.Bits(0, 4) // frame_num
	w.UE(uint32(idrPicID))
	w.Bits(0, 2) // no_output_of_prior_pics_flag, long_term_reference_flag
	w.SE(int32(qp - 26))
	w.UE(1) // disable_deblocking_filter_idc
	for !w.Aligned() {
		w.Bits(1, 1) // cabac_alignment_one_bit
	}
}

// levelLimits are level_idc and MaxFS, in macroblocks (Table A-1).
var levelLimits = []struct{ idc, macroblocks int }{
	{10, 99}, {11, 396}, {21, 792}, {22, 1620}, {31, 3600}, {32, 5120},
	{40, 8192}, {42, 8704}, {50, 22080}, {51, 36864}, {60, 139264},
}

// levelFor returns the smallest level for a coded size.
func levelFor(w, h int) (int, error) {
	w, h = w/16, h/16
	for _, l := range levelLimits {
		// A.3.1: the size, and each side within sqrt(8 * MaxFS).
		if w*h <= l.macroblocks && w*w <= 8*l.macroblocks && h*h <= 8*l.macroblocks {
			return l.idc, nil
		}
	}
	return 0, UnsupportedError(fmt.Sprintf("picture of %dx%d samples: above level 6", 16*w, 16*h))
}

const (
	// maxDimension and maxSamples bound a picture: level 6.2 (Table A-1)
	// allows 139 264 macroblocks, and the square root of eight times that
	// on a side.
	maxDimension = 16880
	maxSamples   = 35651584
)
