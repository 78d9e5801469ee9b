package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type measuredRow struct {
	ID         string  `yaml:"id"`
	GPU        string  `yaml:"gpu"`
	Microbatch *int    `yaml:"microbatch"`
	IterS      float64 `yaml:"iter_s"`
}

func TestMeasurementsOverlay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.yaml")
	text := "schema: vcsim.validation/1\nstudy: s\ndefaults: {gpu: a, microbatch: 4}\nrows:\n" +
		"  - {id: one, iter_s: 1.5}\n  - {id: two, gpu: b, microbatch: null, iter_s: 2}\n  - {id: three, microbatch: 8}\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	study, rows, err := Measurements[measuredRow](path)
	if err != nil {
		t.Fatal(err)
	}
	if study != "s" || len(rows) != 3 || rows[0].GPU != "a" || *rows[0].Microbatch != 4 || rows[1].GPU != "b" || rows[1].Microbatch != nil || *rows[2].Microbatch != 8 {
		t.Errorf("study %q, rows %+v", study, rows)
	}
	if *rows[0].Microbatch != 4 {
		t.Errorf("a row changed the defaults: %d", *rows[0].Microbatch)
	}
}

func TestMeasurementsRefuse(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"schema":   {"schema: other/1\nrows: [{id: a}]\n", "want vcsim.validation/1"},
		"no rows":  {"schema: vcsim.validation/1\nrows: []\n", "no rows"},
		"misspelt": {"schema: vcsim.validation/1\nrows:\n  - {id: a, microbach: 1}\n", ":3:"},
		"type":     {"schema: vcsim.validation/1\nrows:\n  - {id: a}\n  - {id: b, iter_s: fast}\n", ":4:"},
	} {
		path := filepath.Join(t.TempDir(), "m.yaml")
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Measurements[measuredRow](path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, c.want)
		}
	}
}
