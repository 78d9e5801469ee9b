package main

import (
	"encoding/xml"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const (
	root   = "../.."
	folder = "docs/pictures"
)

// TestPictures: the command writes every picture and nothing else, and each looks like that of docs/pictures. `make pictures` writes
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
		if err := xml.Unmarshal(b, new(struct{})); err != nil {
			t.Errorf("%s: %v", p.file, err)
		}
		shown, err := os.ReadFile(filepath.Join(root, folder, p.file))
		if err != nil {
			t.Errorf("%v: make pictures writes it", err)
		} else if got, want, ok := differ(string(b), string(shown)); ok {
			t.Errorf("%s/%s is stale, make pictures draws it again: it has %.100q, and now comes %.100q", folder, p.file, want, got)
		}
	}
}

var number = regexp.MustCompile(`-?\d+(?:\.\d+)?`)

// differ reports whether two pictures can be told apart, and where: by anything but a number that is another by
// a third of a pixel at most, which comes from how a processor rounds.
func differ(got, want string) (g, w string, ok bool) {
	a, b := number.FindAllStringIndex(got, -1), number.FindAllStringIndex(want, -1)
	atA, atB := 0, 0
	for i := 0; i < len(a) && i < len(b); i++ {
		x, errX := strconv.ParseFloat(got[a[i][0]:a[i][1]], 64)
		y, errY := strconv.ParseFloat(want[b[i][0]:b[i][1]], 64)
		if got[atA:a[i][0]] != want[atB:b[i][0]] || errX != nil || errY != nil || math.Abs(x-y) > 1./3 {
			return got[atA:], want[atB:], true
		}
		atA, atB = a[i][1], b[i][1]
	}
	return got[atA:], want[atB:], got[atA:] != want[atB:]
}

func TestDiffer(t *testing.T) {
	const picture = `<path d="M1,2.5L-3,4" class="a"/>`
	for other, want := range map[string]bool{
		picture:                               false,
		`<path d="M1,2.6L-3,4" class="a"/>`:   false,
		`<path d="M1,2.9L-3,4" class="a"/>`:   true,
		`<path d="M1,2.5L3,4" class="a"/>`:    true,
		`<path d="M1,2.5L-3,4" class="b"/>`:   true,
		`<path d="M1,2.5L-3,4"`:               true,
		`<path d="M1,2.5L-3,4,5" class="a"/>`: true,
	} {
		if _, _, got := differ(other, picture); got != want {
			t.Errorf("%s: differs %v, want %v", other, got, want)
		}
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
