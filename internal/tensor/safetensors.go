package tensor

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// maxHeader bounds the JSON header of a safetensors file, as the reference implementation does.
const maxHeader = 100_000_000

// Safetensors is an open safetensors file or a set of shards. Reads may run concurrently.
type Safetensors struct {
	tensors []stored // by file, then by position in the file
	byName  map[string]int
	meta    map[string]string
	files   []*os.File
}

type stored struct {
	Info
	file string
	r    io.ReaderAt
	off  int64 // of the first data byte, from the start of the file
	size int64 // bytes
}

// OpenSafetensors opens a .safetensors file, a model.safetensors.index.json with its shards beside it, or a directory
// that holds either of the two under its usual name.
func OpenSafetensors(path string) (*Safetensors, error) {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		dir := path
		path = filepath.Join(dir, "model.safetensors.index.json")
		if _, err := os.Stat(path); err != nil {
			path = filepath.Join(dir, "model.safetensors")
		}
	}
	s := &Safetensors{byName: map[string]int{}, meta: map[string]string{}}
	var err error
	if strings.HasSuffix(path, ".json") {
		err = s.openIndex(path)
	} else {
		err = s.openFile(path)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// ReadSafetensors reads the header of a safetensors file of size bytes; file names it in errors.
func ReadSafetensors(r io.ReaderAt, size int64, file string) (*Safetensors, error) {
	s := &Safetensors{byName: map[string]int{}, meta: map[string]string{}}
	if err := s.add(r, size, file); err != nil {
		return nil, err
	}
	return s, nil
}

// Close closes the files opened by [OpenSafetensors].
func (s *Safetensors) Close() error {
	var err error
	for _, f := range s.files {
		err = errors.Join(err, f.Close())
	}
	s.files = nil
	return err
}

// Tensors lists the tensors in the order of their data.
func (s *Safetensors) Tensors() []Info {
	out := make([]Info, len(s.tensors))
	for i, t := range s.tensors {
		out[i] = t.Info
	}
	return out
}

// Lookup finds a tensor by name.
func (s *Safetensors) Lookup(name string) (Info, bool) {
	i, ok := s.byName[name]
	if !ok {
		return Info{}, false
	}
	return s.tensors[i].Info, true
}

// Metadata returns the file's own strings (of all shards together).
func (s *Safetensors) Metadata() map[string]string { return s.meta }

// Read returns the data of a tensor, reusing buf when it is large enough.
func (s *Safetensors) Read(name string, buf []byte) ([]byte, error) {
	i, ok := s.byName[name]
	if !ok {
		return nil, fmt.Errorf("no tensor %q", name)
	}
	t := s.tensors[i]
	buf = slices.Grow(buf[:0], int(t.size))[:t.size]
	if n, err := t.r.ReadAt(buf, t.off); err != nil && n < len(buf) {
		return nil, fmt.Errorf("%s: tensor %q at offset %d: %w", t.file, name, t.off, err)
	}
	return buf, nil
}

// ReadAt fills p with the data of a tensor from byte off on.
func (s *Safetensors) ReadAt(name string, p []byte, off int64) error {
	i, ok := s.byName[name]
	if !ok {
		return fmt.Errorf("no tensor %q", name)
	}
	t := s.tensors[i]
	if off < 0 || off+int64(len(p)) > t.size {
		return fmt.Errorf("%s: tensor %q: bytes %d to %d of %d", t.file, name, off, off+int64(len(p)), t.size)
	}
	if n, err := t.r.ReadAt(p, t.off+off); err != nil && n < len(p) {
		return fmt.Errorf("%s: tensor %q at offset %d: %w", t.file, name, t.off+off, err)
	}
	return nil
}

func (s *Safetensors) openFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	s.files = append(s.files, f)
	st, err := f.Stat()
	if err != nil {
		return err
	}
	return s.add(f, st.Size(), path)
}

// openIndex opens the shards that a HuggingFace index names and checks its map against what they hold.
func (s *Safetensors) openIndex(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var index struct {
		WeightMap map[string]string `json:"weight_map"`
	}
	if err := json.Unmarshal(b, &index); err != nil {
		return fmt.Errorf("%s: offset %d: %w", path, jsonOffset(err), FormatError("index: "+err.Error()))
	}
	if len(index.WeightMap) == 0 {
		return fmt.Errorf("%s: %w", path, FormatError("index: no weight_map"))
	}
	var shards []string
	for name, shard := range index.WeightMap {
		if shard != filepath.Base(shard) || shard == "." || shard == ".." {
			return fmt.Errorf("%s: tensor %q: %w", path, name, FormatError(fmt.Sprintf("shard name %q: not a file beside the index", shard)))
		}
		shards = append(shards, shard)
	}
	sort.Strings(shards)
	for _, shard := range slices.Compact(shards) {
		if err := s.openFile(filepath.Join(filepath.Dir(path), shard)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	for _, name := range sortedKeys(index.WeightMap) {
		i, ok := s.byName[name]
		if !ok {
			return fmt.Errorf("%s: %w", path, FormatError(fmt.Sprintf("index: tensor %q is in none of the shards", name)))
		}
		if got := filepath.Base(s.tensors[i].file); got != index.WeightMap[name] {
			return fmt.Errorf("%s: %w", path, FormatError(fmt.Sprintf("index: tensor %q is in %s, not in %s", name, got, index.WeightMap[name])))
		}
	}
	return nil
}

// add reads the header of one file: an 8-byte little-endian length, that many bytes of JSON, then the data.
func (s *Safetensors) add(r io.ReaderAt, size int64, file string) error {
	fail := func(off int64, format string, a ...any) error {
		return fmt.Errorf("%s: offset %d: %w", file, off, FormatError("safetensors: "+fmt.Sprintf(format, a...)))
	}
	if size < 8 {
		return fail(0, "%d bytes are too few for the header length", size)
	}
	var n8 [8]byte
	if _, err := r.ReadAt(n8[:], 0); err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", file, err)
	}
	n := binary.LittleEndian.Uint64(n8[:])
	if n > maxHeader {
		return fail(0, "header of %d bytes; at most %d", n, maxHeader)
	}
	if n > uint64(size-8) {
		return fail(0, "header of %d bytes in a file of %d", n, size)
	}
	head := make([]byte, n)
	if k, err := r.ReadAt(head, 8); err != nil && k < len(head) {
		return fmt.Errorf("%s: %w", file, err)
	}
	if !utf8.Valid(head) {
		return fail(8, "header is not UTF-8")
	}
	base, first := 8+int64(n), len(s.tensors)
	d := headerParser{dec: json.NewDecoder(bytes.NewReader(head)), s: s}
	if err := d.header(base, size-base, file, r); err != nil {
		return fmt.Errorf("%s: offset %d: %w", file, 8+d.dec.InputOffset(), err)
	}
	own := s.tensors[first:]
	sort.SliceStable(own, func(i, j int) bool {
		return own[i].off < own[j].off || own[i].off == own[j].off && own[i].size < own[j].size
	})
	end := base
	for i, t := range own {
		switch {
		case t.off < end:
			return fail(t.off, "tensor %q overlaps tensor %q", t.Name, own[i-1].Name)
		case t.off > end:
			return fail(end, "%d bytes before tensor %q belong to no tensor", t.off-end, t.Name)
		}
		end += t.size
	}
	if end != size {
		return fail(end, "file has %d bytes, its tensors end at %d", size, end)
	}
	for i := first; i < len(s.tensors); i++ {
		s.byName[s.tensors[i].Name] = i
	}
	return nil
}

// headerParser walks the JSON header token by token, so that duplicate keys are seen and errors have a position.
type headerParser struct {
	dec *json.Decoder
	s   *Safetensors
}

func (p headerParser) header(base, room int64, file string, r io.ReaderAt) error {
	seen := map[string]bool{}
	err := p.object("header", func(name string) error {
		if name == "__metadata__" {
			return p.metadata()
		}
		if _, ok := p.s.byName[name]; ok || seen[name] {
			return FormatError(fmt.Sprintf("safetensors: tensor %q appears twice", name))
		}
		seen[name] = true
		t, begin, end, err := p.entry(name)
		if err != nil {
			return err
		}
		if begin < 0 || end < begin || end > room {
			return FormatError(fmt.Sprintf("safetensors: tensor %q: data offsets [%d, %d] outside the %d bytes of data", name, begin, end, room))
		}
		want, err := t.NumBytes()
		if err != nil {
			return fmt.Errorf("tensor %q: %w", name, err)
		}
		if end-begin != want {
			return FormatError(fmt.Sprintf("safetensors: tensor %q: %s %v needs %d bytes, data offsets give %d", name, t.DType, t.Shape, want, end-begin))
		}
		p.s.tensors = append(p.s.tensors, stored{Info: t, file: file, r: r, off: base + begin, size: want})
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := p.dec.Token(); err != io.EOF {
		return FormatError("safetensors: something follows the header object")
	}
	return nil
}

// metadata reads the strings of one file; a later shard overwrites what an earlier one said under the same key.
func (p headerParser) metadata() error {
	seen := map[string]bool{}
	return p.object("__metadata__", func(key string) error {
		var v string
		if err := p.decode(&v); err != nil {
			return err
		}
		if seen[key] {
			return FormatError(fmt.Sprintf("safetensors: metadata key %q appears twice", key))
		}
		seen[key] = true
		p.s.meta[key] = v
		return nil
	})
}

func (p headerParser) entry(name string) (t Info, begin, end int64, err error) {
	t.Name = name
	var have [3]bool
	err = p.object("tensor", func(key string) error {
		i := slices.Index([]string{"dtype", "shape", "data_offsets"}, key)
		if i < 0 {
			return FormatError(fmt.Sprintf("safetensors: tensor %q: key %q", name, key))
		}
		if have[i] {
			return FormatError(fmt.Sprintf("safetensors: tensor %q: key %q appears twice", name, key))
		}
		have[i] = true
		switch i {
		case 0:
			var s string
			if err := p.decode(&s); err != nil {
				return err
			}
			if t.DType, err = ParseDType(s); err != nil {
				return fmt.Errorf("tensor %q: %w", name, err)
			}
		case 1:
			if err := p.decode(&t.Shape); err != nil {
				return err
			}
			if t.Shape == nil {
				return FormatError(fmt.Sprintf("safetensors: tensor %q: shape is null", name))
			}
		case 2:
			var o []int64
			if err := p.decode(&o); err != nil {
				return err
			}
			if len(o) != 2 {
				return FormatError(fmt.Sprintf("safetensors: tensor %q: %d data offsets", name, len(o)))
			}
			begin, end = o[0], o[1]
		}
		return nil
	})
	if err == nil && have != [3]bool{true, true, true} {
		err = FormatError(fmt.Sprintf("safetensors: tensor %q lacks dtype, shape or data_offsets", name))
	}
	return t, begin, end, err
}

// object calls f for every key of the JSON object that comes next.
func (p headerParser) object(what string, f func(key string) error) error {
	tok, err := p.dec.Token()
	if err != nil {
		return FormatError("safetensors: header JSON: " + err.Error())
	}
	if tok != json.Delim('{') {
		return FormatError(fmt.Sprintf("safetensors: %s is not an object", what))
	}
	for p.dec.More() {
		tok, err := p.dec.Token()
		if err != nil {
			return FormatError("safetensors: header JSON: " + err.Error())
		}
		if err := f(tok.(string)); err != nil { // a key of an object is always a string
			return err
		}
	}
	if _, err := p.dec.Token(); err != nil {
		return FormatError("safetensors: header JSON: " + err.Error())
	}
	return nil
}

func (p headerParser) decode(v any) error {
	if err := p.dec.Decode(v); err != nil {
		return FormatError("safetensors: header JSON: " + err.Error())
	}
	return nil
}

func jsonOffset(err error) int64 {
	var s *json.SyntaxError
	if errors.As(err, &s) {
		return s.Offset
	}
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		return t.Offset
	}
	return 0
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
