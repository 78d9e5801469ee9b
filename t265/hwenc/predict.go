package hwenc

import (
	"encoding/binary"

	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_window.v rtl/t265/t265_predict.v rtl/t265/t265_intra.v

// A window holds the reconstructed samples of a thread that blocks of its CTU may be
// predicted from: those that were last in each column, each row, and each diagonal.
type window struct {
	row  [18]uint8 // lowest sample by column; the last two are above the next CTU
	left [16]uint8 // rightmost sample by row
	// diag has the last sample by diagonal x/4 - y/4 + 3, where (x, y) is the place of a
	// block, in the CTU, of which it is the corner.
	diag [7]uint8
}

// begin is the start of a CTU, whose neighbour on the left is the CTU before.
func (w *window) begin(row *[18]uint8, corner uint8) {
	w.row = *row
	w.diag[3] = corner
	for d := 1; d <= 3; d++ {
		w.diag[3+d], w.diag[3-d] = row[4*d-1], w.left[4*d-1]
	}
}

// neighbourhood tells what a block may be predicted from (clause 6.4.1).
func neighbourhood(t *TU) (nb block.Neighbourhood) {
	n, s := 4<<t.Log2, uint8(1)<<t.Log2
	nb.Left, nb.Above = t.CX > 0 || t.Left, t.CY > 0 || t.Above
	nb.Corner = nb.Left && nb.Above
	edge := t.CX+s == 4
	var right, below bool
	switch {
	case t.CY == 0 && edge:
		right = t.Right
	case t.CY == 0:
		right = t.Above
	case s == 1:
		right = t.CX&1 == 0 || t.CX == 1 && t.CY == 2
	default:
		right = !edge
	}
	switch {
	case t.CY+s == 4:
	case t.CX == 0:
		below = t.Left
	default:
		below = s == 1 && t.CX == 2 && t.CY&1 == 0
	}
	if right {
		nb.AboveRight = n
	}
	if below {
		nb.BelowLeft = n
	}
	return nb
}

// fetch gathers the references of a block, without those beyond the two next to it on
// either end, and replaces those that are not available (clause 8.4.4.2.2).
func (w *window) fetch(t *TU, r *block.Refs) {
	const c = block.RefCorner
	n, x, y := 4<<t.Log2, 4*int(t.CX), 4*int(t.CY)
	copy(r[c+1:c+1+n+2], w.row[x:])
	for i, v := range w.left[y:min(y+n+2, 16)] {
		r[c-1-i] = v
	}
	r[c] = w.diag[3+t.CX-t.CY]
	r.Substitute(n, neighbourhood(t))
}

// lastBeat is the number of the last beat of a block, by the log2 of its size, less 2.
var lastBeat = [4]uint8{1, 7, 31, 31}

// A predictUnit predicts transform blocks from the windows: a block waits for its
// references, its beats go through three stages, and a fourth subtracts.
type predictUnit struct {
	in      *sim.Stream[FirstTU]
	res     *sim.Stream[Residual]
	skip    *sim.Stream[SkipResidual]
	wide    sim.Stream[uint64] // prediction of a beat of res, into its queue
	narrow  sim.Stream[uint64] // of a beat of skip
	srcRead [2]bool
	srcAddr uint16
	src     [2]hw.SourceBeat

	windows []window
	writes  bool // the reconstruction writes what the start of a CTU does

	waits    bool // a block, for its references
	tu       TU
	valid    bool // beats of a block go out
	block    TU
	beat     uint8
	pred     [256]uint8 // of it, in the order of the beats
	refs     block.Refs
	filtered block.Refs
	midValid bool // the second stage, which reads the source samples
	mid      predictBeat
	endValid bool // the third one
	end      predictBeat
	outValid bool
	out      predictBeat
	values   [8]int16

	leaves, step, free bool
}

// A predictBeat is a beat of prediction, of the block whose tag it has.
type predictBeat struct {
	tag     Tag
	beat    uint8
	samples uint64
}

func (u *predictUnit) eval() {
	o := &u.out
	skip := o.tag.Log2 == 0
	u.res.Valid = u.outValid && !skip && u.wide.Ready
	u.skip.Valid = u.outValid && skip && u.narrow.Ready
	u.res.Data = Residual{o.tag, u.values}
	u.skip.Data = SkipResidual{o.tag, u.values}
	u.wide.Valid, u.wide.Data = u.res.Moves(), o.samples
	u.narrow.Valid, u.narrow.Data = u.skip.Moves(), o.samples
	u.leaves = u.res.Moves() || u.skip.Moves()
	u.step = !u.outValid || u.leaves
	u.free = !u.valid || u.step && u.beat == lastBeat[u.block.Log2&3]
	u.in.Ready = (!u.waits || u.free) && !u.writes
	u.srcRead, u.srcAddr = u.read()
}

// read is the access to the source samples of a beat: a row of 4 or 8 of them, or two
// rows of 4, which lie in two memories.
func (u *predictUnit) read() (read [2]bool, addr uint16) {
	b := &u.mid
	row, half := uint16(b.tag.CY)*4, uint16(b.tag.CX>>1)
	switch b.tag.Log2 {
	case 0:
		row += 2 * uint16(b.beat)
	case 1:
		row += uint16(b.beat)
	default:
		row, half = uint16(b.beat>>1), uint16(b.beat&1)
	}
	if u.midValid && u.step {
		read = [2]bool{row&1 == 0, row&1 != 0 || b.tag.Log2 == 0}
	}
	return read, uint16(b.tag.Thread)<<4 | row>>3<<3 | half<<2 | row>>1&3
}

func (u *predictUnit) clock() {
	if u.step {
		if u.outValid = u.endValid; u.endValid {
			u.out = u.end
			u.subtract()
		}
		if u.endValid = u.midValid; u.midValid {
			u.end = u.mid
		}
		if u.midValid = u.valid; u.valid {
			u.mid = predictBeat{u.block.Tag, u.beat, binary.LittleEndian.Uint64(u.pred[8*(u.beat&31):])}
			u.beat++
		}
	}
	if u.free {
		if u.valid = u.waits; u.waits {
			u.block, u.beat = u.tu, 0
			u.predict()
		}
	}
	if !u.waits || u.free {
		if u.waits = u.in.Moves(); u.waits {
			f := &u.in.Data
			u.tu = f.TU
			if f.First {
				u.windows[f.Thread].begin(&f.Row, f.Corner)
			}
		}
	}
}

// predict computes the prediction of the block.
func (u *predictUnit) predict() {
	b := &u.block
	log2, mode := int(b.Log2&3)+2, int(block.DecisionModes[b.Mode&3])
	u.windows[b.Thread].fetch(b, &u.refs)
	r := &u.refs
	if mode == block.ModePlanar && log2 > 2 {
		r = &u.filtered
		u.refs.Filter(r, log2, false)
	}
	block.Predict(u.pred[:], 1<<log2, log2, mode, r)
}

// subtract computes the residual of the beat that goes out.
func (u *predictUnit) subtract() {
	o := &u.out
	src := uint64(u.src[0])
	switch {
	case o.tag.Log2 == 0:
		shift := 32 * (o.tag.CX & 1)
		src = uint64(u.src[0])>>shift&0xffffffff | uint64(u.src[1])>>shift<<32
	case o.tag.Log2 == 1 && o.beat&1 != 0 || o.tag.Log2 > 1 && o.beat&2 != 0:
		src = uint64(u.src[1])
	}
	for k := range u.values {
		u.values[k] = int16(uint8(src>>(8*k))) - int16(uint8(o.samples>>(8*k)))
	}
}
