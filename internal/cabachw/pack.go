package cabachw

import "vcsim/sim"

// RTL: rtl/common/vc_cabac_pack.v

// A Bits word is what the arithmetic encoder settles in a cycle.
type Bits struct {
	Bits uint8 // carry into the bits before, above N bits
	N    uint8 // 1..7
	Last bool  // ends the codeword: zero bits fill the byte
}

// A Byte is one byte of a codeword.
type Byte struct {
	Data uint8
	Last bool
}

// A PackUnit collects settled bits into bytes and resolves carries (the
// outstanding bits of clause 9.3.4.6.3, by bytes): it holds the newest byte
// below 255 and counts the bytes of 255 after it, until the next byte tells
// whether a carry runs through them. Latency 1 from the bits that complete the
// next byte but one; a run of bytes of 255 leaves at one a cycle.
type PackUnit struct {
	In  *sim.Stream[Bits]
	Out *sim.Stream[Byte]

	acc      uint8 // carry, and up to 7 pending bits below it, left aligned
	k        uint8 // pending bits
	fin      bool  // the last word is in
	has      bool  // held is a byte of this codeword
	held     uint8
	run      uint32 // bytes of 255 behind held
	runMax   uint32
	draining bool // the run leaves, each byte as fill
	fill     uint8
	valid    bool
	out      Byte
	overflow bool
}

// NewPackUnit returns a unit that counts runs of up to 2^runBits - 1 bytes of
// 255. A longer one raises Overflow.
func NewPackUnit(runBits int, in *sim.Stream[Bits], out *sim.Stream[Byte]) *PackUnit {
	if runBits < 1 || runBits > 31 {
		panic("cabac: RunBits is 1 to 31")
	}
	return &PackUnit{In: in, Out: out, runMax: 1<<runBits - 1}
}

// Overflow reports that a run did not fit the counter: bytes are lost.
func (u *PackUnit) Overflow() bool { return u.overflow }

func (u *PackUnit) Eval() {
	u.Out.Valid, u.Out.Data = u.valid, u.out
	u.In.Ready = !u.draining && !u.fin && (!u.valid || u.Out.Ready)
}

func (u *PackUnit) Clock() {
	if u.valid && !u.Out.Ready {
		return
	}
	u.valid = false
	switch {
	case u.draining:
		u.emit(u.fill)
		u.run--
		if u.run == 0 {
			u.draining = false
			if u.fin && !u.has {
				u.out.Last = true
				u.fin = false
			}
		}
	case u.fin && u.k != 0: // zero bits fill the byte
		u.digit(uint16(u.acc) << 1)
		u.acc, u.k = 0, 0
	case u.fin:
		u.emit(u.held)
		u.has = false
		if u.run != 0 {
			u.draining, u.fill = true, 0xff
		} else {
			u.out.Last = true
			u.fin = false
		}
	case u.In.Valid:
		w := &u.In.Data
		t := u.k + w.N // 1..14
		sum := uint16(u.acc)<<8 + uint16(w.Bits)<<(15-t)
		if t >= 8 {
			u.digit(sum >> 7)
			u.acc = uint8(sum & 0x7f)
		} else {
			u.acc = uint8(sum >> 8)
		}
		u.k = t & 7
		u.fin = w.Last
	}
}

// digit takes the next byte d&255 with the carry d>>8 into the byte before.
func (u *PackUnit) digit(d uint16) {
	carry := uint8(d >> 8)
	if u.has && d == 0xff {
		if u.run == u.runMax {
			u.overflow = true
			u.run = 0
		} else {
			u.run++
		}
		return
	}
	if u.has {
		u.emit(u.held + carry)
		u.draining = u.run != 0
		u.fill = carry - 1
	}
	u.has, u.held = true, uint8(d)
}

// Outstanding starts the count of bytes of 255 at n, as behind so many of them.
func (u *PackUnit) Outstanding(n uint32) { u.run = n }

func (u *PackUnit) emit(b uint8) { u.valid, u.out = true, Byte{Data: b} }

// Reset makes the unit ready for a codeword.
func (u *PackUnit) Reset() {
	u.acc, u.k, u.fin, u.has, u.run, u.draining, u.valid, u.overflow = 0, 0, false, false, 0, false, false, false
}
