package hwenc

import (
	"vcsim/internal/cabac"
	"vcsim/sim"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_residual.v rtl/t264/t264_residual_head.v rtl/t264/t264_residual_levels.v rtl/t264/t264_residual_suffix.v

// A Fetch says what a lane wants from the coefficient store.
type Fetch uint8

const (
	FetchHead Fetch = iota // a macroblock, with the DC levels 8..15
	FetchAC                // the next block of AC levels
	FetchLow               // its DC levels 0..7; the store may reuse the place of the macroblock
)

// A Block is what the store answers to a Fetch.
type Block struct {
	MB    hw.MBToken // of FetchHead, but for its DC levels
	Coded uint16     // of FetchHead: the AC blocks with levels that are not zero
	// Mask marks the levels that are not zero, by scan position: all DC levels
	// of FetchHead, those below 8 of FetchLow.
	Mask   uint16
	Levels [16]int16 // AC levels 1..15 by scan position; DC levels by scan position & 7
}

// A ResidualUnit binarises macroblocks into the operations of an encoder lane
// (clauses 7.3.5 and 9.3.2), one a cycle. It holds one block of levels (of the
// DC levels, one half) and one level apart, which is under way: when it takes
// the last level of a block it fetches the next, and the operations of that
// level and a coded_block_flag hide the fetch.
//
// Here the operations of a block are made when it is loaded.
type ResidualUnit struct {
	Fetch *sim.Stream[Fetch]
	Set   *sim.Stream[hw.ContextValue]
	Out   *sim.Stream[cabac.Op]
	// Inputs beside the streams. Block is read when Load is high, some cycles
	// after each Fetch.
	Start bool // a slice may begin
	Avail bool // the store holds a macroblock
	Load  bool
	Block *Block
	// Init asks for the contexts of QP, which is 0 otherwise.
	Init bool
	QP   uint8
	Late bool // at most 16-late blocks of the macroblock still have to be fetched

	bypass, late  uint8
	state         residualState
	want          Fetch // on Fetch, or asked for last
	req, wait     bool  // a fetch is asked for; it is under way
	valid         bool
	op            cabac.Op
	ended, isLate bool // no slice is under way; Late

	mb     hw.MBToken
	coded  uint16
	dcMask uint16
	next   int // AC block whose coded_block_flag comes next; 16 after all
	ops    []cabac.PackedOp
	pos    int
	loaded int // the operations of the last load are those from here on
	// fetchAt and lateAt are the positions in ops from which on the next fetch is
	// asked for, and Late rises; -1 for not in sight.
	fetchAt, lateAt int
	fetchNext       Fetch
	abs             uint8 // state of the abs contexts
	take            bool  // a level comes from a register that was loaded while all waited for it
}

type residualState uint8

const (
	residualHead residualState = iota // waits for a macroblock
	residualInit                      // for contexts
	residualRun
)

// NewResidualUnit returns a unit after reset, for a lane of the given number of
// bypass bins a cycle. Late rises from AC block late on.
func NewResidualUnit(bypass, late int, fetch *sim.Stream[Fetch], set *sim.Stream[hw.ContextValue], out *sim.Stream[cabac.Op]) *ResidualUnit {
	return &ResidualUnit{
		Fetch: fetch, Set: set, Out: out, bypass: uint8(bypass), late: uint8(late), ended: true, isLate: true,
		ops: make([]cabac.PackedOp, 0, 2048), fetchAt: -1, lateAt: -1,
	}
}

func (u *ResidualUnit) Eval() {
	u.Out.Valid, u.Out.Data = u.valid, u.op
	u.Fetch.Valid, u.Fetch.Data = u.req, u.want
	u.Set.Ready = u.state == residualInit && (!u.valid || u.Out.Ready)
	u.Init, u.QP = u.state == residualInit, 0
	if u.Init {
		u.QP = u.mb.QP
	}
	u.Late = u.isLate
}

func (u *ResidualUnit) Clock() {
	head := u.state == residualHead && !u.req && !u.wait && u.Avail && (!u.ended || u.Start)
	if u.req && u.Fetch.Ready {
		u.req, u.wait = false, true
	}
	free := !u.valid || u.Out.Ready
	if free {
		u.valid = false
	}
	switch {
	case u.take:
		u.take = false
		u.passed()
	case !free:
	case u.state == residualRun && u.pos < len(u.ops):
		u.valid, u.op = true, u.ops[u.pos].Op()
		u.pos++
		u.passed()
	case u.state == residualInit && u.Set.Valid:
		v := &u.Set.Data
		u.valid, u.op = true, cabac.Op{Kind: cabac.OpInit, Ctx: v.Ctx, Bits: v.Value}
		if v.Last {
			u.state = residualRun
		}
	}
	if head {
		u.ask(FetchHead)
	}
	if u.Load {
		u.wait = false
		u.load(u.Block)
	}
}

func (u *ResidualUnit) ask(f Fetch) { u.req, u.want = true, f }

// passed does what the new position in ops brings about.
func (u *ResidualUnit) passed() {
	if u.fetchAt >= 0 && u.pos >= u.fetchAt {
		u.fetchAt = -1
		u.ask(u.fetchNext)
	}
	if u.lateAt >= 0 && u.pos >= u.lateAt {
		u.lateAt, u.isLate = -1, true
	}
	if u.next > 16 && u.pos == len(u.ops) {
		u.state, u.ended, u.isLate = residualHead, u.mb.Last, true
	}
}

// load takes a block and makes its operations.
func (u *ResidualUnit) load(b *Block) {
	n := copy(u.ops, u.ops[u.pos:])
	u.ops, u.loaded = u.ops[:n], n
	if u.lateAt >= 0 {
		u.lateAt -= u.pos
	}
	u.pos = 0
	switch u.want {
	case FetchHead:
		u.mb, u.coded, u.dcMask = b.MB, b.Coded, b.Mask
		u.next, u.isLate = 0, false
		u.state = residualRun
		if !u.mb.Left && !u.mb.Above {
			u.state = residualInit
		}
		u.ops = appendHeadOps(u.ops, &u.mb, b.Mask != 0)
		if b.Mask != 0 {
			u.ops, u.abs = appendMapOps(u.ops, b.Mask, 0), 0
		}
		if high := b.Mask &^ 0xff; high != 0 {
			u.levels(b, high, 0, FetchLow)
		} else {
			u.ask(FetchLow)
		}
		if b.Mask&0xff == 0 {
			u.toAC()
		}
	case FetchLow:
		if u.dcMask&0xff == 0 {
			if u.coded != 0 {
				u.ask(FetchAC)
			}
			return
		}
		u.take = u.state == residualRun && n == 0
		u.levels(b, u.dcMask&0xff, 0, FetchAC)
		if u.coded == 0 {
			u.fetchAt = -1
		}
		u.toAC()
	case FetchAC:
		u.ops, u.abs = appendMapOps(u.ops, b.Mask, 1), 0
		u.levels(b, b.Mask, 1, FetchAC)
		if u.coded>>u.next == 0 {
			u.fetchAt = -1
		}
		u.done()
		u.toAC()
	}
}

// levels appends the levels of mask, from the last one on. With the last of
// them under way the next fetch is due.
func (u *ResidualUnit) levels(b *Block, mask uint16, ac uint8, next Fetch) {
	at := uint16(15)
	if ac == 0 {
		at = 7
	}
	if mask != 0 {
		u.ops, u.fetchAt, u.abs = appendLevelOps(u.ops, &b.Levels, mask, at, ac, u.abs, u.bypass)
		u.fetchNext = next
	}
}

// toAC appends coded_block_flag of the AC blocks up to one that is coded, or the
// end of the macroblock.
func (u *ResidualUnit) toAC() {
	for u.coded != 0 && u.next < 16 {
		b := u.next
		coded := u.coded >> b & 1
		u.ops = append(u.ops, contextOp(hw.EncCoded+hw.EncAC+codedInc(b, u.coded, u.mb.LeftCoded, u.mb.AboveCoded), uint8(coded)))
		u.next++
		if coded != 0 {
			return
		}
		u.done()
	}
	u.next = 17
	u.ops = append(u.ops, terminateOp(bin(u.mb.Last)))
}

// done notes the end of an AC block.
func (u *ResidualUnit) done() {
	if u.next == int(u.late) {
		u.lateAt = len(u.ops)
	}
}
