package mutate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"vcsim/testbench"
)

// A Mutation is a module whose mutants a unit has to notice. A module may have several:
// a mutant that one unit does not notice is another one's then.
type Mutation struct {
	Module string // the file, without .v
	Sets   func() (testbench.Unit, []testbench.Set)
	Cycles int  // of each set and pattern
	Long   bool // run by make mutate alone
	// Build lists the modules whose mutants are in one build, this one among them; nil
	// stands for this one alone. Builds of large units are slow.
	Build []string
}

// A Proof says why mutants behave like their module. Those that yosys finds equal
// from any state of the registers need none.
type Proof struct {
	// Given is a condition over the names of the module that holds at each edge
	// of the clock after reset; each comparison checks that, unless the module has
	// no clock. With it yosys proves that the mutants are equal. Where it is empty,
	// Why is all the proof.
	Given string
	Why   string // or why the condition holds
	// Mutants as Mutant.String gives them, one for each line that has it.
	Mutants []string
}

// An Equivalent lists mutants that behave like their module, by module.
type Equivalent map[string][]Proof

// exist reports mutants that are listed although no line of their module has them.
func exist(t *testing.T, folder string, equivalent Equivalent) {
	for module, proofs := range equivalent {
		mutants, err := mutateFile(filepath.Join(testbench.Root(), folder, module+".v"), filepath.Join(t.TempDir(), module+".v"), 0)
		if err != nil {
			t.Error(err)
			continue
		}
		there := map[string]bool{}
		for _, m := range mutants {
			there[m.String()] = true
		}
		for _, p := range proofs {
			for _, m := range p.Mutants {
				if !there[m] {
					t.Errorf("listed as equivalent, but no mutant of %s: %s", module, m)
				}
			}
		}
	}
}

// Mutants changes the modules of the folder in every place that the generator
// knows; a mutant that no comparison notices must be listed as equivalent.
// VCSIM_MUTATE_MODULE chooses modules, parted by commas. Without one of the switches
// that ask for it, it only sees that what is listed exists.
func Mutants(t *testing.T, folder string, rows []Mutation, equivalent Equivalent) {
	exist(t, folder, equivalent)
	all := os.Getenv("VCSIM_MUTATE") == "1"
	if !all && !testbench.Full() {
		t.Skip("make mutate and make cosim run it")
	}
	testbench.NeedTools(t, "verilator", "g++", "ar")
	for module := range equivalent {
		if !slices.ContainsFunc(rows, func(r Mutation) bool { return r.Module == module }) {
			t.Errorf("mutants of %s are listed as equivalent, but it is not in the table", module)
		}
	}
	files, err := filepath.Glob(filepath.Join(testbench.Root(), folder, "*.v"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		module := strings.TrimSuffix(filepath.Base(file), ".v")
		if !slices.ContainsFunc(rows, func(r Mutation) bool { return r.Module == module }) {
			t.Errorf("%s is not in the table", module)
		}
	}
	if only := os.Getenv("VCSIM_MUTATE_MODULE"); only != "" {
		names := strings.Split(only, ",")
		rows = slices.DeleteFunc(rows, func(r Mutation) bool { return !slices.Contains(names, r.Module) })
	}
	given := map[string][]string{} // by module
	for module, proofs := range equivalent {
		for _, p := range proofs {
			if p.Given != "" {
				given[module] = append(given[module], p.Given)
			}
		}
	}
	var mutex sync.Mutex // of the totals
	total, caught, left := 0, 0, 0
	t.Run("modules", func(t *testing.T) {
		for i, row := range rows {
			module := row.Module
			if slices.ContainsFunc(rows[:i], func(r Mutation) bool { return r.Module == module }) {
				continue // with the first one
			}
			benches := slices.DeleteFunc(slices.Clone(rows), func(r Mutation) bool { return r.Module != module })
			if !all && slices.ContainsFunc(benches, func(r Mutation) bool { return r.Long }) {
				continue
			}
			t.Run(module, func(t *testing.T) {
				t.Parallel()
				proofs := map[string][]Proof{}
				for _, p := range equivalent[module] {
					for _, m := range p.Mutants {
						proofs[m] = append(proofs[m], p)
					}
				}
				dir, file := t.TempDir(), filepath.Join(testbench.Root(), folder, module+".v")
				mutants, err := mutateFile(file, filepath.Join(dir, "all.v"), 0)
				if err != nil {
					t.Fatal(err)
				}
				var survivors []int
				for i := range mutants {
					survivors = append(survivors, i)
				}
				for _, b := range benches {
					if survivors, err = b.survivors(dir, file, mutants, survivors, given); err != nil {
						t.Fatal(err)
					}
				}
				params, err := parameters(module, benches)
				if err != nil {
					t.Fatal(err)
				}
				n, proven := len(mutants), 0
				for _, i := range survivors {
					m := mutants[i]
					var proof Proof
					list := proofs[m.String()]
					listed := len(list) > 0
					if listed {
						proof, proofs[m.String()] = list[0], list[1:]
					}
					if listed && proof.Given == "" { // by its reason
						proven++
						continue
					}
					ok, err := prove(dir, file, i+1, proof.Given, params)
					switch {
					case err != nil:
						t.Errorf("line %d: %v: %v", m.Line, m, err)
						continue
					case !ok && listed:
						t.Errorf("line %d: not proven given %s: %v", m.Line, proof.Given, m)
						continue
					case !ok:
						t.Errorf("line %d: not caught: %v", m.Line, m)
						continue
					}
					proven++
				}
				for m, list := range proofs {
					if len(list) > 0 {
						t.Errorf("listed as equivalent, but caught: %s", m)
					}
				}
				t.Logf("%d mutants, %d caught, %d equivalent", n, n-len(survivors), proven)
				mutex.Lock()
				defer mutex.Unlock()
				total += n
				caught += n - len(survivors)
				left += len(survivors) - proven
			})
		}
	})
	t.Logf("%d mutants, %d caught, %d neither caught nor equivalent", total, caught, left)
}
