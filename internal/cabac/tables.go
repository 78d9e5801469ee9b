// Package cabac is the binary arithmetic coder of ITU-T H.264 (clause 9.3) and
// H.265 (clause 9.3.4): the two standards share interval subdivision and state
// transition and differ only in contexts and binarisation, which their codecs
// hold. A context is one byte, pStateIdx<<1 | valMps.
package cabac

// rangeTabLps is H.265 Table 9-46 (H.264 Table 9-44): the interval of the less
// probable symbol by pStateIdx and bits 7..6 of the range.
var rangeTabLps = [64][4]uint8{
	{128, 176, 208, 240}, {128, 167, 197, 227}, {128, 158, 187, 216}, {123, 150, 178, 205},
	{116, 142, 169, 195}, {111, 135, 160, 185}, {105, 128, 152, 175}, {100, 122, 144, 166},
	{95, 116, 137, 158}, {90, 110, 130, 150}, {85, 104, 123, 142}, {81, 99, 117, 135},
	{77, 94, 111, 128}, {73, 89, 105, 122}, {69, 85, 100, 116}, {66, 80, 95, 110},
	{62, 76, 90, 104}, {59, 72, 86, 99}, {56, 69, 81, 94}, {53, 65, 77, 89},
	{51, 62, 73, 85}, {48, 59, 69, 80}, {46, 56, 66, 76}, {43, 53, 63, 72},
	{41, 50, 59, 69}, {39, 48, 56, 65}, {37, 45, 54, 62}, {35, 43, 51, 59},
	{33, 41, 48, 56}, {32, 39, 46, 53}, {30, 37, 43, 50}, {29, 35, 41, 48},
	{27, 33, 39, 45}, {26, 31, 37, 43}, {24, 30, 35, 41}, {23, 28, 33, 39},
	{22, 27, 32, 37}, {21, 26, 30, 35}, {20, 24, 29, 33}, {19, 23, 27, 31},
	{18, 22, 26, 30}, {17, 21, 25, 28}, {16, 20, 23, 27}, {15, 19, 22, 25},
	{14, 18, 21, 24}, {14, 17, 20, 23}, {13, 16, 19, 22}, {12, 15, 18, 21},
	{12, 14, 17, 20}, {11, 14, 16, 19}, {11, 13, 15, 18}, {10, 12, 15, 17},
	{10, 12, 14, 16}, {9, 11, 13, 15}, {9, 11, 12, 14}, {8, 10, 12, 14},
	{8, 9, 11, 13}, {7, 9, 11, 12}, {7, 9, 10, 12}, {7, 8, 10, 11},
	{6, 8, 9, 11}, {6, 7, 9, 10}, {6, 7, 8, 9}, {2, 2, 2, 2},
}

// transIdxLps is H.265 Table 9-47 (H.264 Table 9-45): the state after the less
// probable symbol. After the more probable one it is min(pStateIdx+1, 62).
var transIdxLps = [64]uint8{
	0, 0, 1, 2, 2, 4, 4, 5, 6, 7, 8, 9, 9, 11, 11, 12,
	13, 13, 15, 15, 16, 16, 18, 18, 19, 19, 21, 21, 22, 22, 23, 24,
	24, 25, 26, 26, 27, 27, 28, 29, 29, 30, 30, 30, 31, 32, 32, 33,
	33, 33, 34, 34, 35, 35, 35, 36, 36, 36, 37, 37, 37, 38, 38, 63,
}

var (
	// RangeLPS is rangeTabLps flattened: index pStateIdx<<2 | range>>6&3.
	RangeLPS [256]uint8
	// NextState maps a context byte to its successor: index context for the
	// more probable symbol, 128 | context for the less probable one.
	NextState [256]uint8
	// afterBin holds the same successors: index bin<<7 | context.
	afterBin [256]uint8
	// Subdivisions has the index of afterBin.
	Subdivisions [256]subdivision
	// shiftOf is the renormalisation shift by range>>3, for ranges of 8 and
	// more; entry 0 serves the ranges 6 and 7, the smallest in Table 9-46.
	shiftOf [64]uint8
	// Reciprocal holds ceil(2^40/range) for ranges 256..510, index range-256.
	Reciprocal [256]uint64
)

// A subdivision says what a context bin does to the interval, in four lanes of
// 16 bits by bits 7..6 of the range: bits 7..0 hold the interval of the less
// probable symbol, bits 10..8 the shift that renormalises a range of the bin
// whose bit 8 is clear, bits 13..11 that shift for the less probable symbol.
// Bit 15 is set if the bin is the less probable symbol.
type subdivision uint64

func init() {
	for s := range 64 {
		copy(RangeLPS[4*s:], rangeTabLps[s][:])
		for mps := range 2 {
			c := s<<1 | mps
			NextState[c] = uint8(min(s+1, 62)<<1 | mps)
			if s == 63 {
				NextState[c] = uint8(c)
			}
			m := mps
			if s == 0 {
				m = 1 - mps
			}
			NextState[128|c] = transIdxLps[s]<<1 | uint8(m)
		}
	}
	for r := 6; r < 512; r++ {
		n := uint8(0)
		for r<<n < 256 {
			n++
		}
		shiftOf[r>>3] = n
	}
	for c := range 128 {
		more, less := c&1<<7|c, (c&1^1)<<7|c // probable
		afterBin[more], afterBin[less] = NextState[c], NextState[128|c]
		for q, lps := range rangeTabLps[c>>1] {
			shift := subdivision(shiftOf[lps>>3])
			both := shift<<11 | subdivision(lps)
			Subdivisions[more] |= (1<<8 | both) << (16 * q)
			Subdivisions[less] |= (1<<15 | shift<<8 | both) << (16 * q)
		}
	}
	for i := range Reciprocal {
		r := uint64(i + 256)
		Reciprocal[i] = (1<<40 + r - 1) / r
	}
}

// InitContext returns the context byte of H.265 clause 9.3.2.2 (and of H.264
// 9.3.1.1 after its own slope and offset): preCtxState is in 1..126.
func InitContext(preCtxState int) uint8 {
	if preCtxState <= 63 {
		return uint8((63 - preCtxState) << 1)
	}
	return uint8((preCtxState-64)<<1 | 1)
}

// Next returns the context byte that follows c after coding bin.
func Next(c uint8, bin int) uint8 {
	return NextState[uint8(int(c&1)^bin)<<7|c&127]
}
