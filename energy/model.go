package energy

import (
	"fmt"
	"math"
	"slices"
	"sync"
)

// Counters are what the clocked model counts of an instance: those of its host, or means of them.
type Counters struct {
	Lanes   int // of the instance; it has as many threads
	Cycles  float64
	Clock   float64 // Hz, which leakage hangs on; 0: 1 GHz
	Samples float64 // that the pixel path took or gave, padding too
	Bits    float64 // of slices
}

// features are the counters that a unit's energy grows with: its clock and leakage with cycles, its data with samples, and both the arithmetic
// coder and what goes with levels with bits.
func features(cycles, samples, bits float64) [3]float64 { return [3]float64{cycles, samples, bits} }

// A term is an energy in fJ, or accesses, by feature.
type term [3]float64

func (t term) at(f [3]float64) float64 { return t[0]*f[0] + t[1]*f[1] + t[2]*f[2] }

// unitModel is a unit with a term for each part of its energy.
type unitModel struct {
	name      string
	instances int // measured
	perLane   bool
	parts     [4]term // logic, state, clock, leakage
}

// perLane lists what an instance has once for each lane or thread: its idle energy scales with them. The rest is there once.
var perLane = map[string]bool{"t264_enc_lane": true, "t264_dec_lane": true, "t264_enc_store": true, "t264_dec_store": true}

// A Model is the energy of one side over its counters.
type Model struct {
	side     Side
	units    []unitModel
	accesses term    // bits of memories read or written
	bits     float64 // of memories, of a lane
	// Error is the mean of the absolute errors on the planes that it was not fitted on, and Worst the largest, as a share; Held is how
	// many measurements these are.
	Error, Worst float64
	Held         int
}

// A Part is the energy of the units of a kind, in pJ over the counters.
type Part struct {
	Unit                         string // module of the RTL, or "memories"
	Instances                    int
	Logic, State, Clock, Leakage float64
}

// Total returns the sum in pJ.
func (p Part) Total() float64 { return p.Logic + p.State + p.Clock + p.Leakage }

// A Result is the energy of an instance over its counters, in pJ.
type Result struct {
	Units                         []Part
	Cells                         float64 // of all units
	Memory, MemoryLow, MemoryHigh float64 // by what an access takes
	Wires                         float64 // the allowance for wires and the clock tree
	Error, Worst                  float64 // of the model, as shares
}

// Total returns the energy with all allowances, in pJ, with memories in the middle of their range.
func (r *Result) Total() float64 { return r.Cells + r.Wires + r.Memory }

// Range returns the total with memories at either end of their range.
func (r *Result) Range() (low, high float64) {
	return r.Cells + r.Wires + r.MemoryLow, r.Cells + r.Wires + r.MemoryHigh
}

var models = map[Side]func() (*Model, error){
	Encoder: sync.OnceValues(func() (*Model, error) { return load(Encoder) }),
	Decoder: sync.OnceValues(func() (*Model, error) { return load(Decoder) }),
}

func load(s Side) (*Model, error) {
	list, err := Measurements(s)
	if err != nil {
		return nil, err
	}
	return Fit(list, s)
}

// For returns the model of a side over the measurements that the package carries.
func For(s Side) (*Model, error) {
	m, ok := models[s]
	if !ok {
		return nil, fmt.Errorf("no energy of side %q", s)
	}
	return m()
}

// Fit fits a model on the measurements of a side with clock gates that are not held back, and measures its error on those that are.
func Fit(list []Measurement, s Side) (*Model, error) {
	var fit, held []*Measurement
	for i := range list {
		m := &list[i]
		switch {
		case m.Side != s || m.Gate != Gated:
		case m.Held:
			held = append(held, m)
		default:
			fit = append(fit, m)
		}
	}
	if len(fit) < 4 || len(held) < 2 {
		return nil, fmt.Errorf("energy of %s: %d measurements to fit and %d beside them", s, len(fit), len(held))
	}
	model := &Model{side: s, Held: len(held)}
	var x [][3]float64
	var scale []float64
	for _, m := range fit {
		x = append(x, features(m.Cycles, m.Samples, m.Bits))
		scale = append(scale, 1/m.Cells())
	}
	column := func(f func(*Measurement) float64) term {
		var y []float64
		for _, m := range fit {
			y = append(y, f(m))
		}
		return leastSquares(x, y, scale)
	}
	for i, u := range fit[0].Units {
		um := unitModel{name: u.Name, instances: u.Instances, perLane: perLane[u.Name]}
		for k := range um.parts {
			um.parts[k] = column(func(m *Measurement) float64 {
				v := &m.Units[i]
				return [...]float64{v.Logic, v.State, v.Clock, v.Leakage}[k]
			})
		}
		model.units = append(model.units, um)
	}
	model.accesses = column((*Measurement).Accessed)
	for _, r := range fit[0].Memories {
		model.bits += float64(r.Width*r.Depth) / MeasuredLanes
	}
	for _, m := range held {
		r := model.Energy(Counters{Lanes: MeasuredLanes, Cycles: m.Cycles, Samples: m.Samples, Bits: m.Bits})
		is := r.Cells + r.Memory
		want := (m.Cells() + m.Accessed()*MemoryBit + m.Cycles*model.bits*MeasuredLanes*MemoryLeakage) / 1e3
		e := math.Abs(is/want - 1)
		model.Error += e / float64(len(held))
		model.Worst = max(model.Worst, e)
	}
	return model, nil
}

// Basis says in a line what the figures of a side rest on, with the error of the model.
func Basis(s Side) string {
	m, err := For(s)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("cells at gate level, with clock gates, by a model over cycles, samples and bits (%.1f %% off in the mean and %.1f %% at worst on %d runs of other planes), "+
		"measured with %d lanes on frames of %d x %d, idle lanes in proportion; %.0f %% more for wires; memories at %g fJ a bit of an access (%g to %g)",
		100*m.Error, 100*m.Worst, m.Held, MeasuredLanes, MeasuredFrame, MeasuredFrame, 100*Allowance, MemoryBit, MemoryBitLow, MemoryBitHigh)
}

// Energy returns the energy of an instance over its counters.
func (m *Model) Energy(c Counters) Result {
	r := Result{Error: m.Error, Worst: m.Worst}
	f := features(c.Cycles, c.Samples, c.Bits)
	slower := 1.0 // than the rows, whose cycles leak for a nanosecond
	if c.Clock > 0 {
		slower = 1e9 / c.Clock
	}
	for _, u := range m.units {
		g, n := f, u.instances
		if u.perLane {
			g[0] *= float64(c.Lanes) / MeasuredLanes
			n = u.instances * c.Lanes / MeasuredLanes
			if u.instances == 1 {
				n = 1
			}
		}
		p := Part{Unit: u.name, Instances: n, Logic: u.parts[0].at(g) / 1e3, State: u.parts[1].at(g) / 1e3, Clock: u.parts[2].at(g) / 1e3, Leakage: u.parts[3].at(g) / 1e3 * slower}
		r.Cells += p.Total()
		r.Units = append(r.Units, p)
	}
	leakage := c.Cycles * m.bits * float64(c.Lanes) * MemoryLeakage * slower
	accessed := m.accesses.at(f)
	r.Memory, r.MemoryLow, r.MemoryHigh = (accessed*MemoryBit+leakage)/1e3, (accessed*MemoryBitLow+leakage)/1e3, (accessed*MemoryBitHigh+leakage)/1e3
	r.Wires = Allowance * r.Cells
	slices.SortStableFunc(r.Units, func(a, b Part) int {
		switch {
		case a.Total() > b.Total():
			return -1
		case a.Total() < b.Total():
			return 1
		}
		return 0
	})
	return r
}

// leastSquares fits y over the features with coefficients that are not negative, each row weighted: of all subsets of the features the best.
func leastSquares(x [][3]float64, y, weight []float64) (best term) {
	least := math.Inf(1)
	for set := range 8 {
		t, ok := solve(x, y, weight, set)
		if !ok {
			continue
		}
		sum := 0.0
		for i := range x {
			d := (t.at(x[i]) - y[i]) * weight[i]
			sum += d * d
		}
		if sum < least {
			least, best = sum, t
		}
	}
	return best
}

// solve solves the normal equations of a subset of the features; ok says that no coefficient is negative.
func solve(x [][3]float64, y, weight []float64, set int) (t term, ok bool) {
	var a [3][4]float64
	for i := range x {
		w := weight[i] * weight[i]
		for j := range 3 {
			for k := range 3 {
				a[j][k] += w * x[i][j] * x[i][k]
			}
			a[j][3] += w * x[i][j] * y[i]
		}
	}
	for j := range 3 {
		if set>>j&1 == 0 {
			a[j] = [4]float64{}
			for k := range 3 {
				a[k][j] = 0
			}
			a[j][j] = 1
		}
	}
	for j := range 3 {
		p := a[j][j]
		if p <= 0 {
			return t, false
		}
		for k := range 3 {
			if k == j {
				continue
			}
			f := a[k][j] / p
			for l := j; l < 4; l++ {
				a[k][l] -= f * a[j][l]
			}
		}
	}
	for j := range 3 {
		if t[j] = a[j][3] / a[j][j]; t[j] < 0 || math.IsNaN(t[j]) {
			return t, false
		}
	}
	return t, true
}
