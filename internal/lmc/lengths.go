package lmc

import "math/bits"

// The stored form of the lengths of a code is a string of bits, the first in the lowest of a byte. For each symbol, from 0 on:
//
//	0           the length is that of the symbol before that has one; of maxCodeLen, if there is none
//	1 0 s       longer by 1, or if s is set, shorter
//	1 1 0 s     by 2
//	1 1 1 0 r   the symbol and as many after it as r says have no code; r is in groups of four bits, 15 means 15 and more to come
//	1 1 1 1 l   the length is l (four bits)
//
// Symbols after the last that has a code are left out: the decoder stops when the code is complete.

// A bitWriter appends bits.
type bitWriter struct {
	dst   []byte
	acc   uint32
	count uint
}

// put appends the n low bits of x, at most 24.
func (w *bitWriter) put(x uint32, n uint) {
	w.acc |= x << w.count
	for w.count += n; w.count >= 8; w.count -= 8 {
		w.dst = append(w.dst, byte(w.acc))
		w.acc >>= 8
	}
}

// end appends what is left, padded with zeros.
func (w *bitWriter) end() []byte {
	if w.count > 0 {
		w.dst = append(w.dst, byte(w.acc))
	}
	return w.dst
}

// appendLens appends the stored form of the lengths.
func (c *codeBook) appendLens(dst []byte) []byte {
	w := bitWriter{dst: dst}
	last := 255
	for c.lens[last] == 0 {
		last--
	}
	before := maxCodeLen
	for s := 0; s <= last; s++ {
		l := int(c.lens[s])
		if l == 0 {
			w.put(0b0111, 4)
			run := 0
			for c.lens[s+1] == 0 {
				run++
				s++
			}
			for ; run >= 15; run -= 15 {
				w.put(15, 4)
			}
			w.put(uint32(run), 4)
			continue
		}
		switch l - before {
		case 0:
			w.put(0, 1)
		case 1:
			w.put(0b001, 3)
		case -1:
			w.put(0b101, 3)
		case 2:
			w.put(0b0011, 4)
		case -2:
			w.put(0b1011, 4)
		default:
			w.put(0b1111|uint32(l)<<4, 8)
		}
		before = l
	}
	return w.end()
}

// readLens reads the stored form and returns the number of bytes it took, or -1 if it is not that of a complete code.
func (c *codeBook) readLens(src []byte) int {
	c.lens = [256]uint8{}
	c.max = 0
	r := bitReader{src: src}
	left := 1 << maxCodeLen // of the code space
	before := maxCodeLen
	for s := 0; left > 0; s++ {
		r.refill() // what follows the end is zero: more codes, and in time too many
		if s > 255 {
			return -1
		}
		ones := min(bits.TrailingZeros64(^r.bits), 4)
		r.take(uint64(min(ones+1, 4)))
		switch ones {
		case 1, 2:
			if r.take(1) == 0 {
				before += ones
			} else {
				before -= ones
			}
		case 3:
			for more := uint64(15); more == 15; {
				if r.n < 4 || r.n > 64 {
					r.refill()
				}
				more = r.take(4)
				s += int(more)
				if s > 255 {
					return -1
				}
			}
			continue
		case 4:
			before = int(r.take(4))
		}
		if before < 1 || before > maxCodeLen || r.n > 64 {
			return -1
		}
		c.lens[s] = uint8(before)
		c.max = max(c.max, before)
		left -= 1 << (maxCodeLen - before)
	}
	if left < 0 || r.n > 64 {
		return -1
	}
	r.refill()
	pad := r.n & 7
	if r.take(pad) != 0 {
		return -1
	}
	return r.p - int(r.n>>3)
}
