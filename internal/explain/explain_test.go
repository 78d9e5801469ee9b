package explain

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"vcsim/cluster"
	"vcsim/cluster/collective"
	"vcsim/internal/jobtest"
)

// setting is LLaMA-2-7B on 32 A100 with some codecs.
func setting(t *testing.T) *Setting {
	t.Helper()
	p := jobtest.Llama(t)
	in := &Setting{Model: p.Model, GPU: p.GPU, Constants: p.Constants, LinkBPS: 10e9, Power: p.Power, Job: p.Job(collective.FlatNetwork(10e9 / 8))}
	in.Codecs = jobtest.Codecs(t, "ideal", "t265-paper", "none")
	return in
}

// TestStudy: every line is whole, the numbers are the study's, and a codec with a rate has a line on messages.
func TestStudy(t *testing.T) {
	in := setting(t)
	var codecs []cluster.Codec
	for _, c := range in.Codecs {
		codecs = append(codecs, c.Codec)
	}
	zero, three := 0, 3
	for zero, ring := range map[*int]string{&zero: "double binary tree", &three: "reduce-scatter"} {
		study, err := cluster.Compare(in.Job, &cluster.Space{GPUs: 32, ZeRO: zero}, codecs, &in.Power, nil)
		if err != nil {
			t.Fatal(err)
		}
		lines := map[string]Line{}
		for _, l := range Study(in, study) {
			if _, twice := lines[l.What]; twice || l.What == "" || l.Formula == "" || l.Numbers == "" || l.Source == "" || strings.Contains(l.Numbers, "%!") || strings.Contains(l.Numbers, "NaN") {
				t.Errorf("ZeRO %d: %+v", *zero, l)
			}
			lines[l.What] = l
		}
		for what, want := range map[string]string{
			"efficiency":         in.Constants.Set,
			"parameters":         fmt.Sprintf("= %.4g", in.Job.Model.Params()),
			"pipeline bubble":    fmt.Sprintf("pp %d, interleave %d: %.4g s", study.Base.Layout.PP, study.Base.Layout.Interleave, study.Base.Bubble),
			"gradient reduction": fmt.Sprintf("d %d,", study.Base.Layout.DP),
			"t265-paper message": fmt.Sprintf("crossover %.4g, knee %.4g Gbps", 100., 20.),
			"ideal energy":       fmt.Sprintf("gain %.4g, communication %.4g", study.Outcomes[0].EnergyGain, study.Outcomes[0].CommEnergyGain),
		} {
			if !strings.Contains(lines[what].Numbers, want) {
				t.Errorf("ZeRO %d, %s: %q, want %q in it", *zero, what, lines[what].Numbers, want)
			}
		}
		if !strings.Contains(lines["gradient reduction"].Formula, ring) {
			t.Errorf("ZeRO %d: gradients by %q, want %s", *zero, lines["gradient reduction"].Formula, ring)
		}
		if _, ok := lines["ideal message"]; ok {
			t.Error("a codec without a rate has a line on messages")
		}
		var slots int
		var slot, work float64
		if _, err := fmt.Sscanf(lines["compute per step"].Numbers, "%d x %g s = %g s", &slots, &slot, &work); err != nil || math.Abs(float64(slots)*slot/work-1) > 1e-3 || slots != study.Base.Microbatches {
			t.Errorf("compute: %q, %v", lines["compute per step"].Numbers, err)
		}
	}
}
