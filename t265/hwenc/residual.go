package hwenc

import (
	"math/bits"

	"vcsim/internal/cabac"
	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_residual.v rtl/t265/t265_sig.v

// A residualUnit makes the operations of sub-blocks (clause 7.3.8.11), one a cycle:
// coded_sub_block_flag, sig_coeff_flag, the greater flags, and then the groups of
// bypass bins that a bypassUnit has made meanwhile. It holds the flags of one
// sub-block, which are free for the next once their last context bin leaves.
type residualUnit struct {
	state residualState
	has   bool // the flags are those of a sub-block whose context bins are not all out
	flags SubBlockWord
	mask  uint16 // its levels that are not zero; from the greater flags on, those that have none yet
	k     uint8  // scan position of the next sig_coeff_flag
	count uint8  // coeff_abs_level_greater1_flag so far
	inc   uint8  // greater1Ctx of the next one
	any   bool   // one of them was one
	// before is any of the coded sub-block before in the transform block.
	before bool
	more   bool // a sub-block comes after the bypass bins

	// Of the cycle.
	op    cabac.Op
	emit  bool          // there is an operation
	next  residualState // after it
	frees bool          // with it the flags are free
	done  bool          // it is the last one of the transform block
}

type residualState uint8

const (
	residualSub      residualState = iota // waits for a sub-block
	residualSig                           // sig_coeff_flag
	residualGreater1                      // coeff_abs_level_greater1_flag
	residualGreater2                      // coeff_abs_level_greater2_flag
	residualRun                           // bypass bins
	residualCoded                         // coded_sub_block_flag, in place of residualSub
)

// Eval makes the operation of the cycle for a block of the given log2 of its size,
// less 2, and scanIdx.
func (u *residualUnit) Eval(log2, scan uint8, groups *sim.Stream[Group]) {
	u.op, u.emit, u.next, u.frees, u.done = cabac.Op{}, true, u.state, false, false
	f := &u.flags
	s := u.state
	if s == residualSub {
		switch {
		case !u.has:
			u.emit = false
			return
		case f.Top && f.Mask == 1:
			s = residualGreater1
		case f.Top || f.DC:
			s = residualSig
		default:
			s = residualCoded
		}
	}
	later := bin(!f.DC)
	set := 2*later + bin(u.before)
	switch s {
	case residualCoded:
		u.context(hw.EncCodedSubBlock+bin(f.Around != 0), f.Mask != 0)
		u.next = residualSig
		if u.frees = f.Mask == 0; u.frees {
			u.next = residualSub
		}
	case residualSig:
		inc := block.SigContexts[log2&3][scan%3][later][f.Around&3][u.k&15]
		u.context(hw.EncSig+inc, f.Mask>>u.k&1 != 0)
		u.next = residualSig
		if inferred := !f.DC && f.Mask == 1; u.k == 0 || u.k == 1 && inferred {
			u.next = residualGreater1
			if f.Mask == 0 { // of sub-block 0
				u.next, u.frees, u.done = residualSub, true, true
			}
		}
	case residualGreater1:
		p := bits.Len16(u.mask) - 1
		one := f.Greater>>(p&15)&1 != 0
		u.context(hw.EncGreater1+4*set+u.inc, one)
		u.next = residualGreater1
		if u.count == 7 || u.mask&(u.mask-1) == 0 {
			u.next = residualGreater2
			if !one && !u.any {
				u.next, u.frees = residualRun, true
			}
		}
	case residualGreater2:
		u.context(hw.EncGreater2+set, f.Two)
		u.next, u.frees = residualRun, true
	case residualRun:
		g := &groups.Data
		u.emit = groups.Valid
		u.op = cabac.Op{Kind: cabac.OpBypass, Count: g.Count, Bits: g.Bits}
		if g.Last {
			u.next, u.done = residualSub, !u.more
		}
	}
}

func (u *residualUnit) context(ctx uint8, one bool) {
	u.op = cabac.Op{Kind: cabac.OpContext, Ctx: ctx, Bits: bin(one)}
}

// Clock is the edge of a cycle in which the operation leaves, or not.
func (u *residualUnit) Clock(step bool) {
	if !step {
		return
	}
	if u.op.Kind == cabac.OpContext {
		u.coded()
	}
	u.state = u.next
	if u.frees {
		u.has = false
	}
}

// coded is what a context bin changes.
func (u *residualUnit) coded() {
	switch ctx := u.op.Ctx; {
	case ctx >= hw.EncSig:
		u.k--
	case ctx < hw.EncGreater2:
		u.mask &^= 1 << (bits.Len16(u.mask) - 1)
		u.count++
		switch {
		case u.op.Bits != 0:
			u.any, u.inc = true, 0
		case u.inc == 1 || u.inc == 2:
			u.inc++
		}
	}
	if u.next == residualRun {
		u.before, u.more = u.any, !u.flags.DC
	}
}

// begin is the edge at which a transform block begins.
func (u *residualUnit) begin() { u.before = false }

// load is the edge at which a sub-block comes in.
func (u *residualUnit) load(w Word) {
	u.flags = w.subBlock()
	u.has, u.mask = true, u.flags.Mask
	u.k, u.count, u.inc, u.any = 15, 0, 1, false
	if u.flags.Top {
		u.k = uint8(bits.Len16(u.mask)) - 2
	}
}
