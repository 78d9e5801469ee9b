package cluster

// Nominal kernel counts of one transformer block in an eager framework; the
// fitted launch cost ([Efficiency].LaunchUS) is per kernel of these counts.
const (
	kernelsForward  = 30
	kernelsBackward = 50
	kernelsUnfused  = 14 // more per pass when the softmax kernel cannot be used
	kernelsHead     = 40 // embedding, final norm, head and loss, both passes
)

// Bytes of element-wise traffic per value and pass, 16-bit tensors.
const (
	bytesResidual = 22 // per hidden value: two norms (2 reads, 1 write + statistics), two bias-dropout-adds
	bytesSplit    = 8  // per value of the TP-split tensors (QKV, context): bias and transposition
	bytesFFN      = 4  // per inner FFN value: activation read and written
	bytesScore    = 13 // per attention score: fused softmax and dropout
	bytesUnfused  = 16 // more per attention score without the fused kernel
	bytesLogit    = 20 // per logit: loss in 32 bits, both passes
	bytesEmbed    = 10 // per hidden value of the embedding, both passes
)

// kernels is work of a pass, in seconds of GPU time, with its host launches.
type kernels struct {
	gpu    float64
	launch float64 // number of launches
	tp     float64 // seconds of tensor-parallel collectives
}

func (k *kernels) add(o kernels) {
	k.gpu += o.gpu
	k.launch += o.launch
	k.tp += o.tp
}

func (k kernels) times(n float64) kernels {
	return kernels{k.gpu * n, k.launch * n, k.tp * n}
}

// gemmCost is the seconds of an m x k by k x n product: its FLOPs over the peak,
// divided by the efficiency at that size.
func (s *System) gemmCost(m, n, k float64) float64 {
	d, r := s.Eff.GEMMHalfDim, s.Eff.GEMMHalfDepth
	return s.perGEMM * (m + d) * (n + d) * (k + r)
}

// gemm3 is the forward, and the two backward products, of a layer that maps
// m tokens from k to n features.
func (s *System) gemm3(m, n, k float64) (forward, backward float64) {
	return s.gemmCost(m, n, k), s.gemmCost(m, k, n) + s.gemmCost(n, k, m)
}

// layer is one transformer block on one tensor-parallel rank: forward,
// backward, and the forward work that recomputation repeats.
func (s *System) layer(l *Layout) (fwd, bwd, again kernels, coll traffic) {
	m := &s.Model
	t := float64(l.TP)
	tokens := s.tokens(l)
	h, f, q, kv := float64(m.Hidden), float64(m.FFN), float64(m.qWidth()), float64(m.kvWidth())
	seq, heads := float64(s.Seq), float64(m.Heads)
	up := float64(m.ffnMatrices() - 1) // matrices that widen

	// Dense products.
	qf, qb := s.gemm3(tokens, (q+2*kv)/t, h)
	of, ob := s.gemm3(tokens, h, q/t)
	fwd.gpu = qf + of
	bwd.gpu = qb + ob
	ffn := func(tokens, inner, times float64) {
		uf, ub := s.gemm3(tokens, inner/t*up, h)
		df, db := s.gemm3(tokens, h, inner/t)
		fwd.gpu += times * (uf + df)
		bwd.gpu += times * (ub + db)
	}
	inner := f // activated FFN values per token
	if m.Experts > 0 {
		e, k := float64(m.Experts), float64(m.TopK)
		inner = f * k
		ffn(tokens*k/e, f, e) // tokens spread evenly
		rf, rb := s.gemm3(tokens, e, h)
		fwd.gpu += rf
		bwd.gpu += rb
	} else {
		ffn(tokens, f, 1)
	}
	if m.SharedFFN > 0 {
		inner += float64(m.SharedFFN)
		ffn(tokens, float64(m.SharedFFN), 1)
	}

	// Attention core: scores and context, then softmax.
	scores := tokens * heads / t * seq
	core := kernels{gpu: 4 * scores * float64(m.headDim()) * s.perAttention, launch: 6}
	if s.Eff.Flash {
		core.gpu /= 2 // causal blocks are skipped
	} else {
		b := float64(bytesScore)
		if !s.Eff.FusedSoftmax || l.Microbatch*m.Heads/l.TP%4 != 0 {
			b += bytesUnfused
			core.launch += kernelsUnfused
		}
		core.gpu += scores * b * s.perByte
	}
	coreBack := core.times(2)
	if s.Eff.Flash {
		coreBack.gpu = 2.5 * core.gpu // five products for the two, the scores computed again
	}

	// Element-wise work.
	rep := t
	if !l.SequenceParallel {
		rep = 1
	}
	split := (q + 2*kv + q) / t
	e := tokens * (h*bytesResidual/rep + split*bytesSplit + inner/t*bytesFFN*up) * s.perByte
	fwd.gpu += e + core.gpu
	bwd.gpu += 2*e + coreBack.gpu
	fwd.launch = kernelsForward + core.launch
	bwd.launch = kernelsBackward + coreBack.launch

	// Collectives: one all-reduce after each of the two row-split products and,
	// backward, before each column-split one. Sequence parallelism splits each
	// into reduce-scatter and all-gather of the same volume.
	if l.TP > 1 {
		g := group{l.TP, 1}
		v := 2 * tokens * h
		one, tr := s.ring(v, g, 2, &s.channels[Act])
		back, trBack := s.ring(v, g, 2, &s.channels[ActGrad])
		fwd.tp = 2 * one
		bwd.tp = 2 * back
		coll = tr.scale(2)
		coll.add(trBack.scale(2))
		if l.SequenceParallel { // gathered again under the weight gradients
			_, again := s.ring(v, g, 1, &s.channels[Act])
			coll.add(again.scale(2))
		}
		if l.Recompute == RecomputeFull {
			coll.add(tr.scale(2))
		}
	}
	// Context parallelism passes every rank's keys and values around a ring
	// while the core works on those at hand; backward their gradients as well.
	if c := l.context(); c > 1 {
		v := 2 * 2 * tokens * kv / t * float64(c) // of the whole sequence, 16-bit
		one, tr := s.ring(v, group{c, l.TP}, 1, &s.channels[Act])
		back, trBack := s.ring(2*v, group{c, l.TP}, 1, &s.channels[ActGrad])
		fwd.tp += max(0, one-core.gpu)
		bwd.tp += max(0, back-coreBack.gpu)
		coll.add(tr)
		coll.add(trBack)
	}
	switch l.Recompute {
	case RecomputeFull:
		again = fwd
	case RecomputeSelective:
		again = core
	}
	return fwd, bwd, again, coll
}

// head is the output projection and loss, both passes; embed is the lookup and
// its gradient.
func (s *System) head(l *Layout) (head, embed kernels) {
	m := &s.Model
	tokens := s.tokens(l)
	h, v := float64(m.Hidden), float64(m.Vocab)/float64(l.TP)
	f, b := s.gemm3(tokens, v, h)
	head = kernels{gpu: f + b + tokens*v*bytesLogit*s.perByte, launch: kernelsHead}
	embed = kernels{gpu: tokens * h * bytesEmbed * s.perByte, launch: kernelsHead / 4}
	return head, embed
}
