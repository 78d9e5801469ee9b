package hw

// The hardware encoder in parameters, and the words between its pixel path and
// its entropy coding.

// A FrameConfig starts a frame, one slice, in a thread.
//
// Verilog: {QP16 10b, Height 10b, Width-1 XBits, Thread ThreadBits}, the last
// one lowest.
type FrameConfig struct {
	Thread uint8
	Width  uint16 // in macroblocks, 1..FrameMBs
	Height uint16 // in macroblocks, 1..1023
	QP16   uint16 // QP in 1/16, 0..816
}

// A MBRequest asks for the 256 source samples of a macroblock. The answers come
// in the order of the requests: Values samples a beat, 4x4 blocks in decoding
// order, rows of a block from the top.
//
// Verilog: {Last, Y 10b, X XBits, Thread ThreadBits}.
type MBRequest struct {
	Thread uint8
	X, Y   uint16
	Last   bool // of the frame
}

// A SourceBeat holds Values samples of 8 bits, the first one lowest.
type SourceBeat uint64

// An ACToken holds the AC levels of one 4x4 block. Sixteen of them, in decoding
// order, go before the MBToken of their macroblock, those of other threads not
// in between.
//
// Verilog: {Levels[15] s12, ..., Levels[1] s12, Coded, Block 4b, Thread}: level k
// of scan position k = 1..15 in bits ThreadBits + 5 + 12*(k-1) on.
type ACToken struct {
	Thread uint8
	Block  uint8     // 0..15
	Coded  bool      // a level is not zero
	Levels [16]int16 // by scan position, s12: at most 1633 in magnitude; 0 is zero
}

// A MBToken ends a macroblock.
//
// Verilog, lowest first: Thread, QP 6b, Mode 2b, CBP 1b, QPDelta 2b, Changed,
// Left, Above, LeftCoded 5b, AboveCoded 5b, Last, then the DC levels s14 in scan
// order, number k at 14*k.
type MBToken struct {
	Thread      uint8
	QP          uint8 // SliceQPY: what the contexts start from, the same for the whole slice
	Mode        uint8 // Intra16x16PredMode 0..2
	CBP         bool  // CodedBlockPatternLuma is 15, not 0: the AC blocks are coded
	QPDelta     uint8 // mb_qp_delta: 0, 1, or 2 for -1
	Changed     bool  // mb_qp_delta of the macroblock before in the slice was not 0
	Left, Above bool  // available; neither in the first macroblock of a slice alone
	// LeftCoded and AboveCoded are coded_block_flag of the neighbours: bits 0..3
	// of the AC blocks beside rows (above columns) 0..3, bit 4 of the DC block. A
	// neighbour that is not available has ones, as clause 9.3.3.1.1.9 counts it.
	LeftCoded, AboveCoded uint8
	Last                  bool      // of the slice
	DC                    [16]int16 // levels by scan position, s14: at most 6529 in magnitude
}
