package lmc

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// The coder of steps from the floating-point values of a base to those of a snapshot. What a training step adds to a
// weight depends little on the weight, so that the difference of two values, counted in units of the last place, is the larger
// the smaller the exponent of the base is; and where it is large, it is rarely zero. Both sides know the base. Its
// exponent therefore selects the table, one of a few, that the step is coded with.
//
// A step is the difference of the two magnitudes, as integers, with the sign in the lowest bit, and whether the sign of
// the value flips. The difference u has a token: u itself below 8, then four for each octave; the bits below the leading three
// follow as they are. The symbol is twice the token, plus one for a flip.
//
// Of the values that are coded, in two lanes of equal length, a block says: number of contexts (1 byte); the least
// exponent of each but the last, descending; number of symbols (1 byte, less 1); a plane with the levels of all
// symbols of the first context, then those of the next, each less the one two symbols before; size of the first
// lane (uvarint); the lanes.

const (
	directSteps = 8
	maxSymbol   = 2*(directSteps+4*29) - 1
	minContext  = 256 // values of a context
	stepLanes   = 2
	levelBits   = 4  // about, that the frequency of a symbol takes
	sparseSteps = 10 // bytes, about, that positions take beside themselves
)

// stepSymbol returns the symbol of a step.
func stepSymbol(u uint32, flip uint32) uint32 {
	extra := uint32(bits.Len32(u|4)) - 3
	return (extra<<2+u>>(extra&31))<<1 | flip
}

// stepExtra returns the number of bits that follow a symbol, and the least difference that it stands for.
func stepExtra(symbol int) (extra uint8, u uint32) {
	t := symbol >> 1
	if t < directSteps {
		return 0, uint32(t)
	}
	t -= directSteps
	extra = uint8(t>>2) + 1
	return extra, uint32(4+t&3) << extra
}

// stepOf returns the difference and the flip from one value, of w bytes, to another.
func stepOf(from, to uint32, w int) (u, flip uint32) {
	top := uint(8*w - 1)
	mask := uint32(1)<<top - 1
	d := int32(to&mask) - int32(from&mask)
	return uint32(d<<1 ^ d>>31), (from ^ to) >> top
}

// stepsFit reports whether values of a layout have steps.
func stepsFit(l layout) bool { return l.float && (l.w == 2 || l.w == 4) }

// A stepCoder holds what an encoder of steps needs.
type stepCoder struct {
	context [256]uint8 // of an exponent
	least   [maxContexts]uint8
	num     int                // contexts
	merged  [maxContexts]uint8 // context in place of one that symbol has
	hist    [maxContexts]histogram
	odd     [maxContexts]histogram // of every other value
	freq    [maxContexts]frequencies
	coder   [maxContexts]stateCoder
	u       []uint32
	symbol  []uint16 // and the context in the upper byte
	extra   int      // bits that follow the symbols
}

// exponentOf returns the top eight bits below the sign of a value of w bytes.
func exponentOf(v uint32, w int) uint8 { return uint8(v >> (8*w - 9)) }

// count finds the contexts, the steps and the symbols of values.
func (c *stepCoder) count(values, base []byte, w int) {
	n := len(values) / w
	var exponents [256]int
	every := 1 + n>>14
	for i := 0; i < n; i += every {
		exponents[exponentOf(uint32(loadValue(base[i*w:], w)), w)] += every
	}
	enough := max(n/64, minContext)
	c.num, c.extra = 1, 0
	sum, left := 0, n
	for e := 255; e >= 0; e-- {
		c.context[e] = uint8(c.num - 1)
		sum += exponents[e]
		left -= exponents[e]
		if sum >= enough && left >= enough && c.num < maxContexts {
			c.least[c.num-1] = uint8(e)
			c.num++
			sum = 0
		}
	}
	c.u = slices.Grow(c.u[:0], n)[:n]
	c.symbol = slices.Grow(c.symbol[:0], n)[:n]
	clear(c.hist[:c.num])
	clear(c.odd[:c.num])
	to, from := at(values, 0), at(base, 0)
	for i := range n {
		var x, y uint32
		if w == 2 {
			x, y = uint32(load16(from, 2*i)), uint32(load16(to, 2*i))
		} else {
			x, y = load32(from, 4*i), load32(to, 4*i)
		}
		u, flip := stepOf(x, y, w)
		s := stepSymbol(u, flip)
		k := c.context[exponentOf(x, w)]
		if i&1 == 0 { // equal neighbours need not wait for each other's store
			c.hist[k&(maxContexts-1)][uint8(s)]++
		} else {
			c.odd[k&(maxContexts-1)][uint8(s)]++
		}
		c.u[i] = u
		c.symbol[i] = uint16(s) | uint16(k)<<8
	}
	for k := range c.num {
		for s := range c.hist[k] {
			c.hist[k][s] += c.odd[k][s]
			if n := c.hist[k][s]; n > 0 {
				extra, _ := stepExtra(s)
				c.extra += int(n) * int(extra)
			}
		}
	}
	c.merge()
}

// merge makes one context of neighbours whose symbols are alike, so that one table costs less than two gain.
func (c *stepCoder) merge() {
	cost := func(h *histogram) float64 {
		bits, symbols := h.entropyBits()
		return bits + levelBits*float64(symbols)
	}
	k := 0
	last := cost(&c.hist[0])
	for next := 1; next < c.num; next++ {
		sum := c.hist[next]
		for s, n := range c.hist[k] {
			sum[s] += n
		}
		own, both := cost(&c.hist[next]), cost(&sum)
		if both <= last+own {
			c.hist[k], last = sum, both
		} else {
			k++
			c.hist[k], last = c.hist[next], own
		}
		c.merged[next] = uint8(k)
		if next < c.num-1 {
			c.least[k] = c.least[next]
		}
	}
	c.num = k + 1
}

// bits returns about what the counted values take, with or without their zero steps.
func (c *stepCoder) bits(r int, zeros bool) (bits float64, ok bool) {
	bits = float64(c.extra)
	for k := range c.num {
		h := c.hist[k]
		if !zeros {
			h[0] = 0
		}
		if !c.freq[k].set(&h, r) {
			return 0, false
		}
		bits += c.freq[k].bits(&h, r)
	}
	return bits, true
}

// stepBits estimates, from a part of the values, what coding their steps takes; cost is what symbols with their table take.
func (e *encoder) stepBits(values, base []byte, w int, cost func(h *histogram) float64) float64 {
	if e.steps == nil {
		e.steps = new(stepCoder)
	}
	e.steps.count(values, base, w)
	bits := float64(e.steps.extra)
	for k := range e.steps.num {
		bits += cost(&e.steps.hist[k])
	}
	return bits
}

// zeros returns the number of values that are as in the base.
func (c *stepCoder) zeros() int {
	n := 0
	for k := range c.num {
		n += int(c.hist[k][0])
	}
	return n
}

// encodeSteps appends the coded form of the steps from base to values, a block with flagSteps. If that takes as much as the values
// themselves, it returns nil.
func (e *encoder) encodeSteps(dst, values, base []byte, w int) []byte {
	if e.steps == nil {
		e.steps = new(stepCoder)
	}
	c := e.steps
	n, size := len(values)/w, len(values)
	start := len(dst)
	dst = append(dst, flagSteps)
	c.count(values, base, w)
	r := stateBits(n)
	if zeros := c.zeros(); zeros > n/2 {
		sparse, ok := c.bits(stateBits(n-zeros), false)
		sparse += 1.02*choiceBits(n, zeros) + 8*sparseSteps
		if all, okAll := c.bits(r, true); ok && (!okAll || sparse < all) {
			dst[start] |= flagSparse
			dst = binary.AppendUvarint(dst, uint64(n-zeros))
			dst = e.dropSame(dst, values, base, w)
			m := (n - zeros) * w
			values, base, n = e.sparse[:m], e.rows[:m], n-zeros
			c.count(values, base, w)
			r = stateBits(n)
		}
	}
	if _, ok := c.bits(r, true); !ok {
		return nil
	}
	dst = c.append(e, dst, r)
	if len(dst)-start >= size {
		return nil
	}
	return dst
}

// dropSame appends the positions of the values that are not as in the base and sets e.sparse to them and e.rows to
// those of the base.
func (e *encoder) dropSame(dst, values, base []byte, w int) []byte {
	e.marks, e.sparse, e.rows = e.marks[:0], e.sparse[:0], e.rows[:0]
	for i := 0; i < len(values); i += w {
		if string(values[i:i+w]) != string(base[i:i+w]) {
			e.marks = append(e.marks, uint32(i/w))
			e.sparse = append(e.sparse, values[i:i+w]...)
			e.rows = append(e.rows, base[i:i+w]...)
		}
	}
	return e.encodePositions(dst, e.marks, len(values)/w)
}

// append appends contexts, frequencies and lanes.
func (c *stepCoder) append(e *encoder, dst []byte, r int) []byte {
	n := len(c.u)
	if n == 0 {
		return dst
	}
	dst = append(dst, byte(c.num))
	dst = append(dst, c.least[:c.num-1]...)
	last := 0
	for k := range c.num {
		for s := last; s < len(c.hist[k]); s++ {
			if c.hist[k][s] > 0 {
				last = s
			}
		}
	}
	levels := e.take(c.num * (last + 1))
	for k := range c.num {
		row := levels[k*(last+1):][:last+1]
		for s := range row {
			row[s] = c.freq[k].level[s]
			if s >= 2 {
				row[s] -= c.freq[k].level[s-2]
			}
		}
		c.coder[k].fill(&c.freq[k], r)
	}
	dst = e.encodePlane(append(dst, byte(last)), levels, false)
	e.give(levels)
	half := (n + 1) / stepLanes
	room := half*6 + 32 // 40 bits and a bit
	buf := e.take(room)
	defer e.give(buf)
	first := c.encodeLane(buf, 0, half, r)
	dst = binary.AppendUvarint(dst, uint64(len(first)))
	dst = append(dst, first...)
	return append(dst, c.encodeLane(buf, half, n, r)...)
}

// encodeLane codes the values from i to end into the end of buf and returns that part of it.
func (c *stepCoder) encodeLane(buf []byte, i, end, r int) []byte {
	var extras [256]uint8
	for s := range maxSymbol + 1 {
		extras[s], _ = stepExtra(s)
	}
	w := backWriter{buf: buf, at: len(buf)}
	state := uint32(1) << r
	for j := end - 1; j >= i; j-- {
		s := uint8(c.symbol[j])
		t := &c.coder[c.merged[c.symbol[j]>>8&(maxContexts-1)]&(maxContexts-1)]
		extra := uint(extras[s])
		w.put(uint64(c.u[j])&(1<<(extra&63)-1), extra)
		leave := uint(state+t.add[s]) >> 16
		w.put(uint64(state)&(1<<(leave&63)-1), leave)
		state = uint32(t.next[int32(state>>(leave&31))+t.from[s]])
		w.flush()
	}
	w.put(uint64(state)&(1<<r-1), uint(r))
	w.end()
	return buf[w.at:]
}
