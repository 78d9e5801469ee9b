package cabac

// An EncoderAhead is an EncoderUnit with the NALUnit behind it, within a
// codeword, that knows operations before the cycles in which it takes them. It
// does their arithmetic at once (Code); what is left is time: in which cycle a
// word is complete. While no stage waits the engine takes an operation a cycle,
// and four cycles later the packing takes what it settled, so that the
// cycle of every byte follows from the number of the operation that
// completes it. Where a stage has to wait, and at the end of the codeword, it
// goes through the cycles one by one, with the registers of its units
// (Stepped).
//
// A cycle of it: Eval if Stepped; then Clock if Stepped, or Sent if its word
// moved; Code for operations that are new; Plan.
type EncoderAhead struct {
	engine *EncoderUnit // its packing holds the bytes under way
	nal    *NALUnit

	// Arithmetic.
	rng   uint64
	low   uint64 // as in Encoder, modulo 2^64; the bits settled last from bit 9 on
	total uint64 // bits settled
	coded uint64 // operations
	end   uint64 // the one that ends the codeword; noEnd before it is known

	// Time. Cycles, operations and bytes are counted from 0.
	stepped bool
	enable  bool   // the stages advance
	now     uint64 // cycle
	taken   uint64 // operations that the engine took before now
	issued  uint64 // operations up to this one follow from now on, one a cycle
	stages  uint64 // in cycle now, the newest lowest, 16 bits each as in settled
	next    uint64 // byte that the packing takes next
	timed   uint64 // bytes with times
	emitted uint64 // cycle in which the packing sent its byte
	window  uint16 // bits settled up to byte next, the last 9 of them

	mem     [256]uint8
	settled [aheadSize]uint16 // by operation: see settledWindow
	ends    [aheadSize]uint64 // by byte: the operation that completes it
	times   [aheadSize]uint64 // by byte: the cycle in which the packing takes it
}

// aheadSize bounds the operations that are coded and not yet taken by the
// packing, and the bytes.
const aheadSize = 1024

const noEnd = ^uint64(0)

// What an operation settles. The bytes of the packing, with their carry, are
// differences of windows.
const (
	settledWindow = 1<<9 - 1 // the last 9 bits settled up to a byte
	settledByte   = 1 << 9   // a byte is complete
	settledBits   = 1 << 10  // any bits
	settledLast   = 1 << 11  // ends the codeword
)

// NewEncoderAhead returns an EncoderAhead over the registers of u and n.
func NewEncoderAhead(u *EncoderUnit, n *NALUnit) *EncoderAhead {
	return &EncoderAhead{engine: u, nal: n}
}

// Begin takes over from the units before the first operation of a codeword
// but those that set contexts. No byte of the one before is under way.
func (a *EncoderAhead) Begin(cycle uint64) {
	copy(a.mem[:], a.engine.ctx.mem)
	a.rng, a.low, a.total, a.coded, a.end = 510, 0, 0, 0, noEnd
	a.stepped, a.now, a.taken, a.issued, a.stages = false, cycle, 0, 0, 0
	a.next, a.timed, a.window = 0, 0, 0
}

// Code does the arithmetic of operations that follow those before; none sets a
// context. It is that of Encoder; an OpTerminate of one flushes.
func (a *EncoderAhead) Code(ops []Op) {
	rng, low, total, n := a.rng, a.low, a.total, a.coded
	mem, settled, ends := &a.mem, &a.settled, &a.ends
	for _, op := range ops {
		var shift, add uint64
		switch op.Kind {
		case OpContext:
			c := mem[op.Ctx]
			i := c | (c^op.Bits)<<7
			mem[op.Ctx] = nextState[i]
			w := subdivisions[i]
			m := uint64(int64(w) >> 63) // all ones for the less probable symbol
			lane := uint64(w) >> (rng >> 2 & 48)
			lps := lane & 0xff
			mps := rng - lps
			add = mps & m
			rng = mps&^m | lps&m
			shift = lane>>8&7 - rng>>8
			rng <<= shift & 63
			tail := uint64(op.Count & 1)
			add = add<<(shift&63)<<(tail&63) + rng&-(uint64(op.Bits>>1)&tail)
			shift += tail
		case OpBypass:
			shift, add = uint64(op.Count), rng*uint64(op.Bits)
		case OpTerminate:
			rng -= 2
			if op.Bits&1 != 0 {
				shift, add, rng = 7, rng<<7, 256
				a.end = n
			} else {
				shift = 1 - rng>>8
				rng <<= shift & 63
			}
		}
		low = low<<(shift&63) + add
		// Without branches: nine in ten operations complete no byte.
		ends[total>>3%aheadSize] = n
		t := total + shift
		settled[n%aheadSize] = uint16(low>>(9+t&7))&settledWindow | uint16((t^total)>>3&1)*settledByte | uint16((shift+7)>>3)*settledBits
		total = t
		n++
	}
	a.rng, a.low, a.total, a.coded = rng, low, total, n
	if a.end == n-1 {
		a.flush()
	}
}

// flush is an operation of its own: the two top bits of low, the second of them
// a one.
func (a *EncoderAhead) flush() {
	a.low = a.low<<2 | 1<<9
	a.ends[a.total>>3%aheadSize] = a.coded
	t := a.total + 2
	a.settled[a.coded%aheadSize] = uint16(a.low>>(9+t&7))&settledWindow | uint16((t^a.total)>>3&1)*settledByte | settledBits | settledLast
	a.total = t
	a.coded++
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
			p.acc = uint8((a.low>>9 - uint64(a.window)<<p.k) << (7 - p.k))
		}
	}
	a.now++
	if !a.enable {
		return
	}
	a.stages <<= 16
	if in || a.taken > a.end && a.taken < a.coded { // the flush comes by itself
		a.stages |= uint64(a.settled[a.taken%aheadSize])
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

// Plan ends the cycle before the given one, in which an operation may be at the
// input of the engine; all that are coded follow it, one a cycle. It returns
// the next cycle that has to end with Plan; before that the word changes by
// Sent alone. It must be called as well when that happens, and when operations
// get there that it did not know of.
func (a *EncoderAhead) Plan(cycle uint64, in bool) uint64 {
	if a.stepped {
		if !a.resume(in) {
			return cycle
		}
	} else if in && a.issued != a.coded {
		if cycle-a.now > a.issued-a.taken {
			a.advance(cycle)
		}
		a.issue()
	}
	p, n := &a.engine.pack, a.nal
	for {
		at := a.nextByte()
		if p.valid {
			full := n.word.Count == n.size-1
			switch {
			case n.zeros == 2 && p.out.Data <= 3 || full && at == a.emitted+1:
				return a.stepFrom(a.emitted+1, cycle)
			case full:
				if a.emitted+2 != cycle {
					return a.emitted + 1
				}
				p.valid = false
				n.take(p.out)
			}
		}
		if n.valid { // it has to be gone before the packing gets a byte
			return a.stepFrom(at, cycle)
		}
		if at == noEnd {
			return noEnd
		}
		if a.next == a.timed || a.ends[a.next%aheadSize] >= a.end {
			return a.stepFrom(at, cycle)
		}
		w, window := a.settled[a.ends[a.next%aheadSize]%aheadSize], a.window
		d := a.digit(w)
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

// nextByte returns the cycle in which the packing takes the next byte or the
// end of the codeword, noEnd if it is not known.
func (a *EncoderAhead) nextByte() uint64 {
	at := uint64(noEnd)
	if a.next != a.timed {
		at = a.times[a.next%aheadSize]
	}
	if a.end < a.issued {
		at = min(at, a.now-a.taken+a.end+stageCount)
	}
	return at
}

// stageCount is the number of cycles from engine to packing.
const stageCount = 4

// issue lets all coded operations follow, one a cycle, the first of them in
// cycle now + issued - taken.
func (a *EncoderAhead) issue() {
	a.issued = a.coded
	for n := a.total >> 3; a.timed != n; a.timed++ {
		a.times[a.timed%aheadSize] = a.now - a.taken + a.ends[a.timed%aheadSize] + stageCount
	}
}

// advance moves now.
func (a *EncoderAhead) advance(cycle uint64) {
	n := cycle - a.now
	for k := n - min(n, stageCount); k < n; k++ {
		a.stages <<= 16
		if op := a.taken + k; op < a.issued {
			a.stages |= uint64(a.settled[op%aheadSize])
		}
	}
	a.taken = min(a.taken+n, a.issued)
	a.now = cycle
}

// stepFrom lets cycles be stepped from at on, if next is that cycle. It returns
// the cycle to end with Plan.
func (a *EncoderAhead) stepFrom(at, next uint64) uint64 {
	if at != next {
		return at - 1
	}
	a.advance(next)
	p := &a.engine.pack
	if p.valid && a.emitted+1 != next {
		p.valid = false
		a.nal.take(p.out)
	}
	a.stepped = true
	return next
}

// resume ends the stepping where nothing waits.
func (a *EncoderAhead) resume(in bool) bool {
	p := &a.engine.pack
	if p.draining || p.fin || a.nal.pending || p.valid && a.nal.valid || a.taken > a.end {
		return false
	}
	a.stepped = false
	a.emitted = a.now - 1
	a.timed = a.next
	for i := range uint64(stageCount) {
		if a.stages>>(48-16*i)&settledByte != 0 {
			a.times[a.timed%aheadSize] = a.now + i
			a.timed++
		}
	}
	a.issued = a.taken
	if in {
		a.issue()
	}
	return true
}
