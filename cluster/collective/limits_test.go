package collective

import (
	"math"
	"strings"
	"testing"
)

// Where an operation sends nothing through the codec, no chunk of it waits
// for one: the codec here is slower than every link.
func TestBypassWaitsForNothing(t *testing.T) {
	f := testFabric(t, twoTiers(4, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	slow := Channel{Ratio: 2, Encode: 1e6, Decode: 1e6, Fill: 1, Compress: true}
	for _, g := range []Group{{8, 1}, {4, 4}} {
		for op := range numOps {
			got, want := testPlan(f, op, g, &slow), testPlan(f, op, g, &Plain)
			if got.n != want.n {
				t.Fatalf("%v over %v: %d ways, %d without a codec", op, g, got.n, want.n)
			}
			for i := range got.ways[:got.n] {
				if got.ways[i] != want.ways[i] {
					t.Errorf("%v over %v: %+v, without a codec %+v", op, g, got.ways[i], want.ways[i])
				}
			}
		}
		for _, style := range []ExchangeStyle{ExchangePermuted, ExchangeDeduplicated} {
			for _, tokens := range []float64{8, 4096} {
				var got, want Plan
				r := Routing{Tokens: tokens, Hidden: 100, TopK: 2}
				f.Exchange(&got, g, &r, style, false, &slow)
				f.Exchange(&want, g, &r, style, false, &Plain)
				if got != want {
					t.Errorf("%v tokens over %v: %+v, without a codec %+v", tokens, g, got.ways[0], want.ways[0])
				}
			}
		}
	}
}

// One byte over a link of one byte a second, of which the encoder sees a part
// and the decoder another.
func TestCharge(t *testing.T) {
	tier := fabricTier{shared: true, codec: true}
	for _, c := range []struct {
		name             string
		ch               Channel
		move, enc, dec   float64
		seconds, wire    float64
		coded            bool
		encoded, decoded float64
	}{
		{"plain", Plain, 3, 2, 1, 3, 3, false, 0, 0},
		{"wire-bound", Channel{Ratio: 5, Encode: 100, Decode: 100, Compress: true}, 3, 2, 1, 0.6, 0.6, true, 2, 1},
		{"encoder-bound", Channel{Ratio: 5, Encode: 2, Decode: 100, Compress: true}, 3, 2, 1, 1, 0.6, true, 2, 1},
		{"decoder-bound", Channel{Ratio: 5, Encode: 100, Decode: 0.5, Compress: true}, 3, 2, 1, 2, 0.6, true, 2, 1},
		{"as slow as the link", Channel{Ratio: 5, Encode: 100, Decode: 0.25, Compress: true}, 3, 2, 0.75, 3, 3, false, 0, 0},
		{"slower", Channel{Ratio: 5, Encode: 100, Decode: 0.125, Compress: true}, 3, 2, 1, 3, 3, false, 0, 0},
		{"slower, forced", Channel{Ratio: 5, Encode: 100, Decode: 0.125, Compress: true, Force: true}, 3, 2, 1, 8, 0.6, true, 2, 1},
		{"serial", Channel{Ratio: 4, Encode: 4, Decode: 2, Compress: true, Serial: true}, 2, 2, 1, 0.5 + 0.5 + 0.5, 0.5, true, 2, 1},
		{"unlimited", Channel{Ratio: 4, Encode: math.Inf(1), Decode: math.Inf(1), Compress: true}, 2, 2, 1, 0.5, 0.5, true, 2, 1},
		{"nothing", Channel{Ratio: 4, Encode: 4, Decode: 2, Compress: true, Force: true}, 0, 1, 1, 0, 0, false, 0, 0},
	} {
		got := tier.charge(c.move, 1, c.enc, c.dec, &c.ch)
		want := Traffic{Payload: c.move, Wire: c.wire, Encoded: c.encoded, Decoded: c.decoded}
		if c.coded {
			want.Coded = c.move
		}
		if !near(got.seconds, c.seconds, 1e-12) || got.coded != c.coded {
			t.Errorf("%s: %v s, coded %v; want %v, %v", c.name, got.seconds, got.coded, c.seconds, c.coded)
		}
		checkTraffic(t, c.name, got.traffic, want)
	}
}

// Of equally fast ways the first is taken.
func TestPlanTie(t *testing.T) {
	p := Plan{n: 2}
	p.ways[0] = way{algorithm: Ring, alpha: 1, beta: 1}
	p.ways[1] = way{algorithm: Tree, alpha: 1, beta: 1}
	if w, _ := p.best(5); w.algorithm != Ring {
		t.Errorf("%v, want the first of two equals", w.algorithm)
	}
}

func TestOpNames(t *testing.T) {
	for op := range numOps {
		if got, ok := OpOf(op.String()); !ok || got != op {
			t.Errorf("%v is read as %v, %v", op, got, ok)
		}
	}
	if op, ok := OpOf("reduce_all"); ok || op != 0 {
		t.Errorf("reduce_all is read as %v", op)
	}
	if Plain != (Channel{Ratio: 1}) {
		t.Errorf("the plain channel is %+v", Plain)
	}
}

// Networks as they are asked for.
func TestNetworks(t *testing.T) {
	flat := FlatNetwork(5e9)
	if len(flat.Tiers) != 1 || flat.Tiers[0] != (Tier{Name: "link", BytesPerSecond: 5e9, Codec: true, Shared: true, Effective: true}) {
		t.Errorf("flat: %+v", flat)
	}
	for _, gpus := range []int{-1, 0, 1} {
		if n := NodeNetwork(gpus, 1e9, 5e9); len(n.Tiers) != 1 || n.Tiers[0] != flat.Tiers[0] {
			t.Errorf("%d GPUs a node: %+v, want a flat network", gpus, n)
		}
	}
	n := NodeNetwork(2, 7e9, 5e9)
	want := []Tier{{Name: "node", GPUs: 2, BytesPerSecond: 7e9}, {Name: "fabric", BytesPerSecond: 5e9, Codec: true, Shared: true}}
	if len(n.Tiers) != 2 || n.Tiers[0] != want[0] || n.Tiers[1] != want[1] {
		t.Errorf("two GPUs a node: %+v, want %+v", n.Tiers, want)
	}
}

func TestNetworkRefuses(t *testing.T) {
	tier := func(gpus int, rate float64) Tier {
		return Tier{Name: "x", GPUs: gpus, BytesPerSecond: BytesPerSecond(rate)}
	}
	for _, c := range []struct {
		want  string // "" where the network is sound
		tiers []Tier
	}{
		{"no tier", nil},
		{"", []Tier{tier(0, 0.5)}},
		{"", []Tier{tier(1, 1e9)}},
		{"", []Tier{tier(8, 1e9), tier(8, 1e9), tier(0, 1e9)}},
		{"", []Tier{tier(8, 1e9), tier(16, 1e9)}},
		{"rate 0,", []Tier{tier(0, 0)}},
		{"rate -1,", []Tier{tier(0, -1)}},
		{"rate NaN,", []Tier{tier(0, math.NaN())}},
		{"rate +Inf,", []Tier{tier(0, math.Inf(1))}},
		{"joins 0 GPUs", []Tier{tier(0, 1e9), tier(0, 1e9)}},
		{"joins -8 GPUs", []Tier{tier(-8, 1e9)}},
		{"joins 4 GPUs", []Tier{tier(8, 1e9), tier(4, 1e9)}},
		{"joins 15 GPUs", []Tier{tier(8, 1e9), tier(16, 1e9), tier(15, 1e9)}},
	} {
		n := Network{Tiers: c.tiers}
		if err := n.Validate(); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.tiers, err, c.want)
		}
	}
}

// Tiers of one GPU, links without a switch between other links, and families
// that are not named.
func TestOddTiers(t *testing.T) {
	one := testFabric(t, Network{Tiers: []Tier{{GPUs: 1, BytesPerSecond: 1e9}, {BytesPerSecond: 2e9, Shared: true}}}, Derate{NodeCap: 0.8})
	if one.tiers[0].gpus != 1 || one.tiers[1].ring != 0.8 {
		t.Errorf("nodes of one GPU: joins %d, %v B/s beyond; want 1 and the cap, 0.8", one.tiers[0].gpus, one.tiers[1].ring)
	}
	var at placement
	one.place(&at, Group{4, 1})
	if at.k != 1 || at.local != 1 || at.nodes != 4 || at.spans[0].hops != 4 {
		t.Errorf("four nodes of one GPU: %+v", at)
	}
	// The family of a node's links is NVLink 4, that of a network InfiniBand.
	bare := twoTiers(8, 400e9, 25e9, FamilyDefault, FamilyDefault)
	named := twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand)
	if a, b := testFabric(t, bare, Derate{}), testFabric(t, named, Derate{}); *a != *b {
		t.Errorf("families not named: %+v, want %+v", a, b)
	}
	all := Network{Tiers: []Tier{{BytesPerSecond: 1e9, Direct: true}}}
	if f := testFabric(t, all, Derate{}); f.tiers[0].links != 0 {
		t.Errorf("direct links among all GPUs: %d a GPU, want none to count", f.tiers[0].links)
	}
	last := all
	last.Tiers = []Tier{{GPUs: 1, BytesPerSecond: 1e9, Direct: true}, {BytesPerSecond: 1e9, Shared: true}}
	if f := testFabric(t, last, Derate{}); f.tiers[0].links != 0 {
		t.Errorf("direct links of one GPU: %d", f.tiers[0].links)
	}
	bad := bare
	bad.Tiers[0].Family = numFamilies
	if _, err := NewFabric(&bad, &testLinks, Derate{}); err == nil || !strings.Contains(err.Error(), "unknown link family") {
		t.Errorf("one family too many: %v", err)
	}

	// Seven of a mesh's eight GPUs use six of seven links.
	mesh := testFabric(t, twoTiers(8, 448e9, 50e9, XGMI, RoCE), Derate{})
	if got, want := wayOf(t, testPlan(mesh, AllGather, Group{7, 1}, &Plain), Ring, protoSimple).beta, 6.0/7/(6*64e9*0.7); !near(got, want, 1e-9) {
		t.Errorf("ring over seven: %v s/B, want %v", got, want)
	}
	if got, want := wayOf(t, testPlan(mesh, AllToAll, Group{7, 1}, &Plain), Direct, protoSimple).beta, 6.0/7/(6*64e9*0.65); !near(got, want, 1e-9) {
		t.Errorf("exchange over seven: %v s/B, want %v", got, want)
	}
	if got, want := wayOf(t, testPlan(mesh, AllGather, Group{8, 1}, &Plain), Ring, protoSimple).beta, 7.0/8/(448e9*0.7); !near(got, want, 1e-9) {
		t.Errorf("ring over all eight: %v s/B, want %v", got, want)
	}
	// Islands of two, and a link from each GPU to all eight of the node: only
	// the innermost links idle.
	islands := Network{Tiers: []Tier{
		{GPUs: 2, BytesPerSecond: 400e9, Family: NVLink3}, {GPUs: 8, BytesPerSecond: 70e9, Family: NVLink3, Direct: true}, {BytesPerSecond: 1e9, Shared: true}}}
	f := testFabric(t, islands, Derate{})
	if got, want := wayOf(t, testPlan(f, AllToAll, Group{4, 1}, &Plain), Direct, protoSimple).beta, 2.0/4/(0.75*70e9); !near(got, want, 1e-9) {
		t.Errorf("exchange over two islands: %v s/B, want %v", got, want)
	}
	if got, want := wayOf(t, testPlan(f, AllGather, Group{4, 1}, &Plain), Ring, protoSimple).beta, max(3.0/4*2/4/35e9, 3.0/4/2/200e9); !near(got, want, 1e-9) {
		t.Errorf("ring over two islands: %v s/B, want %v", got, want)
	}
	// Two ranks a node pay for leaving it.
	ib := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink3, InfiniBand), Derate{})
	checkWay(t, "two ranks a node", wayOf(t, testPlan(ib, ReduceScatter, Group{4, 4}, &Plain), Ring, protoSimple), 8.4+20+1*3.4+2*28, 0, 3.0/4/2/20e9)
}

// A ring inside the node beats a slow switch: the gather takes the faster of
// the two that move whole buffers, whatever LL would take.
func TestGatherReduceInside(t *testing.T) {
	c := testLinks
	c.NVLS = 0.3
	n := twoTiers(3, 400e9, 25e9, NVLink4, InfiniBand)
	f, err := NewFabric(&n, &c, Derate{})
	if err != nil {
		t.Fatal(err)
	}
	w := wayOf(t, testPlan(&f, GatherReduce, Group{6, 1}, &Plain), Direct, protoSimple)
	checkWay(t, "ring inside", w, 8.4+4*3.4+2*28, 0, max(2*2.0/3/200e9, 2*0.5/3/20e9))
}

// The least that an exchange of experts can be: two ranks, one token.
func TestExchangeLimits(t *testing.T) {
	f := testFabric(t, twoTiers(4, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	var p Plan
	f.Exchange(&p, Group{2, 1}, &Routing{Tokens: 1, Hidden: 100, TopK: 1}, ExchangeDeduplicated, false, &Plain)
	if p.n != 1 {
		t.Fatalf("one token over two ranks: %d ways, want one", p.n)
	}
	checkWay(t, "one token", &p.ways[0], 35, 0, 100*0.5/300e9)
	// Four ranks a node: 1 - 3/4^2 of sixteen... each token reaches
	// 16 (1 - (15/16)^3) ranks, three quarters of those in other GPUs.
	r := Routing{Tokens: 1000, Hidden: 100, TopK: 3}
	f.Exchange(&p, Group{16, 1}, &r, ExchangeDeduplicated, false, &Plain)
	inside := 100e3 * distinct(16, 3) * 3 / 4 / (300e9 * 0.95)
	between := 100e3 * distinct(4, 3) * 3 / 4 / (0.64 * 25e9)
	checkWay(t, "four a node", &p.ways[0], 120, 0, max(inside, between))
	slow := testFabric(t, twoTiers(4, 1e9, 25e9, NVLink4, InfiniBand), Derate{})
	slow.Exchange(&p, Group{16, 1}, &r, ExchangeDeduplicated, false, &Plain)
	checkWay(t, "four a node, links inside", &p.ways[0], 120, 0, 100e3*distinct(16, 3)*3/4/(0.75*1e9*0.95))
	// One node to choose from.
	r.NodeLimit = 1
	f.Exchange(&p, Group{16, 1}, &r, ExchangeDeduplicated, false, &Plain)
	if _, tr := p.Message(1); !near(tr.Payload, 100e3*0.75, 1e-12) {
		t.Errorf("one node among four: %v bytes leave, want %v", tr.Payload, 100e3*0.75)
	}
}

// LL inside a node, where a tree's links are slower than its network.
func TestTreeLL(t *testing.T) {
	for family, ring := range map[Family]float64{NVLink2: 0.5, NVLink3: 0.5, NVLink4: 0.5, NVLink5: 0.625} {
		f := testFabric(t, twoTiers(8, 1e9, 50e9, family, InfiniBand), Derate{})
		for _, ranks := range []int{16, 24} {
			w := wayOf(t, testPlan(f, AllReduce, Group{ranks, 1}, &Plain), Tree, protoLL)
			if want := 2 * 7.0 / 8 / (ring * 1e9) * 3.8 / 0.92; !near(w.beta, want, 1e-9) {
				t.Errorf("%v, %d ranks: %v s/B, want %v", family, ranks, w.beta, want)
			}
			w = wayOf(t, testPlan(f, AllReduce, Group{ranks, 1}, &Plain), Tree, protoLL128)
			many := 1.0
			if ranks > 16 {
				many = map[Family]float64{NVLink2: 1, NVLink3: 1, NVLink4: 29 / 36.7, NVLink5: 20 / 55.6}[family]
			} else if family == NVLink5 {
				many = 31.67 / 55.6
			}
			if want := 2 * 7.0 / 8 / (ring * 1e9) / 0.92 * 128 / 120 / many; !near(w.beta, want, 1e-9) {
				t.Errorf("%v, %d ranks, LL128: %v s/B, want %v", family, ranks, w.beta, want)
			}
		}
	}
}

// Every constant with what physics leaves open: a part of a rate is at most 1, a
// hop at least a switch's half microsecond.
func TestLinkConstantBounds(t *testing.T) {
	want := map[string][3]float64{ // least, most, prior
		"nvlink_ring": {0.4, 1, 0.8}, "nvlink5_ring": {0.4, 1, 0.8}, "nvlink_exchange": {0.4, 1, 0.8}, "nvls": {0.3, 1, 0.7}, "nvls_tree": {0.3, 1, 0.9},
		"xgmi_ring": {0.4, 1, 0.8}, "xgmi_exchange": {0.4, 1, 0.8}, "rdma": {0.5, 1, 0.96}, "rdma_exchange": {0.5, 1, 0.96}, "tcpx": {0.5, 1, 0.96},
		"rdma_hop_us": {0.5, 100, 5}, "efa_hop_us": {0.5, 200, 5}, "tcpxo_hop_us": {0.5, 500, 35}, "tcpx_hop_us": {0.5, 2000, 35},
		"staged_gb_per_s": {1, 50, 12}, "network_us": {0.5, 100, 5}, "chunk": {0.001, 2, 1},
		"low_latency_us": {1, 200, 15}, "deduplicated_us": {1, 1000, 50}, "deduplicated_node": {0.3, 1, 1},
	}
	c := PriorLinkConstants()
	all := c.All()
	if len(all) != len(want) {
		t.Errorf("%d constants, want %d", len(all), len(want))
	}
	for _, k := range all {
		if w, ok := want[k.Name]; !ok || k.Least != w[0] || k.Most != w[1] || k.Prior != w[2] || *k.At != k.Prior {
			t.Errorf("%s: %v to %v, prior %v, set %v; want %v", k.Name, k.Least, k.Most, k.Prior, *k.At, w)
		}
	}
	var f Family
	err := f.UnmarshalText([]byte("wire"))
	if err == nil || !strings.HasSuffix(err.Error(), "want one of nvlink2, nvlink3, nvlink4, nvlink5, xgmi, pcie, infiniband, roce, efa, efa-staged, tcpxo, tcpx, tcp") {
		t.Errorf("an unknown family: %v", err)
	}
}
