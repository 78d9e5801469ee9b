package energy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Counters are what the clocked model counts of an instance: those of its host, or means of them.
type Counters struct {
	Lanes   int // of the instance; it has as many threads
	Cycles  float64
	Clock   float64 // Hz, which leakage hangs on; 0: 1 GHz
	Samples float64 // that the pixel path took or gave, padding too
	Bits    float64 // of slices

	// Bins of the lanes: of levels (coeff_abs_level_minus1), of their signs, and all others, most of which are of the map of significant
	// coefficients. Coded are the samples of blocks with levels that are not zero, and Moving those that differ from the one to their left:
	// of a plane that is all alike hardly a net toggles.
	MapBins, LevelBins, SignBins, Coded, Moving float64

	// Large are the samples of transform blocks larger than 4x4, of T.265: those of 4x4 skip the transform, and its memories.
	Large float64
}

// complete reports whether bins and coded samples are counted. Without them the model takes those that the measured planes have at as many
// bits a sample, and all samples as moving.
func (c *Counters) complete() bool { return c.MapBins+c.LevelBins+c.Coded > 0 || c.Bits == 0 }

// features are what a term multiplies.
const features = 7

// A term is an energy in fJ, or accesses, by feature.
type term [features]float64

func (t *term) at(f *[features]float64) (sum float64) {
	for i := range t {
		sum += t[i] * f[i]
	}
	return sum
}

// of returns the counters that the energy of a unit grows with. Clock and leakage go with cycles, those of what is there once for each lane
// or thread with lanes. The data of lanes go with bins: those of a map change contexts with each bin, and those of a level hardly. The
// data of the pixel path go with samples, with those that move, with those of blocks that have levels, and with those of large blocks. What levels are large by, bits say.
func (c *Counters) of(lane bool) [features]float64 {
	if lane {
		return [features]float64{c.Cycles, c.Cycles * float64(c.Lanes), c.MapBins, c.LevelBins, c.Bits}
	}
	return [features]float64{c.Cycles, c.Cycles * float64(c.Lanes), c.Samples, c.Coded, c.Bits, c.Moving, c.Large}
}

// unitModel is a unit with a term for each part of its energy.
type unitModel struct {
	name      string
	instances term    // over cycles and lanes, a cycle
	parts     [4]term // logic, state, clock, leakage
}

// entropy tells whether the data of a unit are bins: of any codec the lanes, what stands around them, and their contexts.
func entropy(unit string) bool {
	_, name, _ := strings.Cut(unit, "_")
	return slices.Contains([]string{"enc_lane", "dec_lane", "enc_code", "context", "dec_above"}, name)
}

// A Model is the energy of one side over its counters.
type Model struct {
	side     Side
	units    []unitModel
	accesses term // bits of memories read or written
	bits     term // of memories, over cycles and lanes, a cycle
	mix      mix

	// Fits is what the model tells of the measurements with clock gates that it was not fitted on.
	Fits []Fitted
	// Error is the mean of the absolute errors on these, and Worst the largest, as a share. Rough and RoughWorst are the same without
	// counts of bins and coded samples.
	Error, Worst, Rough, RoughWorst float64
}

// A Fitted is a measurement with what the model says of it, both in pJ, memories in the middle of their range included.
type Fitted struct {
	*Measurement
	Want, Got, Rough float64 // measured, by counters, by bits alone
}

// knots are the bits a sample between which bins and coded samples are interpolated.
var knots = [...]float64{0, 1, 2.5, 4, 6}

// A mix is bins and coded samples of a sample at each knot but the first, at which they are none, and what share of the samples are in large blocks,
// at any bits.
type mix struct {
	at    [4][len(knots) - 1]float64
	large float64
}

// hats returns the weights of the knots behind the first for bits a sample; beyond the last the line goes on.
func hats(bits float64) (w [len(knots) - 1]float64) {
	k := 1
	for k < len(knots)-1 && bits > knots[k] {
		k++
	}
	x := (bits - knots[k-1]) / (knots[k] - knots[k-1])
	w[k-1] = x
	if k > 1 {
		w[k-2] = 1 - x
	}
	return w
}

// fill returns counters whose bins and coded samples follow from bits.
func (m *mix) fill(c Counters) Counters {
	if c.Samples == 0 {
		return c
	}
	w := hats(c.Bits / c.Samples)
	for i, to := range []*float64{&c.MapBins, &c.LevelBins, &c.SignBins, &c.Coded} {
		for k := range w {
			*to += w[k] * m.at[i][k] * c.Samples
		}
	}
	c.Coded, c.Moving, c.Large = min(c.Coded, c.Samples), c.Samples, m.large*c.Samples
	return c
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
	Bins                          float64 // that the lanes coded or decoded
	Error, Worst                  float64 // of the model, as shares
}

// Total returns the energy with all allowances, in pJ, with memories in the middle of their range.
func (r *Result) Total() float64 { return r.Cells + r.Wires + r.Memory }

// Range returns the total with memories at either end of their range.
func (r *Result) Range() (low, high float64) {
	return r.Cells + r.Wires + r.MemoryLow, r.Cells + r.Wires + r.MemoryHigh
}

// models are fitted when they are asked for.
var models = func() map[Side]func() (*Model, error) {
	all := map[Side]func() (*Model, error){}
	for _, s := range Sides {
		all[s] = sync.OnceValues(func() (*Model, error) { return load(s) })
	}
	return all
}()

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
	var fit []*Measurement
	model := &Model{side: s}
	for i := range list {
		m := &list[i]
		switch {
		case m.Side != s || m.Gate != Gated:
		case m.Held:
			model.Fits = append(model.Fits, Fitted{Measurement: m})
		default:
			fit = append(fit, m)
		}
	}
	if len(fit) < features+1 || len(model.Fits) < 2 {
		return nil, fmt.Errorf("energy of %s: %d measurements to fit and %d beside them", s, len(fit), len(model.Fits))
	}
	weight := make([]float64, len(fit))
	for i, m := range fit {
		weight[i] = 1 / m.Cells()
	}
	column := func(lane bool, f func(*Measurement) float64) (t term) {
		x, y := make([][]float64, len(fit)), make([]float64, len(fit))
		for i, m := range fit {
			row := m.of(lane)
			x[i], y[i] = row[:], f(m)
		}
		copy(t[:], leastSquares(x, y, weight))
		return t
	}
	// What depends on the top alone is asked for a cycle of it.
	static := func(f func(*Measurement) float64) (t term) {
		x, y := make([][]float64, len(fit)), make([]float64, len(fit))
		for i, m := range fit {
			x[i], y[i] = []float64{1, float64(m.Lanes)}, f(m)
		}
		copy(t[:], leastSquares(x, y, weight))
		return t
	}
	for i, u := range fit[0].Units {
		for _, m := range fit {
			if len(m.Units) != len(fit[0].Units) || m.Units[i].Name != u.Name {
				return nil, fmt.Errorf("energy of %s: %s has other units than %s", s, m.Plane, fit[0].Plane)
			}
		}
		um := unitModel{name: u.Name, instances: static(func(m *Measurement) float64 { return float64(m.Units[i].Instances) })}
		for k := range um.parts {
			um.parts[k] = column(entropy(u.Name), func(m *Measurement) float64 {
				v := &m.Units[i]
				return [...]float64{v.Logic, v.State, v.Clock, v.Leakage}[k]
			})
		}
		model.units = append(model.units, um)
	}
	model.accesses = column(false, (*Measurement).Accessed)
	model.bits = static((*Measurement).memoryBits)
	model.mix = fitMix(fit)
	for i := range model.Fits {
		f := &model.Fits[i]
		want := f.Accessed()*MemoryBit + f.Cycles*f.memoryBits()*MemoryLeakage
		f.Want = (f.Cells() + want) / 1e3
		total := func(c Counters) float64 {
			r := model.Energy(c)
			return r.Cells + r.Memory
		}
		alone := f.Counters
		alone.MapBins, alone.LevelBins, alone.SignBins, alone.Coded, alone.Moving, alone.Large = 0, 0, 0, 0, 0, 0
		f.Got, f.Rough = total(f.Counters), total(alone)
		e, rough := math.Abs(f.Got/f.Want-1), math.Abs(f.Rough/f.Want-1)
		model.Error += e / float64(len(model.Fits))
		model.Rough += rough / float64(len(model.Fits))
		model.Worst, model.RoughWorst = max(model.Worst, e), max(model.RoughWorst, rough)
	}
	return model, nil
}

// memoryBits returns the bits that memories hold.
func (m *Measurement) memoryBits() (sum float64) {
	for _, r := range m.Memories {
		sum += float64(r.Width * r.Depth)
	}
	return sum
}

// fitMix finds bins and coded samples of a sample over bits.
func fitMix(fit []*Measurement) (m mix) {
	var x [][]float64
	weight, coded := make([]float64, len(fit)), 0.0
	for i, f := range fit {
		w := hats(f.Bits / f.Samples)
		x, weight[i] = append(x, w[:]), 1
		m.large += f.Large / f.Samples * f.Coded / f.Samples
		coded += f.Coded / f.Samples
	}
	if coded > 0 { // a run counts as far as it has levels
		m.large /= coded
	}
	for k, of := range []func(*Measurement) float64{
		func(f *Measurement) float64 { return f.MapBins / f.Samples },
		func(f *Measurement) float64 { return f.LevelBins / f.Samples },
		func(f *Measurement) float64 { return f.SignBins / f.Samples },
		func(f *Measurement) float64 { return f.Coded / f.Samples }} {
		var y []float64
		for _, f := range fit {
			y = append(y, of(f))
		}
		copy(m.at[k][:], leastSquares(x, y, weight))
	}
	return m
}

// Basis says in a line what the figures of a side rest on, with the error of the model where bins and coded samples are counted, and where
// they are not.
func Basis(s Side) string {
	m, err := For(s)
	if err != nil {
		return err.Error()
	}
	var lanes, widths []string
	for i := range m.Fits {
		if l := strconv.Itoa(m.Fits[i].Lanes); !slices.Contains(lanes, l) {
			lanes = append(lanes, l)
		}
		if w := strconv.Itoa(m.Fits[i].Width); !slices.Contains(widths, w) {
			widths = append(widths, w)
		}
	}
	return fmt.Sprintf("cells at gate level, with clock gates, by a model over cycles, samples, bins and bits (%.1f %% off in the mean and %.1f %% at worst on %d runs of other planes; "+
		"%.1f and %.1f %% by bits alone), measured with %s lanes on frames %s wide; %.0f %% more for wires; memories at %g fJ a bit of an access (%g to %g)",
		100*m.Error, 100*m.Worst, len(m.Fits), 100*m.Rough, 100*m.RoughWorst, strings.Join(lanes, " and "), strings.Join(widths, " and "), 100*Allowance, MemoryBit, MemoryBitLow, MemoryBitHigh)
}

// Energy returns the energy of an instance over its counters.
func (m *Model) Energy(c Counters) Result {
	r := Result{Error: m.Error, Worst: m.Worst}
	if !c.complete() {
		c = m.mix.fill(c)
		r.Error, r.Worst = m.Rough, m.RoughWorst
	}
	r.Bins = c.MapBins + c.LevelBins + c.SignBins
	slower := 1.0 // than the rows, whose cycles leak for a nanosecond
	if c.Clock > 0 {
		slower = 1e9 / c.Clock
	}
	lane, path := c.of(true), c.of(false)
	top := [features]float64{1, float64(c.Lanes)}
	for i := range m.units {
		u := &m.units[i]
		f := &path
		if entropy(u.name) {
			f = &lane
		}
		p := Part{Unit: u.name, Instances: int(math.Round(u.instances.at(&top))), Logic: u.parts[0].at(f) / 1e3, State: u.parts[1].at(f) / 1e3, Clock: u.parts[2].at(f) / 1e3, Leakage: u.parts[3].at(f) / 1e3 * slower}
		r.Cells += p.Total()
		r.Units = append(r.Units, p)
	}
	leakage := c.Cycles * m.bits.at(&top) * MemoryLeakage * slower
	accessed := m.accesses.at(&path)
	r.Memory, r.MemoryLow, r.MemoryHigh = (accessed*MemoryBit+leakage)/1e3, (accessed*MemoryBitLow+leakage)/1e3, (accessed*MemoryBitHigh+leakage)/1e3
	r.Wires = Allowance * r.Cells
	slices.SortStableFunc(r.Units, func(a, b Part) int { return cmp.Compare(b.Total(), a.Total()) })
	return r
}

// leastSquares fits y over the columns of x with coefficients that are not negative, each row weighted: of all subsets of the columns the best.
func leastSquares(x [][]float64, y, weight []float64) (best []float64) {
	least := math.Inf(1)
	for set := range 1 << len(x[0]) {
		t, ok := solve(x, y, weight, set)
		if !ok {
			continue
		}
		sum := 0.0
		for i := range x {
			d := -y[i]
			for j, v := range x[i] {
				d += t[j] * v
			}
			d *= weight[i]
			sum += d * d
		}
		if sum < least {
			least, best = sum, t
		}
	}
	return best
}

// solve solves the least squares of a subset of the columns; ok says that they are independent and no coefficient is negative.
func solve(x [][]float64, y, weight []float64, set int) (t []float64, ok bool) {
	t = make([]float64, len(x[0]))
	var columns []int
	for j := range t {
		if set>>j&1 != 0 {
			columns = append(columns, j)
		}
	}
	if len(columns) == 0 {
		return t, true
	}
	a, b := mat.NewDense(len(x), len(columns), nil), mat.NewVecDense(len(x), nil)
	scale := make([]float64, len(columns)) // columns differ by orders of magnitude
	for k, j := range columns {
		for i := range x {
			scale[k] = max(scale[k], math.Abs(x[i][j]*weight[i]))
		}
		if scale[k] == 0 {
			return nil, false
		}
	}
	for i := range x {
		for k, j := range columns {
			a.Set(i, k, x[i][j]*weight[i]/scale[k])
		}
		b.SetVec(i, y[i]*weight[i])
	}
	var v mat.VecDense
	if err := v.SolveVec(a, b); err != nil {
		return nil, false
	}
	for k, j := range columns {
		if t[j] = v.AtVec(k) / scale[k]; t[j] < 0 || math.IsNaN(t[j]) {
			return nil, false
		}
	}
	return t, true
}
