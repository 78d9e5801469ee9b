package tensor

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// npyTypes maps the type strings of npy headers to element types. numpy has no name for bfloat16.
var npyTypes = []struct {
	descr string
	d     DType
}{
	{"<f8", F64}, {"<f4", F32}, {"<f2", F16}, {"|i1", I8}, {"|u1", U8},
	{"<i1", I8}, {"<u1", U8}, {"|b1", Bool},
	{"<i2", I16}, {"<u2", U16}, {"<i4", I32}, {"<u4", U32}, {"<i8", I64}, {"<u8", U64}, {"<c8", C64},
}

// ParseNPY reads an npy file (format versions 1 to 3, little endian, C or Fortran order) from b; file names it in errors.
// The data comes back in C order; it aliases b unless the file is in Fortran order. Info.Name is empty.
func ParseNPY(b []byte, file string) (Info, []byte, error) {
	fail := func(off int, format string, a ...any) (Info, []byte, error) {
		return Info{}, nil, fmt.Errorf("%s: offset %d: %w", file, off, FormatError("npy: "+fmt.Sprintf(format, a...)))
	}
	if len(b) < 10 || string(b[:6]) != "\x93NUMPY" {
		return fail(0, "no magic string and version")
	}
	var n, start int
	switch b[6] {
	case 1:
		n, start = int(binary.LittleEndian.Uint16(b[8:])), 10
	case 2, 3:
		if len(b) < 12 {
			return fail(8, "file ends in the header length")
		}
		n, start = int(binary.LittleEndian.Uint32(b[8:])), 12
	default:
		return Info{}, nil, fmt.Errorf("%s: offset 6: %w", file, UnsupportedError(fmt.Sprintf("npy version %d.%d", b[6], b[7])))
	}
	if n > len(b)-start {
		return fail(8, "header of %d bytes in a file of %d", n, len(b))
	}
	p := npyHeader{s: string(b[start : start+n])}
	if err := p.parse(); err != nil {
		return Info{}, nil, fmt.Errorf("%s: offset %d: %w", file, start+p.i, err)
	}
	t := Info{Shape: p.shape}
	for _, k := range npyTypes {
		if k.descr == p.descr {
			t.DType = k.d
		}
	}
	if t.DType == Invalid {
		return Info{}, nil, fmt.Errorf("%s: offset %d: %w", file, start, UnsupportedError(fmt.Sprintf("npy dtype %q", p.descr)))
	}
	size, err := t.NumBytes()
	if err != nil {
		return Info{}, nil, fmt.Errorf("%s: offset %d: %w", file, start, err)
	}
	data := b[start+n:]
	if size != int64(len(data)) {
		return fail(start+n, "%s %v needs %d bytes of data, the file has %d", t.DType, t.Shape, size, len(data))
	}
	if p.fortran && len(t.Shape) > 1 {
		data = fromFortran(data, t.Shape, t.DType.Bits()/8)
	}
	return t, data, nil
}

// AppendNPY appends the header of an npy file of version 1.0 (2.0 if it does not fit) in C order; the data follows it.
func AppendNPY(dst []byte, t Info) ([]byte, error) {
	descr := ""
	for _, k := range npyTypes {
		if k.d == t.DType {
			descr = k.descr
			break
		}
	}
	if descr == "" {
		return nil, UnsupportedError(fmt.Sprintf("dtype %s in npy: numpy has no name for it", t.DType))
	}
	var sh strings.Builder
	for i, d := range t.Shape {
		if i > 0 {
			sh.WriteByte(' ')
		}
		fmt.Fprintf(&sh, "%d,", d)
	}
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, sh.String())
	start := 10
	if len(dict)+64 > 0xffff {
		start = 12
	}
	pad := 63 - (start+len(dict))%64 // the newline makes it a multiple of 64
	n := len(dict) + pad + 1
	dst = append(dst, "\x93NUMPY"...)
	if start == 10 {
		dst = append(dst, 1, 0)
		dst = binary.LittleEndian.AppendUint16(dst, uint16(n))
	} else {
		dst = append(dst, 2, 0)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	dst = append(dst, dict...)
	for range pad {
		dst = append(dst, ' ')
	}
	return append(dst, '\n'), nil
}

// fromFortran copies column-major data (first index fastest) to row-major order.
func fromFortran(data []byte, shape []int, size int) []byte {
	out := make([]byte, len(data))
	stride := make([]int, len(shape)) // of each index in the source, in bytes
	s := size
	for i, d := range shape {
		stride[i] = s
		s *= d
	}
	idx := make([]int, len(shape))
	src := 0
	for dst := 0; dst < len(out); dst += size {
		copy(out[dst:dst+size], data[src:])
		for k := len(idx) - 1; k >= 0; k-- {
			idx[k]++
			src += stride[k]
			if idx[k] < shape[k] {
				break
			}
			src -= stride[k] * shape[k]
			idx[k] = 0
		}
	}
	return out
}

// npyHeader parses the Python dictionary of an npy header; i is where it stands, for errors.
type npyHeader struct {
	s       string
	i       int
	descr   string
	fortran bool
	shape   []int
}

func (p *npyHeader) parse() error {
	var have [3]bool
	if !p.next('{') {
		return p.bad("a dictionary")
	}
	for !p.next('}') {
		key, ok := p.str()
		if !ok || !p.next(':') {
			return p.bad("a key")
		}
		k := -1
		switch key {
		case "descr":
			k = 0
			if p.descr, ok = p.str(); !ok {
				if p.peek() == '[' {
					return UnsupportedError("npy structured dtype")
				}
				return p.bad("a type string")
			}
		case "fortran_order":
			k = 1
			switch word := p.word(); word {
			case "True", "False":
				p.fortran = word == "True"
			default:
				return p.bad("True or False")
			}
		case "shape":
			k = 2
			if err := p.tuple(); err != nil {
				return err
			}
		}
		if k < 0 || have[k] {
			return FormatError(fmt.Sprintf("npy header: key %q unknown or twice", key))
		}
		have[k] = true
		if !p.next(',') && p.peek() != '}' {
			return p.bad("a comma")
		}
	}
	if have != [3]bool{true, true, true} {
		return FormatError("npy header: descr, fortran_order or shape is missing")
	}
	p.skip()
	if p.i != len(p.s) {
		return p.bad("the end")
	}
	return nil
}

func (p *npyHeader) tuple() error {
	if !p.next('(') {
		return p.bad("a tuple")
	}
	p.shape = []int{}
	for !p.next(')') {
		word := strings.TrimSuffix(p.word(), "L") // Python 2 wrote longs
		d, err := strconv.Atoi(word)
		if err != nil || d < 0 || len(p.shape) == 64 {
			return p.bad("a dimension")
		}
		p.shape = append(p.shape, d)
		if !p.next(',') && p.peek() != ')' {
			return p.bad("a comma")
		}
	}
	return nil
}

func (p *npyHeader) bad(want string) error {
	return FormatError("npy header: expected " + want)
}

func (p *npyHeader) skip() {
	for p.i < len(p.s) && strings.IndexByte(" \t\n\r", p.s[p.i]) >= 0 {
		p.i++
	}
}

func (p *npyHeader) peek() byte {
	p.skip()
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *npyHeader) next(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.i++
	return true
}

func (p *npyHeader) word() string {
	p.skip()
	from := p.i
	for p.i < len(p.s) && (p.s[p.i]|32 >= 'a' && p.s[p.i]|32 <= 'z' || p.s[p.i] >= '0' && p.s[p.i] <= '9') {
		p.i++
	}
	return p.s[from:p.i]
}

func (p *npyHeader) str() (string, bool) {
	q := p.peek()
	if q != '\'' && q != '"' {
		return "", false
	}
	end := strings.IndexByte(p.s[p.i+1:], q)
	if end < 0 {
		return "", false
	}
	s := p.s[p.i+1 : p.i+1+end]
	p.i += end + 2
	return s, true
}
