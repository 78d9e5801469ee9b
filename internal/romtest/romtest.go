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

// Check compares generated files, by name, with those in dir. The flag -update
// writes them first.
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
}

// A Module is a Verilog module made from tables.
type Module struct {
	Name    string
	Purpose string // sentences, later lines led by "// "
	From    string // "Generated from" these files
	Mirror  string // the first of them
	Ports   string // one a line, indented
	Body    string
}

// String returns the source text.
func (m Module) String() string {
	return fmt.Sprintf("// %s\n//\n// Generated from %s by go generate. Do not edit.\n// Mirror: %s\n\n`default_nettype none\n\n"+
		"module %s (\n%s);\n\n%s\nendmodule\n\n`default_nettype wire\n", m.Purpose, m.From, m.Mirror, m.Name, m.Ports, m.Body)
}

// Case is a combinational block that gives out a value for each in of some bits;
// an empty value stands for the last one, which is also the default.
func Case(in string, bits int, out string, values []string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "  always @* begin\n    case (%s)\n", in)
	last := len(values) - 1
	for i, v := range values[:last] {
		if v != "" {
			fmt.Fprintf(&s, "      %d'd%d: %s = %s;\n", bits, i, out, v)
		}
	}
	fmt.Fprintf(&s, "      default: %s = %s;\n    endcase\n  end\n", out, values[last])
	return s.String()
}

// Signed is a decimal literal of some bits.
func Signed(bits, v int) string {
	if v < 0 {
		return fmt.Sprintf("-%d'sd%d", bits, -v)
	}
	return fmt.Sprintf("%d'sd%d", bits, v)
}
