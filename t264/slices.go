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
	var spss [32]*SPS
	var ppss [256]*PPS
	var rbsp []byte
	for rest := stream; ; {
		nal, _, end := bitio.NextNAL(rest)
		if nal == nil {
			return out, nil
		}
		rest = rest[end:]
		if len(nal) < 2 {
			continue
		}
		typ, refIDC := int(nal[0]&31), int(nal[0]>>5&3)
		rbsp = bitio.AppendUnescaped(rbsp[:0], nal[1:])
		switch typ {
		case nalSPS:
			s, err := parseSPS(rbsp)
			if err != nil {
				return nil, err
			}
			spss[s.ID] = s
		case nalPPS:
			p, err := parsePPS(rbsp)
			if err != nil {
				return nil, err
			}
			ppss[p.ID] = p
		case nalSlice, nalIDR:
			h, s, p, size, err := parseSlice(rbsp, typ, refIDC, &spss, &ppss)
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
	}
}
