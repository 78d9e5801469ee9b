package hwdec

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"vcsim/internal/cabachw"
	"vcsim/internal/codectest"
	"vcsim/sim"
	"vcsim/t264"
	"vcsim/t264/hw"
)

// A portDecoder is a decoder with the stream behind it.
type portDecoder struct {
	out  sim.Stream[PixelWord]
	unit *Unit
}

func newPortDecoder(spec Spec) *portDecoder {
	d := new(portDecoder)
	d.unit = NewUnit(spec, &d.out)
	return d
}

// decPortState is what a decoder drives in a cycle, and counts; of the lanes bit
// by bit.
type decPortState struct {
	Words, Config uint64
	Error         [4]uint64
	Out           sim.Stream[PixelWord]
	Issued, Idle  uint64
}

func (d *portDecoder) state() (s decPortState) {
	for i := range d.unit.Words {
		if d.unit.Words[i].Ready {
			s.Words |= 1 << i
		}
		if d.unit.Config[i].Ready {
			s.Config |= 1 << i
		}
		s.Error[i/16] |= uint64(d.unit.Error(i)) << (4 * (i % 16))
	}
	s.Out = d.out
	s.Issued, s.Idle = d.unit.Pixels().Slots()
	return s
}

// aheadSlices returns slices of both tiers, of x264, and of random syntax.
func aheadSlices(t testing.TB) (slices []Slice) {
	add := func(stream []byte) {
		s, err := Slices(stream)
		if err != nil {
			t.Fatal(err)
		}
		slices = append(slices, s...)
	}
	for i, p := range laneParams {
		p.Width, p.Height = 48+32*(i%3), 48
		stream, _ := encodePicture(t, p, codectest.Plane(codectest.Kinds[i%len(codectest.Kinds)], p.Width, p.Height, uint64(i)), 3+7*(i*5%7))
		add(stream)
	}
	for _, s := range pixelStreams(t) {
		add(s)
	}
	f, err := os.Open("../testdata/lane/random.gob")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var vectors []Slice
	if err := gob.NewDecoder(f).Decode(&vectors); err != nil {
		t.Fatal(err)
	}
	return append(slices, vectors...)
}

// A lanePort is what a lane has still to get.
type lanePort struct {
	data []byte
	cfg  bool
	c    SliceConfig
}

// draw draws the next slice of a lane; most are wrong somewhere.
func (l *lanePort) draw(rng *rand.Rand, slices []Slice, spec Spec) {
	s := slices[rng.IntN(len(slices))]
	for range 2 { // mostly short ones
		if more := slices[rng.IntN(len(slices))]; len(more.Data) < len(s.Data) {
			s = more
		}
	}
	most := uint16(spec.FrameMBs - 1)
	l.data, l.c, l.cfg = append(l.data[:0], s.Data...), s.Config, true
	l.c.LastX, l.c.LastY = min(l.c.LastX, most), min(l.c.LastY, most)
	l.c.X, l.c.Y = min(l.c.X, most), min(l.c.Y, most)
	l.c.Transform8 = l.c.Transform8 && spec.Transform8
	switch rng.IntN(12) {
	case 0, 1:
		for range 1 + rng.IntN(3) {
			l.data[rng.IntN(len(l.data))] ^= 1 << rng.IntN(8)
		}
	case 2:
		l.data = l.data[:1+rng.IntN(len(l.data))]
	case 3:
		l.data = l.data[:1+rng.IntN(min(400, len(l.data)))]
		for i := range l.data {
			l.data[i] = uint8(rng.Uint32())
		}
	case 4:
		l.c.QP = uint8(rng.IntN(52))
	case 5:
		l.c.LastX, l.c.LastY = uint16(rng.IntN(int(most)+1)), uint16(rng.IntN(int(most)+1))
		l.c.X, l.c.Y = uint16(rng.IntN(int(l.c.LastX)+1)), uint16(rng.IntN(int(l.c.LastY)+1))
	case 6: // bins that are nearly always zero or one, and bytes to remove
		fill := [...]uint8{0, 0xfe}[rng.IntN(2)]
		for i := range l.data {
			l.data[i] = fill
			if i%7 == 6 {
				l.data[i] = 3
			}
		}
	}
}

// TestUnitAhead: lanes that go ahead and lanes that are stepped drive the same
// ports in every cycle, under stalls of every kind, on slices of which half are
// damaged.
func TestUnitAhead(t *testing.T) {
	cycles := 20000
	if os.Getenv("VCSIM_DEC_AHEAD") == "1" {
		cycles = 1000000
	}
	slices := aheadSlices(t)
	rng := rand.New(rand.NewPCG(7, 9))
	var codes [16]int
	for _, spec := range []Spec{
		{2, 4, 16, 1, false}, {3, 6, 20, 4, true}, {5, 3, 16, 2, true}, {16, 6, 16, 1, true}, {23, 4, 63, 3, false}, {64, 4, 16, 4, true},
	} {
		// Chances of a word, a configuration, and room behind.
		for _, open := range [][3]float64{{1, 1, 1}, {0.02, 1, 1}, {1, 0.01, 1}, {1, 1, 0.2}, {0.5, 0.5, 0.7}, {0.3, 0.1, 0.02}} {
			t.Run(fmt.Sprintf("%+v %v", spec, open), func(t *testing.T) {
				fast, slow := newPortDecoder(spec), newPortDecoder(spec)
				slow.unit.SetStepped()
				lanes := make([]lanePort, spec.Lanes)
				values, count := 0, 0
				for cycle := range cycles {
					for i := range lanes {
						l, w, c := &lanes[i], &fast.unit.Words[i], &fast.unit.Config[i]
						if len(l.data) == 0 && !l.cfg && !w.Valid && !c.Valid {
							l.draw(rng, slices, spec)
						}
						if len(l.data) != 0 && !w.Valid && rng.Float64() < open[0] {
							n := min(8, len(l.data))
							if rng.IntN(4) == 0 {
								n = min(1+rng.IntN(8), n)
							}
							w.Valid, w.Data = true, cabachw.Word{Count: uint8(n), Last: n == len(l.data)}
							for k, b := range l.data[:n] {
								w.Data.Data |= uint64(b) << (8 * k)
							}
							l.data = l.data[n:]
						}
						if l.cfg && !c.Valid && rng.Float64() < open[1] {
							c.Valid, c.Data, l.cfg = true, l.c, false
						}
						sw, sc := &slow.unit.Words[i], &slow.unit.Config[i]
						sw.Valid, sw.Data, sc.Valid, sc.Data = w.Valid, w.Data, c.Valid, c.Data
					}
					fast.out.Ready = rng.Float64() < open[2]
					slow.out.Ready = fast.out.Ready
					fast.unit.Eval()
					slow.unit.Eval()
					if got, want := fast.state(), slow.state(); got != want {
						t.Fatalf("cycle %d: %+v, want %+v", cycle, got, want)
					}
					for i := range lanes {
						if fast.unit.Config[i].Moves() {
							codes[slow.unit.Error(i)&15]++
						}
					}
					fast.unit.Clock()
					slow.unit.Clock()
					for i := range lanes {
						w, c := &fast.unit.Words[i], &fast.unit.Config[i]
						if w.Moves() {
							w.Valid = false
							count += int(w.Data.Count)
						}
						if c.Moves() {
							c.Valid = false
						}
					}
					if fast.out.Moves() {
						values += 4
					}
				}
				if values < cycles/100 || count < cycles/1000 {
					t.Errorf("%d values of %d bytes", values, count)
				}
			})
		}
	}
	t.Log("ends by code", codes)
	for code, n := range codes[:hw.EndPicture+1] {
		if n == 0 {
			t.Errorf("no slice ends with code %d", code)
		}
	}
}

// TestHostAhead: the host gives a decoder whose lanes go ahead the same
// words in the same cycles as a stepped one, until all pictures are there, and again
// without an allocation.
func TestHostAhead(t *testing.T) {
	spec := DefaultSpec()
	spec.Lanes = 5
	var frames [][]Slice
	for _, s := range pixelStreams(t) {
		split, err := t264.SplitFrames(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range split {
			slices, err := Slices(f)
			if err != nil {
				t.Fatal(err)
			}
			frames = append(frames, slices)
		}
	}
	var hosts [2]*Host
	for i := range hosts {
		h, err := NewHost(spec)
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			h.Unit.SetStepped()
		}
		if err := h.Begin(frames); err != nil {
			t.Fatal(err)
		}
		hosts[i] = h
	}
	fast, slow := hosts[0], hosts[1]
	for cycle := 0; !slow.Done(); cycle++ {
		fast.Step()
		slow.Step()
		fastWord, fastConfig, fastOut := fast.Ports()
		slowWord, slowConfig, slowOut := slow.Ports()
		if fastWord != slowWord || fastConfig != slowConfig || *fastOut != *slowOut {
			t.Fatalf("cycle %d: word, configuration, samples are %d, %d, %+v, want %d, %d, %+v", cycle, fastWord, fastConfig, *fastOut, slowWord, slowConfig, *slowOut)
		}
	}
	if fast.Activity != slow.Activity || !fast.Done() || fast.Err() != nil {
		t.Errorf("%+v, %v, want %+v", fast.Activity, fast.Err(), slow.Activity)
	}
	for i, want := range slow.Data() {
		if got := fast.Data()[i]; !bytes.Equal(got, want) {
			t.Errorf("picture %d differs", i)
		}
	}
	if err := fast.Begin(frames); err != nil {
		t.Fatal(err)
	}
	values := fast.Activity.Values
	if allocs := testing.AllocsPerRun(5000, fast.Step); allocs != 0 {
		t.Errorf("%v allocations a cycle", allocs)
	}
	if fast.Activity.Values-values < 1000 {
		t.Errorf("%d values in 5000 cycles", fast.Activity.Values-values)
	}
}
