package hwdec

import (
	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t264/hw"
)

// The lanes of the decoder between two events.
//
// Why the time can be computed: what a lane decodes depends on its bytes alone, and a request to the engine takes one cycle,
// or as many as it waits for a byte, so that cabachw.DecoderAhead keeps the cycle of the next request while bins are decoded in
// a loop. A lane meets the others, and the outside, in five places: a word moves in, a configuration moves in, an item is
// there, the memory of above words is asked, the contexts are set. Between two of them it decodes at once.
//
// An example: a lane begins the map of a 4x4 block in cycle 201. The 12 bins of the map take the cycles 201 to 212, and the level
// at position 9 the cycles 213 to 217, four bins and its sign. It is the only one of its group of four, so that the item of
// the group is there from cycle 218 on (itemAt), and run puts the lane on the wheel in 218. The lane goes on: the next level, at
// position 2, has bins from 218 on, but its sign waits until cycle 219 at least (signAt = 218 + (2-0) - 1), since the search
// for its group passes an empty one. There the lane stops, in cycle 201 still: its next item needs the place of the one of 218,
// and goes on when taken tells that this one has left.
//
// A cycle in which no event is due costs the lanes nothing. All lanes are stepped, without any of this, after SetStepped; the
// memory of above words is stepped while a lane asks it, and up to four cycles longer.

// A unitAhead is what runs a Unit whose lanes go ahead. Events that a lane shares with others are on a wheel; in all
// cycles without an event of its own the lane is not touched.
type unitAhead struct {
	u     *Unit
	cycle uint64
	lanes []laneAhead

	// By lane, in this cycle: Ready of Words and Config; an item is there; Above is asked; contexts are wanted.
	ready, config, items, asks, init sim.Set
	changed                          sim.Set // Ready of Words or Config is another than in the cycle before
	wordsReady                       sim.Set // ready, as Words have it
	newItem                          bool    // the item may be another than in the cycle before
	aboveUntil                       uint64  // cycle up to which the memory of above words is stepped
	contextAt                        uint64  // cycle from which on a lane gets its contexts

	events sim.Wheel[laneEvents]
}

// laneEvents are the lanes with events in a cycle: a word can move in, an item is there, Above or Config is asked for.
type laneEvents struct{ ready, items, asks sim.Set }

// A laneAhead is a lane that goes ahead: the registers of a ParseUnit with cabachw.DecoderAhead
// around it. Its time is that of the decoder, Now.
type laneAhead struct {
	parse *ParseUnit
	d     *cabachw.DecoderAhead
	req   cabachw.Request
	item  hw.Item
	// Of the block: levels that are not decoded yet, by scan position, and those of
	// the item that comes next.
	mask, data uint64
	// run has come to an item, or to a request of Above or Config.
	pushed, asked bool
	// Cycles from which on: the item is valid; Out is free, if valid is not set; a
	// sign can be taken, with the group found; Above or Config is asked for; Error has the
	// code; a word can move in, as far as that was noted.
	itemAt, freeAt, signAt, askAt, errorAt, readyAt uint64
}

// contextCycles is the time from the cycle in which the unit of the contexts sees
// a lane that asks to the one that sets the last.
const contextCycles = hw.DecContexts + 2

func newUnitAhead(u *Unit) *unitAhead {
	a := &unitAhead{u: u, lanes: make([]laneAhead, u.spec.Lanes)}
	for i := range a.lanes {
		p := u.lanes[i].Parse
		a.lanes[i] = laneAhead{parse: p, d: cabachw.NewDecoderAhead()}
	}
	a.changed, a.newItem = sim.FirstOf(len(a.lanes)), true
	a.ready, a.config = a.changed, a.changed
	return a
}

// errorCode is Unit.Error.
func (a *unitAhead) errorCode(lane int) uint8 {
	if l := &a.lanes[lane]; a.cycle >= l.errorAt {
		return l.parse.code
	}
	return 0
}

func (a *unitAhead) Eval() {
	u := a.u
	for m := a.changed; m != 0; m = m.Rest() {
		i := m.First()
		u.Words[i].Ready = a.ready.Has(i)
		u.Config[i].Ready = a.config.Has(i)
	}
	a.wordsReady = a.ready
	if a.cycle < a.aboveUntil {
		u.above.Eval()
	}
	p := u.pixels
	u.Out.Valid, u.Out.Data = p.valid, p.data
	if u.item.Valid = a.items.Has(u.sel); u.item.Valid {
		if a.newItem {
			u.item.Data = ThreadItem{uint8(u.sel), a.lanes[u.sel].item}
		}
		u.item.Ready = p.Takes(&u.item.Data)
	}
}

func (a *unitAhead) Clock() {
	u := a.u
	a.changed = 0
	a.newItem = !u.item.Valid || u.item.Ready || u.pixels.Open()
	if a.init != 0 && a.cycle >= a.contextAt {
		a.setContexts(a.init.First())
	}
	if a.cycle < a.aboveUntil {
		a.clockAbove()
	}
	sel := u.sel
	if u.pixels.Open() || !u.item.Valid {
		u.sel = a.items.NextAfter(sel)
	}
	u.pixels.Clock()
	if u.item.Moves() {
		a.items.Remove(sel)
		l := &a.lanes[sel]
		l.taken(a.cycle)
		a.run(sel)
	}
	for m := a.ready; m != 0; m = m.Rest() {
		i := m.First()
		if w := &u.Words[i]; w.Valid {
			a.ready.Remove(i)
			a.changed.Add(i)
			a.lanes[i].d.Word(&w.Data, a.cycle)
			a.run(i)
		}
	}
	for m := a.config; m != 0; m = m.Rest() {
		i := m.First()
		if u.Config[i].Valid {
			a.config.Remove(i)
			a.changed.Add(i)
			a.init.Add(i)
			l := &a.lanes[i]
			l.d.Now = a.cycle + 1
			l.parse.step(0)
			l.errorAt = sim.Never
		}
	}
	a.cycle++
	if e := a.events.Slot(a.cycle); e.items|e.ready|e.asks != 0 {
		a.happen(a.events.Take(a.cycle))
	}
}

// happen is what happens from the cycle that begins on.
func (a *unitAhead) happen(now laneEvents) {
	for m := now.items; m != 0; m = m.Rest() {
		if i := m.First(); a.lanes[i].itemAt <= a.cycle {
			a.items.Add(i)
		} else {
			a.at(a.lanes[i].itemAt).items.Add(i)
		}
	}
	for m := now.ready; m != 0; m = m.Rest() {
		if i := m.First(); a.lanes[i].d.Ready <= a.cycle {
			a.ready.Add(i)
			a.changed.Add(i)
		} else {
			a.at(a.lanes[i].d.Ready).ready.Add(i)
		}
	}
	for m := now.asks; m != 0; m = m.Rest() {
		i := m.First()
		l := &a.lanes[i]
		switch {
		case l.askAt > a.cycle:
			a.at(l.askAt).asks.Add(i)
		case l.parse.state == parseIdle:
			a.config.Add(i)
			a.changed.Add(i)
		default: // parseFetch
			a.asks.Add(i)
			a.u.ask[i].Valid, a.u.ask[i].Data = true, l.parse.Request()
			a.aboveUntil = sim.Never
		}
	}
}

// at returns the events of a cycle to come, or those of the furthest one in sight.
func (a *unitAhead) at(cycle uint64) *laneEvents { return a.events.At(a.cycle, cycle) }

// setContexts lets a lane have its contexts.
func (a *unitAhead) setContexts(i int) {
	a.init.Remove(i)
	l := &a.lanes[i]
	l.d.Now = a.cycle + contextCycles + 1
	a.contextAt = l.d.Now
	l.req = l.parse.step(0)
	l.d.Start(hw.InitialDecContexts[l.parse.qp][:])
	a.run(i)
}

// clockAbove steps the memory of above words, and the lanes that it answers.
func (a *unitAhead) clockAbove() {
	u := a.u
	if u.above.reply {
		l := &a.lanes[u.above.lane]
		l.d.Now = a.cycle + 1
		l.req = l.parse.step(0)
		a.run(u.above.lane)
	}
	u.above.Clock()
	for m := a.asks; m != 0; m = m.Rest() {
		i := m.First()
		if !u.ask[i].Ready {
			continue
		}
		u.ask[i].Valid = false
		a.lanes[i].d.Now = a.cycle + 1
		a.lanes[i].parse.step(0)
		if a.asks.Remove(i); a.asks == 0 {
			a.aboveUntil = a.cycle + 4 // by then it is at rest
		}
	}
}

// run lets a lane go ahead and notes the events that it comes to.
func (a *unitAhead) run(i int) {
	l := &a.lanes[i]
	l.run()
	if l.pushed {
		l.pushed = false
		a.at(l.itemAt).items.Add(i)
	}
	if l.asked {
		l.asked = false
		a.at(l.askAt).asks.Add(i)
	}
	if l.d.Ready != l.readyAt {
		if l.readyAt = l.d.Ready; l.readyAt != sim.Never {
			a.at(l.readyAt).ready.Add(i)
		}
	}
}

// taken is the cycle in which the item leaves.
func (l *laneAhead) taken(cycle uint64) {
	l.parse.valid, l.freeAt = false, cycle
	if l.parse.tag.Kind != hw.ItemMB {
		l.parse.word = [4]uint16{}
	}
}

// run goes ahead until something has to happen outside: a word, an item that
// leaves, an answer.
func (l *laneAhead) run() {
	d := l.d
	for {
		free := false
		switch l.parse.state {
		case parseInit, parseFetch, parseWait:
			return
		case parseIdle:
			if l.askAt == sim.Never && !l.parse.valid {
				l.askAt, l.asked = max(d.Now, l.freeAt+1), true
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
				if free = l.parse.res.state == resSign; free {
					d.Now = max(d.Now, l.signAt)
				}
			case l.parse.res.state != resOnes && l.parse.res.state != resSuffix:
				if d.Waits() || !l.block() {
					return
				}
				continue
			}
		}
		if free && l.parse.valid || l.req.Kind != cabachw.RequestNone && d.Waits() {
			return
		}
		if free {
			d.Now = max(d.Now, l.freeAt)
		}
		overrun := d.Overrun() && l.parse.state >= parseMB && l.parse.state < parseSend
		valid, code, state := l.parse.valid, l.parse.code, l.parse.state
		bin := d.Decode(l.req)
		if overrun || l.req.Kind == cabachw.RequestBypass && d.Cut() {
			l.req = l.parse.fail(hw.EndData, requestNone)
		} else {
			l.req = l.parse.step(bin)
		}
		if l.parse.valid && !valid {
			l.item, l.itemAt, l.pushed = l.parse.Item(), d.Now, true
		}
		if l.parse.code != code {
			l.errorAt = d.Now
		}
		if l.parse.state == state {
			continue
		}
		switch l.parse.state {
		case parseResidualBlock:
			l.mask, l.data = 0, 0
		case parseFetch:
			l.askAt, l.asked = d.Now, true
		case parseIdle:
			l.askAt = sim.Never
		}
	}
}
