package cluster

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// A KeyError is a fault of one key of a configuration.
type KeyError struct{ Key, Reason string }

func (e *KeyError) Error() string { return fmt.Sprintf("key %q: %s", e.Key, e.Reason) }

// hfKeys names the keys of one family of Hugging Face configurations. An empty
// name means that the family has no such key.
type hfKeys struct {
	layers, hidden, heads, kvHeads, ffn, vocab, seq, headDim string
	experts, topK, shared                                    string
	gated                                                    bool
	tied                                                     bool // where tie_word_embeddings is absent
	positions                                                int  // rows of the learned position embedding beyond seq; -1: no such embedding
	ffnTimes                                                 int  // inner width over hidden where its key is absent or null; 0: the key is needed
}

var hfLlama = hfKeys{layers: "num_hidden_layers", hidden: "hidden_size", heads: "num_attention_heads", kvHeads: "num_key_value_heads",
	ffn: "intermediate_size", vocab: "vocab_size", seq: "max_position_embeddings", headDim: "head_dim", gated: true, positions: -1}

// with is a copy of k changed by f.
func (k hfKeys) with(f func(*hfKeys)) hfKeys {
	f(&k)
	return k
}

// hfFamilies is the table of model_type values that [ParseHuggingFace] reads.
var hfFamilies = map[string]hfKeys{
	"llama":   hfLlama,
	"mistral": hfLlama,
	"qwen2":   hfLlama,
	"qwen3":   hfLlama,
	"mixtral": hfLlama.with(func(k *hfKeys) { k.experts, k.topK = "num_local_experts", "num_experts_per_tok" }),
	"qwen2_moe": hfLlama.with(func(k *hfKeys) {
		k.ffn, k.experts, k.topK, k.shared = "moe_intermediate_size", "num_experts", "num_experts_per_tok", "shared_expert_intermediate_size"
	}),
	"qwen3_moe": hfLlama.with(func(k *hfKeys) {
		k.ffn, k.experts, k.topK = "moe_intermediate_size", "num_experts", "num_experts_per_tok"
	}),
	"gpt_neox": hfLlama.with(func(k *hfKeys) { k.kvHeads, k.headDim, k.gated = "", "", false }),
	"gpt2": {layers: "n_layer", hidden: "n_embd", heads: "n_head", ffn: "n_inner", vocab: "vocab_size", seq: "n_positions",
		tied: true, positions: 0, ffnTimes: 4},
	"opt": {layers: "num_hidden_layers", hidden: "hidden_size", heads: "num_attention_heads", ffn: "ffn_dim", vocab: "vocab_size",
		seq: "max_position_embeddings", tied: true, positions: 2},
}

// HuggingFaceTypes lists the values of model_type that [ParseHuggingFace]
// reads.
func HuggingFaceTypes() []string {
	var names []string
	for n := range hfFamilies {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// ParseHuggingFace reads the config.json of a Hugging Face model. Keys that do
// not bear on size are ignored; a missing, mistyped or absurd one is a
// *KeyError.
func ParseHuggingFace(data []byte) (Model, error) {
	var m Model
	var obj map[string]json.RawMessage
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&obj); err != nil {
		return m, fmt.Errorf("not a JSON object: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return m, fmt.Errorf("text after the JSON object")
	}
	var kind string
	raw, ok := obj["model_type"]
	if !ok {
		return m, &KeyError{"model_type", "missing"}
	}
	if err := json.Unmarshal(raw, &kind); err != nil {
		return m, &KeyError{"model_type", "want a string"}
	}
	k, ok := hfFamilies[kind]
	if !ok {
		return m, &KeyError{"model_type", fmt.Sprintf("%q is not known (%s)", kind, strings.Join(HuggingFaceTypes(), ", "))}
	}
	m = Model{Gated: k.gated, Tied: k.tied}
	for _, f := range []struct {
		key      string
		to       *int
		optional bool
	}{
		{k.layers, &m.Layers, false}, {k.hidden, &m.Hidden, false}, {k.heads, &m.Heads, false}, {k.kvHeads, &m.KVHeads, true},
		{k.ffn, &m.FFN, k.ffnTimes > 0}, {k.vocab, &m.Vocab, false}, {k.seq, &m.Seq, true}, {k.headDim, &m.HeadDim, true},
		{k.experts, &m.Experts, false}, {k.topK, &m.TopK, false}, {k.shared, &m.SharedFFN, false},
	} {
		if f.key == "" {
			continue
		}
		v, err := hfInt(obj, f.key, f.optional)
		if err != nil {
			return m, err
		}
		*f.to = v
	}
	if raw, ok := obj["tie_word_embeddings"]; ok {
		if err := json.Unmarshal(raw, &m.Tied); err != nil {
			return m, &KeyError{"tie_word_embeddings", "want true or false"}
		}
	}
	if m.KVHeads == 0 {
		m.KVHeads = m.Heads
	}
	if m.FFN == 0 {
		m.FFN = k.ffnTimes * m.Hidden
	}
	if k.positions >= 0 {
		m.Positions = m.Seq + k.positions
	}
	if kind == "opt" {
		if proj, err := hfInt(obj, "word_embed_proj_dim", true); err != nil {
			return m, err
		} else if proj != 0 && proj != m.Hidden {
			return m, &KeyError{"word_embed_proj_dim", fmt.Sprintf("%d differs from hidden_size %d: projected embeddings are not modelled", proj, m.Hidden)}
		}
	}
	return m, m.Validate()
}

// hfInt is the whole number at key, 0 where it is absent or null and optional.
func hfInt(obj map[string]json.RawMessage, key string, optional bool) (int, error) {
	raw, ok := obj[key]
	if !ok || string(raw) == "null" {
		if optional {
			return 0, nil
		}
		return 0, &KeyError{key, "missing"}
	}
	var v float64
	if err := json.Unmarshal(raw, &v); err != nil || v != math.Trunc(v) {
		return 0, &KeyError{key, fmt.Sprintf("%s is not a whole number", raw)}
	}
	if v < 1 || v > 1<<24 {
		return 0, &KeyError{key, fmt.Sprintf("%v is out of range", v)}
	}
	return int(v), nil
}
