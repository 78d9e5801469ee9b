package collective

import (
	"math"
	"testing"
)

// testLinks are round numbers: a ring over NVLink 4 reaches half the link, a
// NIC four fifths.
var testLinks = LinkConstants{NVLinkRing: 0.5, NVLink5Ring: 0.625, NVLinkExchange: 0.75, NVLS: 0.6, NVLSTree: 0.9,
	XGMIRing: 0.7, XGMIExchange: 0.65, RDMA: 0.8, RDMAExchange: 0.64, TCPX: 0.96, RDMAHopUS: 10, EFAHopUS: 30,
	TCPXOHopUS: 40, TCPXHopUS: 150, StagedGBPerS: 9, NetworkUS: 20, Chunk: 0.25, LowLatencyUS: 35, DeduplicatedUS: 120,
	DeduplicatedNVL: 0.95}

// twoTiers joins nodes of perNode GPUs by links of intra bytes/s, and nodes by
// inter bytes/s per GPU.
func twoTiers(perNode int, intra, inter float64, node, network Family) Network {
	return Network{Tiers: []Tier{
		{Name: "node", GPUs: perNode, BytesPerSecond: BytesPerSecond(intra), Family: node},
		{Name: "fabric", BytesPerSecond: BytesPerSecond(inter), Family: network, Shared: true, Codec: true},
	}}
}

// testFabric has the test's constants.
func testFabric(t testing.TB, n Network, d Derate) *Fabric {
	t.Helper()
	f, err := NewFabric(&n, &testLinks, d)
	if err != nil {
		t.Fatal(err)
	}
	return &f
}

// testPlan plans an operation over n ranks, stride apart.
func testPlan(f *Fabric, op Op, g Group, ch *Channel) *Plan {
	var p Plan
	f.Plan(&p, op, g, ch)
	return &p
}

// wayOf is the plan's way of that algorithm and protocol.
func wayOf(t *testing.T, p *Plan, a Algorithm, proto int) *way {
	t.Helper()
	for i := range p.ways[:p.n] {
		if w := &p.ways[i]; w.algorithm == a && int(w.proto) == proto {
			return w
		}
	}
	t.Fatalf("the plan has no %v with protocol %d", a, proto)
	return nil
}

// hasWay reports whether the plan has a way of that algorithm.
func hasWay(p *Plan, a Algorithm) bool {
	for i := range p.ways[:p.n] {
		if p.ways[i].algorithm == a {
			return true
		}
	}
	return false
}

// checkWay compares a way with alpha in microseconds, sigma in seconds per
// root of a byte and beta in seconds per byte.
func checkWay(t *testing.T, name string, w *way, alphaUS, sigma, beta float64) {
	t.Helper()
	if !near(w.alpha, alphaUS*1e-6, 1e-9) {
		t.Errorf("%s: alpha %v us, want %v", name, w.alpha*1e6, alphaUS)
	}
	if !near(w.sigma, sigma, 1e-9) && w.sigma != sigma {
		t.Errorf("%s: sigma %v, want %v", name, w.sigma, sigma)
	}
	if !near(w.beta, beta, 1e-9) {
		t.Errorf("%s: beta %v s/B, want %v", name, w.beta, beta)
	}
}

// checkTraffic compares what a GPU sends per byte of the buffer.
func checkTraffic(t *testing.T, name string, got, want Traffic) {
	t.Helper()
	for _, d := range []struct {
		field     string
		got, want float64
	}{
		{"payload", got.Payload, want.Payload}, {"wire", got.Wire, want.Wire}, {"coded", got.Coded, want.Coded},
		{"encoded", got.Encoded, want.Encoded}, {"decoded", got.Decoded, want.Decoded},
	} {
		if d.got != d.want && !near(d.got, d.want, 1e-9) {
			t.Errorf("%s: %s %v, want %v", name, d.field, d.got, d.want)
		}
	}
}

func near(got, want, tol float64) bool {
	return math.Abs(got-want) <= tol*math.Max(math.Abs(want), 1e-300)
}
