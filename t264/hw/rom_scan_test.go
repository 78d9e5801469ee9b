package hw

import (
	"fmt"
	"strings"

	"vcsim/internal/romtest"
	"vcsim/t264/block"
)

// scanModules returns the modules that go between scan order and the places in a
// 4x4 block, by file.
func scanModules() map[string]string {
	var at [4][4]int // scan position by row and column
	var all strings.Builder
	for k, p := range block.Scan4 { // p is column * 4 + row
		at[p&3][p>>2] = k
		fmt.Fprintf(&all, "  assign levels_o[Width*%d +: Width] = block_i[Width*%d +: Width];\n", k, p)
	}
	lines := func(text string, of func(i, j int) (to, from int)) string {
		var s strings.Builder
		for i, label := range []string{"2'd0", "2'd1", "2'd2", "default"} {
			fmt.Fprintf(&s, "      %s: begin\n", label)
			for j := range 4 {
				to, from := of(i, j)
				fmt.Fprintf(&s, "        "+text+"\n", to, from)
			}
			s.WriteString("      end\n")
		}
		return s.String() + "    endcase\n  end\n"
	}
	row := "  always @* begin\n    case (row_i)\n" + lines("values_o[Width*%d +: Width] = levels_i[Width*%d +: Width];",
		func(i, j int) (to, from int) { return j, at[i][j] })
	column := "  always @* begin\n    levels_o = levels_i;\n    case (column_i)\n" + lines("levels_o[Width*%d +: Width] = values_i[Width*%d +: Width];",
		func(i, j int) (to, from int) { return at[j][i], j })
	generated := func(name, purpose, ports, body string) string {
		return romtest.Generated(name+" #(\n  parameter Width = 16  // bits of a level\n)", purpose, "t264/block/scan.go", ports, body)
	}
	return map[string]string{
		"t264_scan4.v": generated("t264_scan4", "The levels of a 4x4 block in scan order (zig-zag, clause 8.5.6), from those at column * 4 + row.",
			"  input  wire [16*Width-1:0] block_i,\n  output wire [16*Width-1:0] levels_o", all.String()),
		"t264_scan4_row.v": generated("t264_scan4_row", "A row of a 4x4 block, column 0 lowest, from the levels in scan order (zig-zag, clause 8.5.6).",
			"  input  wire [1:0]          row_i,\n  input  wire [16*Width-1:0] levels_i,\n  output reg  [4*Width-1:0]  values_o", row),
		"t264_scan4_column.v": generated("t264_scan4_column", "The levels of a 4x4 block in scan order (zig-zag, clause 8.5.6) with those of a column replaced,\nrow 0 lowest.",
			"  input  wire [1:0]          column_i,\n  input  wire [4*Width-1:0]  values_i,\n  input  wire [16*Width-1:0] levels_i,\n  output reg  [16*Width-1:0] levels_o", column),
	}
}
