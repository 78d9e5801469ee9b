package hwenc

import (
	"vcsim/sim"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_enc_sched.v

// A place is where a thread stands in its frame.
type place struct {
	width, height uint16
	qp            uint8  // SliceQpY
	high          uint32 // CTUs left with QP + 1
	fine          bool
	x, y          uint16
}

// The steps of the scheduler.
const (
	schedPick = iota
	schedRead
	schedSend
)

// A SchedUnit keeps the place of a frame by thread and asks for the next CTU of one
// thread after the other, of those with none before the closed loop and with room
// behind it. In a frame of one or two columns the row above a CTU ends with the CTU
// before it: there the next one waits for its end.
type SchedUnit struct {
	Config *sim.Stream[hw.FrameConfig]
	Req    *sim.Stream[hw.CTURequest]
	Job    *sim.Stream[Job]
	// Room tells, by thread, of room for one more CTU behind the pixel path, counted
	// from its request on; Free of no plan that waits before the closed loop; Idle of no
	// CTU there nor in the loop.
	Room, Free, Idle sim.Set
	// Planned is the thread whose plan comes in this cycle, or -1.
	Planned int

	threads       uint8
	places        []place
	state         uint8
	thread        uint8   // looked at, or being served
	more, pending sim.Set // by thread: CTUs are left to ask for; one has no plan
	narrow        sim.Set // frames of at most two columns
	held          bool    // config waits for its thread
	config        hw.FrameConfig
	reqValid      bool
	req           hw.CTURequest
	jobValid      bool
	job           Job
}

// NewSchedUnit returns a scheduler after reset.
func NewSchedUnit(spec Spec, config *sim.Stream[hw.FrameConfig], req *sim.Stream[hw.CTURequest], job *sim.Stream[Job]) *SchedUnit {
	return &SchedUnit{Config: config, Req: req, Job: job, Planned: -1, threads: uint8(spec.Threads), places: make([]place, spec.Threads)}
}

func (u *SchedUnit) Eval() {
	u.Config.Ready = !u.held
	u.Req.Valid, u.Req.Data = u.reqValid, u.req
	u.Job.Valid, u.Job.Data = u.jobValid, u.job
}

func (u *SchedUnit) Clock() {
	more, pending, held := u.more, u.pending, u.held
	if u.Planned >= 0 {
		u.pending.Put(u.Planned, false)
	}
	sent := (!u.reqValid || u.Req.Ready) && (!u.jobValid || u.Job.Ready)
	if u.Req.Ready {
		u.reqValid = false
	}
	if u.Job.Ready {
		u.jobValid = false
	}
	config := u.config
	if u.Config.Moves() {
		u.held, u.config = true, u.Config.Data
	}
	t := int(u.thread)
	switch u.state {
	case schedPick:
		if c := int(config.Thread); held && !more.Has(c) {
			u.start(c, &config)
			return
		}
		if more.Has(t) && !pending.Has(t) && u.Room.Has(t) && u.Free.Has(t) && (u.Idle.Has(t) || !u.narrow.Has(t)) {
			u.state = schedRead
			return
		}
		u.advance()
	case schedRead:
		u.issue(&u.places[t])
		u.pending.Put(t, true)
		u.state = schedSend
	case schedSend:
		if sent {
			u.state = schedPick
			u.advance()
		}
	}
}

func (u *SchedUnit) start(t int, c *hw.FrameConfig) {
	u.places[t] = place{width: c.Width, height: c.Height, qp: c.QP, high: c.High, fine: c.Fine}
	u.more.Put(t, true)
	u.narrow.Put(t, c.Width <= 2)
	u.held = false
}

func (u *SchedUnit) advance() {
	if u.thread++; u.thread == u.threads {
		u.thread = 0
	}
}

// issue asks for the CTU at p and steps to the next.
func (u *SchedUnit) issue(p *place) {
	rowEnd := p.x+1 == p.width
	last := rowEnd && p.y+1 == p.height
	j := Job{Thread: u.thread, X: p.x, QP: p.qp, High: p.high > 0, Fine: p.fine, First: p.x == 0 && p.y == 0, Last: last,
		Left: p.x > 0, Above: p.y > 0, Right: p.y > 0 && !rowEnd}
	if j.High {
		j.QP++
		p.high--
	}
	u.jobValid, u.job = true, j
	u.reqValid, u.req = true, hw.CTURequest{Thread: u.thread, X: p.x, Y: p.y, Last: last}
	if last {
		u.more.Put(int(u.thread), false)
	}
	if p.x++; rowEnd {
		p.x = 0
		p.y++
	}
}
