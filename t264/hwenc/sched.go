package hwenc

import (
	"vcsim/sim"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_enc_sched.v

// A job is a macroblock to code.
type job struct {
	thread      uint8  `rtl:"ThreadBits"`
	x           uint16 `rtl:"XBits"`
	last        bool   // of the frame
	qp, sliceQP uint8  `rtl:"6"` // 0..51
	delta       uint8  `rtl:"2"` // mb_qp_delta: 0, 1, or 2 for -1
	changed     bool   // mb_qp_delta of the macroblock before was not 0
	left, above bool   // available
}

// A place is where a thread stands in its frame.
type place struct {
	cfg     hw.FrameConfig
	x, y    uint16
	acc     uint8 // sixteenths of QP steps gathered, 0..15
	high    bool  // the macroblock before had the higher QP
	changed bool
}

// The steps of the scheduler.
const (
	schedPick = iota
	schedRead
	schedSend
)

// A schedUnit keeps the place of a frame by thread and asks for the next
// macroblock of one thread after the other, of those with none in the loop and
// with room behind it.
type schedUnit struct {
	cfg  *sim.Stream[hw.FrameConfig]
	req  *sim.Stream[hw.MBRequest]
	job  sim.Stream[job]
	room *uint64

	threads      uint8
	places       []place
	state        uint8
	thread       uint8  // looked at, or being served
	more, flight uint64 // by thread: macroblocks are left to ask for; one is in the loop
	held         bool   // cfgWord waits for its thread
	cfgWord      hw.FrameConfig
	reqValid     bool
	reqWord      hw.MBRequest
}

func (u *schedUnit) eval() {
	u.cfg.Ready = !u.held
	u.req.Valid, u.req.Data = u.reqValid, u.reqWord
}

// clock takes the macroblock that leaves the loop in this cycle, if any.
func (u *schedUnit) clock(done *macroblock) {
	more, flight := u.more, u.flight
	if done != nil {
		u.flight &^= 1 << done.thread
	}
	if u.req.Moves() {
		u.reqValid = false
	}
	if u.job.Moves() {
		u.job.Valid = false
	}
	held := u.held
	if u.cfg.Moves() {
		u.held, u.cfgWord = true, u.cfg.Data
	}
	bit := uint64(1) << u.thread
	switch u.state {
	case schedPick:
		if t := u.cfgWord.Thread; held && (more|flight)>>t&1 == 0 {
			u.places[t] = place{cfg: u.cfgWord}
			u.more |= 1 << t
			u.held = false
			return
		}
		if more&^flight&*u.room&bit != 0 {
			u.state = schedRead
			return
		}
		u.advance()
	case schedRead:
		u.issue(&u.places[u.thread])
		u.flight |= bit
		u.state = schedSend
	case schedSend:
		if !u.reqValid && !u.job.Valid {
			u.state = schedPick
			u.advance()
		}
	}
}

func (u *schedUnit) advance() {
	if u.thread++; u.thread == u.threads {
		u.thread = 0
	}
}

// issue asks for the macroblock at p and steps to the next. The rule of the QP
// is that of Encoder.nextQP.
func (u *schedUnit) issue(p *place) {
	rowEnd := p.x == p.cfg.Width-1
	last := rowEnd && p.y == p.cfg.Height-1
	sum := p.acc + uint8(p.cfg.QP16&15)
	high := sum >= 16
	j := job{thread: u.thread, x: p.x, last: last, sliceQP: uint8(p.cfg.QP16 >> 4), changed: p.changed, left: p.x > 0, above: p.y > 0}
	j.qp = j.sliceQP
	if high {
		j.qp++
	}
	switch {
	case high && !p.high:
		j.delta = 1
	case p.high && !high:
		j.delta = 2
	}
	u.job.Valid, u.job.Data = true, j
	u.reqValid, u.reqWord = true, hw.MBRequest{Thread: u.thread, X: p.x, Y: p.y, Last: last}
	if last {
		u.more &^= 1 << u.thread
	}
	p.acc, p.high, p.changed = sum&15, high, j.delta != 0
	if p.x++; rowEnd {
		p.x = 0
		p.y++
	}
}
