package cluster

import (
	"math"
	"testing"
)

func near(got, want, tol float64) bool {
	return math.Abs(got-want) <= tol*math.Max(math.Abs(want), 1e-300)
}

func TestParams(t *testing.T) {
	// LLaMA-2-7B: 32 x (4 x 4096^2 + 3 x 4096 x 11008 + 2 x 4096) + 2 x 32000 x 4096 + 4096.
	if got, want := llama7b.Params(), 6738415616.0; got != want {
		t.Errorf("llama2-7b: got %.0f parameters, want %.0f", got, want)
	}
	// A tied, ungated block of hidden h has 12 h^2 + 13 h weights, biases and gains.
	m := Model{Layers: 3, Hidden: 64, Heads: 4, KVHeads: 4, FFN: 256, Tied: true, Vocab: 100}
	if got, want := m.Params(), 3.0*(12*64*64+13*64)+100*64+64; got != want {
		t.Errorf("small GPT: got %.0f parameters, want %.0f", got, want)
	}
	// Grouped heads shrink the two key and value matrices.
	g := m
	g.KVHeads = 1
	if got, want := m.LayerParams()-g.LayerParams(), 2.0*(64*48+48); got != want {
		t.Errorf("grouped heads save %.0f weights a layer, want %.0f", got, want)
	}
}

func TestStepFLOPs(t *testing.T) {
	// Equation 3 of arXiv 2104.04473 without recomputation (its factor 96 is 4
	// passes; 3 passes give 72): 72 B s l h^2 (1 + s/6h + V/12lh).
	m := Model{Layers: 24, Hidden: 2304, Heads: 24, KVHeads: 24, FFN: 9216, Tied: true, Vocab: 51200}
	const b, s = 512, 2048
	l, h, v := 24.0, 2304.0, 51200.0
	want := 72 * b * s * l * h * h * (1 + s/(6*h) + v/(12*l*h))
	if got := m.StepFLOPs(b*s, s); !near(got, want, 1e-12) {
		t.Errorf("got %g FLOPs, want %g", got, want)
	}
}

func TestModelValidate(t *testing.T) {
	good := llama7b
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Model){
		"no layers":       func(m *Model) { m.Layers = 0 },
		"negative hidden": func(m *Model) { m.Hidden = -4096 },
		"absurd vocab":    func(m *Model) { m.Vocab = 1 << 40 },
		"heads":           func(m *Model) { m.Heads = 31 },
		"kv heads":        func(m *Model) { m.KVHeads = 5 },
		"negative seq":    func(m *Model) { m.Seq = -1 },
	} {
		m := llama7b
		spoil(&m)
		if m.Validate() == nil {
			t.Errorf("%s: accepted %+v", name, m)
		}
	}
}

// The activation formulas of arXiv 2205.05198, Table 2, per layer and in units
// of s b h bytes.
func TestLayerActivations(t *testing.T) {
	gpt := Model{Layers: 1, Hidden: 12288, Heads: 96, KVHeads: 96, FFN: 49152, Vocab: 51200}
	const s, b, tp = 2048, 2, 8
	h, a := 12288.0, 96.0
	sbh := s * b * h
	for _, c := range []struct {
		name string
		l    Layout
		want float64
	}{
		{"no parallelism", Layout{TP: 1}, 34 + 5*a*s/h},
		{"tensor", Layout{TP: tp}, 10 + 24.0/tp + 5*a*s/(h*tp)},
		{"tensor and sequence", Layout{TP: tp, SequenceParallel: true}, (34 + 5*a*s/h) / tp},
		{"tensor, selective", Layout{TP: tp, Recompute: RecomputeSelective}, 10 + 24.0/tp},
		{"tensor and sequence, selective", Layout{TP: tp, SequenceParallel: true, Recompute: RecomputeSelective}, 34.0 / tp},
		{"full", Layout{TP: tp, Recompute: RecomputeFull}, 2},
	} {
		c.l.Microbatch = b
		if got := LayerActivations(&gpt, &c.l, s, false) / sbh; !near(got, c.want, 1e-12) {
			t.Errorf("%s: got %.4f sbh, want %.4f", c.name, got, c.want)
		}
	}
}

func TestMemoryShards(t *testing.T) {
	s := testSystem(t)
	l := Layout{DP: 8, PP: 1, TP: 1, Microbatch: 1, Interleave: 1}
	p := llama7b.Params() - float64(llama7b.Hidden) // the final norm's gain is not counted in a stage
	for zero, want := range []float64{18 * p, (2 + 4 + 12.0/8) * p, (2 + 16.0/8) * p, 18.0 / 8 * p} {
		l.ZeRO = zero
		m := s.memory(&l, 8)
		if got := m.Parameters + m.Gradients + m.Optimizer; !near(got, want, 1e-9) {
			t.Errorf("ZeRO %d: got %.3f GB of state, want %.3f", zero, got/1e9, want/1e9)
		}
	}
}

// The first stage keeps min(p, m) micro-batches, and with v chunks
// 1 + (p-1)/(p v) times that (arXiv 2205.05198, section 4.2.3).
func TestInFlight(t *testing.T) {
	for _, c := range []struct {
		pp, v, m int
		want     float64
	}{
		{1, 1, 16, 1}, {8, 1, 16, 8}, {8, 1, 4, 4}, {8, 3, 64, 8 * (1 + 7.0/24)},
	} {
		l := Layout{PP: c.pp, Interleave: c.v}
		if got := inFlight(&l, c.m); !near(got, c.want, 1e-12) {
			t.Errorf("pp %d, v %d, %d micro-batches: got %v in flight, want %v", c.pp, c.v, c.m, got, c.want)
		}
	}
}
