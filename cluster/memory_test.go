package cluster

import (
	"math"
	"testing"
)

// What a block keeps, counted by tensor for one micro-batch of 3 sequences of
// 64 tokens.
func TestActivationsByTensor(t *testing.T) {
	const tokens = 3 * 64.0
	l := Layout{DP: 1, PP: 1, TP: 2, Microbatch: 3, Interleave: 1}
	for _, c := range []struct {
		name  string
		m     Model
		edit  func(*Layout)
		flash bool
		want  float64
	}{
		{"gpt", gptTiny, nil, true, tokens * (10*32 + (4*32+4*32+4*128)/2.0)},
		{"gpt sp", gptTiny, func(l *Layout) { l.SequenceParallel = true }, true, tokens * (10*32 + 4*32 + 4*32 + 4*128) / 2},
		{"gpt scores", gptTiny, nil, false, tokens*(10*32+(4*32+4*32+4*128)/2.0) + 5*tokens*4/2*64},
		{"gpt selective", gptTiny, func(l *Layout) { l.Recompute = RecomputeSelective }, false, tokens * (10*32 + (4*32+4*32+4*128)/2.0)},
		{"gpt full", gptTiny, func(l *Layout) { l.Recompute = RecomputeFull }, false, tokens * 2 * 32},
		{"gpt full sp", gptTiny, func(l *Layout) { l.Recompute, l.SequenceParallel = RecomputeFull, true }, false, tokens * 32},
		{"gpt one layer full", gptTiny, func(l *Layout) { l.Recompute, l.RecomputeLayers = RecomputeFull, 1 }, true,
			tokens * (64/4.0 + 0.75*(10*32+(4*32+4*32+4*128)/2.0))},
		{"llama", llamaTiny, nil, true, tokens * (8*32 + (4*48+4*12+6*96)/2.0)},
		{"llama cp", llamaTiny, func(l *Layout) { l.CP = 4 }, true, tokens / 4 * (8*32 + (4*48+4*12+6*96)/2.0)},
		{"llama scores", llamaTiny, nil, false, tokens*(8*32+(4*48+4*12+6*96)/2.0) + 2*tokens*8/2*64},
		{"moe", moeTiny, func(l *Layout) { l.EP = 2 }, true,
			tokens*(8*32+(4*32+4*8+6*(80*0.2+53*0.8))/2.0) + 0.8*3*tokens*(2*32+6*24/2.0)},
		{"moe etp 1", moeTiny, func(l *Layout) { l.EP, l.ETP = 2, 1 }, true,
			tokens*(8*32+(4*32+4*8+6*(80*0.2+53*0.8))/2.0) + 0.8*3*tokens/2*(2*32+6*24)},
		{"moe modules", moeTiny, func(l *Layout) { l.EP, l.Recompute = 2, RecomputeSelective }, true,
			tokens*(4*32+(4*32+4*8+4*(80*0.2+53*0.8))/2.0) + 0.8*3*tokens*(2*32+4*24/2.0)},
		{"mla", mlaTiny, nil, true, tokens*(8*32+4*30+(2*4*(2*10+2*5)+6*72*0.5)/2.0) + 0.5*2*tokens*(2*32+6*24/2.0)},
		{"mla modules", mlaTiny, func(l *Layout) { l.Recompute = RecomputeSelective }, true,
			tokens*(4*32+2*30+(2*4*5+4*72*0.5)/2.0) + 0.5*2*tokens*(2*32+4*24/2.0)},
	} {
		l := l
		if c.edit != nil {
			c.edit(&l)
		}
		if got := LayerActivations(&c.m, &l, 64, c.flash); !near(got, c.want, 1e-12) {
			t.Errorf("%s: %v bytes, want %v", c.name, got, c.want)
		}
	}
}

// A stage holds its weights' state, its micro-batches' activations, and the
// largest of what comes and goes.
func TestStageMemory(t *testing.T) {
	j := unitJob(moeTiny)
	for _, c := range []struct {
		name string
		l    Layout
		eff  func(*Efficiency)
		head bool
		// weights of the three states of which ZeRO shards some, per rank
		params, grads, opt float64
		buffers            float64
	}{
		{"plain", Layout{DP: 4, TP: 2, PP: 1, EP: 4, ETP: 1, Microbatch: 1}, nil, false, 1, 1, 1, 64*2*80 + 4*80*32},
		{"fused gradients", Layout{DP: 4, TP: 2, PP: 1, EP: 4, ETP: 1, Microbatch: 1}, func(e *Efficiency) { e.FusedGrad = true }, false, 1, 1, 1, 64 * 2 * 80},
		{"head", Layout{DP: 4, TP: 2, PP: 1, EP: 4, ETP: 1, Microbatch: 1, ZeRO: 1}, nil, true, 1, 1, 0, 6*64*500 + 2*64*32 + 4*500*32},
		{"head, fused loss", Layout{DP: 4, TP: 2, PP: 1, EP: 4, ETP: 1, Microbatch: 1, ZeRO: 2}, func(e *Efficiency) { e.FusedLoss, e.FusedGrad = true, true }, true, 1, 0, 0, 4*64*500 + 2*64*32},
		{"zero 3", Layout{DP: 4, TP: 2, PP: 1, EP: 4, ETP: 1, Microbatch: 1, ZeRO: 3}, nil, false, 0, 0, 0, 64*2*80 + 4*80*32 + 2*2*(moeTiny.LayerParams()-moeTiny.ExpertParams())/2},
		{"zero 3 in stages", Layout{DP: 4, TP: 2, PP: 2, EP: 4, ETP: 1, Microbatch: 1, ZeRO: 3}, nil, false, 1, 0, 0, 64*2*80 + 4*80*32},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := j
			if c.eff != nil {
				c.eff(&j.Eff)
			}
			s := evaluate(t, j)
			m := &j.Model
			dense := 3*(m.LayerParams()-m.ExpertParams())/2 + 7e3
			expert := 3 * m.ExpertParams() / 4
			cut := dense/4 + expert/2 // 4 replicas; 8 ranks, 4 of which hold the experts once
			state := func(whole float64) float64 { return whole*(dense+expert) + (1-whole)*cut }
			l := c.l
			l.Interleave = 1
			got := stageMemory(s, &l, 3, 7e3, 5, c.head)
			want := Memory{Parameters: 2 * state(c.params), Gradients: 4 * state(c.grads), Optimizer: 12 * state(c.opt),
				Activations: LayerActivations(m, &l, 64, true) * 3 * 5, Buffers: c.buffers, Reserve: 1e9}
			for _, x := range [][2]float64{{got.Parameters, want.Parameters}, {got.Gradients, want.Gradients}, {got.Optimizer, want.Optimizer},
				{got.Activations, want.Activations}, {got.Buffers, want.Buffers}, {got.Total(), want.Total()}} {
				if !near(x[0], x[1], 1e-12) {
					t.Errorf("got %+v, want %+v", got, want)
					break
				}
			}
			l.OffloadLayers = 2
			if off := stageMemory(s, &l, 3, 7e3, 5, c.head); !near(off.Activations, want.Activations*3/5, 1e-12) {
				t.Errorf("2 of 5 layers offloaded: %v bytes, want %v", off.Activations, want.Activations*3/5)
			}
			l.OffloadLayers, l.Recompute = 0, RecomputeFull
			if full := stageMemory(s, &l, 3, 7e3, 5, c.head); !near(full.Buffers, want.Buffers+LayerActivations(m, &c.l, 64, true), 1e-12) {
				t.Errorf("recomputed: buffers %v, want one block more than %v", full.Buffers, want.Buffers)
			}
		})
	}
	s := evaluate(t, j)
	l := Layout{DP: 8, TP: 2, PP: 1, EP: 4, ETP: 1, Microbatch: 1, Interleave: 1, ZeRO: 1, ZeROGroup: 4}
	dense, expert := 3*(moeTiny.LayerParams()-moeTiny.ExpertParams())/2, 3*moeTiny.ExpertParams()/4
	if got, want := stageMemory(s, &l, 3, 0, 1, false).Optimizer, 12*(dense/4+expert/2); !near(got, want, 1e-12) {
		t.Errorf("state over groups of 4: %v, want %v", got, want)
	}
}

// The fullest of the stages: the first has most micro-batches in flight, an
// inner one may have more blocks, the last has the logits.
func TestMemory(t *testing.T) {
	j := unitJob(gptTiny)
	s := evaluate(t, j)
	embed := 32.0 * 1000 / 2
	l := Layout{DP: 1, TP: 2, PP: 1, Microbatch: 1, Interleave: 1}
	if got, want := s.memory(&l, 24), stageMemory(s, &l, 4, embed, 1, true); got != want {
		t.Errorf("one stage, tied: %+v, want %+v", got, want)
	}
	s.Model.Tied = false
	if got, want := s.memory(&l, 24), stageMemory(s, &l, 4, 2*embed, 1, true); got != want {
		t.Errorf("one stage, untied: %+v, want %+v", got, want)
	}
	l.PP = 2
	front, back := stageMemory(s, &l, 2, embed, 2, false), stageMemory(s, &l, 2, embed, 1, true)
	if got := s.memory(&l, 24); front.Total() >= back.Total() || got != back {
		t.Errorf("a large head: %+v, want %+v", got, back)
	}
	s.Model.Vocab = 10
	embed = 32.0 * 10 / 2
	front, back = stageMemory(s, &l, 2, embed, 2, false), stageMemory(s, &l, 2, embed, 1, true)
	if got := s.memory(&l, 24); front.Total() <= back.Total() || got != front {
		t.Errorf("a small head: %+v, want %+v", got, front)
	}
	s.Model.Layers = 10
	l.PP = 4
	if got, want := s.memory(&l, 24), stageMemory(s, &l, 3, 0, 3, false); got != want {
		t.Errorf("uneven stages: %+v, want the second's %+v", got, want)
	}
	for _, c := range []struct {
		pp, v, n int
		want     float64
	}{{4, 1, 24, 4}, {4, 1, 3, 3}, {4, 2, 24, 4 * (1 + 3.0/8)}, {4, 2, 3, 3}, {4, 2, 4, 4 * (1 + 3.0/8)}, {1, 1, 24, 1}} {
		if got := inFlight(&Layout{PP: c.pp, Interleave: c.v}, c.n); !near(got, c.want, 1e-12) {
			t.Errorf("pp %d, v %d, %d micro-batches: %v in flight, want %v", c.pp, c.v, c.n, got, c.want)
		}
	}
}

// Published parameter counts of models with experts and latent attention.
func TestExpertModels(t *testing.T) {
	for _, c := range []struct {
		name         string
		m            Model
		total, layer float64 // 1e9
	}{
		{"DeepSeek-V3", Model{Layers: 61, Hidden: 7168, Heads: 128, KVHeads: 128, FFN: 2048, Gated: true, Vocab: 129280, Experts: 256, TopK: 8,
			SharedExperts: 1, DenseLayers: 3, DenseFFN: 18432, Attention: "mla"}, 671, 0},
		{"DeepSeek-V2", Model{Layers: 60, Hidden: 5120, Heads: 128, KVHeads: 128, FFN: 1536, Gated: true, Vocab: 102400, Experts: 160, TopK: 6,
			SharedExperts: 2, DenseLayers: 1, DenseFFN: 12288, Attention: "mla"}, 236, 0},
		{"Qwen3-235B", Model{Layers: 94, Hidden: 4096, Heads: 64, KVHeads: 4, HeadDim: 128, FFN: 1536, Gated: true, Vocab: 151936, Experts: 128, TopK: 8}, 235, 0},
		{"Llama 4 Maverick", Model{Layers: 48, Hidden: 5120, Heads: 40, KVHeads: 8, FFN: 8192, Gated: true, Vocab: 202048, Experts: 128, TopK: 1,
			SharedExperts: 1, MoEEvery: 2, DenseFFN: 16384}, 400, 0},
	} {
		if err := c.m.Validate(); err != nil {
			t.Fatal(err)
		}
		if got := c.m.Params() / 1e9; math.Abs(got/c.total-1) > 0.01 {
			t.Errorf("%s: %.1f billion parameters, want %v", c.name, got, c.total)
		}
	}
	// By hand: 2 of 6 blocks dense, ...
	m := moeTiny
	h := 32.0
	attention := h*(32+2*8) + 32*h
	experts := 0.8 * 8 * 3 * h * 24
	other := 0.2*3*h*80 + 0.8*(3*h*53+h*8)
	active := other + 0.8*3*3*h*24
	if e, o, a := m.ffnWeights(); !near(e, experts, 1e-12) || !near(o, other, 1e-12) || !near(a, active, 1e-12) {
		t.Errorf("feed-forward weights %v, %v, %v; want %v, %v, %v", e, o, a, experts, other, active)
	}
	if got := m.LayerParams(); !near(got, attention+experts+other+2*h, 1e-12) {
		t.Errorf("%v weights a block, want %v", got, attention+experts+other+2*h)
	}
	if want := 6 * 100 * (5*(attention+active+2*64*4*8) + 1000*h); !near(m.StepFLOPs(100, 64), want, 1e-12) {
		t.Errorf("%v FLOPs, want %v", m.StepFLOPs(100, 64), want)
	}
	a := mlaTiny
	latent := h*(20+10+3) + 20*4*10 + 10*4*12 + 4*5*h
	if got := a.attentionWeights(); got != latent {
		t.Errorf("%v weights of latent attention, want %v", got, latent)
	}
	if e, o, _ := a.ffnWeights(); !near(a.LayerParams(), latent+e+o+30+2*h, 1e-12) {
		t.Errorf("%v weights a block with latent attention", a.LayerParams())
	}
	if want := 6 * 100 * (6*(latent+0.5*3*h*72+0.5*(h*16+2*3*h*24)+2*64*7.5*4) + 1000*h); !near(a.StepFLOPs(100, 64), want, 1e-12) {
		t.Errorf("latent attention: %v FLOPs, want %v", a.StepFLOPs(100, 64), want)
	}
	standard := Model{Attention: "mla"}
	if q, kv, rope, nope, v := standard.mlaDims(); q != 1536 || kv != 512 || rope != 64 || nope != 128 || v != 128 {
		t.Error("latent attention is not DeepSeek's where nothing is said")
	}
	for _, c := range []struct {
		m    Model
		want int
	}{{gptTiny, 0}, {moeTiny, 4}, {mlaTiny, 3}, {Model{Layers: 7, Experts: 2, MoEEvery: 1}, 7}, {Model{Layers: 7, Experts: 2, MoEEvery: 2}, 3}} {
		if got := c.m.moeLayers(); got != c.want {
			t.Errorf("%+v: %d blocks with experts, want %d", c.m, got, c.want)
		}
	}
	if gptTiny.recomputesModules() || !moeTiny.recomputesModules() || !(&Model{Attention: "mla"}).recomputesModules() {
		t.Error("modules are recomputed for experts and latent attention")
	}
}

func stageMemory(s *evaluation, l *Layout, layers, ends, flight float64, head bool) Memory {
	a := s.activations(l)
	return s.stageMemory(l, &a, layers, ends, flight, head)
}
