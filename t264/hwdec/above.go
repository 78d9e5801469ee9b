package hwdec

import (
	"vcsim/sim"
)

// RTL: rtl/t264/t264_dec_above.v

// An AboveUnit is the memory of above words of all decoder lanes, in one RAM
// with one port. A request takes two cycles, one to write and one to read, and a
// lane has one in each macroblock. Latency 4 for a lane that is alone and
// selected.
type AboveUnit struct {
	In  []*sim.Stream[AboveRequest]
	Out []*sim.Stream[uint32] // taken when valid: the lane waits for it

	mbBits  uint
	arbiter sim.Arbiter[AboveRequest]
	chosen  sim.Stream[sim.Tagged[AboveRequest]]
	ram     *sim.RAM1RW[uint32]
	read    bool // second cycle of a request
	reply   bool
	lane    int // of the reply
}

// NewAboveUnit returns a unit for the lanes at the other ends, of the given
// Spec.
func NewAboveUnit(spec LaneSpec, in []*sim.Stream[AboveRequest], out []*sim.Stream[uint32]) *AboveUnit {
	u := &AboveUnit{In: in, Out: out, mbBits: uint(spec.MBBits())}
	u.arbiter.In, u.arbiter.Out = in, &u.chosen
	u.ram = sim.NewRAM1RW[uint32](len(in) << u.mbBits)
	return u
}

// Word is what the memory shows, also while there is no reply.
func (u *AboveUnit) Word() uint32 { return u.ram.Q() }

func (u *AboveUnit) Eval() {
	for i, s := range u.Out {
		s.Valid, s.Data = u.reply && u.lane == i, u.ram.Q()
	}
	u.chosen.Ready = u.read
	u.arbiter.Eval()
}

func (u *AboveUnit) Clock() {
	u.reply = u.read
	if u.chosen.Valid {
		q, base := &u.chosen.Data.Word, u.chosen.Data.Source<<u.mbBits
		switch {
		case u.read:
			u.ram.Read(base + int(q.Read))
			u.lane = u.chosen.Data.Source
		case q.Write:
			u.ram.Write(base+int(q.X), q.Word)
		}
	}
	u.read = u.chosen.Valid && !u.read
	u.arbiter.Clock()
	u.ram.Clock()
}
