package lmc

import "math/bits"

// Asymmetric numeral systems in table form (tANS; Duda, 2013), with a table for each context. The state of the coder is one of
// 2^r; a table gives a symbol a share of the states, its frequency, and leads from the state that a symbol was read
// from to the next with as many bits as the symbol is worth. All tables of a string of symbols have the same states, so
// that each symbol can be of another context. The encoder goes from the last symbol to the first.

const (
	maxStateBits = 11
	maxContexts  = 16
)

// stateBits returns the r of a string of n symbols.
func stateBits(n int) int {
	if n >= 1<<14 {
		return maxStateBits
	}
	return maxStateBits - 1
}

// Frequencies are stored as levels, of which there are eight to an octave from 16 on: 0 to 16, 18, 20, ..., 32, 36, ...
// The most frequent symbol (the first of them) has what the others leave.
const maxLevel = 16 + 8*(maxStateBits-4)

func levelValue(l int) int {
	if l < 16 {
		return l
	}
	return (8 + l&7) << (l>>3 - 1)
}

// nearestLevel returns the level whose value is nearest to f, which is in 256ths, but not 0.
func nearestLevel(f int) int {
	l := 1
	if v := f >> 8; v >= 16 {
		k := bits.Len(uint(v))
		l = 8*(k-3) + v>>(k-4)&7
	} else if v > 1 {
		l = v
	}
	if l < maxLevel && 2*f > (levelValue(l)+levelValue(l+1))<<8 {
		l++
	}
	return l
}

// A frequencies is a table of one context: levels and values, which add up to 2^r.
type frequencies struct {
	level [256]uint8
	freq  [256]uint16
}

// set makes the frequencies of counted symbols. It reports whether that is possible with so few states.
func (q *frequencies) set(counts *histogram, r int) bool {
	states := 1 << r
	total, rare, rareSymbols := 0, 0, 0
	for _, c := range counts {
		total += int(c)
	}
	for _, c := range counts {
		if c > 0 && int(c)*states < total {
			rare += int(c)
			rareSymbols++
		}
	}
	*q = frequencies{}
	if total == 0 {
		return true
	}
	carry := 0 // what rounding left, in 256ths, of which a symbol takes a little
	for s, c := range counts {
		switch {
		case c == 0:
		case int(c)*states < total:
			q.level[s] = 1
		default:
			f := 256 * int(c) * (states - rareSymbols) / max(total-rare, 1)
			most := max(f/16, 128)
			l := nearestLevel(f + max(-most, min(carry, most)))
			q.level[s] = uint8(l)
			carry += f - levelValue(l)<<8
		}
	}
	return q.expand(r)
}

// expand sets the values from the levels. It reports whether they are those of a table; one without symbols is.
func (q *frequencies) expand(r int) bool {
	top, sum := 0, 0
	for s, l := range q.level {
		if l > maxLevel {
			return false
		}
		q.freq[s] = uint16(levelValue(int(l)))
		sum += int(q.freq[s])
		if l > q.level[top] {
			top = s
		}
	}
	if sum == 0 {
		return true
	}
	last := 1<<r - (sum - int(q.freq[top]))
	if last < 1 {
		return false
	}
	q.freq[top] = uint16(last)
	return true
}

// bits returns the number of bits that coding the counted symbols takes.
func (q *frequencies) bits(counts *histogram, r int) float64 {
	t := log2Table()
	sum := 0.0
	for s, c := range counts {
		if c > 0 {
			sum += float64(c) * (float64(r) - log2(uint32(q.freq[s]), t))
		}
	}
	return sum
}

// spread calls f for each state, in an order that scatters the states of a symbol; symbols come in ascending order.
func (q *frequencies) spread(r int, f func(state, symbol int)) {
	states := 1 << r
	step := states>>1 + states>>3 + 3 // odd: it visits every state
	at := 0
	for s, n := range q.freq {
		for range n {
			f(at, s)
			at = (at + step) & (states - 1)
		}
	}
}

// A stateCoder is the table of an encoder. For a symbol, add has in its upper bits the number of bits that leave the
// state, once the state is added; from is where next has the symbol's states, less the least state that remains.
type stateCoder struct {
	add  [256]uint32
	from [256]int32
	next [1 << maxStateBits]uint16
}

// fill makes the table. States of the encoder are 2^r higher than those of the decoder.
func (t *stateCoder) fill(q *frequencies, r int) {
	var at [256]int32
	sum := int32(0)
	for s, f := range q.freq {
		if f == 0 {
			continue
		}
		at[s] = sum
		most := r - (bits.Len16(f) - 1) // bits that leave; one less below f<<most
		t.add[s] = uint32(most)<<16 - uint32(f)<<most
		t.from[s] = sum - int32(f)
		sum += int32(f)
	}
	var symbols [1 << maxStateBits]uint8
	q.spread(r, func(state, s int) { symbols[state] = uint8(s) })
	for state, s := range symbols[:1<<r] {
		if q.freq[s] > 0 {
			t.next[at[s]] = uint16(1<<r + state)
			at[s]++
		}
	}
}

// A backWriter writes bits from the end of a buffer to its start: what is put last will be read first, from the lowest
// bit of a byte on.
type backWriter struct {
	buf   []byte
	at    int // first byte written
	acc   uint64
	count uint // bits of acc that are not written, below 8 between calls
}

// put writes n bits, at most 48, of which those above must be zero.
func (w *backWriter) put(x uint64, n uint) {
	w.acc = w.acc<<(n&63) | x
	w.count += n
}

// flush writes whole bytes; it needs 8 bytes before w.at.
func (w *backWriter) flush() {
	store64(at(w.buf, 0), w.at-8, w.acc<<((64-w.count)&63))
	w.at -= int(w.count >> 3)
	w.count &= 7
}

// end marks where the bits begin.
func (w *backWriter) end() {
	w.put(1, 1)
	if pad := -w.count & 7; pad > 0 {
		w.put(0, pad)
	}
	w.flush()
}

// A bitReader reads bits from the lowest of a byte on.
type bitReader struct {
	src  []byte
	p    int // next byte
	bits uint64
	n    uint64 // bits that count
}

// begin skips the mark that end has set.
func (b *bitReader) begin() bool {
	if len(b.src) == 0 || b.src[0] == 0 {
		return false
	}
	skip := uint64(bits.TrailingZeros8(b.src[0])) + 1
	b.bits = uint64(b.src[0]) >> skip
	b.n = 8 - skip
	b.p = 1
	return true
}

// refill makes 56 to 63 bits count, or as many as there are. What does not count is zero.
func (b *bitReader) refill() {
	b.bits &= 1<<(b.n&63) - 1
	for b.n < 56 && b.p < len(b.src) {
		b.bits |= uint64(b.src[b.p]) << b.n
		b.p++
		b.n += 8
	}
}

// take reads k bits, at most 32; past the end they are zero and b.n wraps to a large number.
func (b *bitReader) take(k uint64) uint64 {
	x := b.bits & (1<<(k&63) - 1)
	b.bits >>= k & 63
	b.n -= k
	return x
}

// done reports whether all bits were read and no more.
func (b *bitReader) done() bool { return b.n == 0 && b.p == len(b.src) }
