package t264

import (
	"os"
	"testing"

	"vcsim/testbench"
)

// equivalent lists, by module, the mutants that behave like it, with the proof.
var equivalent = map[string]map[testbench.Mutant]string{
	"t264_mode": {
		{Line: 76, Old: "above_sum_d + {4'd0, ref_above_i[8*i +: 8]}", New: "above_sum_d + {4'd1, ref_above_i[8*i +: 8]}"}: wraps,
		{Line: 77, Old: "left_sum_d + {4'd0, ref_left_i[8*i +: 8]}", New: "left_sum_d + {4'd1, ref_left_i[8*i +: 8]}"}:     wraps,
	},
	"t264_sad": {
		{Line: 99, Old: "c_dc_d + {{(SUM - 8) {1'b0}}, b_dc_q[8*i +: 8]}", New: "c_dc_d + {{(SUM - 8) {1'd1}}, b_dc_q[8*i +: 8]}"}:                              wraps,
		{Line: 100, Old: "c_above_d + {{(SUM - 8) {1'b0}}, b_above_q[8*i +: 8]}", New: "c_above_d + {{(SUM - 8) {1'd1}}, b_above_q[8*i +: 8]}"}:                 wraps,
		{Line: 101, Old: "c_left_d + {{(SUM - 8) {1'b0}}, b_left_q[8*i +: 8]}", New: "c_left_d + {{(SUM - 8) {1'd1}}, b_left_q[8*i +: 8]}"}:                     wraps,
		{Line: 142, Old: "(dc_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'b0}}, c_dc_q}", New: "(dc_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'd1}}, c_dc_q}"}:             wraps,
		{Line: 143, Old: "(above_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'b0}}, c_above_q}", New: "(above_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'd1}}, c_above_q}"}: wraps,
		{Line: 144, Old: "(left_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'b0}}, c_left_q}", New: "(left_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'd1}}, c_left_q}"}:     wraps,
		{Line: 112, Old: "1'b0", New: "1'd1"}: "a beat too many, not the last, before the first macroblock, which has no neighbours and is predicted by DC anyway",
	},
	"t264_dct": {
		{Line: 165, Old: "rst_i", New: "1'b0"}: "the second cycle of reset finds the quantiser ready and hold_valid_q low, and clears the register",
	},
	"t264_border": {
		{Line: 254, Old: "1'b0", New: "1'd1"}: "one shift too many before the first macroblock: 4 words of its own fill the column",
		{Line: 256, Old: "1'b0", New: "1'd1"}: "writes neighbours of a frame not yet begun, all of which are written again before they are available",
	},
}

// wraps: 16 samples, or the beats of a macroblock, each with an upper bit or all
// upper bits more, add a multiple of the range of the sum.
const wraps = "adds a multiple of the range of the sum"

// TestMutants changes the RTL of the pixel path in every place that the generator
// knows; a mutant that no comparison notices is listed. VCSIM_MUTATE_MODULE
// chooses one module.
func TestMutants(t *testing.T) {
	if os.Getenv("VCSIM_MUTATE") != "1" {
		t.Skip("make mutate runs it")
	}
	testbench.NeedTools(t, "verilator", "g++", "ar")
	u, sets := pixelsSets()
	total, left := 0, 0
	for _, name := range []string{"t264_enc_sched", "t264_enc_ref", "t264_mode", "t264_sad", "t264_absdiff", "t264_dct", "t264_forward4",
		"t264_quant", "t264_level", "t264_enc_dc", "t264_hadamard4", "t264_border", "t264_inverse4"} {
		if only := os.Getenv("VCSIM_MUTATE_MODULE"); only != "" && only != name {
			continue
		}
		n, survivors, err := testbench.Survivors(t.TempDir(), u, "rtl/t264/"+name+".v", sets[:2], 1<<14)
		if err != nil {
			t.Fatal(err)
		}
		total += n
		t.Logf("%s: %d mutants", name, n)
		for _, m := range survivors {
			if why := equivalent[name][m]; why != "" {
				t.Logf("%s.v:%d: equivalent: %s instead of %s: %s", name, m.Line, m.New, m.Old, why)
				continue
			}
			left++
			t.Errorf("%s.v:%d: not caught: %s instead of %s", name, m.Line, m.New, m.Old)
		}
	}
	t.Logf("%d mutants, %d neither caught nor equivalent", total, left)
}
