package t264

// The order of the contexts in an encoder lane.

// Contexts of the hw tier by the index in a lane. An index is made of the bits
// that the binarisation has at hand; the elements with few contexts fill the
// gaps.
//
//	0 AC k       significant_coeff_flag, AC set for AC blocks, 4 bits of scan position
//	01 AC k      last_significant_coeff_flag
//	10 AC inc    coeff_abs_level_minus1, ctxIdxInc 0..9
//	10 AC 11 inc coded_block_flag
const (
	laneSig   = 0
	laneLast  = 32
	laneAbs   = 64
	laneCoded = 76
	laneAC    = 16 // added for AC blocks

	laneContexts = 97
	laneCtxBits  = 7
)

// laneMBType are the contexts of mb_type by index into the array of contexts
// (see ctxMBType; 5 is of no use without chroma), laneQPDelta those of
// mb_qp_delta.
var (
	laneMBType  = [8]uint8{74, 75, 96, 90, 91, 0, 15, 16}
	laneQPDelta = [4]uint8{31, 47, 48, 63}
)

// laneOrder gives the index into the array of contexts of each context of a
// lane.
var laneOrder = func() (t [laneContexts]int16) {
	for ac := range 2 {
		at := laneAC * ac
		for k := ac; k < 15; k++ { // AC blocks start at scan position 1
			t[laneSig+at+k] = int16(sigBase[catDC+ac] + k - ac)
			t[laneLast+at+k] = int16(lastBase[catDC+ac] + k - ac)
		}
		for inc := range 10 {
			t[laneAbs+at+inc] = int16(ctxAbs + 10*(catDC+ac) + inc)
		}
		for inc := range 4 {
			t[laneCoded+at+inc] = int16(ctxCodedBlock + 4*(catDC+ac) + inc)
		}
	}
	for i, c := range laneMBType {
		if i != 5 {
			t[c] = int16(ctxMBType + i)
		}
	}
	for i, c := range laneQPDelta {
		t[c] = int16(ctxQPDelta + i)
	}
	return t
}()

// initialLaneContexts are the contexts of a lane by SliceQPY.
var initialLaneContexts = contextTable(laneOrder[:])
