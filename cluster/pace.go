package cluster

import (
	"math"

	"vcsim/cluster/collective"
)

// A slot is one micro-batch forward and backward through one stage, in
// seconds.
type slot struct {
	gpu, tp, cp, ep, offload float64 // work, and what is not hidden under it
	products                 float64 // of the work
	host                     float64 // launches and gaps beyond them
}

func (t *slot) total() float64 { return t.gpu + t.tp + t.cp + t.ep + t.offload + t.host }

// A blockPace is a pass through one block, in seconds, with what shows of its
// collectives.
type blockPace struct {
	busy, products, tp, cp, ep float64
	launch                     float64 // number of kernels
}

// blockPaces are those of the forward, the backward and the repeated pass of
// the work's block, which all stages have in common.
func (s *System) blockPaces(w *stageWork) (paces [3]blockPace) {
	b := &w.block
	for i, p := range [3]*pass{&b.fwd, &b.bwd, &b.again} {
		if p.launch == 0 {
			continue
		}
		o := &paces[i]
		o.tp, o.cp, o.ep = s.shown(p, w.l)
		o.busy, o.products, o.launch = p.busy(), p.gemm+p.core, p.launch
	}
	return paces
}

// slot is the pace of a stage with so many blocks, and with the embedding or
// the head.
func (s *System) slot(w *stageWork, paces *[3]blockPace, layers float64, ends ...*pass) slot {
	var out slot
	var launch float64
	for i := range paces {
		p := &paces[i]
		out.gpu += layers * p.busy
		out.products += layers * p.products
		out.tp += layers * p.tp
		out.cp += layers * p.cp
		out.ep += layers * p.ep
		launch += layers * p.launch
	}
	for _, p := range ends {
		out.gpu += p.busy()
		out.products += p.gemm + p.core
		launch += p.launch
	}
	out.gpu += w.accumulate
	out.offload = s.offload(w, layers)
	// Small kernels wait for the host while large ones run, so the two overlap
	// less than perfectly where they are alike.
	gpu := out.total() + launch*s.gap
	out.host = beside(gpu, launch*s.launch) - gpu + launch*s.gap
	return out
}

// offload is the seconds that activations on their way to the host's memory,
// and back, take beyond the pass they run beside.
func (s *System) offload(w *stageWork, layers float64) float64 {
	n := float64(w.l.OffloadLayers) * layers / float64(s.Model.Layers)
	if n == 0 || s.GPU.PCIeGBPerS == 0 {
		return 0
	}
	t := n * LayerActivations(&s.Model, w.l, s.Seq, s.Eff.Flash) / (s.GPU.PCIeGBPerS * 1e9)
	b := &w.block
	return max(0, t-layers*b.fwd.busy()) + max(0, t-layers*(b.bwd.busy()+b.again.busy()))
}

// An idle is the seconds of a micro-batch in which no collective holds the
// links of each tier: what traffic between stages and replicas may hide in.
type idle struct {
	seconds [collective.MaxTiers]float64
}

// idle is what the collectives inside the blocks of a stage leave of its slot
// of so many seconds. They hold the outermost tier that they reach for all of
// their time, hidden or not.
func (s *System) idle(w *stageWork, blocks, slot float64) (out idle) {
	l, b := w.l, &w.block
	for i := range s.Net.Tiers {
		out.seconds[i] = slot
	}
	hold := func(g collective.Group, seconds float64) {
		if seconds > 0 {
			t := &out.seconds[s.tier(g)]
			*t = max(0, *t-blocks*seconds)
		}
	}
	hold(collective.Group{N: l.TP, Stride: 1}, b.fwd.tp+b.bwd.tp+b.again.tp)
	hold(collective.Group{N: l.context(), Stride: l.TP}, b.fwd.cp+b.bwd.cp+b.again.cp)
	hold(collective.Group{N: l.experts(), Stride: l.expertTensor()}, b.fwd.ep+b.bwd.ep+b.again.ep)
	return out
}

// share is the part of c seconds of communication a micro-batch that shows
// where a fraction of it may hide while the tier's links are idle; what hides
// is no longer idle.
func (o *idle) share(tier int, c, fraction float64) float64 {
	h := hide(c, fraction, o.seconds[tier])
	o.seconds[tier] -= h
	return c - h
}

// tier is the outermost tier that a group reaches.
func (s *System) tier(g collective.Group) int {
	span := (g.N-1)*g.Stride + 1
	for i := range s.Net.Tiers {
		if t := &s.Net.Tiers[i]; t.GPUs == 0 || span <= t.GPUs {
			return i
		}
	}
	return len(s.Net.Tiers) - 1
}

// pace fills in the times of a step: the slowest stage sets the pace, the
// others fill and drain.
func (s *evaluation) pace(st *Step, w *stageWork, ppSlot float64, d *dataParallel) {
	l, e := w.l, &s.Eff
	p, v, n := float64(l.PP), float64(l.Interleave), w.n
	b := &w.block

	paces := s.blockPaces(w)
	last := s.slot(w, &paces, w.last, &w.head)
	slow, blocks := last, w.last
	var others float64 // slots of all stages but the slowest
	switch {
	case l.PP == 1:
		slow = s.slot(w, &paces, w.last, &w.head, &w.embed)
	default:
		first := s.slot(w, &paces, w.first, &w.embed)
		mid := slot{}
		if l.PP > 2 {
			mid = s.slot(w, &paces, w.mid)
		}
		others = first.total() + last.total()
		if l.PP > 2 {
			others += (p - 2) * mid.total() * w.inner / w.mid
		}
		if first.total() > slow.total() {
			slow, blocks = first, w.first
		}
		if mid.total() > slow.total() {
			slow, blocks = mid, w.mid
		}
		others -= slow.total()
	}
	pace := slow.total()

	idle := s.idle(w, blocks, pace)
	pp := idle.share(s.tier(l.stageGroup()), ppSlot, e.PPOverlap)
	replicas := s.tier(l.replicaGroup())
	gather := idle.share(replicas, d.perSlot, e.ParamOverlap)
	host := e.SlotMS * 1e-3 * v
	extra := pp + gather + host
	st.Bubble = (others + (p-1)*extra) / v

	// Parameters are gathered under the first forward pass, gradients reduced
	// under the last backward pass: of the whole stage, or where virtual stages
	// finish one after the other, of the p micro-batches that the others still
	// have to do.
	window := (1 + (v-1)*p) / v
	left := idle.seconds[replicas] / pace // share of the time in which their links are free
	once := d.once - hide(d.once, e.ParamOverlap, blocks*b.fwd.busy()*window*left)
	st.DP = d.grads - hide(d.grads, e.DPOverlap, blocks*(b.bwd.busy()+b.again.busy())*window*left)

	st.PP = n * pp
	st.Params = n*gather + once
	st.TP, st.CP, st.EP, st.Offload = n*slow.tp, n*slow.cp, n*slow.ep, n*slow.offload
	st.Host = n*(slow.host+host) + e.StepMS*1e-3
	st.Forward = n * blocks * b.fwd.busy()
	st.Again = n * blocks * b.again.busy()
	st.Backward = n*slow.gpu - st.Forward - st.Again
	st.Products = n * slow.products

	all := &pass{}
	all.addTimes(&b.fwd, blocks)
	all.addTimes(&b.bwd, blocks)
	all.addTimes(&b.again, blocks)
	st.Hidden = d.grads - st.DP + d.once - once +
		n*(d.perSlot-gather+ppSlot-pp+all.tp-slow.tp+all.cp-slow.cp+all.ep-slow.ep)

	st.Optimizer = s.optimizer(w, l)
	st.Checkpoint = s.checkpoint
	st.Time = n*(pace+extra) + once + st.Bubble + st.DP + st.Optimizer + e.StepMS*1e-3 + s.checkpoint
	st.Jitter = st.Time * e.Jitter / 100 * s.slowest(l.GPUs())
	st.Time += st.Jitter
}

// slowest is how many standard deviations the slowest of n ranks is expected
// behind the mean: sqrt(2 ln n), the leading term for normal deviates.
func slowest(n int) float64 { return math.Sqrt(2 * math.Log(float64(n))) }

// slowest is that of n ranks, worked out once for layouts of as many.
func (s *evaluation) slowest(n int) float64 {
	if n != s.ranks {
		s.ranks, s.late = n, slowest(n)
	}
	return s.late
}

// optimizer is the seconds of one pass over master weights, moments and
// gradients of the ranks' shards, and of the low-precision copies of its
// weights.
func (s *System) optimizer(w *stageWork, l *Layout) float64 {
	dense, expert := w.dense, w.expert
	if l.ZeRO >= 1 {
		dense /= float64(l.shards())
		if expert > 0 {
			expert /= max(1, float64(l.TP*l.replicas())/float64(l.experts()*l.expertTensor()))
		}
	}
	return (dense+expert)*(bytesOptimizer*2+bytesGradient+bytesWeight)*s.perByte*s.Eff.OptimizerMult +
		(w.dense+w.expert)*s.perConversion
}
