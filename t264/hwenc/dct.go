package hwenc

import (
	"vcsim/sim"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_dct.v rtl/t264/t264_forward4.v

// A blockBeat is a beat of block b of a macroblock, beat sub of the block.
type blockBeat struct {
	mb     *macroblock
	b, sub uint8
}

// A dctUnit subtracts the prediction and transforms: rows in, columns out.
type dctUnit struct {
	tok  *sim.Stream[*macroblock]
	beat sim.Stream[hw.SourceBeat]
	hdr  sim.Stream[*macroblock]
	out  sim.Stream[blockBeat]

	last      uint8 // beats of a block, less one
	cnt       uint8 // beats of the macroblock so far
	release   bool  // all are in
	rowValid  bool
	row       blockBeat
	holdValid bool
	hold      blockBeat

	outFree, holdFree, rowGo bool
}

func (u *dctUnit) eval() {
	u.outFree = !u.out.Valid || u.out.Ready
	u.holdFree = !u.holdValid || u.hold.sub == u.last && u.outFree
	u.rowGo = u.row.sub != u.last || u.holdFree
	u.beat.Ready = u.tok.Valid && !u.release && (!u.rowValid || u.rowGo)
	u.hdr.Valid, u.hdr.Data = u.release, u.tok.Data
	u.tok.Ready = u.release && u.hdr.Ready
}

func (u *dctUnit) clock() {
	if u.outFree {
		if u.out.Valid = u.holdValid; u.holdValid {
			u.out.Data = u.hold
			if u.hold.sub++; u.hold.sub > u.last {
				u.holdValid = false
			}
		}
	}
	if u.rowValid && u.rowGo {
		if u.row.sub == u.last {
			u.holdValid, u.hold = true, blockBeat{u.row.mb, u.row.b, 0}
			u.row.mb.transform(int(u.row.b))
		}
		u.rowValid = false
	}
	if u.release && u.hdr.Ready {
		u.release = false
	}
	if u.beat.Moves() {
		n := u.last + 1
		u.rowValid, u.row = true, blockBeat{u.tok.Data, u.cnt / n, u.cnt % n}
		u.cnt++
		if u.cnt == 16*n {
			u.cnt, u.release = 0, true
		}
	}
}
