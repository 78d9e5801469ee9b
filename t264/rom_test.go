package t264

import (
	"fmt"
	"testing"

	"vcsim/internal/romtest"
)

//go:generate go test -run ROM$ -update .

const romDir = "../rtl/t264/gen"

// TestQPROM: the scales of the RTL's encoder are those of Go.
func TestQPROM(t *testing.T) {
	// Positions 0, 5 and 1 are one of each class.
	var rows []string
	for qp := range 52 {
		q, v := &quantizers[qp], normAdjust4[qp%6]
		rows = append(rows, fmt.Sprintf("{4'd%d, 14'd%d, 14'd%d, 14'd%d, 5'd%d, 5'd%d, 5'd%d}", qp/6, q.four[1], q.four[5], q.four[0], v[2], v[1], v[0]))
	}
	romtest.Check(t, romDir, map[string]string{"t264_qp.v": romtest.Module{
		Name: "t264_qp", From: "t264/quant.go and t264/dequant.go", Mirror: "t264/quant.go",
		Purpose: "What follows from QP, 0 to 51: QP / 6; the scales of the quantiser and the\n" +
			"// scales of the levels without their power of two (equation 8-315), by class of\n" +
			"// position: both coordinates even lowest, both odd, others.",
		Ports: "  input  wire [5:0]  qp_i,\n  output wire [3:0]  sixth_o,\n  output wire [41:0] scale_o,\n  output wire [14:0] step_o\n",
		Body:  "  reg [60:0] row;\n\n  assign {sixth_o, scale_o, step_o} = row;\n\n" + romtest.Case("qp_i", 6, "row", rows),
	}.String()})
}
