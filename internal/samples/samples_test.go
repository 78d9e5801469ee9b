package samples

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/internal/lmc"
)

// TestWrite: the files are there, are those of the repository's other tests, and nothing is overwritten unasked.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "dir")
	if err := Write(t.Context(), dir, false); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(Files) {
		t.Errorf("%d files, want %d, %v", len(entries), len(Files), err)
	}
	for file, same := range map[string]string{
		"plane.pgm":         "../../testbench/common/testdata/weights.pgm",
		"step1.safetensors": "../lmc/testdata/step0200.safetensors",
		"step2.safetensors": "../lmc/testdata/step0250.safetensors",
		"step1.lmc":         "../lmc/testdata/step0200.lmc",
		"model.safetensors": "tensors.safetensors",
	} {
		got, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(same)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from %s", file, same)
		}
	}
	s, err := lmc.Open(filepath.Join(dir, "step1.lmc"))
	if err != nil {
		t.Fatal(err)
	}
	s.Close()

	last := filepath.Join(dir, Files[len(Files)-1].Name)
	if err := os.Remove(filepath.Join(dir, Files[0].Name)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(last, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), dir, false); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("existing files: %v", err)
	}
	if b, _ := os.ReadFile(last); string(b) != "mine" {
		t.Error("a file was overwritten")
	}
	if _, err := os.Stat(filepath.Join(dir, Files[0].Name)); err == nil && Files[0].Name != filepath.Base(last) {
		t.Error("a refused run wrote a file")
	}
	if err := Write(t.Context(), dir, true); err != nil {
		t.Error(err)
	}
	if b, _ := os.ReadFile(last); string(b) == "mine" {
		t.Error("--force kept a file")
	}
}
