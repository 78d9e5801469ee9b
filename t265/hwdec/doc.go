// Package hwdec is the hardware decoder of t265: its clocked units and the
// arithmetic of blocks that they share.
//
// # Inverse path
//
// An InverseUnit (itransform.go, t265_dec_inverse) takes the levels of coded blocks to
// residuals. Levels come in groups of four scan positions, one a cycle, are scaled (two
// cycles), and wait in a page until their block is complete. Each of three memories has
// two pages of the size of the largest block:
//
//	levels -> scaling -> coefficients -> engine -> residuals ->
//	                                      |  ^
//	                                      v  |
//	                                   transposed
//
// The coefficients are in eight banks of one coefficient a word. A Latin square
// (hw.CoefBank) maps the positions of a 4x4 sub-block to four of them, so that each group
// of each scan, and each column, is in four different ones. One engine transforms columns
// and rows in turn, eight values a cycle for blocks of 8x8 and 16x16, four for those of
// 4x4: at two passes a block, nearly four samples a cycle. Rows go first, so that the
// columns of the next block fill the time in which the last columns are on their way.
// Transform skip takes one pass. Residuals leave four a cycle, by rows or by columns.
//
//	cycles a block: 65 for 16x16, 17 for 8x8, 8.5 for 4x4, 7 with transform skip; the
//	latter wait for the two pages
//	memories:       16 of 1024 bits and 4 of 1152, a read and a write port each
//
// # Prediction
//
// A PredictUnit (predict.go, t265_dec_predict) takes the reference samples of blocks to
// four predicted samples a cycle. Modes 2 to 17 go by columns, all others by rows: a
// horizontal mode is then a vertical one with the references on the left and above
// exchanged, and LevelWord.ByColumns turns the residual to match. Main is the side that the
// angle points to.
//
//	beats -> substitution, filter -> two pages of a line -> turned to their places -> interpolated
//
// References come outwards from the corner, four samples above and four on the left a
// beat (hw.RefBeat), 2n/4 beats for n by n. Substitution (clause 8.4.4.2.2) is then to
// hold the last sample of a direction that was there; where there is none, the first beat
// has what stands for it. The filter (8.4.4.2.3) is eight taps, a beat late. Strong
// smoothing needs both ends first, and a second turn of 16 cycles.
//
// A line has 2n samples, of which a row of four is a window of five, one beside the other
// in two banks of latches. It never needs more: a positive angle wants 2n samples of main
// and none of side; a negative one n of main, and the samples of side that it projects,
// which are written before them; all other modes n of either. So a block is 16n bits,
// beside two samples behind the ends for planar mode.
//
// One form serves all modes, with one multiplier of 9 by 5 bits a sample: fraction times
// difference in angular modes, row times difference in planar mode, the weight of an edge
// in DC mode.
//
//	cycles a block: n*n/4, if its references come while the block before is read
//	latency:        2n/4 + 4 from the first beat to the first samples
//	memories:       none; 32n bits of latches
//
// # Pixel path
//
// A PixelsUnit (pixels.go, t265_dec_pixels) takes the items of all threads to samples:
//
//	items -> scheduler -> levels -> inverse path ------> reconstruction -> samples
//	             |                                         ^       |
//	             +-> blocks -> windows -> prediction ------+       |
//	                              ^                                |
//	                              +--------------------------------+
//
// A SchedUnit (sched.go) keeps the items of a thread in one memory: a word of a head, in
// which places and available neighbours are worked out, and a word of four levels of eight
// bits each; where one has more, a word with the upper bytes goes before. It reads one
// block after the other, a word a cycle. A thread has one block between the scheduler and
// the reconstruction, so that a block finds its neighbours in the windows and nothing
// behind the scheduler looks at threads. A block that is larger than the memory of its
// thread begins when that is full, and all others wait for it. Two complete blocks a
// thread suffice: more do not change the rate. Blocks of one size follow each other where
// threads have them, up to 32, since the two pages of each memory of the inverse path hold
// a block of any size: in turns, a small block waits for the page of a large one.
//
// A WindowsUnit (windows.go) has two memories of one port: the row above, four samples a
// word, as wide as the frame by thread, which the blocks below overwrite; and the column
// on the left, as high as a CTU by thread, of four samples with the one above them, which
// is the corner of a block that begins there. A block reads 2n/4 words of both, outwards
// from its corner, and writes n/4, so that 4x4 blocks take three cycles of four.
//
// A ReconUnit (recon.go) adds residuals and predictions, which come in the same order. In
// modes 2 to 17 samples go by columns, else by rows (hw.ByColumns). The last line of a
// block is a line of its window as it is; the ends of four lines are put together to a
// word of the other one.
//
// At about three bits a value, with 16 threads, the path takes 3.0 values a cycle of tier
// hw and 2.4 of rdo (TestPixelsRate). The inverse path holds it up: 8 and 40 % of the values
// are in blocks of 4x4, at half the rate of the others, and blocks wait for pages. A model
// in which coefficients and residuals have three pages, each for four blocks of 8x8 or 4x4
// in place of one of 16x16, takes 3.54 and 2.81 of the same pictures, without an order by
// size; with two such pages 3.1 and 2.5. An item a cycle, at 4.3 a block of 16 values, is
// a bound of 3.7.
package hwdec
