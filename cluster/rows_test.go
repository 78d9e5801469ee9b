package cluster

import (
	"math"
	"strings"
	"testing"

	"vcsim/cluster/collective"
)

// What a compression scheme gains: the plain step over the one whose gradients
// take all-to-all and all-gather of compressed values.
func TestCompressedSpeedup(t *testing.T) {
	two, intra, inter := 2, 100.0, 0.8
	good := Measurement{ID: "r", Quantity: "compressed_speedup", Model: gptTiny, GPU: "v100-32g", Seq: 64, GPUs: 8, GPUsPerNode: 4,
		Microbatch: &two, IntraGBPerS: &intra, InterGbpsPerGPU: &inter, VolumeRatio: 16, Speedup: 1}
	g, e := unitGPU(), unitEff()
	r := good
	j := r.job(g, e)
	if j.GlobalBatch != 16 {
		t.Fatalf("a batch of %d, want 8 x 2", j.GlobalBatch)
	}
	l := Layout{DP: 8, PP: 1, TP: 1, Microbatch: 2, Interleave: 1}
	s := evaluate(t, j)
	plain, err := s.Step(l)
	if err != nil {
		t.Fatal(err)
	}
	j.Codec = Codec{Gather: true, Bypass: BypassNever, Bits: UniformBits(16)}
	c := evaluate(t, j)
	short, err := c.Step(l)
	if err != nil {
		t.Fatal(err)
	}
	bytes := 2 * (4*gptTiny.LayerParams() + gptTiny.EmbeddingParams())
	if want, _ := c.comm(collective.GatherReduce, collective.Group{N: 8, Stride: 1}, Grad, bytes); !near(short.DP, want, 1e-9) {
		t.Errorf("compressed gradients take %v s, want %v", short.DP, want)
	}
	if want, _ := s.comm(collective.AllReduce, collective.Group{N: 8, Stride: 1}, Grad, bytes); !near(plain.DP, want, 1e-9) {
		t.Errorf("plain gradients take %v s, want %v", plain.DP, want)
	}
	if got, err := r.Predict(g, e); err != nil || !near(got, plain.Time/short.Time, 1e-12) || got < 1.1 {
		t.Errorf("speedup %v, %v; want %v", got, err, plain.Time/short.Time)
	}
	one := 1
	for _, c := range []struct {
		edit func(*Measurement)
		want string // "" where there is a speedup
	}{
		{func(r *Measurement) { r.VolumeRatio = 1 }, ""},
		{func(r *Measurement) { r.GPUs, r.GlobalBatch = 1, 1; r.Microbatch = &one }, ""},
		{func(r *Measurement) { r.VolumeRatio = 0.5 }, "wants volume_ratio"},
		{func(r *Measurement) { r.VolumeRatio = math.NaN() }, "wants volume_ratio"},
		{func(r *Measurement) { r.GPUs, r.GlobalBatch = 0, 16 }, "wants volume_ratio"},
		{func(r *Measurement) { r.Microbatch, r.GlobalBatch = nil, 16 }, "wants volume_ratio"},
		{func(r *Measurement) { r.GlobalBatch = 7 }, "global batch 7"},
	} {
		r := good
		c.edit(&r)
		got, err := r.Predict(g, e)
		if c.want == "" && (err != nil || !(got > 0)) || c.want != "" && (err == nil || got != 0 || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, %v; want %q", r, got, err, c.want)
		}
	}
}

// Memory rows are of the layout as it stands, with as many micro-batches in
// flight as a replica has.
func TestMemoryRows(t *testing.T) {
	two, selective := 2, RecomputeSelective
	r := Measurement{ID: "r", Model: gptTiny, GPU: "a100-80g", Seq: 64, GPUs: 16, TP: 2, PP: 4, DP: 2, GlobalBatch: 8, Microbatch: &two, Recompute: &selective, SequenceParallel: true}
	g, e := unitGPU(), unitEff()
	e.Flash = false
	s := evaluate(t, r.job(g, e))
	l := Layout{DP: 2, PP: 4, TP: 2, CP: 1, Microbatch: 2, Interleave: 1, Recompute: RecomputeSelective, SequenceParallel: true}
	mem := s.memory(&l, 2)
	whole := l
	whole.Recompute, whole.SequenceParallel = RecomputeNone, false
	state := mem.Parameters + mem.Gradients + mem.Optimizer
	const gib = 1 << 30
	for q, want := range map[string]float64{
		"activations": mem.Activations / gib, "parameters+gradients+optimizer": state / gib,
		"allocated": (state + mem.Activations + mem.Buffers) / gib,
		"activations_percent_of_no_recompute_no_sp": 100 * LayerActivations(&gptTiny, &l, 64, false) / LayerActivations(&gptTiny, &whole, 64, false),
	} {
		r.Quantity = q
		if got, err := r.Predict(g, e); err != nil || !near(got, want, 1e-12) {
			t.Errorf("%s: %v, %v; want %v", q, got, err, want)
		}
	}
	r.Quantity, r.BytesPerParam = "parameters+gradients+optimizer", 9
	if got, err := r.Predict(g, e); err != nil || !near(got, state/gib/2, 1e-12) {
		t.Errorf("9 bytes a parameter: %v, %v; want %v", got, err, state/gib/2)
	}
	r.GlobalBatch = 6
	if got, err := r.Predict(g, e); err == nil || got != 0 {
		t.Errorf("three micro-batches of two over two replicas: %v, %v", got, err)
	}
}

// Where a row leaves something out.
func TestRowDefaults(t *testing.T) {
	g, e := unitGPU(), unitEff()
	g.NVLinkGBPerS, g.PCIeGBPerS = 7, 3
	three := 3
	r := Measurement{ID: "r", Model: gptTiny, GPU: "a100-80g", Seq: 64, TP: 2, PP: 3, DP: 5, Microbatch: &three}
	j := r.job(g, e)
	if j.GlobalBatch != 90 || j.Net.Tiers[0].GPUs != 8 || j.Net.Tiers[0].BytesPerSecond != 7e9 || j.Net.Tiers[1].BytesPerSecond != 7e9 || j.Net.Tiers[1].Effective {
		t.Errorf("2 x 3 x 5 ranks: batch %d, tiers %+v", j.GlobalBatch, j.Net.Tiers)
	}
	r.PP = 0
	if j := r.job(g, e); j.GlobalBatch != 3 {
		t.Errorf("no ranks named: batch %d, want one GPU's 3", j.GlobalBatch)
	}
	r.GPUs = 1
	if j := r.job(g, e); j.GlobalBatch != 3 {
		t.Errorf("one GPU: batch %d, want 3", j.GlobalBatch)
	}
	rate := 80.0
	r.InterGbpsPerGPU, r.InterGbpsPerNode, r.GPUsPerNode = &rate, 999, 1
	if j := r.job(g, e); len(j.Net.Tiers) != 1 || j.Net.Tiers[0].BytesPerSecond != 1e10 {
		t.Errorf("one GPU a node: %+v", j.Net.Tiers)
	}
	r.GPUsPerNode = 2
	if j := r.job(g, e); j.Net.Tiers[1].BytesPerSecond != 1e10 || j.Net.Tiers[1].Effective {
		t.Errorf("a rate by GPU and one by node: %+v", j.Net.Tiers)
	}
	r.InterGbpsPerGPU = nil
	if j := r.job(g, e); j.Net.Tiers[1].BytesPerSecond != 999e9/16 || !j.Net.Tiers[1].Effective || j.Net.Tiers[0].Effective {
		t.Errorf("a rate by node: %+v", j.Net.Tiers)
	}
	r.InterGbpsPerNode = 0.5
	if j := r.job(g, e); j.Net.Tiers[1].BytesPerSecond != 0.5e9/16 {
		t.Errorf("a slow rate by node: %+v", j.Net.Tiers)
	}

	// The ranks named must be as many as the GPUs, where all are named.
	full := Measurement{ID: "r", Model: gptTiny, GPU: "a100-80g", Seq: 64, GPUs: 16, TP: 2, PP: 2, DP: 2, GlobalBatch: 8}
	if _, err := full.system(g, e); err == nil || err.Error() != "tp 2 x pp 2 x dp 2 x cp 1 is 8 GPUs, and gpus is 16" {
		t.Errorf("8 ranks on 16 GPUs: %v", err)
	}
	for name, edit := range map[string]func(*Measurement){"gpus": func(r *Measurement) { r.GPUs = 0 }, "tp": func(r *Measurement) { r.TP = 0 },
		"pp": func(r *Measurement) { r.PP = 0 }, "dp": func(r *Measurement) { r.DP = 0 }, "all": func(r *Measurement) { r.DP = 4 }} {
		r := full
		edit(&r)
		if _, err := r.system(g, e); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	small := full
	small.GPUs, small.TP, small.PP, small.DP = 2, 1, 1, 1
	if _, err := small.system(g, e); err == nil {
		t.Error("one rank on two GPUs")
	}

	// A layout of nothing is one GPU's; what is named stays.
	empty := Measurement{Model: gptTiny}
	if l := empty.layout(); l != (Layout{DP: 1, PP: 1, TP: 1, CP: 1}) {
		t.Errorf("nothing named: %+v", l)
	}
	uneven := Measurement{Model: moeTiny, TP: 2, DP: 3, EP: 2}
	if l := uneven.layout(); l.ETP != 1 {
		t.Errorf("ep 2 over 2 x 3 ranks: %+v, want whole experts", l)
	}
	uneven.EP = 3
	if l := uneven.layout(); l.ETP != 0 {
		t.Errorf("ep 3 over 2 x 3 ranks: %+v", l)
	}
	none := RecomputeNone
	part := Measurement{Model: gptTiny, RecomputeLayers: 1, Recompute: &none}
	if l := part.layout(); l.Recompute != RecomputeFull || l.RecomputeLayers != 1 {
		t.Errorf("one layer recomputed: %+v", l)
	}

	// What is open is searched over all GPUs.
	s := evaluate(t, unitJob(gptTiny))
	open := Measurement{Model: gptTiny, GPUs: 32, TP: 4, PP: 2, CP: 2}
	if sp := open.space(s.System); sp.DP != 2 || sp.GPUs != 32 || sp.TP != 4 || sp.PP != 2 || sp.CP != 2 {
		t.Errorf("32 GPUs: %+v", sp)
	}
	open.GPUs = 1
	if sp := open.space(s.System); sp.DP != 1 {
		t.Errorf("fewer GPUs than ranks: dp %d", sp.DP)
	}
	open.DP, open.GPUs = 3, 1000
	if sp := open.space(s.System); sp.DP != 3 {
		t.Errorf("three replicas: dp %d", sp.DP)
	}
	s.Eff.StageBatches = true
	for _, c := range []struct{ pp, dp, want int }{{1, 2, 0}, {2, 2, 6}, {4, 12, 1}, {4, 24, 1}} {
		r := Measurement{Model: gptTiny, PP: c.pp, DP: c.dp}
		if sp := r.space(s.System); sp.Microbatch != c.want {
			t.Errorf("%d stages, %d replicas of a batch of 24: micro-batch %d, want %d", c.pp, c.dp, sp.Microbatch, c.want)
		}
	}

	// Rows of collectives.
	c := collectiveRow()
	c.GPUsPerNode, c.IntraGBPerS = 1, nil
	if n, err := c.Network(); err != nil || len(n.Tiers) != 1 || !n.Tiers[0].Shared || !n.Tiers[0].Codec {
		t.Errorf("single GPUs: %+v, %v", n, err)
	}
	c = collectiveRow()
	c.GPUs, c.GPUsPerNode = 2, 2
	tiny := 0.5
	c.IntraGBPerS = &tiny
	if n, err := c.Network(); err != nil || len(n.Tiers) != 1 || n.Tiers[0].GPUs != 2 || n.Tiers[0].BytesPerSecond != 0.5e9 {
		t.Errorf("one pair: %+v, %v", n, err)
	}
	c.GPUs = 3
	c.InterGbpsPerGPU = &tiny
	if n, err := c.Network(); err != nil || len(n.Tiers) != 2 || n.Tiers[1].BytesPerSecond != 0.5e9/8 || !n.Tiers[1].Shared || !n.Tiers[1].Codec {
		t.Errorf("three over pairs: %+v, %v", n, err)
	}
	// DeepEP's kernels choose among four nodes; what returns is a combine.
	links := testLinks
	long := collectiveRow()
	long.Stack, long.GPUs, long.Bytes, long.Tokens, long.Hidden, long.TopK, long.Bits = "deepep", 64, 0, 4096, 7168, 8, 16
	long.Collective = "dispatch"
	n, err := long.Network()
	if err != nil {
		t.Fatal(err)
	}
	f, err := collective.NewFabric(&n, &links, collective.Derate{})
	if err != nil {
		t.Fatal(err)
	}
	var p collective.Plan
	f.Exchange(&p, collective.Group{N: 64, Stride: 1}, &collective.Routing{Tokens: 4096, Hidden: 7168, TopK: 8, NodeLimit: 4}, collective.ExchangeDeduplicated, false, &collective.Plain)
	if got, err := long.PredictCollective(&links); err != nil || !near(got, p.Time(2)*1e6, 1e-12) {
		t.Errorf("dispatch over eight nodes: %v us, %v; want %v", got, err, p.Time(2)*1e6)
	}

	// Power rows are of a node's GPUs.
	mb, v, rec := 1, 1, RecomputeNone
	w := Measurement{ID: "w", Quantity: "node_power", Model: gptTiny, GPU: "a100-80g", Seq: 64, GPUs: 2, TP: 1, PP: 1, DP: 2, GlobalBatch: 8, Microbatch: &mb, Interleave: &v, Recompute: &rec, Conversion: 0.8}
	sys := evaluate(t, w.job(g, e))
	st, err := sys.Step(Layout{DP: 2, PP: 1, TP: 1, CP: 1, Microbatch: 1, Interleave: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := w.Predict(g, e); err != nil || !near(got, sys.NodePower(&st, 1, &Power{HostW: NodeHostW, Conversion: 0.8}), 1e-12) {
		t.Errorf("a node of unknown size: %v W, %v", got, err)
	}
}

// What is the nearest row, by the logarithms of what makes jobs alike.
func TestFeatures(t *testing.T) {
	m := gptTiny
	got := features(&m, 100, Layout{DP: 9, PP: 5, TP: 3, Microbatch: 7}, 64, MXFP8, 1e9)
	want := [11]float64{2 * math.Log(100), math.Log(gptTiny.Params()), math.Log(4), math.Log(9) / 2, math.Log(5), math.Log(3), math.Log(64), math.Log(7), 1, math.Log(1e9) / 8, 0}
	for i := range want {
		if !near(got[i], want[i], 1e-12) {
			t.Errorf("feature %d is %v, want %v", i, got[i], want[i])
		}
	}
	one := moeTiny
	one.Experts, one.TopK = 1, 1
	if f := features(&one, 100, Layout{}, 0, NVFP4, 0); f[10] != 2 || f[8] != 2 || f[3] != 0 || f[6] != 0 || f[9] != 0 {
		t.Errorf("one expert, nothing else: %v", f)
	}
	if Evidence(200).String() != "measured" || PhysicsOnly.String() != "physics only" {
		t.Error("names of evidence")
	}
	for _, c := range []struct {
		r    Measurement
		want float64
	}{{Measurement{}, 0}, {Measurement{InterGbpsPerNode: 1600, GPUsPerNode: 8}, 25e9}, {Measurement{InterGbpsPerNode: 0.5}, 0.0625e9}, {Measurement{InterGbpsPerNode: 8, GPUsPerNode: 1}, 1e9}} {
		if got := outerRate(&c.r); got != c.want {
			t.Errorf("%+v: %v B/s, want %v", c.r, got, c.want)
		}
	}
	// Of two rows at the same distance the first counts; one that names its
	// micro-batch is nearer than one that does not.
	s := testSystem(t)
	st, err := s.Step(Layout{DP: 4, PP: 1, TP: 1, CP: 1, Microbatch: 4, Interleave: 1, Recompute: RecomputeFull})
	if err != nil {
		t.Fatal(err)
	}
	roomy := a100
	roomy.MemGB = 1e5
	row := func(id string, mb *int) MeasuredStep {
		one, full := 1, RecomputeFull
		r := Measurement{ID: id, Model: llama7b, GPU: "a100-80g", Stack: "test", Seq: 4096, TP: 1, PP: 1, DP: 4, GPUs: 4, GlobalBatch: 64, Microbatch: mb, Interleave: &one, Recompute: &full, IterS: 10}
		return MeasuredStep{Row: &r, GPU: roomy, Eff: plainEff}
	}
	mb1, mb2, mb4 := 1, 2, 4
	for _, c := range []struct {
		rows []MeasuredStep
		want string
	}{
		{[]MeasuredStep{row("a", &mb4), row("b", &mb4)}, "a"},
		{[]MeasuredStep{row("open", nil), row("four", &mb4)}, "four"},
		{[]MeasuredStep{row("open", nil), row("two", &mb2)}, "two"},
		{[]MeasuredStep{row("one", &mb1), row("open", nil)}, "one"},
		{[]MeasuredStep{row("open", nil), row("one", &mb1)}, "open"},
	} {
		if got := Nearest(&s.Job, &st, c.rows); got.ID != c.want {
			t.Errorf("nearest is %s, want %s", got.ID, c.want)
		}
	}
}
