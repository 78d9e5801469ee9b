package t265

import "vcsim/internal/bitio"

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
	w.UE(0)               // max_transform_hierarchy_depth_inter
	w.UE(uint32(g.depth)) // max_transform_hierarchy_depth_intra
	w.Flag(false)         // scaling_list_enabled_flag
	w.Flag(false)         // amp_enabled_flag
	w.Flag(false)         // sample_adaptive_offset_enabled_flag
	w.Flag(false)         // pcm_enabled_flag
	w.UE(0)               // num_short_term_ref_pic_sets
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
