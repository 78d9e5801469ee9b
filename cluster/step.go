package cluster

import (
	"fmt"
	"math"

	"vcsim/cluster/collective"
)

// A Job is everything but the layout.
type Job struct {
	Model       Model
	GPU         GPU
	Eff         Efficiency
	Net         collective.Network
	Seq         int // tokens per sequence
	GlobalBatch int // sequences per optimizer step over all replicas
	Codec       Codec
	Checkpoint  Checkpoint
	Precision   Precision                 // of the linear layers
	Links       *collective.LinkConstants // what the families of links reach; nil: [DefaultLinkConstants]
}

// A Checkpoint is the training state written to storage every so many steps,
// while training waits. The zero value writes none.
type Checkpoint struct {
	Steps          int                       // between two checkpoints
	BytesPerSecond collective.BytesPerSecond // of the storage, for the whole job
	Ratio          float64                   // of lossless compression (arXiv 2505.09810); 0 means 1
}

// Validate reports the first field outside its range.
func (c *Checkpoint) Validate() error {
	if c.Steps == 0 {
		return nil
	}
	if c.Steps < 0 {
		return fmt.Errorf("checkpoint: every %d steps", c.Steps)
	}
	if !(c.BytesPerSecond > 0) || math.IsInf(float64(c.BytesPerSecond), 0) {
		return fmt.Errorf("checkpoint: storage rate is %v, want a positive number of bytes per second", c.BytesPerSecond)
	}
	if !(c.Ratio == 0 || c.Ratio >= 1 && c.Ratio <= 1000) {
		return fmt.Errorf("checkpoint: ratio is %v, want 1 to 1000", c.Ratio)
	}
	return nil
}

// perStep is the seconds a step waits for checkpoints, on average: 16-bit
// weights and the optimizer's state of every parameter.
func (c *Checkpoint) perStep(m *Model) float64 {
	if c.Steps == 0 {
		return 0
	}
	return m.Params() * (bytesWeight + bytesOptimizer) / max(1, c.Ratio) / float64(c.BytesPerSecond) / float64(c.Steps)
}

// A System is a validated Job with the constants of the hot path worked out.
// It may be shared by goroutines: its methods only read it.
type System struct {
	Job
	fabric   collective.Fabric
	channels [numClasses]collective.Channel

	width         width              // of the linear layers
	perGEMM       [numWidths]float64 // seconds per (m+d)(n+d)(k+r); 0 where the GPU has no such width
	halfDepth     [numWidths]float64 // r of each width
	perByte       float64            // seconds per byte of element-wise traffic
	traffic       float64            // element-wise traffic of the stack against the counted bytes
	perConversion float64            // seconds per value converted to the precision
	dispatchBytes float64            // bytes of a routed hidden value on its way to an expert
	splitWidth    float64            // values of Q, K, V and context per token

	perScoreForward, perScoreBackward float64 // seconds per attention score

	productShare float64 // of the board's power above idle that products draw

	moeLayers    float64 // blocks with experts
	layerParams  float64 // weights of the average block
	expertParams float64 // of them, those that experts hold
	flops        float64 // of a step

	checkpoint float64 // seconds per step
	launch     float64 // seconds of host time per kernel
	gap        float64 // seconds of GPU time per kernel
	skew       float64 // seconds of spread of tensor-parallel ranks at a collective
}

// NewSystem validates the job. Errors name the field.
func NewSystem(j Job) (*System, error) {
	for _, v := range []interface{ Validate() error }{&j.Model, &j.GPU, &j.Eff, &j.Net, &j.Codec, &j.Checkpoint} {
		if err := v.Validate(); err != nil {
			return nil, err
		}
	}
	if len(j.Net.Tiers) > collective.MaxTiers {
		return nil, fmt.Errorf("network: %d tiers, want at most %d", len(j.Net.Tiers), collective.MaxTiers)
	}
	const most = 1 << 30
	if j.Seq < 1 || j.Seq > most {
		return nil, fmt.Errorf("sequence length is %d, want 1 to %d", j.Seq, most)
	}
	if j.GlobalBatch < 1 || j.GlobalBatch > most {
		return nil, fmt.Errorf("global batch is %d, want 1 to %d", j.GlobalBatch, most)
	}
	if !j.GPU.Supports(j.Precision) {
		return nil, fmt.Errorf("precision %s: no rate is known of the GPU", j.Precision)
	}
	s := &System{Job: j}
	if err := s.setFabric(); err != nil {
		return nil, err
	}
	s.setRates()
	return s, nil
}

// WithCodec is the same system with another codec.
func (s *System) WithCodec(c Codec) (*System, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	o := *s
	o.Codec = c
	o.setRates()
	return &o, nil
}

func (s *System) setRates() {
	e := &s.Eff
	s.setKernels()
	s.launch, s.gap, s.skew = e.LaunchUS*1e-6, e.GapUS*1e-6, e.SkewUS*1e-6
	s.checkpoint = s.Checkpoint.perStep(&s.Model)
	s.layerParams, s.expertParams = s.Model.LayerParams(), s.Model.ExpertParams()
	s.flops = s.Model.StepFLOPs(float64(s.GlobalBatch)*float64(s.Seq), s.Seq)
	for c := range s.channels {
		s.channels[c] = s.Codec.channel(Class(c))
	}
}

// A Step is one optimizer step of one layout, in seconds unless said
// otherwise. The components up to Host add up to Time; they are those of the
// stage that sets the pace.
type Step struct {
	Layout       Layout
	Microbatches int // per replica

	Time       float64
	Forward    float64 // GPU work of the forward passes
	Backward   float64 // GPU work of the backward passes
	Again      float64 // GPU work of recomputation
	TP         float64 // tensor-parallel collectives not hidden
	CP         float64 // keys and values on the context ring not hidden
	EP         float64 // expert all-to-alls not hidden
	PP         float64 // stage-to-stage messages not hidden
	Params     float64 // gathered parameters and, with ZeRO 3, scattered gradients not hidden
	Offload    float64 // activations to and from the host not hidden
	Bubble     float64 // pipeline fill and drain
	DP         float64 // gradient reduction not hidden
	Optimizer  float64
	Checkpoint float64 // writing the training state, per step on average
	Jitter     float64 // waiting for the slowest of all ranks
	Host       float64 // launches and gaps beyond the GPU's work, and fixed overheads

	Products float64 // seconds of Forward, Backward and Again in matrix products and the attention core

	Hidden  float64 // communication under compute, not part of Time
	Memory  Memory
	Traffic float64 // payload bytes per GPU that left for the codec's tier
	Wire    float64 // bytes of them on the wire
	Coded   float64 // payload bytes of them that passed the codec
	Encoded float64 // payload bytes that a GPU's encoder saw: what it only passes on is not encoded again
	Decoded float64 // payload bytes that a GPU's decoder saw
	FLOPs   float64 // of the whole job, without recomputation
}

// Step evaluates one layout. The error is a *LayoutError when the job cannot
// be cut that way; memory is reported but not checked (see [System.Fits]).
func (s *System) Step(l Layout) (Step, error) {
	var st Step
	err := s.evaluation().step(&st, &l)
	return st, err
}

// evaluation is a fresh one of the system.
func (s *System) evaluation() *evaluation { return &evaluation{System: s} }

// step works out, in this order, the work of a micro-batch on a stage, the
// messages between stages, the parameters gathered and gradients reduced, and
// the pace at which the slowest stage makes all of it a step.
func (s *evaluation) step(st *Step, l *Layout) error {
	if err := l.check(&s.Model, s.Seq, s.GlobalBatch); err != nil {
		return err
	}
	*st = Step{Layout: *l, Microbatches: s.GlobalBatch / (l.DP * l.Microbatch)}
	var w stageWork
	s.work(&w, l, st.Microbatches)
	ppSlot, sent := s.messages(l)
	d := s.gradients(&w, l)
	w.sent.Add(sent)
	w.sent.Add(d.sent)
	s.pace(st, &w, ppSlot, &d)
	st.Traffic, st.Wire, st.Coded = w.sent.Payload, w.sent.Wire, w.sent.Coded
	st.Encoded, st.Decoded = w.sent.Encoded, w.sent.Decoded
	st.Memory = s.memory(l, st.Microbatches)
	st.FLOPs = s.flops
	return nil
}

// tokens is the number of tokens of a micro-batch on one rank.
func (s *System) tokens(l *Layout) float64 {
	return float64(l.Microbatch) * float64(s.Seq) / float64(l.context())
}

// Fits reports whether the step's fullest GPU has room.
func (s *System) Fits(st *Step) bool { return st.Memory.Total() <= s.GPU.MemGB*1e9 }

// An evaluation evaluates layouts of one System, one after the other: it keeps
// the plans of the collectives that layouts share. It belongs to one
// goroutine.
type evaluation struct {
	*System
	plans collective.Plans
	ranks int     // of the layout before
	late  float64 // how far the slowest of them is behind, in standard deviations
}

// comm is the seam between a step and the collectives: the seconds that an
// operation over v bytes of a class takes among the ranks of a group, and what
// one GPU sends for it.
func (s *evaluation) comm(op collective.Op, g collective.Group, class Class, v float64) (float64, collective.Traffic) {
	if g.N < 2 || v <= 0 {
		return 0, collective.Traffic{}
	}
	return s.plans.Get(&s.fabric, op, g, uint8(class), &s.channels[class]).Message(v)
}

// setFabric works out the links as the stack uses them. A fraction of a rate
// corrects what a measurement calls the rate of its links, so it may exceed 1.
func (s *System) setFabric() error {
	e, n := &s.Eff, s.Net
	var tiers [collective.MaxTiers]collective.Tier
	for i, t := range n.Tiers {
		fraction := e.IntraFraction
		if t.Shared {
			fraction = e.InterFraction
		}
		t.BytesPerSecond *= collective.BytesPerSecond(fraction)
		tiers[i] = t
	}
	n.Tiers = tiers[:len(n.Tiers)]
	links := s.Links
	if links == nil {
		d := collective.DefaultLinkConstants()
		links = &d
	}
	var err error
	s.fabric, err = collective.NewFabric(&n, links, collective.Derate{NodeCap: e.InterCapGB * 1e9, RingOnly: e.RingOnly})
	return err
}
