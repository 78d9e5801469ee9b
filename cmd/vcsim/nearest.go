package main

import (
	"math"

	"vcsim/cluster"
	"vcsim/internal/config"
	"vcsim/internal/presets"
)

// A nearest is the published training step most like a prediction, and how far
// off the model is there.
type nearest struct {
	ID    string  `json:"id"`
	File  string  `json:"file"`
	Error float64 `json:"error_percent"`
	GPU   string  `json:"gpu"`
}

// nearestMeasurement finds the built-in step time nearest to the prediction:
// by the sum of squared logarithms of GPU peak, model size, layers per stage,
// factors of the layout, sequence and micro-batch. Only rows whose stack has
// constants of its own count.
func nearestMeasurement(j *cluster.Job, st *cluster.Step) (nearest, error) {
	var best nearest
	least := math.Inf(1)
	stacks, err := config.Presets[cluster.Efficiency]("stacks")
	if err != nil {
		return best, err
	}
	fitted := map[[2]string]cluster.Efficiency{}
	for _, s := range stacks {
		fitted[[2]string{s.Value.GPU, s.Value.Stack}] = s.Value
	}
	want := features(&j.Model, j.GPU.PeakTFLOPS, st.Layout, j.Seq)
	for _, name := range config.MeasurementNames() {
		f, err := presets.Measured(name)
		if err != nil {
			return best, err
		}
		for i := range f.Rows {
			r := &f.Rows[i]
			if _, ok := fitted[[2]string{r.GPU, r.Stack}]; !ok || r.QuantityName() != "iter_s" {
				continue
			}
			l := cluster.Layout{DP: r.DP, PP: r.PP, TP: r.TP, Microbatch: 1}
			if r.Microbatch != nil {
				l.Microbatch = *r.Microbatch
			}
			var d float64
			for k, v := range features(&r.Model, f.GPUs[i].PeakTFLOPS, l, r.Seq) {
				d += (v - want[k]) * (v - want[k])
			}
			if d >= least {
				continue
			}
			v, err := f.Predict(i, fitted)
			if err != nil {
				continue // a row the model refuses is no evidence
			}
			least = d
			best = nearest{ID: r.ID, File: name, Error: v.Error, GPU: r.GPU}
		}
	}
	return best, nil
}

func features(m *cluster.Model, peak float64, l cluster.Layout, seq int) [8]float64 {
	ln := func(v int) float64 { return math.Log(float64(max(1, v))) }
	return [8]float64{2 * math.Log(peak), math.Log(m.Params()), ln(m.Layers), ln(l.DP) / 2, ln(l.PP), ln(l.TP), ln(seq), ln(l.Microbatch)}
}
