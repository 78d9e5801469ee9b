package t264

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

// roms returns the generated files of rtl/t264/gen.
func roms() map[string]string {
	var s strings.Builder
	s.WriteString(`// What follows from QP, 0 to 51: QP / 6; the scales of the quantiser and the
// scales of the levels without their power of two (equation 8-315), by class of
// position: both coordinates even lowest, both odd, others.
//
// Generated from t264/quant.go and t264/dequant.go by go generate. Do not edit.
// Mirror: t264/quant.go

` + "`default_nettype none" + `

module t264_qp (
  input  wire [5:0]  qp_i,
  output wire [3:0]  sixth_o,
  output wire [41:0] scale_o,
  output wire [14:0] step_o
);

  reg [60:0] row;

  assign {sixth_o, scale_o, step_o} = row;

  always @* begin
    case (qp_i)
`)
	// Positions 0, 5 and 1 are one of each class.
	row := func(qp int) string {
		q, v := &quantizers[qp], normAdjust4[qp%6]
		return fmt.Sprintf("{4'd%d, 14'd%d, 14'd%d, 14'd%d, 5'd%d, 5'd%d, 5'd%d}", qp/6, q.four[1], q.four[5], q.four[0], v[2], v[1], v[0])
	}
	for qp := range 51 {
		fmt.Fprintf(&s, "      6'd%d: row = %s;\n", qp, row(qp))
	}
	fmt.Fprintf(&s, "      default: row = %s;\n    endcase\n  end\n\nendmodule\n\n`default_nettype wire\n", row(51))
	return map[string]string{"t264_qp.v": s.String()}
}

func TestROM(t *testing.T) {
	for name, want := range roms() {
		file := filepath.Join("../rtl/t264/gen", name)
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s is stale (%v): run go generate ./t264", file, err)
		}
	}
}
