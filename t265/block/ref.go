package block

// Reference samples of intra prediction: gathering with substitution (clause
// 8.4.4.2.2) and filtering (8.4.4.2.3).
//
//	corner  above ......  above right ......
//	left    block
//	 :
//	below left
//	 :

// RefCorner is the index of the corner sample p[-1][-1] in refs.
const RefCorner = 64

// Refs holds the reference samples of a block of size n <= 32 in one line, in
// the order of substitution: p[-1][2n-1] (lower left end) at RefCorner-2n, the
// corner at RefCorner, p[2n-1][-1] (upper right end) at RefCorner+2n. Sample
// p[-1][i] is at RefCorner-1-i and p[i][-1] at RefCorner+1+i.
type Refs [2*RefCorner + 1]uint8

// Gather reads the reference samples of the n by n block whose top left
// sample is pix[at], and replaces those that are not available.
func (r *Refs) Gather(pix []byte, stride, at, n int, nb Neighbourhood) {
	const c = RefCorner
	if nb.Left {
		p := at - 1
		for i := c - 1; i >= c-n; i-- {
			r[i] = pix[p]
			p += stride
		}
		for i := c - n - 1; i >= c-n-nb.BelowLeft; i-- {
			r[i] = pix[p]
			p += stride
		}
	}
	if nb.Corner {
		r[c] = pix[at-stride-1]
	}
	switch {
	case nb.Above:
		copy(r[c+1:c+1+n+nb.AboveRight], pix[at-stride:])
	case nb.AboveRight > 0:
		copy(r[c+1+n:c+1+n+nb.AboveRight], pix[at-stride+n:])
	}
	if nb.Left && nb.Corner && nb.Above && nb.BelowLeft == n && nb.AboveRight == n {
		return
	}
	r.Substitute(n, nb)
}

// Substitute fills gaps from the neighbour towards the lower left end; the
// first available sample also fills everything before it.
func (r *Refs) Substitute(n int, nb Neighbourhood) {
	const c = RefCorner
	lo, hi := c-2*n, c+2*n
	set := func(from, to int, v uint8) {
		for i := from; i < to; i++ {
			r[i] = v
		}
	}
	switch {
	case nb.Left:
		set(lo, c-n-nb.BelowLeft, r[c-n-nb.BelowLeft])
	case nb.Corner:
		set(lo, c, r[c])
	case nb.Above:
		set(lo, c+1, r[c+1])
	case nb.AboveRight > 0: // of a slice that begins there
		set(lo, c+1+n, r[c+1+n])
	default:
		set(lo, hi+1, 128) // 1 << (BitDepth-1)
		return
	}
	if nb.Left && !nb.Corner {
		r[c] = r[c-1]
	}
	if !nb.Above {
		set(c+1, c+1+n, r[c])
	}
	set(c+1+n+nb.AboveRight, hi+1, r[c+n+nb.AboveRight])
}

// filterThreshold is intraHorVerDistThres by log2 of the size (Table 8-3): the
// smallest angular distance that is not filtered. 4x4 is never filtered.
var filterThreshold = [6]int{2: 10, 3: 7, 4: 1, 5: 0}

// Filtered reports whether a mode reads filtered references.
func Filtered(log2, mode int) bool {
	if mode == ModeDC || log2 == 2 {
		return false
	}
	d := min(abs(mode-ModeVertical), abs(mode-ModeHorizontal))
	return d > filterThreshold[log2]
}

// Filter writes the filtered reference samples of a block of size 1<<log2 to
// dst. strong is strong_intra_smoothing_enabled_flag.
func (r *Refs) Filter(dst *Refs, log2 int, strong bool) {
	const c = RefCorner
	n := 1 << log2
	lo, hi := c-2*n, c+2*n
	if strong && log2 == 5 && r.Smooth() {
		bl, tl, tr := int(r[lo]), int(r[c]), int(r[hi])
		dst[lo], dst[c], dst[hi] = r[lo], r[c], r[hi]
		for i := 1; i < 64; i++ {
			dst[c-i] = uint8(((64-i)*tl + i*bl + 32) >> 6)
			dst[c+i] = uint8(((64-i)*tl + i*tr + 32) >> 6)
		}
		return
	}
	dst[lo], dst[hi] = r[lo], r[hi]
	a, b := uint(r[lo]), uint(r[lo+1])
	for i := lo + 1; i < hi; i++ {
		e := uint(r[i+1])
		dst[i] = uint8((a + 2*b + e + 2) >> 2)
		a, b = b, e
	}
}

// Smooth reports that the samples around a block of 32x32 are close to straight lines,
// for strong smoothing: both differences are below 1 << (BitDepth-5).
func (r *Refs) Smooth() bool {
	const c, n = RefCorner, 32
	bl, tl, tr := int(r[c-2*n]), int(r[c]), int(r[c+2*n])
	return abs(tl+tr-2*int(r[c+n])) < 8 && abs(tl+bl-2*int(r[c-n])) < 8
}

func abs(v int) int {
	if v < 0 {
		return -v
	}
	return v
}
