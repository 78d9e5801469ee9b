package t264

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

//go:generate go test -run ^TestParseROM$ -update-parse .

var updateParse = flag.Bool("update-parse", false, "write the generated Verilog of the decoder lane")

// parseROMs returns the files of rtl/t264/gen that belong to the decoder lane.
func parseROMs() map[string]string {
	head := func(s *strings.Builder, name, mirror, purpose, ports, in string) {
		fmt.Fprintf(s, "// %s\n//\n// Generated from %s by go generate. Do not edit.\n// Mirror: %s\n\n`default_nettype none\n\nmodule %s (\n%s);\n\n  always @* begin\n    case (%s)\n",
			purpose, mirror, mirror, name, ports, in)
	}
	const tail = "    endcase\n  end\n\nendmodule\n\n`default_nettype wire\n"
	signed := func(width int, v int8) string {
		if v < 0 {
			return fmt.Sprintf("-%d'sd%d", width, -int(v))
		}
		return fmt.Sprintf("%d'sd%d", width, v)
	}
	var scan, context strings.Builder
	head(&scan, "t264_scan8", "t264/scan.go",
		"Context of significant_coeff_flag at the scan position after k_i of an 8x8 block, and of\n// last_significant_coeff_flag at k_i (H.264 Table 9-43), in their banks of t264_dec_banks.",
		"  input  wire [5:0] k_i,\n  output reg  [5:0] sig_o,\n  output reg  [5:0] last_o\n", "k_i")
	for k := range 62 {
		fmt.Fprintf(&scan, "      6'd%d: {sig_o, last_o} = {6'd%d, 6'd%d};\n", k, decSig8[sigContext8[k+1]]&63, decLast8[lastContext8[k]]&63)
	}
	fmt.Fprintf(&scan, "      default: {sig_o, last_o} = {6'd%d, 6'd%d};\n%s", decSig8[sigContext8[62]]&63, decLast8[lastContext8[62]]&63, tail)
	head(&context, "t264_dec_context_rom", "t264/parse_context.go",
		"m and n of the contexts of a decoder lane (H.264 Tables 9-12 to 9-33, I slices), by their place.",
		"  input  wire        [7:0] ctx_i,\n  output reg  signed [6:0] m_o,\n  output reg  signed [7:0] n_o\n", "ctx_i")
	for i, o := range decContextOrder {
		if o >= 0 {
			fmt.Fprintf(&context, "      8'd%d: {m_o, n_o} = {%s, %s};\n", i, signed(7, initValues[o][0]), signed(8, initValues[o][1]))
		}
	}
	fmt.Fprintf(&context, "      default: {m_o, n_o} = {7'sd0, 8'sd0};\n%s", tail)
	return map[string]string{"t264_scan8.v": scan.String(), "t264_dec_context_rom.v": context.String()}
}

func TestParseROM(t *testing.T) {
	for name, want := range parseROMs() {
		file := filepath.Join("../rtl/t264/gen", name)
		if *updateParse {
			if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s is stale (%v): run go generate ./t264", file, err)
		}
	}
}
