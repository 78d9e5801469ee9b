package cluster

import "math"

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

// An Op is a collective operation. Sizes are those of nccl-tests: the whole
// buffer of an all-reduce, a broadcast, an all-gather (all shards together)
// and a reduce-scatter (likewise); what one rank sends in an all-to-all, its
// own part included; the message of a send.
type Op uint8

const (
	AllReduce Op = iota
	ReduceScatter
	AllGather
	Broadcast
	SendRecv
	AllToAll
	GatherReduce // all-reduce by all-to-all and all-gather of compressed values between nodes (1-bit Adam)
	numOps
)

var opNames = [numOps]string{"all_reduce", "reduce_scatter", "all_gather", "broadcast", "sendrecv", "alltoall", "gather_reduce"}

func (o Op) String() string { return opNames[o] }

// An Algorithm is how an operation is carried out.
type Algorithm uint8

const (
	Ring     Algorithm = iota
	Tree               // double binary tree between nodes, a chain inside
	NVLS               // the NVLink switch reduces
	NVLSTree           // the same inside the nodes, a tree between them
	SHARP              // the switches of the network reduce too
	PAT                // parallel aggregated trees: one rank a node, latency logarithmic
	Direct             // every pair by itself
	numAlgorithms
)

var algorithmNames = [numAlgorithms]string{"ring", "tree", "nvls", "nvls-tree", "sharp", "pat", "direct"}

func (a Algorithm) String() string { return algorithmNames[a] }

// channel is a codec reduced to what a message needs, per class.
type channel struct {
	ratio    float64
	encode   float64 // payload bytes per second
	decode   float64
	fill     float64 // seconds before the first chunk is through, per hop
	serial   bool
	compress bool
	force    bool
}

// rate is the payload bytes per second of a message on a link of the given
// rate, and whether it is compressed.
func (ch *channel) rate(link float64) (float64, bool) {
	if !ch.compress {
		return link, false
	}
	var r float64
	if ch.serial {
		r = 1 / (1/(ch.ratio*link) + 1/ch.encode + 1/ch.decode)
	} else {
		r = min(ch.ratio*link, ch.encode, ch.decode)
	}
	if r <= link && !ch.force {
		return link, false
	}
	return r, true
}

var plainChannel = channel{ratio: 1}

const maxWays = 8

// A way is one algorithm with one protocol: t = alpha + sigma sqrt(v) + beta v
// seconds for v bytes. Where chunks are pipelined along a path of latency L, the
// best chunk makes t = base + (sqrt(beta v) + sqrt(L))^2, hence the root.
type way struct {
	algorithm          Algorithm
	proto              uint8
	alpha, sigma, beta float64
	traffic            traffic // per byte of v
	hops               float64 // of the codec in a row
}

// A Plan is one operation over one group, reduced to what a size needs.
type Plan struct {
	ways [maxWays]way
	n    int
}

// best is the way that takes least time for v bytes, and the time.
func (p *Plan) best(v float64) (*way, float64) {
	if p.n == 0 || v <= 0 {
		return nil, 0
	}
	root := math.Sqrt(v)
	var least *way
	t := math.MaxFloat64
	for i := range p.ways[:p.n] {
		w := &p.ways[i]
		if s := w.alpha + w.sigma*root + w.beta*v; s < t {
			least, t = w, s
		}
	}
	return least, t
}

// time is the seconds that v bytes take by the fastest way; 0 for a group of
// one and for nothing to send.
func (p *Plan) time(v float64) float64 {
	_, t := p.best(v)
	return t
}

// message is the time and what one GPU puts on the networks between nodes.
func (p *Plan) message(v float64) (float64, traffic) {
	w, t := p.best(v)
	if w == nil {
		return 0, traffic{}
	}
	return t, w.traffic.scale(v)
}

// add appends a way. Pipelined ways pay for their chunks, chunk of the
// latency of the path each.
func (p *Plan) add(w *way, pipelined float64) {
	if p.n == maxWays {
		return // unreachable: no operation has more ways
	}
	w.sigma = 2 * math.Sqrt(w.beta*pipelined)
	p.ways[p.n] = *w
	p.n++
}

// plan works out the ways of an operation over a group, whose messages pass
// the channel's codec where a tier has one.
func (f *Fabric) plan(p *Plan, op Op, g group, ch *channel) {
	p.n = 0
	if g.n < 2 {
		return
	}
	var at placement
	f.place(&at, g)
	switch op {
	case AllReduce:
		f.ring(p, &at, ch, true, true)
		if !f.ringOnly {
			f.tree(p, &at, ch)
			f.reduceInSwitch(p, &at, ch)
		}
	case ReduceScatter:
		f.ring(p, &at, ch, true, false)
		f.aggregatedTrees(p, &at, ch, true)
	case AllGather:
		f.ring(p, &at, ch, false, true)
		f.aggregatedTrees(p, &at, ch, false)
	case Broadcast:
		f.broadcast(p, &at, ch)
	case SendRecv:
		f.send(p, &at, ch)
	case AllToAll:
		f.allToAll(p, &at, ch)
	case GatherReduce:
		f.gatherReduce(p, g, &at, ch)
	}
}

// A cost is what one phase of an operation asks of one tier, per byte of the
// buffer, of one GPU.
type cost struct {
	seconds float64
	traffic traffic
	coded   bool
}

// charge is the cost of moving move bytes a GPU over a tier at rate bytes/s,
// of which the GPU's encoder sees enc bytes and its decoder dec.
func (t *fabricTier) charge(move, rate, enc, dec float64, ch *channel) cost {
	c := cost{seconds: move / rate}
	if move == 0 {
		return c
	}
	wire := move
	if t.codec && ch.compress {
		packed := move / (ch.ratio * rate)
		if ch.serial {
			packed += enc/ch.encode + dec/ch.decode
		} else {
			packed = max(packed, enc/ch.encode, dec/ch.decode)
		}
		if packed < c.seconds || ch.force {
			c.seconds, c.coded = packed, true
			wire = move / ch.ratio
		}
	}
	if t.shared {
		c.traffic = traffic{payload: move, wire: wire}
		if c.coded {
			c.traffic.coded, c.traffic.encoded, c.traffic.decoded = move, enc, dec
		}
	}
	return c
}

// A Plans is a table of plans for one goroutine's hot path; the zero value is
// empty. It belongs to one Fabric and one set of channels.
type Plans struct {
	keys  [64]planKey
	plans [64]Plan
}

type planKey struct {
	n, stride int
	op        Op
	class     Class
	used      bool
}

// get is the plan of an operation over a group for a class of traffic, worked
// out unless the table has it.
func (c *Plans) get(f *Fabric, op Op, g group, class Class, ch *channel) *Plan {
	key := planKey{g.n, g.stride, op, class, true}
	i := (uint(g.n)*0x9e3779b1 ^ uint(g.stride)*0x85ebca6b ^ uint(op)*29 ^ uint(class)*7) % uint(len(c.keys))
	p := &c.plans[i]
	if c.keys[i] != key {
		f.plan(p, op, g, ch)
		c.keys[i] = key
	}
	return p
}
