package cabac

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

// slowEncoder follows the flow charts of H.265 clause 9.3.4.6 bit by bit.
type slowEncoder struct {
	low, rng    int
	first       bool
	outstanding int
	bits        []byte
}

func newSlow() *slowEncoder { return &slowEncoder{rng: 510, first: true} }

func (e *slowEncoder) putBit(b byte) {
	if e.first {
		e.first = false
	} else {
		e.bits = append(e.bits, b)
	}
	for ; e.outstanding > 0; e.outstanding-- {
		e.bits = append(e.bits, 1-b)
	}
}

func (e *slowEncoder) renorm() {
	for e.rng < 256 {
		e.step()
		e.rng <<= 1
	}
}

// step is the body of RenormE, which EncodeBypass shares with limits doubled.
func (e *slowEncoder) step() {
	switch {
	case e.low < 256:
		e.putBit(0)
	case e.low >= 512:
		e.low -= 512
		e.putBit(1)
	default:
		e.low -= 256
		e.outstanding++
	}
	e.low <<= 1
}

func (e *slowEncoder) bin(ctx *uint8, bin int) {
	s, mps := *ctx>>1, int(*ctx&1)
	lps := int(rangeTabLps[s][e.rng>>6&3])
	e.rng -= lps
	if bin != mps {
		e.low += e.rng
		e.rng = lps
		if s == 0 {
			mps = 1 - mps
		}
		s = transIdxLps[s]
	} else if s < 62 {
		s++
	}
	*ctx = s<<1 | uint8(mps)
	e.renorm()
}

func (e *slowEncoder) bypass(bin int) {
	e.low <<= 1
	if bin != 0 {
		e.low += e.rng
	}
	switch {
	case e.low >= 1024:
		e.putBit(1)
		e.low -= 1024
	case e.low < 512:
		e.putBit(0)
	default:
		e.low -= 512
		e.outstanding++
	}
}

func (e *slowEncoder) terminate(bin int) {
	e.rng -= 2
	if bin == 0 {
		e.renorm()
		return
	}
	e.low += e.rng
	e.rng = 2
	e.renorm()
	e.putBit(byte(e.low >> 9 & 1))
	e.bits = append(e.bits, byte(e.low>>8&1), 1)
}

func (e *slowEncoder) bytes() []byte {
	var out []byte
	for i, b := range e.bits {
		if i%8 == 0 {
			out = append(out, 0)
		}
		out[i/8] |= b << (7 - i%8)
	}
	return out
}

type symbol struct{ kind, ctx, v, n int }

func randomSymbols(rng *rand.Rand, n int, skew float64) []symbol {
	syms := make([]symbol, n)
	for i := range syms {
		s := symbol{kind: rng.IntN(4), ctx: rng.IntN(8)}
		switch s.kind {
		case 0, 1:
			if rng.Float64() < skew {
				s.v = 1
			}
		case 2:
			s.n = rng.IntN(17)
			s.v = int(rng.Uint32()) & (1<<s.n - 1)
			if skew > 0.9 {
				s.v = 1<<s.n - 1 // long carries
			}
		}
		syms[i] = s
	}
	return syms
}

func TestAgainstFlowChart(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for trial := range 300 {
		skew := []float64{0.02, 0.5, 0.97, 1}[trial%4]
		syms := randomSymbols(rng, 1+rng.IntN(2000), skew)
		var ctxs, slowCtxs, decCtxs [8]uint8
		for i := range ctxs {
			ctxs[i] = InitContext(1 + rng.IntN(126))
		}
		slowCtxs, decCtxs = ctxs, ctxs
		var e Encoder
		e.Reset(nil)
		slow := newSlow()
		for _, s := range syms {
			switch s.kind {
			case 0, 1:
				e.Bin(&ctxs[s.ctx], s.v)
				slow.bin(&slowCtxs[s.ctx], s.v)
			case 2:
				e.Bypass(uint32(s.v), s.n)
				for b := s.n - 1; b >= 0; b-- {
					slow.bypass(s.v >> b & 1)
				}
			case 3:
				e.Terminate(0)
				slow.terminate(0)
			}
		}
		e.Terminate(1)
		e.Flush()
		slow.terminate(1)
		if !bytes.Equal(e.Bytes(), slow.bytes()) {
			t.Fatalf("trial %d: encoder differs from the flow chart: %d and %d bytes", trial, len(e.Bytes()), len(slow.bytes()))
		}
		tail := []byte{0xab, 0xcd}
		var d Decoder
		d.Reset(append(bytes.Clone(e.Bytes()), tail...))
		for i, s := range syms {
			got := 0
			switch s.kind {
			case 0, 1:
				got = d.Bin(&decCtxs[s.ctx])
			case 2:
				got = int(d.BypassLong(s.n))
			case 3:
				got = d.Terminate()
			}
			if got != s.v {
				t.Fatalf("trial %d symbol %d %+v: got %d", trial, i, s, got)
			}
		}
		if d.Terminate() != 1 {
			t.Fatalf("trial %d: no end", trial)
		}
		if !bytes.Equal(d.Next(), tail) || d.Overrun() {
			t.Fatalf("trial %d: next %x, want %x", trial, d.Next(), tail)
		}
		if decCtxs != ctxs {
			t.Fatalf("trial %d: contexts %v, want %v", trial, decCtxs, ctxs)
		}
	}
}

// TestRun checks that a run of bins codes like the bins one by one.
func TestRun(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	var one, run Encoder
	one.Reset(nil)
	run.Reset(nil)
	var a, b [32]uint8
	var index [16]uint8
	for trial := range 2000 {
		for i := range index {
			index[i] = uint8(rng.IntN(32))
		}
		bins := uint16(rng.Uint32() & rng.Uint32())
		from, to := rng.IntN(16), rng.IntN(2)
		run.Run(&a, &index, bins, from, to)
		for k := from; k >= to; k-- {
			one.Bin(&b[index[k]], int(bins>>k&1))
		}
		if a != b {
			t.Fatalf("trial %d: contexts %v, want %v", trial, a, b)
		}
	}
	for _, e := range []*Encoder{&one, &run} {
		e.Terminate(1)
		e.Flush()
	}
	if !bytes.Equal(one.Bytes(), run.Bytes()) {
		t.Error("bytes differ")
	}
}

func TestUnary(t *testing.T) {
	var e Encoder
	e.Reset(nil)
	for n := range 33 {
		for range n {
			e.Bypass(1, 1)
		}
		if n < 32 {
			e.Bypass(0, 1)
		}
		e.BypassLong(uint64(n)*0x0123456789abcdef, 32+n)
	}
	e.Terminate(1)
	e.Flush()
	var d Decoder
	d.Reset(e.Bytes())
	for n := range 33 {
		if got := d.Unary(32); got != n {
			t.Fatalf("prefix %d: got %d", n, got)
		}
		want := uint64(n) * 0x0123456789abcdef & (1<<(32+n) - 1)
		if got := uint64(d.BypassLong(n))<<32 | uint64(d.BypassLong(32)); got != want {
			t.Fatalf("suffix %d: got %#x, want %#x", n, got, want)
		}
	}
	if d.Terminate() != 1 || d.Overrun() {
		t.Error("end not found")
	}
}

// TestShannonBound checks that stationary sources cost what adaptive states
// should: within 6 % of the entropy, and not below it.
func TestShannonBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const n = 100000
	for _, p := range []float64{0.05, 0.1, 0.25, 0.5} {
		var e Encoder
		e.Reset(nil)
		ctx := InitContext(64)
		ones := 0
		for range n {
			b := 0
			if rng.Float64() < p {
				b = 1
			}
			ones += b
			e.Bin(&ctx, b)
		}
		e.Terminate(1)
		e.Flush()
		q := float64(ones) / n
		h := -q*math.Log2(q) - (1-q)*math.Log2(1-q)
		got := float64(8*len(e.Bytes())) / n
		if got < h || got > 1.06*h+0.001 {
			t.Errorf("p %.2f: %.4f bits a bin, entropy %.4f", p, got, h)
		}
	}
}

func TestOverrun(t *testing.T) {
	var d Decoder
	d.Reset([]byte{1, 2, 3})
	ctx := InitContext(64)
	for range 24 {
		d.Bypass(1)
	}
	if !d.Overrun() {
		t.Error("24 bins after the first 9 bits of 3 bytes: no overrun")
	}
	d.Reset([]byte{0xff, 0, 0})
	if !d.Overrun() {
		t.Error("an offset of 510 is accepted")
	}
	for range 1000 {
		d.Bin(&ctx)
	}
	if len(d.Next()) != 0 {
		t.Error("data after the end")
	}
}

func FuzzDecoder(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4}, []byte{0, 1, 2, 3})
	f.Fuzz(func(t *testing.T, data, ops []byte) {
		var d Decoder
		d.Reset(data)
		ctx := InitContext(64)
		for _, op := range ops {
			switch op & 3 {
			case 0:
				d.Bin(&ctx)
			case 1:
				if n := int(op>>2) % 23; d.Bypass(n)>>n != 0 {
					t.Fatalf("bypass of %d bins out of range", n)
				}
			case 2:
				d.Unary(int(op >> 3))
			case 3:
				if d.Terminate() == 1 {
					d.Reset(d.Next())
				}
			}
		}
	})
}

func BenchmarkEncodeBin(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 9))
	var bins [4096]uint8
	for i := range bins {
		if rng.IntN(3) == 0 {
			bins[i] = 1
		}
	}
	var e Encoder
	buf := make([]byte, 0, 8192)
	var ctx [8]uint8
	b.SetBytes(int64(len(bins)))
	b.ReportAllocs()
	for b.Loop() {
		e.Reset(buf[:0])
		for i, v := range bins {
			e.Bin(&ctx[i&7], int(v))
		}
	}
}

func BenchmarkDecodeBin(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 9))
	data := make([]byte, 1<<14)
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	var d Decoder
	var ctx [8]uint8
	b.SetBytes(4096)
	b.ReportAllocs()
	for b.Loop() {
		d.Reset(data)
		for i := range 4096 {
			d.Bin(&ctx[i&7])
		}
	}
}

func BenchmarkDecodeBypass(b *testing.B) {
	data := make([]byte, 1<<14)
	rand.NewChaCha8([32]byte{1}).Read(data)
	var d Decoder
	b.SetBytes(4096 * 4)
	b.ReportAllocs()
	for b.Loop() {
		d.Reset(data)
		for range 4096 {
			d.Bypass(4)
		}
	}
}
