package cluster

import "fmt"

// Efficiency is what a software stack reaches on a GPU: one constant set per
// (gpu, stack), fitted by [Fit] on published measurements. The range and the
// scope of every number stand in one table, [Table].
type Efficiency struct {
	GPU   string `yaml:"gpu"`   // preset the set was fitted on
	Stack string `yaml:"stack"` // software: megatron-lm, megatron-deepspeed, ...
	// Architecture ties the kernel constants of all sets that name it: they
	// are fitted together. Empty: the set stands alone.
	Architecture string `yaml:"architecture"`

	// Matrix multiplication of M x K by K x N runs at
	// GEMMFraction x M/(M+GEMMHalfDim) x N/(N+GEMMHalfDim) x K/(K+GEMMHalfDepth)
	// of the peak. The depth is that of 16-bit inputs: it stands for writing
	// the result, which lower precision does not shorten.
	GEMMFraction      float64 `yaml:"gemm_fraction"`
	GEMMHalfDim       float64 `yaml:"gemm_half_dim"`
	GEMMHalfDepth     float64 `yaml:"gemm_half_depth"`
	AttentionFraction float64 `yaml:"attention_fraction"` // score and context products, fraction of the 16-bit peak
	MemoryFraction    float64 `yaml:"memory_fraction"`    // element-wise kernels, fraction of the memory bandwidth
	// Energy of a FLOP of a matrix product by width of its inputs, the share
	// of memory and caches included. The board's power divided by it bounds
	// the rate; 0 bounds nothing.
	PJ16 float64 `yaml:"pj_per_flop_16"`
	PJ8  float64 `yaml:"pj_per_flop_8"`
	PJ4  float64 `yaml:"pj_per_flop_4"`

	GapUS         float64 `yaml:"gap_us"`             // the GPU's own time from a kernel to the next, microseconds
	Traffic       float64 `yaml:"traffic_mult"`       // element-wise memory traffic against the counted bytes; 0 means 1
	AttentionMult float64 `yaml:"attention_mult"`     // the stack's attention kernels against the architecture's best, 0 to 1; 0 means 1
	ExpertMult    float64 `yaml:"expert_mult"`        // rate of the experts' grouped products against one product of that size, 0 to 1; 0 means 1
	RoutedMult    float64 `yaml:"routed_mult"`        // memory traffic of sorting tokens to experts and back against the counted bytes; 0 means 1
	Jitter        float64 `yaml:"jitter_percent"`     // spread of a rank's step: a step waits for the slowest of all, percent
	LaunchUS      float64 `yaml:"launch_us"`          // host time per kernel, microseconds
	SkewUS        float64 `yaml:"skew_us"`            // spread of the times at which tensor-parallel ranks reach a collective, microseconds: it starts with the slowest of them
	StepMS        float64 `yaml:"step_ms"`            // fixed host work per step, milliseconds
	SlotMS        float64 `yaml:"slot_ms"`            // fixed host work per micro-batch and virtual stage, milliseconds
	OptimizerMult float64 `yaml:"optimizer_mult"`     // memory traffic of the optimizer against one fused pass
	DPOverlap     float64 `yaml:"dp_overlap"`         // part of the gradient traffic that may hide under the backward pass, 0 to 1
	ParamOverlap  float64 `yaml:"param_overlap"`      // same for gathered parameters under forward and backward, 0 to 1
	TPOverlap     float64 `yaml:"tp_overlap"`         // same for tensor-parallel collectives under the products beside them, 0 to 1
	AsyncTP       float64 `yaml:"async_tp_overlap"`   // same where the layout asks for asynchronous TP; 0 means tp_overlap
	PPOverlap     float64 `yaml:"pp_overlap"`         // same for stage-to-stage messages under a slot's compute, 0 to 1
	CPOverlap     float64 `yaml:"cp_overlap"`         // same for keys and values on the context ring under the attention core, 0 to 1
	EPOverlap     float64 `yaml:"ep_overlap"`         // same for expert all-to-alls under the block's compute, 0 to 1
	IntraFraction float64 `yaml:"intra_fraction"`     // links inside the node: what the stack reaches of a benchmark at the rate that its measurements name
	InterFraction float64 `yaml:"inter_fraction"`     // links between nodes, likewise
	InterCapGB    float64 `yaml:"inter_cap_gb_per_s"` // most that the stack moves per node, 1e9 bytes/s; 0 means no limit
	Bucket        float64 `yaml:"bucket_mparams"`     // parameters in one data-parallel collective, 1e6; 0 means all in one

	GradBytes    int  `yaml:"grad_bytes"`      // width of a gradient on the wire: 2 or 4 bytes; 0 means 2
	Flash        bool `yaml:"flash_attention"` // fused attention: the score matrix never reaches memory
	FusedSoftmax bool `yaml:"fused_softmax"`   // Megatron's softmax kernel, which wants batch x heads / tp divisible by 4
	FusedGrad    bool `yaml:"fused_gradients"` // weight-gradient products add to the 32-bit sum themselves
	SelectiveOps bool `yaml:"selective_ops"`   // selective recomputation repeats every second product and the element-wise work, not the attention core (torchtitan's selective_ac_option op)
	EarlyStop    bool `yaml:"early_stop"`      // a dense block recomputed in full stops at its last input: the product that ends it and its collective are not repeated (PyTorch's set_checkpoint_early_stop; XLA drops what nothing reads)
	StageBatches bool `yaml:"stage_batches"`   // a batch is cut into as many micro-batches as there are stages where nothing else is said
	FusedLoss    bool `yaml:"fused_loss"`      // the loss reads and writes 16-bit logits in place
	Deduplicated bool `yaml:"deduplicated"`    // tokens cross to a node and to a rank once, whatever number of its experts they chose (DeepEP, HybridEP)
	RingOnly     bool `yaml:"ring_only"`       // gradients never use a tree (NCCL before 2.5, large messages)
	SplitSend    bool `yaml:"split_send"`      // tensor-parallel ranks share a stage-to-stage message (SC21, section 4.1)

	Fitted string `yaml:"fitted"` // the command that fitted the set, and its rows
}

// A Scope says which sets share a constant when sets of one architecture are
// fitted together.
type Scope uint8

const (
	ScopeKernel  Scope = iota // of the architecture: every set that names it
	ScopeStack                // of the software: every set of the stack
	ScopeMachine              // of the machines it was measured on, their hosts and fabric: the set alone
)

// A Constant is one row of [Table].
type Constant struct {
	Name     string // its YAML key
	Scope    Scope
	Min, Max float64 // the range [Efficiency.Validate] accepts
	Bounded  bool    // Max is physical (a fraction cannot exceed it): a fit stays below it
	at       func(*Efficiency) *float64
}

// Table lists every number of an [Efficiency], in the order of its fields.
var Table = []Constant{
	{"gemm_fraction", ScopeKernel, 1e-3, 1, true, func(e *Efficiency) *float64 { return &e.GEMMFraction }},
	{"gemm_half_dim", ScopeKernel, 0, 1e5, false, func(e *Efficiency) *float64 { return &e.GEMMHalfDim }},
	{"gemm_half_depth", ScopeKernel, 0, 1e5, false, func(e *Efficiency) *float64 { return &e.GEMMHalfDepth }},
	{"attention_fraction", ScopeKernel, 1e-3, 1, true, func(e *Efficiency) *float64 { return &e.AttentionFraction }},
	{"memory_fraction", ScopeKernel, 1e-3, 1, true, func(e *Efficiency) *float64 { return &e.MemoryFraction }},
	{"pj_per_flop_16", ScopeKernel, 0, 100, false, func(e *Efficiency) *float64 { return &e.PJ16 }},
	{"pj_per_flop_8", ScopeKernel, 0, 100, false, func(e *Efficiency) *float64 { return &e.PJ8 }},
	{"pj_per_flop_4", ScopeKernel, 0, 100, false, func(e *Efficiency) *float64 { return &e.PJ4 }},
	{"gap_us", ScopeKernel, 0, 1e3, false, func(e *Efficiency) *float64 { return &e.GapUS }},
	{"traffic_mult", ScopeStack, 0, 10, true, func(e *Efficiency) *float64 { return &e.Traffic }},
	{"attention_mult", ScopeStack, 0, 1, true, func(e *Efficiency) *float64 { return &e.AttentionMult }},
	{"expert_mult", ScopeStack, 0, 1, true, func(e *Efficiency) *float64 { return &e.ExpertMult }},
	{"routed_mult", ScopeStack, 0, 100, false, func(e *Efficiency) *float64 { return &e.RoutedMult }},
	{"jitter_percent", ScopeStack, 0, 100, false, func(e *Efficiency) *float64 { return &e.Jitter }},
	{"launch_us", ScopeMachine, 0, 1e4, false, func(e *Efficiency) *float64 { return &e.LaunchUS }},
	{"skew_us", ScopeStack, 0, 1e3, false, func(e *Efficiency) *float64 { return &e.SkewUS }},
	{"step_ms", ScopeStack, 0, 1e5, false, func(e *Efficiency) *float64 { return &e.StepMS }},
	{"slot_ms", ScopeStack, 0, 1e4, false, func(e *Efficiency) *float64 { return &e.SlotMS }},
	{"optimizer_mult", ScopeStack, 0, 100, false, func(e *Efficiency) *float64 { return &e.OptimizerMult }},
	{"dp_overlap", ScopeStack, 0, 1, true, func(e *Efficiency) *float64 { return &e.DPOverlap }},
	{"param_overlap", ScopeStack, 0, 1, true, func(e *Efficiency) *float64 { return &e.ParamOverlap }},
	{"tp_overlap", ScopeStack, 0, 1, true, func(e *Efficiency) *float64 { return &e.TPOverlap }},
	{"async_tp_overlap", ScopeStack, 0, 1, true, func(e *Efficiency) *float64 { return &e.AsyncTP }},
	{"pp_overlap", ScopeStack, 0, 1, true, func(e *Efficiency) *float64 { return &e.PPOverlap }},
	{"cp_overlap", ScopeStack, 0, 1, true, func(e *Efficiency) *float64 { return &e.CPOverlap }},
	{"ep_overlap", ScopeStack, 0, 1, true, func(e *Efficiency) *float64 { return &e.EPOverlap }},
	{"intra_fraction", ScopeMachine, 1e-3, 2, true, func(e *Efficiency) *float64 { return &e.IntraFraction }},
	{"inter_fraction", ScopeMachine, 1e-3, 1.5, true, func(e *Efficiency) *float64 { return &e.InterFraction }},
	{"inter_cap_gb_per_s", ScopeMachine, 0, 1e6, false, func(e *Efficiency) *float64 { return &e.InterCapGB }},
	{"bucket_mparams", ScopeStack, 0, 1e6, false, func(e *Efficiency) *float64 { return &e.Bucket }},
}

// Value is the constant's value in a set.
func (c *Constant) Value(e *Efficiency) float64 { return *c.at(e) }

// constant finds a row of [Table], nil if there is none.
func constant(name string) *Constant {
	for i := range Table {
		if Table[i].Name == name {
			return &Table[i]
		}
	}
	return nil
}

// Validate reports the first constant outside its range.
func (e *Efficiency) Validate() error {
	for i := range Table {
		c := &Table[i]
		v := *c.at(e)
		if !(v >= c.Min && v <= c.Max) {
			return fmt.Errorf("efficiency %s/%s: %s is %v, want %v to %v", e.GPU, e.Stack, c.Name, v, c.Min, c.Max)
		}
		if v != 0 && v < leastFigure {
			return fmt.Errorf("efficiency %s/%s: %s is %v, want 0 or at least %v", e.GPU, e.Stack, c.Name, v, leastFigure)
		}
	}
	if e.GradBytes != 0 && e.GradBytes != 2 && e.GradBytes != 4 {
		return fmt.Errorf("efficiency %s/%s: grad_bytes is %d, want 2 or 4", e.GPU, e.Stack, e.GradBytes)
	}
	return nil
}

// gradBytes is the width of a gradient on the wire in bytes.
func (e *Efficiency) gradBytes() float64 {
	if e.GradBytes == 0 {
		return 2
	}
	return float64(e.GradBytes)
}

// Transfer makes a set for a GPU and a stack that were not measured together:
// what the kernels reach is the GPU's architecture's, taken from kernels, and
// the rest is the stack's.
func (e Efficiency) Transfer(kernels *Efficiency) Efficiency {
	for i := range Table {
		if c := &Table[i]; c.Scope == ScopeKernel {
			*c.at(&e) = *c.at(kernels)
		}
	}
	e.GPU, e.Architecture = kernels.GPU, kernels.Architecture
	return e
}
