package gates

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"vcsim/internal/netlist"
)

// A Sample is the energy of a part of a netlist over some cycles of all runs together.
type Sample struct {
	Unit                string // module of the RTL
	Instances           int
	Logic, State, Clock float64 // fJ; see netlist.Account
	Leakage             float64
}

// A Window says which cycles of a run count. Run k of 64 counts Cycles cycles from cycle Warm + k/64 of Spread on: all runs begin alike, and
// would else be in the same macroblock at either end.
type Window struct{ Warm, Spread, Cycles int }

// from returns the cycle that a run counts from.
func (w *Window) from(run int) int { return w.Warm + run*w.Spread/netlist.Lanes }

// mask returns the runs that count in a cycle.
func (w *Window) mask(cycle int) (mask uint64) {
	for k := range netlist.Lanes {
		if from := w.from(k); cycle >= from && cycle < from+w.Cycles {
			mask |= 1 << k
		}
	}
	return mask
}

// Measure runs a netlist with its models, every output compared in every cycle, and returns the energy by unit over a window, that of
// memories apart, at 1 GHz. It calls begin and end when the window of a run begins and is over.
func Measure(r *Run, w Window, begin, end func(run int)) ([]Sample, []netlist.MemoryAccount, error) {
	last := uint64(0)
	for i := range w.from(netlist.Lanes-1) + w.Cycles + 1 {
		mask := w.mask(i)
		for m := mask &^ last; m != 0; m &= m - 1 {
			begin(bits.TrailingZeros64(m))
		}
		for m := last &^ mask; m != 0; m &= m - 1 {
			end(bits.TrailingZeros64(m))
		}
		last = mask
		if _, err := r.Step(); err != nil {
			return nil, nil, err
		}
		if over := mask &^ r.Live; over != 0 {
			return nil, nil, fmt.Errorf("after %d cycles run %d is at its end", i, bits.TrailingZeros64(over))
		}
		if i >= w.Warm-1 {
			r.Sim.Count(mask)
		}
		r.Clock()
	}
	accounts, memories := r.Sim.Power(1)
	units := map[string]*Sample{}
	for _, a := range accounts {
		s := units[a.Unit]
		if s == nil {
			s = &Sample{Unit: a.Unit}
			units[a.Unit] = s
		}
		s.Instances++
		s.Logic += a.Logic
		s.State += a.State
		s.Clock += a.Clock
		s.Leakage += a.Leakage
	}
	list := slices.SortedFunc(maps.Values(units), func(a, b *Sample) int { return cmp.Compare(a.Unit, b.Unit) })
	out := make([]Sample, len(list))
	for i, s := range list {
		out[i] = *s
	}
	return out, memories, nil
}
