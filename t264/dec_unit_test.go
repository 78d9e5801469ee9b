package t264

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabac"
	"vcsim/sim"
)

// A decHost feeds pictures to a DecUnit and collects their samples: each lane
// takes the next picture when it is done with one.
type decHost struct {
	unit   *DecUnit
	out    sim.Stream[PixelWord]
	jobs   []decJob
	of     []int // job of each lane
	next   int
	done   int
	cycles int
	values int
	turn   int
}

type decJob struct {
	slices []SliceData
	want   Picture
	got    []byte
	slice  int // that is sent
	left   []byte
	words  int
}

func newDecHost(t testing.TB, spec DecUnitSpec, streams [][]byte) *decHost {
	h := &decHost{of: make([]int, spec.Lanes), next: spec.Lanes}
	for i := range h.of {
		h.of[i] = i
	}
	h.unit = NewDecUnit(&h.out, spec)
	for _, s := range streams {
		frames, err := SplitFrames(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames {
			d, err := NewDecoder(f)
			if err != nil {
				t.Fatal(err)
			}
			p, err := d.Next()
			if err != nil {
				t.Fatal(err)
			}
			slices, err := Slices(f)
			if err != nil {
				t.Fatal(err)
			}
			j := decJob{slices: slices, want: p, slice: -1, got: make([]byte, (p.Width+15)&^15*((p.Height+15)&^15))}
			h.jobs = append(h.jobs, j)
		}
	}
	return h
}

// cycle runs one cycle. The host has one word and one slice to send in it.
func (h *decHost) cycle() {
	u, n := h.unit, len(h.of)
	for range n { // the next lane that takes a word
		h.turn = (h.turn + 1) % n
		w, c := &u.Words[h.turn], &u.Config[h.turn]
		if h.of[h.turn] >= len(h.jobs) || w.Valid || c.Valid {
			continue
		}
		j := &h.jobs[h.of[h.turn]]
		if len(j.left) == 0 {
			if j.slice+1 == len(j.slices) {
				continue
			}
			j.slice++
			j.left = j.slices[j.slice].Data
			c.Valid, c.Data = true, j.slices[j.slice].Config
		}
		k := min(8, len(j.left))
		w.Valid, w.Data = true, cabac.Word{Count: uint8(k), Last: k == len(j.left)}
		for i, b := range j.left[:k] {
			w.Data.Data |= uint64(b) << (8 * i)
		}
		j.left = j.left[k:]
		break
	}
	h.out.Ready = true
	u.Eval()
	u.Clock()
	h.cycles++
	for i := range n {
		u.Words[i].Valid = u.Words[i].Valid && !u.Words[i].Ready
		u.Config[i].Valid = u.Config[i].Valid && !u.Config[i].Ready
	}
	if !h.out.Valid {
		return
	}
	w := h.out.Data
	h.values += 4
	j := &h.jobs[h.of[w.Thread]]
	stride := (j.want.Width + 15) &^ 15
	for k := range 4 {
		j.got[(16*int(w.MBY)+4*int(w.Y)+k)*stride+16*int(w.MBX)+int(w.X)] = byte(w.Data >> (8 * k))
	}
	if j.words++; 4*j.words == len(j.got) {
		h.done++
		h.of[w.Thread] = h.next
		h.next++
	}
}

// check compares the pictures.
func (h *decHost) check(t testing.TB) {
	for i, j := range h.jobs {
		stride := (j.want.Width + 15) &^ 15
		for y := range j.want.Height {
			if g, w := j.got[y*stride:][:j.want.Width], j.want.Pix[y*j.want.Width:][:j.want.Width]; !bytes.Equal(g, w) {
				t.Fatalf("picture %d, row %d: got %d, want %d", i, y, g, w)
			}
		}
	}
}

// TestDecUnit: the samples are those of the Decoder, on streams of both tiers and
// of x264.
func TestDecUnit(t *testing.T) {
	for _, lanes := range []int{2, 5, 16} {
		t.Run(fmt.Sprint(lanes), func(t *testing.T) {
			spec := DefaultDecUnitSpec()
			spec.Lanes = lanes
			h := newDecHost(t, spec, pixelStreams(t))
			for h.done < len(h.jobs) {
				if h.cycle(); h.cycles > 3_000_000 {
					t.Fatalf("%d of %d pictures after %d cycles", h.done, len(h.jobs), h.cycles)
				}
			}
			h.check(t)
			for l := range lanes {
				if e := h.unit.Error(l); e != 0 {
					t.Errorf("lane %d: error %d", l, e)
				}
			}
		})
	}
}

// gaussFrames returns streams of the hw tier at about 3 bits a value.
func gaussFrames(t testing.TB, tier Tier, n, size, qp int) (streams [][]byte, bitsPerValue float64) {
	rng := rand.New(rand.NewPCG(91, 92))
	total := 0
	for range n {
		pix := make([]byte, size*size)
		for i := range pix {
			pix[i] = uint8(min(max(128+rng.NormFloat64()*28, 0), 255))
		}
		e, err := NewEncoder(Params{Width: size, Height: size, Tier: tier})
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

// TestDecUnitRate measures values a cycle at 3 bits a value, while all lanes have
// a slice.
func TestDecUnitRate(t *testing.T) {
	for _, c := range []struct {
		lanes int
		tier  Tier
		least float64
	}{{4, HW, 0.8}, {8, HW, 1.6}, {12, HW, 2.4}, {16, HW, 3}, {16, RDO, 2.5}} {
		qp := 28
		streams, bpv := gaussFrames(t, c.tier, c.lanes, 96, qp)
		spec := DefaultDecUnitSpec()
		spec.Lanes = c.lanes
		h := newDecHost(t, spec, streams)
		for h.values < 96*96*c.lanes/8 {
			h.cycle()
		}
		v, cyc := h.values, h.cycles
		issued, idle := h.unit.pixels.Slots()
		for h.done == 0 {
			h.cycle()
		}
		i2, d2 := h.unit.pixels.Slots()
		rate := float64(h.values-v) / float64(h.cycles-cyc)
		t.Logf("%d lanes, %v, %.2f bits a value: %.2f values a cycle, path %.0f %% busy", c.lanes, c.tier, bpv, rate,
			100*float64(i2-issued)/float64(i2-issued+d2-idle))
		if rate < c.least {
			t.Errorf("%d lanes, %v: %.2f values a cycle, want %.2f", c.lanes, c.tier, rate, c.least)
		}
	}
}

// TestDecUnitDamage: slices with wrong, missing and random bytes end in a bounded
// number of cycles, and the lane decodes the next picture as if nothing had been.
func TestDecUnitDamage(t *testing.T) {
	streams := pixelStreams(t)
	spec := DefaultDecUnitSpec()
	spec.Lanes = 3
	h := newDecHost(t, spec, streams)
	rng := rand.New(rand.NewPCG(5, 6))
	type state struct {
		left []byte
		ends int // cycle in which the slice must be over
	}
	lanes := make([]state, spec.Lanes)
	var slices []SliceData
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
			s, c, w := &lanes[l], &h.unit.Config[l], &h.unit.Words[l]
			if c.Valid || w.Valid || sent {
				continue
			}
			if len(s.left) == 0 && c.Ready {
				if s.ends > 0 {
					runs++
					if h.unit.Error(l) != 0 {
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
				w.Valid, w.Data = true, cabac.Word{Count: uint8(n), Last: n == len(s.left)}
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
		h.unit.Eval()
		h.unit.Clock()
		for l := range lanes {
			c, w := &h.unit.Config[l], &h.unit.Words[l]
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
			s, w := &lanes[l], &h.unit.Words[l]
			if n := min(8, len(s.left)); n > 0 && !w.Valid {
				w.Valid, w.Data = true, cabac.Word{Count: uint8(n), Last: n == len(s.left)}
				s.left = s.left[n:]
			}
		}
		h.unit.Eval()
		h.unit.Clock()
		if h.out.Valid {
			quiet = 0
		}
		for l := range lanes {
			c, w := &h.unit.Config[l], &h.unit.Words[l]
			c.Valid, w.Valid = c.Valid && !c.Ready, w.Valid && !w.Ready
			if c.Valid || w.Valid || len(lanes[l].left) > 0 {
				quiet = 0
			}
		}
	}
	for h.done < len(h.jobs) {
		if h.cycle(); h.cycles > 3_000_000 {
			t.Fatalf("%d of %d pictures after the damage", h.done, len(h.jobs))
		}
	}
	h.check(t)
	t.Logf("%d damaged slices, %d errors", runs, errors)
}

// BenchmarkDecUnit times a cycle of the decoder with all lanes at work, host
// included.
func BenchmarkDecUnit(b *testing.B) {
	streams, _ := gaussFrames(b, HW, 16, 128, 27)
	var h *decHost
	b.ReportAllocs()
	for b.Loop() {
		if h == nil || h.done > 0 {
			b.StopTimer()
			h = newDecHost(b, DefaultDecUnitSpec(), streams)
			b.StartTimer()
		}
		h.cycle()
	}
}
