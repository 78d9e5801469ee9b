package cabachw

import (
	"vcsim/internal/cabac"
	"vcsim/sim"
)

// An EncoderAhead is an EncoderUnit with the NALUnit behind it, within a
// codeword, that knows operations before the cycles in which it takes them. It
// does their arithmetic at once (Prepare); what is left is time: in which cycle a
// word is complete. That is found for operations whose cycles are known (Issue).
//
// Why that can be computed: the stages of the engine advance together. While none
// waits, the engine takes an operation a cycle, and four cycles later the packing
// takes what the operation settled. So the cycle of every byte follows from the
// number of the operation that completes it.
//
// An example: the codeword begins in cycle 100, so that operation k, counted from 0,
// moves in cycle 100+k. Operation 9 completes byte 0, which the packing takes in
// cycle 113 = 100 + 9 + 4 and holds, since a carry may still reach it. Operation 15
// completes byte 1: in cycle 119 the packing takes it, and byte 0 goes to the
// NALUnit, which has a word of 8 bytes when byte 8 has come. Plan returns the cycle
// before the one in which that word changes.
//
// It goes through the cycles one by one, with the registers of its units (Stepped),
// where a stage has to wait for a word to leave, while a run of outstanding bytes
// drains, where an emulation prevention byte enters, and from the last bytes of the
// codeword on.
//
// A cycle of it: Eval if Stepped; then Clock if Stepped, or Sent if its word
// moved; Prepare and Issue, or Code for both, for operations that are new; Plan.
type EncoderAhead struct {
	engine *EncoderUnit // its packing holds the bytes under way
	nal    *NALUnit

	// Arithmetic.
	rng   uint32
	low   uint32 // as in Encoder, modulo 2^32; the bits settled last from bit 9 on
	total uint32 // bits settled
	coded uint32 // operations
	given uint32 // those that Issue was told of
	end   uint32 // the one that ends the codeword; noEnd before it is known

	// Time. Cycles, operations and bytes are counted from 0.
	stepped bool
	enable  bool   // the stages advance
	now     uint64 // cycle
	taken   uint32 // operations that the engine took before now
	issued  uint32 // operations up to this one follow from now on, one a cycle
	stages  uint64 // in cycle now, the newest lowest, 16 bits each: see settled
	next    uint32 // byte that the packing takes next
	window  uint16 // of the byte before
	emitted uint64 // cycle in which the packing sent its byte

	mem  [256]uint8
	raw  [aheadSize]settling // by operation
	ends [aheadSize]uint32   // by byte: the operation that completes it
}

// aheadSize bounds the operations that are coded and not yet taken by the
// packing, and the bytes.
const aheadSize = 512

// A settling is what an operation leaves behind: the lowest 7 bits of total, and
// above them those of low that a window is of.
type settling uint32

const settlingTotal = 7

// noEnd is the number of an operation that does not come.
const noEnd = 1<<32 - 1

// A stage holds what an operation settles, 0 for nothing. The window are the last
// 9 bits up to a byte; the bytes for the packing, with their carry, are
// differences of windows.
const (
	settledWindow = 1<<9 - 1
	settledByte   = 1 << 9  // a byte is complete
	settledBits   = 1 << 10 // any bits
	settledLast   = 1 << 11 // ends the codeword
)

// stageCount is the number of cycles from engine to packing.
const stageCount = 4

// NewEncoderAhead returns an EncoderAhead over the registers of u and n.
func NewEncoderAhead(u *EncoderUnit, n *NALUnit) *EncoderAhead {
	return &EncoderAhead{engine: u, nal: n}
}

// Begin takes over from the units before the first operation of a codeword
// but those that set contexts. No byte of the one before is under way.
func (a *EncoderAhead) Begin(cycle uint64) {
	copy(a.mem[:], a.engine.ctx.mem)
	a.rng, a.low, a.total, a.coded, a.given, a.end = 510, 0, 0, 0, 0, noEnd
	a.stepped, a.now, a.taken, a.issued, a.stages = false, cycle, 0, 0, 0
	a.next, a.window = 0, 0
	a.raw[aheadSize-1] = 0 // of the operation before the first
}

// window returns the last 9 bits up to the byte that is completed last.
func (s settling) window() uint16 { return uint16(s >> (settlingTotal + 9 + s&7) & settledWindow) }

// total returns the lowest bits of total.
func (s settling) total() uint32 { return uint32(s & (1<<settlingTotal - 1)) }

// Code is Prepare and Issue of operations.
func (a *EncoderAhead) Code(ops []cabac.PackedOp) {
	a.Prepare(ops)
	a.Issue(uint32(len(ops)))
}

// Issue tells that so many operations that were prepared, behind those before, follow each
// other in the cycles that the next Plan is told.
func (a *EncoderAhead) Issue(n uint32) {
	if a.given += n; a.given > a.end {
		a.given = a.coded // the flush comes by itself
	}
}

// Prepare does the arithmetic of operations that follow those before; none sets a
// context. It is that of Encoder; an OpTerminate of one flushes.
func (a *EncoderAhead) Prepare(ops []cabac.PackedOp) {
	for len(ops) > 0 {
		ops = ops[a.bins(ops):]
		ops = ops[a.others(ops):]
	}
	if a.end == a.coded-1 {
		a.flush()
	}
}

// alone reports whether an operation is a context bin without a tail.
func alone(op cabac.PackedOp) bool { return op&(0xff|1<<16) == cabac.OpContext }

// bins is Prepare of the first operations, as far as they are context bins alone. It
// returns their number.
func (a *EncoderAhead) bins(ops []cabac.PackedOp) int {
	rng, low, total, n := uint64(a.rng), a.low, a.total, a.coded
	for _, op := range ops {
		if !alone(op) {
			break
		}
		at := &a.mem[uint8(op>>8)]
		next, add, after, shift := cabac.Step(*at, uint8(op>>24), rng)
		*at = next
		rng = after << (shift & 63)
		low = (low + uint32(add)) << (shift & 31)
		total = a.leaves(n, total, uint32(shift), low)
		n++
	}
	done := n - a.coded
	a.rng, a.low, a.total, a.coded = uint32(rng), low, total, n
	return int(done)
}

// others is Prepare of the first operations up to a context bin alone. It returns their
// number.
func (a *EncoderAhead) others(ops []cabac.PackedOp) int {
	rng, low, total, n := a.rng, a.low, a.total, a.coded
	for _, op := range ops {
		if alone(op) {
			break
		}
		var shift uint32
		switch uint8(op) {
		case cabac.OpContext:
			at := &a.mem[uint8(op>>8)]
			next, add, after, by := cabac.Step(*at, uint8(op>>24), uint64(rng))
			*at = next
			rng = uint32(after << (by & 63))
			shift = uint32(by) + 1
			low = (low+uint32(add))<<(shift&31) + rng&-(uint32(op)>>25&1)
		case cabac.OpBypass:
			shift = uint32(op) >> 16 & 0xff
			low = low<<(shift&31) + rng*(uint32(op)>>24)
		case cabac.OpTerminate:
			rng -= 2
			if op>>24&1 != 0 {
				low += rng
				shift, rng = 7, 256
				a.end = n
			} else {
				shift = 1 - rng>>8
				rng <<= shift & 31
			}
			low <<= shift & 31
		}
		total = a.leaves(n, total, shift, low)
		n++
	}
	done := n - a.coded
	a.rng, a.low, a.total, a.coded = rng, low, total, n
	return int(done)
}

// leaves keeps what an operation leaves behind and returns the total after it. It has no
// branches: nine in ten operations complete no byte.
func (a *EncoderAhead) leaves(op, total, shift, low uint32) uint32 {
	a.ends[total>>3%aheadSize] = op
	total += shift
	a.raw[op%aheadSize] = settle(total, low)
	return total
}

// settle returns what is left behind at a total and a low.
func settle(total, low uint32) settling {
	return settling(low<<settlingTotal | total&(1<<settlingTotal-1))
}

// flush is an operation of its own: the two top bits of low, the second of them
// a one.
func (a *EncoderAhead) flush() {
	a.low = a.low<<2 | 1<<9
	a.ends[a.total>>3%aheadSize] = a.coded
	a.total += 2
	a.raw[a.coded%aheadSize] = settle(a.total, a.low)
	a.coded++
}

// settled returns what an operation settles.
func (a *EncoderAhead) settled(op uint32) uint64 {
	r := a.raw[op%aheadSize]
	changed := r.total() ^ a.raw[(op-1)%aheadSize].total()
	if changed == 0 {
		return 0
	}
	w := settledBits | uint64(r.window())
	if changed>>3&1 != 0 {
		w |= settledByte
	}
	if op == a.end+1 {
		w |= settledLast
	}
	return w
}

// Stepped reports that Eval and Clock are due in every cycle.
func (a *EncoderAhead) Stepped() bool { return a.stepped }

// Ready reports, after Eval, that the engine takes an operation.
func (a *EncoderAhead) Ready() bool { return a.enable }

// Word returns the word on the output of the NALUnit, nil for none.
func (a *EncoderAhead) Word() *Word {
	if a.nal.valid {
		return &a.nal.word
	}
	return nil
}

// Eval is the Eval of the units.
func (a *EncoderAhead) Eval() {
	a.nal.Eval()
	a.engine.pack.Eval()
	a.enable = a.stages>>48&settledBits == 0 || a.engine.word.Ready
}

// Clock is the edge of the units. An operation may be at the input of the
// engine.
func (a *EncoderAhead) Clock(in bool) {
	p := &a.engine.pack
	a.nal.Clock()
	a.engine.word.Valid = false
	p.Clock()
	if w := uint16(a.stages >> 48); w&settledBits != 0 && a.enable {
		if w&settledByte != 0 {
			p.digit(a.digit(w))
			a.next++
		}
		if w&settledLast != 0 {
			p.fin, p.k = true, uint8(a.total&7)
			p.acc = uint8((a.low>>9 - uint32(a.window)<<p.k) << (7 - p.k))
		}
	}
	a.now++
	if !a.enable {
		return
	}
	a.stages <<= 16
	if in || a.taken > a.end && a.taken < a.coded { // the flush comes by itself
		a.stages |= a.settled(a.taken)
		a.taken++
	}
}

// digit returns the next byte for PackUnit.digit, which an operation completed
// that settled w.
func (a *EncoderAhead) digit(w uint16) uint16 {
	w &= settledWindow
	d := (w - a.window<<8) & settledWindow
	a.window = w
	return d
}

// Sent tells that Word moved.
func (a *EncoderAhead) Sent() { a.nal.valid, a.nal.word.Count = false, 0 }

// Plan ends the cycle before the given one. It returns the next cycle that has to
// end with Plan; before that the word changes by Sent alone. It must be called as
// well when that happens, and when operations that it has not seen get to the
// input of the engine: the first of them in cycle from, or behind those before,
// then one a cycle. From is sim.Never if there are none.
func (a *EncoderAhead) Plan(cycle, from uint64) uint64 {
	if a.stepped && !a.resume() {
		return cycle
	}
	if from != sim.Never && a.issued != a.given {
		if from-a.now > uint64(a.issued-a.taken) { // the engine runs dry before
			a.advance(from)
		}
		a.issued = a.given
	}
	p, n := &a.engine.pack, a.nal
	for {
		a.pass()
		at := a.nextTime()
		if p.valid {
			full := n.word.Count == n.size-1
			switch {
			case n.zeros == 2 && p.out.Data <= 3 || full && at == a.emitted+1:
				return a.stepFrom(a.emitted+1, cycle)
			case full && cycle != a.emitted+2:
				return a.emitted + 1
			case full:
				p.valid = false
				n.take(p.out)
			}
		}
		// A word has to be gone before the packing gets a byte. The end, which
		// completes one at least, is stepped.
		if n.valid || at == sim.Never || a.ends[a.next%aheadSize] >= a.end {
			return a.stepFrom(at, cycle)
		}
		window := a.window
		d := a.digit(a.byteWindow(a.next))
		if p.has && (d == 0xff && p.run == p.runMax || d != 0xff && p.run != 0) {
			a.window = window
			return a.stepFrom(at, cycle)
		}
		if p.valid {
			p.valid = false
			n.take(p.out)
		}
		p.digit(d)
		a.emitted = at
		a.next++
	}
}

// pass is the case of most bytes: one is sent, and the byte before goes into a word
// that it does not fill.
func (a *EncoderAhead) pass() {
	p, n := &a.engine.pack, a.nal
	if !p.valid { // if it is, there is no run
		return
	}
	first, end, limit := a.next, a.total>>3, min(a.issued, a.end)
	out, held, window := p.out.Data, p.held, a.window
	for a.next != end && n.word.Count < n.size-1 && (n.zeros != 2 || out > 3) && a.ends[a.next%aheadSize] < limit {
		w := a.byteWindow(a.next)
		d := (w - window<<8) & settledWindow
		if d == 0xff {
			break
		}
		n.put(out, false)
		out, held, window = held+uint8(d>>8), uint8(d), w
		a.next++
	}
	if a.next != first {
		p.out.Data, p.held, a.window = out, held, window
		a.emitted = a.time(a.next - 1)
	}
}

// Unknown reports that operations were issued that Plan has not seen.
func (a *EncoderAhead) Unknown() bool { return a.issued != a.given }

// byteWindow returns the window of a byte.
func (a *EncoderAhead) byteWindow(b uint32) uint16 {
	return a.raw[a.ends[b%aheadSize]%aheadSize].window()
}

// nextTime returns the cycle in which the packing takes the next byte or the
// end of the codeword, if it is known.
func (a *EncoderAhead) nextTime() uint64 {
	switch {
	case a.next != a.total>>3 && a.ends[a.next%aheadSize] < min(a.issued, a.end):
		return a.time(a.next)
	case a.end < a.issued:
		return a.now + uint64(a.end) - uint64(a.taken) + stageCount
	}
	return sim.Never
}

// time returns the cycle in which the packing takes a byte.
func (a *EncoderAhead) time(b uint32) uint64 {
	if op := a.ends[b%aheadSize]; op >= a.taken {
		return a.now + uint64(op-a.taken) + stageCount
	}
	// It is in the stages, with as many bytes behind it as there are between it
	// and the operation that is taken next.
	behind := (a.raw[(a.taken-1)%aheadSize].total()>>3 - 1 - b) & (1<<(settlingTotal-3) - 1)
	for i, s := uint64(0), a.stages; ; i, s = i+1, s>>16 {
		if s&settledByte != 0 {
			if behind == 0 {
				return a.now + stageCount - 1 - i
			}
			behind--
		}
	}
}

// advance moves now.
func (a *EncoderAhead) advance(cycle uint64) {
	n := cycle - a.now
	for k := n - min(n, stageCount); k < n; k++ {
		a.stages <<= 16
		if op := a.taken + uint32(k); op < a.issued {
			a.stages |= a.settled(op)
		}
	}
	a.taken = uint32(min(uint64(a.taken)+n, uint64(a.issued)))
	a.now = cycle
}

// stepFrom lets cycles be stepped from at on, if cycle is that one. It returns the
// cycle to end with Plan.
func (a *EncoderAhead) stepFrom(at, cycle uint64) uint64 {
	if at != cycle {
		return at - 1
	}
	a.advance(cycle) // a byte that the packing has sent before goes now, to the same effect
	a.stepped = true
	return cycle
}

// resume ends the stepping where nothing waits.
func (a *EncoderAhead) resume() bool {
	p := &a.engine.pack
	if p.draining || p.fin || a.nal.pending || p.valid && a.nal.valid || a.taken > a.end {
		return false
	}
	a.stepped = false
	a.emitted = a.now - 1
	a.issued = a.taken
	return true
}
