package hwenc

import "vcsim/sim"

// RTL: rtl/t264/t264_border.v rtl/t264/t264_inverse4.v

// A borderUnit reconstructs the bottom row and the right column of macroblocks:
// scaling and inverse transform of the AC levels of border blocks, a row of 4 a
// cycle, then DC and prediction, 4 samples a cycle. A DC coefficient adds the
// same to all results of the inverse transform, whose halves do not touch it.
// Nothing here waits: blocks come no faster than one in 2 cycles and words with
// DC coefficients 18 cycles or more after the last block, so that the queues
// never fill up and a residual is there for each word.
type borderUnit struct {
	blocks sim.Stream[codedBlock] // from a queue
	dc     *sim.Stream[borderWord]
	words  sim.Stream[borderWord] // into the queue of residuals
	queued sim.Stream[borderWord]
	done   sim.Stream[*macroblock]

	row   uint8
	valid [4]bool
	rows  [4]uint8
	block [4]codedBlock
	full  bool // a word waits for the queue
	two   bool // and another one
	word  borderWord

	sumValid bool
	sum      borderWord
}

func (u *borderUnit) eval() {
	u.queued.Ready = u.dc.Valid
	u.dc.Ready = true
	u.blocks.Ready = u.row == 3
	u.words.Valid, u.words.Data = u.full, u.word
}

func (u *borderUnit) clock() {
	// Sum.
	if u.done.Ready {
		u.done.Valid = false
	}
	if u.sumValid {
		u.sum.mb.finish(int(u.sum.i))
		if u.sum.i == 7 {
			u.done.Valid, u.done.Data = true, u.sum.mb
		}
	}
	if u.sumValid = u.dc.Valid; u.sumValid {
		u.sum = u.queued.Data
	}
	// Residuals.
	if u.full, u.two = u.two, false; u.full {
		u.word.i++
	}
	if u.valid[3] && u.rows[3] == 3 {
		m, b := u.block[3].mb, u.block[3].b
		i := borderIndex[b&15]
		m.residual(int(i))
		u.full, u.two, u.word = true, b == 15, borderWord{m, i}
	}
	for i := 3; i > 0; i-- {
		u.valid[i], u.rows[i], u.block[i] = u.valid[i-1], u.rows[i-1], u.block[i-1]
	}
	u.valid[0] = u.blocks.Valid
	if u.blocks.Valid {
		u.rows[0], u.block[0] = u.row, u.blocks.Data
		u.row = (u.row + 1) & 3
	}
}
