package main

import (
	"fmt"
	"slices"

	"vcsim/internal/codecpoint"
	"vcsim/internal/report"
	"vcsim/internal/simrun"
	"vcsim/sim"
)

func (a *app) simReport(f *simFlags, c *simrun.Config, results []*simrun.Result) (*report.Result, error) {
	var jobs []*simrun.Job // each once
	for _, x := range results {
		for _, j := range x.Jobs {
			if !slices.Contains(jobs, j) {
				jobs = append(jobs, j)
			}
		}
	}
	var first []*simrun.Job // as the first point cuts them
	for _, x := range results {
		if x.Point == results[0].Point {
			first = append(first, x.Jobs...)
		}
	}
	w := simrun.NewWorkload(first)
	regular, bypass := w.BinsPerValue()
	r := &report.Result{
		Schema: "vcsim.sim/1",
		Facts: []report.Fact{
			fact("codec", f.codec), fact("unit", c.Unit.String()), fact("values_per_cycle_limit", c.Values), fact("bypass_bins_per_cycle_limit", c.Bypass),
			fact("frames", w.Frames), fact("values", w.Values),
			{Column: report.Column{Key: "padding_percent", Title: "padding", Unit: "%", Digits: 2}, Value: 100 * w.Padding()},
			{Column: report.Column{Key: "bits_per_value", Digits: 4}, Value: w.BitsPerValue()},
			{Column: report.Column{Key: "regular_bins_per_value", Digits: 3}, Value: regular},
			{Column: report.Column{Key: "bypass_bins_per_value", Digits: 3}, Value: bypass},
			{Column: report.Column{Key: "clock_hz", Title: "clock", Unit: "Hz"}, Value: float64(f.clock)},
			{Column: report.Column{Key: "operations_per_value", Digits: 3}, Value: cell(results[0].OperationsPerValue())},
		},
	}
	list := c.Summarise(results, float64(f.clock))
	r.Tables = append(r.Tables, runTable(list), planeTableOf(jobs))
	if units := results[0].Units(); len(results) == 1 {
		r.Tables = append(r.Tables, unitTable(units))
	}
	costs, notes, err := costTables(c, results, float64(f.clock))
	if err != nil {
		return nil, err
	}
	r.Tables = append(r.Tables, costs...)
	verdict := "All bytes equal those of the software codec."
	if c.Unit == simrun.Decoder {
		verdict = "All samples equal those of the software codec."
	}
	r.Notes = append(r.Notes, verdict)
	for _, j := range jobs {
		if j.Coded.Note != "" {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: %s.", j.Name, j.Coded.Note))
			a.miss(j.Name + ": " + j.Coded.Note)
		}
	}
	if slices.ContainsFunc(list, func(x simrun.Figures) bool { return x.Short }) {
		r.Notes = append(r.Notes, "There were too few frames to load all threads for long: steady figures are means over all cycles. Smaller frames (--frame) or a larger plane help.")
	}
	r.Notes = append(r.Notes, notes...)
	return r, nil
}

// costTables say what the hardware of each run takes of a chip and what the run took of energy, of a single run also by unit.
func costTables(c *simrun.Config, results []*simrun.Result, clock float64) (tables []report.Table, notes []string, err error) {
	t := report.Table{Name: "cost", Columns: []report.Column{{Key: "plane"}, {Key: "threads", Minor: true}, {Key: "lanes"}, {Key: "instances", Minor: true}, {Key: "area_mm2", Title: "area", Unit: "mm2", Digits: 4}, {Key: "energy_uj", Title: "energy", Unit: "uJ", Digits: 3},
		{Key: "value_pj", Title: "value", Unit: "pJ", Digits: 2}, {Key: "payload_bit_pj", Title: "payload bit", Unit: "pJ", Digits: 3}, {Key: "payload_bit_low_pj", Title: "from", Unit: "pJ", Digits: 3, Minor: true}, {Key: "payload_bit_high_pj", Title: "to", Unit: "pJ", Digits: 3, Minor: true},
		{Key: "wire_bit_pj", Title: "wire bit", Unit: "pJ", Digits: 2}, {Key: "bin_pj", Title: "bin", Unit: "pJ", Digits: 2}}}
	var units []codecpoint.SheetUnit
	for _, x := range results {
		w := simrun.NewWorkload(x.Jobs)
		regular, bypass := w.BinsPerValue()
		run := codecpoint.Run{Codec: c.Codec.String(), Decoder: c.Unit == simrun.Decoder, Threads: x.Threads, Lanes: x.Lanes, PathValues: c.Values, Bypass: c.Bypass, FrameMBs: widest(x.Jobs), Clock: clock,
			Values: float64(w.Values), Bits: 8 * w.Bytes, Bins: (regular + bypass) * float64(w.Values), Samples: float64(w.Samples)}
		a, err := simrun.NewActivity(x.Jobs)
		if err != nil {
			return nil, nil, err
		}
		run.MapBins, run.LevelBins, run.SignBins, run.Coded, run.Moving, run.Large = a.MapBins, a.LevelBins, a.SignBins, a.Coded, a.Moving, a.Large
		for _, n := range x.Counts() {
			run.Instances = append(run.Instances, codecpoint.Counts{Cycles: float64(n.Cycles), Samples: float64(n.Samples), Bits: 8 * float64(n.Bytes)})
		}
		cost, err := run.Cost()
		if err != nil {
			return nil, nil, err
		}
		row := []any{x.Jobs[0].Name, x.Threads, x.Lanes, len(run.Instances), cell(cost.MM2), cell(times(cost.PJ, 1e-6))}
		if e := cost.Energy; e != nil {
			row = append(row, e.Value, e.RawBit, cell(e.RawLow), cell(e.RawHigh), e.WireBit, cell(e.Bin))
		} else {
			row = append(row, nil, nil, nil, nil, nil, nil)
		}
		t.Rows = append(t.Rows, row)
		units = cost.Units
		for _, note := range cost.Notes {
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	tables = append(tables, t)
	if len(results) == 1 && len(units) > 0 {
		u := report.Table{Name: "cost_units", Columns: []report.Column{{Key: "unit"}, {Key: "count"}, {Key: "area_mm2", Title: "area", Unit: "mm2", Digits: 5}, {Key: "payload_bit_pj", Title: "payload bit", Unit: "pJ", Digits: 4}}}
		for _, x := range units {
			u.Rows = append(u.Rows, []any{x.Unit, some(x.Count), cell(x.MM2), cell(x.RawBit)})
		}
		tables = append(tables, u)
	}
	return tables, notes, nil
}

// widest is the widest frame of jobs in macroblocks, or the highest of a decoder.
func widest(jobs []*simrun.Job) (macroblocks int) {
	for _, j := range jobs {
		macroblocks = max(macroblocks, (j.Grid.FrameWidth+15)/16, (j.Grid.FrameHeight+15)/16)
	}
	return macroblocks
}

// planeTableOf lists the planes, once for every size of frames that they were cut to.
func planeTableOf(jobs []*simrun.Job) report.Table {
	t := report.Table{Name: "planes", Columns: []report.Column{
		{Key: "plane"}, {Key: "shape"}, {Key: "frame"}, {Key: "frames"}, {Key: "qp", Title: "QP"}, {Key: "bits_per_value", Title: "bits/value", Digits: 4},
		{Key: "padding_percent", Title: "padding", Unit: "%", Digits: 2},
	}}
	for _, j := range jobs {
		w := simrun.NewWorkload([]*simrun.Job{j})
		g := j.Grid
		t.Rows = append(t.Rows, []any{j.Name, report.Shape{g.Height, g.Width}, fmt.Sprintf("%dx%d", g.FrameWidth, g.FrameHeight), w.Frames, j.Coded.QP,
			w.BitsPerValue(), 100 * w.Padding()})
	}
	return t
}

// runTable has a row for each point of the sweep.
func runTable(list []simrun.Figures) report.Table {
	t := report.Table{Name: "runs", Columns: []report.Column{
		{Key: "plane"}, {Key: "threads"}, {Key: "lanes"}, {Key: "instances", Minor: true}, {Key: "cycles"},
		{Key: "values_per_cycle", Title: "values/cycle", Digits: 3}, {Key: "steady_values_per_cycle", Title: "steady", Digits: 3},
		{Key: "steady_gain_per_lane", Title: "per lane more", Digits: 3, Minor: true},
		{Key: "lanes_busy_percent", Title: "lanes busy", Unit: "%", Digits: 1}, {Key: "pixels_busy_percent", Title: "pixels busy", Unit: "%", Digits: 1, Minor: true},
		{Key: "padding_samples_per_cycle", Title: "padding/cycle", Digits: 3, Minor: true},
		{Key: "bins_per_cycle", Title: "bins/cycle", Digits: 2, Minor: true}, {Key: "bits_per_cycle", Title: "bits/cycle", Digits: 2, Minor: true},
		{Key: "payload_gbps", Title: "payload", Unit: "Gbps", Digits: 1}, {Key: "wire_gbps", Title: "wire", Unit: "Gbps", Digits: 1, Minor: true},
		{Key: "instances_per_100gbps", Title: "per 100 Gbps", Digits: 2}, {Key: "simulated_kcycles_per_s", Title: "kcycles/s", Digits: 0, Minor: true},
	}}
	for _, x := range list {
		t.Rows = append(t.Rows, []any{
			x.Jobs[0].Name, x.Threads, x.Lanes, x.Instances, int64(x.Cycles), x.Values, x.SteadyValues, cell(x.Gain), x.LanesBusy, x.PixelsBusy, x.PaddingSamples,
			x.Bins, x.Bits, x.PayloadBPS / 1e9, x.WireBPS / 1e9, x.Per100Gbps, x.KCyclesPerS,
		})
	}
	return t
}

// unitTable says what units did, those of a kind together.
func unitTable(units []simrun.UnitFigures) report.Table {
	t := report.Table{Name: "units", Columns: []report.Column{{Key: "unit"}, {Key: "count"}}}
	for s := range sim.NumStates {
		t.Columns = append(t.Columns, report.Column{Key: s.String() + "_percent", Title: s.String(), Unit: "%", Digits: 1})
	}
	t.Columns = append(t.Columns, report.Column{Key: "blocked_by"}, report.Column{Key: "starved_by"})
	nameOrNone := func(name string) any {
		if name == "" {
			return nil
		}
		return name
	}
	for _, u := range units {
		row := []any{u.Kind, u.Count}
		for _, percent := range u.Percent {
			row = append(row, percent)
		}
		t.Rows = append(t.Rows, append(row, nameOrNone(u.BlockedBy), nameOrNone(u.StarvedBy)))
	}
	return t
}
