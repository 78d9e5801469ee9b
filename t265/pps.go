package t265

import (
	"fmt"

	"vcsim/internal/bitio"
)

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
