package hwdec

import (
	"vcsim/t264/block"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_dec_thread.v rtl/t264/t264_dec_store.v

// A pixelThread is one thread of a PixelsUnit: its store, where its reader
// stands, and the samples that its next block needs.
type pixelThread struct {
	busy   bool // a block is in flight
	starts bool // the next item of levels starts a block
	wide   bool // 8x8 blocks enter
	need   bool // the next block has an item
	step   int  // of the macroblock under way, 0: its start; I_16x16 begins with the DC block

	// Two macroblocks, from entry on; of held ones ready have their modes.
	mb          [2]hw.MBItem
	modes       [2]uint64
	first       [2]bool // its first block has an item
	entry       int
	held, ready int

	// Eight blocks of 16 levels in scan order, count of them from head on; mask
	// tells which words of an 8x8 block hold levels, by bit 2 of its place.
	levels      [8][16]int16
	mask        [2]uint8
	head, count int

	above         []uint8    // of the row of macroblocks, until the blocks below replace it
	left          [16]uint8  // column left of the blocks that come next
	corner        [4]uint8   // above left of the next block in each row of 4x4 blocks
	dc            [16]int16  // coefficients of I_16x16, column by column of blocks
	whole         [256]uint8 // its prediction
	samples       [64]uint8  // of the block computed last
	ref, filtered block.Refs
	residual4     [16]int32
	residual8     [64]int32
	wideLevels    [64]int16
}

// some reports whether the next block is there.
func (th *pixelThread) some() bool {
	next := th.need
	if th.step == 0 {
		next = th.first[th.entry]
	}
	return th.ready != 0 && (th.count != 0 || !next)
}

// room reports whether an item of levels can enter.
func (th *pixelThread) room() bool {
	return !th.starts || th.count < 5 || !th.wide && th.count < 8
}

// take stores an item.
func (th *pixelThread) take(t *hw.Item) {
	switch t.Kind {
	case hw.ItemMB:
		at := (th.entry + th.held) & 1
		m := &th.mb[at]
		*m = hw.UnpackMBItem(t.Data)
		th.wide = m.Kind == block.MB8x8
		th.first[at] = m.Kind == block.MB16x16 || m.CBP&1 != 0
		th.held++
		if m.Kind == block.MB16x16 {
			th.ready++
		}
	case hw.ItemModes:
		th.modes[(th.entry+th.held-1)&1] = t.Data
		th.ready++
	case hw.ItemEnd:
		if t.Data&15 != hw.EndComplete {
			th.starts, th.held, th.ready, th.step = true, 0, 0, 0
		}
	default:
		th.takeLevels(t)
	}
}

// takeLevels stores four levels. The first of a word clear the others.
func (th *pixelThread) takeLevels(t *hw.Item) {
	at, n, clear := (th.head+th.count)&7, 1, th.starts
	if th.wide {
		mask, word := &th.mask[at>>2], t.Group>>2
		if th.starts {
			*mask = 0
		}
		clear = *mask>>word&1 == 0
		*mask |= 1 << word
		at, n = (at+int(word))&7, 4
	}
	lev := &th.levels[at]
	if clear {
		*lev = [16]int16{}
	}
	for i := range 4 {
		lev[4*(t.Group&3)+uint8(i)] = t.Level(i)
	}
	th.starts = t.Last
	if t.Last {
		th.count += n
	}
}

// advance moves the reader n blocks on.
func (th *pixelThread) advance(mb *hw.MBItem, n int) {
	th.step += n
	next := th.step
	if mb.Kind == block.MB16x16 {
		next--
	}
	if next == 16 {
		th.step = 0
		th.entry ^= 1
		th.held--
		th.ready--
		return
	}
	th.need = mb.CBP>>(next>>2)&1 != 0
}

// gather collects the reference samples of the n by n block at (x, y) of its
// macroblock.
func (th *pixelThread) gather(mb *hw.MBItem, x, y, n int) block.Neighbourhood {
	const c = block.RefCorner
	nb := block.Neighbours(x, y, n, mb.Edge())
	r := &th.ref
	r[c] = th.corner[y>>2]
	above := th.above[16*int(mb.X)+x:]
	copy(r[c+1:c+1+n], above)
	for i := range n {
		r[c-1-i] = th.left[y+i]
	}
	switch {
	case n == 16:
	case nb.AboveRight:
		copy(r[c+1+n:c+1+2*n], above[n:2*n])
	default:
		for i := range n {
			r[c+1+n+i] = r[c+n]
		}
	}
	return nb
}

// keep makes the samples of an n by n block the neighbours of those that follow.
func (th *pixelThread) keep(mb *hw.MBItem, x, y, n int) {
	row := th.above[16*int(mb.X)+x:][:n]
	th.corner[y>>2] = row[n-1]
	copy(row, th.samples[n*(n-1):n*n])
	for i := range n {
		th.left[y+i] = th.samples[n*i+n-1]
	}
	if n == 8 {
		th.corner[y>>2+1] = th.left[y+3]
	}
}

// runDC predicts an I_16x16 macroblock and transforms its DC levels.
func (th *pixelThread) runDC(mb *hw.MBItem) {
	nb := th.gather(mb, 0, 0, 16)
	block.Predict(th.whole[:], 16, 4, int(mb.Mode), &th.ref, nb)
	block.DCCoefficients(&th.dc, &th.levels[th.head], mb.QP)
}

// run4 reconstructs 4x4 block b.
func (th *pixelThread) run4(mb *hw.MBItem, b int, coded bool) {
	x, y := int(block.X[b]), int(block.Y[b])
	s := th.samples[:16]
	if mb.Kind == block.MB16x16 {
		for i := range 4 {
			copy(s[4*i:4*i+4], th.whole[16*(y+i)+x:])
		}
	} else {
		mode := int(th.modes[th.entry] >> (4 * b) & 15)
		nb := th.gather(mb, x, y, 4)
		block.Predict(s, 4, 2, mode, &th.ref, nb)
	}
	var dc int16
	if mb.Kind == block.MB16x16 {
		dc = th.dc[x+y>>2]
	}
	if coded || dc != 0 {
		none := [16]int16{}
		lev := &none
		if coded {
			lev = &th.levels[th.head]
		}
		block.Residual4(&th.residual4, lev, mb.QP, mb.Kind == block.MB16x16, dc)
		for i, r := range th.residual4 {
			s[i] = block.AddResidual(s[i], r)
		}
	}
	if mb.Kind != block.MB16x16 {
		th.keep(mb, x, y, 4)
		return
	}
	th.keep16(mb, x, y)
}

// keep16 is keep for a 4x4 block of an I_16x16 macroblock: only the samples on
// its lower and right sides are neighbours of others.
func (th *pixelThread) keep16(mb *hw.MBItem, x, y int) {
	row := th.above[16*int(mb.X)+x:][:4]
	if x == 12 {
		if y == 0 {
			th.corner[0] = row[3]
		} else {
			th.corner[y>>2] = th.left[y-1]
		}
		for i := range 4 {
			th.left[y+i] = th.samples[4*i+3]
		}
	}
	if y == 12 {
		copy(row, th.samples[12:16])
	}
}

// run8 reconstructs the 8x8 block that begins with 4x4 block b.
func (th *pixelThread) run8(mb *hw.MBItem, b int, coded bool) {
	x, y := int(block.X[b]), int(block.Y[b])
	mode := int(th.modes[th.entry] >> (4 * b) & 15)
	nb := th.gather(mb, x, y, 8)
	th.ref.Filter(&th.filtered, nb)
	block.Predict(th.samples[:], 8, 3, mode, &th.filtered, nb)
	if coded {
		th.wideLevels = [64]int16{}
		for w := range 4 {
			if th.mask[th.head>>2]>>w&1 != 0 {
				copy(th.wideLevels[16*w:16*w+16], th.levels[(th.head+w)&7][:])
			}
		}
		block.Residual8(&th.residual8, &th.wideLevels, mb.QP)
		for i, r := range th.residual8 {
			th.samples[i] = block.AddResidual(th.samples[i], r)
		}
	}
	th.keep(mb, x, y, 8)
}

// column returns four samples of column x of the n by n block, from row y on.
func (th *pixelThread) column(n, x, y int) uint32 {
	s := th.samples[n*y+x:]
	return uint32(s[0]) | uint32(s[n])<<8 | uint32(s[2*n])<<16 | uint32(s[3*n])<<24
}
