package lmc

import (
	"encoding/binary"
	"math/bits"
)

// Positions, the indices of m marked items among n, are stored as a bitmap or as the gaps between them.
const (
	positionsBitmap = iota // a plane of (n+7)/8 bytes, the first item in the lowest bit
	positionsGaps          // shift, then the gaps >> shift: their number of bytes (uvarint) and a plane, in which 255 means 255 and more to come; then the low bits of the gaps, packed
)

// encodePositions appends the positions marks, ascending, of n items.
func (e *encoder) encodePositions(dst []byte, marks []uint32, n int) []byte {
	m := len(marks)
	if m > n/5 {
		b := e.take((n + 7) / 8)
		defer e.give(b)
		clear(b)
		for _, i := range marks {
			b[i>>3] |= 1 << (i & 7)
		}
		return e.encodePlane(append(dst, positionsBitmap), b, false)
	}
	shift := uint(0)
	for m > 0 && n/m>>shift > 4 {
		shift++
	}
	gaps := e.take(m + (n>>shift)/255 + 1)
	low := e.take((m*int(shift)+7)/8 + 8)
	defer e.give(gaps)
	defer e.give(low)
	k, at := 0, 0
	next := uint32(0)
	var acc uint64
	var count uint
	for _, i := range marks {
		g := i - next
		next = i + 1
		for q := g >> shift; ; q -= 255 {
			gaps[k] = byte(min(q, 255))
			k++
			if q < 255 {
				break
			}
		}
		acc |= uint64(g&(1<<shift-1)) << count
		count += shift
		for ; count >= 8; count -= 8 {
			low[at] = byte(acc)
			acc >>= 8
			at++
		}
	}
	if count > 0 {
		low[at] = byte(acc)
		at++
	}
	dst = append(dst, positionsGaps, byte(shift))
	dst = binary.AppendUvarint(dst, uint64(k))
	dst = e.encodePlane(dst, gaps[:k], false)
	return append(dst, low[:at]...)
}

// decodePositions reads m positions below n into d.marks.
func (d *decoder) decodePositions(m, n int) {
	d.marks = d.marks[:0]
	switch kind := d.byte(); {
	case d.fault != "":
	case kind == positionsBitmap:
		b := d.scratch(bufGaps, (n+7)/8)
		d.decodePlane(b, false)
		if d.fault != "" {
			return
		}
		for i, x := range b {
			for ; x != 0; x &= x - 1 {
				d.marks = append(d.marks, uint32(8*i+bits.TrailingZeros8(x)))
			}
		}
		if len(d.marks) != m || m > 0 && int(d.marks[m-1]) >= n {
			d.fail("bitmap has another number of marks")
		}
	case kind == positionsGaps:
		shift := uint(d.byte())
		if shift > 24 {
			d.fail("shift of gaps is out of range")
			return
		}
		size := d.number(m+(n>>shift)/255+1, "too many gaps")
		gaps := d.scratch(bufGaps, size)
		d.decodePlane(gaps, false)
		low := d.bytes((m*int(shift) + 7) / 8)
		if d.fault != "" {
			return
		}
		next, k := 0, 0
		var acc uint64
		var count uint
		for range m {
			q := 0
			for k < size && gaps[k] == 255 {
				q += 255
				k++
			}
			if k == size {
				d.fail("gaps end early")
				return
			}
			q += int(gaps[k])
			k++
			for count < shift {
				acc |= uint64(low[0]) << count
				low = low[1:]
				count += 8
			}
			next += q<<shift | int(acc&(1<<shift-1))
			acc >>= shift
			count -= shift
			if next >= n {
				d.fail("a gap leads out of range")
				return
			}
			d.marks = append(d.marks, uint32(next))
			next++
		}
		if k != size || acc != 0 {
			d.fail("more gaps than marks")
		}
	default:
		d.fail("unknown kind of positions")
	}
}
