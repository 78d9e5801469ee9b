package study

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vcsim/cluster"
	"vcsim/cluster/collective"
	"vcsim/internal/codecpoint"
	"vcsim/internal/jobtest"
	"vcsim/internal/presets"
)

// setting is LLaMA-2-7B on 16 A100 in nodes of 4, at some Gbps and with some codecs.
func setting(t *testing.T, gbps float64, codecs ...string) *Setting {
	t.Helper()
	p := jobtest.Llama(t)
	links := collective.DefaultLinkConstants()
	s := &Setting{Space: cluster.Space{GPUs: 16}, Power: p.Power, Job: p.Job(collective.NodeNetwork(4, 300e9, collective.BytesPerSecond(gbps*1e9/8)))}
	s.Job.Links = &links
	for _, c := range jobtest.Codecs(t, codecs...) {
		s.Codecs = append(s.Codecs, c.Codec)
	}
	return s
}

func compare(t *testing.T, s *Setting) *cluster.Study {
	t.Helper()
	st, err := s.Compare(nil)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// TestSpreads: the spread is that of the same comparison with twice the batch, and a small batch has one.
func TestSpreads(t *testing.T) {
	s := setting(t, 100, "ideal", "t265-paper")
	of := compare(t, s)
	own, same := s.Spreads(of)
	twice := *s
	twice.Job.GlobalBatch = 128
	want := compare(t, &twice)
	moves := false
	for i := range s.Codecs {
		if own[i] != (Spread{of.Outcomes[i].Speedup, want.Outcomes[i].Speedup}) || same[i] != (Spread{of.Outcomes[i].SpeedupSame, want.Outcomes[i].SpeedupSame}) {
			t.Errorf("%d: %v and %v", i, own[i], same[i])
		}
		moves = moves || own[i].Moves()
	}
	if !moves {
		t.Errorf("64 sequences on 100 Gbps: %v do not move", own)
	}
	if (Spread{1.05, 1.079}).Moves() || !(Spread{1.05, 1.081}).Moves() || !(Spread{1.081, 1.05}).Moves() {
		t.Error("the limit is not 0.03")
	}
	s.Job.GlobalBatch = math.MaxInt32 // twice as many cannot be cut
	s.Space.DP = 3
	if own, same := s.Spreads(of); own != nil || same != nil {
		t.Errorf("a batch that fits nowhere: %v %v", own, same)
	}
}

// TestAdvise: a fast link wants more instances than the paper's, and the number found is the least that gives nine tenths.
func TestAdvise(t *testing.T) {
	s := setting(t, 400, "ideal", "t265-paper", "t264-paper")
	s.Space.DP, s.Space.PP, s.Space.TP = 16, 1, 1 // all gradients over the link
	list := s.Advise(compare(t, s))
	if len(list) != 2 || list[0].Codec != "t265-paper" || list[1].Codec != "t264-paper" {
		t.Fatalf("advice %+v", list)
	}
	for _, a := range list {
		if a.Instances <= codecpoint.TableInstances || a.Speedup-1 < 0.9*(a.Limit-1) || a.Limit < worth {
			t.Errorf("%+v", a)
		}
		fewer := s.Codecs[1]
		fewer.Instances = a.Instances - 1
		if v, err := s.with(fewer); err != nil || v-1 >= 0.9*(a.Limit-1) {
			t.Errorf("%d instances give %v already, %v", fewer.Instances, v, err)
		}
	}
	slow := setting(t, 1, "t265-paper")
	if list := slow.Advise(compare(t, slow)); list != nil {
		t.Errorf("where the codec gains: %+v", list)
	}
	free := setting(t, 100, "ideal")
	if list := free.Advise(compare(t, free)); list != nil {
		t.Errorf("without hardware: %+v", list)
	}
}

func TestParseRates(t *testing.T) {
	gbps := func(s string) (float64, error) {
		n, ok := strings.CutSuffix(s, "G")
		if !ok {
			return 0, errors.New("no suffix")
		}
		return strconv.ParseFloat(n, 64)
	}
	for text, want := range map[string][]float64{
		"10G": {10}, "10G,1G,10G": {1, 10}, "1G:100G:log3": {1, 10, 100}, "1G:3G:lin3": {1, 2, 3}, "1G:1000G:log4,5G": {1, 5, 10, 100, 1000},
	} {
		got, err := ParseRates(text, gbps)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %v, %v", text, got, err)
			continue
		}
		for i := range want {
			if math.Abs(got[i]/want[i]-1) > 1e-12 {
				t.Errorf("%s: %v, want %v", text, got, want)
			}
		}
	}
	if got, err := ParseRates("1G:400G:log10", gbps); err != nil || len(got) != 10 || got[0] != 1 || got[9] != 400 || math.Abs(got[5]/got[4]-got[9]/got[8]) > 1e-12 {
		t.Errorf("log10: %v, %v", got, err)
	}
	if got, err := ParseRates("1G:10G:lin", gbps); err != nil || len(got) != 10 {
		t.Errorf("lin: %v, %v", got, err)
	}
	for _, text := range []string{"", "1", "1G:2G", "1G:2G:3G:log2", "2G:1G:log3", "1G:1G:log3", "1G:2G:log1", "1G:2G:sqrt4", "1G:2G:loglin4", "1G:2G:log1001", "1G:2G:log-3", "1G,x", "1G:x:log2"} {
		if got, err := ParseRates(text, gbps); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestSweep: each point is the comparison at its rate, no codec exceeds the bound of its bits, and codecs that cannot be told apart are
// one curve.
func TestSweep(t *testing.T) {
	s := setting(t, 10, "ideal", "t265-paper", "t264-paper", "none")
	s.Space.DP, s.Space.PP, s.Space.TP = 16, 1, 1
	steps := 0
	points, err := s.Sweep(t.Context(), []float64{1e8, 1e9, 400e9}, func() { steps++ })
	if err != nil || steps != 3 {
		t.Fatalf("%d steps, %v", steps, err)
	}
	bound, err := s.Bound(s.Codecs[1])
	if err != nil || math.Abs(bound-16/4.8) > 2 || bound < 2 { // gradients and parameters, all by 5 less what ZeRO leaves
		t.Errorf("bound %v, %v", bound, err)
	}
	for _, p := range points {
		want := compare(t, s.AtRate(p.BPS))
		for i, o := range p.Study.Outcomes {
			if o.Speedup != want.Outcomes[i].Speedup || o.Speedup > bound*(1+1e-9) {
				t.Errorf("%v at %v: %v, want %v within %v", o.Codec.Name, p.BPS, o.Speedup, want.Outcomes[i].Speedup, bound)
			}
		}
		if share := CommunicationShare(&p.Study.Base); share < 0 || share > 1 || p.BPS == 1e8 && share < 0.5 {
			t.Errorf("at %v messages are %v of the step", p.BPS, share)
		}
	}
	if s.Job.Net.Tiers[1].BytesPerSecond != 10e9/8 {
		t.Error("the sweep has changed the job")
	}
	curves := Curves(points)
	var labels []string
	for _, c := range curves {
		labels = append(labels, c.Label())
		if !slices.Equal(c.X, []float64{0.1, 1, 400}) {
			t.Errorf("rates %v", c.X)
		}
	}
	if !slices.Equal(labels, []string{"ideal", "t265-paper, t264-paper", "none"}) {
		t.Errorf("curves %q", labels)
	}
	if Curves(nil) != nil {
		t.Error("curves of nothing")
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Sweep(stopped, []float64{1e9}, func() {}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// TestBases: each kind of number has a level and rows, and what follows from a step is no better known than it.
func TestBases(t *testing.T) {
	rows, err := presets.MeasuredSteps()
	if err != nil {
		t.Fatal(err)
	}
	s := setting(t, 10, "ideal")
	list := s.Bases(compare(t, s), "a100-80g", rows)
	if len(list) != 4 {
		t.Fatalf("%+v", list)
	}
	for i, b := range list {
		if b.Of == "" || b.Rows == "" || !strings.Contains(b.Rows, "%") {
			t.Errorf("%+v", b)
		}
		if b.Of != "memory" && b.Level > list[0].Level {
			t.Errorf("%s is %v, the step %v", b.Of, b.Level, list[0].Level)
		}
		if i == 0 && strings.Count(b.Rows, "%") != nearRows {
			t.Errorf("neighbours %q", b.Rows)
		}
	}
	if list[0].Level != cluster.EvidenceOf(&s.Job, "a100-80g", rows) {
		t.Errorf("the step is %v", list[0].Level)
	}
	for _, b := range s.Bases(compare(t, s), "a100-80g", nil) {
		if b.Level != cluster.PhysicsOnly {
			t.Errorf("nothing measured: %+v", b)
		}
	}
}

// TestUnused: what a layout without pipeline, sharding or storage does not use is named, and what it lives on is not.
func TestUnused(t *testing.T) {
	s := setting(t, 10, "ideal", "t265-paper")
	zero := 0
	s.Space.DP, s.Space.PP, s.Space.TP, s.Space.ZeRO = 4, 1, 4, &zero
	before := *s.Job.Links
	names := s.Unused(compare(t, s))
	for _, want := range []string{"gpu pcie_gb_per_s", "stack pp_overlap", "codec bits of gathered parameters", "codec bits of activations", "model params_b", "links tcpx_hop_us"} {
		if want == "stack pp_overlap" && s.Job.Eff.PPOverlap == 0 {
			continue // zero to begin with
		}
		if !slices.Contains(names, want) {
			t.Errorf("%s is not among the inputs without effect", want)
		}
	}
	for _, not := range []string{"model hidden", "gpu peak_tflops", "gpu mem_gb_per_s", "network fabric bytes_per_second", "codec bits of weight gradients", "stack gemm_fraction", "codec instances", "energy nicpjper_bit", "energy nic_pjper_bit"} {
		if slices.Contains(names, not) {
			t.Errorf("%s is among the inputs without effect", not)
		}
	}
	if *s.Job.Links != before {
		t.Error("the job has been changed")
	}
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("names %v", names)
	}
}
