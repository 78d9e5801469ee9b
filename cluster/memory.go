package cluster

// Memory is what the fullest GPU of a layout holds, in bytes.
type Memory struct {
	Parameters  float64 // 16-bit weights
	Gradients   float64 // 32-bit accumulation buffers
	Optimizer   float64 // 32-bit master weights and two Adam moments
	Activations float64 // kept from forward to backward, over all micro-batches in flight
	Buffers     float64 // logits, the block being recomputed, gathered parameters
	Reserve     float64 // context, collectives' and allocator's share
}

// Total is the sum of all components in bytes.
func (m *Memory) Total() float64 {
	return m.Parameters + m.Gradients + m.Optimizer + m.Activations + m.Buffers + m.Reserve
}

// Bytes of training state a parameter takes: 2 + 4 + 12 = 18 (arXiv
// 2205.05198, Figure 1).
const (
	bytesWeight    = 2
	bytesGradient  = 4
	bytesOptimizer = 12
	reserveBytes   = 1e9 // CUDA context, NCCL channels, fragmentation: an assumption
)

// LayerActivations is the bytes one block keeps for one micro-batch on one
// tensor-parallel rank (arXiv 2205.05198, equations 1 to 6, by component so
// that grouped heads and gated blocks are counted too).
func LayerActivations(m *Model, l *Layout, seq int, flash bool) float64 {
	t := float64(l.TP)
	rep := 1.0
	if l.SequenceParallel {
		rep = t
	}
	b, s := float64(l.Microbatch), float64(seq)
	h, q, kv := float64(m.Hidden), float64(m.qWidth()), float64(m.kvWidth())
	f := float64(m.FFN*max(1, m.TopK) + m.SharedFFN)
	tokens := b * s / float64(l.context())
	if l.Recompute == RecomputeFull {
		return 2 * tokens * h / rep
	}
	whole := 8 * h                                  // inputs of two norms, of QKV and of the FFN
	split := 2*q + 2*2*kv + 2*q                     // Q, K, V; input of the output projection
	scores := 2 * tokens * float64(m.Heads) / t * s // softmax output
	if m.Gated {
		split += 6 * f // gate, up and their product
	} else {
		whole += 2 * h    // two dropout masks
		split += 4 * f    // input and output of the activation
		scores *= 5.0 / 2 // dropout's mask and output as well
	}
	if flash || l.Recompute == RecomputeSelective {
		scores = 0
	}
	return tokens*(whole/rep+split/t) + scores
}

// inFlight is the number of micro-batches whose activations the first stage
// holds at once, as a multiple of one stage's layers.
func inFlight(l *Layout, microbatches int) float64 {
	p := float64(l.PP)
	n := min(p, float64(microbatches))
	if l.Interleave > 1 && microbatches >= l.PP {
		n *= 1 + (p-1)/(p*float64(l.Interleave))
	}
	return n
}

// memory is what the fuller of the first and the last stage holds.
func (s *System) memory(l *Layout, microbatches int) Memory {
	m := &s.Model
	t, d := float64(l.TP), float64(l.DP*l.context())
	layers := float64((m.Layers + l.PP - 1) / l.PP)
	tokens := s.tokens(l)
	perLayer := LayerActivations(m, l, s.Seq, s.Eff.Flash)

	stage := func(params, flight, logits float64) Memory {
		shard := func(stage int) float64 {
			if l.ZeRO >= stage {
				return d
			}
			return 1
		}
		mem := Memory{
			Parameters:  bytesWeight * params / shard(3),
			Gradients:   bytesGradient * params / shard(2),
			Optimizer:   bytesOptimizer * params / shard(1),
			Activations: perLayer * layers * flight,
			Buffers:     logits,
			Reserve:     reserveBytes,
		}
		if l.Recompute == RecomputeFull {
			whole := *l
			whole.Recompute = RecomputeNone
			mem.Buffers += LayerActivations(m, &whole, s.Seq, s.Eff.Flash)
		}
		if l.ZeRO == 3 {
			mem.Buffers += 2 * bytesWeight * m.LayerParams() / t
		}
		return mem
	}
	logits := 6 * tokens * float64(m.Vocab) / t // 16-bit logits and 32-bit loss
	block := layers * m.LayerParams() / t
	embed := m.EmbeddingParams() / t
	if l.PP == 1 {
		both := embed
		if !m.Tied {
			both *= 2
		}
		return stage(block+both, 1, logits)
	}
	first := stage(block+embed, inFlight(l, microbatches), 0)
	last := stage(block+embed, 1, logits)
	if last.Total() > first.Total() {
		return last
	}
	return first
}
