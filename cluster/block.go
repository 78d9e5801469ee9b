package cluster

import (
	"math"

	"vcsim/cluster/collective"
)

// Nominal kernel counts of one transformer block; the launch cost
// ([Efficiency].LaunchUS) and the gap (GapUS) are per kernel of these counts.
const (
	kernelsForward  = 30
	kernelsBackward = 50
	kernelsUnfused  = 14 // more per pass when the softmax kernel cannot be used
	kernelsCore     = 6  // of the attention core, forward; twice backward
	kernelsHead     = 40 // embedding, final norm, head and loss, both passes
	kernelsExperts  = 16 // more per pass of a block with experts: router, permutation, grouped products
	kernelsModules  = 12 // norms, latent projections and activation computed again
	kernelsExpert   = 6  // more per pass and expert on the rank, forward; twice backward
)

// Bytes of element-wise traffic per value and pass, 16-bit tensors.
const (
	bytesResidual   = 22 // per hidden value: two norms (2 reads, 1 write + statistics), two bias-dropout-adds
	bytesNorms      = 8  // of them, the norms' alone
	bytesSplit      = 8  // per value of the TP-split tensors (QKV, context): bias and transposition
	bytesFFN        = 4  // per inner FFN value: activation read and written
	bytesScore      = 13 // per attention score: fused softmax and dropout
	bytesUnfused    = 16 // more per attention score without the fused kernel
	bytesLogit      = 20 // per logit: loss in 32 bits, both passes
	bytesLogitFused = 8  // same, read and written twice in 16 bits
	bytesEmbed      = 10 // per hidden value of the embedding, both passes
	bytesPermute    = 8  // per routed hidden value: sorted to the experts and back, read and written each
)

// sharedSMs is the part of a GPU's multiprocessors that a collective takes from
// the products it runs under: NCCL runs on 16 to 24 of them over NVLink, of 108
// on A100 and 132 on H100 (by hand).
const sharedSMs = 0.15

// pass is the work of one traversal on one rank, and the collectives it waits
// for, in seconds.
type pass struct {
	gemm   float64 // matrix products
	core   float64 // attention core
	mem    float64 // element-wise kernels
	launch float64 // number of kernels
	tp     float64 // tensor-parallel collectives
	cp     float64 // keys and values on the context ring
	ep     float64 // expert all-to-alls
}

// addTimes adds n times o.
func (p *pass) addTimes(o *pass, n float64) {
	p.gemm += n * o.gemm
	p.core += n * o.core
	p.mem += n * o.mem
	p.launch += n * o.launch
	p.tp += n * o.tp
	p.cp += n * o.cp
	p.ep += n * o.ep
}

// busy is the GPU's own time without collectives.
func (p *pass) busy() float64 { return p.gemm + p.core + p.mem }

// hide is the part of c seconds of communication that fits under a cover of
// that many seconds, if at most the given fraction may overlap.
func hide(c, fraction, cover float64) float64 { return min(c*fraction, cover) }

// shown is the pass's collectives that compute does not hide: TP under the
// products, the context ring under the attention core, all-to-alls under what
// is left of the block.
func (s *System) shown(p *pass, l *Layout) (tp, cp, ep float64) {
	overlap := s.Eff.TPOverlap
	if l.AsyncTP && s.Eff.AsyncTP > 0 {
		overlap = s.Eff.AsyncTP
	}
	if s.Precision == NVFP4 {
		overlap = 0 // products of 4 bits have no kernels that run beside their collectives
	}
	tp = p.tp - hide(p.tp, overlap, p.gemm)
	cp = p.cp - hide(p.cp, s.Eff.CPOverlap, p.core)
	ep = p.ep - hide(p.ep, s.Eff.EPOverlap, max(0, p.busy()-(p.tp-tp)-(p.cp-cp)))
	return tp, cp, ep
}

// gemm is the seconds of an m x k by k x n product in width w. Arithmetic
// takes its FLOPs over the rate, divided by the efficiency at that size;
// operands and the result of resultBytes a value pass through memory beside it.
func (s *System) gemm(m, n, k float64, w width, resultBytes float64) float64 {
	d := s.Eff.GEMMHalfDim
	arithmetic := s.perGEMM[w] * (m + d) * (n + d) * (k + s.halfDepth[w])
	memory := ((m+n)*k*operandBytes[w] + m*n*resultBytes) * s.perByte
	return beside(arithmetic, memory)
}

// operandBytes is a value of each width.
var operandBytes = [numWidths]float64{2, 1, 0.5}

// beside is the time of two activities that overlap but get in each other's
// way where they are alike: (a^4 + b^4)^(1/4).
func beside(a, b float64) float64 {
	a *= a
	b *= b
	return math.Sqrt(math.Sqrt(a*a + b*b))
}

// gemm3 is the forward, and the two backward products, of a layer that maps
// m tokens from k to n features. The weight's gradient is written in 32 bits,
// or read and written where it adds to the sum of earlier micro-batches.
func (s *System) gemm3(m, n, k float64, w width, gradBytes float64) (forward, backward float64) {
	return s.gemm(m, n, k, w, 2), s.gemm(m, k, n, w, 2) + s.gemm(n, k, m, w, gradBytes)
}

// A block is one transformer block on one rank.
type block struct {
	fwd, bwd, again pass
	last            pass               // of the forward pass, the product that ends a dense block and its collective
	sent            collective.Traffic // collectives of one micro-batch
	gradBytes       float64            // memory traffic of a weight's gradient in its product
}

// linear adds a linear layer that maps m tokens from k to n features: its
// products, and the conversions of its input and of its output's gradient.
func (s *System) linear(b *block, m, n, k float64) {
	f, g := s.gemm3(m, n, k, s.width, b.gradBytes)
	b.fwd.gemm += f
	b.bwd.gemm += g
	if s.perConversion > 0 {
		b.fwd.mem += m * k * s.perConversion
		b.bwd.mem += m * n * s.perConversion
	}
}

// gradTraffic is the memory traffic of a weight's 32-bit gradient inside its
// product, in bytes: written, and read first where the product adds it up over
// micro-batches.
func (s *System) gradTraffic(l *Layout) float64 {
	if s.Eff.FusedGrad && s.GlobalBatch > l.DP*l.Microbatch {
		return 2 * bytesGradient
	}
	return bytesGradient
}

// blocks is the average block of the model: dense and expert blocks in their
// proportion.
func (s *evaluation) blocks(l *Layout) block {
	if s.moeLayers == 0 {
		return s.block(l, false)
	}
	b := s.block(l, true)
	share := s.moeLayers / float64(s.Model.Layers)
	if share < 1 {
		d := s.block(l, false)
		mix := func(p, q *pass) {
			o := *p
			*p = pass{}
			p.addTimes(&o, share)
			p.addTimes(q, 1-share)
		}
		mix(&b.fwd, &d.fwd)
		mix(&b.bwd, &d.bwd)
		mix(&b.again, &d.again)
		b.sent = b.sent.Scale(share)
		b.sent.Add(d.sent.Scale(1 - share))
	}
	return b
}

// block is one transformer block on one tensor-parallel rank: forward,
// backward, and the forward work that recomputation repeats.
func (s *evaluation) block(l *Layout, experts bool) block {
	b := block{gradBytes: s.gradTraffic(l)}
	m := &s.Model
	t := float64(l.TP)
	tokens := s.tokens(l)
	h := float64(m.Hidden)
	rep := 1.0
	if l.SequenceParallel {
		rep = t
	}

	modules := s.projections(&b, tokens, t)
	s.core(&b, l, tokens, t)
	inner := s.feedForward(&b, l, experts)

	up := float64(m.ffnMatrices() - 1) // matrices that widen
	e := tokens * (h*bytesResidual/rep + s.splitWidth/t*bytesSplit + inner*bytesFFN*up) * s.perByte * s.traffic
	b.fwd.mem += e
	b.bwd.mem += 2 * e
	b.fwd.launch += kernelsForward
	b.bwd.launch += kernelsBackward

	core := pass{core: b.fwd.core, mem: s.scoreMem(l, tokens, t), launch: s.coreLaunch(l)}
	s.tensorParallel(&b, l, tokens)
	s.contextParallel(&b, l, tokens)
	switch l.Recompute {
	case RecomputeFull:
		b.again = b.fwd
		if s.Eff.EarlyStop && !experts {
			b.again.gemm -= b.last.gemm
			b.again.mem -= b.last.mem
			b.again.tp -= b.last.tp
		}
	case RecomputeSelective:
		b.again = core
		if s.Eff.SelectiveOps {
			b.again = pass{gemm: b.fwd.gemm * m.secondProducts(), mem: e, launch: kernelsForward}
		} else if m.recomputesModules() {
			b.again = modules
			b.again.mem += tokens * (h*bytesNorms/rep + inner*bytesFFN*up) * s.perByte * s.traffic
			b.again.launch = kernelsModules
		}
	}
	if n := l.RecomputeLayers; n > 0 && n < m.Layers {
		p := b.again
		b.again = pass{}
		b.again.addTimes(&p, float64(n)/float64(m.Layers))
	}
	return b
}

// projections are the dense products around the attention core. What it
// returns is the part that latent attention computes again when modules are
// recomputed: queries, keys and values from their latents.
func (s *evaluation) projections(b *block, tokens, t float64) (again pass) {
	m := &s.Model
	h := float64(m.Hidden)
	if m.mla() {
		q, kv, rope, nope, v := m.mlaDims()
		heads := float64(m.Heads) / t
		s.linear(b, tokens, q+kv+rope, h)
		down := b.fwd
		s.linear(b, tokens, heads*(nope+rope), q)
		s.linear(b, tokens, heads*(nope+v), kv)
		again = pass{gemm: b.fwd.gemm - down.gemm, mem: b.fwd.mem - down.mem}
		s.linear(b, tokens, h, heads*v)
		return again
	}
	q, kv := float64(m.qWidth()), float64(m.kvWidth())
	s.linear(b, tokens, (q+2*kv)/t, h)
	s.linear(b, tokens, h, q/t)
	return again
}

// core adds the attention core: scores and context, and softmax.
func (s *System) core(b *block, l *Layout, tokens, t float64) {
	scores := tokens * float64(s.Model.Heads) / t * float64(s.Seq)
	b.fwd.core = scores * s.perScoreForward
	b.bwd.core = scores * s.perScoreBackward
	mem := s.scoreMem(l, tokens, t)
	b.fwd.mem += mem
	b.bwd.mem += 2 * mem
	n := s.coreLaunch(l)
	b.fwd.launch += n
	b.bwd.launch += 2 * n
}

// unfused reports whether the softmax runs without its fused kernel.
func (s *System) unfused(l *Layout) bool {
	return !s.Eff.Flash && (!s.Eff.FusedSoftmax || l.Microbatch*s.Model.Heads/l.TP%4 != 0)
}

// scoreMem is the seconds that the scores spend in memory in a forward pass:
// none with fused attention.
func (s *System) scoreMem(l *Layout, tokens, t float64) float64 {
	if s.Eff.Flash {
		return 0
	}
	bytes := float64(bytesScore)
	if s.unfused(l) {
		bytes += bytesUnfused
	}
	return tokens * float64(s.Model.Heads) / t * float64(s.Seq) * bytes * s.perByte
}

// coreLaunch is the kernels of the attention core in a forward pass.
func (s *System) coreLaunch(l *Layout) float64 {
	if s.unfused(l) {
		return kernelsCore + kernelsUnfused
	}
	return kernelsCore
}

// feedForward adds the feed-forward part and returns its activated values per
// token of the micro-batch on this rank.
func (s *evaluation) feedForward(b *block, l *Layout, experts bool) (inner float64) {
	m := &s.Model
	t, h, tokens := float64(l.TP), float64(m.Hidden), s.tokens(l)
	up := float64(m.ffnMatrices() - 1)
	ffn := func(width float64) {
		s.linear(b, tokens, width*up, h)
		wide := b.fwd
		s.linear(b, tokens, h, width)
		b.last.gemm, b.last.mem = b.fwd.gemm-wide.gemm, b.fwd.mem-wide.mem
	}
	if !experts {
		ffn(m.denseFFN() / t)
		return m.denseFFN() / t
	}
	e, k, f := float64(m.Experts), float64(m.TopK), float64(m.FFN)
	ep, etp := float64(l.experts()), float64(l.expertTensor())
	rows := tokens * k * etp / t // token-expert pairs on this rank, tokens spread evenly
	var routed block
	routed.gradBytes = b.gradBytes
	s.linear(&routed, rows*ep/e, f/etp*up, h)
	s.linear(&routed, rows*ep/e, h, f/etp)
	routed.fwd.gemm /= orOne(s.Eff.ExpertMult)
	routed.bwd.gemm /= orOne(s.Eff.ExpertMult)
	b.fwd.addTimes(&routed.fwd, e/ep)
	b.bwd.addTimes(&routed.bwd, e/ep)
	inner = rows / tokens * f / etp
	if w := m.sharedWidth(); w > 0 {
		ffn(w / t)
		inner += w / t
	}
	rf, rb := s.gemm3(tokens/t, e, h, bits16, b.gradBytes)
	b.fwd.gemm += rf
	b.bwd.gemm += rb
	permute := rows * h * bytesPermute * s.perByte * orOne(s.Eff.RoutedMult)
	b.fwd.mem += permute
	b.bwd.mem += permute
	b.fwd.launch += kernelsExperts + kernelsExpert*e/ep
	b.bwd.launch += kernelsExperts + 2*kernelsExpert*e/ep
	s.allToAlls(b, l, tokens*k/t, rows)
	return inner
}

// allToAlls adds the dispatch of routed tokens to their experts and the
// combination of the results, forward and backward; pairs is the token-expert
// pairs that a rank sends, rows those that its experts see.
func (s *evaluation) allToAlls(b *block, l *Layout, pairs, rows float64) {
	h := float64(s.Model.Hidden)
	etp := l.expertTensor()
	g := collective.Group{N: l.experts(), Stride: etp}
	out, to := s.exchange(Act, g, pairs, h*s.dispatchBytes, false)
	back, tb := s.exchange(Act, g, pairs, h*2, true)
	b.fwd.ep += out + back
	b.sent.Add(to)
	b.sent.Add(tb)
	out, to = s.exchange(ActGrad, g, pairs, h*2, false)
	back, tb = s.exchange(ActGrad, g, pairs, h*2, true)
	b.bwd.ep += out + back
	b.sent.Add(to)
	b.sent.Add(tb)
	if etp > 1 { // the ranks that share an expert gather its tokens and add up its results
		v := 2 * rows * h
		one, tr := s.comm(collective.AllReduce, collective.Group{N: etp, Stride: 1}, Act, v)
		two, ts := s.comm(collective.AllReduce, collective.Group{N: etp, Stride: 1}, ActGrad, v)
		b.fwd.ep += one
		b.bwd.ep += two
		b.sent.Add(tr)
		b.sent.Add(ts)
	}
}

// exchange is one dispatch of pairs of a token and an expert over the ranks of
// g, or their combination, at so many bytes a pair.
func (s *evaluation) exchange(class Class, g collective.Group, pairs, bytes float64, combine bool) (float64, collective.Traffic) {
	if !s.Eff.Deduplicated || g.N < 2 {
		return s.comm(collective.AllToAll, g, class, pairs*bytes)
	}
	k := s.Model.TopK
	r := collective.Routing{Tokens: pairs / float64(k), Hidden: 1, TopK: k}
	var p collective.Plan
	s.fabric.Exchange(&p, g, &r, collective.ExchangeDeduplicated, combine, &s.channels[class])
	return p.Message(bytes)
}

// tensorParallel adds the collectives of a block: one all-reduce after each of
// the two row-split products and, backward, before each column-split one.
// Sequence parallelism splits each into reduce-scatter and all-gather of the
// same volume.
func (s *evaluation) tensorParallel(b *block, l *Layout, tokens float64) {
	if l.TP == 1 {
		return
	}
	g := collective.Group{N: l.TP, Stride: 1}
	v := 2 * tokens * float64(s.Model.Hidden)
	skew := 0.0 // a collective starts with the slowest of its ranks
	if s.skew > 0 {
		skew = s.skew * slowest(l.TP)
	}
	if !l.SequenceParallel {
		one, tr := s.comm(collective.AllReduce, g, Act, v)
		back, trBack := s.comm(collective.AllReduce, g, ActGrad, v)
		b.fwd.tp, b.bwd.tp, b.last.tp = 2*(one+skew), 2*(back+skew), one+skew
		b.sent.Add(tr.Scale(2*float64(l.forwards()) - s.stopped(l)))
		b.sent.Add(trBack.Scale(2))
		return
	}
	gather, tg := s.comm(collective.AllGather, g, Act, v)
	scatter, ts := s.comm(collective.ReduceScatter, g, Act, v)
	gatherBack, tgb := s.comm(collective.AllGather, g, ActGrad, v)
	scatterBack, tsb := s.comm(collective.ReduceScatter, g, ActGrad, v)
	b.fwd.tp = 2 * (gather + scatter + 2*skew)
	b.bwd.tp = 2 * (gatherBack + scatterBack + 2*skew)
	b.last.tp = scatter + skew
	// Inputs are gathered again under the weights' gradients, half of the
	// backward products, which lose multiprocessors to it.
	under := min(2*gather, b.bwd.gemm/2)
	b.bwd.gemm += under * sharedSMs
	b.bwd.tp += 2*gather - under
	again := tg
	tgb.Add(tsb)
	b.sent.Add(tg.Scale(2 * float64(l.forwards())))
	b.sent.Add(ts.Scale(2*float64(l.forwards()) - s.stopped(l)))
	b.sent.Add(tgb.Scale(2))
	b.sent.Add(again.Scale(2))
}

// stopped is how many of a dense block's forward collectives recomputation
// leaves out because nothing reads what they make.
func (s *System) stopped(l *Layout) float64 {
	if s.Eff.EarlyStop && l.Recompute == RecomputeFull && s.moeLayers == 0 {
		return 1
	}
	return 0
}

// contextParallel passes every rank's keys and values around a ring while the
// core works on those at hand; backward their gradients as well.
func (s *evaluation) contextParallel(b *block, l *Layout, tokens float64) {
	c := l.context()
	if c == 1 {
		return
	}
	m := &s.Model
	width := 2 * float64(m.kvWidth()) / float64(l.TP)
	if m.mla() {
		_, _, rope, nope, v := m.mlaDims()
		width = float64(m.Heads) * (nope + rope + v) / float64(l.TP)
	}
	v := 2 * tokens * width * float64(c) // of the whole sequence, 16-bit
	one, tr := s.comm(collective.AllGather, collective.Group{N: c, Stride: l.TP}, Act, v)
	back, trBack := s.comm(collective.AllGather, collective.Group{N: c, Stride: l.TP}, ActGrad, 2*v)
	b.fwd.cp = one
	b.bwd.cp = back
	b.sent.Add(tr)
	b.sent.Add(trBack)
}

// head is the output projection and loss, both passes, in 16 bits; embed is
// the lookup and its gradient.
func (s *System) head(l *Layout) (head, embed pass) {
	m := &s.Model
	tokens := s.tokens(l)
	h, v := float64(m.Hidden), float64(m.Vocab)/float64(l.TP)
	f, b := s.gemm3(tokens, v, h, bits16, s.gradTraffic(l))
	bytes := float64(bytesLogit)
	if s.Eff.FusedLoss {
		bytes = bytesLogitFused
	}
	head = pass{gemm: f + b, mem: tokens * v * bytes * s.perByte, launch: kernelsHead}
	embed = pass{mem: tokens * h * bytesEmbed * s.perByte, launch: kernelsHead / 4}
	return head, embed
}

// setKernels works out the rates that the board and the architecture allow.
func (s *System) setKernels() {
	e, g, m := &s.Eff, &s.GPU, &s.Model
	s.width = s.Precision.width()
	for w, pj := range [numWidths]float64{e.PJ16, e.PJ8, e.PJ4} {
		peak := g.peak(width(w))
		if peak == 0 {
			continue
		}
		limit := g.powerBound(pj)
		rate := bounded(peak*e.GEMMFraction, limit)
		s.perGEMM[w] = 2 / rate
		if width(w) == s.width {
			s.productShare = shareProducts
			if pj > 0 {
				s.productShare = min(1, rate/limit)
			}
		}
		s.halfDepth[w] = e.GEMMHalfDepth * peak / g.peak(bits16)
	}
	s.perByte = 1 / (g.MemGBPerS * 1e9 * e.MemoryFraction)
	s.traffic = orOne(e.Traffic)
	s.perConversion = conversion[s.Precision] * s.perByte
	s.dispatchBytes = 2

	// A score takes 4 FLOPs per value of a head and an exponential. Fused
	// kernels skip the causal half; backward they do five products for two
	// and the exponential again.
	products := 4 * m.coreWidth() / bounded(g.peak(bits16)*e.AttentionFraction*orOne(e.AttentionMult), g.powerBound(e.PJ16))
	if !e.Flash {
		s.perScoreForward, s.perScoreBackward = products, 2*products
	} else {
		exp := 0.0
		if g.ExpTera > 0 {
			exp = 1 / (g.ExpTera * 1e12)
		}
		s.perScoreForward = math.Hypot(products, exp) / 2
		s.perScoreBackward = math.Hypot(2.5*products, exp) / 2
	}
	s.splitWidth = 2*float64(m.qWidth()) + 2*float64(m.kvWidth())
	if m.mla() {
		_, _, rope, nope, v := m.mlaDims()
		s.splitWidth = float64(m.Heads) * (2*(nope+rope) + 2*v)
	}
	s.moeLayers = float64(m.moeLayers())
}

// orOne is a multiplier, 1 where it is not given.
func orOne(v float64) float64 {
	if v > 0 {
		return v
	}
	return 1
}

// powerBound is the FLOP/s at which arithmetic of pj picojoules a FLOP draws
// all of the board's power beyond idle; +Inf for 0.
func (g *GPU) powerBound(pj float64) float64 {
	if pj == 0 {
		return math.Inf(1)
	}
	return (g.TDPW - g.IdleW) / (pj * 1e-12)
}

// bounded is the smaller of two rates, rounded where they meet: kernels that
// come near the board's power lose clock before they reach it. The fourth
// power takes 16 % off where both are equal and 1.5 % where one is twice the
// other.
func bounded(a, b float64) float64 {
	if math.IsInf(b, 1) {
		return a
	}
	x := a / b
	x *= x
	return a / math.Sqrt(math.Sqrt(1+x*x))
}
