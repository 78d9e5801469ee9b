package t264

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

//go:generate go test -run ^TestContextROM$ -update-rom .

var updateROM = flag.Bool("update-rom", false, "write the generated Verilog")

// contextROM is rtl/t264/gen/t264_enc_context_rom.v.
func contextROM() string {
	var s strings.Builder
	s.WriteString("// m and n of the contexts of an encoder lane (H.264 Tables 9-12 to 9-33, I slices),\n// by their index in the lane.\n//\n" +
		"// Generated from t264/binarise.go and context.go by go generate. Do not edit.\n// Mirror: t264/binarise.go\n\n`default_nettype none\n\n" +
		"module t264_enc_context_rom (\n  input  wire        [6:0] index_i,\n  output reg  signed [6:0] m_o,\n  output reg  signed [7:0] n_o\n);\n\n" +
		"  always @* begin\n    case (index_i)\n")
	row := func(label string, i int) {
		v := initValues[laneOrder[i]]
		fmt.Fprintf(&s, "      %s: {m_o, n_o} = {%s, %s};\n", label, signed(7, int(v[0])), signed(8, int(v[1])))
	}
	for i := range laneContexts - 1 {
		row(fmt.Sprintf("7'd%d", i), i)
	}
	row("default", laneContexts-1)
	s.WriteString("    endcase\n  end\n\nendmodule\n\n`default_nettype wire\n")
	return s.String()
}

func signed(width, v int) string {
	if v < 0 {
		return fmt.Sprintf("-%d'sd%d", width, -v)
	}
	return fmt.Sprintf("%d'sd%d", width, v)
}

func TestContextROM(t *testing.T) {
	const file = "../rtl/t264/gen/t264_enc_context_rom.v"
	want := contextROM()
	if *updateROM {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s is stale (%v): run go generate ./t264", file, err)
	}
}

// TestLaneOrder: each context of the hw tier is there once.
func TestLaneOrder(t *testing.T) {
	seen := map[uint8]int{}
	for i, c := range laneOrder {
		if j, ok := seen[c]; ok {
			t.Errorf("context %d has the indices %d and %d", c, i, j)
		}
		seen[c] = i
	}
	if len(seen) != 7+4+2*(4+10)+2*(15+14) {
		t.Errorf("%d contexts", len(seen))
	}
}
