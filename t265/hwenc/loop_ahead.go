package hwenc

import "vcsim/sim"

// A loopAhead is the time of the closed loop: of a TreeUnit, a SamplesUnit, a ForwardUnit, a
// QuantUnit and an InverseUnit. What is not said here is said of their fields, which have
// the same names.
//
// Of a beat it knows whether it is there, and of which kind. Blocks of 8x8 and 16x16 pass
// all units in the order in which they leave the prediction, and so do those of 4x4: each
// unit counts blocks, and a queue of each of the two has what they are.
type loopAhead struct {
	tree    treeAhead
	predict predictAhead
	forward forwardAhead
	quant   quantAhead
	inverse inverseAhead
	recon   reconAhead

	wide, narrow loopBlocks
}

// The kinds of a beat, by the size of its block.
const (
	kindNone = iota
	kind4
	kind8
	kind16
)

// kindBeats is the number of beats of a block by kind.
var kindBeats = [4]uint8{0, 2, 8, 32}

// A loopBlocks holds blocks under way, of a thread one at most, by number.
type loopBlocks struct {
	at [64]loopBlock
	n  uint8 // the next one
}

type loopBlock struct{ thread, kind uint8 }

func (b *loopBlocks) push(v loopBlock) {
	b.at[b.n&63] = v
	b.n++
}

// A loopLeaves counts the beats of blocks that leave a unit.
type loopLeaves struct{ block, left uint8 }

// beat returns 1 with the last beat of a block.
func (e *loopLeaves) beat(blocks *loopBlocks) uint8 {
	if e.left == 0 {
		e.left = kindBeats[blocks.at[e.block&63].kind&3]
	}
	e.left--
	last := bin(e.left == 0)
	e.block += last
	return last
}

func (l *loopAhead) init(spec Spec) {
	l.tree.all = sim.FirstOf(spec.Threads)
	l.tree.free, l.tree.idle = l.tree.all, l.tree.all
	wide, narrow := spec.predictions()
	l.predict.wide.depth, l.predict.narrow.depth = uint8(wide), uint8(narrow)
	f, v := &l.forward, &l.inverse
	for _, p := range []*vectorPipe{&f.rows, &f.columns, &v.rows, &v.columns} {
		p.small = spec.MaxTU == 8
	}
	f.transpose, f.strips = newTranspose(spec.MaxTU), newStrips(spec.MaxTU)
	v.transpose, v.strips = newTranspose(spec.MaxTU), newStrips(spec.MaxTU)
}

// step goes through a cycle, number i of out. planned is the thread whose plan comes, or -1.
// What moves is found from sinks to sources, and then comes the edge.
func (l *loopAhead) step(code *aheadCode, planned int, out *loopOut, i int) {
	t, p, f, q, v, r := &l.tree, &l.predict, &l.forward, &l.quant, &l.inverse, &l.recon

	moves := v.out && p.wide.valid && !r.waits // a beat to the reconstruction
	rowsGo := !v.out || moves

	sub := &q.subs[q.first&7]
	stage := q.stages & (quantFirst | quantSecond)
	scaled, enable := uint8(kindNone), true // the kind of the beat behind the quantiser; it moves on
	if stage != 0 {
		if scaled = sub.kind; scaled != kind4 {
			enable = v.room(scaled)
		}
		if stage == quantFirst && !q.levTaken {
			out.levelsValid |= 1 << i
			code.levels(&out.levels[i], sub.thread, sub.at)
		}
	}

	takeSkip := p.out == kind4 && p.narrow.room()
	skipMoves := takeSkip
	if q.half {
		takeSkip = q.halfSkip
		skipMoves = skipMoves && takeSkip
	}
	skipMoves = skipMoves && enable
	coefMoves := f.out && enable && !takeSkip // to the quantiser

	row := f.rows.leaving()
	come := uint8(kindNone) // to the forward transform
	forwardGo := row == vectorNone || f.transpose.room(row)
	if p.out > kind4 && forwardGo && p.wide.room() && (f.at != 0 || f.n < maxBlocks) {
		come = p.out
	}

	step := p.out == kindNone || come != kindNone || skipMoves
	free := !p.valid || step && p.beat+1 == kindBeats[p.block.kind&3]
	ready := (!p.waits || free) && !r.writes
	if t.came && t.first {
		out.headValid |= 1 << i
		code.head(&out.heads[i], t.last)
	}
	out.free[i], out.idle[i] = t.free, t.idle

	done, doneThread, last := r.last, r.block.thread, false
	if done {
		last = code.done(doneThread)
	}
	p.wide.clock(come != kindNone, moves)
	p.narrow.clock(skipMoves, r.waits)
	r.clock(l, moves, scaled == kind4)
	if v.clock(l, rowsGo); enable && scaled > kind4 {
		v.take(scaled)
	}
	if q.levTaken = !enable; enable {
		q.clock(l, skipMoves || coefMoves, takeSkip)
	}
	f.clock(l, !f.out || coefMoves, forwardGo, row, come)
	if step {
		p.step()
	}
	if free {
		p.next(l)
	}
	if !p.waits || free {
		p.waits, p.tu = t.valid && ready, t.out
	}
	t.clock(code, ready, done, doneThread, last, planned)
}

// A treeAhead is the time of a TreeUnit.
type treeAhead struct {
	all                         sim.Set
	waiting, busy, ready, fresh sim.Set
	free, idle                  sim.Set
	last                        uint8
	picked, came, first, valid  bool
	out                         loopBlock
}

func (t *treeAhead) clock(code *aheadCode, taken, done bool, doneThread uint8, lastTU bool, planned int) {
	load := !t.valid || taken
	ready, fresh := t.ready, t.fresh
	if enter := t.waiting &^ t.busy; enter != 0 {
		t.waiting &^= enter
		t.busy |= enter
		t.ready |= enter
		t.fresh |= enter
		code.enter(enter)
	}
	if load {
		if t.valid = t.picked; t.picked {
			t.out = loopBlock{t.last, code.block(t.last, t.first)}
		}
	}
	t.came = ready != 0 && (load || !t.picked)
	if load || !t.picked {
		if t.picked = ready != 0; t.picked {
			i := ready.NextAfter(int(t.last))
			t.last, t.first = uint8(i), fresh.Has(i)
			t.ready.Remove(i)
			t.fresh.Remove(i)
		}
	}
	if done {
		if lastTU {
			t.busy.Remove(int(doneThread))
		} else {
			t.ready.Add(int(doneThread))
		}
	}
	if planned >= 0 {
		t.waiting.Add(planned)
	}
	t.free = t.all &^ (t.waiting | t.fresh)
	t.idle = t.all &^ (t.waiting | t.busy)
}

// A predictAhead is the time of a predictUnit and of the queues behind it.
type predictAhead struct {
	waits  bool
	tu     loopBlock
	valid  bool
	block  loopBlock
	beat   uint8
	mid    uint8 // kinds
	end    uint8
	out    uint8
	wide   queueAhead
	narrow queueAhead
}

// step is the edge at which the stages move on.
func (p *predictAhead) step() {
	p.out, p.end, p.mid = p.end, p.mid, kindNone
	if p.valid {
		p.mid = p.block.kind
		p.beat++
	}
}

// next is the edge at which the block that waits may go out.
func (p *predictAhead) next(l *loopAhead) {
	if p.valid = p.waits; p.waits {
		p.block, p.beat = p.tu, 0
		if p.tu.kind == kind4 {
			l.narrow.push(p.tu)
		} else {
			l.wide.push(p.tu)
		}
	}
}

// A queueAhead is the time of a sim.RAMFIFO.
type queueAhead struct {
	depth, count uint8
	valid        bool
}

func (f *queueAhead) room() bool { return f.count < f.depth }

func (f *queueAhead) clock(take, ready bool) {
	pop := f.count > 0 && (!f.valid || ready)
	f.valid = pop || f.valid && !ready
	f.count += bin(take) - bin(pop)
}

// A forwardAhead is the time of a ForwardUnit.
type forwardAhead struct {
	row               vectorPart
	rows, columns     vectorPipe
	transpose, strips slotMemory
	at, n             uint8
	leaves            loopLeaves
	out               bool
}

// clock is the edge: outGo and rowsGo let the output and the rows move on, of which part row
// leaves; come is the kind of the beat that comes.
func (f *forwardAhead) clock(l *loopAhead, outGo, rowsGo bool, row vectorPart, come uint8) {
	readStrip, readColumn := f.strips.ready != 0, f.transpose.ready != 0
	column := f.columns.leaving()
	columnsGo := column == vectorNone || f.strips.room(column)
	if outGo {
		if f.out = readStrip; readStrip {
			f.strips.read()
			f.n -= f.leaves.beat(&l.wide)
		}
	}
	if columnsGo {
		if column != vectorNone {
			f.strips.write(column)
		}
		if column = vectorNone; readColumn {
			column = f.transpose.read()
		}
		f.columns.read(column)
	}
	if rowsGo {
		if row != vectorNone {
			f.transpose.write(row)
		}
		f.rows.step(f.nextRow(come))
	}
	if come != kindNone {
		if f.at == 0 {
			f.n++
		}
		if f.at++; f.at == kindBeats[come&3] {
			f.at = 0
		}
	}
}

// nextRow is ForwardUnit.nextRow.
func (f *forwardAhead) nextRow(come uint8) (part vectorPart) {
	next := vectorNone
	switch come {
	case kind8:
		next = vectorWhole
	case kind16:
		next = vectorFirst
	}
	if f.rows.small {
		return next
	}
	if f.row == vectorFirst {
		if next != vectorNone {
			f.row = vectorSecond
			return vectorFirst
		}
		return vectorNone
	}
	part, f.row = f.row, next
	return part
}

// A quantAhead is the time of a QuantUnit. Its levels are always taken.
type quantAhead struct {
	half, halfSkip    bool
	stages            uint8
	subs              [8]quantAheadSub
	first, next       uint8
	wide, narrow, sub uint8 // the numbers of the blocks that come, and of the sub-block of the former
	levTaken          bool
}

type quantAheadSub struct{ thread, kind, at uint8 }

// clock is the edge of a cycle in which it moves on; takes tells of a beat that comes, and
// takeSkip from which side.
func (q *quantAhead) clock(l *loopAhead, takes, takeSkip bool) {
	if q.stages&quantSecond != 0 {
		q.first++
	}
	q.stages = q.stages << 1 & (2*quantSecond - 1)
	if !takes {
		return
	}
	if q.half {
		q.stages |= 1
		s := &q.subs[q.next&7]
		q.next++
		if takeSkip {
			b := &l.narrow.at[q.narrow&63]
			q.narrow++
			*s = quantAheadSub{b.thread, kind4, 0}
		} else {
			b := &l.wide.at[q.wide&63]
			*s = quantAheadSub{b.thread, b.kind, q.sub}
			if q.sub++; 2*q.sub == kindBeats[b.kind&3] {
				q.sub = 0
				q.wide++
			}
		}
	}
	q.half, q.halfSkip = !q.half, takeSkip && !q.half
}

// An inverseAhead is the time of an InverseUnit.
type inverseAhead struct {
	strips, transpose slotMemory
	columns, rows     vectorPipe
	at, n             uint8
	leaves            loopLeaves
	out               bool
}

// inversePart is the part of a beat at the input.
func inversePart(kind uint8) vectorPart {
	if kind == kind8 {
		return vectorWhole
	}
	return vectorFirst
}

// room returns whether a beat of a kind may come.
func (v *inverseAhead) room(kind uint8) bool {
	return (v.at != 0 || v.n < maxBlocks) && (v.strips.room(vectorFirst) || v.strips.room(inversePart(kind)))
}

// take is the edge at which a beat of a kind comes.
func (v *inverseAhead) take(kind uint8) {
	v.strips.write(inversePart(kind))
	if v.at == 0 {
		v.n++
	}
	if v.at++; v.at == kindBeats[kind&3] {
		v.at = 0
	}
}

// clock is the edge behind the input; rowsGo lets the rows move on.
func (v *inverseAhead) clock(l *loopAhead, rowsGo bool) {
	readColumn, readRow := v.strips.ready != 0, v.transpose.ready != 0
	column := v.columns.leaving()
	columnsGo := column == vectorNone || v.transpose.room(column)
	if rowsGo {
		if v.out = v.rows.leaving() != vectorNone; v.out {
			v.n -= v.leaves.beat(&l.wide)
		}
		row := vectorNone
		if readRow {
			row = v.transpose.read()
		}
		v.rows.read(row)
	}
	if columnsGo {
		if column != vectorNone {
			v.transpose.write(column)
		}
		if column = vectorNone; readColumn {
			column = v.strips.read()
		}
		v.columns.read(column)
	}
}

// A reconAhead is the time of a reconUnit.
type reconAhead struct {
	waits             bool
	wide, narrow      uint8 // the numbers of the blocks that come, and their beats
	invBeat, skipBeat uint8
	block             loopBlock // of the beat in the register
	last              bool      // which is its last one
	writes            bool
}

// clock is the edge; moves tells of a residual that moves, and scaled of one of a 4x4 block.
func (r *reconAhead) clock(l *loopAhead, moves, scaled bool) {
	beat := uint8(0)
	r.last, r.writes = false, false
	switch {
	case r.waits:
		r.block = l.narrow.at[r.narrow&63]
		r.last = r.skipBeat != 0
		r.writes = r.last
		r.narrow += r.skipBeat
		r.skipBeat ^= 1
	case moves:
		r.block = l.wide.at[r.wide&63]
		beat = r.invBeat
		r.invBeat++
		if r.last = r.invBeat == kindBeats[r.block.kind&3]; r.last {
			r.invBeat = 0
			r.wide++
		}
		r.writes = r.last || r.block.kind == kind8 && beat == 3 || r.block.kind == kind16 && beat == 30
	}
	r.waits = scaled
}
