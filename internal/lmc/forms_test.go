package lmc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vcsim/internal/tensor"
)

// The tests of this file hold the stored forms to what the comments beside them say, bit by bit, and the estimates of the
// encoder to their formulas.

// TestPlanesForm: plane k holds byte k of every value, eight values in the documented order, of floating-point values after the
// sign has moved down past the eight bits below it.
func TestPlanesForm(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	order := map[int][8]int{1: {0, 1, 2, 3, 4, 5, 6, 7}, 2: {0, 4, 1, 5, 2, 6, 3, 7}, 4: {0, 2, 4, 6, 1, 3, 5, 7}, 8: {0, 1, 2, 3, 4, 5, 6, 7}}
	for _, w := range []int{1, 2, 4, 8} {
		for _, float := range []bool{false, true} {
			for _, n := range []int{0, 1, 7, 8, 9, 15, 16, 17, 24, 25, 31, 32, 33, 40, 63, 64, 65, 100} {
				values := make([]byte, n*w)
				for i := range values {
					values[i] = byte(r.Uint32())
				}
				want := make([]byte, n*w)
				for i := range n {
					at := i
					if i < n&^7 {
						at = i&^7 + order[w][i%8]
					}
					v := loadValue(values[at*w:], w)
					if top := uint(8*w - 1); float && w > 1 {
						sign, exponent := v>>top, v>>(top-8)&0xff
						v = v&(1<<(top-8)-1) | sign<<(top-8) | exponent<<(top-7)
					}
					for k := range w {
						want[k*n+i] = byte(v >> (8 * k))
					}
				}
				got := make([]byte, n*w)
				split(got, values, w, float)
				if !bytes.Equal(got, want) {
					t.Fatalf("%d values of %d bytes, float %v: planes % x, want % x", n, w, float, got, want)
				}
				back := make([]byte, n*w)
				merge(back, want, nil, w, float)
				if !bytes.Equal(back, values) {
					t.Errorf("%d values of %d bytes, float %v: not restored", n, w, float)
				}
				low := bytes.Clone(want[:n])
				clear(want[:n])
				clear(back)
				merge(back, want, low, w, float)
				if !bytes.Equal(back, values) {
					t.Errorf("%d values of %d bytes, float %v: not restored from a low plane elsewhere", n, w, float)
				}
			}
		}
	}
}

// TestBlocksOfTensors: a tensor has as many blocks as its values fill, the last perhaps in part.
func TestBlocksOfTensors(t *testing.T) {
	for _, c := range []struct {
		d         tensor.DType
		n, blocks int
	}{{tensor.U8, 0, 0}, {tensor.U8, 1, 1}, {tensor.U8, BlockValues, 1}, {tensor.U8, BlockValues + 1, 2}, {tensor.BF16, BlockValues, 1}, {tensor.BF16, BlockValues + 1, 2}, {tensor.F4, 2*BlockValues + 2, 2}, {tensor.F64, 3 * BlockValues, 3}} {
		info := tensor.Info{Name: "x", DType: c.d, Shape: []int{c.n}}
		header, err := tensor.SafetensorsHeader([]tensor.Info{info, {Name: "y", DType: tensor.U8, Shape: []int{5}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		size, _ := info.NumBytes()
		x := index{header: header, size: int64(len(header)) + size + 5}
		if err := x.parseHeader("x"); err != nil {
			t.Fatal(err)
		}
		y := x.tensors[1]
		if x.tensors[0].block != 0 || x.tensors[0].last != c.blocks || y.block != c.blocks || y.last != c.blocks+1 || y.off != int64(len(header))+size || y.size != 5 {
			t.Errorf("%d values of %v: %+v, then %+v", c.n, c.d, x.tensors[0], y)
		}
		if refs := x.blockRefs(); len(refs) != c.blocks+1 || refs[c.blocks] != (blockRef{1, 0}) {
			t.Errorf("%d values of %v: blocks %v", c.n, c.d, refs)
		}
	}
}

// TestAppendPlanes: the planes of each block follow each other.
func TestAppendPlanes(t *testing.T) {
	n := BlockValues + 5
	data := gaussBF16(n)
	got := AppendPlanes([]byte("ab"), data, tensor.Info{DType: tensor.BF16, Shape: []int{n}})
	want := make([]byte, 2+2*n)
	copy(want, "ab")
	split(want[2:], data[:2*BlockValues], 2, true)
	split(want[2+2*BlockValues:], data[2*BlockValues:], 2, true)
	if !bytes.Equal(got, want) {
		t.Error("planes differ")
	}
}

// TestLayouts: bytes of a value, whether it is a floating-point number, and the length of a row in values.
func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		d     tensor.DType
		shape []int
		want  layout
	}{
		{tensor.F64, []int{3, 5}, layout{w: 8, float: true, cols: 5}}, {tensor.F32, []int{7}, layout{w: 4, float: true, cols: 7}}, {tensor.BF16, nil, layout{w: 2, float: true}},
		{tensor.F16, []int{2, BlockValues}, layout{w: 2, float: true, cols: BlockValues}}, {tensor.F16, []int{2, BlockValues + 1}, layout{w: 2, float: true}},
		{tensor.C64, []int{4, 3}, layout{w: 4, float: true, cols: 6}}, {tensor.F4, []int{4, 6}, layout{w: 1, cols: 3}}, {tensor.F6E2M3, []int{4, 8}, layout{w: 1, cols: 6}},
		{tensor.F8E4M3, []int{9}, layout{w: 1, cols: 9}}, {tensor.I64, []int{2, 3}, layout{w: 8, cols: 3}}, {tensor.I32, []int{2, 3}, layout{w: 4, cols: 3}}, {tensor.Bool, []int{5}, layout{w: 1, cols: 5}},
	} {
		if got := layoutOf(tensor.Info{DType: c.d, Shape: c.shape}); got != c.want {
			t.Errorf("%v %v: %+v, want %+v", c.d, c.shape, got, c.want)
		}
	}
	// The first whole row of block b begins where a multiple of cols does.
	for _, cols := range []int{1, 7, 1000, BlockValues - 1, BlockValues} {
		x := tensorEntry{layout: layout{w: 2, cols: cols}, size: 2 * (3*BlockValues + 11)}
		for b := range 4 {
			l := x.at(b)
			if l.phase < 0 || l.phase >= cols || (b*BlockValues+l.phase)%cols != 0 {
				t.Errorf("%d columns, block %d: phase %d", cols, b, l.phase)
			}
			from, size := x.span(b)
			if want := min(2*BlockValues, int(x.size)-2*b*BlockValues); from != int64(2*b*BlockValues) || size != want {
				t.Errorf("block %d: %d bytes from %d, want %d", b, size, from, want)
			}
		}
	}
}

// TestEstimates: logarithms and entropies against math.
func TestEstimates(t *testing.T) {
	table := log2Table()
	r := rand.New(rand.NewPCG(21, 2))
	check := func(n uint32) {
		if got, want := log2(n, table), math.Log2(float64(n)); math.Abs(got-want) > 2e-7 {
			t.Fatalf("log2(%d) = %.9f, want %.9f", n, got, want)
		}
	}
	for n := uint32(1); n < 5000; n++ {
		check(n)
	}
	for range 5000 {
		check(r.Uint32()>>r.IntN(32) | 1)
	}
	check(math.MaxUint32)
	for round := range 50 {
		var h histogram
		n := 0
		for range r.IntN(40) {
			s := r.IntN(256)
			c := 1 + r.IntN(1000)
			h[s] += uint32(c)
			n += c
		}
		want, symbols := 0.0, 0
		for _, c := range h {
			if c > 0 {
				want -= float64(c) * math.Log2(float64(c)/float64(n))
				symbols++
			}
		}
		got, distinct := h.entropyBits()
		if math.Abs(got-want) > 1e-6*float64(n+1) || distinct != symbols {
			t.Errorf("round %d: %g bits of %d symbols, want %g of %d", round, got, distinct, want, symbols)
		}
		if n > 0 {
			// Miller and Madow add half a nat for every symbol but one, over the size of the sample.
			want = want/float64(n) + float64(symbols-1)/2/float64(n)/math.Ln2
			if got, distinct := h.sampleEntropy(); math.Abs(got-want) > 1e-6 || distinct != symbols {
				t.Errorf("round %d: sample of %g bits, want %g", round, got, want)
			}
		}
	}
	for _, c := range []struct{ n, k int }{{10, 0}, {10, 10}, {0, 0}, {10, 1}, {10, 9}, {1000, 300}} {
		want := 0.0
		if c.k > 0 && c.k < c.n {
			p := float64(c.k) / float64(c.n)
			want = -float64(c.n) * (p*math.Log2(p) + (1-p)*math.Log2(1-p))
		}
		if got := choiceBits(c.n, c.k); math.Abs(got-want) > 1e-5 {
			t.Errorf("%d of %d: %g bits, want %g", c.k, c.n, got, want)
		}
	}
}

// TestCounts: both ways to count bytes agree with counting them one by one, twice in turn.
func TestCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 3))
	var e histogrammer
	for _, n := range []int{0, 1, 7, 8, 9, 63, 64, 65, 1000, 4099} {
		for _, symbols := range []int{1, 3, 256} {
			src := make([]byte, n)
			var want histogram
			for i := range src {
				src[i] = byte(r.IntN(symbols) * 255 / max(symbols-1, 1))
				want[src[i]]++
			}
			got := histogram{5: 7, 255: 1}
			if e.count(&got, src); got != want {
				t.Errorf("%d bytes of %d symbols: counted wrongly", n, symbols)
			}
			got = histogram{5: 7, 255: 1}
			if e.countPairs(&got, src); got != want {
				t.Errorf("%d bytes of %d symbols: counted wrongly by pairs", n, symbols)
			}
		}
	}
	// A sample is 64 windows of 64 bytes, spread evenly.
	src := make([]byte, sampledSize+100)
	var want histogram
	for i := range src {
		src[i] = byte(r.Uint32())
		if every := len(src) / 64; i%every < 64 && i/every < 64 {
			want[src[i]]++
		}
	}
	var got histogram
	if e.sample(&got, src); got != want {
		t.Error("sampled wrongly")
	}
}

// levels are the documented frequencies: 0 to 16, 18, 20, ..., 32, 36, ..., eight to an octave, to 2^11.
func levels() (list []int) {
	for v := range 16 {
		list = append(list, v)
	}
	for octave := 16; octave < 1<<maxStateBits; octave *= 2 {
		for k := range 8 {
			list = append(list, octave+k*octave/8)
		}
	}
	return append(list, 1<<maxStateBits)
}

// TestLevels: every level has its value, and the nearest one of any frequency is the nearest.
func TestLevels(t *testing.T) {
	list := levels()
	if len(list) != maxLevel+1 {
		t.Fatalf("%d levels, want %d", maxLevel+1, len(list))
	}
	for l, v := range list {
		if levelValue(l) != v {
			t.Errorf("level %d is %d, want %d", l, levelValue(l), v)
		}
	}
	for f := 0; f <= (1<<maxStateBits+200)<<8; f += 1 + f/2000 {
		got := list[nearestLevel(f)] << 8
		for _, v := range list[1:] {
			if far, near := abs(got-f), abs(v<<8-f); near < far {
				t.Fatalf("nearest to %d/256 is %d, want %d", f, got>>8, v)
			}
		}
	}
}

// TestExpand: the first symbol of the highest level has the states that the others leave, one at least.
func TestExpand(t *testing.T) {
	for _, c := range []struct {
		eights, more int // symbols of level 8, and the level of one more
		r            int
		top          int // states of the first, -1 if there are too few
	}{{1, 0, 10, 1024}, {2, 0, 10, 1016}, {128, 7, 10, 1}, {129, 0, 10, -1}, {128, 8, 10, -1}, {128, 7, 11, 1025}, {128, 6, 10, 2}, {0, 0, 10, 0}, {0, 3, 10, 0}} {
		var q frequencies
		for s := range c.eights {
			q.level[s] = 8
		}
		q.level[200] = uint8(c.more)
		ok := q.expand(c.r)
		if ok != (c.top >= 0) || ok && c.eights > 0 && int(q.freq[0]) != c.top {
			t.Errorf("%d symbols of level 8 and one of %d, %d bits: %v, the first has %d states, want %d", c.eights, c.more, c.r, ok, q.freq[0], c.top)
		}
		for s := 1; s < c.eights && ok; s++ {
			if q.freq[s] != 8 {
				t.Errorf("symbol %d has %d states, want 8", s, q.freq[s])
			}
		}
	}
	var q frequencies
	if q.level[3] = maxLevel + 1; q.expand(11) {
		t.Error("a level above the highest")
	}
	if q.level[3] = maxLevel; !q.expand(11) || q.freq[3] != 1<<11 {
		t.Errorf("one symbol of the highest level has %d states", q.freq[3])
	}
	// A symbol that is rarer than one state has one; no counts give no table.
	h := histogram{0: 1 << 20, 7: 1, 9: 3}
	if !q.set(&h, 10) || q.freq[7] != 1 || q.freq[9] != 1 || q.freq[0] != 1022 || q.level[7] != 1 || q.level[9] != 1 {
		t.Errorf("rare symbols have %d and %d states, the frequent one %d", q.freq[7], q.freq[9], q.freq[0])
	}
	if h = (histogram{}); !q.set(&h, 10) || q != (frequencies{}) {
		t.Error("a table of no symbols")
	}
}

func abs(x int) int { return max(x, -x) }

// huffmanBits is the cost of the best code without a limit: the two least weights merge until one is left.
func huffmanBits(h *histogram) (total, longest int) {
	type node struct{ weight, depth int }
	var list []node
	for _, c := range h {
		if c > 0 {
			list = append(list, node{int(c), 0})
		}
	}
	for len(list) > 1 {
		slices.SortStableFunc(list, func(a, b node) int { // of equal weights the flattest first
			if a.weight != b.weight {
				return a.weight - b.weight
			}
			return a.depth - b.depth
		})
		total += list[0].weight + list[1].weight
		list = append(list[2:], node{list[0].weight + list[1].weight, max(list[0].depth, list[1].depth) + 1})
	}
	return total, list[0].depth
}

// limitedBits is the least cost of a code of at most maxCodeLen bits: with weights in ascending order, lengths descend, so that a
// table over the number of inner nodes and leaves of every level decides.
func limitedBits(h *histogram) int {
	var w []int
	for _, c := range h {
		if c > 0 {
			w = append(w, int(c))
		}
	}
	slices.SortFunc(w, func(a, b int) int { return b - a })
	prefix := make([]int, len(w)+1)
	for i, c := range w {
		prefix[i+1] = prefix[i] + c
	}
	n := len(w)
	// best[leaves][open]: leaves placed at the levels so far, nodes of the next level.
	const far = math.MaxInt / 2
	best := map[[2]int]int{{0, 2}: 0}
	answer := far
	for range maxCodeLen {
		next := map[[2]int]int{}
		for at, cost := range best {
			leaves, open := at[0], at[1]
			cost += prefix[n] - prefix[leaves] // all others are at least one bit longer
			for here := range min(open, n-leaves) + 1 {
				k := [2]int{leaves + here, min(2*(open-here), n)}
				if k[0] == n && open == here {
					answer = min(answer, cost)
				}
				if old, ok := next[k]; !ok || cost < old {
					next[k] = cost
				}
			}
		}
		best = next
	}
	return answer
}

// TestCodes: the code has the least total length of all codes within the limit, and is the canonical one of RFC 1951, 3.2.2, with
// the first bit lowest.
func TestCodes(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 4))
	limited := 0
	for round := range 120 {
		var h histogram
		symbols := 2 + r.IntN(40)
		steep := 1 + r.Float64()*1.2
		for s := range symbols {
			h[(s*37+round)%256] = uint32(1 + math.Pow(steep, float64(r.IntN(symbols)))*r.Float64())
		}
		var c codeBook
		got := c.build(&h)
		want, longest := huffmanBits(&h)
		if longest > maxCodeLen {
			limited++
			want = limitedBits(&h)
		}
		if got != want {
			t.Fatalf("round %d: %d bits, want %d (unlimited longest %d)", round, got, want, longest)
		}
		sum, kraft, most := 0, 0, 0
		for s, n := range h {
			if (n > 0) != (c.lens[s] > 0) {
				t.Fatalf("round %d: symbol %d, count %d, length %d", round, s, n, c.lens[s])
			}
			if l := int(c.lens[s]); l > 0 {
				sum += int(n) * l
				kraft += 1 << (maxCodeLen - l)
				most = max(most, l)
			}
		}
		if sum != got || kraft != 1<<maxCodeLen || most != c.max {
			t.Fatalf("round %d: %d bits, sum of the lengths %d, code space %d, longest %d, want %d", round, got, sum, kraft, c.max, most)
		}
		code := uint16(0)
		for l := 1; l <= maxCodeLen; l++ {
			for s := range h {
				if int(c.lens[s]) == l {
					if want := bits.Reverse16(code) >> (16 - l); c.codes[s] != want {
						t.Fatalf("round %d: symbol %d has code %b, want %b", round, s, c.codes[s], want)
					}
					code++
				}
			}
			code <<= 1
		}
	}
	if limited < 5 {
		t.Errorf("%d codes reached the limit", limited)
	}
}

// lensBits is the stored form of code lengths as the comment in lengths.go has it.
func lensBits(lens *[256]uint8) string {
	var s strings.Builder
	low := func(x, n int) { // the first bit lowest
		for i := range n {
			fmt.Fprint(&s, x>>i&1)
		}
	}
	last := 255
	for lens[last] == 0 {
		last--
	}
	before := maxCodeLen
	for k := 0; k <= last; k++ {
		l := int(lens[k])
		if l == 0 {
			more := 0
			for lens[k+1] == 0 {
				k++
				more++
			}
			s.WriteString("1110")
			for ; more >= 15; more -= 15 {
				s.WriteString("1111")
			}
			low(more, 4)
			continue
		}
		switch l - before {
		case 0:
			s.WriteString("0")
		case 1, 2:
			s.WriteString(strings.Repeat("1", l-before) + "00")
		case -1, -2:
			s.WriteString(strings.Repeat("1", before-l) + "01")
		default:
			s.WriteString("1111")
			low(l, 4)
		}
		before = l
	}
	return s.String()
}

// TestLengthsForm: code lengths are stored as documented, and read back, with other bytes behind them.
func TestLengthsForm(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 5))
	for round := range 400 {
		var h histogram
		for range 2 + r.IntN(60) {
			h[(r.IntN(256)>>r.IntN(4)+round)%256] += uint32(1 + math.Exp(9*r.Float64()))
		}
		if round%4 == 0 { // long runs without a code
			h = histogram{255: 2}
			h[round%256], h[(round+1)%256] = h[round%256]+1, h[(round+1)%256]+5
		}
		var c codeBook
		c.build(&h)
		got := c.appendLens([]byte{9})
		want := bitString(lensBits(&c.lens))
		if !bytes.Equal(got[1:], want) {
			t.Fatalf("round %d: % x, want % x", round, got[1:], want)
		}
		var d codeBook
		if n := d.readLens(append(want[:len(want):len(want)], 0xff, 0xff)); n != len(want) || d.lens != c.lens || d.max != c.max {
			t.Fatalf("round %d: read %d bytes of %d, longest %d, want %d", round, n, len(want), d.max, c.max)
		}
		for cut := range len(want) {
			if n := d.readLens(want[:cut]); n >= 0 {
				t.Errorf("round %d: %d bytes of %d are read as %d", round, cut, len(want), n)
			}
		}
	}
}

// gapsForm is the stored form of positions as gaps, all planes raw.
func gapsForm(marks []int, shift int) []byte {
	var gaps []byte
	var low strings.Builder
	next := 0
	for _, m := range marks {
		g := m - next
		next = m + 1
		q := g >> shift
		for ; q >= 255; q -= 255 {
			gaps = append(gaps, 255)
		}
		gaps = append(gaps, byte(q))
		for i := range shift {
			fmt.Fprint(&low, g>>i&1)
		}
	}
	b := binary.AppendUvarint([]byte{positionsGaps, byte(shift)}, uint64(len(gaps)))
	return append(append(append(b, methodRaw), gaps...), bitString(low.String())...)
}

// TestPositionsForm reads positions that were stored by the book, and refuses each that was not.
func TestPositionsForm(t *testing.T) {
	var d decoder
	decode := func(b []byte, m, n int) ([]uint32, string) {
		d.src, d.fault = b, ""
		d.decodePositions(m, n)
		if d.fault == "" && len(d.src) > 0 {
			return nil, "bytes are left"
		}
		return d.marks, d.fault
	}
	var e encoder
	r := rand.New(rand.NewPCG(21, 6))
	for round := range 200 {
		n := 1 + r.IntN(3000)
		var marks []int
		bitmap := make([]byte, (n+7)/8)
		for i := range n {
			if r.IntN(1+round%40) == 0 {
				marks = append(marks, i)
				bitmap[i/8] |= 1 << (i % 8)
			}
		}
		want := make([]uint32, len(marks))
		for i, m := range marks {
			want[i] = uint32(m)
		}
		for shift := range 13 {
			if got, fault := decode(gapsForm(marks, shift), len(marks), n); fault != "" || !slices.Equal(got, want) {
				t.Fatalf("round %d, shift %d: %d marks of %d: %q", round, shift, len(marks), n, fault)
			}
		}
		form := append([]byte{positionsBitmap, methodRaw}, bitmap...)
		if got, fault := decode(form, len(marks), n); fault != "" || !slices.Equal(got, want) {
			t.Fatalf("round %d, bitmap: %d marks of %d: %q", round, len(marks), n, fault)
		}
		// What the encoder makes says the same, and takes a bitmap for more than a fifth.
		form = e.encodePositions([]byte("x"), want, n)[1:]
		if got, fault := decode(form, len(marks), n); fault != "" || !slices.Equal(got, want) || form[0] == positionsBitmap != (5*len(marks) > n && len(marks) > n/5) {
			t.Fatalf("round %d: %d marks of %d: %q, kind %d", round, len(marks), n, fault, form[0])
		}
	}
	// Many marks close together, and gaps of up to several times 255 steps among them.
	for _, steps := range []int{1, 253, 254, 255, 256, 257, 509, 510, 511, 765, 766, 5000} {
		for _, many := range []int{20, 300} {
			var marks []int
			var want []uint32
			at := 0
			for i := range 3 * many {
				if i%many == many/2 {
					at += steps << 3
				}
				marks, want = append(marks, at), append(want, uint32(at))
				at += 1 + i%40
			}
			form := e.encodePositions(nil, want, at)
			got, fault := decode(form, len(marks), at)
			if fault != "" || !slices.Equal(got, want) {
				t.Fatalf("%d steps among %d marks of %d: %q", steps, len(marks), at, fault)
			}
			// The gaps, read from what is stored, are those of the book.
			shift := int(form[1])
			size, k := binary.Uvarint(form[2:])
			d := decoder{src: form[2+k:]}
			gaps := make([]byte, size)
			d.decodePlane(gaps, false)
			book := gapsForm(marks, shift)
			if form[0] != positionsGaps || !bytes.HasSuffix(book, append(bytes.Clone(gaps), d.src...)) {
				t.Fatalf("%d steps among %d marks of %d, shift %d: gaps % x", steps, len(marks), at, shift, gaps)
			}
		}
	}
	for _, c := range []struct {
		form  []byte
		m, n  int
		fault string
	}{
		{[]byte{2, 0}, 1, 8, "unknown kind"},
		{nil, 1, 8, "data ends early"},
		{[]byte{positionsBitmap, methodRaw, 3}, 1, 8, "another number"},
		{[]byte{positionsBitmap, methodRaw, 1}, 2, 8, "another number"},
		{[]byte{positionsBitmap, methodRaw, 0x80}, 1, 7, "another number"},
		{[]byte{positionsBitmap, methodRaw, 0x40}, 1, 7, ""},
		{[]byte{positionsBitmap, methodRaw, 0}, 0, 7, ""},
		{[]byte{positionsBitmap, methodRaw}, 0, 7, "data ends early"},
		{gapsForm([]int{5}, 24), 1, 6, ""},
		{gapsForm([]int{5}, 25), 1, 6, "shift of gaps"},
		{gapsForm([]int{5}, 0), 1, 6, ""},
		{gapsForm([]int{5}, 0), 1, 5, "leads out of range"},
		{gapsForm([]int{5, 7}, 1), 2, 8, ""},
		{gapsForm([]int{5, 7}, 1), 2, 7, "leads out of range"},
		{gapsForm([]int{5, 7}, 1), 1, 8, "more gaps than marks"},
		{gapsForm([]int{5, 7}, 0), 3, 8, "gaps end early"},
		{gapsForm([]int{600}, 0)[:4], 1, 601, "data ends early"},
		{[]byte{positionsGaps, 0, 1, methodRaw, 255}, 1, 601, "gaps end early"},
		{[]byte{positionsGaps, 0, 4, methodRaw, 1, 1, 1, 1}, 1, 255, "too many gaps"}, // one, and one for every 255
		{[]byte{positionsGaps, 0, 3, methodRaw, 1, 1, 1}, 1, 255, "more gaps than marks"},
		{append([]byte{positionsGaps, 0, 2, methodRun, 'z', 0}, append(gapsForm(nil, 0), methodRaw)...), 2, 300, "unknown method"},
		{append([]byte{positionsBitmap, methodRun, 'z', 0}, append(gapsForm(nil, 0), methodRaw)...), 4, 8, "unknown method"},
		{[]byte{positionsGaps, 3, 1, methodRaw, 0}, 1, 8, "data ends early"},
		{[]byte{positionsGaps, 3, 1, methodRaw, 0, 0x0f}, 1, 8, "more gaps than marks"},
		{[]byte{positionsGaps, 3, 1, methodRaw, 0, 0x07}, 1, 8, ""},
	} {
		got, fault := decode(c.form, c.m, c.n)
		if c.fault == "" && (fault != "" || len(got) != c.m) || c.fault != "" && !strings.Contains(fault, c.fault) {
			t.Errorf("% x, %d marks of %d: %v, %q, want %q", c.form, c.m, c.n, got, fault, c.fault)
		}
	}
}

// TestPlaneForms reads planes of every method that were stored by the book, and refuses each that was not.
func TestPlaneForms(t *testing.T) {
	abc := bitString("1110 1111 1111 1111 1111 1111 1111 0110   1111 1000  100  0") // 97 without a code, a of one bit, b and c of two
	huff := func(size uint64, stream string) []byte {
		return append(binary.AppendUvarint(append([]byte{methodHuff}, abc...), size), bitString(stream)...)
	}
	run := func(m uint64, positions, others []byte) []byte {
		return append(append(binary.AppendUvarint([]byte{methodRun, 'z'}, m), positions...), others...)
	}
	for _, c := range []struct {
		form  []byte
		n     int
		want  string
		fault string
	}{
		{[]byte("\x00xyz"), 3, "xyz", ""}, {[]byte("\x00xy"), 3, "", "data ends early"}, {[]byte("\x00xyz"), 2, "", "left"}, {[]byte("\x00"), 0, "", ""},
		{[]byte("\x01q"), 4, "qqqq", ""}, {[]byte("\x01"), 4, "", "data ends early"}, {nil, 1, "", "data ends early"}, {[]byte{5}, 1, "", "unknown method"},
		{run(2, gapsForm([]int{1, 3}, 0), []byte("\x00ab")), 5, "zazbz", ""},
		{run(0, gapsForm(nil, 0), []byte("\x00")), 3, "zzz", ""},
		{run(6, gapsForm([]int{0, 1, 2, 3, 4}, 0), []byte("\x00abcdef")), 5, "", "more exceptions"},
		{run(5, gapsForm([]int{0, 1, 2, 3, 4}, 0), []byte("\x00abcde")), 5, "abcde", ""},
		{run(2, gapsForm([]int{1, 3}, 0), run(1, gapsForm([]int{0}, 0), []byte("\x00a"))), 5, "", "unknown method"}, // no run inside a run
		{huff(1, "0 10 11 0"), 4, "abca", ""},
		{huff(1, "0 10 11 0 1"), 4, "", "does not end"}, {huff(1, "0 10 11 0"), 3, "abc", ""}, {huff(2, "0 10 11 0 0000 0000"), 4, "", "does not end"},
		{huff(1, "10 10 10 10"), 4, "bbbb", ""}, {huff(1, "10 10 10 10"), 5, "", "does not end"}, {huff(2, "0"), 1, "", "data ends early"}, {huff(3, "0"), 1, "", "size of a stream"},
		{[]byte{methodHuff, 0xff}, 1, "", "code lengths"}, {[]byte{methodHuff}, 1, "", "code lengths"},
	} {
		d := decoder{src: c.form}
		got := make([]byte, c.n)
		d.decodePlane(got, true)
		fault := d.fault
		if fault == "" && len(d.src) > 0 {
			fault = "bytes are left"
		}
		if c.fault == "" && (fault != "" || string(got) != c.want) || c.fault != "" && !strings.Contains(fault, c.fault) {
			t.Errorf("% x: %q, fault %q; want %q, %q", c.form, got, fault, c.want, c.fault)
		}
	}
	d := decoder{src: run(1, gapsForm([]int{1}, 0), []byte("\x00a"))}
	if d.decodePlane(make([]byte, 3), false); !strings.Contains(d.fault, "unknown method") {
		t.Errorf("a run where none may be: %q", d.fault)
	}
}

// TestStreams: planes of as many bytes as a single stream has at most, and one more or less, come back.
func TestStreams(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 12))
	var e encoder
	for _, n := range []int{oneStream - 2, oneStream - 1, oneStream, oneStream + 1, oneStream + 2, oneStream + 3} {
		src := make([]byte, n)
		for i := range src {
			src[i] = byte(3 * r.IntN(4)) // of two bits each, which no other method betters
		}
		form := e.encodePlane(nil, src, true)
		d := decoder{src: form}
		got := make([]byte, n)
		d.decodePlane(got, true)
		if form[0] != methodHuff || d.fault != "" || len(d.src) > 0 || !bytes.Equal(got, src) {
			t.Errorf("%d bytes: method %d, %q, %d bytes left", n, form[0], d.fault, len(d.src))
		}
		streams := 1
		if n >= oneStream {
			streams = numStreams
		}
		var c codeBook
		at := 1 + c.readLens(form[1:])
		total := 0
		for range streams {
			size, k := binary.Uvarint(form[at:])
			at, total = at+k, total+int(size)
		}
		if at+total != len(form) {
			t.Errorf("%d bytes: %d streams of %d bytes end at %d, not at %d", n, streams, total, at+total, len(form))
		}
	}
}

// TestBlockForms reads blocks that were stored by the book, and refuses each that was not.
func TestBlockForms(t *testing.T) {
	join := func(parts ...any) (b []byte) {
		for _, p := range parts {
			switch p := p.(type) {
			case int:
				b = binary.AppendUvarint(b, uint64(p))
			case string:
				b = append(b, p...)
			case []byte:
				b = append(b, p...)
			}
		}
		return b
	}
	const raw = "\x00"
	for _, c := range []struct {
		form  []byte
		w     int
		want  string
		fault string
	}{
		{join(0, raw, "abc"), 1, "abc", ""}, {join(0, raw, "abcd"), 1, "abc", "follows the last plane"}, {join(8, raw, "abc"), 1, "abc", "unknown flags"}, {nil, 1, "abc", "data ends early"},
		{join(0, raw, "ac", raw, "bd"), 2, "abcd", ""}, {join(0, raw, "ac", raw, "bde"), 2, "abcd", "follows the last plane"},
		{join(0, "\x01a", "\x01b"), 2, "abab", ""},
		// Rows of two with one value before the first and one behind the last; the second is new, the third repeats the first.
		{join(flagRows, 2, 1, 2, raw, "\x00\x00\x01", raw, "\x00\x00\x00", raw, "xabcdz"), 1, "xabcdabz", ""},
		{join(flagRows, 2, 1, 2, raw, "\x00\x00\x02", raw, "\x00\x00\x00", raw, "xabcdz"), 1, "xabcdcdz", ""},
		{join(flagRows, 2, 1, 2, raw, "\x00\x00\x03", raw, "\x00\x00\x00", raw, "xabcdz"), 1, "xabcdcdz", "one that is not there"},
		{join(flagRows, 2, 1, 2, raw, "\x00\x02\x00", raw, "\x00\x00\x00", raw, "xabcdz"), 1, "xabcdcdz", "one that is not there"},
		{join(flagRows, 2, 1, 2, raw, "\x00\x00\x01", raw, "\x00\x00\x01", raw, "xabcdz"), 1, "xabcdabz", "one that is not there"},
		{join(flagRows, 2, 1, 1, raw, "\x00\x00\x01", raw, "\x00\x00\x00", raw, "xabz"), 1, "xabcdabz", "one that is not there"},
		{join(flagRows, 2, 1, 3, raw, "\x00\x00\x01", raw, "\x00\x00\x00", raw, "xabcdefz"), 1, "xabcdabz", "left over"},
		{join(flagRows, 2, 1, 4, raw, "\x00\x00\x01", raw, "\x00\x00\x00", raw, "xabcdz"), 1, "xabcdabz", "more new rows"},
		{join(flagRows, 0, 1, 2, raw, "\x00\x00\x01", raw, "\x00\x00\x00", raw, "xabcdz"), 1, "xabcdabz", "out of range"},
		{join(flagRows, 9, 0, 0), 1, "xabcdabz", "length of a row"}, {join(flagRows, 1, 9, 0), 1, "xabcdabz", "start of the rows"},
		{join(flagRows, 8, 1, 0), 1, "xabcdabz", "rows are out of range"}, {join(flagRows, 7, 1, 1, raw, "\x00", raw, "\x00", raw, "xabcdabz"), 1, "xabcdabz", ""},
		{join(flagRows, 1, 0, 2, raw, "\x00\x01\x02\x00\x02", raw, "\x00\x00\x00\x00\x00", raw, "ab"), 1, "aaabb", "one that is not there"},
		{join(flagRows, 1, 0, 2, raw, "\x00\x01\x01\x00\x02", raw, "\x00\x00\x00\x00\x00", raw, "ab"), 1, "aaabb", ""},
		{join(flagRows, 2, 1, 1, raw, "\x00\x01", raw, "\x00\x00", raw, "xacz", raw, "XbdZ"), 2, "xXabcdabcdzZ"[:12], ""},
		// Zero values are left out.
		{join(flagSparse, 2, gapsForm([]int{1, 4}, 0), raw, "ab"), 1, "\x00a\x00\x00b", ""}, {join(flagSparse, 6, gapsForm([]int{0, 1, 2, 3, 4, 5}, 0), raw, "abcdef"), 1, "\x00a\x00\x00b", "more values"},
		{join(flagSparse, 5, gapsForm([]int{0, 1, 2, 3, 4}, 0), raw, "abcde"), 1, "abcde", ""}, {join(flagSparse, 1, gapsForm([]int{2}, 1), raw, "a", raw, "b"), 2, "\x00\x00\x00\x00ab", ""},
		{join(flagSparse, 0, gapsForm(nil, 0), raw), 1, "\x00\x00\x00", ""},
		{join(flagSparse, 0, gapsForm(nil, 0)), 2, "\x00\x00", "data ends early"},
		// Both: rows of two, of which the second repeats the first; of the three values that are kept one is zero.
		{join(flagRows|flagSparse, 2, 0, 1, raw, "\x00\x01", raw, "\x00\x00", 2, gapsForm([]int{1, 2}, 0), raw, "bz"), 1, "\x00b\x00bz", ""},
		// A run within a plane has positions of its own.
		{join(flagSparse, 3, gapsForm([]int{0, 2, 3}, 0), "\x03z", 1, gapsForm([]int{1}, 0), raw, "b"), 1, "z\x00bz", ""},
		{join(flagSteps, 0), 1, "abc", "steps, but not"}, {join(flagSteps, 0), 2, "abcd", "steps, but not"},
	} {
		var d decoder
		got := bytes.Repeat([]byte{0x55}, len(c.want))
		fault := d.decodeBlock(got, c.form, nil, c.w, false)
		if c.fault == "" && (fault != "" || string(got) != c.want) || c.fault != "" && !strings.Contains(fault, c.fault) {
			t.Errorf("% x: %q, fault %q; want %q, %q", c.form, got, fault, c.want, c.fault)
		}
	}
	// Steps are of floating-point values of two or four bytes, with a base and without rows.
	for _, c := range []struct {
		flags byte
		w     int
		float bool
		fault string
	}{{flagSteps, 2, true, "number of contexts"}, {flagSteps, 4, true, "number of contexts"}, {flagSteps, 8, true, "steps, but not"}, {flagSteps, 1, true, "steps, but not"}, {flagSteps, 2, false, "steps, but not"}, {flagSteps | flagRows, 2, true, "steps, but not"}} {
		var d decoder
		if fault := d.decodeBlock(make([]byte, 8), []byte{c.flags, maxContexts + 1}, make([]byte, 8), c.w, c.float); !strings.Contains(fault, c.fault) && !strings.Contains(fault, "ends early") || c.fault == "steps, but not" && !strings.Contains(fault, c.fault) {
			t.Errorf("flags %d, %d bytes, float %v: %q, want %q", c.flags, c.w, c.float, fault, c.fault)
		}
	}
}

// TestStepSymbols: the token of a difference is itself below 8, then four for each octave; the bits below the leading three follow.
func TestStepSymbols(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 7))
	check := func(u uint32) {
		token, extra := int(u), 0
		if u >= 8 {
			extra = bits.Len32(u) - 3
			token = 8 + 4*(extra-1) + int(u>>extra)&3
		}
		for flip := range uint32(2) {
			s := stepSymbol(u, flip)
			if s != uint32(2*token)+flip || s > maxSymbol {
				t.Fatalf("difference %d, flip %d: symbol %d, want %d", u, flip, s, 2*token+int(flip))
			}
			e, least := stepExtra(int(s))
			if int(e) != extra || least != u>>extra<<extra {
				t.Fatalf("symbol %d: %d bits from %d on, want %d from %d", s, e, least, extra, u>>extra<<extra)
			}
		}
	}
	for u := range uint32(3000) {
		check(u)
	}
	for range 3000 {
		check(r.Uint32() >> r.IntN(32))
	}
	check(math.MaxUint32)
	// The bits that follow are those of all symbols, also of those that occur once.
	var c stepCoder
	to, from := make([]byte, 4*500), make([]byte, 4*500)
	want := 0
	for i := range 500 {
		u := r.Uint32() >> (1 + r.IntN(30))
		storeValue(to[4*i:], uint64(u), 4)
		if d := 2 * u; d >= 8 {
			want += bits.Len32(d) - 3
		}
	}
	if c.count(to, from, 4); c.extra != want {
		t.Errorf("%d bits follow the symbols, want %d", c.extra, want)
	}
	// The difference is that of the magnitudes, with the sign in the lowest bit; the flip is that of the signs.
	for _, w := range []int{2, 4} {
		top := uint(8*w - 1)
		for range 3000 {
			from, to := r.Uint32()>>(32-8*w), r.Uint32()>>(32-8*w)
			if r.IntN(2) == 0 {
				to = from ^ uint32(r.IntN(8)) ^ uint32(r.IntN(2))<<top
			}
			d := int64(to&^(1<<top)) - int64(from&^(1<<top))
			want := uint32(2 * d)
			if d < 0 {
				want = uint32(-2*d - 1)
			}
			u, flip := stepOf(from, to, w)
			if u != want || flip != (from>>top)^(to>>top) {
				t.Fatalf("from %#x to %#x: %d, flip %d; want %d", from, to, u, flip, want)
			}
			if e := exponentOf(from, w); e != uint8(from>>(top-8)) {
				t.Fatalf("exponent of %#x: %#x", from, e)
			}
		}
	}
}

// TestStats: bytes, entropies and coded sizes of every plane, whatever the number of threads, and of steps those of the zigzag
// differences.
func TestStats(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(21, 8))
	n := BlockValues + 1000
	next, base := adamUpdate(r, n, 2, 0.3)
	small := make([]byte, 3000)
	for i := range small {
		small[i] = byte(r.IntN(5) * r.IntN(5))
	}
	a, b := dir+"/a.safetensors", dir+"/b.safetensors"
	writeFile(t, a, []item{{"w", tensor.BF16, []int{n}, base}})
	writeFile(t, b, []item{{"w", tensor.BF16, []int{n}, next}, {"v", tensor.BF16, []int{n}, base}, {"small", tensor.U8, []int{3000}, small}})
	pack(t, a, "", dir+"/a.lmc", PackOptions{})
	entropy := func(data []byte, w int, float bool) (bound [8]float64) {
		for from := 0; from < len(data); from += BlockValues * w {
			part := data[from:min(from+BlockValues*w, len(data))]
			planes := make([]byte, len(part))
			split(planes, part, w, float)
			for k := range w {
				var h [256]int
				for _, c := range planes[k*len(part)/w : (k+1)*len(part)/w] {
					h[c]++
				}
				for _, c := range h {
					if c > 0 {
						bound[k] -= float64(c) * math.Log2(float64(c)/float64(len(part)/w))
					}
				}
			}
		}
		return bound
	}
	diff := make([]byte, len(next))
	difference(diff, next, base, 2, Zigzag)
	for _, threads := range []int{1, 2, 5} {
		done := int64(0)
		res := pack(t, b, dir+"/a.lmc", dir+"/b.lmc", PackOptions{Stats: true, Threads: threads, Progress: func(k int64) { done += k }})
		if want := int64(2*len(base) + len(small)); done != want {
			t.Errorf("%d threads: progress of %d bytes, want %d", threads, done, want)
		}
		if want := map[Mode]int{Whole: 2, Step: 1}; fmt.Sprint(res.Tensors) != fmt.Sprint(want) {
			t.Errorf("%d threads: modes %v, want %v", threads, res.Tensors, want)
		}
		want := []struct {
			d     tensor.DType
			mode  Mode
			w     int
			data  []byte
			float bool
		}{{tensor.BF16, Whole, 2, base, true}, {tensor.BF16, Step, 2, diff, false}, {tensor.U8, Whole, 1, small, false}}
		if len(res.Groups) != len(want) {
			t.Fatalf("%d threads: %d groups, want %d", threads, len(res.Groups), len(want))
		}
		packed := int64(0)
		for i, g := range res.Groups {
			x := want[i]
			if g.DType != x.d || g.Mode != x.mode || g.Width != x.w {
				t.Fatalf("%d threads: group %d is %v %v of %d planes", threads, i, g.DType, g.Mode, g.Width)
			}
			bound, coded := entropy(x.data, x.w, x.float), int64(0)
			for k := range 8 {
				size := int64(0)
				if k < x.w {
					size = int64(len(x.data) / x.w)
				}
				if g.Bytes[k] != size || math.Abs(g.BoundBits[k]-bound[k]) > 1e-5*(1+bound[k]) {
					t.Errorf("%d threads, %v %v, plane %d: %d bytes, bound %.1f; want %d, %.1f", threads, g.DType, g.Mode, k, g.Bytes[k], g.BoundBits[k], size, bound[k])
				}
				coded += g.Coded[k]
			}
			blocks := int64(len(x.data)+BlockValues*x.w-1) / int64(BlockValues*x.w)
			if x.mode == Whole && g.Total != coded+blocks { // and a byte of flags for each block
				t.Errorf("%d threads, %v: %d bytes in all, planes %d and %d blocks", threads, g.DType, g.Total, coded, blocks)
			}
			packed += g.Total
		}
		s := openChain(t, dir+"/b.lmc")
		sum := int64(0)
		for _, info := range s.Tensors() {
			sum += info.Packed
		}
		s.Close()
		if sum != packed {
			t.Errorf("%d threads: groups of %d bytes, blocks of %d", threads, packed, sum)
		}
	}
	if res := pack(t, b, "", dir+"/c.lmc", PackOptions{}); res.Groups != nil {
		t.Errorf("groups without Stats: %v", res.Groups)
	}
}

// TestChosenModes: the mode that is chosen from a part of the values codes all of them in about the fewest bytes.
func TestChosenModes(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(21, 9))
	const n = 60000
	each := func(w int, f func(i int) uint64) []byte {
		b := make([]byte, n*w)
		for i := range n {
			storeValue(b[i*w:], f(i), w)
		}
		return b
	}
	old := map[int][]byte{}
	for _, w := range []int{1, 2, 4, 8} {
		old[w] = each(w, func(int) uint64 { return r.Uint64() })
	}
	learnt, weights := adamUpdate(r, n, 2, 0.3)
	old[2] = weights
	var a, b []item
	chosen := map[Mode]int{}
	for _, c := range []struct {
		name string
		d    tensor.DType
		next func(v uint64, i int) uint64
	}{
		{"counters", tensor.I32, func(v uint64, i int) uint64 { return v + uint64(i%5) }},
		{"counters down", tensor.I64, func(v uint64, i int) uint64 { return v - uint64(i%3) }},
		{"masks", tensor.I32, func(v uint64, i int) uint64 { return v ^ 1<<(i%4*8) }},
		{"bytes", tensor.U8, func(v uint64, i int) uint64 { return v ^ uint64(i&64) }},
		{"bytes up", tensor.U8, func(v uint64, i int) uint64 { return v + uint64(i%3) }},
		{"weights", tensor.BF16, func(v uint64, i int) uint64 { return v + uint64(i%4) }},
		{"other weights", tensor.BF16, func(uint64, int) uint64 { return uint64(math.Float32bits(float32(r.NormFloat64()))) >> 16 }},
		{"learnt", tensor.BF16, func(_ uint64, i int) uint64 { return loadValue(learnt[2*i:], 2) }},
		{"few", tensor.I32, func(v uint64, i int) uint64 {
			if i%50 == 0 {
				return r.Uint64()
			}
			return v
		}},
		{"zeros", tensor.I32, func(uint64, int) uint64 { return 0 }},
	} {
		w := c.d.Bits() / 8
		a = append(a, item{c.name, c.d, []int{n}, old[w]})
		b = append(b, item{c.name, c.d, []int{n}, each(w, func(i int) uint64 { return c.next(loadValue(old[w][i*w:], w), i) })})
	}
	writeFile(t, dir+"/a.safetensors", a)
	writeFile(t, dir+"/b.safetensors", b)
	pack(t, dir+"/b.safetensors", dir+"/a.safetensors", dir+"/b.lmc", PackOptions{})
	s := openChain(t, dir+"/b.lmc")
	defer s.Close()
	var w worker
	for i, info := range s.Tensors() {
		l := layoutOf(info.Info)
		least, sizes := math.MaxInt, map[Mode]int{}
		for mode := range numModes {
			if mode == Step && !stepsFit(l) {
				continue
			}
			size := len(w.encodeBlock(nil, bytes.Clone(b[i].data), a[i].data, l, mode, nil))
			sizes[mode] = size
			least = min(least, size)
		}
		chosen[info.Mode]++
		if got := sizes[info.Mode]; float64(got) > 1.02*float64(least)+100 {
			t.Errorf("%s: %v takes %d bytes; all modes %v", info.Name, info.Mode, got, sizes)
		}
	}
	for mode := range numModes {
		if chosen[mode] == 0 {
			t.Errorf("no tensor is stored as %v", mode)
		}
	}
}

// TestStepForms: steps whose contexts, symbols, levels or lanes are not those of a block are refused.
func TestStepForms(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 10))
	const n = 3000
	values, base := adamUpdate(r, n, 2, 0)
	var e encoder
	form := e.encodeSteps(nil, values, base, 2)
	num := int(form[1])
	if form[0] != flagSteps || num < 3 {
		t.Fatalf("flags %d, %d contexts", form[0], num)
	}
	at := 1 + num // number of symbols, less 1
	d := decoder{src: form[at+1:]}
	levels := make([]byte, num*(int(form[at])+1))
	d.decodePlane(levels, false)
	lanes := d.src // size of the first, and both
	first, k := binary.Uvarint(lanes)
	build := func(num int, least []byte, last int, levels, lanes []byte) []byte {
		b := append([]byte{flagSteps, byte(num)}, least...)
		b = append(b, byte(last), methodRaw)
		return append(append(b, levels...), lanes...)
	}
	least, last := form[2:at], int(form[at])
	swapped := bytes.Clone(least)
	swapped[0], swapped[1] = swapped[1], swapped[0]
	bad := bytes.Clone(levels)
	bad[0] = maxLevel + 1
	large := bytes.Clone(levels) // two symbols of all states
	large[0], large[1] = maxLevel, maxLevel
	flat := make([]byte, len(levels))
	wide := make([]byte, num*(maxSymbol+2))
	resize := func(size uint64) []byte { return append(binary.AppendUvarint(nil, size), lanes[k:]...) }
	for _, c := range []struct {
		what  string
		form  []byte
		fault string
	}{
		{"as it was", build(num, least, last, levels, lanes), ""},
		{"no contexts", build(0, least, last, levels, lanes), "ends early"},
		{"too many contexts", build(maxContexts+1, make([]byte, maxContexts), last, levels, lanes), "number of contexts"},
		{"exponents that ascend", build(num, swapped, last, levels, lanes), "do not descend"},
		{"an exponent twice", build(num, bytes.Repeat(least[:1], len(least)), last, levels, lanes), "do not descend"},
		{"too many symbols", build(num, least, maxSymbol+1, wide, lanes), "more symbols"},
		{"a level too high", build(num, least, last, bad, lanes), "not those of a table"},
		{"too many states", build(num, least, last, large, lanes), "not those of a table"},
		{"no states", build(num, least, last, flat, lanes), "does not end"},
		{"a lane too long", build(num, least, last, levels, resize(uint64(len(lanes)+1))), "size of a lane"},
		{"an empty lane", build(num, least, last, levels, resize(0)), "does not end"},
		{"all in the first lane", build(num, least, last, levels, resize(uint64(len(lanes)-k))), "does not end"},
		{"a byte moved", build(num, least, last, levels, resize(first+1)), "does not end"},
		{"a byte moved back", build(num, least, last, levels, resize(first-1)), "does not end"},
		{"cut", form[:len(form)-1], "does not end"},
		{"cut to its levels", form[:at+3], "code lengths"},
		{"cut to its contexts", form[:3], "ends early"},
	} {
		got := make([]byte, len(values))
		var d decoder
		fault := d.decodeBlock(got, c.form, base, 2, true)
		if c.fault == "" && (fault != "" || !bytes.Equal(got, values)) || c.fault != "" && !strings.Contains(fault, c.fault) {
			t.Errorf("%s: %q, want %q", c.what, fault, c.fault)
		}
	}
	// A context without a value needs no levels.
	if fault := d.decodeBlock(nil, []byte{flagSteps}, nil, 2, true); fault == "" {
		t.Error("steps without a base")
	}
	if fault := d.decodeBlock([]byte{}, []byte{flagSteps}, []byte{}, 2, true); fault != "" {
		t.Errorf("steps of no values: %q", fault)
	}
	if fault := d.decodeBlock(make([]byte, 6), append([]byte{flagSteps | flagSparse, 0}, gapsForm(nil, 0)...), base[:6], 2, true); fault != "" {
		t.Errorf("steps that are all zero: %q", fault)
	}
	if fault := d.decodeBlock(make([]byte, 6), append([]byte{flagSteps | flagSparse, 4}, gapsForm([]int{0, 1, 2, 3}, 0)...), base[:6], 2, true); !strings.Contains(fault, "more values") {
		t.Errorf("four of three values: %q", fault)
	}
}

// TestIndexForm: an index that is cut anywhere, or whose numbers are out of range, is refused.
func TestIndexForm(t *testing.T) {
	for _, name := range []string{"testdata/step0200.lmc", "testdata/step0250.lmc"} {
		s := openChain(t, name)
		defer s.Close()
		b, err := s.appendIndex(nil)
		if err != nil {
			t.Fatal(err)
		}
		last := s.blocks[len(s.blocks)-1]
		end := last.off + int64(last.size)
		if x, err := parseIndex(b, end, name); err != nil || x.content != s.content || x.path != s.path || x.base != s.index.base || x.depth != s.depth || !bytes.Equal(x.header, s.header) {
			t.Fatalf("%s: %v", name, err)
		}
		for n := range len(b) {
			if _, err := parseIndex(b[:n:n], end, name); err == nil {
				t.Errorf("%s: cut to %d bytes: no error", name, n)
			}
		}
		for _, off := range []int64{end - 1, end + 1, headSize, 0} {
			if _, err := parseIndex(b, off, name); err == nil {
				t.Errorf("%s: blocks that end at %d, not at %d: no error", name, off, end)
			}
		}
	}
	// The least header that a safetensors file has, and what may stand before and behind it.
	index := func(size, depth uint64, path string, header []byte, length uint64) []byte {
		x := index{size: int64(size), depth: int(depth), path: path, header: header}
		b, err := x.appendIndex(nil)
		if err != nil {
			t.Fatal(err)
		}
		if length != uint64(len(header)) {
			b = bytes.Replace(b, binary.AppendUvarint(nil, uint64(len(header))), binary.AppendUvarint(nil, length), 1)
		}
		return b
	}
	header := append([]byte{2, 0, 0, 0, 0, 0, 0, 0}, "{}"...)
	for _, c := range []struct {
		what string
		b    []byte
		want string
	}{
		{"no tensors", index(20, 0, "", header, 10), "tensors end at 10"}, // of a file of 20 bytes
		{"no tensors", index(10, 0, "", header, 10), ""},
		{"64 bases", index(10, 64, "b", header, 10), ""}, {"65 bases", index(10, 65, "b", header, 10), "chain of 65 bases"},
		{"a path of 4096 bytes", index(10, 1, strings.Repeat("p", maxPath), header, 10), ""}, {"a path of 4097 bytes", index(10, 1, strings.Repeat("p", maxPath+1), header, 10), "path of the base is too long"},
		{"a header of 9 bytes", index(20, 3, "b", header, 9), "header does not unpack"}, {"a header of 11 bytes", index(20, 3, "b", header, 11), "header does not unpack"},
		{"a header of 7 bytes", index(20, 3, "b", header, 7), "header is out of range"},
		{"eight bytes without a header", index(8, 3, "b", make([]byte, 8), 8), "header JSON"},
	} {
		if _, err := parseIndex(c.b, headSize, "x"); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
	// A file is head, blocks, index and footer, 104 bytes at least without blocks and index.
	whole := append(head(), footer(nil, headSize)...)
	for n := range len(whole) + 1 {
		_, err := readIndex(bytes.NewReader(whole[:n]), int64(n), "x")
		if short := strings.Contains(fmt.Sprint(err), "too few"); err == nil || short != (n < headSize+footSize) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if len(whole) != headSize+footSize || footSize != 8+8+32+8 {
		t.Errorf("a file without content has %d bytes", len(whole))
	}
	for at, want := range map[int]string{0: "does not begin with", 7: "does not begin with", 8: "version 3", 12: "checksum", 15: "checksum", headSize: "footer: index at", headSize + 8: "footer: index at", headSize + 16: "checksum", headSize + 47: "checksum", headSize + 48: "does not end with a footer", headSize + 55: "does not end with a footer"} {
		b := bytes.Clone(whole)
		b[at] ^= 1
		if _, err := readIndex(bytes.NewReader(b), int64(len(b)), "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("byte %d: %v, want %q", at, err, want)
		}
	}
}

// TestStatesForm: a plane coded by states whose symbols, levels or lanes are not those of a table is refused.
func TestStatesForm(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 11))
	src := make([]byte, 1500)
	for i := range src {
		src[i] = byte(100 + 2*r.NormFloat64())
	}
	var e encoder
	form := e.encodePlane(nil, src, true)
	if form[0] != methodStates {
		t.Fatalf("method %d", form[0])
	}
	decode := func(b []byte) string {
		d := decoder{src: b}
		got := make([]byte, len(src))
		d.decodePlane(got, true)
		if d.fault == "" && len(d.src) > 0 {
			return "bytes are left"
		}
		if d.fault == "" && !bytes.Equal(got, src) {
			return "other bytes"
		}
		return d.fault
	}
	if fault := decode(form); fault != "" {
		t.Fatal(fault)
	}
	for n := range len(form) {
		if fault := decode(form[:n:n]); fault == "" {
			t.Errorf("cut to %d bytes: no fault", n)
		}
	}
	level := func(deltas ...string) []byte {
		return append([]byte{methodStates, 10, byte(len(deltas) - 1)}, bitString(strings.Join(deltas, ""))...)
	}
	up := strings.Repeat("1", 16) + "0" + "00" // the level is higher by 32
	for _, c := range []struct {
		form []byte
		want string
	}{
		{[]byte{methodStates, 255, 1}, "symbols are out of range"}, {[]byte{methodStates, 255}, "data ends early"}, {[]byte{methodStates}, "data ends early"},
		{level(up, up, "000"), "not those of a table"}, // 64, 1024 and 1024 states of 1024
		{level(up, up, up), "not those of a table"},    // level 96 is above the highest
		{level("000", "000"), "not those of a table"},  // no symbol has a state
		{level("000", strings.Repeat("1", 40)), "frequencies end early"},
		{[]byte{methodStates, 10, 200}, "frequencies end early"},
		{append(level(up), 9, 9), "size of a lane"},
	} {
		if fault := decode(c.form); !strings.Contains(fault, c.want) {
			t.Errorf("% x: %q, want %q", c.form, fault, c.want)
		}
	}
	at := len(form) - 1
	form[at] ^= 0x80
	if fault := decode(form); fault == "" {
		t.Error("another last bit: no fault")
	}
}

// TestHashProgress: hashing a raw file tells of all its values, and a packed one has its content already.
func TestHashProgress(t *testing.T) {
	raw, err := Open("testdata/step0200.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	packed := openChain(t, "testdata/step0200.lmc")
	defer packed.Close()
	done := int64(0)
	for range 2 { // the second time nothing is read
		if err := raw.Hash(t.Context(), func(n int64) { done += n }); err != nil {
			t.Fatal(err)
		}
	}
	if want := raw.Size() - int64(len(raw.header)); done != want || raw.Content() != packed.Content() {
		t.Errorf("%d bytes hashed of %d, content %s, packed %s", done, want, raw.Content(), packed.Content())
	}
	if raw.FileBytes() != raw.Size() || packed.Size() != raw.Size() || packed.FileBytes() != int64(len(mustRead(t, packed.Path))) || raw.Depth() != 0 {
		t.Errorf("raw: %d of %d bytes; packed: %d of %d", raw.FileBytes(), raw.Size(), packed.FileBytes(), packed.Size())
	}
	delta := openChain(t, "testdata/step0250.lmc")
	name, base := delta.BaseName()
	if chain := delta.Chain(); name != "step0200.lmc" || base != packed.Content() || delta.Depth() != 1 || len(chain) != 2 || chain[1] != packed.Path {
		t.Errorf("base %q %s, chain %q", name, base, chain)
	}
	list, other := packed.Tensors(), raw.Tensors()
	sum := int64(0)
	for i, x := range list {
		y := other[i]
		if x.Name != y.Name || x.Hash != y.Hash || x.Bytes != y.Bytes || x.Blocks != y.Blocks || y.Packed != y.Bytes || !slices.Equal(x.Shape, y.Shape) {
			t.Errorf("tensor %d: %+v, raw %+v", i, x, y)
		}
		sum += x.Packed
		if len(x.Shape) > 0 {
			x.Shape[0]++ // the caller's own
		}
	}
	if again := packed.Tensors(); !slices.Equal(again[0].Shape, other[0].Shape) {
		t.Errorf("a caller has changed the shape to %v", again[0].Shape)
	}
	last := packed.blocks[len(packed.blocks)-1]
	if want := last.off + int64(last.size) - headSize; sum != want {
		t.Errorf("blocks of %d bytes, want %d", sum, want)
	}
	for range 2 { // the second time nothing is open
		if err := delta.Close(); err != nil {
			t.Error(err)
		}
	}
	for n, ok := range map[int]bool{0: false, 7: false, 8: false, 9: false, 10: true} { // a file without tensors, whole and cut
		file := append([]byte{2, 0, 0, 0, 0, 0, 0, 0}, "{}"...)[:n]
		s, err := read(bytes.NewReader(file), int64(n), "x.safetensors")
		if ok != (err == nil) || ok && (len(s.Tensors()) != 0 || s.Size() != 10) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if _, err := restoreFile(t.Context(), t.TempDir(), "", 1); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a directory: %v", err)
	}
	if err := Unpack(t.Context(), &bytes.Buffer{}, delta, UnpackOptions{}); err == nil { // the file and its base are closed
		t.Error("reading after Close succeeds")
	}
}
