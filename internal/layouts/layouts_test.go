package layouts

import (
	"reflect"
	"strings"
	"testing"
)

// TestPage: the layout of a schema is the union of its documents, with what may be absent or null.
func TestPage(t *testing.T) {
	var d Documents
	for _, doc := range []string{
		`{"schema": "a/1", "time_s": 1, "rows": [{"name": "x", "shape": [2, 3]}, {"name": "y", "shape": [], "note": "n"}], "layout": {"dp": 1}}`,
		`[{"schema": "a/1", "time_s": null, "rows": [], "layout": {"dp": 2}}, {"schema": "b/1", "energy_gain": {"t265": 2}}]`,
	} {
		if err := d.Add("do", []byte(doc)); err != nil {
			t.Fatal(err)
		}
	}
	m := Meanings{Keys: map[string]string{"time_s": "time", "rows": "list", "rows.name": "its name", "a/1:rows.shape": "its shape", "name": "never", "layout": "lay", "layout:dp": "replicas"},
		Comments: map[string]string{"note": "a comment"}}
	page, unknown := d.Page(&m)
	for _, want := range []string{
		"## a/1\n\nPrinted by `do`.\n", "| `time_s` | number or null | s | time |", "| `rows` | list of objects |  | list |", "| `rows[].name` | string |  | its name |",
		"| `rows[].shape` | list of numbers |  | its shape |", "| `rows[].note` | string, may be absent |  | a comment |", "| `layout` | layout |  | lay |", "## layout\n\n| key", "| `dp` | number |  | replicas |",
		"| `energy_gain.CODEC` | number |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if got := strings.Join(unknown, " "); got != "b/1:energy_gain b/1:energy_gain.CODEC" {
		t.Errorf("without a meaning: %s", got)
	}
	if got := m.Unused(); len(got) != 1 || got[0] != "name" {
		t.Errorf("unused: %v", got)
	}
	for _, bad := range []string{`{"x": 1}`, `{"schema": 1}`, `{"schema": "a/1"} {}`, `{"schema": "a/1"`, `7`, ``} {
		if err := new(Documents).Add("do", []byte(bad)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

func TestUnit(t *testing.T) {
	for path, want := range map[string]string{"time_s": "s", "rows[].mem_gb_per_s": "GB/s", "tokens_per_s": "tokens/s", "bits_per_value": "bits/value", "stages": "", "s": "s", "layers": "", "bytes": "bytes", "seq[]": ""} {
		if got := Unit(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestFields(t *testing.T) {
	type below struct {
		Rails int `yaml:"rails"`
	}
	type kind struct {
		Layers int      `yaml:"layers"`
		Die    *float64 `yaml:"die_mm2"`
		below  `yaml:",inline"`
		Shared below `yaml:",inline"`
		Gone   int   `yaml:"-"`
	}
	var got []string
	for _, f := range Fields(reflect.TypeFor[kind](), map[string]string{"kind.layers": "blocks"}) {
		got = append(got, strings.Join([]string{f.Key, f.Type, f.Zero, f.Meaning}, ","))
	}
	if want := "layers,integer,0,blocks die_mm2,number or null,null, rails,integer,0,"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", strings.Join(got, " "), want)
	}
	comments, err := Comments(".")
	if err != nil || len(comments) != 0 {
		t.Errorf("comments of fields with tags in this package: %v, %v", comments, err)
	}
}
