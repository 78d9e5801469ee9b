package study

import (
	"fmt"
	"math"
	"strings"

	"vcsim/cluster"
)

// A Basis is what one kind of number of a study rests on.
type Basis struct {
	Of    string           `json:"of"`    // the numbers
	Level cluster.Evidence `json:"level"` // measured, interpolated, transferred or physics only
	Rows  string           `json:"rows"`  // the nearest measurements and how far the model is off there
}

// nearRows is how many neighbours are named.
const nearRows = 3

// Bases are those of the numbers of a study of a GPU preset: the step, the speedups of codecs, memory, and energy.
func (s *Setting) Bases(of *cluster.Study, gpu string, rows []cluster.MeasuredStep) []Basis {
	near := cluster.Neighbours(&s.Job, &of.Base, rows, nearRows)
	var names []string
	for _, n := range near {
		names = append(names, fmt.Sprintf("%s %+.1f %%", n.ID, n.Error))
	}
	step := Basis{"step, tokens a second", cluster.EvidenceOf(&s.Job, gpu, rows), strings.Join(names, ", ")}
	list := []Basis{step,
		s.basis("speedups, with a codec on the link", gpu, rows, "compressed_speedup"),
		s.basis("memory", gpu, rows, "allocated", "activations", "parameters+gradients+optimizer"),
		s.basis("energy, energy gains", gpu, rows, "node_power")}
	for i := range list[1:] {
		// What follows from a step is no better known than the step.
		if b := &list[i+1]; b.Of != "memory" {
			b.Level = min(b.Level, step.Level)
		}
	}
	return list
}

// basis is the level that rows of some quantities give, and the model's error over them, those of the GPU's architecture or the stack where
// there are such.
func (s *Setting) basis(of, gpu string, rows []cluster.MeasuredStep, quantities ...string) Basis {
	b := Basis{Of: of, Level: cluster.EvidenceFor(&s.Job, gpu, rows, quantities...)}
	var close, all []float64
	for i := range rows {
		r := rows[i].Row
		found := false
		for _, q := range quantities {
			found = found || r.QuantityName() == q
		}
		measured, err := r.Measured()
		if !found || err != nil {
			continue
		}
		predicted, err := r.Predict(rows[i].GPU, rows[i].Eff)
		if err != nil {
			continue
		}
		e := 100 * (predicted/measured - 1)
		all = append(all, e)
		if arch := rows[i].GPU.Architecture; arch != "" && arch == s.Job.GPU.Architecture || r.Stack == s.Job.Eff.Stack {
			close = append(close, e)
		}
	}
	which := "of this architecture or stack"
	if len(close) == 0 {
		close, which = all, "of other GPUs and stacks"
	}
	if len(close) == 0 {
		b.Rows = "none measured"
		return b
	}
	mean, most := 0.0, 0.0
	for _, e := range close {
		mean += math.Abs(e) / float64(len(close))
		most = max(most, math.Abs(e))
	}
	b.Rows = fmt.Sprintf("%d rows %s: off by %.1f %% on average, at most %.1f", len(close), which, mean, most)
	return b
}
