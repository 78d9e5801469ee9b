package codecpoint

import (
	"fmt"
	"math"
	"slices"

	"vcsim/area"
	"vcsim/energy"
)

// A Spec chooses hardware of our own.
type Spec struct {
	Codec        string  // t264 or t265
	Lanes        int     // of the encoder, 1 to 48, with as many threads
	DecoderLanes int     // 2 to 48; 0 where there is no decoder
	Values       int     // a cycle of the encoder's pixel path: 4 or 8, of t265 8
	FrameMBs     int     // widest frame in macroblocks, or CTUs, of 16 samples
	Clock        float64 // Hz; 0: what timing allows with the allowance for layout
	Memory       bool    // memory to memory: the stream is written to memory and read again on its way
}

// A Figure is a number of a point and where it comes from.
type Figure struct {
	What    string  `json:"what"`           // what the number is of
	Value   float64 `json:"value"`          // in the unit
	Unit    string  `json:"unit"`           // of the value
	File    string  `json:"file"`           // of the repository that has the number, or what it follows from
	Command string  `json:"command"`        // that renews the file; "" where nobody can
	Note    string  `json:"note,omitempty"` // how the number follows, or whose it is
}

// A Side is an encoder or a decoder of a Spec.
type Side struct {
	machine  *machine
	Unit     string // enc or dec
	Module   string
	Lanes    int
	Values   int // a cycle of the pixel path
	Estimate *area.Estimate
	params   area.Params // of the top and all units below it
	Clock    float64     // Hz
	Latency  float64     // seconds from the first sample of a macroblock or CTU to its bits, or back
}

// Name is encoder or decoder.
func (s *Side) Name() string { return s.machine.name() }

// measured is the side in the tables of energy.
func (s *Side) measured() energy.Side { return energy.Side(s.Module) }

// Measured tells whether the energy of the side was measured.
func (s *Side) Measured() bool { return s.measured().Measured() }

// perCycle is the values a cycle of a class at bits a value.
func (s *Side) perCycle(class string, bits float64) (float64, error) {
	return valuesPerCycle(s.machine, s.Values, s.Lanes, class, bits)
}

// Rate is the payload in bits per second of a side on a class at bits a value.
func (s *Side) Rate(class string, bits float64) (float64, error) {
	v, err := s.perCycle(class, bits)
	return valueBits * v * s.Clock, err
}

// MeanRate is the payload in bits per second over all classes of planes, each with as many values.
func (s *Side) MeanRate(bits float64) (float64, error) {
	inverse := 0.0
	for _, class := range Classes {
		r, err := s.Rate(class, bits)
		if err != nil {
			return 0, err
		}
		inverse += 1 / r / float64(len(Classes))
	}
	return 1 / inverse, nil
}

// Hardware is an encoder and a decoder of our own. The one that does not exist yet is nil.
type Hardware struct {
	Spec             Spec
	Encoder, Decoder *Side
}

// Sides are those that exist.
func (h *Hardware) Sides() (list []*Side) {
	for _, s := range []*Side{h.Encoder, h.Decoder} {
		if s != nil {
			list = append(list, s)
		}
	}
	return list
}

// NewHardware finds area and clock of a Spec.
func NewHardware(s Spec) (*Hardware, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	rows, err := area.Rows()
	if err != nil {
		return nil, err
	}
	h := &Hardware{Spec: s}
	for _, side := range []struct {
		to    **Side
		unit  string
		lanes int
	}{{&h.Encoder, encoderUnit, s.Lanes}, {&h.Decoder, decoderUnit, s.DecoderLanes}} {
		m := find(s.Codec, side.unit)
		if m == nil {
			continue
		}
		o := options{threads: side.lanes, lanes: side.lanes, values: m.path(), bypass: m.bypass, frame: s.FrameMBs}
		if side.unit == encoderUnit {
			o.values = s.Values
		}
		if *side.to, err = m.newSide(rows, o); err != nil {
			return nil, err
		}
	}
	for _, side := range h.Sides() {
		limit := side.Estimate.GHz * 1e9
		side.Clock = limit * area.LayoutClock
		if s.Clock > 0 {
			if s.Clock > limit {
				return nil, fmt.Errorf("clock %.3g GHz: timing of %s allows %.3g GHz without wires", s.Clock/1e9, side.Module, limit/1e9)
			}
			side.Clock = s.Clock
		}
		side.Latency = side.machine.latency(side.Values) / side.Clock
	}
	return h, nil
}

// PJPerBit is the energy of a side in pJ a payload bit on a class at bits a value: with the allowance for wires, at its clock, with
// memories in the middle of their range and at either end.
func (s *Side) PJPerBit(class string, bits float64) (pj, low, high float64, err error) {
	v, err := s.perCycle(class, bits)
	if err != nil {
		return 0, 0, 0, err
	}
	r, err := s.energy(1/v, bits)
	if err != nil {
		return 0, 0, 0, err
	}
	low, high = r.Range()
	return r.Total() / valueBits, low / valueBits, high / valueBits, nil
}

// energy is that of a value which takes so many cycles and bits.
func (s *Side) energy(cycles, bits float64) (r energy.Result, err error) {
	m, err := energy.For(s.measured())
	if err != nil {
		return r, err
	}
	return m.Energy(energy.Counters{Lanes: s.Lanes, Cycles: cycles, Clock: s.Clock, Samples: 1, Bits: bits}), nil
}

// MeanEnergy is the energy of a value in pJ at so many bits, by unit, over all classes of planes, each with as many values.
func (s *Side) MeanEnergy(bits float64) (r energy.Result, err error) {
	rate, err := s.MeanRate(bits)
	if err != nil {
		return r, err
	}
	return s.energy(valueBits*s.Clock/rate, bits)
}

// MM2Per100Gbps is the placed area of a side for 100 Gbps of payload at so many bits a value and a clock in Hz; 0 is that of the side.
func (s *Side) MM2Per100Gbps(bits, clock float64) (float64, error) {
	rate, err := s.MeanRate(bits)
	if err != nil {
		return 0, err
	}
	if clock > 0 {
		rate *= clock / s.Clock
	}
	return s.Estimate.MM2() * 100e9 / rate, nil
}

// MaxClasses is the largest number of classes of traffic of a job.
const MaxClasses = 4

// Demand is what a job asks of a codec.
type Demand struct {
	Bits    [MaxClasses]float64 // a value, by class of traffic; 0 or 16: not compressed
	Planes  [MaxClasses]string  // the class of planes, among Classes, whose rates serve
	LinkBPS float64             // of the link that the codec is to carry without slowing it; 0: not known
}

// hardware fills in the codec of a Spec. An instance is one encoder, and as many decoders as keep up with it.
func (o *Options) hardware(p Point) (Point, error) {
	spec := o.Spec
	if spec == (Spec{}) {
		spec = DefaultSpec(p.Name)
	}
	spec.Codec = p.Name
	h, err := NewHardware(spec)
	if err != nil {
		return p, fmt.Errorf("codec %s: %w", p.Name, err)
	}
	encode, decode := math.Inf(1), math.Inf(1) // of one, on the class that is slowest
	need := 0.0                                // instances that carry the link
	needDecoders := 0.0
	worst := 0.0
	for class, bits := range o.Demand.Bits {
		if bits <= 0 || bits >= valueBits {
			continue
		}
		if !slices.Contains(Classes, o.Demand.Planes[class]) {
			return p, fmt.Errorf("codec %s: no rates of planes of %q", p.Name, o.Demand.Planes[class])
		}
		e, err := h.Encoder.Rate(o.Demand.Planes[class], bits)
		if err != nil {
			return p, err
		}
		d, err := h.Decoder.Rate(o.Demand.Planes[class], bits)
		if err != nil {
			return p, err
		}
		p.EncodeClass[class], p.DecodeClass[class] = e, d
		encode, decode, worst = min(encode, e), min(decode, d), max(worst, bits)
		if err := h.energy(&p, o.Demand.Planes[class], bits); err != nil {
			return p, err
		}
		payload := o.Demand.LinkBPS * valueBits / bits
		need, needDecoders = max(need, payload/e), max(needDecoders, payload/d)
	}
	if worst == 0 { // nothing is compressed
		worst = valueBits
		if encode, err = h.Encoder.MeanRate(worst); err != nil {
			return p, err
		}
		if decode, err = h.Decoder.MeanRate(worst); err != nil {
			return p, err
		}
		for _, class := range Classes {
			if err := h.energy(&p, class, worst); err != nil {
				return p, err
			}
		}
	}
	if p.Instances = o.Instances; p.Instances == 0 {
		p.Instances, p.Chosen = max(1, int(math.Ceil(need-1e-9))), o.Demand.LinkBPS > 0
	}
	ratio := 0.0 // of the rates, where the decoder is behind most
	for class := range p.EncodeClass {
		if p.DecodeClass[class] > 0 {
			ratio = max(ratio, p.EncodeClass[class]/p.DecodeClass[class])
		}
	}
	decoders := max(1, math.Ceil(ratio-1e-9))
	if p.Chosen { // no more than the link asks for
		decoders = min(decoders, max(1, math.Ceil(needDecoders/float64(p.Instances)-1e-9)))
	}
	for class := range p.DecodeClass {
		p.DecodeClass[class] *= decoders
	}
	p.EncodeBPS, p.DecodeBPS, p.ChunkBytes = encode, decode*decoders, chunkBytes
	p.EncodeMM2, p.DecodeMM2, p.HasArea = h.Encoder.Estimate.MM2(), h.Decoder.Estimate.MM2()*decoders, true
	p.Decoders = int(decoders)
	p.Latency = h.Encoder.Latency + h.Decoder.Latency
	if spec.Memory {
		p.MemoryPJPerBit = [2]float64{memoryAccesses * memoryPJLow, memoryAccesses * memoryPJHigh}
	}
	p.Source = fmt.Sprintf("own RTL: %d x (encoder %d lanes %.2f GHz, %d x decoder %d lanes %.2f GHz)",
		p.Instances, h.Spec.Lanes, h.Encoder.Clock/1e9, p.Decoders, h.Spec.DecoderLanes, h.Decoder.Clock/1e9)
	p.Figures = h.figures(&p, fmt.Sprintf("of the slowest class, at %.3g bits a value", worst), "of the class that takes most")
	return p, nil
}

// energy raises the energies of a point to those of a class at bits a value: a point has those of the class that takes most.
func (h *Hardware) energy(p *Point, class string, bits float64) error {
	for _, side := range []struct {
		of *Side
		to *float64
	}{{h.Encoder, &p.EncodePJPerBit}, {h.Decoder, &p.DecodePJPerBit}} {
		pj, _, _, err := side.of.PJPerBit(class, bits)
		if err != nil {
			return err
		}
		*side.to = max(*side.to, pj)
	}
	return nil
}

// HBM energy in pJ a bit that is written or read, low and high of what is published for HBM2 to HBM3.
const (
	memoryPJLow  = 4.5
	memoryPJHigh = 6.0

	memoryAccesses = 4 // of a wire bit from memory to memory: written and read again at either end
)

// figures lists the numbers of a point with their origin, and of which classes its rates and energies are.
func (h *Hardware) figures(p *Point, rate, energies string) (list []Figure) {
	for _, side := range h.Sides() {
		name := side.Name()
		e := side.Estimate
		clock := fmt.Sprintf("%.3f GHz by timing without wires, times %.2f for layout", e.GHz, area.LayoutClock)
		if h.Spec.Clock > 0 {
			clock = fmt.Sprintf("as asked for; timing allows %.3f GHz without wires, %.3f with the allowance for layout", e.GHz, e.GHz*area.LayoutClock)
		}
		bps := p.EncodeBPS
		if side.Unit == decoderUnit {
			bps = p.DecodeBPS / float64(p.Decoders)
		}
		list = append(list,
			Figure{name + " clock", side.Clock / 1e9, "GHz", area.File, area.Command, clock},
			Figure{name + " rate", bps / 1e9, "Gbps of payload", RatesFile, RatesCommand, fmt.Sprintf("clocked model with %d lanes on real planes, %s", side.Lanes, rate)},
			Figure{name + " area", e.MM2(), "mm2", area.File, area.Command, fmt.Sprintf("%.0f um2 of cells / %.1f, %.0f + 2 x %.0f bits of SRAM at %.3f um2; %s", e.Cells, area.Utilisation, e.SRAM1, e.SRAM2, area.SRAMBit, e.Source())},
			Figure{name + " latency", side.Latency * 1e9, "ns", "rtl/" + h.Spec.Codec + "/" + side.Module + ".v", "make cosim", "of a " + side.machine.block})
	}
	for _, side := range h.Sides() {
		if !side.Measured() {
			continue
		}
		pj := p.EncodePJPerBit
		if side.Unit == decoderUnit {
			pj = p.DecodePJPerBit
		}
		list = append(list, Figure{side.Name() + " energy", pj, "pJ per payload bit", energy.File(side.measured()), energy.Command, energies + "; " + energy.Basis(side.measured())})
	}
	if p.MemoryPJPerBit[0] > 0 {
		list = append(list, Figure{"memory to memory", p.MemoryPJPerBit[0], "pJ per wire bit", "internal/codecpoint/hardware.go", "", fmt.Sprintf("to %g: at either end the stream is written to HBM and read again, %g to %g pJ a bit each time", p.MemoryPJPerBit[1], memoryPJLow, memoryPJHigh)})
	}
	return list
}

// PaperFigures tells whether a figure is one of the paper's.
func (f *Figure) PaperFigure() bool {
	return slices.Contains([]string{tableFile, "internal/config/presets/paper.yaml"}, f.File)
}
