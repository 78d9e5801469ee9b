// Package romtest keeps the tables of the Verilog the same as those of Go, which
// they are generated from.
package romtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/internal/golden"
)

// Check compares generated files, by name, with those in dir, which are no others.
// The flag -update writes them first.
func Check(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, want := range files {
		file := filepath.Join(dir, name)
		if golden.Update() {
			if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s is stale (%v): run go generate in this folder", file, err)
		}
	}
	there, err := filepath.Glob(filepath.Join(dir, "*.v"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range there {
		if _, ok := files[filepath.Base(file)]; !ok {
			t.Errorf("%s: nothing generates it", file)
		}
	}
}

// Generated frames a module: its purpose in lines, the Go files of source, the
// one with the table first, ports and body.
func Generated(name, purpose, source, ports, body string) string {
	mirror, _, _ := strings.Cut(source, " ")
	return fmt.Sprintf("// %s\n//\n// Generated from %s by go generate. Do not edit.\n// Mirror: %s\n\n`default_nettype none\n\n"+
		"module %s (\n%s\n);\n\n%s\nendmodule\n\n`default_nettype wire\n",
		strings.ReplaceAll(purpose, "\n", "\n// "), source, mirror, name, ports, body)
}

// A ROM is a module whose outputs follow from a number.
type ROM struct {
	Name, Purpose string
	Source        string // Go files, the one with the table first
	In            Field
	Out           []Field
	// Rows gives the outputs by the number. Without gaps the last one holds for
	// larger numbers as well; else all are 0 there, as in the gaps.
	Rows [][]int
}

// A Field is a port. One of several values has all of them, of the same bits,
// the first lowest.
type Field struct {
	Name   string
	Bits   int // of a value
	Values int
	Signed bool
}

func (f Field) port(kind string) string {
	width := fmt.Sprintf("[%d:0]", f.Bits*f.Values-1)
	if f.Signed {
		width = "signed " + width
	}
	if f.Bits*f.Values == 1 {
		width = ""
	}
	return strings.Join(strings.Fields(fmt.Sprintf("%s %s %s", kind, width, f.Name)), " ")
}

func (f Field) literal(v int) string {
	switch {
	case f.Signed && v < 0:
		return fmt.Sprintf("-%d'sd%d", f.Bits, -v)
	case f.Signed:
		return fmt.Sprintf("%d'sd%d", f.Bits, v)
	}
	return fmt.Sprintf("%d'd%d", f.Bits, v)
}

// One is a port of one value.
func One(name string, bits int) Field { return Field{Name: name, Bits: bits, Values: 1} }

// String returns the source text.
func (r ROM) String() string {
	ports := []string{"  " + r.In.port("input  wire")}
	var left []string
	total := 0
	for _, f := range r.Out {
		ports = append(ports, "  "+f.port("output reg"))
		left = append(left, f.Name)
		total += f.Values
	}
	row := func(v []int) string {
		if v == nil {
			v = make([]int, total)
		}
		var s []string
		for _, f := range r.Out {
			for i := f.Values - 1; i >= 0; i-- {
				s = append(s, f.literal(v[i]))
			}
			v = v[f.Values:]
		}
		return joined(left) + " = " + joined(s) + ";\n"
	}
	var body strings.Builder
	fmt.Fprintf(&body, "  always @* begin\n    case (%s)\n", r.In.Name)
	rest := r.Rows[len(r.Rows)-1]
	for _, v := range r.Rows {
		if v == nil {
			rest = nil
		}
	}
	for i, v := range r.Rows {
		if v != nil && (rest == nil || i < len(r.Rows)-1) {
			fmt.Fprintf(&body, "      %s: %s", r.In.literal(i), row(v))
		}
	}
	fmt.Fprintf(&body, "      default: %s    endcase\n  end\n", row(rest))
	return Generated(r.Name, r.Purpose, r.Source, strings.Join(ports, ",\n"), body.String())
}

// joined is a concatenation, where there is more than one part.
func joined(parts []string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
