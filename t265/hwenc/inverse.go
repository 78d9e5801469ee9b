package hwenc

import (
	"vcsim/sim"
	"vcsim/t265/block"
)

// RTL: rtl/t265/t265_inverse.v

// An InverseUnit restores the residual of blocks of 8x8 and 16x16 from scaled coefficients
// (clause 8.6.4.2): a memory of strips of four columns, columns, a memory to transpose them,
// and rows. The residual is limited to s9, which a sample of 8 bits does not tell from more.
// A beat a cycle, but the gaps that a ForwardUnit has as well.
type InverseUnit struct {
	in  *sim.Stream[Coefs]
	out *sim.Stream[Residual]

	small     bool
	strips    slotMemory
	columns   vectorPipe
	transpose slotMemory
	rows      vectorPipe

	coef    block.Pairs // of the block that comes
	extent  block.Extent
	at      int // beats of it
	blocks  [maxBlocks]inverseBlock
	n       int // of them
	write   int // the one that comes
	leaving int // the one of the next beat
	beat    int // of it

	columnsGo, rowsGo bool
}

// An inverseBlock is a block on its way.
type inverseBlock struct {
	tag      Tag
	residual [1024]int16
}

// NewInverseUnit returns a transform up to maxTU, 8 or 16, after reset.
func NewInverseUnit(maxTU int, in *sim.Stream[Coefs], out *sim.Stream[Residual]) *InverseUnit {
	small := maxTU == 8
	return &InverseUnit{in: in, out: out, small: small, columns: vectorPipe{small: small}, rows: vectorPipe{small: small},
		transpose: newTranspose(maxTU), strips: newStrips(maxTU)}
}

func (u *InverseUnit) Eval() {
	u.rowsGo = !u.out.Valid || u.out.Ready
	part := u.columns.leaving()
	u.columnsGo = part == vectorNone || u.transpose.room(part)
	u.in.Ready = (u.at != 0 || u.n < maxBlocks) && (u.strips.room(vectorFirst) || u.in.Valid && u.strips.room(u.part()))
}

// part is that of the beat at the input.
func (u *InverseUnit) part() vectorPart {
	if u.in.Data.Log2 == 1 {
		return vectorWhole
	}
	return vectorFirst
}

func (u *InverseUnit) Clock() {
	readColumn := u.strips.ready != 0
	readRow := u.transpose.ready != 0
	if u.rowsGo {
		if u.out.Valid = u.rows.leaving() != vectorNone; u.out.Valid {
			u.emit()
		}
		part := vectorNone
		if readRow {
			part = u.transpose.read()
		}
		u.rows.read(part)
	}
	if u.columnsGo {
		if part := u.columns.leaving(); part != vectorNone {
			u.transpose.write(part)
		}
		part := vectorNone
		if readColumn {
			part = u.strips.read()
		}
		u.columns.read(part)
	}
	if u.in.Moves() {
		u.strips.write(u.part())
		u.take()
	}
}

// take is the edge at which a beat comes in.
func (u *InverseUnit) take() {
	d := &u.in.Data
	log2 := int(d.Log2) + 2
	quarter := 1 << (log2 - 2) // sub-blocks in a strip
	if u.at == 0 {
		u.blocks[u.write].tag = d.Tag
		u.n++
		u.extent = block.Extent{Rows: 4}
	}
	strip, sub := u.at/(2*quarter), u.at/2%quarter
	any := int16(0)
	for i := range 4 {
		low, high := d.Values[i], d.Values[4+i]
		any |= low | high
		u.coef[(4*sub+i)<<(log2-1)+2*strip+u.at&1] = block.Pair(int32(low), int32(high))
	}
	if any != 0 {
		u.extent.Rows = max(u.extent.Rows, 4*sub+4)
		u.extent.Cols |= 1 << strip
	}
	if u.at++; u.at == 2*quarter*quarter {
		u.at = 0
		block.Inverse(&u.blocks[u.write].residual, &u.coef, log2, u.extent, false)
		u.write = (u.write + 1) % maxBlocks
	}
}

// emit puts out the next beat.
func (u *InverseUnit) emit() {
	b := &u.blocks[u.leaving]
	u.out.Data.Tag = b.tag
	for i, v := range b.residual[8*u.beat:][:8] {
		u.out.Data.Values[i] = min(max(v, -256), 255)
	}
	if u.beat++; u.beat == 1<<(2*b.tag.Log2+1) {
		u.beat = 0
		u.leaving = (u.leaving + 1) % maxBlocks
		u.n--
	}
}
