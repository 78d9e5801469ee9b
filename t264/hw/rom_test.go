package hw

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"vcsim/internal/romtest"
	"vcsim/t264/block"
)

//go:generate go test -run ^TestROM$ -update .

// contextROM is the table of a ContextUnit, by index of the context in a lane.
func contextROM(name, lane, source string, bits int, order []int16) romtest.ROM {
	r := romtest.ROM{Name: name, Source: source, In: romtest.One("ctx_i", bits),
		Purpose: "m and n of the contexts of " + lane + " (H.264 Tables 9-12 to 9-33, I slices), by\ntheir index in the lane, and the mark of the last one.",
		Out:     []romtest.Field{romtest.One("last_o", 1), {Name: "m_o", Bits: 7, Values: 1, Signed: true}, {Name: "n_o", Bits: 8, Values: 1, Signed: true}},
		Rows:    make([][]int, len(order))}
	for i, o := range order {
		if o >= 0 {
			r.Rows[i] = []int{0, int(block.InitValues[o][0]), int(block.InitValues[o][1])}
			if i == len(order)-1 {
				r.Rows[i][0] = 1
			}
		}
	}
	return r
}

// roms returns the generated modules.
func roms() map[string]string {
	qp := romtest.ROM{Name: "t264_qp", Source: "t264/block/dequant.go", In: romtest.One("qp_i", 6), Out: []romtest.Field{romtest.One("div_o", 4), romtest.One("rem_o", 3)},
		Purpose: "Quotient and remainder of a QP by 6."}
	for q := range 52 {
		qp.Rows = append(qp.Rows, []int{q / 6, q % 6})
	}
	norm4 := romtest.ROM{Name: "t264_norm4", Source: "t264/block/dequant.go", In: romtest.One("rem_i", 3), Out: []romtest.Field{{Name: "row_o", Bits: 5, Values: 3}},
		Purpose: "Scales of 4x4 blocks by QP modulo 6 (equation 8-315): positions with both coordinates even,\nboth odd, others."}
	norm8 := romtest.ROM{Name: "t264_norm8", Source: "t264/block/dequant.go", In: romtest.One("rem_i", 3), Out: []romtest.Field{{Name: "row_o", Bits: 6, Values: 6}},
		Purpose: "Scales of 8x8 blocks by QP modulo 6 (equation 8-318), by class."}
	scale4 := romtest.ROM{Name: "t264_scale4", Source: "t264/block/quant.go", In: romtest.One("rem_i", 3), Out: []romtest.Field{{Name: "row_o", Bits: 14, Values: 3}},
		Purpose: "Scales of the quantiser of 4x4 blocks by QP modulo 6: positions with both coordinates even,\nboth odd, others."}
	for rem := range 6 {
		four, eight := block.NormAdjust4[rem], block.NormAdjust8[rem]
		norm4.Rows = append(norm4.Rows, ints(four[:]...))
		norm8.Rows = append(norm8.Rows, ints(eight[:]...))
		q := &block.Quantizers[rem]
		scale4.Rows = append(scale4.Rows, ints(q.Four[0], q.Four[5], q.Four[1])) // positions 0, 5 and 1 are one of each class
	}
	class8ROM := romtest.ROM{Name: "t264_class8", Source: "t264/block/dequant.go", In: romtest.One("group_i", 4), Out: []romtest.Field{{Name: "row_o", Bits: 3, Values: 4}},
		Purpose: "Classes of the scales of an 8x8 block, four scan positions a row."}
	for g := range 16 {
		var v []int
		for _, p := range block.Scan8[4*g : 4*g+4] {
			v = append(v, block.Class8(int(p)>>3, int(p)&7))
		}
		class8ROM.Rows = append(class8ROM.Rows, v)
	}
	next8 := romtest.ROM{Name: "t264_scan8", Source: "t264/block/scan.go", In: romtest.One("k_i", 6), Out: []romtest.Field{romtest.One("sig_o", 6), romtest.One("last_o", 6)},
		Purpose: "Context of significant_coeff_flag at the scan position after k_i of an 8x8 block, and of\nlast_significant_coeff_flag at k_i (H.264 Table 9-43), in their banks of t264_dec_banks."}
	for k := range 63 {
		next8.Rows = append(next8.Rows, ints(DecSig8[block.SigContext8[k+1]]&63, DecLast8[block.LastContext8[k]]&63))
	}

	// Coefficients of an 8x8 block go where the scan says.
	var place strings.Builder
	for k, p := range block.Scan8 {
		at := int(p)&7*8 + int(p)>>3 // row and column
		fmt.Fprintf(&place, "  assign write_o[%d] = load_i && group_i == 4'd%d;\n", at, k/4)
		fmt.Fprintf(&place, "  assign coef_o[%d +: 16] = coef_i[%d +: 16];\n", 16*at, 16*(k&3))
	}
	files := map[string]string{
		"t264_place8.v": romtest.Generated("t264_place8", "Where four coefficients of an 8x8 block in scan order go (zig-zag, clause 8.5.6): enable of\nposition 8 * row + column, and its value.", "t264/block/scan.go",
			"  input  wire          load_i,\n  input  wire [3:0]    group_i,\n  input  wire [63:0]   coef_i,\n  output wire [63:0]   write_o,\n  output wire [1023:0] coef_o", place.String()),
	}
	for _, r := range []romtest.ROM{
		qp, norm4, norm8, scale4, class8ROM, next8,
		contextROM("t264_enc_context_rom", "an encoder lane", "t264/hw/enc_order.go and t264/block/context.go", encCtxBits, encOrder[:]),
		contextROM("t264_dec_context_rom", "a decoder lane", "t264/hw/dec_order.go and t264/block/context.go", ContextSpec{Decoder: true}.CtxBits(), decOrder[:]),
	} {
		files[r.Name+".v"] = r.String()
	}
	maps.Copy(files, scanModules())
	return files
}

func ints[T uint8 | int32 | uint32](values ...T) []int {
	s := make([]int, len(values))
	for i, v := range values {
		s[i] = int(v)
	}
	return s
}

// TestROM: the tables of the RTL are those of Go.
func TestROM(t *testing.T) { romtest.Check(t, "../../rtl/t264/gen", roms()) }
