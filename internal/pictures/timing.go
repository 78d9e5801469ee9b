package main

import (
	"fmt"
	"math/rand/v2"

	"vcsim/internal/drawing"
	"vcsim/sim"
	"vcsim/t264"
	"vcsim/t264/hwdec"
	"vcsim/t264/hwenc"
)

// noise is a plane of side x side codes of Gaussian values, as those of a tensor are.
func noise(random *rand.Rand, side int) []byte {
	p := make([]byte, side*side)
	for i := range p {
		p[i] = byte(max(0, min(255, 128.5+12*random.NormFloat64())))
	}
	return p
}

// A streamTrack is a stream that a timing diagram shows, by the name that sim.Activity has for it.
type streamTrack struct {
	stream, name string
	words        int // of one macroblock
}

// newEncoder returns a host with an encoder of threads lanes, which has frames of noise to code, and the
// activity of its units. QP is that of the frames.
func newEncoder(threads, qp int) (*hwenc.Host, *sim.Activity, error) {
	const side = 64
	host, err := hwenc.NewHost(hwenc.Spec{Threads: threads, Lanes: threads, Values: 8, Bypass: 4, FrameMBs: side / 16})
	if err != nil {
		return nil, nil, err
	}
	random := rand.New(rand.NewPCG(26, 4))
	var frames []hwenc.Frame
	for range 3 * threads {
		frames = append(frames, hwenc.Frame{Pix: noise(random, side), Stride: side, Width: side, Height: side, QP16: 16 * qp})
	}
	if err := host.Begin(frames); err != nil {
		return nil, nil, err
	}
	a := new(sim.Activity)
	host.Unit.Observe(a)
	return host, a, nil
}

// encoderTiming shows the macroblocks of several threads in the pixel path of the encoder.
func encoderTiming() (*drawing.Drawing, error) {
	const from, cycles = 1000, 140
	host, activity, err := newEncoder(8, 40) // a high QP: no lane holds the pixel path up
	if err != nil {
		return nil, err
	}
	tracks := trace(&host.Kernel, activity, from, cycles, []streamTrack{
		{"sched.out0", "request", 1},
		{"mode.in1", "samples", 32},
		{"ref.out0", "ref", 1},
		{"mode.out0", "mode", 1},
		{"mode.out1", "to dct", 32},
		{"dct.out1", "coefficients", 32},
		{"quant.out0", "AC levels", 16},
		{"quant.out2", "border blocks", 7},
		{"dc.out0", "MB", 1},
		{"dc.out1", "DCs back", 8},
		{"border.out0", "border", 1},
	})
	d := drawing.New(960, 326, "Macroblocks in the pixel path of the encoder",
		"Each row is a stream of the T.264 encoder in 140 cycles, each colour a macroblock of another thread. Samples of a macroblock enter for 32 of 33 cycles; its levels leave while those of the next one enter; its border comes back before its thread has another turn.")
	d.Timing(drawing.Timing{At: point{X: 10, Y: 8}, Names: 106, Pitch: 6, First: from, Every: 20}, tracks)
	d.TimingLegend(point{X: 116, Y: 300}, "each colour is a macroblock of another thread")
	return d, nil
}

// laneTiming shows one lane of the encoder.
func laneTiming() (*drawing.Drawing, error) {
	const from, cycles = 1000, 140
	host, activity, err := newEncoder(8, 26)
	if err != nil {
		return nil, err
	}
	const whole = 1 << 30 // one hue
	tracks := trace(&host.Kernel, activity, from, cycles, []streamTrack{
		{"residual 0.out0", "fetch", whole},
		{"residual 0.out1", "operations", whole},
		{"engine 0.out0", "bytes", whole},
		{"pack 0.out0", "words", whole},
	})
	d := drawing.New(960, 158, "A lane of the encoder",
		"The fetches, operations, bytes and words of one lane in 140 cycles: an operation in nearly every cycle, a byte every eight or so, a word after eight bytes.")
	d.Timing(drawing.Timing{At: point{X: 10, Y: 8}, Names: 106, Pitch: 6, First: from, Every: 20}, tracks)
	d.TimingLegend(point{X: 116, Y: 132}, "")
	return d, nil
}

// decoderTiming shows the blocks of four lanes in the pixel path of the decoder.
func decoderTiming() (*drawing.Drawing, error) {
	const (
		lanes, side  = 4, 64
		from, cycles = 1150, 100
	)
	random := rand.New(rand.NewPCG(26, 4))
	encoder, err := t264.NewEncoder(t264.Params{Width: side, Height: side})
	if err != nil {
		return nil, err
	}
	stream := encoder.AppendHeader(nil)
	for range 2 * lanes {
		if stream, err = encoder.AppendFrame(stream, noise(random, side), side, 34); err != nil {
			return nil, err
		}
	}
	slices, err := hwdec.Slices(stream)
	if err != nil {
		return nil, err
	}
	spec := hwdec.DefaultSpec()
	spec.Lanes, spec.FrameMBs = lanes, 4
	host, err := hwdec.NewHost(spec)
	if err != nil {
		return nil, err
	}
	var pictures [][]hwdec.Slice
	for i := range slices {
		pictures = append(pictures, slices[i:i+1])
	}
	if err := host.Begin(pictures); err != nil {
		return nil, err
	}
	var activity sim.Activity
	host.Unit.Observe(&activity)
	items := make([]*sim.Wire, lanes)
	activity.Wires(func(name string, w *sim.Wire) {
		for i := range lanes {
			if name == fmt.Sprintf("lane %d.out0", i) {
				items[i] = w
			}
		}
	})
	tracks := make([]drawing.Track, lanes+1)
	for i := range lanes {
		tracks[i].Name = fmt.Sprintf("items, lane %d", i)
	}
	tracks[lanes].Name = "samples"
	_, _, out := host.Ports()
	host.Kernel.Watch(watch(func(cycle uint64) {
		if cycle < from {
			return
		}
		for i, w := range items {
			tracks[i].Cycles = append(tracks[i].Cycles, word(w, "", i))
		}
		tracks[lanes].Cycles = append(tracks[lanes].Cycles, word(&out.Wire, "", int(out.Data.Thread)))
	}))
	host.Kernel.Run(from + cycles)
	d := drawing.New(960, 182, "Blocks of four lanes in the decoder",
		"The items that each of four lanes hands over, and the samples that leave, in 100 cycles; each lane has a colour. Blocks of different lanes leave in slots of four cycles.")
	d.Timing(drawing.Timing{At: point{X: 10, Y: 8}, Names: 106, Pitch: 8.4, First: from, Every: 4}, tracks)
	d.TimingLegend(point{X: 116, Y: 156}, "each colour is a lane")
	return d, nil
}

// trace steps a kernel up to the end of a window and returns what moved on some streams of a. The
// words of a macroblock have one hue.
func trace(k *sim.Kernel, a *sim.Activity, from, cycles uint64, show []streamTrack) []drawing.Track {
	tracks := make([]drawing.Track, len(show))
	wires := make([]*sim.Wire, len(show))
	moved := make([]int, len(show))
	a.Wires(func(name string, w *sim.Wire) {
		for i, s := range show {
			if s.stream == name {
				wires[i] = w
			}
		}
	})
	k.Watch(watch(func(cycle uint64) {
		for i, s := range show {
			if cycle >= from {
				tracks[i].Cycles = append(tracks[i].Cycles, word(wires[i], "", moved[i]/s.words))
			}
			if wires[i].Moves() {
				moved[i]++
			}
		}
	}))
	for i, s := range show {
		tracks[i].Name = s.name
	}
	k.Run(from + cycles)
	return tracks
}
