package cluster

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/optimize"
)

// A Sample is a measurement with the preset it runs on and its weight.
type Sample struct {
	Row    Measurement
	GPU    GPU
	Weight float64
}

// free constants of [Fit]: a pointer into the set, and the bound above it (0:
// none); all of them are positive.
func constants(e *Efficiency) map[string]struct {
	at  *float64
	max float64
} {
	type c = struct {
		at  *float64
		max float64
	}
	return map[string]c{
		"gemm_fraction": {&e.GEMMFraction, 1}, "gemm_half_dim": {&e.GEMMHalfDim, 0}, "gemm_half_depth": {&e.GEMMHalfDepth, 0},
		"attention_fraction": {&e.AttentionFraction, 1}, "memory_fraction": {&e.MemoryFraction, 1},
		"launch_us": {&e.LaunchUS, 0}, "slot_ms": {&e.SlotMS, 0}, "step_ms": {&e.StepMS, 0}, "optimizer_mult": {&e.OptimizerMult, 0},
		"intra_fraction": {&e.IntraFraction, 2}, "intra_us": {&e.IntraUS, 0},
		"inter_fraction": {&e.InterFraction, 1.5}, "inter_us": {&e.InterUS, 0}, "inter_cap_gb_per_s": {&e.InterCapGB, 0},
		"dp_overlap": {&e.DPOverlap, 1}, "param_overlap": {&e.ParamOverlap, 1},
	}
}

// Constants lists the names that [Fit] can free.
func Constants() []string {
	var e Efficiency
	var names []string
	for n := range constants(&e) {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// loss of a relative error e: quadratic below knee, linear above, so that
// odd rows do not pull the fit.
func loss(e float64) float64 {
	const knee = 0.03
	return math.Sqrt(e*e+knee*knee) - knee
}

// Fit adjusts the named constants of start to the samples, by Nelder-Mead with
// restarts, and returns the set and its mean absolute relative error. A
// constant must start in its range, above zero. The result depends on
// nothing but the arguments.
func Fit(samples []Sample, start Efficiency, free []string) (Efficiency, float64, error) {
	if len(samples) == 0 {
		return start, 0, errors.New("fit: no rows")
	}
	measured := make([]float64, len(samples))
	for i := range samples {
		m, err := samples[i].Row.Measured()
		if err != nil {
			return start, 0, err
		}
		measured[i] = m
	}
	set := func(x []float64) Efficiency {
		e := start
		all := constants(&e)
		for i, n := range free {
			c := all[n]
			if c.max > 0 {
				*c.at = c.max / (1 + math.Exp(-x[i]))
			} else {
				*c.at = math.Exp(x[i])
			}
		}
		return e
	}
	x := make([]float64, len(free))
	all := constants(&start)
	for i, n := range free {
		c, ok := all[n]
		if !ok {
			return start, 0, fmt.Errorf("fit: unknown constant %q; known are %v", n, Constants())
		}
		v := *c.at
		if !(v > 0) || c.max > 0 && v > c.max {
			return start, 0, fmt.Errorf("fit: %s starts at %v, outside its range", n, v)
		}
		if c.max > 0 {
			v = math.Min(v, 0.999*c.max) // a set that ended on the bound starts beside it
		}
		if c.max > 0 {
			x[i] = math.Log(v / (c.max - v))
		} else {
			x[i] = math.Log(v)
		}
	}
	errs := func(e Efficiency, f func(i int, rel float64)) error {
		for i := range samples {
			p, err := samples[i].Row.Predict(samples[i].GPU, e)
			if err != nil {
				return err
			}
			f(i, p/measured[i]-1)
		}
		return nil
	}
	objective := func(x []float64) float64 {
		var sum float64
		e := set(x)
		if err := errs(e, func(i int, rel float64) { sum += samples[i].Weight * loss(rel) }); err != nil || math.IsNaN(sum) {
			return math.MaxFloat64
		}
		return sum
	}
	if err := errs(start, func(int, float64) {}); err != nil {
		return start, 0, err
	}
	for range 6 {
		if len(free) == 0 {
			break
		}
		r, err := optimize.Minimize(optimize.Problem{Func: objective}, x,
			&optimize.Settings{FuncEvaluations: 1000}, &optimize.NelderMead{SimplexSize: 0.3})
		if r == nil {
			return start, 0, fmt.Errorf("fit: %w", err)
		}
		x = r.X
	}
	best := start
	if len(free) > 0 {
		best = set(x)
	}
	// Four digits are more than the data can tell.
	for _, n := range free {
		at := constants(&best)[n].at
		*at = round(*at, 4)
	}
	var mape float64
	err := errs(best, func(_ int, rel float64) { mape += math.Abs(rel) })
	return best, mape / float64(len(samples)), err
}

// round keeps digits significant decimal digits.
func round(v float64, digits int) float64 {
	if v == 0 {
		return 0
	}
	k := math.Pow(10, float64(digits)-math.Ceil(math.Log10(math.Abs(v))))
	return math.Round(v*k) / k
}

// LeaveOneModelOut fits the constants on all models but one, predicts that
// one's rows, in turn for each model, and returns the mean absolute relative
// error over all rows. Models are told apart by layers and hidden size.
func LeaveOneModelOut(samples []Sample, start Efficiency, free []string) (float64, error) {
	type shape struct{ layers, hidden int }
	at := map[shape][]int{}
	var order []shape
	for i := range samples {
		s := shape{samples[i].Row.Model.Layers, samples[i].Row.Model.Hidden}
		if at[s] == nil {
			order = append(order, s)
		}
		at[s] = append(at[s], i)
	}
	if len(order) < 2 {
		return 0, errors.New("leave one model out: the rows name one model only")
	}
	var sum float64
	for _, held := range order {
		var rest []Sample
		for i := range samples {
			if s := (shape{samples[i].Row.Model.Layers, samples[i].Row.Model.Hidden}); s != held {
				rest = append(rest, samples[i])
			}
		}
		e, _, err := Fit(rest, start, free)
		if err != nil {
			return 0, err
		}
		for _, i := range at[held] {
			p, err := samples[i].Row.Predict(samples[i].GPU, e)
			if err != nil {
				return 0, err
			}
			m, _ := samples[i].Row.Measured()
			sum += math.Abs(p/m - 1)
		}
	}
	return sum / float64(len(samples)), nil
}
