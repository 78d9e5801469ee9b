// Package cabachw holds the clocked units of the arithmetic coder that both
// standards share, and the forms of them that run ahead of the cycles.
package cabachw

import (
	"fmt"
	"math/bits"

	"vcsim/internal/cabac"
	"vcsim/sim"
)

// RTL: rtl/common/vc_cabac_enc.v rtl/common/vc_cabac_range.v

// An EncoderSpec holds the parameters of an encoder lane, spelled as in
// Verilog.
type EncoderSpec struct {
	Contexts int // 2..256
	Bypass   int // bypass bins a cycle, 1..7
	RunBits  int // bits of the count of outstanding bytes, 1..31
}

// DefaultEncoderSpec is a lane for either standard: 100 contexts, 4 bypass bins.
func DefaultEncoderSpec() EncoderSpec {
	return EncoderSpec{Contexts: 100, Bypass: 4, RunBits: 16}
}

// Validate reports the first parameter out of range.
func (s EncoderSpec) Validate() error {
	for _, p := range []struct {
		name         string
		v, low, high int
	}{{"Contexts", s.Contexts, 2, 256}, {"Bypass", s.Bypass, 1, 7}, {"RunBits", s.RunBits, 1, 31}} {
		if p.v < p.low || p.v > p.high {
			return fmt.Errorf("cabac: %s is %d, not in %d..%d", p.name, p.v, p.low, p.high)
		}
	}
	return nil
}

// CtxBits is the width of a context index.
func (s EncoderSpec) CtxBits() int { return bits.Len(uint(s.Contexts - 1)) }

// An EncoderUnit is an encoder lane: an Op a cycle in, bytes of codewords out.
// Its bytes are those of an Encoder. A codeword ends with cabac.OpTerminate of one,
// which takes two cycles; the contexts of the next are set by cabac.OpInit before or
// in between, as a slice needs.
//
// Stages: context read and update; range; addend; low; packing. They advance
// together, so that the unit can do the arithmetic of an Op as it enters and
// lets the settled bits travel.
type EncoderUnit struct {
	In  *sim.Stream[cabac.Op]
	Out *sim.Stream[Byte]

	ctx  contextUnit
	pack PackUnit
	word sim.Stream[Bits] // between low and packing
	hold bool             // the flush follows cabac.OpTerminate of one

	rng uint32 // 256..510
	low uint32 // 9 bits
	// stages holds the registers between context and packing, the newest lowest,
	// 16 bits each: Bits.Bits, N from bit 8 on, Last in bit 11; 0 for none.
	stages uint64
	enable bool
}

const (
	stageN    = 8
	stageLast = 11
)

// NewEncoderUnit returns a lane after reset. Its contexts are zero.
func NewEncoderUnit(spec EncoderSpec, in *sim.Stream[cabac.Op], out *sim.Stream[Byte]) *EncoderUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	u := &EncoderUnit{In: in, Out: out, ctx: contextUnit{mem: make([]uint8, spec.Contexts)}, rng: 510}
	u.pack = *NewPackUnit(spec.RunBits, &u.word, out)
	return u
}

// Overflow reports that a run of outstanding bytes did not fit its counter.
func (u *EncoderUnit) Overflow() bool { return u.pack.Overflow() }

// Outstanding starts a lane, before its first cycle, with the count of outstanding bytes at n: a codeword takes millions of bins to get there.
func (u *EncoderUnit) Outstanding(n uint32) { u.pack.Outstanding(n) }

func (u *EncoderUnit) Eval() {
	w := uint16(u.stages >> 48)
	u.word.Valid = w != 0
	if w != 0 {
		u.word.Data = Bits{Bits: uint8(w), N: uint8(w >> stageN & 7), Last: w>>stageLast != 0}
	}
	u.pack.Eval()
	u.enable = w == 0 || u.word.Ready
	u.In.Ready = u.enable && !u.hold
}

func (u *EncoderUnit) Clock() {
	u.pack.Clock()
	if !u.enable {
		return
	}
	u.stages <<= 16
	switch {
	case u.hold: // the two top bits of low, the second of them a one
		t := u.low << 2
		u.stages |= 1<<stageLast | 2<<stageN | uint64(uint8(t>>9)|1)
		u.rng, u.low = 510, 0
		u.hold = false
	case u.In.Valid:
		u.code(&u.In.Data)
	}
}

// code takes an Op. A terminating bin is one of the state 63, whose less
// probable range is 2, and leaves no trace in the memory. A bin that shifts
// nothing settles nothing.
func (u *EncoderUnit) code(op *cabac.Op) {
	switch op.Kind {
	case cabac.OpContext:
		c := u.ctx.read(op.Ctx)
		lps := (c ^ op.Bits) & 1
		u.ctx.code(op.Ctx, int(op.Bits&1))
		u.bin(c>>1, lps, op.Count&1, uint32(op.Bits>>1&1))
	case cabac.OpBypass:
		u.shift(uint(op.Count), u.rng*uint32(op.Bits))
	case cabac.OpTerminate:
		u.bin(63, op.Bits&1, 0, 0)
		u.hold = op.Bits&1 != 0
	case cabac.OpInit:
		u.ctx.init(op.Ctx, op.Bits)
	}
}

// bin codes a bin of a state (clause 9.3.4.6.2), and tail bypass bins after it.
func (u *EncoderUnit) bin(state, lps, tail uint8, sign uint32) {
	l := uint32(cabac.RangeLPS[state<<2|uint8(u.rng>>6&3)])
	m := -uint32(lps) // all ones for the less probable symbol
	r := u.rng - l
	add := r & m
	r ^= (r ^ l) & m
	n := uint(bits.LeadingZeros32(r)) - 23 // to 9 bits
	u.rng = r << (n & 31)
	u.shift(n+uint(tail), add<<(n&31)<<tail+u.rng*sign*uint32(tail))
}

// shift settles n bits: low<<n + add, 17 bits at most, of which the low 9 remain.
func (u *EncoderUnit) shift(n uint, add uint32) {
	t := u.low<<(n&31) + add
	u.low = t & 0x1ff
	if n != 0 {
		u.stages |= uint64(n)<<stageN | uint64(uint8(t>>9))
	}
}

// Reset makes the lane ready for a codeword. The contexts stay.
func (u *EncoderUnit) Reset() {
	u.hold, u.stages = false, 0
	u.rng, u.low = 510, 0
	u.pack.Reset()
}
