package t264

import (
	"os"
	"strings"
	"testing"

	"vcsim/testbench"
)

// pixelEquivalent lists the mutants of the pixel path that behave like the
// module, with the proof, by module.
var pixelEquivalent = map[string]map[testbench.Mutant]string{}

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
		n, survivors, err := testbench.Survivors(t.TempDir(), u, "rtl/t264/t264_"+name+".v", sets[1:2], 1<<15)
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
