package t264

import (
	"math/bits"

	"vcsim/internal/cabac"
)

// Binarisation of the hw tier into the operations of an encoder lane: one
// context bin, also with the sign behind it, or up to Bypass bypass bins each.

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

func contextOp(ctx, bin uint8) cabac.Op { return cabac.Op{Ctx: ctx, Bits: bin} }

func terminateOp(bin uint8) cabac.Op { return cabac.Op{Kind: cabac.OpTerminate, Bits: bin} }

func bin(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// appendHeadOps appends mb_type, mb_qp_delta and coded_block_flag of the DC
// block (clause 7.3.5).
func appendHeadOps(dst []cabac.Op, m *MBToken, dcCoded bool) []cabac.Op {
	dst = append(dst,
		contextOp(laneMBType[bin(m.Left)+bin(m.Above)], 1),
		terminateOp(0), // not I_PCM
		contextOp(laneMBType[3], bin(m.CBP)),
		contextOp(laneMBType[4], 0), // no chroma
		contextOp(laneMBType[6], m.Mode>>1),
		contextOp(laneMBType[7], m.Mode&1),
		contextOp(laneQPDelta[bin(m.Changed)], bin(m.QPDelta != 0)))
	switch m.QPDelta { // the first code is +1, the second -1
	case 1:
		dst = append(dst, contextOp(laneQPDelta[2], 0))
	case 2:
		dst = append(dst, contextOp(laneQPDelta[2], 1), contextOp(laneQPDelta[3], 0))
	}
	inc := m.LeftCoded>>4 + 2*(m.AboveCoded>>4)
	return append(dst, contextOp(laneCoded+inc, bin(dcCoded)))
}

// codedInc returns ctxIdxInc of coded_block_flag of AC block b, given the flags
// of the blocks of the macroblock and those at its left and above it.
func codedInc(b int, coded uint16, left, above uint8) uint8 {
	x, y := blockX[b]>>2, blockY[b]>>2
	l, a := left>>y&1, above>>x&1
	switch {
	case x&1 != 0:
		l = uint8(coded >> (b - 1) & 1)
	case x != 0:
		l = uint8(coded >> (b - 3) & 1)
	}
	switch {
	case y&1 != 0:
		a = uint8(coded >> (b - 2) & 1)
	case y != 0:
		a = uint8(coded >> (b - 6) & 1)
	}
	return l + 2*a
}

// appendMapOps appends the significance map of a block whose levels that are
// not zero are in mask, by scan position; it is not empty. The last position
// has no flags.
func appendMapOps(dst []cabac.Op, mask uint16, ac uint8) []cabac.Op {
	at := laneAC * ac
	end := uint8(bits.Len16(mask) - 1)
	for k := ac; k <= min(end, 14); k++ {
		sig := uint8(mask >> k & 1)
		dst = append(dst, contextOp(laneSig+at+k, sig))
		if sig != 0 {
			dst = append(dst, contextOp(laneLast+at+k, bin(k == end)))
		}
	}
	return dst
}

// appendLevelOps appends a level, not zero, and returns the next state of the
// abs contexts (see absOne).
func appendLevelOps(dst []cabac.Op, level int16, ac, state, bypass uint8) ([]cabac.Op, uint8) {
	at := laneAbs + laneAC*ac
	sign := uint8(uint16(level) >> 15)
	a := uint(abs32(int32(level)))
	if a == 1 {
		return append(dst, cabac.Op{Ctx: at + absOne[state&7], Count: 1, Bits: sign << 1}), afterOne[state&7]
	}
	dst = append(dst, contextOp(at+absOne[state&7], 1))
	more := at + absMore[state&7]
	state = afterTwo[state&7]
	for range min(a, maxPrefix+1) - 2 {
		dst = append(dst, contextOp(more, 1))
	}
	if a <= maxPrefix {
		return append(dst, cabac.Op{Ctx: more, Count: 1, Bits: sign << 1}), state
	}
	// Exp-Golomb of order 0 and the sign: n-1 ones and a zero, n-1 bits and the sign.
	rest := a - maxPrefix
	n := uint8(bits.Len(rest))
	prefix := uint32(1)<<n - 2
	suffix := uint32(rest<<1|uint(sign)) & (1<<n - 1)
	if 2*n <= bypass {
		return append(dst, cabac.Op{Kind: cabac.OpBypass, Count: 2 * n, Bits: uint8(prefix<<n | suffix)}), state
	}
	return appendBypassOps(appendBypassOps(dst, prefix, n, bypass), suffix, n, bypass), state
}

// appendBypassOps appends n bins, in groups of bypass bins from the end on.
func appendBypassOps(dst []cabac.Op, v uint32, n, bypass uint8) []cabac.Op {
	for g := (n - 1) / bypass; ; g-- {
		count := min(n-g*bypass, bypass)
		dst = append(dst, cabac.Op{Kind: cabac.OpBypass, Count: count, Bits: uint8(v >> (g * bypass) & (1<<count - 1))})
		if g == 0 {
			return dst
		}
	}
}
