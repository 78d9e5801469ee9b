package hwenc

import (
	"math/bits"

	"vcsim/internal/cabac"
	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// A binariseAhead is a BinariseUnit within a slice that does the arithmetic of a word when
// the word comes. What is left is time: in which cycle an operation goes into the register
// in front of the engine (it leaves, for short), and in which cycle a word is taken.
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

	// Operations by number, from 0 in a slice, and how many are known.
	ops  [aheadOps]cabac.PackedOp
	made uint32

	walk aheadWalk

	// The word in front.
	word  Word
	full  bool
	at    uint64 // it is there from this cycle on
	taken uint64 // if it is not there, the cycle in which it was taken
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
	flags  SubBlockWord
	before bool // as in residualUnit, of the last one that is coded

	// First two stages of bypassUnit.
	mask  uint16 // levels that are not taken
	count uint8
	seen  bool
	rice  uint8
	idle  uint64 // all levels are taken before this cycle
	delay uint64 // from the last chunk to the cycle in which a level may be taken
	// Chunks that wait for the third stage, as their first cycle twice, and one if a
	// group is full with it.
	chunks     [aheadChunks]uint64
	first, end uint8
	chunk      uint64 // cycle in which the last one was made
	third      uint64 // cycle in which the third stage is done with it
	// Third stage, ahead of its time.
	bins, binCount uint8
	// Groups that the queue has taken, by number: the cycle from which on one may leave.
	pushed uint32
	there  [aheadGroups]uint64
	left   [aheadGroups]uint64 // and the one in which it leaves
}

const (
	aheadOps    = 512 // operations that are known and have not left
	aheadGroups = 256 // of those, groups of bypass bins: 124 of a sub-block
	aheadChunks = 16  // of two levels and the signs of a sub-block
)

// An aheadSub is a sub-block.
type aheadSub struct {
	from     uint64 // its first operation leaves then or later
	contexts uint32 // the operation behind its context bins,
	bypass   uint32 // and behind its bypass bins; noOp before that is known
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
	m.loads, m.mask, m.idle = 0, 0, 0
	m.first, m.end, m.chunk, m.third, m.bins, m.binCount, m.pushed = 0, 0, 0, 0, 0, 0, 0
}

// arrive puts a word in front from a cycle on.
func (m *binariseAhead) arrive(w Word, cycle uint64) {
	m.word, m.full, m.at = w, true, cycle
}

// advance lets operations leave before a cycle, and settles all that follows from it.
func (m *binariseAhead) advance(cycle uint64) {
	for {
		m.walk.run(m, cycle, noOp)
		if !m.settle() {
			return
		}
	}
}

// hold tells that the engine does not take the operation that is in the register in a cycle.
func (m *binariseAhead) hold(cycle uint64) { m.walk.slot = max(m.walk.slot, cycle+1) }

// waits reports whether an operation is in the register at the start of a cycle, all before
// having been told.
func (m *binariseAhead) waits(cycle uint64) bool { return m.walk.slot == cycle }

// ahead returns what happens while the engine takes every operation: the one that
// is the first to leave behind a pause, or that is not known, from operation op on,
// which follows those before without one; and the cycle in which advance has more to do.
func (m *binariseAhead) ahead(op uint32) (end uint32, next uint64) {
	w := m.walk
	w.gap = sim.Never
	w.run(m, sim.Never, op)
	next = w.gap
	switch {
	case m.held:
		if w.op > m.take {
			next = min(next, w.taken)
		}
	case !m.full || m.mask != 0:
	case m.subs:
		if w.frees == m.loads {
			next = min(next, w.freed)
		}
	case w.phase == beforeBlock && !m.over:
		next = min(next, w.slot-1)
	}
	if m.first != m.end { // a group finds the queue full
		if g := m.pushed - m.depth; int32(w.group-g) > 0 {
			next = min(next, m.left[g%aheadGroups])
		}
	}
	return w.op, next
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
				if w.group == m.pushed || !w.leave(w.op+1, max(w.slot, m.there[w.group%aheadGroups]), cycle, stop) {
					return
				}
				m.left[w.group%aheadGroups] = w.slot - 1
				w.group++
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
	for ; ; any = true {
		switch {
		case m.first != m.end && m.stage():
		case m.mask != 0 && m.end-m.first <= 1 && m.pick():
		case m.held && m.walk.op > m.take:
			m.held, m.full, m.taken = false, false, m.walk.taken
			m.subs = m.coded
		case m.held || !m.full || m.mask != 0:
			return any
		case m.subs && m.walk.frees == m.loads:
			m.load()
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
		s.Eval(true, m.word, nil)
		if s.take {
			m.take = m.made
		}
		m.add(s.op.Pack())
		s.Clock(true, false, false, true, m.word)
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
	f := &m.flags
	*f = m.word.subBlock()
	s := &m.sub[m.loads&1]
	m.loads++
	m.subs = !f.DC
	m.contexts()
	*s = aheadSub{from: cycle + 1, contexts: m.made, bypass: noOp, empty: f.Mask == 0, dc: f.DC}
	if s.empty {
		if f.DC {
			m.closes()
		}
		return
	}
	m.mask, m.count, m.seen, m.rice, m.delay = f.Mask, 0, false, 0, 1
	coded := f.Mask
	if m.syntax.hide {
		coded &^= hidden(f.Mask)
	}
	for g := 12; g >= 0; g -= 4 {
		m.put(cycle+1, signs(coded>>g&15, f.Sign>>g&15))
	}
}

// contexts makes the operations of the context bins of a sub-block known, as residualUnit does.
func (m *binariseAhead) contexts() {
	f := &m.flags
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
	for ; k >= last; k-- {
		m.add(cabac.PackContext(hw.EncSig+sig[k&15], 0, uint8(f.Mask>>k&1)))
	}
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

// pick takes the next level, if its word is there.
func (m *binariseAhead) pick() bool {
	f := &m.flags
	p := bits.Len16(m.mask) - 1
	cycle, level := m.chunk+m.delay, uint16(1)
	m.mask &^= 1 << p
	if f.Greater>>(p&12)&15 != 0 {
		if !m.full {
			m.mask |= 1 << p
			return false
		}
		cycle = max(cycle, m.at)
		if f.Greater>>p&1 != 0 {
			level = m.word.level(p)
		}
		if m.mask>>(p&12)&15 == 0 {
			m.full, m.taken = false, cycle
		}
	}
	base := uint16(1)
	if m.count < 8 {
		above := level > 1
		base = 2
		if above && !m.seen {
			base = 3
		}
		m.seen = m.seen || above
		m.count++
	}
	m.delay = 0
	m.level(cycle+1, level, base)
	if m.mask == 0 {
		m.idle = cycle + 1
		m.group(m.bins, m.binCount)
		m.binCount = 0
		m.enqueue(0, 1)
		m.sub[(m.loads-1)&1].bypass = m.made
		if f.DC {
			m.closes()
		}
	}
	return true
}

// level makes the chunks of a level from a cycle on, as bypassUnit.code does.
func (m *binariseAhead) level(cycle uint64, level, base uint16) {
	rice := m.rice
	if level > 3<<rice && rice < 4 {
		m.rice++
	}
	if level < base {
		m.put(cycle, chunk{})
		return
	}
	r := binarise(level-base, rice)
	suffix := r.value & (1<<r.suffix - 1)
	if r.prefix+r.suffix <= 4 {
		m.put(cycle, chunk{bits: (1<<r.prefix-2)<<r.suffix | uint8(suffix), count: r.prefix + r.suffix})
		return
	}
	for ; r.prefix > 4; r.prefix -= 4 {
		m.put(cycle, chunk{bits: 15, count: 4})
	}
	m.put(cycle, chunk{bits: 1<<r.prefix - 2, count: r.prefix})
	n := (r.suffix-1)&3 + 1
	for r.suffix > 0 {
		r.suffix -= n
		m.put(cycle, chunk{bits: uint8(suffix>>r.suffix) & (1<<n - 1), count: n})
		n = 4
	}
}

// put sends a chunk that can be made from a cycle on to the third stage.
func (m *binariseAhead) put(cycle uint64, c chunk) {
	total := m.binCount + c.count
	held := uint16(m.bins)<<c.count | uint16(c.bits)
	full := uint64(0)
	if total > m.size {
		total -= m.size
		m.group(uint8(held>>total), m.size)
		full = 1
	}
	m.bins, m.binCount = uint8(held&(1<<total-1)), total
	m.enqueue(cycle, full)
}

// group makes a group known.
func (m *binariseAhead) group(v, n uint8) {
	m.add(cabac.Op{Kind: cabac.OpBypass, Count: n, Bits: v}.Pack())
}

// enqueue puts a chunk behind those that wait for the third stage.
func (m *binariseAhead) enqueue(cycle, full uint64) {
	m.chunks[m.end%aheadChunks] = cycle<<1 | full
	m.end++
	if m.end-m.first == 1 {
		m.stage()
	}
}

// stage finds out when the first chunk that waits is made, and lets it through the third
// stage, if it is known when.
func (m *binariseAhead) stage() bool {
	c := m.chunks[m.first%aheadChunks]
	m.chunk = max(c>>1, m.third)
	done := m.chunk + 1
	if c&1 != 0 {
		if g := m.pushed - m.depth; m.pushed >= m.depth {
			if int32(m.walk.group-g) <= 0 {
				return false
			}
			done = max(done, m.left[g%aheadGroups]+1)
		}
		m.there[m.pushed%aheadGroups] = done + 1
		m.pushed++
	}
	m.third = done
	m.first++
	return true
}
