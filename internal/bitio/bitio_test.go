package bitio

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestExpGolombTable(t *testing.T) {
	// Table 9-2 of H.265 and a few longer codes.
	for _, c := range []struct {
		v    uint32
		bits string
	}{{0, "1"}, {1, "010"}, {2, "011"}, {3, "00100"}, {6, "00111"}, {7, "0001000"}, {254, "000000011111111"}} {
		var w Writer
		w.UE(c.v)
		w.Trailing()
		r := NewReader(w.Bytes())
		for i := range c.bits {
			if got := r.Bits(1); got != uint32(c.bits[i]-'0') {
				t.Errorf("ue(%d) bit %d: got %d, want %c", c.v, i, got, c.bits[i])
			}
		}
		if got := r.Bits(1); got != 1 {
			t.Errorf("ue(%d): stop bit %d, want 1", c.v, got)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	type op struct {
		kind int
		v    uint32
		n    int
	}
	for trial := range 200 {
		var w Writer
		var ops []op
		for range 50 {
			o := op{rng.IntN(3), rng.Uint32() >> rng.IntN(32), 1 + rng.IntN(32)}
			switch o.kind {
			case 0:
				o.v = uint32(uint64(o.v) & (1<<o.n - 1))
				w.Bits(o.v, o.n)
			case 1:
				o.v >>= 1
				w.UE(o.v)
			case 2:
				o.v &= 1<<31 - 2
				w.SE(int32(o.v) - 1<<30)
			}
			ops = append(ops, o)
		}
		w.Trailing()
		r := NewReader(w.Bytes())
		for i, o := range ops {
			if !r.MoreRBSPData() {
				t.Fatalf("trial %d op %d: no more data", trial, i)
			}
			var got uint32
			switch o.kind {
			case 0:
				got = r.Bits(o.n)
			case 1:
				got = r.UE()
			case 2:
				got = uint32(r.SE() + 1<<30)
			}
			if got != o.v || r.Err() != nil {
				t.Fatalf("trial %d op %d kind %d: got %d, want %d (err %v)", trial, i, o.kind, got, o.v, r.Err())
			}
		}
		if r.MoreRBSPData() {
			t.Fatalf("trial %d: data left at %d", trial, r.Pos())
		}
	}
}

func TestReaderErrors(t *testing.T) {
	r := NewReader([]byte{0, 0, 0, 0, 0})
	if r.UE(); r.Err() != ErrCode {
		t.Errorf("zeros: got %v, want %v", r.Err(), ErrCode)
	}
	r = NewReader([]byte{0x55})
	r.Skip(7)
	if r.Bits(2) != 0 || r.Err() != ErrShort || r.Left() != 0 {
		t.Errorf("past the end: err %v, left %d", r.Err(), r.Left())
	}
}

func TestEscape(t *testing.T) {
	for _, c := range []struct{ rbsp, nal []byte }{
		{[]byte{0, 0, 0}, []byte{0, 0, 3, 0, 3}},
		{[]byte{0, 0, 1}, []byte{0, 0, 3, 1}},
		{[]byte{0, 0, 3}, []byte{0, 0, 3, 3}},
		{[]byte{0, 0, 4}, []byte{0, 0, 4}},
		{[]byte{0, 0, 0, 0, 0, 0, 1}, []byte{0, 0, 3, 0, 0, 3, 0, 0, 3, 1}},
		{[]byte{1, 0, 1, 0, 0}, []byte{1, 0, 1, 0, 0, 3}},
		{nil, nil},
	} {
		if got := AppendEscaped(nil, c.rbsp); !bytes.Equal(got, c.nal) {
			t.Errorf("escape %v: got %v, want %v", c.rbsp, got, c.nal)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 500 {
		rbsp := make([]byte, rng.IntN(60))
		for i := range rbsp {
			rbsp[i] = byte(rng.IntN(5))
		}
		nal := AppendEscaped([]byte{0x26, 1}, rbsp)
		for i := 0; i+2 < len(nal); i++ {
			if nal[i] == 0 && nal[i+1] == 0 && nal[i+2] < 3 {
				t.Fatalf("trial %d: start code emulated at %d in %v", trial, i, nal)
			}
		}
		got := AppendUnescaped(nil, nal[2:])
		if n := len(rbsp); n > 0 && rbsp[n-1] == 0 {
			got = bytes.TrimSuffix(got, []byte{3}) // guards a final zero
		}
		if !bytes.Equal(got, rbsp) {
			t.Fatalf("trial %d: got %v, want %v", trial, got, rbsp)
		}
	}
}

func TestNextNAL(t *testing.T) {
	stream := []byte{9, 0, 0, 0, 1, 0x40, 1, 5, 0, 0, 0, 0, 1, 0x42, 1, 0, 0, 1}
	want := [][]byte{{0x40, 1, 5}, {0x42, 1}, {}}
	for i, w := range want {
		nal, _, end := NextNAL(stream)
		if nal == nil || !bytes.Equal(nal, w) {
			t.Fatalf("unit %d: got %v, want %v", i, nal, w)
		}
		stream = stream[end:]
	}
	if nal, _, _ := NextNAL(stream); nal != nil {
		t.Errorf("after the end: got %v", nal)
	}
}

func FuzzUnescape(f *testing.F) {
	f.Add([]byte{0, 0, 3, 1, 0, 0, 1, 2})
	f.Fuzz(func(t *testing.T, b []byte) {
		for rest := b; len(rest) > 0; {
			nal, _, end := NextNAL(rest)
			if nal == nil {
				break
			}
			AppendUnescaped(nil, nal)
			rest = rest[end:]
		}
	})
}
