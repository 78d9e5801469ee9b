package t264

import "vcsim/t264/block"

// An Element is a syntax element of slice data, for statistics.
type Element int

// Syntax elements (clauses 7.3.4 and 7.3.5) whose bins are counted. The
// prefix of coeff_abs_level_minus1 is context coded, its suffix is not.
const (
	ElemEndOfSlice Element = iota
	ElemMBType
	ElemTransform8
	ElemPrevIntra
	ElemRemIntra
	ElemCBP
	ElemQPDelta
	ElemCodedBlock
	ElemSig
	ElemLast
	ElemAbsPrefix
	ElemAbsSuffix
	ElemSign
	NumElements
)

var elementNames = [NumElements]string{
	"end_of_slice_flag", "mb_type", "transform_size_8x8_flag", "prev_intra_pred_mode_flag", "rem_intra_pred_mode",
	"coded_block_pattern", "mb_qp_delta", "coded_block_flag", "significant_coeff_flag", "last_significant_coeff_flag",
	"coeff_abs_level_minus1", "coeff_abs_level_minus1 suffix", "coeff_sign_flag",
}

func (e Element) String() string { return elementNames[e] }

// Bypass reports whether the element's bins are equiprobable.
func (e Element) Bypass() bool { return e == ElemAbsSuffix || e == ElemSign }

// Stats describes the slice data of one or more pictures.
type Stats struct {
	Bins     [NumElements]int64      // bins by syntax element
	MBs      [block.NumMBKinds]int64 // macroblocks: I_NxN of 4x4 and of 8x8 blocks, I_16x16, I_PCM
	Modes4   [block.NumModes]int64   // 4x4 blocks by intra mode
	Modes8   [block.NumModes]int64   // 8x8 blocks by intra mode
	Modes16  [4]int64                // 16x16 blocks by intra mode
	Blocks   [block.NumCats]int64    // coefficient blocks: DC, AC, 4x4, 8x8
	Coded    [block.NumCats]int64    // those with coefficients
	Slices   int64
	Pictures int64
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

// CodedSamples returns the number of samples of 4x4 and 8x8 blocks that have levels other than zero, those of a DC block apart.
func (s *Stats) CodedSamples() int64 {
	return 16*(s.Coded[block.CatAC]+s.Coded[block.Cat4x4]) + 64*s.Coded[block.Cat8x8]
}

// Add adds the counts of t to s.
func (s *Stats) Add(t *Stats) {
	add := func(a, b []int64) {
		for i, v := range b {
			a[i] += v
		}
	}
	add(s.Bins[:], t.Bins[:])
	add(s.MBs[:], t.MBs[:])
	add(s.Modes4[:], t.Modes4[:])
	add(s.Modes8[:], t.Modes8[:])
	add(s.Modes16[:], t.Modes16[:])
	add(s.Blocks[:], t.Blocks[:])
	add(s.Coded[:], t.Coded[:])
	s.Slices += t.Slices
	s.Pictures += t.Pictures
}
