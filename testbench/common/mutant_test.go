package common

import (
	"os"
	"testing"

	"vcsim/testbench"
)

// equivalent lists the mutants that behave like the module, with the proof, by
// module.
var equivalent = map[string]map[testbench.Mutant]string{
	"vc_cabac_enc": {
		{Line: 81, Old: "7'd0", New: "7'd1"}: "the flush adds R < 2^9 to low << 2, whose 9 low bits are zero since a terminating bin of one " +
			"shifts by 7; only the bits above the 9 leave, and low is cleared",
	},
}

// TestMutants changes the RTL of the CABAC lanes in every place that the
// generator knows; a mutant that no comparison notices is listed.
func TestMutants(t *testing.T) {
	if os.Getenv("VCSIM_MUTATE") != "1" && !testbench.Full() {
		t.Skip("make mutate and make cosim run it")
	}
	testbench.NeedTools(t, "verilator", "g++", "ar")
	total, left := 0, 0
	for _, lane := range []struct {
		sets    func() (testbench.Unit, []testbench.Set)
		modules []string
	}{
		{laneSets, []string{"vc_cabac_enc", "vc_cabac_ctx", "vc_cabac_step", "vc_cabac_pack"}},
		{decoderSets, []string{"vc_cabac_dec_core"}},
		{unpackSets, []string{"vc_nal_unpack"}},
	} {
		u, sets := lane.sets()
		for _, name := range lane.modules {
			n, survivors, err := testbench.Survivors(t.TempDir(), u, "rtl/common/"+name+".v", sets, 1<<14)
			if err != nil {
				t.Fatal(err)
			}
			total += n
			for _, m := range survivors {
				if why := equivalent[name][m]; why != "" {
					t.Logf("%s.v:%d: equivalent: %s instead of %s: %s", name, m.Line, m.New, m.Old, why)
					continue
				}
				left++
				t.Errorf("%s.v:%d: not caught: %s instead of %s", name, m.Line, m.New, m.Old)
			}
		}
	}
	t.Logf("%d mutants, %d neither caught nor equivalent", total, left)
	if total < 200 {
		t.Errorf("%d mutants, want 200 or more", total)
	}
}
