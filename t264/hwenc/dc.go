package hwenc

import (
	"vcsim/sim"
	"vcsim/t264/block"
	"vcsim/t264/hw"
)

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
	mb *macroblock
	i  uint8 // 0..7, see borderBlocks
}

// A dcUnit gathers the DC coefficients of a macroblock, transforms and quantises
// them, which ends the macroblock for the entropy coding, and restores those of
// the border.
type dcUnit struct {
	in  *sim.Stream[codedBlock]
	hdr sim.Stream[*macroblock]
	mb  *sim.Stream[hw.MBToken]
	out sim.Stream[borderWord]

	count   uint8 // blocks gathered
	full    bool
	state   uint8
	step    uint8
	credit  uint8 // macroblocks whose AC levels are out
	mbFull  bool  // word holds the levels
	mbValid bool
	word    hw.MBToken
	changed bool // word is another
	pipe    [2]bool
	pipeI   [2]uint8

	start, finish bool
}

func (u *dcUnit) eval() {
	u.mb.Valid = u.mbValid
	if u.changed {
		u.mb.Data = u.word
	}
	u.start = u.state == dcIdle && u.full && u.hdr.Valid && !u.mbFull && !u.mbValid
	u.finish = u.state == dcDrain && u.out.Valid && u.out.Data.i == 7
	u.in.Ready = !u.full
	u.hdr.Ready = u.finish
}

// clock is told whether the last AC block of a macroblock moves in this cycle.
func (u *dcUnit) clock(acMoved bool) {
	u.changed = false
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
			u.hdr.Data.quantiseDC()
			u.hdr.Data.head(&u.word)
			u.changed = true
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

// column sets the levels of a column of blocks in the word.
func (u *dcUnit) column(m *macroblock) {
	u.changed = true
	for k, p := range block.Scan4 {
		if p>>2 == u.step {
			u.word.DC[k] = m.dcLev[k]
		}
	}
}
