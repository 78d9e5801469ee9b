package collective

// send adds one message between neighbours stride ranks apart in a chain: it
// crosses the outermost tier that the chain crosses.
func (f *Fabric) send(p *Plan, at *placement, ch *Channel) {
	s := &at.spans[at.k-1]
	t := s.tier
	rate := t.ring
	if t.links > 0 {
		rate /= float64(t.links)
	}
	for proto := range numProtos {
		if !t.speaks(proto) {
			continue
		}
		w := way{algorithm: Direct, proto: uint8(proto)}
		wire := rate * ringShare[proto]
		if proto == protoLL && t.shared {
			wire = min(wire, t.llLimit(at.nodes))
		}
		c := t.charge(1, wire, 1, 1, ch)
		w.beta, w.traffic = c.seconds, c.traffic
		if c.coded {
			w.hops = 1
		}
		w.alpha = ringBaseUS[proto]*microsecond + t.ringHop[proto] + w.hops*ch.Fill
		p.add(&w, f.pipeline(proto, t.ringHop[proto]))
	}
}

// allToAll adds an exchange of every rank with every other: the part for
// the members of each domain crosses that domain's tier. Links of different
// tiers work side by side.
func (f *Fabric) allToAll(p *Plan, at *placement, ch *Channel) {
	n := float64(at.n)
	w := way{algorithm: Direct, proto: protoSimple}
	var farthest, peers float64
	for i := range at.spans[:at.k] {
		s := &at.spans[i]
		t := s.tier
		others := float64(s.members - s.inner)
		rate := t.exchange
		if t.links > s.members-1 && s.inner == 1 {
			rate *= float64(s.members-1) / float64(t.links)
		}
		c := t.charge(others/n, rate, others/n, others/n, ch)
		w.beta = max(w.beta, c.seconds)
		w.traffic.Add(c.traffic)
		if c.coded {
			w.hops = 1
		}
		farthest = max(farthest, t.ringHop[protoSimple])
		peers += others * t.peer
	}
	w.alpha = ringBaseUS[protoSimple]*microsecond + farthest + peers + w.hops*ch.Fill
	p.add(&w, f.chunk*farthest)
}

// gatherReduce adds the compressed all-reduce of 1-bit Adam: gradients are
// reduced inside the node, every rank sends the compressed shards of its part
// to their owners in the other nodes (all-to-all), and the owners send the
// averaged shards to all (all-gather). Nothing is encoded again on the way.
func (f *Fabric) gatherReduce(p *Plan, g Group, at *placement, ch *Channel) {
	inside := Group{at.local, g.Stride}
	if at.nodes == 1 {
		f.Plan(p, AllReduce, inside, ch)
		return
	}
	var local Plan
	f.Plan(&local, AllReduce, inside, &Plain)
	nodes, members := float64(at.nodes), float64(at.local)
	w := way{algorithm: Direct, proto: protoSimple, alpha: ringBaseUS[protoSimple] * microsecond}
	for i := range local.ways[:local.n] {
		if l := &local.ways[i]; l.proto == protoSimple && (w.beta == 0 || l.beta < w.beta) {
			w.beta, w.alpha = l.beta, l.alpha
		}
	}
	for i := range at.spans[:at.k] {
		s := &at.spans[i]
		if !s.tier.shared {
			continue
		}
		sent := (nodes - 1) / nodes / members
		c := s.tier.charge(2*sent, s.rate, sent+1/nodes/members, 2*sent, ch)
		w.beta = max(w.beta, c.seconds)
		w.traffic.Add(c.traffic)
		if c.coded {
			w.hops = 2
		}
		w.alpha += 2 * s.tier.ringHop[protoSimple]
	}
	w.alpha += w.hops * ch.Fill
	p.add(&w, 0)
}
