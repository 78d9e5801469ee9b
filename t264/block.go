package t264

// Block geometry shared by encoder and decoder: where a block lies in its
// picture, slice and macroblock, and which neighbours precede it in decoding
// order (clauses 6.4.9 to 6.4.11).

// Kinds of macroblocks (Table 7-11).
const (
	mb4x4   = iota // I_NxN, transform_size_8x8_flag 0
	mb8x8          // I_NxN, transform_size_8x8_flag 1
	mb16x16        // I_16x16
	mbPCM          // I_PCM
	numMBKinds
)

// A mbEdge tells which neighbouring macroblocks are available: inside the
// picture and in the same slice (mbAddrA, B, D and C of clause 6.4.9).
type mbEdge struct {
	left, above, aboveLeft, aboveRight bool
}

// blockX and blockY locate 4x4 block i of a macroblock, in samples (clause
// 6.4.3, the inverse scan); 8x8 block i is at blockX[4*i], blockY[4*i].
var (
	blockX = [16]uint8{0, 4, 0, 4, 8, 12, 8, 12, 0, 4, 0, 4, 8, 12, 8, 12}
	blockY = [16]uint8{0, 0, 4, 4, 0, 0, 4, 4, 8, 8, 12, 12, 8, 8, 12, 12}
)

// A neighbourhood tells which reference samples of a block are available.
type neighbourhood struct {
	left, above, corner, aboveRight bool
}

// later4 and later8 mark the blocks (by 4x4 or 8x8 raster in the macroblock)
// whose above right neighbour follows in decoding order or lies in the
// macroblock to the right.
var (
	later4 = [16]bool{5: true, 7: true, 11: true, 13: true, 15: true}
	later8 = [4]bool{3: true}
)

// neighbours derives the neighbourhood of the n by n block at (x, y), whose
// macroblock has the edges e.
func neighbours(x, y, n int, e mbEdge) (nb neighbourhood) {
	cx, cy := x&15, y&15
	nb.left = cx > 0 || e.left
	nb.above = cy > 0 || e.above
	switch {
	case cx > 0 && cy > 0:
		nb.corner = true
	case cx > 0:
		nb.corner = e.above
	case cy > 0:
		nb.corner = e.left
	default:
		nb.corner = e.aboveLeft
	}
	switch {
	case n == 16:
		// Intra16x16 reads no sample there.
	case cy == 0 && cx+n == 16:
		nb.aboveRight = e.aboveRight
	case cy == 0:
		nb.aboveRight = e.above
	case n == 4:
		nb.aboveRight = !later4[cy+cx>>2]
	default:
		nb.aboveRight = !later8[cy>>2+cx>>3]
	}
	return nb
}

// clip8 limits v to 0..255.
func clip8(v int32) uint8 {
	if uint32(v) > 255 {
		return uint8(^(v >> 31))
	}
	return uint8(v)
}
