package lmc

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// The tests of this file hold the fast loops of the decoders to what they are there for: to do most of the work, and no more than is safe.

// TestDecodeTable: an entry has as many symbols as have their codes wholly in its bits, four at most, and zeros for the others.
func TestDecodeTable(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	var table decodeTable
	var maker tableMaker // of one code after the other
	for round := range 12 {
		var h histogram
		h[round], h[255-round] = 1, 1
		for range []int{0, 1, 2, 5, 20, 60, 200}[round%7] {
			h[r.IntN(256)] += uint32(1 + math.Exp(7*r.Float64()))
		}
		var c codeBook
		c.build(&h)
		var first [1 << maxCodeLen]int // symbol whose code the lowest bits are
		for i := range first {
			for s, l := range c.lens {
				if l > 0 && i&(1<<l-1) == int(c.codes[s]) {
					first[i] = s
				}
			}
		}
		table.fill(&c, &maker)
		for i, got := range table {
			used, symbols := 0, 0
			want := uint64(0)
			for symbols < 4 {
				s := first[i>>used]
				if l := int(c.lens[s]); used+l <= maxCodeLen {
					want |= uint64(s) << (8 + 8*symbols)
					used += l
					symbols++
				} else {
					break
				}
			}
			want |= uint64(symbols)<<56 | uint64(used)
			if got != want {
				t.Fatalf("round %d, bits %011b: entry %#x, want %#x", round, i, got, want)
			}
		}
	}
}

// TestRounds: in every round that a stream may have, whatever its codes are, the eight bytes that the round loads and those that it
// stores lie inside; and no round that could be had is left out.
func TestRounds(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 2))
	for range 5000 {
		s := stream{end: 8 + r.IntN(200)}
		s.pos = r.IntN(8 * s.end)
		s.d = r.IntN(100)
		s.last = s.d + r.IntN(500)
		want := 0
		for s.pos+want*roundLooks*maxCodeLen <= 8*(s.end-8) && s.d+want*roundLooks*maxSymbols+(roundLooks-1)*maxSymbols+8 <= s.last {
			want++
		}
		if got := s.rounds(); got != want {
			t.Fatalf("%+v: %d rounds, want %d", s, got, want)
		}
	}
	for _, s := range []stream{{end: 8, last: roundStores}, {end: 9, pos: 8, d: 5, last: 5 + roundStores}} {
		if s.rounds() != 1 {
			t.Errorf("%+v: %d rounds, want 1", s, s.rounds())
		}
	}
	for _, s := range []stream{{end: 8, pos: 1, last: 1000}, {end: 7, last: 1000}, {end: 1000, last: roundStores - 1}} {
		if s.rounds() != 0 {
			t.Errorf("%+v: %d rounds, want none", s, s.rounds())
		}
	}
}

// TestFastStreams: the loops over streams leave symbols only where no round is possible.
func TestFastStreams(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 3))
	var e encoder
	for _, n := range []int{4096, 9001, 40000} {
		src := make([]byte, n)
		for i := range src {
			src[i] = byte(100 + 3*r.NormFloat64())
		}
		e.hist.count(&e.h, src)
		e.code.build(&e.h)
		coded, size := e.encodeStreams(nil, src)
		var table decodeTable
		table.fill(&e.code, new(tableMaker))
		q := streamLen(n)
		var s [numStreams]stream
		off := 0
		for k := range s {
			s[k] = stream{pos: 8 * off, end: off + size[k], d: k * q, last: min(k*q+q, n)}
			off += size[k]
		}
		dst := make([]byte, n)
		decodeFour(dst, coded, &s, &table)
		least := s[0].rounds()
		for k := range s {
			least = min(least, s[k].rounds())
			if done := s[k].d - k*q; done < q*3/4 || !bytes.Equal(dst[k*q:s[k].d], src[k*q:s[k].d]) {
				t.Errorf("%d symbols: %d of the %d of stream %d, or others", n, done, q, k)
			}
		}
		if least != 0 {
			t.Errorf("%d symbols: the loop over all streams leaves %d rounds of each", n, least)
		}
		for k := range s {
			s[k].decode(dst, coded, &table)
			if s[k].rounds() != 0 || !bytes.Equal(dst[k*q:s[k].d], src[k*q:s[k].d]) {
				t.Errorf("%d symbols: stream %d, %d rounds left, or other symbols", n, k, s[k].rounds())
			}
		}
	}
}

// ends reports whether a loop over pairs had to end: one of the lanes has fewer than step values or fewer than eight bytes left.
func ends(a, b *lane, step int) bool {
	return a.end-a.i < step || b.end-b.i < step || a.p > len(a.src)-8 || b.p > len(b.src)-8
}

// TestFastLanes: the loops over two lanes end only where one has no more values or bytes for them.
func TestFastLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 4))
	for _, w := range []int{2, 4} {
		for _, n := range []int{2000, 2001, 2002, 2003, 30000} {
			values, base := adamUpdate(r, n, w, 0)
			form := new(encoder).encodeSteps(nil, values, base, w)
			if form == nil || form[0] != flagSteps {
				t.Fatalf("%d values of %d bytes: no steps", n, w)
			}
			var d decoder
			got := make([]byte, n*w)
			if fault := d.decodeBlock(got, form, base, w, true); fault != "" || !bytes.Equal(got, values) {
				t.Fatalf("%d values of %d bytes: %q", n, w, fault)
			}
			num := int(form[1]) // contexts; the exponents of all but the last follow, and the number of symbols
			at := decoder{src: form[2+num:]}
			at.decodePlane(make([]byte, num*(int(form[1+num])+1)), false)
			size, k := binary.Uvarint(at.src)
			half := (n + 1) / 2
			a := newLane(at.src[k:][:size], 0, half, stateBits(n))
			b := newLane(at.src[k+int(size):], half, n, stateBits(n))
			if most := paired(&a, &b); most != n/2 {
				t.Errorf("%d values of %d bytes: %d pairs, want %d", n, w, most, n/2)
			}
			clear(got)
			step := 1
			if w == 2 {
				step = 2
				d.steps.pair16(got, base, &a, &b)
			} else {
				d.steps.pair32(got, base, &a, &b)
			}
			if !ends(&a, &b, step) || a.i < half-40 || b.i < n-40-(half-a.i) {
				t.Errorf("%d values of %d bytes: the lanes stop at %d and %d, bytes %d of %d and %d of %d", n, w, a.i, b.i, a.p, len(a.src), b.p, len(b.src))
			}
			if !bytes.Equal(got[:a.i*w], values[:a.i*w]) || !bytes.Equal(got[half*w:b.i*w], values[half*w:b.i*w]) {
				t.Errorf("%d values of %d bytes: other values", n, w)
			}
		}
	}
	// The same of planes that are coded by states, five symbols at a time.
	for _, n := range []int{1000, 1009, 1010, 20000} {
		src := make([]byte, n)
		for i := range src {
			src[i] = byte(120 + 3*r.NormFloat64())
		}
		rb := stateBits(n)
		var h histogram
		new(histogrammer).count(&h, src)
		var q frequencies
		q.set(&h, rb)
		var coder stateCoder
		coder.fill(&q, rb)
		half := (n + 1) / 2
		first := bytes.Clone(coder.encode(make([]byte, 2*n), src[:half], rb))
		second := coder.encode(make([]byte, 2*n), src[half:], rb)
		var table byteTable
		table.fill(&q, rb)
		a, b := newLane(first, 0, half, rb), newLane(second, half, n, rb)
		got := make([]byte, n)
		table.pair(got, &a, &b)
		if !ends(&a, &b, 5) || a.i < half-40 || b.i < n-40-(half-a.i) {
			t.Errorf("%d symbols: the lanes stop at %d and %d, bytes %d of %d and %d of %d", n, a.i, b.i, a.p, len(a.src), b.p, len(b.src))
		}
		if !table.finish(got, &a) || !table.finish(got, &b) || !bytes.Equal(got, src) {
			t.Errorf("%d symbols: not restored", n)
		}
	}
	// Lanes of fewer than eight bytes, or that do not begin, have no pairs.
	short, long := newLane([]byte{1, 2, 3, 4, 5, 6, 7}, 0, 9, 10), newLane([]byte{1, 2, 3, 4, 5, 6, 7, 8}, 9, 16, 10)
	bad := newLane(make([]byte, 9), 0, 9, 10)
	if paired(&short, &long) != 0 || paired(&long, &short) != 0 || paired(&bad, &long) != 0 || paired(&long, &bad) != 0 || paired(&long, &long) != 7 {
		t.Errorf("pairs of short lanes: %d, %d, %d, %d; of long ones %d", paired(&short, &long), paired(&long, &short), paired(&bad, &long), paired(&long, &bad), paired(&long, &long))
	}
}

// TestLoopsStayInside: lanes that hold more bytes than their values take, as damaged ones may, give no more values than there are.
func TestLoopsStayInside(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 5))
	src := make([]byte, 400)
	for i := range src {
		src[i] = byte(r.Uint32()) | 1 // the first bit begins a lane
	}
	const guard = 64
	var h histogram
	for s := range 4 {
		h[s] = uint32(1 + s)
	}
	var q frequencies
	q.set(&h, maxStateBits)
	var table byteTable
	table.fill(&q, maxStateBits)
	var steps stepDecoder
	for k := range steps.tables {
		steps.tables[k].fill(&q, maxStateBits)
	}
	for half := range 24 {
		for _, more := range []int{0, 1} { // values of the first lane beyond those of the second
			n := 2*half + more
			lanes := func() (lane, lane) {
				return newLane(src[:200], 0, half+more, maxStateBits), newLane(src[200:], half+more, n, maxStateBits)
			}
			for _, w := range []int{1, 2, 4} {
				dst, base := bytes.Repeat([]byte{0xa5}, n*w+guard), make([]byte, n*w+guard)
				a, b := lanes()
				switch w {
				case 1:
					table.pair(dst, &a, &b)
				case 2:
					steps.pair16(dst, base, &a, &b)
				default:
					steps.pair32(dst, base, &a, &b)
				}
				if a.i > a.end || b.i > b.end || a.p > len(a.src) || b.p > len(b.src) {
					t.Errorf("%d values of %d bytes: the lanes stand at %d and %d, of %d and %d", n, w, a.i, b.i, a.end, b.end)
				}
				for k, x := range dst {
					if inside := k < a.i*w || k >= a.end*w && k < b.i*w; !inside && x != 0xa5 {
						t.Fatalf("%d values of %d bytes: byte %d is written, the lanes stand at %d and %d", n, w, k, a.i, b.i)
					}
				}
			}
		}
	}
}
