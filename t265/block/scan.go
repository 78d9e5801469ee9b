package block

// Coefficient scans of clause 6.5.3 to 6.5.5, precomputed by transform size.

// Values of scanIdx (clause 7.4.9.11).
const (
	ScanDiag  = 0
	ScanHoriz = 1
	ScanVert  = 2
)

// A Scan orders the coefficients of one transform size and scanIdx.
type Scan struct {
	// subX and subY locate sub-block i, in units of four samples; n of them.
	N          int
	SubX, SubY [64]uint8
	// SubAt is the inverse: sub-block index by subY<<3 | subX.
	SubAt [64]uint8
	// PosX and posY locate coefficient k within a sub-block.
	PosX, PosY [16]uint8
	// PosAt is the inverse: coefficient index by posY<<2 | posX.
	PosAt [16]uint8
	// Raster is the offset of coefficient k from the top left sample of its
	// sub-block in a raster as wide as the transform block.
	Raster [16]uint16
}

// Scans is indexed by log2 of the transform size less 2, and by scanIdx.
// Sizes above 8 have the diagonal scan alone.
var Scans = func() (t [4][3]Scan) {
	for l := range t {
		for idx := range t[l] {
			s := &t[l][idx]
			sub := scanOrder(1<<l, idx)
			s.N = len(sub)
			for i, p := range sub {
				s.SubX[i], s.SubY[i] = p[0], p[1]
				s.SubAt[p[1]<<3|p[0]] = uint8(i)
			}
			for k, p := range scanOrder(4, idx) {
				s.PosX[k], s.PosY[k] = p[0], p[1]
				s.PosAt[p[1]<<2|p[0]] = uint8(k)
				s.Raster[k] = uint16(p[1])<<(l+2) + uint16(p[0])
			}
		}
	}
	return t
}()

// scanOrder lists the positions (x, y) of an n by n block in scan order.
func scanOrder(n, idx int) (order [][2]uint8) {
	switch idx {
	case ScanDiag: // 6.5.3: each anti-diagonal from its lower left end
		for d := range 2*n - 1 {
			for x := range d + 1 {
				if y := d - x; x < n && y < n {
					order = append(order, [2]uint8{uint8(x), uint8(y)})
				}
			}
		}
	case ScanHoriz: // 6.5.4
		for i := range n * n {
			order = append(order, [2]uint8{uint8(i % n), uint8(i / n)})
		}
	case ScanVert: // 6.5.5
		for i := range n * n {
			order = append(order, [2]uint8{uint8(i / n), uint8(i % n)})
		}
	}
	return order
}

// ScanIndex returns the scan of a luma block of size 1<<log2 predicted with
// the given intra mode (clause 7.4.9.11).
func ScanIndex(log2, mode int) int {
	if log2 > 3 {
		return ScanDiag
	}
	if mode >= 6 && mode <= 14 {
		return ScanVert
	}
	if mode >= 22 && mode <= 30 {
		return ScanHoriz
	}
	return ScanDiag
}

// sigContext4 is ctxIdxMap of clause 9.3.4.2.5 by raster position in a 4x4
// transform block; the last position has no flag of its own.
var sigContext4 = [16]uint8{0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8, 8}

// SigContexts gives the context increment of sig_coeff_flag (clause 9.3.4.2.5,
// luma) by log2 size less 2, scanIdx, first sub-block or not, the flags of the
// coded neighbours (right, 2*below), and the coefficient index.
var SigContexts = func() (t [4][3][2][4][16]uint8) {
	for l := range t {
		for idx := range t[l] {
			for later := range 2 {
				for csbf := range 4 {
					for k := range 16 {
						t[l][idx][later][csbf][k] = uint8(sigContext(l+2, idx, later != 0, csbf, k))
					}
				}
			}
		}
	}
	return t
}()

func sigContext(log2, idx int, later bool, csbf, k int) int {
	x, y := int(Scans[log2-2][idx].PosX[k]), int(Scans[log2-2][idx].PosY[k])
	if log2 == 2 {
		return int(sigContext4[y<<2|x])
	}
	if !later && x+y == 0 {
		return 0
	}
	ctx := 2
	switch csbf {
	case 0:
		ctx = 0
		if x+y == 0 {
			ctx = 2
		} else if x+y < 3 {
			ctx = 1
		}
	case 1:
		ctx = max(2-y, 0)
	case 2:
		ctx = max(2-x, 0)
	}
	if later {
		ctx += 3
	}
	switch {
	case log2 > 3:
		return ctx + 21
	case idx == ScanDiag:
		return ctx + 9
	}
	return ctx + 15
}

// Prefix and suffix of the last significant position (clause 9.3.3.3 and
// 7.4.9.11): groupOf gives the prefix by coordinate, groupStart the smallest
// coordinate of a prefix; the suffix has groupBits bits.
var (
	GroupOf = [32]uint8{0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7,
		8, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9}
	GroupStart = [10]uint8{0, 1, 2, 3, 4, 6, 8, 12, 16, 24}
	GroupBits  = [10]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3}
)

// LastContext returns the offset and shift of the contexts of
// last_sig_coeff_{x,y}_prefix (clause 9.3.4.2.3, luma).
func LastContext(log2 int) (offset, shift int) {
	return 3*(log2-2) + (log2-1)>>2, (log2 + 1) >> 2
}
