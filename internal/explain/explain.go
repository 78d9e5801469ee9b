// Package explain writes out the formulas of the cluster model with the numbers of a study, and where its constants come from.
package explain

import (
	"fmt"

	"vcsim/cluster"
	"vcsim/internal/config"
	"vcsim/internal/presets"
)

// A Line is one formula with its numbers.
type Line struct {
	What    string `json:"what"`
	Formula string `json:"formula"`
	Numbers string `json:"numbers"`
	Source  string `json:"source"`
}

// A Setting is what a study was made of.
type Setting struct {
	Model     config.Row[cluster.Model]
	GPU       config.Row[cluster.GPU]
	Constants presets.Constants
	Job       cluster.Job
	LinkBPS   float64 // per GPU and direction
	Power     cluster.Power
	Codecs    []presets.Codec
}

// Study lists the formulas of a study with the numbers of its best uncompressed layout, and the constants with their sources.
func Study(in *Setting, s *cluster.Study) []Line {
	m, g, e := &in.Job.Model, &in.Job.GPU, &in.Job.Eff
	st, l := &s.Base, &s.Base.Layout
	slots := float64(st.Microbatches)
	tokens := float64(l.Microbatch * in.Job.Seq)
	link := in.LinkBPS
	stage := (float64((m.Layers+l.PP-1)/l.PP)*m.LayerParams() + m.EmbeddingParams()) / float64(l.TP)
	work := st.Forward + st.Backward + st.Again
	fit := "stacks preset " + in.Constants.Set
	gpu := "gpus preset " + in.GPU.Name + ": " + presets.SourceList(in.GPU.Sources)
	var out []Line
	add := func(what, formula, source, numbers string, args ...any) {
		out = append(out, Line{what, formula, fmt.Sprintf(numbers, args...), source})
	}
	how := "set by hand"
	if e.Fitted != "" {
		how = "fitted by: " + e.Fitted
	}
	add("efficiency", "one set of constants per GPU and stack", how, "%s", in.Constants)
	add("parameters", "layers x block + embeddings", "models preset "+in.Model.Name+": "+presets.SourceList(in.Model.Sources),
		"%d x %.4g + %.4g = %.4g", m.Layers, m.LayerParams(), m.Params()-float64(m.Layers)*m.LayerParams(), m.Params())
	add("matrix product M x K by K x N", "2MNK / (peak x f x M/(M+d) x N/(N+d) x K/(K+k))", fit+"; "+gpu,
		"peak %g TFLOP/s, f %.4g, d %g, k %g", g.PeakTFLOPS, e.GEMMFraction, e.GEMMHalfDim, e.GEMMHalfDepth)
	add("attention core", "FLOPs / (peak x f) + bytes / (bandwidth x b)", fit, "f %.4g, b %.4g, %g GB/s", e.AttentionFraction, e.MemoryFraction, g.MemGBPerS)
	add("element-wise kernels", "bytes / (bandwidth x b)", fit, "b %.4g of %g GB/s", e.MemoryFraction, g.MemGBPerS)
	add("host", "a slot takes (GPU^4 + launches^4)^(1/4)", fit, "%g us a kernel, %g ms a slot", e.LaunchUS, e.SlotMS)
	add("compute per step", "micro-batches x slot of the slowest stage", "arXiv 2104.04473", "%d x %.4g s = %.4g s", st.Microbatches, work/slots, work)
	add("utilisation", "model FLOPs / (GPUs x peak x step)", "arXiv 2104.04473, equation 3", "%.4g / (%d x %g T x %.4g s) = %.1f %%",
		st.FLOPs, l.GPUs(), g.PeakTFLOPS, st.Time, 100*st.FLOPs/(float64(l.GPUs())*g.PeakTFLOPS*1e12*st.Time))
	add("pipeline bubble", "(sum of the slots of all stages - the slowest) / interleave", "arXiv 2104.04473, section 2.2", "pp %d, interleave %d: %.4g s", l.PP, l.Interleave, st.Bubble)
	add("stage-to-stage messages", "2 tokens hidden bytes each way, per micro-batch and chunk, over the link", "arXiv 2104.04473, section 3.2",
		"2 x %g x %d B at %.4g bit/s: %.4g s a step", tokens, m.Hidden, link, st.PP)
	dp := "ring: 2(d-1)/d V/B, or a double binary tree: 2V/B (two ends: V/B)"
	if l.ZeRO > 0 {
		dp = "ring reduce-scatter: (d-1)/d V/B, and as much again to gather the parameters"
	}
	add("gradient reduction", dp, "arXiv 1910.02054; Thakur et al. 2005", "d %d, V = 2 B x %.4g weights, B %.4g bit/s: %.4g s + %.4g s gathering", l.DP, stage, link, st.DP, st.Params)
	add("overlap", "hidden = min(fraction x communication, compute beside it)", fit, "gradients %g, parameters %g, TP %g, PP %g: %.4g s hidden", e.DPOverlap, e.ParamOverlap, e.TPOverlap, e.PPOverlap, st.Hidden)
	add("optimizer", "30 bytes per weight and shard / (bandwidth x b) x mult", fit, "mult %g: %.4g s", e.OptimizerMult, st.Optimizer)
	add("training state", "2 + 4 + 12 bytes a weight, sharded by ZeRO", "arXiv 2205.05198, Figure 1; arXiv 1910.02054", "%.3g + %.3g + %.3g GB", st.Memory.Parameters/1e9, st.Memory.Gradients/1e9, st.Memory.Optimizer/1e9)
	add("activations", "per block and micro-batch in flight", "arXiv 2205.05198, equations 1 to 6", "%.3g GB", st.Memory.Activations/1e9)
	for i := range in.Codecs {
		p := &in.Codecs[i]
		o := &s.Outcomes[i]
		for _, f := range p.Point.Figures {
			from := f.File
			if f.Command != "" {
				from += " (" + f.Command + ")"
			}
			add(p.Name+" "+f.What, "of one instance", from, "%.5g %s: %s", f.Value, f.Unit, f.Note)
		}
		if p.EncodeBPS > 0 {
			enc, dec := p.Rates()
			add(p.Name+" message", "V / min(r B, E, D) pipelined, V (1/(rB) + 1/E + 1/D) serial", p.Source,
				"E %.4g, D %.4g bit/s of payload, r %.3g (gradients): crossover %.4g, knee %.4g Gbps", enc, dec, p.Ratio(cluster.Grad), o.CrossoverBPS/1e9, o.KneeBPS/1e9)
		}
		add(p.Name+" energy", "(E_gpu + N c) / (E_gpu + N c' + K c)", in.Power.Source+"; "+p.Source, "E_gpu %.4g J, N %.4g pJ/wire bit, K %.4g pJ/payload bit: gain %.4g, communication %.4g",
			s.Energy.GPU+s.Energy.Idle, in.Power.NetworkPJPerBit(), p.EncodePJPerBit+p.DecodePJPerBit, o.EnergyGain, o.CommEnergyGain)
	}
	return out
}
