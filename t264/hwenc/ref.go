package hwenc

import "vcsim/sim"

// RTL: rtl/t264/t264_enc_ref.v

// encInFlight is above the number of macroblocks between encRef and the end of
// the loop: one at the output of encRef, two in the mode decision, one in the
// transform, two headers, one in the DC path, one done.
const encInFlight = 16

// An encRef holds the bottom rows of the macroblocks above and the right columns
// of those on the left, by thread. Even cycles read, odd ones write.
type encRef struct {
	job  *sim.Stream[encJob]
	done *sim.Stream[*encMB]
	out  sim.Stream[*encMB]

	above [][]border // by thread and column
	left  []border
	odd   bool
	pool  [encInFlight]encMB
	next  int
}

func (u *encRef) evalDone() { u.done.Ready = u.odd }
func (u *encRef) eval()     { u.job.Ready = !u.odd && (!u.out.Valid || u.out.Ready) }

// clock takes the macroblock that leaves the loop in this cycle, if any.
func (u *encRef) clock(done *encMB) {
	if u.out.Moves() {
		u.out.Valid = false
	}
	if done != nil {
		u.above[done.thread][done.x] = done.bottom
		u.left[done.thread] = done.right
	}
	if u.job.Moves() {
		m := &u.pool[u.next]
		u.next = (u.next + 1) % encInFlight
		m.encJob = u.job.Data
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
