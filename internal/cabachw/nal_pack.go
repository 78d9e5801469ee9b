package cabachw

import (
	"math/bits"

	"vcsim/sim"
)

// RTL: rtl/common/vc_nal_pack.v

// A Word holds Count bytes of a NAL unit, the first one lowest. Bytes from
// Count on are left over from the word before.
type Word struct {
	Data  uint64 `rtl:"64"` // byte i in bits 8i and up; zero from Count on
	Count uint8  `rtl:"4"`  // 1..8; less than the size of a word only in the last one
	Last  bool   // ends the NAL unit
}

// A NALUnit inserts emulation prevention bytes (H.264 clause 7.4.1, H.265
// 7.4.2) into the bytes of slice data and collects them in words. The two zeros
// that such a byte follows are both in the slice data: a slice header ends with
// a one in its last two bits or behind them. The last byte of slice data is not
// zero.
type NALUnit struct {
	In  *sim.Stream[Byte]
	Out *sim.Stream[Word]

	size  uint8 // bytes of a word
	zeros uint8 // bytes of zero before, 0..2
	// A byte of 3 or less follows a 3 that was inserted before it.
	pending, pendingLast bool
	pendingByte          uint8
	valid                bool
	word                 Word // Count bytes so far
}

// NewNALUnit returns a unit with words of size bytes, 2 to 8.
func NewNALUnit(size int, in *sim.Stream[Byte], out *sim.Stream[Word]) *NALUnit {
	if size < 2 || size > 8 {
		panic("cabac: a word has 2 to 8 bytes")
	}
	return &NALUnit{In: in, Out: out, size: uint8(size)}
}

// CountBits is the width of the count of bytes in a word of size bytes.
func CountBits(size int) int { return bits.Len(uint(size)) }

func (u *NALUnit) Eval() {
	u.Out.Valid, u.Out.Data = u.valid, u.word
	u.In.Ready = !u.pending && (!u.valid || u.Out.Ready)
}

func (u *NALUnit) Clock() {
	if u.valid {
		if !u.Out.Ready {
			return
		}
		u.valid, u.word.Count = false, 0
	}
	switch {
	case u.pending:
		u.pending = false
		u.put(u.pendingByte, u.pendingLast)
	case u.In.Valid:
		u.take(u.In.Data)
	}
}

// take takes a byte.
func (u *NALUnit) take(b Byte) {
	if u.zeros == 2 && b.Data <= 3 {
		u.pending, u.pendingByte, u.pendingLast = true, b.Data, b.Last
		u.put(3, false)
		return
	}
	u.put(b.Data, b.Last)
}

func (u *NALUnit) put(b uint8, last bool) {
	if b != 0 || last {
		u.zeros = 0
	} else if u.zeros < 2 {
		u.zeros++
	}
	w := &u.word
	if w.Count == 0 {
		w.Data = 0
	}
	w.Data |= uint64(b) << (8 * w.Count & 63)
	w.Count++
	w.Last = last
	u.valid = last || w.Count == u.size
}

// Reset makes the unit ready for a NAL unit.
func (u *NALUnit) Reset() {
	u.zeros, u.pending, u.valid, u.word.Count = 0, false, false, 0
}
