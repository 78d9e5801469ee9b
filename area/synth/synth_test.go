package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vcsim/area"
	"vcsim/internal/liberty"
	"vcsim/internal/peertest"
	"vcsim/internal/verilog"
)

// TestFresh: every row is of the sources that are there, and every point of the grid that the tops of the pages need has one.
func TestFresh(t *testing.T) {
	r, err := verilog.Read("../../rtl")
	if err != nil {
		t.Fatal(err)
	}
	table, err := area.Rows()
	if err != nil {
		t.Fatal(err)
	}
	targets := map[string]int{}
	for _, p := range points() {
		targets[p.module+" "+p.params] = p.targetPS
	}
	for i := range table.Rows {
		row := &table.Rows[i]
		target, ok := targets[row.Module+" "+row.Params]
		if !ok {
			t.Errorf("%s %s is not in the grid: %s", row.Module, row.Params, area.Command)
			continue
		}
		_, hash, err := r.Closure(row.Module)
		if err != nil {
			t.Error(err)
		} else if hash != row.RTL || target != row.TargetPS {
			t.Errorf("%s %s is stale: its sources changed since %s was written; %s", row.Module, row.Params, area.File, area.Command)
		}
	}
	for _, p := range []string{"t264_enc Threads=24 Lanes=24 Values=8 Bypass=4 FrameMBs=64", "t264_dec Lanes=16 FrameMBs=64 Slots=16 Bypass=1 Transform8=1"} {
		module, params, _ := strings.Cut(p, " ")
		if table.Find(module, params) == nil {
			t.Errorf("%s has no row: %s", p, area.Command)
		}
	}
	tops := 0
	for _, p := range points() {
		if p.top() {
			tops++
		}
	}
	if tops > 60 {
		t.Errorf("%d tops in the grid, at most 60", tops)
	}
}

// TestGrid: the points set parameters that their modules have, and none that follows from others.
func TestGrid(t *testing.T) {
	r, err := verilog.Read("../../rtl")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, p := range points() {
		if full := p.module + " " + p.params; seen[full] {
			t.Errorf("%s is twice in the grid", full)
		} else {
			seen[full] = true
		}
		params, err := area.ParseParams(p.params)
		if err != nil {
			t.Error(err)
		}
		for name := range params {
			if ok, _ := regexp.MatchString(`\bparameter `+name+` = \d`, r.Text(p.module)); !ok {
				t.Errorf("%s has no parameter %s with a number of its own", p.module, name)
			}
		}
	}
	if len(seen) < 60 {
		t.Errorf("%d points in the grid", len(seen))
	}
}

// TestReports reads what the tools print, cut to what counts.
func TestReports(t *testing.T) {
	stat := `=== $paramod$1f\t264_enc_lane ===

     AND2x2_ASAP7_75t_R            163
     DFFHQNx1_ASAP7_75t_R           10

   Chip area for module '$paramod$1f\t264_enc_lane': 20.500000

=== t264_enc ===

     $paramod$1f\t264_enc_lane      2
     DFFHQNx1_ASAP7_75t_R            3

   Chip area for module '\t264_enc': 5.000000

=== design hierarchy ===

   t264_enc                          1
     $paramod$1f\t264_enc_lane      2

     DFFHQNx1_ASAP7_75t_R           23

   Chip area for top module '\t264_enc': 46.000000
`
	row := area.Row{Module: "t264_enc"}
	if err := cells(stat, &row); err != nil {
		t.Fatal(err)
	}
	if row.UM2 != 46 || row.Flops != 23 || row.FlopUM2 != 6.7068 || !slices.Equal(row.Parts, []area.Part{{Module: "t264_enc_lane", Count: 2, UM2: 20.5}}) {
		t.Errorf("got %+v", row)
	}
	one, two, err := memories(`=== $paramod$a\vc_ram_1r1w ===
   Number of memory bits:           2560
=== $paramod$b\vc_ram_1rw ===
   Number of memory bits:           1000
=== top ===
   Number of memory bits:            512
     $paramod$a\vc_ram_1r1w          1
     $paramod$b\vc_ram_1rw           3
=== design hierarchy ===
   Number of memory bits:           6072
`, "top")
	if one != 3000 || two != 2560 || err != nil {
		t.Errorf("%d bits of one port and %d of two, %v", one, two, err)
	}
	// Memories of a module that is there twice.
	one, two, err = memories(`=== $paramod$b\vc_ram_1rw ===
   Number of memory bits:           1000
=== $paramod$c\unit ===
     $paramod$b\vc_ram_1rw           3
=== top ===
     $paramod$c\unit                 2
`, "top")
	if one != 6000 || two != 0 || err != nil {
		t.Errorf("%d bits of one port and %d of two, %v", one, two, err)
	}
	registers, memory := paths("registers\n   9387.84   slack (MET)\nmemories\nNo paths found.\n   9700.00   slack (MET)\n   9600.00   slack (MET)\n")
	if registers != 612.16 || memory != 400 {
		t.Errorf("paths of %g and %g ps", registers, memory)
	}
	// A latch is to have its data before the clock falls: 2 * (300.5 + 42.5) ps.
	latch := "latches\nlibrary setup time                    -42.50\nactual time borrow                    300.50\n 0.00   slack (MET)\nmemories\n"
	for flop, want := range map[string]float64{"registers\n   9387.84   slack (MET)\n": 686, "registers\n   9300.00   slack (MET)\n": 700} {
		if registers, _ := paths(flop + latch); registers != want {
			t.Errorf("%q and a latch: a path of %g ps, want %g", flop, registers, want)
		}
	}
}

// TestRun maps a small module with the compact liberty, where the tools are there.
func TestRun(t *testing.T) {
	for _, tool := range []string{"yosys", "sta"} {
		peertest.Tool(t, tool)
	}
	r, err := verilog.Read("../../rtl")
	if err != nil {
		t.Fatal(err)
	}
	source, err := liberty.Compact()
	if err != nil {
		t.Fatal(err)
	}
	f := &flow{dir: t.TempDir(), rtl: r}
	if err := f.prepare(source); err != nil {
		t.Fatal(err)
	}
	row, err := f.run(t.Context(), &point{"vc_fifo_ram", 400, "Width=64 Depth=40"})
	if err != nil {
		t.Fatal(err)
	}
	if row.SRAM2 != 64*40 || row.Flops < 10 || row.UM2 < 8 || row.UM2 > 25 || row.PathPS < 100 || row.PathPS > 1000 || row.MemoryPS < area.AccessPS {
		t.Errorf("got %+v", row)
	}
	if _, err := f.run(t.Context(), &point{"vc_fifo_ram", 400, "Width=0 Depth=0"}); err == nil {
		t.Error("a module without words was mapped")
	}
	// Contexts are latches, of 0.2187 um2 a bit, behind a register of seven bits.
	latches := &point{"vc_cabac_ctx", 450, "Contexts=8"}
	if row, err = f.run(t.Context(), latches); err != nil {
		t.Fatal(err)
	}
	if row.Flops != 7*8+7 || math.Abs(row.FlopUM2-(56*.2187+7*.2916)) > 1e-4 || row.PathPS < 100 || row.PathPS > 1000 {
		t.Errorf("got %+v", row)
	}
	f.gated = false
	if _, err = f.run(t.Context(), latches); err == nil || !strings.Contains(err.Error(), "clock gates") {
		t.Errorf("without a clock gate: %v", err)
	}
}

// TestParts maps a module that has a part twice and another once: each is mapped once, areas count by instance, and paths lead through them.
func TestParts(t *testing.T) {
	for _, tool := range []string{"yosys", "sta"} {
		peertest.Tool(t, tool)
	}
	sources := t.TempDir()
	for name, text := range map[string]string{
		"t265_cost": `module t265_cost #(parameter Log2 = 2) (input wire clk_i, input wire [7:0] a_i, output reg [7:0] b_o);
  wire [15:0] word;
  vc_ram_1r1w #(.Width(16), .Depth(64)) u_ram (.clk_i(clk_i), .we_i(1'b1), .waddr_i(a_i[5:0]), .wdata_i({a_i, a_i}), .re_i(1'b1), .raddr_i(b_o[5:0]), .rdata_o(word));
  always @(posedge clk_i) b_o <= a_i + word[15:8] * Log2;
endmodule
`,
		"t265_enc": `module t265_enc #(parameter Log2 = 3) (input wire clk_i, input wire [7:0] a_i, output wire [7:0] c_o);
  wire [7:0] b, c;
  reg  [7:0] a_q;
  t265_cost #(.Log2(Log2)) u_first (.clk_i(clk_i), .a_i(a_q), .b_o(b));
  t265_cost #(.Log2(Log2)) u_second (.clk_i(clk_i), .a_i(b), .b_o(c));
  t265_mode_sums u_third (.clk_i(clk_i), .a_i(c), .b_o(c_o));
  always @(posedge clk_i) a_q <= a_i;
endmodule
`,
		"t265_mode_sums": `module t265_mode_sums (input wire clk_i, input wire [7:0] a_i, output reg [7:0] b_o);
  always @(posedge clk_i) b_o <= a_i + b_o;
endmodule
`} {
		if err := os.WriteFile(filepath.Join(sources, name+".v"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ram, err := os.ReadFile("../../rtl/common/vc_ram_1r1w.v")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(sources, "vc_ram_1r1w.v"), ram, 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := verilog.Read(sources)
	if err != nil {
		t.Fatal(err)
	}
	source, err := liberty.Compact()
	if err != nil {
		t.Fatal(err)
	}
	f := &flow{dir: t.TempDir(), rtl: r}
	if err := f.prepare(source); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time with the part of the first
		row, err := f.run(t.Context(), &point{"t265_enc", 450, "Log2=5"})
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(row.Parts, func(a, b area.Part) int { return strings.Compare(a.Module, b.Module) })
		if len(row.Parts) != 2 || row.Parts[0].Module != "t265_cost" || row.Parts[0].Count != 2 || row.Parts[1].Module != "t265_mode_sums" || row.Parts[1].Count != 1 {
			t.Fatalf("parts %+v", row.Parts)
		}
		rest := row.UM2 - 2*row.Parts[0].UM2 - row.Parts[1].UM2
		if row.Flops != 32 || row.SRAM2 != 2*16*64 || math.Abs(rest-8*.2916) > 8*.1 || row.PathPS < 40 || row.MemoryPS < area.AccessPS+100 {
			t.Errorf("got %+v, %g beside the parts", row, rest)
		}
	}
	list, err := os.ReadDir(f.path("parts"))
	if err != nil || len(list) != 2 {
		t.Errorf("%d parts, %v", len(list), err)
	}
}
