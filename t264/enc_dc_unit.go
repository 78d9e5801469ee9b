package t264

import "vcsim/sim"

// RTL: rtl/t264/t264_enc_dc.v rtl/t264/t264_hadamard4.v

// The steps of the DC path. Those of 4 cycles go through a row or a column a
// cycle.
const (
	dcIdle    = iota
	dcRows    // 4
	dcColumns // 4, into the quantisers
	dcLevels  // 4, back
	dcBack    // 4
	dcBorder  // 8 words
	dcDrain
)

// A borderWord is the DC coefficient and the prediction of 4 border samples.
type borderWord struct {
	mb *encMB
	i  uint8 // 0..7, see borderBlocks
}

// borderBlocks lists the blocks of the border words; those of borderRight are
// of the right column, the others of the bottom row.
var borderBlocks = [8]uint8{5, 7, 10, 11, 13, 14, 15, 15}

const borderRight = 1<<0 | 1<<1 | 1<<4 | 1<<7

// A encDC gathers the DC coefficients of a macroblock, transforms and quantises
// them, which ends the macroblock for the entropy coding, and restores those of
// the border.
type encDC struct {
	in  *sim.Stream[encBlock]
	hdr sim.Stream[*encMB]
	mb  *sim.Stream[MBToken]
	out sim.Stream[borderWord]

	count   uint8 // blocks gathered
	full    bool
	state   uint8
	step    uint8
	credit  uint8 // macroblocks whose AC levels are out
	mbFull  bool  // word holds the levels
	mbValid bool
	word    MBToken
	fresh   bool // word has changed
	pipe    [2]bool
	pipeI   [2]uint8

	start, finish bool
}

func (u *encDC) eval() {
	u.mb.Valid = u.mbValid
	if u.fresh {
		u.mb.Data = u.word
	}
	u.start = u.state == dcIdle && u.full && u.hdr.Valid && !u.mbFull && !u.mbValid
	u.finish = u.state == dcDrain && u.out.Valid && u.out.Data.i == 7
	u.in.Ready = !u.full
	u.hdr.Ready = u.finish
}

// clock is told whether the last AC block of a macroblock moves in this cycle.
func (u *encDC) clock(acMoved bool) {
	u.fresh = false
	if u.mbValid && u.mb.Ready {
		u.mbValid = false
	}
	publish := u.mbFull && u.credit > 0
	if publish {
		u.mbFull, u.mbValid = false, true
		u.credit--
	}
	if acMoved {
		u.credit++
	}
	if u.out.Valid = u.pipe[1]; u.pipe[1] {
		u.out.Data = borderWord{u.hdr.Data, u.pipeI[1]}
	}
	u.pipe[1], u.pipeI[1] = u.pipe[0], u.pipeI[0]
	u.pipe[0], u.pipeI[0] = u.state == dcBorder, u.step
	switch u.state {
	case dcIdle:
		if u.start {
			u.state, u.step, u.full = dcRows, 0, false
			u.load(u.hdr.Data)
		}
	case dcRows, dcColumns, dcLevels, dcBack:
		if u.state == dcLevels {
			u.column(u.hdr.Data)
		}
		if u.step++; u.step == 4 {
			u.mbFull = u.mbFull || u.state == dcLevels
			u.state++
			u.step = 0
		}
	case dcBorder:
		if u.step++; u.step == 8 {
			u.state, u.step = dcDrain, 0
		}
	case dcDrain:
		if u.finish {
			u.state = dcIdle
		}
	}
	if u.in.Moves() {
		u.count++
		if u.count == 16 {
			u.count, u.full = 0, true
		}
	}
}

// load computes the levels and the coefficients that they stand for, and the
// head of the word.
func (u *encDC) load(m *encMB) {
	u.fresh = true
	var sum [16]int32
	for b := range 16 {
		sum[blockX[b]&12+blockY[b]>>2] = int32(m.coef[b][0])
	}
	inverseDC(&sum)
	m.dcCoded = hwQuantizers[m.qp].dc(&m.dcLev, &sum) != 0
	m.dc = [16]int32{}
	if m.dcCoded {
		for k, v := range m.dcLev {
			m.dc[scan4[k]&15] = int32(v)
		}
		inverseDC(&m.dc)
		for i, v := range m.dc {
			m.dc[i] = scalers[m.qp].dcCoefficient(v)
		}
	}
	w := &u.word
	w.Thread, w.QP, w.Mode, w.CBP, w.QPDelta, w.Changed = m.thread, m.sliceQP, m.mode, m.coded != 0, m.delta, m.changed
	w.Left, w.Above, w.LeftCoded, w.AboveCoded, w.Last = m.left, m.above, m.leftRef.coded, m.aboveRef.coded, m.last
	m.bottom.coded = uint8(m.coded>>10&3 | m.coded>>14&3<<2)
	m.right.coded = uint8(m.coded>>5&1 | m.coded>>7&1<<1 | m.coded>>13&1<<2 | m.coded>>15<<3)
	if m.dcCoded {
		m.bottom.coded |= 1 << 4
		m.right.coded |= 1 << 4
	}
}

// column sets the levels of a column of blocks in the word.
func (u *encDC) column(m *encMB) {
	u.fresh = true
	for k, p := range scan4 {
		if p>>2 == u.step {
			u.word.DC[k] = m.dcLev[k]
		}
	}
}
