package liberty

import (
	"bytes"
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const twoCells = `/* a comment
 of two lines */
library (two) {
 time_unit : "1ps";
 capacitive_load_unit (1,ff);
 lu_table_template (t) { variable_1 : x; index_1 ("1, 2"); }
 cell (NAND) {
  area : 0.5;
  dont_use : true;
  leakage_power () { value : 3; when : "A"; }
  leakage_power () { value : 2.5; }
  pin (Y) {
   direction : output; function : "!(A * B)";
   timing () {
    related_pin : "A";
    timing_sense : negative_unate;
    cell_rise (t) { index_1 ("10, 20"); index_2 ("1, 3"); values ("1, 3", \
      "2, 6"); }
   }
   internal_power () { related_pin : "A"; related_pg_pin : VDD; rise_power (scalar) { values ("0.5"); } }
   internal_power () { related_pin : "A"; related_pg_pin : VSS; rise_power (scalar) { values ("0.5"); } }
   internal_power () { related_pin : "B"; related_pg_pin : VDD; rise_power (scalar) { values ("0.25"); } }
  }
  pin (A) { direction : input; capacitance : 0.9; }
 }
 cell (DFF) {
  ff (IQ,IQN) { clocked_on : "CLK"; next_state : "!D"; }
  pin (CLK) { direction : input; clock : true; }
 }
}
`

func TestParse(t *testing.T) {
	l, err := Parse("two", strings.NewReader(twoCells))
	if err != nil {
		t.Fatal(err)
	}
	c := l.Cell("NAND")
	if l.Name != "two" || len(l.Cells) != 2 || c == nil || !c.DontUse || c.Area != .5 || c.Leakage != 2.5 || c.Pin("A").Cap != .9 {
		t.Fatalf("got %+v", l)
	}
	y := c.Pin("Y")
	if len(y.Energies) != 2 || y.Energies[1].Related != "B" {
		t.Errorf("%d energies, want those of one supply: 2", len(y.Energies))
	}
	rise := y.Arcs[0].Rise
	for _, tt := range []struct{ x, y, want float64 }{{10, 1, 1}, {20, 3, 6}, {15, 2, 3}, {30, 1, 3}, {10, 5, 5}} {
		if got := rise.At(tt.x, tt.y); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("at %g, %g: %g, want %g", tt.x, tt.y, got, tt.want)
		}
	}
	if s := l.Cell("DFF").Seq; s == nil || s.Latch || s.Clock != "CLK" || s.Next != "!D" || s.State != "IQ" || s.Inv != "IQN" || !l.Cell("DFF").Pin("CLK").Clock {
		t.Errorf("state %+v", s)
	}
}

func TestParseFaults(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"library (a) {\n cell (b) {\n  area 5;\n", "x:3: want : or ( after area, not \"5\""},
		{"library (a) {\n /* never", "x:2: a comment does not end"},
		{"library (a) {\n x : \"never", "x:2: a string does not end"},
		{"library (a) {\n", "x:2: want a name, not the end of the file"},
		{"", "x:1: want one group"},
		{"cell (a) {}", "a group \"cell\" where library is due"},
		{"library (a) { cell (b) { area : big; } }", "cell b: area: \"big\" is not a number"},
		{"library (a) { cell (b) { pin (c) { timing () { cell_rise (t) { index_1 (\"1, 2\"); values (\"1\"); } } } } }", "cell_rise: 1 values for 2 by 1"},
	} {
		if _, err := Parse("x", strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.want)
		}
	}
}

// TestFacts: the facts are those of the liberty at hand, and the compact liberty holds all of them.
func TestFacts(t *testing.T) {
	facts, err := Facts()
	if err != nil {
		t.Fatal(err)
	}
	compact, err := Compact()
	if err != nil {
		t.Fatal(err)
	}
	l, err := compact.Library()
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := WriteFacts(&again, Fit(l, func(*Cell) bool { return true })); err != nil {
		t.Fatal(err)
	}
	if strings.Replace(again.String(), "_compact_compact", "_compact", 1) != factsCSV {
		t.Error("the compact liberty does not hold the facts it was made from")
	}
	// Published figures of ASAP7: areas, and the energy of the clock pin of a flip-flop.
	for name, area := range map[string]float64{"INVx1_ASAP7_75t_R": .04374, "NAND2x1_ASAP7_75t_R": .08748, "FAx1_ASAP7_75t_R": .20412, "DFFHQNx1_ASAP7_75t_R": .2916} {
		if c := l.Cell(name); c == nil || c.Area != area {
			t.Errorf("%s: %+v, want %g um2", name, c, area)
		}
	}
	clk := facts.Cell("DFFHQNx1_ASAP7_75t_R").Pin("CLK").Energies[0]
	if e := clk.Rise.V[0] + clk.Fall.V[0]; math.Abs(e-.556) > .01 {
		t.Errorf("a clock pin takes %.3f fJ a cycle, want 0.556", e)
	}
}

// TestFit prints how far the compact delays are from the real ones.
func TestFit(t *testing.T) {
	real, err := Power("../..")
	if err != nil || real.Path == "" {
		t.Skip("no liberty but the compact one: ", err)
	}
	l, err := real.Library()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	facts, _ := Facts()
	kept := map[string]bool{}
	for _, c := range facts.Cells {
		kept[c.Name] = true
	}
	if err := WriteFacts(&b, Fit(l, func(c *Cell) bool { return kept[c.Name] })); err != nil {
		t.Fatal(err)
	}
	if b.String() != factsCSV {
		t.Error("facts.csv is not that of the liberty at hand: go generate ./internal/liberty")
	}
	sum, worst, n := 0., 0., 0
	for _, c := range facts.Cells {
		for i, p := range c.Pins {
			for j, a := range p.Arcs {
				if a.Rise == nil {
					continue
				}
				full := l.Cell(c.Name).Pins[i].Arcs
				if len(full) != len(p.Arcs) {
					continue // arcs by condition
				}
				y := full[j].Rise.Y[cornerLoad]
				e := math.Abs(a.Rise.At(cornerSlew, y)/full[j].Rise.At(cornerSlew, y) - 1)
				sum, worst, n = sum+e, max(worst, e), n+1
			}
		}
	}
	t.Logf("delays at 20 ps and a typical load: %.1f %% mean, %.1f %% worst, %d arcs", 100*sum/float64(n), 100*worst, n)
	if sum/float64(n) > .05 {
		t.Errorf("the fitted delays are %.1f %% off in the mean", 100*sum/float64(n))
	}
}

func TestSource(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "two.lib")
	if err := os.WriteFile(path, []byte(twoCells), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv(Env, path)
	s, err := Synth(dir)
	if err != nil || s.Path != path {
		t.Fatalf("%+v, %v", s, err)
	}
	if l, err := s.Library(); err != nil || len(l.Cells) != 2 || s.Gated() {
		t.Errorf("%+v, %v", l, err)
	}
	// The clock gate comes from the liberty with energies; the hash stays that of the first.
	body := strings.TrimSuffix(strings.TrimSpace(twoCells), "}")
	gate := " cell (ICGx1_ASAP7_75t_R) {\n  area : 3;\n }\n"
	for name, text := range map[string]string{synthFile: body + "}\n", powerFile: body + "\n" + gate + "}\n"} {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(text))
		z.Close()
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(Env, dir)
	if s, err = Synth(dir); err != nil || !s.Gated() || s.Hash != hash([]byte(body+"}\n")) {
		t.Fatalf("%+v, %v", s, err)
	}
	if l, err := s.Library(); err != nil || len(l.Cells) != 3 || l.Cell(clockGate).Area != 3 {
		t.Errorf("%+v, %v", l, err)
	}
	t.Setenv(Env, filepath.Join(dir, "none.lib"))
	if _, err := Synth(dir); err == nil {
		t.Error("a liberty that is not there was found")
	}
	t.Setenv(Env, "")
	if s, err := Synth(dir); err != nil || s.Path != "" || s.Set != CompactSet {
		t.Errorf("%+v, %v, want the compact one", s, err)
	}
}
