package cluster

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/cluster/collective"
)

// publishedParams are the parameter counts of the model cards, in 1e9.
var publishedParams = map[string]float64{
	"llama-2-7b": 6.738, "llama-2-13b": 13.016, "llama-2-70b": 68.977, "llama-3-8b": 8.030, "llama-3-70b": 70.554, "llama-3.2-1b": 1.236,
	"mistral-7b-v0.1": 7.242, "mistral-nemo-12b": 12.248, "qwen2-7b": 7.616, "qwen2-0.5b": 0.494, "qwen2.5-72b": 72.706,
	"mixtral-8x7b": 46.703, "qwen1.5-moe-a2.7b": 14.316, "pythia-160m": 0.1623, "pythia-1.4b": 1.4146, "pythia-6.9b": 6.857,
	"gpt-neox-20b": 20.55, "gpt2": 0.1244, "gpt2-xl": 1.5576, "opt-125m": 0.1252, "opt-6.7b": 6.658,
}

func TestHuggingFaceParams(t *testing.T) {
	files, err := filepath.Glob("testdata/huggingface/*.json")
	if err != nil || len(files) != len(publishedParams) {
		t.Fatalf("%d files, want %d (%v)", len(files), len(publishedParams), err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".json")
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m, err := ParseHuggingFace(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := publishedParams[name]
		if got := m.Params() / 1e9; math.Abs(got/want-1) > 0.01 {
			t.Errorf("%s: got %.4f billion parameters, published %.4f", name, got, want)
		}
		s := Job{Model: m, GPU: a100, Eff: plainEff, Net: collective.FlatNetwork(1e10), Seq: 1024, GlobalBatch: 8}
		sys, err := NewSystem(s)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if st, err := sys.Step(Layout{DP: 1, PP: 2, TP: 1, Microbatch: 1, Interleave: 1}); err != nil || !(st.Time > 0) {
			t.Errorf("%s: step %v s, %v", name, st.Time, err)
		}
	}
}

func TestHuggingFaceErrors(t *testing.T) {
	const good = `{"model_type":"llama","num_hidden_layers":2,"hidden_size":64,"num_attention_heads":4,"intermediate_size":128,"vocab_size":100}`
	if _, err := ParseHuggingFace([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, key string }{
		{`"model_type":"llama",`, ``, "model_type"},
		{`"llama"`, `"mamba"`, "model_type"},
		{`"llama"`, `7`, "model_type"},
		{`"hidden_size":64,`, ``, "hidden_size"},
		{`"hidden_size":64`, `"hidden_size":"64"`, "hidden_size"},
		{`"hidden_size":64`, `"hidden_size":-64`, "hidden_size"},
		{`"hidden_size":64`, `"hidden_size":64.5`, "hidden_size"},
		{`"hidden_size":64`, `"hidden_size":null`, "hidden_size"},
		{`"hidden_size":64`, `"hidden_size":1e30`, "hidden_size"},
		{`"vocab_size":100`, `"vocab_size":[100]`, "vocab_size"},
		{`"num_hidden_layers":2`, `"num_hidden_layers":0`, "num_hidden_layers"},
		{`}`, `,"tie_word_embeddings":"no"}`, "tie_word_embeddings"},
		{`}`, `,"num_key_value_heads":true}`, "num_key_value_heads"},
	} {
		_, err := ParseHuggingFace([]byte(strings.Replace(good, c.old, c.new, 1)))
		var ke *KeyError
		if !errors.As(err, &ke) || ke.Key != c.key {
			t.Errorf("%s -> %s: got %v, want a KeyError of %q", c.old, c.new, err, c.key)
		}
	}
	for _, bad := range []string{"", "[]", "{", good + "{}", `"x"`, `{"model_type":"llama","num_hidden_layers":2,"hidden_size":65,"num_attention_heads":4,"intermediate_size":128,"vocab_size":100}`} {
		if _, err := ParseHuggingFace([]byte(bad)); err == nil {
			t.Errorf("%q: accepted", bad)
		}
	}
}

func FuzzParseHuggingFace(f *testing.F) {
	f.Add([]byte(`{"model_type":"opt","num_hidden_layers":2,"hidden_size":64,"num_attention_heads":4,"ffn_dim":128,"vocab_size":100}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseHuggingFace(data)
		if err == nil && !(m.Params() > 0) {
			t.Errorf("%s: %v parameters", data, m.Params())
		}
	})
}
