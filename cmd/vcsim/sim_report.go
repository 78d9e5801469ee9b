package main

import (
	"fmt"
	"slices"
	"strings"

	"vcsim/internal/report"
	"vcsim/sim"
)

// A simRate is the mean over a span of cycles of an instance.
type simRate struct{ values, ops, bits float64 } // a cycle

// rates returns the means over all cycles and over those in which the instance was fully loaded, which may be none.
func (p *simPart) rates() (all, steady simRate, ok bool) {
	mean := func(from, to simCount, cycles uint64) simRate {
		c := float64(cycles)
		return simRate{float64(to.values-from.values) / c, (to.ops - from.ops) / c, 8 * float64(to.bytes-from.bytes) / c}
	}
	all = mean(simCount{}, p.now, max(1, p.cycles))
	end := p.drain / simMark
	if begin := (end + 4) / 5; p.drained && end >= begin+8 {
		return all, mean(p.marks[begin], p.marks[end], (end-begin)*simMark), true
	}
	return all, all, false
}

func (f *simFlags) report(runs []*simRun, jobs []*simJob) *report.Result {
	var values, bytes, regular, bypass, frames float64
	var qps []string
	for _, j := range jobs {
		values += float64(len(j.in.plane))
		frames += float64(len(j.frames))
		regular += float64(j.coded.Bins.Regular)
		bypass += float64(j.coded.Bins.Bypass)
		for _, s := range j.slices {
			bytes += float64(len(s.Data))
		}
		qps = append(qps, fmt.Sprintf("%.4g", j.coded.QP))
	}
	g := jobs[0].grid
	r := &report.Result{
		Schema: "vcsim.sim/1",
		Facts: []report.Fact{
			fact("codec", f.codec), fact("unit", f.unit), fact("values_per_cycle_limit", f.values), fact("bypass_bins_per_cycle_limit", f.bypass),
			fact("frames", int(frames)), fact("frame", fmt.Sprintf("%dx%d", g.FrameWidth, g.FrameHeight)), fact("qp", strings.Join(qps, " ")),
			{Column: report.Column{Key: "bits_per_value", Digits: 4}, Value: 8 * bytes / values},
			{Column: report.Column{Key: "regular_bins_per_value", Digits: 3}, Value: regular / values},
			{Column: report.Column{Key: "bypass_bins_per_value", Digits: 3}, Value: bypass / values},
			{Column: report.Column{Key: "clock_hz", Title: "clock", Unit: "Hz"}, Value: float64(f.clock)},
		},
	}
	perValue := report.Fact{Column: report.Column{Key: "operations_per_value", Digits: 3}}
	if p := runs[0].parts[0]; p.now.values > 0 {
		perValue.Value = p.now.ops / float64(p.now.values)
	}
	r.Facts = append(r.Facts, perValue)
	t := report.Table{Name: "runs", Columns: []report.Column{
		{Key: "threads"}, {Key: "lanes"}, {Key: "instances"}, {Key: "cycles"},
		{Key: "values_per_cycle", Title: "values/cycle", Digits: 3}, {Key: "steady_values_per_cycle", Title: "steady", Digits: 3},
		{Key: "steady_gain_per_lane", Title: "per lane more", Digits: 3},
		{Key: "lanes_busy_percent", Title: "lanes busy", Unit: "%", Digits: 1}, {Key: "pixels_busy_percent", Title: "pixels busy", Unit: "%", Digits: 1},
		{Key: "bins_per_cycle", Title: "bins/cycle", Digits: 2}, {Key: "bits_per_cycle", Title: "bits/cycle", Digits: 2},
		{Key: "payload_gbps", Title: "payload", Unit: "Gbps", Digits: 1}, {Key: "wire_gbps", Title: "wire", Unit: "Gbps", Digits: 1},
		{Key: "instances_per_100gbps", Title: "per 100 Gbps", Digits: 2}, {Key: "simulated_kcycles_per_s", Title: "kcycles/s", Digits: 0},
	}}
	short := false
	for n, run := range runs {
		var all, steady simRate
		var cycles uint64
		speed := 0.
		for _, p := range run.parts {
			a, s, ok := p.rates()
			short = short || !ok
			all = simRate{all.values + a.values, all.ops + a.ops, all.bits + a.bits}
			steady = simRate{steady.values + s.values, steady.ops + s.ops, steady.bits + s.bits}
			cycles = max(cycles, p.cycles)
			speed += float64(p.cycles) / p.seconds / 1e3
		}
		k := float64(len(run.parts))
		var gain any
		if n > 0 && run.lanes > runs[n-1].lanes && run.threads >= runs[n-1].threads {
			_, before, _ := runs[n-1].parts[0].rates()
			gain = (steady.values/k - before.values) / float64(run.lanes-runs[n-1].lanes)
		}
		payload := 16 * steady.values * float64(f.clock) / 1e9
		t.Rows = append(t.Rows, []any{
			run.threads, run.lanes, len(run.parts), int64(cycles), all.values, steady.values, gain, 100 * steady.ops / k / float64(run.lanes),
			100 * steady.values / k / float64(f.values), (regular + bypass) / values * steady.values, steady.bits, payload, steady.bits * float64(f.clock) / 1e9,
			100 * k / payload, speed,
		})
	}
	r.Tables = append(r.Tables, t)
	if len(runs) == 1 {
		r.Tables = append(r.Tables, unitTable(runs[0].parts[0].activity))
	}
	same := "All bytes equal those of the software codec."
	if f.unit == "dec" {
		same = "All samples equal those of the software codec."
	}
	r.Notes = append(r.Notes, same)
	if short {
		r.Notes = append(r.Notes, "There were too few frames to load all threads for long: steady figures are means over all cycles. Smaller frames (--frame) or more planes help.")
	}
	return r
}

// unitTable says what units did, the lanes together.
func unitTable(a *sim.Activity) report.Table {
	t := report.Table{Name: "units", Columns: []report.Column{{Key: "unit"}, {Key: "count"}}}
	for s := range sim.NumStates {
		t.Columns = append(t.Columns, report.Column{Key: s.String() + "_percent", Title: s.String(), Unit: "%", Digits: 1})
	}
	t.Columns = append(t.Columns, report.Column{Key: "blocked_by"}, report.Column{Key: "starved_by"})
	type group struct {
		cycles           [sim.NumStates]uint64
		count            int
		blocked, starved map[string]uint64
	}
	groups := map[string]*group{}
	var order []string
	units := a.Units()
	kind := func(i int) string {
		if i == len(units) {
			return "outside"
		}
		return units[i].Kind
	}
	for i, u := range units {
		name := kind(i)
		g := groups[name]
		if g == nil {
			g = &group{blocked: map[string]uint64{}, starved: map[string]uint64{}}
			groups[name] = g
			order = append(order, name)
		}
		g.count++
		for s, n := range u.Cycles {
			g.cycles[s] += n
		}
		for j, n := range u.BlockedBy {
			g.blocked[kind(j)] += n
		}
		for j, n := range u.StarvedBy {
			g.starved[kind(j)] += n
		}
	}
	for _, name := range order {
		g := groups[name]
		row := []any{name, g.count}
		for _, n := range g.cycles {
			row = append(row, 100*float64(n)/float64(g.count)/float64(max(1, a.Cycles())))
		}
		t.Rows = append(t.Rows, append(row, mostOf(g.blocked), mostOf(g.starved)))
	}
	return t
}

// mostOf names what has the largest count, or nothing.
func mostOf(m map[string]uint64) any {
	var names []string
	for name, n := range m {
		if n > 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.SortFunc(names, func(a, b string) int {
		if m[a] != m[b] {
			return int(int64(m[b]) - int64(m[a]))
		}
		return strings.Compare(a, b)
	})
	return names[0]
}
