package cluster

import "vcsim/cluster/collective"

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

// LayerActivations is the bytes the average block keeps for one micro-batch on
// one tensor-parallel rank (arXiv 2205.05198, equations 1 to 6, by component
// so that grouped heads, gated blocks, latent attention and experts are
// counted too).
func LayerActivations(m *Model, l *Layout, seq int, flash bool) float64 {
	t := float64(l.TP)
	rep := 1.0
	if l.SequenceParallel {
		rep = t
	}
	h := float64(m.Hidden)
	tokens := float64(l.Microbatch) * float64(seq) / float64(l.context())
	kept := 2 * tokens * h / rep // the block's input
	if l.Recompute == RecomputeFull && l.RecomputeLayers == 0 {
		return kept
	}
	whole := 8 * h // inputs of two norms, of QKV and of the FFN
	var split float64
	if m.mla() {
		q, kv, rope, nope, v := m.mlaDims()
		whole += 4 * (q + kv) // the latents and their norms
		split = 2 * float64(m.Heads) * (2*(nope+rope) + 2*v)
	} else {
		split = 2*2*float64(m.qWidth()) + 2*2*float64(m.kvWidth()) // Q, K, V; input of the output projection
	}
	scores := 2 * tokens * float64(m.Heads) / t * float64(seq) // softmax output
	inner := 6.0                                               // gate, up and their product
	if !m.Gated {
		inner = 4         // input and output of the activation
		whole += 2 * h    // two dropout masks
		scores *= 5.0 / 2 // dropout's mask and output as well
	}
	if flash || l.Recompute == RecomputeSelective {
		scores = 0
	}
	if l.Recompute == RecomputeSelective && m.recomputesModules() {
		whole -= 4 * h // the norms' outputs
		if m.mla() {
			q, kv, rope, nope, v := m.mlaDims()
			whole -= 2 * (q + kv)
			split -= 2 * float64(m.Heads) * (2*(nope+rope) + v) // Q, K and V
		}
		inner -= 2 // the activation's output
	}
	moe := float64(m.moeLayers()) / float64(m.Layers)
	split += inner * (m.denseFFN()*(1-moe) + m.sharedWidth()*moe)
	all := tokens*(whole/rep+split/t) + scores
	if moe > 0 {
		// Each routed token is copied to its expert, beside the expert's own
		// activations.
		rows := tokens * float64(m.TopK) * float64(l.expertTensor()) / t
		all += moe * rows * (2*h + inner*float64(m.FFN)/float64(l.expertTensor()))
	}
	if n := l.RecomputeLayers; n > 0 && l.Recompute == RecomputeFull {
		share := float64(n) / float64(m.Layers)
		return share*kept + (1-share)*all
	}
	return all
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
	first, mid, last, _ := l.stages(m.Layers)
	embed := m.EmbeddingParams() / float64(l.TP)
	a := s.activations(l)
	if l.PP == 1 {
		if !m.Tied {
			embed *= 2
		}
		return s.stageMemory(l, &a, last, embed, 1, true)
	}
	front := s.stageMemory(l, &a, first, embed, inFlight(l, microbatches), false)
	if mid > first { // the fullest inner stage comes second, with a micro-batch less in flight
		if inner := s.stageMemory(l, &a, mid, 0, max(1, inFlight(l, microbatches)-1), false); inner.Total() > front.Total() {
			front = inner
		}
	}
	if back := s.stageMemory(l, &a, last, embed, 1, true); back.Total() > front.Total() {
		return back
	}
	return front
}

// activations is what a block keeps, and what it would keep if nothing were
// recomputed, in bytes.
type activations struct{ kept, whole float64 }

func (s *System) activations(l *Layout) activations {
	a := activations{kept: LayerActivations(&s.Model, l, s.Seq, s.Eff.Flash)}
	if l.Recompute == RecomputeFull {
		whole := *l
		whole.Recompute = RecomputeNone
		a.whole = LayerActivations(&s.Model, &whole, s.Seq, s.Eff.Flash)
	}
	return a
}

// stageMemory is what a rank of a stage holds that has so many blocks, the
// given weights of embedding and head, and that many micro-batches in flight.
func (s *System) stageMemory(l *Layout, a *activations, layers, ends, flight float64, head bool) Memory {
	m := &s.Model
	t := float64(l.TP)
	tokens := s.tokens(l)
	expert := layers * s.expertParams / float64(l.experts()*l.expertTensor())
	dense := layers*(s.layerParams-s.expertParams)/t + ends
	cut := func(stage int) float64 { // weights on a rank where that ZeRO stage shards them
		if l.ZeRO < stage || stage == 3 && l.PP > 1 {
			return dense + expert
		}
		held := float64(l.experts()*l.expertTensor()) / t
		return dense/float64(l.shards()) + expert/max(1, float64(l.shards())/held)
	}
	kept := layers * max(0, 1-float64(l.OffloadLayers)/float64(m.Layers))
	mem := Memory{
		Parameters:  bytesWeight * cut(3),
		Gradients:   bytesGradient * cut(2),
		Optimizer:   bytesOptimizer * cut(1),
		Activations: a.kept * kept * flight,
		Reserve:     reserveBytes,
	}
	if n := s.nodeRanks(collective.Group{N: l.shards(), Stride: l.TP}); s.Codec.NodeCopy && l.ZeRO == 3 && l.PP == 1 && n < l.shards() {
		mem.Parameters += bytesWeight * (dense + expert) / float64(n) // the node's own copy
	}
	// Beside what is kept: the gradient of the widest product's output and,
	// where it is not added up inside its product, its weight's in 32 bits.
	up := float64(m.ffnMatrices()-1) * m.denseFFN() / t
	own := 0.0
	if !s.Eff.FusedGrad {
		own = bytesGradient
	}
	mem.Buffers = 2*tokens*up + own*up*float64(m.Hidden)
	if head {
		vocab := float64(m.Vocab) / t
		logits := 6.0 // 16-bit logits and 32-bit loss
		if s.Eff.FusedLoss {
			logits = 4 // 16-bit logits and their gradients
		}
		mem.Buffers = max(mem.Buffers, logits*tokens*vocab+2*tokens*float64(m.Hidden)+own*vocab*float64(m.Hidden))
	}
	if l.Recompute == RecomputeFull {
		mem.Buffers += a.whole
	}
	if l.ZeRO == 3 && l.PP == 1 {
		mem.Buffers += 2 * bytesWeight * (s.layerParams - s.expertParams) / t
	}
	return mem
}
