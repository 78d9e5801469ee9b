package cluster_test

import (
	"fmt"

	"vcsim/cluster"
	"vcsim/cluster/collective"
)

// What a codec of 100 Gbps does for a model of 7 billion parameters, on 16 GPUs with links of 10 Gbps.
func Example() {
	job := cluster.Job{
		Model: cluster.Model{Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 32, FFN: 11008, Gated: true, Vocab: 32000, Seq: 4096, ParamsB: 6.738},
		GPU:   cluster.GPU{PeakTFLOPS: 312, MemGB: 80, MemGBPerS: 2039, TDPW: 400, NVLinkGBPerS: 300, PCIeGBPerS: 31},
		// What a software stack reaches on that GPU. The command line takes sets that are fitted on measurements.
		Eff: cluster.Efficiency{GEMMFraction: 0.8, GEMMHalfDim: 45, GEMMHalfDepth: 20, AttentionFraction: 0.6, MemoryFraction: 0.8,
			LaunchUS: 20, SlotMS: 1, OptimizerMult: 1, IntraFraction: 0.8, InterFraction: 1},
		Net:         collective.FlatNetwork(10e9 / 8), // bytes a second
		Seq:         4096,
		GlobalBatch: 64,
	}
	codec := cluster.Codec{
		Name: "example", Bits: cluster.UniformBits(5), // 16/5 bits a value for all traffic
		EncodeBPS: 100e9, DecodeBPS: 100e9, ChunkBytes: 16 << 10,
	}
	study, err := cluster.Compare(job, &cluster.Space{GPUs: 16, TP: 1}, []cluster.Codec{codec}, &cluster.Power{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	o := &study.Outcomes[0]
	fmt.Printf("without a codec: %.1f s at %v\n", study.Base.Time, study.Base.Layout)
	fmt.Printf("with the codec:  %.1f s at %v\n", o.Time, o.Step.Layout)
	fmt.Printf("speedup %.2f, at the same layout %.2f\n", o.Speedup, o.SpeedupSame)
	fmt.Printf("full ratio up to %.0f Gbps, none above %.0f Gbps\n", o.KneeBPS/1e9, o.CrossoverBPS/1e9)
	// Output:
	// without a codec: 13.1 s at dp2,pp8,tp1,mb1,v1,none,zero1
	// with the codec:  9.5 s at dp4,pp4,tp1,mb1,v4,none,zero1
	// speedup 1.37, at the same layout 1.29
	// full ratio up to 20 Gbps, none above 100 Gbps
}
