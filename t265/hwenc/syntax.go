package hwenc

import (
	"math/bits"

	"vcsim/internal/cabac"
	"vcsim/sim"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_syntax.v

// A syntaxUnit makes the operations of a transform block but for its sub-blocks,
// one a cycle: what its BlockWord says, up to the position of the last level, and
// end_of_slice_segment_flag. The word stays in front of it until cbf_luma is zero or
// the position comes, of which it keeps a copy, so that the first sub-block can
// come in while the position is coded.
type syntaxUnit struct {
	state syntaxState
	n     uint8 // bin of an element of several
	// Of the word that was taken last.
	log2, scan   uint8
	x, y         uint8
	hide         bool
	endCTU, last bool

	// Of the cycle.
	op    cabac.Op
	emit  bool        // there is an operation
	next  syntaxState // after it
	again bool        // with the next bin of the element
	take  bool        // the word goes with it
}

type syntaxState uint8

const (
	syntaxFirst    syntaxState = iota // of a block
	syntaxInit                        // waits for contexts
	syntaxPart                        // part_mode
	syntaxPrev                        // prev_intra_luma_pred_flag, with the first bin of the mode
	syntaxMode                        // the other bins of the mode
	syntaxTree                        // split_transform_flag
	syntaxCbf                         // cbf_luma
	syntaxDelta                       // cu_qp_delta_abs
	syntaxDeltaEnd                    // its second bin, with the sign
	syntaxSkip                        // transform_skip_flag
	syntaxLastX                       // last_sig_coeff_x_prefix
	syntaxLastY                       // last_sig_coeff_y_prefix, with the first bin of the suffixes
	syntaxSuffix                      // their other bins
	syntaxResidual                    // sub-blocks
	syntaxEnd                         // end_of_slice_segment_flag
)

// begin returns where a block begins.
func begin(b *BlockWord) syntaxState {
	if b.Unit {
		return syntaxPart
	}
	return afterUnit(b)
}

func afterUnit(b *BlockWord) syntaxState {
	if b.Trees != 0 {
		return syntaxTree
	}
	return syntaxCbf
}

func afterDelta(b *BlockWord) syntaxState {
	if b.Skip {
		return syntaxSkip
	}
	return syntaxLastX
}

// lastPrefix returns last_sig_coeff_x_prefix of a coordinate of 0..31, or _y_, and
// the number of bits of its suffix, which are the lowest of the coordinate.
func lastPrefix(v uint8) (prefix, suffix uint8) {
	if v < 4 {
		return v, 0
	}
	top := uint8(bits.Len8(v)) - 1
	return 2*top + v>>(top-1)&1, top - 1
}

// suffixBit returns bin i of both suffixes.
func (u *syntaxUnit) suffixBit(i, bitsX, bitsY uint8) uint8 {
	if i < bitsX {
		return u.x >> (bitsX - 1 - i) & 1
	}
	return u.y >> ((bitsX + bitsY - 1 - i) & 7) & 1
}

// context makes an operation of a context bin.
func (u *syntaxUnit) context(ctx uint8, one bool, next syntaxState) {
	u.op, u.next = cabac.Op{Kind: cabac.OpContext, Ctx: ctx, Bits: bin(one)}, next
}

// tail puts a bypass bin behind the context bin.
func (u *syntaxUnit) tail(bit uint8) {
	u.op.Count = 1
	u.op.Bits |= bit << 1
}

// Eval makes the operation of the cycle from the word b, if it is there, or the
// context that is set.
func (u *syntaxUnit) Eval(valid bool, b *BlockWord, set *sim.Stream[hw.ContextValue]) {
	u.op, u.emit, u.next, u.again, u.take = cabac.Op{}, true, u.state, false, false
	if u.state >= syntaxLastX {
		u.position()
		return
	}
	s := u.state
	if s == syntaxFirst {
		if !valid || b.Init {
			u.emit = false
			return
		}
		s = begin(b)
	}
	switch s {
	case syntaxInit:
		u.emit = set.Valid
		u.op = cabac.Op{Kind: cabac.OpInit, Ctx: set.Data.Ctx, Bits: set.Data.Value}
		if set.Data.Last {
			u.next = begin(b)
		}
	case syntaxPart:
		u.context(hw.EncPartMode, true, syntaxPrev)
	case syntaxPrev:
		u.context(hw.EncPrevIntra, b.Probable, afterUnit(b))
		if !b.Probable {
			u.tail(b.Mode >> 4)
			u.next = syntaxMode
		} else if u.tail(bin(b.Mode != 0)); b.Mode != 0 {
			u.next = syntaxMode
		}
	case syntaxMode:
		u.op = cabac.Op{Kind: cabac.OpBypass, Count: 1, Bits: b.Mode >> (3 - u.n&3) & 1}
		if b.Probable {
			u.op.Bits = b.Mode >> 1 & 1
		}
		u.again, u.next = !b.Probable && u.n != 3, syntaxMode
		if !u.again {
			u.next = afterUnit(b)
		}
	case syntaxTree:
		// 5 - log2 of the node.
		last := u.n == b.Trees-1
		inc := 3 - b.Log2 - b.Trees + bin(b.TreeEnd) + u.n
		u.context(hw.EncSplitTransform+inc&3, !last || !b.TreeEnd, syntaxTree)
		if u.again = !last; last {
			u.next = syntaxCbf
		}
	case syntaxCbf:
		u.context(hw.EncCbf+bin(b.Root), b.Coded, afterDelta(b))
		switch {
		case !b.Coded && b.EndCTU:
			u.next = syntaxEnd
		case !b.Coded:
			u.next = syntaxFirst
		case b.Delta != 0:
			u.next = syntaxDelta
		}
		u.take = !b.Coded
	case syntaxDelta:
		u.context(hw.EncQPDelta, b.Delta > 1, afterDelta(b))
		if b.Delta > 1 {
			u.next = syntaxDeltaEnd
		}
	case syntaxDeltaEnd:
		u.context(hw.EncQPDelta+1, false, afterDelta(b))
		u.tail(b.Delta & 1)
	case syntaxSkip:
		u.context(hw.EncTransformSkip, true, syntaxLastX)
	}
	u.take = u.take || u.next == syntaxLastX
}

// position is Eval from the position of the last level on, without the word.
func (u *syntaxUnit) position() {
	prefixX, bitsX := lastPrefix(u.x)
	prefixY, bitsY := lastPrefix(u.y)
	suffix := bitsX + bitsY
	end := 2*u.log2 + 2 // the last bin of the longest prefix
	i := u.n
	if u.log2 > 0 {
		i >>= 1
	}
	switch u.state {
	case syntaxLastX:
		u.context(hw.EncLast[u.log2][0]+i, u.n < prefixX, syntaxLastX)
		if u.again = u.n < prefixX && u.n != end; !u.again {
			u.next = syntaxLastY
		}
	case syntaxLastY:
		u.context(hw.EncLast[u.log2][1]+i, u.n < prefixY, syntaxLastY)
		u.again = u.n < prefixY && u.n != end
		if u.again {
			return
		}
		u.next = syntaxResidual
		if suffix > 0 {
			u.tail(u.suffixBit(0, bitsX, bitsY))
		}
		if suffix > 1 {
			u.next = syntaxSuffix
		}
	case syntaxSuffix:
		u.op = cabac.Op{Kind: cabac.OpBypass, Count: 1, Bits: u.suffixBit(u.n+1, bitsX, bitsY)}
		u.again, u.next = u.n+2 != suffix, syntaxSuffix
		if !u.again {
			u.next = syntaxResidual
		}
	case syntaxResidual:
		u.emit = false
	case syntaxEnd:
		u.op = cabac.Op{Kind: cabac.OpTerminate, Bits: bin(u.last)}
		u.next = syntaxFirst
	}
}

// Clock is the edge of a cycle: step tells that the operation leaves, done that the
// last one of the sub-blocks does, start that a slice may begin.
func (u *syntaxUnit) Clock(step, done, start, valid bool, b *BlockWord) {
	switch {
	case done:
		u.state = syntaxFirst
		if u.endCTU {
			u.state = syntaxEnd
		}
	case step:
		u.state = u.next
		u.n++
		if !u.again {
			u.n = 0
		}
		if u.take {
			u.log2, u.scan, u.x, u.y = b.Log2, b.Scan, b.LastX, b.LastY
			u.hide, u.endCTU, u.last = b.Hide, b.EndCTU, b.Last
		}
	case u.state == syntaxFirst && valid && start && b.Init:
		u.state = syntaxInit
	}
}
