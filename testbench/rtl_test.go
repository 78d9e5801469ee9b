package testbench

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// verilogFiles returns every module of rtl, from the root.
func verilogFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"rtl/*/*.v", "rtl/*/gen/*.v"} {
		more, err := filepath.Glob(filepath.Join(Root(), pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	if len(files) < 7 {
		t.Fatalf("%d Verilog files", len(files))
	}
	for i, f := range files {
		files[i], _ = filepath.Rel(Root(), f)
	}
	return files
}

var (
	mirrorLine = regexp.MustCompile(`(?m)^// Mirror: +(\S+)$`)
	rtlLine    = regexp.MustCompile(`(?m)^// RTL: (.+)$`)
)

// TestMirror: each Verilog file names its Go file and the other way round, and
// every clocked unit has a twin.
func TestMirror(t *testing.T) {
	root := Root()
	mirror := map[string]string{} // Verilog file to Go file
	for _, name := range verilogFiles(t) {
		text := readFile(t, filepath.Join(root, name))
		m := mirrorLine.FindStringSubmatch(text)
		if m == nil {
			t.Errorf("%s: no Mirror line", name)
			continue
		}
		mirror[name] = m[1]
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Errorf("%s: mirror: %v", name, err)
		}
		if strings.Contains(name, "/gen/") {
			continue // the generator writes the header
		}
		for _, field := range []string{"Latency:", "Throughput:", "Storage:"} {
			if !strings.Contains(text, "// "+field) {
				t.Errorf("%s: no %s line", name, field)
			}
		}
	}
	var units []string
	for _, pattern := range []string{"sim/*.go", "internal/cabachw/*.go", "*/hw*/*.go", "internal/*/hw*/*.go"} {
		more, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, more...)
	}
	named := map[string]bool{}
	for _, file := range units {
		name, _ := filepath.Rel(root, file)
		text := readFile(t, file)
		m := rtlLine.FindStringSubmatch(text)
		if m == nil {
			if hasTwin(name, text) {
				t.Errorf("%s: no RTL line", name)
			}
			continue
		}
		for _, v := range strings.Fields(m[1]) {
			named[v] = true
			if mirror[v] != name {
				t.Errorf("%s names %s, whose mirror is %q", name, v, mirror[v])
			}
		}
	}
	for v, g := range mirror {
		if !named[v] && !strings.Contains(v, "/gen/") {
			t.Errorf("%s names %s, which has no RTL line for it", v, g)
		}
	}
}

var clockMethod = regexp.MustCompile(`(?m)^func \(\w+ \*?\w+\) ([cC]lock)\(`)

// hasTwin reports whether the file of a room of hardware must name its modules: it
// has a unit that is clocked, and that is neither a form of units that runs
// ahead nor a host. The primitives of sim name theirs where they have some.
func hasTwin(name, text string) bool {
	base := filepath.Base(name)
	return !strings.HasPrefix(name, "sim/") && !strings.HasSuffix(base, "_test.go") && !strings.Contains(base, "ahead") &&
		!strings.HasSuffix(base, "host.go") && clockMethod.MatchString(text)
}

// TestStages: the table of stages in docs/hardware.md has every module, with its
// unit, and files that exist.
func TestStages(t *testing.T) {
	root := Root()
	const doc = "docs/hardware.md"
	_, table, found := strings.Cut(readFile(t, filepath.Join(root, doc)), "\n## Where a stage is\n")
	if !found {
		t.Fatalf("%s: no table of stages", doc)
	}
	table, _, _ = strings.Cut(table, "\n## ")
	exists := func(path string) bool { _, err := os.Stat(filepath.Join(root, path)); return err == nil }
	unit := map[string]string{} // of a module
	for _, line := range strings.Split(table, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 7 || !strings.Contains(line, ".go") {
			continue
		}
		for i, cell := range cells {
			cells[i] = strings.TrimSpace(cell)
		}
		for _, path := range append(strings.Split(cells[2], ", "), cells[3]) {
			if path != "" && !exists(path) {
				t.Errorf("%s: %s does not exist", doc, path)
			}
		}
		for _, module := range strings.Split(cells[4], ", ") {
			folder, _, _ := strings.Cut(module, "_")
			if folder == "vc" {
				folder = "common"
			}
			if bench := filepath.Join("testbench", folder, cells[5]); !exists(bench) {
				t.Errorf("%s: %s does not exist", doc, bench)
			}
			if unit[module] != "" {
				t.Errorf("%s: %s is there twice", doc, module)
			}
			unit[module] = cells[3]
		}
	}
	for _, name := range verilogFiles(t) {
		if strings.Contains(name, "/gen/") {
			continue
		}
		module := strings.TrimSuffix(filepath.Base(name), ".v")
		if m := mirrorLine.FindStringSubmatch(readFile(t, filepath.Join(root, name))); m == nil || unit[module] != m[1] {
			t.Errorf("%s: the unit of %s is %q, and its Mirror line %q", doc, module, unit[module], m)
		}
		delete(unit, module)
	}
	for module := range unit {
		t.Errorf("%s: no module %s", doc, module)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// badNames matches a localparam that is not in capitals and a wire with the
// suffix of a register.
var badNames = regexp.MustCompile(`localparam\b[^=]*\b\w*[a-z]\w* *=|wire\b[^=;]*\b\w+_q *[=;]`)

// TestStyle holds what no tool checks.
func TestStyle(t *testing.T) {
	for _, name := range verilogFiles(t) {
		text := readFile(t, filepath.Join(Root(), name))
		lines := strings.Split(text, "\n")
		if !strings.Contains(text, "\n`default_nettype none\n") {
			t.Errorf("%s: no `default_nettype none", name)
		}
		if n := len(lines); n > 310 && !strings.Contains(name, "/gen/") {
			t.Errorf("%s: %d lines", name, n)
		}
		for i, line := range lines {
			if len(line) > 100 || strings.Contains(line, "\t") || strings.HasSuffix(line, " ") {
				t.Errorf("%s:%d: over 100 columns, a tab or a space at the end", name, i+1)
			}
			if badNames.MatchString(line) {
				t.Errorf("%s:%d: a constant in small letters, or a wire named as a register", name, i+1)
			}
			if strings.Contains(line, "lint_off") && (i == 0 || !strings.HasPrefix(strings.TrimSpace(lines[i-1]), "//")) {
				t.Errorf("%s:%d: a waiver without a reason", name, i+1)
			}
		}
	}
}

// libraryFlags tells Verilator and Icarus where a module finds others.
func libraryFlags(module string) (flags []string) {
	for _, folder := range Folders(module) {
		flags = append(flags, "-y", folder, "-I"+folder)
	}
	return flags
}

// clockGate is a model for simulation of a cell that the library has: synthesis takes no more of it than its ports.
const clockGate = "rtl/common/vc_clock_gate.v"

// readAll is the command with which yosys reads every module.
func readAll(t *testing.T) string {
	read := "read_verilog -lib " + clockGate + "; read_verilog -defer"
	headers, err := filepath.Glob(filepath.Join(Root(), "rtl/*/gen"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range headers {
		folder, _ = filepath.Rel(Root(), folder)
		read += " -I " + folder
	}
	for _, file := range verilogFiles(t) {
		if filepath.ToSlash(file) != clockGate {
			read += " " + file
		}
	}
	return read
}

func moduleOf(file string) string { return strings.TrimSuffix(filepath.Base(file), ".v") }

func TestLint(t *testing.T) {
	tools := map[string]func(file string) []string{
		"verilator": func(file string) []string {
			return slices.Concat([]string{"--lint-only", "-Wall", "--default-language", "1364-2005"}, libraryFlags(moduleOf(file)), []string{file})
		},
		"iverilog": func(file string) []string {
			return slices.Concat([]string{"-g2005", "-Wall", "-o", "/dev/null"}, libraryFlags(moduleOf(file)), []string{file})
		},
		"yosys": func(file string) []string {
			return []string{"-q", "-p", readAll(t) + "; hierarchy -check -top " + moduleOf(file) + "; proc; check -assert"}
		},
	}
	for _, tool := range []string{"verilator", "iverilog", "yosys"} {
		t.Run(tool, func(t *testing.T) {
			NeedTools(t, tool)
			for _, file := range verilogFiles(t) {
				cmd := exec.Command(tool, tools[tool](file)...)
				cmd.Dir = Root()
				if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
					t.Errorf("%s: %v\n%s", file, err, out)
				}
			}
		})
	}
}
