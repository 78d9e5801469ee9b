package cabac

import (
	"fmt"
	"math/bits"

	"vcsim/sim"
)

// RTL: rtl/common/vc_cabac_enc.v

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

// The kinds of an Op.
const (
	OpContext   = iota // one bin with a context
	OpBypass           // Count bins
	OpTerminate        // end_of_slice flags and the like; after a one the codeword ends
	OpInit             // sets a context
)

// An Op is one cycle's work of an encoder lane.
type Op struct {
	Kind  uint8
	Ctx   uint8 // of OpContext and OpInit, below Contexts
	Count uint8 // of OpBypass, 1..Bypass
	Bits  uint8 // the bin; Count bins, most significant first; the context byte of OpInit
}

// An EncoderUnit is an encoder lane: an Op a cycle in, bytes of codewords out.
// Its bytes are those of an Encoder. A codeword ends with OpTerminate of one,
// which takes two cycles; the contexts of the next are set by OpInit before or
// in between, as a slice needs.
//
// Stages: context read and update; range; low; packing. They advance together.
type EncoderUnit struct {
	In  *sim.Stream[Op]
	Out *sim.Stream[Byte]

	ctx  contextUnit
	pack PackUnit
	word sim.Stream[Bits] // between low and packing
	hold bool             // the flush follows OpTerminate of one

	// Range stage.
	valid1, bypass1, end1 bool
	val1                  uint8 // lps<<6 | pStateIdx, or bypass bins
	n1                    uint8
	rng                   uint32 // 256..510

	// Low stage.
	valid2, bypass2, end2 bool
	r2                    uint32 // 9 bits
	val2, n2              uint8
	low                   uint32 // 9 bits

	wordValid bool
	wordData  Bits
	enable    bool
}

// NewEncoderUnit returns a lane after reset. Its contexts are zero.
func NewEncoderUnit(in *sim.Stream[Op], out *sim.Stream[Byte], spec EncoderSpec) *EncoderUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	u := &EncoderUnit{In: in, Out: out, ctx: contextUnit{mem: make([]uint8, spec.Contexts)}, rng: 510}
	u.pack = *NewPackUnit(&u.word, out, spec.RunBits)
	return u
}

// Overflow reports that a run of outstanding bytes did not fit its counter.
func (u *EncoderUnit) Overflow() bool { return u.pack.Overflow() }

func (u *EncoderUnit) Eval() {
	u.word.Valid, u.word.Data = u.wordValid, u.wordData
	u.pack.Eval()
	u.enable = !u.wordValid || u.word.Ready
	u.In.Ready = u.enable && !u.hold
}

func (u *EncoderUnit) Clock() {
	u.pack.Clock()
	if !u.enable {
		return
	}
	// From the last stage to the first, so that each reads old registers.
	u.wordValid = u.valid2
	if u.valid2 {
		u.clockLow()
	}
	u.valid2 = u.valid1
	if u.valid1 {
		u.clockRange()
	}
	switch {
	case u.hold: // the two top bits of low, the second of them a one
		u.valid1, u.bypass1, u.end1 = true, true, true
		u.val1, u.n1 = 0, 2
		u.hold = false
	case u.In.Valid:
		u.clockContext(&u.In.Data)
	default:
		u.valid1 = false
	}
}

// clockContext is the context stage. A terminating bin is one of the state 63,
// whose less probable range is 2, and leaves no trace in the memory.
func (u *EncoderUnit) clockContext(op *Op) {
	u.valid1, u.bypass1, u.end1 = true, false, false
	switch op.Kind {
	case OpContext:
		c := u.ctx.read(op.Ctx)
		u.val1 = c>>1 | (c^op.Bits)&1<<6
		u.ctx.code(op.Ctx, int(op.Bits&1))
	case OpBypass:
		u.bypass1, u.val1, u.n1 = true, op.Bits, op.Count
	case OpTerminate:
		u.val1 = 63 | op.Bits&1<<6
		u.hold = op.Bits&1 != 0
	case OpInit:
		u.valid1 = false
		u.ctx.init(op.Ctx, op.Bits)
	}
}

// clockRange is the range stage (clause 9.3.4.6.2 without low). A bin that
// shifts nothing leaves low as it is and goes no further.
func (u *EncoderUnit) clockRange() {
	u.bypass2, u.end2 = u.bypass1, u.end1
	if u.bypass1 {
		u.r2, u.val2, u.n2 = u.rng, u.val1, u.n1
		if u.end1 {
			u.rng = 510
		}
		return
	}
	lps := uint32(rangeLPS[u.val1&63<<2|uint8(u.rng>>6&3)])
	u.r2 = u.rng - lps
	u.val2 = u.val1 >> 6
	u.rng = u.r2
	if u.val2 != 0 {
		u.rng = lps
	}
	u.n2 = uint8(bits.LeadingZeros32(u.rng)) - 23 // to 9 bits
	u.rng <<= u.n2
	u.valid2 = u.n2 != 0
}

// clockLow is the low stage: T = (low + lps*R)<<n for a context bin,
// low<<n + R*bins for bypass bins, 17 bits at most; the low 9 remain.
func (u *EncoderUnit) clockLow() {
	t := u.low
	if u.bypass2 {
		t = t<<u.n2 + u.r2*uint32(u.val2)
	} else {
		t = (t + u.r2*uint32(u.val2)) << u.n2
	}
	u.wordData = Bits{Bits: uint8(t >> 9), N: u.n2, Last: u.end2}
	u.low = t & 0x1ff
	if u.end2 {
		u.wordData.Bits |= 1
		u.low = 0
	}
}

// Reset makes the lane ready for a codeword. The contexts stay.
func (u *EncoderUnit) Reset() {
	u.hold, u.valid1, u.valid2, u.wordValid = false, false, false, false
	u.rng, u.low = 510, 0
	u.pack.Reset()
}
