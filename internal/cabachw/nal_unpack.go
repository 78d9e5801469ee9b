package cabachw

import "vcsim/sim"

// RTL: rtl/common/vc_nal_unpack.v

// An UnpackUnit takes the words of slice data apart and removes emulation
// prevention bytes (H.264 clause 7.4.1, H.265 7.4.2): a 3 after two zeros. The
// two zeros that such a byte follows are both in the slice data: a slice header
// ends with a one in its last two bits or behind them. A 3 that ends the NAL unit
// stays; it is behind all that is decoded.
//
// A byte a cycle, one cycle more for each byte that is removed; the next word
// moves in with the last byte of the one before.
type UnpackUnit struct {
	In  *sim.Stream[Word]
	Out *sim.Stream[Byte]

	word  Word  // Count bytes are left
	zeros uint8 // bytes of zero before, 0..2
	valid bool
	out   Byte
	move  bool
}

// NewUnpackUnit returns a unit after reset.
func NewUnpackUnit(in *sim.Stream[Word], out *sim.Stream[Byte]) *UnpackUnit {
	return &UnpackUnit{In: in, Out: out}
}

func (u *UnpackUnit) Eval() {
	u.Out.Valid, u.Out.Data = u.valid, u.out
	u.move = !u.valid || u.Out.Ready
	u.In.Ready = u.word.Count == 0 || u.word.Count == 1 && u.move
}

func (u *UnpackUnit) Clock() {
	if u.move {
		u.valid = u.word.Count != 0
		if u.valid {
			u.clockByte()
		}
	}
	if u.In.Ready && u.In.Valid {
		u.word = u.In.Data
	}
}

// clockByte takes the next byte of the word.
func (u *UnpackUnit) clockByte() {
	u.out = Byte{Data: uint8(u.word.Data), Last: u.word.Last && u.word.Count == 1}
	u.word.Data >>= 8
	u.word.Count--
	switch {
	case u.zeros == 2 && u.out.Data == 3 && !u.out.Last:
		u.valid = false
		u.zeros = 0
	case u.out.Last || u.out.Data != 0:
		u.zeros = 0
	case u.zeros < 2:
		u.zeros++
	}
}
