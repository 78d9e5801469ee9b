package lmc

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vcsim/internal/tensor"
)

// A Snapshot is an open safetensors file, raw or packed, with the chain of its bases. Its methods must not be called
// concurrently.
type Snapshot struct {
	Path   string
	Packed bool

	index
	f      *os.File
	r      io.ReaderAt
	bytes  int64 // of the file
	base   *Snapshot
	byName map[string]int
	hashed bool // content is known, and of a raw file the sums
}

// Open opens a safetensors file or a packed snapshot, without its bases.
func Open(path string) (*Snapshot, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && st.IsDir() {
		err = fmt.Errorf("%s: is a directory", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	s, err := read(f, st.Size(), path)
	if err != nil {
		f.Close()
		return nil, err
	}
	s.f = f
	return s, nil
}

// read reads header or index of a file.
func read(r io.ReaderAt, size int64, path string) (*Snapshot, error) {
	if bigEndian {
		return nil, UnsupportedError("snapshot: machine whose words are big-endian")
	}
	s := &Snapshot{Path: path, r: r, bytes: size, byName: map[string]int{}}
	var first [8]byte
	if n, err := r.ReadAt(first[:], 0); err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", path, err)
	} else if n == len(first) && string(first[:]) == headMagic {
		x, err := readIndex(r, size, path)
		if err != nil {
			return nil, err
		}
		s.index, s.Packed, s.hashed = *x, true, true
	} else if strings.HasSuffix(path, ".json") {
		return nil, fmt.Errorf("%s: %w", path, UnsupportedError("snapshot: an index of shards; pack each shard by itself"))
	} else {
		var n uint64
		for i, b := range first {
			n |= uint64(b) << (8 * i)
		}
		if size < 8 || n > maxHeader || int64(n) > size-8 {
			return nil, fmt.Errorf("%s: offset 0: %w", path, FormatError("safetensors file or snapshot: neither a header nor "+headMagic))
		}
		s.header = make([]byte, 8+n)
		if _, err := r.ReadAt(s.header, 0); err != nil && err != io.EOF {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		s.size = size
		if err := s.parseHeader(path); err != nil {
			return nil, err
		}
	}
	for i := range s.tensors {
		s.byName[s.tensors[i].Name] = i
	}
	return s, nil
}

// Close closes the file and those of its bases.
func (s *Snapshot) Close() error {
	var err error
	for ; s != nil; s = s.base {
		if s.f != nil {
			err = errors.Join(err, s.f.Close())
			s.f = nil
		}
	}
	return err
}

// OpenChain opens the bases of s, each by the path that its successor names or, where another file or none is
// there, by its content among the files of dir ("" for none).
func (s *Snapshot) OpenChain(ctx context.Context, dir string) error {
	for ; s.depth > 0; s = s.base {
		if s.base != nil {
			continue
		}
		b, err := s.findBase(ctx, dir)
		if err != nil {
			return err
		}
		s.base = b
	}
	return nil
}

func (s *Snapshot) findBase(ctx context.Context, dir string) (*Snapshot, error) {
	path := filepath.FromSlash(s.path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(s.Path), path)
	}
	b, reason, err := s.tryBase(ctx, path)
	if b != nil || err != nil {
		return b, err
	}
	if dir != "" {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, raw := range []bool{false, true} { // raw files must be read whole to know them
			for _, e := range entries {
				name := filepath.Join(dir, e.Name())
				if !e.Type().IsRegular() || isRaw(name) != raw || raw && filepath.Ext(name) != ".safetensors" {
					continue
				}
				if b, _, err := s.tryBase(ctx, name); b != nil || err != nil {
					return b, err
				}
			}
		}
		reason += fmt.Sprintf("; no file of %s has that content", dir)
	}
	return nil, &ChainError{File: s.Path, Base: s.path, Want: s.index.base, Reason: reason}
}

// isRaw reports whether the file does not begin as a packed snapshot does.
func isRaw(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	var b [len(headMagic)]byte
	_, err = io.ReadFull(f, b[:])
	return err != nil || string(b[:]) != headMagic
}

// tryBase opens path if it is the base of s; else it says why not. err is for an interruption alone.
func (s *Snapshot) tryBase(ctx context.Context, path string) (b *Snapshot, reason string, err error) {
	b, err = Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "there is no such file", nil
	} else if err != nil {
		return nil, err.Error(), nil
	}
	if err := b.Hash(ctx, nil); err != nil {
		b.Close()
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		return nil, err.Error(), nil
	}
	switch {
	case b.content != s.index.base:
		reason = fmt.Sprintf("%s has content %s", path, b.content)
	case b.depth >= s.depth:
		reason = fmt.Sprintf("%s has %d bases itself; the chain would not end", path, b.depth)
	default:
		return b, "", nil
	}
	b.Close()
	return nil, reason, nil
}

// Hash makes the content of a raw file known, which takes reading it; of a packed one it is. progress, if it is not nil,
// is told of bytes done.
func (s *Snapshot) Hash(ctx context.Context, progress func(int64)) error {
	if s.hashed {
		return nil
	}
	refs := s.blockRefs()
	s.blocks = make([]blockEntry, len(refs))
	workers := newWorkers(0)
	defer release(workers)
	err := ordered(ctx, workers, len(refs), func(_ *worker, k int, buf []byte) ([]byte, error) {
		t := &s.tensors[refs[k].i]
		from, size := t.span(refs[k].b)
		buf = grow(buf, size)
		if err := s.readAt(buf, t.off+from, t); err != nil {
			return buf, err
		}
		s.blocks[k].sum = checksum(buf)
		return buf, nil
	}, func(_ int, buf []byte) error {
		if progress != nil {
			progress(int64(len(buf)))
		}
		return nil
	})
	if err != nil {
		s.blocks = nil
		return err
	}
	s.content, s.hashed = s.hash(), true
	return nil
}

func (s *Snapshot) readAt(buf []byte, off int64, t *tensorEntry) error {
	if n, err := s.r.ReadAt(buf, off); n < len(buf) {
		if err == io.EOF {
			err = FormatError("file: it ends early")
		}
		return fmt.Errorf("%s: offset %d: tensor %q: %w", s.Path, off, t.Name, err)
	}
	return nil
}

// readBlock sets values to block b of tensor i and returns its checksum. level is the depth of the call.
func (s *Snapshot) readBlock(w *worker, i, b int, values []byte, level int) (uint64, error) {
	t := &s.tensors[i]
	if !s.Packed {
		from, _ := t.span(b)
		if err := s.readAt(values, t.off+from, t); err != nil {
			return 0, err
		}
		sum := checksum(values)
		if s.hashed && sum != s.blocks[t.block+b].sum {
			return 0, fmt.Errorf("%s: tensor %q: block %d changed while it was used", s.Path, t.Name, b)
		}
		return sum, nil
	}
	entry := &s.blocks[t.block+b]
	fail := func(what string) error {
		return fmt.Errorf("%s: tensor %q: block %d at offset %d: %w", s.Path, t.Name, b, entry.off, FormatError("snapshot: "+what))
	}
	var old []byte
	if t.mode != Whole {
		base, j, err := s.baseOf(t)
		if err != nil {
			return 0, err
		}
		for len(w.base) <= level {
			w.base = append(w.base, nil)
		}
		old = grow(w.base[level][:0], len(values))
		w.base[level] = old
		if _, err := base.readBlock(w, j, b, old, level+1); err != nil {
			return 0, err
		}
	}
	if entry.size > 2*len(values)+64 {
		return 0, fail(fmt.Sprintf("%d bytes are too many for %d of values", entry.size, len(values)))
	}
	w.block = grow(w.block[:0], entry.size)
	if err := s.readAt(w.block, entry.off, t); err != nil {
		return 0, err
	}
	if crc32.Checksum(w.block, castagnoli) != entry.crc {
		return 0, fail("checksum of the block differs")
	}
	if fault := w.dec.restoreBlock(values, w.block, old, t.layout, t.mode); fault != "" {
		return 0, fail(fault)
	}
	sum := checksum(values)
	if sum != entry.sum {
		what := "checksum of the values differs"
		if t.mode != Whole {
			what += ": it is damaged, or " + s.base.Path + " is not its base"
		}
		return 0, fail(what)
	}
	return sum, nil
}

// baseOf returns the base of a tensor that is stored as a difference, and the tensor's number there.
func (s *Snapshot) baseOf(t *tensorEntry) (*Snapshot, int, error) {
	if s.base == nil {
		return nil, 0, &ChainError{File: s.Path, Base: s.path, Want: s.index.base, Reason: "it is not open"}
	}
	j, ok := s.base.match(t)
	if !ok {
		return nil, 0, fmt.Errorf("%s: tensor %q: %w", s.Path, t.Name, FormatError(fmt.Sprintf("snapshot: base %s has no such tensor of that size and type", s.base.Path)))
	}
	return s.base, j, nil
}

// match finds the tensor of the same name, type and number of values; the shape may differ.
func (s *Snapshot) match(t *tensorEntry) (int, bool) {
	j, ok := s.byName[t.Name]
	return j, ok && s.tensors[j].DType == t.DType && s.tensors[j].size == t.size
}

// Size returns the bytes of the safetensors file.
func (s *Snapshot) Size() int64 { return s.size }

// FileBytes returns the bytes of the file as it is stored.
func (s *Snapshot) FileBytes() int64 { return s.bytes }

// Content returns the identity of the content; of a raw file, [Snapshot.Hash] must have come before.
func (s *Snapshot) Content() Hash { return s.content }

// Depth returns the number of bases below s.
func (s *Snapshot) Depth() int { return s.depth }

// BaseName returns the path by which s names its base, relative to itself, and the base's content; "" if it has none.
func (s *Snapshot) BaseName() (string, Hash) { return s.path, s.index.base }

// Chain returns the files of the chain that is open, s first.
func (s *Snapshot) Chain() []string {
	var list []string
	for ; s != nil; s = s.base {
		list = append(list, s.Path)
	}
	return list
}

// A TensorInfo describes one tensor of a snapshot.
type TensorInfo struct {
	tensor.Info
	Mode   Mode
	Bytes  int64 // of its values
	Packed int64 // of its blocks; of a raw file, as Bytes
	Blocks int
	Hash   Hash // of its data, if known
}

// Tensors lists the tensors in the order of their data.
func (s *Snapshot) Tensors() []TensorInfo {
	list := make([]TensorInfo, len(s.tensors))
	for i := range s.tensors {
		t := &s.tensors[i]
		list[i] = TensorInfo{Info: t.Info, Mode: t.mode, Bytes: t.size, Packed: t.size, Blocks: t.last - t.block}
		list[i].Shape = slices.Clone(t.Shape)
		if s.Packed {
			list[i].Packed = 0
			for _, b := range s.blocks[t.block:t.last] {
				list[i].Packed += int64(b.size)
			}
		}
		if s.hashed {
			list[i].Hash = s.tensorHash(t)
		}
	}
	return list
}
