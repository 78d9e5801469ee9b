package block

import "vcsim/internal/cabac"

// Context variables of the syntax elements of a monochrome intra slice of
// frame macroblocks, by offset into one array (Table 9-34 and clause
// 9.3.3.1.3). Each offset is computed from the sizes before it.
const (
	CtxMBType     = 0
	CtxQPDelta    = CtxMBType + 8
	CtxPrevIntra  = CtxQPDelta + 4
	CtxRemIntra   = CtxPrevIntra + 1
	CtxCBP        = CtxRemIntra + 1
	CtxTransform8 = CtxCBP + 4
	CtxCodedBlock = CtxTransform8 + 3
	ctxSig        = CtxCodedBlock + 4*3
	ctxLast       = ctxSig + numSigContexts
	CtxAbs        = ctxLast + numLastContexts
	NumContexts   = CtxAbs + 10*NumCats

	numSigContexts  = 15 + 14 + 15 + 15 // of ctxSig, by category
	numLastContexts = 15 + 14 + 15 + 9  // of ctxLast, by category
)

// Block categories: ctxBlockCat of Table 9-42, renumbered without chroma.
const (
	CatDC   = iota // Intra16x16DCLevel, 16 coefficients
	CatAC          // Intra16x16ACLevel, 15
	Cat4x4         // LumaLevel4x4, 16
	Cat8x8         // LumaLevel8x8, 64 (ctxBlockCat 5)
	NumCats        // of the categories above
)

var (
	SigBase  = [NumCats]int{ctxSig, ctxSig + 15, ctxSig + 15 + 14, ctxSig + 15 + 14 + 15}
	LastBase = [NumCats]int{ctxLast, ctxLast + 15, ctxLast + 15 + 14, ctxLast + 15 + 14 + 15}
)

// InitValues are m and n of Tables 9-12 to 9-33 for I slices, in the order of
// the offsets above; the comments give ctxIdx.
var InitValues = [NumContexts][2]int8{
	{20, -15}, {2, 54}, {3, 74}, {-28, 127}, {-23, 104}, {-6, 53}, {-1, 54}, {7, 51}, // mb_type, 3
	{0, 41}, {0, 63}, {0, 63}, {0, 63}, // mb_qp_delta, 60
	{13, 41},                                  // prev_intra4x4_pred_mode_flag, 68
	{3, 62},                                   // rem_intra4x4_pred_mode, 69
	{-17, 127}, {-13, 102}, {0, 82}, {-7, 74}, // coded_block_pattern, 73
	{31, 21}, {31, 31}, {25, 50}, // transform_size_8x8_flag, 399
	{-17, 123}, {-12, 115}, {-16, 122}, {-11, 115}, // coded_block_flag, 85
	{-12, 63}, {-2, 68}, {-15, 84}, {-13, 104},
	{-3, 70}, {-8, 93}, {-10, 90}, {-30, 127},
	// significant_coeff_flag, 105
	{-7, 93}, {-11, 87}, {-3, 77}, {-5, 71}, {-4, 63}, {-4, 68}, {-12, 84}, {-7, 62}, {-7, 65}, {8, 61}, {5, 56}, {-2, 66}, {1, 64}, {0, 61}, {-2, 78},
	{1, 50}, {7, 52}, {10, 35}, {0, 44}, {11, 38}, {1, 45}, {0, 46}, {5, 44}, {31, 17}, {1, 51}, {7, 50}, {28, 19}, {16, 33}, {14, 62},
	{-13, 108}, {-15, 100}, {-13, 101}, {-13, 91}, {-12, 94}, {-10, 88}, {-16, 84}, {-10, 86}, {-7, 83}, {-13, 87}, {-19, 94}, {1, 70}, {0, 72}, {-5, 74}, {18, 59},
	// 402
	{-17, 120}, {-20, 112}, {-18, 114}, {-11, 85}, {-15, 92}, {-14, 89}, {-26, 71}, {-15, 81}, {-14, 80}, {0, 68}, {-14, 70}, {-24, 56}, {-23, 68}, {-24, 50}, {-11, 74},
	// last_significant_coeff_flag, 166
	{24, 0}, {15, 9}, {8, 25}, {13, 18}, {15, 9}, {13, 19}, {10, 37}, {12, 18}, {6, 29}, {20, 33}, {15, 30}, {4, 45}, {1, 58}, {0, 62}, {7, 61},
	{12, 38}, {11, 45}, {15, 39}, {11, 42}, {13, 44}, {16, 45}, {12, 41}, {10, 49}, {30, 34}, {18, 42}, {10, 55}, {17, 51}, {17, 46}, {0, 89},
	{26, -19}, {22, -17}, {26, -17}, {30, -25}, {28, -20}, {33, -23}, {37, -27}, {33, -23}, {40, -28}, {38, -17}, {33, -11}, {40, -15}, {41, -6}, {38, 1}, {41, 17},
	// 417
	{23, -13}, {26, -13}, {40, -15}, {49, -14}, {44, 3}, {45, 6}, {44, 34}, {33, 54}, {19, 82},
	// coeff_abs_level_minus1, 227
	{-3, 71}, {-6, 42}, {-5, 50}, {-3, 54}, {-2, 62}, {0, 58}, {1, 63}, {-2, 72}, {-1, 74}, {-9, 91},
	{-5, 67}, {-5, 27}, {-3, 39}, {-2, 44}, {0, 46}, {-16, 64}, {-8, 68}, {-10, 78}, {-6, 77}, {-10, 86},
	{-12, 92}, {-15, 55}, {-10, 60}, {-6, 62}, {-4, 65}, {-12, 73}, {-8, 76}, {-7, 80}, {-9, 88}, {-17, 110},
	// 426
	{-3, 75}, {-1, 23}, {1, 34}, {1, 43}, {0, 54}, {-2, 55}, {0, 61}, {1, 64}, {0, 68}, {-9, 92},
}

// Contexts holds the state of every context variable.
type Contexts [NumContexts]uint8

// initialContexts by SliceQPY (clause 9.3.1.1).
var initialContexts = func() (t [52]Contexts) {
	for qp := range t {
		for i, v := range InitValues {
			t[qp][i] = cabac.InitContext(min(max(int(v[0])*qp>>4+int(v[1]), 1), 126))
		}
	}
	return t
}()

// ContextTable gives the initial contexts by SliceQPY in the order of a lane. Its
// entries are offsets into contexts; -1, where there is none, has m = n = 0.
func ContextTable(order []int16) [][]uint8 {
	t := make([][]uint8, len(initialContexts))
	for qp := range t {
		t[qp] = make([]uint8, len(order))
		for i, o := range order {
			t[qp][i] = cabac.InitContext(1)
			if o >= 0 {
				t[qp][i] = initialContexts[qp][o]
			}
		}
	}
	return t
}

// Reset gives the states at the start of a slice of QP 0..51.
func (c *Contexts) Reset(qp int) { *c = initialContexts[qp] }
