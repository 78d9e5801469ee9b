package cabac

import (
	"fmt"
	"testing"

	"vcsim/internal/romtest"
)

//go:generate go test -run ^TestROM$ -update .

// TestROM: the tables of the RTL are those of Go. The last row of each is the
// default of its case.
func TestROM(t *testing.T) {
	var lps, next []string
	for s := range 64 {
		r := rangeTabLps[s]
		lps = append(lps, fmt.Sprintf("{8'd%d, 8'd%d, 8'd%d, 8'd%d}", r[3], r[2], r[1], r[0]))
		next = append(next, fmt.Sprintf("6'd%d", transIdxLps[s]))
	}
	const tables = "internal/cabac/tables.go"
	romtest.Check(t, "../../rtl/common/gen", map[string]string{
		"vc_cabac_lps.v": romtest.Module{
			Name: "vc_cabac_lps", From: tables, Mirror: tables,
			Purpose: "Ranges of the less probable symbol (H.265 Table 9-46, H.264 Table 9-44). The range for bits\n// 7..6 = q of the current range sits in row_o[8*q +: 8].",
			Ports:   "  input  wire [5:0]  state_i,\n  output reg  [31:0] row_o\n",
			Body:    romtest.Case("state_i", 6, "row_o", lps),
		}.String(),
		"vc_cabac_next.v": romtest.Module{
			Name: "vc_cabac_next", From: tables, Mirror: tables,
			Purpose: "State after the less probable symbol (H.265 Table 9-47, H.264 Table 9-45).",
			Ports:   "  input  wire [5:0] state_i,\n  output reg  [5:0] state_o\n",
			Body:    romtest.Case("state_i", 6, "state_o", next),
		}.String(),
	})
}
