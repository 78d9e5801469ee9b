package t265

import "vcsim/t265/block"

// An Element is a syntax element of slice data, for statistics.
type Element int

// Syntax elements (clause 7.3.8) whose bins are counted.
const (
	ElemEndOfSlice Element = iota // end_of_slice_segment_flag, end_of_subset_one_bit
	ElemSplitCU
	ElemTransquantBypass
	ElemPartMode
	ElemPCM
	ElemPrevIntra
	ElemMPMIndex
	ElemRemIntra
	ElemSplitTransform
	ElemCbfLuma
	ElemQPDelta
	ElemTransformSkip
	ElemLastPrefix
	ElemLastSuffix
	ElemCodedSubBlock
	ElemSig
	ElemGreater1
	ElemGreater2
	ElemSign
	ElemRemaining
	NumElements
)

var elementNames = [NumElements]string{
	"end_of_slice_segment_flag", "split_cu_flag", "cu_transquant_bypass_flag", "part_mode", "pcm_flag",
	"prev_intra_luma_pred_flag", "mpm_idx", "rem_intra_luma_pred_mode", "split_transform_flag", "cbf_luma",
	"cu_qp_delta_abs", "transform_skip_flag", "last_sig_coeff_prefix", "last_sig_coeff_suffix",
	"coded_sub_block_flag", "sig_coeff_flag", "coeff_abs_level_greater1_flag", "coeff_abs_level_greater2_flag",
	"coeff_sign_flag", "coeff_abs_level_remaining",
}

func (e Element) String() string { return elementNames[e] }

// Bypass reports whether the element's bins are equiprobable. cu_qp_delta_abs
// has a context coded prefix and counts as such.
func (e Element) Bypass() bool {
	switch e {
	case ElemMPMIndex, ElemRemIntra, ElemLastSuffix, ElemSign, ElemRemaining:
		return true
	}
	return false
}

// Stats describes the slice data of one or more pictures.
type Stats struct {
	Bins      [NumElements]int64    // bins by syntax element
	Modes     [block.NumModes]int64 // prediction blocks by intra mode
	CUs       [7]int64              // coding units by log2 of their size
	NxN       int64                 // coding units of four prediction blocks
	PCM       int64                 // PCM coding units
	TUs       [6]int64              // transform blocks by log2 of their size
	CodedTUs  [6]int64              // those with coefficients
	SkippedTU int64                 // transform skip blocks
	CTUs      int64
	Slices    int64 // slice segments
	Pictures  int64
}

// Regular returns the number of context coded and terminate bins.
func (s *Stats) Regular() (n int64) {
	for e, b := range s.Bins {
		if !Element(e).Bypass() {
			n += b
		}
	}
	return n
}

// BypassBins returns the number of equiprobable bins.
func (s *Stats) BypassBins() (n int64) {
	for e, b := range s.Bins {
		if Element(e).Bypass() {
			n += b
		}
	}
	return n
}

// CodedSamples returns the number of samples of transform blocks that have levels other than zero.
func (s *Stats) CodedSamples() (n int64) {
	for log2, blocks := range s.CodedTUs {
		n += blocks << (2 * log2)
	}
	return n
}

// LargeSamples returns the number of samples of transform blocks larger than 4x4.
func (s *Stats) LargeSamples() (n int64) {
	for log2, blocks := range s.TUs {
		if log2 > 2 {
			n += blocks << (2 * log2)
		}
	}
	return n
}

// Add adds the counts of t to s.
func (s *Stats) Add(t *Stats) {
	for i, v := range t.Bins {
		s.Bins[i] += v
	}
	for i, v := range t.Modes {
		s.Modes[i] += v
	}
	for i, v := range t.CUs {
		s.CUs[i] += v
	}
	for i, v := range t.TUs {
		s.TUs[i] += v
		s.CodedTUs[i] += t.CodedTUs[i]
	}
	s.NxN += t.NxN
	s.PCM += t.PCM
	s.SkippedTU += t.SkippedTU
	s.CTUs += t.CTUs
	s.Slices += t.Slices
	s.Pictures += t.Pictures
}
