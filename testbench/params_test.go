package testbench

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Parameters by module.
func modules(t *testing.T) map[string][]declaration {
	t.Helper()
	all := map[string][]declaration{}
	for _, name := range verilogFiles(t) {
		all[strings.TrimSuffix(filepath.Base(name), ".v")] = declared(readFile(t, filepath.Join(Root(), name)))
	}
	return all
}

var (
	instanceParams = regexp.MustCompile(`(?s)\b(\w+) #\(([^;]*?)\) u_\w+ \(`)
	passedParam    = regexp.MustCompile(`\.(\w+) *\(`)
)

// passed returns what is wrong with the parameters that a text passes to the
// modules that it instantiates.
func passed(text string, all map[string][]declaration) []string {
	var faults []string
	for _, m := range instanceParams.FindAllStringSubmatch(text, -1) {
		have := map[string]string{}
		for _, d := range all[m[1]] {
			have[d.name] = d.from
		}
		for _, p := range passedParam.FindAllStringSubmatch(m[2], -1) {
			from, ok := have[p[1]]
			switch {
			case !ok:
				faults = append(faults, fmt.Sprintf("%s has no parameter %s", m[1], p[1]))
			case from != "":
				faults = append(faults, fmt.Sprintf("%s of %s follows from %s and is not passed", p[1], m[1], from))
			}
		}
	}
	return faults
}

// TestParameters: a width that follows from a parameter takes it as its default,
// and neither a module nor the script of the synthesis passes it. A build refuses
// those of a bench.
func TestParameters(t *testing.T) {
	all := modules(t)
	derived := 0
	for _, name := range verilogFiles(t) {
		module := strings.TrimSuffix(filepath.Base(name), ".v")
		text := readFile(t, filepath.Join(Root(), name))
		for _, fault := range passed(text, all) {
			t.Errorf("%s: %s", name, fault)
		}
		if n := strings.Count(text, "\n  parameter "); n != len(all[module]) {
			t.Errorf("%s: %d parameters, of which %d are understood", name, n, len(all[module]))
		}
		for _, d := range all[module] {
			if d.from != "" {
				derived++
			} else if strings.HasSuffix(d.name, "Bits") && d.name != "RunBits" {
				t.Errorf("%s: the width %s has the default %s, which names no parameter that it follows from", name, d.name, d.value)
			}
		}
	}
	if derived < 40 {
		t.Errorf("%d parameters that follow from others", derived)
	}
}

// TestPassed: what is wrong is found, in an instance and in a set.
func TestPassed(t *testing.T) {
	text := `module m #(
  parameter Depth    = 4,  // words
  parameter [3:0] Odd = 4'd1,
  parameter AddrBits = Depth > 1 ? $clog2(Depth) : 1  // bits of Depth
) (
`
	got := declared(text)
	want := []declaration{{"Depth", "4", ""}, {"AddrBits", "Depth > 1 ? $clog2(Depth) : 1", "Depth"}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	faults := passed(`
  m #(
    .Depth   (2 * (Words + 1)),
    .AddrBits(2)
  ) u_a (
    .AddrBits(wire)
  );
  m #(.Width(3)) u_b (
  );`, map[string][]declaration{"m": got})
	if got, want := fmt.Sprint(faults), "[AddrBits of m follows from Depth and is not passed m has no parameter Width]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	file := filepath.Join(t.TempDir(), "m.v")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		params Params
		want   string
	}{
		{Params{{"Depth", 4}}, ""},
		{Params{{"Depth", 4}, {"AddrBits", 2}}, "AddrBits follows from Depth and is not passed"},
		{Params{{"Width", 4}}, "has no parameter Width"},
	} {
		err := tt.params.Check(file)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v, want %q", tt.params, err, tt.want)
		}
	}
}
