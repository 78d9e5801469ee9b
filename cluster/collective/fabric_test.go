package collective

import (
	"math"
	"strings"
	"testing"
)

// What each family reaches of 100 GB/s, in a ring and in an exchange, and its
// hop in microseconds by protocol.
func TestFamilies(t *testing.T) {
	for _, c := range []struct {
		family         Family
		ring, exchange float64 // 1e9 bytes/s
		hop, tree      [numProtos]float64
		peer           float64
		ll, ll128      bool
	}{
		{FamilyDefault, 50, 75, [3]float64{0.6, 1.9, 3.4}, [3]float64{0.6, 1.25, 4}, 0.6, true, true},
		{NVLink2, 50, 75, [3]float64{0.6, 1.9, 3.4}, [3]float64{0.6, 1.25, 4}, 0.6, true, true},
		{NVLink3, 50, 75, [3]float64{0.6, 1.9, 3.4}, [3]float64{0.6, 1.25, 4}, 0.6, true, true},
		{NVLink4, 50, 75, [3]float64{0.6, 1.9, 3.4}, [3]float64{0.6, 1.25, 4}, 0.6, true, true},
		{NVLink5, 62.5, 75, [3]float64{0.6, 1.9, 3.4}, [3]float64{0.6, 1.25, 4}, 0.6, true, true},
		{XGMI, 70, 65, [3]float64{0.6, 1.9, 3.4}, [3]float64{0.6, 1.25, 4}, 0.6, true, true},
		{PCIe, 76, 76, [3]float64{1, 2.5, 5.7}, [3]float64{1, 1.9, 4}, 1, true, false},
	} {
		f := testFabric(t, Network{Tiers: []Tier{{GPUs: 8, BytesPerSecond: 100e9, Family: c.family}}}, Derate{})
		checkTier(t, c.family, &f.tiers[0], c.ring, c.exchange, c.hop, c.tree, c.peer, c.ll, c.ll128)
	}
	for _, c := range []struct {
		family         Family
		ring, exchange float64
		hop            float64
		ll, ll128      bool
	}{
		{FamilyDefault, 0.8, 0.64, 10, true, true}, {InfiniBand, 0.8, 0.64, 10, true, true}, {RoCE, 0.8, 0.64, 10, true, true},
		{EFA, 0.8, 0.64, 30, true, true}, {EFAStaged, 0.8, 0.64, 30, true, true}, {TCPXO, 0.8, 0.64, 40, true, true},
		{TCPX, 0.96, 0.96, 150, false, false}, {TCP, 0.7, 0.7, 35, true, false},
	} {
		n := twoTiers(8, 400e9, 1e9, NVLink3, c.family)
		f := testFabric(t, n, Derate{})
		hop := [3]float64{c.hop, c.hop * 1.7, c.hop * 2.8}
		checkTier(t, c.family, &f.tiers[1], c.ring, c.exchange, hop, hop, c.hop*0.54, c.ll, c.ll128)
	}
}

func checkTier(t *testing.T, name Family, f *fabricTier, ring, exchange float64, hop, tree [3]float64, peer float64, ll, ll128 bool) {
	t.Helper()
	if !near(f.ring, ring*1e9, 1e-9) || !near(f.exchange, exchange*1e9, 1e-9) {
		t.Errorf("%v: ring %v, exchange %v B/s; want %v, %v GB/s", name, f.ring, f.exchange, ring, exchange)
	}
	for p := range numProtos {
		if !near(f.ringHop[p], hop[p]*1e-6, 1e-9) || !near(f.treeHop[p], tree[p]*1e-6, 1e-9) {
			t.Errorf("%v, protocol %d: hops %v and %v s, want %v and %v us", name, p, f.ringHop[p], f.treeHop[p], hop[p], tree[p])
		}
	}
	if !near(f.peer, peer*1e-6, 1e-9) {
		t.Errorf("%v: a peer costs %v s, want %v us", name, f.peer, peer)
	}
	if f.speaks(protoLL) != ll || f.speaks(protoLL128) != ll128 || !f.speaks(protoSimple) {
		t.Errorf("%v: LL %v, LL128 %v, Simple %v", name, f.speaks(protoLL), f.speaks(protoLL128), f.speaks(protoSimple))
	}
}

// Limits per node, a stack's part, and what is above a leaf switch.
func TestNetworkLimits(t *testing.T) {
	for _, c := range []struct {
		name           string
		family         Family
		rate           float64
		edit           func(*Tier)
		d              Derate
		ring, exchange float64
	}{
		{"plain", InfiniBand, 50e9, nil, Derate{}, 40e9, 32e9},
		{"node cap", InfiniBand, 50e9, nil, Derate{NodeCap: 160e9}, 20e9, 20e9},
		{"node cap above", InfiniBand, 50e9, nil, Derate{NodeCap: 1600e9}, 40e9, 32e9},
		{"staged", EFAStaged, 1.5625e9, nil, Derate{}, 9e9 / 8, 0.64 * 1.5625e9},
		{"staged, slower link", EFAStaged, 0.5e9, nil, Derate{}, 0.4e9, 0.32e9},
		{"staged, tighter stack", EFAStaged, 1.5625e9, nil, Derate{NodeCap: 4e9}, 0.5e9, 0.5e9},
		{"staged, wider stack", EFAStaged, 1.5625e9, nil, Derate{NodeCap: 40e9}, 9e9 / 8, 0.64 * 1.5625e9},
		{"sockets", TCP, 12.5e9, nil, Derate{}, 0.75e9, 0.75e9},
		{"leaf", RoCE, 50e9, func(t *Tier) { t.Oversubscription = 4 }, Derate{}, 10e9, 8e9},
		{"one rail", RoCE, 50e9, func(t *Tier) { t.Oversubscription, t.Rails = 4, 1 }, Derate{}, 10e9, 8e9},
		{"rails", RoCE, 50e9, func(t *Tier) { t.Oversubscription, t.Rails = 4, 2 }, Derate{}, 40e9, 32e9},
		{"effective", RoCE, 50e9, func(t *Tier) { t.Effective = true }, Derate{}, 50e9, 50e9},
		{"effective and oversubscribed", TCPX, 50e9, func(t *Tier) { t.Effective, t.Oversubscription = true, 2 }, Derate{}, 25e9, 25e9},
		{"not oversubscribed", RoCE, 50e9, func(t *Tier) { t.Oversubscription = 1 }, Derate{}, 40e9, 32e9},
	} {
		n := twoTiers(8, 400e9, c.rate, NVLink3, c.family)
		if c.edit != nil {
			c.edit(&n.Tiers[1])
		}
		f := testFabric(t, n, c.d)
		if got := &f.tiers[1]; !near(got.ring, c.ring, 1e-9) || !near(got.exchange, c.exchange, 1e-9) {
			t.Errorf("%s: ring %v, exchange %v B/s; want %v, %v", c.name, got.ring, got.exchange, c.ring, c.exchange)
		}
		if !near(f.tiers[0].ring, 200e9, 1e-9) {
			t.Errorf("%s: inside %v B/s, want 2e11", c.name, f.tiers[0].ring)
		}
	}
	// A flat network's nodes are single GPUs.
	n := Network{Tiers: []Tier{{Name: "link", BytesPerSecond: 12.5e9, Shared: true, Family: TCP}}}
	if f := testFabric(t, n, Derate{}); !near(f.tiers[0].ring, 6e9, 1e-9) {
		t.Errorf("flat sockets: %v B/s, want 6e9", f.tiers[0].ring)
	}
	// The last tier joins all, whatever it says.
	n = Network{Tiers: []Tier{{Name: "node", GPUs: 8, BytesPerSecond: 1e9}}}
	if f := testFabric(t, n, Derate{}); f.tiers[0].gpus != math.MaxInt32 || f.n != 1 {
		t.Errorf("one tier: joins %d GPUs, want all", f.tiers[0].gpus)
	}
	f := testFabric(t, twoTiers(8, 400e9, 50e9, NVLink3, RoCE), Derate{})
	if f.tiers[0].gpus != 8 || f.tiers[1].gpus != math.MaxInt32 || f.n != 2 {
		t.Errorf("two tiers: join %d and %d GPUs", f.tiers[0].gpus, f.tiers[1].gpus)
	}
	// Only point-to-point links are divided.
	if f.tiers[0].links != 0 || testFabric(t, twoTiers(8, 400e9, 50e9, XGMI, RoCE), Derate{}).tiers[0].links != 7 {
		t.Error("a switch has no links of its own, a mesh of eight seven a GPU")
	}
	d := twoTiers(8, 400e9, 50e9, NVLink2, RoCE)
	d.Tiers[0].Direct = true
	if testFabric(t, d, Derate{}).tiers[0].links != 7 {
		t.Error("direct links: want seven a GPU")
	}
}

func TestFabricRefuses(t *testing.T) {
	for _, c := range []struct {
		want string
		n    Network
		d    Derate
		c    LinkConstants
	}{
		{"no tier", Network{}, Derate{}, testLinks},
		{"at most 4", Network{Tiers: make5()}, Derate{}, testLinks},
		{"oversubscription is 0.5", edited(func(n *Network) { n.Tiers[1].Oversubscription = 0.5 }), Derate{}, testLinks},
		{"oversubscription is NaN", edited(func(n *Network) { n.Tiers[1].Oversubscription = math.NaN() }), Derate{}, testLinks},
		{"oversubscription is 1e+06", edited(func(n *Network) { n.Tiers[1].Oversubscription = 1e6 }), Derate{}, testLinks},
		{"-1 rails", edited(func(n *Network) { n.Tiers[1].Rails = -1 }), Derate{}, testLinks},
		{"nvlink4 links cannot", edited(func(n *Network) { n.Tiers[1].Family = NVLink4 }), Derate{}, testLinks},
		{"roce links cannot", edited(func(n *Network) { n.Tiers[0].Family = RoCE }), Derate{}, testLinks},
		{"unknown link family 99", edited(func(n *Network) { n.Tiers[0].Family = 99 }), Derate{}, testLinks},
		{"rdma is 2", edited(func(*Network) {}), Derate{}, func() LinkConstants { c := testLinks; c.RDMA = 2; return c }()},
		{"chunk is NaN", edited(func(*Network) {}), Derate{}, func() LinkConstants { c := testLinks; c.Chunk = math.NaN(); return c }()},
		{"nvls is 0", edited(func(*Network) {}), Derate{}, func() LinkConstants { c := testLinks; c.NVLS = 0; return c }()},
	} {
		if _, err := NewFabric(&c.n, &c.c, c.d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
	// The bounds themselves are allowed.
	lo, hi := testLinks, testLinks
	for i, k := range lo.All() {
		*k.At = k.Least
		*hi.All()[i].At = k.Most
	}
	if lo.Validate() != nil || hi.Validate() != nil {
		t.Errorf("bounds: %v, %v", lo.Validate(), hi.Validate())
	}
	ok := edited(func(n *Network) { n.Tiers[1].Oversubscription = MaxOversubscription })
	if _, err := NewFabric(&ok, &testLinks, Derate{}); err != nil {
		t.Error(err)
	}
	def := DefaultLinkConstants()
	if err := def.Validate(); err != nil {
		t.Error(err)
	}
	if len(LinkConstantNames()) != len(def.All()) || LinkConstantNames()[0] != "nvlink_ring" {
		t.Errorf("names %v", LinkConstantNames())
	}
}

func make5() []Tier {
	var t []Tier
	for gpus := 8; gpus <= 128; gpus *= 2 {
		t = append(t, Tier{GPUs: gpus, BytesPerSecond: 1e9})
	}
	return t
}

func edited(f func(*Network)) Network {
	n := twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand)
	f(&n)
	return n
}

func TestFamilyNames(t *testing.T) {
	for f := range numFamilies {
		text, err := f.MarshalText()
		var back Family
		if err != nil || back.UnmarshalText(text) != nil || back != f || f.String() != string(text) {
			t.Errorf("%v does not come back from %s", f, text)
		}
		if want := f >= InfiniBand; f.Network() != want {
			t.Errorf("%v: between nodes %v", f, f.Network())
		}
	}
	var f Family
	if err := f.UnmarshalText([]byte("nvlink9")); err == nil || !strings.Contains(err.Error(), "nvlink4") || strings.Contains(err.Error(), "default") {
		t.Errorf("nvlink9: %v, want the names", err)
	}
	for _, c := range []struct {
		gpu, stack, fabric string
		intra, inter       Family
	}{
		{"v100-32g", "nccl", "", NVLink2, InfiniBand}, {"v100-32g", "nccl+efa", "", NVLink2, EFAStaged},
		{"a100-80g", "nccl+efa", "", NVLink3, EFA}, {"h100-sxm", "nccl+tcpxo", "", NVLink4, TCPXO},
		{"h100-pcie", "nccl+tcpx", "", PCIe, TCPX}, {"h800", "deepep", "", NVLink4, InfiniBand},
		{"gb300", "nccl", "roce", NVLink5, RoCE}, {"b200", "nccl", "infiniband", NVLink5, InfiniBand},
		{"mi355x", "rccl", "", XGMI, InfiniBand}, {"rtx3090", "nccl", "ethernet", PCIe, TCP},
		{"a10g", "nccl+efa", "", PCIe, EFA}, {"a10g", "nccl+tcp", "", PCIe, TCP}, {"a10g", "nccl+socket", "", PCIe, TCP},
		{"l40s", "nccl+efa", "roce", PCIe, RoCE},
	} {
		if intra, inter := FamiliesOf(c.gpu, c.stack, c.fabric); intra != c.intra || inter != c.inter {
			t.Errorf("%s, %s, %q: %v and %v, want %v and %v", c.gpu, c.stack, c.fabric, intra, inter, c.intra, c.inter)
		}
	}
}
