package codecpoint

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"vcsim/area"
	"vcsim/energy"
)

// A Sheet is a codec point in full: what encoder and decoder do and take, by unit, and where each number is from.
type Sheet struct {
	Name   string
	Bits   float64 // a value, at which the numbers are
	Source string
	Sides  []SheetSide
	Absent []string    // sides of hardware of our own, encoder or decoder, that do not exist yet
	Units  []SheetUnit // of hardware of our own
	// Figures are the numbers of one instance with their origin.
	Figures []Figure
}

// A SheetSide is the encoder or the decoder of a point. What is not known is nil.
type SheetSide struct {
	Side           string // encoder or decoder
	Instances      int    // whose rate, area and power the numbers are; 0: cannot be counted
	Lanes          int    // of one instance; 0: not known
	ValuesPerCycle *float64
	ClockHz        *float64
	PayloadBPS     float64  // of all instances
	LatencyS       *float64 // of a macroblock
	MM2            *float64 // of all instances
	MM2Per100Gbps  *float64 // of payload
	PowerW         *float64 // at that rate
	Energy         *SheetEnergy
}

// A SheetEnergy is an energy in pJ by what it is divided by.
type SheetEnergy struct {
	Value, RawBit, WireBit float64
	Bin                    *float64 // of the arithmetic coder; nil where the streams of the codec are not known
	RawLow, RawHigh        *float64 // with memories at either end of their range
}

// A SheetUnit is a unit of a side: what all its instances take. What is not known is nil: area of units that synthesis has no row of stands
// with what is left of the top, "rest".
type SheetUnit struct {
	Side, Unit, Kind string
	Count            int      // 0: of memories and wires
	MM2              *float64 // placed, of one encoder or decoder
	RawBit           *float64 // pJ a payload bit
	ModelWorst       *float64 // largest error of the unit's area model on rows left out, in percent; nil where it has none and the area is a row
}

// Kinds are the kinds of units, in the order in which charts stack them.
var Kinds = []string{"lanes", "transforms, quantisers", "prediction", "order and stores", "memories", "wires"}

// kindOf are the kinds of units, by their place in Kinds, where neither lanes nor order and stores.
var kindOf = map[string]int{
	"t264_dct": 1, "t264_quant": 1, "t264_enc_dc": 1, "t264_dec_residual": 1,
	"t264_mode": 2, "t264_border": 2, "t264_dec_predict": 2,
	"t265_forward": 1, "t265_inverse": 1, "t265_quant": 1,
	"t265_decide": 2, "t265_samples": 2,
	"memories": 4, "wires": 5,
}

// KindOf is the kind of a unit.
func KindOf(unit string) string {
	if k, ok := kindOf[unit]; ok {
		return Kinds[k]
	}
	if strings.HasSuffix(unit, "_lane") { // what is left of a lane is of the lane, too
		return Kinds[0]
	}
	return Kinds[3]
}

// NewSheet makes the sheet of a point at so many bits a value by what the point says. Instances count for rate, area and power; 0 is those of the
// point.
func NewSheet(p *Point, bits float64, instances int) (*Sheet, error) {
	if p.EncodeBPS == 0 {
		return nil, fmt.Errorf("codec %s has no hardware to show: %s", p.Name, p.Source)
	}
	if p.Traffic.Bits > 0 {
		bits = p.Traffic.Bits
	}
	s := &Sheet{Name: p.Name, Bits: bits, Source: p.Source, Figures: p.Figures}
	n := p.Instances
	if instances > 0 {
		n = instances
	}
	for _, side := range []struct {
		name         string
		bps, pj, mm2 float64
	}{{"encoder", p.EncodeBPS, p.EncodePJPerBit, p.EncodeMM2}, {"decoder", p.DecodeBPS, p.DecodePJPerBit, p.DecodeMM2}} {
		row := SheetSide{Side: side.name, Instances: n, PayloadBPS: side.bps * float64(max(1, n))}
		if p.HasArea {
			row.area(side.mm2)
		}
		if side.pj > 0 {
			row.energy(side.pj, bits)
		}
		s.Sides = append(s.Sides, row)
	}
	return s, nil
}

// area fills in what follows from the area of one instance in mm2.
func (s *SheetSide) area(one float64) {
	all := one * float64(max(1, s.Instances))
	per := all * 100e9 / s.PayloadBPS
	s.MM2, s.MM2Per100Gbps = &all, &per
}

// energy fills in what follows from the energy of a payload bit in pJ.
func (s *SheetSide) energy(raw, bits float64) {
	watt := raw * 1e-12 * s.PayloadBPS
	s.PowerW = &watt
	s.Energy = &SheetEnergy{Value: raw * valueBits, RawBit: raw, WireBit: raw * valueBits / bits}
}

// OwnSheet makes the sheet of hardware of our own, of one instance or more. Rates and energies are means over all classes of planes.
func OwnSheet(spec Spec, bits float64, instances int) (*Sheet, error) {
	h, err := NewHardware(spec)
	if err != nil {
		return nil, fmt.Errorf("codec %s: %w", spec.Codec, err)
	}
	regular, bypass, err := BinsAt(spec.Codec, bits)
	if err != nil {
		return nil, err
	}
	s := &Sheet{Name: spec.Codec, Bits: bits, Absent: Missing(spec.Codec)}
	p := Point{Name: s.Name, Instances: instances, Decoders: 1}
	var bins []Figure
	var source []string
	for _, of := range h.Sides() {
		rate, err := of.MeanRate(bits)
		if err != nil {
			return nil, err
		}
		if of.Unit == encoderUnit {
			p.EncodeBPS = rate
		} else {
			p.DecodeBPS = rate
		}
		cycle := rate / valueBits / of.Clock
		row := SheetSide{Side: of.Name(), Instances: instances, Lanes: of.Lanes, ValuesPerCycle: &cycle, ClockHz: &of.Clock, PayloadBPS: rate * float64(instances), LatencyS: &of.Latency}
		row.area(of.Estimate.MM2())
		var taken *energy.Result
		if of.Measured() {
			e, err := of.MeanEnergy(bits)
			if err != nil {
				return nil, err
			}
			taken = &e
			pj := e.Total() / valueBits
			if of.Unit == encoderUnit {
				p.EncodePJPerBit = pj
			} else {
				p.DecodePJPerBit = pj
			}
			row.energy(pj, bits)
			low, high := e.Range()
			low, high = low/valueBits, high/valueBits
			bin := e.Total() / e.Bins
			bins = append(bins, Figure{of.Name() + " bins", e.Bins, "a value", energy.File(of.measured()), energy.Command,
				fmt.Sprintf("that the lanes of the measured runs have at as many bits; the software codec has %.3g with contexts and %.3g without on all planes (%s)", regular, bypass, CodingsFile)})
			row.Energy.Bin, row.Energy.RawLow, row.Energy.RawHigh = &bin, &low, &high
		}
		s.Sides = append(s.Sides, row)
		units, err := of.sheetUnits(taken, valueBits)
		if err != nil {
			return nil, err
		}
		s.Units = append(s.Units, units...)
		source = append(source, fmt.Sprintf("%s of %d lanes", of.Name(), of.Lanes))
	}
	for _, name := range s.Absent {
		source = append(source, "no "+name+" yet")
	}
	s.Source = "own RTL: " + strings.Join(source, ", ")
	s.Figures = append(h.figures(&p, fmt.Sprintf("the mean over all classes, at %.3g bits a value", bits), "the mean over all classes"), bins...)
	return s, nil
}

// sheetUnits joins area and the energy of so many payload bits by unit, in the order of area; e is nil where it was not measured. Memories of all
// units are one row, and wires another.
func (s *Side) sheetUnits(e *energy.Result, payload float64) (list []SheetUnit, err error) {
	parts, err := s.Parts()
	if err != nil {
		return nil, err
	}
	name, measured := s.Name(), e != nil
	if !measured {
		e = new(energy.Result)
	}
	taken := map[string]bool{}
	of := func(unit string) *float64 {
		for _, u := range e.Units {
			if u.Unit == unit {
				taken[unit] = true
				pj := u.Total() / payload
				return &pj
			}
		}
		return nil
	}
	var all area.Size
	for _, p := range parts {
		all = all.Plus(p.Size, float64(p.Count))
		mm2 := area.Size{Cells: p.Cells * float64(p.Count)}.MM2()
		u := SheetUnit{Side: name, Unit: p.Name(), Kind: KindOf(p.Module), Count: p.Count, MM2: &mm2, RawBit: of(p.Module)}
		if p.LeftOut > 0 {
			u.ModelWorst = &p.Worst
		}
		list = append(list, u)
	}
	for _, u := range e.Units { // whose area is in what is left of another
		if !taken[u.Unit] {
			list = append(list, SheetUnit{Side: name, Unit: u.Unit, Kind: KindOf(u.Unit), Count: u.Instances, RawBit: of(u.Unit)})
		}
	}
	slices.SortStableFunc(list, func(a, b SheetUnit) int {
		value := func(p *float64) float64 {
			if p == nil {
				return math.Inf(-1)
			}
			return *p
		}
		return cmp.Or(cmp.Compare(value(b.MM2), value(a.MM2)), cmp.Compare(value(b.RawBit), value(a.RawBit)))
	})
	sram := all.SRAMMM2()
	if !measured {
		return append(list, SheetUnit{Side: name, Unit: "memories", Kind: "memories", MM2: &sram}), nil
	}
	memory, wires := e.Memory/payload, e.Wires/payload
	return append(list, SheetUnit{Side: name, Unit: "memories", Kind: "memories", MM2: &sram, RawBit: &memory}, SheetUnit{Side: name, Unit: "wires", Kind: "wires", RawBit: &wires}), nil
}
