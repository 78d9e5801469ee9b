package collective

import "math"

// MaxTiers is the most tiers of a network.
const MaxTiers = 4

// Traffic is what one GPU puts on the inter-node tier (or, in a flat network,
// on its only tier): payload before and wire after compression, in bytes.
// Encoded and Decoded are the payload bytes that the GPU's encoder and decoder
// see, fewer where it passes on what it received.
type Traffic struct{ Payload, Wire, Coded, Encoded, Decoded float64 }

// Add adds what another operation sends.
func (t *Traffic) Add(o Traffic) {
	t.Payload += o.Payload
	t.Wire += o.Wire
	t.Coded += o.Coded
	t.Encoded += o.Encoded
	t.Decoded += o.Decoded
}

// Scale is the traffic of k such operations.
func (t *Traffic) Scale(k float64) Traffic {
	return Traffic{t.Payload * k, t.Wire * k, t.Coded * k, t.Encoded * k, t.Decoded * k}
}

// A Group is N ranks that lie Stride apart, placed on the tiers.
type Group struct {
	N, Stride int
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

// OpOf is the operation that String gives the name of; false where there is
// none.
func OpOf(name string) (Op, bool) {
	for o, n := range opNames {
		if n == name {
			return Op(o), true
		}
	}
	return 0, false
}

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

// A Channel is a codec reduced to what a message needs, per class.
type Channel struct {
	Ratio    float64 // payload over wire bytes, 1 where nothing is compressed
	Encode   float64 // payload bytes per second
	Decode   float64
	Fill     float64 // seconds before the first chunk is through, per hop
	Serial   bool    // encode, send and decode follow each other
	Compress bool    // messages may pass the codec
	Force    bool    // they do even where that is slower
}

// Plain is the channel of messages that no codec touches. It is not written to.
var Plain = Channel{Ratio: 1}

const maxWays = 8

// A way is one algorithm with one protocol: t = alpha + sigma sqrt(v) + beta v
// seconds for v bytes. Where chunks are pipelined along a path of latency L, the
// best chunk makes t = base + (sqrt(beta v) + sqrt(L))^2, hence the root.
type way struct {
	algorithm          Algorithm
	proto              uint8
	alpha, sigma, beta float64
	traffic            Traffic // per byte of v
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

// Time is the seconds that v bytes take by the fastest way; 0 for a group of
// one and for nothing to send.
func (p *Plan) Time(v float64) float64 {
	_, t := p.best(v)
	return t
}

// Message is the time and what one GPU puts on the networks between nodes.
func (p *Plan) Message(v float64) (float64, Traffic) {
	w, t := p.best(v)
	if w == nil {
		return 0, Traffic{}
	}
	return t, w.traffic.Scale(v)
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

// Plan works out the ways of an operation over a group, whose messages pass
// the channel's codec where a tier has one.
func (f *Fabric) Plan(p *Plan, op Op, g Group, ch *Channel) {
	p.n = 0
	if g.N < 2 {
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
	traffic Traffic
	coded   bool
}

// charge is the cost of moving move bytes a GPU over a tier at rate bytes/s,
// of which the GPU's encoder sees enc bytes and its decoder dec.
func (t *fabricTier) charge(move, rate, enc, dec float64, ch *Channel) cost {
	c := cost{seconds: move / rate}
	if move == 0 {
		return c
	}
	wire := move
	if t.codec && ch.Compress {
		packed := move / (ch.Ratio * rate)
		if ch.Serial {
			packed += enc/ch.Encode + dec/ch.Decode
		} else {
			packed = max(packed, enc/ch.Encode, dec/ch.Decode)
		}
		if packed < c.seconds || ch.Force {
			c.seconds, c.coded = packed, true
			wire = move / ch.Ratio
		}
	}
	if t.shared {
		c.traffic = Traffic{Payload: move, Wire: wire}
		if c.coded {
			c.traffic.Coded, c.traffic.Encoded, c.traffic.Decoded = move, enc, dec
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
	class     uint8
}

// Get is the plan of an operation over a group for a class of traffic, whose
// channel is ch, worked out unless the table has it.
func (c *Plans) Get(f *Fabric, op Op, g Group, class uint8, ch *Channel) *Plan {
	key := planKey{g.N, g.Stride, op, class}
	i := (uint(g.N)*0x9e3779b1 ^ uint(g.Stride)*0x85ebca6b ^ uint(op)*29 ^ uint(class)*7) % uint(len(c.keys))
	p := &c.plans[i]
	if c.keys[i] != key {
		f.Plan(p, op, g, ch)
		c.keys[i] = key
	}
	return p
}
