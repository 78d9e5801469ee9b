// Package hwdec is the hardware decoder of t265: its clocked units and the
// arithmetic of blocks that they share.
//
// # Pixel path
//
// The pixel path takes blocks of all threads, those of a thread in their order, to
// samples, four a cycle. A block takes two ways that meet again.
//
//	levels -> scaling -> coefficients -> engine -> residual -+
//	                          2 pages   |  ^  |    2 pages   +-> reconstruction
//	                                    v  |  v              |
//	                           transposition, 2 pages        |
//	block  -> references -> registers -> prediction ---------+
//
// Inverse path (itransform.go, t265_dec_inverse). Levels come in groups of four scan
// positions, one a cycle, are scaled (two cycles), and wait in a page until the block
// is complete. A page is of the size of the largest block. Its memory has eight banks
// of one coefficient: a Latin square maps the positions of a 4x4 sub-block to four of
// them, so that each group of each scan, and each column, is in four different ones.
// One engine transforms columns and rows in turn, eight values a cycle for blocks of
// 8x8 and 16x16, four for those of 4x4: at two passes a block, nearly four samples a cycle.
// Rows go first, so that the columns of the next block fill the time in which the last
// columns are on their way. Transform skip takes one pass. The residual waits in one
// of two pages, from which it leaves by rows or by columns, as the block is predicted.
//
//	           first pass   transposed   rows    residual   bits of memory, MaxTU 16
//	latency    3            1 + 4 + 1    same    3          2 * 8 * 1024 + 4 * 1152
//	interval   16x16 65 cycles, 8x8 17, 4x4 8.5, transform skip 7: two blocks are in each memory
//
// Prediction (predict.go, t265_dec_predict). Modes 2 to 17 are predicted by columns,
// all others by rows: then horizontal modes are vertical ones with the references on
// the left and above exchanged. A line of references moves by one sample or none from
// row to row, as the angle says, so that no sample is chosen among more than the
// quarters of a row; the samples that a negative angle projects come in one a row.
// One multiplier a sample serves angular and planar modes.
package hwdec
