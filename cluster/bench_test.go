package cluster

import (
	"testing"

	"vcsim/internal/cputime"
)

// One layout after another of a search: the whole formula, its collectives
// planned before. The rate is that of a core, whatever else runs.
func BenchmarkStep(b *testing.B) {
	s := testSystem(b).evaluation()
	l := Layout{DP: 4, PP: 8, TP: 2, Microbatch: 1, Interleave: 2, Recompute: RecomputeSelective, SequenceParallel: true}
	var st Step
	b.ReportAllocs()
	start := cputime.Used(b)
	for b.Loop() {
		if err := s.step(&st, &l); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/(cputime.Used(b)-start).Seconds(), "evals/s")
}

// The whole space of LLaMA-2-7B on 64 GPUs.
func BenchmarkSearch(b *testing.B) {
	s := testSystem(b)
	var points int
	for b.Loop() {
		f, err := s.Search(&Space{GPUs: 64}, nil)
		if err != nil {
			b.Fatal(err)
		}
		points = f.Points
	}
	b.ReportMetric(float64(points), "layouts")
}
