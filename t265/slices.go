package t265

import "vcsim/internal/bitio"

// A Slice is a slice segment of a stream whose header has been read.
type Slice struct {
	SPS  *SPS
	PPS  *PPS
	QP   int    // SliceQpY, 0..51
	Data []byte // of the stream: slice data with its emulation prevention bytes

	First      int  // its first CTU in raster order (slice_segment_address)
	Dependent  bool // dependent_slice_segment_flag
	Deblocking bool // the deblocking filter is on
}

// Slices cuts an Annex B stream into the slice segments of its pictures, in
// order. It reads parameter sets and slice headers, with the errors of a Decoder,
// and no slice data.
func Slices(stream []byte) ([]Slice, error) {
	var out []Slice
	var sets parameterSets
	var rbsp []byte
	var prev *sliceHeader
	for u := bitio.NewUnits(stream); u.Next(); {
		nal := u.NAL
		r := role(nal)
		if r == bitio.RoleNone || r == bitio.RoleDelimiter {
			continue
		}
		rbsp = bitio.AppendUnescaped(rbsp[:0], nal[2:])
		if r == bitio.RoleParameters {
			if err := sets.read(nal, rbsp); err != nil {
				return nil, err
			}
			continue
		}
		if r == bitio.RoleFirstSlice {
			prev = nil
		}
		h, s, p, size, err := parseSlice(rbsp, nalType(nal), &sets, prev)
		if err != nil {
			return nil, err
		}
		at := 2 // of the byte of nal behind the header
		for n := 0; n < size; at++ {
			n = len(bitio.AppendUnescaped(rbsp[:0], nal[2:at+1]))
		}
		out = append(out, Slice{SPS: s, PPS: p, QP: h.qp, Data: nal[at:], First: h.address, Dependent: h.dependent, Deblocking: h.deblock})
		prev = &h
	}
	return out, nil
}

// AppendSliceNAL appends to dst the NAL unit of a picture of one slice that hardware
// coded: start code, headers, and the bytes of its slice. QP is that of the slice, QP16/16
// rounded down. The parameter sets are those of Encoder.AppendHeader.
func AppendSliceNAL(dst, data []byte, qp int) []byte {
	var w bitio.Writer
	w.Reset(nil)
	writeSliceHeader(&w, 0, 0, qp)
	dst = append(dst, 0, 0, 0, 1, nalIDRNLP<<1, 1)
	return append(bitio.AppendEscaped(dst, w.Bytes()), data...)
}
