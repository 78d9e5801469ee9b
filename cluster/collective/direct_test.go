package collective

import "testing"

// A message takes its hop and its wire; over a mesh, the one link to its
// neighbour.
func TestSend(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	p := testPlan(f, SendRecv, Group{2, 1}, &Plain)
	if p.n != 3 {
		t.Errorf("%d ways, want three protocols", p.n)
	}
	checkWay(t, "inside", wayOf(t, p, Direct, protoSimple), 8.4+3.4, 2*rootOf(0.25*3.4e-6/200e9), 1/200e9)
	checkWay(t, "inside, LL", wayOf(t, p, Direct, protoLL), 6.6+0.6, 0, 1/100e9)
	checkWay(t, "inside, LL128", wayOf(t, p, Direct, protoLL128), 14+1.9, 0, 1/200e9/0.92)
	p = testPlan(f, SendRecv, Group{2, 8}, &Plain)
	checkWay(t, "between", wayOf(t, p, Direct, protoSimple), 8.4+28, 2*rootOf(0.25*28e-6/20e9), 1/20e9)
	checkTraffic(t, "between", wayOf(t, p, Direct, protoSimple).traffic, Traffic{Payload: 1, Wire: 1})
	checkWay(t, "between, LL", wayOf(t, p, Direct, protoLL), 6.6+10, 0, 1/10e9)
	// A chain of four, two in each node, leaves the node.
	p = testPlan(f, SendRecv, Group{4, 4}, &Plain)
	checkWay(t, "chain", wayOf(t, p, Direct, protoLL), 6.6+10, 0, 1/10e9)
	// LL's limit per node.
	fast := testFabric(t, twoTiers(8, 400e9, 250e9, NVLink4, InfiniBand), Derate{})
	checkWay(t, "fast, LL", wayOf(t, testPlan(fast, SendRecv, Group{2, 8}, &Plain), Direct, protoLL), 6.6+10, 0, 1/45e9)
	checkWay(t, "fast chain, LL", wayOf(t, testPlan(fast, SendRecv, Group{3, 8}, &Plain), Direct, protoLL), 6.6+10, 0, 1/35e9)
	ch := Channel{Ratio: 5, Encode: 80e9, Decode: 1e12, Fill: 3e-6, Compress: true}
	w := wayOf(t, testPlan(f, SendRecv, Group{2, 8}, &ch), Direct, protoSimple)
	checkWay(t, "codec", w, 8.4+28+3, 2*rootOf(0.25*28e-6/80e9), 1/80e9)
	checkTraffic(t, "codec", w.traffic, Traffic{Payload: 1, Wire: 0.2, Coded: 1, Encoded: 1, Decoded: 1})
	mesh := testFabric(t, twoTiers(8, 448e9, 50e9, XGMI, RoCE), Derate{})
	checkWay(t, "mesh", wayOf(t, testPlan(mesh, SendRecv, Group{2, 1}, &Plain), Direct, protoLL), 6.6+0.6, 0, 2/(0.7*64e9))
	tcpx := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink4, TCPX), Derate{})
	if p := testPlan(tcpx, SendRecv, Group{2, 8}, &Plain); p.n != 1 || p.ways[0].proto != protoSimple {
		t.Error("TCPX knows the Simple protocol alone")
	}
}

// Of what a rank sends, 7/16 goes to its node and 8/16 to the other.
func TestAllToAll(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	p := testPlan(f, AllToAll, Group{16, 1}, &Plain)
	w := wayOf(t, p, Direct, protoSimple)
	beta := 0.5 / (0.64 * 25e9)
	checkWay(t, "two nodes", w, 8.4+28+7*0.6+8*10*2.7/5, 2*rootOf(beta*0.25*28e-6), beta)
	checkTraffic(t, "two nodes", w.traffic, Traffic{Payload: 0.5, Wire: 0.5})
	w = wayOf(t, testPlan(f, AllToAll, Group{8, 1}, &Plain), Direct, protoSimple)
	beta = 7.0 / 8 / 300e9
	checkWay(t, "node", w, 8.4+3.4+7*0.6, 2*rootOf(beta*0.25*3.4e-6), beta)
	// Links inside are slower than the network.
	tight := testFabric(t, twoTiers(8, 4e9, 25e9, NVLink4, InfiniBand), Derate{})
	w = wayOf(t, testPlan(tight, AllToAll, Group{16, 1}, &Plain), Direct, protoSimple)
	if want := 7.0 / 16 / 3e9; !near(w.beta, want, 1e-9) {
		t.Errorf("links inside: %v s/B, want %v", w.beta, want)
	}
	ch := Channel{Ratio: 4, Encode: 1e12, Decode: 1e12, Fill: 3e-6, Compress: true}
	w = wayOf(t, testPlan(f, AllToAll, Group{16, 1}, &ch), Direct, protoSimple)
	if want := 0.5 / (4 * 0.64 * 25e9); !near(w.beta, want, 1e-9) || !near(w.alpha, (8.4+28+7*0.6+8*5.4+3)*1e-6, 1e-9) {
		t.Errorf("codec: alpha %v, beta %v, want a fill more and %v", w.alpha, w.beta, want)
	}
	checkTraffic(t, "codec", w.traffic, Traffic{Payload: 0.5, Wire: 0.125, Coded: 0.5, Encoded: 0.5, Decoded: 0.5})
	// Of a mesh's seven links, four GPUs use three.
	mesh := testFabric(t, twoTiers(8, 448e9, 50e9, XGMI, RoCE), Derate{})
	w = wayOf(t, testPlan(mesh, AllToAll, Group{4, 1}, &Plain), Direct, protoSimple)
	if want := 3.0 / 4 / (3 * 64e9 * 0.65); !near(w.beta, want, 1e-9) {
		t.Errorf("mesh: %v s/B, want %v", w.beta, want)
	}
	w = wayOf(t, testPlan(mesh, AllToAll, Group{8, 1}, &Plain), Direct, protoSimple)
	if want := 7.0 / 8 / (448e9 * 0.65); !near(w.beta, want, 1e-9) {
		t.Errorf("whole mesh: %v s/B, want %v", w.beta, want)
	}
	w = wayOf(t, testPlan(mesh, AllGather, Group{4, 1}, &Plain), Ring, protoSimple)
	if want := 3.0 / 4 / (3 * 64e9 * 0.7); !near(w.beta, want, 1e-9) {
		t.Errorf("ring in a mesh: %v s/B, want %v", w.beta, want)
	}
}

// 1-bit Adam: reduced inside, then every GPU exchanges its eighth with the
// other nodes, twice; its encoder sees the shards it sends and the one it
// averaged.
func TestGatherReduce(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 1.25e9, NVLink3, InfiniBand), Derate{})
	ch := Channel{Ratio: 16, Encode: 1e12, Decode: 1e12, Fill: 3e-6, Compress: true, Force: true}
	w := wayOf(t, testPlan(f, GatherReduce, Group{32, 1}, &ch), Direct, protoSimple)
	inside := 2 * 7.0 / 8 / 200e9
	sent := 3.0 / 4 / 8
	checkWay(t, "reduced inside", w, 8.4+14*3.4+2*28+2*3, 0, max(inside, 2*sent/16e9))
	checkTraffic(t, "reduced inside", w.traffic, Traffic{Payload: 2 * sent, Wire: 2 * sent / 16, Coded: 2 * sent, Encoded: 1.0 / 8, Decoded: 2 * sent})
	ch.Ratio = 2
	w = wayOf(t, testPlan(f, GatherReduce, Group{32, 1}, &ch), Direct, protoSimple)
	checkWay(t, "network", w, 8.4+14*3.4+2*28+2*3, 0, 2*sent/2e9)
	// One rank a node: nothing to reduce inside.
	w = wayOf(t, testPlan(f, GatherReduce, Group{4, 8}, &ch), Direct, protoSimple)
	checkWay(t, "one a node", w, 8.4+2*28+2*3, 0, 2*0.75/2e9)
	// NVLS, where it is fastest inside.
	h := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	w = wayOf(t, testPlan(h, GatherReduce, Group{16, 1}, &ch), Direct, protoSimple)
	if want := 1 / 240e9; !near(w.beta, want, 1e-9) {
		t.Errorf("NVLS inside: %v s/B, want %v", w.beta, want)
	}
	// In one node it is an all-reduce.
	if got, want := testPlan(f, GatherReduce, Group{8, 1}, &ch), testPlan(f, AllReduce, Group{8, 1}, &ch); *got != *want {
		t.Error("in one node: not the all-reduce")
	}
	slow := Channel{Ratio: 16, Encode: 0.05e9, Decode: 1e12, Fill: 3e-6, Compress: true, Force: true}
	w = wayOf(t, testPlan(f, GatherReduce, Group{32, 1}, &slow), Direct, protoSimple)
	if want := 1.0 / 8 / 0.05e9; !near(w.beta, want, 1e-9) {
		t.Errorf("encoder-bound: %v s/B, want %v", w.beta, want)
	}
}
