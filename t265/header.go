package t265

import (
	"fmt"
	"math/bits"

	"vcsim/internal/bitio"
)

// NAL unit types (Table 7-1).
const (
	nalRaslR      = 9
	nalBLAWLP     = 16
	nalIDRWRADL   = 19
	nalIDRNLP     = 20
	nalCRA        = 21
	nalReserved   = 23
	nalVPS        = 32
	nalSPS        = 33
	nalPPS        = 34
	nalFillerData = 38
	nalSuffixSEI  = 40
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

// A PPS holds what this package uses of a picture parameter set (7.3.2.3).
type PPS struct {
	ID, SPS              int
	DependentSlices      bool
	SignHiding           bool
	InitQP               int
	TransformSkip        bool
	QPDelta              bool
	QPDeltaDepth         int // diff_cu_qp_delta_depth
	TransquantBypass     bool
	WPP                  bool // entropy_coding_sync_enabled_flag
	DeblockingOff        bool
	outputFlagPresent    bool
	extraSliceBits       int
	chromaOffsets        bool
	loopFilterAcross     bool
	deblockingOverride   bool
	sliceHeaderExtension bool
}

// A sliceHeader holds one slice segment header (clause 7.3.6.1).
type sliceHeader struct {
	first      bool // of its picture
	dependent  bool
	address    int // slice_segment_address, CTUs in raster order
	sliceStart int // SliceAddrRs
	qp         int // SliceQpY
	deblock    bool
	entries    int
}

func unsupported(element string, value any) error {
	return UnsupportedError(fmt.Sprintf("%s = %v", element, value))
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

// parsePPS reads a picture parameter set.
func parsePPS(rbsp []byte) (*PPS, error) {
	r := bitio.NewReader(rbsp)
	p := new(PPS)
	id, sps := r.UE(), r.UE()
	if id > 63 || sps > 15 {
		return nil, FormatError("parameter set id")
	}
	p.ID, p.SPS = int(id), int(sps)
	p.DependentSlices = r.Flag()
	p.outputFlagPresent = r.Flag()
	p.extraSliceBits = int(r.Bits(3))
	p.SignHiding = r.Flag()
	r.Flag() // cabac_init_present_flag
	r.UE()
	r.UE()
	qp := r.SE()
	if qp < -26 || qp > 25 {
		return nil, FormatError("init_qp_minus26")
	}
	p.InitQP = 26 + int(qp)
	r.Flag() // constrained_intra_pred_flag: no effect without inter blocks
	p.TransformSkip = r.Flag()
	if p.QPDelta = r.Flag(); p.QPDelta {
		d := r.UE()
		if d > 3 {
			return nil, FormatError("diff_cu_qp_delta_depth")
		}
		p.QPDeltaDepth = int(d)
	}
	r.SE()
	r.SE()
	p.chromaOffsets = r.Flag()
	r.Bits(2)
	p.TransquantBypass = r.Flag()
	if tiles := r.Flag(); tiles && r.Err() == nil {
		return nil, unsupported("tiles_enabled_flag", 1)
	}
	p.WPP = r.Flag()
	p.loopFilterAcross = r.Flag()
	if r.Flag() { // deblocking_filter_control_present_flag
		p.deblockingOverride = r.Flag()
		if p.DeblockingOff = r.Flag(); !p.DeblockingOff {
			r.SE()
			r.SE()
		}
	}
	if r.Flag() {
		return nil, unsupported("pps_scaling_list_data_present_flag", 1)
	}
	r.Flag() // lists_modification_present_flag
	r.UE()
	p.sliceHeaderExtension = r.Flag()
	if r.Flag() { // pps_extension_present_flag
		if ext := r.Bits(8); ext&0xf0 != 0 && r.Err() == nil {
			return nil, unsupported("pps_range, multilayer, 3d or scc extension flags", fmt.Sprintf("%04b", ext>>4))
		}
	}
	if r.Err() != nil {
		return nil, FormatError("picture parameter set: " + r.Err().Error())
	}
	return p, nil
}

// nalType returns nal_unit_type of a unit (clause 7.3.1.2).
func nalType(nal []byte) int { return int(nal[0] >> 1 & 63) }

// The parameterSets of a stream are those in force, by their identifiers.
type parameterSets struct {
	sps [16]*SPS
	pps [64]*PPS
}

// read replaces the parameter set that nal holds, whose RBSP is given. Of video
// parameter sets nothing is needed.
func (p *parameterSets) read(nal, rbsp []byte) error {
	switch nalType(nal) {
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

// parseSlice reads a slice segment header and returns the parameter sets that
// it activates and the number of RBSP bytes that it takes. prev is the header
// before it in the same picture, or nil.
func parseSlice(rbsp []byte, typ int, sets *parameterSets, prev *sliceHeader) (h sliceHeader, sps *SPS, pps *PPS, size int, err error) {
	r := bitio.NewReader(rbsp)
	h.first = r.Flag()
	if typ >= nalBLAWLP && typ <= nalReserved {
		r.Flag()
	}
	id := r.UE()
	if id > 63 || sets.pps[id] == nil || sets.sps[sets.pps[id].SPS] == nil {
		return h, nil, nil, 0, FormatError("slice refers to a parameter set that is absent")
	}
	pps = sets.pps[id]
	sps = sets.sps[pps.SPS]
	if pps.QPDeltaDepth > sps.Log2CTB-sps.Log2MinCB {
		return h, nil, nil, 0, FormatError("diff_cu_qp_delta_depth")
	}
	if !h.first {
		if pps.DependentSlices {
			h.dependent = r.Flag()
		}
		h.address = int(r.Bits(sps.addressBits))
		if prev == nil || h.address <= prev.address || h.address >= sps.ctbWidth*sps.ctbHeight {
			return h, nil, nil, 0, FormatError("slice_segment_address out of order")
		}
	}
	if h.dependent {
		h.sliceStart, h.qp, h.deblock = prev.sliceStart, prev.qp, prev.deblock
	} else {
		h.sliceStart = h.address
		if err := h.parseIndependent(r, typ, sps, pps); err != nil {
			return h, nil, nil, 0, err
		}
	}
	if pps.WPP {
		n := r.UE()
		if n >= uint32(sps.ctbHeight) {
			return h, nil, nil, 0, FormatError("num_entry_point_offsets")
		}
		if h.entries = int(n); n > 0 {
			size := r.UE() + 1
			if size > 32 {
				return h, nil, nil, 0, FormatError("offset_len_minus1 above 31")
			}
			// Substreams follow each other without gap, so that the
			// offsets are not needed to find them.
			r.Skip(int(n) * int(size))
		}
	}
	if pps.sliceHeaderExtension {
		n := r.UE()
		if n > 256 {
			return h, nil, nil, 0, FormatError("slice_segment_header_extension_length above 256")
		}
		r.Skip(8 * int(n))
	}
	if !r.Flag() && r.Err() == nil {
		return h, nil, nil, 0, FormatError("byte_alignment")
	}
	r.Align()
	if r.Err() != nil {
		return h, nil, nil, 0, FormatError("slice header: " + r.Err().Error())
	}
	return h, sps, pps, r.Pos() / 8, nil
}

// parseIndependent reads the part that dependent slice segments inherit.
func (h *sliceHeader) parseIndependent(r *bitio.Reader, typ int, sps *SPS, pps *PPS) error {
	r.Skip(pps.extraSliceBits)
	if t := r.UE(); t != 2 && r.Err() == nil {
		return unsupported("slice_type", t)
	}
	if pps.outputFlagPresent && !r.Flag() && r.Err() == nil {
		return unsupported("pic_output_flag", 0)
	}
	if typ != nalIDRWRADL && typ != nalIDRNLP {
		r.Bits(sps.log2MaxPOC)
		n := len(sps.shortTermSets)
		if !r.Flag() {
			if err := sps.parseShortTermSet(r, n, n); err != nil {
				return err
			}
		} else if n > 1 {
			r.Bits(bits.Len(uint(n - 1)))
		}
		if sps.longTerm {
			inSPS := uint32(0)
			if sps.longTermSets > 0 {
				inSPS = r.UE()
			}
			own := r.UE()
			if inSPS > 32 || own > 32 {
				return FormatError("number of long-term pictures above 32")
			}
			for i := range inSPS + own {
				if i >= inSPS {
					r.Skip(sps.log2MaxPOC + 1)
				} else if sps.longTermSets > 1 {
					r.Bits(bits.Len(uint(sps.longTermSets - 1)))
				}
				if r.Flag() {
					r.UE()
				}
			}
		}
		if sps.temporalMVP {
			r.Flag()
		}
	}
	if sps.SAO && r.Flag() {
		return unsupported("slice_sao_luma_flag", 1)
	}
	qp := pps.InitQP + int(r.SE())
	if qp < 0 || qp > 51 {
		return FormatError("slice_qp_delta")
	}
	h.qp = qp
	if pps.chromaOffsets {
		r.SE()
		r.SE()
	}
	h.deblock = !pps.DeblockingOff
	if pps.deblockingOverride && r.Flag() {
		if h.deblock = !r.Flag(); h.deblock {
			r.SE()
			r.SE()
		}
	}
	if h.deblock && pps.loopFilterAcross {
		r.Flag()
	}
	return nil
}

// writeProfileTierLevel writes clause 7.3.3: general_profile_idc 4 (format
// range extensions) with the constraint flags of 8-bit monochrome intra
// streams (Table A.2).
func writeProfileTierLevel(w *bitio.Writer, level int) {
	w.Bits(0, 3)
	w.Bits(4, 5)
	w.Bits(1<<(31-4), 32)
	w.Bits(0b1011, 4)    // progressive, not interlaced, non packed, frame only
	w.Bits(0b1111111, 7) // max 12, 10 and 8 bit, 4:2:2, 4:2:0, monochrome, intra
	w.Bits(0b01, 2)      // not one picture only; lower bit rate
	w.Bits(0, 32)        // reserved
	w.Bits(0, 3)         // 35 in all, with the INBLD flag's place
	w.Bits(uint32(level), 8)
}

// appendParameterSets appends VPS, SPS and PPS as NAL units.
func appendParameterSets(dst []byte, p *Params, g *geometry) []byte {
	var w bitio.Writer
	w.Bits(0, 4)   // vps_video_parameter_set_id
	w.Bits(3, 2)   // base layer internal and available
	w.Bits(0, 6+3) // one layer, one sub-layer
	w.Bits(1, 1)   // vps_temporal_id_nesting_flag
	w.Bits(0xffff, 16)
	writeProfileTierLevel(&w, g.level)
	w.Flag(true)
	w.UE(0) // one picture buffer, no reordering, no latency limit
	w.UE(0)
	w.UE(0)
	w.Bits(0, 6)
	w.UE(0)
	w.Flag(false) // vps_timing_info_present_flag
	w.Flag(false)
	w.Trailing()
	dst = bitio.AppendNAL(dst, []byte{nalVPS << 1, 1}, w.Bytes())

	w.Reset(nil)
	w.Bits(0, 4+3)
	w.Bits(1, 1)
	writeProfileTierLevel(&w, g.level)
	w.UE(0)
	w.UE(0) // chroma_format_idc
	w.UE(uint32(g.width))
	w.UE(uint32(g.height))
	if right, bottom := g.width-p.Width, g.height-p.Height; right != 0 || bottom != 0 {
		w.Flag(true)
		w.UE(0)
		w.UE(uint32(right))
		w.UE(0)
		w.UE(uint32(bottom))
	} else {
		w.Flag(false)
	}
	w.UE(0) // bit depths
	w.UE(0)
	w.UE(0) // log2_max_pic_order_cnt_lsb_minus4
	w.Flag(true)
	w.UE(0)
	w.UE(0)
	w.UE(0)
	minTB := 2
	w.UE(uint32(g.minCB - 3))
	w.UE(uint32(g.ctb - g.minCB))
	w.UE(uint32(minTB - 2))
	w.UE(uint32(max(g.maxTB, minTB+1) - minTB))
	w.UE(0)                // max_transform_hierarchy_depth_inter
	w.UE(uint32(maxDepth)) // max_transform_hierarchy_depth_intra
	w.Flag(false)          // scaling_list_enabled_flag
	w.Flag(false)          // amp_enabled_flag
	w.Flag(false)          // sample_adaptive_offset_enabled_flag
	w.Flag(false)          // pcm_enabled_flag
	w.UE(0)                // num_short_term_ref_pic_sets
	w.Flag(false)
	w.Flag(false)
	w.Flag(p.Off&ToolStrong == 0)
	w.Flag(false) // vui_parameters_present_flag
	w.Flag(false) // sps_extension_present_flag
	w.Trailing()
	dst = bitio.AppendNAL(dst, []byte{nalSPS << 1, 1}, w.Bytes())

	w.Reset(nil)
	w.UE(0)
	w.UE(0)
	w.Bits(0, 5) // no dependent slices, output flag or extra bits
	w.Flag(p.hides())
	w.Flag(false) // cabac_init_present_flag
	w.UE(0)
	w.UE(0)
	w.SE(0)       // init_qp_minus26
	w.Flag(false) // constrained_intra_pred_flag
	w.Flag(p.skips())
	if w.Flag(p.FineQP); p.FineQP {
		w.UE(0) // one quantization group to a CTU
	}
	w.SE(0)
	w.SE(0)
	w.Bits(0, 3)
	w.Flag(p.Lossless)
	w.Bits(0, 3)  // no tiles, no WPP, no filtering across slices
	w.Flag(true)  // deblocking_filter_control_present_flag
	w.Flag(false) // deblocking_filter_override_enabled_flag
	w.Flag(true)  // pps_deblocking_filter_disabled_flag
	w.Flag(false)
	w.Flag(false)
	w.UE(0)
	w.Bits(0, 2)
	w.Trailing()
	return bitio.AppendNAL(dst, []byte{nalPPS << 1, 1}, w.Bytes())
}

// hides reports sign_data_hiding_enabled_flag, skips
// transform_skip_enabled_flag.
func (p *Params) hides() bool { return p.Off&ToolSDH == 0 && !p.Lossless }
func (p *Params) skips() bool {
	return !p.Lossless && p.Off&ToolTSkip == 0
}

// writeSliceHeader writes the header of an independent slice of an IDR
// picture that starts at CTU address, up to slice data.
func writeSliceHeader(w *bitio.Writer, address, addressBits, qp int) {
	w.Flag(address == 0)
	w.Flag(false) // no_output_of_prior_pics_flag
	w.UE(0)
	if address != 0 {
		w.Bits(uint32(address), addressBits)
	}
	w.UE(2) // slice_type I
	w.SE(int32(qp - 26))
	w.Trailing() // byte_alignment
}

// maxDepth is max_transform_hierarchy_depth_intra.
const maxDepth = 2

const (
	// maxDimension and maxSamples bound a picture: level 6.2 (Table A.8)
	// allows 35 651 584 samples and the square root of eight times that.
	maxDimension = 16888
	maxSamples   = 35651584
)
