package cluster

import "math"

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
// sequence and micro-batch. It is the zero Neighbour where no row is a step
// time that the model predicts.
func Nearest(j *Job, st *Step, rows []MeasuredStep) Neighbour {
	var best Neighbour
	least := math.Inf(1)
	want := features(&j.Model, j.GPU.PeakTFLOPS, st.Layout, j.Seq)
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
		for k, v := range features(&r.Model, m.GPU.PeakTFLOPS, l, r.Seq) {
			d += (v - want[k]) * (v - want[k])
		}
		if d >= least {
			continue
		}
		measured, err := r.Measured()
		if err != nil {
			continue // a row without its value is no evidence
		}
		predicted, err := r.Predict(m.GPU, m.Eff)
		if err != nil {
			continue // nor is one that the model refuses
		}
		least = d
		best = Neighbour{ID: r.ID, File: m.File, Error: 100 * (predicted - measured) / measured, GPU: r.GPU}
	}
	return best
}

func features(m *Model, peak float64, l Layout, seq int) [8]float64 {
	ln := func(v int) float64 { return math.Log(float64(max(1, v))) }
	return [8]float64{2 * math.Log(peak), math.Log(m.Params()), ln(m.Layers), ln(l.DP) / 2, ln(l.PP), ln(l.TP), ln(seq), ln(l.Microbatch)}
}
