package hwenc

import (
	"math/bits"
	"slices"

	"vcsim/internal/cabac"
	"vcsim/t264/block"
	"vcsim/t264/hw"
)

// Binarisation of the hw tier into the operations of an encoder lane: one
// context bin, also with the sign behind it, or up to Bypass bypass bins each.

func contextOp(ctx, bin uint8) cabac.PackedOp { return cabac.PackContext(ctx, 0, bin) }

func terminateOp(bin uint8) cabac.PackedOp {
	return cabac.Op{Kind: cabac.OpTerminate, Bits: bin}.Pack()
}

func bin(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// appendHeadOps appends mb_type, mb_qp_delta and coded_block_flag of the DC
// block (clause 7.3.5).
func appendHeadOps(dst []cabac.PackedOp, m *hw.MBToken, dcCoded bool) []cabac.PackedOp {
	dst = append(dst,
		contextOp(hw.EncMBType[bin(m.Left)+bin(m.Above)], 1),
		terminateOp(0), // not I_PCM
		contextOp(hw.EncMBType[3], bin(m.CBP)),
		contextOp(hw.EncMBType[4], 0), // no chroma
		contextOp(hw.EncMBType[6], m.Mode>>1),
		contextOp(hw.EncMBType[7], m.Mode&1),
		contextOp(hw.EncQPDelta[bin(m.Changed)], bin(m.QPDelta != 0)))
	switch m.QPDelta { // the first code is +1, the second -1
	case 1:
		dst = append(dst, contextOp(hw.EncQPDelta[2], 0))
	case 2:
		dst = append(dst, contextOp(hw.EncQPDelta[2], 1), contextOp(hw.EncQPDelta[3], 0))
	}
	inc := m.LeftCoded>>4 + 2*(m.AboveCoded>>4)
	return append(dst, contextOp(hw.EncCoded+inc, bin(dcCoded)))
}

// codedInc returns ctxIdxInc of coded_block_flag of AC block b, given the flags
// of the blocks of the macroblock and those at its left and above it.
func codedInc(b int, coded uint16, left, above uint8) uint8 {
	x, y := block.X[b]>>2, block.Y[b]>>2
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
func appendMapOps(dst []cabac.PackedOp, mask uint16, ac uint8) []cabac.PackedOp {
	n := len(dst)
	dst = slices.Grow(dst, 32)[:n+32]
	ops := (*[32]cabac.PackedOp)(dst[n:])
	end := bits.Len16(mask) - 1
	sig, last := contextOp(hw.EncSig+hw.EncAC*ac, 0), contextOp(hw.EncLast+hw.EncAC*ac, 0)
	const one, step = 1 << 24, 1 << 8 // a bin of one, the next context
	i := 0
	for k := int(ac); k < end; k++ {
		bin := int(mask >> (k & 15) & 1)
		ops[i&31] = sig + cabac.PackedOp(step*k+one*bin)
		ops[(i+1)&31] = last + cabac.PackedOp(step*k) // kept if the level is not zero
		i += 1 + bin
	}
	if end < 15 {
		ops[i&31] = sig + cabac.PackedOp(step*end+one)
		ops[(i+1)&31] = last + cabac.PackedOp(step*end+one)
		i += 2
	}
	return dst[:n+i]
}

// The operations of a level, by state of the abs contexts (see block.AbsOne): for a
// magnitude of a its first bin, a-2 bins of one more, and at last a zero with the sign
// behind it; of a magnitude of one that is the only bin.
type levelOps struct {
	first, more, last cabac.PackedOp
	state             uint8 // after it
}

// levelTable is by AC or not, state, and whether the magnitude is above one.
var levelTable = func() (t [2][8][2]levelOps) {
	for ac := range t {
		at := uint8(hw.EncAbs + hw.EncAC*ac)
		for s := range t[ac] {
			one, more := at+block.AbsOne[s], at+block.AbsMore[s]
			t[ac][s][0] = levelOps{last: cabac.PackContext(one, 1, 0), state: block.AfterOne[s]}
			t[ac][s][1] = levelOps{contextOp(one, 1), contextOp(more, 1), cabac.PackContext(more, 1, 0), block.AfterTwo[s]}
		}
	}
	return t
}()

// appendLevelOps appends the levels of mask, which is not empty, from the last
// one on. It returns where those of the first one start, and the state of the abs
// contexts. Level k is in levels[k&at].
func appendLevelOps(dst []cabac.PackedOp, levels *[16]int16, mask, at uint16, ac, state, bypass uint8) (ops []cabac.PackedOp, start int, next uint8) {
	table := &levelTable[ac&1]
	n := len(dst)
	dst = slices.Grow(dst, 16*16)
	for mask != 0 {
		k := bits.Len16(mask) - 1
		mask &^= 1 << (k & 15)
		v := levels[k&int(at)&15]
		sign := cabac.PackedOp(uint16(v) >> 15)
		a := int(block.Abs32(int32(v)))
		l := &table[state&7][uint(1-a)>>63]
		state = l.state
		start = n
		if a > block.MaxPrefix {
			dst = append(dst[:n], l.first)
			for range block.MaxPrefix - 1 {
				dst = append(dst, l.more)
			}
			dst = appendSuffixOps(dst, uint(a-block.MaxPrefix), uint8(sign), bypass)
			n = len(dst)
			dst = slices.Grow(dst, 16*16)
			continue
		}
		// Most levels are small.
		o := (*[16]cabac.PackedOp)(dst[n : n+16])
		o[0], o[1], o[2], o[3] = l.first, l.more, l.more, l.more
		for i := 4; i < a; i += 4 {
			o[i&15], o[(i+1)&15], o[(i+2)&15], o[(i+3)&15] = l.more, l.more, l.more, l.more
		}
		o[(a-1)&15] = l.last | sign<<25
		n += a
	}
	return dst[:n], start, state
}

// appendSuffixOps appends Exp-Golomb of order 0 and the sign: n-1 ones and a zero,
// n-1 bits and the sign.
func appendSuffixOps(dst []cabac.PackedOp, rest uint, sign, bypass uint8) []cabac.PackedOp {
	n := uint8(bits.Len(rest))
	prefix := uint32(1)<<n - 2
	suffix := uint32(rest<<1|uint(sign)) & (1<<n - 1)
	if 2*n <= bypass {
		return append(dst, cabac.Op{Kind: cabac.OpBypass, Count: 2 * n, Bits: uint8(prefix<<n | suffix)}.Pack())
	}
	return appendBypassOps(appendBypassOps(dst, prefix, n, bypass), suffix, n, bypass)
}

// appendBypassOps appends n bins, in groups of bypass bins from the end on.
func appendBypassOps(dst []cabac.PackedOp, v uint32, n, bypass uint8) []cabac.PackedOp {
	for g := (n - 1) / bypass; ; g-- {
		count := min(n-g*bypass, bypass)
		dst = append(dst, cabac.Op{Kind: cabac.OpBypass, Count: count, Bits: uint8(v >> (g * bypass) & (1<<count - 1))}.Pack())
		if g == 0 {
			return dst
		}
	}
}
