package report

import (
	"strings"
	"testing"
)

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
