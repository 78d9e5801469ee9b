// Package bitio reads and writes the bit-level layer that ITU-T H.264 and
// H.265 share: MSB-first fields, Exp-Golomb codes (H.265 clause 9.2),
// emulation prevention (7.4.2) and the Annex B byte stream.
package bitio

import "math/bits"

// A Writer appends bits, most significant first, to a byte slice.
// The zero value is an empty Writer.
type Writer struct {
	buf []byte
	acc uint64 // pending bits, right aligned
	n   uint   // number of pending bits, 0..7 between calls
}

// Reset makes w append to dst, discarding pending bits.
func (w *Writer) Reset(dst []byte) { *w = Writer{buf: dst} }

// Bits appends the low n bits of v, 0 <= n <= 32.
func (w *Writer) Bits(v uint32, n int) {
	w.acc = w.acc<<uint(n) | uint64(v)&(1<<uint(n)-1)
	w.n += uint(n)
	for w.n >= 8 {
		w.n -= 8
		w.buf = append(w.buf, byte(w.acc>>w.n))
	}
}

// Flag appends one bit.
func (w *Writer) Flag(b bool) {
	if b {
		w.Bits(1, 1)
	} else {
		w.Bits(0, 1)
	}
}

// UE appends ue(v), the unsigned Exp-Golomb code of v < 1<<32-1 (clause 9.2).
func (w *Writer) UE(v uint32) {
	n := bits.Len32(v + 1)
	w.Bits(0, n-1)
	w.Bits(v+1, n)
}

// SE appends se(v), the signed Exp-Golomb code of v (clause 9.2.2).
func (w *Writer) SE(v int32) {
	if v > 0 {
		w.UE(uint32(2*v - 1))
	} else {
		w.UE(uint32(-2 * v))
	}
}

// Trailing appends a one bit and zero bits up to the next byte boundary:
// rbsp_trailing_bits and byte_alignment (clauses 7.3.2.11, 7.3.2.12).
func (w *Writer) Trailing() {
	w.Bits(1, 1)
	w.Bits(0, int(-w.n&7))
}

// Aligned reports whether the next bit starts a byte.
func (w *Writer) Aligned() bool { return w.n == 0 }

// Bytes returns the slice with every complete byte written so far.
func (w *Writer) Bytes() []byte { return w.buf }
