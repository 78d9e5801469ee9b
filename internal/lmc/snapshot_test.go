package lmc

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/internal/golden"
	"vcsim/internal/tensor"
)

// pack packs file, on base unless that is "", to out and returns the result.
func pack(t *testing.T, file, base, out string, opts PackOptions) *PackResult {
	t.Helper()
	in := openChain(t, file)
	defer in.Close()
	if base != "" {
		opts.Base = openChain(t, base)
		defer opts.Base.Close()
		rel, err := filepath.Rel(filepath.Dir(out), base)
		if err != nil {
			t.Fatal(err)
		}
		opts.BasePath = rel
	}
	var b bytes.Buffer
	res, err := Pack(t.Context(), &b, in, opts)
	if err != nil {
		t.Fatalf("pack %s on %q: %v", file, base, err)
	}
	if int(res.PackedBytes) != b.Len() {
		t.Errorf("pack %s: %d bytes, the result says %d", file, b.Len(), res.PackedBytes)
	}
	if err := os.WriteFile(out, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return res
}

func openChain(t *testing.T, file string) *Snapshot {
	t.Helper()
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.OpenChain(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	return s
}

// restoreFile returns what unpacking file gives.
func restoreFile(ctx context.Context, file, dir string, threads int) ([]byte, error) {
	s, err := Open(file)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := s.OpenChain(ctx, dir); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = Unpack(ctx, &b, s, UnpackOptions{Threads: threads})
	return b.Bytes(), err
}

func mustRead(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checkRestore compares what unpacking file gives with the file want.
func checkRestore(t *testing.T, file, want string) {
	t.Helper()
	w := mustRead(t, want)
	for _, threads := range []int{1, 3} {
		got, err := restoreFile(t.Context(), file, "", threads)
		if err != nil {
			t.Fatalf("unpack %s: %v", file, err)
		}
		if !bytes.Equal(got, w) {
			t.Fatalf("unpack %s: differs from %s", file, want)
		}
	}
}

// A named tensor of a file to write.
type item struct {
	name  string
	dtype tensor.DType
	shape []int
	data  []byte
}

func writeFile(t *testing.T, path string, items []item) {
	t.Helper()
	var infos []tensor.Info
	for _, it := range items {
		infos = append(infos, tensor.Info{Name: it.name, DType: it.dtype, Shape: it.shape})
	}
	var b bytes.Buffer
	w, err := tensor.NewSafetensorsWriter(&b, infos, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		if err := w.Write(it.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestEveryType: every dtype, with bit patterns of every kind, sizes around the limits of a block, whole and as a
// difference, where tensors are new, gone, reshaped, resized or of another type.
func TestEveryType(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(3, 3))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	var a, b []item
	for d := tensor.F64; d <= tensor.C64; d++ {
		for _, n := range []int{0, 8, 24, 1000} {
			name := fmt.Sprintf("%v.%d", d, n)
			data := random(n * d.Bits() / 8)
			next := bytes.Clone(data)
			for range n / 50 {
				next[r.IntN(len(next))] ^= 1
			}
			a = append(a, item{name, d, []int{n}, data})
			b = append(b, item{name, d, []int{2, n / 2}, next})
		}
	}
	for i, values := range patterns(r, 2000, 4) {
		a = append(a, item{"f32." + i, tensor.F32, []int{20, 100}, values})
		b = append(b, item{"f32." + i, tensor.F32, []int{2000}, random(8000)})
	}
	a = append(a, item{"gone", tensor.BF16, []int{3}, random(6)}, item{"resized", tensor.BF16, []int{3}, random(6)}, item{"retyped", tensor.BF16, []int{3}, random(6)})
	b = append(b, item{"new", tensor.BF16, []int{3}, random(6)}, item{"resized", tensor.BF16, []int{4}, random(8)}, item{"retyped", tensor.F16, []int{3}, random(6)})
	big := gaussBF16(BlockValues + 9)
	a = append(a, item{"big", tensor.BF16, []int{BlockValues + 9}, big})
	big = bytes.Clone(big)
	for range 1000 {
		big[r.IntN(len(big))] ^= 3
	}
	b = append(b, item{"big", tensor.BF16, []int{BlockValues + 9}, big}, item{"scalar", tensor.F64, nil, random(8)})
	fileA, fileB := filepath.Join(dir, "a.safetensors"), filepath.Join(dir, "b.safetensors")
	writeFile(t, fileA, a)
	writeFile(t, fileB, b)
	outA, outB, outC := filepath.Join(dir, "a.lmc"), filepath.Join(dir, "b.lmc"), filepath.Join(dir, "c.lmc")
	resA := pack(t, fileA, "", outA, PackOptions{Stats: true})
	resB := pack(t, fileB, outA, outB, PackOptions{Threads: 3})
	checkRestore(t, outA, fileA)
	checkRestore(t, outB, fileB)
	resC := pack(t, outB, fileA, outC, PackOptions{Threads: 1}) // from a packed file, on a raw one
	checkRestore(t, outC, fileB)
	if resC.Content != resB.Content || resA.Content == resB.Content {
		t.Errorf("content: b is %s, packed again %s, a %s", resB.Content, resC.Content, resA.Content)
	}
	if resB.Tensors[Zigzag]+resB.Tensors[XOR] < 10 {
		t.Errorf("modes of b: %v", resB.Tensors)
	}
	for _, g := range resA.Groups {
		for k := range g.Width {
			if g.Bytes[k] == 0 || g.BoundBits[k] > 8*float64(g.Bytes[k])+1e-3 {
				t.Errorf("%v plane %d: bound of %f bits for %d bytes", g.DType, k, g.BoundBits[k], g.Bytes[k])
			}
		}
	}

	s := openChain(t, outB)
	defer s.Close()
	for _, it := range b {
		var out bytes.Buffer
		if err := UnpackTensor(t.Context(), &out, s, it.name, UnpackOptions{}); err != nil {
			t.Fatal(err)
		}
		f, err := tensor.ReadSafetensors(bytes.NewReader(out.Bytes()), int64(out.Len()), it.name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Read(it.name, nil); err != nil || !bytes.Equal(got, it.data) {
			t.Errorf("tensor %s alone: differs, %v", it.name, err)
		}
	}
	if err := UnpackTensor(t.Context(), io.Discard, s, "none", UnpackOptions{}); err == nil {
		t.Error("a tensor that is not there was unpacked")
	}
}

func TestChain(t *testing.T) {
	dir := t.TempDir()
	var files, packed []string
	values := gaussBF16(5000)
	r := rand.New(rand.NewPCG(4, 4))
	for k := range 6 {
		for range 500 {
			values[r.IntN(len(values))] += 3
		}
		files = append(files, filepath.Join(dir, fmt.Sprintf("%d.safetensors", k)))
		writeFile(t, files[k], []item{{"w", tensor.BF16, []int{50, 100}, bytes.Clone(values)}})
		base := ""
		if k > 0 {
			base = packed[k-1]
		}
		packed = append(packed, filepath.Join(dir, fmt.Sprintf("%d.lmc", k)))
		res := pack(t, files[k], base, packed[k], PackOptions{MaxDepth: 3})
		if want := []int{0, 1, 2, 3, 0, 1}[k]; res.Depth != want || res.BaseDropped != (k == 4) {
			t.Errorf("snapshot %d: depth %d, base dropped %v, want depth %d", k, res.Depth, res.BaseDropped, want)
		}
	}
	for k := range packed {
		checkRestore(t, packed[k], files[k])
	}

	// A member that is another snapshot is named; its true self is found in a directory.
	other := t.TempDir()
	for _, k := range []int{1, 2} {
		if err := os.Rename(packed[k], filepath.Join(other, fmt.Sprintf("moved%d", k))); err != nil {
			t.Fatal(err)
		}
	}
	var ce *ChainError
	if _, err := restoreFile(t.Context(), packed[3], "", 1); !errors.As(err, &ce) || ce.Base != "2.lmc" || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("base gone: got %v", err)
	}
	if err := os.WriteFile(packed[2], mustRead(t, packed[5]), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := restoreFile(t.Context(), packed[3], "", 1); !errors.As(err, &ce) || ce.Base != "2.lmc" {
		t.Errorf("base swapped: got %v", err)
	}
	if _, err := restoreFile(t.Context(), packed[3], t.TempDir(), 1); !errors.As(err, &ce) || !strings.Contains(err.Error(), "has content") || !strings.Contains(err.Error(), "no file of ") {
		t.Errorf("base swapped, a directory without it: got %v", err)
	}
	if got, err := restoreFile(t.Context(), packed[3], dir, 1); err != nil || !bytes.Equal(got, mustRead(t, files[3])) {
		t.Errorf("base swapped, 2.safetensors has the content: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "0.lmc.kept"), mustRead(t, packed[0]), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Open(packed[3])
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.OpenChain(t.Context(), other); !errors.As(err, &ce) || ce.File != filepath.Join(other, "moved1") || ce.Base != "0.lmc" {
		t.Errorf("last member gone: got %v", err) // moved1 names 0.lmc beside itself
	}
	if err := os.Rename(packed[0], filepath.Join(other, "0.lmc")); err != nil {
		t.Fatal(err)
	}
	if got, err := restoreFile(t.Context(), packed[3], other, 2); err != nil || !bytes.Equal(got, mustRead(t, files[3])) {
		t.Errorf("chain found in a directory: %v", err)
	}

	// A raw base of the same shape but other values.
	if err := os.WriteFile(filepath.Join(other, "raw.safetensors"), mustRead(t, files[0]), 0o666); err != nil {
		t.Fatal(err)
	}
	on := filepath.Join(other, "on.lmc")
	pack(t, files[1], filepath.Join(other, "raw.safetensors"), on, PackOptions{})
	checkRestore(t, on, files[1])
	b := mustRead(t, files[0])
	b[len(b)-1] ^= 1
	if err := os.WriteFile(filepath.Join(other, "raw.safetensors"), b, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := restoreFile(t.Context(), on, "", 1); !errors.As(err, &ce) || ce.Base != "raw.safetensors" {
		t.Errorf("raw base changed: got %v", err)
	}
	if got, err := restoreFile(t.Context(), on, dir, 1); err != nil || !bytes.Equal(got, mustRead(t, files[1])) {
		t.Errorf("raw base found in a directory: %v", err)
	}
}

func TestGolden(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct{ name, base string }{{"step0200", ""}, {"step0250", "testdata/step0200.lmc"}} {
		packed := filepath.Join("testdata", tt.name+".lmc")
		if golden.Update() {
			pack(t, filepath.Join("testdata", tt.name+".safetensors"), tt.base, packed, PackOptions{})
		}
		checkRestore(t, packed, filepath.Join("testdata", tt.name+".safetensors"))
		out := filepath.Join(dir, tt.name)
		in, base := openChain(t, packed), (*Snapshot)(nil)
		opts := PackOptions{Threads: 2}
		if tt.base != "" {
			base = openChain(t, tt.base)
			opts.Base, opts.BasePath = base, "step0200.lmc"
		}
		var b bytes.Buffer
		if _, err := Pack(t.Context(), &b, in, opts); err != nil {
			t.Fatal(err)
		}
		in.Close()
		base.Close()
		if !bytes.Equal(b.Bytes(), mustRead(t, packed)) {
			os.WriteFile(out, b.Bytes(), 0o666)
			t.Errorf("%s: the packed form has changed", packed)
		}
	}
}

// seal gives a packed file a good checksum after its index was changed.
func seal(file []byte) []byte {
	if len(file) < headSize+footSize {
		return file
	}
	at := len(file) - footSize
	off := binary.LittleEndian.Uint64(file[at:])
	if off < headSize || off > uint64(at) {
		return file
	}
	index := file[off:at]
	return append(file[:at:at], footer(index, int64(off))...)
}

// FuzzSnapshot: whatever a file says, reading it neither panics nor takes memory out of proportion.
func FuzzSnapshot(f *testing.F) {
	for _, name := range []string{"step0200.lmc", "step0250.lmc", "step0200.safetensors"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		for _, file := range [][]byte{b, seal(b)} {
			s, err := read(bytes.NewReader(file), int64(len(file)), "fuzz")
			if err != nil {
				continue
			}
			if s.size > 1<<24 {
				continue // much of little: slow, not large
			}
			for i := range s.blocks { // accept blocks, so that the decoder sees them
				e := &s.blocks[i]
				if e.size < len(file) {
					e.crc = crc32.Checksum(file[e.off:e.off+int64(e.size)], castagnoli)
				}
			}
			Verify(t.Context(), s, 3, UnpackOptions{Threads: 1})
		}
	})
}
