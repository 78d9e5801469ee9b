package cabac

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

//go:generate go test -run ^TestROM$ -update .

var update = flag.Bool("update", false, "write the generated Verilog")

// rom writes a module with one case of values a line.
func rom(name, purpose, ports string, in, out string, cases []string, last string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "// %s\n//\n// Generated from internal/cabac/tables.go by go generate. Do not edit.\n", purpose)
	fmt.Fprintf(&s, "// Mirror: internal/cabac/tables.go\n\n`default_nettype none\n\nmodule %s (\n%s);\n\n", name, ports)
	fmt.Fprintf(&s, "  always @* begin\n    case (%s)\n", in)
	for i, c := range cases {
		fmt.Fprintf(&s, "      6'd%d: %s = %s;\n", i, out, c)
	}
	fmt.Fprintf(&s, "      default: %s = %s;\n    endcase\n  end\n\nendmodule\n\n`default_nettype wire\n", out, last)
	return s.String()
}

// roms returns the generated files of rtl/common/gen. The last row of each
// table is the default of its case.
func roms() map[string]string {
	var lps, next []string
	for s := range 64 {
		r := rangeTabLps[s]
		lps = append(lps, fmt.Sprintf("{8'd%d, 8'd%d, 8'd%d, 8'd%d}", r[3], r[2], r[1], r[0]))
		next = append(next, fmt.Sprintf("6'd%d", transIdxLps[s]))
	}
	return map[string]string{
		"vc_cabac_lps.v": rom("vc_cabac_lps", "Ranges of the less probable symbol (H.265 Table 9-46, H.264 Table 9-44). The range for bits\n// 7..6 = q of the current range sits in row_o[8*q +: 8].",
			"  input  wire [5:0]  state_i,\n  output reg  [31:0] row_o\n", "state_i", "row_o", lps[:63], lps[63]),
		"vc_cabac_next.v": rom("vc_cabac_next", "State after the less probable symbol (H.265 Table 9-47, H.264 Table 9-45).",
			"  input  wire [5:0] state_i,\n  output reg  [5:0] state_o\n", "state_i", "state_o", next[:63], next[63]),
	}
}

func TestROM(t *testing.T) {
	for name, want := range roms() {
		file := filepath.Join("../../rtl/common/gen", name)
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s is stale (%v): run go generate ./internal/cabac", file, err)
		}
	}
}
