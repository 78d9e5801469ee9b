package cluster

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A Sample is a measurement with the preset it runs on and its weight.
type Sample struct {
	Row    Measurement
	GPU    GPU
	Weight float64
	Set    int // index of its set among those fitted
}

// Constants lists the names that [Fit] can free.
func Constants() []string {
	var names []string
	for i := range Table {
		names = append(names, Table[i].Name)
	}
	slices.Sort(names)
	return names
}

// loss of a relative error e: quadratic below knee, linear above, so that
// odd rows do not pull the fit.
func loss(e float64) float64 {
	return math.Sqrt(e*e+knee*knee) - knee
}

const knee = 0.03

// A free constant of a fit: the sets that share it.
type freeConstant struct {
	*Constant
	sets  []int
	start float64 // in the space of the fit
}

// key is what sets must have in common to share a constant: sets that name no
// architecture share nothing.
func (c *Constant) key(e *Efficiency) string {
	switch {
	case e.Architecture == "":
		return e.GPU + "/" + e.Stack
	case c.Scope == ScopeKernel:
		return e.Architecture
	case c.Scope == ScopeStack:
		return e.Stack
	}
	return e.GPU + "/" + e.Stack
}

// toFit and fromFit map a constant to the real line: logarithm, or logit where
// its maximum is physical.
func (c *Constant) toFit(v float64) float64 {
	if !c.Bounded {
		return math.Log(v)
	}
	v = min(v, 0.97*c.Max) // a set that ended on the bound starts beside it
	return math.Log(v / (c.Max - v))
}

func (c *Constant) fromFit(x float64) float64 {
	if !c.Bounded {
		return math.Exp(x)
	}
	return c.Max / (1 + math.Exp(-x))
}

// freeConstants resolves names, each NAME or NAME@KEY with the architecture,
// stack or gpu/stack that shares it.
func freeConstants(sets []Efficiency, used []bool, names []string) ([]freeConstant, error) {
	var out []freeConstant
	for _, n := range names {
		name, only, chosen := strings.Cut(n, "@")
		c := constant(name)
		if c == nil {
			return nil, fmt.Errorf("fit: unknown constant %q; known are %v", name, Constants())
		}
		at := map[string]int{}
		found := false
		for i := range sets {
			key := c.key(&sets[i])
			if !used[i] || chosen && key != only {
				continue
			}
			found = true
			v := *c.at(&sets[i])
			if !(v > 0) || c.Bounded && v > c.Max {
				return nil, fmt.Errorf("fit: %s starts at %v, outside its range", name, v)
			}
			k, ok := at[key]
			if !ok {
				k = len(out)
				at[key] = k
				out = append(out, freeConstant{Constant: c, start: c.toFit(v)})
			}
			out[k].sets = append(out[k].sets, i)
		}
		if !found {
			return nil, fmt.Errorf("fit: no set shares %s by %q", name, only)
		}
	}
	return out, nil
}

// prior is the weight of a constant's distance from its start, in e-folds,
// against the summed loss of the rows: what the rows cannot tell stays where
// physics put it.
const prior = 1e-3

// Fit adjusts the named constants of sets to the samples by damped
// Gauss-Newton steps on the loss, and returns the sets and their mean absolute
// relative error. Sets of one architecture share kernel constants, those of
// one stack its software's ([Scope]). A constant must start in its range,
// above zero. The result depends on nothing but the arguments.
func Fit(samples []Sample, sets []Efficiency, names []string) ([]Efficiency, float64, error) {
	sets = slices.Clone(sets)
	f, err := newFitting(samples, sets, names)
	if err != nil {
		return sets, 0, err
	}
	if len(f.free) > 0 {
		if err := f.descend(); err != nil {
			return sets, 0, err
		}
	}
	f.set(f.x)
	f.round()
	if err := f.errors(f.rel); err != nil {
		return sets, 0, err
	}
	var mape float64
	for _, e := range f.rel {
		mape += math.Abs(e)
	}
	return sets, mape / float64(len(samples)), nil
}

// FreeConstants is how many numbers [Fit] would adjust with these arguments: a
// constant that sets share is one.
func FreeConstants(samples []Sample, sets []Efficiency, names []string) (int, error) {
	used := make([]bool, len(sets))
	for i := range samples {
		used[samples[i].Set] = true
	}
	free, err := freeConstants(sets, used, names)
	return len(free), err
}

// A fitting is the state of one fit: where its constants are, and what the
// rows say of that place.
type fitting struct {
	samples  []Sample
	sets     []Efficiency // changed in place
	free     []freeConstant
	measured []float64 // of each sample
	weight   []float64 // of each sample; they add up to 1

	x, rel []float64 // the best place so far, in the space of the fit, and its relative errors
	best   float64   // its total
	damp   float64

	next, nextRel []float64  // a place that is tried
	jac           *mat.Dense // slopes of the errors at x, a sample a row
}

func newFitting(samples []Sample, sets []Efficiency, names []string) (*fitting, error) {
	if len(samples) == 0 {
		return nil, errors.New("fit: no rows")
	}
	f := &fitting{samples: samples, sets: sets}
	var weights float64
	used := make([]bool, len(sets))
	for i := range samples {
		m, err := samples[i].Row.Measured()
		if err != nil {
			return nil, err
		}
		f.measured = append(f.measured, m)
		f.weight = append(f.weight, samples[i].Weight)
		weights += samples[i].Weight
		used[samples[i].Set] = true
	}
	for i := range f.weight {
		f.weight[i] /= weights
	}
	var err error
	if f.free, err = freeConstants(sets, used, names); err != nil {
		return nil, err
	}
	n := len(f.free)
	f.x, f.rel = make([]float64, n), make([]float64, len(samples))
	f.next, f.nextRel = make([]float64, n), make([]float64, len(samples))
	f.jac = mat.NewDense(len(samples), max(1, n), nil)
	for i := range f.free {
		f.x[i] = f.free[i].start
	}
	f.set(f.x)
	if err := f.errors(f.rel); err != nil {
		return nil, err
	}
	f.best = f.total(f.x, f.rel)
	return f, nil
}

// set gives the sets the constants at x.
func (f *fitting) set(x []float64) {
	for i := range f.free {
		for _, k := range f.free[i].sets {
			*f.free[i].at(&f.sets[k]) = f.free[i].fromFit(x[i])
		}
	}
}

// round leaves four digits of the constants, more than the data can tell.
func (f *fitting) round() {
	for i := range f.free {
		for _, k := range f.free[i].sets {
			at := f.free[i].at(&f.sets[k])
			*at = round(*at, 4)
		}
	}
}

// errors writes the relative error of each sample under the sets as they are.
func (f *fitting) errors(out []float64) error {
	for i := range f.samples {
		s := &f.samples[i]
		p, err := s.Row.Predict(s.GPU, f.sets[s.Set])
		if err != nil {
			return err
		}
		out[i] = p/f.measured[i] - 1
	}
	return nil
}

// total is what the fit makes small: the mean loss of the samples, and the
// pull of the prior.
func (f *fitting) total(x, rel []float64) float64 {
	var sum float64
	for i := range rel {
		sum += f.weight[i] * loss(rel[i])
	}
	for i := range x {
		d := x[i] - f.free[i].start
		sum += prior * d * d / 2
	}
	if math.IsNaN(sum) {
		return math.MaxFloat64
	}
	return sum
}

// try moves to next if the model can tell its errors and the total is less
// there.
func (f *fitting) try() bool {
	f.set(f.next)
	if f.errors(f.nextRel) != nil {
		return false
	}
	t := f.total(f.next, f.nextRel)
	if !(t < f.best) {
		return false
	}
	f.best = t
	copy(f.x, f.next)
	copy(f.rel, f.nextRel)
	return true
}

// descend takes damped Gauss-Newton steps until they gain nothing. The model
// has kinks (what is hidden is a minimum), where the slopes of a step mislead:
// there it moves one constant at a time.
func (f *fitting) descend() error {
	const firstDamp = 1e-2
	f.damp = firstDamp
	for range 200 {
		if err := f.slopes(); err != nil {
			return err
		}
		if f.step() {
			continue
		}
		before := f.best
		f.single()
		if before-f.best < 1e-6 {
			break
		}
		f.damp = firstDamp
	}
	return nil
}

// slopes fills in the Jacobian at x by forward differences.
func (f *fitting) slopes() error {
	const step = 1e-4
	for k := range f.x {
		copy(f.next, f.x)
		f.next[k] += step
		f.set(f.next)
		if err := f.errors(f.nextRel); err != nil {
			return err
		}
		for i := range f.nextRel {
			f.jac.Set(i, k, (f.nextRel[i]-f.rel[i])/step)
		}
	}
	return nil
}

// normal are the normal equations of a step: a move = g.
func (f *fitting) normal() (a *mat.SymDense, g *mat.VecDense) {
	n := len(f.x)
	a, g = mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for k := range f.x {
		for m := k; m < n; m++ {
			var sum float64
			for i := range f.rel {
				sum += f.weight[i] / math.Hypot(f.rel[i], knee) * f.jac.At(i, k) * f.jac.At(i, m)
			}
			a.SetSym(k, m, sum)
		}
		var sum float64
		for i := range f.rel {
			sum += f.weight[i] / math.Hypot(f.rel[i], knee) * f.jac.At(i, k) * f.rel[i]
		}
		a.SetSym(k, k, a.At(k, k)+prior)
		g.SetVec(k, -sum-prior*(f.x[k]-f.free[k].start))
	}
	return a, g
}

// step moves along the slopes, with more damping until the total falls, and
// reports whether it fell by anything worth a further step.
func (f *fitting) step() bool {
	a, g := f.normal()
	for range 12 {
		d := mat.NewSymDense(len(f.x), nil)
		d.CopySym(a)
		for k := range f.x {
			d.SetSym(k, k, a.At(k, k)*(1+f.damp)+1e-9)
		}
		var chol mat.Cholesky
		var move mat.VecDense
		if !chol.Factorize(d) || chol.SolveVecTo(&move, g) != nil {
			f.damp *= 10
			continue
		}
		for k := range f.x {
			f.next[k] = f.x[k] + max(-1, min(1, move.AtVec(k)))
		}
		before := f.best
		if f.try() {
			f.damp = max(1e-9, f.damp/5)
			return before-f.best > 1e-9
		}
		f.damp *= 4
	}
	return false
}

// single moves one constant at a time by the first of a few distances that
// lowers the total.
func (f *fitting) single() {
	for k := range f.x {
		for _, d := range []float64{0.2, -0.2, 0.05, -0.05, 0.01, -0.01} {
			copy(f.next, f.x)
			f.next[k] += d
			if f.try() {
				break
			}
		}
	}
}

// round keeps digits significant decimal digits.
func round(v float64, digits int) float64 {
	if v == 0 {
		return 0
	}
	k := math.Pow(10, float64(digits)-math.Ceil(math.Log10(math.Abs(v))))
	return math.Round(v*k) / k
}

// LeaveOut fits the constants on all samples but those of one key, predicts
// those, in turn for each key, and returns the relative error of each sample.
// A set that no other sample has is transferred: its kernels from a set of
// the same architecture, the rest from one of the same stack, where there are
// such.
func LeaveOut(samples []Sample, sets []Efficiency, names []string, key func(*Sample) string) ([]float64, error) {
	at := map[string][]int{}
	var order []string
	for i := range samples {
		k := key(&samples[i])
		if at[k] == nil {
			order = append(order, k)
		}
		at[k] = append(at[k], i)
	}
	if len(order) < 2 {
		return nil, errors.New("leave one out: the rows have one key only")
	}
	out := make([]float64, len(samples))
	for _, held := range order {
		var rest []Sample
		seen := make([]bool, len(sets))
		for i := range samples {
			if key(&samples[i]) != held {
				rest = append(rest, samples[i])
				seen[samples[i].Set] = true
			}
		}
		fitted, _, err := Fit(rest, sets, known(rest, sets, names))
		if err != nil {
			return nil, err
		}
		for i := range fitted {
			if !seen[i] {
				fitted[i] = stand(fitted, seen, i)
			}
		}
		for _, i := range at[held] {
			p, err := samples[i].Row.Predict(samples[i].GPU, fitted[samples[i].Set])
			if err != nil {
				return nil, err
			}
			m, err := samples[i].Row.Measured()
			if err != nil {
				return nil, err
			}
			out[i] = p/m - 1
		}
	}
	return out, nil
}

// known leaves out of names those NAME@KEY that no sample's set has.
func known(samples []Sample, sets []Efficiency, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		name, only, chosen := strings.Cut(n, "@")
		c := constant(name)
		return chosen && c != nil && !slices.ContainsFunc(samples, func(s Sample) bool { return c.key(&sets[s.Set]) == only })
	})
}

// stand makes the i-th set, which no sample fitted, out of those seen.
func stand(sets []Efficiency, seen []bool, i int) Efficiency {
	e := sets[i]
	for c := range Table {
		for k := range sets {
			if seen[k] && Table[c].key(&sets[k]) == Table[c].key(&sets[i]) {
				*Table[c].at(&e) = *Table[c].at(&sets[k])
			}
		}
	}
	return e
}

// ByModel tells samples apart by their model's layers and hidden size, ByGPU
// by their preset, ByNetwork by the kind and the rate of what joins their nodes.
func ByModel(s *Sample) string { return fmt.Sprint(s.Row.Model.Layers, "x", s.Row.Model.Hidden) }
func ByGPU(s *Sample) string   { return s.Row.GPU }
func ByNetwork(s *Sample) string {
	return fmt.Sprint(s.Row.Fabric, " ", orZero(s.Row.InterGbpsPerGPU), " ", s.Row.InterGbpsPerNode)
}
