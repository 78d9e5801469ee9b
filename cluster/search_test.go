package cluster

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Every layout of a space, by trying all numbers.
func everyLayout(s *System, sp *Space) map[Layout]bool {
	all := map[Layout]bool{}
	fixed := func(v, want int) bool { return want == 0 || v == want }
	upTo := func(n, standard int) int {
		if n == 0 {
			return standard
		}
		return n
	}
	cp := max(1, sp.CP)
	for tp := 1; tp <= sp.GPUs; tp++ {
		for pp := 1; pp <= sp.GPUs; pp++ {
			for dp := 1; dp <= sp.GPUs; dp++ {
				if tp*pp*dp*cp != sp.GPUs || !fixed(tp, sp.TP) || !fixed(pp, sp.PP) || !fixed(dp, sp.DP) {
					continue
				}
				replica := max(1, s.GlobalBatch/dp)
				for mb := 1; mb <= 64; mb++ {
					if sp.Microbatch > 0 && mb != sp.Microbatch || sp.Microbatch == 0 && (replica%mb != 0 || mb > upTo(sp.MaxMicrobatch, 16)) {
						continue
					}
					for v := 1; v <= 64; v++ {
						open := v == 1
						switch {
						case sp.Interleave > 0:
							open = v == sp.Interleave
						case pp > 1 && s.Model.Layers%pp == 0:
							open = s.Model.Layers/pp%v == 0
						case pp > 1 && (s.Model.Layers+2)%pp == 0:
							open = (s.Model.Layers+2)/pp%v == 0
						}
						if !open || sp.Interleave == 0 && v > upTo(sp.MaxInterleave, 8) {
							continue
						}
						for r := RecomputeNone; r <= RecomputeFull; r++ {
							for z := range 4 {
								switch {
								case sp.Recompute != nil && r != *sp.Recompute,
									sp.ZeRO != nil && z != *sp.ZeRO,
									sp.ZeRO == nil && dp*cp == 1 && z > 0,
									sp.ZeRO == nil && pp > 1 && z > 2:
									continue
								}
								l := sp.Rest
								l.DP, l.PP, l.TP, l.CP, l.Microbatch, l.Interleave, l.Recompute, l.ZeRO = dp, pp, tp, cp, mb, v, r, z
								l.SequenceParallel = tp > 1 && (sp.SequenceParallel == nil || *sp.SequenceParallel)
								all[l] = true
							}
						}
					}
				}
			}
		}
	}
	return all
}

// A search tries what the space holds, each once, takes the fastest that fits,
// and says why the others do not.
func TestSearchIsExhaustive(t *testing.T) {
	yes, no, full, two := true, false, RecomputeFull, 2
	for _, c := range []struct {
		name string
		sp   Space
		edit func(*Job)
	}{
		{"one GPU", Space{GPUs: 1}, nil},
		{"eight", Space{GPUs: 8}, nil},
		{"twelve", Space{GPUs: 12}, nil},
		{"three tensor ranks", Space{GPUs: 6, TP: 3}, nil},
		{"context", Space{GPUs: 16, CP: 2}, nil},
		{"one replica of two ranks", Space{GPUs: 8, CP: 2, DP: 1}, nil},
		{"not a multiple", Space{GPUs: 9, CP: 2}, nil},
		{"stages", Space{GPUs: 8, PP: 2}, nil},
		{"three stages", Space{GPUs: 3, PP: 3}, nil},
		{"embedding and loss", Space{GPUs: 6, PP: 3, MaxInterleave: 4}, func(j *Job) { j.Model.Layers = 7 }},
		{"many blocks", Space{GPUs: 2, PP: 2}, func(j *Job) { j.Model.Layers = 36 }},
		{"at most four", Space{GPUs: 2, PP: 2, MaxInterleave: 4}, func(j *Job) { j.Model.Layers = 40 }},
		{"interleave", Space{GPUs: 4, PP: 2, Interleave: 2}, nil},
		{"replicas", Space{GPUs: 8, DP: 4}, nil},
		{"more replicas than sequences", Space{GPUs: 32, DP: 32}, nil},
		{"micro-batch", Space{GPUs: 4, Microbatch: 3}, nil},
		{"odd micro-batch", Space{GPUs: 4, Microbatch: 5}, nil},
		{"large micro-batches", Space{GPUs: 2, MaxMicrobatch: 48}, func(j *Job) { j.GlobalBatch = 192 }},
		{"usual micro-batches", Space{GPUs: 2}, func(j *Job) { j.GlobalBatch = 34 * 16 }},
		{"held", Space{GPUs: 8, Recompute: &full, ZeRO: &two, SequenceParallel: &no}, nil},
		{"sequence", Space{GPUs: 8, SequenceParallel: &yes, AnyMemory: true}, nil},
		{"rest", Space{GPUs: 4, Rest: Layout{OffloadLayers: 1}}, nil},
		{"no room", Space{GPUs: 4}, func(j *Job) { j.GPU.MemGB = 1 }},
		{"little room", Space{GPUs: 4}, func(j *Job) { j.GPU.MemGB = 1.002 }},
		{"any room", Space{GPUs: 4, AnyMemory: true}, func(j *Job) { j.GPU.MemGB = 1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := unitJob(llamaTiny)
			if c.edit != nil {
				c.edit(&j)
			}
			s, err := NewSystem(j)
			if err != nil {
				t.Fatal(err)
			}
			left := everyLayout(s, &c.sp)
			var want Found
			var last error
			found, err := s.Search(&c.sp, func(st *Step, reason error) {
				l := st.Layout
				if !left[l] {
					t.Fatalf("%+v is not in the space, or was there before", l)
				}
				delete(left, l)
				want.Points++
				alone, refused := s.Step(l)
				switch {
				case refused != nil:
					want.Refused++
					last = refused
					var le *LayoutError
					if !errors.As(reason, &le) || reason.Error() != refused.Error() || *st != (Step{Layout: l}) {
						t.Errorf("%v: %v, want %v and no step", l, reason, refused)
					}
					return
				case !c.sp.AnyMemory && alone.Memory.Total() > s.GPU.MemGB*1e9:
					want.TooBig++
					if reason == nil || reason.Error() != fmt.Sprintf("needs %.1f GB of %.0f GB", alone.Memory.Total()/1e9, s.GPU.MemGB) {
						t.Errorf("%v: %v", l, reason)
					}
					if want.Closest.Time == 0 || alone.Memory.Total() < want.Closest.Memory.Total() {
						want.Closest = alone
					}
				default:
					want.Feasible++
					if reason != nil {
						t.Errorf("%v: %v", l, reason)
					}
					if want.Best.Time == 0 || alone.Time < want.Best.Time {
						want.Best = alone
					}
				}
				if *st != alone {
					t.Errorf("%v: %+v, by itself %+v", l, *st, alone)
				}
			})
			if found != want {
				t.Errorf("found %+v, want %+v", found, want)
			}
			for l := range left {
				t.Errorf("%+v was not tried", l)
			}
			text := ""
			switch {
			case want.Feasible > 0:
			case want.Points == 0:
				text = fmt.Sprintf("no layout of %d GPUs has the factors asked for", c.sp.GPUs)
			case want.TooBig > 0:
				text = fmt.Sprintf("no layout fits: of %d points %d need more than %.0f GB a GPU and %d cannot be cut; the smallest, %s, needs %.1f GB",
					want.Points, want.TooBig, s.GPU.MemGB, want.Refused, want.Closest.Layout, want.Closest.Memory.Total()/1e9)
			default:
				text = fmt.Sprintf("no layout can be cut: %v", last)
			}
			var ie *InfeasibleError
			if text == "" && err != nil || text != "" && (!errors.As(err, &ie) || err.Error() != text) {
				t.Errorf("%v, want %q", err, text)
			}
			if text == "" {
				silent, err := s.Search(&c.sp, nil)
				if err != nil || silent != found {
					t.Errorf("without a visitor: %+v, %v", silent, err)
				}
			}
		})
	}
	if got := factors(12, 0); fmt.Sprint(got) != "[1 2 3 4 6 12]" {
		t.Errorf("divisors of 12: %v", got)
	}
	if factors(12, 5) != nil || fmt.Sprint(factors(12, 4)) != "[4]" || fmt.Sprint(factors(1, 1)) != "[1]" {
		t.Error("one divisor")
	}
	s := evaluate(t, unitJob(llamaTiny))
	st := Step{Memory: Memory{Activations: s.GPU.MemGB * 1e9}}
	if !s.Fits(&st) {
		t.Error("a full GPU is not too full")
	}
	var r Recompute
	if r.UnmarshalText([]byte("full")) != nil || r != RecomputeFull || r.UnmarshalText([]byte("some")) == nil || !strings.Contains(Recompute(3).String(), "3") {
		t.Errorf("names of recomputation: %v", r)
	}
	var b Bypass
	if b.UnmarshalText([]byte("never")) != nil || b != BypassNever || b.UnmarshalText([]byte("often")) == nil || Bypass(3).String() != "Bypass(3)" || BypassAlways.String() != "always" {
		t.Errorf("names of bypasses: %v", b)
	}
	if Precision(4).String() != "Precision(4)" || NVFP4.String() != "nvfp4" {
		t.Error("names of precisions")
	}
}
