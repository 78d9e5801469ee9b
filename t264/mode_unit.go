package t264

import (
	"encoding/binary"

	"vcsim/sim"
)

// RTL: rtl/t264/t264_mode.v rtl/t264/t264_sad.v rtl/t264/t264_absdiff.v

// A modeUnit sums up the absolute differences of the three predictions while
// the source samples go by into a queue, and decides.
type modeUnit struct {
	ref    *sim.Stream[*encMB]
	src    *sim.Stream[SourceBeat]
	beats  sim.Stream[SourceBeat] // into the queue
	queue  *sim.RAMFIFO[SourceBeat]
	tok    sim.Stream[*encMB]
	values int

	sums, ready bool // steps of the DC value of the waiting macroblock
	curValid    bool
	cur         *encMB // the samples of which come
	old         *encMB // of which all have come
	at          int    // samples of cur so far
	stages      uint8  // where the last beat of old is: 4 stages of sums, the decision
	enable      bool

	top    [4]uint64 // rows of Values/4 lines of the prediction from above, by column of blocks
	middle uint64    // of the DC prediction
	cost   [3]int
}

// The bits of modeUnit.stages.
const (
	modeSums = 1 << 3
	modeDone = 1 << 4
)

func (u *modeUnit) eval() {
	u.enable = u.stages&modeDone == 0 || !u.tok.Valid || u.tok.Ready
	u.src.Ready = u.curValid && u.enable && u.beats.Ready
	u.ref.Ready = u.ready && !u.curValid
}

// push hands the source beat of this cycle to the queue, before its Clock.
func (u *modeUnit) push() {
	if u.beats.Valid = u.src.Moves(); u.beats.Valid {
		u.beats.Data = u.src.Data
	}
}

func (u *modeUnit) clock() {
	load := u.ref.Moves()
	u.sums, u.ready = u.ref.Valid && !u.sums && !u.ready, u.sums || u.ready && !load
	if !u.tok.Valid || u.tok.Ready {
		if u.tok.Valid = u.stages&modeDone != 0; u.tok.Valid {
			u.tok.Data = u.old
		}
	}
	last := uint8(0)
	if u.src.Moves() {
		u.add(uint64(u.src.Data))
		if u.at == 256 {
			u.curValid, last = false, 1
			u.old = u.cur
			u.old.decide(&u.cost)
		}
	}
	if u.enable {
		u.stages = u.stages<<1&(2*modeDone-1) | last
	}
	if load {
		u.curValid = true
		u.begin(u.ref.Data)
	}
}

// begin prepares the sums of m.
func (u *modeUnit) begin(m *encMB) {
	u.cur, u.at, u.cost = m, 0, [3]int{}
	m.coded = 0
	m.dcPred = m.dcValue()
	u.middle = uint64(m.dcPred) * 0x01010101
	for i := range u.top {
		u.top[i] = uint64(binary.LittleEndian.Uint32(m.aboveRef.samples[4*i:]))
	}
	if u.values == 8 {
		u.middle *= 1<<32 + 1
		for i := range u.top {
			u.top[i] *= 1<<32 + 1
		}
	}
}

// add takes the next beat.
func (u *modeUnit) add(s uint64) {
	m, b := u.cur, u.at>>4
	y := int(blockY[b]) + u.at>>2&3
	side := uint64(m.leftRef.samples[y]) * 0x01010101
	if u.values == 8 {
		side |= uint64(m.leftRef.samples[y+1]) * 0x01010101 << 32
		binary.LittleEndian.PutUint64(m.src[u.at:], s)
	} else {
		binary.LittleEndian.PutUint32(m.src[u.at:], uint32(s))
	}
	u.at += u.values
	u.cost[modeVertical] += sumLanes(absDiff(s, u.top[blockX[b]>>2]))
	u.cost[modeHorizontal] += sumLanes(absDiff(s, side))
	u.cost[modeDC] += sumLanes(absDiff(s, u.middle))
}

// dcValue is the DC prediction (equations 8-117 to 8-120).
func (m *encMB) dcValue() uint8 {
	sum, shift := 8, 4
	if m.left {
		for _, v := range m.leftRef.samples {
			sum += int(v)
		}
	}
	if m.above {
		for _, v := range m.aboveRef.samples {
			sum += int(v)
		}
	}
	switch {
	case m.left && m.above:
		sum += 8
		shift++
	case !m.left && !m.above:
		return 128
	}
	return uint8(sum >> shift)
}

// decide picks the mode and its vector.
func (m *encMB) decide(cost *[3]int) {
	m.mode = uint8(pick(cost, neighbourhood{left: m.left, above: m.above}, modePrice(int(m.qp))))
	switch m.mode {
	case modeVertical:
		m.vector = m.aboveRef.samples
	case modeHorizontal:
		m.vector = m.leftRef.samples
	default:
		for i := range m.vector {
			m.vector[i] = m.dcPred
		}
	}
}
