package lmc

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/internal/tensor"
)

// The tests of this file hold limits and choices to their definitions, on both sides of each.

// TestFewZeros: of values whose probes hold fewer than half the zeros that pay, the rest is not counted; where the probes hold
// enough, all zeros count, if they are a tenth.
func TestFewZeros(t *testing.T) {
	var e encoder
	const every = 8
	values := func(zero func(i int) bool) []byte {
		b := make([]byte, 2*every*probes)
		for i := range every * probes {
			if !zero(i) {
				storeValue(b[2*i:], uint64(i)|1, 2)
			}
		}
		return b
	}
	probe := func(i int) bool { return i%every == 0 }
	for _, c := range []struct {
		what string
		zero func(i int) bool
		want int
	}{
		{"none", func(int) bool { return false }, 0},
		{"all but the probes", func(i int) bool { return !probe(i) }, 0},
		{"all", func(int) bool { return true }, every * probes},
		{"26 probes of 512, and half of the others", func(i int) bool { return probe(i) && i/every < 26 || !probe(i) && i&1 == 0 }, 26 + 3*probes},
		{"25 probes of 512, and half of the others", func(i int) bool { return probe(i) && i/every < 25 || !probe(i) && i&1 == 0 }, 0},
		{"every tenth", func(i int) bool { return i%10 == 0 }, 410},
		{"all but a few of every tenth", func(i int) bool { return i%10 == 0 && i > 9 }, 0}, // 409 of 4096
		{"all probes", probe, probes},
	} {
		if got := e.zeros(values(c.zero), 2); got != c.want {
			t.Errorf("%s: %d zeros, want %d", c.what, got, c.want)
		}
	}
	for n, want := range map[int]int{0: 0, 1: 1, probes - 1: probes - 1, probes: probes, probes + 1: probes + 1} {
		if got := e.zeros(make([]byte, 4*n), 4); got != want {
			t.Errorf("%d zeros of %d", got, n)
		}
	}
}

// TestRowsFound: rows that repeat are found whatever their first bytes have in common, and those references of which the high byte is
// mostly zero take a run.
func TestRowsFound(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 1))
	var e encoder
	for _, c := range []struct {
		what        string
		first, next func(row int) uint64 // the first 16 bytes of a row
	}{
		{"equal halves", func(row int) uint64 { return uint64(row) * 0x0101 }, func(row int) uint64 { return uint64(row) * 0x0101 }},
		{"equal beginnings", func(int) uint64 { return 7 }, func(row int) uint64 { return uint64(row) << 40 }},
		{"equal second halves", func(row int) uint64 { return uint64(row) }, func(int) uint64 { return 9 }},
	} {
		const rows, size = 40, 32
		values := make([]byte, 0, 2*rows*size)
		for k := range 2 * rows { // each row twice
			row := make([]byte, size)
			binary.LittleEndian.PutUint64(row, c.first(k%rows+1))
			binary.LittleEndian.PutUint64(row[8:], c.next(k%rows+1))
			row[20] = byte(k % rows)
			values = append(values, row...)
		}
		form, left := e.encodeRows([]byte{1}, values, layout{w: 1, cols: size})
		if form == nil || left < rows*size || left > (rows+4)*size { // two rows may have one place in the table
			t.Errorf("%s: %d bytes are left of %d rows of %d that repeat once", c.what, left, rows, size)
		}
	}
	// 800 rows, of which some repeat one with a number above 255.
	const rows, cols, repeats = 800, 300, 12
	values := make([]byte, rows*cols)
	for i := range values {
		values[i] = byte(r.Uint32())
	}
	for k := 500; k < rows; k += 25 {
		copy(values[cols*k:], values[cols*300:cols*301])
	}
	form, left := e.encodeRows(nil, values, layout{w: 1, cols: cols})
	if left != cols*(rows-repeats) {
		t.Fatalf("%d bytes are left of %d", left, cols*rows)
	}
	d := decoder{src: form}
	for _, want := range []int{cols, 0, rows - repeats} {
		if got := d.number(1<<20, ""); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
	for plane, want := range []byte{301 % 256, 301 / 256} {
		refs := make([]byte, rows)
		if method := d.src[0]; method != methodRun {
			t.Errorf("plane %d of the references has method %d", plane, method)
		}
		d.decodePlane(refs, true)
		for k, got := range refs {
			if repeats := k >= 500 && k%25 == 0; repeats && got != want || !repeats && got != 0 {
				t.Fatalf("plane %d, row %d: %d", plane, k, got)
			}
		}
	}
	// A block may end before its first whole row begins.
	for n := range 8 {
		if form, _ := e.encodeRows(nil, make([]byte, 2*n), layout{w: 2, cols: 16, phase: 5}); form != nil {
			t.Errorf("rows in %d values, of which five come before the first", n)
		}
	}
	// What is saved has to pay for four bytes of each row; there are two whole rows at least.
	for _, c := range []struct {
		rows, cols, repeats int
		found               bool
	}{{8, 16, 2, true}, {8, 16, 1, false}, {4, 16, 1, true}, {5, 16, 1, false}, {2, 16, 1, true}, {1, 16, 0, false}, {4, 15, 3, false}, {10, 40, 1, true}, {11, 40, 1, false}} {
		values := make([]byte, c.rows*c.cols+5)
		for i := range values {
			values[i] = byte(r.Uint32())
		}
		for k := range c.repeats {
			copy(values[5+(c.rows-1-k)*c.cols:], values[5:5+c.cols])
		}
		form, left := e.encodeRows(nil, values, layout{w: 1, cols: c.cols, phase: 5})
		if (form != nil) != c.found || c.found && left != len(values)-c.repeats*c.cols {
			t.Errorf("%d rows of %d, of which %d repeat: %v, %d of %d bytes left", c.rows, c.cols, c.repeats, form != nil, left, len(values))
		}
	}
}

// TestChosenMethods: a plane is a run where positions and others take 32 bytes less than a Huffman code, by 1.02 of their entropy, and
// coded by states up to 2^15 bytes where these take less, by their levels, 20 bytes and what counts as a gain.
func TestChosenMethods(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 2))
	var e encoder
	chosen := map[byte]int{}
	for round := range 4000 {
		n := 64 + r.IntN(600)
		symbols, others := 2+r.IntN(12), r.IntN(n)
		src := make([]byte, n)
		for range others {
			src[r.IntN(n)] = byte(r.IntN(symbols))
		}
		var h histogram
		top := 0
		for _, s := range src {
			h[s]++
		}
		for s := range h {
			if h[s] > h[top] {
				top = s
			}
		}
		total, distinct := h.entropyBits()
		var c codeBook
		var want byte
		switch {
		case distinct == 1:
			want = methodConst
		case total > 8*gainRaw*float64(n):
			want = methodRaw
		default:
			coded := c.build(&h)/8 + 16
			m := n - int(h[top])
			rest := h
			rest[top] = 0
			bits, _ := rest.entropyBits()
			var q frequencies
			switch {
			case m < n/2 && int(1.02*(choiceBits(n, m)+bits))/8+32 < coded:
				want = methodRun
			case q.set(&h, stateBits(n)) && int(q.bits(&h, stateBits(n))/8)+20 < int(0.997*float64(coded)):
				want = methodStates
			default:
				want = methodHuff
			}
		}
		got := e.encodePlane(nil, src, true)
		// The estimates of states and of a code can be wrong by the tables; what takes more than the others is not taken.
		if got[0] != want && !(want == methodStates && got[0] == methodHuff) && !(got[0] == methodRaw && len(got) == n+1) {
			t.Fatalf("round %d: %d of %d symbols in %d bytes: method %d, want %d", round, others, symbols, n, got[0], want)
		}
		chosen[got[0]]++
	}
	for _, method := range []byte{methodHuff, methodRun, methodStates} {
		if chosen[method] < 100 {
			t.Errorf("method %d was chosen %d times", method, chosen[method])
		}
	}
	// States end at 2^15 bytes.
	for n, want := range map[int]byte{statesPlane: methodStates, statesPlane + 1: methodHuff} {
		src := make([]byte, n)
		for i := range src {
			src[i] = byte(100 + 0.6*r.NormFloat64())
		}
		if got := e.encodePlane(nil, src, false)[0]; got != want {
			t.Errorf("%d bytes: method %d, want %d", n, got, want)
		}
	}
}

// TestSparseSteps: the values that are as before are left out of a block of steps where their positions, by 1.02 of the entropy and ten
// bytes, and the other steps take less than all of them.
func TestSparseSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 3))
	var e encoder
	chosen := map[bool]int{}
	var c stepCoder
	for round := range 600 {
		n := 3500 + r.IntN(7000)
		base, values := make([]byte, 4*n), make([]byte, 4*n)
		for i := range n {
			storeValue(base[4*i:], uint64(0x3c000000+r.IntN(1<<20)), 4)
		}
		copy(values, base)
		for range 5 + r.IntN(1<<(4+r.IntN(7))) {
			i := r.IntN(n)
			storeValue(values[4*i:], loadValue(base[4*i:], 4)+uint64(r.IntN(1<<r.IntN(20))), 4)
		}
		c.count(values, base, 4)
		zeros := c.zeros()
		all, okAll := c.bits(stateBits(n), true)
		sparse, ok := c.bits(stateBits(n-zeros), false)
		want := zeros > n/2 && ok && (!okAll || sparse+1.02*choiceBits(n, zeros)+8*10 < all)
		form := e.encodeSteps(nil, values, base, 4)
		if form == nil {
			continue
		}
		if got := form[0]&flagSparse != 0; got != want {
			t.Fatalf("round %d: %d of %d values are as before: left out %v, want %v", round, zeros, n, got, want)
		}
		chosen[want]++
	}
	if chosen[true] < 100 || chosen[false] < 100 {
		t.Errorf("%d blocks with zero steps left out, %d with all", chosen[true], chosen[false])
	}
	// A step of zero is none to be stored behind the lanes that there are not.
	var d decoder
	none := append([]byte{flagSteps | flagSparse, 0}, gapsForm(nil, 0)...)
	for more, want := range []string{"", "follows the last lane"} {
		if fault := d.decodeBlock(make([]byte, 6), append(none, make([]byte, more)...), make([]byte, 6), 2, true); !strings.Contains(fault, want) || want == "" && fault != "" {
			t.Errorf("%d bytes behind steps that are all zero: %q", more, fault)
		}
	}
}

// TestIndexNumbers: a number above 2^60 is none.
func TestIndexNumbers(t *testing.T) {
	for depth, want := range map[uint64]string{1 << 60: "chain of 1152921504606846976 bases", 1<<60 + 1: "header is out of range", 1<<63 + 5: "header is out of range"} {
		b := binary.AppendUvarint([]byte{20}, depth)
		if _, err := parseIndex(append(b, make([]byte, 100)...), headSize, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bases: %v, want %q", depth, err, want)
		}
	}
}

// TestBaseOrder: of the files of a directory that have the content of a base, a packed one comes before raw ones, whatever their names,
// and what is raw is a base only by the name of a safetensors file.
func TestBaseOrder(t *testing.T) {
	dir, bases := t.TempDir(), t.TempDir()
	on := filepath.Join(dir, "on.lmc")
	base, err := filepath.Abs("testdata/step0200.lmc")
	if err != nil {
		t.Fatal(err)
	}
	pack(t, "testdata/step0250.safetensors", base, on, PackOptions{})
	put := func(name, from string) {
		if err := os.WriteFile(filepath.Join(bases, name), mustRead(t, from), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	find := func() (string, error) {
		s, err := Open(on)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		s.path = "gone"
		if err := s.OpenChain(t.Context(), bases); err != nil {
			return "", err
		}
		return filepath.Base(s.base.Path), nil
	}
	put("a.bin", "testdata/step0200.safetensors")
	put("b.safetensors", "testdata/step0250.safetensors")
	if got, err := find(); err == nil {
		t.Errorf("%s is taken for the base", got)
	}
	if err := os.Mkdir(filepath.Join(bases, "c.safetensors"), 0o777); err != nil {
		t.Fatal(err)
	}
	put("d.safetensors", "testdata/step0200.safetensors")
	if got, err := find(); got != "d.safetensors" {
		t.Errorf("%q is the base, want the only raw file with its content; %v", got, err)
	}
	put("e.other", "testdata/step0200.lmc")
	if got, err := find(); got != "e.other" {
		t.Errorf("%q is the base, want the packed file; %v", got, err)
	}
}

// badReader fails behind its bytes.
type badReader struct {
	*bytes.Reader
	size int64
	err  error
}

func (r *badReader) ReadAt(b []byte, off int64) (int, error) {
	n, err := r.Reader.ReadAt(b, off)
	if err == io.EOF && off+int64(n) >= r.size {
		err = r.err
	}
	return n, err
}

// TestReadErrors: a file that ends early is invalid, and another error of a read is that error.
func TestReadErrors(t *testing.T) {
	whole := mustRead(t, "testdata/step0200.safetensors")
	broken := errors.New("broken disk")
	for _, err := range []error{io.EOF, broken} {
		s, openErr := read(&badReader{bytes.NewReader(whole[:len(whole)-1]), int64(len(whole) - 1), err}, int64(len(whole)), "x")
		if openErr != nil {
			t.Fatal(openErr)
		}
		got := s.Hash(t.Context(), nil)
		var invalid FormatError
		if errors.Is(got, broken) != (err == broken) || errors.As(got, &invalid) != (err == io.EOF) || err == io.EOF && !strings.Contains(got.Error(), "ends early") {
			t.Errorf("a read that ends with %v: %v", err, got)
		}
	}
	// A block takes up to twice the bytes of its values, and 64.
	for more, want := range []string{"file: it ends early", "are too many for"} {
		s := openChain(t, "testdata/step0200.lmc")
		defer s.Close()
		_, size := s.tensors[0].span(0)
		s.blocks[0].size = 2*size + 64 + more
		s.blocks[0].off = s.bytes
		if _, err := s.readBlock(new(worker), 0, 0, make([]byte, size), 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a block of %d bytes for %d of values: %v, want %q", s.blocks[0].size, size, err, want)
		}
	}
}

// TestVerifyLimit: of several faults as many are told as asked for, in the order of the blocks, and an interruption is told as such.
func TestVerifyLimit(t *testing.T) {
	dir := t.TempDir()
	file, packed := filepath.Join(dir, "x.safetensors"), filepath.Join(dir, "x.lmc")
	var items []item
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		items = append(items, item{name, tensor.U8, []int{100}, gaussBF16(50)})
	}
	writeFile(t, file, items)
	pack(t, file, "", packed, PackOptions{})
	s := openChain(t, packed)
	defer s.Close()
	for _, threads := range []int{1, 3} {
		if err := Verify(t.Context(), s, 1, UnpackOptions{Threads: threads}); err != nil {
			t.Errorf("%d threads, no fault: %v", threads, err)
		}
	}
	for i := 1; i < 5; i++ {
		s.blocks[i].crc ^= 1
	}
	for limit, faults := range map[int]string{1: "b", 2: "bc", 4: "bcde", 5: "bcde", 9: "bcde"} {
		var done int64
		err := Verify(t.Context(), s, limit, UnpackOptions{Threads: 1, Progress: func(n int64) { done += n }})
		got := ""
		for _, line := range strings.Split(err.Error(), "\n") {
			if _, after, ok := strings.Cut(line, `tensor "`); ok {
				got += after[:1]
			}
		}
		want := 500 // bytes looked at: up to the fault that is one too many
		if limit < 4 {
			want = 100 * (1 + limit)
		}
		if got != faults || errors.Is(err, errTooMany) || done != int64(want) {
			t.Errorf("limit %d: faults of %q, want %q, after %d bytes, want %d", limit, got, faults, done, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Verify(ctx, s, 3, UnpackOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// offsets is a file that notes where it is read.
type offsets struct {
	*bytes.Reader
	seen map[int64]bool
}

func (o offsets) ReadAt(b []byte, off int64) (int, error) {
	o.seen[off] = true
	return o.Reader.ReadAt(b, off)
}

// TestLooksAtThreeBlocks: the mode of a tensor is chosen from its first block, its last and one in the middle, or from all there are.
func TestLooksAtThreeBlocks(t *testing.T) {
	dir := t.TempDir()
	for blocks, want := range map[int][]int{1: {0}, 2: {0, 1}, 3: {0, 1, 2}, 5: {0, 2, 4}, 6: {0, 2, 5}} {
		file := filepath.Join(dir, "x.safetensors")
		writeFile(t, file, []item{{"x", tensor.U8, []int{blocks*BlockValues - 5}, make([]byte, blocks*BlockValues-5)}})
		whole := mustRead(t, file)
		in := offsets{bytes.NewReader(whole), map[int64]bool{}}
		s, err := read(in, int64(len(whole)), file)
		if err != nil {
			t.Fatal(err)
		}
		base := openChain(t, file)
		clear(in.seen)
		if _, err := chooseMode(new(worker), s, base, 0); err != nil {
			t.Fatal(err)
		}
		base.Close()
		for _, b := range want {
			if !in.seen[int64(len(s.header)+b*BlockValues)] || len(in.seen) != len(want) {
				t.Errorf("%d blocks: read at %v, want blocks %d", blocks, in.seen, want)
			}
		}
		if info := s.Tensors()[0]; info.Blocks != blocks {
			t.Errorf("%d blocks, want %d", info.Blocks, blocks)
		}
	}
	s := openChain(t, "testdata/step0200.lmc")
	defer s.Close()
	for i, info := range s.Tensors() {
		if want := int((info.Bytes + s.tensors[i].blockSize() - 1) / s.tensors[i].blockSize()); info.Blocks != want {
			t.Errorf("%s: %d blocks, want %d", info.Name, info.Blocks, want)
		}
		var sums []byte
		for b := range info.Blocks {
			sums = binary.LittleEndian.AppendUint64(sums, s.blocks[s.tensors[i].block+b].sum)
		}
		if info.Hash != sha256.Sum256(sums) {
			t.Errorf("%s: hash %s is not that of its sums", info.Name, info.Hash)
		}
	}
}

// TestHeaderSizes: the header of a safetensors file ends inside the file and has no more than 100 MB.
func TestHeaderSizes(t *testing.T) {
	for _, c := range []struct {
		header uint64
		size   int64
		want   string
	}{
		{2, 9, "neither a header"}, {2, 10, "header JSON"}, {2, 7, "neither a header"}, {12, 19, "neither a header"}, {12, 20, "header JSON"},
		{maxHeader, maxHeader + 8, "header JSON"}, {maxHeader + 1, maxHeader + 9, "neither a header"},
	} {
		_, err := read(bytes.NewReader(binary.LittleEndian.AppendUint64(nil, c.header)), c.size, "x.safetensors")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("a header of %d bytes in a file of %d: %v, want %q", c.header, c.size, err, c.want)
		}
	}
}
