package cluster

import (
	"errors"
	"math"
	"strings"
	"testing"

	"vcsim/cluster/collective"
)

// Each number is accepted at its bounds and refused beyond them.
func TestBounds(t *testing.T) {
	type bound struct {
		name    string
		set     func(j *Job, v float64)
		in, out []float64
	}
	const most = 1 << 24
	eps := math.Nextafter(1, 2)
	var all []bound
	for i := range Table {
		c := &Table[i]
		b := bound{c.Name, func(j *Job, v float64) { *c.at(&j.Eff) = v }, []float64{c.Min, c.Max}, []float64{c.Max * eps, math.NaN(), -1e-9}}
		if c.Min > 0 {
			b.out = append(b.out, c.Min*0.999)
		}
		all = append(all, b)
	}
	positive := func(name string, at func(j *Job) *float64, max float64) {
		all = append(all, bound{name, func(j *Job, v float64) { *at(j) = v }, []float64{max, max / 2}, []float64{0, -1, max * eps, math.NaN()}})
	}
	positive("peak_tflops", func(j *Job) *float64 { return &j.GPU.PeakTFLOPS }, 1e6)
	positive("mem_gb", func(j *Job) *float64 { return &j.GPU.MemGB }, 1e5)
	positive("mem_gb_per_s", func(j *Job) *float64 { return &j.GPU.MemGBPerS }, 1e7)
	positive("tdp_w", func(j *Job) *float64 { return &j.GPU.TDPW }, 1e5)
	all = append(all,
		bound{"idle_w", func(j *Job, v float64) { j.GPU.IdleW = v }, []float64{0, 51}, []float64{-1, 52, 53, math.NaN()}},
		bound{"exp_tera_per_s", func(j *Job, v float64) { j.GPU.ExpTera = v }, []float64{0, 1e6}, []float64{-1, 1e6 * eps, math.NaN()}},
		bound{"fp8_tflops", func(j *Job, v float64) { j.GPU.FP8TFLOPS = &v }, []float64{1e-9, 1e6}, []float64{0, -1, 1e6 * eps, math.NaN()}},
		bound{"fp4_tflops", func(j *Job, v float64) { j.GPU.FP4TFLOPS = &v }, []float64{1e-9, 1e6}, []float64{0, -1, 1e6 * eps, math.NaN()}},
		bound{"grad_bytes", func(j *Job, v float64) { j.Eff.GradBytes = int(v) }, []float64{0, 2, 4}, []float64{1, 3, 8, -2}},
		bound{"seq", func(j *Job, v float64) { j.Seq = int(v) }, []float64{1, 1 << 30}, []float64{0, -1, 1<<30 + 1}},
		bound{"batch", func(j *Job, v float64) { j.GlobalBatch = int(v) }, []float64{1, 1 << 30}, []float64{0, -1, 1<<30 + 1}},
		bound{"model seq", func(j *Job, v float64) { j.Model.Seq = int(v) }, []float64{0, most}, []float64{-1, most + 1}},
		bound{"checkpoint steps", func(j *Job, v float64) { j.Checkpoint = Checkpoint{Steps: int(v), BytesPerSecond: 1} }, []float64{0, 1}, []float64{-1}},
		bound{"checkpoint rate", func(j *Job, v float64) {
			j.Checkpoint = Checkpoint{Steps: 1, BytesPerSecond: collective.BytesPerSecond(v)}
		}, []float64{1e-9, 1e18}, []float64{0, -1, math.Inf(1), math.NaN()}},
		bound{"checkpoint ratio", func(j *Job, v float64) { j.Checkpoint = Checkpoint{Steps: 1, BytesPerSecond: 1, Ratio: v} }, []float64{0, 1, 1000}, []float64{0.99, 1001, math.NaN()}},
		bound{"bits", func(j *Job, v float64) { j.Codec.Bits[Act] = v }, []float64{0, 0.001, 64}, []float64{0.0009, 64.1, -1, math.NaN()}},
	)
	for name, at := range map[string]func(m *Model) *int{
		"layers": func(m *Model) *int { return &m.Layers }, "vocab": func(m *Model) *int { return &m.Vocab }, "ffn": func(m *Model) *int { return &m.FFN },
	} {
		all = append(all, bound{name, func(j *Job, v float64) { *at(&j.Model) = int(v) }, []float64{1, most}, []float64{0, -1, most + 1}})
	}
	for name, at := range map[string]func(m *Model) *int{
		"positions": func(m *Model) *int { return &m.Positions }, "shared_ffn": func(m *Model) *int { return &m.SharedFFN }, "head_dim": func(m *Model) *int { return &m.HeadDim },
		"dense_ffn": func(m *Model) *int { return &m.DenseFFN }, "q_lora_rank": func(m *Model) *int { return &m.QRank }, "kv_lora_rank": func(m *Model) *int { return &m.KVRank },
		"qk_rope_head_dim": func(m *Model) *int { return &m.RopeDim }, "qk_nope_head_dim": func(m *Model) *int { return &m.NopeDim }, "v_head_dim": func(m *Model) *int { return &m.VDim },
	} {
		all = append(all, bound{name, func(j *Job, v float64) { *at(&j.Model) = int(v) }, []float64{0, 1, most}, []float64{-1, most + 1}})
	}
	for _, c := range []struct {
		name string
		max  float64
		at   func(*Codec) *float64
	}{
		{"encode rate", 1e18, func(c *Codec) *float64 { return (*float64)(&c.EncodeBPS) }}, {"decode rate", 1e18, func(c *Codec) *float64 { return (*float64)(&c.DecodeBPS) }},
		{"chunk", 1e12, func(c *Codec) *float64 { return &c.ChunkBytes }}, {"warm-up", 1, func(c *Codec) *float64 { return &c.Warmup }},
		{"encode energy", 1e9, func(c *Codec) *float64 { return &c.EncodePJPerBit }}, {"decode energy", 1e9, func(c *Codec) *float64 { return &c.DecodePJPerBit }},
		{"encode area", 1e6, func(c *Codec) *float64 { return &c.EncodeMM2 }}, {"decode area", 1e6, func(c *Codec) *float64 { return &c.DecodeMM2 }},
	} {
		all = append(all, bound{c.name, func(j *Job, v float64) { *c.at(&j.Codec) = v }, []float64{0, c.max}, []float64{-1, c.max * eps, math.NaN()}})
	}
	for _, b := range all {
		for _, v := range b.in {
			j := unitJob(llamaTiny)
			b.set(&j, v)
			if _, err := NewSystem(j); err != nil {
				t.Errorf("%s at %v: %v", b.name, v, err)
			}
		}
		for _, v := range b.out {
			j := unitJob(llamaTiny)
			b.set(&j, v)
			if _, err := NewSystem(j); err == nil {
				t.Errorf("%s at %v: accepted", b.name, v)
			} else if strings.Contains(err.Error(), "\n") {
				t.Errorf("%s at %v: %q is more than a line", b.name, v, err)
			}
		}
	}
}

// Models that cannot be.
func TestExpertModelsRefused(t *testing.T) {
	for name, spoil := range map[string]func(*Model){
		"attention":                  func(m *Model) { m.Attention = "linear" },
		"shared without experts":     func(m *Model) { *m = llamaTiny; m.SharedExperts = 1 },
		"dense without experts":      func(m *Model) { *m = llamaTiny; m.DenseLayers = 1 },
		"every without experts":      func(m *Model) { *m = llamaTiny; m.MoEEvery = 2 },
		"more dense than layers":     func(m *Model) { m.DenseLayers = 6 },
		"every beyond layers":        func(m *Model) { m.DenseLayers, m.MoEEvery = 0, 6 },
		"both":                       func(m *Model) { m.MoEEvery = 2 },
		"experts without choice":     func(m *Model) { m.TopK = 0 },
		"choice without experts":     func(m *Model) { *m = llamaTiny; m.TopK = 1 },
		"more chosen than there are": func(m *Model) { m.TopK = 9 },
		"negative shared":            func(m *Model) { m.SharedExperts = -1 },
		"heads and keys":             func(m *Model) { m.KVHeads = 3 },
		"heads and width":            func(m *Model) { m.Heads, m.KVHeads = 5, 5 },
	} {
		m := moeTiny
		spoil(&m)
		if m.Validate() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for name, edit := range map[string]func(*Model){
		"all layers dense": func(m *Model) { m.DenseLayers = 5 }, "one in five": func(m *Model) { m.DenseLayers, m.MoEEvery = 0, 5 },
		"every one": func(m *Model) { m.MoEEvery = 1 }, "all chosen": func(m *Model) { m.TopK = 8 },
	} {
		m := moeTiny
		edit(&m)
		if err := m.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a job can be cut into, and the reason where it cannot.
func TestLayoutCheck(t *testing.T) {
	good := Layout{DP: 4, PP: 2, TP: 2, CP: 2, Microbatch: 1, Interleave: 1, EP: 4, ETP: 2}
	for _, c := range []struct {
		edit func(*Layout)
		want string // "" if it can
	}{
		{func(l *Layout) {}, ""},
		{func(l *Layout) { l.DP = 0 }, "at least 1"},
		{func(l *Layout) { l.PP = 0 }, "at least 1"},
		{func(l *Layout) { l.TP = 0 }, "at least 1"},
		{func(l *Layout) { l.CP = -1 }, "at least 1"},
		{func(l *Layout) { l.Microbatch = 0 }, "at least 1"},
		{func(l *Layout) { l.Interleave = 0 }, "at least 1"},
		{func(l *Layout) { l.CP, l.EP, l.ETP = 0, 0, 0 }, ""},
		{func(l *Layout) { l.ZeRO = 3 }, ""},
		{func(l *Layout) { l.ZeRO = 4 }, "ZeRO stage 4"},
		{func(l *Layout) { l.ZeRO = -1 }, "ZeRO stage -1"},
		{func(l *Layout) { l.Microbatch = 4 }, "global batch 24"},
		{func(l *Layout) { l.Microbatch = 6 }, ""},
		{func(l *Layout) { l.CP = 3 }, "cp 3"},
		{func(l *Layout) { l.CP = 64 }, ""},
		{func(l *Layout) { l.TP = 3 }, "tp 3"},
		{func(l *Layout) { l.PP = 6 }, ""}, // as many stages as blocks
		{func(l *Layout) { l.PP = 7 }, "exceeds 6 layers"},
		{func(l *Layout) { l.PP, l.Interleave, l.DP = 3, 2, 8 }, ""},
		{func(l *Layout) { l.PP, l.Interleave, l.DP = 4, 2, 2 }, ""}, // 8 chunks of 6 blocks, embedding and loss
		{func(l *Layout) { l.PP, l.Interleave = 3, 3 }, "exceeds 6 layers"},
		{func(l *Layout) { l.PP, l.Interleave = 1, 2 }, "at least 2 stages"},
		{func(l *Layout) { l.PP, l.Interleave = 4, 1 }, ""},
		{func(l *Layout) { l.PP, l.Interleave, l.Microbatch = 4, 2, 1 }, "multiple of pp"},
		{func(l *Layout) { l.ZeROGroup = 8 }, ""},
		{func(l *Layout) { l.ZeROGroup = 3 }, "zero_group 3"},
		{func(l *Layout) { l.ZeROGroup = -1 }, "zero_group -1"},
		{func(l *Layout) { l.RecomputeLayers, l.OffloadLayers = 6, 6 }, ""},
		{func(l *Layout) { l.RecomputeLayers = 7 }, "recompute_layers 7"},
		{func(l *Layout) { l.RecomputeLayers = -1 }, "recompute_layers -1"},
		{func(l *Layout) { l.OffloadLayers = 7 }, "offload_layers 7"},
		{func(l *Layout) { l.OffloadLayers = -1 }, "offload_layers -1"},
		{func(l *Layout) { l.EP = -1 }, "at least 1"},
		{func(l *Layout) { l.ETP = -1 }, "at least 1"},
		{func(l *Layout) { l.EP = 3 }, "ep 3 does not divide 16 experts"},
		{func(l *Layout) { l.EP = 16 }, "does not divide tp 2 x dp 4 x cp 2"},
		{func(l *Layout) { l.EP, l.ETP = 16, 1 }, ""},
		{func(l *Layout) { l.EP, l.ETP = 8, 0 }, ""},
	} {
		l := good
		c.edit(&l)
		err := l.check(&mlaTiny, 64, 24)
		if c.want == "" {
			if err != nil {
				t.Errorf("%v: %v", l, err)
			}
			continue
		}
		var le *LayoutError
		if !errors.As(err, &le) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q", l, err, c.want)
		}
	}
	dense := Layout{DP: 4, PP: 1, TP: 1, Microbatch: 1, Interleave: 1, EP: 1}
	if err := dense.check(&llamaTiny, 64, 24); err != nil {
		t.Error(err)
	}
	for _, edit := range []func(*Layout){func(l *Layout) { l.EP = 2 }, func(l *Layout) { l.ETP = 1 }} {
		l := dense
		edit(&l)
		if err := l.check(&llamaTiny, 64, 24); err == nil || !strings.Contains(err.Error(), "no experts") {
			t.Errorf("%v of a dense model: %v", l, err)
		}
	}
	l := Layout{DP: 3, PP: 5, TP: 7, CP: 2}
	if l.GPUs() != 210 || l.replicas() != 6 || l.shards() != 6 || l.experts() != 1 || l.expertTensor() != 7 || l.context() != 2 {
		t.Errorf("%v: %d GPUs, %d replicas, %d shards, %d, %d, %d", l, l.GPUs(), l.replicas(), l.shards(), l.experts(), l.expertTensor(), l.context())
	}
	if l.ZeROGroup, l.EP, l.ETP, l.CP = 3, 4, 2, 0; l.shards() != 3 || l.experts() != 4 || l.expertTensor() != 2 || l.context() != 1 {
		t.Error("what a layout names counts")
	}
}

// Constants by their names and what shares them.
func TestTable(t *testing.T) {
	e := Efficiency{GPU: "g", Stack: "s"}
	for i := range Table {
		c := &Table[i]
		*c.at(&e) = float64(i + 1)
	}
	for i := range Table {
		c := &Table[i]
		if c.Value(&e) != float64(i+1) {
			t.Errorf("%s shares its place with another constant", c.Name)
		}
		if constant(c.Name) != c {
			t.Errorf("%s is not found", c.Name)
		}
		if c.key(&e) != "g/s" {
			t.Errorf("%s of a set that stands alone is shared by %s", c.Name, c.key(&e))
		}
		e.Architecture = "a"
		if want := map[Scope]string{ScopeKernel: "a", ScopeStack: "s", ScopeMachine: "g/s"}[c.Scope]; c.key(&e) != want {
			t.Errorf("%s is shared by %s, want %s", c.Name, c.key(&e), want)
		}
		e.Architecture = ""
		v := 0.5 * c.Max
		if got := c.fromFit(c.toFit(v)); !near(got, v, 1e-9) {
			t.Errorf("%s: %v comes back as %v", c.Name, v, got)
		}
		if c.Bounded {
			if got := c.fromFit(c.toFit(c.Max)); !near(got, 0.97*c.Max, 1e-9) {
				t.Errorf("%s starts at %v beside its bound %v", c.Name, got, c.Max)
			}
			if c.fromFit(50) > c.Max {
				t.Errorf("%s leaves its range", c.Name)
			}
		}
	}
	if constant("luck") != nil {
		t.Error("luck is a constant")
	}
	from := Efficiency{GPU: "h", Stack: "t", Architecture: "b", GEMMFraction: 0.5, LaunchUS: 9, Traffic: 3}
	to := e.Transfer(&from)
	if to.GPU != "h" || to.Stack != "s" || to.Architecture != "b" || to.GEMMFraction != 0.5 || to.LaunchUS != e.LaunchUS || to.Traffic != e.Traffic {
		t.Errorf("transferred: %+v", to)
	}
	if (&Efficiency{}).gradBytes() != 2 || (&Efficiency{GradBytes: 4}).gradBytes() != 4 {
		t.Error("gradients are 2 bytes unless said")
	}
}
