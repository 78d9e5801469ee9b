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
		sets        []testbench.Set
		want        []string // proven
	}{
		{small, "", make([]testbench.Set, 1), []string{"if (a_i) r_o <= r_o {{+|-}} 2'd2;"}},
		{small, "b_i || !a_i", make([]testbench.Set, 1), []string{"q_o <= a_i{{ && b_i|}};", "if (a_i) r_o <= r_o {{+|-}} 2'd2;"}},
		{filepath.Join(testbench.Root(), "rtl/t264/t264_absdiff.v"), "", []testbench.Set{{Params: testbench.Params{{Name: "Values", Value: 4}}}, {Params: testbench.Params{{Name: "Values", Value: 8}}}}, []string{
			"wire [8:0] d = {1'b0, {{a_i[8*g +: 8]} - {1'b0, b|b_i[8*g +: 8]} - {1'b0, a}}_i[8*g +: 8]};"}},
	}
	for _, tt := range tests {
		mutants, err := mutateFile(tt.file, filepath.Join(dir, "all.v"), 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, m := range mutants {
			ok, err := prove(dir, tt.file, i+1, tt.given, tt.sets)
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
