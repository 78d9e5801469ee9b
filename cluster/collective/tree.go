package collective

import "math/bits"

// depth is the levels of a binary tree over n nodes, beyond its root.
func depth(n int) float64 { return float64(bits.Len(uint(n - 1))) }

// treeMove is the bytes that a node sends in an all-reduce over a double
// binary tree, per byte of the buffer: each tree carries half of it, up and
// down. In the one a node passes its half up and another's down twice; in the
// other it is a leaf. Two nodes only exchange halves.
func treeMove(nodes int) float64 {
	if nodes == 2 {
		return 1
	}
	return 2
}

// tree adds an all-reduce by a double binary tree between nodes whose members
// form a chain: the buffer passes every member of it twice, up and down.
// Going up, a codec decodes and encodes at every node; going down only the
// root encodes.
func (f *Fabric) tree(p *Plan, at *placement, ch *Channel) {
	if at.nodes < 2 {
		return
	}
	for proto := range numProtos {
		w := way{algorithm: Tree, proto: uint8(proto)}
		var latency float64
		usable := true
		for i := range at.spans[:at.k] {
			s := &at.spans[i]
			t := s.tier
			usable = usable && t.speaks(proto)
			if t.shared {
				continue
			}
			// The chain's ends send one way only; every GPU is one of them in
			// some channel.
			through := 2 * s.load
			many := min(at.nodes, 3) - 2
			c := t.charge(through, s.rate*treeShare[proto]*t.tree[many][proto], through, through, ch)
			w.beta = max(w.beta, c.seconds)
			latency += 2 * float64(s.domains-1) * t.treeHop[proto]
		}
		if !usable {
			continue
		}
		latency += f.treeNetwork(&w, at, ch, proto)
		w.alpha = treeBaseUS[proto]*microsecond + f.leave(at) + latency + w.hops*ch.Fill
		p.add(&w, f.pipeline(proto, latency))
	}
}

// treeNetwork is the part of a tree between nodes: it raises the way's time
// per byte to that of the slowest network, and returns the latency.
func (f *Fabric) treeNetwork(w *way, at *placement, ch *Channel, proto int) (latency float64) {
	for i := range at.spans[:at.k] {
		s := &at.spans[i]
		t := s.tier
		if !t.shared {
			continue
		}
		rate := s.rate * treeShare[proto]
		if proto == protoLL {
			rate = min(rate, t.llLimit(at.nodes)/2/float64(at.local))
		}
		sent := treeMove(at.nodes) / float64(at.local)
		enc := sent * (1 + 1/float64(at.nodes)) / 2
		c := t.charge(sent, rate, enc, sent, ch)
		w.beta = max(w.beta, c.seconds)
		w.traffic.Add(c.traffic)
		levels := depth(s.domains)
		latency += 2 * levels * t.treeHop[proto]
		if c.coded {
			w.hops += levels + 1
		}
	}
	return latency
}

// reduceInSwitch adds all-reduces by the NVLink switch: inside one domain, as
// the local part of a tree between domains, and, where the network's switches
// reduce too, up to those and back. Switches cannot add what a codec packed.
func (f *Fabric) reduceInSwitch(p *Plan, at *placement, ch *Channel) {
	node := &at.spans[0]
	t := node.tier
	nvls := t.reduce != 0 && node.inner == 1 && at.local == node.members && at.local >= nvlsLeast
	chunks := float64(at.local) * t.ringHop[protoSimple]
	switch {
	case at.nodes == 1:
		if nvls {
			w := way{algorithm: NVLS, proto: protoSimple, alpha: nvlsUS * microsecond, beta: 1 / t.reduce}
			p.add(&w, f.chunk*chunks)
		}
	default:
		if nvls {
			rate := t.reduce2
			if at.nodes > 2 {
				rate = t.reduceN
			}
			w := way{algorithm: NVLSTree, proto: protoSimple, beta: 1 / rate}
			latency := f.treeNetwork(&w, at, ch, protoSimple)
			w.alpha = nvlsUS*microsecond + f.leave(at) + latency + w.hops*ch.Fill
			p.add(&w, f.chunk*(chunks+latency))
		}
		f.reduceInNetwork(p, at, ch, nvls)
	}
}

// reduceInNetwork adds the all-reduce by the network's switches (SHARP): every
// node sends its buffer once and receives the sum.
func (f *Fabric) reduceInNetwork(p *Plan, at *placement, ch *Channel, nvls bool) {
	w := way{algorithm: SHARP, proto: protoSimple, alpha: nvlsUS * microsecond}
	local := float64(at.local)
	var latency float64
	for i := range at.spans[:at.k] {
		s := &at.spans[i]
		t := s.tier
		if t.codec && ch.Compress && ch.Force || t.shared && !t.inNetwork {
			return
		}
		if t.shared {
			c := t.charge(1/local, s.rate, 0, 0, &Plain)
			w.beta = max(w.beta, c.seconds)
			w.traffic.Add(c.traffic)
			latency += 2 * t.ringHop[protoSimple]
			continue
		}
		// Reduce-scatter inside, then all-gather, both in the pipeline.
		seconds := 2 * s.load / s.rate
		if nvls {
			seconds = 1 / t.reduce
		}
		w.beta = max(w.beta, seconds)
		latency += float64(s.domains) * t.ringHop[protoSimple]
	}
	w.alpha += f.leave(at) + latency
	p.add(&w, f.chunk*latency)
}
