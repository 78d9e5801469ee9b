package main

import (
	"vcsim/internal/drawing"
	"vcsim/sim"
)

// skidTiming runs sim.Skid under pauses of both sides and shows its two streams.
func skidTiming() (*drawing.Drawing, error) {
	const cycles = len(sourceRests)
	var in, out sim.Stream[int]
	skid := &sim.Skid[int]{In: &in, Out: &out}
	var k sim.Kernel
	host := &skidHost{in: &in, out: &out}
	k.Add(skid, host)
	tracks := make([]drawing.Track, 6)
	for i, name := range []string{"in_valid", "in_ready", "in_data", "out_valid", "out_ready", "out_data"} {
		tracks[i].Name = name
	}
	k.Watch(watch(func(uint64) {
		for i, s := range []*sim.Stream[int]{&in, &out} {
			add := func(track int, c drawing.Cycle) {
				tracks[3*i+track].Cycles = append(tracks[3*i+track].Cycles, c)
			}
			add(0, level(s.Valid))
			add(1, level(s.Ready))
			add(2, word(&s.Wire, string(rune('A'+s.Data)), 0))
		}
	}))
	k.Run(uint64(cycles))
	d := drawing.New(850, 210, "A skid buffer under pauses",
		"Valid, ready and data of the input and of the output of vc_skid in each cycle. A word moves where valid and ready are high; a word that waits holds.")
	d.Timing(drawing.Timing{At: point{X: 10, Y: 10}, Names: 88, Pitch: 37, Every: 1}, tracks)
	d.TimingLegend(point{X: 98, Y: 184}, "each letter is a word")
	return d, nil
}

// The cycles in which source and sink of skidTiming rest.
const (
	sourceRests = "x.......xx........x."
	sinkRests   = "....xxx.....x.x.x..."
)

// A skidHost offers letters, and takes them, with rests.
type skidHost struct {
	in, out *sim.Stream[int]
	cycle   int
}

func (h *skidHost) Eval() { h.out.Ready = sinkRests[h.cycle] == '.' }

func (h *skidHost) Clock() {
	h.cycle++
	if h.in.Moves() {
		h.in.Valid = false
		h.in.Data++
	}
	if !h.in.Valid && h.cycle < len(sourceRests) {
		h.in.Valid = sourceRests[h.cycle] == '.'
	}
}
