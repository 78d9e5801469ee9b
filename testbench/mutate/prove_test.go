package mutate

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"vcsim/testbench"
)

// TestProve: mutants that differ from some state of the registers are not
// proven, unless that state is ruled out.
func TestProve(t *testing.T) {
	testbench.NeedTools(t, "yosys")
	dir := t.TempDir()
	small := filepath.Join(dir, "small.v")
	text := `module small (input wire clk_i, input wire a_i, input wire b_i, output reg q_o, output reg [1:0] r_o);
  always @(posedge clk_i) begin
    q_o <= a_i && b_i;
    if (a_i) r_o <= r_o + 2'd2;
  end
endmodule
`
	if err := os.WriteFile(small, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		file, given string
		params      []string
		want        []string // proven
	}{
		{small, "", []string{""}, []string{"if (a_i) r_o <= r_o {{+|-}} 2'd2;"}},
		{small, "b_i || !a_i", []string{""}, []string{"q_o <= a_i{{ && b_i|}};", "if (a_i) r_o <= r_o {{+|-}} 2'd2;"}},
		{filepath.Join(testbench.Root(), "rtl/t264/t264_absdiff.v"), "", []string{"-set Values 4 ", "-set Values 8 "}, []string{
			"wire [8:0] d = {1'b0, {{a_i[8*g +: 8]} - {1'b0, b|b_i[8*g +: 8]} - {1'b0, a}}_i[8*g +: 8]};"}},
	}
	for _, tt := range tests {
		mutants, err := mutateFile(tt.file, filepath.Join(dir, "all.v"), 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, m := range mutants {
			ok, err := prove(dir, tt.file, i+1, tt.given, tt.params)
			if err != nil {
				t.Fatalf("%v: %v", m, err)
			}
			if ok {
				got = append(got, m.String())
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s given %q:\ngot  %q\nwant %q", filepath.Base(tt.file), tt.given, got, tt.want)
		}
	}
}

// TestParameters: those of an instance, which are not those of the bench, and each once.
func TestParameters(t *testing.T) {
	testbench.NeedTools(t, "yosys")
	set := func(maxTU int) testbench.Set {
		return testbench.Set{Params: testbench.Params{{Name: "MaxTU", Value: maxTU}}}
	}
	bench := func(top string, sets ...testbench.Set) Mutation {
		return Mutation{Sets: func() (testbench.Unit, []testbench.Set) { return testbench.Unit{Top: top}, sets }}
	}
	tests := []struct {
		module  string
		benches []Mutation
		want    []string
	}{
		{"t265_strips", []Mutation{bench("t265_forward", set(16), set(8), set(16)), bench("t265_inverse", set(8))},
			[]string{"-set MaxTU 16 -set Inverse 0 ", "-set MaxTU 8 -set Inverse 0 ", "-set MaxTU 8 -set Inverse 1 "}},
		{"t265_inverse", []Mutation{bench("t265_inverse", set(8))}, []string{"-set MaxTU 8 -set TagWidth 17 -set WordBits 19 "}},
		{"t265_odd8", []Mutation{bench("t265_inverse", set(8))}, nil},
		{"t264_parse_place", []Mutation{bench("t264_dec_lane", testbench.Set{Params: testbench.Params{{Name: "FrameMBs", Value: 48}}})}, []string{"-set FrameMBs 48 -set MBBits 6 "}},
	}
	for _, tt := range tests {
		got, err := parameters(tt.module, tt.benches)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.module, got, tt.want)
		}
	}
}
