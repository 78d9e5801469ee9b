package lmc

// The encoder of Huffman streams. A plane is cut into four streams of equal length, which a decoder
// advances together; a short one is a single one.

const (
	numStreams  = 4
	oneStream   = 4096 // symbols below which a plane has but one stream
	streamSlack = 16   // bytes beyond the end of a stream or plane that the inner loops may touch
)

// An encoder holds the tables of one goroutine.
type encoder struct {
	hist    histogrammer
	h       histogram
	code    codeBook
	singles [256]uint64      // entry of a symbol
	pairs   *[1 << 16]uint64 // entry of a symbol (low byte of the index) and its successor
	marks   []uint32
	spare   [][]byte // buffers not in use
	steps   *stepCoder
	states  *stateCoder

	rows, sparse []byte   // values of a block without repeated rows, without zeros
	rowTable     []uint16 // by hash of the first bytes: number of a new row, plus 1
	newRows      []uint32
}

// An entry of an encoding table has the code in its top bits, the first bit of the code lowest, and the length in its
// low six bits. The accumulator of a stream has its bits at the top: to add an entry, shift right by its length, then OR
// it in. The lengths that come in with it stay below the 58 highest bits.
func encodingEntry(code uint32, length uint8) uint64 {
	return uint64(code)<<(64-length) | uint64(length)
}

// maxPairSymbols is the size of the alphabet up to which a table of pairs is worth making.
const maxPairSymbols = 80

// streamsOf returns the number of streams of a plane of n symbols.
func streamsOf(n int) int {
	if n < oneStream {
		return 1
	}
	return numStreams
}

// streamLen returns the number of symbols of each stream of a plane of n; the last stream has what is left.
func streamLen(n int) int {
	if n < oneStream {
		return n
	}
	return (n + numStreams - 1) / numStreams
}

// encodeStreams appends the four streams of src, coded with e.code, to dst and returns dst and the size of each.
func (e *encoder) encodeStreams(dst, src []byte) ([]byte, [numStreams]int) {
	q := streamLen(len(src))
	room := (q*e.code.max+7)/8 + streamSlack
	base := len(dst)
	dst = grow(dst, numStreams*room)
	var size [numStreams]int
	usePairs := e.makeTables(len(src))
	for k := 0; k < numStreams; k += 2 {
		a, b := src[min(k*q, len(src)):min(k*q+q, len(src))], src[min(k*q+q, len(src)):min(k*q+2*q, len(src))]
		p, q := at(dst, base+k*room), at(dst, base+(k+1)*room)
		if usePairs {
			size[k], size[k+1] = e.encodePairs(p, q, a, b)
		} else {
			size[k], size[k+1] = e.encodeSingles(p, q, a, b)
		}
	}
	end := base + size[0]
	for k := 1; k < numStreams; k++ {
		copy(dst[end:], dst[base+k*room:base+k*room+size[k]])
		end += size[k]
	}
	return dst[:end], size
}

// makeTables fills the table of symbols and, if it pays for n symbols, that of pairs.
func (e *encoder) makeTables(n int) (pairs bool) {
	var syms [256]uint8
	k := 0
	for s, l := range e.code.lens {
		if l > 0 {
			e.singles[s] = encodingEntry(uint32(e.code.codes[s]), l)
			syms[k] = uint8(s)
			k++
		}
	}
	if k > maxPairSymbols || k*k > n {
		return false
	}
	if e.pairs == nil {
		e.pairs = new([1 << 16]uint64)
	}
	for _, b := range syms[:k] {
		row := e.pairs[int(b)<<8 : int(b)<<8+256]
		cb, lb := uint32(e.code.codes[b]), e.code.lens[b]
		for _, a := range syms[:k] {
			la := e.code.lens[a] & 31
			row[a] = encodingEntry(uint32(e.code.codes[a])|cb<<la, la+lb)
		}
	}
	return true
}

// put appends the code of an entry to the n bits that wait at the top of acc.
func put(acc, n, entry uint64) (uint64, uint64) { return acc>>(entry&63) | entry, n + entry }

// flush stores the bits that wait and steps over the bytes that are complete.
func flush(p ptr, i int, acc, n uint64) (int, uint64) {
	store64(p, i, acc>>(-n&63))
	return i + int(n>>3&7), n & 7
}

// encodePairs codes a to p and b, which may be shorter, to q, and returns their sizes in bytes. Before a store at most 7
// bits wait and four symbols add at most 44.
func (e *encoder) encodePairs(p, q ptr, a, b []byte) (int, int) {
	tab := e.pairs
	sa, sb := at(a, 0), at(b, 0)
	both := len(b) &^ 7
	var accA, accB, nA, nB uint64
	var iA, iB int
	for i := 0; i < both; i += 8 {
		x := load64(sa, i)
		y := load64(sb, i)
		accA, nA = put(accA, nA, tab[uint16(x)])
		accB, nB = put(accB, nB, tab[uint16(y)])
		accA, nA = put(accA, nA, tab[uint16(x>>16)])
		accB, nB = put(accB, nB, tab[uint16(y>>16)])
		iA, nA = flush(p, iA, accA, nA)
		iB, nB = flush(q, iB, accB, nB)
		accA, nA = put(accA, nA, tab[uint16(x>>32)])
		accB, nB = put(accB, nB, tab[uint16(y>>32)])
		accA, nA = put(accA, nA, tab[x>>48])
		accB, nB = put(accB, nB, tab[y>>48])
		iA, nA = flush(p, iA, accA, nA)
		iB, nB = flush(q, iB, accB, nB)
	}
	return e.finish(p, iA, accA, nA, a[both:]), e.finish(q, iB, accB, nB, b[both:])
}

// encodeSingles is encodePairs with the table of symbols.
func (e *encoder) encodeSingles(p, q ptr, a, b []byte) (int, int) {
	tab := &e.singles
	sa, sb := at(a, 0), at(b, 0)
	both := len(b) &^ 3
	var accA, accB, nA, nB uint64
	var iA, iB int
	for i := 0; i < both; i += 4 {
		x := load32(sa, i)
		y := load32(sb, i)
		for range 4 {
			accA, nA = put(accA, nA, tab[uint8(x)])
			accB, nB = put(accB, nB, tab[uint8(y)])
			x >>= 8
			y >>= 8
		}
		iA, nA = flush(p, iA, accA, nA)
		iB, nB = flush(q, iB, accB, nB)
	}
	return e.finish(p, iA, accA, nA, a[both:]), e.finish(q, iB, accB, nB, b[both:])
}

// finish codes the rest of a stream symbol by symbol and returns its size; the last byte is padded with zeros.
func (e *encoder) finish(p ptr, i int, acc, n uint64, rest []byte) int {
	for _, s := range rest {
		c := e.singles[s]
		acc = acc>>(c&63) | c
		n += c & 63
		store64(p, i, acc>>(-n&63))
		i += int(n >> 3)
		n &= 7
	}
	if n > 0 {
		store64(p, i, acc>>(-n&63))
		i++
	}
	return i
}

// grow returns b longer by n bytes, whose contents are undefined.
func grow(b []byte, n int) []byte {
	if cap(b)-len(b) < n {
		c := make([]byte, len(b), max(2*cap(b), len(b)+n))
		copy(c, b)
		b = c
	}
	return b[:len(b)+n]
}
