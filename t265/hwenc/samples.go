package hwenc

import (
	"vcsim/sim"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_samples.v

// A SamplesUnit is both ends of the closed loop: it predicts transform blocks and
// subtracts, and it reconstructs them, which are then what others are predicted from.
// A thread has one block between TU and Done at a time.
//
//	TU -> predict -+-> Res, Skip
//	        ^      '-> queues of predictions --.
//	     windows <----------------------- recon <- Inv, Scaled
//	                                        '-> Done, Line
type SamplesUnit struct {
	TU     *sim.Stream[FirstTU]
	Res    *sim.Stream[Residual]     // of blocks of 8x8 and 16x16
	Skip   *sim.Stream[SkipResidual] // of those of 4x4
	Inv    *sim.Stream[Residual]     // what became of Res
	Scaled *sim.Stream[SkipScaled]   // what became of Skip
	Done   *sim.Stream[Done]         // always taken
	Line   *sim.Stream[Line]         // always taken
	// SrcRead asks, in Eval, the memories of the source samples in even and in odd rows
	// for the words at SrcAddr: thread, number of the beat of the CTU without its
	// lowest bit, which is that of the row. Src has the words that were read last.
	SrcRead [2]bool
	SrcAddr uint16
	Src     [2]hw.SourceBeat

	predict predictUnit
	wide    *sim.RAMFIFO[uint64]
	narrow  *sim.RAMFIFO[uint64]
	recon   reconUnit
}

// predictions returns the depths of the queues of predictions: those of 8x8 and 16x16
// blocks wait for forward transform, quantiser, and inverse transform, those of 4x4 for
// the quantiser.
func (s Spec) predictions() (wide, narrow int) { return 8 * s.MaxTU, 16 }

// NewSamplesUnit returns the unit after reset.
func NewSamplesUnit(spec Spec, tu *sim.Stream[FirstTU], res *sim.Stream[Residual], skip *sim.Stream[SkipResidual], inv *sim.Stream[Residual],
	scaled *sim.Stream[SkipScaled], done *sim.Stream[Done], line *sim.Stream[Line]) *SamplesUnit {
	u := &SamplesUnit{TU: tu, Res: res, Skip: skip, Inv: inv, Scaled: scaled, Done: done, Line: line}
	windows := make([]window, spec.Threads)
	u.predict = predictUnit{in: tu, res: res, skip: skip, windows: windows}
	u.recon = reconUnit{inv: inv, scaled: scaled, done: done, line: line, windows: windows}
	wide, narrow := spec.predictions()
	u.wide = sim.NewRAMFIFO(&u.predict.wide, &u.recon.wide, wide)
	u.narrow = sim.NewRAMFIFO(&u.predict.narrow, &u.recon.narrow, narrow)
	return u
}

// Eval wants Ready of Res and Skip.
func (u *SamplesUnit) Eval() {
	u.wide.Eval()
	u.narrow.Eval()
	u.recon.eval()
	u.predict.writes = u.recon.writes()
	u.predict.eval()
	u.SrcRead, u.SrcAddr = u.predict.srcRead, u.predict.srcAddr
}

func (u *SamplesUnit) Clock() {
	u.recon.queues()
	u.wide.Clock()
	u.narrow.Clock()
	u.predict.src = u.Src
	u.predict.clock()
	u.recon.clock()
}
