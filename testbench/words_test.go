package testbench

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	macroDefinition = regexp.MustCompile("(?m)^`define (\\w+)")
	macroUse        = regexp.MustCompile("`([A-Z]\\w+)")
	includeLine     = regexp.MustCompile("(?m)^`include \"(\\w+\\.vh)\"$")
)

// TestWords: the macros of the headers have one definition each, a module uses the
// headers that it includes and no macro of another, and no header is left over.
func TestWords(t *testing.T) {
	headers, err := filepath.Glob(filepath.Join(Root(), "rtl/*/gen/*.vh"))
	if err != nil || len(headers) < 2 {
		t.Fatalf("%d headers, %v", len(headers), err)
	}
	owner := map[string]string{} // header of a macro
	for _, header := range headers {
		name := filepath.Base(header)
		text := readFile(t, header)
		for i, line := range strings.Split(text, "\n") {
			if len(line) > 100 {
				t.Errorf("%s:%d: over 100 columns", name, i+1)
			}
		}
		for _, m := range macroDefinition.FindAllStringSubmatch(text, -1) {
			if owner[m[1]] != "" {
				t.Errorf("%s: %s is in %s, too", name, m[1], owner[m[1]])
			}
			owner[m[1]] = name
		}
	}
	included := map[string]bool{}
	for _, name := range verilogFiles(t) {
		text := readFile(t, filepath.Join(Root(), name))
		used := map[string]bool{} // headers
		for _, m := range macroUse.FindAllStringSubmatch(text, -1) {
			if owner[m[1]] == "" {
				t.Errorf("%s: `%s is in no header", name, m[1])
			}
			used[owner[m[1]]] = true
		}
		for _, m := range includeLine.FindAllStringSubmatch(text, -1) {
			included[m[1]] = true
			if !used[m[1]] {
				t.Errorf("%s includes %s for nothing", name, m[1])
			}
			delete(used, m[1])
		}
		for header := range used {
			t.Errorf("%s uses macros of %s, which it does not include", name, header)
		}
	}
	for _, header := range headers {
		if !included[filepath.Base(header)] {
			t.Errorf("no module includes %s", filepath.Base(header))
		}
	}
}
