package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReproduceOut: every figure in every format; charts only where they are asked for, all of them drawn.
func TestReproduceOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "dir")
	for _, tt := range []struct {
		figure string
		charts []string
	}{
		{"fig10a", []string{"fig10a-rtx3090", "fig10a-a100-80g"}},
		{"fig10b", []string{"fig10b", "fig10b-communication"}},
		{"table2", nil},
	} {
		stdout, stderr, code := execute(t, "reproduce", tt.figure, "--json", "--out", dir)
		var j struct {
			Schema, Figure string
			Files          []string
		}
		if err := json.Unmarshal([]byte(stdout), &j); err != nil || code != 0 || stderr != "" {
			t.Fatalf("%s: exit %d, %q, %v", tt.figure, code, stderr, err)
		}
		if j.Schema != reproduceSchema(tt.figure) || j.Figure != tt.figure || len(j.Files) != 2*len(tt.charts) {
			t.Errorf("%s: got %+v", tt.figure, j)
		}
		for _, name := range tt.charts {
			data, err := os.ReadFile(filepath.Join(dir, name+".png"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := png.Decode(bytes.NewReader(data)); err != nil {
				t.Errorf("%s.png: %v", name, err)
			}
			if data, err = os.ReadFile(filepath.Join(dir, name+".svg")); err != nil || !bytes.Contains(data, []byte(">T.265")) {
				t.Errorf("%s.svg: %d bytes, %v", name, len(data), err)
			}
		}
		stdout, _, _ = execute(t, "reproduce", tt.figure, "--csv")
		if rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll(); err != nil || len(rows) < 8 {
			t.Errorf("%s --csv: %d rows, %v", tt.figure, len(rows), err)
		}
		stdout, _, _ = execute(t, "reproduce", tt.figure, "--markdown")
		if !strings.HasPrefix(stdout, "## ") || strings.Contains(stdout, "Written") {
			t.Errorf("%s --markdown: got %.80q", tt.figure, stdout)
		}
	}
}
