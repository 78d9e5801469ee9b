package hwdec

import "vcsim/sim"

// RTL: rtl/t265/t265_dec_recon.v

// A PixelWord is four samples of a row, or of a column, in the order of the Verilog
// ports.
type PixelWord struct {
	Thread    uint8
	ByColumns bool
	X, Y      uint16 // of the first one in the picture, in samples
	Data      uint32 // the first one in bits 7..0
}

// A ReconUnit adds residuals to predictions (clause 8.6.7), four samples a cycle, and
// writes what blocks to come are predicted from.
type ReconUnit struct {
	in       *sim.Stream[SumJob]
	pred     *sim.Stream[PredictWord]
	residual *sim.Stream[ResidualWord]
	out      *sim.Stream[PixelWord]
	done     *sim.Stream[uint8]
	Write    WindowWrite // of this cycle

	line, word uint8 // of the samples that come: row or column, and four in it

	// The samples that were summed, and what they complete.
	valid, fresh     bool // fresh in their first cycle
	samples          [4]uint8
	thread           uint8
	byColumns        bool
	x, y             uint16 // in units of four
	low              uint8  // row, or column, in this unit
	lineEnds         bool
	ends, main, side bool  // they end the block, are of its last line, end four lines
	corner           uint8 // above the next word of the column on the left
	sides            [3]uint8
}

// NewReconUnit returns a unit after reset.
func NewReconUnit(in *sim.Stream[SumJob], pred *sim.Stream[PredictWord], residual *sim.Stream[ResidualWord], out *sim.Stream[PixelWord], done *sim.Stream[uint8]) *ReconUnit {
	return &ReconUnit{in: in, pred: pred, residual: residual, out: out, done: done}
}

func (u *ReconUnit) Eval() {
	s := &u.samples
	o := &u.out.Data
	u.out.Valid = u.valid
	*o = PixelWord{Thread: u.thread, ByColumns: u.byColumns, X: 4 * u.x, Y: 4 * u.y, Data: uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24}
	if u.byColumns {
		o.X += uint16(u.low)
	} else {
		o.Y += uint16(u.low)
	}
	u.done.Valid, u.done.Data = u.fresh && u.ends, u.thread

	w := &u.Write
	w.Above, w.Left = u.fresh && u.main, u.fresh && u.side
	side := [4]uint8{u.sides[0], u.sides[1], u.sides[2], s[3]}
	w.Thread, w.X, w.Y, w.Row, w.Column = u.thread, u.x, u.y, *s, LeftWord{side, u.corner}
	if u.byColumns {
		w.Above, w.Left = w.Left, w.Above
		w.Row, w.Column.Samples = side, *s
	}

	j := &u.in.Data
	moves := u.in.Valid && u.pred.Valid && (u.residual.Valid || !j.Coded) && (!u.valid || u.out.Ready)
	u.pred.Ready = moves
	u.residual.Ready = moves && j.Coded
	u.in.Ready = moves && u.line == 4<<j.Log2-1 && u.word == 1<<j.Log2-1
}

func (u *ReconUnit) Clock() {
	if u.fresh && u.Write.Left {
		u.corner = u.samples[3]
	}
	if u.fresh && u.lineEnds {
		u.sides = [3]uint8{u.sides[1], u.sides[2], u.samples[3]}
	}
	u.fresh = u.pred.Ready
	if !u.pred.Ready {
		u.valid = u.valid && !u.out.Ready
		return
	}
	u.valid = true
	j := &u.in.Data
	for i, p := range u.pred.Data {
		v := int16(p)
		if j.Coded {
			v += u.residual.Data[i]
		}
		u.samples[i] = uint8(min(max(v, 0), 255))
	}
	if u.line == 0 && u.word == 0 {
		u.corner = j.Corner
	}
	u.thread, u.byColumns, u.low = j.Thread, j.ByColumns, u.line&3
	along, across := uint16(u.word), uint16(u.line>>2)
	if j.ByColumns {
		along, across = across, along
	}
	u.x, u.y = j.X|along, j.Y|across
	n := uint8(1) << j.Log2
	u.lineEnds = u.word == n-1
	u.main = u.line == 4*n-1
	u.side = u.lineEnds && u.low == 3
	u.ends = u.lineEnds && u.main
	if u.word++; u.lineEnds {
		u.word = 0
		u.line++
	}
	if u.ends {
		u.line = 0
	}
}
