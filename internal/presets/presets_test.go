package presets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
)

// TestCodecBits: which classes of traffic each kind of codec takes.
func TestCodecBits(t *testing.T) {
	table, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	g, err := GPU("rtx3090")
	if err != nil {
		t.Fatal(err)
	}
	job := cluster.Bits{cluster.Grad: 2.6, cluster.Act: 3.5, cluster.ActGrad: 10.1, cluster.Param: 16}
	o := CodecOptions{Bits: job, Warmup: 0.25, Serial: true, Bypass: cluster.BypassNever,
		Point: codecpoint.Options{Table: table, Instances: 7, Video: Video("rtx3090", &g.Value)}}
	for name, want := range map[string]cluster.Codec{
		"none":      {},
		"ideal":     {Bits: job},
		"t265":      {Bits: job, Instances: 7},
		"nvenc":     {Bits: job, Instances: 1},
		"rtn-3":     {Bits: cluster.Bits{3, 3, 3, 3}},
		"1bit-adam": {Bits: cluster.Bits{cluster.Grad: 1}, Gather: true},
	} {
		c, err := o.Codec(name)
		if err != nil {
			t.Fatal(err)
		}
		warmup := 0.25
		if name == "1bit-adam" {
			warmup = 0.15
		}
		if c.Bits != want.Bits || c.Instances != want.Instances || c.Gather != want.Gather || c.Warmup != warmup || !c.Serial || c.Bypass != cluster.BypassNever {
			t.Errorf("%s: got %+v, want the bits %v, %d instances, gather %v, warm-up %v", name, c, want.Bits, want.Instances, want.Gather, warmup)
		}
		if c.Uncompressed != (name == "none") || c.HasArea != (name == "t265") || c.Source == "" {
			t.Errorf("%s: uncompressed %v, area %v, source %q", name, c.Uncompressed, c.HasArea, c.Source)
		}
	}
	if _, err := o.Codec("t266"); err == nil || !strings.Contains(err.Error(), "did you mean t26") {
		t.Errorf("t266: %v", err)
	}
}

// TestEfficiency: a set of the GPU's own, one transferred from another GPU, and none.
func TestEfficiency(t *testing.T) {
	e, from, err := Efficiency("a100-80g", "megatron-lm")
	if err != nil || e.GPU != "a100-80g" || strings.Contains(from, "transferred") {
		t.Errorf("own set: %s of %s, %v", from, e.GPU, err)
	}
	e, from, err = Efficiency("mi300x", "megatron-lm")
	if err != nil || e.GPU == "mi300x" || !strings.Contains(from, "transferred: nothing measured on mi300x") {
		t.Errorf("no set: %s of %s, %v", from, e.GPU, err)
	}
	if _, _, err = Efficiency("a100-80g", "megatron-ml"); err == nil || !strings.Contains(err.Error(), "did you mean megatron-lm?") {
		t.Errorf("unknown stack: %v", err)
	}
}

// TestDefaultStack: the stack chosen has a set on the GPU, or is Megatron-LM.
func TestDefaultStack(t *testing.T) {
	gpus, err := config.PresetNames("gpus")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range gpus {
		for _, precision := range []string{"bf16", "fp8"} {
			stack, err := DefaultStack(g, precision)
			if err != nil {
				t.Fatal(err)
			}
			e, _, err := Efficiency(g, stack)
			if err != nil || stack != "megatron-lm" && (e.GPU != g || e.Stack != stack) {
				t.Errorf("%s, %s: %s, whose constants are of %s/%s, %v", g, precision, stack, e.GPU, e.Stack, err)
			}
		}
	}
}

// TestModel: a preset, a YAML file of its fields and a Hugging Face configuration are one model.
func TestModel(t *testing.T) {
	preset, err := Model("llama2-7b")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"m.yaml": "{layers: 32, hidden: 4096, heads: 32, ffn: 11008, vocab: 32000, seq: 4096, gated: true}\n",
		"config.json": `{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32, "num_attention_heads": 32,
			"vocab_size": 32000, "max_position_embeddings": 4096}`,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		m, err := Model(path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m.Value.Params() != preset.Value.Params() || m.Value.Seq != 4096 || m.Sources[0].Text != path {
			t.Errorf("%s: %.4g parameters from %v, want %.4g", name, m.Value.Params(), m.Sources, preset.Value.Params())
		}
	}
	large := filepath.Join(dir, "large.json")
	if err := os.WriteFile(large, make([]byte, 1<<20+1), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Model(large); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("a large file: %v", err)
	}
}

// TestPaper: an unknown number is kept as an error, and does not stop the ones after it.
func TestPaper(t *testing.T) {
	s, err := Paper()
	if err != nil {
		t.Fatal(err)
	}
	if v := s.Get("table2.nccl.energy"); v != 5120 || s.Err != nil {
		t.Errorf("NCCL: %v, %v", v, s.Err)
	}
	if v := s.Get("table2.nosuch"); v != 0 || s.Err == nil || !strings.Contains(s.Err.Error(), "table2.nosuch") {
		t.Errorf("unknown: %v, %v", v, s.Err)
	}
}
