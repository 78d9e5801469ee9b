package lmc

import (
	"math/bits"
	"unsafe"
)

// The decoder of steps.

// A stepTable has an entry for each state of a context: bits 0..7 the number of bits that lead to the next state, bits 8..14
// that of those that follow the symbol, bit 15 whether the sign flips, bits 16..31 the next state less the bits that lead
// to it, bits 32..63 the least difference.
type stepTable [1 << maxStateBits]uint64

func (t *stepTable) fill(q *frequencies, r int) {
	var next [256]uint16
	copy(next[:], q.freq[:])
	var entry [256]uint64
	for s := range entry[:maxSymbol+1] {
		extra, u := stepExtra(s)
		entry[s] = uint64(u)<<32 | uint64(s&1)<<15 | uint64(extra)<<8
	}
	var symbols [1 << maxStateBits]uint8
	q.spread(r, func(state, s int) { symbols[state] = uint8(s) })
	for state, s := range symbols[:1<<r] {
		x := next[s]
		next[s]++
		more := r - (bits.Len16(x) - 1)
		t[state] = entry[s] | uint64(int(x)<<more-1<<r)<<16 | uint64(more)
	}
}

// A stepDecoder holds what a decoder of steps needs.
type stepDecoder struct {
	context [256]uint32 // of an exponent: where its table is
	freq    frequencies
	tables  [maxContexts]stepTable
}

// decodeSteps reads the steps from base to dst, a block with flagSteps.
func (d *decoder) decodeSteps(dst, base []byte, w int, sparse bool) {
	n := len(dst) / w
	if !sparse {
		d.decodeTokens(dst, base, w)
		return
	}
	marks := d.number(n, "more values than the block has")
	d.decodePositions(marks, n)
	if d.fault != "" {
		return
	}
	values, from := d.scratch(bufSparse, marks*w), d.scratch(bufRows, marks*w)
	d.kept = append(d.kept[:0], d.marks...)
	for k, i := range d.kept {
		copy(from[k*w:k*w+w], base[int(i)*w:])
	}
	d.decodeTokens(values, from, w)
	if d.fault != "" {
		return
	}
	copy(dst, base)
	for k, i := range d.kept {
		copy(dst[int(i)*w:][:w], values[k*w:])
	}
}

// decodeTokens reads what append has written.
func (d *decoder) decodeTokens(dst, base []byte, w int) {
	n := len(dst) / w
	if n == 0 {
		return
	}
	if d.steps == nil {
		d.steps = new(stepDecoder)
	}
	c := d.steps
	r := stateBits(n)
	num := int(d.byte())
	least := d.bytes(num - 1)
	if d.fault != "" || num > maxContexts {
		d.fail("number of contexts is out of range")
		return
	}
	k := 0
	for e := 255; e >= 0; e-- {
		c.context[e] = uint32(k << maxStateBits)
		if k < len(least) && e == int(least[k]) {
			k++
		}
	}
	if k < len(least) {
		d.fail("exponents of contexts do not descend")
		return
	}
	symbols := int(d.byte()) + 1
	levels := d.scratch(bufRefs, num*symbols)
	d.decodePlane(levels, false)
	if d.fault == "" && symbols > maxSymbol+1 {
		d.fail("more symbols than there are")
	}
	if d.fault != "" {
		return
	}
	for k := range num {
		c.freq.level = [256]uint8{}
		for s, l := range levels[k*symbols:][:symbols] {
			if s >= 2 {
				l += c.freq.level[s-2]
			}
			c.freq.level[s] = l
		}
		if !c.freq.expand(r) {
			d.fail("frequencies of symbols are not those of a table")
			return
		}
		if c.freq.level == [256]uint8{} { // no value needs it; let it not be that of an earlier block
			c.freq.freq[0] = 1 << r
		}
		c.tables[k].fill(&c.freq, r)
	}
	size := d.number(len(d.src), "size of a lane is out of range")
	var lane [stepLanes]lane
	half := (n + 1) / stepLanes
	lane[0] = newLane(d.bytes(size), 0, half, r)
	lane[1] = newLane(d.bytes(len(d.src)), half, n, r)
	if d.fault != "" {
		return
	}
	if w == 2 {
		c.pair16(dst, base, &lane[0], &lane[1])
	} else {
		c.pair32(dst, base, &lane[0], &lane[1])
	}
	for k := range lane {
		if !c.finish(dst, base, w, &lane[k]) {
			d.fail("a lane does not end with its last value")
		}
	}
}

// A lane is the state of the decoder of one lane: values i to end.
type lane struct {
	bitReader
	state  uint64
	i, end int
	ok     bool
}

func newLane(src []byte, i, end, r int) lane {
	l := lane{bitReader: bitReader{src: src}, i: i, end: end}
	if l.ok = l.begin(); l.ok {
		l.refill()
		l.state = l.take(uint64(r))
		l.ok = l.n < 64
	}
	return l
}

// finish decodes the values that are left, one by one. It reports whether the lane ends with the last of them.
func (c *stepDecoder) finish(dst, base []byte, w int, l *lane) bool {
	if !l.ok {
		return false
	}
	tables := (*[maxContexts << maxStateBits]uint64)(ptr(&c.tables))
	for ; l.i < l.end; l.i++ {
		l.refill()
		from := uint32(loadValue(base[l.i*w:], w))
		x := tables[(c.context[exponentOf(from, w)]+uint32(l.state))&(maxContexts<<maxStateBits-1)]
		l.state = x>>16&0xffff + l.take(x&63)
		u := uint32(x>>32) + uint32(l.take(x>>8&63))
		if l.n > 64 {
			return false
		}
		top := uint(8*w - 1)
		mask := uint32(1)<<top - 1
		to := (from+(u>>1^-(u&1)))&mask | (from^uint32(x>>15&1)<<top)&^mask
		storeValue(dst[l.i*w:], uint64(to), w)
	}
	l.refill()
	return l.state == 0 && l.done()
}

// A cursor is where a lane stands, inside the loops below.
type cursor struct {
	p              ptr
	bits, n, state uint64
}

func (l *lane) cursor() cursor { return cursor{at(l.src, l.p), l.bits, l.n, l.state} }

// advance moves a lane to a cursor, i values on.
func (l *lane) advance(c cursor, i int) {
	l.p, l.bits, l.n, l.state = int(uintptr(c.p)-uintptr(at(l.src, 0))), c.bits, c.n, c.state
	l.i += i
}

// last is the highest place from which a cursor may be refilled.
func (l *lane) last() uintptr { return uintptr(at(l.src, len(l.src)-8)) }

// refill makes at least 56 bits be there.
func (c cursor) refill() cursor {
	c.bits |= load64(c.p, 0) << (c.n & 63)
	c.p = unsafe.Add(c.p, (63-c.n)>>3)
	c.n |= 56
	return c
}

// step takes the bits of an entry of a stepTable and returns twice the difference, zigzag.
func (c cursor) step(x uint64) (cursor, uint32) {
	c.state = x>>16&0xffff + c.bits&(1<<(x&63)-1)
	c.bits >>= x & 63
	u := uint32(x>>32) + uint32(c.bits&(1<<(x>>8&63)-1))
	c.bits >>= x >> 8 & 63
	c.n -= x&63 + x>>8&63
	return c, u
}

// paired returns how many values pair16 and pair32 may decode of each lane.
func paired(a, b *lane) int {
	if !a.ok || !b.ok || len(a.src) < 8 || len(b.src) < 8 {
		return 0
	}
	return min(a.end-a.i, b.end-b.i)
}

// pair16 decodes most of two lanes of values of two bytes, of which any two take at most 48 bits.
func (c *stepDecoder) pair16(dst, base []byte, a, b *lane) {
	n := paired(a, b) &^ 1
	if n == 0 {
		return
	}
	fromA, fromB := at(base, 2*a.i), at(base, 2*b.i)
	toA, toB := at(dst, 2*a.i), at(dst, 2*b.i)
	atA, atB := a.cursor(), b.cursor()
	endA, endB := a.last(), b.last()
	tables := (*[maxContexts << maxStateBits]uint64)(ptr(&c.tables))
	const mask = maxContexts<<maxStateBits - 1
	i := 0
	for i < n && uintptr(atA.p) <= endA && uintptr(atB.p) <= endB {
		atA, atB = atA.refill(), atB.refill()
		for range 2 {
			f, g := uint32(load16(fromA, 2*i)), uint32(load16(fromB, 2*i))
			x := tables[(uint64(c.context[uint8(f>>7)])+atA.state)&mask]
			y := tables[(uint64(c.context[uint8(g>>7)])+atB.state)&mask]
			var u, v uint32
			atA, u = atA.step(x)
			atB, v = atB.step(y)
			store16(toA, 2*i, uint16((f+(u>>1^-(u&1)))&0x7fff|(f^uint32(x))&0x8000))
			store16(toB, 2*i, uint16((g+(v>>1^-(v&1)))&0x7fff|(g^uint32(y))&0x8000))
			i++
		}
	}
	a.advance(atA, i)
	b.advance(atB, i)
}

// pair32 decodes most of two lanes of values of four bytes, each of which takes at most 40 bits.
func (c *stepDecoder) pair32(dst, base []byte, a, b *lane) {
	n := paired(a, b)
	if n == 0 {
		return
	}
	fromA, fromB := at(base, 4*a.i), at(base, 4*b.i)
	toA, toB := at(dst, 4*a.i), at(dst, 4*b.i)
	atA, atB := a.cursor(), b.cursor()
	endA, endB := a.last(), b.last()
	tables := (*[maxContexts << maxStateBits]uint64)(ptr(&c.tables))
	const mask = maxContexts<<maxStateBits - 1
	i := 0
	for i < n && uintptr(atA.p) <= endA && uintptr(atB.p) <= endB {
		atA, atB = atA.refill(), atB.refill()
		f, g := load32(fromA, 4*i), load32(fromB, 4*i)
		x := tables[(uint64(c.context[uint8(f>>23)])+atA.state)&mask]
		y := tables[(uint64(c.context[uint8(g>>23)])+atB.state)&mask]
		var u, v uint32
		atA, u = atA.step(x)
		atB, v = atB.step(y)
		store32(toA, 4*i, (f+(u>>1^-(u&1)))&0x7fffffff|(f^uint32(x)<<16)&0x80000000)
		store32(toB, 4*i, (g+(v>>1^-(v&1)))&0x7fffffff|(g^uint32(y)<<16)&0x80000000)
		i++
	}
	a.advance(atA, i)
	b.advance(atB, i)
}
