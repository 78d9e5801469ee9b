package cabac

import (
	"encoding/binary"
	"math/bits"
)

// A Decoder is the arithmetic decoder of H.265 clause 9.3.4.3 (H.264 9.3.3.2)
// over a wide window. Past the end of its data it reads zeros; see Overrun.
type Decoder struct {
	val  uint64 // ivlOffset with `more` further bits below it; < rng<<more
	rng  uint64 // ivlCurrRange, 256..510 between calls
	more uint   // 22..53 between calls
	pos  int    // next byte of data
	data []byte
	bad  bool // the codeword cannot be right
}

// maxPeek is the number of bypass bins that one multiplication can decode:
// the quotient by the range is exact below 2^(9+22) (see reciprocal).
const maxPeek = 22

// Reset starts decoding at data[0] (clause 9.3.2.5).
func (d *Decoder) Reset(data []byte) {
	*d = Decoder{rng: 510, data: data}
	d.val = uint64(d.load())
	d.more = 32 - 9
	if d.val>>d.more >= d.rng {
		d.val, d.bad = 0, true // ivlOffset of 510 or 511 is not allowed
	}
}

// load returns the next four bytes.
func (d *Decoder) load() uint32 {
	if p := d.pos; p+4 <= len(d.data) {
		d.pos = p + 4
		return binary.BigEndian.Uint32(d.data[p:])
	}
	var w uint32
	for range 4 {
		w <<= 8
		if d.pos < len(d.data) {
			w |= uint32(d.data[d.pos])
		}
		d.pos++
	}
	return w
}

func (d *Decoder) refill() {
	d.val = d.val<<32 | uint64(d.load())
	d.more += 32
}

// Overrun reports whether bins were decoded from beyond the end of the data,
// or from data with which no codeword starts.
func (d *Decoder) Overrun() bool { return d.bad || d.pos*8-int(d.more) > len(d.data)*8 }

// Next returns the data after the byte that holds the last bit read: where,
// after Terminate returned one, the next substream or PCM sample starts.
func (d *Decoder) Next() []byte {
	p := (d.pos*8 - int(d.more) + 7) / 8
	return d.data[min(p, len(d.data)):]
}

// Bin decodes one bin with the context *ctx and updates it.
func (d *Decoder) Bin(ctx *uint8) int {
	c := uint64(*ctx)
	lps := uint64(RangeLPS[uint8(c>>1<<2|d.rng>>6&3)])
	rng := d.rng - lps
	scaled := rng << (d.more & 63)
	m := uint64(int64(scaled-1-d.val) >> 63) // all ones for the less probable symbol
	*ctx = NextState[uint8(m<<7|c&127)]
	d.val -= scaled & m
	rng ^= (rng ^ lps) & m
	s := uint(shiftOf[rng>>3&63])
	d.rng = rng << s
	d.more -= s
	if d.more < maxPeek {
		d.refill()
	}
	return int((c ^ m) & 1)
}

// Bypass decodes n equiprobable bins, 0 <= n <= 22, most significant first.
func (d *Decoder) Bypass(n int) uint32 {
	d.more -= uint(n)
	q := (d.val >> (d.more & 63)) * Reciprocal[uint8(d.rng)] >> 40
	d.val -= q * d.rng << (d.more & 63)
	if d.more < maxPeek {
		d.refill()
	}
	return uint32(q)
}

// BypassLong decodes n equiprobable bins, 0 <= n <= 32.
func (d *Decoder) BypassLong(n int) uint32 {
	if n > 16 {
		hi := d.Bypass(n - 16)
		return hi<<16 | d.Bypass(16)
	}
	return d.Bypass(n)
}

// Peek returns the next 22 bypass bins, left aligned in 32 bits, without
// taking them. Skip(v>>(32-n), n) then takes the first n of them.
func (d *Decoder) Peek() uint32 {
	q := (d.val >> ((d.more - maxPeek) & 63)) * Reciprocal[uint8(d.rng)] >> 40
	return uint32(q) << (32 - maxPeek)
}

// Skip takes n bypass bins, n <= 22, whose value v Peek has shown.
func (d *Decoder) Skip(v uint32, n int) {
	d.more -= uint(n)
	d.val -= uint64(v) * d.rng << (d.more & 63)
	if d.more < maxPeek {
		d.refill()
	}
}

// Unary decodes a prefix of bypass ones that a zero ends and returns their
// number, at most limit <= 32; after limit ones no zero is read.
func (d *Decoder) Unary(limit int) int {
	total := 0
	for {
		v := d.Peek()
		n := bits.LeadingZeros32(^v)
		if total+n >= limit {
			n = limit - total
			d.Skip(v>>1>>(31-n), n)
			return limit
		}
		if n < maxPeek {
			d.Skip(v>>(31-n), n+1)
			return total + n
		}
		d.Skip(v>>(32-maxPeek), maxPeek)
		total += maxPeek
	}
}

// Terminate decodes a bin before a possible end (clause 9.3.4.3.5). After a
// one, decoding goes on with Reset(d.Next()).
func (d *Decoder) Terminate() int {
	d.rng -= 2
	if d.val >= d.rng<<(d.more&63) {
		return 1
	}
	if d.rng < 256 {
		d.rng <<= 1
		d.more--
		if d.more < maxPeek {
			d.refill()
		}
	}
	return 0
}
