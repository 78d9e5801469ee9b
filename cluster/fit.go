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
	if len(samples) == 0 {
		return sets, 0, errors.New("fit: no rows")
	}
	var weights float64
	used := make([]bool, len(sets))
	measured := make([]float64, len(samples))
	for i := range samples {
		m, err := samples[i].Row.Measured()
		if err != nil {
			return sets, 0, err
		}
		measured[i] = m
		weights += samples[i].Weight
		used[samples[i].Set] = true
	}
	free, err := freeConstants(sets, used, names)
	if err != nil {
		return sets, 0, err
	}
	set := func(x []float64) {
		for i := range free {
			for _, k := range free[i].sets {
				*free[i].at(&sets[k]) = free[i].fromFit(x[i])
			}
		}
	}
	errs := func(out []float64) error {
		for i := range samples {
			p, err := samples[i].Row.Predict(samples[i].GPU, sets[samples[i].Set])
			if err != nil {
				return err
			}
			out[i] = p/measured[i] - 1
		}
		return nil
	}
	n := len(free)
	x, rel := make([]float64, n), make([]float64, len(samples))
	for i := range free {
		x[i] = free[i].start
	}
	set(x)
	if err := errs(rel); err != nil {
		return sets, 0, err
	}
	total := func(x, rel []float64) float64 {
		var sum float64
		for i := range samples {
			sum += samples[i].Weight / weights * loss(rel[i])
		}
		for i := range x {
			d := x[i] - free[i].start
			sum += prior * d * d / 2
		}
		if math.IsNaN(sum) {
			return math.MaxFloat64
		}
		return sum
	}

	best := total(x, rel)
	jac := mat.NewDense(len(samples), max(1, n), nil)
	next, nextRel := make([]float64, n), make([]float64, len(samples))
	damp := 1e-2
	const step = 1e-4
	for range 200 {
		if n == 0 {
			break
		}
		for k := range x {
			copy(next, x)
			next[k] += step
			set(next)
			if err := errs(nextRel); err != nil {
				return sets, 0, err
			}
			for i := range nextRel {
				jac.Set(i, k, (nextRel[i]-rel[i])/step)
			}
		}
		a, g := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
		for k := range x {
			for m := k; m < n; m++ {
				var sum float64
				for i := range samples {
					sum += samples[i].Weight / weights / math.Hypot(rel[i], knee) * jac.At(i, k) * jac.At(i, m)
				}
				a.SetSym(k, m, sum)
			}
			var sum float64
			for i := range samples {
				sum += samples[i].Weight / weights / math.Hypot(rel[i], knee) * jac.At(i, k) * rel[i]
			}
			a.SetSym(k, k, a.At(k, k)+prior)
			g.SetVec(k, -sum-prior*(x[k]-free[k].start))
		}
		improved := false
		for range 12 {
			d := mat.NewSymDense(n, nil)
			d.CopySym(a)
			for k := range x {
				d.SetSym(k, k, a.At(k, k)*(1+damp)+1e-9)
			}
			var chol mat.Cholesky
			var move mat.VecDense
			if !chol.Factorize(d) || chol.SolveVecTo(&move, g) != nil {
				damp *= 10
				continue
			}
			for k := range x {
				next[k] = x[k] + max(-1, min(1, move.AtVec(k)))
			}
			set(next)
			if err := errs(nextRel); err == nil {
				if t := total(next, nextRel); t < best {
					improved = best-t > 1e-9
					best = t
					copy(x, next)
					copy(rel, nextRel)
					damp = max(1e-9, damp/5)
					break
				}
			}
			damp *= 4
		}
		if improved {
			continue
		}
		// The model has kinks (what is hidden is a minimum), where the slopes
		// of a step mislead: one constant at a time, then.
		before := best
		for k := range x {
			for _, d := range []float64{0.2, -0.2, 0.05, -0.05, 0.01, -0.01} {
				copy(next, x)
				next[k] += d
				set(next)
				if errs(nextRel) != nil {
					continue
				}
				if t := total(next, nextRel); t < best {
					best = t
					copy(x, next)
					copy(rel, nextRel)
					break
				}
			}
		}
		if before-best < 1e-6 {
			break
		}
		damp = 1e-2
	}
	set(x)
	// Four digits are more than the data can tell.
	for i := range free {
		for _, k := range free[i].sets {
			at := free[i].at(&sets[k])
			*at = round(*at, 4)
		}
	}
	if err := errs(rel); err != nil {
		return sets, 0, err
	}
	var mape float64
	for _, e := range rel {
		mape += math.Abs(e)
	}
	return sets, mape / float64(len(samples)), nil
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
