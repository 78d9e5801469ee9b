package simrun

import "vcsim/energy"

// EnergyFigures are the energy of a point, while every thread has a frame, by what the gates of the hardware took on other planes.
type EnergyFigures struct {
	Point
	Plane    string
	Result   energy.Result // pJ a value, of all instances
	PerValue float64       // pJ, with memories in the middle of their range
	// PerRawBit, PerWireBit and PerBin are the same over 16 bits of payload, bits of slices, and bins; Low and High are per raw bit, with
	// memories at the ends of their range.
	PerRawBit, PerWireBit, PerBin float64
	Low, High                     float64
	Watts                         float64 // at the clock, of all instances
}

// Energy works the energy of all points out, at a clock in Hz. Energy a cycle is that at 1 GHz; leakage is less than a hundredth of it.
func (c *Config) Energy(results []*Result, clock float64) ([]EnergyFigures, error) {
	side := energy.Encoder
	if c.Unit == Decoder {
		side = energy.Decoder
	}
	model, err := energy.For(side)
	if err != nil {
		return nil, err
	}
	var list []EnergyFigures
	for _, r := range results {
		f := EnergyFigures{Point: r.Point, Plane: r.Jobs[0].Name}
		var values, bits float64 // a cycle
		for _, in := range r.instances {
			_, steady, _ := in.rates()
			one := model.Energy(energy.Counters{Lanes: r.Lanes, Cycles: 1, Samples: steady.samples, Bits: steady.bits})
			f.Result.Add(&one)
			values += steady.values
			bits += steady.bits
		}
		w := NewWorkload(r.Jobs)
		f.Watts = f.Result.Total() * clock * 1e-12
		f.Result.Scale(1 / values)
		f.PerValue = f.Result.Total()
		f.PerRawBit = f.PerValue / 16
		f.PerWireBit = f.PerValue * values / bits
		f.PerBin = f.PerValue * float64(w.Values) / (w.BinsRegular + w.BinsBypass)
		f.Low, f.High = f.Result.Range()
		f.Low, f.High = f.Low/16, f.High/16
		list = append(list, f)
	}
	return list, nil
}
