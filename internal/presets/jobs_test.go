package presets

import (
	"strings"
	"testing"

	"vcsim/cluster"
	"vcsim/internal/config"
)

func TestBatch(t *testing.T) {
	for _, tt := range []struct {
		model     cluster.Model
		seq, gpus int
		want      int
		from      string
	}{
		{cluster.Model{BatchTokens: 4194304}, 4096, 32, 1024, "4.19 M tokens"},
		{cluster.Model{BatchTokens: 4194304}, 4096, 96, 1056, "4.19 M"}, // the nearest multiple of 96
		{cluster.Model{BatchTokens: 4194304}, 4096, 4096, 1024, "4.19 M"},
		{cluster.Model{BatchTokens: 3.2e6}, 2048, 1, 1563, "3.2 M"},
		{cluster.Model{}, 8192, 512, 512, "not published"},
		{cluster.Model{BatchTokens: 1000}, 4096, 8, 1, "0.001 M"},
	} {
		got, from := Batch("m", &tt.model, tt.seq, tt.gpus)
		if got != tt.want || !strings.Contains(from, tt.from) {
			t.Errorf("%+v: %d sequences, %q", tt, got, from)
		}
	}
}

func TestNode(t *testing.T) {
	for _, tt := range [][3]int{{8, 512, 8}, {8, 4, 4}, {8, 12, 6}, {8, 7, 7}, {8, 11, 1}, {72, 144, 72}, {72, 512, 64}, {1, 32, 1}, {0, 32, 1}, {8, 1, 1}} {
		if got := Node(&cluster.GPU{NodeGPUs: tt[0]}, tt[1]); got != tt[2] {
			t.Errorf("%d GPUs, machines of %d: %d a node, want %d", tt[1], tt[0], got, tt[2])
		}
	}
}

// TestJobPresets: every GPU says how many a machine holds, and every published batch is a whole number of sequences within a percent
// or so, which a count of tokens in millions may hide.
func TestJobPresets(t *testing.T) {
	gpus, err := config.Presets[cluster.GPU]("gpus")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range gpus {
		if g.Value.NodeGPUs < 1 || g.Value.Validate() != nil {
			t.Errorf("%s: node_gpus %d, %v", g.Name, g.Value.NodeGPUs, g.Value.Validate())
		}
	}
	models, err := config.Presets[cluster.Model]("models")
	if err != nil {
		t.Fatal(err)
	}
	published := 0
	for _, m := range models {
		if m.Value.BatchTokens > 0 {
			published++
		}
		if n, _ := Batch(m.Name, &m.Value, m.Value.Seq, 1); n < 64 || n > 4096 {
			t.Errorf("%s: %d sequences a step", m.Name, n)
		}
	}
	if published < 12 {
		t.Errorf("%d batches are published", published)
	}
}
