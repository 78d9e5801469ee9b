package codecpoint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"vcsim/area"
	"vcsim/energy"
)

// A machine is the encoder or the decoder of a codec that there is RTL of: what its rows of area, energy and rates do not tell.
type machine struct {
	codec, unit string // t264, and enc or dec as tables name it
	values      []int  // that its pixel path may do in a cycle, the default last
	lanes       [2]int // fewest and most
	bypass      int    // bypass bins a cycle of a lane

	// top are the parameters of the top, and below those that the units below it have besides.
	top, below func(o *options) area.Params

	// latency is the cycles of a block, and block what it is of.
	latency func(values int) float64
	block   string
}

// options are what parameters follow from: threads, lanes, values a cycle of the pixel path, bypass bins a cycle of a lane, and the widest frame in
// macroblocks or CTUs.
type options struct{ threads, lanes, values, bypass, frame int }

// turns are the threads of a lane.
func (o *options) turns() int { return max(1, o.threads/max(1, o.lanes)) }

// Units of hardware, as tables name them.
const (
	encoderUnit = "enc"
	decoderUnit = "dec"
)

// sideNames are the names of the units for the reader.
var sideNames = map[string]string{encoderUnit: "encoder", decoderUnit: "decoder"}

// module is that of the top.
func (m *machine) module() string { return m.codec + "_" + m.unit }

// name is encoder or decoder.
func (m *machine) name() string { return sideNames[m.unit] }

// path is the number of values a cycle of the pixel path by default.
func (m *machine) path() int { return m.values[len(m.values)-1] }

// machines are those that exist.
var machines = []*machine{
	{
		codec: "t264", unit: encoderUnit, values: []int{4, 8}, lanes: [2]int{1, 48}, bypass: 4,
		top: func(o *options) area.Params {
			return area.Params{"Threads": o.threads, "Lanes": o.lanes, "Values": o.values, "Bypass": o.bypass, "FrameMBs": o.frame}
		},
		below: func(o *options) area.Params {
			return area.Params{"Turns": o.turns(), "Words": 20, "Decoder": 0, "Contexts": 97, "RunBits": 16}
		},
		// From the first sample to the bits (rtl/t264/t264_enc.v).
		latency: func(values int) float64 { return 256/float64(values) + 67 }, block: "macroblock",
	},
	{
		codec: "t264", unit: decoderUnit, values: []int{4}, lanes: [2]int{2, 48}, bypass: 1,
		top: func(o *options) area.Params {
			return area.Params{"Lanes": o.lanes, "FrameMBs": o.frame, "Slots": 16, "Bypass": o.bypass, "Transform8": 1}
		},
		below: func(o *options) area.Params {
			return area.Params{"Threads": o.threads, "Decoder": 1, "Contexts": 256} // contexts that a lane can name
		},
		// From the word to the samples of the block (slots of four cycles, the longest way, rtl/t264/t264_dec_pixels.v), with the contexts of a slice.
		latency: func(int) float64 { return 203 + 4*12 }, block: "macroblock",
	},
	{
		codec: "t265", unit: encoderUnit, values: []int{8}, lanes: [2]int{1, 48}, bypass: 4,
		top: func(o *options) area.Params {
			return area.Params{"Threads": o.threads, "Lanes": o.lanes, "MaxTU": 16, "Bypass": o.bypass, "Groups": 8, "FrameCTUs": o.frame}
		},
		below: func(*options) area.Params {
			return area.Params{"Contexts": 79, "RunBits": 16, "Hide": 1, "TagWidth": 17}
		},
		// From the first sample to the last bits of a CTU that is alone in the encoder, beside the operations of its lane: what TestLatency265 measures.
		latency: func(int) float64 { return 362 }, block: "CTU, beside the operations of its lane",
	},
}

// find is the machine of a codec and unit, nil where there is none.
func find(codec, unit string) *machine {
	for _, m := range machines {
		if m.codec == codec && m.unit == unit {
			return m
		}
	}
	return nil
}

// Own are the codecs that we have hardware of, encoder or decoder.
func Own() (list []string) {
	for _, m := range machines {
		if !slices.Contains(list, m.codec) {
			list = append(list, m.codec)
		}
	}
	return list
}

// Missing are the sides, encoder or decoder, that there is no hardware of yet.
func Missing(codec string) (list []string) {
	for _, unit := range []string{encoderUnit, decoderUnit} {
		if find(codec, unit) == nil {
			list = append(list, sideNames[unit])
		}
	}
	return list
}

// MissingNotes say which sides of a codec do not exist yet, and of which of the others the energy was not measured.
func MissingNotes(codec string) (notes []string) {
	if list := Missing(codec); len(list) > 0 {
		notes = append(notes, fmt.Sprintf("The %s of %s does not exist in hardware yet: it has no area, energy or rate here, and no figure of the paper stands in.", strings.Join(list, " and the "), Title(codec)))
	}
	for _, m := range machines {
		if s := energy.Side(m.module()); m.codec == codec && !s.Measured() {
			notes = append(notes, fmt.Sprintf("The energy of the %s of %s was not measured yet: %s writes %s.", m.name(), Title(codec), energy.Command, energy.File(s)))
		}
	}
	return notes
}

// Title is the name of a codec in a text: T.264 of t264.
func Title(codec string) string { return strings.ToUpper(codec[:1]) + "." + codec[1:] }

// defaults are the Specs of codecs.
var defaults = map[string]Spec{
	"t264": {Codec: "t264", Lanes: 24, DecoderLanes: 16, Values: 8, FrameMBs: 64},
	"t265": {Codec: "t265", Lanes: 18, Values: 8, FrameMBs: 64},
}

// DefaultSpec are the units that the clocked models and the RTL of a codec have as defaults.
func DefaultSpec(codec string) Spec { return defaults[codec] }

// Validate reports the first field out of range.
func (s *Spec) Validate() error {
	if !slices.Contains(Own(), s.Codec) {
		return fmt.Errorf("codec %q: there is hardware of %s", s.Codec, strings.Join(Own(), ", "))
	}
	if !(s.Clock >= 0 && s.Clock <= 10e9) {
		return fmt.Errorf("clock: %v Hz, want 0 to 10 GHz", s.Clock)
	}
	if s.FrameMBs < 2 || s.FrameMBs > 256 {
		return fmt.Errorf("macroblocks of the widest frame: %d, want 2 to 256", s.FrameMBs)
	}
	for _, side := range []struct {
		unit, name string
		lanes      int
	}{{encoderUnit, "lanes", s.Lanes}, {decoderUnit, "decoder lanes", s.DecoderLanes}} {
		m := find(s.Codec, side.unit)
		if m == nil {
			if side.lanes != 0 {
				return fmt.Errorf("%s: %d, but the %s of %s does not exist in hardware yet", side.name, side.lanes, sideNames[side.unit], Title(s.Codec))
			}
			continue
		}
		if side.lanes < m.lanes[0] || side.lanes > m.lanes[1] {
			return fmt.Errorf("%s: %d, want %d to %d", side.name, side.lanes, m.lanes[0], m.lanes[1])
		}
	}
	if m := find(s.Codec, encoderUnit); m != nil && !slices.Contains(m.values, s.Values) {
		return fmt.Errorf("values a cycle: %d, want %s", s.Values, strings.Trim(strings.ReplaceAll(fmt.Sprint(m.values), " ", " or "), "[]"))
	}
	return nil
}

// newSide finds the area of a machine.
func (m *machine) newSide(rows *area.Table, o options) (*Side, error) {
	s := &Side{machine: m, Unit: m.unit, Module: m.module(), Lanes: o.lanes, Values: o.values}
	top := m.top(&o)
	s.params = maps.Clone(top)
	maps.Copy(s.params, m.below(&o))
	var err error
	s.Estimate, err = rows.Estimate(s.Module, top)
	return s, err
}
