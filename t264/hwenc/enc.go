// Package hwenc is the hardware encoder of the hw tier of t264: its clocked
// units, the forms of them that run ahead, and the host beside them.
package hwenc

import (
	"vcsim/sim"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_enc.v

// A Unit is the hardware encoder of the hw tier: frames by thread in,
// bytes of their slices out, as Encoder makes them. The host answers requests
// with source samples, and writes parameter sets and slice headers: Host.
type Unit struct {
	Config *sim.Stream[hw.FrameConfig]
	Req    *sim.Stream[hw.MBRequest]
	Src    *sim.Stream[hw.SourceBeat]
	Out    *sim.Stream[SliceWord]

	ac     sim.Stream[hw.ACToken]
	mb     sim.Stream[hw.MBToken]
	pixels *PixelsUnit
	code   *CodeUnit
}

// NewUnit returns an encoder after reset.
func NewUnit(spec Spec, cfg *sim.Stream[hw.FrameConfig], req *sim.Stream[hw.MBRequest], src *sim.Stream[hw.SourceBeat], out *sim.Stream[SliceWord]) *Unit {
	u := &Unit{Config: cfg, Req: req, Src: src, Out: out}
	u.pixels = NewPixelsUnit(spec, cfg, req, src, &u.ac, &u.mb)
	u.pixels.SetAhead() // the store takes every token in its first cycle
	u.code = NewCodeUnit(spec, laneRunBits, &u.ac, &u.mb, out)
	return u
}

// Overflow reports that a lane lost bytes: a run of 2^16 outstanding ones.
func (u *Unit) Overflow() bool { return u.code.Overflow() }

func (u *Unit) Eval() {
	u.code.Eval()
	u.pixels.Room = u.code.Room
	u.pixels.Eval()
}

func (u *Unit) Clock() {
	u.code.Take, u.code.TakeThread = u.Req.Moves(), u.Req.Data.Thread
	u.code.Clock()
	u.pixels.Clock()
}

// SetStepped, before the first cycle, makes every unit go through every cycle, so
// that the streams between them can be watched. Otherwise a lane does a
// block at once and sleeps between events, and the pixel path does a macroblock at
// once; the ports are the same.
func (u *Unit) SetStepped() {
	u.code.stepped = true
	u.pixels.setStepped()
}

// Observe names the units of the encoder to a, sources first: those of the pixel
// path, the store, and binariser, engine and packing of every lane. It implies
// SetStepped.
func (u *Unit) Observe(a *sim.Activity) {
	u.SetStepped()
	u.pixels.Observe(a)
	wires := func(w ...*sim.Wire) []*sim.Wire { return w }
	c := u.code
	a.Add("store", wires(&u.ac.Wire, &u.mb.Wire), nil)
	var words []*sim.Wire
	for i, l := range c.lanes {
		a.AddNth("residual", i, nil, wires(&c.store.Fetch[i].Wire, &l.ops.Wire))
		a.AddNth("engine", i, wires(&l.ops.Wire), wires(&l.bytes.Wire))
		a.AddNth("pack", i, wires(&l.bytes.Wire), wires(&c.words[i].Wire))
		words = append(words, &c.words[i].Wire)
	}
	a.Add("arbiter", words, wires(&u.Out.Wire))
}
