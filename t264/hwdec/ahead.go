package hwdec

import (
	"math/bits"

	"vcsim/internal/cabachw"
	"vcsim/t264/hw"
)

// A unitAhead is what runs a Unit whose lanes go ahead. Between two events that
// it shares with others (a word or a configuration that can move in, an item, a
// request for an above word) a lane decodes at once, and only the cycles of the
// events are kept. In all others the lane is not touched.
type unitAhead struct {
	u     *Unit
	cycle uint64
	lanes []laneAhead

	// By lane, in this cycle: Ready of Words and Config, and what is valid or asked
	// for within the decoder; turned are those whose Ready changed with it.
	ready, config, items, asks, init uint64
	turned                           uint64
	shown                            uint64 // ready, as Words have it
	other                            bool   // the item may be another than in the cycle before
	above                            uint64 // cycle up to which the memory of above words is stepped
	context                          uint64 // cycle from which on a lane gets its contexts

	// Events to come, by cycle modulo their number: lanes that have one. The last
	// holds all that are further away.
	events [64]laneEvents
}

// laneEvents are lanes with events in a cycle.
type laneEvents struct{ ready, items, rest uint64 }

// A laneAhead is a lane that goes ahead: a ParseUnit with cabachw.DecoderAhead
// around it. Its time is that of the decoder, Now.
type laneAhead struct {
	*ParseUnit
	d    *cabachw.DecoderAhead
	req  cabachw.Request
	item hw.Item
	// Of the block: levels that are not decoded yet, by scan position, and those of
	// the item that comes next.
	mask, data uint64
	// run has come to an item, or to a request of Above or Config.
	pushed, rested bool
	// Cycles from which on: the item is valid; Out is free, if valid is not set; a
	// sign can be taken, with the group found; Above or Config is; Error has the
	// code; a word can move in, as far as that was noted.
	itemAt, freeAt, signAt, restAt, errorAt, readyAt uint64
}

// contextCycles is the time from the cycle in which the unit of the contexts sees
// a lane that asks to the one that sets the last.
const contextCycles = hw.DecContexts + 2

func newUnitAhead(u *Unit) *unitAhead {
	a := &unitAhead{u: u, lanes: make([]laneAhead, u.spec.Lanes)}
	for i := range a.lanes {
		p := u.lanes[i].Parse
		a.lanes[i] = laneAhead{ParseUnit: p, d: cabachw.NewDecoderAhead()}
	}
	a.turned, a.other = ^uint64(0)>>(64-len(a.lanes)), true
	a.ready, a.config = a.turned, a.turned
	return a
}

// errorCode is Unit.Error.
func (a *unitAhead) errorCode(lane int) uint8 {
	if l := &a.lanes[lane]; a.cycle >= l.errorAt {
		return l.code
	}
	return 0
}

func (a *unitAhead) Eval() {
	u := a.u
	for m := a.turned; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		u.Words[i].Ready = a.ready>>i&1 != 0
		u.Config[i].Ready = a.config>>i&1 != 0
	}
	a.shown = a.ready
	if a.cycle < a.above {
		u.above.Eval()
	}
	p := u.pixels
	u.Out.Valid, u.Out.Data = p.valid, p.data
	if u.item.Valid = a.items>>u.sel&1 != 0; u.item.Valid {
		if a.other {
			u.item.Data = ThreadItem{uint8(u.sel), a.lanes[u.sel].item}
		}
		u.item.Ready = p.Takes(&u.item.Data)
	}
}

func (a *unitAhead) Clock() {
	u := a.u
	a.turned = 0
	a.other = !u.item.Valid || u.item.Ready || u.pixels.Open()
	if a.init != 0 && a.cycle >= a.context {
		a.setContexts(bits.TrailingZeros64(a.init))
	}
	if a.cycle < a.above {
		a.clockAbove()
	}
	sel := u.sel
	if u.pixels.Open() || !u.item.Valid {
		if others := a.items &^ (1 << sel); others != 0 {
			if behind := others & (^uint64(0) << sel); behind != 0 {
				others = behind
			}
			u.sel = bits.TrailingZeros64(others)
		}
	}
	u.pixels.Clock()
	if u.item.Moves() {
		a.items &^= 1 << sel
		l := &a.lanes[sel]
		l.taken(a.cycle)
		a.run(sel)
	}
	for m := a.ready; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if w := &u.Words[i]; w.Valid {
			a.ready &^= 1 << i
			a.turned |= 1 << i
			a.lanes[i].d.Word(&w.Data, a.cycle)
			a.run(i)
		}
	}
	for m := a.config; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if u.Config[i].Valid {
			a.config &^= 1 << i
			a.turned |= 1 << i
			a.init |= 1 << i
			l := &a.lanes[i]
			l.d.Now = a.cycle + 1
			l.step(0)
			l.errorAt = cabachw.Never
		}
	}
	a.cycle++
	e := &a.events[a.cycle%uint64(len(a.events))]
	if e.items|e.ready|e.rest != 0 {
		a.happen(e)
	}
}

// happen is what happens from the cycle that begins on.
func (a *unitAhead) happen(e *laneEvents) {
	now := *e
	*e = laneEvents{}
	for m := now.items; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m); a.lanes[i].itemAt <= a.cycle {
			a.items |= 1 << i
		} else {
			a.at(a.lanes[i].itemAt).items |= 1 << i
		}
	}
	for m := now.ready; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m); a.lanes[i].d.Ready <= a.cycle {
			a.ready |= 1 << i
			a.turned |= 1 << i
		} else {
			a.at(a.lanes[i].d.Ready).ready |= 1 << i
		}
	}
	for m := now.rest; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		l := &a.lanes[i]
		switch {
		case l.restAt > a.cycle:
			a.at(l.restAt).rest |= 1 << i
		case l.state == parseIdle:
			a.config |= 1 << i
			a.turned |= 1 << i
		default: // parseFetch
			a.asks |= 1 << i
			a.u.ask[i].Valid, a.u.ask[i].Data = true, l.Request()
			a.above = cabachw.Never
		}
	}
}

// at returns the events of a cycle to come, or those of the furthest one.
func (a *unitAhead) at(cycle uint64) *laneEvents {
	const n = uint64(len(a.events))
	return &a.events[min(cycle, a.cycle+n-1)%n]
}

// setContexts lets a lane have its contexts.
func (a *unitAhead) setContexts(i int) {
	a.init &^= 1 << i
	l := &a.lanes[i]
	l.d.Now = a.cycle + contextCycles + 1
	a.context = l.d.Now
	l.req = l.step(0)
	l.d.Start(hw.InitialDecContexts[l.qp][:])
	a.run(i)
}

// clockAbove steps the memory of above words, and the lanes that it answers.
func (a *unitAhead) clockAbove() {
	u := a.u
	if u.above.reply {
		l := &a.lanes[u.above.lane]
		l.d.Now = a.cycle + 1
		l.req = l.step(0)
		a.run(u.above.lane)
	}
	u.above.Clock()
	for m := a.asks; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if !u.ask[i].Ready {
			continue
		}
		u.ask[i].Valid = false
		a.lanes[i].d.Now = a.cycle + 1
		a.lanes[i].step(0)
		if a.asks &^= 1 << i; a.asks == 0 {
			a.above = a.cycle + 4 // by then it is at rest
		}
	}
}

// run lets a lane go ahead and notes the events that it comes to.
func (a *unitAhead) run(i int) {
	l := &a.lanes[i]
	l.run()
	if l.pushed {
		l.pushed = false
		a.at(l.itemAt).items |= 1 << i
	}
	if l.rested {
		l.rested = false
		a.at(l.restAt).rest |= 1 << i
	}
	if l.d.Ready != l.readyAt {
		if l.readyAt = l.d.Ready; l.readyAt != cabachw.Never {
			a.at(l.readyAt).ready |= 1 << i
		}
	}
}

// taken is the cycle in which the item leaves.
func (l *laneAhead) taken(cycle uint64) {
	l.valid, l.freeAt = false, cycle
	if l.tag.Kind != hw.ItemMB {
		l.word = [4]uint16{}
	}
}

// run goes ahead until something has to happen outside: a word, an item that
// leaves, an answer.
func (l *laneAhead) run() {
	d := l.d
	for {
		free := false
		switch l.state {
		case parseInit, parseFetch, parseWait:
			return
		case parseIdle:
			if l.restAt == cabachw.Never && !l.valid {
				l.restAt, l.rested = max(d.Now, l.freeAt+1), true
			}
			return
		case parseDrain:
			if !d.Drain() {
				return
			}
		case parseMode, parseHeader, parseModes, parseCoded, parseSend:
			free = true
		case parseResidualBlock:
			switch {
			case d.Overrun():
				if free = l.res.state == resSign; free {
					d.Now = max(d.Now, l.signAt)
				}
			case l.res.state != resOnes && l.res.state != resSuffix:
				if d.Waits() || !l.block() {
					return
				}
				continue
			}
		}
		if free && l.valid || l.req.Kind != cabachw.RequestNone && d.Waits() {
			return
		}
		if free {
			d.Now = max(d.Now, l.freeAt)
		}
		overrun := d.Overrun() && l.state >= parseMB && l.state < parseSend
		valid, code, state := l.valid, l.code, l.state
		bin := d.Decode(l.req)
		if overrun || l.req.Kind == cabachw.RequestBypass && d.Cut() {
			l.req = l.fail(hw.EndData, requestNone)
		} else {
			l.req = l.step(bin)
		}
		if l.valid && !valid {
			l.item, l.itemAt, l.pushed = l.Item(), d.Now, true
		}
		if l.code != code {
			l.errorAt = d.Now
		}
		if l.state == state {
			continue
		}
		switch l.state {
		case parseResidualBlock:
			l.mask, l.data = 0, 0
		case parseFetch:
			l.restAt, l.rested = d.Now, true
		case parseIdle:
			l.restAt = cabachw.Never
		}
	}
}
