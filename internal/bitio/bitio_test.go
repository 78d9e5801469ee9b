package bitio

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
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

func TestUnits(t *testing.T) {
	stream := []byte{9, 0, 0, 0, 1, 0x40, 1, 5, 0, 0, 0, 0, 1, 7, 0, 0, 1, 0x42, 1, 0, 0, 1}
	u := NewUnits(stream)
	for i, w := range []struct {
		nal []byte
		at  int
	}{{[]byte{0x40, 1, 5}, 5}, {[]byte{0x42, 1}, 17}} {
		if !u.Next() || !bytes.Equal(u.NAL, w.nal) || u.Offset != w.at {
			t.Fatalf("unit %d: got %v at %d, want %v at %d", i, u.NAL, u.Offset, w.nal, w.at)
		}
	}
	for range 2 {
		if u.Next() || u.NAL != nil {
			t.Errorf("after the end: got %v", u.NAL)
		}
	}
}

// TestSplitPictures: the first byte of a unit is its role, so a stream is written
// as text.
func TestSplitPictures(t *testing.T) {
	roles := map[byte]Role{'n': RoleNone, 'd': RoleDelimiter, 'p': RoleParameters, 'F': RoleFirstSlice, 'S': RoleSlice}
	role := func(nal []byte) Role { return roles[nal[0]] }
	join := func(units string) (b []byte) {
		for _, unit := range strings.Fields(units) {
			b = append(append(b, startCode...), unit...)
		}
		return b
	}
	for _, c := range []struct{ in, want string }{
		{"p1 F1", "p1 F1"},
		{"p1 p2 F1 S2 S3 F4 S5", "p1 p2 F1 S2 S3 | p1 p2 F4 S5"},
		{"p1 F1 n1 S2 d1 S3", "p1 F1 S2 | p1 S3"},
		{"p1 F1 p2 F2 p1 F3", "p1 F1 | p1 p2 F2 | p2 p1 F3"},
		{"S1 F2 F3 d1", "S1 | F2 | F3"},
	} {
		got, err := SplitPictures(join(c.in), role)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		want := strings.Split(c.want, "|")
		if len(got) != len(want) {
			t.Errorf("%s: %d pictures, want %d", c.in, len(got), len(want))
			continue
		}
		for i, w := range want {
			if !bytes.Equal(got[i], join(w)) {
				t.Errorf("%s: picture %d: got %q, want %q", c.in, i, got[i], join(w))
			}
		}
	}
	if _, err := SplitPictures(join("p1 d1 n1"), role); err != errNoPicture {
		t.Errorf("no slice: got %v", err)
	}
	// Copies of parameter sets must not grow with the square of the stream.
	var many, large []byte
	for i := range maxParameters + 1 {
		many = append(many, join(fmt.Sprintf("p%d", i))...)
	}
	if _, err := SplitPictures(append(many, join("F1")...), role); err != errParameters {
		t.Errorf("%d parameter sets: got %v", maxParameters+1, err)
	}
	large = append(join("p"), bytes.Repeat([]byte{1}, 1<<16)...)
	for range 1000 {
		large = append(large, join("F1")...)
	}
	if _, err := SplitPictures(large, role); err != errParameters {
		t.Errorf("1000 pictures after 64 KiB of parameters: got %v", err)
	}
}

func FuzzUnescape(f *testing.F) {
	f.Add([]byte{0, 0, 3, 1, 0, 0, 1, 2})
	f.Fuzz(func(t *testing.T, b []byte) {
		for u := NewUnits(b); u.Next(); {
			AppendUnescaped(nil, u.NAL)
		}
	})
}
