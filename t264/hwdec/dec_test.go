package hwdec

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabachw"
	"vcsim/t264"
)

// A decoderRun is a decoder with its host, and the pictures that it has to give.
type decoderRun struct {
	*Host
	want []t264.Picture
}

// newDecoderRun begins with the pictures of streams.
func newDecoderRun(t testing.TB, spec Spec, streams [][]byte) *decoderRun {
	host, err := NewHost(spec)
	if err != nil {
		t.Fatal(err)
	}
	r := &decoderRun{Host: host}
	r.begin(t, streams)
	return r
}

func (r *decoderRun) begin(t testing.TB, streams [][]byte) {
	var slices [][]Slice
	r.want = nil
	for _, s := range streams {
		frames, err := t264.SplitFrames(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames {
			d, err := t264.NewDecoder(f)
			if err != nil {
				t.Fatal(err)
			}
			p, err := d.Next()
			if err != nil {
				t.Fatal(err)
			}
			parts, err := Slices(f)
			if err != nil {
				t.Fatal(err)
			}
			slices, r.want = append(slices, parts), append(r.want, p)
		}
	}
	if err := r.Begin(slices); err != nil {
		t.Fatal(err)
	}
}

// finish runs to the end, in at most so many cycles, and compares the pictures.
func (r *decoderRun) finish(t testing.TB, most int) {
	t.Helper()
	for range most {
		if r.Done() {
			break
		}
		r.Step()
	}
	if !r.Done() || r.Err() != nil {
		t.Fatalf("done %v after %d cycles, err %v", r.Done(), r.Activity.Cycles, r.Err())
	}
	for i, got := range r.Data() {
		want := r.want[i]
		stride := (want.Width + 15) &^ 15
		for y := range want.Height {
			if g, w := got[y*stride:][:want.Width], want.Pix[y*want.Width:][:want.Width]; !bytes.Equal(g, w) {
				t.Fatalf("picture %d, row %d: got %d, want %d", i, y, g, w)
			}
		}
	}
}

// TestUnit: the samples are those of the Decoder, on streams of both tiers and
// of x264.
func TestUnit(t *testing.T) {
	for _, lanes := range []int{2, 5, 16} {
		t.Run(fmt.Sprint(lanes), func(t *testing.T) {
			spec := DefaultSpec()
			spec.Lanes = lanes
			r := newDecoderRun(t, spec, pixelStreams(t))
			r.finish(t, 3_000_000)
			for l := range lanes {
				if e := r.Unit.Error(l); e != 0 {
					t.Errorf("lane %d: error %d", l, e)
				}
			}
		})
	}
}

// gaussFrames returns streams of the hw tier at about 3 bits a value.
func gaussFrames(t testing.TB, tier t264.Tier, n, size, qp int) (streams [][]byte, bitsPerValue float64) {
	rng := rand.New(rand.NewPCG(91, 92))
	total := 0
	for range n {
		pix := make([]byte, size*size)
		for i := range pix {
			pix[i] = uint8(min(max(128+rng.NormFloat64()*28, 0), 255))
		}
		e, err := t264.NewEncoder(t264.Params{Width: size, Height: size, Tier: tier})
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.AppendFrame(e.AppendHeader(nil), pix, size, qp)
		if err != nil {
			t.Fatal(err)
		}
		total += len(s)
		streams = append(streams, s)
	}
	return streams, 8 * float64(total) / float64(n*size*size)
}

// TestUnitRate measures values a cycle at 3 bits a value, while all lanes have
// a slice.
func TestUnitRate(t *testing.T) {
	for _, c := range []struct {
		lanes int
		tier  t264.Tier
		least float64
	}{{4, t264.HW, 1}, {8, t264.HW, 1.95}, {12, t264.HW, 2.85}, {16, t264.HW, 3.5}, {16, t264.RDO, 3.4}} {
		qp := 28
		streams, bpv := gaussFrames(t, c.tier, c.lanes, 96, qp)
		spec := DefaultSpec()
		spec.Lanes = c.lanes
		r := newDecoderRun(t, spec, streams)
		for r.Activity.Values < uint64(96*96*c.lanes/8) {
			r.Step()
		}
		from := r.Activity
		issued, idle := r.Unit.pixels.Slots()
		for drained := false; !drained; _, drained = r.Drained() {
			r.Step()
		}
		i2, d2 := r.Unit.pixels.Slots()
		rate := float64(r.Activity.Values-from.Values) / float64(r.Activity.Cycles-from.Cycles)
		t.Logf("%d lanes, %v, %.2f bits a value: %.2f values a cycle, path %.0f %% busy", c.lanes, c.tier, bpv, rate,
			100*float64(i2-issued)/float64(i2-issued+d2-idle))
		if rate < c.least {
			t.Errorf("%d lanes, %v: %.2f values a cycle, want %.2f", c.lanes, c.tier, rate, c.least)
		}
	}
}

// TestUnitDamage: slices with wrong, missing and random bytes end in a bounded
// number of cycles, and the lane decodes the next picture as if nothing had been.
func TestUnitDamage(t *testing.T) {
	streams := pixelStreams(t)
	spec := DefaultSpec()
	spec.Lanes = 3
	h, err := NewHost(spec)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	type state struct {
		left []byte
		ends int // cycle in which the slice must be over
	}
	lanes := make([]state, spec.Lanes)
	var slices []Slice
	for _, s := range streams {
		more, err := Slices(s)
		if err != nil {
			t.Fatal(err)
		}
		slices = append(slices, more...)
	}
	errors, runs := 0, 0
	for cycle := 0; runs < 150; cycle++ {
		sent := false
		for l := range lanes {
			s, c, w := &lanes[l], &h.Unit.Config[l], &h.Unit.Words[l]
			if c.Valid || w.Valid || sent {
				continue
			}
			if len(s.left) == 0 && c.Ready {
				if s.ends > 0 {
					runs++
					if h.Unit.Error(l) != 0 {
						errors++
					}
				}
				d := slices[rng.IntN(len(slices))]
				s.left = append(s.left[:0], d.Data...)
				switch rng.IntN(3) {
				case 0:
					s.left[rng.IntN(len(s.left))] ^= 1 << rng.IntN(8)
				case 1:
					s.left = s.left[:1+rng.IntN(len(s.left))]
				default:
					for i := rng.IntN(len(s.left)); i < len(s.left); i++ {
						s.left[i] = uint8(rng.Uint32())
					}
				}
				c.Valid, c.Data = true, d.Config
				s.ends = cycle + 1000 + 3*4000*int(d.Config.LastX+1)*int(d.Config.LastY+1)
			}
			if n := min(8, len(s.left)); n > 0 {
				w.Valid, w.Data = true, cabachw.Word{Count: uint8(n), Last: n == len(s.left)}
				for i, b := range s.left[:n] {
					w.Data.Data |= uint64(b) << (8 * i)
				}
				s.left = s.left[n:]
				sent = true
			}
			if cycle > s.ends && s.ends > 0 {
				t.Fatalf("lane %d: a slice goes on after %d cycles", l, cycle)
			}
		}
		h.out.Ready = true
		h.Unit.Eval()
		h.Unit.Clock()
		for l := range lanes {
			c, w := &h.Unit.Config[l], &h.Unit.Words[l]
			c.Valid, w.Valid = c.Valid && !c.Ready, w.Valid && !w.Ready
		}
	}
	if errors < runs/3 {
		t.Errorf("%d errors in %d damaged slices", errors, runs)
	}
	// What is under way ends; then come whole pictures.
	for quiet := 0; quiet < 20000; quiet++ {
		h.out.Ready = true
		for l := range lanes {
			s, w := &lanes[l], &h.Unit.Words[l]
			if n := min(8, len(s.left)); n > 0 && !w.Valid {
				w.Valid, w.Data = true, cabachw.Word{Count: uint8(n), Last: n == len(s.left)}
				s.left = s.left[n:]
			}
		}
		h.Unit.Eval()
		h.Unit.Clock()
		if h.out.Valid {
			quiet = 0
		}
		for l := range lanes {
			c, w := &h.Unit.Config[l], &h.Unit.Words[l]
			c.Valid, w.Valid = c.Valid && !c.Ready, w.Valid && !w.Ready
			if c.Valid || w.Valid || len(lanes[l].left) > 0 {
				quiet = 0
			}
		}
	}
	r := &decoderRun{Host: h}
	r.begin(t, streams)
	r.finish(t, 3_000_000)
	t.Logf("%d damaged slices, %d errors", runs, errors)
}

// BenchmarkUnit times a cycle of the decoder with all lanes at work, host
// included.
func BenchmarkUnit(b *testing.B) {
	streams, _ := gaussFrames(b, t264.HW, 16, 128, 27)
	var r *decoderRun
	b.ReportAllocs()
	for b.Loop() {
		if r == nil || r.Done() {
			b.StopTimer()
			r = newDecoderRun(b, DefaultSpec(), streams)
			b.StartTimer()
		}
		r.Step()
	}
}
