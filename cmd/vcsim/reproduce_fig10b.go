package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"vcsim/cluster"
	"vcsim/internal/config"
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
				r, err := newFig10b()
				if err != nil {
					return err
				}
				return a.printFigure(r, f)
			})
		},
	}
}

const (
	fig10bGPU         = "h100-sxm"
	fig10bUtilisation = 0.42
	fig10bReplicas    = 64
	fig10bTokens      = 4e6
)

// fig10bModels rise in size.
var fig10bModels = []string{"llama2-7b", "llama2-13b", "nemotron-4-15b", "gpt-neox-20b", "llama2-70b", "gpt3-175b", "nemotron-4-340b"}

// fig10bCodecs, in the order of the tables.
var fig10bCodecs = []string{"t264", "t265", "h264", "h265"}

type fig10b struct{ json fig10bJSON }

// fig10bJSON is the JSON of `vcsim reproduce fig10b`.
type fig10bJSON struct {
	Schema      string        `json:"schema"`
	Figure      string        `json:"figure"`
	GPU         string        `json:"gpu"`
	Utilisation float64       `json:"utilisation"`
	Replicas    int           `json:"dp"`
	Tokens      float64       `json:"batch_tokens"`
	Ratio       float64       `json:"ratio"`
	Points      []fig10bPoint `json:"points"`
	Statements  []statement   `json:"statements"`
	Files       []string      `json:"files"`
}

// fig10bPoint is one model in one reading of the network's energy.
type fig10bPoint struct {
	Model   string             `json:"model"`
	Params  float64            `json:"params_b"` // 1e9
	Network float64            `json:"network_pj_per_bit"`
	Share   float64            `json:"communication_percent"` // of the energy without a codec
	Energy  float64            `json:"energy_j_per_token"`    // without a codec
	Gain    map[string]float64 `json:"energy_gain"`           // whole cluster, by codec
	Comm    map[string]float64 `json:"comm_energy_gain"`      // communication alone, by codec
}

func newFig10b() (*fig10b, error) {
	paper, err := presets.Paper()
	if err != nil {
		return nil, err
	}
	g, err := presets.GPU(fig10bGPU)
	if err != nil {
		return nil, err
	}
	r := &fig10b{fig10bJSON{Schema: reproduceSchema, Figure: "fig10b", GPU: fig10bGPU, Utilisation: fig10bUtilisation, Replicas: fig10bReplicas,
		Tokens: fig10bTokens, Ratio: fig10Ratio, Files: []string{}}}
	nccl := paper.Get("table2.nccl.energy")
	for _, bits := range []float64{1, cluster.PayloadBits} { // that the printed energies are of
		p := cluster.Power{ComputePJPerFLOP: g.Value.TDPW / (g.Value.PeakTFLOPS * fig10bUtilisation), NICPJPerBit: nccl / bits}
		for _, name := range fig10bModels {
			m, err := config.Preset[cluster.Model]("models", name)
			if err != nil {
				return nil, err
			}
			v := cluster.DataParallelVolume(&m.Value, fig10bReplicas, fig10bTokens, m.Value.Seq)
			plain := p.Energy(v, 1, 0)
			pt := fig10bPoint{Model: name, Params: m.Value.Params() / 1e9, Network: p.NetworkPJPerBit(), Share: 100 * plain.Comm() / plain.Total(),
				Energy: plain.Total() / fig10bTokens, Gain: map[string]float64{}, Comm: map[string]float64{}}
			for _, codec := range fig10bCodecs {
				k := (paper.Get("table2."+codec+"-enc.energy") + paper.Get("table2."+codec+"-dec.energy")) / bits
				with := p.Energy(v, fig10Ratio, k)
				pt.Gain[codec], pt.Comm[codec] = plain.Total()/with.Total(), plain.Comm()/with.Comm()
			}
			r.json.Points = append(r.json.Points, pt)
		}
	}
	perBit, perValue := r.json.Points[:len(fig10bModels)], r.json.Points[len(fig10bModels):]
	add := func(what, key string, ours float64, digits int, from, remark string) {
		st := statement{What: what, Ours: &ours, Formula: from, Remark: remark}
		if key != "" {
			v := paper.Get(key)
			st.Paper, st.Remark = &v, join(agree(v, ours, digits), remark)
		}
		r.json.Statements = append(r.json.Statements, st)
	}
	k := paper.Get("table2.t264-enc.energy") + paper.Get("table2.t264-dec.energy")
	add("NCCL over T.264, energy", "section6.energy-ratio-t264-vs-nccl", nccl/k, 1, "5120 / (97.8 + 63.5)", "")
	for _, codec := range fig10bCodecs {
		key := ""
		if codec == "t264" {
			key = "section6.energy-gain-at-ratio-5"
		}
		add("energy gain of communication, "+engineName(codec), key, perBit[0].Comm[codec], 2, "any model, either reading", "")
	}
	widest := func(points []fig10bPoint) float64 {
		most := 0.0
		for _, p := range points {
			most = max(most, p.Gain["t264"])
		}
		return most
	}
	add("energy gain of the cluster at most, T.264", "", widest(perBit), 2, fmt.Sprintf("%g pJ/bit", perBit[0].Network), "")
	add("energy gain of the cluster at most, T.264", "", widest(perValue), 2, fmt.Sprintf("%g pJ/bit", perValue[0].Network), "")
	return r, paper.Err
}

// charts are the gain of the whole cluster, a colour per codec and solid or dashed by the reading, and that of the communication.
func (r *fig10b) charts() []namedChart {
	axis := report.Axis{Label: "model parameters (billions)", Log: true, Min: 5, Max: 500}
	whole := report.Chart{Title: "Energy gain, whole cluster: DP 64 on H100, ratio 5", X: axis, Y: report.Axis{Label: "energy without codec / with codec", Min: 0.95, Max: 1.25}}
	comm := report.Chart{Title: "Energy gain, communication alone: DP 64 on H100, ratio 5", X: axis, Y: report.Axis{Label: "energy without codec / with codec", Min: 0, Max: fig10Ratio}}
	half := len(fig10bModels)
	for i, codec := range fig10bCodecs {
		hue := []int{4, 5, 2, 6}[i]
		for reading := range 2 {
			points := r.json.Points[reading*half : (reading+1)*half]
			l := report.Line{Name: fmt.Sprintf("%s, %g pJ/bit", engineName(codec), points[0].Network), Hue: hue, Dash: 1 + reading}
			c := report.Line{Name: engineName(codec), Hue: hue, Dash: 1}
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
	r.json.Files = append(r.json.Files, files...)
	t := report.Table{Name: "gain", Columns: []report.Column{{Key: "model"}, {Key: "params_b", Title: "1e9 parameters", Digits: 1}, {Key: "network_pj_per_bit", Title: "network", Unit: "pJ/bit"},
		{Key: "energy_j_per_token", Title: "energy", Unit: "J/token", Digits: 4}, {Key: "communication_percent", Title: "of it comm.", Unit: "%", Digits: 1}}}
	for _, codec := range fig10bCodecs {
		t.Columns = append(t.Columns, report.Column{Key: codec + "_energy_gain", Title: engineName(codec), Digits: 3})
	}
	for _, p := range r.json.Points {
		row := []any{p.Model, p.Params, p.Network, p.Energy, p.Share}
		for _, codec := range fig10bCodecs {
			row = append(row, p.Gain[codec])
		}
		t.Rows = append(t.Rows, row)
	}
	return &report.Result{Schema: r.json.Schema, Payload: &r.json, Title: "Figure 10b: energy gain against model size", Tables: []report.Table{t, statementTable(r.json.Statements)},
		Notes: append([]string{
			fmt.Sprintf("%s at %g %% of the peak and its board power, %d replicas, %g million tokens a step, ring all-reduce of 16-bit gradients, ratio %d. The table holds the gain of the whole cluster by codec; that of the communication alone is the same for every model.", fig10bGPU, 100*fig10bUtilisation, fig10bReplicas, fig10bTokens/1e6, fig10Ratio),
			"5120 pJ per bit is how the paper's table is headed (512 W at 100 Gbps, a whole server while it sends); 320 pJ per bit is 5120 pJ per 16-bit value, as the table's numbers add up. The codec's energy is read the same way, so the gain of communication is the same in both.",
			"A gain of several times can only be that of the communication: the whole cluster gains at most a fifth, and 1 % in the other reading. Measured bound: the switches of 64 H100 in MLPerf v4.1 draw 1.2 % of the power (vcsim list links switch-measured).",
		}, fileNote(files)...)}
}
