package lmc

import "unsafe"

// The decoder of Huffman streams.

// An entry of the decoding table tells what the next maxCodeLen bits hold: bits 8..39 up to four symbols, the codes of
// which lie wholly in them, bits 0..7 the total length of these codes, bits 56..63 their number. Bits of symbols that are
// not there are zero.
type decodeTable [1 << maxCodeLen]uint64

const (
	maxSymbols = 4 // of an entry
	lookMask   = 1<<maxCodeLen - 1
)

// A tableMaker holds what a decodeTable is made from: entries of one symbol and, for what can come after, entries of one and
// of at most two with room for one or two symbols before theirs.
type tableMaker struct {
	one                          decodeTable
	afterOne, oneAfter, twoAfter [1 << (maxCodeLen - 1)]uint64
}

// makeRoom moves the symbols of an entry up by the given number of symbols.
func makeRoom(e uint64, symbols int) uint64 {
	return e&(0xff<<56|0xff) | e&0xffffff00<<(8*symbols)
}

// fits is all ones if the codes of an entry have at most the given number of bits, or else zero.
func fits(e, room uint64) uint64 { return uint64((int64(e&15) - int64(room) - 1) >> 63) }

// fill makes the table of a complete code. It has no branches on code lengths, whose outcomes would be random.
func (t *decodeTable) fill(c *codeBook, m *tableMaker) {
	for s, l := range c.lens[:] {
		if l == 0 {
			continue
		}
		e := 1<<56 | uint64(s)<<8 | uint64(l)
		step := 1 << (l & 15)
		for i := int(c.codes[s]); i < len(m.one); i += step {
			m.one[i] = e
		}
	}
	for i := range m.afterOne {
		m.afterOne[i] = makeRoom(m.one[i], 1)
		m.oneAfter[i] = makeRoom(m.one[i], 2)
	}
	for i, e := range m.one[:] { // not of a copy
		l := e & 15
		next := m.afterOne[i>>l&(len(m.afterOne)-1)]
		t[i] = e + next&fits(next, maxCodeLen-l)
	}
	for i := range m.twoAfter {
		m.twoAfter[i] = makeRoom(t[i], 2)
	}
	for i, e := range t[:] { // where a second symbol did not fit, neither does one here
		l := e & 15
		rest := i >> l & (len(m.twoAfter) - 1)
		two, one := m.twoAfter[rest], m.oneAfter[rest]
		both := fits(two, maxCodeLen-l)
		t[i] = e + (two&both | one&fits(one, maxCodeLen-l)&^both)
	}
}

// decodeStreams decodes the four streams of a plane into dst; src holds them one after the other. It reports whether each
// stream ends where its last symbol does.
func decodeStreams(dst, src []byte, size [numStreams]int, t *decodeTable, c *codeBook) bool {
	n := len(dst)
	q := streamLen(n)
	var s [numStreams]stream
	off := 0
	for k := range s {
		s[k] = stream{pos: 8 * off, end: off + size[k], d: min(k*q, n), last: min(k*q+q, n)}
		off += size[k]
	}
	decodeFour(dst, src, &s, t)
	for k := range s {
		s[k].decode(dst, src, t) // streams differ in the number of look-ups that their symbols take
		if !s[k].finish(dst, src, t, c) {
			return false
		}
	}
	return true
}

// A stream is the state of one stream: the next bit, and the end, in src, the next symbol and the end in dst.
type stream struct {
	pos     int // in bits
	end     int
	d, last int
}

// The streams advance by rounds of five look-ups in eight bytes. A round stores less than roundStores bytes.
const (
	roundLooks   = 5
	roundSymbols = roundLooks * maxSymbols
	roundStores  = roundSymbols - maxSymbols + 8
)

// rounds returns how many rounds cannot overrun the stream, whatever its bits are.
func (s *stream) rounds() int {
	bits, room := 8*(s.end-8)-s.pos, s.last-roundStores-s.d
	if bits < 0 || room < 0 {
		return 0
	}
	return 1 + min(bits/(roundLooks*maxCodeLen), room/roundSymbols)
}

// look stores the symbols of one entry and steps over their codes.
func look(t *decodeTable, bits, pos uint64, d ptr) (uint64, uint64, ptr) {
	x := t[bits&lookMask]
	store64(d, 0, x>>8)
	return bits >> (x & 63), pos + x&0xff, unsafe.Add(d, x>>56)
}

// decodeFour advances all streams, in turn, while none can be overrun. The rounds are written out: a loop over the look-ups
// takes an eighth longer.
func decodeFour(dst, src []byte, s *[numStreams]stream, t *decodeTable) {
	base := at(src, 0)
	for {
		n := min(s[0].rounds(), s[1].rounds(), s[2].rounds(), s[3].rounds())
		if n == 0 {
			return
		}
		posA, posB, posC, posD := uint64(s[0].pos), uint64(s[1].pos), uint64(s[2].pos), uint64(s[3].pos)
		dA, dB, dC, dD := at(dst, s[0].d), at(dst, s[1].d), at(dst, s[2].d), at(dst, s[3].d)
		for ; n > 0; n-- {
			bitsA := load64(base, int(posA>>3)) >> (posA & 7)
			bitsB := load64(base, int(posB>>3)) >> (posB & 7)
			bitsC := load64(base, int(posC>>3)) >> (posC & 7)
			bitsD := load64(base, int(posD>>3)) >> (posD & 7)
			bitsA, posA, dA = look(t, bitsA, posA, dA)
			bitsB, posB, dB = look(t, bitsB, posB, dB)
			bitsC, posC, dC = look(t, bitsC, posC, dC)
			bitsD, posD, dD = look(t, bitsD, posD, dD)
			bitsA, posA, dA = look(t, bitsA, posA, dA)
			bitsB, posB, dB = look(t, bitsB, posB, dB)
			bitsC, posC, dC = look(t, bitsC, posC, dC)
			bitsD, posD, dD = look(t, bitsD, posD, dD)
			bitsA, posA, dA = look(t, bitsA, posA, dA)
			bitsB, posB, dB = look(t, bitsB, posB, dB)
			bitsC, posC, dC = look(t, bitsC, posC, dC)
			bitsD, posD, dD = look(t, bitsD, posD, dD)
			bitsA, posA, dA = look(t, bitsA, posA, dA)
			bitsB, posB, dB = look(t, bitsB, posB, dB)
			bitsC, posC, dC = look(t, bitsC, posC, dC)
			bitsD, posD, dD = look(t, bitsD, posD, dD)
			_, posA, dA = look(t, bitsA, posA, dA)
			_, posB, dB = look(t, bitsB, posB, dB)
			_, posC, dC = look(t, bitsC, posC, dC)
			_, posD, dD = look(t, bitsD, posD, dD)
		}
		s[0].pos, s[1].pos, s[2].pos, s[3].pos = int(posA), int(posB), int(posC), int(posD)
		for k, d := range [...]ptr{dA, dB, dC, dD} {
			s[k].d = int(uintptr(d) - uintptr(at(dst, 0)))
		}
	}
}

// decode is decodeFour for one stream.
func (s *stream) decode(dst, src []byte, t *decodeTable) {
	base := at(src, 0)
	for {
		n := s.rounds()
		if n == 0 {
			return
		}
		pos, d := uint64(s.pos), at(dst, s.d)
		for ; n > 0; n-- {
			bits := load64(base, int(pos>>3)) >> (pos & 7)
			for range roundLooks {
				bits, pos, d = look(t, bits, pos, d)
			}
		}
		s.pos, s.d = int(pos), int(uintptr(d)-uintptr(at(dst, 0)))
	}
}

// finish decodes the rest of a stream symbol by symbol.
func (s *stream) finish(dst, src []byte, t *decodeTable, c *codeBook) bool {
	// next returns the next bits, of which at least maxCodeLen are those of the stream or, past its end, zero.
	next := func() (bits uint64) {
		for k, b := range src[min(s.pos>>3, s.end):min(s.pos>>3+3, s.end)] {
			bits |= uint64(b) << (8 * k)
		}
		return bits >> (s.pos & 7)
	}
	for ; s.d < s.last; s.d++ {
		sym := uint8(t[next()&lookMask] >> 8)
		dst[s.d] = sym
		if s.pos += int(c.lens[sym]); s.pos > 8*s.end {
			return false
		}
	}
	return (s.pos+7)>>3 == s.end && next() == 0
}
