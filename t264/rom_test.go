package t264

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

//go:generate go test -run ^TestROM$ -update-rom .

var updateROM = flag.Bool("update-rom", false, "write the generated Verilog")

// generated frames a module of rtl/t264/gen.
func generated(name, purpose, source, ports, body string) string {
	mirror, _, _ := strings.Cut(source, " ")
	return fmt.Sprintf("// %s\n//\n// Generated from %s by go generate. Do not edit.\n// Mirror: %s\n\n`default_nettype none\n\n"+
		"module %s (\n%s\n);\n\n%s\nendmodule\n\n`default_nettype wire\n",
		strings.ReplaceAll(purpose, "\n", "\n// "), source, mirror, name, ports, body)
}

// A rom is a module whose outputs follow from a number.
type rom struct {
	name, purpose string
	source        string // Go files, the one with the table first
	in            field
	out           []field
	// rows gives the outputs by the number. Without gaps the last one holds for
	// larger numbers as well; else all are 0 there, as in the gaps.
	rows [][]int
}

// A field is a port. One of several values has all of them, of the same bits,
// the first lowest.
type field struct {
	name   string
	bits   int // of a value
	values int
	signed bool
}

func (f field) port(kind string) string {
	width := fmt.Sprintf("[%d:0]", f.bits*f.values-1)
	if f.signed {
		width = "signed " + width
	}
	if f.bits*f.values == 1 {
		width = ""
	}
	return strings.Join(strings.Fields(fmt.Sprintf("%s %s %s", kind, width, f.name)), " ")
}

func (f field) literal(v int) string {
	switch {
	case f.signed && v < 0:
		return fmt.Sprintf("-%d'sd%d", f.bits, -v)
	case f.signed:
		return fmt.Sprintf("%d'sd%d", f.bits, v)
	}
	return fmt.Sprintf("%d'd%d", f.bits, v)
}

func one(name string, bits int) field { return field{name: name, bits: bits, values: 1} }

func (r rom) String() string {
	ports := []string{"  " + r.in.port("input  wire")}
	var left []string
	total := 0
	for _, f := range r.out {
		ports = append(ports, "  "+f.port("output reg"))
		left = append(left, f.name)
		total += f.values
	}
	row := func(v []int) string {
		if v == nil {
			v = make([]int, total)
		}
		var s []string
		for _, f := range r.out {
			for i := f.values - 1; i >= 0; i-- {
				s = append(s, f.literal(v[i]))
			}
			v = v[f.values:]
		}
		return fmt.Sprintf("{%s} = {%s};\n", strings.Join(left, ", "), strings.Join(s, ", "))
	}
	var body strings.Builder
	fmt.Fprintf(&body, "  always @* begin\n    case (%s)\n", r.in.name)
	rest := r.rows[len(r.rows)-1]
	for _, v := range r.rows {
		if v == nil {
			rest = nil
		}
	}
	for i, v := range r.rows {
		if v != nil && (rest == nil || i < len(r.rows)-1) {
			fmt.Fprintf(&body, "      %s: %s", r.in.literal(i), row(v))
		}
	}
	fmt.Fprintf(&body, "      default: %s    endcase\n  end\n", row(rest))
	return generated(r.name, r.purpose, r.source, strings.Join(ports, ",\n"), body.String())
}

// contextROM is the table of a ContextUnit, by index of the context in a lane.
func contextROM(name, lane, source string, bits int, order []int16) rom {
	r := rom{name: name, source: source, in: one("ctx_i", bits),
		purpose: "m and n of the contexts of " + lane + " (H.264 Tables 9-12 to 9-33, I slices), by\ntheir index in the lane, and the mark of the last one.",
		out:     []field{one("last_o", 1), {name: "m_o", bits: 7, values: 1, signed: true}, {name: "n_o", bits: 8, values: 1, signed: true}},
		rows:    make([][]int, len(order))}
	for i, o := range order {
		if o >= 0 {
			r.rows[i] = []int{int(bin(i == len(order)-1)), int(initValues[o][0]), int(initValues[o][1])}
		}
	}
	return r
}

// roms returns the generated modules.
func roms() map[string]string {
	qp := rom{name: "t264_qp", source: "t264/dequant.go", in: one("qp_i", 6), out: []field{one("div_o", 4), one("rem_o", 3)},
		purpose: "Quotient and remainder of a QP by 6."}
	for q := range 52 {
		qp.rows = append(qp.rows, []int{q / 6, q % 6})
	}
	norm4 := rom{name: "t264_norm4", source: "t264/dequant.go", in: one("rem_i", 3), out: []field{{name: "row_o", bits: 5, values: 3}},
		purpose: "Scales of 4x4 blocks by QP modulo 6 (equation 8-315): positions with both coordinates even,\nboth odd, others."}
	norm8 := rom{name: "t264_norm8", source: "t264/dequant.go", in: one("rem_i", 3), out: []field{{name: "row_o", bits: 6, values: 6}},
		purpose: "Scales of 8x8 blocks by QP modulo 6 (equation 8-318), by class."}
	scale4 := rom{name: "t264_scale4", source: "t264/quant.go", in: one("rem_i", 3), out: []field{{name: "row_o", bits: 14, values: 3}},
		purpose: "Scales of the quantiser of 4x4 blocks by QP modulo 6: positions with both coordinates even,\nboth odd, others."}
	for rem := range 6 {
		four, eight := normAdjust4[rem], normAdjust8[rem]
		norm4.rows = append(norm4.rows, ints(four[:]...))
		norm8.rows = append(norm8.rows, ints(eight[:]...))
		q := &quantizers[rem]
		scale4.rows = append(scale4.rows, ints(q.four[0], q.four[5], q.four[1])) // positions 0, 5 and 1 are one of each class
	}
	class8ROM := rom{name: "t264_class8", source: "t264/dequant.go", in: one("group_i", 4), out: []field{{name: "row_o", bits: 3, values: 4}},
		purpose: "Classes of the scales of an 8x8 block, four scan positions a row."}
	for g := range 16 {
		var v []int
		for _, p := range scan8[4*g : 4*g+4] {
			v = append(v, class8(int(p)>>3, int(p)&7))
		}
		class8ROM.rows = append(class8ROM.rows, v)
	}
	next8 := rom{name: "t264_scan8", source: "t264/scan.go", in: one("k_i", 6), out: []field{one("sig_o", 6), one("last_o", 6)},
		purpose: "Context of significant_coeff_flag at the scan position after k_i of an 8x8 block, and of\nlast_significant_coeff_flag at k_i (H.264 Table 9-43), in their banks of t264_dec_banks."}
	for k := range 63 {
		next8.rows = append(next8.rows, ints(decSig8[sigContext8[k+1]]&63, decLast8[lastContext8[k]]&63))
	}

	// Coefficients of an 8x8 block go where the scan says.
	var place strings.Builder
	for k, p := range scan8 {
		at := int(p)&7*8 + int(p)>>3 // row and column
		fmt.Fprintf(&place, "  assign write_o[%d] = load_i && group_i == 4'd%d;\n", at, k/4)
		fmt.Fprintf(&place, "  assign coef_o[%d +: 16] = coef_i[%d +: 16];\n", 16*at, 16*(k&3))
	}
	files := map[string]string{
		"t264_place8.v": generated("t264_place8", "Where four coefficients of an 8x8 block in scan order go (zig-zag, clause 8.5.6): enable of\nposition 8 * row + column, and its value.", "t264/scan.go",
			"  input  wire          load_i,\n  input  wire [3:0]    group_i,\n  input  wire [63:0]   coef_i,\n  output wire [63:0]   write_o,\n  output wire [1023:0] coef_o", place.String()),
	}
	for _, r := range []rom{
		qp, norm4, norm8, scale4, class8ROM, next8,
		contextROM("t264_enc_context_rom", "an encoder lane", "t264/binarise.go and context.go", laneCtxBits, laneOrder[:]),
		contextROM("t264_dec_context_rom", "a decoder lane", "t264/parse_context.go and context.go", ContextSpec{Decoder: true}.CtxBits(), decContextOrder[:]),
	} {
		files[r.name+".v"] = r.String()
	}
	return files
}

func ints[T uint8 | int32 | uint32](values ...T) []int {
	s := make([]int, len(values))
	for i, v := range values {
		s[i] = int(v)
	}
	return s
}

// TestROM fails when a table of the RTL is not that of Go.
func TestROM(t *testing.T) {
	files := roms()
	for name, want := range files {
		file := filepath.Join("../rtl/t264/gen", name)
		if *updateROM {
			if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s is stale (%v): run go generate ./t264", file, err)
		}
	}
	there, err := filepath.Glob("../rtl/t264/gen/*.v")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range there {
		if files[filepath.Base(file)] == "" {
			t.Errorf("%s: nothing generates it", file)
		}
	}
}
