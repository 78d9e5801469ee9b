package collective

import (
	"fmt"
	"math"
)

// BytesPerSecond is the rate of a link or a storage.
type BytesPerSecond float64

// A Tier is one level of the network. The first tier joins the GPUs of a node,
// the next joins nodes, and so on.
type Tier struct {
	Name           string
	GPUs           int            // GPUs inside one domain of this tier; 0 means all
	BytesPerSecond BytesPerSecond // per GPU and per direction
	Codec          bool           // messages on this tier may pass the tensor codec
	Shared         bool           // an inter-node tier: NIC latency and efficiency apply, else those of the node's links

	Family           Family  // kind of link
	Effective        bool    // BytesPerSecond is what transfers reach, not the nominal rate
	Rails            int     // NICs of a node, each with a leaf switch of its own; 0 or 1: a node's NICs share a leaf
	Oversubscription float64 // capacity below a leaf switch over the capacity above it; 0 means 1
	InNetwork        bool    // the network's switches reduce (SHARP); those of NVLink 4 and 5 always do (NVLS)
	Direct           bool    // a link between every two GPUs of a node instead of a switch, as xGMI always has
}

// A Network is a list of tiers, innermost first; the last one joins every GPU.
type Network struct{ Tiers []Tier }

// FlatNetwork joins every GPU by one link of its own, rate in bytes per second
// and direction, with the codec on it.
func FlatNetwork(rate BytesPerSecond) Network {
	return Network{Tiers: []Tier{{Name: "link", BytesPerSecond: rate, Codec: true, Shared: true, Effective: true}}}
}

// NodeNetwork joins gpusPerNode GPUs by links of intra bytes per second and
// the nodes by inter bytes per second per GPU, with the codec on the latter.
func NodeNetwork(gpusPerNode int, intra, inter BytesPerSecond) Network {
	if gpusPerNode <= 1 {
		return FlatNetwork(inter)
	}
	return Network{Tiers: []Tier{
		{Name: "node", GPUs: gpusPerNode, BytesPerSecond: intra},
		{Name: "fabric", BytesPerSecond: inter, Codec: true, Shared: true},
	}}
}

// leastRate is the least bytes per second of a link: what is slower by far takes
// forever.
const leastRate = 1e-9

// Validate reports the first tier that is out of order or has no usable rate.
func (n *Network) Validate() error {
	if len(n.Tiers) == 0 {
		return fmt.Errorf("network: no tier")
	}
	inner := 1
	for i, t := range n.Tiers {
		if !(t.BytesPerSecond >= leastRate) || math.IsInf(float64(t.BytesPerSecond), 0) {
			return fmt.Errorf("network: tier %s has rate %v, want a positive number of bytes per second", t.Name, t.BytesPerSecond)
		}
		last := i == len(n.Tiers)-1
		if t.GPUs == 0 && last {
			break
		}
		if t.GPUs < inner {
			return fmt.Errorf("network: tier %s joins %d GPUs, fewer than the tier inside it", t.Name, t.GPUs)
		}
		inner = t.GPUs
	}
	return nil
}

// A Derate is what a software stack leaves of the links. The zero value leaves
// all.
type Derate struct {
	NodeCap  float64 // bytes/s that the stack moves per node between nodes; 0 means no limit
	RingOnly bool    // neither trees nor reduction in switches
}

// A fabricTier is a tier of the network with its family's constants.
type fabricTier struct {
	gpus      int // of one domain; a very large number for the outermost tier
	shared    bool
	codec     bool
	links     int  // of a GPU, one to every other GPU of the domain; 0: a switch
	inNetwork bool // the network's switches reduce
	ll        bool // the LL protocol works here
	ll128     bool // the LL128 protocol works here

	ring     float64                // bytes/s that a GPU sends around a ring
	exchange float64                // bytes/s that a GPU sends in an all-to-all
	node     float64                // bytes/s that LL moves per node, between two nodes and more; 0: no limit
	nodeMany float64                //
	ringHop  [numProtos]float64     // seconds
	treeHop  [numProtos]float64     // seconds
	peer     float64                // seconds for each further peer of an all-to-all
	tree     *[2][numProtos]float64 // part of a chain's rate that trees over two nodes and more reach
	reduce   float64                // bytes/s of an all-reduce in the switch
	reduce2  float64                // the same as the node's part of a tree over two domains
	reduceN  float64                // and over more
}

// A Fabric is a network with the constants of its links worked out. It is
// built once per job and only read afterwards.
type Fabric struct {
	tiers    [MaxTiers]fabricTier
	n        int
	chunk    float64 // cost of a chunk against the latency of its path
	ringOnly bool
	start    float64 // seconds, of a collective that leaves nodes of several members
	lowLat   float64 // seconds
	dedup    float64 // seconds
	dedupNVL float64
}

// NewFabric works out the constants of the network's links. Errors name the
// tier and the field.
func NewFabric(n *Network, c *LinkConstants, d Derate) (Fabric, error) {
	f := Fabric{chunk: c.Chunk, start: c.NetworkUS * microsecond, ringOnly: d.RingOnly, lowLat: c.LowLatencyUS * microsecond,
		dedup: c.DeduplicatedUS * microsecond, dedupNVL: c.DeduplicatedNVL}
	if err := n.Validate(); err != nil {
		return f, err
	}
	if err := c.Validate(); err != nil {
		return f, err
	}
	if len(n.Tiers) > MaxTiers {
		return f, fmt.Errorf("network: %d tiers, want at most %d", len(n.Tiers), MaxTiers)
	}
	perNode := 1
	for i := range n.Tiers {
		t := &n.Tiers[i]
		if err := f.tiers[i].set(t, c, &d, perNode); err != nil {
			return f, fmt.Errorf("network: tier %s: %w", t.Name, err)
		}
		if i == len(n.Tiers)-1 || t.GPUs == 0 {
			f.tiers[i].gpus = math.MaxInt32
		}
		if !t.Shared {
			perNode = t.GPUs // 0 only on the last tier
		}
	}
	f.n = len(n.Tiers)
	return f, nil
}

// set works out one tier; perNode is the number of GPUs of a node below it.
func (f *fabricTier) set(t *Tier, c *LinkConstants, d *Derate, perNode int) error {
	family := t.Family
	switch {
	case family == FamilyDefault && t.Shared: // InfiniBand: what a network is unless its family says otherwise
	case family == FamilyDefault:
		family = NVLink4
	case family >= numFamilies:
		return fmt.Errorf("unknown link family %d", family)
	case family.Network() != t.Shared:
		return fmt.Errorf("%v links cannot be there: a network joins nodes, other links the GPUs of a node", family)
	}
	if !(t.Oversubscription == 0 || t.Oversubscription >= 1 && t.Oversubscription <= MaxOversubscription) {
		return fmt.Errorf("oversubscription is %v, want 1 to %v", t.Oversubscription, MaxOversubscription)
	}
	if t.Rails < 0 {
		return fmt.Errorf("%d rails", t.Rails)
	}
	*f = fabricTier{gpus: t.GPUs, shared: t.Shared, codec: t.Codec, ll: true, ll128: true, tree: &treeAny}
	if t.Direct || family == XGMI {
		f.links = max(0, t.GPUs-1)
	}
	rate := float64(t.BytesPerSecond)
	if t.Shared {
		f.setNetwork(family, t, c, d, perNode, rate)
		return nil
	}
	ring, exchange := c.NVLinkRing, c.NVLinkExchange
	hop, tree := &nvlinkRingUS, &nvlinkTreeUS
	switch family {
	case NVLink3:
		f.tree = &treeAmpere
	case NVLink4:
		f.tree = &treeHopper
		f.reduce = rate * c.NVLS
		f.reduce2 = f.reduce * c.NVLSTree
		f.reduceN = f.reduce2 * nvlsManyHopper
	case NVLink5:
		ring = c.NVLink5Ring
		f.tree = &treeBlackwell
		f.reduce = rate * c.NVLS * nvlsBlackwell
		f.reduce2 = f.reduce * c.NVLSTree
		f.reduceN = f.reduce2 * nvlsManyBlackwell
	case XGMI:
		ring, exchange = c.XGMIRing, c.XGMIExchange
	case PCIe:
		ring, exchange = pcieFraction, pcieFraction
		hop, tree = &pcieRingUS, &pcieTreeUS
		f.ll128 = false
	}
	f.ring, f.exchange = rate*ring, rate*exchange
	for p := range numProtos {
		f.ringHop[p], f.treeHop[p] = hop[p]*microsecond, tree[p]*microsecond
	}
	f.peer = f.ringHop[protoLL]
	return nil
}

func (f *fabricTier) setNetwork(family Family, t *Tier, c *LinkConstants, d *Derate, perNode int, rate float64) {
	part, exchange, hop, nodeCap := c.RDMA, c.RDMAExchange, c.RDMAHopUS, d.NodeCap
	limit := func(bytes float64) {
		if nodeCap == 0 || bytes < nodeCap {
			nodeCap = bytes
		}
	}
	switch family {
	case EFA:
		hop = c.EFAHopUS
	case EFAStaged:
		hop = c.EFAHopUS
		limit(c.StagedGBPerS * 1e9)
	case TCPXO:
		hop = c.TCPXOHopUS
	case TCPX:
		part, exchange, hop = c.TCPX, c.TCPX, c.TCPXHopUS
		f.ll, f.ll128 = false, false
	case TCP:
		part, exchange, hop = tcpFraction, tcpFraction, tcpHopUS
		limit(tcpNodeBytes)
		f.ll128 = false
	}
	if t.Effective {
		part, exchange = 1, 1
	}
	// Rails keep traffic under one leaf: a GPU hands it to the GPU of the
	// right rail inside its node.
	if t.Rails <= 1 {
		rate /= max(1, t.Oversubscription)
	}
	f.ring, f.exchange = rate*part, rate*exchange
	if nodeCap > 0 {
		most := nodeCap / float64(perNode)
		f.ring, f.exchange = min(f.ring, most), min(f.exchange, most)
	}
	f.inNetwork = t.InNetwork
	f.node, f.nodeMany = llNode[0], llNode[1]
	for p := range numProtos {
		us := hop * networkHop[p]
		f.ringHop[p], f.treeHop[p] = us*microsecond, us*microsecond
	}
	f.peer = f.ringHop[protoLL] * networkPeer
}

// speaks reports whether a protocol works over the tier.
func (f *fabricTier) speaks(proto int) bool {
	switch proto {
	case protoLL:
		return f.ll
	case protoLL128:
		return f.ll128
	}
	return true
}

// A span is a tier that a group crosses.
type span struct {
	tier    *fabricTier
	inner   int     // members in one domain below
	members int     // members in one domain
	domains int     // domains below that one domain has
	hops    float64 // hops of a ring over all ranks that are on this tier
	load    float64 // bytes that a GPU sends on this tier for a byte that a ring passes
	rate    float64 // bytes/s that a GPU sends around a ring here
}

// A placement is a group laid on the tiers.
type placement struct {
	n     int
	local int // members in a node
	nodes int // nodes with members
	spans [MaxTiers]span
	k     int
}

// place lays n ranks, stride apart, on the tiers. Ranks next to each other
// share a domain.
func (f *Fabric) place(at *placement, g Group) {
	*at = placement{n: g.N, local: 1, nodes: 1}
	inner := 1
	for i := range f.n {
		t := &f.tiers[i]
		members := g.N
		if (g.N-1)*g.Stride >= t.gpus { // not all of them in one domain
			members = min(g.N, t.gpus/g.Stride)
		}
		if members <= inner {
			continue
		}
		domains := (members + inner - 1) / inner
		s := span{tier: t, inner: inner, members: members, domains: domains, rate: t.ring}
		// The ring closes on its outermost tier; on the others it is a chain.
		chain := float64(domains)
		if members < g.N {
			chain--
		}
		s.load = chain / float64(members)
		s.hops = s.load * float64(g.N)
		if inner == 1 && t.links > members-1 {
			// Only the links between members carry anything.
			s.rate *= float64(members-1) / float64(t.links)
		}
		at.spans[at.k] = s
		at.k++
		inner = members
		if t.shared {
			at.nodes *= domains
		} else {
			at.local = members
		}
		if members == g.N {
			break
		}
	}
}
