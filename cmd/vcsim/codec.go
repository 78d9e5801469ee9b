package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vcsim/internal/codecpoint"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

// codecSideJSON is the encoder or the decoder of a codec point.
type codecSideJSON struct {
	Side      string   `json:"side"`             // encoder or decoder
	Instances int      `json:"instances"`        // whose rate, area and power these are; 0: cannot be counted
	Lanes     int      `json:"lanes"`            // of one instance; 0 where not known
	Values    *float64 `json:"values_per_cycle"` // of one instance; null where not known
	Clock     *float64 `json:"clock_ghz"`        // null where not known
	Rate      float64  `json:"payload_gbps"`     // of all instances
	Latency   *float64 `json:"latency_ns"`       // of a macroblock; null where not known
	MM2       *float64 `json:"mm2"`              // of all instances; null where not known
	Per100    *float64 `json:"at_clock_mm2"`     // for 100 Gbps of payload; null where not known
	Power     *float64 `json:"power_w"`          // at that rate; null where not known
	Value     *float64 `json:"value_pj"`         // a value
	RawBit    *float64 `json:"payload_bit_pj"`   // a payload bit, of 16 a value
	WireBit   *float64 `json:"wire_bit_pj"`      // a bit of the stream
	Bin       *float64 `json:"bin_pj"`           // a bin of the arithmetic coder; null where the streams are not known
	Low       *float64 `json:"payload_bit_low_pj"`
	High      *float64 `json:"payload_bit_high_pj"`
	PaperMM2  *float64 `json:"paper_mm2"` // Table II for 100 Gbps; null without --paper
	PaperPJ   *float64 `json:"paper_pj"`  // Table II, a payload bit; null without --paper
}

// codecUnitJSON is a unit of an encoder or a decoder of our own.
type codecUnitJSON struct {
	Side   string   `json:"side"`           // encoder or decoder
	Unit   string   `json:"unit"`           // module of the RTL, memories, or wires
	Kind   string   `json:"unit_kind"`      // as charts group the units
	Count  int      `json:"count"`          // instances of the unit; 0 for memories and wires
	MM2    *float64 `json:"unit_mm2"`       // placed, of all instances in one encoder or decoder; null where another unit's area has it
	RawBit *float64 `json:"payload_bit_pj"` // of all instances, a payload bit; null where not known
	Model  *float64 `json:"model_worst_percent"`
}

type codecShowJSON struct {
	Schema  string              `json:"schema"`
	Codec   string              `json:"codec"`
	Bits    float64             `json:"bits_per_value"` // at which the numbers are
	Source  string              `json:"source"`
	Sides   []codecSideJSON     `json:"sides"`   // encoder and decoder
	Absent  []string            `json:"absent"`  // sides of a codec of our own that do not exist in hardware yet
	Units   []codecUnitJSON     `json:"units"`   // what they are made of; none where the codec says nothing of it
	Figures []codecpoint.Figure `json:"figures"` // the numbers of one instance, each with the file that it is from and the command that renews it
}

// pointFlags choose a codec point.
type pointFlags struct {
	hardwareFlags
	instances int
	gpu       string
}

func newCodecCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "codec COMMAND",
		Short: "What a codec does and takes, with the origin of each number",
		Long:  "codec shows codec points: rate, area, energy and latency of one instance, as the cluster model takes them.",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("codec has no command %q: codec show shows a codec", args[0])
			}
			return fmt.Errorf("codec wants a command: codec show")
		},
	}
	cmd.AddCommand(newCodecShowCommand(a))
	return cmd
}

func newCodecShowCommand(a *app) *cobra.Command {
	var f pointFlags
	cmd := &cobra.Command{
		Use:   "show [NAME|FILE]",
		Short: "Rate, area, energy and latency of a codec, by unit",
		Long: "show prints a codec point: t264 (the default) and t265, hardware of our own from synthesis, gates and clocked models; t264-paper and t265-paper, h264 and h265,\n" +
			"the rows of the paper's Table II; nvenc, the video engines of --gpu; or a YAML file of one's own. Energies are by value, payload bit, bit of the stream and\n" +
			"bin, areas by unit, and every number has the file that it is from and the command that renews the file. It runs no tool.",
		Example: "  vcsim codec show --paper\n  vcsim codec show t264 --lanes 16 --clock 1GHz --bits 4 --instances 2\n  vcsim codec show t265 --plot t265.svg\n  vcsim codec show t265-paper --json\n  vcsim codec show lossless.yaml",
		Args:    wantArgs(0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return append(codecpoint.Own(), "t264-paper", "t265-paper", "h264", "h265", "nvenc"), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "t264"
			if len(args) > 0 {
				name = args[0]
			}
			s, err := f.sheet(name, cmd.Flags().Changed)
			if err != nil {
				return err
			}
			if f.plot != "" {
				chart, err := shareChart(s)
				if err != nil {
					return err
				}
				if err := f.draw(chart); err != nil {
					return err
				}
			}
			r, err := f.show(s)
			if err != nil {
				return err
			}
			return a.print(r)
		},
	}
	f.register(cmd)
	fs := cmd.Flags()
	fs.IntVar(&f.instances, "instances", 0, "encoders and decoders whose rate, area and power are shown (default: those of the codec, 1 of ours)")
	fs.StringVar(&f.gpu, "gpu", "rtx3090", "GPU whose video engines nvenc is, or a YAML file")
	fs.Lookup("plot").Usage = "draw where area and energy of a codec of ours go, by kind of unit, to this .png or .svg"
	return cmd
}

// sheet works out the point of a name.
func (f *pointFlags) sheet(name string, changed func(flag string) bool) (*codecpoint.Sheet, error) {
	own := slices.Contains(codecpoint.Own(), name)
	if !own {
		for _, flag := range []string{"lanes", "decoder-lanes", "values", "frame-mbs", "clock", "plot"} {
			if changed(flag) {
				return nil, fmt.Errorf("--%s is of %s, whose units are known; %s is not ours", flag, strings.Join(codecpoint.Own(), " and "), name)
			}
		}
	}
	switch {
	case changed("gpu") && name != "nvenc":
		return nil, fmt.Errorf("--gpu is of nvenc, not of %s", name)
	case changed("instances") && (f.instances < 1 || f.instances > maxInstances):
		return nil, fmt.Errorf("--instances is %d, want 1 to %d", f.instances, maxInstances)
	case changed("instances") && name == "nvenc":
		return nil, fmt.Errorf("--instances: a GPU has the video engines that it has")
	case strings.ContainsAny(name, "@=") && !strings.ContainsAny(name, "./"):
		return nil, fmt.Errorf("codec %s is a codec at other bits: show the codec with --bits", name)
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	if own {
		return codecpoint.OwnSheet(f.spec(name), f.bits, max(1, f.instances))
	}
	o := presets.CodecOptions{}
	var err error
	if o.Point.Table, err = presets.Engines(); err != nil {
		return nil, err
	}
	if name == "nvenc" {
		gpu, err := presets.GPU(f.gpu)
		if err != nil {
			return nil, err
		}
		o.Point.Video = presets.Video(f.gpu, &gpu.Value)
	}
	c, err := o.Codec(name)
	if err != nil {
		return nil, err
	}
	return codecpoint.NewSheet(&c.Point, f.bits, f.instances)
}

// show renders a sheet.
func (f *pointFlags) show(s *codecpoint.Sheet) (*report.Result, error) {
	j := &codecShowJSON{Schema: "vcsim.codec/2", Codec: s.Name, Bits: s.Bits, Source: s.Source, Sides: []codecSideJSON{}, Absent: append([]string{}, s.Absent...), Units: []codecUnitJSON{}, Figures: s.Figures}
	table, err := presets.Engines()
	if err != nil {
		return nil, err
	}
	paper := table[paperRow(s.Name)]
	for _, side := range s.Sides {
		row := codecSideJSON{Side: side.Side, Instances: side.Instances, Lanes: side.Lanes, Values: side.ValuesPerCycle, Clock: times(side.ClockHz, 1e-9), Rate: side.PayloadBPS / 1e9,
			Latency: times(side.LatencyS, 1e9), MM2: side.MM2, Per100: side.MM2Per100Gbps, Power: side.PowerW}
		if e := side.Energy; e != nil {
			row.Value, row.RawBit, row.WireBit, row.Bin, row.Low, row.High = &e.Value, &e.RawBit, &e.WireBit, e.Bin, e.RawLow, e.RawHigh
		}
		if f.paper {
			of := half(&paper, side.Side)
			row.PaperMM2, row.PaperPJ = &of.AreaMM2, &of.PJPerRawBit
		}
		j.Sides = append(j.Sides, row)
	}
	for _, u := range s.Units {
		j.Units = append(j.Units, codecUnitJSON{u.Side, u.Unit, u.Kind, u.Count, u.MM2, u.RawBit, u.ModelWorst})
	}
	return j.result(f.paper), nil
}

// paperRow is the row of Table II that stands beside a codec: its own, or that of T.264.
func paperRow(name string) string {
	switch name {
	case "h264", "h265", "t265":
		return name
	case "t265-paper":
		return "t265"
	case "nvenc":
		return "h265"
	}
	return "t264"
}

// times is v times a factor, where it is known.
func times(v *float64, factor float64) *float64 {
	if v == nil {
		return nil
	}
	w := *v * factor
	return &w
}

func (j *codecShowJSON) result(paper bool) *report.Result {
	sides := report.Table{Name: "sides", Columns: []report.Column{{Key: "side"}, {Key: "instances"}, {Key: "lanes", Minor: true}, {Key: "values_per_cycle", Title: "values/cycle", Digits: 2, Minor: true}, {Key: "clock_ghz", Title: "clock", Unit: "GHz", Digits: 2},
		{Key: "payload_gbps", Title: "payload", Unit: "Gbps", Digits: 1}, {Key: "latency_ns", Title: "latency", Unit: "ns", Digits: 0, Minor: paper}, {Key: "mm2", Title: "area", Unit: "mm2", Digits: 4}, {Key: "at_clock_mm2", Title: "100 Gbps", Unit: "mm2", Digits: 4},
		{Key: "power_w", Title: "power", Unit: "W", Digits: 3, Minor: paper}}}
	energies := report.Table{Name: "energy", Columns: []report.Column{{Key: "side"}, {Key: "value_pj", Title: "value", Unit: "pJ", Digits: 2}, {Key: "payload_bit_pj", Title: "payload bit", Unit: "pJ", Digits: 3},
		{Key: "payload_bit_low_pj", Title: "from", Unit: "pJ", Digits: 3}, {Key: "payload_bit_high_pj", Title: "to", Unit: "pJ", Digits: 3}, {Key: "wire_bit_pj", Title: "wire bit", Unit: "pJ", Digits: 2}, {Key: "bin_pj", Title: "bin", Unit: "pJ", Digits: 2}}}
	units := report.Table{Name: "units", Columns: []report.Column{{Key: "side"}, {Key: "unit"}, {Key: "count"}, {Key: "unit_mm2", Title: "area", Unit: "mm2", Digits: 5}, {Key: "area_percent", Title: "of it", Unit: "%", Digits: 1},
		{Key: "payload_bit_pj", Title: "payload bit", Unit: "pJ", Digits: 4}, {Key: "energy_percent", Title: "of it", Unit: "%", Digits: 1}, {Key: "model_worst_percent", Title: "area model", Unit: "%", Digits: 1, Minor: true}}}
	figures := report.Table{Name: "figures", Columns: []report.Column{{Key: "what", Title: "number"}, {Key: "value"}, {Key: "unit"}, {Key: "file"}, {Key: "command"}, {Key: "note", Minor: true}}}
	// What a number is of makes room for where it is from.
	short := strings.NewReplacer("pJ per payload bit", "pJ/bit", "Gbps of payload", "Gbps")
	r := &report.Result{Schema: j.Schema, Payload: j, Title: fmt.Sprintf("%s at %.4g bits a value: %s", j.Codec, j.Bits, j.Source)}
	if paper {
		sides.Columns = append(sides.Columns, report.Column{Key: "paper_mm2", Title: "the paper's", Unit: "mm2", Digits: 2})
		energies.Columns = append(energies.Columns, report.Column{Key: "paper_pj", Title: "the paper's", Unit: "pJ", Digits: 2})
	}
	for _, s := range j.Sides {
		row := []any{s.Side, some(s.Instances), some(s.Lanes), cell(s.Values), cell(s.Clock), s.Rate, cell(s.Latency), cell(s.MM2), cell(s.Per100), cell(s.Power)}
		energy := []any{s.Side, cell(s.Value), cell(s.RawBit), cell(s.Low), cell(s.High), cell(s.WireBit), cell(s.Bin)}
		if paper {
			row, energy = append(row, cell(s.PaperMM2)), append(energy, cell(s.PaperPJ))
		}
		sides.Rows, energies.Rows = append(sides.Rows, row), append(energies.Rows, energy)
	}
	share := func(of *float64, side string, value func(*codecUnitJSON) *float64) any {
		if of == nil {
			return nil
		}
		sum := 0.0
		for i := range j.Units {
			if v := value(&j.Units[i]); v != nil && j.Units[i].Side == side {
				sum += *v
			}
		}
		return 100 * *of / sum
	}
	var models []string
	for _, u := range j.Units {
		if m := fmt.Sprintf("%s %.1f %%", strings.TrimPrefix(u.Unit, "rest of "), deref(u.Model)); u.Model != nil && !slices.Contains(models, m) {
			models = append(models, m)
		}
		units.Rows = append(units.Rows, []any{u.Side, u.Unit, some(u.Count), cell(u.MM2), share(u.MM2, u.Side, func(u *codecUnitJSON) *float64 { return u.MM2 }), cell(u.RawBit),
			share(u.RawBit, u.Side, func(u *codecUnitJSON) *float64 { return u.RawBit }), cell(u.Model)})
	}
	for _, f := range j.Figures {
		figures.Rows = append(figures.Rows, []any{f.What, f.Value, short.Replace(f.Unit), f.File, f.Command, f.Note})
	}
	r.Tables = []report.Table{sides, energies}
	if len(j.Units) > 0 {
		r.Tables = append(r.Tables, units)
		r.Notes = append(r.Notes, "Rates and energies are means over planes of weights, gradients, activations and caches, of an instance that is never idle; areas are placed, of one encoder or decoder by unit. "+
			"Largest error of the area model on grid points left out: "+strings.Join(models, ", ")+"; the other units are rows of synthesis.")
	}
	r.Notes = append(r.Notes, codecpoint.MissingNotes(j.Codec)...)
	if r.Tables = append(r.Tables, figures); paper {
		r.Notes = append(r.Notes, "The paper's are those of Table II for 100 Gbps of payload, energies read as of a value of 16 bits (docs/cluster.md).")
	}
	var renew []string
	for _, f := range j.Figures {
		if by := f.File + " by " + f.Command; f.Command != "" && !slices.Contains(renew, by) {
			renew = append(renew, by)
		}
	}
	if len(renew) > 0 {
		r.Notes = append(r.Notes, "Renewed: "+strings.Join(renew, "; ")+".")
	}
	var said []string // each note once, with the numbers that it is of
	of := map[string][]string{}
	for _, f := range j.Figures {
		if f.Note == "" {
			continue
		}
		if of[f.Note] == nil {
			said = append(said, f.Note)
		}
		of[f.Note] = append(of[f.Note], f.What)
	}
	for _, note := range said {
		r.Notes = append(r.Notes, strings.Join(of[note], ", ")+": "+note+".")
	}
	return r
}

// deref is a number, 0 where it is not known.
func deref(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

// some is a count, or nothing for 0.
func some(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// shareChart draws where area and energy of a sheet go, by kind of unit.
func shareChart(s *codecpoint.Sheet) (*report.Bars, error) {
	if len(s.Units) == 0 {
		return nil, fmt.Errorf("--plot: the units of %s are not known", s.Name)
	}
	var bars []stack
	for _, side := range s.Sides {
		mm2 := *side.MM2 / float64(side.Instances)
		area := stack{name: fmt.Sprintf("%s, area\n%.3g mm2", side.Side, mm2), kinds: map[string]float64{}}
		for _, u := range s.Units {
			if u.Side != side.Side {
				continue
			}
			if u.MM2 != nil {
				area.kinds[u.Kind] += 100 * *u.MM2 / mm2
			}
		}
		bars = append(bars, area)
		if side.Energy == nil {
			continue
		}
		energy := stack{name: fmt.Sprintf("%s, energy\n%.3g pJ/bit", side.Side, side.Energy.RawBit), kinds: map[string]float64{}}
		for _, u := range s.Units {
			if u.Side == side.Side && u.RawBit != nil {
				energy.kinds[u.Kind] += 100 * *u.RawBit / side.Energy.RawBit
			}
		}
		bars = append(bars, energy)
	}
	c := stacked(fmt.Sprintf("Where area and energy of %s go, %.3g bits a value", codecpoint.Title(s.Name), s.Bits), "share of the encoder or the decoder (%)", bars)
	c.Y.Max = 100
	return c, nil
}
