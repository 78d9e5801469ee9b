package cluster

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func planted(t *testing.T, truth Efficiency) []Sample {
	t.Helper()
	var out []Sample
	one, full := 1, RecomputeFull
	intra, inter := 300.0, 100.0
	for _, hidden := range []int{1024, 2048, 4096} {
		for _, tp := range []int{1, 2, 8} {
			for _, dp := range []int{1, 4} {
				for _, mb := range []int{1, 4} {
					mb := mb
					m := Measurement{ID: fmt.Sprintf("h%d-tp%d-dp%d-mb%d", hidden, tp, dp, mb), Seq: 2048, TP: tp, PP: 1, DP: dp, GPUs: tp * dp,
						GPUsPerNode: 8, GlobalBatch: 16, Microbatch: &mb, Interleave: &one, Recompute: &full, IntraGBPerS: &intra, InterGbpsPerGPU: &inter,
						Model: Model{Layers: 16, Hidden: hidden, Heads: 16, KVHeads: 16, FFN: 4 * hidden, Tied: true, Vocab: 32000}}
					p, err := m.Predict(a100, truth)
					if err != nil {
						t.Fatal(err)
					}
					m.IterS = p
					out = append(out, Sample{Row: m, GPU: a100, Weight: 1})
				}
			}
		}
	}
	return out
}

func TestFitFindsPlantedConstants(t *testing.T) {
	truth := plainEff
	truth.GEMMFraction, truth.MemoryFraction, truth.LaunchUS = 0.65, 0.7, 30
	start := plainEff
	start.GEMMFraction, start.MemoryFraction, start.LaunchUS = 0.8, 0.9, 10
	sets, mape, err := Fit(planted(t, truth), []Efficiency{start}, []string{"gemm_fraction", "memory_fraction", "launch_us"})
	if err != nil {
		t.Fatal(err)
	}
	got := sets[0]
	if mape > 1e-3 || !near(got.GEMMFraction, 0.65, 0.01) || !near(got.MemoryFraction, 0.7, 0.01) || !near(got.LaunchUS, 30, 0.01) {
		t.Errorf("got gemm_fraction %v, memory_fraction %v, launch_us %v with error %v; planted 0.65, 0.7, 30",
			got.GEMMFraction, got.MemoryFraction, got.LaunchUS, mape)
	}
	held, err := LeaveOut(planted(t, truth), []Efficiency{start}, []string{"gemm_fraction", "memory_fraction", "launch_us"}, ByModel)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range held {
		if math.Abs(e) > 0.01 {
			t.Errorf("model left out: row %d is %.2f %% off, want under 1 %%", i, 100*e)
		}
	}
}

func TestFitRefuses(t *testing.T) {
	s := planted(t, plainEff)
	for _, c := range []struct {
		name    string
		samples []Sample
		free    []string
		want    string
	}{
		{"no rows", nil, nil, "no rows"},
		{"unknown constant", s, []string{"luck"}, "unknown constant"},
		{"zero start", s, []string{"step_ms"}, "outside its range"},
	} {
		if _, _, err := Fit(c.samples, []Efficiency{plainEff}, c.free); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
	}
}

func TestPredictRefuses(t *testing.T) {
	good := planted(t, plainEff)[0].Row
	for name, spoil := range map[string]func(*Measurement){
		"unknown quantity": func(m *Measurement) { m.Quantity = "happiness" },
		"no batch":         func(m *Measurement) { m.GlobalBatch = 0; m.Microbatch = nil },
		"heads":            func(m *Measurement) { m.TP = 3 },
		"cp":               func(m *Measurement) { m.CP = 3 },
		"gpus":             func(m *Measurement) { m.GPUs = 99 },
		"no model":         func(m *Measurement) { m.Model = Model{} },
	} {
		m := good
		spoil(&m)
		if _, err := m.Predict(a100, plainEff); err == nil || !strings.Contains(err.Error(), "row "+m.ID) {
			t.Errorf("%s: got %v, want an error that names the row", name, err)
		}
	}
	m := good
	m.IterS = 0
	if _, err := m.Measured(); err == nil {
		t.Error("a row without its measured value: accepted")
	}
}

// An open micro-batch and interleave take the best choice that fits.
func TestOpenFieldsAreSearched(t *testing.T) {
	m := planted(t, plainEff)[0].Row
	m.PP, m.DP, m.GPUs = 4, 1, 4
	fixed := 0.0
	for _, mb := range []int{1, 2, 4, 8, 16} {
		for _, v := range []int{1, 2, 4} {
			mb, v := mb, v
			m.Microbatch, m.Interleave = &mb, &v
			if p, err := m.Predict(a100, plainEff); err == nil && (fixed == 0 || p < fixed) {
				fixed = p
			}
		}
	}
	m.Microbatch, m.Interleave = nil, nil
	open, err := m.Predict(a100, plainEff)
	if err != nil {
		t.Fatal(err)
	}
	if open != fixed {
		t.Errorf("open fields: %v s, best of the fixed ones %v s", open, fixed)
	}
}

// A set that was fitted onto the bound of a constant can be fitted again.
func TestFitFromBound(t *testing.T) {
	s := planted(t, plainEff)
	start := plainEff
	start.GEMMFraction = 1
	sets, _, err := Fit(s, []Efficiency{start}, []string{"gemm_fraction"})
	if err != nil {
		t.Fatal(err)
	}
	if e := sets[0]; !near(e.GEMMFraction, plainEff.GEMMFraction, 1e-2) {
		t.Errorf("from the bound: gemm_fraction %v, want %v", e.GEMMFraction, plainEff.GEMMFraction)
	}
	start.GEMMFraction = 1.01
	if _, _, err := Fit(s, []Efficiency{start}, []string{"gemm_fraction"}); err == nil {
		t.Error("from beyond the bound: no error")
	}
}

// Sets of one architecture share kernel constants and those of one stack its
// software's, so each counts once; a set that no sample has counts for nothing.
func TestFreeConstants(t *testing.T) {
	set := func(gpu, stack string) Efficiency {
		return Efficiency{GPU: gpu, Stack: stack, Architecture: "x", GEMMFraction: 0.5, Traffic: 1, LaunchUS: 10}
	}
	sets := []Efficiency{set("a", "s"), set("b", "s"), set("b", "t"), set("c", "u")}
	samples := []Sample{{Set: 0}, {Set: 1}, {Set: 2}, {Set: 2}}
	for _, c := range []struct {
		names string
		want  int
	}{{"gemm_fraction", 1}, {"traffic_mult", 2}, {"launch_us", 3}, {"gemm_fraction,traffic_mult,launch_us", 6}, {"launch_us@b/t,traffic_mult@s", 2}} {
		if got, err := FreeConstants(samples, sets, strings.Split(c.names, ",")); err != nil || got != c.want {
			t.Errorf("%s: %d constants, %v, want %d", c.names, got, err, c.want)
		}
	}
	if _, err := FreeConstants(samples, sets, []string{"traffic_mult@u"}); err == nil {
		t.Error("a constant of a stack without samples is counted")
	}
}
