package cabac

import "encoding/binary"

// An Encoder is the arithmetic encoder of H.265 clause 9.3.4.6 (H.264 9.3.4.2)
// over a wide window: carries that the standard counts as outstanding bits are
// added to the bytes already written. The zero value is not ready; call Reset.
type Encoder struct {
	rec recorder // empty without the build tag cabacbins
	low uint64   // ivlLow with n settled bits (and a carry) above bit 9
	rng uint64   // ivlCurrRange, 256..510 between calls
	n   uint     // settled bits not yet written, at most 31 between calls
	buf []byte
}

// Reset starts a new arithmetic codeword that is appended to dst.
func (e *Encoder) Reset(dst []byte) {
	// One of the ten bits of the initial low is never sent (firstBitFlag):
	// low starts with none settled.
	*e = Encoder{rng: 510, buf: dst}
	if recording {
		e.rec.start(dst)
	}
}

// Bytes returns the slice that the Encoder appends to. The codeword is
// complete after Flush.
func (e *Encoder) Bytes() []byte { return e.buf }

// Step is the arithmetic of one bin with a context (clauses 9.3.4.6.2 and 9.3.4.6.5; H.264 9.3.4.3): bit 0 of bin, coded with
// context c in a range of 256..510. The context becomes next. The caller adds add, 0..508, to ivlLow and shifts that and
// after, the new range before renormalisation, to the left by shift, 0..7.
func Step(c, bin uint8, rng uint64) (next uint8, add, after, shift uint64) {
	i := c | bin<<7
	w := Subdivisions[i]
	m := uint64(int64(w) >> 63) // all ones for the less probable symbol
	w = w >> (rng >> 2 & 48)
	lps := uint64(w & 0xff)
	mps := rng - lps // 128..508
	after = mps ^ (mps^lps)&m
	return afterBin[i], mps & m, after, uint64(w)>>8&7 - after>>8
}

// Bin codes bin (0 or 1) with the context *ctx and updates it.
func (e *Encoder) Bin(ctx *uint8, bin int) {
	if recording {
		e.rec.bin(ctx, bin)
	}
	next, add, rng, s := Step(*ctx, uint8(bin), e.rng)
	*ctx = next
	e.low = (e.low + add) << (s & 63)
	e.rng = rng << (s & 63)
	e.n += uint(s)
	if e.n >= 32 {
		e.put()
	}
}

// Run codes bits from down to to of bins, bit k with the context
// ctx[index[k]]; it equals that many calls of Bin.
func (e *Encoder) Run(ctx *[32]uint8, index *[16]uint8, bins uint16, from, to int) {
	if recording {
		e.rec.run(ctx, index, bins, from, to)
	}
	low, rng, n := e.low, e.rng, e.n
	for k := from; k >= to; k-- {
		p := &ctx[index[k&15]&31]
		var add, s uint64
		*p, add, rng, s = Step(*p, uint8(bins>>(k&15)), rng)
		low = (low + add) << (s & 63)
		rng <<= s & 63
		n += uint(s)
		if n >= 32 {
			e.low, e.n = low, n
			e.put()
			low, n = e.low, e.n
		}
	}
	e.low, e.rng, e.n = low, rng, n
}

// Bypass codes the low n bits of v, most significant first, as equiprobable
// bins; 0 <= n <= 16.
func (e *Encoder) Bypass(v uint32, n int) {
	if recording {
		e.rec.bypass(uint64(v), n)
	}
	e.low = e.low<<uint(n) + e.rng*uint64(v&(1<<uint(n)-1))
	e.n += uint(n)
	if e.n >= 32 {
		e.put()
	}
}

// BypassLong codes the low n bits of v, 0 <= n <= 64.
func (e *Encoder) BypassLong(v uint64, n int) {
	if recording {
		e.rec.bypass(v, n)
	}
	low := e.low
	for n > 0 {
		k := min(n, 20) // 10+31+20 bits of low at most
		n -= k
		low = low<<(k&63) + e.rng*(v>>(n&63)&(1<<(k&63)-1))
		e.n += uint(k)
		if e.n >= 32 {
			e.low = low
			e.put()
			low = e.low
		}
	}
	e.low = low
}

// Terminate codes a bin before a possible end (clause 9.3.4.6.4). After a bin
// of one the caller must Flush.
func (e *Encoder) Terminate(bin int) {
	if recording {
		e.rec.op(Op{Kind: OpTerminate, Bits: uint8(bin)})
	}
	e.rng -= 2
	if bin != 0 {
		e.low += e.rng // the range is 2, which Flush knows
		return
	}
	if e.rng < 256 {
		e.rng <<= 1
		e.low <<= 1
		e.n++
		if e.n >= 32 {
			e.put()
		}
	}
}

// Flush ends the codeword after Terminate(1). The last bit that it writes is
// the one bit that starts rbsp_trailing_bits, byte_alignment or the PCM
// alignment; zero bits fill the byte.
func (e *Encoder) Flush() {
	e.low = e.low<<7 | 1<<7
	e.n += 7
	// The n settled bits and the top two of the nine below them remain.
	if e.n >= 32 {
		e.put()
	}
	e.low >>= 7
	e.n += 2
	pad := -e.n & 7
	e.low <<= pad
	e.n += pad
	if e.low>>e.n != 0 {
		e.carry()
	}
	for e.n > 0 {
		e.n -= 8
		e.buf = append(e.buf, byte(e.low>>e.n))
	}
	if recording {
		e.rec.end(e.buf)
	}
}

// put writes the 32 oldest settled bits.
func (e *Encoder) put() {
	e.n -= 32
	w := e.low >> (e.n + 9)
	e.low &= 1<<(e.n+9) - 1
	if w>>32 != 0 {
		e.carry()
	}
	e.buf = binary.BigEndian.AppendUint32(e.buf, uint32(w))
}

// carry adds one to the bytes already written. It cannot run past the start
// of the codeword, whose value stays below one.
func (e *Encoder) carry() {
	for i := len(e.buf) - 1; i >= 0; i-- {
		e.buf[i]++
		if e.buf[i] != 0 {
			return
		}
	}
}
