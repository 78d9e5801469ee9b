package cluster

import (
	"math"

	"vcsim/cluster/collective"
)

// dataParallel is the traffic between replicas, in seconds.
type dataParallel struct {
	perSlot float64 // every micro-batch: gathered parameters and scattered gradients
	once    float64 // every step before it begins: gathered parameters
	grads   float64 // every step after its last micro-batch: reduced gradients
	sent    collective.Traffic
}

func (d *dataParallel) add(o *dataParallel) {
	d.perSlot += o.perSlot
	d.once += o.once
	d.grads += o.grads
	d.sent.Add(o.sent)
}

// gradients is the data-parallel traffic of a stage: the replicated weights
// over all replicas, the experts' over those that hold the same experts, and
// the two ends' shared embedding.
func (s *evaluation) gradients(w *stageWork, l *Layout) dataParallel {
	d := s.replicated(w, w.dense, l.replicaGroup())
	if w.expert > 0 {
		held := l.experts() * l.expertTensor()
		e := s.replicated(w, w.expert, collective.Group{N: l.TP * l.replicas() / held, Stride: held})
		d.add(&e)
	}
	if l.PP > 1 && s.Model.Tied {
		e, te := s.comm(collective.AllReduce, collective.Group{N: 2, Stride: l.TP * l.replicas() * (l.PP - 1)}, Grad, s.Eff.gradBytes()*w.embedParams)
		d.grads += e
		d.sent.Add(te)
	}
	return d
}

// replicated is the traffic of params weights that the ranks of g all hold.
// With a ZeRO group the state is cut over the group only, and what each of its
// ranks keeps is reduced among the groups.
func (s *evaluation) replicated(w *stageWork, params float64, g collective.Group) (d dataParallel) {
	if g.N < 2 {
		return d
	}
	l := w.l
	gradBytes, paramBytes := s.Eff.gradBytes()*params, 2*params
	pieces := 1.0 // collectives that the weights are sent in, each with its latency
	if l.ZeRO == 3 {
		pieces = max(w.first, w.mid, w.last)
	} else if b := s.Eff.Bucket * 1e6; b > 0 {
		pieces = math.Ceil(params / b)
	}
	// whole scales the time and the traffic of one piece to all of them.
	whole := func(t float64, tr collective.Traffic) (float64, collective.Traffic) {
		return t * pieces, tr.Scale(pieces)
	}

	if l.ZeRO == 0 {
		op := collective.AllReduce
		if s.Codec.Gather && s.channels[Grad].Compress {
			op = collective.GatherReduce
		}
		d.grads, d.sent = whole(s.comm(op, g, Grad, gradBytes/pieces))
		return d
	}
	inner := collective.Group{N: min(g.N, l.shards()), Stride: g.Stride}
	scatter, ts := whole(s.comm(collective.ReduceScatter, inner, Grad, gradBytes/pieces))
	gather, tg := whole(s.comm(collective.AllGather, inner, Param, paramBytes/pieces))
	if outer := g.N / inner.N; outer > 1 {
		ar, ta := whole(s.comm(collective.AllReduce, collective.Group{N: outer, Stride: g.Stride * inner.N}, Grad, gradBytes/pieces/float64(inner.N)))
		scatter += ar
		ts.Add(ta)
	}
	switch l.ZeRO {
	case 1:
		d.once, d.grads = gather, scatter
	case 2:
		d.once, d.grads = gather, scatter
		d.perSlot = scatter * (w.n - 1) / w.n
		ts = ts.Scale(w.n)
	case 3:
		if w.l.PP > 1 { // gathered once and kept while the micro-batches pass (FSDP's reshard_after_forward off)
			d.once, d.grads = gather, scatter
			break
		}
		again, ta := gather, tg
		if n := s.nodeRanks(inner); s.Codec.NodeCopy && n < inner.N {
			again, ta = whole(s.comm(collective.AllGather, collective.Group{N: n, Stride: inner.Stride}, Param, paramBytes/pieces))
		}
		d.perSlot = gather + again + scatter
		tg.Add(ta)
		tg = tg.Scale(w.n)
		ts = ts.Scale(w.n)
	}
	d.sent = tg
	d.sent.Add(ts)
	return d
}

// nodeRanks is how many ranks of a group share a node, 1 where none do.
func (s *System) nodeRanks(g collective.Group) int {
	t := &s.Net.Tiers[0]
	if t.Shared || t.GPUs == 0 {
		return 1
	}
	return min(g.N, max(1, t.GPUs/max(1, g.Stride)))
}
