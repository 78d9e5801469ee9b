package hw

// The words between the host, the pixel path of the hardware encoder and its
// entropy coding. In Verilog a word has its fields in this order, the first one
// lowest, in the bits that the tags say; ThreadBits and XBits follow from the
// parameters of a module. gen/t264_enc_words.vh has their offsets.

// A FrameConfig starts a frame, one slice, in a thread.
type FrameConfig struct {
	Thread uint8  `rtl:"ThreadBits"`
	Width  uint16 `rtl:"XBits"` // in macroblocks, 1..FrameMBs; in Verilog less one
	Height uint16 `rtl:"10"`    // in macroblocks, 1..1023
	QP16   uint16 `rtl:"10"`    // QP in 1/16, 0..816
}

// A MBRequest asks for the 256 source samples of a macroblock. The answers come
// in the order of the requests: Values samples a beat, 4x4 blocks in decoding
// order, rows of a block from the top.
type MBRequest struct {
	Thread uint8  `rtl:"ThreadBits"`
	X      uint16 `rtl:"XBits"`
	Y      uint16 `rtl:"10"`
	Last   bool   // of the frame
}

// A SourceBeat holds Values samples of 8 bits, the first one lowest.
type SourceBeat uint64

// An ACToken holds the AC levels of one 4x4 block. Sixteen of them, in decoding
// order, go before the MBToken of their macroblock, those of other threads not
// in between.
type ACToken struct {
	Thread uint8     `rtl:"ThreadBits"`
	Block  uint8     `rtl:"4"` // 0..15
	Coded  bool      // a level is not zero
	Levels [16]int16 `rtl:"12 from 1"` // by scan position, s12: at most 1633 in magnitude; 0 is zero
}

// A MBToken ends a macroblock.
type MBToken struct {
	Thread      uint8 `rtl:"ThreadBits"`
	QP          uint8 `rtl:"6"` // SliceQPY: what the contexts start from, the same for the whole slice
	Mode        uint8 `rtl:"2"` // Intra16x16PredMode 0..2
	CBP         bool  // CodedBlockPatternLuma is 15, not 0: the AC blocks are coded
	QPDelta     uint8 `rtl:"2"` // mb_qp_delta: 0, 1, or 2 for -1
	Changed     bool  // mb_qp_delta of the macroblock before in the slice was not 0
	Left, Above bool  // available; neither in the first macroblock of a slice alone
	// LeftCoded and AboveCoded are coded_block_flag of the neighbours: bits 0..3
	// of the AC blocks beside rows (above columns) 0..3, bit 4 of the DC block. A
	// neighbour that is not available has ones, as clause 9.3.3.1.1.9 counts it.
	LeftCoded, AboveCoded uint8     `rtl:"5"`
	Last                  bool      // of the slice
	DC                    [16]int16 `rtl:"14"` // levels by scan position, s14: at most 6529 in magnitude
}
