package hwenc

import (
	"vcsim/sim"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_quant.v rtl/t264/t264_level.v

// A codedBlock is a block whose levels are there.
type codedBlock struct {
	mb *macroblock
	b  uint8
}

// A quantUnit quantises AC coefficients: four stages, then the beats of a block
// gather. The block goes to the entropy coding, to the DC path, and from the
// border to the reconstruction.
type quantUnit struct {
	in   *sim.Stream[blockBeat]
	ac   *sim.Stream[hw.ACToken]
	sum  sim.Stream[codedBlock]
	edge sim.Stream[codedBlock]

	last   uint8 // beats of a block, less one
	valid  [4]bool
	beat   [4]blockBeat
	enable bool

	outValid                     bool
	out                          codedBlock
	isNew                        bool // out was written at the last edge
	acTaken, sumTaken, edgeTaken bool
	acLeaves, sumLeaves          bool
	leave                        bool
}

func (u *quantUnit) eval() {
	border := onBorder>>u.out.b&1 != 0
	u.ac.Valid = u.outValid && !u.acTaken
	if u.isNew {
		u.out.mb.ac(&u.ac.Data, u.out.b)
	}
	u.sum.Valid, u.sum.Data = u.outValid && !u.sumTaken, u.out
	u.edge.Valid, u.edge.Data = u.outValid && !u.edgeTaken && border, u.out
	u.acLeaves = u.acTaken || u.ac.Ready
	u.sumLeaves = u.sumTaken || u.sum.Ready
	u.leave = u.acLeaves && u.sumLeaves
	u.enable = !(u.valid[3] && u.beat[3].sub == u.last) || !u.outValid || u.leave
	u.in.Ready = u.enable
}

func (u *quantUnit) clock() {
	held := u.outValid && !u.leave
	u.acTaken, u.sumTaken, u.edgeTaken = held && u.acLeaves, held && u.sumLeaves, held
	u.outValid, u.isNew = held, false
	if !u.enable {
		return
	}
	if u.valid[3] && u.beat[3].sub == u.last {
		u.outValid, u.out = true, codedBlock{u.beat[3].mb, u.beat[3].b}
		u.isNew = true
		u.out.mb.quantise(int(u.out.b))
	}
	u.valid[3], u.valid[2], u.valid[1], u.valid[0] = u.valid[2], u.valid[1], u.valid[0], u.in.Valid
	u.beat[3], u.beat[2], u.beat[1] = u.beat[2], u.beat[1], u.beat[0]
	if u.in.Valid {
		u.beat[0] = u.in.Data
	}
}
