package codecpoint

import (
	"fmt"

	"vcsim/area"
	"vcsim/energy"
)

// A Run is what a clocked model did.
type Run struct {
	Codec                      string // t264 or t265
	Decoder                    bool
	Threads, Lanes, PathValues int // of an instance; PathValues a cycle of the pixel path
	Bypass, FrameMBs           int // bypass bins a cycle of a lane; the widest frame in macroblocks or CTUs
	Clock                      float64
	Instances                  []Counts
	Values, Bits, Bins         float64 // of the tensors, without padding; of the slices; of the arithmetic coder
	Samples                    float64 // of the tensors with padding

	// Bins of the slices of the tensors, and their samples that are coded and that move, as energy.Counters has them; all zero: not counted.
	MapBins, LevelBins, SignBins, Coded, Moving, Large float64
}

// Counts are what an instance did: cycles, samples of its pixel path (padding too), and bits of slices.
type Counts struct{ Cycles, Samples, Bits float64 }

// A Cost is what the hardware of a run takes, and what the run took. What is not known is nil, and a note says why.
type Cost struct {
	MM2    *float64     // of all instances, placed
	PJ     *float64     // of the run
	Energy *SheetEnergy // by value, payload bit, bit of the slices and bin
	Units  []SheetUnit  // of one instance; energy of all a payload bit
	Notes  []string     // where the numbers are from, with their errors
}

// Cost works out area and energy of a run.
func (r *Run) Cost() (*Cost, error) {
	unit := encoderUnit
	if r.Decoder {
		unit = decoderUnit
	}
	machine := find(r.Codec, unit)
	if machine == nil {
		return nil, fmt.Errorf("the %s of %s does not exist in hardware yet", sideNames[unit], r.Codec)
	}
	rows, err := area.Rows()
	if err != nil {
		return nil, err
	}
	c := new(Cost)
	side, sized := machine.newSide(rows, options{r.Threads, r.Lanes, r.PathValues, r.Bypass, max(2, r.FrameMBs)})
	if sized != nil {
		c.Notes = append(c.Notes, fmt.Sprintf("Area of %d threads on %d lanes is not known: %v.", r.Threads, r.Lanes, sized))
	} else {
		mm2 := side.Estimate.MM2() * float64(len(r.Instances))
		c.MM2 = &mm2
		c.Notes = append(c.Notes, fmt.Sprintf("Area: %s.", side.Estimate.Source()))
		if limit := side.Estimate.GHz * area.LayoutClock * 1e9; r.Clock > limit {
			c.Notes = append(c.Notes, fmt.Sprintf("Timing allows %.2f GHz without wires and %.2f with the allowance for layout; figures here are at %.2f GHz.", side.Estimate.GHz, limit/1e9, r.Clock/1e9))
		}
	}
	measured := energy.Side(machine.module())
	if !measured.Measured() {
		c.Notes = append(c.Notes, fmt.Sprintf("Energy of %s was not measured yet: %s writes %s.", measured, energy.Command, energy.File(measured)))
		if c.MM2 != nil {
			c.Units, err = side.sheetUnits(nil, 1)
		}
		return c, err
	}
	if r.Threads != r.Lanes {
		c.Notes = append(c.Notes, fmt.Sprintf("Energy of %d threads on %d lanes is not known: it was measured with as many lanes as threads.", r.Threads, r.Lanes))
		return c, nil
	}
	m, err := energy.For(measured)
	if err != nil {
		return nil, err
	}
	var sum Counts
	for _, i := range r.Instances {
		sum.Cycles, sum.Samples, sum.Bits = sum.Cycles+i.Cycles, sum.Samples+i.Samples, sum.Bits+i.Bits
	}
	counters := energy.Counters{Lanes: r.Lanes, Cycles: sum.Cycles, Clock: r.Clock, Samples: sum.Samples, Bits: sum.Bits}
	if r.Bits > 0 && r.Samples > 0 { // what ran goes with what was coded
		bits, samples := sum.Bits/r.Bits, sum.Samples/r.Samples
		counters.MapBins, counters.LevelBins, counters.SignBins = r.MapBins*bits, r.LevelBins*bits, r.SignBins*bits
		counters.Coded, counters.Moving, counters.Large = r.Coded*samples, r.Moving*samples, r.Large*samples
	}
	e := m.Energy(counters)
	total := e.Total()
	low, high := e.Range()
	payload := r.Values * valueBits
	low, high = low/payload, high/payload
	c.PJ, c.Energy = &total, &SheetEnergy{Value: total / r.Values, RawBit: total / payload, RawLow: &low, RawHigh: &high}
	if r.Bits > 0 {
		c.Energy.WireBit = total / r.Bits
	}
	if r.Bins > 0 {
		bin := total / r.Bins
		c.Energy.Bin = &bin
	}
	note := fmt.Sprintf("Energy (%s): %s.", energy.File(measured), energy.Basis(measured))
	if r.PathValues != machine.path() || r.Bypass != machine.bypass {
		note += fmt.Sprintf(" It was measured with the defaults: %d values a cycle of the pixel path and %d bypass bins a cycle of a lane.", machine.path(), machine.bypass)
	}
	c.Notes = append(c.Notes, note)
	if c.MM2 != nil {
		c.Units, err = side.sheetUnits(&e, payload)
	}
	return c, err
}
