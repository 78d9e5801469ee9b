package collective

// ring adds a reduce-scatter, an all-gather or both, one after the other,
// around rings through all ranks. Each passes (n-1)/n of the buffer over every
// hop; as many rings as a node has members start at different ones, so a GPU
// sends its load on every tier. The slowest tier sets the pace, and a chunk
// waits for the hops of its way: all of them but one. The next chunks follow
// while it waits, so that its latency counts once.
//
// A reduce-scatter decodes, adds and encodes at every hop of a codec's tier.
// An all-gather encodes its own shard when it leaves the node, passes it on as
// it came, and decodes what arrives.
func (f *Fabric) ring(p *Plan, at *placement, ch *Channel, scatter, gather bool) {
	n := float64(at.n)
	move := (n - 1) / n
	phases := 0.0
	if scatter {
		phases++
	}
	if gather {
		phases++
	}
	for proto := range numProtos {
		w := way{algorithm: Ring, proto: uint8(proto)}
		var reduce, collect float64
		var hops float64
		usable := true
		first := 1.0 // the hop that a chunk is spared, on the innermost tier
		for i := range at.spans[:at.k] {
			s := &at.spans[i]
			t := s.tier
			usable = usable && t.speaks(proto)
			rate := s.rate * ringShare[proto]
			if proto == protoLL && t.shared {
				rate = min(rate, t.llLimit(at.nodes)*s.load)
			}
			sent := move * s.load
			passed := s.hops - first
			first = 0
			hops += passed * t.ringHop[proto]
			if scatter {
				c := t.charge(sent, rate, sent, sent, ch)
				reduce = max(reduce, c.seconds)
				w.traffic.Add(c.traffic)
				if c.coded {
					w.hops += passed
				}
			}
			if gather {
				c := t.charge(sent, rate, 1/n, at.arriving(s), ch)
				collect = max(collect, c.seconds)
				w.traffic.Add(c.traffic)
				if c.coded {
					w.hops++
				}
			}
		}
		if !usable {
			continue
		}
		w.beta = reduce + collect
		w.alpha = ringBaseUS[proto]*microsecond + f.leave(at) + phases*hops + w.hops*ch.Fill
		p.add(&w, 0)
	}
}

// arriving is what one GPU of the group receives over a span's tier, per byte
// of a buffer that ends up whole in every domain below it.
func (at *placement) arriving(s *span) float64 {
	inner, members := float64(s.inner), float64(s.members)
	return (members - inner) / members / inner
}

// llLimit is what the LL protocol moves per node.
func (t *fabricTier) llLimit(nodes int) float64 {
	if nodes > 2 {
		return t.nodeMany
	}
	return t.node
}

// leave is the latency of a collective that leaves nodes of several members,
// beyond its hops.
func (f *Fabric) leave(at *placement) float64 {
	if at.local > 1 && at.nodes > 1 {
		return f.start
	}
	return 0
}

// pipeline is the latency along which the chunks of a protocol follow each
// other. Only Simple has chunks: with LL and LL128 data carry their flags.
func (f *Fabric) pipeline(proto int, latency float64) float64 {
	if proto != protoSimple {
		return 0
	}
	return f.chunk * latency
}

// broadcast adds a broadcast from one rank along a chain through all others, in
// chunks. The root encodes, everyone decodes.
func (f *Fabric) broadcast(p *Plan, at *placement, ch *Channel) {
	n := float64(at.n)
	for proto := range numProtos {
		w := way{algorithm: Ring, proto: uint8(proto)}
		var hops float64
		usable := true
		first := 1.0
		for i := range at.spans[:at.k] {
			s := &at.spans[i]
			t := s.tier
			usable = usable && t.speaks(proto)
			rate := s.rate * ringShare[proto]
			if proto == protoLL && t.shared {
				rate = min(rate, t.llLimit(at.nodes)*s.load)
			}
			hops += (s.hops - first) * t.ringHop[proto]
			first = 0
			c := t.charge(s.load, rate, 1/n, at.arriving(s), ch)
			w.beta = max(w.beta, c.seconds)
			w.traffic.Add(c.traffic)
			if c.coded {
				w.hops++
			}
		}
		if !usable {
			continue
		}
		w.alpha = ringBaseUS[proto]*microsecond + f.leave(at) + hops + w.hops*ch.Fill
		p.add(&w, f.pipeline(proto, hops))
	}
}

// aggregatedTrees adds a reduce-scatter or an all-gather by parallel
// aggregated trees, which NCCL has where every node holds one rank: as many
// steps as the logarithm of the ranks.
func (f *Fabric) aggregatedTrees(p *Plan, at *placement, ch *Channel, reduce bool) {
	if at.local > 1 || f.ringOnly {
		return
	}
	n := float64(at.n)
	w := way{algorithm: PAT, proto: protoSimple}
	var latency float64
	for i := range at.spans[:at.k] {
		s := &at.spans[i]
		steps := depth(s.domains)
		latency += steps * s.tier.ringHop[protoSimple]
		sent := at.arriving(s)
		enc := 1 / n
		if reduce {
			enc = sent
		}
		c := s.tier.charge(sent, s.rate*patShare, enc, sent, ch)
		w.beta = max(w.beta, c.seconds)
		w.traffic.Add(c.traffic)
		if c.coded && reduce {
			w.hops += steps
		} else if c.coded {
			w.hops++
		}
	}
	w.alpha = patBaseUS*microsecond + latency + w.hops*ch.Fill
	p.add(&w, f.pipeline(protoSimple, latency))
}
