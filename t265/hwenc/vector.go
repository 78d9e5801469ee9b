package hwenc

// RTL: rtl/t265/t265_slots.v rtl/t265/t265_transpose.v rtl/t265/t265_permute8.v rtl/t265/t265_strips.v rtl/t265/t265_tags.v rtl/t265/t265_fdct.v rtl/t265/t265_idct.v rtl/t265/t265_odd8.v

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

// slots is the number of slots that the block of a vector takes, if 16 points take many.
func (p vectorPart) slots(many uint8) uint8 {
	if p == vectorWhole {
		return 1
	}
	return many
}

// A vectorPipe is the pipeline of a one-dimensional transform. A vector of 16 points leaves
// in two beats, the first one as its sums are there, the second one from the register
// behind them. One of 8 points takes the way of the second beat, so that it may follow at
// once; in a pipeline for 8 points alone that register is left out.
type vectorPipe struct {
	small bool
	// In the memory's register (not of a pipeline that reads none), the operands, the
	// sums, and behind these.
	word, operands, sums, held vectorPart
}

// leaving is the part of which a beat leaves, or vectorNone.
func (p *vectorPipe) leaving() vectorPart {
	switch {
	case p.small:
		return p.sums
	case p.sums == vectorSecond:
		return vectorSecond
	case p.held == vectorFirst:
		return vectorNone
	}
	return p.held
}

// step is the edge after which part is at the operands.
func (p *vectorPipe) step(part vectorPart) { p.operands, p.sums, p.held = part, p.operands, p.sums }

// read is the edge after which part is the word of the memory. The latches of a small
// pipeline have none.
func (p *vectorPipe) read(part vectorPart) {
	if p.small {
		p.step(part)
		return
	}
	p.step(p.word)
	p.word = part
}

// A slotMemory holds blocks, or strips of four columns of them, that are written as a whole
// before they are read: in slots, of which one of 16 points takes `many`, half of them with its
// first beat and half with the first one of its second half.
type slotMemory struct {
	many  uint8 // slots
	beats uint8 // of a slot

	free, ready    uint8    // slots without data, and with those that are complete
	sizes          [8]uint8 // in slots
	in, out        uint8    // the size of what is written, and read
	written, taken uint8    // beats of it
}

// takes is the number of slots that the next beat, of a part, takes.
func (m *slotMemory) takes(part vectorPart) uint8 {
	n := part.slots(m.many)
	if n == 4 {
		if m.written == 2*m.beats {
			return 2
		}
		n = 2
	}
	if m.written != 0 {
		return 0
	}
	return n
}

// room returns whether the next beat, of a part, may be written.
func (m *slotMemory) room(part vectorPart) bool { return m.free >= m.takes(part) }

// write takes a beat.
func (m *slotMemory) write(part vectorPart) {
	m.free -= m.takes(part)
	n := part.slots(m.many)
	if m.written++; m.written == n*m.beats {
		m.sizes[m.in&7] = n
		m.in++
		m.written = 0
		m.ready += n
	}
}

// read gives a beat; ready is not 0.
func (m *slotMemory) read() vectorPart {
	n := m.sizes[m.out&7]
	part := vectorWhole
	if n == m.many && m.many > 1 {
		part = vectorFirst + vectorPart(m.taken&1)
	}
	if m.taken++; m.taken == n*m.beats {
		m.out++
		m.taken = 0
		m.ready -= n
		m.free += n
	}
	return part
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
	return slotMemory{many: many, beats: beats, free: 2 * many}
}
