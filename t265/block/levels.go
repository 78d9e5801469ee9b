package block

import "math/bits"

// Transform coefficient levels of one block, as quantisers leave them and
// residual_coding takes them.

// Levels are those of a transform block of size 1<<Log2 in coding order: 16 to
// a sub-block, sub-blocks in scan order. The slices belong to the caller.
type Levels struct {
	Lev  []int16  // s16, 1<<(2*Log2) of them; only those in the masks count
	Mask []uint16 // by sub-block: bit k is set where the level at scan position k is not zero
	Log2 int
	Scan int // scanIdx
}

// LevelsIn returns the Levels of a block of size 1<<log2 at the start of the
// two arrays.
func LevelsIn(lev []int16, mask []uint16, log2, scanIdx int) Levels {
	n := 1 << (2 * log2)
	return Levels{lev[:n], mask[:n/16], log2, scanIdx}
}

// Order returns the scan of the block.
func (l *Levels) Order() *Scan { return &Scans[l.Log2-2][l.Scan] }

// LastSubBlock returns the last sub-block with a nonzero mask, or -1.
func (l *Levels) LastSubBlock() int {
	for i := len(l.Mask) - 1; i >= 0; i-- {
		if l.Mask[i] != 0 {
			return i
		}
	}
	return -1
}

// Last returns sub-block and position, in coding order, of the last level of a
// block that has one, and the coordinates that residual_coding codes for it: they
// are swapped in the vertical scan (clause 7.4.9.11).
func (l *Levels) Last() (sub, pos, x, y int) {
	s := l.Order()
	sub = l.LastSubBlock()
	pos = bits.Len16(l.Mask[sub]) - 1
	x = int(s.SubX[sub&63])<<2 + int(s.PosX[pos&15])
	y = int(s.SubY[sub&63])<<2 + int(s.PosY[pos&15])
	if l.Scan == ScanVert {
		x, y = y, x
	}
	return sub, pos, x, y
}
