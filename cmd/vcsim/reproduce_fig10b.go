package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"vcsim/internal/figures"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

func newFig10bCommand(a *app, f *reproduceFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "fig10b",
		Short: "Figure 10b: energy gain against model size",
		Long: "fig10b is the energy that a codec saves in data-parallel training, against the size of the model: 64 replicas on H100 at 42 % of\n" +
			"the peak, 4 million tokens a step, gradients reduced by a ring and compressed by 5. Both readings of the network's 5120 pJ are\n" +
			"shown (per bit as the paper's table is headed, per 16-bit value as its numbers add up), and the gain of the whole cluster beside\n" +
			"that of the communication alone.",
		Example: "  vcsim reproduce fig10b --out charts\n  vcsim reproduce fig10b --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return interruptible(cmd.Context(), func() error {
				paper, err := presets.Paper()
				if err != nil {
					return err
				}
				r, err := figures.NewFig10b(paper)
				if err != nil {
					return err
				}
				return a.printFigure(&fig10b{Fig10b: r, Files: []string{}}, f)
			})
		},
	}
}

// fig10b is the figure with the files drawn.
type fig10b struct {
	*figures.Fig10b
	Files []string `json:"files"`
}

// charts are the gain of the whole cluster, a colour per codec and solid or dashed by the reading, and that of the communication.
func (r *fig10b) charts() []namedChart {
	axis := report.Axis{Label: "model parameters (billions)", Log: true, Min: 5, Max: 500}
	whole := report.Chart{Title: "Energy gain, whole cluster: DP 64 on H100, ratio 5", X: axis, Y: report.Axis{Label: "energy without codec / with codec", Min: 0.95, Max: 1.25}}
	comm := report.Chart{Title: "Energy gain, communication alone: DP 64 on H100, ratio 5", X: axis, Y: report.Axis{Label: "energy without codec / with codec", Min: 0, Max: r.Ratio}}
	for i, codec := range figures.Fig10bCodecs {
		hue := []int{4, 5, 2, 6}[i]
		for reading := range 2 {
			points := r.Reading(reading)
			l := report.Line{Name: fmt.Sprintf("%s, %g pJ/bit", figures.CodecTitle(codec), points[0].Network), Hue: hue, Dash: 1 + reading}
			c := report.Line{Name: figures.CodecTitle(codec), Hue: hue, Dash: 1}
			for _, p := range points {
				l.X, l.Y = append(l.X, p.Params), append(l.Y, p.Gain[codec])
				c.X, c.Y = append(c.X, p.Params), append(c.Y, p.Comm[codec])
			}
			whole.Lines = append(whole.Lines, l, report.Line{X: l.X, Y: l.Y, Dots: true, Hue: hue})
			if reading == 0 { // the same in both
				comm.Lines = append(comm.Lines, c, report.Line{X: c.X, Y: c.Y, Dots: true, Hue: hue})
			}
		}
	}
	return []namedChart{{"fig10b", whole}, {"fig10b-communication", comm}}
}

func (r *fig10b) result(files []string) *report.Result {
	r.Files = append(r.Files, files...)
	t := report.Table{Name: "gain", Columns: []report.Column{{Key: "model"}, {Key: "params_b", Title: "1e9 parameters", Digits: 1}, {Key: "network_pj_per_bit", Title: "network", Unit: "pJ/bit"},
		{Key: "energy_j_per_token", Title: "energy", Unit: "J/token", Digits: 4}, {Key: "communication_percent", Title: "of it comm.", Unit: "%", Digits: 1}}}
	for _, codec := range figures.Fig10bCodecs {
		t.Columns = append(t.Columns, report.Column{Key: codec + "_energy_gain", Title: figures.CodecTitle(codec), Digits: 3})
	}
	for _, p := range r.Points {
		row := []any{p.Model, p.Params, p.Network, p.Energy, p.Share}
		for _, codec := range figures.Fig10bCodecs {
			row = append(row, p.Gain[codec])
		}
		t.Rows = append(t.Rows, row)
	}
	return &report.Result{Schema: reproduceSchema, Payload: r, Title: "Figure 10b: energy gain against model size", Tables: []report.Table{t, statementTable(r.Statements)},
		Notes: append([]string{
			fmt.Sprintf("%s at %g %% of the peak and its board power, %d replicas, %g million tokens a step, ring all-reduce of 16-bit gradients, ratio %g. The table holds the gain of the whole cluster by codec; that of the communication alone is the same for every model.", r.GPU, 100*r.Utilisation, r.Replicas, r.Tokens/1e6, r.Ratio),
			"5120 pJ per bit is how the paper's table is headed (512 W at 100 Gbps, a whole server while it sends); 320 pJ per bit is 5120 pJ per 16-bit value, as the table's numbers add up. The codec's energy is read the same way, so the gain of communication is the same in both.",
			"A gain of several times can only be that of the communication: the whole cluster gains at most a fifth, and 1 % in the other reading. Measured bound: the switches of 64 H100 in MLPerf v4.1 draw 1.2 % of the power (vcsim list links switch-measured).",
		}, fileNote(files)...)}
}
