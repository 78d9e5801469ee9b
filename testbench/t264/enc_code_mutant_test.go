package t264

import (
	"os"
	"testing"

	"vcsim/testbench"
)

// codeEquivalent lists the mutants of the entropy coding that behave like the
// module, with the proof.
var codeEquivalent = map[string]map[testbench.Mutant]string{
	"t264_residual": {
		{Line: 217, Old: "7'd0", New: "7'd1"}: "every state with an operation sets its bins",
	},
	"t264_residual_levels": {
		{Line: 58, Old: "{levels_q, 10'd0}", New: "{levels_q, 10'd1}"}: "the ten bits belong to AC level 0, which is not there",
		{Line: 76, Old: "4'd0", New: "4'd1"}:                           "without a bit in the mask no level is taken",
		{Line: 83, Old: "24'd0", New: "24'd1"}:                         "one of the eight pairs is always selected",
	},
	"t264_residual_suffix": {
		{Line: 51, Old: "4'd1", New: "4'd0"}: "the magnitude is 1 or more where it counts",
	},
	"t264_enc_store": {
		{Line: 139, Old: "valid1_q && kind1_q != AC", New: "valid1_q || kind1_q != AC"}:                                     "a macroblock is read in vain",
		{Line: 147, Old: "{PtrBits{1'b0}}", New: "{PtrBits{1'd1}}"}:                                                         "one of the threads is always selected",
		{Line: 148, Old: "{PtrBits{1'b0}}", New: "{PtrBits{1'd1}}"}:                                                         "one of the threads is always selected",
		{Line: 180, Old: "1'b0", New: "1'd1"}:                                                                               "one of the threads is always selected",
		{Line: 241, Old: "182'd0", New: "182'd1"}:                                                                           "bit 0 belongs to a level",
		{Line: 250, Old: "kind2_q == AC ? {ac_word, 2'd0} : dc_levels", New: "kind2_q == AC ? {ac_word, 2'd1} : dc_levels"}: "the two bits belong to no AC level",
	},
	"t264_enc_context": {
		{Line: 50, Old: "1'b0", New: "1'd1"}:                         "one of the lanes is always selected",
		{Line: 51, Old: "{LaneBits{1'b0}}", New: "{LaneBits{1'd1}}"}: "without a lane that asks nothing is taken",
		{Line: 52, Old: "6'd0", New: "6'd1"}:                         "without a lane that asks nothing is taken",
		{Line: 79, Old: "sum < 14'sd1 ? 7'd1 : sum > 14'sd126 ? 7'd126 : sum[6:0]", New: "sum <= 14'sd1 ? 7'd1 : sum > 14'sd126 ? 7'd126 : sum[6:0]"}: "1 is limited to 1",
	},
}

// TestMutantsEncCode changes the RTL of the entropy coding in every place that
// the generator knows; a mutant that no comparison notices is listed.
func TestMutantsEncCode(t *testing.T) {
	if os.Getenv("VCSIM_MUTATE") != "1" {
		t.Skip("make mutate runs it")
	}
	testbench.NeedTools(t, "verilator", "g++", "ar")
	total, left := 0, 0
	for _, m := range []struct {
		unit   func() (testbench.Unit, []testbench.Set)
		cycles int
		names  []string
	}{
		{residualSets, 1 << 13, []string{"t264_residual", "t264_residual_head", "t264_residual_levels", "t264_residual_suffix"}},
		{contextSets, 1 << 12, []string{"t264_enc_context"}},
		{codeSets, 1 << 14, []string{"t264_enc_store", "t264_enc_lane"}},
	} {
		u, sets := m.unit()
		for _, name := range m.names {
			n, survivors, err := testbench.Survivors(t.TempDir(), u, "rtl/t264/"+name+".v", sets, m.cycles)
			if err != nil {
				t.Fatal(err)
			}
			total += n
			for _, s := range survivors {
				if why := codeEquivalent[name][s]; why != "" {
					t.Logf("%s.v:%d: equivalent: %s instead of %s: %s", name, s.Line, s.New, s.Old, why)
					continue
				}
				left++
				t.Errorf("%s.v:%d: not caught: %s instead of %s", name, s.Line, s.New, s.Old)
			}
		}
	}
	t.Logf("%d mutants, %d neither caught nor equivalent", total, left)
}
