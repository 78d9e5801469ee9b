// Package block is the arithmetic of the blocks of t264 (ITU-T H.264, edition
// 08/2021): geometry, scan, contexts, prediction, transforms and quantisers. It
// keeps no state; software codec and hardware compute every value with it.
package block

// Block geometry shared by encoder and decoder: where a block lies in its
// picture, slice and macroblock, and which neighbours precede it in decoding
// order (clauses 6.4.9 to 6.4.11).

// Kinds of macroblocks (Table 7-11).
const (
	MB4x4   = iota // I_NxN, transform_size_8x8_flag 0
	MB8x8          // I_NxN, transform_size_8x8_flag 1
	MB16x16        // I_16x16
	MBPCM          // I_PCM
	NumMBKinds
)

// An Edge tells which neighbouring macroblocks are available: inside the
// picture and in the same slice (mbAddrA, B, D and C of clause 6.4.9).
type Edge struct {
	Left, Above, AboveLeft, AboveRight bool
}

// X and Y locate 4x4 block i of a macroblock, in samples (clause
// 6.4.3, the inverse scan); 8x8 block i is at X[4*i], Y[4*i].
var (
	X = [16]uint8{0, 4, 0, 4, 8, 12, 8, 12, 0, 4, 0, 4, 8, 12, 8, 12}
	Y = [16]uint8{0, 0, 4, 4, 0, 0, 4, 4, 8, 8, 12, 12, 8, 8, 12, 12}
)

// A Neighbourhood tells which reference samples of a block are available.
type Neighbourhood struct {
	Left, Above, Corner, AboveRight bool
}

// later4 and later8 mark the blocks (by 4x4 or 8x8 raster in the macroblock)
// whose above right neighbour follows in decoding order or lies in the
// macroblock to the right.
var (
	later4 = [16]bool{5: true, 7: true, 11: true, 13: true, 15: true}
	later8 = [4]bool{3: true}
)

// Neighbours derives the neighbourhood of the n by n block at (x, y), whose
// macroblock has the edges e.
func Neighbours(x, y, n int, e Edge) (nb Neighbourhood) {
	cx, cy := x&15, y&15
	nb.Left = cx > 0 || e.Left
	nb.Above = cy > 0 || e.Above
	switch {
	case cx > 0 && cy > 0:
		nb.Corner = true
	case cx > 0:
		nb.Corner = e.Above
	case cy > 0:
		nb.Corner = e.Left
	default:
		nb.Corner = e.AboveLeft
	}
	switch {
	case n == 16:
		// Intra16x16 reads no sample there.
	case cy == 0 && cx+n == 16:
		nb.AboveRight = e.AboveRight
	case cy == 0:
		nb.AboveRight = e.Above
	case n == 4:
		nb.AboveRight = !later4[cy+cx>>2]
	default:
		nb.AboveRight = !later8[cy>>2+cx>>3]
	}
	return nb
}

// Clip8 limits v to 0..255.
func Clip8(v int32) uint8 {
	if uint32(v) > 255 {
		return uint8(^(v >> 31))
	}
	return uint8(v)
}
