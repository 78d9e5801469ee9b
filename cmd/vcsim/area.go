package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vcsim/area"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

// hardwareFlags choose hardware of our own, for `vcsim area` and `vcsim energy`.
type hardwareFlags struct {
	codec                                 string
	lanes, decoderLanes, values, frameMBs int
	clock                                 config.Hertz
	bits                                  float64
	paper                                 bool
	plot                                  string

	flags *pflag.FlagSet
}

// areaUnitJSON is a unit of an encoder or a decoder.
type areaUnitJSON struct {
	Side      string  `json:"side"`           // encoder or decoder
	Unit      string  `json:"unit"`           // module of the RTL
	Count     int     `json:"count"`          // instances of the unit
	UM2       float64 `json:"cells_um2"`      // cells of one instance, without wires
	TotalUM2  float64 `json:"all_cells_um2"`  // cells of all instances
	Share     float64 `json:"cells_fraction"` // of the cells of the side
	SRAM1Bits float64 `json:"sram_bits"`      // memories of one port
	SRAM2Bits float64 `json:"sram2_bits"`     // memories of two ports

	Model   *float64 `json:"model_worst_percent"` // largest error of the unit's model on rows left out; null where it has none, and a row of synthesis is all that is known
	LeftOut int      `json:"model_left_out"`      // rows that it was tried on
}

// areaLaneJSON is a unit of one lane.
type areaLaneJSON struct {
	Side  string  `json:"side"`           // encoder or decoder
	Unit  string  `json:"unit"`           // module of the RTL
	UM2   float64 `json:"cells_um2"`      // cells, without wires
	Share float64 `json:"cells_fraction"` // of the cells of a lane
}

// areaSideJSON is an encoder or a decoder as a whole.
type areaSideJSON struct {
	Side     string   `json:"side"`           // encoder or decoder
	MM2      float64  `json:"mm2"`            // cells at the utilisation, and memories
	Timing   float64  `json:"timing_ghz"`     // clock without wires
	Clock    float64  `json:"clock_ghz"`      // with the allowance for layout, or as asked for
	Rate     float64  `json:"payload_gbps"`   // at that clock
	At1GHz   float64  `json:"at_1ghz_mm2"`    // for 100 Gbps of payload at 1 GHz
	AtClock  float64  `json:"at_clock_mm2"`   // for 100 Gbps of payload at that clock
	PerValue float64  `json:"per_mvalue_um2"` // area for a million values a second
	Paper    *float64 `json:"paper_mm2"`      // Table II for 100 Gbps; null without --paper
	Source   string   `json:"source"`
}

type areaJSON struct {
	Schema string         `json:"schema"`
	Codec  string         `json:"codec"`
	Bits   float64        `json:"bits_per_value"` // at which the rates are
	Sides  []areaSideJSON `json:"sides"`          // encoder and decoder
	Absent []string       `json:"absent"`         // sides that do not exist in hardware yet
	Units  []areaUnitJSON `json:"units"`          // what they are made of
	Lanes  []areaLaneJSON `json:"lane"`           // what one lane is made of
}

func newAreaCommand(a *app) *cobra.Command {
	var f hardwareFlags
	cmd := &cobra.Command{
		Use:   "area",
		Short: "What encoder and decoder of T.264 or T.265 take of a chip, by unit",
		Long: "area prints cells, memories and clock of our own hardware from the rows of synthesis that came with the program (area/rows.csv, ASAP7), and\n" +
			"of other parameters from the model between them, with its error on rows left out. It runs no tool. Cells are at 0.7 of the placed area.",
		Example: "  vcsim area --paper --plot area.svg\n  vcsim area --lanes 12 --bits 4 --json\n  vcsim area --codec t265",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r, err := f.area()
			if err != nil {
				return err
			}
			return a.print(r)
		},
	}
	f.registerCodec(cmd)
	f.register(cmd)
	return cmd
}

// registerCodec adds the flag that chooses one of our codecs.
func (f *hardwareFlags) registerCodec(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.codec, "codec", codecpoint.Own()[0], "codec of our own: "+strings.Join(codecpoint.Own(), " or "))
	if err := cmd.RegisterFlagCompletionFunc("codec", cobra.FixedCompletions(codecpoint.Own(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is defined above
	}
}

func (f *hardwareFlags) register(cmd *cobra.Command) {
	fs := cmd.Flags()
	f.flags = fs
	fs.SortFlags = false
	// of says a default, and those of codecs that have another.
	of := func(value func(*codecpoint.Spec) int) string {
		var list []string
		for i, codec := range codecpoint.Own() {
			d := codecpoint.DefaultSpec(codec)
			switch v := value(&d); {
			case i == 0:
				list = append(list, fmt.Sprintf("default %d", v))
			case v == 0:
				list = append(list, codec+" has none")
			default:
				list = append(list, fmt.Sprintf("of %s %d", codec, v))
			}
		}
		return " (" + strings.Join(list, ", ") + ")"
	}
	fs.IntVar(&f.lanes, "lanes", 0, "CABAC lanes of the encoder, 1 to 48, each with a thread"+of(func(s *codecpoint.Spec) int { return s.Lanes }))
	fs.IntVar(&f.values, "values", codecpoint.DefaultSpec("t264").Values, "values a cycle of its pixel path, 4 or 8; of t265 8")
	fs.IntVar(&f.decoderLanes, "decoder-lanes", 0, "lanes of the decoder, 2 to 48"+of(func(s *codecpoint.Spec) int { return s.DecoderLanes }))
	fs.IntVar(&f.frameMBs, "frame-mbs", codecpoint.DefaultSpec("t264").FrameMBs, "widest frame in macroblocks, or CTUs, of 16 values")
	fs.Var(&f.clock, "clock", "clock, as in 1GHz (default: what timing allows, less an allowance for layout)")
	fs.Float64Var(&f.bits, "bits", 3, "bits a value at which the rates are, 0.1 to 16")
	fs.BoolVar(&f.paper, "paper", false, "print the paper's Table II beside")
	fs.StringVar(&f.plot, "plot", "", "draw where it goes, by kind of unit, to this .png or .svg")
	markOutputs(fs, "plot")
}

// check refuses bits out of range.
func (f *hardwareFlags) check() error {
	if !(f.bits >= 0.1 && f.bits <= 16) {
		return fmt.Errorf("--bits is %v, want 0.1 to 16", f.bits)
	}
	return nil
}

// spec is the hardware that the flags choose, of a codec of ours.
func (f *hardwareFlags) spec(codec string) codecpoint.Spec {
	s := codecpoint.DefaultSpec(codec)
	s.Codec, s.Values, s.FrameMBs, s.Clock = codec, f.values, f.frameMBs, float64(f.clock)
	if f.flags.Changed("lanes") {
		s.Lanes = f.lanes
	}
	if f.flags.Changed("decoder-lanes") {
		s.DecoderLanes = f.decoderLanes
	}
	return s
}

// hardware is what the flags choose, with the paper's engine of Table II.
func (f *hardwareFlags) hardware() (h *codecpoint.Hardware, paper codecpoint.Engine, err error) {
	if err := f.check(); err != nil {
		return nil, paper, err
	}
	table, err := presets.Engines()
	if err != nil {
		return nil, paper, err
	}
	if !slices.Contains(codecpoint.Own(), f.codec) {
		return nil, paper, fmt.Errorf("--codec %s: there is hardware of %s", f.codec, strings.Join(codecpoint.Own(), " and "))
	}
	h, err = codecpoint.NewHardware(f.spec(f.codec))
	return h, table[f.codec], err
}

// area works out both sides.
func (f *hardwareFlags) area() (*report.Result, error) {
	h, paper, err := f.hardware()
	if err != nil {
		return nil, err
	}
	j := &areaJSON{Schema: "vcsim.area/2", Codec: f.codec, Bits: f.bits, Absent: absent(f.codec)}
	for _, s := range h.Sides() {
		row, err := f.areaOf(s)
		if err != nil {
			return nil, err
		}
		if f.paper {
			row.Paper = &half(&paper, s.Name()).AreaMM2
		}
		j.Sides = append(j.Sides, row)
		parts, err := s.Parts()
		if err != nil {
			return nil, err
		}
		for _, p := range parts {
			u := areaUnitJSON{Side: s.Name(), Unit: p.Name(), Count: p.Count, UM2: p.Cells, TotalUM2: p.Cells * float64(p.Count), LeftOut: p.LeftOut,
				Share: p.Cells * float64(p.Count) / s.Estimate.Cells, SRAM1Bits: p.SRAM1 * float64(p.Count), SRAM2Bits: p.SRAM2 * float64(p.Count)}
			if p.LeftOut > 0 {
				u.Model = &p.Worst
			}
			j.Units = append(j.Units, u)
		}
		lane, err := s.LaneParts()
		if err != nil {
			return nil, err
		}
		for _, p := range lane {
			j.Lanes = append(j.Lanes, areaLaneJSON{Side: s.Name(), Unit: p.Name(), UM2: p.Cells, Share: p.Cells / s.Estimate.LaneUM2})
		}
	}
	if err := f.draw(j.chart()); err != nil {
		return nil, err
	}
	return j.result(f), nil
}

// chart draws the placed area of both sides for 100 Gbps at 1 GHz, by kind of unit.
func (j *areaJSON) chart() *report.Bars {
	var parts []stack
	for _, s := range j.Sides {
		of := stack{name: fmt.Sprintf("%s\n%.3g mm2", s.Side, s.At1GHz), kinds: map[string]float64{}}
		for _, u := range j.Units {
			if u.Side == s.Side {
				scale := s.At1GHz / s.MM2
				of.kinds[codecpoint.KindOf(u.Unit)] += scale * area.Size{Cells: u.TotalUM2}.MM2()
				of.kinds["memories"] += scale * area.Size{SRAM1: u.SRAM1Bits, SRAM2: u.SRAM2Bits}.MM2()
			}
		}
		parts = append(parts, of)
	}
	return stacked(fmt.Sprintf("Area of %s for 100 Gbps of payload at 1 GHz, %g bits a value", codecpoint.Title(j.Codec), j.Bits), "placed area (mm2)", parts)
}

// A stack is a bar by kinds of units.
type stack struct {
	name  string
	kinds map[string]float64
}

// stacked is a chart of bars by kinds of units.
func stacked(title, axis string, bars []stack) *report.Bars {
	c := &report.Bars{Title: title, Y: report.Axis{Label: axis}}
	hues := []int{5, 2, 4, 3, 6, 7}
	for _, b := range bars {
		c.Names = append(c.Names, b.name)
	}
	for k, kind := range codecpoint.Kinds {
		l := report.Layer{Name: kind, Hue: hues[k]}
		sum := 0.0
		for _, b := range bars {
			l.Values = append(l.Values, b.kinds[kind])
			sum += b.kinds[kind]
		}
		if sum > 0 {
			c.Layers = append(c.Layers, l)
		}
	}
	return c
}

// half is the encoder or the decoder of an engine of the paper.
func half(e *codecpoint.Engine, side string) *codecpoint.Half {
	if side == "encoder" {
		return &e.Encoder
	}
	return &e.Decoder
}

// absent are the sides of a codec of ours that do not exist yet, an empty list where both do.
func absent(codec string) []string { return append([]string{}, codecpoint.Missing(codec)...) }

// draw writes a chart where --plot asks for it.
func (f *hardwareFlags) draw(c *report.Bars) error {
	if f.plot == "" {
		return nil
	}
	return c.Save(f.plot)
}

func (f *hardwareFlags) areaOf(s *codecpoint.Side) (row areaSideJSON, err error) {
	rate, err := s.MeanRate(f.bits)
	if err != nil {
		return row, err
	}
	row = areaSideJSON{Side: s.Name(), MM2: s.Estimate.MM2(), Timing: s.Estimate.GHz, Clock: s.Clock / 1e9, Rate: rate / 1e9, PerValue: s.Estimate.MM2() * 1e12 * 16 / rate, Source: s.Estimate.Source()}
	if row.At1GHz, err = s.MM2Per100Gbps(f.bits, 1e9); err != nil {
		return row, err
	}
	row.AtClock, err = s.MM2Per100Gbps(f.bits, 0)
	return row, err
}

func (j *areaJSON) result(f *hardwareFlags) *report.Result {
	sides := report.Table{Name: "sides", Columns: []report.Column{{Key: "side"}, {Key: "mm2", Unit: "mm2", Title: "area", Digits: 4}, {Key: "timing_ghz", Title: "timing", Unit: "GHz", Digits: 2, Minor: f.paper},
		{Key: "clock_ghz", Title: "clock", Unit: "GHz", Digits: 2}, {Key: "payload_gbps", Title: "payload", Unit: "Gbps", Digits: 1}, {Key: "at_1ghz_mm2", Title: "100 Gbps, 1 GHz", Unit: "mm2", Digits: 4},
		{Key: "at_clock_mm2", Title: "at the clock", Unit: "mm2", Digits: 4}, {Key: "per_mvalue_um2", Title: "a Mvalue/s", Unit: "um2", Digits: 3, Minor: true}}}
	if f.paper {
		sides.Columns = append(sides.Columns, report.Column{Key: "paper_mm2", Title: "the paper's", Unit: "mm2", Digits: 2})
	}
	units := report.Table{Name: "units", Columns: []report.Column{{Key: "side"}, {Key: "unit"}, {Key: "count", Digits: 0}, {Key: "cells_um2", Title: "cells", Unit: "um2", Digits: 1},
		{Key: "all_cells_um2", Title: "together", Unit: "um2", Digits: 0, Minor: true}, {Key: "cells_percent", Title: "share", Unit: "%", Digits: 1}, {Key: "sram_bits", Title: "SRAM", Unit: "bits", Digits: 0},
		{Key: "sram2_bits", Title: "2 ports", Unit: "bits", Digits: 0, Minor: true}, {Key: "model_worst_percent", Title: "model", Unit: "%", Digits: 1}}}
	lane := report.Table{Name: "lane", Columns: []report.Column{{Key: "side"}, {Key: "unit", Title: "unit of a lane"}, {Key: "cells_um2", Title: "cells", Unit: "um2", Digits: 1}, {Key: "cells_percent", Title: "share", Unit: "%", Digits: 1}}}
	r := &report.Result{Schema: j.Schema, Payload: j, Title: fmt.Sprintf("%s in ASAP7 at %g bits a value", codecpoint.Title(j.Codec), j.Bits)}
	for _, s := range j.Sides {
		row := []any{s.Side, s.MM2, s.Timing, s.Clock, s.Rate, s.At1GHz, s.AtClock, s.PerValue}
		if f.paper {
			row = append(row, cell(s.Paper))
		}
		sides.Rows = append(sides.Rows, row)
		r.Notes = append(r.Notes, fmt.Sprintf("%s: %s.", s.Side, s.Source))
	}
	for _, u := range j.Units {
		units.Rows = append(units.Rows, []any{u.Side, u.Unit, u.Count, u.UM2, u.TotalUM2, 100 * u.Share, u.SRAM1Bits, u.SRAM2Bits, cell(u.Model)})
	}
	for _, u := range j.Lanes {
		lane.Rows = append(lane.Rows, []any{u.Side, u.Unit, u.UM2, 100 * u.Share})
	}
	r.Tables = []report.Table{sides, units, lane}
	r.Notes = append(r.Notes, codecpoint.MissingNotes(j.Codec)...)
	r.Notes = append(r.Notes, "Model: the largest error of the unit's model on grid points left out, for units that it knows; the others are rows of synthesis, mapped alone. What is left of a module whose units are told apart is the rest of it.")
	r.Notes = append(r.Notes, "Rates are those of the clocked models on real planes, the mean over weights, gradients, activations and caches, with the padding at the edges of their frames.")
	return r
}
