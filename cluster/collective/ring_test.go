package collective

import "testing"

// Eight GPUs in a node: every byte passes 7/8 of the hops, twice.
func TestRingNode(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink3, InfiniBand), Derate{})
	p := testPlan(f, AllReduce, Group{8, 1}, &Plain)
	if p.n != 3 {
		t.Errorf("%d ways in one node without a reducing switch, want three rings", p.n)
	}
	ring := 2 * 7.0 / 8 / 200e9
	checkWay(t, "LL", wayOf(t, p, Ring, protoLL), 6.6+14*0.6, 0, ring/0.5)
	checkWay(t, "LL128", wayOf(t, p, Ring, protoLL128), 14+14*1.9, 0, ring/0.92)
	checkWay(t, "Simple", wayOf(t, p, Ring, protoSimple), 8.4+14*3.4, 0, ring)
	checkTraffic(t, "inside a node", wayOf(t, p, Ring, protoSimple).traffic, Traffic{})

	for _, op := range []Op{ReduceScatter, AllGather} {
		p := testPlan(f, op, Group{8, 1}, &Plain)
		checkWay(t, op.String(), wayOf(t, p, Ring, protoSimple), 8.4+7*3.4, 0, 7.0/8/200e9)
		if p.n != 3 {
			t.Errorf("%v in one node: %d ways, want three rings", op, p.n)
		}
	}
	// Two GPUs of the same node.
	p = testPlan(f, AllGather, Group{2, 4}, &Plain)
	checkWay(t, "pair", wayOf(t, p, Ring, protoSimple), 8.4+3.4, 0, 0.5/200e9)
	// A ring within the node goes around: each GPU sends all that passes.
	p = testPlan(f, AllGather, Group{4, 2}, &Plain)
	checkWay(t, "every other", wayOf(t, p, Ring, protoSimple), 8.4+3*3.4, 0, 3.0/4/200e9)
}

// Four nodes of eight: a ring has 28 hops inside nodes and 4 between, a pass
// takes all but one inside, and a GPU sends 1/8 of what passes to the network.
func TestRingNodes(t *testing.T) {
	const move = 31.0 / 32
	f := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink3, InfiniBand), Derate{})
	p := testPlan(f, AllReduce, Group{32, 1}, &Plain)
	checkWay(t, "Simple", wayOf(t, p, Ring, protoSimple), 8.4+20+2*(27*3.4+4*28), 0, 2*move/8/20e9)
	checkWay(t, "LL128", wayOf(t, p, Ring, protoLL128), 14+20+2*(27*1.9+4*17), 0, 2*move/8/20e9/0.92)
	// LL moves 35 GB/s a node where there are more than two.
	checkWay(t, "LL", wayOf(t, p, Ring, protoLL), 6.6+20+2*(27*0.6+4*10), 0, 2*move/35e9)
	checkTraffic(t, "Simple", wayOf(t, p, Ring, protoSimple).traffic, Traffic{Payload: 2 * move / 8, Wire: 2 * move / 8})
	// Two nodes: 45 GB/s, and 14 of 15 hops inside but one.
	p = testPlan(f, AllReduce, Group{16, 1}, &Plain)
	checkWay(t, "LL, two nodes", wayOf(t, p, Ring, protoLL), 6.6+20+2*(13*0.6+2*10), 0, 2*15.0/16/45e9)
	// A slow network is below that limit: half its rate.
	slow := testFabric(t, twoTiers(8, 400e9, 1.25e9, NVLink3, InfiniBand), Derate{})
	p = testPlan(slow, AllReduce, Group{16, 1}, &Plain)
	checkWay(t, "LL, slow", wayOf(t, p, Ring, protoLL), 6.6+20+2*(13*0.6+2*10), 0, 2*15.0/16/8/0.5e9)
	// Slow links inside set the pace: each GPU sends 7/8 of what passes.
	tight := testFabric(t, twoTiers(8, 40e9, 400e9, NVLink3, InfiniBand), Derate{})
	p = testPlan(tight, ReduceScatter, Group{32, 1}, &Plain)
	checkWay(t, "links inside", wayOf(t, p, Ring, protoSimple), 8.4+20+27*3.4+4*28, 0, move*7/8/20e9)
	checkTraffic(t, "links inside", wayOf(t, p, Ring, protoSimple).traffic, Traffic{Payload: move / 8, Wire: move / 8})
	// One rank a node: no hop inside, nothing extra for leaving, one hop fewer.
	p = testPlan(f, AllGather, Group{4, 8}, &Plain)
	checkWay(t, "one a node", wayOf(t, p, Ring, protoSimple), 8.4+3*28, 0, 3.0/4/20e9)
}

// A rack between node and fabric: 8 GPUs, 4 nodes, 2 racks.
func TestRingThreeTiers(t *testing.T) {
	n := Network{Tiers: []Tier{
		{Name: "node", GPUs: 8, BytesPerSecond: 400e9, Family: NVLink3},
		{Name: "rack", GPUs: 32, BytesPerSecond: 50e9, Family: RoCE, Shared: true},
		{Name: "fabric", BytesPerSecond: 10e9, Family: RoCE, Shared: true},
	}}
	f := testFabric(t, n, Derate{})
	p := testPlan(f, ReduceScatter, Group{64, 1}, &Plain)
	// 64 hops: 56 inside nodes, 6 between nodes of a rack, 2 between racks.
	// A GPU sends 3/32 of what passes inside the rack and 1/32 beyond.
	const move = 63.0 / 64
	w := wayOf(t, p, Ring, protoSimple)
	checkWay(t, "rack's links", w, 8.4+20+55*3.4+6*28+2*28, 0, move*7/8/200e9)
	checkTraffic(t, "both networks", w.traffic, Traffic{Payload: move * (3.0 + 1) / 32, Wire: move * (3.0 + 1) / 32})
	var at placement
	f.place(&at, Group{64, 1})
	if at.local != 8 || at.nodes != 8 || at.k != 3 {
		t.Errorf("64 ranks: %d in each of %d nodes over %d tiers, want 8, 8, 3", at.local, at.nodes, at.k)
	}
	for i, want := range []span{{inner: 1, members: 8, domains: 8, load: 7.0 / 8, hops: 56}, {inner: 8, members: 32, domains: 4, load: 3.0 / 32, hops: 6},
		{inner: 32, members: 64, domains: 2, load: 1.0 / 32, hops: 2}} {
		s := at.spans[i]
		if s.inner != want.inner || s.members != want.members || s.domains != want.domains || s.load != want.load || s.hops != want.hops {
			t.Errorf("tier %d: %+v, want %+v", i, s, want)
		}
	}
	// Ten ranks do not fill their second node.
	f.place(&at, Group{10, 1})
	if at.local != 8 || at.nodes != 2 || at.spans[1].domains != 2 || at.k != 2 {
		t.Errorf("10 ranks: %d in each of %d nodes over %d tiers, want 8, 2, 2", at.local, at.nodes, at.k)
	}
}

// With a codec, a reduce-scatter works on every byte it sends; an all-gather
// encodes its shard once and decodes what the other node sends.
func TestRingCodec(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 1.25e9, NVLink3, InfiniBand), Derate{})
	const move = 15.0 / 16
	ch := Channel{Ratio: 5, Encode: 100e9, Decode: 200e9, Fill: 3e-6, Compress: true}
	g := Group{16, 1}
	w := wayOf(t, testPlan(f, ReduceScatter, g, &ch), Ring, protoSimple)
	checkWay(t, "wire-bound scatter", w, 8.4+20+13*3.4+2*28+2*3, 0, move/8/5e9)
	checkTraffic(t, "scatter", w.traffic, Traffic{Payload: move / 8, Wire: move / 8 / 5, Coded: move / 8, Encoded: move / 8, Decoded: move / 8})
	w = wayOf(t, testPlan(f, AllGather, g, &ch), Ring, protoSimple)
	checkWay(t, "wire-bound gather", w, 8.4+20+13*3.4+2*28+3, 0, move/8/5e9)
	checkTraffic(t, "gather", w.traffic, Traffic{Payload: move / 8, Wire: move / 8 / 5, Coded: move / 8, Encoded: 1.0 / 16, Decoded: 1.0 / 16})
	w = wayOf(t, testPlan(f, AllReduce, g, &ch), Ring, protoSimple)
	checkWay(t, "both", w, 8.4+20+2*(13*3.4+2*28)+3*3, 0, 2*move/8/5e9)

	slow := Channel{Ratio: 5, Encode: 2e9, Decode: 4e9, Fill: 3e-6, Compress: true}
	w = wayOf(t, testPlan(f, ReduceScatter, g, &slow), Ring, protoSimple)
	checkWay(t, "encoder-bound scatter", w, 8.4+20+13*3.4+2*28+2*3, 0, move/8/2e9)
	w = wayOf(t, testPlan(f, AllGather, g, &slow), Ring, protoSimple)
	checkWay(t, "gather encodes 1/16", w, 8.4+20+13*3.4+2*28+3, 0, 1.0/16/2e9)
	slow.Decode = 1.5e9
	w = wayOf(t, testPlan(f, AllGather, g, &slow), Ring, protoSimple)
	checkWay(t, "gather decodes 1/16", w, 8.4+20+13*3.4+2*28+3, 0, 1.0/16/1.5e9)
	slow.Serial = true
	w = wayOf(t, testPlan(f, AllGather, g, &slow), Ring, protoSimple)
	checkWay(t, "serial gather", w, 8.4+20+13*3.4+2*28+3, 0, move/8/5e9+1.0/16/2e9+1.0/16/1.5e9)

	// Slower than the link: around the codec, unless forced.
	useless := Channel{Ratio: 2, Encode: 0.5e9, Decode: 9e9, Fill: 3e-6, Compress: true}
	w = wayOf(t, testPlan(f, ReduceScatter, g, &useless), Ring, protoSimple)
	checkWay(t, "bypassed", w, 8.4+20+13*3.4+2*28, 0, move/8/1e9)
	checkTraffic(t, "bypassed", w.traffic, Traffic{Payload: move / 8, Wire: move / 8})
	useless.Force = true
	w = wayOf(t, testPlan(f, ReduceScatter, g, &useless), Ring, protoSimple)
	checkWay(t, "forced", w, 8.4+20+13*3.4+2*28+2*3, 0, move/8/0.5e9)

	// No codec on the tier.
	n := twoTiers(8, 400e9, 1.25e9, NVLink3, InfiniBand)
	n.Tiers[1].Codec = false
	w = wayOf(t, testPlan(testFabric(t, n, Derate{}), ReduceScatter, g, &ch), Ring, protoSimple)
	checkWay(t, "tier without codec", w, 8.4+20+13*3.4+2*28, 0, move/8/1e9)
	// Compressing inside the node is not traffic of the network.
	n.Tiers[0].Codec = true
	ch.Encode, ch.Decode = 800e9, 900e9
	w = wayOf(t, testPlan(testFabric(t, n, Derate{}), ReduceScatter, Group{8, 1}, &ch), Ring, protoSimple)
	checkWay(t, "codec inside", w, 8.4+7*3.4+7*3, 0, 7.0/8/800e9)
	checkTraffic(t, "codec inside", w.traffic, Traffic{})
}

// A broadcast is a chain through all ranks: a GPU sends what it gets.
func TestBroadcast(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink3, InfiniBand), Derate{})
	w := wayOf(t, testPlan(f, Broadcast, Group{8, 1}, &Plain), Ring, protoSimple)
	checkWay(t, "node", w, 8.4+7*3.4, 2*rootOf(0.25*7*3.4e-6/200e9), 1/200e9)
	p := testPlan(f, Broadcast, Group{16, 1}, &Plain)
	w = wayOf(t, p, Ring, protoSimple)
	const hops = 13*3.4 + 2*28
	checkWay(t, "two nodes", w, 8.4+20+hops, 2*rootOf(0.25*hops*1e-6/8/20e9), 1.0/8/20e9)
	checkTraffic(t, "two nodes", w.traffic, Traffic{Payload: 1.0 / 8, Wire: 1.0 / 8})
	checkWay(t, "LL", wayOf(t, p, Ring, protoLL), 6.6+20+13*0.6+2*10, 0, 1.0/45e9)
	checkWay(t, "LL128", wayOf(t, p, Ring, protoLL128), 14+20+13*1.9+2*17, 0, 1.0/8/20e9/0.92)
	ch := Channel{Ratio: 4, Encode: 1e12, Decode: 1e12, Fill: 2e-6, Compress: true}
	w = wayOf(t, testPlan(f, Broadcast, Group{16, 1}, &ch), Ring, protoSimple)
	checkTraffic(t, "codec", w.traffic, Traffic{Payload: 1.0 / 8, Wire: 1.0 / 32, Coded: 1.0 / 8, Encoded: 1.0 / 16, Decoded: 1.0 / 16})
	if !near(w.alpha, (8.4+20+hops+2)*1e-6, 1e-9) {
		t.Errorf("codec: alpha %v, want one fill more", w.alpha)
	}
	// Sockets know neither LL128.
	tcp := testFabric(t, twoTiers(8, 400e9, 1e9, NVLink3, TCP), Derate{})
	if p := testPlan(tcp, Broadcast, Group{16, 1}, &Plain); p.n != 2 {
		t.Errorf("sockets: %d protocols, want LL and Simple", p.n)
	}
}

// One rank a node: parallel aggregated trees take log2 n steps.
func TestAggregatedTrees(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink3, InfiniBand), Derate{})
	g := Group{16, 8}
	for _, op := range []Op{ReduceScatter, AllGather} {
		w := wayOf(t, testPlan(f, op, g, &Plain), PAT, protoSimple)
		beta := 15.0 / 16 / (0.75 * 20e9)
		checkWay(t, op.String(), w, 8+4*28, 2*rootOf(beta*0.25*4*28e-6), beta)
		checkTraffic(t, op.String(), w.traffic, Traffic{Payload: 15.0 / 16, Wire: 15.0 / 16})
	}
	ch := Channel{Ratio: 5, Encode: 1e12, Decode: 1e12, Fill: 1e-6, Compress: true}
	w := wayOf(t, testPlan(f, ReduceScatter, g, &ch), PAT, protoSimple)
	checkTraffic(t, "scatter", w.traffic, Traffic{Payload: 15.0 / 16, Wire: 3.0 / 16, Coded: 15.0 / 16, Encoded: 15.0 / 16, Decoded: 15.0 / 16})
	if !near(w.alpha, (8+4*28+4)*1e-6, 1e-9) {
		t.Errorf("scatter: alpha %v, want a fill at each of four steps", w.alpha)
	}
	w = wayOf(t, testPlan(f, AllGather, g, &ch), PAT, protoSimple)
	checkTraffic(t, "gather", w.traffic, Traffic{Payload: 15.0 / 16, Wire: 3.0 / 16, Coded: 15.0 / 16, Encoded: 1.0 / 16, Decoded: 15.0 / 16})
	if !near(w.alpha, (8+4*28+1)*1e-6, 1e-9) {
		t.Errorf("gather: alpha %v, want one fill", w.alpha)
	}
	// Racks of four between: two levels in a rack, one between two racks.
	n := Network{Tiers: []Tier{
		{Name: "node", GPUs: 8, BytesPerSecond: 400e9, Family: NVLink3},
		{Name: "rack", GPUs: 32, BytesPerSecond: 50e9, Family: RoCE, Shared: true, Codec: true},
		{Name: "fabric", BytesPerSecond: 10e9, Family: EFA, Shared: true, Codec: true},
	}}
	racks := testFabric(t, n, Derate{})
	w = wayOf(t, testPlan(racks, ReduceScatter, Group{8, 8}, &ch), PAT, protoSimple)
	// Of a rack's part 3/4 crosses it; beyond, each of the four sends 1/8.
	beta := max(3.0/4/(5*0.75*40e9), 1.0/8/(5*0.75*8e9))
	checkWay(t, "racks", w, 8+2*28+84+3, 2*rootOf(beta*0.25*(2*28+84)*1e-6), beta)
	checkTraffic(t, "racks", w.traffic, Traffic{Payload: 7.0 / 8, Wire: 7.0 / 40, Coded: 7.0 / 8, Encoded: 7.0 / 8, Decoded: 7.0 / 8})
	w = wayOf(t, testPlan(racks, AllGather, Group{8, 8}, &ch), PAT, protoSimple)
	if !near(w.alpha, (8+2*28+84+2)*1e-6, 1e-9) {
		t.Errorf("gather over racks: alpha %v, want a fill for each network", w.alpha)
	}
	if hasWay(testPlan(f, AllGather, Group{16, 4}, &Plain), PAT) {
		t.Error("aggregated trees with two ranks a node")
	}
	only := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink3, InfiniBand), Derate{RingOnly: true})
	if hasWay(testPlan(only, AllGather, g, &Plain), PAT) {
		t.Error("aggregated trees where only rings are allowed")
	}
}
