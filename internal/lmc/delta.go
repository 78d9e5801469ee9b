package lmc

import "encoding/binary"

// A Mode says what the blocks of a tensor hold.
type Mode uint8

const (
	Whole  Mode = iota // the values
	XOR                // the exclusive or of their bit patterns with those of the base
	Zigzag             // the differences of their bit patterns, read as integers, with the sign in the lowest bit: 0, -1, 1, -2, ...
	Step               // the values, coded by the difference of magnitudes and what the exponent of the base says about it
	numModes
)

func (m Mode) String() string {
	return [...]string{Whole: "whole", XOR: "xor", Zigzag: "zigzag", Step: "step"}[m%numModes]
}

// topBits returns the highest bit of each lane of w bytes of a word.
func topBits(w int) uint64 {
	return [...]uint64{1: 0x8080808080808080, 2: 0x8000800080008000, 4: 0x8000000080000000, 8: 0x8000000000000000}[w]
}

// words calls f for the words of a and b, which have the same length, and stores what it returns in dst; the last word
// is padded with zeros. The lengths are multiples of the size of a value.
func words(dst, a, b []byte, f func(x, y uint64) uint64) {
	le := binary.LittleEndian
	n := len(dst) &^ 7
	a, b = a[:len(dst)], b[:len(dst)]
	for i := 0; i < n; i += 8 {
		le.PutUint64(dst[i:], f(le.Uint64(a[i:]), le.Uint64(b[i:])))
	}
	if n < len(dst) {
		var x, y [8]byte
		copy(x[:], a[n:])
		copy(y[:], b[n:])
		le.PutUint64(x[:], f(le.Uint64(x[:]), le.Uint64(y[:])))
		copy(dst[n:], x[:])
	}
}

// difference sets dst to the difference of values and base in the given mode; dst may be values.
func difference(dst, values, base []byte, w int, mode Mode) {
	top := topBits(w)
	low := top >> (8*w - 1) // the lowest bit of each lane
	switch mode {
	case Whole:
		copy(dst, values)
	case XOR:
		words(dst, values, base, func(x, y uint64) uint64 { return x ^ y })
	case Zigzag:
		words(dst, values, base, func(x, y uint64) uint64 {
			d := ((x | top) - y&^top) ^ (x^^y)&top                               // x - y, lane by lane
			neg := d >> (8*w - 1) & low                                          // 1 where negative
			return (d &^ top << 1) ^ ((neg << (8*w - 1)) | (neg<<(8*w-1) - neg)) // d<<1, inverted where negative
		})
	}
}

// restore undoes difference; dst may be diff.
func restore(dst, diff, base []byte, w int, mode Mode) {
	top := topBits(w)
	low := top >> (8*w - 1)
	switch mode {
	case Whole:
		copy(dst, diff)
	case XOR:
		words(dst, diff, base, func(x, y uint64) uint64 { return x ^ y })
	case Zigzag:
		words(dst, diff, base, func(u, y uint64) uint64 {
			neg := u & low
			d := (u &^ low >> 1) ^ ((neg << (8*w - 1)) | (neg<<(8*w-1) - neg))
			return (d&^top + y&^top) ^ (d^y)&top
		})
	}
}
