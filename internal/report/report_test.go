package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"vcsim/internal/golden"
)

func sample() *Result {
	return &Result{
		Schema: "vcsim.sample/1",
		Title:  "A sample",
		Facts: []Fact{
			{Column{Key: "bandwidth_gbps", Title: "bandwidth", Unit: "Gbps"}, 10.0},
			{Column{Key: "gpus"}, 64},
			{Column{Key: "feasible"}, true},
		},
		Tables: []Table{{
			Name: "codecs",
			Columns: []Column{
				{Key: "name"},
				{Key: "speedup", Digits: 2},
				{Key: "step_time_s", Title: "step", Unit: "s"},
				{Key: "share_percent", Title: "share", Unit: "%", Digits: 1},
				{Key: "energy_j_per_token", Title: "energy", Unit: "J/token"},
			},
			Rows: [][]any{
				{"t265", 1.23456, 12.345678, 3.0, 1e-9},
				{`odd | "name", <&>`, 1.0, 123456.7, nil, 0.0},
			},
		}},
		Notes: []string{"One note.", "Another note."},
	}
}

func TestWriteGolden(t *testing.T) {
	second := sample()
	second.Tables = append(second.Tables, Table{Name: "empty_table", Columns: []Column{{Key: "a"}, {Key: "b"}}})
	payload := &Result{Schema: "vcsim.payload/1", Payload: struct {
		File string `json:"file"`
	}{"a<b"}}
	tests := []struct {
		golden  string
		format  Format
		results []*Result
	}{
		{"sample.txt", Text, []*Result{sample()}},
		{"sample.md", Markdown, []*Result{sample()}},
		{"sample.csv", CSV, []*Result{sample()}},
		{"sample.json", JSON, []*Result{sample()}},
		{"two.txt", Text, []*Result{sample(), second}},
		{"two.json", JSON, []*Result{payload, {Schema: "vcsim.none/1"}}},
	}
	for _, tt := range tests {
		var b bytes.Buffer
		if err := Write(&b, tt.format, tt.results...); err != nil {
			t.Errorf("%s: %v", tt.golden, err)
			continue
		}
		golden.Check(t, filepath.Join("testdata", tt.golden), b.String())
		if strings.HasSuffix(tt.golden, ".json") && !json.Valid(b.Bytes()) {
			t.Errorf("%s: not valid JSON", tt.golden)
		}
	}
}

// TestWriteErrors: nothing is written of a result that cannot be shown.
func TestWriteErrors(t *testing.T) {
	tests := []struct {
		name   string
		format Format
		change func(*Result)
		want   string
	}{
		{"NaN cell", Text, func(r *Result) { r.Tables[0].Rows[0][1] = math.NaN() }, "speedup is NaN (table codecs row 0)"},
		{"infinite fact", JSON, func(r *Result) { r.Facts[0].Value = math.Inf(-1) }, "bandwidth_gbps is -Inf"},
		{"NaN payload", JSON, func(r *Result) { r.Payload = map[string]float64{"a": math.NaN()} }, "unsupported value"},
		{"list payload", JSON, func(r *Result) { r.Payload = []int{1} }, "not an object"},
		{"unit", CSV, func(r *Result) { r.Tables[0].Columns[2].Key = "step_time" }, `key "step_time" must be lower case and end in its unit "s"`},
		{"unit within a word", CSV, func(r *Result) { r.Tables[0].Columns[2].Key = "steps" }, "end in its unit"},
		{"case", CSV, func(r *Result) { r.Tables[0].Columns[0].Key = "Name" }, "lower case"},
		{"ragged", CSV, func(r *Result) { r.Tables[0].Rows[1] = []any{1} }, "row 1 has 1 cells, want 5"},
		{"type", CSV, func(r *Result) { r.Tables[0].Rows[1][0] = float32(1) }, "name holds a float32"},
		{"key twice", JSON, func(r *Result) { r.Facts[1].Key = "codecs" }, `key "codecs"`},
		{"reserved key", JSON, func(r *Result) { r.Facts[1].Key = "schema" }, `key "schema"`},
		{"no table", CSV, func(r *Result) { r.Tables = nil }, ErrNoTable.Error()},
	}
	for _, tt := range tests {
		r := sample()
		tt.change(r)
		var b bytes.Buffer
		err := Write(&b, tt.format, r)
		if err == nil || !strings.Contains(err.Error(), tt.want) || b.Len() > 0 {
			t.Errorf("%s: got error %v and %d bytes, want %q and none", tt.name, err, b.Len(), tt.want)
		}
	}
	if err := Write(&bytes.Buffer{}, CSV, sample(), sample()); !errors.Is(err, ErrNoTable) {
		t.Errorf("CSV of two results: got %v, want ErrNoTable", err)
	}
}

func TestProgressWithoutTerminal(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := NewProgress(f, "evaluating", 10)
	p.Add(10)
	p.Stop()
	if st, err := f.Stat(); err != nil || st.Size() != 0 || p != nil {
		t.Errorf("got %d bytes, %v, progress %v; want nothing", st.Size(), err, p)
	}
}

// TestTurn: a bar is filled again and again, and never quite.
func TestTurn(t *testing.T) {
	for _, tt := range []struct{ steps, total, pass, value int64 }{
		{0, 10, 1, 0}, {1, 10, 1, 1}, {9, 10, 1, 9}, {10, 10, 1, 9}, {11, 10, 2, 1}, {20, 10, 2, 9}, {35, 10, 4, 5}, {1, 1, 1, 0}, {2, 1, 2, 0},
	} {
		if pass, value := turn(tt.steps, tt.total); pass != tt.pass || value != tt.value {
			t.Errorf("%d steps of %d: pass %d at %d, want %d at %d", tt.steps, tt.total, pass, value, tt.pass, tt.value)
		}
	}
}

func TestVerbatim(t *testing.T) {
	r := &Result{Schema: "s/1", Notes: []string{"Note."}, Verbatim: "a:  1\n  b: " + strings.Repeat("long ", 40) + "end"}
	for f, want := range map[Format]string{Text: "Note.\n\n" + r.Verbatim + "\n", Markdown: "- Note.\n\n```\n" + r.Verbatim + "\n```\n"} {
		var b bytes.Buffer
		if err := Write(&b, f, r); err != nil || b.String() != want {
			t.Errorf("format %d: got %q, %v, want %q", f, b.String(), err, want)
		}
	}
}

// TestPayloadSchema: a payload that names its schema itself does not name it twice.
func TestPayloadSchema(t *testing.T) {
	type payload struct {
		Schema string `json:"schema"`
		A      int    `json:"a"`
	}
	var b bytes.Buffer
	if err := Write(&b, JSON, &Result{Schema: "s/1", Payload: payload{"s/1", 1}}); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "{\n  \"schema\": \"s/1\",\n  \"a\": 1\n}\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := Write(&b, JSON, &Result{Schema: "s/1", Payload: payload{"s/10", 1}}); err == nil {
		t.Error("another schema in the payload: no error")
	}
}

// TestWriteWidth: text stays within a width: cells are wrapped, then columns left out, minor ones first, and named; without a
// bound, and in the other formats, all are there.
func TestWriteWidth(t *testing.T) {
	r := &Result{Schema: "x/1", Facts: []Fact{{Column{Key: "source"}, strings.Repeat("word ", 40)}}, Notes: []string{strings.Repeat("note ", 60)}}
	for _, name := range []string{"narrow", "wide"} {
		tab := Table{Name: name, Columns: []Column{{Key: "name"}}}
		row := []any{"/a/very/long/path/of/a/file/that/goes/on/and/on/without/a/space/for/more/than/a/line.safetensors"}
		for i := range 12 {
			if name == "narrow" && i == 2 {
				break
			}
			tab.Columns = append(tab.Columns, Column{Key: fmt.Sprintf("column_%d", i), Minor: i == 3})
			row = append(row, 1.5*float64(i))
		}
		tab.Rows = [][]any{row}
		r.Tables = append(r.Tables, tab)
	}
	for _, width := range []int{60, 80, 120} {
		var b strings.Builder
		if err := WriteWidth(&b, Text, width, r); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if n := utf8.RuneCountInString(line); n > width {
				t.Errorf("width %d: a line of %d: %q", width, n, line)
			}
		}
		if out := b.String(); !strings.Contains(out, "Left out: ") || !strings.Contains(out, "column 3") || strings.Count(out, "column 0") != 2 || strings.Contains(strings.Split(out, "Left out")[0], "column 3 ") {
			t.Errorf("width %d:\n%s", width, out)
		}
	}
	for _, f := range []Format{Text, Markdown} {
		var b strings.Builder
		if err := Write(&b, f, r); err != nil || strings.Contains(b.String(), "Left out") || !strings.Contains(b.String(), "column 11") {
			t.Errorf("format %d without a bound: %v\n%s", f, err, b.String())
		}
	}
}
