package gates

import (
	"os"
	"strconv"
	"testing"
)

// A Case is a bench of a codec.
type Case struct {
	Bench
	Long bool // more than a minute to map: the target make cosim-gates alone
}

// whole reports whether all cases are to run, and all mutants of each.
func whole() bool { return os.Getenv("VCSIM_GATES") == "1" }

// skipLong skips a test of make cosim-gates elsewhere.
func skipLong(t *testing.T) {
	t.Helper()
	if !whole() {
		t.Skip("make cosim-gates runs it")
	}
}

// CompareCases runs the netlist of each case against its model.
func CompareCases(t *testing.T, cases func(testing.TB) []Case) {
	NeedCells(t)
	for _, c := range cases(t) {
		t.Run(c.Unit.Top, func(t *testing.T) {
			if c.Long {
				skipLong(t)
			}
			c.Compare(t, 1<<17)
		})
	}
}

// VerilatedCase has Verilator say the same of the netlist of the first case as the simulation of gates does.
func VerilatedCase(t *testing.T, cases func(testing.TB) []Case) {
	skipLong(t)
	NeedCells(t, "verilator", "g++", "ar")
	c := cases(t)[0]
	c.Verilated(t, 1<<15)
}

// MutantCases asks whether the comparisons notice faults of single cells: of the short cases 30, of all of them a hundred, with more cycles and longer
// searches for proofs, if all are to run. VCSIM_GATES_SEED draws others.
func MutantCases(t *testing.T, cases func(testing.TB) []Case) {
	NeedCells(t, "yosys-abc")
	seed := uint64(1)
	if text := os.Getenv("VCSIM_GATES_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 32); err != nil {
			t.Fatalf("VCSIM_GATES_SEED: %v", err)
		}
	}
	for _, c := range cases(t) {
		t.Run(c.Unit.Top, func(t *testing.T) {
			count, cycles, again := 30, 1<<16, []string(nil)
			if c.Long {
				skipLong(t)
			}
			if whole() {
				count, cycles, again = 100, 1<<18, patient
			}
			c.Mutants(t, count, cycles, seed, again)
		})
	}
}
