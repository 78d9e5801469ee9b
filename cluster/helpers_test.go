package cluster

import (
	"testing"

	"vcsim/cluster/collective"
)

var llama7b = Model{Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 32, FFN: 11008, Gated: true, Vocab: 32000, Seq: 4096, ParamsB: 6.738}

var a100 = GPU{PeakTFLOPS: 312, MemGB: 80, MemGBPerS: 2039, TDPW: 400, NVLinkGBPerS: 300, PCIeGBPerS: 31}

var plainEff = Efficiency{GPU: "a100-80g", Stack: "test", GEMMFraction: 0.8, GEMMHalfDim: 45, GEMMHalfDepth: 20,
	AttentionFraction: 0.6, MemoryFraction: 0.8, LaunchUS: 20, SlotMS: 1, OptimizerMult: 1,
	IntraFraction: 0.8, InterFraction: 1, CPOverlap: 1, FusedSoftmax: true, SplitSend: true}

func testJob() Job {
	return Job{Model: llama7b, GPU: a100, Eff: plainEff, Net: collective.FlatNetwork(10e9 / 8), Seq: 4096, GlobalBatch: 64}
}

func testSystem(tb testing.TB) *System {
	tb.Helper()
	s, err := NewSystem(testJob())
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// testLinks are round numbers: a ring over NVLink 4 reaches half the link, a
// NIC four fifths.
var testLinks = collective.LinkConstants{NVLinkRing: 0.5, NVLink5Ring: 0.625, NVLinkExchange: 0.75, NVLS: 0.6, NVLSTree: 0.9,
	XGMIRing: 0.7, XGMIExchange: 0.65, RDMA: 0.8, RDMAExchange: 0.64, TCPX: 0.96, RDMAHopUS: 10, EFAHopUS: 30,
	TCPXOHopUS: 40, TCPXHopUS: 150, StagedGBPerS: 9, NetworkUS: 20, Chunk: 0.25, LowLatencyUS: 35, DeduplicatedUS: 120,
	DeduplicatedNVL: 0.95}

// twoTiers joins nodes of perNode GPUs by links of intra bytes/s, and nodes by
// inter bytes/s per GPU.
func twoTiers(perNode int, intra, inter float64, node, network collective.Family) collective.Network {
	return collective.Network{Tiers: []collective.Tier{
		{Name: "node", GPUs: perNode, BytesPerSecond: collective.BytesPerSecond(intra), Family: node},
		{Name: "fabric", BytesPerSecond: collective.BytesPerSecond(inter), Family: network, Shared: true, Codec: true},
	}}
}

// testFabric has the test's constants.
func testFabric(t testing.TB, n collective.Network, d collective.Derate) *collective.Fabric {
	t.Helper()
	f, err := collective.NewFabric(&n, &testLinks, d)
	if err != nil {
		t.Fatal(err)
	}
	return &f
}

// testPlan plans an operation over n ranks, stride apart.
func testPlan(f *collective.Fabric, op collective.Op, g collective.Group, ch *collective.Channel) *collective.Plan {
	var p collective.Plan
	f.Plan(&p, op, g, ch)
	return &p
}
