package cluster

import "math/bits"

// A link is a tier as the software sees it.
type link struct {
	gpus    int     // of one domain; a very large number for the outermost tier
	rate    float64 // bytes per second per GPU
	latency float64 // seconds per hop
	half    float64 // bytes: a message of this size reaches half the rate
	codec   bool
	shared  bool
	cap     float64 // bytes per second that the stack moves per node; 0 means no limit
}

const maxTiers = 4

// traffic is what one GPU puts on the inter-node tier (or, in a flat network,
// on its only tier): payload before and wire after compression, in bytes.
// encoded and decoded are the payload bytes that the GPU's encoder and decoder
// see, fewer where it passes on what it received.
type traffic struct{ payload, wire, coded, encoded, decoded float64 }

func (t *traffic) add(o traffic) {
	t.payload += o.payload
	t.wire += o.wire
	t.coded += o.coded
	t.encoded += o.encoded
	t.decoded += o.decoded
}

func (t *traffic) scale(k float64) traffic {
	return traffic{t.payload * k, t.wire * k, t.coded * k, t.encoded * k, t.decoded * k}
}

// A group is n ranks that lie stride apart, placed on the tiers.
type group struct {
	n, stride int
}

// ring is the time for one or two passes (reduce-scatter and all-gather: 2;
// one of them: 1) over a ring of the group's ranks, each hop carrying (n-1)/n
// of v bytes of payload per pass. Where the ring leaves a domain, the members
// inside it share its outgoing links (NCCL builds one ring per link). Chunks
// flow through all hops at once, so the slowest tier sets the pace. Every hop
// on a codec tier decodes, adds and encodes again.
func (s *System) ring(v float64, g group, passes float64, ch *channel) (float64, traffic) {
	if g.n < 2 || v <= 0 {
		return 0, traffic{}
	}
	n := float64(g.n)
	move := v * (n - 1) / n
	inner := 1
	var slowest, latency float64
	var out traffic
	for i := range s.nlinks {
		l := &s.links[i]
		members := min(g.n, max(1, l.gpus/g.stride))
		if members <= inner {
			continue
		}
		rate, perHop, coded := s.hop(l, inner, ch)
		slowest = max(slowest, move/rate)
		latency += (float64(members)/float64(inner) - 1) * perHop
		out.add(l.carry(passes*move/float64(inner), ch, coded))
		inner = members
		if members == g.n {
			break
		}
	}
	return passes * (slowest + latency), out
}

// hop is the payload rate of a tier for a group with inner members in one
// domain below it, the latency of one hop, and whether the codec is used.
func (s *System) hop(l *link, inner int, ch *channel) (rate, latency float64, coded bool) {
	rate, latency = l.rate, l.latency
	if l.codec {
		if rate, coded = ch.rate(l.rate); coded {
			latency += ch.fill
		}
	}
	rate *= s.rails(inner, l)
	return rate, latency + l.half/rate, coded
}

// carry is the traffic of p payload bytes on the tier.
func (l *link) carry(p float64, ch *channel, coded bool) traffic {
	switch {
	case !l.shared:
		return traffic{}
	case coded:
		return traffic{payload: p, wire: p / ch.ratio, coded: p, encoded: p, decoded: p}
	}
	return traffic{payload: p, wire: p}
}

// rails is how many links of a tier a ring with inner members in one domain
// below it drives.
func (s *System) rails(inner int, l *link) float64 {
	if !l.shared {
		return float64(inner)
	}
	n := 1 + float64(inner-1)*s.Eff.RailFraction
	if l.cap > 0 {
		return min(n, max(1, l.cap/l.rate))
	}
	return n
}

// allReduce is the faster of a ring and, between nodes, a double binary tree
// at a latency logarithmic in the number of nodes, which moves 2v per node (v
// between two nodes).
func (s *System) allReduce(v float64, g group, ch *channel) (float64, traffic) {
	t, out := s.ring(v, g, 2, ch)
	if s.Eff.RingOnly {
		return t, out
	}
	l := &s.links[s.nlinks-1]
	inner, inside := s.reduceInside(v, g, ch)
	nodes := (g.n + inner - 1) / inner
	if nodes < 2 {
		return t, out
	}
	move := 2 * v
	if nodes == 2 {
		move = v
	}
	rate, perHop, coded := s.hop(l, inner, ch)
	depth := float64(bits.Len(uint(nodes - 1)))
	// The tree is pipelined with the reduction inside the node.
	tree := max(move/rate+2*depth*perHop, inside)
	if tree >= t {
		return t, out
	}
	return tree, l.carry(move/float64(inner), ch, coded)
}

// reduceInside is the number of the group's members in one domain below the
// outermost tier, and the time of an all-reduce among them.
func (s *System) reduceInside(v float64, g group, ch *channel) (inner int, t float64) {
	if s.nlinks == 1 {
		return 1, 0
	}
	inner = min(g.n, max(1, s.links[s.nlinks-2].gpus/g.stride))
	t, _ = s.ring(v, group{inner, g.stride}, 2, ch)
	return inner, t
}

// gather is the compressed all-reduce of 1-bit Adam across nodes: every rank
// sends the compressed shards of its part to their owners (all-to-all), then
// the owners send the averaged shards to everyone (all-gather); nothing is
// re-encoded on the way. Inside a node the gradients are reduced first.
func (s *System) gather(v float64, g group, ch *channel) (float64, traffic) {
	if g.n < 2 || v <= 0 {
		return 0, traffic{}
	}
	last := &s.links[s.nlinks-1]
	inner, inside := s.reduceInside(v, g, ch)
	n := float64(g.n) / float64(inner)
	if n <= 1 {
		return inside, traffic{}
	}
	rate, perHop, coded := s.hop(last, inner, ch)
	move := v * (n - 1) / n
	out := last.carry(2*move/float64(inner), ch, coded)
	return max(inside, 2*move/rate) + 2*perHop, out
}

// send is one message of v bytes between neighbours stride ranks apart, in a
// chain of n: it crosses the outermost tier that the chain crosses.
func (s *System) send(v float64, g group, ch *channel) (float64, traffic) {
	if g.n < 2 || v <= 0 {
		return 0, traffic{}
	}
	i := 0
	for i < s.nlinks-1 && s.links[i].gpus < g.n*g.stride {
		i++
	}
	l := &s.links[i]
	rate, perHop, coded := s.hop(l, 1, ch)
	return v/rate + perHop, l.carry(v, ch, coded)
}

// allToAll is the time in which each of the group's ranks sends v bytes, cut
// evenly, to all of them: on every tier, the part that leaves a domain.
func (s *System) allToAll(v float64, g group, ch *channel) (float64, traffic) {
	if g.n < 2 || v <= 0 {
		return 0, traffic{}
	}
	inner := 1
	var slowest, latency float64
	var out traffic
	for i := range s.nlinks {
		l := &s.links[i]
		members := min(g.n, max(1, l.gpus/g.stride))
		if members <= inner {
			continue
		}
		rate, perHop, coded := s.hop(l, 1, ch)
		move := v * float64(g.n-inner) / float64(g.n)
		slowest = max(slowest, move/rate)
		latency = max(latency, perHop)
		out.add(l.carry(move, ch, coded))
		inner = members
	}
	return slowest + latency, out
}
