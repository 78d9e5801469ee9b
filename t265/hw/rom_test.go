package hw

import (
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
	files := map[string]string{}
	for _, r := range []romtest.ROM{context, position, sig4} {
		files[r.Name+".v"] = r.String()
	}
	return files
}

// TestROM: the tables of the RTL are those of Go.
func TestROM(t *testing.T) { romtest.Check(t, "../../rtl/t265/gen", roms()) }
