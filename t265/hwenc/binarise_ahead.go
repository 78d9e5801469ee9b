package hwenc

import (
	"math/bits"

	"vcsim/internal/cabac"
	"vcsim/internal/cabachw"
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
	coder *cabachw.EncoderAhead
	ops   *aheadOps

	made  uint32 // operations that are known, of a slice
	coded uint32 // those that coder has; ops has the others
	walk  aheadWalk
	seen  aheadWalk // where ahead got from there, if sees
	sees  bool

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
	levelled   bool       // it has levels
	subs       bool       // words of sub-blocks come
	over       bool       // the block is the last one of the slice

	// Sub-blocks that came in, and the last two of them.
	loads  uint32
	sub    [2]aheadSub
	before bool   // as in residualUnit, of the last one that is coded
	busy   bool   // its levels are not all taken,
	idle   uint64 // or were before this cycle

	first, end uint8  // numbers of the spans that are not made
	under      bool   // the first one is under way, its first chunk made
	zero       uint64 // in this cycle, or as much later as the third stage waited
	picked     bool   // its first level is taken, though it is not under way,
	start      uint64 // so that it can be made from this cycle on
	chunk      uint64 // if none is under way or stuck, cycle in which the last chunk was made
	third      uint64 // cycle in which the third stage is done with it,
	stuck      bool   // or not before a group leaves
	// Third stage, ahead of its time.
	bins, binCount uint8
	pushed         uint32 // groups that the queue has taken

	// By group: the cycle from which on it may leave, and as soon as walk or seen is past it, the one in which it does. To walk
	// there again from what seen said does not change it: operations leave no earlier than they were seen to.
	leaves [aheadGroups]uint64
	spans  [aheadSpans]aheadSpan
}

// An aheadOps holds operations of one block or sub-block, which are 170 at most, on the way to the arithmetic. Lanes that
// take turns share one.
type aheadOps [256]cabac.PackedOp

const (
	aheadGroups = 32 // twice the groups that wait
	aheadSpans  = 16 // spans that are not made: a sub-block has six
)

// An aheadSpan is chunks that are made one a cycle, but for waits of the third stage: those of the signs of a sub-block,
// or those of levels up to one that needs a word of levels. There are 48 of these at most, 36 of a word and 12 of
// levels of one behind them.
type aheadSpan struct {
	full  uint64 // bit i: a group is full with chunk i, and not in the queue
	n     uint8  // chunks
	take  uint8  // the first chunk of the last level of the word, of which nobody knows that it is gone; noChunk if there is none
	last  uint8  // the same of the last level of the sub-block
	word  bool   // the first level needs a word
	signs bool   // those of the signs
	after bool   // the span before is that of the signs
}

// noChunk is the number of a chunk that does not come.
const noChunk = 255

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
	m.sees = false
	m.made, m.coded, m.walk = 0, 0, aheadWalk{slot: cycle}
	m.word, m.full, m.at = w, true, cycle
	m.held, m.subs, m.over = false, false, false
	m.loads, m.busy, m.idle = 0, false, 0
	m.first, m.end, m.under, m.picked, m.chunk, m.third, m.stuck, m.pushed = 0, 0, false, false, 0, 0, false, 0
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
	if m.sees && m.seen.slot <= cycle {
		m.walk = m.seen
	}
	for {
		m.walk.run(m, cycle, noOp)
		if !m.settle() || m.walk.slot >= cycle {
			m.sees = m.sees && m.seen.op >= m.walk.op
			return
		}
	}
}

// hold tells that the engine does not take the operation that is in the register in a cycle.
func (m *binariseAhead) hold(cycle uint64) { m.walk.slot, m.sees = max(m.walk.slot, cycle+1), false }

// waits reports whether an operation is in the register at the start of a cycle, all before
// having been told.
func (m *binariseAhead) waits(cycle uint64) bool { return m.walk.slot == cycle }

// ahead returns what happens while the engine takes every operation, without the words to come. Operations up to end
// leave one a cycle, behind operation op. In cycle next advance has more to do, or it may have if
// a word comes before; that is Never if nothing leaves any more. The context bins of the sub-block that came in
// last have left in cycle freed, or Never.
func (m *binariseAhead) ahead(op uint32) (end uint32, next, freed uint64) {
	w := &m.seen
	if !m.sees {
		*w, m.sees = m.walk, true
	}
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
	return w.op, min(next, m.room()), freed
}

// room returns the cycle in which a group leaves for which a word in front has to wait, if ahead has seen it. The
// same holds up chunks and groups behind those that are known, but nobody sees that before.
func (m *binariseAhead) room() uint64 {
	g := m.pushed - m.depth
	if !m.stuck || !m.full || !m.busy || int32(m.seen.group-g) <= 0 {
		return sim.Never
	}
	return m.leaves[g%aheadGroups]
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
			if m.levelled {
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
				from := max(w.slot, m.leaves[i])
				if from > w.slot && w.op >= stop {
					w.gap = from
					return
				}
				if from >= cycle {
					return
				}
				m.leaves[i] = from
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
			m.subs = m.levelled
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
	m.ops[uint8(m.made-m.coded)] = op
	m.made++
}

// code does the arithmetic of the operations that were made known.
func (m *binariseAhead) code() {
	m.coder.Prepare(m.ops[:m.made-m.coded])
	m.coded = m.made
}

// block begins a block with the word in front.
func (m *binariseAhead) block() {
	s := &m.syntax
	b := m.word.block()
	*s = syntaxUnit{state: begin(&b)}
	m.held, m.from, m.levelled, m.before = true, m.at, b.Coded, false
	for s.state != syntaxFirst && s.state != syntaxEnd && s.state != syntaxResidual {
		s.Eval(true, &b, nil)
		if s.take {
			m.take = m.made
		}
		m.add(s.op.Pack())
		s.Clock(true, false, false, true, &b)
	}
	m.head = m.made
	if !m.levelled {
		m.closes()
	}
	m.code()
	m.over = s.last
	m.walk.phase, m.sees = inSyntax, false
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
		if m.first == m.end {
			m.first, m.end = 0, 0 // the same few places again
		}
		m.signs(&f)
		m.magnitudes(&f)
	}
	s.bypass = m.made
	if f.DC {
		m.closes()
	}
	m.code()
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
	ops, n := m.ops, uint8(m.made-m.coded)
	from := n
	for ; k >= last; k-- {
		ops[n] = cabac.PackContext(hw.EncSig+sig[k&15], 0, uint8(f.Mask>>(k&15)&1))
		n++
	}
	set := 2*later + bin(m.before)
	inc, any := uint8(1), uint8(0)
	mask := f.Mask
	for count := 0; mask != 0 && count < 8; count++ {
		p := bits.Len16(mask) - 1
		mask &^= 1 << (p & 15)
		one := uint8(f.Greater >> (p & 15) & 1)
		ops[n] = cabac.PackContext(hw.EncGreater1+4*set+inc, 0, one)
		n++
		any |= one
		// 0 behind a one; 1, 2, and then 3 else.
		inc = (inc + bin(inc&3 != 3 && inc != 0)) & (any - 1)
	}
	if any != 0 {
		ops[n] = cabac.PackContext(hw.EncGreater2+set, 0, bin(f.Two))
		n++
	}
	if f.Mask != 0 {
		m.before = any != 0
	}
	m.made += uint32(n - from)
}

// signChunks is signs by the mask of four levels, and below it which are negative, as the operation of its bins.
var signChunks = func() (t [256]cabac.PackedOp) {
	for i := range t {
		c := signs(uint16(i>>4), uint16(i&15))
		t[i] = groupOp(c.bits, c.count)
	}
	return t
}()

// signs makes the chunks of the signs of a sub-block.
func (m *binariseAhead) signs(f *SubBlockWord) {
	coded := f.Mask
	if m.syntax.hide {
		coded &^= hidden(f.Mask)
	}
	s := aheadSpan{signs: true, take: noChunk, last: noChunk}
	m.pack(&s, []cabac.PackedOp{
		signChunks[coded>>12<<4|f.Sign>>12],
		signChunks[coded>>8&15<<4|f.Sign>>8&15],
		signChunks[coded>>4&15<<4|f.Sign>>4&15],
		signChunks[coded&15<<4|f.Sign&15],
	})
	m.span(&s)
}

// magnitudes makes the chunks of the levels of a sub-block, and that of its end.
func (m *binariseAhead) magnitudes(f *SubBlockWord) {
	early := f.Mask // the first eight
	for n := bits.OnesCount16(early); n > 8; n-- {
		early &= early - 1
	}
	first := uint16(uint32(1) << bits.Len16(f.Greater&early) >> 1) // the one above one, if it is one of them
	var chunks [64]cabac.PackedOp
	s := aheadSpan{after: true, take: noChunk, last: noChunk}
	n, at, rice := uint8(0), uint8(0), uint8(0)
	for g := 12; g >= 0; g -= 4 {
		mask := f.Mask >> g & 15
		if mask == 0 {
			continue
		}
		word := f.Greater>>g&15 != 0
		if word {
			if n != 0 {
				m.pack(&s, chunks[:n&63])
				m.span(&s)
				s, n = aheadSpan{take: noChunk, last: noChunk}, 0
			}
			s.word = true
		}
		// Levels of at most one are known from the masks: others may come to their place when all words of this sub-block are out.
		above := lowestBits(f.Greater >> g)
		levels := magnitudes(lanes((*[4]int16)(m.levels[g:])))&(above*0xffff) | lowestBits(mask)&^above
		values := levels - lowestBits(early>>g) - lowestBits(first>>g) // of coeff_abs_level_remaining, one more
		for mask != 0 {
			k := bits.Len16(mask) - 1
			mask &^= 1 << (k & 15)
			level, value := uint16(levels>>(16*k&63)), uint16(values>>(16*k&63))
			at = n
			if c := remainingChunks[rice&7][value&15]; value < 16 && c != noChunks {
				chunks[n&63] = c
				n++
			} else {
				n = remainingOps(&chunks, n, value-1, rice)
			}
			rice += bin(level > riceLimits[rice&7])
		}
		if word {
			s.take = at
		}
	}
	s.last = at
	m.pack(&s, chunks[:n&63])
	m.add(groupOp(m.bins, m.binCount))
	s.full |= 1 << (s.n & 63)
	s.n++
	m.span(&s)
}

// span puts a span behind those that are not made.
func (m *binariseAhead) span(s *aheadSpan) {
	m.spans[m.end%aheadSpans] = *s
	m.end++
}

// riceLimits is the level by cRiceParam above which that grows.
var riceLimits = [8]uint16{3, 3 << 1, 3 << 2, 3 << 3, 4: 1<<16 - 1}

// noChunks stands for more chunks than one.
const noChunks = cabac.PackedOp(noChunk << 16)

// remainingChunks is coeff_abs_level_remaining by cRiceParam and the value with one added, as the operation of its bins, where it
// is one chunk; else noChunks. It has no bins where it is not coded, at 0.
var remainingChunks = func() (t [8][16]cabac.PackedOp) {
	for rice := range t {
		for v := range t[rice] {
			if v == 0 {
				t[rice][v] = groupOp(0, 0)
				continue
			}
			r := binarise(uint16(v-1), uint8(rice))
			t[rice][v] = noChunks
			if r.prefix+r.suffix <= 4 {
				t[rice][v] = groupOp((1<<r.prefix-2)<<r.suffix|uint8(v-1)&(1<<r.suffix-1), r.prefix+r.suffix)
			}
		}
	}
	return t
}()

// remainingOps makes the chunks of coeff_abs_level_remaining from chunk n on, if it is more than one, as bypassUnit.code does,
// and returns the number of the one behind them.
func remainingOps(chunks *[64]cabac.PackedOp, n uint8, v uint16, rice uint8) uint8 {
	put := func(bits, count uint8) {
		chunks[n&63] = groupOp(bits, count)
		n++
	}
	r := binarise(v, rice)
	suffix := r.value & (1<<r.suffix - 1)
	for ; r.prefix > 4; r.prefix -= 4 {
		put(15, 4)
	}
	put(1<<r.prefix-2, r.prefix)
	count := (r.suffix-1)&3 + 1
	for r.suffix > 0 {
		r.suffix -= count
		put(uint8(suffix>>r.suffix)&(1<<count-1), count)
		count = 4
	}
	return n
}

// pack makes the chunks of a span known, and the groups that are full with them.
func (m *binariseAhead) pack(s *aheadSpan, chunks []cabac.PackedOp) {
	count, size := int(m.binCount), int(m.size)
	for len(chunks) > 0 {
		part := chunks[:min(len(chunks), 14)] // their bins fit into a word, behind those of no group
		chunks = chunks[len(part):]
		held, full := uint64(m.bins), uint64(0)
		for _, c := range part { // without branches: nobody can tell which chunk fills a group
			held = held<<(c>>16&63) | uint64(c>>24)
			count += int(c >> 16 & 63)
			full = full>>1 | uint64(size-count)&(1<<63)
			count -= size & ((size - count) >> 63)
		}
		full >>= -len(part) & 63
		for at := count + size*bits.OnesCount64(full); at > count; {
			at -= size
			m.add(groupOp(uint8(held>>(at&63))&(1<<(size&7)-1), m.size))
		}
		m.bins, m.binCount = uint8(held&(1<<(count&7)-1)), uint8(count)
		s.full |= full << (s.n & 63)
		s.n += uint8(len(part))
	}
}

// groupOp is the operation of a group of n bins.
func groupOp(v, n uint8) cabac.PackedOp {
	return cabac.OpBypass | cabac.PackedOp(n)<<16 | cabac.PackedOp(v)<<24
}

// bypass finds the cycles of levels, chunks and groups, as far as they are known. It reports
// whether there were any.
func (m *binariseAhead) bypass() (any bool) {
	for {
		if m.stuck {
			if third, room := m.push(m.chunk + 1); room {
				m.stuck, any = false, true
				m.zero += third - (m.chunk + 1)
				m.third = third
			}
		}
		if !m.under {
			if m.first == m.end {
				return any
			}
			if !m.picked {
				if !m.begins(&m.spans[m.first%aheadSpans]) {
					return any
				}
				m.picked, any = true, true
			}
		}
		if m.stuck {
			return any
		}
		if !m.under {
			m.under, m.picked, m.zero = true, false, max(m.third, m.start)
		}
		any = true
		m.makes(&m.spans[m.first%aheadSpans])
	}
}

// begins takes the first level of a span, if its word is there, in the cycle in which the chunk before it is made or in
// the next one behind the signs.
func (m *binariseAhead) begins(s *aheadSpan) bool {
	if s.signs {
		m.start = m.sub[(m.loads-1)&1].from
		return true
	}
	cycle := m.chunk + uint64(bin(s.after))
	if s.word {
		if !m.full {
			return false
		}
		cycle = max(cycle, m.at)
	}
	m.start = cycle + 1
	m.picks(s, 0, cycle)
	return true
}

// picks lets the levels that begin with a chunk, or one before it, be taken. A level is taken when the chunk before its first
// one is made; cycle is that of chunk -1.
func (m *binariseAhead) picks(s *aheadSpan, chunk uint8, cycle uint64) {
	if s.take <= chunk {
		m.full, m.taken = false, cycle+uint64(s.take)
		s.take = noChunk
	}
	if s.last <= chunk {
		m.busy, m.idle = false, cycle+uint64(s.last)+1
		s.last = noChunk
	}
}

// makes makes the chunks of the span under way, up to the end or one with which the third stage waits.
func (m *binariseAhead) makes(s *aheadSpan) {
	for s.full != 0 {
		i := uint8(bits.TrailingZeros64(s.full))
		s.full &= s.full - 1
		m.chunk = m.zero + uint64(i)
		third, room := m.push(m.chunk + 1)
		if room && third == m.chunk+1 {
			continue
		}
		m.picks(s, i+1, m.zero-1)
		m.stuck = !room
		m.zero += third - (m.chunk + 1)
		if i+1 == s.n {
			m.third, m.under = third, false
			m.first++
		}
		return
	}
	m.picks(s, s.n, m.zero-1)
	m.third = m.zero + uint64(s.n)
	m.chunk = m.third - 1
	m.under = false
	m.first++
}

// push puts a group into the queue when the third stage is done with it, or later: if the queue is full, it has room in the
// cycle after one leaves. It returns the cycle, or that it is not known.
func (m *binariseAhead) push(third uint64) (uint64, bool) {
	if m.pushed >= m.depth {
		g := m.pushed - m.depth
		if int32(m.walk.group-g) <= 0 {
			return third, false
		}
		third = max(third, m.leaves[g%aheadGroups]+1)
	}
	m.leaves[m.pushed%aheadGroups] = third + 1
	m.pushed++
	return third, true
}
