package collective

import "math"

// An ExchangeStyle is how the tokens of a mixture of experts travel.
type ExchangeStyle uint8

const (
	ExchangePermuted     ExchangeStyle = iota // a copy per chosen expert, by the library's all-to-all
	ExchangeDeduplicated                      // once per node between nodes and once per rank inside (DeepEP, MoRI), or by their low-latency kernels
)

// lowLatencyTokens is the most tokens of a rank that low-latency kernels have
// buffers for (DeepEP's README wants batches below 256 there).
const lowLatencyTokens = 256

// A Routing is what every rank of a group sends to its experts, or gets back.
type Routing struct {
	Tokens    float64 // of one rank
	Hidden    float64 // values of a token
	TopK      int     // experts that a token chooses, evenly over the ranks
	NodeLimit int     // nodes among which a token chooses; 0: all
}

// distinct is the expected number of different ones that k even choices among
// n hit.
func distinct(n float64, k int) float64 {
	return n * (1 - math.Pow(1-1/n, float64(k)))
}

// Exchange works out a dispatch of tokens to experts over the group's ranks,
// or the combination of what they return (combine): sizes are bytes a value.
// Between nodes a dispatched token is encoded once and decoded by every node
// that it reaches; what returns is encoded and decoded each time.
func (f *Fabric) Exchange(p *Plan, g Group, r *Routing, style ExchangeStyle, combine bool, ch *Channel) {
	p.n = 0
	if g.N < 2 || r.Tokens <= 0 || r.TopK < 1 {
		return
	}
	var at placement
	f.place(&at, g)
	values := r.Tokens * r.Hidden
	if style == ExchangePermuted {
		f.allToAll(p, &at, ch)
		p.ways[0].resize(values * float64(r.TopK))
		return
	}
	if r.Tokens <= lowLatencyTokens {
		f.lowLatency(p, &at, r, values, ch)
		return
	}
	f.deduplicated(p, &at, r, values, combine, ch)
}

// resize makes v units of k bytes each.
func (w *way) resize(k float64) {
	w.beta *= k
	w.sigma *= math.Sqrt(k)
	w.traffic = w.traffic.Scale(k)
}

// lowLatency adds the exchange that sends a copy per chosen expert straight to
// its rank, without a synchronisation before it.
func (f *Fabric) lowLatency(p *Plan, at *placement, r *Routing, values float64, ch *Channel) {
	w := way{algorithm: Direct, proto: protoLL, alpha: f.lowLat}
	copies := values * float64(r.TopK) / float64(at.n)
	for i := range at.spans[:at.k] {
		s := &at.spans[i]
		sent := copies * float64(s.members-s.inner)
		c := s.tier.charge(sent, s.tier.exchange, sent, sent, ch)
		w.beta = max(w.beta, c.seconds)
		w.traffic.Add(c.traffic)
		if c.coded {
			w.hops = 1
		}
	}
	w.alpha += w.hops * ch.Fill
	p.add(&w, 0)
}

// deduplicated adds the exchange in which a token crosses the network once
// per node that it reaches, to the GPU of the same rail, and is passed on
// inside the node once per rank.
func (f *Fabric) deduplicated(p *Plan, at *placement, r *Routing, values float64, combine bool, ch *Channel) {
	w := way{algorithm: Direct, proto: protoSimple, alpha: f.dedup}
	nodes, local := float64(at.nodes), float64(at.local)
	open := nodes
	if r.NodeLimit > 0 {
		open = min(open, float64(r.NodeLimit))
	}
	remote := distinct(open, r.TopK) * (nodes - 1) / nodes
	ranks := distinct(open*local, r.TopK) * (local - 1) / local
	for i := range at.spans[:at.k] {
		s := &at.spans[i]
		t := s.tier
		sent, rate := values*ranks, t.exchange*f.dedupNVL
		enc := sent
		if t.shared {
			sent, rate = values*remote, t.exchange
			if enc = sent; !combine {
				enc = min(values, sent)
			}
		}
		c := t.charge(sent, rate, enc, sent, ch)
		w.beta = max(w.beta, c.seconds)
		w.traffic.Add(c.traffic)
		if c.coded {
			w.hops = 1
		}
	}
	w.alpha += w.hops * ch.Fill
	p.add(&w, 0)
}
