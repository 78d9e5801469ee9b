package cluster

import (
	"math"
	"testing"
)

// TestNearest: the row of the job itself wins over others, whatever their order; rows of other quantities, without a value or that
// the model refuses do not count.
func TestNearest(t *testing.T) {
	s := testSystem(t)
	layout := Layout{DP: 4, PP: 2, TP: 2, CP: 1, Microbatch: 1, Interleave: 1, Recompute: RecomputeFull}
	st, err := s.Step(layout)
	if err != nil {
		t.Fatal(err)
	}
	one, full := 1, RecomputeFull
	row := func(id string, change func(*Measurement)) MeasuredStep {
		r := Measurement{ID: id, Model: llama7b, GPU: "a100-80g", Stack: "test", Seq: 4096, TP: 2, PP: 2, DP: 4, GPUs: 16, GPUsPerNode: 8,
			GlobalBatch: 64, Microbatch: &one, Interleave: &one, Recompute: &full, IterS: 10}
		if change != nil {
			change(&r)
		}
		return MeasuredStep{Row: &r, File: "f", GPU: a100, Eff: plainEff}
	}
	same := row("same", nil)
	predicted, err := same.Row.Predict(a100, plainEff)
	if err != nil {
		t.Fatal(err)
	}
	far := []MeasuredStep{
		row("short", func(r *Measurement) { r.Seq = 2048 }),
		row("wide", func(r *Measurement) { r.DP, r.TP = 8, 1 }),
		row("quantity", func(r *Measurement) { r.Quantity, r.AllreduceS = "allreduce_s", 1 }),
		row("valueless", func(r *Measurement) { r.IterS = 0 }),
		row("refused", func(r *Measurement) { r.GPUs = 17 }),
	}
	for i := range len(far) + 1 {
		rows := append(append(append([]MeasuredStep{}, far[:i]...), same), far[i:]...)
		got := Nearest(&s.Job, &st, rows)
		if want := 100 * (predicted/10 - 1); got.ID != "same" || got.File != "f" || got.GPU != "a100-80g" || math.Abs(got.Error-want) > 1e-9 {
			t.Errorf("at place %d: got %+v, want the row of the job, %.3f %% off", i, got, want)
		}
	}
	if got := Nearest(&s.Job, &st, far[:2]); got.ID != "short" && got.ID != "wide" {
		t.Errorf("without the row of the job: got %+v", got)
	}
	if got := Nearest(&s.Job, &st, far[2:]); got != (Neighbour{}) {
		t.Errorf("rows that do not count: got %+v", got)
	}
}
