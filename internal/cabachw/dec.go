package cabachw

import (
	"fmt"
	"math/bits"

	"vcsim/internal/cabac"
	"vcsim/sim"
)

// RTL: rtl/common/vc_cabac_dec.v rtl/common/vc_cabac_dec_core.v rtl/common/vc_cabac_bypass.v

// A DecoderSpec holds the parameters of a decoder engine, spelled as in
// Verilog.
type DecoderSpec struct {
	Contexts int // 2..256
	Bypass   int // bypass bins a cycle, 1..7
}

// DefaultDecoderSpec is an engine for either standard: 100 contexts, 2 bypass
// bins.
func DefaultDecoderSpec() DecoderSpec { return DecoderSpec{Contexts: 100, Bypass: 2} }

// Validate reports the first parameter out of range.
func (s DecoderSpec) Validate() error {
	for _, p := range []struct {
		name         string
		v, low, high int
	}{{"Contexts", s.Contexts, 2, 256}, {"Bypass", s.Bypass, 1, 7}} {
		if p.v < p.low || p.v > p.high {
			return fmt.Errorf("cabac: %s is %d, not in %d..%d", p.name, p.v, p.low, p.high)
		}
	}
	return nil
}

// CtxBits is the width of a context index.
func (s DecoderSpec) CtxBits() int { return bits.Len(uint(s.Contexts - 1)) }

// The kinds of a Request.
const (
	RequestNone      = iota // nothing; its bins are 0
	RequestContext          // a bin with a context
	RequestBypass           // Count bins
	RequestTerminate        // a bin before a possible end
)

// A Request is what a parser wants decoded in a cycle.
type Request struct {
	Kind  uint8
	Ctx   uint8 // of RequestContext, below Contexts
	Count uint8 // of RequestBypass, 1..Bypass
}

// A DecoderUnit is a decoder engine: bytes of codewords in, a Request a cycle
// decoded. The request of a cycle is given in the cycle before, when the bins
// of that one are known; its context is read then. The bins are those of a
// Decoder.
//
// It takes bytes between Start and the last byte of a codeword, ahead of the
// bins by 8 to 15 bits. After the last one the bits are zero, and the first bin
// that needs one raises Overrun. A codeword starts with nine bypass bins, which
// shift ivlOffset in: all are zero if it is allowed (clause 9.3.2.5).
//
// In a cycle its owner calls Eval, then, with In settled, Step and Clock.
type DecoderUnit struct {
	In *sim.Stream[Byte]

	ctx     contextUnit
	req     Request
	context uint8  // of req, as read
	rng     uint32 // 256..510
	win     uint32 // ivlOffset above 15 bits to come
	more    uint8  // how many of the 15 are there; of no meaning past the end
	ended   bool   // no more bytes
	overrun bool
	drain   bool

	// What Step found.
	stepped bool
	last    bool
	n       uint8 // bits shifted out
	after   uint8 // context after the bin
	rngNext uint32
	winNext uint32
	filled  uint8 // more before the shift
}

// NewDecoderUnit returns an engine after reset: it takes no bytes.
func NewDecoderUnit(spec DecoderSpec, in *sim.Stream[Byte]) *DecoderUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	return &DecoderUnit{In: in, ctx: contextUnit{mem: make([]uint8, spec.Contexts)}, ended: true, rng: 510}
}

// Ended reports whether the last byte has been taken.
func (u *DecoderUnit) Ended() bool { return u.ended }

// Overrun reports whether a bin took bits from beyond the last byte.
func (u *DecoderUnit) Overrun() bool { return u.overrun }

// Cut reports whether, in what Step found, bypass bins other than the last one
// took such bits.
func (u *DecoderUnit) Cut() bool { return u.req.Kind == RequestBypass && u.n > u.filled+1 }

// Drain sets whether the engine takes all bytes up to the last and drops them.
// From then to the next Start it decodes nothing.
func (u *DecoderUnit) Drain(on bool) { u.drain = on }

// Init sets a context at the edge of this cycle, whose request is
// RequestNone.
func (u *DecoderUnit) Init(ctx, value uint8) { u.ctx.init(ctx, value) }

// Eval drives the ready of In.
func (u *DecoderUnit) Eval() { u.In.Ready = !u.ended && (u.more < 8 || u.drain) }

// Step decodes the request of this cycle and returns its bins, the most
// significant first. It moves on to the next request if ok: the parser is
// enabled and no byte is missing.
func (u *DecoderUnit) Step(enable bool) (bins uint8, ok bool) {
	win, more := u.win, u.more
	u.last = false
	if u.In.Ready && u.In.Valid {
		if more < 8 {
			win |= uint32(u.In.Data.Data) << (7 - more)
			more += 8
		}
		u.last = u.In.Data.Last
	}
	u.winNext, u.filled, u.n = win, more, 0
	u.stepped = enable && (u.req.Kind == RequestNone || more >= 8 || u.ended)
	switch u.req.Kind {
	case RequestContext, RequestTerminate:
		c := u.context
		lps := uint32(cabac.RangeLPS[c>>1<<2|uint8(u.rng>>6&3)])
		mps := u.rng - lps
		bins = c & 1
		if win>>15 < mps {
			u.n = uint8(mps>>8 ^ 1)
			u.rngNext = mps << u.n
			u.winNext = win << u.n
		} else {
			bins ^= 1
			u.n = uint8(bits.LeadingZeros32(lps) - 23) // to 9 bits
			u.rngNext = lps << u.n
			u.winNext = (win - mps<<15) << u.n
		}
		u.after = cabac.Next(c, int(bins))
	case RequestBypass:
		u.n = u.req.Count
		q := win >> (15 - u.n) / u.rng
		u.rngNext = u.rng
		u.winNext = (win - q*u.rng<<(15-u.n)) << u.n
		bins = uint8(q)
	}
	return bins, u.stepped
}

// Clock is the edge of the cycle. If Step moved on, next is the request of the
// next cycle.
func (u *DecoderUnit) Clock(next Request) {
	u.ended = u.ended || u.last
	if !u.stepped {
		// winNext without the shift of a request that has to wait.
		if u.filled != u.more {
			u.win |= uint32(u.In.Data.Data) << (7 - u.more)
			u.more = u.filled
		}
		return
	}
	if u.req.Kind != RequestNone {
		u.rng = u.rngNext
		// The bits behind a terminating one are of no use.
		if u.n > u.filled && !(u.req.Kind == RequestTerminate && u.n == 7) {
			u.overrun = true
		}
		if u.req.Kind == RequestContext {
			u.ctx.mem[u.req.Ctx] = u.after
		}
	}
	u.win, u.more = u.winNext, (u.filled-u.n)&15
	switch next.Kind {
	case RequestContext:
		u.context = u.ctx.read(next.Ctx)
	case RequestTerminate:
		u.context = 63 << 1
	}
	u.req = next
}

// Start begins a codeword at the edge of a cycle whose request is RequestNone,
// after Clock.
func (u *DecoderUnit) Start() {
	u.rng, u.win, u.more, u.ended, u.overrun = 510, 0, 0, false, false
}
