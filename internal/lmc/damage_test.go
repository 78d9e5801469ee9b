package lmc

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/internal/tensor"
)

// damageCorpus writes a snapshot and one on it that between them have every kind of block and of plane, and returns the
// packed files.
func damageCorpus(t *testing.T, dir string) (base, file string) {
	t.Helper()
	r := rand.New(rand.NewPCG(12, 1))
	each := func(n, w int, f func(i int) uint64) []byte {
		b := make([]byte, n*w)
		for i := range n {
			storeValue(b[i*w:], f(i), w)
		}
		return b
	}
	bf16 := func(x float64) uint64 { return uint64(math.Float32bits(float32(x))+0x8000) >> 16 }
	skewed := func(i int) uint64 { // as probable as codes of whole bits can say
		k := 0
		for k < 7 && r.IntN(2) == 1 {
			k++
		}
		return uint64(60 + k)
	}
	// Of a single plane of bytes the method is known; of the others a check below reads flags and modes.
	planes := []struct {
		name   string
		method byte
		data   []byte
	}{
		{"raw", methodRaw, each(64, 1, func(int) uint64 { return r.Uint64() })},
		{"const", methodConst, each(64, 1, func(int) uint64 { return 7 })},
		{"huffman", methodHuff, each(800, 1, skewed)},
		{"huffman4", methodHuff, each(oneStream+100, 1, skewed)},
		{"run", methodRun, each(2000, 1, func(i int) uint64 {
			if r.IntN(100) == 0 {
				return r.Uint64()
			}
			return 9
		})},
		{"states", methodStates, each(1500, 1, func(int) uint64 { return uint64(100 + 2*r.NormFloat64()) })},
	}
	var a, b []item
	for _, p := range planes {
		a = append(a, item{p.name, tensor.U8, []int{len(p.data)}, p.data})
		b = append(b, item{"new." + p.name, tensor.U8, []int{len(p.data)}, p.data[:len(p.data):len(p.data)]})
	}
	b = b[:1] // one tensor that the base does not have
	weights := each(1500, 2, func(int) uint64 { return bf16(r.NormFloat64() * 0.02) })
	wide := each(500, 4, func(int) uint64 { return uint64(math.Float32bits(float32(r.NormFloat64()))) })
	rare := each(12000, 4, func(int) uint64 { return uint64(math.Float32bits(float32(1 + r.IntN(3)))) })
	sparse := each(1200, 2, func(i int) uint64 {
		if r.IntN(4) > 0 {
			return 0
		}
		return bf16(r.NormFloat64())
	})
	thin := each(1200, 2, func(i int) uint64 {
		if r.IntN(30) > 0 {
			return 0
		}
		return bf16(r.NormFloat64())
	})
	rows := each(640, 2, func(i int) uint64 { return bf16(float64((i/32)%4*32+i%32) * 0.37) })
	counts := each(500, 4, func(int) uint64 { return uint64(1000 + r.IntN(1<<16)) })
	masks := each(500, 4, func(int) uint64 { return r.Uint64() })
	for _, it := range []item{
		{"weights", tensor.BF16, []int{1500}, weights}, {"rare", tensor.F32, []int{12000}, rare}, {"wide", tensor.F32, []int{500}, wide},
		{"sparse", tensor.BF16, []int{1200}, sparse}, {"thin", tensor.BF16, []int{1200}, thin}, {"rows", tensor.BF16, []int{20, 32}, rows},
		{"counts", tensor.I32, []int{500}, counts}, {"masks", tensor.I32, []int{500}, masks}, {"empty", tensor.F32, []int{0}, nil}, {"scalar", tensor.F64, nil, weights[:8]},
	} {
		a = append(a, it)
		next := bytes.Clone(it.data)
		w := it.dtype.Bits() / 8
		for i := 0; i < len(next); i += w {
			v := loadValue(next[i:], w)
			switch it.name {
			case "weights":
				v = bf16(float64(math.Float32frombits(uint32(v)<<16)) + 3e-4*r.NormFloat64())
			case "wide", "rare":
				if it.name == "wide" || r.IntN(100) == 0 {
					v = uint64(math.Float32bits(math.Float32frombits(uint32(v)) + 1e-2*float32(r.NormFloat64())))
				}
			case "counts":
				v += uint64(r.IntN(40)) - 20
			case "masks":
				v ^= uint64(r.IntN(2)) << 31 >> r.IntN(2) << 1
			default:
				continue
			}
			storeValue(next[i:], v, w)
		}
		b = append(b, item{it.name, it.dtype, it.shape, next})
	}
	rawA, rawB := filepath.Join(dir, "a.safetensors"), filepath.Join(dir, "b.safetensors")
	base, file = filepath.Join(dir, "a.lmc"), filepath.Join(dir, "b.lmc")
	writeFile(t, rawA, a)
	writeFile(t, rawB, b)
	pack(t, rawA, "", base, PackOptions{})
	pack(t, rawB, base, file, PackOptions{})
	checkRestore(t, file, rawB)

	flags, modes := map[byte]bool{}, map[Mode]bool{}
	for _, name := range []string{base, file} {
		s := openChain(t, name)
		defer s.Close()
		content := mustRead(t, name)
		for i := range s.tensors {
			e := &s.tensors[i]
			modes[e.mode] = true
			for _, block := range s.blocks[e.block:e.last] {
				b := content[block.off:][:block.size]
				flags[b[0]] = true
				for _, p := range planes {
					if p.name == e.Name && name == base && b[1] != p.method {
						t.Errorf("plane %q has method %d, want %d", p.name, b[1], p.method)
					}
				}
			}
		}
	}
	for _, f := range []byte{0, flagRows, flagSparse, flagSteps, flagSteps | flagSparse} {
		if !flags[f] {
			t.Errorf("no block has the flags %d", f)
		}
	}
	for m := range numModes {
		if !modes[m] {
			t.Errorf("no tensor is stored as %v", m)
		}
	}
	return base, file
}

// TestDamage: every flipped bit and every truncation of a snapshot and of its base is noticed and names the file, by what
// opens the chain or by verify. VCSIM_LMC_LONG=1 tries each; else it is some of them.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	basePath, path := damageCorpus(t, dir)
	base, file := mustRead(t, basePath), mustRead(t, path)
	tried := 0
	check := func(what string, base, file []byte) {
		t.Helper()
		tried++
		err := func() error {
			b, err := read(bytes.NewReader(base), int64(len(base)), basePath)
			if err != nil {
				return err
			}
			s, err := read(bytes.NewReader(file), int64(len(file)), path)
			if err != nil {
				return err
			}
			if b.content != s.index.base {
				return &ChainError{File: path, Base: s.path}
			}
			s.base = b
			if err := Verify(t.Context(), b, 5, UnpackOptions{Threads: 1}); err != nil {
				return err
			}
			return Verify(t.Context(), s, 5, UnpackOptions{Threads: 1})
		}()
		var fe FormatError
		var ue UnsupportedError
		switch {
		case err == nil:
			t.Errorf("%s: not noticed", what)
		case !errors.As(err, &fe) && !errors.As(err, &ue) || !strings.Contains(err.Error(), ".lmc"):
			t.Errorf("%s: %v", what, err)
		}
	}
	step := 61 // prime: every bit of a byte, and bytes all over the file
	if os.Getenv("VCSIM_LMC_LONG") != "" {
		step = 1
	}
	for i := 0; i < 8*len(file); i += step {
		file[i/8] ^= 1 << (i % 8)
		check(fmt.Sprintf("bit %d of the snapshot", i), base, file)
		file[i/8] ^= 1 << (i % 8)
	}
	for i := 0; i < 8*len(base); i += step {
		base[i/8] ^= 1 << (i % 8)
		check(fmt.Sprintf("bit %d of the base", i), base, file)
		base[i/8] ^= 1 << (i % 8)
	}
	for n := 0; n < len(file); n += step {
		check(fmt.Sprintf("snapshot cut to %d bytes", n), base, file[:n])
	}
	for n := 0; n < len(base); n += step {
		check(fmt.Sprintf("base cut to %d bytes", n), base[:n], file)
	}
	check("a byte more", base, append(bytes.Clone(file), 0))
	// Blocks that change places have good checksums of their own.
	s, err := read(bytes.NewReader(file), int64(len(file)), "step")
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(s.blocks) - 1 {
		first, second := s.blocks[i], s.blocks[i+1]
		b := bytes.Clone(file)
		copy(b[first.off:], file[second.off:second.off+int64(second.size)])
		copy(b[first.off+int64(second.size):], file[first.off:first.off+int64(first.size)])
		if !bytes.Equal(b, file) {
			check(fmt.Sprintf("blocks %d and %d swapped", i, i+1), base, b)
		}
	}
	t.Logf("%d and %d bytes, %d kinds of damage tried", len(base), len(file), tried)
}

// TestSwappedMembers: whichever two members of a chain change places, or one stands in for another, a snapshot whose
// chain is whole is restored, any other refused, and the file named.
func TestSwappedMembers(t *testing.T) {
	dir := t.TempDir()
	const members = 5
	var files, raws [][]byte
	r := rand.New(rand.NewPCG(12, 2))
	values := gaussBF16(2000)
	name := func(k int) string { return filepath.Join(dir, fmt.Sprintf("%d.lmc", k)) }
	for k := range members {
		for range 300 {
			values[r.IntN(len(values))] += 3
		}
		raw := filepath.Join(dir, fmt.Sprintf("%d.safetensors", k))
		writeFile(t, raw, []item{{"w", tensor.BF16, []int{2000}, bytes.Clone(values)}})
		base := ""
		if k > 0 {
			base = name(k - 1)
		}
		pack(t, raw, base, name(k), PackOptions{})
		files, raws = append(files, mustRead(t, name(k))), append(raws, mustRead(t, raw))
		os.Remove(raw)
	}
	put := func(k, content int) {
		if err := os.WriteFile(name(k), files[content], 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i := range members {
		for j := range members {
			for _, swap := range []bool{true, false} {
				if i == j {
					continue
				}
				put(i, j)
				if swap {
					put(j, i)
				}
				holds := func(k int) int { // the member in the file of member k
					if k == i {
						return j
					} else if k == j && swap {
						return i
					}
					return k
				}
				for k := range members {
					content, whole := holds(k), true
					for m := content; m > 0; m-- {
						whole = whole && holds(m-1) == m-1
					}
					got, err := restoreFile(t.Context(), name(k), "", 1)
					var ce *ChainError
					switch {
					case whole && (err != nil || !bytes.Equal(got, raws[content])):
						t.Errorf("%d in the place of %d: member %d, with its chain whole, is not restored: %v", j, i, k, err)
					case !whole && (!errors.As(err, &ce) || !strings.Contains(err.Error(), dir)):
						t.Errorf("%d in the place of %d: member %d: got %v", j, i, k, err)
					}
				}
				put(i, i)
				put(j, j)
			}
		}
	}
}
