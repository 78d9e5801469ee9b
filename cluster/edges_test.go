package cluster

import (
	"math"
	"testing"

	"vcsim/cluster/collective"
)

// The ranks that share an expert lie side by side: where there are more of them than GPUs in a node, their sums cross the network.
func TestExpertTensorAcrossNodes(t *testing.T) {
	j := unitJob(moeTiny)
	j.Net = collective.NodeNetwork(2, 1e12, 1e8)
	s := evaluate(t, j)
	l := Layout{DP: 2, PP: 1, TP: 4, EP: 2, ETP: 4, Microbatch: 1, Interleave: 1}
	var b block
	const pairs, rows = 48, 192
	s.allToAlls(&b, &l, pairs, rows)
	h := float64(moeTiny.Hidden)
	exchange := func(class Class) float64 {
		one, _ := s.comm(collective.AllToAll, collective.Group{N: 2, Stride: 4}, class, pairs*2*h)
		return one
	}
	forward, _ := s.comm(collective.AllReduce, collective.Group{N: 4, Stride: 1}, Act, 2*rows*h)
	backward, _ := s.comm(collective.AllReduce, collective.Group{N: 4, Stride: 1}, ActGrad, 2*rows*h)
	within, _ := s.comm(collective.AllReduce, collective.Group{N: 2, Stride: 1}, Act, 2*rows*h)
	if forward < 10*within {
		t.Fatalf("%v s across nodes, %v inside of one", forward, within)
	}
	if want := 2*exchange(Act) + forward; !near(b.fwd.ep, want, 1e-12) {
		t.Errorf("forward %v s, want %v", b.fwd.ep, want)
	}
	if want := 2*exchange(ActGrad) + backward; !near(b.bwd.ep, want, 1e-12) {
		t.Errorf("backward %v s, want %v", b.bwd.ep, want)
	}
}

// A codec without limits has no rate at all, of no class.
func TestUnlimited(t *testing.T) {
	c := Codec{Name: "x", Bits: UniformBits(4), EncodeBPS: 3, DecodeBPS: 5, Instances: 7, ClassEncodeBPS: [numClasses]BitsPerSecond{1, 2, 3, 4}, ClassDecodeBPS: [numClasses]BitsPerSecond{4, 3, 2, 1}, ChunkBytes: 9, EncodeMM2: 2}
	want := Codec{Name: "x", Bits: UniformBits(4), ChunkBytes: 9, EncodeMM2: 2}
	if got := c.Unlimited(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	u := c.Unlimited()
	if e, d := u.Rates(); !math.IsInf(e, 1) || !math.IsInf(d, 1) {
		t.Errorf("rates %v and %v", e, d)
	}
}

// By an energy per FLOP, what is left of a step beside its work and the optimizer is drawn idle, in short steps as in long ones.
func TestIdleEnergy(t *testing.T) {
	s := testSystem(t)
	s.GPU.TDPW = 400
	p := Power{ComputePJPerFLOP: 1, IdleFraction: 0.25}
	for _, c := range []struct{ time, forward, backward, optimizer, want float64 }{
		{10, 2, 4, 1, 3 * 400 * 0.25 * 8}, {0.5, 0.125, 0.125, 0.125, 0.125 * 400 * 0.25 * 8}, {0.5, 0.25, 0.25, 0, 0}, {0.5, 0.25, 0.25, 0.25, 0},
	} {
		st := Step{Layout: Layout{DP: 8, PP: 1, TP: 1}, Time: c.time, Forward: c.forward, Backward: c.backward, Optimizer: c.optimizer}
		if got := s.Energy(&st, &p).Idle; !near(got, c.want, 1e-12) {
			t.Errorf("%+v: %v J idle, want %v", c, got, c.want)
		}
	}
}

// Ranks share a node as their stride allows; where there are no nodes every rank is one.
func TestNodeRanks(t *testing.T) {
	for _, c := range []struct {
		gpus, n, stride, want int
	}{{8, 64, 1, 8}, {8, 64, 2, 4}, {8, 64, 3, 2}, {8, 64, 8, 1}, {8, 64, 16, 1}, {8, 4, 1, 4}, {8, 64, 0, 8}, {1, 4, 1, 1}, {2, 4, 1, 2}} {
		j := testJob()
		j.Net = twoTiers(c.gpus, 3e11, 1e9, collective.NVLink4, collective.InfiniBand)
		s := &System{Job: j}
		if got := s.nodeRanks(collective.Group{N: c.n, Stride: c.stride}); got != c.want {
			t.Errorf("%d ranks, %d apart, in nodes of %d: %d share one, want %d", c.n, c.stride, c.gpus, got, c.want)
		}
	}
	s := &System{Job: testJob()} // one network that all share
	if got := s.nodeRanks(collective.Group{N: 64, Stride: 1}); got != 1 {
		t.Errorf("%d ranks share a node of a flat network", got)
	}
}

// Bytes a parameter scale the 18 of the model, below one, too.
func TestBytesPerParameter(t *testing.T) {
	one, none := 1, RecomputeNone
	r := Measurement{ID: "r", Model: gptTiny, GPU: "a100-80g", Seq: 64, GPUs: 8, GPUsPerNode: 4, TP: 2, PP: 1, DP: 4, GlobalBatch: 8,
		Microbatch: &one, Interleave: &one, Recompute: &none, Quantity: "parameters+gradients+optimizer"}
	whole, err := r.Predict(unitGPU(), unitEff())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []float64{0.25, 1, 18, 1e6} {
		r.BytesPerParam = b
		if got, err := r.Predict(unitGPU(), unitEff()); err != nil || !near(got, whole*b/18, 1e-12) {
			t.Errorf("%v bytes a parameter: %v, %v; want %v", b, got, err, whole*b/18)
		}
	}
	for _, b := range []float64{-1, 1.1e6, math.NaN()} {
		r.BytesPerParam = b
		if _, err := r.Predict(unitGPU(), unitEff()); err == nil {
			t.Errorf("%v bytes a parameter are accepted", b)
		}
	}
}

// The least figure of a board is accepted, and what is below it is not.
func TestLeastFigures(t *testing.T) {
	for _, set := range []func(g *GPU, v float64){
		func(g *GPU, v float64) { g.PeakTFLOPS = v }, func(g *GPU, v float64) { g.MemGB = v }, func(g *GPU, v float64) { g.MemGBPerS = v },
		func(g *GPU, v float64) { g.TDPW = v; g.IdleW = 0 }, func(g *GPU, v float64) { g.NVLinkGBPerS = v }, func(g *GPU, v float64) { g.PCIeGBPerS = v }, func(g *GPU, v float64) { g.ExpTera = v },
	} {
		for v, ok := range map[float64]bool{1e-9: true, 0.99e-9: false, 1.01e-9: true} {
			g := a100
			set(&g, v)
			if err := g.Validate(); (err == nil) != ok {
				t.Errorf("%v: %v", v, err)
			}
		}
	}
}

// A node has up to 1024 GPUs, or as many as nobody says.
func TestNodeSizes(t *testing.T) {
	for n, ok := range map[int]bool{-1: false, 0: true, 1: true, 8: true, 1024: true, 1025: false} {
		g := a100
		g.NodeGPUs = n
		if err := g.Validate(); (err == nil) != ok {
			t.Errorf("%d GPUs a node: %v", n, err)
		}
	}
}

// What activations on their way to the host and back take beyond the pass beside them, of one block as of several.
func TestOffloadOfBlocks(t *testing.T) {
	for _, layers := range []int{0, 1, 2, 4} {
		j := unitJob(gptTiny)
		j.GPU.PCIeGBPerS = 1e-6
		s := evaluate(t, j)
		l := Layout{DP: 1, PP: 1, TP: 1, Microbatch: 1, Interleave: 1, OffloadLayers: layers}
		var w stageWork
		s.work(&w, &l, 24)
		bytes := float64(layers) * LayerActivations(&s.Model, &l, s.Seq, s.Eff.Flash)
		busy := [2]float64{4 * w.block.fwd.busy(), 4 * (w.block.bwd.busy() + w.block.again.busy())}
		want := 0.0
		for _, b := range busy {
			want += max(0, bytes/1e3-b) // 1e-6 GB/s
		}
		if got := s.offload(&w, 4); !near(got, want, 1e-12) || (got > 0) != (layers > 0) {
			t.Errorf("%d blocks to the host: %v s, want %v", layers, got, want)
		}
		s.GPU.PCIeGBPerS = 0
		if got := s.offload(&w, 4); got != 0 {
			t.Errorf("%d blocks without a link to the host: %v s", layers, got)
		}
	}
}
