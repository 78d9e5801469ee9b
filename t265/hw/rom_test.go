package hw

import (
	"fmt"
	"strings"
	"testing"

	"vcsim/internal/romtest"
	"vcsim/t265/block"
)

//go:generate go test -run ^TestROM$ -update .

// roms returns the generated modules.
func roms() map[string]string {
	context := romtest.ROM{Name: "t265_enc_context_rom", Source: "t265/hw/enc_order.go and t265/block/context.go", In: romtest.One("ctx_i", 7),
		Purpose: "initValue of the contexts of an encoder lane (H.265 Tables 9-5 to 9-37, initType 0), by\ntheir index in the lane.",
		Out:     []romtest.Field{romtest.One("value_o", 8)}}
	for _, o := range encOrder {
		context.Rows = append(context.Rows, []int{int(block.InitValues[o])})
	}
	position := romtest.ROM{Name: "t265_position", Source: "t265/block/scan.go", In: romtest.One("scan_k_i", 6),
		Purpose: "Column and row in a 4x4 sub-block of the coefficient at a scan position (clauses 6.5.3 to\n6.5.5): scanIdx above the position.",
		Out:     []romtest.Field{romtest.One("x_o", 2), romtest.One("y_o", 2)}}
	sig4 := romtest.ROM{Name: "t265_sig4", Source: "t265/block/scan.go", In: romtest.One("y_x_i", 4),
		Purpose: "ctxInc of sig_coeff_flag in a 4x4 transform block (ctxIdxMap of clause 9.3.4.2.5), by row above\ncolumn.",
		Out:     []romtest.Field{romtest.One("inc_o", 4)}, Rows: make([][]int, 16)}
	for scan := range block.Scans[0] {
		s := &block.Scans[0][scan]
		for k := range s.PosX {
			position.Rows = append(position.Rows, []int{int(s.PosX[k]), int(s.PosY[k])})
			sig4.Rows[s.PosY[k]<<2|s.PosX[k]] = []int{int(block.SigContexts[0][scan][0][0][k])}
		}
	}
	place := romtest.ROM{Name: "t265_place4", Source: "t265/block/scan.go", In: romtest.One("scan_y_x_i", 6),
		Purpose: "Scan position in a 4x4 sub-block of the coefficient in a row and a column (clauses 6.5.3 to\n6.5.5): scanIdx above row above column.",
		Out:     []romtest.Field{romtest.One("k_o", 4)}}
	for scan := range block.Scans[0] {
		for _, k := range block.Scans[0][scan].PosAt[:16] {
			place.Rows = append(place.Rows, []int{int(k)})
		}
	}
	qp := romtest.ROM{Name: "t265_qp", Source: "t265/block/dequant.go", In: romtest.One("qp_i", 6), Out: []romtest.Field{romtest.One("div_o", 4), romtest.One("rem_o", 6)},
		Purpose: "Quotient and remainder of a QP by 6, the remainder as one bit of six."}
	for q := range 52 {
		qp.Rows = append(qp.Rows, []int{q / 6, 1 << (q % len(block.LevelScale))})
	}
	pattern := romtest.ROM{Name: "t265_pattern", Source: "t265/block/quant.go", In: romtest.One("count_i", 5), Out: []romtest.Field{romtest.One("price_o", 13)},
		Purpose: "Price of the significance of a sub-block by the number of its levels that are not zero, in\n1/4096 squared steps (patternRate times BitPrice / 16)."}
	for count := range uint32(17) {
		others := 2 * int(count) << 4 // signs and magnitudes of levels of one
		pattern.Rows = append(pattern.Rows, []int{(block.SubBlockRate(1<<count-1, count) - others) * block.BitPrice / 16})
	}
	files := map[string]string{"t265_scan4.v": scanModule()}
	group, column := bankROMs()
	for _, r := range []romtest.ROM{context, position, place, sig4, qp, pattern, group, column} {
		files[r.Name+".v"] = r.String()
	}
	return files
}

// scanModule puts 16 values into scan order. The scans of a block by rows are those of one
// by columns with horizontal and vertical exchanged, but for the diagonal one.
func scanModule() string {
	var body strings.Builder
	body.WriteString("  wire diagonal = scan_i == 2'd0;\n  wire straight = scan_i == (rows_i ? 2'd1 : 2'd2);\n\n")
	diagonal := &block.Scans[0][block.ScanDiag]
	for k := range 16 {
		x, y := int(diagonal.PosX[k]), int(diagonal.PosY[k])
		pick := func(i int) string { return fmt.Sprintf("values_i[Width*%d +: Width]", i) }
		from := fmt.Sprintf("(rows_i ? %s : %s)", pick(4*y+x), pick(4*x+y))
		if x == y {
			from = pick(5 * x)
		}
		rest := fmt.Sprintf("(straight ? %s : %s)", pick(k), pick(k&3<<2|k>>2))
		if k%5 == 0 {
			rest = pick(k)
		}
		if k == 0 || k == 15 {
			fmt.Fprintf(&body, "  assign levels_o[Width*%d +: Width] = %s;\n", k, pick(k))
			continue
		}
		fmt.Fprintf(&body, "  assign levels_o[Width*%d +: Width] = diagonal\n    ? %s\n    : %s;\n", k, from, rest)
	}
	return romtest.Generated("t265_scan4 #(\n  parameter Width = 16  // bits of a value\n)",
		"The values of a 4x4 sub-block in scan order (clauses 6.5.3 to 6.5.5), from those at\ncolumn * 4 + row, or at row * 4 + column.", "t265/block/scan.go",
		"  input  wire [1:0]          scan_i,   // scanIdx 0..2\n  input  wire                rows_i,   // row * 4 + column\n"+
			"  input  wire [16*Width-1:0] values_i,\n  output wire [16*Width-1:0] levels_o", body.String())
}

// TestROM: the tables of the RTL are those of Go.
func TestROM(t *testing.T) { romtest.Check(t, "../../rtl/t265/gen", roms()) }
