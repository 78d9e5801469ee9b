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

// fill makes the table of a complete code. It has no branches on code lengths, whose outcomes would be random.
func (t *decodeTable) fill(c *codeBook, one, two *decodeTable) {
	// one and two have at most as many symbols.
	for s, l := range c.lens {
		if l == 0 {
			continue
		}
		e := 1<<56 | uint64(s)<<8 | uint64(l)
		for i := int(c.codes[s]); i < len(one); i += 1 << l {
			one[i] = e
		}
	}
	for i := range two {
		e := one[i]
		two[i] = e + follow(e, one[i>>(e&15)])
	}
	for i := range t {
		e := two[i]
		rest := i >> (e & 15)
		f := follow(e, two[rest])
		if f == 0 {
			f = follow(e, one[rest])
		}
		t[i] = e + f
	}
}

// follow returns what f adds to e if its symbols come next, or zero if their codes are not wholly there.
func follow(e, f uint64) uint64 {
	fits := uint64((int64(e&15+f&15) - maxCodeLen - 1) >> 63) // all ones or zero
	return (f&(0xff<<56|0xff) | f&0xffffff00<<(e>>56*8&63)) & fits
}

// decodeStreams decodes the four streams of a plane into dst; src holds them one after the other, then at least
// streamSlack further bytes in its capacity. dst has streamSlack bytes of capacity beyond its length. It reports whether
// each stream ends where its last symbol does.
func decodeStreams(dst, src []byte, size [numStreams]int, t *decodeTable, c *codeBook) bool {
	n := len(dst)
	q := streamLen(n, 0)
	var s [numStreams]stream
	off := 0
	for k := range s {
		s[k] = stream{p: off, end: off + size[k], d: min(k*q, n), last: min(k*q+q, n)}
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

// A stream is the state of one stream: bits holds the next bits, first one lowest, of which n count.
type stream struct {
	bits    uint64
	n       uint64
	p, end  int // in src
	d, last int // in dst
}

// decodeFour advances the streams while five table look-ups, of four symbols and a store of 8 bytes each, cannot overrun
// any of them.
func decodeFour(dst, src []byte, s *[numStreams]stream, t *decodeTable) {
	const step = 4*maxSymbols + 8
	for k := range s {
		if s[k].last-s[k].d < step || s[k].end-s[k].p < 8 {
			return
		}
	}
	bitsA, nA, pA, dA := s[0].bits, s[0].n, at(src, s[0].p), at(dst, s[0].d)
	bitsB, nB, pB, dB := s[1].bits, s[1].n, at(src, s[1].p), at(dst, s[1].d)
	bitsC, nC, pC, dC := s[2].bits, s[2].n, at(src, s[2].p), at(dst, s[2].d)
	bitsD, nD, pD, dD := s[3].bits, s[3].n, at(src, s[3].p), at(dst, s[3].d)
	lastA, endA := uintptr(at(dst, s[0].last-step)), uintptr(at(src, s[0].end-8))
	lastB, endB := uintptr(at(dst, s[1].last-step)), uintptr(at(src, s[1].end-8))
	lastC, endC := uintptr(at(dst, s[2].last-step)), uintptr(at(src, s[2].end-8))
	lastD, endD := uintptr(at(dst, s[3].last-step)), uintptr(at(src, s[3].end-8))
	for uintptr(dA) <= lastA && uintptr(dB) <= lastB && uintptr(dC) <= lastC && uintptr(dD) <= lastD &&
		uintptr(pA) <= endA && uintptr(pB) <= endB && uintptr(pC) <= endC && uintptr(pD) <= endD {
		bitsA |= load64(pA, 0) << (nA & 63)
		pA = unsafe.Add(pA, (63-nA)>>3)
		nA |= 56
		bitsA, nA, dA = look(t, bitsA, nA, dA)
		bitsB |= load64(pB, 0) << (nB & 63)
		pB = unsafe.Add(pB, (63-nB)>>3)
		nB |= 56
		bitsB, nB, dB = look(t, bitsB, nB, dB)
		bitsC |= load64(pC, 0) << (nC & 63)
		pC = unsafe.Add(pC, (63-nC)>>3)
		nC |= 56
		bitsC, nC, dC = look(t, bitsC, nC, dC)
		bitsD |= load64(pD, 0) << (nD & 63)
		pD = unsafe.Add(pD, (63-nD)>>3)
		nD |= 56
		bitsD, nD, dD = look(t, bitsD, nD, dD)
		for range 4 {
			bitsA, nA, dA = look(t, bitsA, nA, dA)
			bitsB, nB, dB = look(t, bitsB, nB, dB)
			bitsC, nC, dC = look(t, bitsC, nC, dC)
			bitsD, nD, dD = look(t, bitsD, nD, dD)
		}
		nA &= 63
		nB &= 63
		nC &= 63
		nD &= 63
	}
	s[0].bits, s[0].n, s[0].p, s[0].d = bitsA, nA, int(uintptr(pA)-uintptr(at(src, 0))), int(uintptr(dA)-uintptr(at(dst, 0)))
	s[1].bits, s[1].n, s[1].p, s[1].d = bitsB, nB, int(uintptr(pB)-uintptr(at(src, 0))), int(uintptr(dB)-uintptr(at(dst, 0)))
	s[2].bits, s[2].n, s[2].p, s[2].d = bitsC, nC, int(uintptr(pC)-uintptr(at(src, 0))), int(uintptr(dC)-uintptr(at(dst, 0)))
	s[3].bits, s[3].n, s[3].p, s[3].d = bitsD, nD, int(uintptr(pD)-uintptr(at(src, 0))), int(uintptr(dD)-uintptr(at(dst, 0)))
}

// decode is decodeFour for one stream.
func (s *stream) decode(dst, src []byte, t *decodeTable) {
	const step = 4*maxSymbols + 8
	if s.last-s.d < step || s.end-s.p < 8 {
		return
	}
	bits, n, p, d := s.bits, s.n, at(src, s.p), at(dst, s.d)
	last, end := uintptr(at(dst, s.last-step)), uintptr(at(src, s.end-8))
	for uintptr(d) <= last && uintptr(p) <= end {
		bits |= load64(p, 0) << (n & 63)
		p = unsafe.Add(p, (63-n)>>3)
		n |= 56
		for range 5 {
			bits, n, d = look(t, bits, n, d)
		}
		n &= 63
	}
	s.bits, s.n, s.p, s.d = bits, n, int(uintptr(p)-uintptr(at(src, 0))), int(uintptr(d)-uintptr(at(dst, 0)))
}

// look decodes the symbols of one entry. Of n only the low six bits count.
func look(t *decodeTable, bits, n uint64, d ptr) (uint64, uint64, ptr) {
	x := t[bits&lookMask]
	store64(d, 0, x>>8)
	return bits >> (x & 63), n - x, unsafe.Add(d, x>>56)
}

// finish decodes the rest of a stream symbol by symbol.
func (s *stream) finish(dst, src []byte, t *decodeTable, c *codeBook) bool {
	s.bits &= 1<<(s.n&63) - 1
	for s.d < s.last {
		for s.n < maxCodeLen && s.p < s.end {
			s.bits |= uint64(src[s.p]) << s.n
			s.p++
			s.n += 8
		}
		sym := uint8(t[s.bits&lookMask] >> 8)
		l := uint64(c.lens[sym])
		if l > s.n {
			return false
		}
		s.bits >>= l
		s.n -= l
		dst[s.d] = sym
		s.d++
	}
	return s.p-int(s.n>>3) == s.end && s.bits&(1<<(s.n&7)-1) == 0
}
