package cluster

import (
	"fmt"
	"slices"
)

// A Space is the set of layouts a search covers. A zero or empty field is
// open; anything else holds the search to that value.
type Space struct {
	GPUs             int // DP x PP x TP x CP
	DP, PP, TP       int
	CP               int // context-parallel ranks; 0 means 1, not searched
	Microbatch       int
	MaxMicrobatch    int // of an open micro-batch; 0 means 16
	Interleave       int
	MaxInterleave    int // of an open interleave; 0 means 8
	Recompute        *Recompute
	SequenceParallel *bool // open: on wherever TP > 1
	ZeRO             *int
	Rest             Layout // its fields that are not searched: EP, ETP, ZeRO group, ...
	AnyMemory        bool   // layouts that do not fit count too
}

// A Found is what a search returns: the fastest layout that fits, and how the
// points were spent.
type Found struct {
	Best     Step
	Points   int  // evaluated or refused
	Feasible int  // fit in memory
	Refused  int  // cannot be cut that way
	TooBig   int  // do not fit in memory
	Closest  Step // of those too big, the one that needs least memory
}

// An InfeasibleError says that no layout of a space can run.
type InfeasibleError struct {
	Reason string
}

func (e *InfeasibleError) Error() string { return e.Reason }

// Search evaluates every layout of the space and returns the fastest that
// fits. visit, where not nil, is shown every point: its step, and the reason
// why it is not feasible or nil. The error is an *InfeasibleError when nothing
// fits.
func (s *System) Search(sp *Space, visit func(*Step, error)) (Found, error) {
	var f Found
	var st Step
	ev := s.evaluation()
	var lastReason error
	try := func(l *Layout) {
		f.Points++
		err := ev.step(&st, l)
		if err != nil {
			st = Step{Layout: *l}
			f.Refused++
			lastReason = err
		} else if !sp.AnyMemory && !s.Fits(&st) {
			f.TooBig++
			if f.Closest.Time == 0 || st.Memory.Total() < f.Closest.Memory.Total() {
				f.Closest = st
			}
			if visit != nil {
				err = layoutErrorf("needs %.1f GB of %.0f GB", st.Memory.Total()/1e9, s.GPU.MemGB)
			}
		} else {
			f.Feasible++
			if f.Best.Time == 0 || st.Time < f.Best.Time {
				f.Best = st
			}
		}
		if visit != nil {
			visit(&st, err)
		}
	}
	cp := max(1, sp.CP)
	ranks := sp.GPUs / cp
	if sp.GPUs%cp != 0 {
		ranks = 0
	}
	for _, tp := range factors(ranks, sp.TP) {
		for _, pp := range factors(ranks/tp, sp.PP) {
			dp := ranks / tp / pp
			if sp.DP > 0 && dp != sp.DP {
				continue
			}
			s.cuts(sp, dp, pp, tp, try)
		}
	}
	if f.Feasible == 0 {
		return f, &InfeasibleError{s.whyNot(sp, &f, lastReason)}
	}
	return f, nil
}

// cuts tries every micro-batch, interleave, recomputation and sharding of one
// DP x PP x TP.
func (s *System) cuts(sp *Space, dp, pp, tp int, try func(*Layout)) {
	perReplica := max(1, s.GlobalBatch/dp)
	micro := factors(perReplica, sp.Microbatch)
	if sp.Microbatch > 0 {
		micro = []int{sp.Microbatch}
	}
	chunks := []int{1}
	switch {
	case sp.Interleave > 0:
		chunks = []int{sp.Interleave}
	case pp > 1 && s.Model.Layers%pp == 0:
		chunks = factors(s.Model.Layers/pp, 0)
	case pp > 1 && (s.Model.Layers+2)%pp == 0: // embedding and loss take a block's place each
		chunks = factors((s.Model.Layers+2)/pp, 0)
	}
	recomputes := []Recompute{RecomputeNone, RecomputeSelective, RecomputeFull}
	if sp.Recompute != nil {
		recomputes = []Recompute{*sp.Recompute}
	}
	cp := max(1, sp.CP)
	zeros := []int{0, 1, 2, 3}
	switch {
	case sp.ZeRO != nil:
		zeros = []int{*sp.ZeRO}
	case dp*max(1, sp.CP) == 1:
		zeros = zeros[:1]
	case pp > 1:
		zeros = zeros[:3]
	}
	sequence := tp > 1
	if sp.SequenceParallel != nil {
		sequence = *sp.SequenceParallel && tp > 1
	}
	for _, mb := range micro {
		if sp.Microbatch == 0 && mb > orDefault(sp.MaxMicrobatch, 16) {
			break
		}
		for _, v := range chunks {
			if sp.Interleave == 0 && v > orDefault(sp.MaxInterleave, 8) {
				break
			}
			for _, r := range recomputes {
				for _, z := range zeros {
					l := sp.Rest
					l.DP, l.PP, l.TP, l.CP, l.Microbatch, l.Interleave = dp, pp, tp, cp, mb, v
					l.Recompute, l.SequenceParallel, l.ZeRO = r, sequence, z
					try(&l)
				}
			}
		}
	}
}

func (s *System) whyNot(sp *Space, f *Found, last error) string {
	switch {
	case f.Points == 0:
		return fmt.Sprintf("no layout of %d GPUs has the factors asked for", sp.GPUs)
	case f.TooBig > 0:
		c := &f.Closest
		return fmt.Sprintf("no layout fits: of %d points %d need more than %.0f GB a GPU and %d cannot be cut; the smallest, %s, needs %.1f GB",
			f.Points, f.TooBig, s.GPU.MemGB, f.Refused, c.Layout, c.Memory.Total()/1e9)
	}
	return fmt.Sprintf("no layout can be cut: %v", last)
}

func orDefault(v, d int) int {
	if v > 0 {
		return v
	}
	return d
}

// factors lists the divisors of n in rising order, or just only if it is set
// and divides n.
func factors(n, only int) []int {
	if only > 0 {
		if n%only != 0 {
			return nil
		}
		return []int{only}
	}
	var out []int
	for d := 1; d*d <= n; d++ {
		if n%d == 0 {
			out = append(out, d)
			if d*d != n {
				out = append(out, n/d)
			}
		}
	}
	slices.Sort(out)
	return out
}
