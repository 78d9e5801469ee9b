package t264

import (
	"os"
	"testing"

	"vcsim/testbench"
)

// equivalent lists, by module, the mutants that behave like it, with the proof.
var equivalent = map[string]map[testbench.Mutant]string{
	"t264_mode": {
		{Line: 76, Old: "above_sum_d + {4'd0, ref_above_i[8*i +: 8]}", New: "above_sum_d + {4'd1, ref_above_i[8*i +: 8]}"}: "16 times 256 more is 0 in 12 bits",
		{Line: 77, Old: "left_sum_d + {4'd0, ref_left_i[8*i +: 8]}", New: "left_sum_d + {4'd1, ref_left_i[8*i +: 8]}"}:     "16 times 256 more is 0 in 12 bits",
	},
}

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
