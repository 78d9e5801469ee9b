package t264

import "vcsim/internal/bitio"

// A SliceData is a slice as a decoder lane gets it: the host has taken the
// header off.
type SliceData struct {
	Config SliceConfig
	Data   []byte // of the stream: slice data with its emulation prevention bytes
	sps    *SPS
}

// Slices cuts an Annex B stream into the slices of its pictures, in order. It
// reads parameter sets and slice headers, with the errors of a Decoder, and no
// slice data.
func Slices(stream []byte) ([]SliceData, error) {
	var out []SliceData
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
		w := s.Width / 16
		out = append(out, SliceData{sps: s, Data: nal[at+1:], Config: SliceConfig{
			LastX: uint16(w - 1), LastY: uint16(s.Height/16 - 1), X: uint16(h.first % w), Y: uint16(h.first / w),
			QP: uint8(h.qp), Transform8: p.Transform8x8}})
	}
	return out, nil
}
