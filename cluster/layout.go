package cluster

import (
	"fmt"

	"vcsim/cluster/collective"
)

// Recompute says which activations of the forward pass are computed again in
// the backward pass instead of being kept.
type Recompute uint8

const (
	RecomputeNone      Recompute = iota // keep everything
	RecomputeSelective                  // recompute the attention core (arXiv 2205.05198, section 5)
	RecomputeFull                       // keep each block's input only
)

var recomputeNames = [...]string{"none", "selective", "full"}

func (r Recompute) String() string {
	if int(r) < len(recomputeNames) {
		return recomputeNames[r]
	}
	return fmt.Sprintf("Recompute(%d)", uint8(r))
}

// UnmarshalText accepts none, selective and full.
func (r *Recompute) UnmarshalText(text []byte) error {
	for i, n := range recomputeNames {
		if n == string(text) {
			*r = Recompute(i)
			return nil
		}
	}
	return fmt.Errorf("recompute %q, want none, selective or full", text)
}

// MarshalText is the inverse of UnmarshalText.
func (r Recompute) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// A Layout is how one training job is cut over GPUs. Ranks are numbered with
// tensor parallelism fastest, then context and data parallelism, then pipeline
// stages, as in Megatron-LM.
type Layout struct {
	DP               int       `json:"dp"`                // data-parallel replicas
	PP               int       `json:"pp"`                // pipeline stages
	TP               int       `json:"tp"`                // tensor-parallel ranks
	CP               int       `json:"cp"`                // context-parallel ranks, each with a part of every sequence; 0 means 1
	Microbatch       int       `json:"microbatch"`        // sequences per micro-batch and replica
	Interleave       int       `json:"interleave"`        // virtual stages per stage; 1 is plain 1F1B
	Recompute        Recompute `json:"recompute"`         // activations computed again
	SequenceParallel bool      `json:"sequence_parallel"` // norms and dropouts split over the TP ranks too
	ZeRO             int       `json:"zero"`              // 0 to 3: nothing, optimizer, gradients, parameters sharded over DP
	ZeROGroup        int       `json:"zero_group"`        // ranks the state is sharded over, replicated outside; 0 means all replicas
	EP               int       `json:"ep"`                // ranks a block's experts are spread over; 0 means 1
	ETP              int       `json:"etp"`               // tensor-parallel ranks of an expert; 0 means TP
	RecomputeLayers  int       `json:"recompute_layers"`  // blocks that recompute; 0 means all
	OffloadLayers    int       `json:"offload_layers"`    // blocks whose activations wait in the host's memory
	AsyncTP          bool      `json:"async_tp"`          // tensor-parallel collectives cut up and run beside their products
}

// GPUs is the number of accelerators of the layout.
func (l *Layout) GPUs() int { return l.DP * l.PP * l.TP * l.context() }

// context is the number of context-parallel ranks.
func (l *Layout) context() int { return max(1, l.CP) }

// experts is the number of ranks that share a block's experts, expertTensor
// the number that share one expert.
func (l *Layout) experts() int { return max(1, l.EP) }
func (l *Layout) expertTensor() int {
	if l.ETP > 0 {
		return l.ETP
	}
	return l.TP
}

// forwards is how often a block's forward collectives run for a micro-batch:
// once, and again where the whole block is recomputed.
func (l *Layout) forwards() int {
	if l.Recompute == RecomputeFull {
		return 2
	}
	return 1
}

// replicas is the number of ranks that hold the same weights, and shards the
// number that a ZeRO stage cuts its state over.
func (l *Layout) replicas() int { return l.DP * l.context() }
func (l *Layout) shards() int {
	if l.ZeROGroup > 0 {
		return l.ZeROGroup
	}
	return l.replicas()
}

// replicaGroup is the ranks that hold the same weights, stageGroup one of each
// stage.
func (l *Layout) replicaGroup() collective.Group {
	return collective.Group{N: l.replicas(), Stride: l.TP}
}
func (l *Layout) stageGroup() collective.Group {
	return collective.Group{N: l.PP, Stride: l.TP * l.replicas()}
}

// String is the form that the command line reads, such as
// "dp4,pp2,tp1,mb1,v1,full".
func (l Layout) String() string {
	s := fmt.Sprintf("dp%d,pp%d,tp%d", l.DP, l.PP, l.TP)
	if l.context() > 1 {
		s += fmt.Sprintf(",cp%d", l.CP)
	}
	s += fmt.Sprintf(",mb%d,v%d,%s", l.Microbatch, l.Interleave, l.Recompute)
	if l.SequenceParallel {
		s += ",sp"
	}
	if l.ZeRO > 0 {
		s += fmt.Sprintf(",zero%d", l.ZeRO)
	}
	for _, p := range []struct {
		name  string
		value int
	}{{"zg", l.ZeROGroup}, {"ep", l.EP}, {"etp", l.ETP}, {"rl", l.RecomputeLayers}, {"ol", l.OffloadLayers}} {
		if p.value > 0 {
			s += fmt.Sprintf(",%s%d", p.name, p.value)
		}
	}
	if l.AsyncTP {
		s += ",async"
	}
	return s
}

// MaxGPUs is the most that a layout may have.
const MaxGPUs = 1 << 24

// A LayoutError says why a layout cannot run a job: it is a statement about
// the job, not a failure of the model.
type LayoutError struct{ Reason string }

func (e *LayoutError) Error() string { return e.Reason }

func layoutErrorf(format string, args ...any) error {
	return &LayoutError{fmt.Sprintf(format, args...)}
}

// check reports why the layout does not fit the job's divisibility rules.
func (l *Layout) check(m *Model, seq, globalBatch int) error {
	if l.DP < 1 || l.PP < 1 || l.TP < 1 || l.CP < 0 || l.Microbatch < 1 || l.Interleave < 1 {
		return layoutErrorf("layout %s: every factor must be at least 1", l)
	}
	for _, n := range [...]int{l.DP, l.PP, l.TP, l.CP, l.Microbatch, l.Interleave, l.EP, l.ETP} {
		if n > MaxGPUs {
			return layoutErrorf("layout %s: no factor may be above %d", l, MaxGPUs)
		}
	}
	if n := float64(l.DP) * float64(l.PP) * float64(l.TP) * float64(l.context()); n > MaxGPUs {
		return layoutErrorf("layout %s: %.0f GPUs, want at most %d", l, n, MaxGPUs)
	}
	if int(l.Recompute) >= len(recomputeNames) {
		return layoutErrorf("layout %s: want none, selective or full to be computed again", l)
	}
	if l.ZeRO < 0 || l.ZeRO > 3 {
		return layoutErrorf("ZeRO stage %d, want 0 to 3", l.ZeRO)
	}
	if globalBatch%(l.DP*l.Microbatch) != 0 {
		return layoutErrorf("global batch %d is not a multiple of dp %d x micro-batch %d", globalBatch, l.DP, l.Microbatch)
	}
	if seq%l.context() != 0 {
		return layoutErrorf("cp %d does not divide a sequence of %d", l.CP, seq)
	}
	if m.Heads%l.TP != 0 {
		return layoutErrorf("tp %d does not divide %d heads", l.TP, m.Heads)
	}
	if n := l.PP * l.Interleave; n > m.Layers && (l.Interleave == 1 || n != m.Layers+2) {
		return layoutErrorf("pp %d x interleave %d exceeds %d layers", l.PP, l.Interleave, m.Layers)
	}
	if l.Interleave > 1 && l.PP < 2 {
		return layoutErrorf("interleave %d needs at least 2 stages", l.Interleave)
	}
	if l.Interleave > 1 && globalBatch/(l.DP*l.Microbatch)%l.PP != 0 {
		return layoutErrorf("interleave %d: the number of micro-batches is not a multiple of pp %d", l.Interleave, l.PP)
	}
	if n := l.ZeROGroup; n < 0 || n > 0 && l.replicas()%n != 0 {
		return layoutErrorf("zero_group %d does not divide %d replicas", n, l.replicas())
	}
	if l.RecomputeLayers < 0 || l.OffloadLayers < 0 || l.RecomputeLayers > m.Layers || l.OffloadLayers > m.Layers {
		return layoutErrorf("recompute_layers %d and offload_layers %d want 0 to %d", l.RecomputeLayers, l.OffloadLayers, m.Layers)
	}
	if err := l.checkExperts(m); err != nil {
		return err
	}
	return nil
}

// checkExperts reports why the experts cannot be spread that way.
func (l *Layout) checkExperts(m *Model) error {
	if l.EP < 0 || l.ETP < 0 {
		return layoutErrorf("layout %s: every factor must be at least 1", l)
	}
	ep, etp := l.experts(), l.expertTensor()
	switch {
	case m.Experts == 0:
		if ep > 1 || l.ETP > 0 {
			return layoutErrorf("ep %d, etp %d: the model has no experts", l.EP, l.ETP)
		}
	case m.Experts%ep != 0:
		return layoutErrorf("ep %d does not divide %d experts", ep, m.Experts)
	case l.TP*l.replicas()%(ep*etp) != 0:
		return layoutErrorf("ep %d x etp %d does not divide tp %d x dp %d x cp %d ranks", ep, etp, l.TP, l.DP, l.context())
	}
	return nil
}
