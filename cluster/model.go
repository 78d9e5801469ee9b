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

	ParamsB float64 `yaml:"params_b"` // published parameter count in 1e9; 0 if not published
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
	if m.Hidden%m.Heads != 0 {
		return fmt.Errorf("model: hidden %d is not a multiple of heads %d", m.Hidden, m.Heads)
	}
	if m.Heads%m.KVHeads != 0 {
		return fmt.Errorf("model: heads %d is not a multiple of kv_heads %d", m.Heads, m.KVHeads)
	}
	return nil
}

// kvWidth is the number of columns of the key (or value) projection.
func (m *Model) kvWidth() int { return m.Hidden / m.Heads * m.KVHeads }

// ffnMatrices is 3 for a gated feed-forward block, else 2.
func (m *Model) ffnMatrices() int {
	if m.Gated {
		return 3
	}
	return 2
}

// LayerParams is the number of weights of one transformer block, with biases
// and norm gains where the architecture has them.
func (m *Model) LayerParams() float64 {
	h, f, kv := float64(m.Hidden), float64(m.FFN), float64(m.kvWidth())
	p := h*(h+2*kv) + h*h + float64(m.ffnMatrices())*h*f
	if m.Gated {
		return p + 2*h // two RMSNorm gains
	}
	return p + (h + 2*kv) + h + f + h + 4*h // biases; gain and bias of two LayerNorms
}

// EmbeddingParams is the number of weights of the token embedding.
func (m *Model) EmbeddingParams() float64 { return float64(m.Vocab) * float64(m.Hidden) }

// Params is the number of weights of the whole model. Learned position
// embeddings are left out: they are at most 0.2 % of the models here.
func (m *Model) Params() float64 {
	p := float64(m.Layers)*m.LayerParams() + m.EmbeddingParams() + float64(m.Hidden)
	if !m.Tied {
		p += m.EmbeddingParams()
	}
	return p
}

// StepFLOPs is the arithmetic of one optimizer step over tokens in sequences
// of seq: forward and backward passes without recomputation, attention scores
// counted in full (equation 3 of arXiv 2104.04473 less its recomputation).
func (m *Model) StepFLOPs(tokens float64, seq int) float64 {
	h, f, kv := float64(m.Hidden), float64(m.FFN), float64(m.kvWidth())
	layer := h*(h+2*kv) + h*h + float64(m.ffnMatrices())*h*f + 2*float64(seq)*h
	return 6 * tokens * (float64(m.Layers)*layer + m.EmbeddingParams())
}
