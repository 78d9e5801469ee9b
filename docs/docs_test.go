// Package docs holds the tests of the pages in this folder, of README.md and of CONTRIBUTING.md: what they
// name exists.
package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = ".."

// pages returns the text of every page by its path from the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	text := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name, _ := filepath.Rel(root, file)
			text[name] = read(t, file)
		}
	}
	if len(text) < 5 {
		t.Fatalf("%d pages", len(text))
	}
	return text
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// sources calls each for every file of the repository that programs are made of.
func sources(t *testing.T, each func(name, text string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		switch {
		case d.IsDir() && (name == ".git" || name == "out" || name == "bin"):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		switch filepath.Ext(name) {
		case ".go", ".sh", ".hpp", ".cpp", ".v", ".vh", ".yml", ".yaml":
		default:
			if name != "Makefile" && filepath.Dir(name) != ".ci" {
				return nil
			}
		}
		each(filepath.ToSlash(name), read(t, path))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	aSwitch    = regexp.MustCompile(`VCSIM_[A-Z0-9_]*[A-Z0-9]`)
	switchRow  = regexp.MustCompile("(?m)^\\| `(VCSIM_[A-Z0-9_]+)(?:=[^`]*)?` \\|")
	aLink      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	aHeading   = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	aQuote     = regexp.MustCompile("`([^`\n]+)`")
	aPath      = regexp.MustCompile(`^(?:\.ci|\.github|area|cluster|cmd|docs|energy|internal|rtl|sim|t264|t265|testbench)(?:/[\w.*-]*)*$`)
	aGoFile    = regexp.MustCompile(`(?:^|[ (|` + "`" + `])(\w+\.go)\b`)
	aTest      = regexp.MustCompile(`\b(?:Test|Benchmark|Fuzz|Example)[A-Z]\w*`)
	aTarget    = regexp.MustCompile(`\bmake ([a-z][a-z-]*)`)
	aRule      = regexp.MustCompile(`(?m)^([a-z][a-z-]*):`)
	aFunction  = regexp.MustCompile(`(?m)^func (\w+)\(`)
	codeFences = regexp.MustCompile("(?s)```.*?```")
)

// TestSwitches: docs/testing.md has a row for every environment variable that the code reads, and for no other.
func TestSwitches(t *testing.T) {
	listed := map[string]bool{}
	for _, m := range switchRow.FindAllStringSubmatch(read(t, "testing.md"), -1) {
		if listed[m[1]] {
			t.Errorf("testing.md lists %s twice", m[1])
		}
		listed[m[1]] = true
	}
	found := map[string]string{} // switch to a file
	sources(t, func(name, text string) {
		for _, s := range aSwitch.FindAllString(text, -1) {
			found[s] = name
		}
	})
	for s, file := range found {
		if !listed[s] {
			t.Errorf("%s: docs/testing.md does not list %s", file, s)
		}
	}
	for s := range listed {
		if found[s] == "" {
			t.Errorf("docs/testing.md lists %s, which nothing reads", s)
		}
	}
	if len(found) < 10 {
		t.Errorf("%d switches", len(found))
	}
}

// anchor is the fragment by which GitHub links to a heading.
func anchor(heading string) string {
	heading = strings.ToLower(strings.ReplaceAll(heading, "`", ""))
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, heading)
}

// TestLinks: links lead to files and headings that are there, and pages can be reached from README.md.
func TestLinks(t *testing.T) {
	all := pages(t)
	linked := map[string]bool{"README.md": true}
	for page, text := range all {
		for _, m := range aLink.FindAllStringSubmatch(codeFences.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, fragment, _ := strings.Cut(m[1], "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, m[1])
				continue
			}
			linked[target] = true
			if fragment == "" {
				continue
			}
			var anchors []string
			for _, h := range aHeading.FindAllStringSubmatch(all[target], -1) {
				anchors = append(anchors, anchor(h[1]))
			}
			if !slices.Contains(anchors, fragment) {
				t.Errorf("%s: %s has no heading %s", page, target, fragment)
			}
		}
	}
	for page := range all {
		if !linked[page] {
			t.Errorf("no page links to %s", page)
		}
	}
}

// TestNames: Go files that a page names exist, as do paths, tests and targets of make in code style.
func TestNames(t *testing.T) {
	functions, files := map[string]bool{}, map[string]bool{}
	sources(t, func(name, text string) {
		files[filepath.Base(name)] = true
		if strings.HasSuffix(name, "_test.go") {
			for _, m := range aFunction.FindAllStringSubmatch(text, -1) {
				functions[m[1]] = true
			}
		}
	})
	targets := map[string]bool{}
	for _, m := range aRule.FindAllStringSubmatch(read(t, filepath.Join(root, "Makefile")), -1) {
		targets[m[1]] = true
	}
	for page, text := range pages(t) {
		for _, m := range aQuote.FindAllStringSubmatch(text, -1) {
			if aPath.MatchString(m[1]) && strings.Contains(m[1], "/") {
				pattern := strings.TrimSuffix(m[1], "/...")
				if files, err := filepath.Glob(filepath.Join(root, pattern)); err != nil || len(files) == 0 {
					t.Errorf("%s: there is no %s", page, m[1])
				}
			}
			for _, name := range aTest.FindAllString(m[1], -1) {
				if !functions[name] {
					t.Errorf("%s: there is no %s", page, name)
				}
			}
		}
		for _, m := range aGoFile.FindAllStringSubmatch(text, -1) {
			if !files[m[1]] {
				t.Errorf("%s: there is no %s", page, m[1])
			}
		}
		for _, m := range aTarget.FindAllStringSubmatch(onlyCode(text), -1) {
			if !targets[m[1]] {
				t.Errorf("%s: make has no target %s", page, m[1])
			}
		}
	}
}

// TestRooms: the table of rooms in architecture.md has every package.
func TestRooms(t *testing.T) {
	_, table, ok := strings.Cut(read(t, "architecture.md"), "\n## Rooms\n")
	table, _, ok2 := strings.Cut(table, "\n`rtl` has")
	if !ok || !ok2 {
		t.Fatal("architecture.md has no table of rooms")
	}
	listed := map[string]bool{}
	for _, row := range strings.Split(table, "\n") {
		if cells := strings.Split(row, "|"); len(cells) == 4 {
			for _, m := range aQuote.FindAllStringSubmatch(cells[1], -1) {
				listed[m[1]] = true
			}
		}
	}
	packages := map[string]bool{}
	sources(t, func(name, _ string) {
		if strings.HasSuffix(name, ".go") {
			packages[filepath.ToSlash(filepath.Dir(name))] = true
		}
	})
	for p := range packages {
		if !listed[p] {
			t.Errorf("architecture.md has no room %s", p)
		}
	}
	for p := range listed {
		if !packages[p] {
			t.Errorf("architecture.md: the room %s is empty", p)
		}
	}
}

// TestParameters: the areas of measurements.md are of modules that exist, with parameters that they have.
func TestParameters(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| ((?:vc|t26\d)_\w+) \|.*\| ((?:\w+=\d+ ?)+) \|$`)
	rows := row.FindAllStringSubmatch(read(t, "measurements.md"), -1)
	if len(rows) < 20 {
		t.Errorf("%d areas with parameters", len(rows))
	}
	for _, m := range rows {
		files, err := filepath.Glob(filepath.Join(root, "rtl/*", m[1]+".v"))
		if err != nil || len(files) != 1 {
			t.Errorf("measurements.md: %d modules %s", len(files), m[1])
			continue
		}
		module := read(t, files[0])
		for _, p := range strings.Fields(m[2]) {
			name, _, _ := strings.Cut(p, "=")
			if !regexp.MustCompile(`\bparameter\s+` + name + `\b`).MatchString(module) {
				t.Errorf("measurements.md: %s has no parameter %s", m[1], name)
			}
		}
	}
}

// onlyCode is what a page shows in code style: quoted words, and lines that are indented or fenced.
func onlyCode(text string) string {
	var code []string
	for _, m := range aQuote.FindAllStringSubmatch(text, -1) {
		code = append(code, m[1])
	}
	code = append(code, codeFences.FindAllString(text, -1)...)
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "    ") {
			code = append(code, line)
		}
	}
	return strings.Join(code, "\n")
}
