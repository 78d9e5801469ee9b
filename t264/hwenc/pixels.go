package hwenc

import (
	"vcsim/sim"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_enc_pixels.v

// PixelsUnit is the pixel path of the hardware encoder: frames by thread in,
// levels and headers for the entropy coding out. One macroblock of a thread is in
// the loop at a time.
//
//	sched -> ref -> mode -> dct -> quant -> AC
//	          ^               `-> headers  |  `-> dc -> MB
//	          `------- border <------------+--------'
//
// The streams between the units are driven in clock, from sinks to sources, and
// hold still in eval.
type PixelsUnit struct {
	Config *sim.Stream[hw.FrameConfig]
	Req    *sim.Stream[hw.MBRequest]
	Src    *sim.Stream[hw.SourceBeat]
	AC     *sim.Stream[hw.ACToken]
	MB     *sim.Stream[hw.MBToken]
	// Room tells, by thread, of room for one more macroblock behind AC and MB,
	// counted from its request on.
	Room uint64

	sched   schedUnit
	ref     refUnit
	mode    modeUnit
	dct     dctUnit
	quant   quantUnit
	headers *sim.FIFO[*macroblock]
	dc      dcUnit
	blocks  *sim.FIFO[codedBlock] // two wait, and one more at
	waiting sim.Stream[codedBlock]
	block   sim.Pipe[codedBlock]
	border  borderUnit
	words   *sim.RAMFIFO[borderWord]
	ahead   *pixelsAhead // stands for the units from mode on, if not nil
}

// NewPixelsUnit returns a pixel path after reset.
func NewPixelsUnit(spec Spec, cfg *sim.Stream[hw.FrameConfig], req *sim.Stream[hw.MBRequest], src *sim.Stream[hw.SourceBeat], ac *sim.Stream[hw.ACToken], mb *sim.Stream[hw.MBToken]) *PixelsUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	u := &PixelsUnit{Config: cfg, Req: req, Src: src, AC: ac, MB: mb}
	beats := uint8(16/spec.Values - 1)
	u.sched = schedUnit{cfg: cfg, req: req, room: &u.Room, threads: uint8(spec.Threads), places: make([]place, spec.Threads)}
	u.ref = refUnit{job: &u.sched.job, done: &u.border.done, left: make([]border, spec.Threads), above: make([][]border, spec.Threads)}
	for t := range u.ref.above {
		u.ref.above[t] = make([]border, 1<<spec.XBits())
	}
	u.mode = modeUnit{modeInput: modeInput{ref: &u.ref.out, src: src, values: spec.Values}}
	u.dct = dctUnit{tok: &u.mode.tok, last: beats}
	u.mode.queue = sim.NewRAMFIFO(&u.mode.beats, &u.dct.beat, 256/spec.Values+8)
	u.quant = quantUnit{in: &u.dct.out, ac: ac, last: beats}
	u.dc = dcUnit{in: &u.quant.sum, mb: mb}
	u.headers = sim.NewFIFO(&u.dct.hdr, &u.dc.hdr, 2)
	u.border.dc = &u.dc.out
	u.blocks = sim.NewFIFO(&u.quant.edge, &u.waiting, 2)
	u.block = sim.Pipe[codedBlock]{In: &u.waiting, Out: &u.border.blocks}
	u.words = sim.NewRAMFIFO(&u.border.words, &u.border.queued, 16)
	return u
}

// SetAhead, before the first cycle, lets a pixelsAhead stand for the units from mode
// on. AC and MB must be ready whenever they are valid, and their data means
// nothing when they are not; all else is the same in every cycle.
func (u *PixelsUnit) SetAhead() {
	u.ahead = newPixelsAhead(u.mode.values, &u.ref.out, u.Src, u.AC, u.MB)
	u.ref.done = &u.ahead.done
}

// setStepped undoes SetAhead.
func (u *PixelsUnit) setStepped() {
	if u.ahead != nil && u.ahead.cycle > 0 {
		panic("t264: a pixel path is stepped from its first cycle on, or not at all")
	}
	u.ahead = nil
	u.ref.done = &u.border.done
}

func (u *PixelsUnit) Eval() {
	if u.ahead != nil {
		u.ref.evalDone()
		u.ahead.eval()
		u.ref.eval()
		u.sched.eval()
		return
	}
	u.mode.queue.Eval()
	u.headers.Eval()
	u.blocks.Eval()
	u.words.Eval()
	u.ref.evalDone()
	u.border.eval()
	u.block.Eval()
	u.dc.eval()
	u.quant.eval()
	u.dct.eval()
	u.mode.eval()
	u.ref.eval()
	u.sched.eval()
}

func (u *PixelsUnit) Clock() {
	var done *macroblock
	if u.ref.done.Moves() {
		done = u.ref.done.Data
	}
	if u.ahead != nil {
		u.ahead.clock()
		u.ref.clock(done)
		u.sched.clock(done)
		return
	}
	u.mode.push()
	u.mode.queue.Clock()
	u.headers.Clock()
	u.blocks.Clock()
	u.block.Clock()
	u.words.Clock()
	u.border.clock()
	u.dc.clock(u.AC.Moves() && u.AC.Data.Block == 15)
	u.quant.clock()
	u.dct.clock()
	u.mode.clock()
	u.ref.clock(done)
	u.sched.clock(done)
}

// Observe adds the units to a, in dataflow order.
func (u *PixelsUnit) Observe(a *sim.Activity) {
	wires := func(w ...*sim.Wire) []*sim.Wire { return w }
	a.Add("sched", wires(&u.Config.Wire), wires(&u.Req.Wire, &u.sched.job.Wire))
	a.Add("ref", wires(&u.sched.job.Wire), wires(&u.ref.out.Wire))
	a.Add("mode", wires(&u.ref.out.Wire, &u.Src.Wire), wires(&u.mode.tok.Wire, &u.dct.beat.Wire))
	a.Add("dct", wires(&u.mode.tok.Wire, &u.dct.beat.Wire), wires(&u.dct.hdr.Wire, &u.dct.out.Wire))
	a.Add("quant", wires(&u.dct.out.Wire), wires(&u.AC.Wire, &u.quant.sum.Wire, &u.quant.edge.Wire))
	a.Add("dc", wires(&u.quant.sum.Wire, &u.dc.hdr.Wire), wires(&u.MB.Wire, &u.dc.out.Wire))
	a.Add("border", wires(&u.quant.edge.Wire, &u.dc.out.Wire), wires(&u.border.done.Wire))
}
