package t264

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
	blocks sim.Stream[encBlock] // from a queue
	dc     *sim.Stream[borderWord]
	words  sim.Stream[borderWord] // into the queue of residuals
	queued sim.Stream[borderWord]
	done   sim.Stream[*encMB]

	row   uint8
	valid [4]bool
	rows  [4]uint8
	block [4]encBlock
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

// borderIndex is the first border word of a block.
var borderIndex = [16]uint8{5: 0, 7: 1, 10: 2, 11: 3, 13: 4, 14: 5, 15: 6}

// residual computes the AC residual of border word i, of block 15 also that of
// word 7.
func (m *encMB) residual(i int) {
	b := borderBlocks[i]
	var v block4
	if m.mask[b] != 0 {
		scalers[m.qp].restore4(&v, &m.lev[b], uint64(m.mask[b]))
		inverseTransform4(&v)
	}
	if borderRight>>i&1 != 0 || i == 6 {
		for y := range 4 {
			m.rest[max(i, i/6*7)][y] = lane(v[y], 3)
		}
	}
	if borderRight>>i&1 == 0 {
		for x := range 4 {
			m.rest[i][x] = lane(v[3], x)
		}
	}
}

// finish reconstructs the samples of border word i.
func (m *encMB) finish(i int) {
	b := borderBlocks[i]
	bx, by := int(blockX[b]), int(blockY[b])
	dc := m.dc[bx&12+by>>2] + 32
	side := borderRight>>i&1 != 0
	to, at := m.bottom.samples[:], bx
	if side {
		to, at = m.right.samples[:], by
	}
	for k := range 4 {
		p := m.vector[at+k]
		if m.mode == modeVertical && side || m.mode == modeHorizontal && !side {
			p = m.vector[15]
		}
		to[at+k] = clip8(int32(p) + (int32(m.rest[i][k])+dc)>>6)
	}
}
