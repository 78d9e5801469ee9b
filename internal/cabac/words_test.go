package cabac

import "testing"

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
