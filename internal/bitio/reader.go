package bitio

import (
	"errors"
	"math/bits"
)

// ErrShort is the sticky error of a Reader that ran out of bits.
var ErrShort = errors.New("bitio: unexpected end of data")

// ErrCode is the sticky error of an Exp-Golomb code longer than 32 bits.
var ErrCode = errors.New("bitio: Exp-Golomb code out of range")

// A Reader takes bits, most significant first, from a byte slice. Reads past
// the end return zero and set a sticky error.
type Reader struct {
	data []byte
	pos  int // in bits
	err  error
}

// NewReader returns a Reader over data.
func NewReader(data []byte) *Reader { return &Reader{data: data} }

// Err returns the first error met, or nil.
func (r *Reader) Err() error { return r.err }

// Pos returns the number of bits read.
func (r *Reader) Pos() int { return r.pos }

// Left returns the number of bits not yet read.
func (r *Reader) Left() int { return 8*len(r.data) - r.pos }

// Bits reads n bits, 0 <= n <= 32.
func (r *Reader) Bits(n int) uint32 {
	if n > r.Left() {
		r.pos = 8 * len(r.data)
		if r.err == nil {
			r.err = ErrShort
		}
		return 0
	}
	var acc uint64
	first, last := r.pos>>3, (r.pos+n+7)>>3
	for _, b := range r.data[first:last] {
		acc = acc<<8 | uint64(b)
	}
	r.pos += n
	return uint32(acc >> uint(8*last-r.pos) & (1<<uint(n) - 1))
}

// Flag reads one bit.
func (r *Reader) Flag() bool { return r.Bits(1) != 0 }

// Skip passes over n bits.
func (r *Reader) Skip(n int) {
	for ; n > 32; n -= 32 {
		r.Bits(32)
	}
	r.Bits(n)
}

// UE reads ue(v) (clause 9.2).
func (r *Reader) UE() uint32 {
	zeros := 0
	for zeros < 32 && r.err == nil && !r.Flag() {
		zeros++
	}
	if zeros == 32 {
		if r.err == nil {
			r.err = ErrCode
		}
		return 0
	}
	return 1<<uint(zeros) - 1 + r.Bits(zeros)
}

// SE reads se(v) (clause 9.2.2).
func (r *Reader) SE() int32 {
	k := r.UE()
	if k&1 != 0 {
		return int32(k>>1) + 1
	}
	return -int32(k >> 1)
}

// Align skips to the next byte boundary.
func (r *Reader) Align() { r.pos = (r.pos + 7) &^ 7 }

// MoreRBSPData reports whether payload bits remain before the trailing bits
// (clause 7.2, more_rbsp_data).
func (r *Reader) MoreRBSPData() bool {
	end := len(r.data)
	for end > 0 && r.data[end-1] == 0 {
		end--
	}
	if end == 0 {
		return false
	}
	stop := 8*end - 1 - bits.TrailingZeros8(r.data[end-1])
	return r.pos < stop
}
