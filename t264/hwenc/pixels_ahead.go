package hwenc

import (
	"vcsim/sim"
	"vcsim/t264/hw"
)

// Cycles from the last source samples of a macroblock, when nothing waits behind
// them. A block takes n beats of samples. The first one passes the mode decision
// and the queue (8), the subtraction, rows and columns of the transform (n+2), the
// quantiser and its output (n+2).
const (
	acDelay   = 12 // and 2n: to the first AC token; the others follow every n cycles
	mbDelay   = 15 // from the last AC token to the token of the macroblock
	doneDelay = 30 // from the last AC token to the borders
)

// A pixelsAhead does what the units from modeUnit to borderUnit do where AC and MB
// are always ready.
//
// Why the time can be computed: nothing in these units waits then. Macroblocks come
// no faster than any unit takes them, so that the cycle of the last samples tells the
// cycles of all that follows. The arithmetic is done at once when the samples are there.
//
// An example, with 8 values a cycle, n = 2: the last samples of a macroblock come in cycle
// 1052. Its first AC token is there in cycle 1068 = 1052 + 12 + 2*2, the others follow in
// 1070 to 1098, its MBToken is there in 1113 = 1098 + 15, and its borders from 1128 =
// 1098 + 30 on; refUnit takes them in 1129, an odd cycle.
//
// A path whose tokens may have to wait is stepped: it has no pixelsAhead.
type pixelsAhead struct {
	modeInput
	ac   *sim.Stream[hw.ACToken]
	mb   *sim.Stream[hw.MBToken]
	done sim.Stream[*macroblock]

	beats uint64 // of a block
	cycle uint64

	// Macroblocks whose samples are there, and how many have sent their AC tokens,
	// their MBToken, and their borders, each by number.
	flight                 [4]flight
	count, acs, mbs, dones uint8
	// The cycles of what comes next, and the block of the AC token.
	acAt, mbAt, doneAt uint64
	block              uint8
}

// A flight is a macroblock and the cycle of its first AC token.
type flight struct {
	mb *macroblock
	at uint64
}

func newPixelsAhead(values int, ref *sim.Stream[*macroblock], src *sim.Stream[hw.SourceBeat], ac *sim.Stream[hw.ACToken], mb *sim.Stream[hw.MBToken]) *pixelsAhead {
	return &pixelsAhead{modeInput: modeInput{ref: ref, src: src, values: values}, ac: ac, mb: mb, beats: uint64(16 / values), acAt: sim.Never, mbAt: sim.Never, doneAt: sim.Never}
}

func (u *pixelsAhead) eval() {
	u.modeInput.eval(true)
	if u.ac.Valid = u.cycle == u.acAt; u.ac.Valid {
		u.flight[u.acs&3].mb.ac(&u.ac.Data, u.block)
	}
	if u.mb.Valid = u.cycle == u.mbAt; u.mb.Valid {
		m := u.flight[u.mbs&3].mb
		m.head(&u.mb.Data)
		u.mb.Data.DC = m.dcLev
	}
	if u.done.Valid = u.cycle >= u.doneAt; u.done.Valid {
		u.done.Data = u.flight[u.dones&3].mb
	}
}

func (u *pixelsAhead) clock() {
	if u.ac.Valid && !u.ac.Ready || u.mb.Valid && !u.mb.Ready {
		panic("t264: a token waits behind a pixel path that is ahead")
	}
	if u.ac.Valid {
		u.acAt += u.beats
		if u.block++; u.block == 16 {
			u.block = 0
			u.acs++
			u.acAt = u.due(u.acs, 0)
		}
	}
	if u.mb.Valid {
		u.mbs++
		u.mbAt = u.due(u.mbs, 15*u.beats+mbDelay)
	}
	if u.done.Moves() {
		u.dones++
		u.doneAt = u.due(u.dones, 15*u.beats+doneDelay)
	}
	if m := u.modeInput.clock(); m != nil {
		u.enter(m)
	}
	u.cycle++
}

// enter codes m and puts it on its way.
func (u *pixelsAhead) enter(m *macroblock) {
	m.code()
	u.flight[u.count&3] = flight{m, u.cycle + acDelay + 2*u.beats}
	u.count++
	if u.acAt == sim.Never {
		u.acAt = u.due(u.acs, 0)
	}
	if u.mbAt == sim.Never {
		u.mbAt = u.due(u.mbs, 15*u.beats+mbDelay)
	}
	if u.doneAt == sim.Never {
		u.doneAt = u.due(u.dones, 15*u.beats+doneDelay)
	}
}

// due is the cycle that is delay after the first AC token of macroblock n, or
// sim.Never if n has not come.
func (u *pixelsAhead) due(n uint8, delay uint64) uint64 {
	if n == u.count {
		return sim.Never
	}
	return u.flight[n&3].at + delay
}
