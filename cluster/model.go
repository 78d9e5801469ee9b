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
	for _, d := range []struct {
		name  string
		value int
	}{
		{"head_dim", m.HeadDim}, {"positions", m.Positions}, {"experts", m.Experts}, {"experts_per_token", m.TopK}, {"shared_ffn", m.SharedFFN},
	} {
		if d.value < 0 || d.value > most {
			return fmt.Errorf("model: %s is %d, want 0 to %d", d.name, d.value, most)
		}
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
	return nil
}

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

// attentionWeights is the number of weights of one block's four projections.
func (m *Model) attentionWeights() float64 {
	h, q, kv := float64(m.Hidden), float64(m.qWidth()), float64(m.kvWidth())
	return h*(q+2*kv) + q*h
}

// ffnWeights is the number of weights of one block's feed-forward part: those
// it holds, and those a token passes through.
func (m *Model) ffnWeights() (held, active float64) {
	per := float64(m.ffnMatrices() * m.Hidden)
	shared := per * float64(m.SharedFFN)
	router := float64(m.Hidden * m.Experts)
	return per*float64(m.FFN*max(1, m.Experts)) + shared + router, per*float64(m.FFN*max(1, m.TopK)) + shared + router
}

// LayerParams is the number of weights of one transformer block, with biases
// and norm gains where the architecture has them.
func (m *Model) LayerParams() float64 {
	h, f, kv := float64(m.Hidden), float64(m.FFN), float64(m.kvWidth())
	ffn, _ := m.ffnWeights()
	p := m.attentionWeights() + ffn
	if m.Gated {
		return p + 2*h // two RMSNorm gains
	}
	return p + (float64(m.qWidth()) + 2*kv) + h + f + h + 4*h // biases; gain and bias of two LayerNorms
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
	_, ffn := m.ffnWeights()
	layer := m.attentionWeights() + ffn + 2*float64(seq)*float64(m.qWidth())
	return 6 * tokens * (float64(m.Layers)*layer + m.EmbeddingParams())
}
