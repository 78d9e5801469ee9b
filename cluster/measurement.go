package cluster

import (
	"fmt"
	"math"

	"vcsim/cluster/collective"
)

// A Measurement is one published figure with its setting, in the format of a
// vcsim.validation/1 file: keys end in their unit.
type Measurement struct {
	ID       string `yaml:"id"`
	Quantity string `yaml:"quantity"` // what was measured; iter_s when empty

	Model            Model      `yaml:"model"`
	GPU              string     `yaml:"gpu"`           // preset name
	GPUOverrides     GPU        `yaml:"gpu_overrides"` // non-zero fields replace the preset's
	Stack            string     `yaml:"stack"`
	Precision        Precision  `yaml:"precision"`
	Optimizer        string     `yaml:"optimizer"`
	Fabric           string     `yaml:"fabric"`
	Seq              int        `yaml:"seq"`
	GPUs             int        `yaml:"gpus"`
	Nodes            int        `yaml:"nodes"`
	GPUsPerNode      int        `yaml:"gpus_per_node"`
	TP               int        `yaml:"tp"`
	PP               int        `yaml:"pp"`
	DP               int        `yaml:"dp"`
	CP               int        `yaml:"cp"`
	ZeRO             int        `yaml:"zero"`
	ZeROGroup        int        `yaml:"zero_group"`
	EP               int        `yaml:"ep"`
	ETP              int        `yaml:"etp"`
	RecomputeLayers  int        `yaml:"recompute_layers"`
	OffloadLayers    int        `yaml:"activation_offload_layers"`
	AsyncTP          bool       `yaml:"async_tp"`
	Schedule         string     `yaml:"schedule"`
	GlobalBatch      int        `yaml:"global_batch"`
	Microbatch       *int       `yaml:"microbatch"` // nil: not published, the model's own best
	Interleave       *int       `yaml:"interleave"` // nil: not published, the model's own best
	Recompute        *Recompute `yaml:"recompute"`  // nil: not published, the model's own best
	SequenceParallel bool       `yaml:"sequence_parallel"`

	IntraGBPerS      *float64 `yaml:"intra_gb_per_s"`     // nil: not published, or no such links
	InterGbpsPerGPU  *float64 `yaml:"inter_gbps_per_gpu"` // nil: likewise
	InterGbpsPerNode float64  `yaml:"inter_gbps_per_node"`
	BytesPerParam    float64  `yaml:"bytes_per_parameter"`
	VolumeRatio      float64  `yaml:"volume_ratio"`

	// A collective: its name, the buffer of each rank in bytes, and of an
	// expert all-to-all what moves.
	Collective string  `yaml:"collective"`
	Algo       string  `yaml:"algo"`
	Bytes      float64 `yaml:"bytes"`
	Tokens     int     `yaml:"tokens"`
	Hidden     int     `yaml:"hidden"`
	TopK       int     `yaml:"topk"`
	Bits       float64 `yaml:"bits"`
	Healthy    *bool   `yaml:"healthy"`

	CollectiveFabric `yaml:",inline"`

	// Another model's prediction of the row.
	SimumaxS   float64 `yaml:"simumax_s"`
	SimumaxGiB float64 `yaml:"simumax_gib"`

	// Published beside the measured quantity.
	ForwardS             float64 `yaml:"forward_s"`
	BackwardS            float64 `yaml:"backward_s"`
	StepS                float64 `yaml:"step_s"`
	UncompressedSamplesS float64 `yaml:"uncompressed_samples_per_s"`
	CompressedSamplesS   float64 `yaml:"compressed_samples_per_s"`

	// The measured quantity.
	IterS      float64 `yaml:"iter_s"`
	AllreduceS float64 `yaml:"allreduce_s"`
	Speedup    float64 `yaml:"speedup"`
	GiB        float64 `yaml:"gib"`
	Percent    float64 `yaml:"percent"`
	CollectUS  float64 `yaml:"collective_us"`
	NodeW      float64 `yaml:"node_avg_w"`
	Conversion float64 `yaml:"conversion"` // of the node's supplies
}

// QuantityName is the measured quantity's key, iter_s where none is named.
func (r *Measurement) QuantityName() string {
	if r.Quantity == "" {
		return "iter_s"
	}
	return r.Quantity
}

// Measured is the published value of the row's quantity.
func (r *Measurement) Measured() (float64, error) {
	var v float64
	switch r.QuantityName() {
	case "iter_s":
		v = r.IterS
	case "allreduce_s":
		v = r.AllreduceS
	case "collective_us":
		v = r.CollectUS
	case "compressed_speedup", "zeropp_speedup":
		v = r.Speedup
	case "activations", "parameters+gradients+optimizer", "allocated":
		v = r.GiB
	case "node_power":
		v = r.NodeW
	case "activations_percent_of_no_recompute_no_sp":
		v = r.Percent
	default:
		return 0, fmt.Errorf("row %s: unknown quantity %q", r.ID, r.Quantity)
	}
	if !(v > 0) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("row %s: measured %s is %v, want a positive number", r.ID, r.QuantityName(), v)
	}
	return v, nil
}

// overlay replaces the preset's figures by the row's. The row's peak is that
// of its precision.
func (g GPU) overlay(o *GPU, w width) GPU {
	for _, f := range []struct{ to, from *float64 }{
		{&g.MemGB, &o.MemGB}, {&g.MemGBPerS, &o.MemGBPerS},
		{&g.TDPW, &o.TDPW}, {&g.NVLinkGBPerS, &o.NVLinkGBPerS}, {&g.PCIeGBPerS, &o.PCIeGBPerS},
	} {
		if *f.from != 0 {
			*f.to = *f.from
		}
	}
	if p := o.PeakTFLOPS; p != 0 {
		switch w {
		case bits8:
			g.FP8TFLOPS = &p
		case bits4:
			g.FP4TFLOPS = &p
		default:
			g.PeakTFLOPS = p
		}
	}
	g.IdleW = min(g.IdleW, g.TDPW*mostIdle)
	return g
}

func orZero(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

// job is the row's setting. The network has two tiers where the row names
// both rates; a rate the row leaves out is the GPU's own link, or none is
// crossed.
func (r *Measurement) job(gpu GPU, eff Efficiency) Job {
	g := gpu.overlay(&r.GPUOverrides, r.Precision.width())
	perNode := r.GPUsPerNode
	if perNode == 0 {
		perNode = 8
	}
	gpus := r.GPUs
	if gpus == 0 {
		gpus = max(1, r.TP*r.PP*r.DP)
	}
	intra := orZero(r.IntraGBPerS) * 1e9
	if intra == 0 {
		intra = max(g.NVLinkGBPerS, g.PCIeGBPerS) * 1e9
	}
	inter := orZero(r.InterGbpsPerGPU) * 1e9 / 8
	if inter == 0 && r.InterGbpsPerNode > 0 {
		inter = r.InterGbpsPerNode * 1e9 / 8 / float64(perNode)
	}
	if inter == 0 {
		inter = intra
	}
	batch := r.GlobalBatch
	if batch == 0 && r.Microbatch != nil {
		batch = gpus * *r.Microbatch
	}
	net := collective.NodeNetwork(perNode, collective.BytesPerSecond(intra), collective.BytesPerSecond(inter))
	inside, between := collective.FamiliesOf(r.GPU, r.Stack, r.Fabric)
	for i := range net.Tiers {
		t := &net.Tiers[i]
		t.Effective = t.Shared && r.InterGbpsPerGPU == nil && r.InterGbpsPerNode > 0 // published as measured
		if t.Family = inside; t.Shared {
			t.Family = between
		}
	}
	return Job{
		Model: r.Model, GPU: g, Eff: eff, Seq: r.Seq, GlobalBatch: batch,
		Net: net, Precision: r.Precision,
	}
}

// Predict is the model's value of the row's measured quantity, with the
// constants of the row's (gpu, stack).
func (r *Measurement) Predict(gpu GPU, eff Efficiency) (float64, error) {
	v, err := r.predict(gpu, eff)
	if err != nil {
		return 0, fmt.Errorf("row %s: %w", r.ID, err)
	}
	return v, nil
}

// Step is the model's step of the row: of its layout, or of the fastest that
// its open fields leave.
func (r *Measurement) Step(gpu GPU, eff Efficiency) (Step, error) {
	s, err := r.system(gpu, eff)
	if err != nil {
		return Step{}, fmt.Errorf("row %s: %w", r.ID, err)
	}
	f, err := s.Search(r.space(s), nil)
	if err != nil {
		return f.Best, fmt.Errorf("row %s: %w", r.ID, err)
	}
	return f.Best, nil
}

// system is the row's job without its layout.
func (r *Measurement) system(gpu GPU, eff Efficiency) (*System, error) {
	j := r.job(gpu, eff)
	if j.GlobalBatch == 0 {
		return nil, fmt.Errorf("no global_batch")
	}
	if l := r.layout(); r.GPUs > 0 && r.TP > 0 && r.PP > 0 && r.DP > 0 && l.GPUs() != r.GPUs {
		return nil, fmt.Errorf("tp %d x pp %d x dp %d x cp %d is %d GPUs, and gpus is %d", l.TP, l.PP, l.DP, l.CP, l.GPUs(), r.GPUs)
	}
	return NewSystem(j)
}

func (r *Measurement) predict(gpu GPU, eff Efficiency) (float64, error) {
	s, err := r.system(gpu, eff)
	if err != nil {
		return 0, err
	}
	switch r.QuantityName() {
	case "iter_s":
		f, err := s.Search(r.space(s), nil)
		return f.Best.Time, err
	case "node_power":
		if c := r.Conversion; !(c == 0 || c >= 0.01 && c <= 1) {
			return 0, fmt.Errorf("conversion is %v, want 0.01 to 1", c)
		}
		f, err := s.Search(r.space(s), nil)
		return s.NodePower(&f.Best, max(1, r.GPUsPerNode), &Power{HostW: NodeHostW, Conversion: r.Conversion}), err
	case "allreduce_s":
		t, _ := s.evaluation().comm(collective.AllReduce, collective.Group{N: r.GPUs, Stride: 1}, Grad, 2*r.Model.Params())
		return t, nil
	case "compressed_speedup":
		return r.speedup(s)
	case "zeropp_speedup":
		return r.zeroPlusPlus(s)
	case "activations", "activations_percent_of_no_recompute_no_sp", "parameters+gradients+optimizer", "allocated":
		return r.memory(s)
	}
	return 0, fmt.Errorf("unknown quantity %q", r.Quantity)
}

// layout is the row's cut, with zero where nothing was published.
func (r *Measurement) layout() Layout {
	l := Layout{DP: max(1, r.DP), PP: max(1, r.PP), TP: max(1, r.TP), CP: max(1, r.CP), ZeRO: r.ZeRO, SequenceParallel: r.SequenceParallel && r.TP > 1,
		ZeROGroup: r.ZeROGroup, EP: r.EP, ETP: r.ETP, RecomputeLayers: r.RecomputeLayers, OffloadLayers: r.OffloadLayers, AsyncTP: r.AsyncTP}
	if l.EP > 1 && l.ETP == 0 && l.TP*l.replicas()%(l.EP*l.TP) != 0 {
		l.ETP = 1 // not published, and whole experts are the only way to cut it
	}
	if r.Microbatch != nil {
		l.Microbatch = *r.Microbatch
	}
	if r.Interleave != nil {
		l.Interleave = *r.Interleave
	}
	if r.Recompute != nil {
		l.Recompute = *r.Recompute
		if l.Recompute == RecomputeNone && l.RecomputeLayers > 0 {
			l.Recompute = RecomputeFull // of those blocks
		}
	}
	return l
}

// space is the row's layout, open where the row publishes nothing. Memory
// decides among open choices only: what was run did fit.
func (r *Measurement) space(s *System) *Space {
	l := r.layout()
	if r.DP == 0 && r.GPUs > 0 {
		l.DP = max(1, r.GPUs/(l.PP*l.TP*l.CP))
	}
	sp := &Space{GPUs: l.GPUs(), DP: l.DP, PP: l.PP, TP: l.TP, CP: l.CP, Microbatch: l.Microbatch, MaxMicrobatch: 64,
		Interleave: l.Interleave, MaxInterleave: s.Model.Layers, SequenceParallel: &l.SequenceParallel, ZeRO: &l.ZeRO, Rest: l}
	if r.Microbatch == nil && s.Eff.StageBatches && l.PP > 1 {
		sp.Microbatch = max(1, s.GlobalBatch/(l.DP*l.PP))
	}
	if r.Recompute != nil {
		sp.Recompute = &l.Recompute
	}
	sp.AnyMemory = r.Microbatch != nil && r.Interleave != nil && r.Recompute != nil
	return sp
}

// speedup is the uncompressed step over the compressed one, both with the
// model's own compute time, data parallel over all GPUs.
func (r *Measurement) speedup(s *System) (float64, error) {
	if !(r.VolumeRatio >= 1) || r.GPUs < 1 || r.Microbatch == nil {
		return 0, fmt.Errorf("compressed_speedup wants volume_ratio, gpus and microbatch")
	}
	l := Layout{DP: r.GPUs, PP: 1, TP: 1, Microbatch: *r.Microbatch, Interleave: 1}
	plain, err := s.Step(l)
	if err != nil {
		return 0, err
	}
	c, err := s.WithCodec(Codec{Name: "scheme", Gather: true, Bypass: BypassNever, Bits: UniformBits(r.VolumeRatio)})
	if err != nil {
		return 0, err
	}
	short, err := c.Step(l)
	return plain.Time / short.Time, err
}

// zeroPlusPlus is the step of ZeRO 3 over that of ZeRO++, both over all GPUs.
func (r *Measurement) zeroPlusPlus(s *System) (float64, error) {
	l := r.layout()
	l.Interleave = max(1, l.Interleave)
	if r.Microbatch == nil || l.ZeRO != 3 {
		return 0, fmt.Errorf("zeropp_speedup wants zero 3 and microbatch")
	}
	plain, err := s.Step(l)
	if err != nil {
		return 0, err
	}
	c, err := s.WithCodec(ZeROPlusPlus(&s.GPU, &s.Eff))
	if err != nil {
		return 0, err
	}
	short, err := c.Step(l)
	return plain.Time / short.Time, err
}

// memory is the row's memory quantity of the first pipeline stage.
func (r *Measurement) memory(s *System) (float64, error) {
	l := r.layout()
	l.Interleave = max(1, l.Interleave)
	if err := l.check(&s.Model, s.Seq, s.GlobalBatch); err != nil {
		return 0, err
	}
	n := s.GlobalBatch / (l.DP * l.Microbatch)
	mem := s.memory(&l, n)
	switch r.Quantity {
	case "activations":
		return mem.Activations / (1 << 30), nil
	case "parameters+gradients+optimizer":
		b := mem.Parameters + mem.Gradients + mem.Optimizer
		if !(r.BytesPerParam >= 0 && r.BytesPerParam <= 1e6) {
			return 0, fmt.Errorf("bytes_per_parameter is %v, want 0 to 1e6", r.BytesPerParam)
		}
		if r.BytesPerParam > 0 {
			b *= r.BytesPerParam / (bytesWeight + bytesGradient + bytesOptimizer)
		}
		return b / (1 << 30), nil
	case "allocated": // what the framework's allocator sees: without context and channels
		return (mem.Total() - mem.Reserve) / (1 << 30), nil
	}
	plain := l
	plain.Recompute, plain.SequenceParallel = RecomputeNone, false
	whole := LayerActivations(&s.Model, &plain, s.Seq, s.Eff.Flash)
	return 100 * LayerActivations(&s.Model, &l, s.Seq, s.Eff.Flash) / whole, nil
}
