package cluster

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A MeasuredStep is a published measurement with what its prediction takes.
type MeasuredStep struct {
	Row  *Measurement
	File string // that it is from
	GPU  GPU
	Eff  Efficiency // of the row's stack on its GPU
}

// A Neighbour is the published training step most like a prediction, and how far
// off the model is there.
type Neighbour struct {
	ID    string  `json:"id"`
	File  string  `json:"file"`
	Error float64 `json:"error_percent"`
	GPU   string  `json:"gpu"`
}

// Nearest finds the step time nearest to a prediction: by the sum of squared
// logarithms of GPU peak, model size, layers per stage, factors of the layout,
// sequence and micro-batch, precision, network and experts. It is the zero Neighbour where no row is a step
// time that the model predicts.
func Nearest(j *Job, st *Step, rows []MeasuredStep) Neighbour {
	for _, n := range Neighbours(j, st, rows, 1) {
		return n
	}
	return Neighbour{}
}

// Neighbours are the n step times nearest to a prediction as [Nearest] has it,
// the nearest first; fewer where there are not so many.
func Neighbours(j *Job, st *Step, rows []MeasuredStep, n int) []Neighbour {
	type place struct {
		row      int
		distance float64
	}
	var order []place
	want := features(&j.Model, j.GPU.PeakTFLOPS, st.Layout, j.Seq, j.Precision, float64(j.Net.Tiers[len(j.Net.Tiers)-1].BytesPerSecond))
	for i := range rows {
		m := &rows[i]
		r := m.Row
		if r.QuantityName() != "iter_s" {
			continue
		}
		l := Layout{DP: r.DP, PP: r.PP, TP: r.TP, Microbatch: 1}
		if r.Microbatch != nil {
			l.Microbatch = *r.Microbatch
		}
		var d float64
		for k, v := range features(&r.Model, m.GPU.PeakTFLOPS, l, r.Seq, r.Precision, outerRate(r)) {
			d += (v - want[k]) * (v - want[k])
		}
		if !math.IsNaN(d) {
			order = append(order, place{i, d})
		}
	}
	slices.SortStableFunc(order, func(a, b place) int { return cmp.Compare(a.distance, b.distance) })
	var found []Neighbour
	for _, p := range order {
		if len(found) == n {
			break
		}
		m := &rows[p.row]
		measured, err := m.Row.Measured()
		if err != nil {
			continue // a row without its value is no evidence
		}
		predicted, err := m.Row.Predict(m.GPU, m.Eff)
		if err != nil {
			continue // nor is one that the model refuses
		}
		found = append(found, Neighbour{ID: m.Row.ID, File: m.File, Error: 100 * (predicted - measured) / measured, GPU: m.Row.GPU})
	}
	return found
}

func features(m *Model, peak float64, l Layout, seq int, p Precision, rate float64) [11]float64 {
	ln := func(v int) float64 { return math.Log(float64(max(1, v))) }
	experts := 0.0
	if m.Experts > 0 {
		experts = 2
	}
	return [11]float64{2 * math.Log(peak), math.Log(m.Params()), ln(m.Layers), ln(l.DP) / 2, ln(l.PP), ln(l.TP), ln(seq), ln(l.Microbatch),
		float64(p.width()), math.Log(max(1, rate)) / 8, experts}
}

// Evidence is what a prediction rests on.
type Evidence uint8

const (
	PhysicsOnly  Evidence = iota // neither the architecture nor the stack was measured
	Transferred                  // the architecture or the stack was measured, not the two on such a network in such a precision
	Interpolated                 // GPU, stack, precision and class of network were measured
	MeasuredRow                  // and a model of that size, with experts or without
)

var evidenceNames = [...]string{"physics only", "transferred", "interpolated", "measured"}

func (e Evidence) String() string { return evidenceNames[min(int(e), len(evidenceNames)-1)] }

// MarshalText writes the level's name.
func (e Evidence) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (e *Evidence) UnmarshalText(text []byte) error {
	for i, n := range evidenceNames {
		if n == string(text) {
			*e = Evidence(i)
			return nil
		}
	}
	return fmt.Errorf("evidence %q, want one of %s", text, strings.Join(evidenceNames[:], ", "))
}

// sameNetwork is the ratio of two links' rates up to which they count as one
// class of network, sameSize that of two models' parameters.
const (
	sameNetwork = 2.0
	sameSize    = 1.25
)

// EvidenceOf is the level that the published step times give a job on a GPU
// preset.
func EvidenceOf(j *Job, gpu string, rows []MeasuredStep) Evidence {
	return EvidenceFor(j, gpu, rows, "iter_s")
}

// EvidenceFor is the level that the published rows of some quantities give a
// job on a GPU preset.
func EvidenceFor(j *Job, gpu string, rows []MeasuredStep, quantities ...string) Evidence {
	best := PhysicsOnly
	within := func(a, b, ratio float64) bool { return a > 0 && b > 0 && max(a/b, b/a) <= ratio }
	for i := range rows {
		r := rows[i].Row
		if !slices.Contains(quantities, r.QuantityName()) {
			continue
		}
		level := PhysicsOnly
		arch := j.GPU.Architecture != "" && rows[i].GPU.Architecture == j.GPU.Architecture
		if arch || r.Stack == j.Eff.Stack {
			level = Transferred
		}
		if r.GPU == gpu && r.Stack == j.Eff.Stack && r.Precision == j.Precision && within(outerRate(r), float64(j.Net.Tiers[len(j.Net.Tiers)-1].BytesPerSecond), sameNetwork) {
			level = Interpolated
			if within(r.Model.Params(), j.Model.Params(), sameSize) && (r.Model.Experts > 0) == (j.Model.Experts > 0) {
				level = MeasuredRow
			}
		}
		best = max(best, level)
	}
	return best
}

// outerRate is the rate of the outermost link that a row names, in bytes per
// second; 0 where it names none.
func outerRate(r *Measurement) float64 {
	switch {
	case r.InterGbpsPerGPU != nil:
		return *r.InterGbpsPerGPU * 1e9 / 8
	case r.InterGbpsPerNode > 0:
		return r.InterGbpsPerNode * 1e9 / 8 / float64(max(1, r.GPUsPerNode))
	}
	return 0
}

// Utilisation is a step's model FLOPs over what the GPUs' peak of the job's
// precision could do, 0 to 1.
func (j *Job) Utilisation(st *Step) float64 {
	return st.FLOPs / (float64(st.Layout.GPUs()) * j.GPU.peak(j.Precision.width()) * st.Time)
}
