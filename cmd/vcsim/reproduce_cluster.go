package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
	"vcsim/internal/figures"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

func newFig10aCommand(a *app, f *reproduceFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "fig10a",
		Short: "Figure 10a: training speedup against link speed",
		Long: "fig10a is the speedup of training LLaMA-2-7B that a codec gives, against the link rate per GPU, at a fixed layout and with one\n" +
			"compression ratio of 5 for all traffic: 4 replicas of 16 micro-batches of one sequence of 4096 tokens, on RTX 3090 (8 stages)\n" +
			"and A100 (2 stages). NVENC appears in both readings of its 900 MB/s: as 8-bit pixels and as bytes of FP16. The figure's own\n" +
			"values are not printed in the paper, so ours stand beside values derived by hand (docs/cluster.md).",
		Example: "  vcsim reproduce fig10a --out charts\n  vcsim reproduce fig10a --csv",
		Args:    wantArgs(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return interruptible(cmd.Context(), func() error {
				paper, err := presets.Paper()
				if err != nil {
					return err
				}
				r, err := figures.NewFig10a(paper)
				if err != nil {
					return err
				}
				return a.printFigure(&fig10a{Fig10a: r, Files: []string{}}, f)
			})
		},
	}
}

// fig10a is the figure with the files drawn.
type fig10a struct {
	*figures.Fig10a
	Files []string `json:"files"`
}

// charts is one chart per cluster: the same colour where the codec is never bypassed, but dotted.
func (r *fig10a) charts() []namedChart {
	var charts []namedChart
	for k := range r.Systems {
		s := &r.Systems[k]
		c := report.Chart{
			Title: fmt.Sprintf("LLaMA-2-7B on %d x %s (DP %d, PP %d), ratio %g, %d sequences a step", s.Layout.GPUs(), s.Title, s.Layout.DP, s.Layout.PP, r.Ratio, figures.Fig10aBatch),
			X:     report.Axis{Label: "link rate per GPU and direction (Gbps)", Log: true, Min: 0.1, Max: 400},
			Y:     report.Axis{Label: "speedup over no codec", Min: 0, Max: r.Ratio + 0.2},
		}
		for _, curve := range r.Of(s.GPU) {
			l := report.Line{Name: figures.CurveTitles[curve.Kind], X: curve.BW, Y: curve.Speedup, Hue: []int{1, 5, 4, 6}[curve.Kind], Dash: []int{1, 2, 4, 5}[curve.Kind]}
			if curve.Kind == figures.CurveNVENCPixels || curve.Kind == figures.CurveNVENCFP16 {
				l.Name += " Gbps"
			}
			if curve.Forced {
				l.Name, l.Dash = l.Name+", forced", 3
			}
			c.Lines = append(c.Lines, l)
		}
		c.Lines = append(c.Lines, report.Line{Name: fmt.Sprintf("the ratio's bound, %g", r.Ratio), X: []float64{c.X.Min, c.X.Max}, Y: []float64{r.Ratio, r.Ratio}, Hue: 3, Dash: 2},
			report.Line{Name: "10 Gbps", X: []float64{10, 10}, Y: []float64{c.Y.Min, c.Y.Max}, Hue: 3, Dash: 3})
		charts = append(charts, namedChart{"fig10a-" + s.GPU, &c})
	}
	return charts
}

func (r *fig10a) result(files []string) *report.Result {
	r.Files = append(r.Files, files...)
	link := report.Column{Key: "bw_gbps", Title: "link", Unit: "Gbps"}
	main := report.Table{Name: "speedup", Columns: []report.Column{{Key: "gpu"}, link}}
	for _, curve := range r.Of(r.Systems[0].GPU) {
		column := report.Column{Key: figures.CurveNames[curve.Kind], Title: figures.CurveTitles[curve.Kind], Digits: 2}
		if curve.Forced {
			column.Key, column.Title = column.Key+"_forced", column.Title+" forced"
		}
		main.Columns = append(main.Columns, column)
	}
	for k := range r.Systems {
		gpu := r.Systems[k].GPU
		for _, gbps := range figures.Fig10aRates {
			row := []any{gpu, gbps}
			for _, curve := range r.Of(gpu) {
				row = append(row, curve.At(gbps))
			}
			main.Rows = append(main.Rows, row)
		}
	}
	derived := report.Table{Name: "derived", Columns: []report.Column{{Key: "gpu"}, link}}
	for i := range figures.NumCurves {
		derived.Columns = append(derived.Columns, report.Column{Key: figures.CurveNames[i], Title: figures.CurveTitles[i], Digits: 2}, report.Column{Key: figures.CurveNames[i] + "_derived", Title: "derived", Digits: 2})
	}
	derived.Columns = append(derived.Columns, report.Column{Key: "difference_percent", Title: "largest difference", Unit: "%", Digits: 1})
	for _, checks := range r.Rows() {
		row := []any{checks.Checks[0].GPU, checks.Checks[0].BW}
		for _, c := range checks.Checks {
			row = append(row, c.Ours, c.Derived)
		}
		derived.Rows = append(derived.Rows, append(row, checks.Most))
	}
	notes := []string{
		"One ratio of 5 for all traffic, codec pipelined with the wire, layout fixed, no overlap of communication with compute. 'forced' codecs are never bypassed; the derived values are of forced codecs, with rough compute times, so their shape binds and not the third digit.",
		"NVENC's 900 MB/s are 14.4 Gbps of FP16 payload when they are 8-bit pixels of one value each, 7.2 Gbps when they are bytes of FP16. The paper's 'less than 10 Gbps' lies between the two.",
		"T.265 is 13 engines of Table II, 100 Gbps of payload. A codec as fast as the link breaks even: to keep the ratio of 5 on a 100 Gbps link takes 500 Gbps of codec.",
	}
	for k := range r.Systems {
		s := &r.Systems[k]
		notes = append(notes, fmt.Sprintf("Efficiency on %s: %s.", s.GPU, s.Efficiency))
	}
	return &report.Result{Schema: reproduceSchema("fig10a"), Payload: r, Title: "Figure 10a: speedup of training LLaMA-2-7B against link rate per GPU and direction",
		Tables: []report.Table{main, derived, statementTable(r.Statements)}, Notes: append(notes, fileNote(files)...)}
}

func newFig10bCommand(a *app, f *reproduceFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "fig10b",
		Short: "Figure 10b: energy gain against model size",
		Long: "fig10b is the energy that a codec saves in data-parallel training, against the size of the model: 64 replicas on H100 at 42 % of\n" +
			"the peak, 4 million tokens a step, gradients reduced by a ring and compressed by 5. Both readings of the network's 5120 pJ are\n" +
			"shown (per bit as the paper's table is headed, per 16-bit value as its numbers add up), and the gain of the whole cluster beside\n" +
			"that of the communication alone.",
		Example: "  vcsim reproduce fig10b --out charts\n  vcsim reproduce fig10b --json",
		Args:    wantArgs(0, 0),
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
	gain := report.Chart{Title: "Energy gain, whole cluster: DP 64 on H100, ratio 5", X: axis, Y: report.Axis{Label: "energy without codec / with codec", Min: 0.95, Max: 1.25}}
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
			gain.Lines = append(gain.Lines, l, report.Line{X: l.X, Y: l.Y, Dots: true, Hue: hue})
			if reading == 0 { // the same in both
				comm.Lines = append(comm.Lines, c, report.Line{X: c.X, Y: c.Y, Dots: true, Hue: hue})
			}
		}
	}
	return []namedChart{{"fig10b", &gain}, {"fig10b-communication", &comm}}
}

func (r *fig10b) result(files []string) *report.Result {
	r.Files = append(r.Files, files...)
	t := report.Table{Name: "gain", Columns: []report.Column{{Key: "model"}, {Key: "params_b", Title: "1e9", Digits: 1}, {Key: "network_pj_per_bit", Title: "network", Unit: "pJ/bit"},
		{Key: "energy_j_per_token", Title: "energy", Unit: "J/token", Digits: 4, Minor: true}, {Key: "communication_percent", Title: "comm.", Unit: "%", Digits: 1}}}
	t.Columns = slices.Insert(t.Columns, 3, report.Column{Key: "t264_pj_per_bit", Title: "T.264", Unit: "pJ/bit", Digits: 1})
	for _, codec := range figures.Fig10bCodecs {
		t.Columns = append(t.Columns, report.Column{Key: codec + "_energy_gain", Title: figures.CodecTitle(codec), Digits: 3})
	}
	jobs := report.Table{Name: "layouts", Columns: []report.Column{{Key: "model"}, {Key: "gpus", Title: "GPUs"}, {Key: "gpus_per_node", Title: "a node"},
		{Key: "communication_time_percent", Title: "comm.", Unit: "%", Digits: 1}, {Key: "communication_percent", Title: "of energy", Unit: "%", Digits: 1},
		{Key: "t264_speedup", Title: "T.264 speed", Digits: 2}, {Key: "t264_energy_gain", Title: "energy", Digits: 2}, {Key: "h265_energy_gain", Title: "H.265", Digits: 2},
		{Key: "layout", Title: "its best layout", Minor: true}}}
	for _, j := range r.Layouts {
		jobs.Rows = append(jobs.Rows, []any{j.Model, j.GPUs, j.Node, j.Time, j.Share, j.Speed["t264"], j.Gain["t264"], j.Gain["h265"], j.Layout})
	}
	for _, p := range r.Points {
		row := []any{p.Model, p.Params, p.Network, p.Codec, p.Energy, p.Share}
		for _, codec := range figures.Fig10bCodecs {
			row = append(row, p.Gain[codec])
		}
		t.Rows = append(t.Rows, row)
	}
	return &report.Result{Schema: reproduceSchema("fig10b"), Payload: r, Title: "Figure 10b: energy gain against model size", Tables: []report.Table{t, jobs, statementTable(r.Statements)},
		Notes: append([]string{
			fmt.Sprintf("Layouts: %s at %g Gbps a GPU, the same tokens a step, energies as the table is headed; each model at the layout that is fastest there without a codec. On twice as many GPUs as a model needs to fit (a power of two), each with its link alone, gain and communication grow with the model, most where only tensor parallelism over the link makes it fit; on one cluster of nodes of 8 a larger model computes longer for what it sends, and they fall.", r.GPU, r.LinkGbps),
			fmt.Sprintf("%s at %g %% of the peak and its board power, %d replicas, %g million tokens a step, ring all-reduce of 16-bit gradients, ratio %g. The table holds the gain of the whole cluster by codec; that of the communication alone is the same for every model.", r.GPU, 100*r.Utilisation, r.Replicas, r.Tokens/1e6, r.Ratio),
			"5120 pJ per bit is how the paper's table is headed (512 W at 100 Gbps, a whole server while it sends); 320 pJ per bit is 5120 pJ per 16-bit value, as the table's numbers add up. The codec's energy is read the same way, so the gain of communication is the same in both.",
			"A third reading has the network per bit and the codec per byte of an 8-bit sample: communication then gains 4.9 times, and the cluster hardly more than in the first.",
			"A gain of several times can only be that of the communication: in plain data parallelism the whole cluster gains at most a fifth, and 1 % where both are per value. Measured bound: the switches of 64 H100 in MLPerf v4.1 draw 1.2 % of the power (vcsim list links switch-measured).",
		}, fileNote(files)...)}
}

func newTable2Command(a *app, f *reproduceFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "table2",
		Short: "Table II: power, area and energy of the codec engines",
		Long: "table2 prints every number of the paper's Table II beside what follows from its other numbers. The column headed\n" +
			"'Energy/Bit (pJ)' is the energy of a 16-bit value: only then does it agree with the power and the rate. Beside the tensor\n" +
			"codecs stand our own engines, as far as there are any. fig9 has the charts.",
		Example: "  vcsim reproduce table2\n  vcsim reproduce table2 --csv",
		Args:    wantArgs(0, 0),
		RunE: func(*cobra.Command, []string) error {
			paper, err := presets.Paper()
			if err != nil {
				return err
			}
			t, err := figures.NewTable2(paper)
			if err != nil {
				return err
			}
			return a.print(table2Result(t))
		},
	}
}

func table2Result(j *figures.Table2) *report.Result {
	rows := report.Table{Name: "engines", Columns: []report.Column{{Key: "name", Title: "engine"}, {Key: "power_w", Title: "power", Unit: "W", Digits: 1},
		{Key: "area_mm2", Title: "area", Unit: "mm2", Digits: 2}, {Key: "energy_printed_pj", Title: "energy printed", Unit: "pJ", Digits: 1},
		{Key: "power_over_rate_pj_per_bit", Title: "power/rate", Unit: "pJ/bit", Digits: 1}, {Key: "power_over_rate_pj_per_value", Title: "power/rate", Unit: "pJ/value", Digits: 1},
		{Key: "power_from_energy_w", Title: "power if per value", Unit: "W", Digits: 2}, {Key: "agrees_per_value", Title: "agrees"},
		{Key: "energy_pj_per_bit", Title: "energy", Unit: "pJ/bit", Digits: 2}, {Key: "instance_mw", Title: "one engine", Unit: "mW", Digits: 1}, {Key: "instance_mm2", Title: "one engine", Unit: "mm2", Digits: 4}}}
	for _, r := range j.Rows {
		rows.Rows = append(rows.Rows, []any{figures.CodecTitle(r.Codec) + " " + r.Half, r.Power, r.Area, r.Printed, r.PerBit, r.PerValue, r.PowerBack, r.Agrees, r.RawBit, r.InstanceMW, r.InstanceA})
	}
	pairs := report.Table{Name: "pairs", Columns: []report.Column{{Key: "name", Title: "pair"}, {Key: "area_mm2", Title: "area", Unit: "mm2", Digits: 2}, {Key: "die_percent", Title: "of 628 mm2", Unit: "%", Digits: 2},
		{Key: "times_smaller_than_gpu", Title: "times smaller", Digits: 1}, {Key: "energy_printed_pj", Title: "energy printed", Unit: "pJ", Digits: 1}, {Key: "network_over_codec", Title: "network/codec", Digits: 2},
		{Key: "energy_gain_at_ratio_5", Title: "gain at ratio 5", Digits: 2}, {Key: "break_even_ratio", Title: "even at ratio", Digits: 2}}}
	for _, p := range j.Pairs {
		pairs.Rows = append(pairs.Rows, []any{figures.CodecTitle(p.Name), p.Area, p.Die, p.Smaller, p.Energy, p.Ratio, p.Gain, p.MinRatio})
	}
	return &report.Result{Schema: reproduceSchema("table2"), Payload: j, Title: "Table II of the paper: codec engines in ASAP7 at 100 Gbps, and what follows from its numbers",
		Tables: []report.Table{rows, ownTable(j.Own), pairs, statementTable(j.Statements)},
		Notes: []string{
			ownNote,
			"The first three numbers of an engine are printed; the rest follows. 'Energy/Bit' of the table is not power over rate: 1.1 W / 100 Gbps is 11 pJ, printed is 167.8. Read as the energy of a 16-bit value, the printed energy gives back every printed power.",
			fmt.Sprintf("One engine codes 3840x2160 at 60 frames/s, %.4g Gvalue/s = %.3g Gbps of FP16; a row is %g of them. Ratios between rows hold in either reading.", j.Rate/1e9, j.Rate*cluster.PayloadBits/1e9, j.Instances),
		}}
}

// ownNote says what ours is in a table beside the paper's.
const ownNote = "Ours: 100 Gbps of payload at 3 bits a value in ASAP7, cells at 0.7 of the placed area and memories, at the clock that timing allows less 30 % for layout; energy from toggles of the gates with 30 % for wires. " +
	"They are not placed and routed, as the paper's are. Of T.265 the encoder is ours; its decoder does not exist in hardware yet. vcsim codec show has each number with its file, command and error."

// ownTable puts our engines beside the paper's.
func ownTable(list []figures.OwnEngine) report.Table {
	t := report.Table{Name: "own", Columns: []report.Column{{Key: "name", Title: "engine"}, {Key: "paper_area_mm2", Title: "paper", Unit: "mm2", Digits: 2}, {Key: "own_area_mm2", Title: "ours", Unit: "mm2", Digits: 4},
		{Key: "own_at_1ghz_mm2", Title: "at 1 GHz", Unit: "mm2", Digits: 4}, {Key: "paper_over_own_area", Title: "paper/ours", Digits: 1}, {Key: "paper_power_w", Title: "paper", Unit: "W", Digits: 1, Minor: true}, {Key: "own_power_w", Title: "ours", Unit: "W", Digits: 3, Minor: true},
		{Key: "paper_value_pj", Title: "paper, a value", Unit: "pJ", Digits: 1}, {Key: "own_value_pj", Title: "ours", Unit: "pJ", Digits: 2}, {Key: "paper_over_own_energy", Title: "paper/ours", Digits: 1}, {Key: "note"}}}
	for _, e := range list {
		t.Rows = append(t.Rows, []any{figures.CodecTitle(e.Codec) + " " + e.Half, e.PaperArea, cell(e.Area), cell(e.At1GHz), cell(e.AreaRatio), e.PaperPower, cell(e.Power), e.PaperValue, cell(e.Value), cell(e.Ratio), e.Note})
	}
	return t
}

func newFig9Command(a *app, f *reproduceFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "fig9",
		Short: "Figure 9: area and energy of the codecs, ours beside the paper's",
		Long: "fig9 is area and energy of the codec engines for 100 Gbps of payload: the paper's, ours as measured, and what they stand beside,\n" +
			"the die of a GPU and the network. The values that the paper draws in its figure are not at hand: what stands here as the paper's\n" +
			"are the numbers of its Table II and section VI. The decoder of our own T.265 does not exist in hardware yet, and has no bar.",
		Example: "  vcsim reproduce fig9 --out charts\n  vcsim reproduce fig9 --csv",
		Args:    wantArgs(0, 0),
		RunE: func(*cobra.Command, []string) error {
			paper, err := presets.Paper()
			if err != nil {
				return err
			}
			r, err := figures.NewFig9(paper)
			if err != nil {
				return err
			}
			return a.printFigure(&fig9{Fig9: r, Files: []string{}}, f)
		},
	}
}

// fig9 is the figure with the files drawn.
type fig9 struct {
	*figures.Fig9
	Files []string `json:"files"`
}

// charts are area and energy, the paper's and ours, and where ours go by kind of unit.
func (r *fig9) charts() []namedChart {
	area := &report.Bars{Title: "Area for 100 Gbps of payload, ASAP7", Y: report.Axis{Label: "area (mm2)", Log: true, Min: 0.01, Max: 1000}}
	energy := &report.Bars{Title: "Energy at 100 Gbps of payload, ASAP7", Y: report.Axis{Label: "energy (pJ a payload bit)", Log: true, Min: 0.1, Max: 1000}}
	bars := [3][2][]float64{} // of the paper, ours, what they stand beside
	add := func(layer int, name, beside string, mm2, pj float64) {
		area.Names, energy.Names = append(area.Names, name), append(energy.Names, beside)
		for i := range bars {
			v := [2]float64{}
			if i == layer {
				v = [2]float64{mm2, pj}
			}
			bars[i][0], bars[i][1] = append(bars[i][0], v[0]), append(bars[i][1], v[1])
		}
	}
	var parts, goes []stack
	for _, p := range r.Paper {
		codec, half, _ := strings.Cut(p.Name, " ")
		name := figures.CodecTitle(codec) + "\n" + half
		add(0, name, name, p.MM2, p.RawBit)
		for _, own := range r.Own {
			if own.Name != p.Name || own.Area == nil {
				continue
			}
			add(1, name, name, *own.Area, deref(own.RawBit))
			part, energy := stack{name: fmt.Sprintf("%s\n%.3g mm2", name, *own.Area), kinds: map[string]float64{}}, stack{name: fmt.Sprintf("%s\n%.3g pJ/bit", name, deref(own.RawBit)), kinds: map[string]float64{}}
			for _, k := range own.Kinds {
				part.kinds[k.Kind], energy.kinds[k.Kind] = k.MM2, k.RawBit
			}
			if parts = append(parts, part); own.RawBit != nil {
				goes = append(goes, energy)
			}
		}
	}
	add(2, "GPU\ndie", "NCCL", r.DieMM2, r.Network)
	for i, names := range [][2]string{{"the paper", "the paper"}, {"ours, measured", "ours, measured"}, {"RTX 3090", "the network"}} {
		hue := []int{3, 6, 1}[i]
		area.Layers, energy.Layers = append(area.Layers, report.Layer{Name: names[0], Values: bars[i][0], Hue: hue}), append(energy.Layers, report.Layer{Name: names[1], Values: bars[i][1], Hue: hue})
	}
	return []namedChart{{"fig9-area", area}, {"fig9-energy", energy},
		{"fig9-area-units", stacked("Where the area of our engines goes, 100 Gbps of payload", "placed area (mm2)", parts)},
		{"fig9-energy-units", stacked("Where the energy of our engines goes", "energy (pJ a payload bit)", goes)}}
}

func (r *fig9) result(files []string) *report.Result {
	r.Files = append(r.Files, files...)
	engines := report.Table{Name: "engines", Columns: []report.Column{{Key: "name", Title: "engine"}, {Key: "area_mm2", Title: "area", Unit: "mm2", Digits: 2}, {Key: "energy_pj_per_bit", Title: "energy", Unit: "pJ/bit", Digits: 2}}}
	for _, p := range r.Paper {
		engines.Rows = append(engines.Rows, []any{p.Name, p.MM2, p.RawBit})
	}
	return &report.Result{Schema: reproduceSchema("fig9"), Payload: r, Title: fmt.Sprintf("Figure 9: area and energy of codec engines for 100 Gbps of payload, ours at %g bits a value", r.Bits),
		Tables: []report.Table{ownTable(r.Own), engines, statementTable(r.Statements)},
		Notes:  append([]string{ownNote, fmt.Sprintf("Beside them: %g mm2 of an RTX 3090, and %g pJ a payload bit of NCCL from end to end, with Table II read as of a value of 16 bits.", r.DieMM2, r.Network)}, fileNote(files)...)}
}

func newInferenceCommand(a *app, _ *reproduceFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "inference",
		Short: "LLaMA-3-70B with 128k tokens of context on four 8 GB devices",
		Long: "inference works out the paper's headline case of serving: weights, KV cache and activations of LLaMA-3-70B compressed so\n" +
			"that four small devices hold it. It has no chart.",
		Example: "  vcsim reproduce inference",
		Args:    wantArgs(0, 0),
		RunE: func(*cobra.Command, []string) error {
			paper, err := presets.Paper()
			if err != nil {
				return err
			}
			r, err := figures.NewInference(paper)
			if err != nil {
				return err
			}
			return a.print(inferenceResult(r))
		},
	}
}

// inferenceJSON is the JSON of `vcsim reproduce inference`.
type inferenceJSON struct {
	Figure     string              `json:"figure"`
	Statements []figures.Statement `json:"statements"`
	Infer      *inferJSON          `json:"infer"`
}

func inferenceResult(r *figures.Inference) *report.Result {
	infer := newInferJSON(&r.Job, r.Study, r.Codecs)
	infer.Model, infer.GPU, infer.BW, infer.Stack = r.Model, r.GPU, r.LinkBPS/1e9, r.Stack
	free, t265 := &r.Study.Outcomes[0].Step, &r.Study.Outcomes[1].Step
	return &report.Result{Schema: reproduceSchema("inference"), Payload: &inferenceJSON{"inference", r.Statements, infer}, Tables: []report.Table{statementTable(r.Statements)},
		Title: "Inference: LLaMA-3-70B, 128k tokens of context, four devices",
		Facts: []report.Fact{
			{Column: report.Column{Key: "compressed"}, Value: infer.Memory.fits()},
			{Column: report.Column{Key: "uncompressed"}, Value: infer.Plain.fits()},
		},
		Notes: []string{fmt.Sprintf("Capacity is not all: weights and cache that are stored compressed are decoded for every token. With %d decoders of Table II a token takes %.3g s; %.0f per device would keep up with the memory (%.3g s).",
			codecpoint.TableInstances, t265.Token, t265.DecodeInstances, free.Token)},
	}
}
