package hwenc

import (
	"fmt"

	"vcsim/internal/cabac"
	"vcsim/sim"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_binarise.v

// A LaneSpec holds the parameters of a lane, spelled as in Verilog.
type LaneSpec struct {
	Bypass int // bypass bins a cycle, 4..7
	Groups int // groups of bypass bins that wait for the context bins before them, 2..16
	MaxTU  int // largest transform block, 8, 16 or 32
}

// Validate reports the first parameter out of range.
func (s LaneSpec) Validate() error {
	if s.Bypass < 4 || s.Bypass > 7 {
		return fmt.Errorf("t265: Bypass is %d, not in 4..7", s.Bypass)
	}
	if s.Groups < 2 || s.Groups > 16 {
		return fmt.Errorf("t265: Groups is %d, not in 2..16", s.Groups)
	}
	return hw.ContextSpec{Lanes: 1, MaxTU: s.MaxTU}.Validate()
}

// A BinariseUnit turns the words of transform blocks into the operations of an
// encoder lane (clauses 7.3.8.4 to 7.3.8.11 and 9.3.3), one a cycle. One word waits in front; the
// syntax of a block, the flags of a sub-block and its levels are taken from it. While the
// context bins of a sub-block leave, its bypass bins are made.
type BinariseUnit struct {
	In  *sim.Stream[Word]
	Set *sim.Stream[hw.ContextValue]
	Out *sim.Stream[cabac.Op]
	// Start tells that a slice may begin.
	Start bool
	// Init asks for the contexts of QP, which is 0 otherwise.
	Init bool
	QP   uint8

	word     sim.Stream[Word]
	pipe     sim.Pipe[Word]
	groups   sim.Stream[Group]
	syntax   syntaxUnit
	residual residualUnit
	bypass   *bypassUnit
	subs     bool // sub-blocks of the block come, behind the levels of the one under way
	valid    bool
	op       cabac.Op

	// Of the cycle.
	block    BlockWord // the word, if it is one
	step     bool      // an operation goes into the register
	load     bool      // a sub-block comes in
	residues bool      // the operation is of a sub-block
}

// NewBinariseUnit returns a unit after reset. It does not look at spec.MaxTU.
func NewBinariseUnit(spec LaneSpec, in *sim.Stream[Word], set *sim.Stream[hw.ContextValue], out *sim.Stream[cabac.Op]) *BinariseUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	u := &BinariseUnit{In: in, Set: set, Out: out}
	u.pipe = sim.Pipe[Word]{In: in, Out: &u.word}
	u.bypass = newBypassUnit(spec.Bypass, spec.Groups, &u.groups)
	return u
}

func (u *BinariseUnit) Eval() {
	u.Out.Valid, u.Out.Data = u.valid, u.op
	free := !u.valid || u.Out.Ready
	u.pipe.Eval() // what is in the register
	u.bypass.queue.Eval()
	u.block = u.word.Data.block()
	s, r, b := &u.syntax, &u.residual, &u.block
	u.Init, u.QP = s.state == syntaxInit, 0
	if u.Init {
		u.QP = b.QP
	}
	u.Set.Ready = u.Init && free
	s.Eval(u.word.Valid, b, u.Set)
	r.Eval(s.log2, s.scan, &u.groups)
	u.bypass.Eval(&r.flags, s.hide, u.word.Valid, u.word.Data)

	u.residues = s.state == syntaxResidual
	u.step = free && s.emit
	if u.residues {
		u.step = free && r.emit
	}
	u.groups.Ready = u.residues && r.state == residualRun && free
	freed := u.residues && u.step && r.frees
	u.load = u.word.Valid && u.subs && u.bypass.state == bypassIdle && (!r.has || freed)
	u.word.Ready = u.load || u.bypass.take || u.step && s.take
	u.pipe.Eval() // and whether it is free
	u.bypass.queue.Eval()
}

func (u *BinariseUnit) Clock() {
	s, r, w := &u.syntax, &u.residual, u.word.Data
	takes := u.step && s.take
	if !u.valid || u.Out.Ready {
		u.valid = u.step
		if u.step {
			u.op = s.op
			if u.residues {
				u.op = r.op
			}
		}
	}
	s.Clock(u.step, u.residues && u.step && r.done, u.Start, u.word.Valid, &u.block)
	r.Clock(u.residues && u.step)
	u.bypass.Clock(&r.flags)
	switch {
	case takes:
		u.subs = u.block.Coded
		r.begin()
	case u.load:
		r.load(w)
		if r.mask != 0 {
			u.bypass.load(r.mask)
		}
		u.subs = !r.flags.DC
	}
	u.pipe.Clock()
}
