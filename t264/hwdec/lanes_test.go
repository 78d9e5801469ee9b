package hwdec

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabachw"
	"vcsim/internal/codectest"
	"vcsim/sim"
	"vcsim/t264"
	"vcsim/t264/hw"
)

// TestLanes: lanes side by side, with their contexts and above words from
// the shared units, in one kernel.
func TestLanes(t *testing.T) {
	const lanes = 5
	rng := rand.New(rand.NewPCG(45, 46))
	spec := DefaultLaneSpec()
	type lane struct {
		words  sim.Stream[cabachw.Word]
		config sim.Stream[SliceConfig]
		out    sim.Stream[hw.Item]
		unit   *LaneUnit
		stream []byte
		slices []Slice
		left   []byte // of the slice
		items  []hw.Item
		ends   int
		d      itemDecoder
	}
	var ls [lanes]lane
	var sets []*sim.Stream[hw.ContextValue]
	var above []*sim.Stream[AboveRequest]
	var reply []*sim.Stream[uint32]
	for range lanes {
		sets = append(sets, new(sim.Stream[hw.ContextValue]))
		above = append(above, new(sim.Stream[AboveRequest]))
		reply = append(reply, new(sim.Stream[uint32]))
	}
	contexts := hw.NewContextUnit(hw.ContextSpec{Lanes: lanes, Decoder: true}, sets)
	memory := NewAboveUnit(spec, above, reply)
	var k sim.Kernel
	for i := range ls {
		l := &ls[i]
		l.unit = NewLaneUnit(spec, &l.words, &l.config, sets[i], above[i], reply[i], &l.out)
		k.Add(l.unit)
		p := t264.Params{Width: 80 + 32*i, Height: 64, Tier: [2]t264.Tier{t264.HW, t264.RDO}[i%2], Slices: 1 + i%3}
		l.stream, _ = encodePicture(t, p, codectest.Plane(codectest.Kinds[i%len(codectest.Kinds)], p.Width, p.Height, uint64(i)), 10+5*i)
		var err error
		if l.slices, err = Slices(l.stream); err != nil {
			t.Fatal(err)
		}
		l.d.start(&l.slices[0].Config)
	}
	k.Add(memory, contexts)
	for cycle, done := 0, 0; done < lanes; cycle++ {
		if cycle > 1000000 {
			t.Fatalf("%d of %d lanes are done after %d cycles", done, lanes, cycle)
		}
		for i := range ls {
			l := &ls[i]
			if l.ends < len(l.slices) && len(l.left) == 0 && !l.words.Valid && !l.config.Valid && len(l.items) == 0 {
				l.config.Valid, l.config.Data = true, l.slices[l.ends].Config
				l.left = l.slices[l.ends].Data
			}
			if !l.words.Valid && len(l.left) > 0 {
				n := min(8, len(l.left))
				l.words.Valid, l.words.Data = true, cabachw.Word{Count: uint8(n), Last: n == len(l.left)}
				for j, b := range l.left[:n] {
					l.words.Data.Data |= uint64(b) << (8 * j)
				}
				l.left = l.left[n:]
			}
			l.out.Ready = rng.IntN(8) != 0
			contexts.Init[i], contexts.QP[i] = l.unit.Parse.Init()
		}
		k.Step()
		for i := range ls {
			l := &ls[i]
			l.words.Valid = l.words.Valid && !l.words.Ready
			l.config.Valid = l.config.Valid && !l.config.Ready
			if !l.out.Moves() {
				continue
			}
			l.items = append(l.items, l.out.Data)
			if l.out.Data.Kind == hw.ItemEnd {
				if code, err := l.d.slice(l.items); err != nil || code != hw.EndComplete {
					t.Fatalf("lane %d slice %d: end %d, %v", i, l.ends, code, err)
				}
				l.items = l.items[:0]
				if l.ends++; l.ends == len(l.slices) {
					done++
				}
			}
		}
	}
	for i := range ls {
		l := &ls[i]
		want, w, h, err := decodePicture(l.stream)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.d.cropped(w, h); !bytes.Equal(got, want) {
			t.Errorf("lane %d: the picture differs", i)
		}
	}
}
