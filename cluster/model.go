package cluster

import "fmt"

// A Model is a decoder-only (or BERT-like) transformer of identical layers.
type Model struct {
	Layers  int  `yaml:"layers"`   // transformer blocks
	Hidden  int  `yaml:"hidden"`   // width of the residual stream
	Heads   int  `yaml:"heads"`    // query heads
	KVHeads int  `yaml:"kv_heads"` // key and value heads; Heads without grouping
	FFN     int  `yaml:"ffn"`      // inner width of the feed-forward block
	Gated   bool `yaml:"gated"`    // three FFN matrices (SwiGLU); such models also have no biases and no dropout
	Tied    bool `yaml:"tied"`     // the output head shares the embedding's matrix
	Vocab   int  `yaml:"vocab"`    // rows of the embedding
	Seq     int  `yaml:"seq"`      // default sequence length in tokens; 0 if the model has none

	HeadDim   int `yaml:"head_dim"`          // width of a head; 0 means hidden / heads
	Positions int `yaml:"positions"`         // rows of a learned position embedding; 0 if there is none
	Experts   int `yaml:"experts"`           // feed-forward blocks of a mixture; 0 means one block and no router
	TopK      int `yaml:"experts_per_token"` // of them, how many a token passes through
	SharedFFN int `yaml:"shared_ffn"`        // inner width of a block that every token passes through as well

	SharedExperts int    `yaml:"shared_experts"` // the same, in experts of FFN each
	DenseLayers   int    `yaml:"dense_layers"`   // first blocks without experts
	DenseFFN      int    `yaml:"dense_ffn"`      // inner width of blocks without experts; 0 means ffn
	MoEEvery      int    `yaml:"moe_every"`      // one block in so many has experts; 0 means all
	Attention     string `yaml:"attention"`      // mla: multi-head latent attention (arXiv 2405.04434); else grouped heads

	// Widths of latent attention; 0 means DeepSeek-V2's and V3's.
	QRank   int `yaml:"q_lora_rank"`      // 1536
	KVRank  int `yaml:"kv_lora_rank"`     // 512
	RopeDim int `yaml:"qk_rope_head_dim"` // 64, shared by all heads
	NopeDim int `yaml:"qk_nope_head_dim"` // 128 a head
	VDim    int `yaml:"v_head_dim"`       // 128 a head

	ParamsB     float64 `yaml:"params_b"`     // published parameter count in 1e9; 0 if not published
	BatchTokens float64 `yaml:"batch_tokens"` // tokens of a step of the published training run; 0 if not published
}

// Validate reports the first dimension that cannot belong to a transformer.
func (m *Model) Validate() error {
	const most = 1 << 24
	for _, d := range []struct {
		name  string
		value int
	}{
		{"layers", m.Layers}, {"hidden", m.Hidden}, {"heads", m.Heads},
		{"kv_heads", m.KVHeads}, {"ffn", m.FFN}, {"vocab", m.Vocab},
	} {
		if d.value < 1 || d.value > most {
			return fmt.Errorf("model: %s is %d, want 1 to %d", d.name, d.value, most)
		}
	}
	if m.Seq < 0 || m.Seq > most {
		return fmt.Errorf("model: seq is %d, want 0 to %d", m.Seq, most)
	}
	for _, d := range []struct {
		name  string
		value int
	}{
		{"head_dim", m.HeadDim}, {"positions", m.Positions}, {"experts", m.Experts}, {"experts_per_token", m.TopK}, {"shared_ffn", m.SharedFFN},
		{"shared_experts", m.SharedExperts}, {"dense_layers", m.DenseLayers}, {"dense_ffn", m.DenseFFN}, {"moe_every", m.MoEEvery},
		{"q_lora_rank", m.QRank}, {"kv_lora_rank", m.KVRank}, {"qk_rope_head_dim", m.RopeDim}, {"qk_nope_head_dim", m.NopeDim}, {"v_head_dim", m.VDim},
	} {
		if d.value < 0 || d.value > most {
			return fmt.Errorf("model: %s is %d, want 0 to %d", d.name, d.value, most)
		}
	}
	if !(m.BatchTokens >= 0 && m.BatchTokens <= 1e12) {
		return fmt.Errorf("model: batch_tokens is %v, want 0 to 1e12", m.BatchTokens)
	}
	if m.HeadDim == 0 && m.Hidden%m.Heads != 0 {
		return fmt.Errorf("model: hidden %d is not a multiple of heads %d", m.Hidden, m.Heads)
	}
	if m.Heads%m.KVHeads != 0 {
		return fmt.Errorf("model: heads %d is not a multiple of kv_heads %d", m.Heads, m.KVHeads)
	}
	if (m.Experts > 0) != (m.TopK > 0) || m.TopK > m.Experts {
		return fmt.Errorf("model: %d experts and %d per token: want both or neither, and no more than there are", m.Experts, m.TopK)
	}
	if m.Attention != "" && m.Attention != "mla" {
		return fmt.Errorf("model: attention is %q, want mla or nothing", m.Attention)
	}
	if m.Experts == 0 && (m.SharedExperts > 0 || m.DenseLayers > 0 || m.MoEEvery > 0) {
		return fmt.Errorf("model: shared_experts, dense_layers and moe_every want experts")
	}
	if m.DenseLayers > m.Layers || m.MoEEvery > m.Layers {
		return fmt.Errorf("model: dense_layers %d and moe_every %d want to be within the %d layers", m.DenseLayers, m.MoEEvery, m.Layers)
	}
	if m.DenseLayers > 0 && m.MoEEvery > 1 {
		return fmt.Errorf("model: dense_layers and moe_every exclude each other")
	}
	return nil
}

// mla reports latent attention.
func (m *Model) mla() bool { return m.Attention == "mla" }

// recomputesModules reports whether selective recomputation means cheap
// modules (norms, latent projections, activations: Megatron-Core's
// recompute_modules), as it does for blocks with experts or latent attention,
// and not the attention core.
func (m *Model) recomputesModules() bool { return m.mla() || m.Experts > 0 }

// secondProducts is the share of every second product (K, output, and the
// second of the feed-forward block's, in their order Q, K, V, output, gate, up,
// down) in the forward FLOPs of a block's linear layers. Experts and latents
// count as half.
func (m *Model) secondProducts() float64 {
	if m.recomputesModules() {
		return 0.5
	}
	q, kv, f := float64(m.qWidth()), float64(m.kvWidth()), float64(m.FFN)
	return (kv + q + f) / (2*q + 2*kv + float64(m.ffnMatrices())*f)
}

// mlaDims is the ranks and head widths of latent attention.
func (m *Model) mlaDims() (q, kv, rope, nope, v float64) {
	or := func(n, standard int) float64 { return float64(orDefault(n, standard)) }
	return or(m.QRank, 1536), or(m.KVRank, 512), or(m.RopeDim, 64), or(m.NopeDim, 128), or(m.VDim, 128)
}

// coreWidth is the mean width of the two products of the attention core: that
// of a head, or with latent attention half of the scores' and the values'.
func (m *Model) coreWidth() float64 {
	if m.mla() {
		_, _, rope, nope, v := m.mlaDims()
		return (nope + rope + v) / 2
	}
	return float64(m.headDim())
}

// moeLayers is the number of blocks with experts.
func (m *Model) moeLayers() int {
	switch {
	case m.Experts == 0:
		return 0
	case m.MoEEvery > 1:
		return m.Layers / m.MoEEvery
	}
	return m.Layers - m.DenseLayers
}

// denseFFN is the inner width of a block without experts.
func (m *Model) denseFFN() float64 { return float64(orDefault(m.DenseFFN, m.FFN)) }

// sharedWidth is the inner width that every token of an expert block passes
// through beside its experts.
func (m *Model) sharedWidth() float64 { return float64(m.SharedFFN + m.SharedExperts*m.FFN) }

// headDim is the width of a head.
func (m *Model) headDim() int {
	if m.HeadDim > 0 {
		return m.HeadDim
	}
	return m.Hidden / m.Heads
}

// qWidth and kvWidth are the columns of the query, and of the key or value,
// projection.
func (m *Model) qWidth() int  { return m.headDim() * m.Heads }
func (m *Model) kvWidth() int { return m.headDim() * m.KVHeads }

// ffnMatrices is 3 for a gated feed-forward block, else 2.
func (m *Model) ffnMatrices() int {
	if m.Gated {
		return 3
	}
	return 2
}

// attentionWeights is the number of weights of one block's projections.
func (m *Model) attentionWeights() float64 {
	h := float64(m.Hidden)
	if m.mla() {
		q, kv, rope, nope, v := m.mlaDims()
		heads := float64(m.Heads)
		return h*(q+kv+rope) + q*heads*(nope+rope) + kv*heads*(nope+v) + heads*v*h
	}
	q, kv := float64(m.qWidth()), float64(m.kvWidth())
	return h*(q+2*kv) + q*h
}

// ffnWeights is the number of weights of the average block's feed-forward
// part: those that experts hold, the others, and those that a token passes
// through.
func (m *Model) ffnWeights() (experts, other, active float64) {
	per := float64(m.ffnMatrices() * m.Hidden)
	moe := float64(m.moeLayers()) / float64(m.Layers)
	dense := per * m.denseFFN() * (1 - moe)
	if moe == 0 {
		return 0, dense, dense
	}
	shared := (per*m.sharedWidth() + float64(m.Hidden*m.Experts)) * moe
	one := per * float64(m.FFN) * moe
	return one * float64(m.Experts), dense + shared, dense + shared + one*float64(m.TopK)
}

// LayerParams is the number of weights of the average transformer block, with
// biases and norm gains where the architecture has them.
func (m *Model) LayerParams() float64 {
	h, f, kv := float64(m.Hidden), float64(m.FFN), float64(m.kvWidth())
	experts, other, _ := m.ffnWeights()
	p := m.attentionWeights() + experts + other
	if m.mla() {
		q, kv, _, _, _ := m.mlaDims()
		p += q + kv // norms of the two latents
	}
	if m.Gated {
		return p + 2*h // two RMSNorm gains
	}
	return p + (float64(m.qWidth()) + 2*kv) + h + f + h + 4*h // biases; gain and bias of two LayerNorms
}

// ExpertParams is the number of weights of the average block that its experts
// hold.
func (m *Model) ExpertParams() float64 {
	experts, _, _ := m.ffnWeights()
	return experts
}

// EmbeddingParams is the number of weights of the token embedding.
func (m *Model) EmbeddingParams() float64 { return float64(m.Vocab) * float64(m.Hidden) }

// Params is the number of weights of the whole model.
func (m *Model) Params() float64 {
	p := float64(m.Layers)*m.LayerParams() + m.EmbeddingParams() + float64(m.Positions*m.Hidden) + float64(m.Hidden)
	if !m.Tied {
		p += m.EmbeddingParams()
	}
	return p
}

// StepFLOPs is the arithmetic of one optimizer step over tokens in sequences
// of seq: forward and backward passes without recomputation, attention scores
// counted in full (equation 3 of arXiv 2104.04473 less its recomputation).
func (m *Model) StepFLOPs(tokens float64, seq int) float64 {
	_, _, ffn := m.ffnWeights()
	layer := m.attentionWeights() + ffn + 2*float64(seq)*m.coreWidth()*float64(m.Heads)
	return 6 * tokens * (float64(m.Layers)*layer + m.EmbeddingParams())
}
