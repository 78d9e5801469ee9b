// Package t265 is a tensor codec whose streams are ITU-T H.265 (v4, 12/2016)
// Annex B streams: 4:0:0, 8 bit, all intra, one IDR picture a frame, no
// in-loop filters, general_profile_idc 4 without any range extension tool.
//
// The decoder takes what the encoder emits and more: CTUs of 16 to 64, all 35
// modes, transform trees, transform skip, sign data hiding, cu_qp_delta,
// transquant bypass, PCM, slices, dependent slices and wavefronts. What lies
// outside (chroma, inter prediction, tiles, scaling lists, loop filters, range
// extension tools) is refused with an UnsupportedError naming the element.
//
// # Tier hw
//
// This section is the contract for the RTL: from it alone a circuit can be
// built that emits the same bytes. All arithmetic is on integers; >> of a
// negative number rounds down; a / b is the quotient without its remainder. No
// decision depends on coded bins, so that coefficients can queue between the pixel
// path and the entropy coder. The host writes parameter sets and slice headers.
//
// Order. N is the size of a CTU, 16, 32 or 64. The sides of the coded picture are
// multiples of N; the last column and row of the source are repeated up to there.
// CTUs go in raster order. A CTU is one coding unit (the smallest coding unit is
// N, so that there is no split_cu_flag) of one prediction block (PART_2Nx2N,
// part_mode is coded) with one intra mode: DC, planar, vertical or horizontal,
// which are lanes 0 to 3. max_transform_hierarchy_depth_intra is log2 N - 2, so
// that 4x4 blocks are always in reach. Nodes larger than the largest transform
// (MaxTU, 16 by default) are split by inference; for MaxTU 4, MaxTbLog2SizeY is 3
// and nodes of 8 are split by a flag. A CTU is decided first, mode and then
// transform tree, and coded then, block by block in z-order.
//
// Samples of decisions (sketch.go). Decisions do not wait for the blocks before
// them in their row of CTUs. They read the source samples of the CTU, L[0..N-1],
// the column on the left of it as the source has it, and A[0..N-1], the row above
// it as it is reconstructed; nothing above its right end, below its left end, or at
// its corner. A CTU beside them is available if it is in the picture and in the
// slice. If the left one is not, all L are A[0]; if the one above is not, all A are
// L[0]; if neither is, all are 128.
//
// QP. The QP of a picture is q + f/16. With f, C CTUs in the picture, and
// Params.FineQP, the first (f*C + 8) >> 4 of its CTUs in raster order have QP q+1,
// all others q, which is SliceQpY. cu_qp_delta comes once a CTU, with its first
// block that has levels: the QP of the CTU less that of the last CTU of the slice
// that coded one, or SliceQpY if none did. All below uses the QP of the CTU.
//
// Mode (block/open.go). In each tile of 8x8 of the CTU, S[j][k] is the
// two-dimensional Hadamard transform of the source in natural order, j the vertical
// and k the horizontal index: the sum of s[y][x] times -1 to the number of ones in
// j&y and k&x. a[k] and l[j] are the 8-point transforms of the samples of A above
// the columns of the tile and of those of L beside its rows. The coefficients of
// the residual, by mode, are
//
//	DC          S, but S[0][0] - 64*dc, dc = (sum of A and L + N) >> (log2 N + 1)
//	vertical    S, but S[0][k] - 8*a[k] in row 0
//	horizontal  S, but S[j][0] - 8*l[j] in column 0
//	planar      S[j][k] - ((P[j][k] + N) >> (log2 N + 1))
//
// where P[j][k] = a[k]*fy[j] + l[j]*fx[k], plus 8*L[N-1]*ry[j] if k is 0, plus
// 8*A[N-1]*rx[k] if j is 0. fy and ry are the transforms of N-1-y and y+1 over the
// rows y of the tile, counted in the CTU, fx and rx those of N-1-x and x+1 over its
// columns. The cost of a coefficient v (OpenCost) is, of m = v, or -v-1 if v is
// negative, twice the position of the leading one (0 for m of 0 and 1) plus the bit
// below it, less (QP+2)/3, and at least 0. The costs of all coefficients of all
// tiles are added; 25 (OpenPrice) is added to all modes but DC. The least sum wins,
// the lowest lane of equals.
//
// Transform tree (hw.go). The cost of a node as a whole, in 1/4096 squared
// quantiser steps, is that of one transform block of its size n, for n up to MaxTU
// and 32. It is predicted from the n samples above and the n on the left of it: those
// of the source inside the CTU, those of A and L at its edges. Vertical and
// horizontal repeat these samples. DC is their mean, (sum + n) >> (log2 n + 1), with
// the edge filters of clause 8.4.4.2.5 (none at n = 32). Planar is clause 8.4.4.2.4
// with the last sample above for p[n][-1] and the last one on the left for p[-1][n].
// There is no filter of the samples and no edge filter of vertical and horizontal
// (OpenPredict). The residual is transformed and quantised as below, without sign
// data hiding (block/cost.go). The cost is
//
//	squared error of the coefficients + (bits * 400) >> 4
//
// 400 being BitPrice, with the squared error in 1/64 steps and the bits in 1/16:
// BlockRate, which is 26, 44, 80 or 112 for n = 4, 8, 16 or 32, plus for each 4x4
// sub-block with z levels that are not zero and the sum s of their magnitudes
// (SubBlockRate)
//
//	patternRate[z] + 16*(z + z*(k+1) + (s-z)>>k), k = floor(log2(s/z))
//
// and patternRate[0] = 8 if z is 0; patternRate is 8, 72, 119, 154, 181, 202, 216,
// 226, 229, and the same backwards. The cost of a node as four parts is SplitPrice,
// 400, plus the costs of its parts, each the less of whole and parts. The parts win
// if their cost is below that of the whole, and in nodes larger than MaxTU; 4x4 is
// never split. Evaluation may stop where it can no longer change the outcome.
//
// Coding (hw.go). The blocks of the tree are coded closed loop, each predicted from
// the reconstruction so far with the mode of the CTU, with substitution, filters and
// edge filters as in clause 8.4.4.2. A 4x4 block is coded with transform skip; the
// DST-VII serves when transform skip is switched off. Larger blocks use the DCT.
//
// Transform (block/dct.go). Rows first, then columns (the inverse transform has
// columns first, so that nothing is transposed between the two); rounding shifts of
// log2 n - 1 and log2 n + 6, which keep 16 bits. Transform skip shifts left by 5.
//
// Quantisation (block/quant.go). With w = (|c| * quantScale[QP%6]) >>
// (15 + QP/6 - log2 n), the magnitude in 1/64 step, the level is w >> 6, plus
// one if w & 63 is at least 39 (roundFrom0, for a level of zero) or 36 (roundFrom1,
// else). quantScale is 26214, 23302, 20560, 18396, 16384, 14564. Squared errors are
// those of w less 64 times the level.
//
// Sign data hiding. In each 4x4 sub-block whose highest and lowest nonzero
// scan positions are more than 3 apart and whose parity is wrong, one level
// moves by one towards its coefficient: the one whose move costs least, the
// lowest scan position of equals. With the magnitude e/64 steps above the
// level, the cost is 64 - 2|e|, plus 4 (hideCost) if the level grows, less 4
// if it shrinks (e < 0), plus 4 if it was zero. Moves that would make
// another level carry the hidden sign are out: of a one at the lowest position
// down to zero, and below it of a zero whose coefficient has the other sign.
//
// Reconstruction. Scaling, inverse transform and clipping of clauses 8.6.2 to
// 8.6.7, which the decoder shares.
//
// Entropy coding (block/residual.go, residual.go, enc.go). Slice data of clause
// 7.3.8. Slice i of n begins at CTU row i*R/n of R.
//
// Tools that Params.Off switches off leave out what their names say: without intra
// every mode is DC, without a transform size no node is a whole of that size,
// without transform every block is 4x4. Blocks of 4x4 are those with transform skip, and
// hardware without it (hwenc.Spec.MinTU 8) has no DST-VII instead: its streams are those
// without the transform size 4.
//
// Lossless streams (transquant bypass) are decided in the same way, with the squared
// error zero and the residual in place of the levels; they stay in software. Those of
// tier rdo have coding units of the largest transform in CTUs of 64.
//
// # Tier rdo
//
// The software search shows what the format can give at the CPU time of a
// usual software encoder: coding units of 8 to 32, four prediction blocks at
// 8, all modes, transform trees, rate-distortion optimised quantisation. It is
// closed loop. Costs are squared errors plus lambda times bits, in integers.
//
// Modes (slot.go). A prediction block is predicted in planar, DC, vertical and
// horizontal mode, the modes of its neighbours, and those around the best; 4x4
// blocks also in two of the other angular modes, as long as such modes win.
// The true coefficients of each, at 4x4 also those of transform skip, look up
// what they will cost in a table, and the sums rank them.
//
// Quantisation (block/trellis.go). The most promising go through a trellis that
// takes the level below or above each coefficient. It keeps two survivors, one
// for each parity of the sum of a sub-block, so that sign data hiding is part
// of the choice, and the last position and empty sub-blocks are. Its cost
// decides, below QP 22 with the squared error of the samples: their rounding
// matters there.
//
// Partition (search.go). The best mode, and at 8 and 16 the second best, are
// tried with a split of the transform tree; coding units of 32 have one
// transform block. Larger blocks come first and bound the cost of smaller ones.
//
// Rates (block/odds.go, block/rate.go) come from odds that follow the bins of a context
// slowly. Context states themselves, which follow the last few bins, cost 0.01
// bits a value more. Each transform size has odds of its own, trained as if
// every block had that size: those of the stream would favour the sizes
// already in use.
package t265
