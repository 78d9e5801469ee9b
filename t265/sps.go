package t265

import (
	"fmt"
	"math/bits"

	"vcsim/internal/bitio"
)

const (
	// maxDimension and maxSamples bound a picture: level 6.2 (Table A.8)
	// allows 35 651 584 samples and the square root of eight times that.
	maxDimension = 16888
	maxSamples   = 35651584
)

// An SPS holds what this package uses of a sequence parameter set (clause
// 7.3.2.2). Sizes are in luma samples.
type SPS struct {
	ID                   int
	ProfileIDC           int
	LevelIDC             int // 30 times the level number
	Width, Height        int // coded size, multiples of the smallest CU
	CropLeft, CropRight  int
	CropTop, CropBottom  int
	Log2MinCB            int // smallest CU
	Log2CTB              int
	Log2MinTB, Log2MaxTB int
	MaxDepthIntra        int // max_transform_hierarchy_depth_intra
	SAO                  bool
	PCM                  bool
	PCMBits              int
	Log2MinPCM           int
	Log2MaxPCM           int
	StrongSmoothing      bool
	log2MaxPOC           int
	temporalMVP          bool
	longTerm             bool
	longTermSets         int
	shortTermSets        []int // NumDeltaPocs of each set
	ctbWidth, ctbHeight  int
	addressBits          int
}

// parseProfileTierLevel reads clause 7.3.3.
func parseProfileTierLevel(r *bitio.Reader, subLayers int) (profile, level int) {
	r.Bits(3)
	profile = int(r.Bits(5))
	compat := r.Bits(32)
	if profile == 0 && compat != 0 {
		profile = bits.LeadingZeros32(compat)
	}
	r.Skip(48)
	level = int(r.Bits(8))
	var present [8][2]bool
	for i := range subLayers {
		present[i] = [2]bool{r.Flag(), r.Flag()}
	}
	if subLayers > 0 {
		r.Skip(2 * (8 - subLayers))
	}
	for i := range subLayers {
		if present[i][0] {
			r.Skip(88)
		}
		if present[i][1] {
			r.Skip(8)
		}
	}
	return profile, level
}

// parseSPS reads a sequence parameter set.
func parseSPS(rbsp []byte) (*SPS, error) {
	r := bitio.NewReader(rbsp)
	s := new(SPS)
	r.Bits(4)
	subLayers := int(r.Bits(3))
	r.Flag()
	if subLayers > 6 {
		return nil, FormatError("sps_max_sub_layers_minus1 above 6")
	}
	s.ProfileIDC, s.LevelIDC = parseProfileTierLevel(r, subLayers)
	id := r.UE()
	if id > 15 {
		return nil, FormatError("sps_seq_parameter_set_id above 15")
	}
	s.ID = int(id)
	if c := r.UE(); c != 0 && r.Err() == nil {
		return nil, unsupported("chroma_format_idc", c)
	}
	w, h := r.UE(), r.UE()
	if w == 0 || h == 0 || w > maxDimension || h > maxDimension || uint64(w)*uint64(h) > maxSamples {
		if r.Err() == nil && w != 0 && h != 0 {
			return nil, unsupported("pic_width_in_luma_samples x pic_height_in_luma_samples", fmt.Sprintf("%dx%d", w, h))
		}
		return nil, FormatError("picture size in the sequence parameter set")
	}
	s.Width, s.Height = int(w), int(h)
	if err := s.parseWindow(r); err != nil {
		return nil, err
	}
	if d := r.UE(); d != 0 && r.Err() == nil {
		return nil, unsupported("bit_depth_luma_minus8", d)
	}
	r.UE() // bit_depth_chroma_minus8: no chroma samples
	poc := r.UE() + 4
	if poc > 16 {
		return nil, FormatError("log2_max_pic_order_cnt_lsb_minus4 above 12")
	}
	s.log2MaxPOC = int(poc)
	first := subLayers
	if r.Flag() {
		first = 0
	}
	for range subLayers - first + 1 {
		r.UE()
		r.UE()
		r.UE()
	}
	if err := s.parseBlockSizes(r); err != nil {
		return nil, err
	}
	if r.Flag() {
		return nil, unsupported("scaling_list_enabled_flag", 1)
	}
	r.Flag() // amp_enabled_flag
	s.SAO = r.Flag()
	if s.PCM = r.Flag(); s.PCM {
		if err := s.parsePCM(r); err != nil {
			return nil, err
		}
	}
	if err := s.parseReferenceSets(r); err != nil {
		return nil, err
	}
	s.temporalMVP = r.Flag()
	s.StrongSmoothing = r.Flag()
	if r.Flag() {
		parseVUI(r, subLayers)
	}
	if r.Flag() { // sps_extension_present_flag
		if err := parseExtensions(r); err != nil {
			return nil, err
		}
	}
	if r.Err() != nil {
		return nil, FormatError("sequence parameter set: " + r.Err().Error())
	}
	s.ctbWidth = (s.Width + 1<<s.Log2CTB - 1) >> s.Log2CTB
	s.ctbHeight = (s.Height + 1<<s.Log2CTB - 1) >> s.Log2CTB
	s.addressBits = bits.Len(uint(s.ctbWidth*s.ctbHeight - 1))
	return s, nil
}

// parseWindow reads the conformance window, whose units are one sample in 4:0:0.
func (s *SPS) parseWindow(r *bitio.Reader) error {
	if !r.Flag() {
		return nil
	}
	var c [4]uint32
	for i := range c {
		c[i] = r.UE()
		if c[i] > maxDimension {
			return FormatError("conformance window")
		}
	}
	s.CropLeft, s.CropRight, s.CropTop, s.CropBottom = int(c[0]), int(c[1]), int(c[2]), int(c[3])
	if s.CropLeft+s.CropRight >= s.Width || s.CropTop+s.CropBottom >= s.Height {
		return FormatError("conformance window larger than the picture")
	}
	return nil
}

// parseBlockSizes reads the sizes of coding and transform blocks and checks
// them against each other (clause 7.4.3.2.1).
func (s *SPS) parseBlockSizes(r *bitio.Reader) error {
	minCB, diffCB, minTB, diffTB := r.UE(), r.UE(), r.UE(), r.UE()
	depthInter, depthIntra := r.UE(), r.UE()
	if r.Err() != nil {
		return FormatError("sequence parameter set: " + r.Err().Error())
	}
	if minCB > 3 || diffCB > 3 || minTB > 3 || diffTB > 3 || depthInter > 4 || depthIntra > 4 {
		return FormatError("block sizes in the sequence parameter set")
	}
	s.Log2MinCB = int(minCB) + 3
	s.Log2CTB = s.Log2MinCB + int(diffCB)
	s.Log2MinTB = int(minTB) + 2
	s.Log2MaxTB = s.Log2MinTB + int(diffTB)
	s.MaxDepthIntra = int(depthIntra)
	if s.Log2CTB < 4 || s.Log2CTB > 6 || s.Log2MinTB >= s.Log2MinCB || s.Log2MaxTB > min(5, s.Log2CTB) || s.MaxDepthIntra > s.Log2CTB-s.Log2MinTB ||
		s.Width%(1<<s.Log2MinCB) != 0 || s.Height%(1<<s.Log2MinCB) != 0 {
		return FormatError("block sizes in the sequence parameter set")
	}
	return nil
}

// parsePCM reads what pcm_enabled_flag makes present.
func (s *SPS) parsePCM(r *bitio.Reader) error {
	s.PCMBits = int(r.Bits(4)) + 1
	r.Bits(4)
	lo, diff := r.UE(), r.UE()
	if s.PCMBits > 8 || lo > 2 || diff > 2 || int(lo+diff)+3 > min(s.Log2CTB, 5) || int(lo)+3 < min(s.Log2MinCB, 5) {
		return FormatError("PCM parameters")
	}
	s.Log2MinPCM, s.Log2MaxPCM = int(lo)+3, int(lo+diff)+3
	r.Flag() // pcm_loop_filter_disabled_flag
	return nil
}

// parseExtensions reads the flags of sps_extension_present_flag on. Of the range
// extension (clause 7.3.2.2.2) no tool may be on that changes intra slices.
func parseExtensions(r *bitio.Reader) error {
	rangeExt := r.Flag()
	if extensions := r.Bits(7); extensions&0x70 != 0 { // multilayer, 3D, SCC
		return unsupported("sps_multilayer, 3d or scc extension flag", 1)
	}
	if rangeExt {
		for _, name := range [...]string{
			"transform_skip_rotation_enabled_flag", "transform_skip_context_enabled_flag", "implicit_rdpcm_enabled_flag",
			"explicit_rdpcm_enabled_flag", "extended_precision_processing_flag", "intra_smoothing_disabled_flag",
			"high_precision_offsets_enabled_flag", "persistent_rice_adaptation_enabled_flag", "cabac_bypass_alignment_enabled_flag",
		} {
			// Weighted prediction, which high_precision_offsets
			// changes, does not occur in intra slices.
			if r.Flag() && name != "high_precision_offsets_enabled_flag" {
				return unsupported(name, 1)
			}
		}
	}
	return nil
}

// parseReferenceSets passes over the reference picture sets, which intra
// slices may carry but do not use.
func (s *SPS) parseReferenceSets(r *bitio.Reader) error {
	n := r.UE()
	if n > 64 {
		return FormatError("num_short_term_ref_pic_sets above 64")
	}
	for i := range int(n) {
		if err := s.parseShortTermSet(r, i, int(n)); err != nil {
			return err
		}
	}
	if s.longTerm = r.Flag(); s.longTerm {
		k := r.UE()
		if k > 32 {
			return FormatError("num_long_term_ref_pics_sps above 32")
		}
		s.longTermSets = int(k)
		r.Skip(int(k) * (s.log2MaxPOC + 1))
	}
	return nil
}

// parseShortTermSet reads st_ref_pic_set(i) (clause 7.3.7) and appends its
// number of pictures to s.shortTermSets when i < n.
func (s *SPS) parseShortTermSet(r *bitio.Reader, i, n int) error {
	count := 0
	if i > 0 && r.Flag() {
		from := 1
		if i == n {
			from = int(r.UE()) + 1
		}
		if from > i {
			return FormatError("delta_idx_minus1")
		}
		r.Flag()
		r.UE()
		for range s.shortTermSets[i-from] + 1 {
			if used := r.Flag(); used || r.Flag() {
				count++
			}
		}
	} else {
		neg, pos := r.UE(), r.UE()
		if neg > 16 || pos > 16 {
			return FormatError("num_negative_pics or num_positive_pics above 16")
		}
		count = int(neg + pos)
		for range count {
			r.UE()
			r.Flag()
		}
	}
	if count > 16 {
		return FormatError("more than 16 reference pictures")
	}
	if i < n {
		s.shortTermSets = append(s.shortTermSets, count)
	}
	return nil
}

// parseVUI passes over clause E.2.1.
func parseVUI(r *bitio.Reader, subLayers int) {
	if r.Flag() && r.Bits(8) == 255 { // aspect_ratio_idc
		r.Bits(32)
	}
	if r.Flag() {
		r.Flag()
	}
	if r.Flag() { // video_signal_type
		r.Bits(4)
		if r.Flag() {
			r.Bits(24)
		}
	}
	if r.Flag() {
		r.UE()
		r.UE()
	}
	r.Bits(3)
	if r.Flag() { // default_display_window_flag: for display, not for decoding
		for range 4 {
			r.UE()
		}
	}
	if r.Flag() { // vui_timing_info_present_flag
		r.Skip(64)
		if r.Flag() {
			r.UE()
		}
		if r.Flag() {
			parseHRD(r, subLayers)
		}
	}
	if r.Flag() { // bitstream_restriction_flag
		r.Bits(3)
		for range 5 {
			r.UE()
		}
	}
}

// parseHRD passes over clause E.2.2 with common information present.
func parseHRD(r *bitio.Reader, subLayers int) {
	nal, vcl := r.Flag(), r.Flag()
	subPic := false
	if nal || vcl {
		if subPic = r.Flag(); subPic {
			r.Bits(19)
		}
		r.Bits(8)
		if subPic {
			r.Bits(4)
		}
		r.Bits(15)
	}
	for range subLayers + 1 {
		fixed := r.Flag()
		within := fixed
		if !fixed {
			within = r.Flag()
		}
		low := false
		if within {
			r.UE()
		} else {
			low = r.Flag()
		}
		count := 1
		if !low {
			count = min(int(r.UE())+1, 32)
		}
		for _, present := range [2]bool{nal, vcl} {
			for i := 0; present && i < count; i++ {
				r.UE()
				r.UE()
				if subPic {
					r.UE()
					r.UE()
				}
				r.Flag()
			}
		}
	}
}
