package cabachw

import (
	"math/bits"

	"vcsim/internal/cabac"
	"vcsim/sim"
)

// A DecoderAhead is a DecoderUnit behind an UnpackUnit that does its cycles
// before they come. It keeps the time of the two units instead of stepping
// them: Now is the cycle that the next request begins in.
//
// Why that can be computed: what it decodes depends on its bytes alone, and not on
// when something outside looks. A request takes one cycle, or as many as it waits for a
// byte, and a byte is wanted from the cycle on in which fewer than eight bits are
// left.
//
// An example: a bin is decoded in cycle 50 and leaves seven bits, so that a byte is
// wanted from cycle 51 on. If the UnpackUnit has one, the next bin takes cycle 51, and
// Now is 52 behind it. If the byte is there in cycle 53 only, fed is 53, the bin waits
// and takes cycle 53, and Now is 54.
//
// It stops, and is asked again later, where a byte is wanted and no word has come
// (Waits). It has no cycles that it steps.
type DecoderAhead struct {
	Now uint64
	// Ready is the cycle from which on the next word moves in, sim.Never if that is
	// not known.
	Ready uint64

	// Engine. Its contexts are those of the codeword.
	Window
	Contexts [256]uint8

	fed     uint64 // cycle of the byte taken last: a bin waits for it
	end     uint64 // cycle from which on Ended holds
	ended   bool   // all bytes are taken
	padded  bool   // after them, eight bits of zero have been
	overrun bool
	cut     bool
	// A byte is wanted since that cycle and not there.
	hungry bool
	since  uint64

	// Unpacking.
	word  Word // Count bytes are left
	zeros uint8
	out   Byte
	valid bool
	at    uint64 // cycle from which on out is valid, or the next byte can be moved to it
}

// NewDecoderAhead returns a decoder after reset: it takes no bytes.
func NewDecoderAhead() *DecoderAhead {
	return &DecoderAhead{Window: newWindow(), ended: true}
}

// Word takes a word that moves in a cycle. It reports whether a byte was wanted.
func (d *DecoderAhead) Word(w *Word, cycle uint64) bool {
	d.word, d.Ready = *w, sim.Never
	if d.valid {
		return false
	}
	d.pop(max(d.at, cycle+1))
	if !d.hungry || !d.valid {
		return false
	}
	d.hungry = false
	d.take(max(d.since, d.at))
	return true
}

// pop moves the next byte to out, in cycle t or later; see UnpackUnit.
func (d *DecoderAhead) pop(t uint64) {
	for ; d.word.Count != 0; t++ {
		if d.word.Count == 1 {
			d.Ready = t
		}
		b := Byte{Data: uint8(d.word.Data), Last: d.word.Last && d.word.Count == 1}
		d.word.Data >>= 8
		d.word.Count--
		switch {
		case d.zeros == 2 && b.Data == 3 && !b.Last:
			d.zeros = 0
			continue
		case b.Last || b.Data != 0:
			d.zeros = 0
		case d.zeros < 2:
			d.zeros++
		}
		d.out, d.valid, d.at = b, true, t+1
		return
	}
	d.valid, d.at = false, t
}

// take is the cycle t in which a byte enters the engine.
func (d *DecoderAhead) take(t uint64) {
	if d.Low() { // else it is dropped
		d.Window = d.add(uint64(d.out.Data))
	}
	d.fed = t
	if d.out.Last {
		d.ended, d.end = true, t+1
	}
	d.pop(t)
}

// Fill wants a byte from the given cycle on, for a Window that is Low. The next bin
// is late by some cycles, or, if not ok, it waits for a word or is from beyond the
// last byte.
func (d *DecoderAhead) Fill(w Window, now uint64) (filled Window, late uint64, ok bool) {
	if d.valid && !d.ended && !d.out.Last && d.word.Count > 1 {
		if b := uint8(d.word.Data); b != 3 || d.zeros != 2 {
			t := max(now, d.at)
			w = w.add(uint64(d.out.Data))
			d.fed, d.at, d.out.Data = t, t+1, b
			d.word.Data >>= 8
			d.word.Count--
			if b != 0 {
				d.zeros = 0
			} else {
				d.zeros = min(d.zeros+1, 2)
			}
			return w, t - now, true
		}
	}
	d.Window = w
	switch {
	case d.ended:
		d.overrun = d.overrun || d.padded
		d.padded = true
		d.Window = d.add(0)
	case d.valid:
		d.take(max(now, d.at))
	default:
		d.hungry, d.since = true, now
	}
	return d.Window, max(now, d.fed) - now, !d.hungry && !d.overrun
}

// refill is Fill from Now on.
func (d *DecoderAhead) refill() { d.Window, _, _ = d.Fill(d.Window, d.Now) }

// Waits reports whether the next bins have to wait for a word.
func (d *DecoderAhead) Waits() bool { return d.hungry }

// Overrun reports whether a bin took bits from beyond the last byte.
func (d *DecoderAhead) Overrun() bool { return d.overrun }

// Cut reports whether of the last Bypass bins other than the last one took such
// bits.
func (d *DecoderAhead) Cut() bool { return d.cut }

// Start begins a codeword in cycle Now, with the given contexts.
func (d *DecoderAhead) Start(contexts []uint8) {
	copy(d.Contexts[:], contexts)
	d.Window = newWindow()
	d.ended, d.padded, d.overrun = false, false, false
	d.refill()
}

// Drain drops bytes up to the last one, one a cycle from Now on. It reports
// whether that has been taken; Now is the cycle after which it is known.
func (d *DecoderAhead) Drain() bool {
	for !d.ended {
		if d.hungry {
			return false
		}
		if !d.valid {
			d.hungry, d.since = true, d.Now
			return false
		}
		d.take(max(d.Now, d.at))
	}
	d.Now = max(d.Now, d.end)
	return true
}

// Decode does a request and returns its bins, the most significant first. The
// decoder must not wait, but for RequestNone.
func (d *DecoderAhead) Decode(r Request) (bins uint8) {
	switch r.Kind {
	case RequestNone:
		d.Now++
		return 0
	case RequestContext:
		return d.Bin(r.Ctx)
	case RequestBypass:
		return d.Bypass(uint(r.Count))
	}
	return d.terminate()
}

// Fed is the cycle that a bin waits for, with the byte that it needs.
func (d *DecoderAhead) Fed() uint64 { return d.fed }

// Bin decodes a bin with a context.
func (d *DecoderAhead) Bin(ctx uint8) (bin uint8) {
	d.Now = max(d.Now, d.fed) + 1
	c := d.Contexts[ctx]
	e, m := d.Split(c)
	d.Window, d.Contexts[ctx] = d.Settle(e, m), After(c, m)
	if d.Low() {
		d.refill()
	}
	return Value(c, m)
}

// Bypass decodes n bins, at most 7.
func (d *DecoderAhead) Bypass(n uint) (bins uint8) {
	d.Now = max(d.Now, d.fed) + 1
	// Of the bits that are there, the last eight are zeros then.
	d.cut = d.padded && int(n) > 15-bits.TrailingZeros64(d.win)-8+1
	q := d.win >> (16 - n) * cabac.Reciprocal[uint8(d.rng)] >> 40
	d.win = (d.win - q*d.rng<<(16-n)) << n
	if d.Low() {
		d.refill()
	}
	return uint8(q)
}

// terminate decodes a bin before a possible end. After a one, the bits behind it
// are of no use.
func (d *DecoderAhead) terminate() (bin uint8) {
	d.Now = max(d.Now, d.fed) + 1
	d.rng -= 2
	if s := d.rng << 16; d.win >= s {
		bin = 1
		d.win -= s
		d.rng = 2
	}
	n := uint(bits.LeadingZeros64(d.rng)) - 55 // to 9 bits
	d.win <<= n & 7
	d.rng <<= n & 7
	if d.Low() {
		overrun := d.overrun
		d.refill()
		if bin != 0 {
			d.overrun = overrun
		}
	}
	return bin
}

// A Window is the arithmetic of a decoder, small enough to stay in registers
// through a loop over bins.
type Window struct {
	win uint64 // ivlOffset above 16 bits: those to come, 15 at most, a one, and zeros
	rng uint64 // 256..510
}

// newWindow has no bits of the codeword.
func newWindow() Window { return Window{1 << 15, 510} }

// Low reports that fewer than eight bits are there: a byte is wanted before the
// next bin.
func (w Window) Low() bool { return uint8(w.win) == 0 }

// add puts a byte behind the bits of a window that is Low.
func (w Window) add(b uint64) Window {
	one := w.win & -w.win // bit 8 or above
	w.win += one>>7*b + one>>8 - one
	return w
}

// Split looks at the next bin, with context c. All bits of m are set if it is the
// more probable one, else none; e is for Settle.
func (w Window) Split(c uint8) (e, m uint64) {
	e = uint64(cabac.Subdivisions[c] >> (w.rng >> 2 & 48))
	return e, uint64(int64(w.win-(w.rng-e&0xff)<<16) >> 63)
}

// Settle moves past the bin that Split has looked at.
func (w Window) Settle(e, m uint64) Window {
	lps := e & 0xff
	mps := w.rng - lps
	n := e >> 11
	n ^= (n ^ mps>>8 ^ 1) & m
	return Window{(w.win - mps<<16&^m) << (n & 7), (lps ^ (lps^mps)&m) << (n & 7)}
}

// After returns the context after a bin for which Split found m.
func After(c uint8, m uint64) uint8 { return cabac.NextState[c|^uint8(m)&128] }

// Value returns the bin.
func Value(c uint8, m uint64) uint8 { return (c ^ ^uint8(m)) & 1 }

// Sign decodes a bypass bin.
func (w Window) Sign() (after Window, bin uint8) {
	m := uint64(int64(w.win-w.rng<<15) >> 63)
	w.win = (w.win - w.rng<<15&^m) << 1
	return w, ^uint8(m) & 1
}
