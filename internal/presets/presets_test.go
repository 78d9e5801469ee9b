package presets

import (
	"math"
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
		"none":       {},
		"ideal":      {Bits: job},
		"t265-paper": {Bits: job, Instances: 7},
		"nvenc":      {Bits: job, Instances: 1},
		"rtn-3":      {Bits: cluster.Bits{3, 3, 3, 3}},
		"1bit-adam":  {Bits: cluster.Bits{cluster.Grad: 1}, Gather: true},
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
		if c.Uncompressed != (name == "none") || c.HasArea != (name == "t265-paper") || c.Source == "" {
			t.Errorf("%s: uncompressed %v, area %v, source %q", name, c.Uncompressed, c.HasArea, c.Source)
		}
	}
	if _, err := o.Codec("t266"); err == nil || !strings.Contains(err.Error(), "did you mean t26") {
		t.Errorf("t266: %v", err)
	}
}

// TestEfficiency: a set of the GPU's own, one transferred from another GPU, and none.
func TestEfficiency(t *testing.T) {
	c, err := Efficiency("a100-80g", "megatron-lm")
	if err != nil || c.Values.GPU != "a100-80g" || c.For != "" || c.String() != c.Set {
		t.Errorf("own set: %s of %s, %v", c, c.Values.GPU, err)
	}
	c, err = Efficiency("mi300x", "megatron-lm")
	if err != nil || c.Values.GPU == "mi300x" || c.For != "mi300x" || c.String() != c.Set+", transferred: nothing measured on mi300x" {
		t.Errorf("no set: %s of %s, %v", c, c.Values.GPU, err)
	}
	if _, err = Efficiency("a100-80g", "megatron-ml"); err == nil || !strings.Contains(err.Error(), "did you mean megatron-lm?") {
		t.Errorf("unknown stack: %v", err)
	}
}

// TestDefaultStack: the stack chosen has a set on the GPU or on one of its architecture, or is Megatron-LM.
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
			c, err := Efficiency(g, stack)
			if err != nil {
				t.Fatal(err)
			}
			arch, err := architecture(g)
			if err != nil {
				t.Fatal(err)
			}
			near := c.Values.GPU == g || arch != "" && c.Values.Architecture == arch
			if stack != "megatron-lm" && !(near && c.Values.Stack == stack) {
				t.Errorf("%s, %s: %s, whose constants are of %s/%s", g, precision, stack, c.Values.GPU, c.Values.Stack)
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

// TestValidate: the mean and the largest error are those of the rows that count, and all rows are there.
func TestValidate(t *testing.T) {
	stacks := map[[2]string]cluster.Efficiency{}
	for _, name := range config.MeasurementNames() {
		f, err := Measured(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Rows) > 100 {
			continue // to be quick
		}
		v, err := f.Validate(stacks)
		if err != nil {
			t.Fatal(err)
		}
		sum, most, n := 0., 0., 0.
		for i, p := range v.Rows {
			if p.ID != f.Rows[i].ID || math.Abs(p.Error-100*(p.Predicted/p.Measured-1)) > 1e-9 {
				t.Errorf("%s, row %d: %+v", name, i, p)
			}
			if !f.Rows[i].Unhealthy() {
				sum, most, n = sum+math.Abs(p.Error), max(most, math.Abs(p.Error)), n+1
			}
		}
		if len(v.Rows) != len(f.Rows) || math.Abs(v.MAPE-sum/n) > 1e-9 || v.Max != most {
			t.Errorf("%s: %d rows of %d, mean %v, largest %v; want %v and %v", name, len(v.Rows), len(f.Rows), v.MAPE, v.Max, sum/n, most)
		}
	}
	if got := MeanAbsolute([]float64{-0.1, 0.3}); math.Abs(got-20) > 1e-12 {
		t.Errorf("mean of -10 %% and 30 %%: %v %%", got)
	}
}
