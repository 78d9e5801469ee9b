package hwenc

import (
	"math/bits"

	"vcsim/internal/cabac"
	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// A binariseAhead does what a BinariseUnit does within a slice, but all operations of a
// block or a sub-block when its word is taken. What is left is time: in which cycle an
// operation goes into the register in front of the engine (it leaves, for short), and in
// which cycle a word is taken.
//
// Why that can be computed: what leaves is known from the words alone. Each part of the unit
// does its next step in the first cycle in which what it waits for is there, so that the
// cycle of the step is the maximum of a few cycles before it:
//
//   - an operation leaves in the cycle after the one before it, or later where its word, its
//     sub-block or its group of bypass bins comes later, or the register is not free;
//   - a sub-block comes in when its word is there, the levels of the one before it are taken,
//     and the last context bin of that one leaves;
//   - a level is taken in the cycle in which the last chunk of the one before it is made, or
//     when its word is there; a chunk is made when the third stage of bypassUnit is done
//     with the one before it; the third stage has done a chunk in the cycle behind, but a group
//     that finds the queue full waits until one leaves.
//
// An example: the word of a sub-block is there in cycle 100, and nothing is under way. It comes
// in in that cycle, so that its first operation leaves in 101. The signs of the four groups of
// positions are made in 101 to 104, and the first level can be taken in 105. If its word comes
// in cycle 103, it is; if it is the last level of its group, the word is gone with it, so that
// the store sees the register free in 105.
//
// All this but the leaving of operations is settled as soon as the words are there, and what
// has left before. Only the engine can hold an operation up, so operations leave up to a
// cycle that is known (advance), and ahead finds out what follows if the engine never waits.
type binariseAhead struct {
	size  uint8  // bins of a full group
	depth uint32 // groups that wait

	made uint32 // operations that are known, of a slice
	walk aheadWalk

	// The word in front, and the levels behind a SubBlockWord.
	word   Word
	levels *[16]int16
	full   bool
	at     uint64 // it is there from this cycle on
	taken  uint64 // if it is not there, the cycle in which it was taken
	// The block under way.
	syntax     syntaxUnit // what it keeps of the word
	held       bool       // the word in front is that of the block
	from       uint64     // its first operation leaves then or later
	take, head uint32     // the operation with which the word is taken; the one after those of the syntax
	coded      bool
	subs       bool // words of sub-blocks come
	over       bool // the block is the last one of the slice

	// Sub-blocks that came in, and the last two of them.
	loads  uint32
	sub    [2]aheadSub
	before bool   // as in residualUnit, of the last one that is coded
	busy   bool   // its levels are not all taken,
	idle   uint64 // or were before this cycle

	first, end uint8  // numbers of the chunks that are not made
	picked     bool   // the level of the first one is taken, though the third stage is stuck,
	start      uint64 // so that it can be made from this cycle on
	chunk      uint64 // cycle in which the last one was made
	third      uint64 // cycle in which the third stage is done with it,
	stuck      bool   // or not before a group leaves
	// Third stage, ahead of its time.
	bins, binCount uint8
	pushed         uint32 // groups that the queue has taken
	seen           uint32 // those that ahead saw leave

	there [aheadGroups]uint64 // by group: the cycle from which on it may leave,
	left  [aheadGroups]uint64 // and the one in which it does
	steps [256]aheadStep      // by chunk
	ops   [aheadOps]cabac.PackedOp
}

const (
	aheadOps    = 512 // operations that are known and have not left: two sub-blocks have 300
	aheadGroups = 32  // twice the groups that wait
)

// An aheadStep says of a chunk what its cycle hangs on.
type aheadStep uint8

const (
	stepFull  aheadStep = 1 << iota // a group is full with it
	stepFrom                        // it is the first of a sub-block
	stepPick                        // it is the first of a level,
	stepSigns                       // which is the first behind the signs,
	stepWord                        // and the first that needs a word,
	stepTake                        // or the last that does,
	stepLast                        // or the last of its sub-block
)

// An aheadSub is a sub-block.
type aheadSub struct {
	from     uint64 // its first operation leaves then or later
	contexts uint32 // the operation behind its context bins,
	bypass   uint32 // and behind its bypass bins
	empty    bool   // it has no levels
	dc       bool
}

const noOp = 1<<32 - 1

// An aheadWalk says how far operations have left.
type aheadWalk struct {
	phase aheadPhase
	slot  uint64 // the next one leaves then or later
	op    uint32 // its number
	group uint32 // number of the next group
	frees uint32 // sub-blocks whose context bins have left
	freed uint64 // cycle in which those of the last one had
	taken uint64 // cycle in which the word of the block was taken
	gap   uint64 // of a walk that ends at a pause, the cycle in which it ends
}

type aheadPhase uint8

const (
	beforeBlock aheadPhase = iota // before a block
	inSyntax                      // its syntax
	beforeSub                     // before a sub-block
	inContexts                    // its context bins
	inBypass                      // its bypass bins
	inEnd                         // end_of_slice_segment_flag
)

// begin begins a slice with its first word, whose first operation leaves in a cycle.
func (m *binariseAhead) begin(w Word, cycle uint64) {
	m.made, m.walk = 0, aheadWalk{slot: cycle}
	m.word, m.full, m.at = w, true, cycle
	m.held, m.subs, m.over = false, false, false
	m.loads, m.busy, m.idle = 0, false, 0
	m.first, m.end, m.picked, m.chunk, m.third, m.stuck, m.pushed = 0, 0, false, 0, 0, false, 0
}

// arrive puts a word in front from a cycle on, and takes levels that wait for it.
func (m *binariseAhead) arrive(w Word, levels *[16]int16, cycle uint64) {
	m.word, m.levels, m.full, m.at = w, levels, true, cycle
	if m.busy {
		m.bypass()
	}
}

// advance lets operations leave before a cycle, and settles all that follows from it.
func (m *binariseAhead) advance(cycle uint64) {
	for {
		m.walk.run(m, cycle, noOp)
		if !m.settle() || m.walk.slot >= cycle {
			return
		}
	}
}

// hold tells that the engine does not take the operation that is in the register in a cycle.
func (m *binariseAhead) hold(cycle uint64) { m.walk.slot = max(m.walk.slot, cycle+1) }

// waits reports whether an operation is in the register at the start of a cycle, all before
// having been told.
func (m *binariseAhead) waits(cycle uint64) bool { return m.walk.slot == cycle }

// ahead returns what happens while the engine takes every operation, without the words to come. Operations up to end
// leave one a cycle, behind operation op. In cycle next advance has more to do, or it may have if
// a word comes before; that is Never if nothing leaves any more. The context bins of the sub-block that came in
// last have left in cycle freed, or Never.
func (m *binariseAhead) ahead(op uint32) (end uint32, next, freed uint64) {
	w := m.walk
	w.gap = sim.Never
	w.run(m, sim.Never, op)
	next, freed = w.gap, sim.Never
	if next == sim.Never && w.op != m.walk.op {
		next = w.slot
	}
	if w.frees == m.loads {
		freed = w.freed
	}
	switch {
	case m.held && w.op > m.take:
		next = min(next, w.taken)
	case m.full && !m.held && !m.busy && m.subs:
		next = min(next, freed)
	}
	m.seen = w.group
	return w.op, min(next, m.room()), freed
}

// room returns the cycle in which a group leaves for which a word in front has to wait, if ahead has seen it. The
// same holds up chunks and groups behind those that are known, but nobody sees that before.
func (m *binariseAhead) room() uint64 {
	g := m.pushed - m.depth
	if !m.stuck || !m.full || !m.busy || int32(m.seen-g) <= 0 {
		return sim.Never
	}
	return m.left[g%aheadGroups]
}

// run lets operations leave before a cycle. It ends before operation stop, or one behind it,
// if there is a pause before that one.
func (w *aheadWalk) run(m *binariseAhead, cycle uint64, stop uint32) {
	for {
		switch w.phase {
		case beforeBlock:
			return
		case inSyntax:
			op, from := w.op, max(w.slot, m.from)
			if !w.leave(m.head, from, cycle, stop) {
				if op <= m.take && m.take < w.op {
					w.taken = from + uint64(m.take-op)
				}
				return
			}
			if op <= m.take {
				w.taken = from + uint64(m.take-op)
			}
			w.phase = beforeBlock
			if m.coded {
				w.phase = beforeSub
			} else if m.syntax.endCTU {
				w.phase = inEnd
			}
		case beforeSub:
			if w.frees == m.loads {
				return
			}
			w.phase = inContexts
		case inContexts:
			s := &m.sub[w.frees&1]
			if !w.leave(s.contexts, max(w.slot, s.from), cycle, stop) {
				return
			}
			w.frees++
			w.freed = w.slot - 1
			switch {
			case !s.empty:
				w.phase = inBypass
			case s.dc:
				w.phase = inEnd
			default:
				w.phase = beforeSub
			}
		case inBypass:
			s := &m.sub[(w.frees-1)&1]
			for w.op != s.bypass {
				if w.group == m.pushed {
					return
				}
				i := w.group % aheadGroups
				from := max(w.slot, m.there[i])
				if from > w.slot && w.op >= stop {
					w.gap = from
					return
				}
				if from >= cycle {
					return
				}
				m.left[i] = from
				w.op, w.group, w.slot = w.op+1, w.group+1, from+1
			}
			w.phase = beforeSub
			if s.dc {
				w.phase = inEnd
			}
		case inEnd:
			if m.syntax.endCTU && !w.leave(w.op+1, w.slot, cycle, stop) {
				return
			}
			w.phase = beforeBlock
		}
	}
}

// leave lets the operations up to end leave from a cycle on, as far as they do so
// before limit. It reports whether all do.
func (w *aheadWalk) leave(end uint32, from, limit uint64, stop uint32) bool {
	if from > w.slot && w.op >= stop {
		w.gap = from
		return false
	}
	n := uint64(end - w.op)
	if from+n > limit {
		if from >= limit {
			return false
		}
		n = limit - from
		w.op, w.slot = w.op+uint32(n), limit
		return false
	}
	w.op, w.slot = end, from+n
	return true
}

// settle does what follows from the words and from what has left, but no
// operation leaves. It reports whether there was anything.
func (m *binariseAhead) settle() (any bool) {
	if m.first != m.end || m.stuck {
		any = m.bypass()
	}
	for ; ; any = true {
		switch {
		case m.held && m.walk.op > m.take:
			m.held, m.full, m.taken = false, false, m.walk.taken
			m.subs = m.coded
		case m.held || !m.full || m.busy:
			return any
		case m.subs && m.walk.frees == m.loads:
			m.load()
			m.bypass()
		case !m.subs && m.walk.phase == beforeBlock && !m.over:
			m.block()
		default:
			return any
		}
	}
}

// add makes an operation known.
func (m *binariseAhead) add(op cabac.PackedOp) {
	m.ops[m.made%aheadOps] = op
	m.made++
}

// block begins a block with the word in front.
func (m *binariseAhead) block() {
	s := &m.syntax
	b := m.word.block()
	*s = syntaxUnit{state: begin(&b)}
	m.held, m.from, m.coded, m.before = true, m.at, b.Coded, false
	for s.state != syntaxFirst && s.state != syntaxEnd && s.state != syntaxResidual {
		s.Eval(true, &b, nil)
		if s.take {
			m.take = m.made
		}
		m.add(s.op.Pack())
		s.Clock(true, false, false, true, &b)
	}
	m.head = m.made
	if !m.coded {
		m.closes()
	}
	m.over = s.last
	m.walk.phase = inSyntax
}

// closes makes the end of a block known.
func (m *binariseAhead) closes() {
	if m.syntax.endCTU {
		m.add(cabac.Op{Kind: cabac.OpTerminate, Bits: bin(m.syntax.last)}.Pack())
	}
}

// load lets the sub-block of the word in front come in.
func (m *binariseAhead) load() {
	cycle := max(m.at, m.idle, m.walk.freed)
	m.full, m.taken = false, cycle
	f := m.word.subBlock()
	s := &m.sub[m.loads&1]
	m.loads++
	m.subs = !f.DC
	m.contexts(&f)
	*s = aheadSub{from: cycle + 1, contexts: m.made, empty: f.Mask == 0, dc: f.DC}
	if !s.empty {
		m.busy = true
		m.bins, m.binCount = 0, 0
		m.signs(&f)
		m.magnitudes(&f)
		m.group(m.bins, m.binCount)
		m.step(stepFull)
	}
	s.bypass = m.made
	if f.DC {
		m.closes()
	}
}

// contexts makes the operations of the context bins of a sub-block known, as residualUnit does.
func (m *binariseAhead) contexts(f *SubBlockWord) {
	k := 15
	switch {
	case f.Top:
		k = bits.Len16(f.Mask) - 2
	case !f.DC:
		m.add(cabac.PackContext(hw.EncCodedSubBlock+bin(f.Around != 0), 0, bin(f.Mask != 0)))
		if f.Mask == 0 {
			return
		}
	}
	later := bin(!f.DC)
	sig := &block.SigContexts[m.syntax.log2&3][m.syntax.scan%3][later][f.Around&3]
	last := 0
	if !f.DC && f.Mask == 1 { // inferred
		last = 1
	}
	made := m.made
	for ; k >= last; k-- {
		m.ops[made%aheadOps] = cabac.PackContext(hw.EncSig+sig[k&15], 0, uint8(f.Mask>>k&1))
		made++
	}
	m.made = made
	if f.Mask == 0 {
		return
	}
	set := 2*later + bin(m.before)
	inc, any := uint8(1), false
	mask := f.Mask
	for count := 0; mask != 0 && count < 8; count++ {
		p := bits.Len16(mask) - 1
		mask &^= 1 << p
		one := f.Greater >> p & 1
		m.add(cabac.PackContext(hw.EncGreater1+4*set+inc, 0, uint8(one)))
		switch {
		case one != 0:
			any, inc = true, 0
		case inc == 1 || inc == 2:
			inc++
		}
	}
	m.before = any
	if any {
		m.add(cabac.PackContext(hw.EncGreater2+set, 0, bin(f.Two)))
	}
}

// signChunks is signs by the mask of four levels, and below it which are negative.
var signChunks = func() (t [256]chunk) {
	for i := range t {
		t[i] = signs(uint16(i>>4), uint16(i&15))
	}
	return t
}()

// signs makes the chunks of the signs of a sub-block.
func (m *binariseAhead) signs(f *SubBlockWord) {
	coded := f.Mask
	if m.syntax.hide {
		coded &^= hidden(f.Mask)
	}
	step := stepFrom
	for g := 12; g >= 0; g -= 4 {
		m.put(signChunks[coded>>g&15<<4|f.Sign>>g&15], step)
		step = 0
	}
}

// magnitudes makes the chunks of the levels of a sub-block.
func (m *binariseAhead) magnitudes(f *SubBlockWord) {
	rice, seen, count := uint8(0), false, 0
	step := stepPick | stepSigns
	above := 16 // the place of the level before
	for mask := f.Mask; mask != 0; step = stepPick {
		p := bits.Len16(mask) - 1
		mask &^= 1 << p
		level := uint16(1)
		if f.Greater>>(p&12)&15 != 0 {
			if p|3 != above|3 {
				step |= stepWord
			}
			if f.Greater>>p&1 != 0 {
				v := m.levels[p]
				level = uint16(max(v, -v))
			}
			if mask>>(p&12)&15 == 0 {
				step |= stepTake
			}
		}
		if mask == 0 {
			step |= stepLast
		}
		above = p
		base := uint16(1)
		if count < 8 {
			count++
			base = 2
			if level > 1 && !seen {
				base, seen = 3, true
			}
		}
		if level < base {
			m.step(step)
		} else {
			m.remaining(level-base, rice, step)
		}
		if level > 3<<rice && rice < 4 {
			rice++
		}
	}
}

// remainingChunks is coeff_abs_level_remaining by cRiceParam and value, where it is one chunk; else count is 0.
var remainingChunks = func() (t [5][16]chunk) {
	for rice := range t {
		for v := range t[rice] {
			r := binarise(uint16(v), uint8(rice))
			if r.prefix+r.suffix <= 4 {
				t[rice][v] = chunk{bits: (1<<r.prefix-2)<<r.suffix | uint8(v)&(1<<r.suffix-1), count: r.prefix + r.suffix}
			}
		}
	}
	return t
}()

// remaining makes the chunks of a level, as bypassUnit.code does.
func (m *binariseAhead) remaining(v uint16, rice uint8, step aheadStep) {
	if v < 16 {
		if c := remainingChunks[rice][v]; c.count != 0 {
			m.put(c, step)
			return
		}
	}
	r := binarise(v, rice)
	suffix := r.value & (1<<r.suffix - 1)
	for ; r.prefix > 4; r.prefix -= 4 {
		m.put(chunk{bits: 15, count: 4}, step)
		step = 0
	}
	m.put(chunk{bits: 1<<r.prefix - 2, count: r.prefix}, step)
	n := (r.suffix-1)&3 + 1
	for r.suffix > 0 {
		r.suffix -= n
		m.put(chunk{bits: uint8(suffix>>r.suffix) & (1<<n - 1), count: n}, 0)
		n = 4
	}
}

// put makes a chunk known.
func (m *binariseAhead) put(c chunk, step aheadStep) {
	total := m.binCount + c.count
	held := uint16(m.bins)<<c.count | uint16(c.bits)
	if total > m.size {
		total -= m.size
		m.group(uint8(held>>total), m.size)
		step |= stepFull
	}
	m.bins, m.binCount = uint8(held&(1<<total-1)), total
	m.step(step)
}

// group makes a group known.
func (m *binariseAhead) group(v, n uint8) {
	m.add(cabac.OpBypass | cabac.PackedOp(n)<<16 | cabac.PackedOp(v)<<24)
}

// step puts a chunk behind those that are not made.
func (m *binariseAhead) step(s aheadStep) {
	m.steps[m.end] = s
	m.end++
}

// bypass finds the cycles of levels, chunks and groups, as far as they are known. It reports
// whether there were any.
func (m *binariseAhead) bypass() (any bool) {
	if m.stuck {
		m.third, any = m.push(m.third)
		m.stuck = !any
	}
	first, chunk, third := m.first, m.chunk, m.third
	for first != m.end {
		s := m.steps[first]
		from := chunk + 1
		special := s&^(stepPick|stepFull) != 0
		switch {
		case m.picked:
			from = m.start
		case s&stepFrom != 0:
			from = m.sub[(m.loads-1)&1].from
		case special:
			if s&stepWord != 0 && !m.full {
				m.first, m.chunk, m.third = first, chunk, third
				return any
			}
			from, any = m.pick(s, chunk), true
		}
		if m.stuck {
			m.picked, m.start = special && s&stepPick != 0, from
			break
		}
		chunk = max(third, from)
		third = chunk + 1
		m.picked, any = false, true
		first++
		if s&stepFull != 0 {
			var room bool
			third, room = m.push(third)
			m.stuck = !room
		}
	}
	m.first, m.chunk, m.third = first, chunk, third
	return any
}

// pick takes a level, whose word is there if it needs one, when the chunk before it is made. It returns the
// cycle from which on the first chunk of the level can be made.
func (m *binariseAhead) pick(s aheadStep, chunk uint64) uint64 {
	cycle := chunk
	if s&stepSigns != 0 {
		cycle++
	}
	if s&stepWord != 0 {
		cycle = max(cycle, m.at)
	}
	if s&stepTake != 0 {
		m.full, m.taken = false, cycle
	}
	if s&stepLast != 0 {
		m.busy, m.idle = false, cycle+1
	}
	return cycle + 1
}

// push puts a group into the queue when the third stage is done with it, or later: if the queue is full, it has room in the
// cycle after one leaves. It returns the cycle, or that it is not known.
func (m *binariseAhead) push(third uint64) (uint64, bool) {
	if m.pushed >= m.depth {
		g := m.pushed - m.depth
		if int32(m.walk.group-g) <= 0 {
			return third, false
		}
		third = max(third, m.left[g%aheadGroups]+1)
	}
	m.there[m.pushed%aheadGroups] = third + 1
	m.pushed++
	return third, true
}
