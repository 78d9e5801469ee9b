package t264

import (
	"testing"

	"vcsim/testbench"
	"vcsim/testbench/mutate"
)

// TestMutants changes the RTL in every place that the generator knows.
func TestMutants(t *testing.T) {
	var rows []mutate.Mutation
	for _, bench := range []struct {
		modules []string
		sets    func() (testbench.Unit, []testbench.Set)
		first   int // sets
		cycles  int
		long    bool
	}{
		{modules: []string{"mode", "sad"},
			sets: pixelsSets, first: 3, cycles: 1 << 17, long: true},
		{modules: []string{"enc_sched", "enc_ref", "dct", "quant", "level", "enc_dc", "border", "enc_pixels"},
			sets: pixelsSets, first: 2, cycles: 1 << 14, long: true},
		{modules: []string{"inverse4"},
			sets: inverseSets, first: 1, cycles: 1 << 12},
		{modules: []string{"absdiff", "forward4", "hadamard4"},
			sets: pixelsSets, first: 2, cycles: 1 << 14, long: true},
		{modules: []string{"residual", "residual_head", "residual_levels", "residual_suffix"},
			sets: residualSets, first: 4, cycles: 1 << 13},
		{modules: []string{"context"},
			sets: contextSets, first: 4, cycles: 1 << 13},
		{modules: []string{"enc_store", "enc_lane", "enc_code"},
			sets: codeSets, first: 4, cycles: 1 << 15, long: true},
		{modules: []string{"parse_place", "parse_around", "parse_items", "dec_banks", "dec_lane"},
			sets: func() (testbench.Unit, []testbench.Set) { return decLaneSets(t) }, first: 3, cycles: 1 << 17},
		{modules: []string{"parse", "parse_control", "parse_residual"}, // some syntax is rare in the slices
			sets: func() (testbench.Unit, []testbench.Set) { return decLaneSets(t) }, first: 3, cycles: 1 << 17, long: true},
		{modules: []string{"dec_above"},
			sets: func() (testbench.Unit, []testbench.Set) { return decAboveSets(t) }, first: 3, cycles: 1 << 16},
		{modules: []string{"dequant", "idct4", "idct8", "intra", "dec_out", "dec_sched", "dec_predict",
			"dec_residual"},
			sets: pixelSets, first: 1, cycles: 1 << 15, long: true},
		{modules: []string{"recon", "dec_store"},
			sets: pixelSets, first: 1, cycles: 1 << 15, long: true},
		{modules: []string{"plane", "dec_thread", "dec_ref", "dec_pixels"},
			sets: pixelSets, first: 3, cycles: 1 << 16, long: true},
		{modules: []string{"enc"},
			sets: encSets, first: 2, cycles: 1 << 14, long: true},
		{modules: []string{"dec"},
			sets: func() (testbench.Unit, []testbench.Set) { return decSets(t) }, first: 2, cycles: 1 << 14, long: true},
	} {
		for _, module := range bench.modules {
			rows = append(rows, mutate.Mutation{Module: "t264_" + module, Cycles: bench.cycles, Long: bench.long,
				Sets: func() (testbench.Unit, []testbench.Set) {
					u, sets := bench.sets()
					return u, sets[:bench.first]
				}})
		}
	}
	mutate.Mutants(t, "rtl/t264", rows, equivalent)
}
