package t264

import (
	"testing"

	"vcsim/testbench"
)

// TestMutants changes the RTL in every place that the generator knows.
func TestMutants(t *testing.T) {
	var rows []testbench.Mutation
	for _, bench := range []struct {
		modules   []string
		sets      func() (testbench.Unit, []testbench.Set)
		first     int // sets
		cycles    int
		operators testbench.Operators
		long      bool
	}{
		{modules: []string{"enc_sched", "enc_ref", "mode", "sad", "dct", "quant", "level", "enc_dc", "border", "inverse4"},
			sets: pixelsSets, first: 2, cycles: 1 << 14, operators: testbench.FewOperators, long: true},
		{modules: []string{"absdiff", "forward4", "hadamard4"},
			sets: pixelsSets, first: 2, cycles: 1 << 14, long: true},
		{modules: []string{"residual", "residual_head", "residual_levels", "residual_suffix"},
			sets: residualSets, first: 4, cycles: 1 << 13, operators: testbench.FewOperators},
		{modules: []string{"enc_context"},
			sets: contextSets, first: 3, cycles: 1 << 12, operators: testbench.FewOperators},
		{modules: []string{"enc_store", "enc_lane"},
			sets: codeSets, first: 3, cycles: 1 << 14, operators: testbench.FewOperators, long: true},
		{modules: []string{"parse", "parse_control", "parse_place", "parse_around", "parse_residual", "parse_items", "dec_banks", "dec_lane"},
			sets: func() (testbench.Unit, []testbench.Set) { return decLaneSets(t) }, first: 3, cycles: 1 << 17},
		{modules: []string{"dec_context"},
			sets: func() (testbench.Unit, []testbench.Set) { return decContextSets(t) }, first: 3, cycles: 1 << 16, operators: testbench.FewOperators},
		{modules: []string{"dec_above"},
			sets: func() (testbench.Unit, []testbench.Set) { return decAboveSets(t) }, first: 3, cycles: 1 << 16, operators: testbench.FewOperators},
		{modules: []string{"dequant", "idct4", "idct8", "intra", "dec_out", "dec_thread", "dec_sched", "dec_ref", "dec_predict",
			"dec_residual", "dec_pixels"},
			sets: pixelSets, first: 1, cycles: 1 << 15, operators: testbench.FewOperators, long: true},
		{modules: []string{"recon", "dec_store"},
			sets: pixelSets, first: 1, cycles: 1 << 15, long: true},
		{modules: []string{"plane"},
			sets: pixelSets, first: 3, cycles: 1 << 16, operators: testbench.FewOperators, long: true},
	} {
		for _, module := range bench.modules {
			rows = append(rows, testbench.Mutation{Module: "t264_" + module, Cycles: bench.cycles, Operators: bench.operators, Long: bench.long,
				Sets: func() (testbench.Unit, []testbench.Set) {
					u, sets := bench.sets()
					return u, sets[:bench.first]
				}})
		}
	}
	testbench.Mutants(t, "rtl/t264", rows, equivalent)
}
