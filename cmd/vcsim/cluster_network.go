package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vcsim/cluster"
	"vcsim/cluster/collective"
	"vcsim/internal/config"
	"vcsim/internal/report"
	"vcsim/internal/study"
)

// linkRates is the value of --bw: one rate or several, bits a second, in rising order.
type linkRates struct {
	text string
	list []float64
}

func (l *linkRates) String() string { return l.text }

// Type is the name of the value in help.
func (l *linkRates) Type() string { return "bandwidth" }

// Set reads rates. A list in a file sets one after the other.
func (l *linkRates) Set(s string) error {
	text := s
	if l.text != "" {
		text = l.text + "," + s
	}
	list, err := study.ParseRates(text, func(one string) (float64, error) {
		bps, err := config.ParseBandwidth(one)
		return float64(bps), err
	})
	if err != nil {
		return err
	}
	l.text, l.list = text, list
	return nil
}

// sweepJSON is the JSON of `vcsim cluster` with several rates.
type sweepJSON struct {
	Schema string           `json:"schema"`
	Model  string           `json:"model"`
	GPU    string           `json:"gpu"`
	GPUs   int              `json:"gpus"`
	Batch  int              `json:"batch_sequences"`
	Seq    int              `json:"seq_tokens"`
	Stack  string           `json:"stack"`
	Bounds []sweepBoundJSON `json:"bounds"`
	Points []sweepPointJSON `json:"points"`
}

// sweepBoundJSON is what the bits of a codec can give at most.
type sweepBoundJSON struct {
	Codec string  `json:"name"`
	Bound float64 `json:"speedup_bound"`
}

type sweepPointJSON struct {
	BW     float64          `json:"bw_gbps"`
	Layout cluster.Layout   `json:"layout"`
	Time   float64          `json:"step_time_s"`
	Comm   float64          `json:"communication_fraction"`
	Codecs []sweepCodecJSON `json:"codecs"`
}

type sweepCodecJSON struct {
	Name        string         `json:"name"`
	Layout      cluster.Layout `json:"layout"`
	Speedup     float64        `json:"speedup"`
	SpeedupSame float64        `json:"speedup_same_layout"`
}

// sweep compares the codecs at every rate.
func (a *app) sweep(ctx context.Context, r *clusterRun) error {
	f, s := r.flags, r.setting()
	bar := a.progress("link rates", len(f.rates.list))
	points, err := s.Sweep(ctx, f.rates.list, func() { bar.Add(1) })
	bar.Stop()
	if err != nil {
		return err
	}
	j := sweepJSON{Schema: "vcsim.cluster_sweep/1", Model: f.model, GPU: f.gpu, GPUs: f.gpus, Batch: f.batch, Seq: r.job.Seq, Stack: r.constants.String(), Bounds: []sweepBoundJSON{}}
	t := report.Table{Name: "speedup", Columns: []report.Column{{Key: "bw_gbps", Title: "link", Unit: "Gbps"}, {Key: "step_time_s", Title: "step", Unit: "s", Digits: 2}}}
	bounds := report.Table{Name: "bounds", Columns: []report.Column{{Key: "name", Title: "codec"}, {Key: "speedup_bound", Title: "speedup at most", Digits: 2},
		{Key: "knee_bw_gbps", Title: "whole ratio below", Unit: "Gbps", Digits: 1}, {Key: "crossover_bw_gbps", Title: "nothing above", Unit: "Gbps", Digits: 1}}}
	var most float64
	for k := range r.codecs {
		c, o := &r.codecs[k], &points[0].Study.Outcomes[k]
		t.Columns = append(t.Columns, report.Column{Key: strings.ReplaceAll(c.Name, "-", "_") + "_speedup", Title: c.Name, Digits: 2})
		bound, err := s.Bound(c.Codec)
		if err != nil {
			return err
		}
		var knee, cross any
		if c.EncodeBPS > 0 {
			knee, cross = cell(finite(o.KneeBPS/1e9)), cell(finite(o.CrossoverBPS/1e9))
		}
		bounds.Rows = append(bounds.Rows, []any{c.Name, bound, knee, cross})
		j.Bounds = append(j.Bounds, sweepBoundJSON{c.Name, bound})
		if c.Bits == r.bits {
			most = max(most, bound)
		}
	}
	for _, p := range points {
		b := &p.Study.Base
		row := []any{p.BPS / 1e9, b.Time}
		point := sweepPointJSON{BW: p.BPS / 1e9, Layout: b.Layout, Time: b.Time, Comm: study.CommunicationShare(b)}
		for i := range p.Study.Outcomes {
			o := &p.Study.Outcomes[i]
			row = append(row, o.Speedup)
			point.Codecs = append(point.Codecs, sweepCodecJSON{o.Codec.Name, o.Step.Layout, o.Speedup, o.SpeedupSame})
		}
		j.Points = append(j.Points, point)
		t.Rows = append(t.Rows, row)
	}
	chart := r.sweepChart(study.Curves(points), most)
	if f.plot != "" {
		if err := chart.Save(f.plot); err != nil {
			return err
		}
	}
	const rows = 16
	return a.print(&report.Result{Schema: j.Schema, Payload: &j, Tables: []report.Table{t, bounds}, Keys: r.keys()[:3], Verbatim: chart.Text(80, rows), Notes: append([]string{
		"A speedup is the uncompressed step over the compressed one, each at its own best layout for the rate. At most: what the bits give where nothing but messages takes time.",
		r.jobNote(),
	}, r.skipped...), Title: fmt.Sprintf("Speedup of %s on %d x %s over link rates", f.model, f.gpus, f.gpu)})
}

// sweepChart draws the speedups, with marks at 10 Gbps and at what the ratio allows.
func (r *clusterRun) sweepChart(curves []study.Curve, bound float64) *report.Chart {
	f := r.flags
	lo, hi := f.rates.list[0]/1e9, f.rates.list[len(f.rates.list)-1]/1e9
	c := &report.Chart{Title: fmt.Sprintf("%s on %d x %s, %d sequences of %d tokens a step", f.model, f.gpus, f.gpu, f.batch, r.job.Seq),
		X: report.Axis{Label: "link rate per GPU and direction (Gbps)", Log: hi > 4*lo, Min: lo, Max: hi}, Y: report.Axis{Label: "speedup over no codec"}}
	least, most := 1., 1.
	for i, k := range curves {
		for _, v := range k.Y {
			least, most = min(least, v), max(most, v)
		}
		c.Lines = append(c.Lines, report.Line{Name: k.Label(), X: k.X, Y: k.Y, Hue: i + 2, Dash: i + 1})
	}
	most = max(most, bound)
	c.Y.Min, c.Y.Max = min(least, 1)-0.02*(most-least)-0.001, most+0.02*(most-least)+0.001
	if bound > 1 {
		c.Lines = append(c.Lines, report.Line{Name: fmt.Sprintf("the ratio's bound, %.2f", bound), X: []float64{lo, hi}, Y: []float64{bound, bound}, Hue: 1, Dash: 2})
	}
	if mark := 10.; lo < mark && mark < hi {
		c.Lines = append(c.Lines, report.Line{Name: "10 Gbps", X: []float64{mark, mark}, Y: []float64{c.Y.Min, c.Y.Max}, Hue: 1, Dash: 3})
	}
	return c
}

// networkFlags describe the network between nodes beyond its rate.
type networkFlags struct {
	fabric           string
	oversubscription float64
	rails            int
	sharp            bool
}

// networkFamilies are the kinds of network between nodes.
func networkFamilies() []string {
	var names []string
	for f := collective.InfiniBand; f <= collective.TCP; f++ {
		names = append(names, f.String())
	}
	return names
}

func (n *networkFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&n.fabric, "fabric", collective.InfiniBand.String(), "kind of network between nodes, which decides its latency: infiniband, roce, efa, efa-staged, tcpxo, tcpx or tcp")
	fs.Float64Var(&n.oversubscription, "oversubscription", 1, "capacity below a leaf switch over the capacity above it; messages get that much less unless --rails keep them below the leaf")
	fs.IntVar(&n.rails, "rails", 0, "NICs of a node that each have a leaf switch of their own; GPUs of one rail meet below it")
	fs.BoolVar(&n.sharp, "sharp", false, "the network's switches reduce, so that a node sends an all-reduce's buffer once")
}

// complete registers the names that --fabric completes to.
func (n *networkFlags) complete(cmd *cobra.Command) error {
	return cmd.RegisterFlagCompletionFunc("fabric", cobra.FixedCompletions(networkFamilies(), cobra.ShellCompDirectiveNoFileComp))
}

// apply sets the outermost tier.
func (n *networkFlags) apply(net *collective.Network) error {
	t := &net.Tiers[len(net.Tiers)-1]
	if n.fabric != "" {
		if err := t.Family.UnmarshalText([]byte(n.fabric)); err != nil || !t.Family.Network() {
			return fmt.Errorf("--fabric %q, want one of %v", n.fabric, networkFamilies())
		}
	}
	if n.rails < 0 || n.rails > 1<<10 {
		return fmt.Errorf("--rails is %d, want 0 to %d", n.rails, 1<<10)
	}
	if n.oversubscription != 0 && !(n.oversubscription >= 1 && n.oversubscription <= collective.MaxOversubscription) {
		return fmt.Errorf("--oversubscription is %v, want 1 to %v", n.oversubscription, collective.MaxOversubscription)
	}
	t.Rails, t.Oversubscription, t.InNetwork = n.rails, n.oversubscription, n.sharp
	return nil
}
