package hwenc

import (
	"vcsim/sim"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_mode.v rtl/t264/t264_sad.v rtl/t264/t264_absdiff.v

// A modeUnit sums up the absolute differences of the three predictions while
// the source samples go by into a queue, and decides.
type modeUnit struct {
	modeInput
	beats sim.Stream[hw.SourceBeat] // into the queue
	queue *sim.RAMFIFO[hw.SourceBeat]
	tok   sim.Stream[*macroblock]

	old    *macroblock // of which all samples have come
	stages uint8       // where its last beat is: 4 stages of sums, the decision
	enable bool
}

// A modeInput is where macroblocks and their samples enter.
type modeInput struct {
	ref    *sim.Stream[*macroblock]
	src    *sim.Stream[hw.SourceBeat]
	values int

	sums, ready bool // steps of the DC value of the waiting macroblock
	curValid    bool
	cur         *macroblock // the samples of which come
	at          int         // of those so far
}

func (u *modeInput) eval(enable bool) {
	u.src.Ready = u.curValid && enable
	u.ref.Ready = u.ready && !u.curValid
}

// clock returns the macroblock whose last samples come in this cycle, if any.
func (u *modeInput) clock() (m *macroblock) {
	load := u.ref.Moves()
	u.sums, u.ready = u.ref.Valid && !u.sums && !u.ready, u.sums || u.ready && !load
	if u.src.Moves() {
		if u.at = u.cur.add(u.at, u.src.Data, u.values); u.at == 256 {
			u.curValid, m = false, u.cur
		}
	}
	if load {
		u.curValid, u.cur, u.at = true, u.ref.Data, 0
	}
	return m
}

// The bits of modeUnit.stages.
const (
	modeSums = 1 << 3
	modeDone = 1 << 4
)

func (u *modeUnit) eval() {
	u.enable = u.stages&modeDone == 0 || !u.tok.Valid || u.tok.Ready
	u.modeInput.eval(u.enable && u.beats.Ready)
}

// push hands the source beat of this cycle to the queue, before its Clock.
func (u *modeUnit) push() {
	if u.beats.Valid = u.src.Moves(); u.beats.Valid {
		u.beats.Data = u.src.Data
	}
}

func (u *modeUnit) clock() {
	if !u.tok.Valid || u.tok.Ready {
		if u.tok.Valid = u.stages&modeDone != 0; u.tok.Valid {
			u.tok.Data = u.old
		}
	}
	last := uint8(0)
	if m := u.modeInput.clock(); m != nil {
		m.decide()
		u.old, last = m, 1
	}
	if u.enable {
		u.stages = u.stages<<1&(2*modeDone-1) | last
	}
}
