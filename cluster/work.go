package cluster

import "vcsim/cluster/collective"

// stageWork is what one micro-batch is to the stages of a pipeline.
type stageWork struct {
	l *Layout
	n float64 // micro-batches

	block       block
	head, embed pass
	accumulate  float64 // seconds of adding a micro-batch's gradients to the sum, per weight share of a full stage

	first, mid, last float64 // blocks of the first, of the fullest inner and of the last stage
	inner            float64 // blocks of the average inner stage

	dense, expert float64            // weights on a rank of the stage with most of them: replicated over DP, and held by experts
	embedParams   float64            // of the dense ones, one matrix of the embedding
	sent          collective.Traffic // of a step
}

// stages spreads the blocks over the stages. Blocks that divide evenly do so;
// else embedding and loss count as a block each (Megatron-LM's
// account_for_embedding_in_pipeline_split and its counterpart for the loss),
// and the fullest stage has the share rounded up.
func (l *Layout) stages(layers int) (first, mid, last, inner float64) {
	p := float64(l.PP)
	if layers%l.PP == 0 && layers%(l.PP*l.Interleave) == 0 {
		even := float64(layers) / p
		return even, even, even, even
	}
	slots := (layers + 2 + l.PP - 1) / l.PP
	mid = float64(slots)
	first = min(mid-1, float64(layers)/p)
	last = first
	if l.PP > 2 {
		inner = (float64(layers) - first - last) / (p - 2)
	} else { // no inner stage
		mid, inner = first, first
	}
	return first, max(mid, inner), last, inner
}

// work is the arithmetic and the collectives of a micro-batch on each kind of
// stage.
func (s *evaluation) work(w *stageWork, l *Layout, microbatches int) {
	m := &s.Model
	t := float64(l.TP)
	*w = stageWork{l: l, n: float64(microbatches)}
	w.block = s.blocks(l)
	w.head, w.embed = s.head(l)
	w.first, w.mid, w.last, w.inner = l.stages(m.Layers)

	w.embedParams = m.EmbeddingParams() / t
	most := max(w.first, w.mid, w.last)
	w.dense = most*(s.layerParams-s.expertParams)/t + w.embedParams
	if l.PP == 1 && !m.Tied {
		w.dense += w.embedParams
	}
	if s.expertParams > 0 {
		w.expert = most * s.expertParams / float64(l.experts()*l.expertTensor())
	}
	if microbatches > 1 && !s.Eff.FusedGrad { // accumulation reads and writes every gradient
		w.accumulate = (w.dense + w.expert) * 2 * bytesGradient * s.perByte
	}
	w.sent = w.block.sent.Scale(most * w.n)
}

// messages is the time of the messages of one micro-batch between two stages,
// activations forward and their gradients backward over all virtual stages,
// and the traffic of a step.
func (s *evaluation) messages(l *Layout) (slot float64, sent collective.Traffic) {
	if l.PP == 1 {
		return 0, sent
	}
	g := l.stageGroup()
	bytes := 2 * s.tokens(l) * float64(s.Model.Hidden)
	if l.SequenceParallel || s.Eff.SplitSend {
		bytes /= float64(l.TP)
	}
	v := float64(l.Interleave)
	a, ta := s.comm(collective.SendRecv, g, Act, bytes)
	b, tb := s.comm(collective.SendRecv, g, ActGrad, bytes)
	ta.Add(tb)
	return (a + b) * v, ta.Scale(v * float64(s.GlobalBatch/(l.DP*l.Microbatch)))
}
