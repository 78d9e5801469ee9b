package tensor

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
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
