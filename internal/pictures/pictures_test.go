package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/internal/golden"
)

const (
	root   = "../.."
	folder = "docs/pictures"
)

// TestPictures: the command writes every picture and nothing else, and each is what docs/pictures has. `make pictures` writes
// those again.
func TestPictures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if err := save(dir); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != len(pictures) {
		t.Errorf("%d files, %d pictures (%v)", len(files), len(pictures), err)
	}
	for _, p := range pictures {
		b, err := os.ReadFile(filepath.Join(dir, p.file))
		if err != nil {
			t.Fatal(err)
		}
		golden.Check(t, filepath.Join(root, folder, p.file), string(b))
	}
}

// TestShown: every picture is on a page, and every file of the folder is a picture.
func TestShown(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "docs/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(b)
	}
	drawn := map[string]bool{}
	for _, p := range pictures {
		drawn[p.file] = true
		if !strings.Contains(text.String(), "pictures/"+p.file+")") {
			t.Errorf("no page shows %s", p.file)
		}
	}
	files, err := os.ReadDir(filepath.Join(root, folder))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !drawn[f.Name()] && !strings.HasSuffix(f.Name(), ".got") {
			t.Errorf("%s/%s: no picture of that name is drawn", folder, f.Name())
		}
	}
}
