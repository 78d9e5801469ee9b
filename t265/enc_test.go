package t265

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// testPlanes makes w by h pictures of different kinds.
func testPlane(kind string, w, h int, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, uint64(w*h)))
	b := make([]byte, w*h)
	for i := range b {
		x, y := i%w, i/w
		switch kind {
		case "noise":
			b[i] = byte(rng.Uint32())
		case "gauss":
			b[i] = byte(min(max(128+28*rng.NormFloat64(), 0), 255))
		case "flat":
			b[i] = 77
		case "gradient":
			b[i] = byte((2*x + 3*y) / 2)
		case "extremes":
			b[i] = 255 * byte(rng.IntN(2))
		case "columns":
			b[i] = byte(min(max(float64(20+x*37%200)+4*rng.NormFloat64(), 0), 255))
		case "outliers":
			b[i] = byte(128 + rng.IntN(5))
			if rng.IntN(50) == 0 {
				b[i] = byte(rng.Uint32())
			}
		default:
			panic(kind)
		}
	}
	return b
}

var planeKinds = []string{"noise", "gauss", "flat", "gradient", "extremes", "columns", "outliers"}

// encodeOne codes one picture and returns stream and reconstruction.
func encodeOne(t testing.TB, p Params, pix []byte, qp int) (stream, recon []byte) {
	t.Helper()
	e, err := NewEncoder(p)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	stream, err = e.AppendFrame(e.AppendHeader(nil), pix, p.Width, qp)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	return stream, bytes.Clone(e.Recon())
}

// checkDecode decodes a stream with this package.
func checkDecode(t testing.TB, p Params, stream, want []byte) {
	t.Helper()
	got, w, h, err := decodeAll(stream)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	if w != p.Width || h != p.Height {
		t.Fatalf("%+v: decoded size %dx%d", p, w, h)
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("%+v: decoder and reconstruction differ at (%d, %d)", p, i%p.Width, i/p.Width)
		}
	}
}

// sweepParams is a covering array of tools, sizes and structures: each
// setting of each factor meets many settings of the others.
func sweepParams(i int, rng *rand.Rand) (p Params, kind string, qp int) {
	p = Params{Width: 1 + rng.IntN(140), Height: 1 + rng.IntN(100)}
	p.Tier = Tier(i & 1)
	p.CTU = []int{0, 16, 32, 64}[rng.IntN(4)]
	p.MaxTU = []int{0, 0, 4, 8, 16, 32}[rng.IntN(6)]
	if rng.IntN(4) > 0 {
		for b := range len(toolNames) {
			if rng.IntN(4) == 0 {
				p.Off |= 1 << b
			}
		}
	}
	p.Lossless = rng.IntN(6) == 0
	p.Slices = rng.IntN(4)
	p.FineQP = rng.IntN(4) == 0
	return p, planeKinds[i%len(planeKinds)], i % 52
}

func TestEncodeDecode(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	legal := 0
	for i := range 520 {
		p, kind, qp := sweepParams(i, rng)
		if p.Validate() != nil {
			continue
		}
		legal++
		pix := testPlane(kind, p.Width, p.Height, uint64(i))
		stream, recon := encodeOne(t, p, pix, qp)
		if p.Lossless && !bytes.Equal(pix, recon) {
			t.Fatalf("%+v: lossless reconstruction differs", p)
		}
		checkDecode(t, p, stream, recon)
	}
	if legal < 200 {
		t.Errorf("only %d legal combinations", legal)
	}
}

func TestFrames(t *testing.T) {
	p := Params{Width: 100, Height: 50, FineQP: true}
	e, err := NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	stream := e.AppendHeader(nil)
	var want []byte
	sizes := map[int]int{}
	for i, kind := range planeKinds {
		pix := testPlane(kind, 128, 50, 5)
		from := len(stream)
		if stream, err = e.AppendFrameFine(stream, pix, 128, 16*20+3*i); err != nil {
			t.Fatal(err)
		}
		sizes[i] = len(stream) - from
		want = append(want, e.Recon()...)
	}
	got, _, _, err := decodeAll(stream)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("decoded frames differ, err %v", err)
	}
	frames, err := SplitFrames(stream)
	if err != nil || len(frames) != len(planeKinds) {
		t.Fatalf("%d frames, err %v", len(frames), err)
	}
	for i, f := range frames {
		got, _, _, err := decodeAll(f)
		if err != nil || !bytes.Equal(got, want[i*5000:][:5000]) {
			t.Fatalf("frame %d decoded apart: err %v", i, err)
		}
	}
}

// TestFineQP checks that rate and error move with fractions of a QP.
func TestFineQP(t *testing.T) {
	p := Params{Width: 256, Height: 256, FineQP: true}
	pix := testPlane("gauss", 256, 256, 9)
	e, err := NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
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

func TestValidate(t *testing.T) {
	ok := Params{Width: 64, Height: 64}
	for _, c := range []struct {
		want string // in the error, "" for none
		f    func(p *Params)
	}{
		{"", func(p *Params) {}},
		{"", func(p *Params) { p.Width, p.Height, p.Lossless = 1, 1, true }},
		{"", func(p *Params) { p.Width, p.Height = 4096, 4096 }},
		{"picture size", func(p *Params) { p.Width = 0 }},
		{"picture size", func(p *Params) { p.Width, p.Height = 16000, 16000 }},
		{"picture size", func(p *Params) { p.Height = 20000 }},
		{"CTU 8", func(p *Params) { p.CTU = 8 }},
		{"level below 5", func(p *Params) { p.Width, p.Height, p.CTU = 2048, 2048, 16 }},
		{"transform and tskip", func(p *Params) { p.Off = ToolTransform | ToolTSkip }},
		{"tu4", func(p *Params) { p.Off = ToolTransform | ToolTU4 }},
		{"no transform size", func(p *Params) { p.Off = ToolTU4 | ToolTU8 | ToolTU16 }},
		{"smallest transform", func(p *Params) { p.Off, p.MaxTU, p.CTU = ToolTU4|ToolTU8|ToolTU16, 32, 16 }},
		{"lossless", func(p *Params) { p.Off, p.Lossless = ToolTransform, true }},
		{"largest transform", func(p *Params) { p.MaxTU = 64 }},
		{"slices", func(p *Params) { p.Slices = 5 }},
		{"tier", func(p *Params) { p.Tier = 7 }},
		{"unknown tools", func(p *Params) { p.Off = 1 << 30 }},
	} {
		p := ok
		c.f(&p)
		err := p.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", p, err, c.want)
		}
	}
	e, err := NewEncoder(ok)
	if err != nil {
		t.Fatal(err)
	}
	pix := make([]byte, 64*64)
	for _, c := range []struct{ stride, qp, n int }{{64, 52, 4096}, {64, -1, 4096}, {63, 20, 4096}, {64, 20, 4095}} {
		if _, err := e.AppendFrame(nil, pix[:c.n], c.stride, c.qp); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
	if _, err := e.AppendFrameFine(nil, pix, 64, 321); err == nil {
		t.Error("fraction of a QP without FineQP: no error")
	}
}

func TestParseTools(t *testing.T) {
	got, err := ParseTools(" sdh,rdoq,tu4 ")
	if want := ToolSDH | ToolRDOQ | ToolTU4; err != nil || got != want {
		t.Errorf("got %v, %v", got, err)
	}
	if got.String() != "rdoq,sdh,tu4" {
		t.Errorf("String: %s", got)
	}
	if _, err := ParseTools("sdh,x"); err == nil || !strings.Contains(err.Error(), `"x"`) {
		t.Errorf("unknown tool: %v", err)
	}
	if got, _ := ParseTools(strings.Join(ToolNames(), ",")); got != allTools {
		t.Errorf("all names give %v", got)
	}
}

// TestStats checks the encoder's counts against the decoder's.
func TestStats(t *testing.T) {
	for _, tier := range []Tier{HW, RDO} {
		p := Params{Width: 120, Height: 90, Tier: tier, Slices: 2, FineQP: true}
		e, err := NewEncoder(p)
		if err != nil {
			t.Fatal(err)
		}
		stream, err := e.AppendFrame(e.AppendHeader(nil), testPlane("columns", 120, 90, 1), 120, 20)
		if err != nil {
			t.Fatal(err)
		}
		d, err := NewDecoder(stream)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Next(); err != nil {
			t.Fatal(err)
		}
		if got, want := d.Stats(), e.Stats(); got != want {
			t.Errorf("tier %v: decoder counts\n%+v\nencoder\n%+v", tier, got, want)
		}
	}
}

func FuzzEncode(f *testing.F) {
	f.Add(uint64(1), 20, []byte{1, 2, 3})
	f.Add(uint64(77), 51, []byte{})
	f.Fuzz(func(t *testing.T, seed uint64, qp int, data []byte) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p, kind, _ := sweepParams(int(seed&1023), rng)
		if p.Validate() != nil || qp < 0 || qp > 51 {
			return
		}
		pix := testPlane(kind, p.Width, p.Height, seed)
		copy(pix, data)
		stream, recon := encodeOne(t, p, pix, qp)
		checkDecode(t, p, stream, recon)
	})
}

func TestEncoderDoesNotAllocate(t *testing.T) {
	for _, tier := range []Tier{HW, RDO} {
		p := Params{Width: 128, Height: 128, Tier: tier}
		e, err := NewEncoder(p)
		if err != nil {
			t.Fatal(err)
		}
		pix := testPlane("gauss", 128, 128, 1)
		dst := make([]byte, 0, 1<<17)
		if n := testing.AllocsPerRun(3, func() {
			if _, err := e.AppendFrame(dst, pix, 128, 20); err != nil {
				t.Fatal(err)
			}
		}); n > 2 {
			t.Errorf("tier %v: %v allocations a frame", tier, n)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, tier := range []Tier{HW, RDO} {
		for _, kind := range []string{"gauss", "columns"} {
			b.Run(fmt.Sprintf("%v-%s", tier, kind), func(b *testing.B) {
				p := Params{Width: 512, Height: 256, Tier: tier}
				e, err := NewEncoder(p)
				if err != nil {
					b.Fatal(err)
				}
				pix := testPlane(kind, p.Width, p.Height, 1)
				var dst []byte
				b.SetBytes(int64(len(pix)))
				b.ReportAllocs()
				for b.Loop() {
					if dst, err = e.AppendFrame(dst[:0], pix, p.Width, 26); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
