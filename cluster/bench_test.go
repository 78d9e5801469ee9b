package cluster

import "testing"

func BenchmarkStep(b *testing.B) {
	s := testSystem(b).evaluation()
	l := Layout{DP: 4, PP: 8, TP: 2, Microbatch: 1, Interleave: 2, Recompute: RecomputeSelective, SequenceParallel: true}
	var st Step
	b.ReportAllocs()
	for b.Loop() {
		if err := s.step(&st, &l); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(1/b.Elapsed().Seconds()*float64(b.N), "evals/s")
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
