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
