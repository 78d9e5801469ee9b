package t264

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vcsim/internal/codectest"
)

// newEncoder returns an encoder, or ends the test.
func newEncoder(t testing.TB, p Params) *Encoder {
	t.Helper()
	e, err := NewEncoder(p)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	return e
}

// encodeOne codes one picture and returns stream and reconstruction.
func encodeOne(t testing.TB, p Params, pix []byte, qp int) (stream, recon []byte) {
	t.Helper()
	return codectest.Encode(t, newEncoder(t, p), pix, p.Width, qp)
}

// sweepParams is a covering array of tools, sizes and structures: each
// setting of each factor meets many settings of the others.
func sweepParams(i int, rng *rand.Rand) (p Params, kind string, qp int) {
	p = Params{Width: 1 + rng.IntN(140), Height: 1 + rng.IntN(100)}
	p.Tier = Tier(i & 1)
	if rng.IntN(4) > 0 {
		for b := range len(toolNames) {
			if rng.IntN(3) == 0 {
				p.Off |= 1 << b
			}
		}
	}
	p.Lossless = rng.IntN(6) == 0
	p.Slices = rng.IntN(4)
	return p, codectest.Kinds[i/2%len(codectest.Kinds)], i % 52
}

func TestEncodeDecode(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	legal := 0
	for i := range 800 {
		p, kind, qp := sweepParams(i, rng)
		if p.Validate() != nil {
			continue
		}
		legal++
		pix := codectest.Plane(kind, p.Width, p.Height, uint64(i))
		stream, recon := encodeOne(t, p, pix, qp)
		if p.Lossless && !bytes.Equal(pix, recon) {
			t.Fatalf("%+v: lossless reconstruction differs", p)
		}
		codec.CheckDecode(t, fmt.Sprintf("%+v", p), p.Width, p.Height, stream, recon)
	}
	if legal < 200 {
		t.Errorf("only %d legal combinations", legal)
	}
}

func TestFrames(t *testing.T) {
	p := Params{Width: 100, Height: 50}
	parts := codec.TestFrames(t, newEncoder(t, p))
	// A second encoder that codes one frame alone writes the same bytes.
	for i, part := range parts {
		other := newEncoder(t, p)
		other.SetFrame(i)
		codectest.CheckPart(t, other, i, part)
	}
	if bytes.Equal(parts[0][:12], parts[1][:12]) {
		t.Error("idr_pic_id of consecutive pictures does not differ")
	}
}

// TestStreams: what the encoder decides does not change by accident.
func TestStreams(t *testing.T) {
	params := map[string]Params{
		"hw": {}, "rdo": {Tier: RDO}, "hw i8": {Off: ToolI16}, "hw i4": {Off: ToolI16 | ToolI8},
		"rounded": {Off: ToolDeadZone}, "rdo without rdoq": {Tier: RDO, Off: ToolRDOQ},
	}
	codectest.TestStreams(t, "testdata/streams.txt", slices.Sorted(maps.Keys(params)), func(name string) codectest.Encoder {
		p := params[name]
		p.Width, p.Height = 96, 80
		return newEncoder(t, p)
	})
}

func TestFineQP(t *testing.T) {
	codectest.TestFineQP(t, newEncoder(t, Params{Width: 256, Height: 256}))
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
		{"leave no block size", func(p *Params) { p.Off = ToolI4 | ToolI8 | ToolI16 }},
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
	codectest.TestRefused(t, newEncoder(t, ok))
}

func TestParseTools(t *testing.T) {
	got, err := ParseTools(" i8,rdoq,intra ")
	if want := ToolI8 | ToolRDOQ | ToolIntra; err != nil || got != want {
		t.Errorf("got %v, %v", got, err)
	}
	if got.String() != "intra,rdoq,i8" {
		t.Errorf("String: %s", got)
	}
	if _, err := ParseTools("i8,x"); err == nil || !strings.Contains(err.Error(), `"x"`) {
		t.Errorf("unknown tool: %v", err)
	}
	if got, _ := ParseTools(strings.Join(toolNames, ",")); got != allTools {
		t.Errorf("all names give %v", got)
	}
}

// TestStats checks the encoder's counts against the decoder's.
func TestStats(t *testing.T) {
	for i, kind := range codectest.Kinds {
		p := Params{Width: 120, Height: 90, Slices: 2, Tier: testTiers[i%len(testTiers)], Lossless: i == 7}
		e := newEncoder(t, p)
		stream, err := e.AppendFrameFine(e.AppendHeader(nil), codectest.Plane(kind, 120, 90, 1), 120, 16*6*i+5)
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
			t.Errorf("%s: decoder counts\n%+v\nencoder\n%+v", kind, got, want)
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
		pix := codectest.Plane(kind, p.Width, p.Height, seed)
		copy(pix, data)
		stream, recon := encodeOne(t, p, pix, qp)
		codec.CheckDecode(t, fmt.Sprintf("%+v", p), p.Width, p.Height, stream, recon)
	})
}

// testTiers are the tiers under test.
var testTiers = []Tier{HW, RDO}

func TestEncoderDoesNotAllocate(t *testing.T) {
	for _, tier := range testTiers {
		codectest.TestAllocations(t, tier.String(), newEncoder(t, Params{Width: 128, Height: 128, Tier: tier}))
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, tier := range testTiers {
		codectest.BenchmarkEncode(b, tier.String(), newEncoder(b, Params{Width: 512, Height: 256, Tier: tier}))
	}
}

// TestOnRow: the rows that tier HW reports add up to the height of each picture, whatever its slices.
func TestOnRow(t *testing.T) {
	for _, size := range [][2]int{{16, 16}, {70, 130}, {64, 257}} {
		p := Params{Width: size[0], Height: size[1], Slices: min(3, (size[1]+63)/64)}
		e, err := NewEncoder(p)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		e.OnRow(func(rows int) { sum += rows })
		pix := make([]byte, size[0]*size[1])
		for range 2 {
			sum = 0
			if _, err := e.AppendFrame(nil, pix, size[0], 30); err != nil || sum != size[1] {
				t.Errorf("%dx%d: %d rows, %v", size[0], size[1], sum, err)
			}
		}
	}
}
