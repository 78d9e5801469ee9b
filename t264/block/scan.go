package block

// Coefficient scans of clause 6.4.3 and 8.5.6 (zig-zag of frame macroblocks),
// and the contexts that follow the position in the scan.

// A position is the place of a coefficient in a block stored column by column:
// column*n + row. Transforms work on that order; see idct.go.
var (
	Scan4 = zigzag[[16]uint8](4)
	Scan8 = zigzag[[64]uint8](8)
)

// zigzag lists the positions of an n by n block in scan order: anti-diagonals
// of alternating direction, the first one step to the right.
func zigzag[T [16]uint8 | [64]uint8](n int) (t T) {
	k := 0
	for d := range 2*n - 1 {
		for i := range d + 1 {
			x, y := i, d-i // from the lower left end upwards
			if d&1 != 0 {
				x, y = d-i, i
			}
			if x < n && y < n {
				t[k] = uint8(x*n + y)
				k++
			}
		}
	}
	return t
}

// SigContext8 and LastContext8 are ctxIdxInc of significant_coeff_flag and
// last_significant_coeff_flag by scan position in an 8x8 block of a frame
// macroblock (Table 9-43); the last position has no flags. In smaller blocks
// ctxIdxInc is the position.
var SigContext8 = [64]uint8{
	0, 1, 2, 3, 4, 5, 5, 4, 4, 3, 3, 4, 4, 4, 5, 5,
	4, 4, 4, 4, 3, 3, 6, 7, 7, 7, 8, 9, 10, 9, 8, 7,
	7, 6, 11, 12, 13, 11, 6, 7, 8, 9, 14, 10, 9, 8, 6, 11,
	12, 13, 11, 6, 9, 14, 10, 9, 11, 12, 13, 11, 14, 10, 12,
}

var LastContext8 = [64]uint8{
	0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
	3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4,
	5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8,
}

// straight is the identity, ctxIdxInc of blocks of up to 16 coefficients.
var straight = func() (t [64]uint8) {
	for i := range t {
		t[i] = uint8(i)
	}
	return t
}()

// SigContexts and LastContexts are ctxIdxInc by block category.
var (
	SigContexts  = [NumCats]*[64]uint8{&straight, &straight, &straight, &SigContext8}
	LastContexts = [NumCats]*[64]uint8{&straight, &straight, &straight, &LastContext8}
)

// After a level, the next state of the abs contexts (clause 9.3.3.1.3): states
// 0 to 3 count levels of one (up to 3), states 4 to 7 levels above one (1 to
// 4), after which ones no longer matter. AbsOne and AbsMore are ctxIdxInc of
// the first bin and of those after it.
var (
	AbsOne   = [8]uint8{1, 2, 3, 4, 0, 0, 0, 0}
	AbsMore  = [8]uint8{5, 5, 5, 5, 6, 7, 8, 9}
	AfterOne = [8]uint8{1, 2, 3, 3, 4, 5, 6, 7}
	AfterTwo = [8]uint8{4, 4, 4, 4, 5, 6, 7, 7}
)

// MaxPrefix is cMax of the truncated unary prefix of coeff_abs_level_minus1
// (clause 9.3.2.3); a suffix, Exp-Golomb of order 0, follows 14 ones.
const MaxPrefix = 14
