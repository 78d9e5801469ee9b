package cluster

import "fmt"

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
}

// GPUs is the number of accelerators of the layout.
func (l *Layout) GPUs() int { return l.DP * l.PP * l.TP * l.context() }

// context is the number of context-parallel ranks.
func (l *Layout) context() int { return max(1, l.CP) }

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
	return s
}

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
	if l.PP*l.Interleave > m.Layers {
		return layoutErrorf("pp %d x interleave %d exceeds %d layers", l.PP, l.Interleave, m.Layers)
	}
	if l.Interleave > 1 {
		if l.PP < 2 {
			return layoutErrorf("interleave %d needs at least 2 stages", l.Interleave)
		}
		if m.Layers%(l.PP*l.Interleave) != 0 {
			return layoutErrorf("interleave %d: %d layers do not divide into %d chunks", l.Interleave, m.Layers, l.PP*l.Interleave)
		}
		if globalBatch/(l.DP*l.Microbatch)%l.PP != 0 {
			return layoutErrorf("interleave %d: the number of micro-batches is not a multiple of pp %d", l.Interleave, l.PP)
		}
	}
	if l.ZeRO == 3 && l.PP > 1 {
		return layoutErrorf("ZeRO 3 shards parameters over dp and does not combine with pp %d", l.PP)
	}
	return nil
}
