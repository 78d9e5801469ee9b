package area

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

// TestSizes: cells at 70 % utilisation, memories at 0.042 um2 a bit and port.
func TestSizes(t *testing.T) {
	s := Size{Cells: 7, SRAM1: 11, SRAM2: 13}.Plus(Size{Cells: 2, SRAM1: 3, SRAM2: 5}, 10)
	if s != (Size{27, 41, 63}) {
		t.Errorf("a size and ten of another: %+v", s)
	}
	if s := (Size{27, 41, 63}).Plus(Size{2, 3, 5}, -1); s != (Size{25, 38, 58}) {
		t.Errorf("less one of another: %+v", s)
	}
	s = Size{Cells: 7e5, SRAM1: 1e6, SRAM2: 2e6}
	if !near(s.CellMM2(), 1) || !near(s.SRAMMM2(), 5*0.042) || !near(s.MM2(), 1.21) {
		t.Errorf("%g mm2 of cells, %g of memories, %g of both", s.CellMM2(), s.SRAMMM2(), s.MM2())
	}
	for _, c := range []struct{ path, memory, want float64 }{{0, 0, 0}, {500, 0, 2}, {0, 500, 2}, {400, 500, 2}, {500, 400, 2}, {0.5, 0, 2000}} {
		if r := (Row{PathPS: c.path, MemoryPS: c.memory}); r.GHz() != c.want {
			t.Errorf("paths of %g and %g ps: %g GHz, want %g", c.path, c.memory, r.GHz(), c.want)
		}
	}
	r := Row{UM2: 3, SRAM1: 4, SRAM2: 5}
	if r.Size() != (Size{3, 4, 5}) {
		t.Errorf("%+v", r.Size())
	}
}

// TestTableForm: what is written is read again, a row is found by module and parameters, and a line that is none is named.
func TestTableForm(t *testing.T) {
	table := Table{Tools: []string{"one 1.0", "two"}, Rows: []Row{
		{Module: "a", Params: "X=1 Y=2", TargetPS: 300, RTL: "h", UM2: 1.25, FlopUM2: 0.5, Flops: 7, SRAM1: 8, SRAM2: 9, PathPS: 10.5, MemoryPS: 11.75, Parts: []Part{{"p", 2, 0.125}, {"q", 1, 3}}},
		{Module: "a", Params: "X=2", TargetPS: 400, UM2: 1e7 / 3.0}, {Module: "b", Params: "X=1 Y=2", UM2: 5},
	}}
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := Read(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Tools, table.Tools) || len(got.Rows) != 3 {
		t.Fatalf("%+v", got)
	}
	for i := range table.Rows {
		w, g := table.Rows[i], got.Rows[i]
		if !slices.Equal(w.Parts, g.Parts) {
			t.Errorf("row %d: parts %v, want %v", i, g.Parts, w.Parts)
		}
		w.Parts, g.Parts = nil, nil
		if w.Module != g.Module || w.Params != g.Params || w.TargetPS != g.TargetPS || w.RTL != g.RTL || w.UM2 != g.UM2 || w.FlopUM2 != g.FlopUM2 || w.Flops != g.Flops || w.SRAM1 != g.SRAM1 || w.SRAM2 != g.SRAM2 || w.PathPS != g.PathPS || w.MemoryPS != g.MemoryPS {
			t.Errorf("row %d: %+v, want %+v", i, g, w)
		}
	}
	for _, c := range []struct {
		module, params string
		row            int
	}{{"a", "X=1 Y=2", 0}, {"a", "X=2", 1}, {"b", "X=1 Y=2", 2}, {"b", "X=2", -1}, {"c", "X=2", -1}} {
		r := got.Find(c.module, c.params)
		if c.row < 0 && r != nil || c.row >= 0 && r != &got.Rows[c.row] {
			t.Errorf("%s %s: %+v", c.module, c.params, r)
		}
	}
	head := strings.Join(columns, ",") + "\n"
	for line, want := range map[string]string{
		"m,X=1,1,h,1,1,1,1,1,1,1,":        "",
		"m,X=1,1,h,1,1,1,1,1,1,-1,":       `m X=1: memory_ps: "-1" is not a number of 0 or more`,
		"m,X=1,1,h,z,1,1,1,1,1,1,":        `m X=1: um2: "z" is not`,
		"m,X=1,z,h,z,1,1,1,1,1,1,":        `m X=1: target_ps: "z" is not`,
		"m,X,1,h,1,1,1,1,1,1,1,":          `m X: parameter "X": want Name=Value`,
		"m,X=y,1,h,1,1,1,1,1,1,1,":        `parameter "X=y"`,
		"m,X=y,1,h,1,1,1,1,1,1,z,":        `memory_ps: "z"`,
		"m,X=1,1,h,1,1,1,1,1,1,1,p:1":     `parts: "p:1" is not module:count:um2`,
		"m,X=1,1,h,1,1,1,1,1,1,1,p:x:1":   `parts: "p:x:1"`,
		"m,X=1,1,h,1,1,1,1,1,1,1,p:1:x":   `parts: "p:1:x"`,
		"m,X=1,1,h,1,1,1,1,1,1,1,p:1:1:1": `parts: "p:1:1:1"`,
		"m,X=1":                           "wrong number of fields",
	} {
		if _, err := Read(strings.NewReader(head + line + "\n")); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
	for _, text := range []string{"", "a,b\n", "# x\n"} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "the columns are not module,") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestTerms: what the terms of the model count.
func TestTerms(t *testing.T) {
	p := Params{"Threads": 6, "Lanes": 3, "FrameMBs": 33, "Transform8": 1, "Values": 8, "Bypass": 2, "Turns": 5, "Decoder": 1}
	q := Params{"Threads": 2, "Lanes": 4, "FrameMBs": 64}
	values := func(terms []term, p Params) (v []float64) {
		for _, t := range terms {
			v = append(v, t.of(p))
		}
		return v
	}
	for _, c := range []struct {
		name  string
		terms []term
		p, q  []float64
	}{
		{"pixels", pixelTerms, []float64{1, 6, 1, 1, 6 * 6}, []float64{1, 4, 0, 0, 4 * 6}}, // 33 and 64 columns have numbers of six bits
		{"rows", rowTerms, []float64{6 * 34, 6, 1, 1, 36}, []float64{4 * 65, 4, 1, 0, 24}},
		{"store", storeTerms, []float64{6, 1, 1, 36}, []float64{4, 1, 0, 24}},
		{"lane", laneTerms, []float64{1, 2, 5, 6}, []float64{1, 0, 0, 6}},
		{"lanes", lanesTerms, []float64{1, 6, 6, 1}, []float64{1, 4, 6, 0}},
		{"above", shapes["t264_dec_above"].sram1, []float64{6 * 33}, []float64{4 * 64}},
	} {
		if got := values(c.terms, p); !slices.Equal(got, c.p) {
			t.Errorf("%s of %v: %v, want %v", c.name, p, got, c.p)
		}
		if got := values(c.terms, q); !slices.Equal(got, c.q) {
			t.Errorf("%s of %v: %v, want %v", c.name, q, got, c.q)
		}
	}
	r := Params{"Threads": 18, "Lanes": 18, "MaxTU": 16, "FrameCTUs": 16, "Bypass": 4, "Groups": 8} // of T.265
	s := Params{"Threads": 8, "Lanes": 8, "MaxTU": 8, "FrameCTUs": 33, "Bypass": 7, "Groups": 4}
	for _, c := range []struct {
		name  string
		terms []term
		r, s  []float64
	}{
		{"encoder", encTerms265, []float64{1, 18, 0}, []float64{1, 8, 1}},
		{"its memories", pathTerms265, []float64{18 * 16, 18, 1, 0, 18 * 4}, []float64{8 * 33, 8, 1, 1, 8 * 6}},
		{"store", storeCells265, []float64{1, 18, 6, 0}, []float64{1, 8, 2, 1}}, // banks of three and of four lanes
		{"its memories", storeTerms265, []float64{18, 1, 0}, []float64{8, 1, 1}},
		{"lane", laneTerms265, []float64{1, 3, 8, 4}, []float64{1, 2, 4, 7}}, // transforms of 4, 8 and 16
	} {
		if got := values(c.terms, r); !slices.Equal(got, c.r) {
			t.Errorf("%s of %v: %v, want %v", c.name, r, got, c.r)
		}
		if got := values(c.terms, s); !slices.Equal(got, c.s) {
			t.Errorf("%s of %v: %v, want %v", c.name, s, got, c.s)
		}
	}
	for lanes, want := range map[int]float64{1: 1, 2: 1, 3: 1, 4: 1, 5: 5, 6: 2, 7: 7, 8: 2, 9: 3, 10: 5, 12: 3, 16: 4, 18: 6, 24: 6} {
		if got := banks(Params{"Lanes": lanes}); got != want {
			t.Errorf("%d lanes: %g banks, want %g", lanes, got, want)
		}
	}
	for mbs, want := range map[int]float64{1: 0, 2: 1, 3: 2, 4: 2, 5: 3, 32: 5, 33: 6, 64: 6, 65: 7} {
		if got := column(Params{"FrameMBs": mbs}); got != want {
			t.Errorf("%d columns: numbers of %g bits, want %g", mbs, got, want)
		}
	}
	if list := Modelled(); !slices.IsSorted(list) || len(list) != len(shapes) {
		t.Errorf("modelled: %v", list)
	}
	for _, c := range []struct {
		a, b Params
		same bool
	}{{Params{}, nil, true}, {Params{"A": 1}, Params{"A": 1}, true}, {Params{"A": 1}, Params{"A": 2}, false}, {Params{"A": 1}, Params{"B": 1}, false}, {Params{"A": 1}, Params{"A": 1, "B": 1}, false}, {Params{"A": 1, "B": 1}, Params{"A": 1}, false}, {Params{"A": 0}, Params{"B": 0}, false}} {
		if sameParams(c.a, c.b) != c.same {
			t.Errorf("%v and %v are the same: %v", c.a, c.b, !c.same)
		}
	}
}

// laneRow is a lane whose area follows the terms of its model exactly.
func laneRow(bypass, turns, mbs int) Row {
	return Row{Module: "t264_enc_lane", Params: "Bypass=" + itoa(bypass) + " Turns=" + itoa(turns), UM2: 100 + 10*float64(bypass) + 3*float64(turns), PathPS: 500}
}

func itoa(n int) string {
	return string(rune('0'+n/100%10)) + string(rune('0'+n/10%10)) + string(rune('0'+n%10))
}

// topRow is an encoder whose cells beside the lanes and memories follow the terms exactly.
func topRow(lanes, threads, mbs, turns int, path float64) Row {
	p := Params{"Lanes": lanes, "Threads": threads, "FrameMBs": mbs}
	lane := laneRow(1, turns, mbs)
	column := column(p)
	return Row{Module: "t264_enc", Params: "Lanes=" + itoa(lanes) + " Threads=" + itoa(threads) + " FrameMBs=" + itoa(mbs) + " Bypass=001 Values=008 Transform8=001",
		UM2:   2000 + 50*float64(threads) + 7*float64(threads)*column + float64(lanes)*lane.UM2,
		SRAM1: 40*threads*(mbs+1) + 20*threads + 1000, SRAM2: 500*threads + 300, PathPS: path,
		Parts: []Part{{"other", 1, 9}, {"t264_enc_lane", lanes, lane.UM2}}}
}

// TestModelOfExactRows: rows that follow the terms exactly give the areas between them and beyond, with the lanes counted for themselves, and no error.
func TestModelOfExactRows(t *testing.T) {
	table := &Table{Rows: []Row{laneRow(1, 1, 8), laneRow(1, 2, 8), laneRow(1, 4, 8), laneRow(2, 1, 8), laneRow(2, 4, 8),
		topRow(4, 4, 8, 1, 600), topRow(2, 4, 8, 2, 650), topRow(8, 8, 16, 1, 700), topRow(4, 16, 64, 4, 800), topRow(16, 16, 120, 1, 750), topRow(1, 1, 32, 1, 720), topRow(6, 12, 70, 2, 710)}}
	p := func(lanes, threads, mbs int) Params {
		return Params{"Lanes": lanes, "Threads": threads, "FrameMBs": mbs, "Bypass": 1, "Values": 8, "Transform8": 1}
	}
	for _, c := range []struct {
		lanes, threads, mbs, turns int
		row                        bool
	}{{4, 4, 8, 1, true}, {16, 16, 120, 1, true}, {4, 16, 64, 4, true}, {3, 3, 100, 1, false}, {5, 10, 20, 2, false}, {4, 12, 30, 3, false}, {32, 32, 512, 1, false}, {8, 4, 64, 1, false}} {
		e, err := table.Estimate("t264_enc", p(c.lanes, c.threads, c.mbs))
		if err != nil {
			t.Fatal(err)
		}
		want := topRow(c.lanes, max(c.lanes, c.threads), c.mbs, c.turns, 0)
		lane := laneRow(1, c.turns, c.mbs).UM2
		if math.Abs(e.Cells-want.UM2) > 1e-6*want.UM2 || math.Abs(e.SRAM1-float64(want.SRAM1)) > 1e-3 || math.Abs(e.SRAM2-float64(want.SRAM2)) > 1e-3 || math.Abs(e.LaneUM2-lane) > 1e-6*lane {
			t.Errorf("%+v: %+v, a lane of %g; want %g, %d, %d, %g", c, e.Size, e.LaneUM2, want.UM2, want.SRAM1, want.SRAM2, lane)
		}
		if (e.Row != nil) != c.row || e.Rows != 7 || e.LeftOut == 0 || e.Worst > 1e-6 || e.Mean > 1e-6 {
			t.Errorf("%+v: row %v, of %d rows, error %g and %g on %d", c, e.Row != nil, e.Rows, e.Mean, e.Worst, e.LeftOut)
		}
		if ghz := 1000.0 / 800; !c.row && e.GHz != ghz || c.row && e.GHz != e.Row.GHz() {
			t.Errorf("%+v: %g GHz", c, e.GHz)
		}
		if terms := strings.Join(e.Terms(), ", "); terms != "a pixel path, state and choice by thread, numbers of columns by thread" {
			t.Errorf("%+v: terms %s", c, terms)
		}
	}
	// A value that all rows share is known at that value alone.
	q := p(4, 4, 8)
	q["Transform8"] = 0
	if _, err := table.Estimate("t264_enc", q); err == nil || !strings.Contains(err.Error(), "area: t264_enc: no row tells what transforms of 8x8 cost at 0 instead of 1") {
		t.Errorf("without transforms of 8x8: %v", err)
	}
	for _, c := range []struct {
		table  *Table
		module string
		want   string
	}{{table, "x", "no model of x (t264_context, "}, {&Table{}, "t264_enc", "area: t264_enc: no rows in area/rows.csv: make synth"}, {&Table{Rows: []Row{{Module: "t264_enc", Params: "Lanes=1"}}}, "t264_enc", "the row Lanes=1 has no part t264_enc_lane"},
		{&Table{Rows: []Row{topRow(4, 4, 8, 1, 600)}}, "t264_enc", "no row tells what state and choice by thread cost at 5 instead of 4"}} {
		if _, err := c.table.Estimate(c.module, p(5, 5, 5)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.module, err, c.want)
		}
	}
}

// TestModel265: rows of the T.265 encoder that follow its terms exactly give the areas between them and beyond.
func TestModel265(t *testing.T) {
	lane := func(tu, groups int) Row {
		return Row{Module: "t265_enc_lane", Params: "Bypass=004 Groups=" + itoa(groups) + " MaxTU=" + itoa(tu), UM2: 500 + 40*sizes(Params{"MaxTU": tu}) + 5*float64(groups)}
	}
	top := func(n, ctus, tu int) Row {
		p := Params{"Threads": n, "Lanes": n, "FrameCTUs": ctus, "MaxTU": tu}
		small, one := isSet("MaxTU", 8)(p), lane(tu, 8)
		return Row{Module: "t265_enc", Params: "Threads=" + itoa(n) + " Lanes=" + itoa(n) + " MaxTU=" + itoa(tu) + " Bypass=004 Groups=008 FrameCTUs=" + itoa(ctus),
			UM2:   20000 + 60*float64(n) - 4000*small + float64(n)*one.UM2,
			SRAM1: 8448*n + 100, SRAM2: 128*n*ctus + 5000*n + 20000 - 9000*int(small) + 3*n*int(column(p)), PathPS: 900, Parts: []Part{{"t265_enc_lane", n, one.UM2}}}
	}
	table := &Table{Rows: []Row{lane(8, 8), lane(16, 8), lane(32, 8), lane(16, 4), top(4, 16, 16), top(8, 64, 16), top(18, 16, 16), top(18, 64, 16), top(24, 32, 16), top(12, 16, 8), top(16, 64, 8)}}
	for _, c := range []struct {
		n, ctus, tu int
		row         bool
	}{{18, 64, 16, true}, {7, 20, 16, false}, {48, 256, 16, false}, {10, 64, 8, false}, {1, 2, 16, false}} {
		e, err := table.Estimate("t265_enc", Params{"Threads": c.n, "Lanes": c.n, "MaxTU": c.tu, "Bypass": 4, "Groups": 8, "FrameCTUs": c.ctus})
		if err != nil {
			t.Fatal(err)
		}
		want := top(c.n, c.ctus, c.tu)
		if math.Abs(e.Cells-want.UM2) > 1e-6*want.UM2 || math.Abs(e.SRAM1-float64(want.SRAM1)) > 1e-3 || math.Abs(e.SRAM2-float64(want.SRAM2)) > 1e-3 || !near(e.LaneUM2, lane(c.tu, 8).UM2) || (e.Row != nil) != c.row || e.Worst > 1e-6 || e.LeftOut < 5 {
			t.Errorf("%+v: %+v, want %+v", c, e, want)
		}
	}
	if _, err := table.Estimate("t265_enc", Params{"Threads": 4, "Lanes": 4, "MaxTU": 16, "Bypass": 7, "Groups": 8, "FrameCTUs": 16}); err == nil || !strings.Contains(err.Error(), "no row tells what bypass bins a cycle cost at 7 instead of 4") {
		t.Errorf("seven bypass bins: %v", err)
	}
}

// TestLaneWithoutRows: a lane with other turns than the top's one row has needs rows of its own.
func TestLaneWithoutRows(t *testing.T) {
	table := &Table{Rows: []Row{topRow(4, 4, 8, 1, 600)}}
	p := Params{"Lanes": 2, "Threads": 4, "FrameMBs": 8, "Bypass": 1, "Values": 8, "Transform8": 1}
	if _, err := table.Estimate("t264_enc", p); err == nil || !strings.Contains(err.Error(), "no rows in area/rows.csv") {
		t.Errorf("%v", err)
	}
	// The lane of a row is the row's own, whatever those of other rows are.
	table = &Table{Rows: []Row{topRow(4, 4, 8, 1, 600), laneRow(1, 1, 8)}}
	table.Rows[0].Parts[1].UM2 = 77
	p["Lanes"] = 4
	if e, err := table.Estimate("t264_enc", p); err != nil || e.LaneUM2 != 77 || e.Cells != table.Rows[0].UM2 {
		t.Errorf("%+v, %v", e, err)
	}
	for _, c := range []struct{ lanes, threads, turns int }{{2, 4, 2}, {4, 4, 1}, {4, 2, 1}, {3, 8, 2}, {0, 3, 3}, {0, 0, 1}} {
		table := &Table{Rows: []Row{laneRow(1, c.turns, 8), {Module: "t264_enc_lane", Params: "Bypass=001 Turns=099", UM2: 7}}}
		s := shapes["t264_enc"]
		m := fitted{table: table, shape: &s}
		if got, err := m.laneUM2(Params{"Lanes": c.lanes, "Threads": c.threads, "Bypass": 1}); err != nil || got != table.Rows[0].UM2 {
			t.Errorf("%d threads on %d lanes: a lane of %g, want that of %d turns; %v", c.threads, c.lanes, got, c.turns, err)
		}
	}
}

// TestLeftOut: the error of the model is that of each row by the others, the mean and the largest, in per cent.
func TestLeftOut(t *testing.T) {
	// Cells that grow with the threads and nothing else: 100 + 10 a thread, but for the last row, which has a fifth more.
	row := func(threads int, um2 float64) Row {
		return Row{Module: "t264_context", Params: "Threads=" + itoa(threads) + " FrameMBs=008 Decoder=000", UM2: um2}
	}
	table := &Table{Rows: []Row{row(1, 110), row(2, 120), row(4, 140), row(8, 216)}}
	p := Params{"Threads": 3, "FrameMBs": 8, "Decoder": 0}
	e, err := table.Estimate("t264_context", p)
	if err != nil {
		t.Fatal(err)
	}
	line := func(leave int) (a, b float64) { // by least squares
		var n, sx, sy, sxx, sxy float64
		for i, threads := range []float64{1, 2, 4, 8} {
			if i == leave {
				continue
			}
			y := table.Rows[i].UM2
			n, sx, sy, sxx, sxy = n+1, sx+threads, sy+y, sxx+threads*threads, sxy+threads*y
		}
		b = (n*sxy - sx*sy) / (n*sxx - sx*sx)
		return (sy - b*sx) / n, b
	}
	mean, worst := 0.0, 0.0
	for i, threads := range []float64{1, 2, 4, 8} {
		a, b := line(i)
		off := 100 * math.Abs((a+b*threads)/table.Rows[i].UM2-1)
		mean, worst = mean+off/4, max(worst, off)
	}
	a, b := line(-1)
	if !near(e.Cells, a+3*b) || math.Abs(e.Mean-mean) > 1e-6 || math.Abs(e.Worst-worst) > 1e-6 || e.LeftOut != 4 || e.Row != nil {
		t.Errorf("%g um2, error %g and %g on %d rows; want %g, %g, %g", e.Cells, e.Mean, e.Worst, e.LeftOut, a+3*b, mean, worst)
	}
	for _, c := range []struct {
		e    Estimate
		want string
	}{
		{Estimate{Rows: 5}, "model of 5 rows of area/rows.csv, its error not measured"}, {Estimate{Rows: 5, Row: &Row{}}, "area/rows.csv, its error not measured"},
		{Estimate{Rows: 5, LeftOut: 1, Mean: 1.25, Worst: 3}, "model of 5 rows of area/rows.csv; the model is 1.2 % off in the mean and 3.0 % at worst on 1 rows left out"},
		{Estimate{Rows: 5, Row: &Row{}, LeftOut: 4, Mean: 1, Worst: 3}, "area/rows.csv; the model is 1.0 % off in the mean and 3.0 % at worst on 4 rows left out"},
	} {
		if got := c.e.Source(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	// Two rows carry a term each: nothing can be left out. No area is below nothing.
	few := &Table{Rows: []Row{row(4, 40), row(8, 140)}}
	if e, err = few.Estimate("t264_context", p); err != nil || e.LeftOut != 0 || e.Mean != 0 || !near(e.Cells, 15) {
		t.Errorf("two rows: %+v, %v", e, err)
	}
	if e, err = few.Estimate("t264_context", Params{"Threads": 1, "FrameMBs": 8, "Decoder": 0}); err != nil || e.Cells != 0 {
		t.Errorf("one thread: %+v, %v", e, err)
	}
	if e, err = few.Estimate("t264_context", Params{"Threads": 4, "FrameMBs": 8, "Decoder": 0}); err != nil || e.Cells != 40 || e.Row != &few.Rows[0] || e.GHz != 0 {
		t.Errorf("a row: %+v, %v", e, err)
	}
}

// TestRowsByParameters: the parameters that rows of a module have, and its row by as many of them as it has, where there is only one.
func TestRowsByParameters(t *testing.T) {
	table := &Table{Rows: []Row{{Module: "m", Params: "A=1 B=2", UM2: 1}, {Module: "m", Params: "A=2", UM2: 2}, {Module: "m", Params: "A=3 B=2", UM2: 3}, {Module: "m", Params: "A=3 C=4", UM2: 4}, {Module: "n", Params: "D=5", UM2: 5}, {Module: "n", Params: "", UM2: 6}}}
	all := Params{"A": 9, "B": 8, "C": 7, "D": 6}
	if got := table.Among("m", all); !sameParams(got, Params{"A": 9, "B": 8, "C": 7}) {
		t.Errorf("m has %v", got)
	}
	if got := table.Among("m", Params{"B": 8, "X": 1}); !sameParams(got, Params{"B": 8}) {
		t.Errorf("m has %v", got)
	}
	for _, c := range []struct {
		module string
		p      Params
		um2    float64 // 0: none
	}{
		{"m", Params{"A": 1, "B": 2}, 1}, {"m", Params{"A": 1, "B": 2, "X": 9}, 1}, {"m", Params{"A": 1, "B": 3}, 0}, {"m", Params{"A": 1}, 0}, {"m", Params{"B": 2, "A": 2}, 2}, {"m", Params{"A": 2}, 2}, {"m", Params{"A": 3, "B": 2}, 3},
		{"m", Params{"A": 3, "C": 4}, 4}, {"m", Params{"A": 3, "B": 2, "C": 4}, 0}, {"m", Params{"A": 3}, 0}, {"m", nil, 0}, {"n", nil, 6}, {"n", Params{"D": 4}, 6}, {"n", Params{"D": 5}, 0}, {"x", Params{"A": 1}, 0},
	} {
		got := table.With(c.module, c.p)
		if c.um2 == 0 && got != nil || c.um2 != 0 && (got == nil || got.UM2 != c.um2) {
			t.Errorf("%s %v: %+v, want %g", c.module, c.p, got, c.um2)
		}
	}
}

// TestLargeRows: the error of rows that are no small units is the largest among those.
func TestLargeRows(t *testing.T) {
	row := func(threads int, um2 float64) Row {
		return Row{Module: "t264_context", Params: "Threads=" + itoa(threads) + " FrameMBs=008 Decoder=000", UM2: um2}
	}
	table := &Table{Rows: []Row{row(1, 0.2*SmallUnit), row(2, SmallUnit), row(3, 1.1*SmallUnit), row(4, 2*SmallUnit)}}
	p := Params{"Threads": 9, "FrameMBs": 8, "Decoder": 0}
	e, err := table.Estimate("t264_context", p)
	if err != nil {
		t.Fatal(err)
	}
	large := 0.0
	for i := 1; i < 4; i++ { // each by the line through the others
		var n, sx, sy, sxx, sxy float64
		for k, r := range table.Rows {
			if x := float64(k + 1); k != i {
				n, sx, sy, sxx, sxy = n+1, sx+x, sy+r.UM2, sxx+x*x, sxy+x*r.UM2
			}
		}
		b := (n*sxy - sx*sy) / (n*sxx - sx*sx)
		large = max(large, 100*math.Abs(((sy-b*sx)/n+b*float64(i+1))/table.Rows[i].UM2-1))
	}
	if math.Abs(e.Large-large) > 1e-6 || e.Worst <= e.Large {
		t.Errorf("%g %% off at worst, %g on large rows, want %g", e.Worst, e.Large, large)
	}
}
