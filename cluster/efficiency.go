package cluster

import (
	"fmt"
	"math"
)

// Efficiency is what a software stack reaches on a GPU: one constant set per
// (gpu, stack), fitted by [Fit] on published measurements.
type Efficiency struct {
	GPU   string `yaml:"gpu"`   // preset the set was fitted on
	Stack string `yaml:"stack"` // software: megatron-lm, megatron-deepspeed, ...

	// Matrix multiplication of M x K by K x N runs at
	// GEMMFraction x M/(M+GEMMHalfDim) x N/(N+GEMMHalfDim) x K/(K+GEMMHalfDepth)
	// of the peak.
	GEMMFraction      float64 `yaml:"gemm_fraction"`
	GEMMHalfDim       float64 `yaml:"gemm_half_dim"`
	GEMMHalfDepth     float64 `yaml:"gemm_half_depth"`
	AttentionFraction float64 `yaml:"attention_fraction"` // batched score and context products, fraction of the peak
	MemoryFraction    float64 `yaml:"memory_fraction"`    // element-wise kernels, fraction of the memory bandwidth

	LaunchUS      float64 `yaml:"launch_us"`          // host time per kernel, microseconds
	StepMS        float64 `yaml:"step_ms"`            // fixed host work per step, milliseconds
	SlotMS        float64 `yaml:"slot_ms"`            // fixed host work per micro-batch and stage, milliseconds
	OptimizerMult float64 `yaml:"optimizer_mult"`     // memory traffic of the optimizer against one fused pass
	DPOverlap     float64 `yaml:"dp_overlap"`         // part of the gradient traffic that may hide under the backward pass, 0 to 1
	ParamOverlap  float64 `yaml:"param_overlap"`      // same for gathered parameters (ZeRO-3) under forward and backward, 0 to 1
	TPOverlap     float64 `yaml:"tp_overlap"`         // same for tensor-parallel collectives, 0 to 1
	PPOverlap     float64 `yaml:"pp_overlap"`         // same for stage-to-stage messages, 0 to 1
	IntraFraction float64 `yaml:"intra_fraction"`     // links inside the node, fraction of their rate
	IntraUS       float64 `yaml:"intra_us"`           // latency per hop inside the node, microseconds
	InterFraction float64 `yaml:"inter_fraction"`     // links between nodes, fraction of their rate
	RailFraction  float64 `yaml:"rail_fraction"`      // part of the further inter-node links that a ring through several GPUs of a node uses, 0 to 1
	InterUS       float64 `yaml:"inter_us"`           // latency per hop between nodes, microseconds
	HalfKB        float64 `yaml:"half_message_kb"`    // message at which a link reaches half its rate, 1e3 bytes
	InterCapGB    float64 `yaml:"inter_cap_gb_per_s"` // most that the stack moves per node, 1e9 bytes/s; 0 means no limit

	Flash        bool `yaml:"flash_attention"` // fused attention: the score matrix never reaches memory
	FusedSoftmax bool `yaml:"fused_softmax"`   // Megatron's softmax kernel, which wants batch x heads / tp divisible by 4
	RingOnly     bool `yaml:"ring_only"`       // gradients never use a tree (NCCL before 2.5, large messages)
	SplitSend    bool `yaml:"split_send"`      // tensor-parallel ranks share a stage-to-stage message (SC21, section 4.1)

	Fitted string `yaml:"fitted"` // the command that fitted the set, and its rows
}

// Validate reports the first constant outside its range.
func (e *Efficiency) Validate() error {
	for _, d := range []struct {
		name           string
		value, lo, max float64
	}{
		{"gemm_fraction", e.GEMMFraction, 1e-3, 1}, {"gemm_half_dim", e.GEMMHalfDim, 0, 1e5},
		{"gemm_half_depth", e.GEMMHalfDepth, 0, 1e5}, {"attention_fraction", e.AttentionFraction, 1e-3, 1},
		{"memory_fraction", e.MemoryFraction, 1e-3, 1}, {"launch_us", e.LaunchUS, 0, 1e4},
		{"step_ms", e.StepMS, 0, 1e5}, {"slot_ms", e.SlotMS, 0, 1e4}, {"optimizer_mult", e.OptimizerMult, 0, 100},
		{"dp_overlap", e.DPOverlap, 0, 1}, {"param_overlap", e.ParamOverlap, 0, 1},
		{"tp_overlap", e.TPOverlap, 0, 1}, {"pp_overlap", e.PPOverlap, 0, 1},
		{"intra_fraction", e.IntraFraction, 1e-3, 2},
		{"intra_us", e.IntraUS, 0, 1e4}, {"inter_fraction", e.InterFraction, 1e-3, 1.5},
		{"inter_us", e.InterUS, 0, 1e5}, {"half_message_kb", e.HalfKB, 0, 1e6},
		{"inter_cap_gb_per_s", e.InterCapGB, 0, 1e6},
	} {
		if !(d.value >= d.lo && d.value <= d.max) || math.IsNaN(d.value) {
			return fmt.Errorf("efficiency %s/%s: %s is %v, want %v to %v", e.GPU, e.Stack, d.name, d.value, d.lo, d.max)
		}
	}
	return nil
}
