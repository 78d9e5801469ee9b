package mutate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestChanges(t *testing.T) {
	tests := []struct {
		e    string
		want []string
	}{
		{"a && (b || c)", []string{"a || (b || c)", "a", "(b || c)", "a && (b && c)", "a && (b)", "a && (c)", "1'sb0"}},
		{"a - b", []string{"a + b", "a", "b", "b - a", "1'sb0"}},
		{"x + 4'd8 >> 3'd4", []string{"x - 4'd8 >> 3'd4", "x >> 3'd4", "4'd8 >> 3'd4", "x + 4'd8 << 3'd4", "x + 4'd8", "x + 4'd9 >> 3'd4",
			"x + 4'd7 >> 3'd4", "x + 4'd8 >> 3'd5", "x + 4'd8 >> 3'd3", "1'sb0"}},
		{"s ? x[7:0] : y[3]", []string{"!(s) ? x[7:0] : y[3]", "1'b0 ? x[7:0] : y[3]", "1'b1 ? x[7:0] : y[3]", "s ? x[8:1] : y[3]", "s ? x[7:0] : y[2]", "1'sb0"}},
		{"{a, 1'b0}", []string{"{a, 1'd1}", "{1'b0, a}", "1'sb0"}},
		{"{(N - 1) {1'b0}}", []string{"{(N - 1) {1'd1}}"}},
		{"n == LAST", []string{"n != LAST", "n == (LAST + 1'b1)", "1'sb0"}},
		{"TABLE[i] == LAST[1:0]", []string{"TABLE[i] != LAST[1:0]", "1'sb0"}},
		{"{2 * N{1'b0}}", []string{"{2 * N{1'd1}}"}},
		{"a[LAST - 1]", []string{"1'sb0"}},
		{"a[`AT + b[i] +: 8]", []string{"a[`AT - b[i] +: 8]", "a[`AT]", "a[b[i] +: 8]", "1'sb0"}},
		{"3'sd3", []string{"3'sd4", "3'sd2"}},
	}
	for _, tt := range tests {
		if got := changes(tt.e, map[string]int{"x": 15, "y": 3}); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", tt.e, got, tt.want)
		}
	}
}

// TestMutate: every kind of statement is rewritten, and what has to be constant
// is not.
func TestMutate(t *testing.T) {
	text := `module m;
  localparam [1:0] ONE = 2'd1, // one
                   TWO = 2'd2;
  wire a = b; // a comment
  generate if (Wide == 1'b1) begin : gen_wide
  assign c = b &&
             d;
  always @(posedge clk_i) begin
    if (rst_i) q <= 1'b0;
    else begin
      r <= s;
    end
  always @(posedge clk_i) v <= w;
    case (k)
      2'd0: x = y;
    endcase
    for (i = 0; i < 4'd8; i = i + 1) begin
  n #(
    .Width(2'd3)
  ) u_n (
    .clk_i (clk_i),
    .in_i  (a),
    .out_o (o)
  );
`
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.v"), filepath.Join(dir, "out.v")
	if err := os.WriteFile(in, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	mutants, err := mutateFile(in, out, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range mutants {
		got = append(got, m.Old+" -> "+m.New)
	}
	want := []string{"b -> 1'sb0", "b && d -> b || d", "b && d -> b", "b && d -> d", "b && d -> 1'sb0", "1'b0 -> 1'd1", "rst_i -> 1'sb0", "rst_i -> 1'b1",
		"s -> 1'sb0", "s -> r", "w -> 1'sb0", "w -> v", "k -> 1'sb0", "y -> 1'sb0", "a -> 1'sb0"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if m := mutants[1]; m.Line != 6 || m.Source != "assign c = b && d;" {
		t.Errorf("got line %d, %q", m.Line, m.Source)
	}
	written, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(string(written), "\n"), strings.Count(text, "\n"); got != want {
		t.Errorf("%d lines, want %d", got, want)
	}
}
