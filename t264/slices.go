package t264

import "vcsim/internal/bitio"

// A Slice is a slice of a stream whose header has been read.
type Slice struct {
	SPS   *SPS
	PPS   *PPS
	First int    // first_mb_in_slice
	QP    int    // SliceQPY, 0..51
	Data  []byte // of the stream: slice data with its emulation prevention bytes
}

// Slices cuts an Annex B stream into the slices of its pictures, in order. It
// reads parameter sets and slice headers, with the errors of a Decoder, and no
// slice data.
func Slices(stream []byte) ([]Slice, error) {
	var out []Slice
	var sets parameterSets
	var rbsp []byte
	for u := bitio.NewUnits(stream); u.Next(); {
		nal := u.NAL
		r := role(nal)
		if r == bitio.RoleNone || r == bitio.RoleDelimiter {
			continue
		}
		rbsp = bitio.AppendUnescaped(rbsp[:0], nal[1:])
		if r == bitio.RoleParameters {
			if err := sets.read(nal, rbsp); err != nil {
				return nil, err
			}
			continue
		}
		h, s, p, size, err := parseSlice(rbsp, nal, &sets)
		if err != nil {
			return nil, err
		}
		at := 1 // of the byte of nal behind the header
		for n := 0; n < size; at++ {
			if n = len(bitio.AppendUnescaped(rbsp[:0], nal[1:at+1])); n == size {
				break
			}
		}
		out = append(out, Slice{SPS: s, PPS: p, First: h.first, QP: h.qp, Data: nal[at+1:]})
	}
	return out, nil
}

// AppendSliceNAL appends to dst the NAL unit of a frame that hardware
// coded: start code, headers, and the bytes of its slice. QP is that of the
// slice, QP16/16 rounded down; index counts the frames of the stream. The
// parameter sets are those of Encoder.AppendHeader.
func AppendSliceNAL(dst, data []byte, qp, index int) []byte {
	var w bitio.Writer
	w.Reset(nil)
	writeSliceHeader(&w, 0, index&1, qp)
	dst = append(dst, 0, 0, 0, 1, 3<<5|nalIDR)
	return append(bitio.AppendEscaped(dst, w.Bytes()), data...)
}
