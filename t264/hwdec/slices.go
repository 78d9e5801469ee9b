package hwdec

import "vcsim/t264"

// A Slice is a slice as a decoder lane gets it: the host has taken the
// header off.
type Slice struct {
	Config SliceConfig
	Data   []byte // of the stream: slice data with its emulation prevention bytes
}

// Slices cuts an Annex B stream into the slices of its pictures, in order,
// with the errors of Slices.
func Slices(stream []byte) ([]Slice, error) {
	slices, err := t264.Slices(stream)
	if err != nil {
		return nil, err
	}
	out := make([]Slice, len(slices))
	for i, s := range slices {
		w := s.SPS.Width / 16
		out[i] = Slice{Data: s.Data, Config: SliceConfig{
			LastX: uint16(w - 1), LastY: uint16(s.SPS.Height/16 - 1), X: uint16(s.First % w), Y: uint16(s.First / w),
			QP: uint8(s.QP), Transform8: s.PPS.Transform8x8}}
	}
	return out, nil
}
