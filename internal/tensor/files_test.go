package tensor

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// safetensorsFile builds a file from a header text and data.
func safetensorsFile(header string, data []byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), data...)
}

func readBytes(b []byte) (*Safetensors, error) {
	return ReadSafetensors(bytes.NewReader(b), int64(len(b)), "x.safetensors")
}

func TestSafetensorsRoundTrip(t *testing.T) {
	infos := []Info{
		{"w", F32, []int{2, 3}}, {`odd "name" <&> é`, BF16, []int{4}}, {"scalar", F64, nil}, {"none", U8, []int{0, 7}}, {"ids", I64, []int{1, 2}},
	}
	meta := map[string]string{"format": "pt", "a\tb": "ü"}
	var b bytes.Buffer
	w, err := NewSafetensorsWriter(&b, infos, meta)
	if err != nil {
		t.Fatal(err)
	}
	data := map[string][]byte{}
	for k, info := range infos {
		n, err := info.NumBytes()
		if err != nil {
			t.Fatal(err)
		}
		d := make([]byte, n)
		for i := range d {
			d[i] = byte(31*k + i)
		}
		data[info.Name] = d
		if err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := readBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(s.Metadata()), fmt.Sprint(meta); got != want {
		t.Errorf("metadata %s, want %s", got, want)
	}
	if got := len(s.Tensors()); got != len(infos) {
		t.Fatalf("%d tensors, want %d", got, len(infos))
	}
	for i, want := range infos {
		got, ok := s.Lookup(want.Name)
		if !ok || got.DType != want.DType || !slices.Equal(got.Shape, want.Shape) {
			t.Errorf("tensor %d: %v, want %v", i, got, want)
		}
		d, err := s.Read(want.Name, nil)
		if err != nil || !bytes.Equal(d, data[want.Name]) {
			t.Errorf("tensor %d: data %v, %v", i, d, err)
		}
	}
	if _, err := s.Read("absent", nil); err == nil {
		t.Error("reading an absent tensor succeeds")
	}
}

func TestSafetensorsWriterErrors(t *testing.T) {
	if _, err := SafetensorsHeader([]Info{{"a", U8, []int{1}}, {"a", U8, []int{1}}}, nil); err == nil {
		t.Error("a name twice is accepted")
	}
	w, err := NewSafetensorsWriter(&bytes.Buffer{}, []Info{{"a", U8, []int{2}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write([]byte{1}); err == nil {
		t.Error("short data is accepted")
	}
	if err := w.Close(); err == nil {
		t.Error("a missing tensor is accepted")
	}
}

func TestSafetensorsErrors(t *testing.T) {
	entry := func(dtype, shape, offs string) string {
		return fmt.Sprintf(`{"dtype":%q,"shape":%s,"data_offsets":%s}`, dtype, shape, offs)
	}
	u4 := entry("U8", "[4]", "[0,4]")
	for i, c := range []struct {
		file []byte
		want string
	}{
		{nil, "header length"},
		{[]byte{1, 0, 0, 0, 0, 0, 0, 0}, "header of 1 bytes in a file of 8"},
		{[]byte{255, 255, 255, 255, 255, 255, 255, 255, 0}, "at most"},
		{safetensorsFile("[]", nil), "not an object"},
		{safetensorsFile("{", nil), "header JSON"},
		{safetensorsFile("{}x", nil), "follows"},
		{safetensorsFile("{}", []byte{1}), "tensors end"},
		{safetensorsFile("{\"\xff\":"+u4+"}", make([]byte, 4)), "UTF-8"},
		{safetensorsFile(`{"a":`+u4+`,"a":`+u4+`}`, make([]byte, 4)), "twice"},
		{safetensorsFile(`{"a":`+u4+`,"b":`+u4+`}`, make([]byte, 4)), "overlaps"},
		{safetensorsFile(`{"a":`+u4+`,"b":`+entry("U8", "[4]", "[3,7]")+`}`, make([]byte, 7)), "overlaps"},
		{safetensorsFile(`{"a":`+u4+`,"b":`+entry("U8", "[2]", "[5,7]")+`}`, make([]byte, 7)), "belong to no tensor"},
		{safetensorsFile(`{"a":`+entry("U8", "[4]", "[0,5]")+`}`, make([]byte, 5)), "needs 4 bytes"},
		{safetensorsFile(`{"a":`+entry("F32", "[1]", "[0,4]")+`}`, make([]byte, 3)), "outside"},
		{safetensorsFile(`{"a":`+entry("U8", "[4]", "[4,0]")+`}`, make([]byte, 4)), "outside"},
		{safetensorsFile(`{"a":`+entry("U8", "[4]", "[-4,0]")+`}`, make([]byte, 4)), "outside"},
		{safetensorsFile(`{"a":`+entry("U8", "[4294967296,4294967296]", "[0,0]")+`}`, nil), "more than"},
		{safetensorsFile(`{"a":`+entry("U8", "[-1]", "[0,0]")+`}`, nil), "negative"},
		{safetensorsFile(`{"a":`+entry("U8", "null", "[0,1]")+`}`, make([]byte, 1)), "null"},
		{safetensorsFile(`{"a":`+entry("U8", "[1.5]", "[0,1]")+`}`, make([]byte, 1)), "header JSON"},
		{safetensorsFile(`{"a":`+entry("Q7", "[1]", "[0,1]")+`}`, make([]byte, 1)), `dtype "Q7"`},
		{safetensorsFile(`{"a":`+entry("F4", "[3]", "[0,2]")+`}`, make([]byte, 2)), "do not end on a byte"},
		{safetensorsFile(`{"a":{"dtype":"U8","shape":[0]}}`, nil), "lacks"},
		{safetensorsFile(`{"a":{"dtype":"U8","dtype":"U8","shape":[0]}}`, nil), "twice"},
		{safetensorsFile(`{"a":{"dtype":"U8","extra":1}}`, nil), `key "extra"`},
		{safetensorsFile(`{"a":`+entry("U8", "[0]", "[0]")+`}`, nil), "data offsets"},
		{safetensorsFile(`{"__metadata__":{"k":1}}`, nil), "header JSON"},
		{safetensorsFile(`{"__metadata__":{"k":"1","k":"2"}}`, nil), "twice"},
	} {
		_, err := readBytes(c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("case %d: error %v, want %q", i, err, c.want)
			continue
		}
		var fe FormatError
		var ue UnsupportedError
		if !errors.As(err, &fe) && !errors.As(err, &ue) || !strings.Contains(err.Error(), "x.safetensors: offset") {
			t.Errorf("case %d: error %v has no kind or no position", i, err)
		}
	}
}

func writeFile(t *testing.T, dir, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSafetensorsShards(t *testing.T) {
	dir := t.TempDir()
	one := func(name string, v byte) []byte {
		return safetensorsFile(fmt.Sprintf(`{"__metadata__":{"format":"pt"},%q:{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}`, name), []byte{v, v + 1})
	}
	writeFile(t, dir, "m-1.safetensors", one("a", 1))
	writeFile(t, dir, "m-2.safetensors", one("b", 7))
	for i, c := range []struct {
		index, want string
	}{
		{`{"metadata":{"total_size":4},"weight_map":{"a":"m-1.safetensors","b":"m-2.safetensors"}}`, ""},
		{`{"weight_map":{"a":"m-1.safetensors","b":"m-1.safetensors"}}`, `"b" is in none`},
		{`{"weight_map":{"a":"m-2.safetensors","b":"m-1.safetensors"}}`, "not in m-2"},
		{`{"weight_map":{"a":"m-3.safetensors"}}`, "no such file"},
		{`{"weight_map":{"a":"../m-1.safetensors"}}`, "not a file beside"},
		{`{"weight_map":{}}`, "no weight_map"},
		{`{"weight_map":`, "offset 14"},
	} {
		path := writeFile(t, dir, "model.safetensors.index.json", []byte(c.index))
		s, err := OpenSafetensors(path)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("case %d: error %v, want %q", i, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
		if d, err := s.Read("b", nil); err != nil || !bytes.Equal(d, []byte{7, 8}) {
			t.Errorf("case %d: b = %v, %v", i, d, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if s, err = OpenSafetensors(dir); err != nil || len(s.Tensors()) != 2 {
			t.Errorf("case %d: directory: %v", i, err)
		} else {
			s.Close()
		}
	}
}

// TestSafetensorsFiles lists what a path leads to, and opens each kind of path.
func TestSafetensorsFiles(t *testing.T) {
	one := func(name string) []byte {
		return safetensorsFile(fmt.Sprintf(`{%q:{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, name), []byte{1})
	}
	dir, single := t.TempDir(), t.TempDir()
	m1, m2 := writeFile(t, dir, "m-1.safetensors", one("a")), writeFile(t, dir, "m-2.safetensors", one("b"))
	index := writeFile(t, dir, "model.safetensors.index.json", []byte(`{"weight_map":{"b":"m-2.safetensors","a":"m-1.safetensors","c":"m-1.safetensors"}}`))
	alone := writeFile(t, single, "model.safetensors", one("a"))
	broken := writeFile(t, single, "x.index.json", []byte(`{"weight_map":`))
	absent := filepath.Join(single, "absent.index.json")
	for path, want := range map[string][]string{
		dir: {index, m1, m2}, index: {index, m1, m2}, m1: {m1}, single: {alone}, broken: {broken}, absent: {absent}, filepath.Join(dir, "none"): {filepath.Join(dir, "none")},
	} {
		if got := Files(path); !slices.Equal(got, want) {
			t.Errorf("Files(%s) = %v, want %v", path, got, want)
		}
	}
	for path, tensors := range map[string]int{single: 1, alone: 1, m2: 1, absent: -1, broken: -1, dir: -1, t.TempDir(): -1} {
		s, err := OpenSafetensors(path)
		if tensors < 0 {
			if err == nil {
				t.Errorf("%s: no error", path)
			}
			continue
		}
		if err != nil || len(s.Tensors()) != tensors {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := s.ReadAt(s.Tensors()[0].Name, make([]byte, 1), 0); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: reading after Close: %v", path, err)
		}
	}
}

// TestOpenSafetensorsCloses: files that were opened before an error are closed.
func TestOpenSafetensorsCloses(t *testing.T) {
	open := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("the system does not list open files:", err)
		}
		return len(list)
	}
	dir := t.TempDir()
	writeFile(t, dir, "m-1.safetensors", safetensorsFile(`{}`, nil))
	index := writeFile(t, dir, "x.json", []byte(`{"weight_map":{"a":"m-1.safetensors","b":"m-2.safetensors"}}`))
	before := open()
	for range 5 {
		if _, err := OpenSafetensors(index); err == nil {
			t.Fatal("a missing shard is no error")
		}
	}
	if after := open(); after >= before+5 {
		t.Errorf("%d files are open, %d before", after, before)
	}
}

// An endReader returns io.EOF with the last bytes, and n bytes of any read beyond short.
type endReader struct {
	b     []byte
	short int // bytes from here on cannot be read
}

func (r endReader) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	if off < int64(r.short) {
		n = copy(p, r.b[off:r.short])
	}
	if int(off)+n == r.short {
		return n, io.EOF
	}
	return n, nil
}

// A brokenReader reads nothing.
type brokenReader struct{}

func (brokenReader) ReadAt([]byte, int64) (int, error) { return 0, errFull }

// TestSafetensorsReads: parts of the data, at every offset; a reader may return io.EOF with the last byte, and a file that ends
// early is an error with its position.
func TestSafetensorsReads(t *testing.T) {
	file := safetensorsFile(`{"b":{"dtype":"U8","shape":[3],"data_offsets":[4,7]},"none":{"dtype":"F32","shape":[0],"data_offsets":[4,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"zero":{"dtype":"U8","shape":[0],"data_offsets":[4,4]},"also":{"dtype":"U8","shape":[2,0],"data_offsets":[4,4]}}`, []byte{1, 2, 3, 4, 5, 6, 7})
	data := map[string][]byte{"a": {1, 2, 3, 4}, "b": {5, 6, 7}, "none": {}, "zero": {}, "also": {}}
	s, err := ReadSafetensors(endReader{file, len(file)}, int64(len(file)), "x.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, info := range s.Tensors() {
		names = append(names, info.Name)
	}
	if want := []string{"a", "none", "zero", "also", "b"}; !slices.Equal(names, want) { // empty ones in the order of the header
		t.Errorf("tensors %v, want %v", names, want)
	}
	long := make([]byte, 100)
	for name, want := range data {
		for _, buf := range [][]byte{nil, long, make([]byte, 1), make([]byte, 1, 64)} {
			got, err := s.Read(name, buf)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %v, %v", name, got, err)
			}
			if len(want) > 0 && cap(buf) >= len(want) && &got[0] != &buf[:1][0] {
				t.Errorf("%s: the buffer was not used", name)
			}
		}
		for from := -1; from <= len(want)+1; from++ {
			for n := range len(want) + 2 {
				p := make([]byte, n)
				err := s.ReadAt(name, p, int64(from))
				if inside := from >= 0 && from+n <= len(want); inside != (err == nil) {
					t.Errorf("%s: %d bytes from %d: %v", name, n, from, err)
				} else if inside && !bytes.Equal(p, want[from:from+n]) {
					t.Errorf("%s: %d bytes from %d: %v", name, n, from, p)
				} else if text := fmt.Sprintf(`x.safetensors: tensor %q: bytes %d to %d of %d`, name, from, from+n, len(want)); !inside && err.Error() != text {
					t.Errorf("got %q, want %q", err, text)
				}
			}
		}
	}
	if err := s.ReadAt("absent", nil, 0); err == nil {
		t.Error("reading an absent tensor succeeds")
	}
	if info, ok := s.Lookup("absent"); ok || info.Name != "" {
		t.Errorf("absent: %v", info)
	}
	short, err := ReadSafetensors(endReader{file, len(file) - 2}, int64(len(file)), "x.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := short.Read("a", nil); err != nil {
		t.Error(err)
	}
	at := fmt.Sprintf(`x.safetensors: tensor "b" at offset %d: EOF`, len(file)-3)
	if _, err := short.Read("b", nil); err == nil || err.Error() != at {
		t.Errorf("got %v, want %s", err, at)
	}
	if err := short.ReadAt("b", make([]byte, 1), 0); err != nil {
		t.Error(err)
	}
	at = fmt.Sprintf(`x.safetensors: tensor "b" at offset %d: EOF`, len(file)-2)
	if err := short.ReadAt("b", make([]byte, 2), 1); err == nil || err.Error() != at {
		t.Errorf("got %v, want %s", err, at)
	}
	if _, err := ReadSafetensors(endReader{file, 20}, int64(len(file)), "x.safetensors"); err == nil || err.Error() != "x.safetensors: EOF" {
		t.Errorf("a header of which 20 bytes can be read: %v", err)
	}
	if _, err := ReadSafetensors(endReader{safetensorsFile("{}", nil), 10}, 10, "x.safetensors"); err != nil {
		t.Errorf("a file that ends with its header: %v", err)
	}
	var fe FormatError
	if _, err := ReadSafetensors(endReader{make([]byte, 8), 8}, 8, "x.safetensors"); !errors.As(err, &fe) {
		t.Errorf("a header of no bytes: %v", err)
	}
	if _, err := ReadSafetensors(brokenReader{}, 100, "x.safetensors"); !errors.Is(err, errFull) {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

// TestSafetensorsPositions: errors name the offset of what is wrong.
func TestSafetensorsPositions(t *testing.T) {
	gap := `{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[2],"data_offsets":[6,8]}}`
	overlap := strings.Replace(gap, "[6,8]", "[3,5]", 1)
	late := `{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}`
	for _, c := range []struct {
		file []byte
		want string
	}{
		{[]byte{1, 2, 3, 4, 5, 6, 7}, "offset 0: invalid safetensors: 7 bytes are too few"},
		{binary.LittleEndian.AppendUint64(nil, maxHeader+1), "offset 0: invalid safetensors: header of 100000001 bytes; at most 100000000"},
		{binary.LittleEndian.AppendUint64(nil, maxHeader), "offset 0: invalid safetensors: header of 100000000 bytes in a file of 8"},
		{safetensorsFile("\xff{}", nil), "offset 8: invalid safetensors: header is not UTF-8"},
		{safetensorsFile(gap, make([]byte, 8)), fmt.Sprintf(`offset %d: invalid safetensors: 2 bytes before tensor "b"`, 8+len(gap)+4)},
		{safetensorsFile(overlap, make([]byte, 5)), fmt.Sprintf(`offset %d: invalid safetensors: tensor "b" overlaps tensor "a"`, 8+len(gap)+3)},
		{safetensorsFile(late, make([]byte, 9)), fmt.Sprintf(`offset %d: invalid safetensors: file has %d bytes, its tensors end at %d`, 8+len(late)+4, 8+len(late)+9, 8+len(late)+4)},
		{safetensorsFile(`{"a":7}`, nil), `offset 14: invalid safetensors: tensor is not an object`},
		{safetensorsFile(`{"__metadata__":[]}`, nil), `offset 25: invalid safetensors: __metadata__ is not an object`},
	} {
		if _, err := readBytes(c.file); err == nil || !strings.HasPrefix(err.Error(), "x.safetensors: "+c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	// Of several tensors that are absent the first by name is named.
	for range 5 {
		path := writeFile(t, t.TempDir(), "x.json", []byte(`{"weight_map":{"h":"m","g":"m","f":"m","e":"m","d":"m","c":"m","b":"m","a":"m"}}`))
		writeFile(t, filepath.Dir(path), "m", safetensorsFile("{}", nil))
		if _, err := OpenSafetensors(path); err == nil || !strings.Contains(err.Error(), `tensor "a" is in none`) {
			t.Errorf("absent tensors: %v", err)
		}
	}
	for text, want := range map[string]string{`{"weight_map":[]}`: "offset 15", `{"weight_map":x}`: "offset 15", `{"weight_map":{"a":"."}}`: `tensor "a"`, `{"weight_map":{"a":".."}}`: `tensor "a"`} {
		path := writeFile(t, t.TempDir(), "x.json", []byte(text))
		if _, err := OpenSafetensors(path); err == nil || !strings.Contains(err.Error(), path+": "+want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestSafetensorsAppend writes tensors piece by piece, and refuses more bytes or tensors than the header names.
func TestSafetensorsAppend(t *testing.T) {
	infos := []Info{{"a", U8, []int{5}}, {"b", F32, []int{1}}}
	want := safetensorsFile("", []byte("abcdefghi"))[8:]
	for piece := 1; piece <= 5; piece++ {
		var b bytes.Buffer
		w, err := NewSafetensorsWriter(&b, infos, nil)
		if err != nil {
			t.Fatal(err)
		}
		head := b.Len()
		for _, part := range [][]byte{want[:5], want[5:]} {
			for len(part) > 0 {
				n := min(piece, len(part))
				if err := w.Close(); err == nil {
					t.Errorf("%d bytes of 9: Close finds nothing missing", b.Len()-head)
				}
				if err := w.Append(make([]byte, len(part)+1)); err == nil || !strings.Contains(err.Error(), "more bytes than") {
					t.Errorf("one byte more than is left: %v", err)
				}
				if err := w.Append(part[:n]); err != nil {
					t.Fatal(err)
				}
				part = part[n:]
			}
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if got := b.Bytes()[head:]; !bytes.Equal(got, want) {
			t.Errorf("%d bytes at a time: %q, want %q", piece, got, want)
		}
		for _, write := range []func([]byte) error{w.Append, w.Write} {
			if err := write([]byte{1}); err == nil || !strings.Contains(err.Error(), "more tensors than") {
				t.Errorf("a third tensor: %v", err)
			}
		}
	}
	for room := range 2 { // nothing fits, or the header alone
		full := &fullWriter{room: room}
		w, err := NewSafetensorsWriter(full, infos, nil)
		if room == 0 {
			if !errors.Is(err, errFull) || w != nil {
				t.Errorf("header: error %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(want[:1]); !errors.Is(err, errFull) {
			t.Errorf("Append: %v", err)
		}
		if err := w.Append(want[1:5]); !errors.Is(err, errFull) {
			t.Errorf("Append: %v", err)
		}
		if err := w.Write(want[5:]); !errors.Is(err, errFull) {
			t.Errorf("Write: %v", err)
		}
	}
	bad := []Info{{"a", U8, []int{-1}}}
	if _, err := NewSafetensorsWriter(io.Discard, bad, nil); err == nil || !strings.Contains(err.Error(), `tensor "a"`) {
		t.Errorf("a negative dimension: %v", err)
	}
}

var errFull = errors.New("no room")

// A fullWriter takes as many writes as there is room for.
type fullWriter struct{ room int }

func (w *fullWriter) Write(p []byte) (int, error) {
	if w.room == 0 {
		return 0, errFull
	}
	w.room--
	return len(p), nil
}

func npyFile(version byte, header string, data []byte) []byte {
	b := append([]byte("\x93NUMPY"), version, 0)
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	}
	return append(append(b, header...), data...)
}

func TestNPY(t *testing.T) {
	six := []byte{0, 1, 2, 3, 4, 5}
	for i, c := range []struct {
		file  []byte
		d     DType
		shape []int
		data  []byte
		err   string
	}{
		{npyFile(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }  \n", six), U8, []int{2, 3}, six, ""},
		{npyFile(2, "{'descr': '|i1', 'fortran_order': False, 'shape': (6,), }\n", six), I8, []int{6}, six, ""},
		{npyFile(3, "{'descr': '<f2', 'fortran_order': False, 'shape': (3L,)}", six), F16, []int{3}, six, ""},
		{npyFile(1, "{\"shape\":(2,3),\"fortran_order\":True,\"descr\":\"|u1\"}", six), U8, []int{2, 3}, []byte{0, 2, 4, 1, 3, 5}, ""},
		{npyFile(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (1, 2, 3)}", six), U8, []int{1, 2, 3}, []byte{0, 2, 4, 1, 3, 5}, ""},
		{npyFile(1, "{'descr': '<f2', 'fortran_order': True, 'shape': (3, 1)}", six), F16, []int{3, 1}, six, ""},
		{npyFile(1, "{'descr': '|u1', 'fortran_order': False, 'shape': ()}", six[:1]), U8, []int{}, six[:1], ""},
		{npyFile(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4)}", nil), F32, []int{0, 4}, nil, ""},
		{nil, 0, nil, nil, "magic"},
		{[]byte("\x93NUMPY\x02\x00\x01\x00"), 0, nil, nil, "header length"},
		{npyFile(4, "{}", nil), 0, nil, nil, "version 4.0"},
		{npyFile(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", six[:4]), 0, nil, nil, "dtype \">f4\""},
		{npyFile(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", nil), 0, nil, nil, "structured"},
		{npyFile(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (7,)}", six), 0, nil, nil, "needs 7"},
		{npyFile(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (5,)}", six), 0, nil, nil, "needs 5"},
		{npyFile(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999, 99999999999)}", six), 0, nil, nil, "more than"},
		{npyFile(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (-6,)}", six), 0, nil, nil, "dimension"},
		{npyFile(1, "{'descr': '|u1', 'fortran_order': 0, 'shape': (6,)}", six), 0, nil, nil, "True or False"},
		{npyFile(1, "{'descr': '|u1', 'shape': (6,)}", six), 0, nil, nil, "missing"},
		{npyFile(1, "{'descr': '|u1', 'descr': '|u1', 'shape': (6,)}", six), 0, nil, nil, "twice"},
		{npyFile(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (6,)} x", six), 0, nil, nil, "the end"},
		{npyFile(1, "{'descr': '|u1'", six), 0, nil, nil, "comma"},
	} {
		info, data, err := ParseNPY(c.file, "x.npy")
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || !strings.HasPrefix(err.Error(), "x.npy: offset ") {
				t.Errorf("case %d: error %v, want %q", i, err, c.err)
			}
			continue
		}
		if err != nil || info.DType != c.d || !slices.Equal(info.Shape, c.shape) || !bytes.Equal(data, c.data) {
			t.Errorf("case %d: %v %v %v, want %v %v %v", i, info, data, err, c.d, c.shape, c.data)
			continue
		}
		out, err := AppendNPY(nil, info)
		if err != nil || len(out)%64 != 0 {
			t.Errorf("case %d: header of %d bytes, %v", i, len(out), err)
		}
		again, data2, err := ParseNPY(append(out, data...), "y")
		if err != nil || again.DType != c.d || !slices.Equal(again.Shape, c.shape) || !bytes.Equal(data2, c.data) {
			t.Errorf("case %d, written: %v %v %v", i, again, data2, err)
		}
	}
	if _, err := AppendNPY(nil, Info{DType: BF16}); err == nil {
		t.Error("npy accepts BF16")
	}
}

// TestNPYPositions: errors name the offset of what is wrong.
func TestNPYPositions(t *testing.T) {
	head := func(dict string) []byte { return npyFile(1, dict, []byte{1, 2, 3}) }
	rest := ", 'fortran_order': False, 'shape': (3,)}"
	good := "{'descr': '|u1'" + rest
	for _, c := range []struct {
		file []byte
		want string
	}{
		{[]byte("\x93NUMPY\x01\x00\x00"), "offset 0: invalid npy: no magic"},
		{[]byte("\x93NUMPX\x01\x00\x00\x00"), "offset 0: invalid npy: no magic"},
		{[]byte("\x93NUMPY\x02\x00\x00\x00\x00"), "offset 8: invalid npy: file ends in"},
		{[]byte("\x93NUMPY\x04\x07\x00\x00"), "offset 6: unsupported npy version 4.7"},
		{[]byte("\x93NUMPY\x01\x00\x01\x00"), "offset 8: invalid npy: header of 1 bytes in a file of 10"},
		{npyFile(2, good, []byte{1, 2, 3, 4}), fmt.Sprintf("offset %d: invalid npy: U8 [3] needs 3 bytes of data, the file has 4", 12+len(good))},
		{npyFile(1, good, []byte{1, 2}), fmt.Sprintf("offset %d: invalid npy: U8 [3] needs 3 bytes of data, the file has 2", 10+len(good))},
		{head("{'descr': '|u4'" + rest), `offset 10: unsupported npy dtype "|u4"`},
		{head("{'descr': '|u1', 'fortran_order': False, 'shape': (3, -3)}"), "offset 64: "},
		{head("{'descr': '|u1', 'fortran_order': Truz, 'shape': (3,)}"), "offset 48: "},
		{head("{'descr': '|u1', 'fortran_order': AZ09az_, 'shape': (3,)}"), "offset 50: "},
		{head("{'descr': '|u1', 'fortran_order': `True, 'shape': (3,)}"), "offset 44: "},
		{head("{'descr': '|u1', 'fortran_order': {True, 'shape': (3,)}"), "offset 44: "},
		{head("{'descr': |u1" + rest), "offset 20: "},
		{head("{'descr': ''" + rest), `offset 10: unsupported npy dtype ""`},
		{head("{'descr': '|u1" + strings.ReplaceAll(rest, "'", "\"")), "offset 20: "},
		{head("{'x': , 'descr': '|u1'" + rest), `offset 15: invalid npy header: key "x" unknown or twice`},
		{[]byte("\x93NUMPY\x02\x00\x00\x00\x00\x00"), "offset 12: "},
		{head("{'descr' '|u1'" + rest), "offset 19: "},
		{head("{'descr': '|u1' 'fortran_order': False, 'shape': (3,)}"), "offset 26: "},
		{head("{'descr': '|u1', 'fortran_order': False, 'shape': (3 4)}"), "offset 63: "},
		{head("{'descr': '|u1', 'fortran_order': False, 'shape': 3}"), "offset 60: "},
		{head("{'descr': '|u1', 'fortran_order': False, 'shape': (3"), "offset 62: "},
		{head("x"), "offset 10: "},
		{head(good + " \t\n x"), fmt.Sprintf("offset %d: ", 10+len(good)+4)},
	} {
		if _, _, err := ParseNPY(c.file, "x.npy"); err == nil || !strings.HasPrefix(err.Error(), "x.npy: "+c.want) {
			t.Errorf("%q: got %v, want %s", c.file, err, c.want)
		}
	}
}

// TestNPYShapes: 64 dimensions are read and 65 are not; every version holds a header as long as its field says.
func TestNPYShapes(t *testing.T) {
	for dims, ok := range map[int]bool{64: true, 65: false} {
		shape := strings.Repeat("1,", dims)
		info, _, err := ParseNPY(npyFile(1, "{'descr': '|u1', 'fortran_order': False, 'shape': ("+shape+")}", []byte{7}), "x.npy")
		if (err == nil) != ok || ok && len(info.Shape) != dims {
			t.Errorf("%d dimensions: %v", dims, err)
		}
	}
	const empty = "{'descr': '|u1', 'fortran_order': False, 'shape': (), }"
	for _, dims := range []int{0, 1, 2, 3, 4, 5, 20, 21820, 21822, 30000} {
		shape := make([]int, dims)
		for i := range shape {
			shape[i] = 1
		}
		b, err := AppendNPY([]byte("ab"), Info{DType: U8, Shape: shape})
		if err != nil {
			t.Fatal(err)
		}
		b = b[2:]
		dict := strings.Replace(empty, "()", "("+strings.TrimSuffix(strings.Repeat("1, ", dims), " ")+")", 1)
		at, n := 10, int(binary.LittleEndian.Uint16(b[8:]))
		if b[6] == 2 {
			at, n = 12, int(binary.LittleEndian.Uint32(b[8:]))
		}
		if string(b[:6]) != "\x93NUMPY" || b[7] != 0 || len(b) != at+n || len(b)%64 != 0 || n > len(dict)+64 {
			t.Errorf("%d dimensions: version %d.%d, header of %d bytes for %d in a file of %d", dims, b[6], b[7], n, len(dict), len(b))
		}
		if fits := len(dict)+1 <= 0xffff-64; b[6] == 1 != fits {
			t.Errorf("%d dimensions: version %d for a header of %d bytes", dims, b[6], len(dict))
		}
		if text := string(b[at:]); !strings.HasPrefix(text, dict) || strings.TrimLeft(text[len(dict):], " ") != "\n" {
			t.Errorf("%d dimensions: header %q", dims, text[:min(len(text), 100)])
		}
	}
}

// TestNPYFortran: the value at every index, of a tensor of three dimensions with elements of several bytes.
func TestNPYFortran(t *testing.T) {
	shape := []int{3, 4, 5}
	data := make([]byte, 2*3*4*5)
	at := func(i, j, k int) int { return i + 3*(j+4*k) } // first index fastest
	for i := range data {
		data[i] = byte(i)
	}
	info, got, err := ParseNPY(npyFile(1, "{'descr': '<i2', 'fortran_order': True, 'shape': (3, 4, 5)}", data), "x.npy")
	if err != nil || info.DType != I16 || !slices.Equal(info.Shape, shape) {
		t.Fatal(info, err)
	}
	for i := range 3 {
		for j := range 4 {
			for k := range 5 {
				if g, w := got[2*((i*4+j)*5+k):][:2], data[2*at(i, j, k):][:2]; !bytes.Equal(g, w) {
					t.Errorf("value %d,%d,%d: %v, want %v", i, j, k, g, w)
				}
			}
		}
	}
}

// TestNPYTypes: every name of numpy for a type, and back to the first of them.
func TestNPYTypes(t *testing.T) {
	names := map[string]string{"<f8": "F64", "<f4": "F32", "<f2": "F16", "|i1": "I8", "|u1": "U8", "<i1": "I8", "<u1": "U8", "|b1": "BOOL",
		"<i2": "I16", "<u2": "U16", "<i4": "I32", "<u4": "U32", "<i8": "I64", "<u8": "U64", "<c8": "C64"}
	for descr, want := range names {
		file := npyFile(1, "{'descr': '"+descr+"', 'fortran_order': False, 'shape': (0,)}", nil)
		info, _, err := ParseNPY(file, "x.npy")
		if err != nil || info.DType.String() != want {
			t.Errorf("%s: %v, %v, want %s", descr, info.DType, err, want)
		}
		b, err := AppendNPY(nil, info)
		first := strings.Replace(strings.Replace(descr, "<i1", "|i1", 1), "<u1", "|u1", 1)
		if err != nil || !bytes.Contains(b, []byte("'"+first+"'")) {
			t.Errorf("%s: written as %q, %v", descr, b, err)
		}
	}
}

// TestPGMPositions: errors name the offset of what is wrong.
func TestPGMPositions(t *testing.T) {
	for text, want := range map[string]string{
		"P":                              "offset 0: invalid pgm: no magic number",
		"P0\n":                           "offset 0: invalid pgm: no magic number",
		"P8\n":                           "offset 0: invalid pgm: no magic number",
		"P1\n":                           "offset 0: unsupported netpbm type P1",
		"P7\n":                           "offset 0: unsupported netpbm type P7",
		"P5":                             "offset 2: invalid pgm: header field 1",
		"P5\n12 x":                       "offset 6: invalid pgm: header field 2",
		"P5\n12 /":                       "offset 6: invalid pgm: header field 2",
		"P5\n12 :":                       "offset 6: invalid pgm: header field 2",
		"P5\n12 #a\n 3 #b":               "offset 14: invalid pgm: header field 3",
		"P5\n1234567890 1\n255\n":        "offset 3: invalid pgm: header field 1",
		"P5\n1 1\n255x":                  "offset 10: invalid pgm: no white space",
		"P5\n1 1\n255":                   "offset 10: invalid pgm: no white space",
		"P5\n1 1\n254\na":                "offset 11: unsupported pgm maximum value 254",
		"P5\n1 0\n255\n":                 "offset 11: invalid pgm: size 1x0",
		"P5\n2 2\n255\nabc":              "offset 11: invalid pgm: 2x2 samples, the file has 3",
		"P5\n2 2\n255\nabcdef":           "offset 15: invalid pgm: 2 bytes after the last sample",
		"P5\n123456789 123456789\n255\n": "offset 27: invalid pgm: 123456789x123456789 samples",
	} {
		if _, _, _, err := ParsePGM([]byte(text), "x.pgm"); err == nil || !strings.HasPrefix(err.Error(), "x.pgm: "+want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	for _, blank := range "\t\n\v\f\r " { // white space of the format, and comments that end with either line end
		text := fmt.Sprintf("P5%c2#a\r%c1%c#\n255%cxy", blank, blank, blank, blank)
		if w, h, pix, err := ParsePGM([]byte(text), "x.pgm"); err != nil || w != 2 || h != 1 || string(pix) != "xy" {
			t.Errorf("%q: %dx%d %q, %v", text, w, h, pix, err)
		}
	}
	for _, other := range "\b\x0e\x1f!" {
		if _, _, _, err := ParsePGM([]byte(fmt.Sprintf("P5%c2 1 255 xy", other)), "x.pgm"); err == nil {
			t.Errorf("%q counts as white space", other)
		}
	}
}

func TestPGM(t *testing.T) {
	for i, c := range []struct {
		file string
		w, h int
		pix  string
		err  string
	}{
		{"P5\n3 2\n255\nabcdef", 3, 2, "abcdef", ""},
		{"P5 # one\r# two\n 3\t2 #x\n255 abcdef", 3, 2, "abcdef", ""},
		{"P5\n3 2\n255\n#bcdef", 3, 2, "#bcdef", ""},
		{"P5\n1 1\n255\n\n", 1, 1, "\n", ""},
		{"", 0, 0, "", "magic"},
		{"Q5", 0, 0, "", "magic"},
		{"P2\n1 1\n255\n1", 0, 0, "", "type P2"},
		{"P5\n3 2\n65535\nabcdefghijkl", 0, 0, "", "maximum value 65535"},
		{"P5\n3 2\n255\nabcde", 0, 0, "", "the file has 5"},
		{"P5\n3 2\n255\nabcdefg", 0, 0, "", "after the last"},
		{"P5\n0 2\n255\n", 0, 0, "", "size 0x2"},
		{"P5\n3 x\n255\n", 0, 0, "", "field 2"},
		{"P5\n99999999999 2\n255\n", 0, 0, "", "field 1"},
		{"P5\n999999999 999999999\n255\n", 0, 0, "", "the file has 0"},
		{"P5\n3 2\n255", 0, 0, "", "white space"},
		{"P53 2\n255\n", 0, 0, "", "field 1"},
		{"P5\n# endless", 0, 0, "", "field 1"},
	} {
		w, h, pix, err := ParsePGM([]byte(c.file), "x.pgm")
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || !strings.HasPrefix(err.Error(), "x.pgm: offset ") {
				t.Errorf("case %d: error %v, want %q", i, err, c.err)
			}
			continue
		}
		if err != nil || w != c.w || h != c.h || string(pix) != c.pix {
			t.Errorf("case %d: %d %d %q %v", i, w, h, pix, err)
		}
		if w, h, pix, err = ParsePGM(append(AppendPGM(nil, w, h), pix...), "y"); err != nil || w != c.w || h != c.h || string(pix) != c.pix {
			t.Errorf("case %d, written: %d %d %q %v", i, w, h, pix, err)
		}
	}
}

func FuzzSafetensors(f *testing.F) {
	f.Add(safetensorsFile(`{"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}`, make([]byte, 8)))
	f.Add(safetensorsFile(`{"a":{"dtype":"F4","shape":[],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[0],"data_offsets":[1,1]}}`, make([]byte, 1)))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := readBytes(b)
		if err != nil {
			return
		}
		total := 0
		for _, info := range s.Tensors() {
			d, err := s.Read(info.Name, nil)
			if err != nil {
				t.Fatal(err)
			}
			total += len(d)
		}
		if total > len(b) {
			t.Fatalf("%d bytes of tensors in a file of %d", total, len(b))
		}
		if _, err := SafetensorsHeader(s.Tensors(), s.Metadata()); err != nil {
			t.Fatalf("cannot write what was read: %v", err)
		}
	})
}

func FuzzNPY(f *testing.F) {
	f.Add(npyFile(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", make([]byte, 6)))
	f.Add(npyFile(3, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", make([]byte, 4)))
	f.Fuzz(func(t *testing.T, b []byte) {
		info, data, err := ParseNPY(b, "f")
		if err != nil {
			return
		}
		if n, err := info.NumBytes(); err != nil || n != int64(len(data)) {
			t.Fatalf("%v: %d bytes, %v", info, len(data), err)
		}
	})
}

func FuzzPGM(f *testing.F) {
	f.Add([]byte("P5\n3 2 # c\n255\nabcdef"))
	f.Fuzz(func(t *testing.T, b []byte) {
		w, h, pix, err := ParsePGM(b, "f")
		if err == nil && w*h != len(pix) {
			t.Fatalf("%dx%d but %d samples", w, h, len(pix))
		}
	})
}

// TestSafetensorsHeaderBytes: the header to the byte, with metadata and without.
func TestSafetensorsHeaderBytes(t *testing.T) {
	list := []Info{{Name: "a", DType: F16, Shape: []int{2, 3}}, {Name: "b", DType: U8, Shape: nil}}
	for _, c := range []struct {
		tensors []Info
		meta    map[string]string
		want    string
	}{
		{nil, nil, `{}`},
		{nil, map[string]string{}, `{}`},
		{nil, map[string]string{"k": "v", "a": "b"}, `{"__metadata__":{"a":"b","k":"v"}}`},
		{list, nil, `{"a":{"dtype":"F16","shape":[2,3],"data_offsets":[0,12]},"b":{"dtype":"U8","shape":[],"data_offsets":[12,13]}}`},
		{list[:1], map[string]string{"k": "v"}, `{"__metadata__":{"k":"v"},"a":{"dtype":"F16","shape":[2,3],"data_offsets":[0,12]}}`},
	} {
		b, err := SafetensorsHeader(c.tensors, c.meta)
		if err != nil {
			t.Fatal(err)
		}
		padded := c.want + strings.Repeat(" ", -len(c.want)&7)
		if got := string(b[8:]); got != padded || binary.LittleEndian.Uint64(b) != uint64(len(padded)) {
			t.Errorf("got %d %q, want %q", binary.LittleEndian.Uint64(b), got, padded)
		}
	}
}
