package collective

import (
	"math"
	"testing"
)

func rootOf(v float64) float64 { return math.Sqrt(v) }

func TestTree(t *testing.T) {
	for n, want := range map[int]float64{2: 1, 3: 2, 4: 2, 5: 3, 8: 3, 9: 4} {
		if got := depth(n); got != want {
			t.Errorf("a tree over %d nodes has %v levels, want %v", n, got, want)
		}
	}
	if treeMove(2) != 1 || treeMove(3) != 2 || treeMove(100) != 2 {
		t.Error("a node sends its buffer once among two nodes and twice among more")
	}
	// Two nodes: the buffer leaves each once over 8 NICs; inside, a GPU
	// sends it on 2 x 7/8 times.
	f := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink2, InfiniBand), Derate{})
	p := testPlan(f, AllReduce, Group{16, 1}, &Plain)
	const latency = 2*7*4 + 2*28
	w := wayOf(t, p, Tree, protoSimple)
	inside := 2 * 7.0 / 8 / 200e9 / 0.92
	checkWay(t, "links inside", w, 8.4+20+latency, 2*rootOf(inside*0.25*latency*1e-6), inside)
	checkTraffic(t, "two nodes", w.traffic, Traffic{Payload: 1.0 / 8, Wire: 1.0 / 8})
	checkWay(t, "LL128", wayOf(t, p, Tree, protoLL128), 14+20+2*7*1.25+2*17, 0, inside*128/120)
	// LL: 1/3.8 of the links, and half of 45 GB/s between nodes.
	checkWay(t, "LL", wayOf(t, p, Tree, protoLL), 6.8+20+2*7*0.6+2*10, 0, 2/45e9)
	// More nodes: two levels for three, the buffer leaves twice.
	slow := testFabric(t, twoTiers(8, 400e9, 12.5e9, NVLink2, InfiniBand), Derate{})
	p = testPlan(slow, AllReduce, Group{24, 1}, &Plain)
	w = wayOf(t, p, Tree, protoSimple)
	beta := 2.0 / 8 / 9.2e9
	checkWay(t, "three nodes", w, 8.4+20+2*7*4+4*28, 2*rootOf(beta*0.25*(2*7*4+4*28)*1e-6), beta)
	checkTraffic(t, "three nodes", w.traffic, Traffic{Payload: 2.0 / 8, Wire: 2.0 / 8})
	checkWay(t, "LL, three nodes", wayOf(t, p, Tree, protoLL), 6.8+20+2*7*0.6+4*10, 0, 2.0*2/35e9)
	crawl := testFabric(t, twoTiers(8, 400e9, 1.25e9, NVLink2, InfiniBand), Derate{})
	p = testPlan(crawl, AllReduce, Group{24, 1}, &Plain)
	checkWay(t, "LL, slow", wayOf(t, p, Tree, protoLL), 6.8+20+2*7*0.6+4*10, 0, 2.0*3.8/8/0.92e9)
	// One rank a node.
	p = testPlan(slow, AllReduce, Group{4, 8}, &Plain)
	w = wayOf(t, p, Tree, protoSimple)
	checkWay(t, "one a node", w, 8.4+4*28, 2*rootOf(2/9.2e9*0.25*4*28e-6), 2/9.2e9)
	// Not inside a node, nor where only rings are allowed.
	if hasWay(testPlan(f, AllReduce, Group{8, 1}, &Plain), Tree) {
		t.Error("a tree inside one node")
	}
	only := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{RingOnly: true})
	if p := testPlan(only, AllReduce, Group{16, 1}, &Plain); p.n != 3 || hasWay(p, Tree) || hasWay(p, NVLSTree) {
		t.Error("something besides rings where only rings are allowed")
	}
	// Neither sockets nor PCIe carry LL128.
	pcie := testFabric(t, twoTiers(4, 24e9, 1e9, PCIe, TCP), Derate{})
	p = testPlan(pcie, AllReduce, Group{8, 1}, &Plain)
	for i := range p.ways[:p.n] {
		if p.ways[i].proto == protoLL128 {
			t.Errorf("%v with LL128 over PCIe", p.ways[i].algorithm)
		}
	}
}

// A node of two islands: the buffer passes the links inside them and between
// them; beyond it, racks have levels of their own.
func TestTreeTiers(t *testing.T) {
	n := Network{Tiers: []Tier{
		{Name: "island", GPUs: 4, BytesPerSecond: 400e9, Family: NVLink3},
		{Name: "node", GPUs: 8, BytesPerSecond: 100e9, Family: PCIe},
		{Name: "rack", GPUs: 32, BytesPerSecond: 100e9, Family: RoCE, Shared: true},
		{Name: "fabric", BytesPerSecond: 50e9, Family: EFA, Shared: true},
	}}
	f := testFabric(t, n, Derate{})
	w := wayOf(t, testPlan(f, AllReduce, Group{96, 1}, &Plain), Tree, protoSimple)
	// Chains of four and of two, two levels for four nodes and two for three racks.
	const latency = 2*3*4 + 2*1*4 + 2*2*28 + 2*2*84
	// A GPU sends 3/4 of the buffer in its island, twice, and 1/8 on to the other.
	beta := max(2*3.0/4/200e9/0.92*24/17.8, 2.0/8/76e9/0.92, 2.0/8/80e9/0.92, 2.0/8/40e9/0.92)
	checkWay(t, "tiers", w, 8.4+20+latency, 2*rootOf(beta*0.25*latency*1e-6), beta)
	checkTraffic(t, "tiers", w.traffic, Traffic{Payload: 4.0 / 8, Wire: 4.0 / 8})
	ch := Channel{Ratio: 5, Encode: 1e13, Decode: 1e13, Fill: 1e-6, Compress: true}
	n.Tiers[2].Codec, n.Tiers[3].Codec = true, true
	w = wayOf(t, testPlan(testFabric(t, n, Derate{}), AllReduce, Group{96, 1}, &ch), Tree, protoSimple)
	if !near(w.alpha, (8.4+20+latency+3+3)*1e-6, 1e-9) || w.hops != 6 {
		t.Errorf("codec on both networks: alpha %v, %v hops; want three fills for each", w.alpha, w.hops)
	}
	// Islands whose switch reduces: the buffer still has to cross the node.
	n.Tiers[0].Family = NVLink4
	if p := testPlan(testFabric(t, n, Derate{}), AllReduce, Group{96, 1}, &Plain); hasWay(p, NVLSTree) {
		t.Error("the island's switch reduces for the whole node")
	}
	n.Tiers[2].InNetwork = true
	if p := testPlan(testFabric(t, n, Derate{}), AllReduce, Group{96, 1}, &Plain); hasWay(p, SHARP) {
		t.Error("SHARP though one of the networks cannot")
	}
	n.Tiers[3].InNetwork = true
	w = wayOf(t, testPlan(testFabric(t, n, Derate{}), AllReduce, Group{96, 1}, &Plain), SHARP, protoSimple)
	const up = 4*3.4 + 2*5.7 + 2*28 + 2*84
	beta = max(2*3.0/4/200e9, 2.0/8/76e9, 1.0/8/40e9)
	checkWay(t, "SHARP", w, 25+20+up, 2*rootOf(beta*0.25*up*1e-6), beta)
}

// Trees over many channels move less on later GPUs: NCCL's own limits.
func TestTreeGenerations(t *testing.T) {
	for _, c := range []struct {
		family          Family
		ring            float64
		two, many       float64 // Simple
		two128, many128 float64
	}{
		{NVLink2, 0.5, 1, 1, 1, 1},
		{NVLink3, 0.5, 23.6 / 24, 17.8 / 24, 1, 1},
		{NVLink4, 0.5, 1, 36 / 38.7, 1, 29 / 36.7},
		{NVLink5, 0.625, 42.8 / 70, 24.0 / 70, 31.67 / 55.6, 20 / 55.6},
	} {
		f := testFabric(t, twoTiers(8, 100e9, 400e9, c.family, InfiniBand), Derate{})
		for _, n := range []struct {
			ranks         int
			simple, ll128 float64
		}{{16, c.two, c.two128}, {24, c.many, c.many128}} {
			p := testPlan(f, AllReduce, Group{n.ranks, 1}, &Plain)
			inside := 2 * 7.0 / 8 / (0.92 * c.ring * 100e9)
			if got, want := wayOf(t, p, Tree, protoSimple).beta, inside/n.simple; !near(got, want, 1e-9) {
				t.Errorf("%v, %d ranks: %v s/B, want %v", c.family, n.ranks, got, want)
			}
			if got, want := wayOf(t, p, Tree, protoLL128).beta, inside*128/120/n.ll128; !near(got, want, 1e-9) {
				t.Errorf("%v, %d ranks, LL128: %v s/B, want %v", c.family, n.ranks, got, want)
			}
		}
	}
}

// Going up, every node decodes and encodes; going down, only the root encodes.
func TestTreeCodec(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 1.25e9, NVLink2, InfiniBand), Derate{})
	ch := Channel{Ratio: 5, Encode: 100e9, Decode: 100e9, Fill: 3e-6, Compress: true}
	w := wayOf(t, testPlan(f, AllReduce, Group{32, 1}, &ch), Tree, protoSimple)
	const latency = 2*7*4 + 4*28
	beta := 2.0 / 8 / 4.6e9
	checkWay(t, "four nodes", w, 8.4+20+latency+3*3, 2*rootOf(beta*0.25*latency*1e-6), beta)
	checkTraffic(t, "four nodes", w.traffic, Traffic{Payload: 0.25, Wire: 0.05, Coded: 0.25, Encoded: 0.25 * (1 + 0.25) / 2, Decoded: 0.25})
	ch.Encode = 1.5e9 // the encoder sees 5/8 of what leaves
	w = wayOf(t, testPlan(f, AllReduce, Group{32, 1}, &ch), Tree, protoSimple)
	if want := 0.25 * 5 / 8 / 1.5e9; !near(w.beta, want, 1e-9) {
		t.Errorf("encoder-bound: %v s/B, want %v", w.beta, want)
	}
}

// Hopper's switch reduces at 0.6 of a link of 400 GB/s, between two nodes at
// 0.9 of that, between more at 45.5/57.7 of that.
func TestSwitch(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 400e9, NVLink4, InfiniBand), Derate{})
	w := wayOf(t, testPlan(f, AllReduce, Group{8, 1}, &Plain), NVLS, protoSimple)
	checkWay(t, "node", w, 25, 2*rootOf(0.25*8*3.4e-6/240e9), 1/240e9)
	checkTraffic(t, "node", w.traffic, Traffic{})
	p := testPlan(f, AllReduce, Group{16, 1}, &Plain)
	w = wayOf(t, p, NVLSTree, protoSimple)
	checkWay(t, "two nodes", w, 25+20+2*28, 2*rootOf(0.25*(8*3.4+2*28)*1e-6/216e9), 1/216e9)
	checkTraffic(t, "two nodes", w.traffic, Traffic{Payload: 1.0 / 8, Wire: 1.0 / 8})
	if hasWay(p, NVLS) || hasWay(p, SHARP) {
		t.Error("two nodes: NVLS alone, or SHARP in switches that do not reduce")
	}
	w = wayOf(t, testPlan(f, AllReduce, Group{24, 1}, &Plain), NVLSTree, protoSimple)
	if want := 57.7 / 45.5 / 216e9; !near(w.beta, want, 1e-9) {
		t.Errorf("three nodes: %v s/B, want %v", w.beta, want)
	}
	// A slow network sets the pace.
	slow := testFabric(t, twoTiers(8, 400e9, 12.5e9, NVLink4, InfiniBand), Derate{})
	w = wayOf(t, testPlan(slow, AllReduce, Group{16, 1}, &Plain), NVLSTree, protoSimple)
	if want := 1.0 / 8 / 9.2e9; !near(w.beta, want, 1e-9) {
		t.Errorf("slow network: %v s/B, want %v", w.beta, want)
	}
	// Blackwell: 0.74/0.85 of Hopper's part; over more than two domains 43.8/96.
	b := testFabric(t, twoTiers(72, 900e9, 50e9, NVLink5, InfiniBand), Derate{})
	w = wayOf(t, testPlan(b, AllReduce, Group{72, 1}, &Plain), NVLS, protoSimple)
	rate := 900e9 * 0.6 * 0.74 / 0.85
	checkWay(t, "72", w, 25, 2*rootOf(0.25*72*3.4e-6/rate), 1/rate)
	w = wayOf(t, testPlan(b, AllReduce, Group{144, 1}, &Plain), NVLSTree, protoSimple)
	if want := 1 / (0.9 * rate); !near(w.beta, want, 1e-9) {
		t.Errorf("two racks: %v s/B, want %v", w.beta, want)
	}
	w = wayOf(t, testPlan(b, AllReduce, Group{216, 1}, &Plain), NVLSTree, protoSimple)
	if want := 96 / 43.8 / (0.9 * rate); !near(w.beta, want, 1e-9) {
		t.Errorf("three racks: %v s/B, want %v", w.beta, want)
	}
	// Two GPUs have nothing for the switch, older NVLink no such switch.
	if hasWay(testPlan(f, AllReduce, Group{2, 1}, &Plain), NVLS) || !hasWay(testPlan(f, AllReduce, Group{3, 1}, &Plain), NVLS) {
		t.Error("NVLS starts at three GPUs")
	}
	if hasWay(testPlan(f, AllReduce, Group{4, 4}, &Plain), NVLSTree) || !hasWay(testPlan(f, AllReduce, Group{16, 2}, &Plain), NVLSTree) {
		t.Error("the NVLS tree starts at three GPUs a node")
	}
	old := testFabric(t, twoTiers(8, 400e9, 400e9, NVLink3, InfiniBand), Derate{})
	if hasWay(testPlan(old, AllReduce, Group{8, 1}, &Plain), NVLS) || hasWay(testPlan(old, AllReduce, Group{16, 1}, &Plain), NVLSTree) {
		t.Error("NVLS on NVLink 3")
	}
	// The codec of the network's tier works in the tree between nodes.
	ch := Channel{Ratio: 5, Encode: 1e12, Decode: 1e12, Fill: 3e-6, Compress: true}
	slow = testFabric(t, twoTiers(8, 400e9, 2.5e9, NVLink4, InfiniBand), Derate{})
	w = wayOf(t, testPlan(slow, AllReduce, Group{16, 1}, &ch), NVLSTree, protoSimple)
	if !near(w.alpha, (25+20+2*28+2*3)*1e-6, 1e-9) || !near(w.beta, 1.0/8/9.2e9, 1e-9) {
		t.Errorf("codec: alpha %v, beta %v; want two fills and a fifth of the bytes", w.alpha, w.beta)
	}
}

// SHARP: a node sends its buffer once to the switches and gets the sum.
func TestSHARP(t *testing.T) {
	n := twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand)
	n.Tiers[1].InNetwork = true
	f := testFabric(t, n, Derate{})
	w := wayOf(t, testPlan(f, AllReduce, Group{64, 1}, &Plain), SHARP, protoSimple)
	const latency = 8*3.4 + 2*28
	beta := 1.0 / 8 / 20e9
	checkWay(t, "network", w, 25+20+latency, 2*rootOf(0.25*latency*1e-6*beta), beta)
	checkTraffic(t, "network", w.traffic, Traffic{Payload: 1.0 / 8, Wire: 1.0 / 8})
	// NVLS inside is slower than ten times that network.
	n.Tiers[1].BytesPerSecond = 250e9
	w = wayOf(t, testPlan(testFabric(t, n, Derate{}), AllReduce, Group{64, 1}, &Plain), SHARP, protoSimple)
	if want := 1 / 240e9; !near(w.beta, want, 1e-9) {
		t.Errorf("NVLS inside: %v s/B, want %v", w.beta, want)
	}
	// Without NVLS a GPU sends 2 x 7/8 of the buffer inside.
	n.Tiers[0].Family = NVLink3
	w = wayOf(t, testPlan(testFabric(t, n, Derate{}), AllReduce, Group{64, 1}, &Plain), SHARP, protoSimple)
	if want := 2 * 7.0 / 8 / 200e9; !near(w.beta, want, 1e-9) {
		t.Errorf("rings inside: %v s/B, want %v", w.beta, want)
	}
	// Switches cannot add what a codec packed: around it, or not at all.
	ch := Channel{Ratio: 5, Encode: 1e12, Decode: 1e12, Compress: true}
	w = wayOf(t, testPlan(f, AllReduce, Group{64, 1}, &ch), SHARP, protoSimple)
	checkTraffic(t, "codec", w.traffic, Traffic{Payload: 1.0 / 8, Wire: 1.0 / 8})
	ch.Force = true
	if hasWay(testPlan(f, AllReduce, Group{64, 1}, &ch), SHARP) {
		t.Error("SHARP of compressed values")
	}
	// Not in a node by itself.
	if hasWay(testPlan(f, AllReduce, Group{8, 1}, &Plain), SHARP) {
		t.Error("SHARP inside a node")
	}
	ch.Force, ch.Compress = true, false
	if !hasWay(testPlan(f, AllReduce, Group{64, 1}, &ch), SHARP) {
		t.Error("no SHARP though nothing is compressed")
	}
}
