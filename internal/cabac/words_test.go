package cabac

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestInitContext follows the equations of H.265 clause 9.3.2.2.
func TestInitContext(t *testing.T) {
	for pre := 1; pre <= 126; pre++ {
		valMps := 0
		if pre > 63 {
			valMps = 1
		}
		state := 63 - pre
		if valMps == 1 {
			state = pre - 64
		}
		if got, want := InitContext(pre), uint8(2*state+valMps); got != want {
			t.Errorf("preCtxState %d: %#x, want %#x", pre, got, want)
		}
	}
}

// TestNext follows the transitions of clause 9.3.4.3.2.2: the more probable bin
// leads one state up to 62, the other back, and from state 0 to its opposite.
func TestNext(t *testing.T) {
	for state := range 63 {
		for mps := range 2 {
			c := uint8(2*state + mps)
			if got, want := Next(c, mps), uint8(2*min(state+1, 62)+mps); got != want {
				t.Errorf("context %#x after its more probable bin: %#x, want %#x", c, got, want)
			}
			got := Next(c, 1-mps)
			switch back := int(got >> 1); {
			case state == 0 && got != uint8(1-mps):
				t.Errorf("context %#x after its less probable bin: %#x", c, got)
			case state > 0 && (back > state || int(got&1) != mps):
				t.Errorf("context %#x after its less probable bin: %#x", c, got)
			}
		}
	}
}

// TestPack: an Op and its word hold the same.
func TestPack(t *testing.T) {
	for i := range 256 {
		o := Op{Kind: uint8(i & 3), Ctx: uint8(i), Count: uint8(37 * i), Bits: uint8(101*i + 7)}
		p := o.Pack()
		if want := PackedOp(o.Kind) + 256*PackedOp(o.Ctx) + 65536*PackedOp(o.Count) + 16777216*PackedOp(o.Bits); p != want || p.Op() != o {
			t.Errorf("%+v packs to %#x, want %#x; back %+v", o, p, want, p.Op())
		}
		if o.Kind = OpContext; PackContext(o.Ctx, o.Count, o.Bits) != o.Pack() {
			t.Errorf("%+v: PackContext gives %#x", o, PackContext(o.Ctx, o.Count, o.Bits))
		}
	}
}

// TestBypassMask: bits of v above the n coded have no effect.
func TestBypassMask(t *testing.T) {
	code := func(high uint64) string {
		var e Encoder
		e.Reset(nil)
		for n := range 16 {
			e.Bypass(uint32(0xa5a5&(1<<n-1)|high<<n), n)
			e.BypassLong(0xa5a5&(1<<n-1)|high<<n, n)
		}
		e.Terminate(1)
		e.Flush()
		return string(e.Bytes())
	}
	if got, want := code(0xffff), code(0); got != want {
		t.Errorf("got %x, want %x", got, want)
	}
}

// TestTerminateBins: however many bins of zero before the end come back.
func TestTerminateBins(t *testing.T) {
	for _, n := range []int{0, 1, 40, 200, 30000} {
		var e Encoder
		e.Reset(nil)
		e.Bypass(0x5a5a5, 19)
		for range n {
			e.Terminate(0)
		}
		e.Terminate(1)
		e.Flush()
		var d Decoder
		d.Reset(e.Bytes())
		if got := d.BypassLong(19); got != 0x5a5a5 {
			t.Fatalf("%d bins behind %#x", n, got)
		}
		for i := range n {
			if d.Terminate() != 0 {
				t.Fatalf("%d bins: bin %d is one", n, i)
			}
		}
		if d.Terminate() != 1 || d.Overrun() {
			t.Errorf("%d bins: no end", n)
		}
	}
}

// offset returns data whose first nine bits, ivlOffset after initialisation, are v, with the given bit in all others.
func offset(v int, bit byte) []byte {
	fill := -bit
	return []byte{byte(v >> 1), byte(v)<<7 | fill>>1, fill, fill, fill, fill, fill, fill, fill, fill, fill, fill}
}

// TestThresholds: a bin is the less probable one from an offset of ivlCurrRange on (clause 9.3.4.3.2), and the end is found from
// there on (9.3.4.3.5), to the last bit of the window. The range at the start is 510.
func TestThresholds(t *testing.T) {
	for c := range uint8(126) {
		rng := 510 - int(rangeTabLps[c>>1][510>>6&3])
		for _, k := range []struct {
			data []byte
			want int
		}{{offset(rng, 0), 1 - int(c&1)}, {offset(rng, 1), 1 - int(c&1)}, {offset(rng-1, 1), int(c & 1)}, {offset(0, 0), int(c & 1)}, {offset(509, 1), 1 - int(c&1)}} {
			var d Decoder
			d.Reset(k.data)
			ctx := c
			if got := d.Bin(&ctx); got != k.want || ctx != Next(c, k.want) || d.Overrun() {
				t.Errorf("context %#x, data %x: bin %d, context %#x; want %d", c, k.data, got, ctx, k.want)
			}
		}
	}
	for v, want := range map[int]int{508: 1, 509: 1, 507: 0, 0: 0} {
		for bit := range byte(2) {
			var d Decoder
			d.Reset(offset(v, bit))
			if got := d.Terminate(); got != want {
				t.Errorf("offset %d, then bits of %d: terminating bin %d, want %d", v, bit, got, want)
			}
		}
	}
	// Offsets of 510 and 511 are not allowed; what is decoded then is what an offset of zero gives.
	for v := 509; v < 512; v++ {
		var d, zero Decoder
		data := offset(v, 1)
		d.Reset(data)
		zero.Reset(append(make([]byte, 4), data[4:]...))
		if d.Overrun() != (v >= 510) {
			t.Errorf("offset %d: overrun %v", v, d.Overrun())
		}
		if v >= 510 {
			for i := range 60 {
				if got, want := d.Bypass(1), zero.Bypass(1); got != want {
					t.Errorf("offset %d, bin %d: %d, want %d", v, i, got, want)
				}
			}
		}
	}
}

// TestOverrunBits: of n bytes nine bits and 8n-9 bins are there, and the byte behind the last bit is next.
func TestOverrunBits(t *testing.T) {
	data := make([]byte, 24)
	for i := range data {
		data[i] = byte(0x55 + i)
	}
	for n := 2; n <= 20; n++ {
		for _, each := range []int{1, 2, 5, 22} {
			var d Decoder
			d.Reset(data[:n])
			for read := 9; read < 8*n+100; {
				if got, want := d.Overrun(), read > 8*n; got != want {
					t.Fatalf("%d bytes, %d bits read: overrun %v", n, read, got)
				}
				if got, want := d.Next(), data[min((read+7)/8, n):n]; !bytes.Equal(got, want) {
					t.Fatalf("%d bytes, %d bits read: %d bytes are next, want %d", n, read, len(got), len(want))
				}
				d.Bypass(each)
				read += each
			}
		}
	}
}

// bypassBits returns a decoder of which the bypass bins are bits, whatever has the range become after some bins with contexts.
func bypassBits(bits []int, before int) *Decoder {
	var e Encoder
	e.Reset(nil)
	ctx := InitContext(40)
	for i := range before {
		e.Bin(&ctx, i%3&1)
	}
	for _, b := range bits {
		e.Bypass(uint32(b), 1)
	}
	e.Terminate(1)
	e.Flush()
	d := new(Decoder)
	d.Reset(e.Bytes())
	ctx = InitContext(40)
	for range before {
		d.Bin(&ctx)
	}
	return d
}

// TestUnaryLimits: of a string of ones, and of prefixes of every length, exactly the limit is taken, or the zero too.
func TestUnaryLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for ones := range 60 {
		bits := make([]int, 100)
		for i := range bits {
			bits[i] = rng.IntN(2)
			if i < ones {
				bits[i] = 1
			} else if i == ones {
				bits[i] = 0
			}
		}
		for limit := range 33 {
			d := bypassBits(bits, ones%17)
			want, at := limit, limit
			if ones < limit {
				want, at = ones, ones+1
			}
			if got := d.Unary(limit); got != want {
				t.Fatalf("%d ones, limit %d: got %d", ones, limit, got)
			}
			for ; at < len(bits); at++ {
				if got := d.Bypass(1); int(got) != bits[at] {
					t.Fatalf("%d ones, limit %d: bin %d is %d", ones, limit, at, got)
				}
			}
			if d.Terminate() != 1 {
				t.Fatalf("%d ones, limit %d: no end", ones, limit)
			}
		}
	}
}

// TestPeekSkip: Peek shows the next 22 bins and takes none; Skip takes as many as it is told.
func TestPeekSkip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 10))
	bits := make([]int, 600)
	for i := range bits {
		bits[i] = rng.IntN(2)
	}
	d := bypassBits(bits, 11)
	for at := 0; at+32 < len(bits); {
		v := d.Peek()
		for k := range 32 {
			want := bits[at+k]
			if k >= maxPeek {
				want = 0
			}
			if got := int(v >> (31 - k) & 1); got != want {
				t.Fatalf("bin %d of those from %d on: %d", k, at, got)
			}
		}
		n := rng.IntN(maxPeek + 1)
		if n > 0 {
			d.Skip(v>>(32-n), n)
		}
		at += n
	}
}

// TestLongBypass: strings of up to 64 bins at once are those bins one by one, and come back, 32 at most at a time.
func TestLongBypass(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 11))
	var long, one Encoder
	long.Reset(nil)
	one.Reset(nil)
	var list []uint64
	for n := range 65 {
		for range 3 {
			v := rng.Uint64()
			list = append(list, v)
			long.BypassLong(v, n)
			for k := n - 1; k >= 0; k-- {
				one.Bypass(uint32(v>>k), 1)
			}
		}
	}
	for _, e := range []*Encoder{&long, &one} {
		e.Terminate(1)
		e.Flush()
	}
	if !bytes.Equal(long.Bytes(), one.Bytes()) {
		t.Fatal("bytes differ")
	}
	var d Decoder
	d.Reset(long.Bytes())
	for i, v := range list {
		n := i / 3
		got := uint64(0)
		for left := n; left > 0; {
			k := min(left, 32, 1+i%32)
			got = got<<k | uint64(d.BypassLong(k))
			left -= k
		}
		if want := v & (1<<n - 1); got != want {
			t.Fatalf("%d bins: %#x, want %#x", n, got, want)
		}
	}
}

// TestReset: an encoder appends, a carry stays within its codeword, and neither keeps anything of the one before.
func TestReset(t *testing.T) {
	code := func(e *Encoder, dst []byte, skew int) []byte {
		e.Reset(dst)
		rng := rand.New(rand.NewPCG(1, uint64(skew)))
		ctx := InitContext(1 + 125*(skew&1))
		for range 300 {
			b := 0
			if rng.IntN(100) < skew {
				b = 1
			}
			e.Bin(&ctx, b)
			e.Bypass(uint32(b)*0xff, 8)
		}
		e.Terminate(1)
		e.Flush()
		return e.Bytes()
	}
	var reused Encoder
	for _, skew := range []int{100, 0, 50, 97, 3, 99} {
		var fresh Encoder
		want := code(&fresh, nil, skew)
		got := code(&reused, []byte{0xff, 0xff}, skew)
		if !bytes.Equal(got, append([]byte{0xff, 0xff}, want...)) {
			t.Errorf("skew %d: differs behind other bytes", skew)
		}
	}
}

// TestCarryToStart: bins whose interval holds a number of a few bits, coded from below it to above, carry through all bytes in
// between, to the first of the codeword.
func TestCarryToStart(t *testing.T) {
	carried := 0
	for _, first := range []byte{0x00, 0x0f, 0x3f, 0x7f, 0xbf, 0xef} {
		below := append([]byte{first}, bytes.Repeat([]byte{0xff}, 30)...)
		for n := range 140 {
			var d Decoder
			d.Reset(below)
			var e Encoder
			e.Reset(nil)
			slow := newSlow()
			decCtx, encCtx, slowCtx := InitContext(50), InitContext(50), InitContext(50)
			for i := range n {
				if i%3 == 0 {
					b := d.Bin(&decCtx)
					e.Bin(&encCtx, b)
					slow.bin(&slowCtx, b)
				} else {
					b := d.Bypass(1)
					e.Bypass(b, 1)
					slow.bypass(int(b))
				}
			}
			for range 40 {
				e.Bypass(1, 1)
				slow.bypass(1)
			}
			e.Terminate(1)
			e.Flush()
			slow.terminate(1)
			if !bytes.Equal(e.Bytes(), slow.bytes()) {
				t.Fatalf("below %#x, %d bins: differs from the flow chart", first+1, n)
			}
			if e.Bytes()[0] == first+1 && n > 40 {
				carried++
			}
		}
	}
	if carried < 20 {
		t.Errorf("%d codewords carried to their first byte", carried)
	}
}
