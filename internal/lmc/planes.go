package lmc

import (
	"encoding/binary"
	"unsafe"
)

// A block of n values of w bytes is cut into w planes of n bytes, plane 0 the lowest byte. Of floating-point values the
// sign first moves down past the eight bits below it, so that the top plane holds exponent bits alone:
//
//	s eeeeeeee mmmmmmm   ->   eeeeeeee | s mmmmmmm      (BF16; of F32 and F64 only the top 16 bits change)
//
// Within a plane every eight values stand in the order in which words of 8 bytes yield them, and the last n%8 values in
// theirs: 0 4 1 5 2 6 3 7 for two-byte values, 0 2 4 6 1 3 5 7 for four-byte ones.

const (
	even8  = 0x00ff00ff00ff00ff // bytes 0, 2, 4 and 6 of a word
	even16 = 0x0000ffff0000ffff
)

// Masks of the sign's move, for each lane of a word: of the eight bits below the sign, of the sign's new place, and of
// what stays.
const (
	exp16, sign16, keep16 = 0xff00ff00ff00ff00, 0x0080008000800080, 0x007f007f007f007f
	exp32, sign32, keep32 = 0xff000000ff000000, 0x0080000000800000, 0x007fffff007fffff
	exp64, sign64, keep64 = 0xff00000000000000, 0x0080000000000000, 0x007fffffffffffff
)

func down16(v uint64) uint64 { return v<<1&exp16 | v>>8&sign16 | v&keep16 }
func down32(v uint64) uint64 { return v<<1&exp32 | v>>8&sign32 | v&keep32 }
func down64(v uint64) uint64 { return v<<1&exp64 | v>>8&sign64 | v&keep64 }
func up16(v uint64) uint64   { return v&exp16>>1 | v&sign16<<8 | v&keep16 }
func up32(v uint64) uint64   { return v&exp32>>1 | v&sign32<<8 | v&keep32 }
func up64(v uint64) uint64   { return v&exp64>>1 | v&sign64<<8 | v&keep64 }

// split cuts values of w bytes into planes, which has as many bytes and holds plane k at k*n. If float is set the signs
// move.
func split(planes, values []byte, w int, float bool) {
	n := len(values) / w
	if w == 1 {
		copy(planes, values)
		return
	}
	whole := 0 // values done
	_ = planes[:n*w]
	if w <= 4 {
		whole = n &^ 7
		p := at(planes, 0)
		switch {
		case w == 2 && float:
			split16Float(p, at(planes, n), at(values, 0), whole)
		case w == 2:
			split16(p, at(planes, n), at(values, 0), whole)
		default:
			split32(p, at(planes, n), at(planes, 2*n), at(planes, 3*n), at(values, 0), whole, float)
		}
	}
	for i := whole; i < n; i++ {
		v := loadValue(values[i*w:], w)
		if float {
			v = moveSign(v, w, true)
		}
		for k := range w {
			planes[k*n+i] = byte(v >> (8 * k))
		}
	}
}

// merge undoes split. low, if it is not nil, holds plane 0 in place of planes.
func merge(values, planes, low []byte, w int, float bool) {
	n := len(values) / w
	_ = planes[:n*w]
	if low == nil {
		low = planes[:n]
	}
	low = low[:n]
	if w == 1 {
		copy(values, low)
		return
	}
	whole := 0
	if w <= 4 {
		whole = n &^ 7
		p := at(low, 0)
		switch {
		case w == 2 && float:
			merge16Float(at(values, 0), p, at(planes, n), whole)
		case w == 2:
			merge16(at(values, 0), p, at(planes, n), whole)
		default:
			merge32(at(values, 0), p, at(planes, n), at(planes, 2*n), at(planes, 3*n), whole, float)
		}
	}
	for i := whole; i < n; i++ {
		v := uint64(low[i])
		for k := 1; k < w; k++ {
			v |= uint64(planes[k*n+i]) << (8 * k)
		}
		if float {
			v = moveSign(v, w, false)
		}
		storeValue(values[i*w:], v, w)
	}
}

// The loops over n values, a multiple of 8; p0 to p3 are the planes. Each has a function to itself, so that its words stay in
// registers.

// Masks as variables stay in registers; constants of 64 bits are loaded for each word.
var wordEven8, wordKeep16, wordSign16 uint64 = even8, keep16, sign16

func split16Float(p0, p1, values ptr, n int) {
	even, keep, sign := wordEven8, wordKeep16, wordSign16
	odd := ^even
	for ; n > 16; n -= 16 { // a pointer must not leave its buffer: the last 16 are done below
		a, b, c, d := load64(values, 0), load64(values, 8), load64(values, 16), load64(values, 24)
		store64(p1, 0, a>>7&even|b<<1&odd)
		store64(p0, 0, a&keep|a>>8&sign|(b&keep|b>>8&sign)<<8)
		store64(p1, 8, c>>7&even|d<<1&odd)
		store64(p0, 8, c&keep|c>>8&sign|(d&keep|d>>8&sign)<<8)
		p0, p1, values = unsafe.Add(p0, 16), unsafe.Add(p1, 16), unsafe.Add(values, 32)
	}
	for i := 0; i < n; i += 8 {
		a, b := load64(values, 2*i), load64(values, 2*i+8)
		store64(p1, i, a>>7&even|b<<1&odd)
		store64(p0, i, a&keep|a>>8&sign|(b&keep|b>>8&sign)<<8)
	}
}

func split16(p0, p1, values ptr, n int) {
	for i := 0; i < n; i += 8 {
		a, b := load64(values, 2*i), load64(values, 2*i+8)
		store64(p1, i, a>>8&even8|b&^even8)
		store64(p0, i, a&even8|b&even8<<8)
	}
}

func split32(p0, p1, p2, p3, values ptr, n int, float bool) {
	for i := 0; i < n; i += 8 {
		a, b, c, d := load64(values, 4*i), load64(values, 4*i+8), load64(values, 4*i+16), load64(values, 4*i+24)
		if float {
			a, b, c, d = down32(a), down32(b), down32(c), down32(d)
		}
		lo0, hi0 := a&even16|c&even16<<16, a>>16&even16|c&^even16
		lo1, hi1 := b&even16|d&even16<<16, b>>16&even16|d&^even16
		store64(p0, i, lo0&even8|lo1&even8<<8)
		store64(p1, i, lo0>>8&even8|lo1&^even8)
		store64(p2, i, hi0&even8|hi1&even8<<8)
		store64(p3, i, hi0>>8&even8|hi1&^even8)
	}
}

func merge16Float(values, p0, p1 ptr, n int) {
	even, keep, sign := wordEven8, wordKeep16, wordSign16
	for ; n > 16; n -= 16 {
		e, m := load64(p1, 0), load64(p0, 0)
		store64(values, 0, e&even<<7|m&keep|m&sign<<8)
		m >>= 8
		store64(values, 8, e>>8&even<<7|m&keep|m&sign<<8)
		e, m = load64(p1, 8), load64(p0, 8)
		store64(values, 16, e&even<<7|m&keep|m&sign<<8)
		m >>= 8
		store64(values, 24, e>>8&even<<7|m&keep|m&sign<<8)
		p0, p1, values = unsafe.Add(p0, 16), unsafe.Add(p1, 16), unsafe.Add(values, 32)
	}
	for i := 0; i < n; i += 8 {
		e, m := load64(p1, i), load64(p0, i)
		store64(values, 2*i, e&even<<7|m&keep|m&sign<<8)
		m >>= 8
		store64(values, 2*i+8, e>>8&even<<7|m&keep|m&sign<<8)
	}
}

func merge16(values, p0, p1 ptr, n int) {
	for i := 0; i < n; i += 8 {
		e, m := load64(p1, i), load64(p0, i)
		store64(values, 2*i, e&even8<<8|m&even8)
		store64(values, 2*i+8, e&^even8|m>>8&even8)
	}
}

func merge32(values, p0, p1, p2, p3 ptr, n int, float bool) {
	for i := 0; i < n; i += 8 {
		q0, q1, q2, q3 := load64(p0, i), load64(p1, i), load64(p2, i), load64(p3, i)
		lo0, lo1 := q0&even8|q1&even8<<8, q0>>8&even8|q1&^even8
		hi0, hi1 := q2&even8|q3&even8<<8, q2>>8&even8|q3&^even8
		a, c := lo0&even16|hi0&even16<<16, lo0>>16&even16|hi0&^even16
		b, d := lo1&even16|hi1&even16<<16, lo1>>16&even16|hi1&^even16
		if float {
			a, b, c, d = up32(a), up32(b), up32(c), up32(d)
		}
		store64(values, 4*i, a)
		store64(values, 4*i+8, b)
		store64(values, 4*i+16, c)
		store64(values, 4*i+24, d)
	}
}

// moveSign moves the sign of one value of w bytes down or up.
func moveSign(v uint64, w int, down bool) uint64 {
	switch {
	case w == 2 && down:
		return down16(v)
	case w == 2:
		return up16(v)
	case w == 4 && down:
		return down32(v)
	case w == 4:
		return up32(v)
	case w == 8 && down:
		return down64(v)
	case w == 8:
		return up64(v)
	}
	return v
}

// loadValue reads a value of w bytes.
func loadValue(b []byte, w int) uint64 {
	switch w {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// storeValue writes a value of w bytes.
func storeValue(b []byte, v uint64, w int) {
	switch w {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}
