package hwdec

import "vcsim/t265/block"

// RTL: rtl/t265/t265_parse_around.v

// An aroundUnit holds what coding units derive contexts, modes and QPs from: an entry
// for each row, of the unit on the left, and for each column, of the unit above. A
// unit replaces both. Modes are by rows and columns of four samples of the CTU,
// depths (cqtDepth) and QPs by rows and columns of eight.
//
// Depths on the left and above come from the CTUs there. So do modes on the left;
// above a CTU they count as DC (clause 8.4.2). QPs do not leave a CTU.
type aroundUnit struct {
	leftMode, aboveMode   [16]uint8 // IntraPredModeY
	leftDepth, aboveDepth [8]uint8  // 0..3
	leftQP, aboveQP       [8]uint8  // QpY
	hasLeft               bool      // the modes on the left count in column 0
}

// next is the edge at which a CTU begins.
func (u *aroundUnit) next(left bool) {
	u.hasLeft = left
	if !left {
		u.leftDepth = [8]uint8{}
	}
}

// load is the edge that takes the word of the column above.
func (u *aroundUnit) load(word uint16, has bool) {
	for i := range u.aboveDepth {
		u.aboveDepth[i] = 0
		if has {
			u.aboveDepth[i] = uint8(word >> (2 * i) & 3)
		}
	}
}

// word is what the CTU leaves for the one below: aboveDepth[i] in bits 2*i.
func (u *aroundUnit) word() (w uint16) {
	for i, d := range u.aboveDepth {
		w |= uint16(d) << (2 * i)
	}
	return w
}

// splitInc is ctxInc of split_cu_flag of a node of a depth at (x, y), in units of
// four samples (clause 9.3.4.2.2).
func (u *aroundUnit) splitInc(x, y, depth uint8) (inc uint8) {
	if u.leftDepth[y>>1] > depth {
		inc++
	}
	if u.aboveDepth[x>>1] > depth {
		inc++
	}
	return inc
}

// modes returns the modes on the left of and above a block at (x, y), in units of
// four samples.
func (u *aroundUnit) modes(x, y uint8) (left, above uint8) {
	left, above = block.ModeDC, block.ModeDC
	if x != 0 || u.hasLeft {
		left = u.leftMode[y]
	}
	if y != 0 {
		above = u.aboveMode[x]
	}
	return left, above
}

// predictQP returns qPY_PRED of a quantization group at (x, y) (clause 8.6.1); before
// is the QP of the coding unit before it.
func (u *aroundUnit) predictQP(x, y, before uint8) uint8 {
	left, above := before, before
	if x != 0 {
		left = u.leftQP[y>>1]
	}
	if y != 0 {
		above = u.aboveQP[x>>1]
	}
	return (left + above + 1) >> 1
}

// setMode gives a block at (x, y) of n units of four samples its mode.
func (u *aroundUnit) setMode(x, y, n, mode uint8) {
	for i := range n {
		u.leftMode[y+i], u.aboveMode[x+i] = mode, mode
	}
}

// setUnit gives a coding unit its depth and QP.
func (u *aroundUnit) setUnit(x, y, n, depth, qp uint8) {
	for i := range n >> 1 {
		u.leftDepth[y>>1+i], u.aboveDepth[x>>1+i] = depth, depth
		u.leftQP[y>>1+i], u.aboveQP[x>>1+i] = qp, qp
	}
}
