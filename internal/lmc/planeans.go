package lmc

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Planes of small tensors are coded by states (see ans.go), with one context, where whole bits for a symbol cost more. Such a plane
// says its first symbol and the number of symbols from there on, less 1 (1 byte each); for each of them the difference
// of its level to that of the symbol before, the sign in the lowest bit, as a string of bits: a quarter of it in ones, a zero, two
// bits; the size of the first lane (uvarint); size of the second; the two lanes, of equal length.

const (
	statesPlane = 1 << 15 // bytes of a plane above which speed comes first
	statesGain  = 0.997   // of what Huffman codes take
	statesCost  = 20      // bytes, about, of the levels and sizes
)

// encodeStates appends the coded form of a plane to dst; q has its frequencies.
func (e *encoder) encodeStates(dst, src []byte, q *frequencies) []byte {
	r := stateBits(len(src))
	first, last := 0, 255
	for q.level[first] == 0 {
		first++
	}
	for q.level[last] == 0 {
		last--
	}
	w := bitWriter{dst: append(dst, methodStates, byte(first), byte(last-first))}
	before := int8(0)
	for _, l := range q.level[first : last+1] {
		d := int8(l) - before
		before = int8(l)
		z := uint8(d<<1 ^ d>>7)
		for range z >> 2 {
			w.put(1, 1)
		}
		w.put(uint32(z&3)<<1, 3)
	}
	dst = w.end()
	if e.states == nil {
		e.states = new(stateCoder)
	}
	e.states.fill(q, r)
	half := (len(src) + 1) / 2
	buf := e.take(2 * (2*half + 16))
	a := e.states.encode(buf[:len(buf)/2], src[:half], r)
	b := e.states.encode(buf[len(buf)/2:], src[half:], r)
	dst = binary.AppendUvarint(dst, uint64(len(a)))
	dst = binary.AppendUvarint(dst, uint64(len(b)))
	dst = append(append(dst, a...), b...)
	e.give(buf)
	return dst
}

// encode codes src into the end of buf and returns that part of it.
func (t *stateCoder) encode(buf, src []byte, r int) []byte {
	w := backWriter{buf: buf, at: len(buf)}
	state := uint32(1) << r
	for j := len(src) - 1; j >= 0; j-- {
		s := src[j]
		leave := uint(state+t.add[s]) >> 16
		w.put(uint64(state)&(1<<(leave&63)-1), leave)
		state = uint32(t.next[int32(state>>(leave&31))+t.from[s]])
		w.flush()
	}
	w.put(uint64(state)&(1<<r-1), uint(r))
	w.end()
	return buf[w.at:]
}

// A byteTable has an entry for each state: bits 0..7 the number of bits that lead to the next state, bits 8..15 the
// symbol, bits 16..31 the next state less these bits.
type byteTable [1 << maxStateBits]uint32

func (t *byteTable) fill(q *frequencies, r int) {
	next := q.freq
	var symbols [1 << maxStateBits]uint8
	q.spread(r, func(state, s int) { symbols[state] = uint8(s) })
	for state, s := range symbols[:1<<r] {
		x := next[s]
		next[s]++
		more := r - (bits.Len16(x) - 1)
		t[state] = uint32(int(x)<<more-1<<r)<<16 | uint32(s)<<8 | uint32(more)
	}
}

// decodeStates reads what encodeStates has written after the method.
func (d *decoder) decodeStates(dst []byte) {
	n := len(dst)
	r := stateBits(n)
	first, num := int(d.byte()), int(d.byte())+1
	if d.fault != "" || n == 0 || first+num > 256 {
		d.fail("symbols are out of range")
		return
	}
	if d.states == nil {
		d.states = new(byteTable)
	}
	var q frequencies
	in := bitReader{src: d.src}
	before := uint8(0)
	for s := range num {
		in.refill()
		ones := min(bits.TrailingZeros64(^in.bits), 40)
		in.take(uint64(ones + 1))
		z := uint8(ones)<<2 | uint8(in.take(2))
		before += z>>1 ^ -(z & 1)
		q.level[first+s] = before
		if in.n > 64 || ones == 40 {
			d.fail("frequencies end early")
			return
		}
	}
	in.refill()
	if in.take(in.n&7) != 0 || !q.expand(r) || q.level == [256]uint8{} {
		d.fail("frequencies of symbols are not those of a table")
		return
	}
	d.bytes(in.p - int(in.n>>3))
	sizeA := d.number(len(d.src), "size of a lane is out of range")
	sizeB := d.number(len(d.src), "size of a lane is out of range")
	half := (n + 1) / 2
	a, b := newLane(d.bytes(sizeA), 0, half, r), newLane(d.bytes(sizeB), half, n, r)
	if d.fault != "" {
		return
	}
	d.states.fill(&q, r)
	d.states.pair(dst, &a, &b)
	if !d.states.finish(dst, &a) || !d.states.finish(dst, &b) {
		d.fail("a lane does not end with its last symbol")
	}
}

// pair decodes most of two lanes; five symbols take at most 55 bits.
func (t *byteTable) pair(dst []byte, a, b *lane) {
	n := min(a.end-a.i, b.end-b.i)
	if !a.ok || !b.ok || n == 0 || len(a.src) < 8 || len(b.src) < 8 {
		return
	}
	endA, endB := len(a.src)-8, len(b.src)-8
	srcA, srcB := at(a.src, 0), at(b.src, 0)
	toA, toB := at(dst, a.i), at(dst, b.i)
	i := 0
	for i+5 <= n && a.p <= endA && b.p <= endB {
		a.bits |= load64(srcA, a.p) << (a.n & 63)
		a.p += int((63 - a.n) >> 3)
		a.n |= 56
		b.bits |= load64(srcB, b.p) << (b.n & 63)
		b.p += int((63 - b.n) >> 3)
		b.n |= 56
		for range 5 {
			x, y := uint64(t[a.state&lookStates]), uint64(t[b.state&lookStates])
			a.state = x>>16 + a.bits&(1<<(x&63)-1)
			b.state = y>>16 + b.bits&(1<<(y&63)-1)
			a.bits >>= x & 63
			b.bits >>= y & 63
			a.n -= x & 63
			b.n -= y & 63
			*(*byte)(unsafe.Add(toA, i)) = byte(x >> 8)
			*(*byte)(unsafe.Add(toB, i)) = byte(y >> 8)
			i++
		}
	}
	a.i += i
	b.i += i
}

const lookStates = 1<<maxStateBits - 1

// finish decodes the symbols that are left. It reports whether the lane ends with the last of them.
func (t *byteTable) finish(dst []byte, l *lane) bool {
	if !l.ok {
		return false
	}
	for ; l.i < l.end; l.i++ {
		l.refill()
		x := uint64(t[l.state&lookStates])
		l.state = x>>16 + l.take(x&63)
		dst[l.i] = byte(x >> 8)
		if l.n > 64 {
			return false
		}
	}
	l.refill()
	return l.state == 0 && l.done()
}
