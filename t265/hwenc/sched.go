package hwenc

import (
	"vcsim/sim"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_enc_sched.v rtl/t265/t265_enc_ref.v

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

// The steps of a RefUnit.
const (
	refIdle  = iota
	refAbove // the row of the CTU above is there
	refOut   // that of the one on its right
)

// A RefUnit holds the last rows of the reconstructed CTUs above, by thread and column,
// and gives each job what is above its CTU. It reads two words a job, one after the
// other.
type RefUnit struct {
	Job *sim.Stream[Job]
	Out *sim.Stream[RefJob]
	// Entered is the thread whose CTU, in column EnteredX, enters the closed loop in
	// this cycle, or -1.
	Entered  int
	EnteredX uint16
	// Line is always taken: the CTU that left the loop.
	Line *sim.Stream[Line]

	xBits  int
	lines  *sim.RAM1R1W[[16]uint8]
	column []uint16 // of the CTU in the loop, by thread
	corner []uint8  // the last sample of the row that was read last, by thread
	state  uint8
	out    RefJob
}

// NewRefUnit returns the unit after reset.
func NewRefUnit(spec Spec, job *sim.Stream[Job], line *sim.Stream[Line], out *sim.Stream[RefJob]) *RefUnit {
	return &RefUnit{Job: job, Line: line, Out: out, Entered: -1, xBits: spec.XBits(),
		lines: sim.NewRAM1R1W[[16]uint8](spec.Threads << spec.XBits()), column: make([]uint16, spec.Threads), corner: make([]uint8, spec.Threads)}
}

func (u *RefUnit) Eval() {
	u.Job.Ready = u.state == refIdle || u.state == refOut && u.Out.Ready
	u.Line.Ready = true
	u.Out.Valid, u.Out.Data = u.state == refOut, u.out
	right := u.lines.Q()
	copy(u.Out.Data.Row[16:], right[:2])
}

func (u *RefUnit) address(thread uint8, x uint16) int { return int(thread)<<u.xBits | int(x) }

func (u *RefUnit) Clock() {
	switch {
	case u.Job.Moves():
		u.out.Job = u.Job.Data
		u.lines.Read(u.address(u.out.Thread, u.out.X))
		u.state = refAbove
	case u.state == refAbove:
		above := u.lines.Q()
		copy(u.out.Row[:], above[:])
		u.out.Corner = 0
		if u.out.Left {
			u.out.Corner = u.corner[u.out.Thread]
		}
		u.corner[u.out.Thread] = above[15]
		u.lines.Read(u.address(u.out.Thread, (u.out.X+1)&(1<<u.xBits-1)))
		u.state = refOut
	case u.Out.Ready:
		u.state = refIdle
	}
	if u.Line.Valid {
		l := &u.Line.Data
		u.lines.Write(u.address(l.Thread, u.column[l.Thread]), l.Samples)
	}
	if u.Entered >= 0 {
		u.column[u.Entered] = u.EnteredX
	}
	u.lines.Clock()
}
