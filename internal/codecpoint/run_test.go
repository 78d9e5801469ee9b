package codecpoint

import (
	"math"
	"strings"
	"testing"

	"vcsim/energy"
)

// TestRunCost: the cost of a run is what the energy model says of its counts; its units add up to it, and the area is that of as many instances.
func TestRunCost(t *testing.T) {
	for _, side := range energy.Sides {
		list, err := energy.Measurements(side)
		if err != nil {
			t.Fatal(err)
		}
		model, err := energy.For(side)
		if err != nil {
			t.Fatal(err)
		}
		tried := 0
		for _, m := range list {
			if !m.Held || m.Gate != energy.Gated {
				continue
			}
			tried++
			run := Run{Codec: side.Codec(), Decoder: side == energy.T264Decoder, Threads: 4, Lanes: 4, PathValues: 8, Bypass: 4, FrameMBs: 16, Clock: 1e9, Instances: []Counts{{m.Cycles, m.Samples, m.Bits}}, Values: m.Samples, Bits: m.Bits, Bins: 1.2 * m.Bits, Samples: m.Samples}
			if run.Decoder {
				run.PathValues, run.Bypass = 4, 1
			}
			c, err := run.Cost()
			if err != nil {
				t.Fatal(err)
			}
			r := model.Energy(energy.Counters{Lanes: 4, Cycles: m.Cycles, Clock: 1e9, Samples: m.Samples, Bits: m.Bits})
			if want := r.Total(); math.Abs(*c.PJ/want-1) > 1e-9 {
				t.Errorf("%s %s at %d: %g pJ, want %g", side, m.Plane, m.QP16, *c.PJ, want)
			}
			e := c.Energy
			if math.Abs(e.Value*m.Samples / *c.PJ - 1) > 1e-9 || math.Abs(e.RawBit*16/e.Value-1) > 1e-9 || math.Abs(e.WireBit*m.Bits / *c.PJ - 1) > 1e-9 || math.Abs(*e.Bin*1.2/e.WireBit-1) > 1e-9 || !(*e.RawLow < e.RawBit && e.RawBit < *e.RawHigh) {
				t.Errorf("%s: %+v of %g pJ", m.Plane, e, *c.PJ)
			}
			mm2, pj := 0., 0.
			for _, u := range c.Units {
				if u.MM2 != nil {
					mm2 += *u.MM2
				}
				if u.RawBit != nil {
					pj += *u.RawBit
				}
			}
			if math.Abs(mm2 / *c.MM2 - 1) > 1e-9 || math.Abs(pj/e.RawBit-1) > 1e-9 {
				t.Errorf("%s: the units take %g mm2 and %g pJ, all %g and %g", m.Plane, mm2, pj, *c.MM2, e.RawBit)
			}
			// With bins counted, what was coded twice is twice as much, whatever of it is counted once.
			run.Bits, run.Samples = run.Bits/2, run.Samples/2
			run.MapBins, run.LevelBins, run.SignBins, run.Coded, run.Moving, run.Large = m.MapBins/2, m.LevelBins/2, m.SignBins/2, m.Coded/2, m.Moving/2, m.Large/2
			counted, err := run.Cost()
			if err != nil {
				t.Fatal(err)
			}
			counters := m.Counters
			counters.Lanes, counters.Clock = 4, 1e9
			if r := model.Energy(counters); math.Abs(*counted.PJ/r.Total()-1) > 1e-9 {
				t.Errorf("%s %s at %d: %g pJ with bins, want %g", side, m.Plane, m.QP16, *counted.PJ, r.Total())
			}
			run.Bits, run.Samples = m.Bits, m.Samples
			run.MapBins, run.LevelBins, run.SignBins, run.Coded, run.Moving, run.Large = 0, 0, 0, 0, 0, 0
			run.Instances = append(run.Instances, run.Instances[0])
			two, err := run.Cost()
			if err != nil || math.Abs(*two.MM2 / *c.MM2 - 2) > 1e-9 || math.Abs(*two.PJ / *c.PJ - 2) > 1e-9 {
				t.Errorf("two instances: %+v, %v", two, err)
			}
			if text := strings.Join(c.Notes, " "); !strings.Contains(text, "rows left out") || !strings.Contains(text, "% at worst") || !strings.Contains(text, "energy/"+string(side)+".csv") || !strings.Contains(text, "Timing allows") {
				t.Errorf("the notes do not say the errors: %s", text)
			}
		}
		if tried < 2 {
			t.Errorf("%s: %d runs", side, tried)
		}
	}
	run := Run{Codec: "t264", Threads: 16, Lanes: 8, PathValues: 8, Bypass: 4, FrameMBs: 64, Clock: .5e9, Instances: []Counts{{1e5, 5e5, 2e6}}, Values: 5e5, Bits: 2e6}
	if c, err := run.Cost(); err != nil || c.MM2 == nil || c.PJ != nil || !strings.Contains(strings.Join(c.Notes, " "), "Energy of 16 threads on 8 lanes is not known") {
		t.Errorf("more threads than lanes: %+v, %v", c, err)
	}
}
