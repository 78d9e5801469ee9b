package area

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// TestRoundTrip: reading what was written gives it again, and the embedded file is as Write writes it.
func TestRoundTrip(t *testing.T) {
	table, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) == 0 || len(table.Tools) != 4 {
		t.Fatalf("%d rows, tools %q", len(table.Rows), table.Tools)
	}
	var b bytes.Buffer
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	if b.String() != rowsCSV {
		t.Errorf("%s is not as Write has it", File)
	}
	for i := range table.Rows {
		r := &table.Rows[i]
		latches := (.2916*float64(r.Flops) - r.FlopUM2) / (.2916 - .2187) // the number of both and their area tell how many are latches
		if r.UM2 <= 0 || r.FlopUM2 > r.UM2 || latches < -1e-3 || latches > float64(r.Flops)+1e-3 || math.Abs(latches-math.Round(latches)) > 1e-2 {
			t.Errorf("%s %s: %g um2 of which %d flip-flops and latches are %g", r.Module, r.Params, r.UM2, r.Flops, r.FlopUM2)
		}
	}
}

func TestReadFaults(t *testing.T) {
	head := strings.Join(columns, ",") + "\n"
	for _, tt := range []struct{ text, want string }{
		{"", "the columns are not"},
		{"a,b\n", "the columns are not"},
		{head + "m,A=1,450,h,x,0,0,0,0,0,0,\n", `um2: "x" is not a number`},
		{head + "m,A=1,450,h,-1,0,0,0,0,0,0,\n", `um2: "-1" is not a number`},
		{head + "m,A,450,h,1,0,0,0,0,0,0,\n", `parameter "A"`},
		{head + "m,A=1,450,h,1,0,0,0,0,0,0,lane:2\n", "not module:count:um2"},
		{head + "m,A=1,450,h,1,0,0,0,0,0,0,lane:x:2\n", "not module:count:um2"},
	} {
		if _, err := Read(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.want)
		}
	}
}

// made is a table of encoders that follow the model: 1000 a lane, 700 + 20 by thread, and a store by thread.
func made() *Table {
	table := &Table{Rows: []Row{{Module: "t264_enc_lane", Params: "Bypass=4 Turns=1", UM2: 1000}, {Module: "t264_enc_lane", Params: "Bypass=2 Turns=1", UM2: 900}}}
	for _, r := range []struct {
		params string
		n      int
	}{{"Threads=4 Lanes=4 Values=8 Bypass=4 FrameMBs=64", 4}, {"Threads=8 Lanes=8 Values=8 Bypass=4 FrameMBs=64", 8}, {"Threads=24 Lanes=24 Values=8 Bypass=4 FrameMBs=64", 24}} {
		table.Rows = append(table.Rows, Row{Module: "t264_enc", Params: r.params, UM2: 1020*float64(r.n) + 700, SRAM1: 8645 * r.n, SRAM2: 4000*r.n + 3000, PathPS: 900 + float64(r.n),
			Parts: []Part{{"t264_enc_lane", r.n, 1000}}})
	}
	return table
}

func TestEstimate(t *testing.T) {
	table := made()
	e, err := table.Estimate("t264_enc", Params{"Threads": 16, "Lanes": 16, "Values": 8, "Bypass": 4, "FrameMBs": 64})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(e.Cells-17020) > 1e-6 || math.Abs(e.SRAM1-138320) > 1e-6 || math.Abs(e.SRAM2-67000) > 1e-6 || e.Row != nil || e.LaneUM2 != 1000 || e.LeftOut != 3 || e.Worst > 1e-9 {
		t.Errorf("got %+v", e)
	}
	if want := 1000 / 924.; math.Abs(e.GHz-want) > 1e-12 {
		t.Errorf("the clock is %g GHz, want the lowest of the rows, %g", e.GHz, want)
	}
	two, err := table.Estimate("t264_enc", Params{"Threads": 16, "Lanes": 16, "Values": 8, "Bypass": 2, "FrameMBs": 64})
	if err != nil || math.Abs(two.Cells-e.Cells+1600) > 1e-6 {
		t.Errorf("lanes with two bypass bins: %+v, %v", two, err)
	}
	if _, err := table.Estimate("t264_enc", Params{"Threads": 16, "Lanes": 16, "Values": 4, "Bypass": 4, "FrameMBs": 64}); err == nil || !strings.Contains(err.Error(), "values a cycle") {
		t.Errorf("values that no row has: %v", err)
	}
	if _, err := table.Estimate("vc_pipe", nil); err == nil {
		t.Error("a module that the model does not know has an estimate")
	}
	row, err := table.Estimate("t264_enc", Params{"Threads": 8, "Lanes": 8, "Values": 8, "Bypass": 4, "FrameMBs": 64})
	if err != nil || row.Row == nil || row.Cells != 8860 || row.GHz != 1000/908. || !strings.Contains(row.Source(), File) {
		t.Errorf("a row of the table: %+v, %v", row, err)
	}
}

// TestSize: 0.7 mm2 of cells become 1 mm2, a bit of two ports is two.
func TestSize(t *testing.T) {
	s := Size{Cells: 700000, SRAM1: 1e6, SRAM2: 1e6}
	if got, want := s.MM2(), 1+3*.042; math.Abs(got-want) > 1e-12 {
		t.Errorf("%g mm2, want %g", got, want)
	}
}

// TestModel: the error of the model on rows of the table that it was not fitted to.
func TestModel(t *testing.T) {
	table, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range Modelled() {
		rows, params := table.of(module)
		if len(rows) == 0 {
			continue
		}
		e, err := table.Estimate(module, params[0])
		if err != nil {
			t.Error(err)
			continue
		}
		t.Logf("%s: %s; grows with %s", module, e.Source(), strings.Join(e.Terms(), ", "))
		limit := 8.0
		if shapes[module].lane != "" { // a top
			limit = 4
		}
		if e.Large > limit {
			t.Errorf("%s: the model is %.1f %% off on a row left out, want %g %%", module, e.Large, limit)
		}
		if e.Large > e.Worst || e.LeftOut == 0 {
			t.Errorf("%s: %d rows left out, worst %.1f %%, of large ones %.1f %%", module, e.LeftOut, e.Worst, e.Large)
		}
	}
}
