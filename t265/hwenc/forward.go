package hwenc

import (
	"vcsim/sim"
	"vcsim/t265/block"
)

// RTL: rtl/t265/t265_forward.v

// A ForwardUnit transforms blocks of 8x8 and 16x16 samples (block.ForwardRows): rows, a memory
// to transpose them, columns, and a memory of strips of four columns, of which sub-blocks leave.
// A beat a cycle, but a gap of at most 8 cycles within a block of 16x16 that comes behind one to
// three of 8x8 and another one of 16x16.
type ForwardUnit struct {
	in  *sim.Stream[Residual]
	out *sim.Stream[Coefs]

	small     bool
	row       vectorPart // what of a row waits in the register at the input
	rows      vectorPipe
	transpose slotMemory
	columns   vectorPipe
	strips    slotMemory

	residual block.Pairs // of the block that comes, as pairs of rows
	at       int         // beats of it
	blocks   [maxBlocks]forwardBlock
	n        int // of them
	write    int // the one that comes
	leaving  int // the one of the next beat
	beat     int // of it

	rowsGo, columnsGo, outGo bool
}

// A forwardBlock is a block on its way.
type forwardBlock struct {
	tag  Tag
	coef [1024]int32
}

// NewForwardUnit returns a transform up to maxTU, 8 or 16, after reset.
func NewForwardUnit(maxTU int, in *sim.Stream[Residual], out *sim.Stream[Coefs]) *ForwardUnit {
	small := maxTU == 8
	return &ForwardUnit{in: in, out: out, small: small, rows: vectorPipe{small: small}, columns: vectorPipe{small: small},
		transpose: newTranspose(maxTU), strips: newStrips(maxTU)}
}

func (u *ForwardUnit) Eval() {
	u.outGo = !u.out.Valid || u.out.Ready
	part := u.columns.leaving()
	u.columnsGo = part == vectorNone || u.strips.room(part)
	part = u.rows.leaving()
	u.rowsGo = part == vectorNone || u.transpose.room(part)
	u.in.Ready = u.rowsGo && (u.at != 0 || u.n < maxBlocks)
}

func (u *ForwardUnit) Clock() {
	readStrip := u.strips.ready != 0
	readColumn := u.transpose.ready != 0
	if u.outGo {
		if u.out.Valid = readStrip; readStrip {
			u.strips.read()
			u.emit()
		}
	}
	if u.columnsGo {
		if part := u.columns.leaving(); part != vectorNone {
			u.strips.write(part)
		}
		part := vectorNone
		if readColumn {
			part = u.transpose.read()
		}
		u.columns.read(part)
	}
	if u.rowsGo {
		if part := u.rows.leaving(); part != vectorNone {
			u.transpose.write(part)
		}
		u.rows.step(u.nextRow())
	}
	if u.in.Moves() {
		u.take()
	}
}

// nextRow is the part of a row that goes to the operands, and the edge of the register at the
// input: halves of 16 points are samples 0..3 and 12..15, then 4..11.
func (u *ForwardUnit) nextRow() (part vectorPart) {
	come := vectorNone
	if u.in.Moves() {
		come = vectorWhole
		if u.in.Data.Log2 == 2 {
			come = vectorFirst
		}
	}
	if u.small {
		return come
	}
	if u.row == vectorFirst { // waits for its right half
		if come != vectorNone {
			u.row = vectorSecond
			return vectorFirst
		}
		return vectorNone
	}
	part, u.row = u.row, come
	return part
}

// take is the edge at which a beat comes in.
func (u *ForwardUnit) take() {
	d := &u.in.Data
	log2 := int(d.Log2) + 2
	n := 1 << log2
	y, x := u.at, 0
	if n == 16 {
		y, x = u.at>>1, u.at&1*8
	}
	pairs := u.residual[y>>1*n+x:][:8]
	for i, v := range &d.Values {
		if y&1 == 0 {
			pairs[i] = int64(v)
		} else {
			pairs[i] += int64(v) << 32
		}
	}
	if u.at++; u.at == n*n/8 {
		u.at = 0
		b := &u.blocks[u.write]
		block.ForwardRows(&b.coef, &u.residual, log2, false)
		u.write = (u.write + 1) % maxBlocks
	} else if u.at == 1 {
		u.blocks[u.write].tag = d.Tag
		u.n++
	}
}

// emit puts out the next beat.
func (u *ForwardUnit) emit() {
	b := &u.blocks[u.leaving]
	log2 := int(b.tag.Log2) + 2
	quarter := 1 << (log2 - 2) // sub-blocks in a strip
	x, y := u.beat/(2*quarter)*4+u.beat&1*2, u.beat/2%quarter*4
	u.out.Data.Tag = b.tag
	for i := range &u.out.Data.Values {
		u.out.Data.Values[i] = int16(b.coef[(y+i&3)<<log2+x+i>>2])
	}
	if u.beat++; u.beat == 2*quarter*quarter {
		u.beat = 0
		u.leaving = (u.leaving + 1) % maxBlocks
		u.n--
	}
}
