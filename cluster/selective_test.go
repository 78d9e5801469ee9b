package cluster

import "testing"

// Every second of Q, K, V, output, gate, up and down: K, output and up.
func TestSecondProducts(t *testing.T) {
	// llamaTiny: hidden 32, queries 48, keys 12, 96 inside, gated.
	if got, want := llamaTiny.secondProducts(), (12+48+96)/float64(2*48+2*12+3*96); !near(got, want, 1e-12) {
		t.Errorf("gated: %v, want %v", got, want)
	}
	// gptTiny: Q, K, V and output 32 wide, up and down 128: K, output and down.
	if got, want := gptTiny.secondProducts(), (32+32+128)/float64(4*32+2*128); !near(got, want, 1e-12) {
		t.Errorf("plain: %v, want %v", got, want)
	}
	if got := moeTiny.secondProducts(); got != 0.5 {
		t.Errorf("experts: %v, want a half", got)
	}
	s := evaluate(t, unitJob(llamaTiny))
	l := Layout{DP: 2, PP: 1, TP: 2, Microbatch: 2, Interleave: 1, Recompute: RecomputeSelective, SequenceParallel: true}
	core := s.block(&l, false)
	s.Eff.SelectiveOps = true
	got := s.block(&l, false)
	if want := (pass{gemm: got.fwd.gemm * llamaTiny.secondProducts(), mem: got.fwd.mem, launch: kernelsForward}); got.again != want {
		t.Errorf("again %+v, want %+v", got.again, want)
	}
	if core.again.core != core.fwd.core || core.again.gemm != 0 {
		t.Errorf("the attention core again: %+v", core.again)
	}
	if core.fwd != got.fwd || core.bwd != got.bwd {
		t.Error("what is computed again changes the passes themselves")
	}
}

// Each of a stage's virtual stages is a call of the host's own.
func TestHostOfVirtualStages(t *testing.T) {
	j := unitJob(gptTiny)
	one := Layout{DP: 2, PP: 2, TP: 1, Microbatch: 1, Interleave: 1}
	two := one
	two.Interleave = 2
	for _, l := range []Layout{one, two} {
		j.Eff.SlotMS = 0
		without, err := evaluate(t, j).Step(l)
		if err != nil {
			t.Fatal(err)
		}
		j.Eff.SlotMS = 7
		with, err := evaluate(t, j).Step(l)
		if err != nil {
			t.Fatal(err)
		}
		v := float64(l.Interleave)
		if got, want := with.Host-without.Host, 12*v*0.007; !near(got, want, 1e-9) {
			t.Errorf("%v: %v s of host, want %v", l, got, want)
		}
		if got, want := with.Bubble-without.Bubble, 0.007; !near(got, want, 1e-9) {
			t.Errorf("%v: %v s of bubble, want %v", l, got, want)
		}
	}
}
