package t264

import (
	"fmt"
	"strings"
	"testing"

	"vcsim/internal/romtest"
)

// pixelModule is a generated module of the pixel path.
func pixelModule(name, source, purpose, ports, body string) string {
	return romtest.Module{Name: name, Purpose: purpose, From: source, Mirror: source, Ports: ports, Body: body}.String()
}

// pixelROM is a module with one case of values a line; the last is the default.
func pixelROM(name, source, purpose, in string, inBits, outBits int, values []string) string {
	ports := fmt.Sprintf("  input  wire [%d:0] %s,\n  output reg  [%d:0] row_o\n", inBits-1, in, outBits-1)
	return pixelModule(name, source, purpose, ports, romtest.Case(in, inBits, "row_o", values))
}

// concat lists values of some bits, the first lowest.
func concat(bits int, values []int) string {
	var s []string
	for i := len(values) - 1; i >= 0; i-- {
		s = append(s, fmt.Sprintf("%d'd%d", bits, values[i]))
	}
	return "{" + strings.Join(s, ", ") + "}"
}

// pixelROMs returns the generated modules of the pixel path.
func pixelROMs() map[string]string {
	const dequant = "t264/dequant.go"
	var norm4, norm8, class, qp []string
	for rem := range 6 {
		var v4, v8 []int
		for _, v := range normAdjust4[rem] {
			v4 = append(v4, int(v))
		}
		for _, v := range normAdjust8[rem] {
			v8 = append(v8, int(v))
		}
		norm4, norm8 = append(norm4, concat(5, v4)), append(norm8, concat(6, v8))
	}
	for g := range 16 {
		var v []int
		for _, p := range scan8[4*g : 4*g+4] {
			v = append(v, class8(int(p)>>3, int(p)&7))
		}
		class = append(class, concat(3, v))
	}
	for q := range 52 {
		qp = append(qp, fmt.Sprintf("{4'd%d, 3'd%d}", q/6, q%6))
	}
	// Coefficients of an 8x8 block go where the scan says.
	var scan strings.Builder
	for k, p := range scan8 {
		at := int(p)&7*8 + int(p)>>3 // row and column
		fmt.Fprintf(&scan, "  assign write_o[%d] = load_i && group_i == 4'd%d;\n", at, k/4)
		fmt.Fprintf(&scan, "  assign coef_o[%d +: 16] = coef_i[%d +: 16];\n", 16*at, 16*(k&3))
	}
	qpROM := pixelROM("t264_qp6", dequant, "Quotient and remainder of a QP by 6.", "qp_i", 6, 7, qp)
	qpROM = strings.NewReplacer("  output reg  [6:0] row_o\n", "  output wire [3:0] div_o,\n  output wire [2:0] rem_o\n",
		"  always @* begin", "  reg [6:0] row_o;\n\n  assign {div_o, rem_o} = row_o;\n\n  always @* begin").Replace(qpROM)
	qpROM = strings.ReplaceAll(qpROM, "row_o", "row")
	return map[string]string{
		"t264_qp6.v":    qpROM,
		"t264_norm4.v":  pixelROM("t264_norm4", dequant, "Scales of 4x4 blocks by QP modulo 6 (equation 8-315): positions with both coordinates even,\n// both odd, others.", "rem_i", 3, 15, norm4),
		"t264_norm8.v":  pixelROM("t264_norm8", dequant, "Scales of 8x8 blocks by QP modulo 6 (equation 8-318), by class.", "rem_i", 3, 36, norm8),
		"t264_class8.v": pixelROM("t264_class8", dequant, "Classes of the scales of an 8x8 block, four scan positions a row.", "group_i", 4, 12, class),
		"t264_place8.v": pixelModule("t264_place8", "t264/scan.go", "Where four coefficients of an 8x8 block in scan order go (zig-zag, clause 8.5.6): enable of\n// position 8 * row + column, and its value.",
			"  input  wire          load_i,\n  input  wire [3:0]    group_i,\n  input  wire [63:0]   coef_i,\n  output wire [63:0]   write_o,\n  output wire [1023:0] coef_o\n", scan.String()),
	}
}

// TestPixelROM: the tables of the RTL's pixel path are those of Go.
func TestPixelROM(t *testing.T) { romtest.Check(t, romDir, pixelROMs()) }
