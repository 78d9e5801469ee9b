package t264

import (
	"fmt"
	"testing"

	"vcsim/internal/romtest"
)

// TestParseROM: the tables of the RTL's decoder lane are those of Go.
func TestParseROM(t *testing.T) {
	var scan, context []string
	for k := range 63 { // the last position has no context of its own
		scan = append(scan, fmt.Sprintf("{6'd%d, 6'd%d}", decSig8[sigContext8[min(k+1, 62)]]&63, decLast8[lastContext8[k]]&63))
	}
	for _, o := range decContextOrder {
		row := ""
		if o >= 0 {
			row = initValue(int(o))
		}
		context = append(context, row)
	}
	context = append(context, "{7'sd0, 8'sd0}")
	romtest.Check(t, romDir, map[string]string{
		"t264_scan8.v": romtest.Module{
			Name: "t264_scan8", From: "t264/scan.go", Mirror: "t264/scan.go",
			Purpose: "Context of significant_coeff_flag at the scan position after k_i of an 8x8 block, and of\n// last_significant_coeff_flag at k_i (H.264 Table 9-43), in their banks of t264_dec_banks.",
			Ports:   "  input  wire [5:0] k_i,\n  output reg  [5:0] sig_o,\n  output reg  [5:0] last_o\n",
			Body:    romtest.Case("k_i", 6, "{sig_o, last_o}", scan),
		}.String(),
		"t264_dec_context_rom.v": romtest.Module{
			Name: "t264_dec_context_rom", From: "t264/parse_context.go", Mirror: "t264/parse_context.go",
			Purpose: "m and n of the contexts of a decoder lane (H.264 Tables 9-12 to 9-33, I slices), by their place.",
			Ports:   "  input  wire        [7:0] ctx_i,\n  output reg  signed [6:0] m_o,\n  output reg  signed [7:0] n_o\n",
			Body:    romtest.Case("ctx_i", 8, "{m_o, n_o}", context),
		}.String(),
	})
}
