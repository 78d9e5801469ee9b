package codectest

import (
	"bytes"
	"testing"
)

// An Encoder is that of either codec.
type Encoder interface {
	AppendHeader(dst []byte) []byte
	AppendFrame(dst, pix []byte, stride, qp int) ([]byte, error)
	AppendFrameFine(dst, pix []byte, stride, qp16 int) ([]byte, error)
	Recon() []byte
}

// Encode codes one picture in rows of its width and returns stream and
// reconstruction.
func Encode(t testing.TB, e Encoder, pix []byte, width, qp int) (stream, recon []byte) {
	t.Helper()
	stream, err := e.AppendFrame(e.AppendHeader(nil), pix, width, qp)
	if err != nil {
		t.Fatal(err)
	}
	return stream, bytes.Clone(e.Recon())
}

// CheckQPs codes a picture of a kind at each of the given QPs, in 1/16, into one
// stream, and decodes it everywhere.
func (c *Codec) CheckQPs(t testing.TB, what string, e Encoder, kind string, w, h int, seed uint64, qps16 []int) {
	t.Helper()
	stream := e.AppendHeader(nil)
	var want []byte
	for i, qp := range qps16 {
		var err error
		if stream, err = e.AppendFrameFine(stream, Plane(kind, w, h, seed+uint64(i)), w, qp); err != nil {
			t.Fatal(err)
		}
		want = append(want, e.Recon()...)
	}
	c.CheckStream(t, what+" "+kind, w, stream, want)
}

// EveryQP lists the QPs 0 to 51 in 1/16.
func EveryQP() (qps16 []int) {
	for qp := range 52 {
		qps16 = append(qps16, 16*qp)
	}
	return qps16
}

// Sizes are small, odd and wide pictures.
var Sizes = [][2]int{{1, 1}, {2, 3}, {7, 9}, {8, 8}, {9, 16}, {17, 65}, {64, 1}, {1, 200}, {4096, 8}, {4095, 17}, {1030, 70}}

// TestFrames codes pictures of all kinds, 100 by 50 samples in rows of 128, at
// several fractions of QPs, into one stream. It returns their access units.
func (c *Codec) TestFrames(t *testing.T, e Encoder) (parts [][]byte) {
	t.Helper()
	stream := e.AppendHeader(nil)
	var want [][]byte
	for i := range Kinds {
		from := len(stream)
		stream = appendFrame(t, e, stream, i)
		parts = append(parts, stream[from:])
		want = append(want, bytes.Clone(e.Recon()))
	}
	got, _, _, err := c.Decode(stream)
	if err != nil || !bytes.Equal(got, bytes.Join(want, nil)) {
		t.Fatalf("decoded frames differ, err %v", err)
	}
	frames, err := c.Split(stream)
	if err != nil || len(frames) != len(Kinds) {
		t.Fatalf("%d frames, err %v", len(frames), err)
	}
	for i, f := range frames {
		got, _, _, err := c.Decode(f)
		if err != nil || !bytes.Equal(got, want[i]) {
			t.Fatalf("frame %d decoded apart: err %v", i, err)
		}
	}
	return parts
}

// CheckPart codes picture i of TestFrames alone and compares it with its access
// unit there.
func CheckPart(t *testing.T, e Encoder, i int, part []byte) {
	t.Helper()
	if got := appendFrame(t, e, nil, i); !bytes.Equal(got, part) {
		t.Errorf("frame %d of another encoder differs", i)
	}
}

func appendFrame(t *testing.T, e Encoder, dst []byte, i int) []byte {
	t.Helper()
	dst, err := e.AppendFrameFine(dst, Plane(Kinds[i], 128, 50, 5), 128, 16*20+3*i)
	if err != nil {
		t.Fatal(err)
	}
	return dst
}

// TestFineQP checks that the rate of a picture of 256 by 256 moves with fractions
// of a QP.
func TestFineQP(t *testing.T, e Encoder) {
	pix := Plane("gauss", 256, 256, 9)
	last := 1 << 30
	for q := 24 * 16; q <= 25*16; q += 4 {
		b, err := e.AppendFrameFine(nil, pix, 256, q)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) >= last {
			t.Errorf("QP %d/16: %d bytes, not below %d", q, len(b), last)
		}
		last = len(b)
	}
}

// TestRefused gives an encoder of 64 by 64 samples QPs and pictures out of range.
func TestRefused(t *testing.T, e Encoder) {
	pix := make([]byte, 64*64)
	for _, c := range []struct{ stride, qp16, n int }{
		{64, 16*51 + 1, 4096}, {64, -1, 4096}, {63, 320, 4096}, {64, 320, 4095},
	} {
		if _, err := e.AppendFrameFine(nil, pix[:c.n], c.stride, c.qp16); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
	for _, qp := range []int{-1, 52} {
		if _, err := e.AppendFrame(nil, pix, 64, qp); err == nil {
			t.Errorf("QP %d: no error", qp)
		}
	}
}

// TestAllocations codes a picture of 128 by 128 again and again.
func TestAllocations(t *testing.T, what string, e Encoder) {
	pix := Plane("gauss", 128, 128, 1)
	dst := make([]byte, 0, 1<<17)
	if n := testing.AllocsPerRun(3, func() {
		if _, err := e.AppendFrame(dst, pix, 128, 20); err != nil {
			t.Fatal(err)
		}
	}); n > 2 {
		t.Errorf("%s: %v allocations a frame", what, n)
	}
}

// BenchmarkEncode codes pictures of 512 by 256.
func BenchmarkEncode(b *testing.B, name string, e Encoder) {
	for _, kind := range []string{"gauss", "columns"} {
		b.Run(name+"-"+kind, func(b *testing.B) {
			pix := Plane(kind, 512, 256, 1)
			var dst []byte
			b.SetBytes(int64(len(pix)))
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if dst, err = e.AppendFrame(dst[:0], pix, 512, 26); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
