package cluster

import "testing"

var llama7b = Model{Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 32, FFN: 11008, Gated: true, Vocab: 32000, Seq: 4096, ParamsB: 6.738}

var a100 = GPU{PeakTFLOPS: 312, MemGB: 80, MemGBPerS: 2039, TDPW: 400, NVLinkGBPerS: 300, PCIeGBPerS: 31}

var plainEff = Efficiency{GPU: "a100-80g", Stack: "test", GEMMFraction: 0.8, GEMMHalfDim: 45, GEMMHalfDepth: 20,
	AttentionFraction: 0.6, MemoryFraction: 0.8, LaunchUS: 20, SlotMS: 1, OptimizerMult: 1,
	IntraFraction: 0.8, InterFraction: 1, CPOverlap: 1, FusedSoftmax: true, SplitSend: true}

func testJob() Job {
	return Job{Model: llama7b, GPU: a100, Eff: plainEff, Net: FlatNetwork(10e9 / 8), Seq: 4096, GlobalBatch: 64}
}

func testSystem(tb testing.TB) *System {
	tb.Helper()
	s, err := NewSystem(testJob())
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
