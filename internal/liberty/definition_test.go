package liberty

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTablesAt: a table is linear between its points and goes on beyond its ends as between the last two, along each axis.
func TestTablesAt(t *testing.T) {
	two := &Table{X: []float64{0, 10, 30, 40}, Y: []float64{1, 2, 4}, V: []float64{
		0, 10, 30,
		100, 120, 140,
		300, 380, 400,
		350, 350, 360}}
	for _, c := range []struct {
		t          *Table
		x, y, want float64
	}{
		{nil, 1, 1, 0}, {&Table{}, 1, 1, 0}, {&Table{X: []float64{1, 2}}, 1, 1, 0}, {&Table{V: []float64{7}}, 5, 5, 7},
		{&Table{X: []float64{3}, V: []float64{8}}, 5, 5, 8}, {&Table{X: []float64{1, 3}, V: []float64{10, 30}}, 2, 99, 20}, {&Table{X: []float64{1, 3}, V: []float64{10, 30}}, 4, 99, 40}, {&Table{X: []float64{1, 3}, V: []float64{10, 30}}, 0, 99, 0},
		{&Table{X: []float64{1, 3, 4}, V: []float64{10, 30, 50}}, 3.5, 0, 40}, {&Table{X: []float64{1, 3, 4}, V: []float64{10, 30, 50}}, 6, 0, 90}, {&Table{X: []float64{1, 3, 4}, V: []float64{10, 30, 50}}, 2, 0, 20}, {&Table{X: []float64{1, 3, 4}, V: []float64{10, 30, 50}}, 3, 0, 30},
		{&Table{Y: []float64{1, 2}, V: []float64{5, 9}}, 99, 1.5, 7}, {&Table{X: []float64{4}, Y: []float64{1, 2}, V: []float64{5, 9}}, 99, 3, 13}, {&Table{X: []float64{1, 2}, Y: []float64{4}, V: []float64{5, 9}}, 1.25, 99, 6},
		{two, 0, 1, 0}, {two, 10, 2, 120}, {two, 40, 4, 360}, {two, 5, 1, 50}, {two, 20, 2, 250}, {two, 10, 3, 130}, {two, 20, 3, 260}, {two, 35, 1.5, 345}, {two, 50, 1, 400}, {two, 0, 5, 40}, {two, -10, 1, -100}, {two, 30, 0, 220},
	} {
		if got := c.t.At(c.x, c.y); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v at %g, %g: %g, want %g", c.t, c.x, c.y, got, c.want)
		}
	}
}

// TestLines: a fault is told with its line, whatever strings and comments before it run over.
func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"library (a) {\n x : \"one\ntwo\nthree\";\n y 5; }": "x:5: want : or ( after y",
		"library (a) {\n /* one\ntwo */ x : 1;\n\n y 5; }":  "x:5: want : or ( after y",
		"library (a) { x (1, \\\n 2, \\\n 3);\n y 5; }":     "x:4: want : or ( after y",
		"library (a) {\n x : ; }":                           "x:2: want a value, not ;",
		"library (a) {\n x (1; }":                           "x:2: want ), not ;",
		"library (a) {\n x (1":                              "x:2: want ), not the end of the file",
		"library (a) {\n } library (b) { }":                 "x:2: want one group",
		"library (a) { }\n x : 1;":                          "x:2: want one group",
		"library (a) {\n { } }":                             "x:2: want a name, not {",
		"/**/library (a) { } /*":                            "a comment does not end",
		"library (a) { cell (b) { pin (c) { timing () { cell_rise (t) { index_1 (\"1, z\"); values (\"1, 2\"); } } } } }":              `cell_rise: "z" is not a number`,
		"library (a) { cell (b) { pin (c) { timing () { cell_rise (t) { values (\"1, 2\"); } } } } }":                                  "cell_rise: 2 values for 1 by 1",
		"library (a) { cell (b) { pin (c) { timing () { cell_rise (t) { index_1 (\"1\"); index_2 (\"1,2\"); values (\"1\"); } } } } }": "cell_rise: 1 values for 1 by 2",
		"library (a) { cell (b) { area : x; pin (c) { capacitance : y; } } }":                                                          `area: "x" is not a number`,
	} {
		if _, err := Parse("x", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	g, err := ParseGroup("x", strings.NewReader("a (b, c) { ;; p : q; r (1, \"2 3\", 4:5); /**/ s (t) { } s () { u : v } end : last }"))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%v %v %v %s %s %d %q %q %s", g.Name, g.Args, g.Attrs, g.Attr("p"), g.Attr("none"), len(g.All("s")), g.All("s")[0].arg(), g.All("s")[1].arg(), g.All("s")[1].Attr("u")); got != `a [b c] [{p [q]} {r [1 2 3 4 5]} {end [last]}] q  2 "t" "" v` {
		t.Errorf("%s", got)
	}
	if g, err := ParseGroup("x", strings.NewReader("a\t(b)\r\n{\r\n\tc : d ;\r\n}\r\n")); err != nil || g.Attr("c") != "d" {
		t.Errorf("lines that end in a return: %+v, %v", g, err)
	}
	if list, err := numbers("1,2 3\t4\n5\\\n6,,  -7e2"); err != nil || !slices.Equal(list, []float64{1, 2, 3, 4, 5, 6, -700}) {
		t.Errorf("%v, %v", list, err)
	}
	l, err := Parse("x", strings.NewReader("library (a) { cell (b) { ff () { clocked_on : c; } } cell (d) { latch (q) { enable : e; data_in : f; clear : g; preset : h; } } cell () { cell_leakage_power : 4; leakage_power () { value : 9; } } }"))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := *l.Cells[0].Seq, *l.Cells[1].Seq; a != (Seq{Clock: "c"}) || b != (Seq{Latch: true, State: "q", Clock: "e", Next: "f", Clear: "g", Preset: "h"}) || l.Cells[2].Leakage != 4 || l.Cells[2].Name != "" {
		t.Errorf("%+v, %+v, %+v", a, b, l.Cells[2])
	}
}

// TestWritten: a library that is written is read as the same, its tables at the points of the axes that are written.
func TestWritten(t *testing.T) {
	bilinear := &Table{X: []float64{5, 320}, Y: []float64{2, 128}, V: []float64{10, 136, 640, 2026}}
	scalar := func(v float64) *Table { return &Table{V: []float64{v}} }
	l := &Library{Name: "w", Cells: []*Cell{
		{Name: "G", Area: 1.5, Leakage: 2.5, DontUse: true, Gate: "latch_posedge", Pins: []Pin{{Name: "Y", Direction: "output", MaxCap: 46, Function: "A B"}, {Name: "A", Direction: "input", Cap: 0.5, Clock: true}}},
		{Name: "F", Seq: &Seq{State: "IQ", Inv: "IQN", Clock: "CLK", Next: "!D", Clear: "!R", Preset: "!S"}, Pins: []Pin{{Name: "Q", Direction: "output", Function: "IQ",
			Arcs:     []Arc{{Related: "CLK", Type: "rising_edge", Sense: "non_unate", Rise: bilinear, Fall: scalar(3), RiseSlew: scalar(4), FallSlew: scalar(5), RiseConstraint: scalar(6), FallConstraint: scalar(7)}},
			Energies: []Energy{{Related: "CLK", Rise: scalar(8), Fall: bilinear}}}}},
		{Name: "L", Seq: &Seq{Latch: true, State: "IQ", Inv: "IQN", Clock: "E", Next: "D", Clear: "!R"}},
	}}
	var b bytes.Buffer
	n, err := l.WriteTo(&b)
	if err != nil || int(n) != b.Len() {
		t.Fatalf("%d bytes of %d, %v", n, b.Len(), err)
	}
	if got := strings.Count(b.String(), "clear_preset_var1 : L;\n   clear_preset_var2 : L;"); got != 1 {
		t.Errorf("what clear and preset together give is there %d times", got)
	}
	back, err := Parse("w", strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range back.Cells {
		w := l.Cells[i]
		if c.Name != w.Name || c.Area != w.Area || c.Leakage != w.Leakage || c.DontUse != w.DontUse || c.Gate != w.Gate || len(c.Pins) != len(w.Pins) || (c.Seq == nil) != (w.Seq == nil) || c.Seq != nil && *c.Seq != *w.Seq {
			t.Errorf("%+v, want %+v", c, w)
		}
		for k, p := range c.Pins {
			v := w.Pins[k]
			if p.Name != v.Name || p.Direction != v.Direction || p.Clock != v.Clock || p.Cap != v.Cap || p.MaxCap != v.MaxCap || p.Function != v.Function || len(p.Arcs) != len(v.Arcs) || len(p.Energies) != len(v.Energies) {
				t.Errorf("%+v, want %+v", p, v)
			}
		}
	}
	a, e := back.Cells[1].Pins[0].Arcs[0], back.Cells[1].Pins[0].Energies[0]
	if a.Related != "CLK" || a.Type != "rising_edge" || a.Sense != "non_unate" || e.Related != "CLK" {
		t.Errorf("%+v, %+v", a, e)
	}
	for k, table := range []*Table{a.Fall, a.RiseSlew, a.FallSlew, a.RiseConstraint, a.FallConstraint, e.Rise} {
		if !slices.Equal(table.V, []float64{float64(3 + k)}) {
			t.Errorf("table %d: %+v", k, table)
		}
	}
	for _, table := range []*Table{a.Rise, e.Fall} {
		if !slices.Equal(table.X, []float64{5, 10, 20, 40, 80, 160, 320}) || !slices.Equal(table.Y, []float64{2, 4, 8, 16, 32, 64, 128}) {
			t.Fatalf("axes %v and %v", table.X, table.Y)
		}
		for i, x := range table.X {
			for j, y := range table.Y { // 10 + 2 a ps + 1 a fF + 0.02 of both, measured from the first point
				want := bilinear.At(x, y)
				if got := table.V[7*i+j]; math.Abs(got-want) > 1e-6*math.Abs(want) {
					t.Errorf("at %g, %g: %g, want %g", x, y, got, want)
				}
			}
		}
	}
	if words([]float64{1, 1.0 / 3, 123456789.5}) != "1, 0.33333333, 1.2345679e+08" {
		t.Errorf("%s", words([]float64{1, 1.0 / 3, 123456789.5}))
	}
}

// TestFactsForm: rows of facts that are none are told with their line.
func TestFactsForm(t *testing.T) {
	const cell = "library,l\ncell,c,1,2,,\n"
	for text, want := range map[string]string{
		"cell,c,x,2,,\n":                   `line 1: "x" is not a number`,
		"library,l\ncell,c,1,y,,\n":        `line 2: "y" is not a number`,
		"library,l\npin,Y,output,,0,0,A\n": "line 2: pin before the first cell",
		"library\n":                        `line 1: 1 fields of "library", want 2`,
		"z,1\n":                            `line 1: 2 fields of "z", want 0`,
		cell + "pin,Y,output,,0,0,A\narc,A,,,1 2 3,,,,,\n": "line 4: a table of 3 numbers",
		cell + "pin,Y,output,,0,0,A\narc,A,,,1 2 x,,,,,\n": `line 4: "x" is not a number`,
		cell + "pin,Y,output,,0,0,A\nenergy,A,1,1 2\n":     "line 4: a table of 2 numbers",
	} {
		if _, err := ReadFacts(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestBilinear: what is linear along both axes is fitted as it is, by the corners of as many points as the fit looks at; a line through points that do not
// lie on one has the least squares.
func TestBilinear(t *testing.T) {
	grid := func(nx, ny int) *Table {
		var g Table
		for i := range nx {
			g.X = append(g.X, 5*math.Exp2(float64(i)))
		}
		for j := range ny {
			g.Y = append(g.Y, 2*math.Exp2(float64(j)))
		}
		for _, x := range g.X {
			for _, y := range g.Y {
				g.V = append(g.V, 3+2*x+0.5*y+0.25*x*y)
			}
		}
		return &g
	}
	for _, size := range [][2]int{{2, 2}, {2, 3}, {3, 2}, {4, 5}, {7, 7}} {
		g := grid(size[0], size[1])
		f := bilinear(g)
		x, y := g.X[:min(fitSlews, len(g.X))], g.Y[:min(fitLoads, len(g.Y))]
		if !slices.Equal(f.X, []float64{x[0], x[len(x)-1]}) || !slices.Equal(f.Y, []float64{y[0], y[len(y)-1]}) {
			t.Fatalf("%v: axes %v, %v", size, f.X, f.Y)
		}
		for k, v := range f.V {
			x, y := f.X[k/2], f.Y[k%2]
			if want := 3 + 2*x + 0.5*y + 0.25*x*y; math.Abs(v-want) > 1e-9*want {
				t.Errorf("%v: at %g, %g: %g, want %g", size, x, y, v, want)
			}
		}
	}
	for _, g := range []*Table{nil, {V: []float64{1}}, grid(1, 4), grid(4, 1)} {
		if f := bilinear(g); f != g {
			t.Errorf("%+v is fitted as %+v", g, f)
		}
	}
	if first, last := line([]float64{1, 2, 4}, []float64{3, 9, 9}); math.Abs(first-4.7142857142857) > 1e-9 || math.Abs(last-(4.7142857142857+3*12.0/7)) > 1e-9 {
		t.Errorf("a line from %g to %g", first, last)
	}
}

// TestFolder: the variable may name a folder, which has to hold the file.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{synthFile, powerFile} {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(twoCells)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(Env, dir)
	for name, find := range map[string]func(string) (*Source, error){synthFile: Synth, powerFile: Power} {
		s, err := find("x")
		if err != nil || s.Path != filepath.Join(dir, name) || string(s.Text) != twoCells {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	t.Setenv(Env, filepath.Join(dir, "none"))
	if _, err := Power("x"); err == nil || !strings.HasPrefix(err.Error(), Env+": ") {
		t.Errorf("%v", err)
	}
}
