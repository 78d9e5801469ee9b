package lmc

import (
	"encoding/binary"
	"math"
)

// BlockValues is the number of values of a block; the last block of a tensor may have fewer.
const BlockValues = 1 << 17

// A block is a byte of flags, what each set flag asks for, and the planes of the values that remain, lowest first.
const (
	flagRows   = 1 << iota // rows that repeat an earlier one are left out: length of the rows and of what precedes the first, in values (uvarints), number of different rows (uvarint); two planes with the low and the high byte of, for each row, zero if it is new, else one more than the number of the new row that it repeats
	flagSparse             // zero values are left out: number of others (uvarint), their positions
	flagSteps              // steps from a base in place of planes; the zero ones are left out with flagSparse
	allFlags   = flagRows | flagSparse | flagSteps
)

// A layout says how the values of a block lie: w bytes each, of which float says whether they are floating-point bit
// patterns; cols is the length of a row and phase the number of values before the first whole row.
type layout struct {
	w           int
	float       bool
	cols, phase int
}

const (
	minRow     = 16  // values of a row for which repetition is looked for; 16 bits then number all rows of a block
	probes     = 512 // values that are looked at to see whether zeros are worth counting
	minZeros   = 0.1 // share of zeros below which they are not
	sparseCost = 24  // bytes, about, of the counts and tables of a sparse block
)

// encodeBlock appends the coded form of values to dst and, if stats is not nil, adds to it.
func (e *encoder) encodeBlock(dst, values []byte, l layout, stats *PlaneStats) []byte {
	if stats != nil {
		e.measure(values, l, stats)
	}
	n := len(values) / l.w
	flags := len(dst)
	dst = append(dst, 0)
	if rows, size := e.encodeRows(dst, values, l); rows != nil {
		dst = rows
		dst[flags] |= flagRows
		values = e.rows[:size]
		n = size / l.w
	}
	if zeros := e.zeros(values, l.w); zeros > 0 && e.sparsePays(values, l, zeros) {
		dst[flags] |= flagSparse
		dst = binary.AppendUvarint(dst, uint64(n-zeros))
		dst = e.dropZeros(dst, values, l.w)
		values = e.sparse[:(n-zeros)*l.w]
		n -= zeros
	}
	planes := e.take(len(values))
	split(planes, values, l.w, l.float)
	for k := range l.w {
		from := len(dst)
		dst = e.encodePlane(dst, planes[k*n:k*n+n], true)
		if stats != nil {
			stats.Coded[k] += int64(len(dst) - from)
		}
	}
	e.give(planes)
	return dst
}

// measure adds the size and the entropy of the planes of a block.
func (e *encoder) measure(values []byte, l layout, stats *PlaneStats) {
	n := len(values) / l.w
	planes := e.take(len(values))
	split(planes, values, l.w, l.float)
	for k := range l.w {
		e.hist.count(&e.h, planes[k*n:k*n+n])
		bits, _ := e.h.entropyBits()
		stats.Bytes[k] += int64(n)
		stats.BoundBits[k] += bits
	}
	e.give(planes)
}

// encodeRows looks for rows that are there twice. If they are worth it, it appends what flagRows asks for, sets e.rows
// to the values without them, and returns the new dst and their size; else nil.
func (e *encoder) encodeRows(dst, values []byte, l layout) ([]byte, int) {
	size := l.cols * l.w
	if l.cols < minRow || l.phase*l.w >= len(values) {
		return nil, 0
	}
	body := values[l.phase*l.w:]
	num := len(body) / size
	if num < 2 {
		return nil, 0
	}
	const tableBits = 17
	if e.rowTable == nil {
		e.rowTable = make([]uint16, 1<<tableBits) // new row + 1
	}
	clear(e.rowTable)
	refs := e.take(2 * num)
	defer e.give(refs)
	e.newRows = e.newRows[:0] // offsets in body
	for r := range num {
		row := body[r*size : r*size+size]
		key := binary.LittleEndian.Uint64(row) ^ binary.LittleEndian.Uint64(row[8:])<<1
		slot := &e.rowTable[key*0x9e3779b97f4a7c15>>(64-tableBits)]
		ref := *slot
		if ref == 0 || string(body[e.newRows[ref-1]:][:size]) != string(row) {
			e.newRows = append(e.newRows, uint32(r*size))
			*slot = uint16(len(e.newRows))
			ref = 0
		}
		refs[r], refs[num+r] = byte(ref), byte(ref>>8)
	}
	if saved := num - len(e.newRows); saved*size < 4*num {
		return nil, 0
	}
	dst = binary.AppendUvarint(dst, uint64(l.cols))
	dst = binary.AppendUvarint(dst, uint64(l.phase))
	dst = binary.AppendUvarint(dst, uint64(len(e.newRows)))
	dst = e.encodePlane(dst, refs[:num], true)
	dst = e.encodePlane(dst, refs[num:], true)
	e.rows = append(e.rows[:0], values[:l.phase*l.w]...)
	for _, at := range e.newRows {
		e.rows = append(e.rows, body[at:][:size]...)
	}
	e.rows = append(e.rows, body[num*size:]...)
	return dst, len(e.rows)
}

// zeros returns the number of zero values, or zero if they seem to be few.
func (e *encoder) zeros(values []byte, w int) int {
	n := len(values) / w
	if n == 0 {
		return 0
	}
	step := (n + probes - 1) / probes
	found, seen := 0, 0
	for i := 0; i < n; i += step {
		seen++
		if loadValue(values[i*w:], w) == 0 {
			found++
		}
	}
	if float64(found) < minZeros/2*float64(seen) {
		return 0
	}
	zeros := 0
	for i := 0; i < n; i++ {
		if loadValue(values[i*w:], w) == 0 {
			zeros++
		}
	}
	if float64(zeros) < minZeros*float64(n) {
		return 0
	}
	return zeros
}

// sparsePays reports whether leaving out the zero values and coding their positions takes fewer bits than coding the
// planes as they are.
func (e *encoder) sparsePays(values []byte, l layout, zeros int) bool {
	n := len(values) / l.w
	if zeros == n {
		return false // every plane is constant
	}
	planes := e.take(len(values))
	defer e.give(planes)
	split(planes, values, l.w, l.float)
	dense, sparse := 0.0, 1.01*choiceBits(n, n-zeros)
	for k := range l.w {
		e.hist.count(&e.h, planes[k*n:k*n+n])
		bits, _ := e.h.entropyBits()
		dense += math.Min(bits, 8*float64(n))
		e.h[0] -= uint32(zeros)
		bits, _ = e.h.entropyBits()
		sparse += bits
	}
	return sparse+8*sparseCost < dense
}

// dropZeros appends the positions of the values that are not zero and sets e.sparse to them.
func (e *encoder) dropZeros(dst, values []byte, w int) []byte {
	n := len(values) / w
	if cap(e.sparse) < len(values)+8 {
		e.sparse = make([]byte, len(values)+8)
	}
	e.sparse = e.sparse[:cap(e.sparse)]
	e.marks = e.marks[:0]
	at := 0
	for i := range n {
		if v := loadValue(values[i*w:], w); v != 0 {
			storeValue(e.sparse[at:], v, w)
			at += w
			e.marks = append(e.marks, uint32(i))
		}
	}
	return e.encodePositions(dst, e.marks, n)
}

// restoreBlock sets dst to the values of a block; old has those of the base.
func (d *decoder) restoreBlock(dst, src, old []byte, l layout, mode Mode) string {
	switch mode {
	case XOR, Zigzag:
		fault := d.decodeBlock(dst, src, nil, l.w, l.float && mode == XOR)
		restore(dst, dst, old, l.w, mode)
		return fault
	case Step:
		return d.decodeBlock(dst, src, old, l.w, l.float)
	}
	return d.decodeBlock(dst, src, nil, l.w, l.float)
}

// decodeBlock reads a block into dst, of which the length must be right. base is nil, or the values that steps start
// from. It returns what is wrong with the block, or "".
func (d *decoder) decodeBlock(dst, src, base []byte, w int, float bool) string {
	d.src, d.fault = src, ""
	flags := d.byte()
	if flags&^allFlags != 0 {
		d.fail("unknown flags of a block")
	}
	if flags&flagSteps != 0 {
		if flags&flagRows != 0 || base == nil || !stepsFit(layout{w: w, float: float}) {
			d.fail("steps, but not from one floating-point value to another")
			return d.fault
		}
		d.decodeSteps(dst, base[:len(dst)], w, flags&flagSparse != 0)
		if d.fault == "" && len(d.src) > 0 {
			d.fail("data follows the last lane")
		}
		return d.fault
	}
	n := len(dst) / w
	var refs []byte
	var cols, phase, num int
	values := dst // what the next stage fills
	if flags&flagRows != 0 {
		cols = d.number(n, "length of a row is out of range")
		phase = d.number(n, "start of the rows is out of range")
		if cols == 0 || phase+cols > n {
			d.fail("rows are out of range")
			return d.fault
		}
		num = (n - phase) / cols
		newRows := d.number(num, "more new rows than rows")
		refs = d.scratch(bufRefs, 2*num)
		d.decodePlane(refs[:num], true)
		d.decodePlane(refs[num:], true)
		n -= (num - newRows) * cols
		values = d.scratch(bufRows, n*w)
	}
	dense := values
	marks := 0
	if flags&flagSparse != 0 {
		marks = d.number(n, "more values than the block has")
		d.decodePositions(marks, n)
		d.kept = append(d.kept[:0], d.marks...) // planes may have positions of their own
		dense = d.scratch(bufSparse, marks*w)
	}
	if d.fault != "" {
		return d.fault
	}
	d.decodePlanes(dense, w, float)
	if d.fault == "" && len(d.src) > 0 {
		d.fail("data follows the last plane")
	}
	if d.fault != "" {
		return d.fault
	}
	if flags&flagSparse != 0 {
		clear(values)
		for k, i := range d.kept {
			storeValue(values[int(i)*w:], loadValue(dense[k*w:], w), w)
		}
	}
	if flags&flagRows != 0 {
		d.expandRows(dst, values, refs, cols*w, phase*w, num)
	}
	return d.fault
}

// decodePlanes reads the w planes of values.
func (d *decoder) decodePlanes(values []byte, w int, float bool) {
	n := len(values) / w
	if w == 1 {
		d.decodePlane(values, true)
		return
	}
	planes := d.scratch(bufPlanes, len(values))
	low := d.rawPlane(n)
	if low == nil {
		d.decodePlane(planes[:n], true)
	}
	for k := 1; k < w; k++ {
		d.decodePlane(planes[k*n:k*n+n], true)
	}
	if d.fault == "" {
		merge(values, planes, low, w, float)
	}
}

// expandRows puts the new rows, and copies of them, in their places. Sizes are in bytes.
func (d *decoder) expandRows(dst, values, refs []byte, size, phase, num int) {
	copy(dst[:phase], values)
	newRows := 0 // new rows so far
	total := (len(values) - phase - (len(dst)-phase)%size) / size
	for r := range num {
		ref := int(refs[r]) | int(refs[num+r])<<8
		switch {
		case ref == 0 && newRows < total:
			newRows++
			ref = newRows
		case ref == 0 || ref > newRows:
			d.fail("a row repeats one that is not there")
			return
		}
		copy(dst[phase+r*size:][:size], values[phase+(ref-1)*size:])
	}
	if newRows != total {
		d.fail("new rows are left over")
		return
	}
	copy(dst[phase+num*size:], values[phase+newRows*size:])
}
