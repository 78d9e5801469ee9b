package cluster

import (
	"testing"

	"vcsim/cluster/collective"
)

// mustStep evaluates a layout of a job.
func mustStep(t *testing.T, j Job, l Layout) Step {
	t.Helper()
	s, err := NewSystem(j)
	if err != nil {
		t.Fatal(err)
	}
	st, err := s.Step(l)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// With ZeRO 2 every micro-batch scatters the gradients, the last one under its backward pass.
func TestZeRO2Scatters(t *testing.T) {
	j := testJob()
	l := Layout{DP: 8, PP: 1, TP: 1, Microbatch: 1, Interleave: 1, ZeRO: 1}
	one := mustStep(t, j, l)
	l.ZeRO = 2
	two := mustStep(t, j, l)
	n := float64(two.Microbatches)
	if got, want := two.Params+two.DP-one.Params-one.DP, (n-1)*one.DP; !near(got, want, 1e-9) {
		t.Errorf("%v micro-batches: ZeRO 2 takes %v s more than ZeRO 1, want %v", n, got, want)
	}
	if got, want := two.Traffic-one.Traffic, (n-1)*one.Traffic/2; !near(got, want, 1e-9) {
		t.Errorf("%v micro-batches: ZeRO 2 sends %v bytes more than ZeRO 1, want %v", n, got, want)
	}
}

// What a slot takes beside its compute fills and drains the pipeline, too.
func TestBubbleOfOverheads(t *testing.T) {
	j := testJob()
	j.Model.Vocab = 1
	j.Net = collective.FlatNetwork(1e15)
	j.Eff.LaunchUS, j.Eff.SlotMS, j.Eff.OptimizerMult = 0, 400, 0
	for _, c := range []struct{ pp, v int }{{2, 1}, {8, 1}, {8, 4}} {
		st := mustStep(t, j, Layout{DP: 1, PP: c.pp, TP: 1, Microbatch: 1, Interleave: c.v})
		slot := (st.Time - st.Bubble) / float64(st.Microbatches)
		if want := float64(c.pp-1) / float64(c.v) * slot; !near(st.Bubble, want, 0.01) {
			t.Errorf("pp %d, v %d: a bubble of %v s, want %v", c.pp, c.v, st.Bubble, want)
		}
	}
}

// Messages between stages are cut over the tensor-parallel ranks where the stack does so, or their activations are.
func TestSplitSend(t *testing.T) {
	j := testJob()
	j.Eff.SplitSend = false
	j.Net = collective.FlatNetwork(1e6) // so slow that latency does not show
	l := Layout{DP: 1, PP: 2, TP: 4, Microbatch: 1, Interleave: 1}
	whole := mustStep(t, j, l)
	l.SequenceParallel = true
	parts := mustStep(t, j, l)
	j.Eff.SplitSend, l.SequenceParallel = true, false
	split := mustStep(t, j, l)
	if !near(whole.PP, 4*split.PP, 2e-3) || !near(whole.PP, 4*parts.PP, 2e-3) || whole.PP <= 0 {
		t.Errorf("messages take %v s whole, %v s split, %v s of parts, want a quarter", whole.PP, split.PP, parts.PP)
	}
}

// Arithmetic that is done again takes energy in proportion to its time.
func TestRecomputeEnergy(t *testing.T) {
	s := testSystem(t)
	p := Power{ComputePJPerFLOP: 2}
	for _, r := range []Recompute{RecomputeNone, RecomputeSelective, RecomputeFull} {
		st, err := s.Step(Layout{DP: 1, PP: 1, TP: 1, Microbatch: 1, Interleave: 1, Recompute: r})
		if err != nil {
			t.Fatal(err)
		}
		want := st.FLOPs * 2e-12 * (1 + st.Again/(st.Forward+st.Backward))
		if e := s.Energy(&st, &p); !near(e.GPU, want, 1e-9) || (st.Again > 0) != (r != RecomputeNone) {
			t.Errorf("%v: %v J, want %v; %v s of work are done again", r, e.GPU, want, st.Again)
		}
	}
}

// ZeRO 3 holds two gathered blocks: the one that computes and the next.
func TestGatheredBlocks(t *testing.T) {
	j := testJob()
	for _, tp := range []int{1, 4} {
		l := Layout{DP: 8, PP: 1, TP: tp, Microbatch: 1, Interleave: 1, ZeRO: 2}
		two := mustStep(t, j, l).Memory.Buffers
		l.ZeRO = 3
		three := mustStep(t, j, l).Memory.Buffers
		if want := 2 * 2 * j.Model.LayerParams() / float64(tp); !near(three-two, want, 1e-9) {
			t.Errorf("tp %d: %v bytes of gathered parameters, want %v", tp, three-two, want)
		}
	}
}

// A search does not try what no layout of its stages can be.
func TestSearchSkipsZeRO3(t *testing.T) {
	s := testSystem(t)
	tried := map[int]int{}
	if _, err := s.Search(&Space{GPUs: 8, PP: 2, TP: 1, Microbatch: 1}, func(st *Step, _ error) { tried[st.Layout.ZeRO]++ }); err != nil {
		t.Fatal(err)
	}
	if tried[0] == 0 || tried[1] != tried[0] || tried[2] != tried[0] || tried[3] != 0 {
		t.Errorf("layouts of two stages by ZeRO stage: %v, want none of 3", tried)
	}
}
