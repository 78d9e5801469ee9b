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

// TestEvidence: each level from the rows that give it.
func TestEvidence(t *testing.T) {
	j := testJob() // 10 Gbit/s, stack test
	j.GPU.Architecture = "ampere"
	gbps := 15.0
	row := func(edit func(*MeasuredStep)) MeasuredStep {
		rate := gbps
		r := Measurement{Model: llama7b, GPU: "a100-80g", Stack: "test", InterGbpsPerGPU: &rate}
		m := MeasuredStep{Row: &r, GPU: a100}
		m.GPU.Architecture = "ampere"
		edit(&m)
		return m
	}
	big := llama7b
	big.Layers = 64
	moe := llama7b
	moe.Experts, moe.TopK = 1, 1
	for _, c := range []struct {
		name string
		edit func(*MeasuredStep)
		want Evidence
	}{
		{"the job", func(*MeasuredStep) {}, MeasuredRow},
		{"another size", func(m *MeasuredStep) { m.Row.Model = big }, Interpolated},
		{"experts", func(m *MeasuredStep) { m.Row.Model = moe }, Interpolated},
		{"another network", func(m *MeasuredStep) { *m.Row.InterGbpsPerGPU = 20.1 }, Transferred},
		{"just that network", func(m *MeasuredStep) { *m.Row.InterGbpsPerGPU = 20 }, MeasuredRow},
		{"a slower network", func(m *MeasuredStep) { *m.Row.InterGbpsPerGPU = 4.9 }, Transferred},
		{"a rate by node", func(m *MeasuredStep) { m.Row.InterGbpsPerGPU, m.Row.InterGbpsPerNode, m.Row.GPUsPerNode = nil, 80, 8 }, MeasuredRow},
		{"no network", func(m *MeasuredStep) { m.Row.InterGbpsPerGPU = nil }, Transferred},
		{"another precision", func(m *MeasuredStep) { m.Row.Precision = FP8 }, Transferred},
		{"another GPU", func(m *MeasuredStep) { m.Row.GPU = "a100-40g" }, Transferred},
		{"another architecture", func(m *MeasuredStep) { m.Row.GPU, m.GPU.Architecture = "h100-sxm", "hopper" }, Transferred},
		{"another stack", func(m *MeasuredStep) { m.Row.Stack = "other" }, Transferred},
		{"nothing alike", func(m *MeasuredStep) { m.Row.GPU, m.GPU.Architecture, m.Row.Stack = "h100-sxm", "hopper", "other" }, PhysicsOnly},
		{"no step", func(m *MeasuredStep) { m.Row.Quantity = "allreduce_s" }, PhysicsOnly},
	} {
		if got := EvidenceOf(&j, "a100-80g", []MeasuredStep{row(c.edit)}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := EvidenceOf(&j, "a100-80g", []MeasuredStep{row(func(m *MeasuredStep) { m.Row.Stack = "other" }), row(func(*MeasuredStep) {}), row(func(m *MeasuredStep) { m.Row.GPU = "x" })}); got != MeasuredRow {
		t.Errorf("the best of three is %v", got)
	}
	for _, e := range []Evidence{PhysicsOnly, Transferred, Interpolated, MeasuredRow} {
		text, err := e.MarshalText()
		var back Evidence
		if err != nil || back.UnmarshalText(text) != nil || back != e {
			t.Errorf("%v comes back as %v", e, back)
		}
	}
	if new(Evidence).UnmarshalText([]byte("hearsay")) == nil {
		t.Error("hearsay is evidence")
	}
	st := Step{Layout: Layout{DP: 2, PP: 1, TP: 1}, FLOPs: 312e12, Time: 2}
	if got := j.Utilisation(&st); !near(got, 0.25, 1e-12) {
		t.Errorf("utilisation %v, want 0.25", got)
	}
}

// TestEvidenceNames: a level comes back from its name.
func TestEvidenceNames(t *testing.T) {
	for want := PhysicsOnly; want <= MeasuredRow; want++ {
		var got Evidence
		text, err := want.MarshalText()
		if err != nil || got.UnmarshalText(text) != nil || got != want {
			t.Errorf("%v comes back as %v", want, got)
		}
	}
	var e Evidence
	if e.UnmarshalText([]byte("hearsay")) == nil {
		t.Error("hearsay is evidence")
	}
}
