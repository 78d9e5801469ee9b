package cabac

import "math/bits"

// Never is a cycle that does not come.
const Never = ^uint64(0)

// A DecoderAhead is a DecoderUnit behind an UnpackUnit that does its cycles
// before they come: what it decodes depends on its bytes alone, and not on when
// something outside looks. It keeps the time of the two units instead of stepping
// them: Now is the cycle that the next request begins in, and words that come
// later than bytes are wanted let it wait.
//
// A request takes one cycle, or as many as it waits for a byte. Bytes are taken
// from the cycle on in which fewer than eight bits are left.
type DecoderAhead struct {
	Now uint64
	// Ready is the cycle from which on the next word moves in, Never if that is
	// not known.
	Ready uint64

	// Engine. Value is ivlOffset with more bits below it.
	mem     []uint8
	val     uint64
	rng     uint64
	more    uint
	fed     uint64 // cycle of the byte taken last: a bin waits for it
	end     uint64 // cycle from which on Ended holds
	ended   bool   // all bytes are taken
	padded  bool   // after them, eight bits of zero have been
	overrun bool
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
func NewDecoderAhead(contexts int) *DecoderAhead {
	return &DecoderAhead{mem: make([]uint8, contexts), rng: 510, ended: true}
}

// Word takes a word that moves in a cycle. It reports whether a byte was wanted.
func (d *DecoderAhead) Word(w *Word, cycle uint64) bool {
	d.word, d.Ready = *w, Never
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
	d.val = d.val<<8 | uint64(d.out.Data)
	d.more += 8
	d.fed = t
	if d.out.Last {
		d.ended, d.end = true, t+1
	}
	d.pop(t)
}

// refill wants a byte from Now on: fewer than eight bits are left.
func (d *DecoderAhead) refill() {
	switch {
	case d.ended:
		d.overrun = d.overrun || d.padded
		d.padded = true
		d.val <<= 8
		d.more += 8
	case d.valid:
		d.take(max(d.Now, d.at))
	default:
		d.hungry, d.since = true, d.Now
	}
}

// Waits reports whether the next bins have to wait for a word.
func (d *DecoderAhead) Waits() bool { return d.hungry }

// Overrun reports whether a bin took bits from beyond the last byte.
func (d *DecoderAhead) Overrun() bool { return d.overrun }

// Start begins a codeword in cycle Now, with the given contexts.
func (d *DecoderAhead) Start(contexts []uint8) {
	copy(d.mem, contexts)
	d.val, d.rng, d.more, d.ended, d.padded, d.overrun = 0, 510, 0, false, false, false
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

// Bin decodes a bin with a context.
func (d *DecoderAhead) Bin(ctx uint8) (bin uint8) {
	d.Now = max(d.Now, d.fed) + 1
	p := &d.mem[ctx]
	c := uint64(*p)
	lps := uint64(rangeLPS[uint8(c>>1<<2|d.rng>>6&3)])
	rng := d.rng - lps
	scaled := rng << (d.more & 63)
	m := uint64(int64(scaled-1-d.val) >> 63) // all ones for the less probable symbol
	*p = nextState[uint8(m<<7|c&127)]
	d.val -= scaled & m
	rng ^= (rng ^ lps) & m
	s := uint(shiftOf[rng>>3&63])
	d.rng = rng << s
	if d.more -= s; d.more < 8 {
		d.refill()
	}
	return uint8((c ^ m) & 1)
}

// Bypass decodes n bins, at most 7.
func (d *DecoderAhead) Bypass(n uint) (bins uint8) {
	d.Now = max(d.Now, d.fed) + 1
	d.more -= n
	q := (d.val >> (d.more & 63)) / d.rng
	d.val -= q * d.rng << (d.more & 63)
	if d.more < 8 {
		d.refill()
	}
	return uint8(q)
}

// terminate decodes a bin before a possible end. After a one, the bits behind it
// are of no use.
func (d *DecoderAhead) terminate() (bin uint8) {
	d.Now = max(d.Now, d.fed) + 1
	d.rng -= 2
	scaled := d.rng << (d.more & 63)
	if d.val >= scaled {
		bin = 1
		d.val -= scaled
		d.rng = 2
	}
	s := uint(bits.LeadingZeros64(d.rng)) - 55 // to 9 bits
	d.rng <<= s & 63
	if d.more -= s; d.more < 8 {
		overrun := d.overrun
		d.refill()
		if bin != 0 {
			d.overrun = overrun
		}
	}
	return bin
}
