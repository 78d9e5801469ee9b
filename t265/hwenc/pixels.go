package hwenc

import (
	"vcsim/sim"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_enc_pixels.v

// A PixelsUnit is the pixel path of the hardware encoder: frames by thread in, levels
// and heads for the entropy coding out. Two CTUs of a thread are in it at most: one
// before tree, where mode and tree are decided, and one in the closed loop, of which
// one transform block at a time is under way.
//
//	sched -> ref -> decide -> tree -> samples -+-> forward -+-> quant -> Levels
//	          ^       `-> source memory --^ ^  '------------'    |
//	          |       `-> Heads             `-------- inverse <--'
//	          `------------------------------ samples
type PixelsUnit struct {
	Config *sim.Stream[hw.FrameConfig]
	Req    *sim.Stream[hw.CTURequest]
	Src    *sim.Stream[hw.SourceBeat]
	Heads  *sim.Stream[Head]      // always taken
	Levels *sim.Stream[SubLevels] // always taken
	// Room tells, by thread, of room for one more CTU behind the pixel path, counted
	// from its request on.
	Room sim.Set

	threads int
	sched   *SchedUnit
	ref     *RefUnit
	decide  decider
	tree    *TreeUnit
	samples *SamplesUnit
	forward *ForwardUnit
	quant   *QuantUnit
	inverse *InverseUnit
	// The source samples of two CTUs of each thread, in the loop and before it, by slot,
	// thread, and number of the beat without its lowest bit; and by that bit.
	source [2]*sim.RAM1R1W[hw.SourceBeat]

	job    sim.Stream[Job]
	refJob sim.Stream[RefJob]
	plan   sim.Stream[Plan]
	tu     sim.Stream[FirstTU]
	res    sim.Stream[Residual]
	skip   sim.Stream[SkipResidual]
	coef   sim.Stream[Coefs]
	deq    sim.Stream[Coefs]
	scaled sim.Stream[SkipScaled]
	inv    sim.Stream[Residual]
	done   sim.Stream[Done]
	line   sim.Stream[Line]

	spec  Spec
	ahead *pixelsAhead // stands for all units but the scheduler, if not nil
}

// A decider is a DecideUnit, or what stands for it.
type decider interface {
	sim.Unit
	Written() (beat hw.SourceBeat, addr int, valid bool)
}

// NewPixelsUnit returns a pixel path after reset.
func NewPixelsUnit(spec Spec, config *sim.Stream[hw.FrameConfig], req *sim.Stream[hw.CTURequest], src *sim.Stream[hw.SourceBeat], heads *sim.Stream[Head],
	levels *sim.Stream[SubLevels]) *PixelsUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	u := &PixelsUnit{Config: config, Req: req, Src: src, Heads: heads, Levels: levels, threads: spec.Threads, spec: spec}
	u.sched = NewSchedUnit(spec, config, req, &u.job)
	u.ref = NewRefUnit(spec, &u.job, &u.line, &u.refJob)
	u.decide = NewDecideUnit(spec, &u.refJob, src, &u.plan)
	u.tree = NewTreeUnit(spec, &u.plan, &u.done, heads, &u.tu)
	u.samples = NewSamplesUnit(spec, &u.tu, &u.res, &u.skip, &u.inv, &u.scaled, &u.done, &u.line)
	u.forward = NewForwardUnit(spec.MaxTU, &u.res, &u.coef)
	u.quant = NewQuantUnit(true, &u.coef, &u.skip, levels, &u.deq, &u.scaled)
	u.inverse = NewInverseUnit(spec.MaxTU, &u.deq, &u.inv)
	for i := range u.source {
		u.source[i] = sim.NewRAM1R1W[hw.SourceBeat](spec.Threads * sourceBeats)
	}
	return u
}

// sourceBeats is the number of beats of source samples of a CTU.
const sourceBeats = 16 * 16 / Values

// SetAhead, before the first cycle, lets a pixelsAhead stand for the units behind the
// scheduler. Then the data of Heads and Levels means nothing when they are not valid; all
// else is the same in every cycle.
func (u *PixelsUnit) SetAhead() { u.ahead = newPixelsAhead(u.spec, u) }

// setStepped undoes SetAhead.
func (u *PixelsUnit) setStepped() {
	if u.ahead != nil && u.ahead.begun {
		panic("t265: a pixel path is stepped from its first cycle on, or not at all")
	}
	u.ahead = nil
}

func (u *PixelsUnit) Eval() {
	if u.ahead != nil {
		u.ahead.eval()
		return
	}
	u.Levels.Ready = true
	u.samples.Eval() // valid of skip, ready of inv and scaled
	u.quant.Eval()   // valid of deq
	u.inverse.Eval()
	u.quant.Eval()
	u.forward.Eval()
	u.samples.Eval()
	u.tree.Eval()
	u.decide.Eval()
	u.ref.Eval()
	u.sched.Eval()
}

func (u *PixelsUnit) Clock() {
	if u.ahead != nil {
		u.ahead.clock(u.Room)
		return
	}
	u.sched.Room, u.sched.Free, u.sched.Idle, u.sched.Planned, u.ref.Entered = u.Room, u.tree.Free, u.tree.Idle, -1, -1
	if u.plan.Valid {
		u.sched.Planned = int(u.plan.Data.Thread)
	}
	if u.Heads.Valid {
		u.ref.Entered, u.ref.EnteredX = int(u.Heads.Data.Thread), u.tree.EnteredX
	}
	beat, addr, write := u.decide.Written()
	if write {
		u.source[addr&1].Write(addr>>1+u.slot(addr/sourceBeats, true), beat)
	}
	for i, ram := range u.source {
		u.samples.Src[i] = ram.Q()
		if u.samples.SrcRead[i] {
			at := int(u.samples.SrcAddr)
			ram.Read(at + u.slot(at/(sourceBeats/2), false))
		}
		if write || u.samples.SrcRead[i] {
			ram.Clock()
		}
	}
	u.decide.Clock()
	u.samples.Clock()
	u.inverse.Clock()
	u.quant.Clock()
	u.forward.Clock()
	u.tree.Clock()
	u.ref.Clock()
	u.sched.Clock()
}

// slot returns the first word of a slot of a thread: that of the CTU in the closed loop,
// or the other one.
func (u *PixelsUnit) slot(thread int, other bool) int {
	if u.tree.Slot.Has(thread) != other {
		return u.threads * sourceBeats / 2
	}
	return 0
}

// Observe adds the units to a, in dataflow order.
func (u *PixelsUnit) Observe(a *sim.Activity) {
	wires := func(w ...*sim.Wire) []*sim.Wire { return w }
	a.Add("sched", wires(&u.Config.Wire), wires(&u.Req.Wire, &u.job.Wire))
	a.Add("ref", wires(&u.job.Wire), wires(&u.refJob.Wire))
	a.Add("decide", wires(&u.refJob.Wire, &u.Src.Wire), wires(&u.plan.Wire))
	a.Add("tree", wires(&u.plan.Wire, &u.done.Wire), wires(&u.tu.Wire))
	a.Add("predict", wires(&u.tu.Wire), wires(&u.res.Wire, &u.skip.Wire))
	a.Add("forward", wires(&u.res.Wire), wires(&u.coef.Wire))
	a.Add("quant", wires(&u.coef.Wire, &u.skip.Wire), wires(&u.Levels.Wire, &u.deq.Wire, &u.scaled.Wire))
	a.Add("inverse", wires(&u.deq.Wire), wires(&u.inv.Wire))
	a.Add("recon", wires(&u.inv.Wire, &u.scaled.Wire), wires(&u.done.Wire))
}
