package lmc

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vcsim/internal/golden"
)

// TestChoices compares digests of coded blocks with those in testdata. What the encoder chooses is free: a decoder reads
// it all, and only the sizes change.
func TestChoices(t *testing.T) {
	var s strings.Builder
	add := func(what string, coded []byte) {
		sum := sha256.Sum256(coded)
		fmt.Fprintf(&s, "%s %d bytes %x\n", what, len(coded), sum[:8])
	}
	var e encoder
	bf16 := func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) >> 16 }
	const n = 3000
	for share := range 40 { // of 2.5 %
		r := rand.New(rand.NewPCG(7, uint64(share)))
		base, near, few, ones := make([]byte, 2*n), make([]byte, 2*n), make([]byte, 2*n), make([]byte, 2*n)
		var marks []uint32
		for i := range n {
			x := bf16(r.NormFloat64() * 0.02)
			storeValue(base[2*i:], x, 2)
			storeValue(near[2*i:], x, 2)
			if r.IntN(40) < share {
				marks = append(marks, uint32(i))
				storeValue(few[2*i:], x, 2)
				storeValue(ones[2*i:], uint64(1+r.IntN(3)*share), 2)
				storeValue(near[2*i:], x+uint64(r.IntN(5)), 2)
			}
		}
		add(fmt.Sprintf("%d marks", len(marks)), e.encodePositions(nil, marks, n))
		add(fmt.Sprintf("%d values", len(marks)), e.encodeBlock(nil, few, layout{w: 2, float: true}, nil))
		add(fmt.Sprintf("%d of few values", len(marks)), e.encodeBlock(nil, ones, layout{w: 2}, nil))
		add(fmt.Sprintf("%d steps", len(marks)), e.encodeSteps(nil, near, base, 2))
	}
	// As many values of an exponent as a context needs, and one less.
	for less := range 2 {
		base, values := make([]byte, 4*minContext), make([]byte, 4*minContext)
		for i := range 2 * minContext {
			x := bf16(1)
			if i < minContext-less {
				x = bf16(0.001)
			}
			storeValue(base[2*i:], x, 2)
			storeValue(values[2*i:], x+uint64(i%7*(1+i%3*less)), 2)
			if i < minContext-less {
				storeValue(values[2*i:], x+uint64(1000+i%2), 2)
			}
		}
		add(fmt.Sprintf("a context less %d", less), e.encodeSteps(nil, values, base, 2))
	}
	golden.Check(t, "testdata/choices.txt", s.String())
}

// bitString packs bits, written as text from the first on, into bytes, the first in the lowest bit.
func bitString(s string) (b []byte) {
	for i, c := range strings.ReplaceAll(s, " ", "") {
		if i%8 == 0 {
			b = append(b, 0)
		}
		b[i/8] |= byte(c-'0') << (i % 8)
	}
	return b
}

// TestBadLengths: lengths beyond the limit and bits behind the last one are refused.
func TestBadLengths(t *testing.T) {
	for _, tt := range []struct {
		bits string
		size int
	}{
		{"1111 1000  0", 2},          // two symbols of one bit
		{"1111 1000  0 0000001", -1}, // the same, and a bit
		{"1111 1000  0 1000000", -1},
		{"1111 0000", -1}, // no bits
		{"1111 0011", -1}, // twelve
		{"1111 1111", -1},
		{"1001", -1},                              // one more than the limit
		{"1111 1000  100  101", -1},               // one bit, two, one: more codes than there are
		{"1110" + strings.Repeat("1111", 18), -1}, // more symbols without a code than there are symbols
		{"1111 1000  1110" + strings.Repeat("1111", 17) + "0000  0", -1}, // a second code of one bit for symbol 257
	} {
		var c codeBook
		if got := c.readLens(bitString(tt.bits)); got != tt.size {
			t.Errorf("%s: got %d, want %d", tt.bits, got, tt.size)
		}
	}
}

// TestGaps: gaps around the multiples of 255 that one byte stands for, at every shift, come back.
func TestGaps(t *testing.T) {
	for shift := range 6 {
		for _, gap := range []int{0, 1, 253, 254, 255, 256, 257, 509, 510, 511, 765} {
			for _, low := range []int{0, 1<<shift - 1} {
				marks := []uint32{uint32(gap<<shift + low)}
				marks = append(marks, marks[0]+1+uint32(gap<<shift))
				// So many items that the encoder chooses the shift, or as few as there may be.
				for _, n := range []int{int(marks[1]) + 1, 8<<shift + 1, 9 << shift, 1 << 20} {
					if n <= int(marks[1]) {
						continue
					}
					var e encoder
					d := decoder{src: e.encodePositions(nil, marks, n)}
					d.decodePositions(len(marks), n)
					if d.fault != "" || !slices.Equal(d.marks, marks) {
						t.Errorf("shift %d, marks %d of %d: got %d, %q", shift, marks, n, d.marks, d.fault)
					}
				}
			}
		}
	}
}

// TestBadGaps: bits behind the last gap are refused.
func TestBadGaps(t *testing.T) {
	var e encoder
	marks := []uint32{5, 100, 333}
	coded := e.encodePositions(nil, marks, 1000) // three gaps, of which some bits follow as they are
	if low := 3 * int(coded[1]); coded[0] != positionsGaps || low%8 == 0 {
		t.Fatalf("kind %d, %d low bits", coded[0], low)
	}
	decode := func(b []byte) string {
		d := decoder{src: b}
		d.decodePositions(len(marks), 1000)
		return d.fault
	}
	if fault := decode(coded); fault != "" {
		t.Fatal(fault)
	}
	coded[len(coded)-1] |= 0x80
	if fault := decode(coded); !strings.Contains(fault, "more gaps") {
		t.Errorf("a bit behind the last gap: %q", fault)
	}
}

// TestBadLanes: bytes behind the last value of a lane are refused.
func TestBadLanes(t *testing.T) {
	var e encoder
	base, values := make([]byte, 4000), make([]byte, 4000)
	r := rand.New(rand.NewPCG(8, 8))
	for i := range 2000 {
		storeValue(base[2*i:], uint64(0x3c00+i%64), 2)
		storeValue(values[2*i:], uint64(0x3c00+i%64+r.IntN(3)), 2)
	}
	coded := e.encodeSteps(nil, values, base, 2)
	for more := range 3 {
		var d decoder
		fault := d.decodeBlock(make([]byte, len(values)), append(coded[:len(coded):len(coded)], make([]byte, more)...), base, 2, true)
		if (fault == "") != (more == 0) {
			t.Errorf("%d bytes behind the last lane: %q", more, fault)
		}
	}
}

// TestValueChecksums: values are compared with their checksums, whatever those of the blocks say.
func TestValueChecksums(t *testing.T) {
	s := openChain(t, "testdata/step0250.lmc")
	defer s.Close()
	raw := openChain(t, "testdata/step0250.safetensors")
	defer raw.Close()
	if err := raw.Hash(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	w := newWorkers(1)[0]
	for _, x := range []*Snapshot{s, raw} {
		values := make([]byte, min(x.tensors[0].size, x.tensors[0].blockSize()))
		if _, err := x.readBlock(w, 0, 0, values, 0); err != nil {
			t.Fatal(err)
		}
		for bit := range 64 {
			x.blocks[0].sum ^= 1 << bit
			if _, err := x.readBlock(w, 0, 0, values, 0); err == nil {
				t.Errorf("%s: bit %d of the checksum differs: no error", x.Path, bit)
			}
			x.blocks[0].sum ^= 1 << bit
		}
		if x.Packed {
			x.blocks[0].crc ^= 1
			if _, err := x.readBlock(w, 0, 0, values, 0); err == nil || !strings.Contains(err.Error(), "checksum of the block") {
				t.Errorf("%s: checksum of the block differs: %v", x.Path, err)
			}
		}
	}
}

// TestDepths: a base that is as deep as what is built on it is refused, or a chain might not end.
func TestDepths(t *testing.T) {
	dir := t.TempDir()
	in := "testdata/step0200.safetensors"
	a, b, c := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c")
	pack(t, in, "", a, PackOptions{})
	pack(t, "testdata/step0250.safetensors", a, b, PackOptions{})
	pack(t, "testdata/step0300.safetensors", b, c, PackOptions{})
	s, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for depth, ok := range map[int]bool{2: true, 1: false} {
		s.depth = depth
		base, reason, err := s.tryBase(t.Context(), b)
		if err != nil || (base != nil) != ok || !ok && !strings.Contains(reason, "would not end") {
			t.Errorf("depth %d on a base of 1: %v, %q, %v", depth, base != nil, reason, err)
		}
		base.Close()
	}
}

// TestIndexEnds: what follows the last block in an index is refused.
func TestIndexEnds(t *testing.T) {
	s := openChain(t, "testdata/step0200.lmc")
	defer s.Close()
	b, err := s.appendIndex(nil)
	if err != nil {
		t.Fatal(err)
	}
	last := s.blocks[len(s.blocks)-1]
	end := last.off + int64(last.size)
	if _, err := parseIndex(b, end, s.Path); err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]byte{{0}, make([]byte, entryBytes+1)} {
		if _, err := parseIndex(append(b[:len(b):len(b)], more...), end, s.Path); err == nil {
			t.Errorf("%d bytes more: no error", len(more))
		}
	}
}
