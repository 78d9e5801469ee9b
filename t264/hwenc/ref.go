package hwenc

import "vcsim/sim"

// RTL: rtl/t264/t264_enc_ref.v

// maxInFlight is above the number of macroblocks between refUnit and the end of
// the loop: one at the output of refUnit, two in the mode decision, one in the
// transform, two headers, one in the DC path, one done.
const maxInFlight = 16

// A refUnit holds the bottom rows of the macroblocks above and the right columns
// of those on the left, by thread. Even cycles read, odd ones write.
type refUnit struct {
	job  *sim.Stream[job]
	done *sim.Stream[*macroblock]
	out  sim.Stream[*macroblock]

	above [][]border // by thread and column
	left  []border
	odd   bool
	pool  [maxInFlight]macroblock
	next  int
}

func (u *refUnit) evalDone() { u.done.Ready = u.odd }
func (u *refUnit) eval()     { u.job.Ready = !u.odd && (!u.out.Valid || u.out.Ready) }

// clock takes the macroblock that leaves the loop in this cycle, if any.
func (u *refUnit) clock(done *macroblock) {
	if u.out.Moves() {
		u.out.Valid = false
	}
	if done != nil {
		u.above[done.thread][done.x] = done.bottom
		u.left[done.thread] = done.right
	}
	if u.job.Moves() {
		m := &u.pool[u.next]
		u.next = (u.next + 1) % maxInFlight
		m.job = u.job.Data
		m.aboveRef, m.leftRef = u.above[m.thread][m.x], u.left[m.thread]
		if !m.above {
			m.aboveRef.coded = 0x1f
		}
		if !m.left {
			m.leftRef.coded = 0x1f
		}
		u.out.Valid, u.out.Data = true, m
	}
	u.odd = !u.odd
}
