package cluster

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"vcsim/cluster/collective"
)

// A model with some dense blocks is the mean of both kinds, in everything.
func TestMixedBlocks(t *testing.T) {
	j := unitJob(moeTiny)
	j.Net = collective.NodeNetwork(2, 1e12, 1e8)
	j.Codec = Codec{Bits: Bits{Act: 4, ActGrad: 2}}
	s := evaluate(t, j)
	l := Layout{DP: 4, PP: 1, TP: 4, EP: 4, ETP: 2, CP: 2, Microbatch: 2, Interleave: 1, Recompute: RecomputeFull}
	got, experts, dense := s.blocks(&l), s.block(&l, true), s.block(&l, false)
	const share = 4.0 / 5
	for _, p := range []struct {
		name               string
		got, experts, dens *pass
	}{{"forward", &got.fwd, &experts.fwd, &dense.fwd}, {"backward", &got.bwd, &experts.bwd, &dense.bwd}, {"again", &got.again, &experts.again, &dense.again}} {
		for _, f := range []struct {
			name string
			of   func(*pass) float64
		}{{"products", func(p *pass) float64 { return p.gemm }}, {"core", func(p *pass) float64 { return p.core }}, {"memory", func(p *pass) float64 { return p.mem }},
			{"kernels", func(p *pass) float64 { return p.launch }}, {"TP", func(p *pass) float64 { return p.tp }}, {"CP", func(p *pass) float64 { return p.cp }}, {"EP", func(p *pass) float64 { return p.ep }}} {
			if want := share*f.of(p.experts) + (1-share)*f.of(p.dens); !near(f.of(p.got), want, 1e-12) || f.of(p.dens) == 0 && f.name != "EP" {
				t.Errorf("%s, %s: %v, want %v of %v and %v", p.name, f.name, f.of(p.got), want, f.of(p.experts), f.of(p.dens))
			}
		}
	}
	for _, f := range []struct {
		name string
		of   func(*collective.Traffic) float64
	}{{"payload", func(t *collective.Traffic) float64 { return t.Payload }}, {"wire", func(t *collective.Traffic) float64 { return t.Wire }}, {"encoded", func(t *collective.Traffic) float64 { return t.Encoded }}} {
		a, b := f.of(&experts.sent), f.of(&dense.sent)
		if want := share*a + (1-share)*b; !near(f.of(&got.sent), want, 1e-12) || b == 0 || a == b {
			t.Errorf("%s: %v, want %v of %v and %v", f.name, f.of(&got.sent), want, a, b)
		}
	}
	every := moeTiny
	every.DenseLayers, every.Layers = 0, 4
	s = evaluate(t, unitJob(every))
	if got, want := s.blocks(&l), s.block(&l, true); got != want {
		t.Error("experts everywhere: not their block")
	}
}

// Tokens go to experts and come back, forward and backward: four exchanges, of
// which the way out is encoded once for all nodes.
func TestDeduplicatedTraffic(t *testing.T) {
	for _, ep := range []int{2, 8} {
		j := unitJob(moeTiny)
		j.Eff.Deduplicated = true
		j.Net = collective.NodeNetwork(2, 1e12, 1e8)
		if ep == 2 {
			j.Net = collective.FlatNetwork(1e8)
		}
		j.Seq = 4096
		j.Codec = Codec{Bits: Bits{Act: 4, ActGrad: 2}}
		s := evaluate(t, j)
		l := Layout{DP: 8, PP: 1, TP: 1, EP: ep, Microbatch: 3, Interleave: 1}
		var b block
		const tokens = 3 * 4096.0
		s.allToAlls(&b, &l, tokens*3, tokens*3)
		var want collective.Traffic
		var forward, backward float64
		for _, x := range []struct {
			class   Class
			combine bool
			time    *float64
		}{{Act, false, &forward}, {Act, true, &forward}, {ActGrad, false, &backward}, {ActGrad, true, &backward}} {
			var p collective.Plan
			r := collective.Routing{Tokens: tokens, Hidden: 1, TopK: 3}
			s.fabric.Exchange(&p, collective.Group{N: ep, Stride: 1}, &r, collective.ExchangeDeduplicated, x.combine, &s.channels[x.class])
			sec, tr := p.Message(2 * 32)
			*x.time += sec
			want.Add(tr)
		}
		if !near(b.fwd.ep, forward, 1e-12) || !near(b.bwd.ep, backward, 1e-12) || b.sent != want || want.Encoded == 0 {
			t.Errorf("ep %d: %v and %v s, %+v; want %v, %v, %+v", ep, b.fwd.ep, b.bwd.ep, b.sent, forward, backward, want)
		}
	}
}

// Modules computed again with sequence parallelism: norms are split too.
func TestModulesAgain(t *testing.T) {
	s := evaluate(t, unitJob(moeTiny))
	s.Eff.Traffic = 0
	l := Layout{DP: 4, PP: 1, TP: 4, EP: 4, ETP: 1, Microbatch: 2, Interleave: 1, Recompute: RecomputeSelective, SequenceParallel: true}
	b := s.block(&l, false)
	const tokens = 2 * 64.0
	if want := tokens * (32*8/4.0 + 80/4*4*2) * s.perByte; !near(b.again.mem, want, 1e-12) {
		t.Errorf("norms and activations again: %v s, want %v", b.again.mem, want)
	}
	if b.again.launch != kernelsModules || b.again.core != 0 {
		t.Errorf("again: %+v", b.again)
	}
}

// Rates at small values of what they divide by.
func TestRatesAtOne(t *testing.T) {
	j := unitJob(llamaTiny)
	j.Eff.PJ16 = 1 // a FLOP of 1 pJ in 40 W: 40 TFLOP/s, far above the peak of 1
	s := evaluate(t, j)
	bound := 1e12 / math.Pow(1+math.Pow(1.0/40, 4), 0.25)
	if !near(s.perGEMM[bits16], 2/bound, 1e-12) || !near(s.productShare, bound/40e12, 1e-12) {
		t.Errorf("1 pJ: %v s for two FLOPs, share %v; want %v, %v", s.perGEMM[bits16], s.productShare, 2/bound, bound/40e12)
	}
	j.Eff.PJ16 = 0.5
	if s = evaluate(t, j); !near(s.productShare, 1/80.0, 1e-6) {
		t.Errorf("0.5 pJ: share %v, want 1/80", s.productShare)
	}
	j.Eff.PJ16, j.GPU.ExpTera = 0, 0.5
	s = evaluate(t, j)
	products := 4 * llamaTiny.coreWidth() / 1e12
	if want := math.Hypot(products, 2e-12) / 2; !near(s.perScoreForward, want, 1e-12) {
		t.Errorf("half an exponential a picosecond: %v s a score, want %v", s.perScoreForward, want)
	}
	if g := unitGPU(); g.powerBound(0) != math.Inf(1) || !near(g.powerBound(1), 40e12, 1e-12) {
		t.Errorf("bounds %v and %v", g.powerBound(0), g.powerBound(1))
	}
	no := unitGPU()
	none := 0.0
	no.FP4TFLOPS = nil
	if no.Supports(NVFP4) || no.Supports(MXFP8) || !no.Supports(FP8) {
		t.Error("a GPU without 4 bits has FP8 and no blocks")
	}
	tiny := 0.5e-12
	no.FP8TFLOPS = &tiny
	if !no.Supports(FP8) {
		t.Error("half a FLOP a second is a rate")
	}
	if no.FP8TFLOPS = &none; no.Supports(FP8) {
		t.Error("no rate is support")
	}
}

// Small counts: one expert, one wide head, one in every block.
func TestModelsOfOne(t *testing.T) {
	one := moeTiny
	one.Experts, one.TopK = 1, 1
	if !one.recomputesModules() || one.Validate() != nil {
		t.Error("one expert is a mixture")
	}
	one.TopK = 0
	if one.Validate() == nil {
		t.Error("one expert, and none chosen")
	}
	thin := llamaTiny
	thin.HeadDim = 1
	if thin.headDim() != 1 {
		t.Errorf("heads %d wide, want 1", thin.headDim())
	}
	every := moeTiny
	every.MoEEvery, every.DenseLayers = 1, 2
	if every.moeLayers() != 3 {
		t.Errorf("%d blocks with experts, want 3 of 5", every.moeLayers())
	}
	dense := llamaTiny
	dense.MoEEvery = 1
	if dense.Validate() == nil {
		t.Error("one in every block of a model without experts")
	}
	for p, want := range map[int][4]float64{2: {3.5, 3.5, 3.5, 3.5}, 3: {2, 3, 2, 3}, 4: {1.75, 3, 1.75, 1.75}} {
		l := Layout{PP: p, Interleave: 1}
		first, mid, last, inner := l.stages(7)
		if got := [4]float64{first, mid, last, inner}; got != want {
			t.Errorf("7 blocks on %d stages: %v, want %v", p, got, want)
		}
	}
	l := Layout{PP: 4, Interleave: 2}
	first, mid, last, inner := l.stages(12)
	if first != 3 || mid != 4 || last != 3 || inner != 3 {
		t.Errorf("12 blocks on 4 stages of two: %v, %v, %v, %v; embedding and loss are slots", first, mid, last, inner)
	}
}

// What there is to send, and to whom.
func TestNobodyToTalkTo(t *testing.T) {
	s := evaluate(t, unitJob(gptTiny))
	for _, c := range []struct {
		n int
		v float64
	}{{1, 1e6}, {0, 1e6}, {8, 0}, {8, -1}} {
		if sec, tr := s.comm(collective.AllReduce, collective.Group{N: c.n, Stride: 1}, Grad, c.v); sec != 0 || tr != (collective.Traffic{}) {
			t.Errorf("%v bytes among %d: %v s, %+v", c.v, c.n, sec, tr)
		}
	}
	if sec, _ := s.comm(collective.AllReduce, collective.Group{N: 2, Stride: 1}, Grad, 0.5); !(sec > 0) {
		t.Error("half a byte takes no time")
	}
	if sec, _ := s.messages(&Layout{DP: 1, PP: 1, TP: 1, Microbatch: 1, Interleave: 1}); sec != 0 {
		t.Errorf("one stage: messages of %v s", sec)
	}
	// The ends of a pipeline of two share the embedding of a tied model: next to
	// each other in a node.
	j := unitJob(gptTiny)
	j.Net = collective.NodeNetwork(8, 1e12, 1e7)
	s = evaluate(t, j)
	l := Layout{DP: 1, PP: 2, TP: 4, Microbatch: 1, Interleave: 1}
	w := stageWork{l: &l, n: 24, embedParams: 1000}
	d := s.gradients(&w, &l)
	if want, _ := s.comm(collective.AllReduce, collective.Group{N: 2, Stride: 4}, Grad, 2000); !near(d.grads, want, 1e-12) || d.sent != (collective.Traffic{}) {
		t.Errorf("the embedding of two ends: %v s, %+v; want %v inside the node", d.grads, d.sent, want)
	}
	// Two micro-batches add up gradients, one does not.
	var one, two stageWork
	l = Layout{DP: 12, PP: 1, TP: 1, Microbatch: 1, Interleave: 1}
	s.work(&two, &l, 2)
	s.work(&one, &l, 1)
	if want := two.dense * 8 * s.perByte; !near(two.accumulate, want, 1e-12) || one.accumulate != 0 {
		t.Errorf("gradients added up in %v and %v s, want %v and none", two.accumulate, one.accumulate, want)
	}
	// What a stage sends in a step: its blocks' collectives of all micro-batches.
	j.Net = collective.FlatNetwork(1e9)
	s = evaluate(t, j)
	l = Layout{DP: 2, PP: 2, TP: 2, Microbatch: 2, Interleave: 1}
	var w2 stageWork
	s.work(&w2, &l, 6)
	if want := w2.block.sent.Scale(2 * 6); w2.sent != want || want.Payload == 0 {
		t.Errorf("a stage sends %+v, want %+v", w2.sent, want)
	}
}

// Links as a stack uses them.
func TestStackLinks(t *testing.T) {
	j := unitJob(gptTiny)
	j.Eff.IntraFraction, j.Eff.InterFraction, j.Eff.InterCapGB = 0.5, 0.25, 8
	s := evaluate(t, j)
	n := collective.NodeNetwork(8, 0.5e12, 0.25e11)
	links := collective.DefaultLinkConstants()
	want, err := collective.NewFabric(&n, &links, collective.Derate{NodeCap: 8e9})
	if err != nil {
		t.Fatal(err)
	}
	if s.fabric != want {
		t.Errorf("links %+v, want %+v", s.fabric, want)
	}
	four := collective.Network{}
	for gpus := 2; gpus <= 16; gpus *= 2 {
		four.Tiers = append(four.Tiers, collective.Tier{GPUs: gpus, BytesPerSecond: 1e9})
	}
	j.Net = four
	if _, err := NewSystem(j); err != nil {
		t.Errorf("four tiers: %v", err)
	}
	j.Net.Tiers = append(j.Net.Tiers, collective.Tier{GPUs: 32, BytesPerSecond: 1e9})
	if _, err := NewSystem(j); err == nil || !strings.Contains(err.Error(), "5 tiers, want at most 4") {
		t.Errorf("five tiers: %v", err)
	}
}

// The fullest stage counts: here an inner one, of more blocks than the ends.
func TestFullestStage(t *testing.T) {
	m := gptTiny
	m.Layers, m.Vocab = 18, 2
	for _, batch := range []int{1, 24} {
		j := unitJob(m)
		j.GlobalBatch, j.Seq = batch, 4096
		s := evaluate(t, j)
		l := Layout{DP: 1, PP: 4, TP: 1, Microbatch: 1, Interleave: 1}
		a := s.activations(&l)
		first, mid, last, _ := l.stages(18)
		if first != 4 || mid != 5 || last != 4 {
			t.Fatalf("stages of %v, %v, %v blocks", first, mid, last)
		}
		embed := m.EmbeddingParams()
		front := s.stageMemory(&l, &a, 4, embed, min(4, float64(batch)), false)
		inner := s.stageMemory(&l, &a, 5, 0, max(1, min(4, float64(batch))-1), false)
		back := s.stageMemory(&l, &a, 4, embed, 1, true)
		want := front
		if batch == 1 {
			want = inner // one in flight everywhere
		}
		got := s.memory(&l, batch)
		if got != want || got.Total() != max(front.Total(), inner.Total(), back.Total()) {
			t.Errorf("%d micro-batches: %+v, want %+v of %v, %v, %v", batch, got, want, front.Total(), inner.Total(), back.Total())
		}
	}
	// Experts are cut over the ranks that hold the same ones, at least one.
	s := evaluate(t, unitJob(moeTiny))
	a := activations{}
	for _, c := range []struct {
		l    Layout
		held float64 // ranks over which an expert's state is cut
	}{
		{Layout{DP: 8, PP: 1, TP: 2, EP: 4, ETP: 2, ZeRO: 1}, 2}, // 16 ranks, 8 hold all experts once
		{Layout{DP: 8, PP: 1, TP: 2, EP: 8, ETP: 2, ZeRO: 1}, 1},
		{Layout{DP: 8, PP: 1, TP: 1, EP: 8, ETP: 1, ZeRO: 1, ZeROGroup: 2}, 1}, // a group smaller than the experts' ranks
		{Layout{DP: 8, PP: 1, TP: 2, EP: 2, ETP: 1, ZeRO: 1}, 8},
	} {
		c.l.Microbatch, c.l.Interleave = 1, 1
		mem := s.stageMemory(&c.l, &a, 5, 100, 1, false)
		tp, ep := float64(c.l.TP), float64(c.l.EP*c.l.ETP)
		dense := 5*(s.layerParams-s.expertParams)/tp + 100
		expert := 5 * s.expertParams / ep
		if want := 12 * (dense/float64(c.l.shards()) + expert/c.held); !near(mem.Optimizer, want, 1e-12) {
			t.Errorf("%v: %v bytes of the optimizer, want %v", c.l, mem.Optimizer, want)
		}
	}
	// Some blocks computed again keep their input alone, where whole blocks are.
	keep := LayerActivations(&gptTiny, &Layout{TP: 1, Microbatch: 1, Recompute: RecomputeSelective}, 64, false)
	if got := LayerActivations(&gptTiny, &Layout{TP: 1, Microbatch: 1, Recompute: RecomputeSelective, RecomputeLayers: 2}, 64, false); got != keep {
		t.Errorf("the core of two blocks again: %v bytes, want %v", got, keep)
	}
	full := LayerActivations(&gptTiny, &Layout{TP: 1, Microbatch: 1}, 64, false)
	if got, want := LayerActivations(&gptTiny, &Layout{TP: 1, Microbatch: 1, Recompute: RecomputeFull, RecomputeLayers: 1}, 64, false), 2*64*32/4.0+full*3/4; !near(got, want, 1e-12) {
		t.Errorf("one block of four again: %v bytes, want %v", got, want)
	}
}

// Codecs that do nothing, and comparisons that begin without one.
func TestNoCodec(t *testing.T) {
	c := Codec{EncodeBPS: 10, DecodeBPS: 20, Bits: Bits{Act: 0.5}}
	for _, ratio := range []float64{0, 0.5, 1} {
		if cross, knee := c.Crossover(ratio); cross != 0 || knee != 0 {
			t.Errorf("ratio %v: crossover %v, knee %v", ratio, cross, knee)
		}
	}
	if c.Ratio(Act) != 32 || c.Ratio(Grad) != 1 {
		t.Errorf("ratios %v and %v, want 32 and 1", c.Ratio(Act), c.Ratio(Grad))
	}
	j := testJob()
	p := Power{NICPJPerBit: 10, SwitchPJPerBit: 10}
	scheme := Codec{Name: "x", Bits: UniformBits(4), Warmup: 0.25}
	want, err := Compare(j, &Space{GPUs: 16}, []Codec{scheme}, &p, nil)
	if err != nil {
		t.Fatal(err)
	}
	j.Codec = Codec{Name: "left over", Bits: UniformBits(16)}
	got, err := Compare(j, &Space{GPUs: 16}, []Codec{scheme}, &p, nil)
	if err != nil || got.Base != want.Base || got.Outcomes[0].Speedup != want.Outcomes[0].Speedup {
		t.Errorf("a codec left over in the job counts: %v, %v", got.Base.Time, want.Base.Time)
	}
	o := want.Outcomes[0]
	if o.Step.Layout != want.Base.Layout {
		t.Logf("best layouts %v and %v", o.Step.Layout, want.Base.Layout)
	}
	plain, err := NewSystem(testJob())
	if err != nil {
		t.Fatal(err)
	}
	own, err := plain.Step(o.Step.Layout)
	if err != nil {
		t.Fatal(err)
	}
	if want := 0.25*own.Time + 0.75*o.Step.Time; !near(o.Time, want, 1e-12) {
		t.Errorf("a quarter uncompressed: %v s, want %v", o.Time, want)
	}
	// Alone, nothing is sent.
	j = testJob()
	j.Model, j.GlobalBatch = gptTiny, 1
	one, err := Compare(j, &Space{GPUs: 1}, []Codec{scheme}, &p, nil)
	if err != nil || one.Outcomes[0].CommEnergyGain != 1 || one.Outcomes[0].Speedup != 1 || !math.IsNaN(one.Outcomes[0].DieFraction) {
		t.Errorf("one GPU: %+v, %v", one, err)
	}
	die, none := 0.5, 0.0
	j.GPU.DieMM2 = &die
	scheme.EncodeMM2 = 0.25
	if one, err = Compare(j, &Space{GPUs: 1}, []Codec{scheme}, &p, nil); err != nil || one.Outcomes[0].DieFraction != 0.5 {
		t.Errorf("a quarter of a square millimetre of a half: %v, %v", one.Outcomes[0].DieFraction, err)
	}
	j.GPU.DieMM2 = &none
	if one, err = Compare(j, &Space{GPUs: 1}, []Codec{scheme}, &p, nil); err != nil || !math.IsNaN(one.Outcomes[0].DieFraction) {
		t.Errorf("a die of no size: %v, %v", one.Outcomes[0].DieFraction, err)
	}
}

// Every number of a serving job at its bounds.
func TestInferenceBounds(t *testing.T) {
	good := Inference{Model: gptTiny, GPU: unitGPU(), Eff: unitEff(), Net: collective.FlatNetwork(1e8), Devices: 2, Batch: 1, Context: 64, BitsWeights: 16, BitsKV: 16, BitsAct: 16}
	for _, c := range []struct {
		edit func(*Inference)
		ok   bool
	}{
		{func(j *Inference) { j.Devices = 1 }, true}, {func(j *Inference) { j.Devices = 0 }, false}, {func(j *Inference) { j.Devices = 4 }, true}, {func(j *Inference) { j.Devices = 5 }, false},
		{func(j *Inference) { j.Batch = 1 << 30 }, true}, {func(j *Inference) { j.Batch = 1<<30 + 1 }, false}, {func(j *Inference) { j.Batch = 0 }, false},
		{func(j *Inference) { j.Context = 1 << 30 }, true}, {func(j *Inference) { j.Context = 1<<30 + 1 }, false}, {func(j *Inference) { j.Context = 1 }, true},
		{func(j *Inference) { j.Prompt = 64 }, true}, {func(j *Inference) { j.Prompt = 65 }, false}, {func(j *Inference) { j.Prompt = -1 }, false}, {func(j *Inference) { j.Prompt = 1 }, true},
		{func(j *Inference) { j.BitsWeights = 0.01 }, true}, {func(j *Inference) { j.BitsWeights = 0.0099 }, false}, {func(j *Inference) { j.BitsKV = 16.1 }, false}, {func(j *Inference) { j.BitsAct = math.NaN() }, false},
		{func(j *Inference) { j.MemBytes = 0.5 }, true}, {func(j *Inference) { j.MemBytes = -0.5 }, false}, {func(j *Inference) { j.MemBytes = math.Inf(1) }, false}, {func(j *Inference) { j.MemBytes = math.NaN() }, false},
	} {
		j := good
		c.edit(&j)
		if err := j.Validate(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", j, err)
		}
	}
	st, err := Infer(&good, &Power{}, 0)
	if err != nil || st.Capacity != good.GPU.MemGB*1e9 || !st.Fits {
		t.Errorf("capacity %v, fits %v, %v", st.Capacity, st.Fits, err)
	}
	good.MemBytes = st.Memory.Total()
	if st, err = Infer(&good, &Power{}, 0); err != nil || !st.Fits || st.Capacity != good.MemBytes {
		t.Errorf("just enough: capacity %v, fits %v, %v", st.Capacity, st.Fits, err)
	}
	// Neither stored in few bits: nothing is decoded, however slow the decoder.
	good.Codec.DecodeBPS = 1
	slow, err := Infer(&good, &Power{}, 0)
	if err != nil || slow.FirstToken != st.FirstToken || slow.DecodeInstances != 0 || slow.Decode != 0 {
		t.Errorf("nothing to decode: first token after %v s, was %v; %v", slow.FirstToken, st.FirstToken, err)
	}
}

// The configurations of HuggingFace: what must be there, what need not, and
// what follows from what is there.
func TestHuggingFaceKeys(t *testing.T) {
	base := map[string]map[string]int{
		"llama": {"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 8, "num_key_value_heads": 4, "intermediate_size": 96, "vocab_size": 100, "max_position_embeddings": 128, "head_dim": 16},
		"qwen3_moe": {"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 8, "num_key_value_heads": 4, "intermediate_size": 96, "moe_intermediate_size": 24,
			"num_experts": 8, "num_experts_per_tok": 2, "vocab_size": 100, "max_position_embeddings": 128, "head_dim": 16},
		"gpt2": {"n_layer": 2, "n_embd": 64, "n_head": 8, "n_inner": 100, "vocab_size": 100, "n_positions": 128},
		"opt":  {"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 8, "ffn_dim": 256, "vocab_size": 100, "max_position_embeddings": 128, "word_embed_proj_dim": 64},
	}
	optional := map[string]bool{"num_key_value_heads": true, "max_position_embeddings": true, "head_dim": true, "n_inner": true, "n_positions": true, "word_embed_proj_dim": true}
	text := func(kind string, edit map[string]string) []byte {
		var b strings.Builder
		fmt.Fprintf(&b, "{\"model_type\": %q", kind)
		for k, v := range base[kind] {
			value := fmt.Sprint(v)
			if e, ok := edit[k]; ok {
				value = e
			}
			if value != "" {
				fmt.Fprintf(&b, ", %q: %s", k, value)
			}
		}
		return []byte(b.String() + "}")
	}
	want := map[string]Model{
		"llama":     {Layers: 2, Hidden: 64, Heads: 8, KVHeads: 4, FFN: 96, Gated: true, Vocab: 100, Seq: 128, HeadDim: 16},
		"qwen3_moe": {Layers: 2, Hidden: 64, Heads: 8, KVHeads: 4, FFN: 24, Gated: true, Vocab: 100, Seq: 128, HeadDim: 16, Experts: 8, TopK: 2},
		"gpt2":      {Layers: 2, Hidden: 64, Heads: 8, KVHeads: 8, FFN: 100, Tied: true, Vocab: 100, Seq: 128, Positions: 128},
		"opt":       {Layers: 2, Hidden: 64, Heads: 8, KVHeads: 8, FFN: 256, Tied: true, Vocab: 100, Seq: 128, Positions: 130},
	}
	for kind, keys := range base {
		if m, err := ParseHuggingFace(text(kind, nil)); err != nil || m != want[kind] {
			t.Errorf("%s: %+v, %v; want %+v", kind, m, err, want[kind])
		}
		for k := range keys {
			if kind == "qwen3_moe" && k == "intermediate_size" {
				continue // of blocks without experts, of which there are none
			}
			for _, v := range []string{"", "null"} {
				_, err := ParseHuggingFace(text(kind, map[string]string{k: v}))
				var ke *KeyError
				if optional[k] != (err == nil) || err != nil && (!errors.As(err, &ke) || ke.Key != k) {
					t.Errorf("%s without %s: %v", kind, k, err)
				}
			}
			for _, v := range []string{"0", "-1", "16777217", "1.5", "\"x\""} {
				var ke *KeyError
				if _, err := ParseHuggingFace(text(kind, map[string]string{k: v})); !errors.As(err, &ke) || ke.Key != k {
					t.Errorf("%s with %s of %s: %v", kind, k, v, err)
				}
			}
		}
	}
	if m, err := ParseHuggingFace(text("gpt2", map[string]string{"n_inner": ""})); err != nil || m.FFN != 256 {
		t.Errorf("an inner width not named: %d, %v; want four times the hidden", m.FFN, err)
	}
	if m, err := ParseHuggingFace(text("llama", map[string]string{"num_hidden_layers": "1", "vocab_size": "16777216"})); err != nil || m.Layers != 1 || m.Vocab != 1<<24 {
		t.Errorf("the bounds: %+v, %v", m, err)
	}
	if _, err := ParseHuggingFace(text("opt", map[string]string{"word_embed_proj_dim": "1"})); err == nil || !strings.Contains(err.Error(), "1 differs from hidden_size 64") {
		t.Errorf("projected embeddings: %v", err)
	}
	names := HuggingFaceTypes()
	for i := 1; i < len(names); i++ {
		if names[i] <= names[i-1] {
			t.Errorf("types %v are not in order", names)
		}
	}
	constants := Constants()
	for i := 1; i < len(constants); i++ {
		if constants[i] <= constants[i-1] {
			t.Errorf("constants %v are not in order", constants)
		}
	}
}

// A fit ends where no constant can move either way without a larger loss: the
// weighted mean of sqrt(e^2 + 0.03^2) - 0.03 of the rows, and 1/2000 of the
// squared distance of each constant from its start.
func TestFitIsAMinimum(t *testing.T) {
	truth := plainEff
	truth.GEMMFraction, truth.MemoryFraction, truth.LaunchUS = 0.65, 0.7, 30
	rows := planted(t, truth)
	for i := range rows { // rows disagree, and do not count alike
		rows[i].Row.IterS *= 1 + 0.1*math.Sin(float64(i*i))
		rows[i].Weight = 1 + float64(i%3)
	}
	start := plainEff
	start.GEMMFraction, start.MemoryFraction, start.LaunchUS, start.SlotMS = 0.8, 0.9, 10, 1
	names := []string{"gemm_fraction", "memory_fraction", "launch_us", "slot_ms"}
	before := []Efficiency{start}
	sets, mape, err := Fit(rows, before, names)
	if err != nil {
		t.Fatal(err)
	}
	if before[0] != start {
		t.Error("the fit changes the sets that it is given")
	}
	objective := func(e Efficiency) (sum, mean float64) {
		var weights float64
		for i := range rows {
			weights += rows[i].Weight
		}
		for i := range rows {
			p, err := rows[i].Row.Predict(a100, e)
			if err != nil {
				t.Fatal(err)
			}
			x := p/rows[i].Row.IterS - 1
			sum += rows[i].Weight / weights * (math.Sqrt(x*x+0.03*0.03) - 0.03)
			mean += math.Abs(x) / float64(len(rows))
		}
		for _, n := range names {
			c := constant(n)
			d := c.toFit(*c.at(&e)) - c.toFit(*c.at(&start))
			sum += 1e-3 * d * d / 2
		}
		return sum, mean
	}
	least, mean := objective(sets[0])
	if !near(mape, mean, 1e-9) {
		t.Errorf("mean error %v, want %v", mape, mean)
	}
	if first, _ := objective(start); least >= first {
		t.Errorf("a loss of %v, %v to begin with", least, first)
	}
	for _, n := range names {
		c := constant(n)
		for _, d := range []float64{-0.1, -0.02, 0.02, 0.1} {
			e := sets[0]
			*c.at(&e) = c.fromFit(c.toFit(*c.at(&e)) + d)
			if v, _ := objective(e); v < least-2e-7 {
				t.Errorf("%s by %v: a loss of %v is below %v", n, d, v, least)
			}
		}
	}
	if loss(0) != 0 || !near(loss(1), math.Sqrt(1+0.0009)-0.03, 1e-12) {
		t.Errorf("losses %v and %v", loss(0), loss(1))
	}
	// A name with a key frees the sets of that key alone.
	two := []Efficiency{start, start}
	two[1].GPU = "other"
	both := append(append([]Sample{}, rows[:6]...), rows[6:12]...)
	for i := 6; i < 12; i++ {
		both[i].Set = 1
	}
	got, _, err := Fit(both, two, []string{"gemm_fraction@other/test"})
	if err != nil || got[0] != start || got[1].GEMMFraction == start.GEMMFraction {
		t.Errorf("one set of two: %+v, %v", got, err)
	}
	if _, _, err := Fit(both, two, []string{"gemm_fraction@nobody"}); err == nil || !strings.Contains(err.Error(), `no set shares gemm_fraction by "nobody"`) {
		t.Errorf("nobody's constant: %v", err)
	}
	two[0].Architecture, two[1].Architecture = "a", "a"
	if got, _, err = Fit(both, two, []string{"gemm_fraction"}); err != nil || got[0].GEMMFraction != got[1].GEMMFraction || got[0].GEMMFraction == start.GEMMFraction {
		t.Errorf("two sets of one architecture: %v and %v, %v", got[0].GEMMFraction, got[1].GEMMFraction, err)
	}
}

// A GPU left out takes what the others of its architecture and its stack show;
// what only it shares with nobody is not fitted then.
func TestLeaveOutStandsIn(t *testing.T) {
	truth := plainEff
	truth.GEMMFraction, truth.Traffic = 0.6, 2
	rows := planted(t, truth)[:12]
	for i := range rows {
		rows[i].Row.GPU = "one"
		if i >= 6 {
			rows[i].Row.GPU, rows[i].Set = "two", 1
			rows[i].Row.IterS *= 1.2
		}
	}
	sets := []Efficiency{plainEff, plainEff}
	for i, name := range []string{"one", "two"} {
		sets[i].GPU, sets[i].Stack, sets[i].Architecture, sets[i].Traffic = name, "s", "a", 1
	}
	names := []string{"gemm_fraction", "traffic_mult", "launch_us@two/s"}
	got, err := LeaveOut(rows, sets, names, ByGPU)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		seen, held []Sample
		names      []string
		set, of    int
		at         int
	}{{rows[:6], rows[6:], names[:2], 0, 1, 6}, {rows[6:], rows[:6], names, 1, 0, 0}} {
		fitted, _, err := Fit(c.seen, sets, c.names)
		if err != nil {
			t.Fatal(err)
		}
		e := sets[c.of]
		e.GEMMFraction, e.Traffic = fitted[c.set].GEMMFraction, fitted[c.set].Traffic
		if e.GEMMFraction == sets[c.of].GEMMFraction {
			t.Error("nothing was fitted")
		}
		for i := range c.held {
			p, err := c.held[i].Row.Predict(a100, e)
			if err != nil {
				t.Fatal(err)
			}
			if want := p/c.held[i].Row.IterS - 1; !near(got[c.at+i], want, 1e-9) {
				t.Errorf("row %d, its GPU left out: %v, want %v", c.at+i, got[c.at+i], want)
			}
		}
	}
	if _, err := LeaveOut(rows, sets, names, ByNetwork); err == nil || !strings.Contains(err.Error(), "one key only") {
		t.Errorf("one network left out: %v", err)
	}
	other := 50.0
	rows[0].Row.InterGbpsPerGPU = &other
	if ByNetwork(&rows[0]) == ByNetwork(&rows[1]) {
		t.Error("networks of 50 and 100 Gbit/s are one")
	}
	wide := Layout{DP: 1 << 12, PP: 1, TP: 1, CP: 1 << 13, Microbatch: 1, Interleave: 1}
	if err := wide.check(&gptTiny, 1<<13, 1<<12); err == nil || !strings.Contains(err.Error(), "33554432 GPUs, want at most 16777216") {
		t.Errorf("2^25 GPUs: %v", err)
	}
}
