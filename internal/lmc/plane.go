package lmc

import "encoding/binary"

// A plane, a string of bytes of known length, is stored by the cheapest of these methods, named by its first byte.
const (
	methodRaw    = iota // the bytes
	methodConst         // the one byte that all are
	methodHuff          // lengths of a code, sizes of the streams (uvarints), the streams
	methodRun           // the commonest byte, the number of others (uvarint), their positions, the others as a plane
	methodStates        // see planeans.go
)

const (
	sampledSize = 1 << 15 // planes of at least this size are sampled before all of their bytes are counted
	rawBits     = 7.95    // bits a byte above which a sampled plane is stored as it is
	gainRaw     = 0.997   // of its size that a plane must shrink to, to be worth coding
)

// encodePlane appends the coded form of src to dst. Runs are not used inside runs.
func (e *encoder) encodePlane(dst, src []byte, runs bool) []byte {
	n := len(src)
	raw := func() []byte { return append(append(dst, methodRaw), src...) }
	if n == 0 {
		return raw()
	}
	hist := &e.h
	small := false
	if n >= sampledSize {
		e.hist.sample(hist, src)
		bits, distinct := hist.sampleEntropy()
		if bits > rawBits {
			return raw()
		}
		small = distinct < maxPairSymbols
	}
	if small {
		e.hist.countPairs(hist, src)
	} else {
		e.hist.count(hist, src)
	}
	total, distinct := hist.entropyBits()
	if distinct == 1 {
		return append(dst, methodConst, src[0])
	}
	if total > 8*gainRaw*float64(n) {
		return raw()
	}
	coded := e.code.build(hist)/8 + 16
	if runs {
		top := 0
		for s, c := range hist {
			if c > hist[top] {
				top = s
			}
		}
		if m := n - int(hist[top]); m < n/2 {
			rest := *hist
			rest[top] = 0
			others, _ := rest.entropyBits()
			if int(1.02*(choiceBits(n, m)+others))/8+32 < coded {
				return e.encodeRun(dst, src, byte(top), m)
			}
		}
	}
	start := len(dst)
	if n <= statesPlane {
		var q frequencies
		if r := stateBits(n); q.set(hist, r) && int(q.bits(hist, r)/8)+statesCost < int(statesGain*float64(coded)) {
			if dst = e.encodeStates(dst, src, &q); len(dst)-start <= min(coded, n) {
				return dst
			}
			dst = dst[:start]
		}
	}
	dst = e.code.appendLens(append(dst, methodHuff))
	table := len(dst)
	// The sizes come before the streams but are known after them: leave room, then close the gap.
	const room = numStreams * binary.MaxVarintLen32
	dst, size := e.encodeStreams(grow(dst, room), src)
	var head [room]byte
	h := head[:0]
	for _, s := range size[:streamsOf(n)] {
		h = binary.AppendUvarint(h, uint64(s))
	}
	copy(dst[table:], h)
	dst = dst[:table+len(h)+copy(dst[table+len(h):], dst[table+room:])]
	if len(dst)-start >= n {
		dst = dst[:start]
		return raw()
	}
	return dst
}

// encodeRun codes a plane in which all but m bytes are top.
func (e *encoder) encodeRun(dst, src []byte, top byte, m int) []byte {
	dst = append(dst, methodRun, top)
	dst = binary.AppendUvarint(dst, uint64(m))
	others := e.take(len(src))
	defer e.give(others)
	e.marks = e.marks[:0]
	k := 0
	for i, b := range src {
		if b != top {
			others[k] = b
			k++
			e.marks = append(e.marks, uint32(i))
		}
	}
	dst = e.encodePositions(dst, e.marks, len(src))
	return e.encodePlane(dst, others[:m], false)
}

// take lends a buffer of n bytes with undefined contents; give takes it back.
func (e *encoder) take(n int) []byte {
	for i, b := range e.spare {
		if cap(b) >= n {
			last := len(e.spare) - 1
			e.spare[i] = e.spare[last]
			e.spare = e.spare[:last]
			return b[:n]
		}
	}
	return make([]byte, n, max(n, 1<<12))
}

func (e *encoder) give(b []byte) {
	if len(e.spare) == 8 { // drop the smallest
		k := 0
		for i := range e.spare {
			if cap(e.spare[i]) < cap(e.spare[k]) {
				k = i
			}
		}
		if cap(e.spare[k]) < cap(b) {
			e.spare[k] = b
		}
		return
	}
	e.spare = append(e.spare, b)
}

// A decoder holds the tables of one goroutine, and the block it reads.
type decoder struct {
	code   codeBook
	table  decodeTable
	maker  tableMaker
	marks  []uint32
	kept   []uint32 // marks of the values that are not zero
	steps  *stepDecoder
	states *byteTable
	buf    [6][]byte
	src    []byte // what is left of the block
	fault  string // the first thing found wrong, or ""
}

func (d *decoder) fail(what string) {
	if d.fault == "" {
		d.fault = what
	}
	d.src = nil
}

// bytes takes the next n bytes; of a block that is too short, nil.
func (d *decoder) bytes(n int) []byte {
	if n < 0 || n > len(d.src) {
		d.fail("data ends early")
		return nil
	}
	b := d.src[:n]
	d.src = d.src[n:]
	return b
}

func (d *decoder) byte() byte {
	if b := d.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// number takes a uvarint of at most limit.
func (d *decoder) number(limit int, what string) int {
	x, n := binary.Uvarint(d.src)
	if n <= 0 || x > uint64(limit) {
		d.fail(what)
		return 0
	}
	d.src = d.src[n:]
	return int(x)
}

// scratch returns the k-th buffer with n bytes of undefined contents.
func (d *decoder) scratch(k, n int) []byte {
	if cap(d.buf[k]) < n {
		d.buf[k] = make([]byte, n)
	}
	return d.buf[k][:n]
}

// Buffers of a decoder by use; a run inside of positions does not occur.
const (
	bufPlanes = iota
	bufSparse
	bufRows
	bufOthers
	bufGaps
	bufRefs
)

// rawPlane takes the next plane if it is stored raw and returns its bytes in place; else nil.
func (d *decoder) rawPlane(n int) []byte {
	if len(d.src) > n && d.src[0] == methodRaw {
		d.src = d.src[1:]
		return d.bytes(n)
	}
	return nil
}

// decodePlane reads a plane into dst.
func (d *decoder) decodePlane(dst []byte, runs bool) {
	switch method := d.byte(); {
	case d.fault != "":
	case method == methodRaw:
		copy(dst, d.bytes(len(dst)))
	case method == methodConst:
		b := d.byte()
		for i := range dst {
			dst[i] = b
		}
	case method == methodHuff:
		n := d.code.readLens(d.src)
		if n < 0 {
			d.fail("code lengths are not those of a complete code")
			return
		}
		d.bytes(n)
		d.code.assign()
		d.table.fill(&d.code, &d.maker)
		var size [numStreams]int
		total := 0
		for k := range streamsOf(len(dst)) {
			size[k] = d.number(len(d.src), "size of a stream is out of range")
			total += size[k]
		}
		src := d.bytes(total)
		if d.fault == "" && !decodeStreams(dst, src, size, &d.table, &d.code) {
			d.fail("a stream does not end with its last symbol")
		}
	case method == methodStates:
		d.decodeStates(dst)
	case method == methodRun && runs:
		top := d.byte()
		m := d.number(len(dst), "more exceptions than bytes")
		d.decodePositions(m, len(dst))
		others := d.scratch(bufOthers, m)
		d.decodePlane(others, false)
		if d.fault != "" {
			return
		}
		for i := range dst {
			dst[i] = top
		}
		for k, i := range d.marks[:m] {
			dst[i] = others[k]
		}
	default:
		d.fail("unknown method of a plane")
	}
}
