package bitio

import "bytes"

var startCode = []byte{0, 0, 1}

// AppendNAL appends a four-byte start code, the NAL unit header, and the
// payload with emulation prevention bytes (clauses 7.3.1.1 and B.2).
func AppendNAL(dst, header, rbsp []byte) []byte {
	dst = append(dst, 0, 0, 0, 1)
	dst = append(dst, header...)
	return AppendEscaped(dst, rbsp)
}

// AppendEscaped appends rbsp to dst with an emulation prevention byte 3 after
// every two zeros that a byte of 3 or less follows, and after a final zero
// (clause 7.4.2).
func AppendEscaped(dst, rbsp []byte) []byte {
	for len(rbsp) > 0 {
		i := nextTriple(rbsp, 3)
		if i < 0 {
			break
		}
		dst = append(dst, rbsp[:i+2]...)
		dst = append(dst, 3)
		rbsp = rbsp[i+2:]
	}
	dst = append(dst, rbsp...)
	if n := len(rbsp); n > 0 && rbsp[n-1] == 0 {
		dst = append(dst, 3)
	}
	return dst
}

// AppendUnescaped appends nal to dst without its emulation prevention bytes.
func AppendUnescaped(dst, nal []byte) []byte {
	for len(nal) > 0 {
		i := bytes.Index(nal, []byte{0, 0, 3})
		if i < 0 {
			break
		}
		dst = append(dst, nal[:i+2]...)
		nal = nal[i+3:]
	}
	return append(dst, nal...)
}

// nextTriple returns the index of the first 0, 0, b with b <= limit, or -1.
func nextTriple(b []byte, limit byte) int {
	for i := 0; i+2 < len(b); {
		k := bytes.IndexByte(b[i:len(b)-2], 0)
		if k < 0 {
			return -1
		}
		i += k
		if b[i+1] == 0 && b[i+2] <= limit {
			return i
		}
		i++
	}
	return -1
}

// Units walks the NAL units of an Annex B stream (clause B.2).
type Units struct {
	NAL    []byte // the current unit, header included and still escaped, without trailing zero bytes
	Offset int    // of NAL in the stream
	stream []byte
	next   int // where the search for the next unit starts
}

// NewUnits returns the units of a stream, before the first. The stream is not
// copied.
func NewUnits(stream []byte) Units { return Units{stream: stream} }

// Next moves to the next unit of at least two bytes, and reports whether there
// is one; shorter ones hold nothing. NAL is nil at the end.
func (u *Units) Next() bool {
	for {
		i := bytes.Index(u.stream[u.next:], startCode)
		if i < 0 {
			u.NAL = nil
			return false
		}
		u.Offset = u.next + i + 3
		u.next = len(u.stream)
		if j := bytes.Index(u.stream[u.Offset:], startCode); j >= 0 {
			u.next = u.Offset + j
		}
		u.NAL = bytes.TrimRight(u.stream[u.Offset:u.next], "\x00")
		if len(u.NAL) >= 2 {
			return true
		}
	}
}
