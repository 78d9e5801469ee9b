package cluster

import (
	"errors"
	"math"
	"strings"
	"testing"

	"vcsim/cluster/collective"
)

// With equal stages, no head and no messages the pipeline takes
// (m + (p-1)/v) slots of a stage.
func TestBubble(t *testing.T) {
	j := testJob()
	j.Model.Vocab = 1 // a head and an embedding that weigh nothing
	j.Net = collective.FlatNetwork(1e15)
	j.Eff.LaunchUS, j.Eff.SlotMS, j.Eff.OptimizerMult = 0, 0, 0
	s, err := NewSystem(j)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ pp, v int }{{2, 1}, {8, 1}, {8, 2}, {8, 4}} {
		l := Layout{DP: 1, PP: c.pp, TP: 1, Microbatch: 1, Interleave: c.v}
		st, err := s.Step(l)
		if err != nil {
			t.Fatal(err)
		}
		m := float64(st.Microbatches)
		want := float64(c.pp-1) / float64(c.v) / m
		if got := st.Bubble / (st.Forward + st.Backward); !near(got, want, 0.01) {
			t.Errorf("pp %d, v %d: bubble is %.4f of the work, want (p-1)/(v m) = %.4f", c.pp, c.v, got, want)
		}
	}
}

// The printed components of a step are the step.
func TestComponentsAddUp(t *testing.T) {
	j := testJob()
	j.Checkpoint = Checkpoint{Steps: 100, BytesPerSecond: 1e9, Ratio: 1.5}
	s, err := NewSystem(j)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []Layout{
		{DP: 4, PP: 1, TP: 1, Microbatch: 1, Interleave: 1},
		{DP: 4, PP: 8, TP: 1, Microbatch: 1, Interleave: 2, Recompute: RecomputeFull},
		{DP: 2, PP: 4, TP: 4, Microbatch: 2, Interleave: 1, Recompute: RecomputeSelective, SequenceParallel: true, ZeRO: 1},
		{DP: 8, PP: 1, TP: 2, Microbatch: 1, Interleave: 1, ZeRO: 3},
		{DP: 8, PP: 2, TP: 2, Microbatch: 1, Interleave: 1, ZeRO: 2},
		{DP: 2, PP: 2, TP: 2, CP: 4, Microbatch: 1, Interleave: 1, Recompute: RecomputeSelective},
	} {
		st, err := s.Step(l)
		if err != nil {
			t.Fatal(err)
		}
		sum := st.Forward + st.Backward + st.Again + st.TP + st.CP + st.EP + st.Offload + st.Jitter + st.PP + st.Params + st.Bubble + st.DP + st.Optimizer + st.Host + st.Checkpoint
		if !near(sum, st.Time, 1e-9) {
			t.Errorf("%s: components add up to %v, step takes %v", l, sum, st.Time)
		}
		for _, v := range []float64{st.Forward, st.Backward, st.Again, st.TP, st.PP, st.Params, st.Bubble, st.DP, st.Optimizer, st.Host, st.Hidden} {
			if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: a component is %v: %+v", l, v, st)
			}
		}
	}
}

func TestOverlapIsBounded(t *testing.T) {
	l := Layout{DP: 64, PP: 1, TP: 1, Microbatch: 1, Interleave: 1}
	j := testJob()
	run := func(overlap, rate float64) Step {
		j.Eff.DPOverlap = overlap
		j.Net = collective.FlatNetwork(collective.BytesPerSecond(rate))
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
	none, half, slow := run(0, 100e9), run(0.5, 100e9), run(1, 1e6)
	if none.Hidden != 0 || !near(half.DP, none.DP/2, 1e-9) || !near(half.Hidden, none.DP/2, 1e-9) {
		t.Errorf("overlap 0.5: %v s shown, %v s hidden, of %v s", half.DP, half.Hidden, none.DP)
	}
	if slow.Hidden > slow.Backward+slow.Again {
		t.Errorf("%v s hidden under a backward pass of %v s", slow.Hidden, slow.Backward)
	}
	if slow.DP <= 0 {
		t.Errorf("a slow link is hidden altogether")
	}
}

func TestLayoutErrors(t *testing.T) {
	s := testSystem(t)
	for _, c := range []struct {
		l    Layout
		want string
	}{
		{Layout{DP: 3, PP: 1, TP: 1, Microbatch: 1, Interleave: 1}, "global batch 64"},
		{Layout{DP: 1, PP: 1, TP: 3, Microbatch: 1, Interleave: 1}, "heads"},
		{Layout{DP: 1, PP: 64, TP: 1, Microbatch: 1, Interleave: 1}, "exceeds 32 layers"},
		{Layout{DP: 1, PP: 1, TP: 1, Microbatch: 1, Interleave: 2}, "at least 2 stages"},
		{Layout{DP: 16, PP: 8, TP: 1, Microbatch: 1, Interleave: 2}, "not a multiple of pp"},
		{Layout{DP: 4, PP: 1, TP: 1, Microbatch: 1, Interleave: 1, ZeRO: 1, ZeROGroup: 3}, "zero_group 3"},
		{Layout{DP: 4, PP: 1, TP: 1, Microbatch: 1, Interleave: 1, EP: 2}, "no experts"},
		{Layout{DP: 4, PP: 1, TP: 1, Microbatch: 1, Interleave: 1, RecomputeLayers: 33}, "recompute_layers 33"},
		{Layout{DP: 1, PP: 1, TP: 1, Microbatch: 1, Interleave: 1, ZeRO: 4}, "ZeRO stage 4"},
		{Layout{DP: 0, PP: 1, TP: 1, Microbatch: 1, Interleave: 1}, "at least 1"},
	} {
		_, err := s.Step(c.l)
		var le *LayoutError
		if !errors.As(err, &le) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want a LayoutError with %q", c.l, err, c.want)
		}
	}
}

func TestSearch(t *testing.T) {
	s := testSystem(t)
	sp := Space{GPUs: 16}
	seen := 0
	reasons := 0
	var fastest float64
	f, err := s.Search(&sp, func(st *Step, reason error) {
		seen++
		if reason != nil {
			reasons++
			return
		}
		if st.Memory.Total() > s.GPU.MemGB*1e9 {
			t.Errorf("%s: shown as feasible with %.1f GB", st.Layout, st.Memory.Total()/1e9)
		}
		if fastest == 0 || st.Time < fastest {
			fastest = st.Time
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if f.Best.Time != fastest || seen != f.Points || reasons != f.Refused+f.TooBig || f.Feasible == 0 {
		t.Errorf("best %v of %d seen (%d with a reason), found %+v", fastest, seen, reasons, f)
	}
	if f.Best.Layout.GPUs() != 16 {
		t.Errorf("best layout %s has %d GPUs, want 16", f.Best.Layout, f.Best.Layout.GPUs())
	}
	// A held factor holds.
	f, err = s.Search(&Space{GPUs: 16, PP: 4}, nil)
	if err != nil || f.Best.Layout.PP != 4 {
		t.Errorf("pp held to 4: best %s, error %v", f.Best.Layout, err)
	}
	// Nothing fits on one small GPU, and the reason says how far off it is.
	j := testJob()
	j.GPU.MemGB = 16
	small, err := NewSystem(j)
	if err != nil {
		t.Fatal(err)
	}
	_, err = small.Search(&Space{GPUs: 1}, nil)
	var ie *InfeasibleError
	if !errors.As(err, &ie) || !strings.Contains(err.Error(), "16 GB") || !strings.Contains(err.Error(), "needs") {
		t.Errorf("got %v, want an InfeasibleError with the memory needed", err)
	}
}

func TestNewSystemRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Job){
		"no network":     func(j *Job) { j.Net = collective.Network{} },
		"zero rate":      func(j *Job) { j.Net = collective.FlatNetwork(0) },
		"negative rate":  func(j *Job) { j.Net = collective.FlatNetwork(-1) },
		"NaN rate":       func(j *Job) { j.Net = collective.FlatNetwork(collective.BytesPerSecond(math.NaN())) },
		"infinite rate":  func(j *Job) { j.Net = collective.FlatNetwork(collective.BytesPerSecond(math.Inf(1))) },
		"no sequence":    func(j *Job) { j.Seq = 0 },
		"no batch":       func(j *Job) { j.GlobalBatch = -1 },
		"NaN efficiency": func(j *Job) { j.Eff.GEMMFraction = math.NaN() },
		"overlap 2":      func(j *Job) { j.Eff.DPOverlap = 2 },
		"negative bits":  func(j *Job) { j.Codec.Bits[Grad] = -1 },
		"warm-up 2":      func(j *Job) { j.Codec.Warmup = 2 },
		"checkpoint":     func(j *Job) { j.Checkpoint = Checkpoint{Steps: 10} },
		"ratio below 1":  func(j *Job) { j.Checkpoint = Checkpoint{Steps: 10, BytesPerSecond: 1, Ratio: 0.5} },
		"no memory":      func(j *Job) { j.GPU.MemGB = 0 },
	} {
		j := testJob()
		spoil(&j)
		if _, err := NewSystem(j); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	s := testSystem(t).evaluation()
	l := Layout{DP: 4, PP: 8, TP: 2, Microbatch: 1, Interleave: 2, Recompute: RecomputeSelective, SequenceParallel: true}
	var st Step
	if n := testing.AllocsPerRun(100, func() {
		if err := s.step(&st, &l); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("a step allocates %v times", n)
	}
}

// Context parallelism cuts arithmetic and activations of a rank by its factor,
// leaves the weights alone and adds its ranks to the gradient reduction.
func TestContextParallel(t *testing.T) {
	j := testJob()
	j.Net = collective.FlatNetwork(1e15)
	j.Model.Vocab = 1
	j.Eff.LaunchUS, j.Eff.SlotMS, j.Eff.GEMMHalfDim, j.Eff.GEMMHalfDepth = 0, 0, 0, 0
	j.GPU.MemGBPerS = 1e6 // products wait for arithmetic alone
	s, err := NewSystem(j)
	if err != nil {
		t.Fatal(err)
	}
	one, err := s.Step(Layout{DP: 1, PP: 1, TP: 1, Microbatch: 1, Interleave: 1})
	if err != nil {
		t.Fatal(err)
	}
	four, err := s.Step(Layout{DP: 1, PP: 1, TP: 1, CP: 4, Microbatch: 1, Interleave: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !near(four.Forward, one.Forward/4, 1e-6) || !near(four.Memory.Activations, one.Memory.Activations/4, 1e-9) {
		t.Errorf("cp 4: forward %v s of %v, activations %v B of %v; want a quarter", four.Forward, one.Forward, four.Memory.Activations, one.Memory.Activations)
	}
	if four.Memory.Parameters != one.Memory.Parameters || one.Traffic != 0 || four.Traffic == 0 {
		t.Errorf("cp 4: %v B of weights (%v), traffic %v (%v)", four.Memory.Parameters, one.Memory.Parameters, four.Traffic, one.Traffic)
	}
	if _, err := s.Step(Layout{DP: 1, PP: 1, TP: 1, CP: 3, Microbatch: 1, Interleave: 1}); err == nil {
		t.Error("cp 3 of 4096 tokens: accepted")
	}
}

// A checkpoint of 14 bytes a weight costs its writing time over the interval.
func TestCheckpoint(t *testing.T) {
	c := Checkpoint{Steps: 50, BytesPerSecond: 2e9, Ratio: 2}
	if got, want := c.perStep(&llama7b), llama7b.Params()*14/2/2e9/50; !near(got, want, 1e-12) {
		t.Errorf("%v s a step, want %v", got, want)
	}
}

// The ring of keys and values hides under the attention core, and only what it
// takes longer shows: 4 bytes a token and KV column forward (keys and values),
// twice that backward (their gradients as well).
func TestContextParallelShowsTheExcess(t *testing.T) {
	const cp, seq = 4, 4096.0
	for _, rate := range []float64{1e9, 1e15} {
		j := testJob()
		j.Net = collective.FlatNetwork(collective.BytesPerSecond(rate))
		j.Eff.Flash = true
		s, err := NewSystem(j)
		if err != nil {
			t.Fatal(err)
		}
		l := Layout{DP: 1, PP: 1, TP: 1, CP: cp, Microbatch: 1, Interleave: 1}
		b := s.evaluation().blocks(&l)
		_, fwd, _ := s.shown(&b.fwd, &l)
		_, bwd, _ := s.shown(&b.bwd, &l)
		core := 2 * seq / cp * seq * float64(llama7b.Hidden) / (a100.PeakTFLOPS * 1e12 * plainEff.AttentionFraction)
		ring := 4 * seq * float64(llama7b.Hidden) * (cp - 1) / cp / rate
		if want := max(0, ring-core); !near(fwd, want, 5e-3) {
			t.Errorf("at %g B/s forward: %v s shown, want %v of %v", rate, fwd, want, ring)
		}
		if want := max(0, 2*ring-2.5*core); !near(bwd, want, 5e-3) {
			t.Errorf("at %g B/s backward: %v s shown, want %v of %v", rate, bwd, want, 2*ring)
		}
	}
}
