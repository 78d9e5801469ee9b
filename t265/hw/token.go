package hw

// The words between the host and the hardware encoder. In Verilog a word has its
// fields in this order, the first one lowest, in the bits that the tags say;
// ThreadBits follows from the parameters of a module. rtl/t265/gen/t265_enc_words.vh
// has their offsets.

// A FrameConfig starts a frame, one slice, in a thread.
type FrameConfig struct {
	Thread uint8  `rtl:"ThreadBits"`
	QP     uint8  `rtl:"6"`  // SliceQpY, 0..51; at most 50 if High is not 0
	High   uint32 `rtl:"20"` // the first CTUs that have QP + 1; 0 unless Fine
	Fine   bool   // cu_qp_delta is enabled
	Width  uint16 `rtl:"10"` // in CTUs, 1..FrameCTUs
	Height uint16 `rtl:"10"` // in CTUs, 1..1023
}

// A CTURequest asks for the source samples of a CTU. The answers come in the order of
// the requests: eight samples a beat, tiles of 8x8 samples in z-order, rows from the
// top.
type CTURequest struct {
	Thread uint8  `rtl:"ThreadBits"`
	X      uint16 `rtl:"10"`
	Y      uint16 `rtl:"10"`
	Last   bool   // of the frame
}

// A SourceBeat holds eight samples of 8 bits, the first one lowest.
type SourceBeat uint64
