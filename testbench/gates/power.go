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

// Measure runs a netlist with its models, warm cycles without counting and then count cycles, in which every output is still compared, and
// returns the energy by unit, that of memories apart, at 1 GHz.
func Measure(r *Run, warm, count int, begin func()) ([]Sample, []netlist.MemoryAccount, error) {
	for i := range warm + count {
		if i == warm {
			r.Sim.Count(0)
			r.Sim.Clear()
			begin()
		}
		if _, err := r.Step(); err != nil {
			return nil, nil, err
		}
		if r.Live != ^uint64(0) {
			return nil, nil, fmt.Errorf("after %d cycles %d runs are at their end", i, netlist.Lanes-bits.OnesCount64(r.Live))
		}
		if i >= warm {
			r.Sim.Count(^uint64(0))
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
