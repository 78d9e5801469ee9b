package hwdec

import "vcsim/t265"

// A Slice is a slice segment as a decoder lane gets it: the host has taken the header
// off.
type Slice struct {
	Config SliceConfig
	Data   []byte // of the stream: slice segment data with its emulation prevention bytes
}

// Slices cuts an Annex B stream into the slice segments of its pictures, in order, with
// the errors of t265.Slices. It refuses wavefronts, which lanes do not take, and the
// deblocking filter, which a Decoder refuses, too.
func Slices(stream []byte) ([]Slice, error) {
	slices, err := t265.Slices(stream)
	if err != nil {
		return nil, err
	}
	out := make([]Slice, len(slices))
	for i, s := range slices {
		switch {
		case s.PPS.WPP:
			return nil, t265.UnsupportedError("entropy_coding_sync_enabled_flag = 1")
		case s.Deblocking:
			return nil, t265.UnsupportedError("slice_deblocking_filter_disabled_flag = 0")
		}
		out[i] = Slice{Config: config(&s), Data: s.Data}
	}
	return out, nil
}

func config(s *t265.Slice) SliceConfig {
	sps, pps := s.SPS, s.PPS
	columns := (sps.Width-1)>>sps.Log2CTB + 1
	// last returns the last CTU of a side, and what the picture has of it.
	last := func(n int) (at uint16, part uint8) {
		at = uint16((n - 1) >> sps.Log2CTB)
		return at, uint8((n - int(at)<<sps.Log2CTB) / 8)
	}
	c := SliceConfig{
		X: uint16(s.First % columns), Y: uint16(s.First / columns), QP: uint8(s.QP), Dependent: s.Dependent, Tools: Tools{
			Log2CTB: uint8(sps.Log2CTB - 4), Log2MinCB: uint8(sps.Log2MinCB - 3), Log2MinTB: uint8(sps.Log2MinTB - 2), Log2MaxTB: uint8(sps.Log2MaxTB - 2),
			Depth: uint8(sps.MaxDepthIntra), QPDelta: pps.QPDelta, QPDepth: uint8(pps.QPDeltaDepth), Hide: pps.SignHiding, Skip: pps.TransformSkip,
			TransquantFlag: pps.TransquantBypass, PCM: sps.PCM, Strong: sps.StrongSmoothing,
		}}
	if sps.PCM {
		c.Log2MinPCM, c.Log2MaxPCM = uint8(sps.Log2MinPCM-3), uint8(sps.Log2MaxPCM-3)
	}
	c.LastX, c.PartX = last(sps.Width)
	c.LastY, c.PartY = last(sps.Height)
	return c
}
