package presets

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/cluster"
)

// TestGPUFile: a GPU comes from a preset or from a YAML file with its fields, and faults of the file name it.
func TestGPUFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("x.yaml", "peak_tflops: 71\nmem_gb: 24\nmem_gb_per_s: 936\ntdp_w: 350\n")
	g, err := GPU(good)
	if err != nil || g.Value.PeakTFLOPS != 71 || g.Sources[0].Text != good {
		t.Errorf("%+v, %v", g, err)
	}
	if c, err := Efficiency(good, "megatron-lm"); err != nil || c.For != good {
		t.Errorf("constants %v, %v; want those of another GPU", c, err)
	}
	for path, want := range map[string]string{
		write("key.yml", "peak_tflop: 71\n"):                                                "peak_tflops",
		write("range.yaml", "peak_tflops: -1\nmem_gb: 24\nmem_gb_per_s: 936\ntdp_w: 350\n"): "peak_tflops is -1",
		filepath.Join(dir, "none.yaml"):                                                     "no such file",
	} {
		if _, err := GPU(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// TestSequence: the positions of a Hugging Face configuration are the length of a sequence only where jobs are that long.
func TestSequence(t *testing.T) {
	for _, c := range []struct {
		asked int
		name  string
		seq   int
		want  int // 0 for an error
	}{
		{0, "config.json", 4096, 4096}, {0, "config.json", 32768, 32768}, {0, "config.json", 1 << 20, 0}, {2048, "config.json", 1 << 20, 2048},
		{0, "m.yaml", 1 << 20, 1 << 20}, {0, "llama3-70b", 8192, 8192},
	} {
		got, err := Sequence(c.asked, "seq", c.name, &cluster.Model{Seq: c.seq})
		if got != c.want || (err != nil) != (c.want == 0) {
			t.Errorf("%+v: %d, %v", c, got, err)
		}
		if err != nil && (!strings.Contains(err.Error(), fmt.Sprint(c.seq)) || !strings.Contains(err.Error(), "--seq")) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestStackNames: a near miss and the name of a set lead to the stack.
func TestStackNames(t *testing.T) {
	for stack, want := range map[string]string{"megatron-cor": "did you mean megatron-core?", "a100-80g/megatron-lm": "did you mean megatron-lm?"} {
		if _, err := Efficiency("a100-80g", stack); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", stack, err, want)
		}
	}
}
