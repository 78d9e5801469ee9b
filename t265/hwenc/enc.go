package hwenc

import (
	"vcsim/sim"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_enc.v

// A Unit is the hardware encoder of the hw tier: frames by thread in, bytes of their
// slices out, as Encoder makes them. The host answers requests with source samples, and
// writes parameter sets and slice headers.
type Unit struct {
	Config *sim.Stream[hw.FrameConfig]
	Req    *sim.Stream[hw.CTURequest]
	Src    *sim.Stream[hw.SourceBeat]
	Out    *sim.Stream[SliceWord]

	heads  sim.Stream[Head]
	levels sim.Stream[SubLevels]
	pixels *PixelsUnit
	code   *CodeUnit
}

// NewUnit returns an encoder after reset.
func NewUnit(spec Spec, config *sim.Stream[hw.FrameConfig], req *sim.Stream[hw.CTURequest], src *sim.Stream[hw.SourceBeat], out *sim.Stream[SliceWord]) *Unit {
	u := &Unit{Config: config, Req: req, Src: src, Out: out}
	u.pixels = NewPixelsUnit(spec, config, req, src, &u.heads, &u.levels)
	u.pixels.SetAhead() // the store takes every word in its first cycle
	u.code = NewCodeUnit(spec, laneRunBits, &u.heads, &u.levels, out)
	return u
}

// Overflow reports that a lane lost bytes: a run of 2^16 outstanding ones.
func (u *Unit) Overflow() bool { return u.code.Overflow() }

// Ops returns the number of operations that the lanes take in this cycle, context values
// not counted.
func (u *Unit) Ops() uint64 { return u.code.ops() }

func (u *Unit) Eval() {
	u.code.Eval()
	u.pixels.Room = u.code.Store.Room
	u.pixels.Eval()
}

func (u *Unit) Clock() {
	s := u.code.Store
	s.Take, s.TakeThread = u.Req.Moves(), u.Req.Data.Thread
	u.code.Clock()
	u.pixels.Clock()
}

// SetStepped, before the first cycle, makes every unit go through every cycle, so
// that the streams between them can be watched. Otherwise a lane does what a word says
// at once and sleeps between events, and the pixel path does a CTU at once; the ports are
// the same.
func (u *Unit) SetStepped() {
	u.code.stepped = true
	u.pixels.setStepped()
}

// Observe names the units of the encoder to a, sources first: those of the pixel path,
// the store, and binariser, engine and packing of every lane. It implies SetStepped.
func (u *Unit) Observe(a *sim.Activity) {
	u.SetStepped()
	u.pixels.Observe(a)
	wires := func(w ...*sim.Wire) []*sim.Wire { return w }
	c := u.code
	var words []*sim.Wire
	for i := range c.lanes {
		words = append(words, &c.Store.Words[i].Wire)
	}
	a.Add("store", wires(&u.heads.Wire, &u.levels.Wire), words)
	words = nil
	for i, l := range c.lanes {
		a.AddNth("binarise", i, wires(&c.Store.Words[i].Wire), wires(&l.ops.Wire))
		a.AddNth("engine", i, wires(&l.ops.Wire), wires(&l.bytes.Wire))
		a.AddNth("pack", i, wires(&l.bytes.Wire), wires(&c.words[i].Wire))
		words = append(words, &c.words[i].Wire)
	}
	a.Add("arbiter", words, wires(&u.Out.Wire))
}
