package mutate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/testbench"
)

// TestStreamRules proves of the primitives, for all time and all inputs:
// structurally, that valid and data come straight from flip-flops and ready
// depends on no valid; by induction, that a word that is not taken stays.
func TestStreamRules(t *testing.T) {
	testbench.NeedTools(t, "yosys")
	tests := []struct {
		top    string
		params testbench.Params
		width  int
		inputs int
	}{
		{"vc_pipe", testbench.Params{{Name: "Width", Value: 4}}, 4, 1},
		{"vc_skid", testbench.Params{{Name: "Width", Value: 4}}, 4, 1},
		{"vc_fifo", testbench.Params{{Name: "Width", Value: 4}, {Name: "Depth", Value: 2}}, 4, 1},
		{"vc_fifo", testbench.Params{{Name: "Width", Value: 4}, {Name: "Depth", Value: 5}}, 4, 1},
		{"vc_fifo_ram", testbench.Params{{Name: "Width", Value: 4}, {Name: "Depth", Value: 3}}, 4, 1},
		{"vc_arbiter", testbench.Params{{Name: "Width", Value: 4}, {Name: "Inputs", Value: 3}}, 4, 3},
	}
	for _, tt := range tests {
		t.Run(tt.top+" "+tt.params.String(), func(t *testing.T) {
			if err := tt.params.Check(filepath.Join(testbench.Root(), "rtl/common", tt.top+".v")); err != nil {
				t.Fatal(err)
			}
			if err := structure(source(tt.top), tt.top, tt.params); err != nil {
				t.Errorf("paths: %v", err)
			}
			if err := holds(t.TempDir(), source(tt.top), tt.top, tt.params, tt.width, tt.inputs); err != nil {
				t.Errorf("a waiting word: %v", err)
			}
		})
	}
}

func source(top string) string {
	return "rtl/common/" + top + ".v rtl/common/vc_ram_ff.v rtl/common/vc_ram_1r1w.v"
}

// TestStreamRulesFail: the proofs notice what they are there to notice.
func TestStreamRulesFail(t *testing.T) {
	testbench.NeedTools(t, "yosys")
	params := testbench.Params{{Name: "Width", Value: 4}}
	original, err := os.ReadFile(filepath.Join(testbench.Root(), "rtl/common/vc_pipe.v"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(original)
	edit := func(old, new string) string {
		if strings.Count(text, old) != 1 {
			t.Fatalf("%q is not once in vc_pipe.v", old)
		}
		file := filepath.Join(t.TempDir(), "vc_pipe.v")
		if err := os.WriteFile(file, []byte(strings.Replace(text, old, new, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	if err := holds(t.TempDir(), edit("if (in_ready_o && in_valid_i)", "if (in_valid_i)"), "vc_pipe", params, 4, 1); err == nil {
		t.Error("data that changes while it waits is proven to hold")
	}
	if err := holds(t.TempDir(), edit("else if (in_ready_o) valid_q", "else valid_q"), "vc_pipe", params, 4, 1); err == nil {
		t.Error("a valid that drops is proven to hold")
	}
	if err := structure(edit("= !valid_q || out_ready_i", "= (!valid_q || out_ready_i) && in_valid_i"), "vc_pipe", params); err == nil {
		t.Error("no path from valid to ready was found")
	}
	if err := structure(edit("assign out_data_o  = data_q", "assign out_data_o  = data_q ^ in_data_i"), "vc_pipe", params); err == nil {
		t.Error("no path from an input to the data was found")
	}
}

func chparam(top string, params testbench.Params) string {
	var s strings.Builder
	for _, p := range params {
		fmt.Fprintf(&s, "chparam -set %s %d %s; ", p.Name, p.Value, top)
	}
	return s.String()
}

// structure follows the combinational paths back from the outputs.
func structure(sources, top string, params testbench.Params) error {
	const registers = `t:$dff t:$dffe t:$sdff t:$sdffe t:$sdffce`
	_, err := yosys("read_verilog " + sources + "; " + chparam(top, params) +
		"hierarchy -check -top " + top + "; proc; flatten; memory; opt -full; " +
		// Without its registers the netlist has only combinational paths.
		"delete " + registers + "; " +
		"select -assert-none o:in_ready_o %ci* i:in_valid_i %i; " +
		"select -assert-none o:in_ready_o %ci* i:in_data_i %i; " +
		"select -assert-none o:out_valid_o o:out_data_o %u %ci* i:in_valid_i i:in_data_i i:out_ready_i %u %u %i; " +
		"select -assert-any o:in_ready_o; select -assert-any o:out_valid_o")
	return err
}

// holds proves the rule of a waiting word by induction.
func holds(dir, sources, top string, params testbench.Params, width, inputs int) error {
	var set []string
	for _, p := range params {
		set = append(set, fmt.Sprintf(".%s(%d)", p.Name, p.Value))
	}
	property := fmt.Sprintf(`
module holds(input clk, input rst, input [%[3]d-1:0] in_valid, input [%[3]d*%[2]d-1:0] in_data, input out_ready);
  wire out_valid;
  wire [%[2]d-1:0] out_data;
  reg waits = 0;
  reg [%[2]d-1:0] data;
  %[1]s #(%[4]s) dut(.clk_i(clk), .rst_i(rst), .in_valid_i(in_valid), .in_data_i(in_data), .out_ready_i(out_ready),
    .out_valid_o(out_valid), .out_data_o(out_data));
  always @(posedge clk) begin
    waits <= out_valid && !out_ready && !rst;
    data <= out_data;
  end
  always @* if (waits) assert (out_valid && out_data == data);
endmodule
`, top, width, inputs, strings.Join(set, ", "))
	file := filepath.Join(dir, "holds.v")
	if err := os.WriteFile(file, []byte(property), 0o666); err != nil {
		return err
	}
	out, err := yosys("read_verilog " + sources + "; read_verilog -formal " + file +
		"; hierarchy -check -top holds; proc; flatten; memory; opt -full; " +
		"sat -verify -prove-asserts -tempinduct -seq 1 -maxsteps 4 -set-at 1 rst 1 holds")
	if err == nil && !strings.Contains(out, "Induction step proven: SUCCESS!") {
		return fmt.Errorf("no proof:\n%s", out[max(0, len(out)-1500):])
	}
	return err
}
