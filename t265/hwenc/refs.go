package hwenc

import "vcsim/t265/block"

// RTL: rtl/t265/t265_window.v

// A window holds the reconstructed samples of a thread that blocks of its CTU may be
// predicted from: those that were last in each column, each row, and each diagonal.
type window struct {
	row  [18]uint8 // lowest sample by column; the last two are above the next CTU
	left [16]uint8 // rightmost sample by row
	// diag has the last sample by diagonal x/4 - y/4 + 3, where (x, y) is the place of a
	// block, in the CTU, of which it is the corner.
	diag [7]uint8
}

// begin is the start of a CTU, whose neighbour on the left is the CTU before.
func (w *window) begin(row *[18]uint8, corner uint8) {
	w.row = *row
	w.diag[3] = corner
	for d := 1; d <= 3; d++ {
		w.diag[3+d], w.diag[3-d] = row[4*d-1], w.left[4*d-1]
	}
}

// neighbourhood tells what a block may be predicted from (clause 6.4.1).
func neighbourhood(t *TU) (nb block.Neighbourhood) {
	n, s := 4<<t.Log2, uint8(1)<<t.Log2
	nb.Left, nb.Above = t.CX > 0 || t.Left, t.CY > 0 || t.Above
	nb.Corner = nb.Left && nb.Above
	edge := t.CX+s == 4
	var right, below bool
	switch {
	case t.CY == 0 && edge:
		right = t.Right
	case t.CY == 0:
		right = t.Above
	case s == 1:
		right = t.CX&1 == 0 || t.CX == 1 && t.CY == 2
	default:
		right = !edge
	}
	switch {
	case t.CY+s == 4:
	case t.CX == 0:
		below = t.Left
	default:
		below = s == 1 && t.CX == 2 && t.CY&1 == 0
	}
	if right {
		nb.AboveRight = n
	}
	if below {
		nb.BelowLeft = n
	}
	return nb
}

// fetch gathers the references of a block, without those beyond the two next to it on
// either end, and replaces those that are not available (clause 8.4.4.2.2).
func (w *window) fetch(t *TU, r *block.Refs) {
	const c = block.RefCorner
	n, x, y := 4<<t.Log2, 4*int(t.CX), 4*int(t.CY)
	copy(r[c+1:c+1+n+2], w.row[x:])
	for i, v := range w.left[y:min(y+n+2, 16)] {
		r[c-1-i] = v
	}
	r[c] = w.diag[3+t.CX-t.CY]
	r.Substitute(n, neighbourhood(t))
}
