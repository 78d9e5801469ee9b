// Package t264 is a tensor codec over ITU-T H.264 (edition 08/2021): High
// profile, monochrome, 8 bit, all intra, CABAC, no deblocking; High 4:4:4
// Predictive profile for lossless coding.
//
// An Encoder writes Annex B streams, one IDR picture for each frame, that any
// H.264 decoder reconstructs to what Recon returns. A Decoder reads them, and
// all-intra monochrome CABAC streams of other encoders; what lies outside gets
// an UnsupportedError that names the syntax element.
//
// # The hw tier
//
// The hw tier is the contract of the RTL: integer arithmetic, one pass, no
// decision that waits for coded bins. The host writes parameter sets and slice
// headers; the hardware does the rest, macroblock by macroblock in raster
// order, the picture padded to multiples of 16 by its last column and row.
//
//  1. Type. Every macroblock is I_16x16 (mb_type with CodedBlockPatternLuma 0
//     or 15), so that its sixteen 4x4 blocks do not wait for each other.
//     mb_qp_delta is 0, unless the host asks for a QP between two integers.
//  2. Mode. DC (2), vertical (0) or horizontal (1), closed loop (block/mode.go):
//     the least sum of absolute differences between the source macroblock and its
//     prediction from reconstructed neighbours. Vertical and horizontal pay
//     4 << QP/6 more, are barred without their neighbours, and win only when
//     cheaper; vertical goes before horizontal.
//  3. Prediction (block/intra.go), residual s9, 4x4 transforms (block/dct.go),
//     coefficients s15. The DCs, s13, go through the 4x4 Hadamard transform, sums s17.
//  4. Quantisation (block/quant.go). t = |c| * scale, scale a 14-bit table of QP%6 and
//     three classes of position; the level is t >> shift, shift 15 + QP/6 (DC:
//     two more), plus one where the next 6 bits of t reach 38 (level 0) or 35
//     (others). A block of 15 AC levels whose only level is one goes to zero
//     when t in 1/64 step is below 54. There is no other dead zone, and no
//     decision across blocks.
//  5. CodedBlockPatternLuma is 15 if an AC level is left in the macroblock, else
//     0.
//  6. Reconstruction (dequant.go, idct.go and recon.go of block):
//     level * (v << QP/6) in 16 bits, DC (sum * (v << QP/6) + 2) >> 2 after the Hadamard transform,
//     inverse 4x4 transforms rows first, (r + 32) >> 6 added and limited.
//  7. Coding (residual.go, enc.go): mb_type 6 bins, mb_qp_delta one, the DC
//     block, then the 16 AC blocks in decoding order when the pattern is 15.
//
// I_PCM, lossless coding and the search of the rdo tier stay in software.
//
// # Ablation
//
// Bits a value above x264 at equal error, mean over QP 12 to 32 of the fourteen
// planes of ../shared/planes (rdo: six of them) and worst plane; each row is an
// Off setting.
//
//	hw against x264 medium                    mean    worst
//	as above: 16x16 alone, DC, V, H          -0.071  +0.033
//	intra (DC alone)                         -0.064  +0.142
//	deadzone                                 -0.049  +0.112
//	i16 (8x8 alone)                          -0.006  +0.163
//	i16,i8 (4x4 alone)                       +0.032  +0.130
//
//	rdo against x264 placebo                  mean    worst
//	everything                               -0.033  -0.012
//	i4                                       -0.022  -0.002
//	i8                                       -0.026  -0.004
//	i16                                      -0.008  +0.017
//	i4,i8 (16x16 alone)                      -0.017  +0.010
//	i4,i16 (8x8 alone)                       +0.032  +0.107
//	i8,i16 (4x4 alone)                       +0.009  +0.044
//	angular                                  -0.022  -0.004
//	intra                                    -0.022  -0.002
//	rdoq                                     +0.001  +0.038
//
// Tensors are mostly noise to a video codec: side information and prediction
// from few noisy neighbours cost more than small blocks gain. Blocks of 16x16
// alone lose 0.016 bit even to a full search, need one 4x4 transform, and let
// a pipeline work on a whole macroblock at once; that is the hw tier. A full
// search finds 0.048 bit more than hw (hw is 0.015 above x264 placebo), of
// which quantisation by rate and distortion is 0.03.
package t264
