package report

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestFit: what is left of a table is as wide as asked, at every width, and what was dropped is named.
func TestFit(t *testing.T) {
	for width := 1; width < 60; width++ {
		tab := Table{Name: "t", Columns: []Column{{Key: "name"}, {Key: "time_s", Unit: "s"}, {Key: "a_long_title"}, {Key: "x"}},
			Rows: [][]any{{"one", 1.5, "text", 1}, {"another", 12345.6, strings.Repeat("word ", 20), 2}}}
		dropped := tab.Fit(width)
		if len(tab.Columns) == 0 || len(dropped)+len(tab.Columns) != 4 || len(tab.Rows[0]) != len(tab.Columns) {
			t.Fatalf("width %d: %d columns, dropped %q", width, len(tab.Columns), dropped)
		}
		if len(tab.Columns) == 1 {
			continue // it stays however wide
		}
		for _, line := range strings.Split(rendered(tab.pretty(false), false), "\n") {
			if n := utf8.RuneCountInString(strings.TrimRight(line, " ─")); n > width {
				t.Errorf("width %d: a line of %d: %q", width, n, line)
			}
		}
	}
}

// TestKeys: the keys are the first columns of the CSV and nowhere else.
func TestKeys(t *testing.T) {
	r := &Result{Schema: "vcsim.test/1", Keys: []Fact{{Column{Key: "gpu"}, "a100"}, {Column{Key: "bw_gbps", Unit: "Gbps"}, 2.5}},
		Tables: []Table{{Name: "t", Columns: []Column{{Key: "n"}}, Rows: [][]any{{1}, {2}}}}}
	for format, want := range map[Format]string{CSV: "gpu,bw_gbps,n\na100,2.5,1\na100,2.5,2\n", Text: "", JSON: ""} {
		var b strings.Builder
		if err := Write(&b, format, r); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); want != "" && got != want || want == "" && strings.Contains(got, "a100") {
			t.Errorf("format %d: %q, want %q", format, got, want)
		}
	}
}
