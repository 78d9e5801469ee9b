package hwenc

import "vcsim/sim"

// RTL: rtl/t265/t265_enc_ref.v

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
