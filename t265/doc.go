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
// negative number rounds down. No decision depends on coded bins, so that
// coefficients can queue between the pixel path and the entropy coder. The
// host writes parameter sets and slice headers.
//
// Order. CTUs in raster order, quadtree nodes in z-order. A node is split
// (split_cu_flag, coded or inferred) while it is larger than the largest
// transform size (MaxTU, 16 by default, and at least 8) or crosses the right
// or lower edge of the coded picture, whose sides are multiples of the
// smallest coding unit and which is padded by replication. Every other node is
// a coding unit of one prediction block (PART_2Nx2N).
//
// Mode (block/mode.go). Planar, DC, vertical and horizontal prediction are
// formed from reconstructed neighbours with substitution, filtering and edge
// filters as in clause 8.4.4.2. The residual of each, in tiles of 8x8, passes
// the two-dimensional Hadamard transform; the costs of its coefficients, from a
// table by the logarithm of the magnitude (CostTable), are added. ModePrice is
// added to all but DC. The least sum wins, in the order DC, planar, vertical,
// horizontal when equal.
//
// Transform tree (hw.go). max_transform_hierarchy_depth_intra is 2. A block is
// coded whole and, above 4x4 and below depth 2, as four parts one after the
// other, each predicted from the reconstruction so far with the mode of the
// unit. The parts win if SplitPrice plus the sum of their costs is below that
// of the whole; their evaluation may stop as soon as it is not. The cost of a
// block, in 1/4096 squared quantiser steps, is
//
//	squared error of the coefficients + (bits * BitPrice) >> 4
//
// with the bits, in 1/16, of SubBlockRate over its sub-blocks and BlockRate by
// its size. A 4x4 block is coded with transform skip; the DST-VII serves when
// transform skip is switched off. Larger blocks use the DCT.
//
// Transform (block/dct.go). Columns first, then rows; rounding shifts of
// log2 N - 1 and log2 N + 6, which keep 16 bits. Transform skip shifts left by 5.
//
// Quantisation (block/quant.go). With w = (|c| * quantScale[QP%6]) >>
// (15 + QP/6 - log2 N), the magnitude in 1/64 step, the level is w >> 6, plus
// one if w & 63 is at least roundFrom0 (for a level of zero) or roundFrom1
// (else). Squared errors are those of w less 64 times the level.
//
// Sign data hiding. In each 4x4 sub-block whose highest and lowest nonzero
// scan positions are more than 3 apart and whose parity is wrong, one level
// moves by one towards its coefficient: the one whose move costs least, the
// lowest scan position of equals. With the magnitude e/64 steps above the
// level, the cost is 64 - 2|e|, plus hideCost if the level grows, less hideCost
// if it shrinks (e < 0), plus hideCost if it was zero. Moves that would make
// another level carry the hidden sign are out: of a one at the lowest position
// down to zero, and below it of a zero whose coefficient has the other sign.
// Squared error, magnitude and mask after the move count in the cost of the
// block.
//
// Reconstruction. Scaling, inverse transform and clipping of clauses 8.6.2 to
// 8.6.7, which the decoder shares.
//
// Entropy coding (block/residual.go, residual.go, enc.go). Slice data of clause 7.3.8 with
// cu_qp_delta once a CTU if Params.FineQP, which steps between two
// neighbouring QPs by an accumulator of 1/16 (nextQP).
//
// Lossless streams (transquant bypass) use the same tree with the squared
// error zero; they stay in software.
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
