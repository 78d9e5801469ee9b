package hwenc

import (
	"vcsim/sim"
	"vcsim/t265/block"
)

// RTL: rtl/t265/t265_slots.v rtl/t265/t265_transpose.v rtl/t265/t265_permute8.v rtl/t265/t265_strips.v rtl/t265/t265_tags.v rtl/t265/t265_fdct.v rtl/t265/t265_idct.v rtl/t265/t265_odd8.v rtl/t265/t265_forward.v rtl/t265/t265_inverse.v

// The timing that the transforms of both directions share: the pipeline of a
// one-dimensional transform, and the memories around it.

// A vectorPart is what of a vector is in a step of a pipeline.
type vectorPart uint8

const (
	vectorNone   vectorPart = iota
	vectorWhole             // 8 points
	vectorFirst             // half of 16 points
	vectorSecond            // the other half, in the next step
)

// A vectorPipe is the pipeline of a one-dimensional transform. A vector of 16 points leaves
// in two beats, the first one as its sums are there, the second one from the register
// behind them. One of 8 points takes the way of the second beat, so that it may follow at
// once; in a pipeline for 8 points alone that register is left out.
type vectorPipe struct {
	small bool
	// The parts in the memory's register (not of a pipeline that reads none), the operands,
	// the sums, and behind these, two bits each, from the lowest ones up.
	stages uint8
}

// vectorLeaves is the part of which a beat leaves a pipeline that is not small, by that of the
// sums and that behind them.
var vectorLeaves = func() (t [16]vectorPart) {
	for i := range t {
		sums, held := vectorPart(i&3), vectorPart(i>>2)
		switch {
		case sums == vectorSecond:
			t[i] = vectorSecond
		case held != vectorFirst:
			t[i] = held
		}
	}
	return t
}()

// leaving is the part of which a beat leaves, or vectorNone.
func (p *vectorPipe) leaving() vectorPart {
	if p.small {
		return vectorPart(p.stages >> 4 & 3)
	}
	return vectorLeaves[p.stages>>4]
}

// step is the edge after which part is at the operands.
func (p *vectorPipe) step(part vectorPart) { p.stages = p.stages<<2&^15 | uint8(part)<<2 }

// read is the edge after which part is the word of the memory. The latches of a small
// pipeline have none.
func (p *vectorPipe) read(part vectorPart) {
	if p.small {
		p.step(part)
		return
	}
	p.stages = p.stages<<2 | uint8(part)
}

// A slotMemory holds blocks, or strips of four columns of them, that are written as a whole
// before they are read: in slots, of which one of 16 points takes half with its first beat and
// half with the first one of its second half.
type slotMemory struct {
	// By part: beats of what it is of, the slots that this takes, and how many of them at a time.
	sizes, slots, takes [4]uint8

	free, ready    uint8 // slots without data, and with those that are complete
	large          uint8 // bit i: the one numbered i, modulo 8, has 16 points
	in, out        uint8 // the number of what is written, and read
	written, taken uint8 // beats of it
}

// slotBeats is a number of beats behind which no other slots are taken but at its multiples.
const slotBeats = 16

// room returns whether the next beat, of a part, may be written.
func (m *slotMemory) room(part vectorPart) bool {
	return m.written%slotBeats != 0 || m.free >= m.takes[part&3]
}

// write takes a beat.
func (m *slotMemory) write(part vectorPart) {
	if m.written%slotBeats == 0 {
		m.free -= m.takes[part&3]
	}
	if m.written++; m.written == m.sizes[part&3] {
		m.complete(part)
	}
}

// complete is the end of a block or strip that is written.
func (m *slotMemory) complete(part vectorPart) {
	m.large = m.large&^(1<<(m.in&7)) | bin(part != vectorWhole)<<(m.in&7)
	m.in++
	m.written = 0
	m.ready += m.slots[part&3]
}

// read gives a beat; ready is not 0.
func (m *slotMemory) read() vectorPart {
	part := vectorWhole
	if m.large>>(m.out&7)&1 != 0 {
		part = vectorFirst + vectorPart(m.taken&1)
	}
	if m.taken++; m.taken == m.sizes[part&3] {
		m.drop(part)
	}
	return part
}

// drop is the end of a block or strip that is read.
func (m *slotMemory) drop(part vectorPart) {
	n := m.slots[part&3]
	m.out++
	m.taken = 0
	m.ready -= n
	m.free += n
}

// maxBlocks is the number of blocks in a ForwardUnit or InverseUnit.
const maxBlocks = 8

// newTranspose and newStrips return the memories of a path with transforms up to maxTU:
// between the two dimensions, and of sub-blocks.
func newTranspose(maxTU int) slotMemory { return newSlotMemory(maxTU, 4, 8) }
func newStrips(maxTU int) slotMemory    { return newSlotMemory(maxTU, 2, 4) }

func newSlotMemory(maxTU int, many, beats uint8) slotMemory {
	if maxTU == 8 {
		many = 1
	}
	half := min(many, 2) // a strip of two slots takes both at once
	return slotMemory{sizes: [4]uint8{vectorWhole: beats, vectorFirst: many * beats, vectorSecond: many * beats},
		slots: [4]uint8{vectorWhole: 1, vectorFirst: many, vectorSecond: many},
		takes: [4]uint8{vectorWhole: 1, vectorFirst: half, vectorSecond: half}, free: 2 * many}
}

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
