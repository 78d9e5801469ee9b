package t264

import (
	"os"
	"strings"
	"testing"

	"vcsim/testbench"
)

// pixelEquivalent lists the mutants of the pixel path that behave like the
// module, with the proof, by module.
var pixelEquivalent = map[string]map[testbench.Mutant]string{
	"plane": {
		{Line: 55, Old: aboveSum, New: strings.Replace(aboveSum, "{2'd0", "{2'd1", 1)}:    "four times 1024 are 0 in 12 bits",
		{Line: 58, Old: leftSum, New: strings.Replace(leftSum, "{2'd0", "{2'd1", 1)}:      "four times 1024 are 0 in 12 bits",
		{Line: 127, Old: planeWord, New: strings.Replace(planeWord, "22'd0", "22'd1", 1)}: "15 steps of 1/32 do not reach the next sample value",
		{Line: 127, Old: planeWord, New: strings.Replace(planeWord, "5'd0}", "5'd1}", 1)}: "1/32 does not reach the next sample value",
	},
	"idct8": {
		{Line: 105, Old: "rst_i", New: "1'b0"}: settles, {Line: 106, Old: "8'd0", New: "8'd1"}: settles, {Line: 107, Old: "1'b0", New: "1'd1"}: settles,
		{Line: 108, Old: "4'd0", New: "4'd1"}: settles, {Line: 109, Old: "1'b0", New: "1'd1"}: settles, {Line: 110, Old: "1'b0", New: "1'd1"}: settles,
		{Line: 111, Old: "1'b0", New: "1'd1"}: settles, {Line: 112, Old: "1'b0", New: "1'd1"}: settles, {Line: 113, Old: "1'b0", New: "1'd1"}: settles,
		{Line: 114, Old: "4'd0", New: "4'd1"}: settles, {Line: 115, Old: "1'b0", New: "1'd1"}: settles,
		{Line: 124, Old: leaves, New: strings.Replace(leaves, "&&", "||", 1)}: "shifts in the same cycles as a block that enters, and after the last column",
	},
	"intra": {
		{Line: 98, Old: stretched, New: strings.Replace(stretched, "48'd0", "48'd1", 1)}: "the largest index is 25: the six bytes on top are never chosen",
		{Line: 119, Old: "6'd0", New: "6'd1"}:                                            "no mode reads z before it sets it",
		{Line: 142, Old: clamp, New: strings.Replace(clamp, "5'd6", "5'd7", 1)}:          "7 - 7 is 0, too",
	},
	"dec_thread": {
		{Line: 89, Old: "3'd0", New: "3'd1"}: "the store is a ring: any first slot will do",
		{Line: 92, Old: "1'b0", New: "1'd1"}: "the two entries are a ring: either may be first",
	},
	"dec_sched": {
		{Line: 245, Old: "2'd0", New: "2'd1"}: "cleared at the end of the first slot, before a block is issued",
		{Line: 246, Old: "9'd0", New: "9'd1"}: "shifted out at the end of the first slot, before a block is issued",
	},
	"dec_ref": {
		{Line: 109, Old: putLeft, New: strings.Replace(putLeft, "&& done_wide", "|| done_wide", 1)}: "the word is written again in phase 1, and not read in between",
		{Line: 122, Old: "ref_i && ref_kind_i == DC", New: "ref_i || ref_kind_i == DC"}:             "what is read for other kinds is not used",
		{Line: 152, Old: "phase_i == 2'd0 && ref_i", New: "phase_i == 2'd1 && ref_i"}:               "the words stay until phase 2, and are used from then on",
		{Line: 167, Old: "phase_i == 2'd2 && ref_i", New: "phase_i == 2'd3 && ref_i"}:               "the references stay in phase 3, and corner3_q follows in phase 1",
	},
	"dec_residual": {
		{Line: 133, Old: "64'd0", New: "64'd1"}: "without 8x8 blocks nobody selects it",
	},
	"dec_pixels": {
		{Line: 181, Old: "near_valid && near[1:0] == 2'd0", New: "near_valid || near[1:0] == 2'd0"}:     "references of an 8x8 block that are read again after they went into the line are not used",
		{Line: 182, Old: "ref_valid_q && ref_q[1:0] == 2'd0", New: "ref_valid_q || ref_q[1:0] == 2'd0"}: "the line gets the same references again",
		{Line: 206, Old: "phase_q == 2'd3", New: "phase_q == 2'd2"}:                                     "pred_valid_q takes the old value in that phase; nobody else reads it in phase 3",
		{Line: 207, Old: "phase_q == 2'd2", New: "phase_q == 2'd3"}:                                     "ref_valid_q changes in that phase only; samp_valid_q reads it in phase 1",
		{Line: 213, Old: "phase_q == 2'd3", New: "phase_q == 2'd2"}:                                     "as for ref_valid_q",
		{Line: 214, Old: "phase_q == 2'd2", New: "phase_q == 2'd3"}:                                     "as for pred_valid_q",
	},
}

const (
	settles   = "the counters run out within 26 cycles without a reset, before the first row of a block can enter"
	aboveSum  = "(above_word == 2'd0 ? 12'd0 : above_sum_q) + {2'd0, above_q[9:0]}"
	leftSum   = "(phase_i == 2'd0 ? 12'd0 : left_sum_q) + {2'd0, left_q[9:0]}"
	planeWord = "plane_i ? {down_q, right_q, first_q} : {22'd0, 3'd0, dc, 5'd0}"
	leaves    = "last2_q || leave_on_q && leave_q[3:1] != 3'd7"
	stretched = "{48'd0, line_q[199:192], line_q, {2{line_q[7:0]}}}"
	clamp     = "z[5:1] > 5'd6 ? 6'd0 : 6'd7 - (z >> 1)"
	putLeft   = "done_i && last_col && (phase_i == 2'd1 || phase_i == 2'd0 && done_wide)"
)

// TestPixelMutants changes the RTL of the pixel path in every place that the
// generator knows; VCSIM_MUTATE names modules, 1 stands for all.
func TestPixelMutants(t *testing.T) {
	which := os.Getenv("VCSIM_MUTATE")
	if which == "" {
		t.Skip("make mutate runs it")
	}
	testbench.NeedTools(t, "verilator", "g++", "ar")
	u, sets := pixelSets()
	total, left := 0, 0
	for _, name := range []string{"recon", "dequant", "idct4", "idct8", "plane", "intra", "dec_out", "dec_thread", "dec_sched", "dec_store", "dec_ref",
		"dec_predict", "dec_residual", "dec_pixels"} {
		if which != "1" && !strings.Contains(","+which+",", ","+name+",") {
			continue
		}
		n, survivors, err := testbench.Survivors(t.TempDir(), u, "rtl/t264/t264_"+name+".v", sets[:1], 1<<16)
		if err != nil {
			t.Fatal(err)
		}
		total += n
		t.Logf("t264_%s.v: %d mutants, %d not caught", name, n, len(survivors))
		for _, m := range survivors {
			if why := pixelEquivalent[name][m]; why != "" {
				t.Logf("t264_%s.v:%d: equivalent: %s instead of %s: %s", name, m.Line, m.New, m.Old, why)
				continue
			}
			left++
			t.Errorf("t264_%s.v:%d: not caught: %s instead of %s", name, m.Line, m.New, m.Old)
		}
	}
	t.Logf("%d mutants, %d neither caught nor equivalent", total, left)
}
