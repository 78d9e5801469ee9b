package hwdec

import (
	"vcsim/sim"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_dec_windows.v

// A SumJob is a transform block on its way to the reconstruction.
type SumJob struct {
	Thread    uint8 `rtl:"ThreadBits"`
	Log2      uint8 `rtl:"2"` // of its size, less 2
	ByColumns bool
	Coded     bool
	Corner    uint8  `rtl:"8"`       // the sample above its upper right one
	X         uint16 `rtl:"PosBits"` // of its first sample, in units of four
	Y         uint16 `rtl:"PosBits"`
}

// A WindowWrite is what blocks to come are predicted from.
type WindowWrite struct {
	Above, Left bool // words there are
	Thread      uint8
	X, Y        uint16   // of the word above, and of that on the left, in units of four
	Row         [4]uint8 // above
	Column      LeftWord
}

// A LeftWord is a word of the column on the left of blocks to come.
type LeftWord struct {
	Samples [4]uint8 `rtl:"8"`
	Corner  uint8    `rtl:"8"` // above the first one
}

// A WindowsUnit keeps the reconstructed samples that blocks are predicted from: of each
// thread the lowest ones of each column of the picture, and the rightmost ones of each
// row of the CTU. It reads those of one block after the other, a beat a cycle, between
// the writes.
type WindowsUnit struct {
	in    *sim.Stream[BlockJob]
	refs  *sim.Stream[hw.RefBeat]
	out   *sim.Stream[SumJob]
	write *WindowWrite // of this cycle

	threadBits        int
	posMask, leftMask uint16
	row               *sim.RAM1RW[[4]uint8]
	column            *sim.RAM1RW[LeftWord]

	beat uint8 // that is read next

	// The beat that was read.
	valid  bool
	lone   bool // of its block nothing is available but samples above right
	corner bool // it ends with the sample above the upper right one
	about  hw.RefBeat
}

// NewWindowsUnit returns a unit after reset. write holds what is written in a cycle.
func NewWindowsUnit(spec PixelsSpec, in *sim.Stream[BlockJob], refs *sim.Stream[hw.RefBeat], out *sim.Stream[SumJob], write *WindowWrite) *WindowsUnit {
	return &WindowsUnit{in: in, refs: refs, out: out, write: write, threadBits: spec.ThreadBits(), posMask: 1<<spec.PosBits() - 1, leftMask: uint16(spec.MaxCTU/4 - 1),
		row: sim.NewRAM1RW[[4]uint8](1 << (spec.ThreadBits() + spec.PosBits())), column: sim.NewRAM1RW[LeftWord](spec.MaxCTU / 4 << spec.ThreadBits())}
}

func (u *WindowsUnit) Eval() {
	left := u.column.Q()
	r := &u.refs.Data
	*r = u.about
	u.refs.Valid = u.valid
	r.Above, r.Left, r.Corner = u.row.Q(), left.Samples, left.Corner
	if u.lone {
		r.Corner = r.Above[0]
	}

	// The block is that of the beat: its last beat is read later.
	p := &u.in.Data.Place
	u.out.Valid = u.valid && u.corner && u.refs.Ready
	u.out.Data = SumJob{Thread: u.in.Data.Thread, Log2: p.Log2, ByColumns: hw.ByColumns(p.Mode), Coded: p.Coded, X: p.X, Y: p.Y, Corner: r.Above[3]}

	u.in.Ready = u.reads() && u.last()
}

// reads reports whether a beat is read.
func (u *WindowsUnit) reads() bool {
	return u.in.Valid && (!u.valid || u.refs.Ready) && !u.write.Above && !u.write.Left && (u.beat != 0 || u.out.Ready)
}

// last reports whether the beat that is read next is the last one of its block.
func (u *WindowsUnit) last() bool { return u.beat == 2<<u.in.Data.Place.Log2-1 }

func (u *WindowsUnit) Clock() {
	reads := u.reads()
	if !u.valid || u.refs.Ready {
		u.valid = reads
	}
	if w := u.write; w.Above || w.Left {
		if w.Above {
			u.row.Write(u.rowAt(w.X, w.Thread), w.Row)
		}
		if w.Left {
			u.column.Write(u.columnAt(w.Y, w.Thread), w.Column)
		}
	} else if reads {
		j := &u.in.Data
		p := &j.Place
		x := p.X + uint16(u.beat)
		if u.beat == 0 && p.lone() {
			x += 1 << p.Log2
		}
		u.row.Read(u.rowAt(x, j.Thread))
		u.column.Read(u.columnAt(p.Y+uint16(u.beat), j.Thread))
		u.read(p)
		if u.beat++; u.in.Ready {
			u.beat = 0
		}
	}
	u.row.Clock()
	u.column.Clock()
}

// read notes what is known of the beat that is read.
func (u *WindowsUnit) read(p *BlockPlace) {
	n := uint8(1) << p.Log2
	a := &u.about
	a.HasAbove, a.HasLeft = p.HasAbove, p.HasLeft
	if u.beat >= n {
		pair := (u.beat - n) / 2
		a.HasAbove, a.HasLeft = pair < p.Right, pair < p.Below
	}
	u.lone = p.lone()
	a.HasCorner, a.Log2, a.Mode, a.Strong = p.HasCorner || u.lone, p.Log2, p.Mode, p.Strong
	u.corner = u.beat == n-1
}

// rowAt and columnAt are addresses of words.
func (u *WindowsUnit) rowAt(x uint16, thread uint8) int {
	return int(x&u.posMask)<<u.threadBits | int(thread)
}

func (u *WindowsUnit) columnAt(y uint16, thread uint8) int {
	return int(y&u.leftMask)<<u.threadBits | int(thread)
}
