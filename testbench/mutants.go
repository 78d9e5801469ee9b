package testbench

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A Mutation is a module whose mutants a unit has to notice.
type Mutation struct {
	Module    string // the file, without .v
	Sets      func() (Unit, []Set)
	Cycles    int // of each set and pattern
	Operators Operators
	Long      bool // run by make mutate alone
}

// An Equivalent lists the mutants that behave like the module, by module, with
// the proof; without their numbers of lines, which move.
type Equivalent map[string]map[Mutant]string

// Mutants changes the modules of the folder in every place that the generator
// knows; a mutant that no comparison notices must be listed as equivalent.
// VCSIM_MUTATE_MODULE chooses modules, parted by commas.
func Mutants(t *testing.T, folder string, rows []Mutation, equivalent Equivalent) {
	all := os.Getenv("VCSIM_MUTATE") == "1"
	if !all && !Full() {
		t.Skip("make mutate and make cosim run it")
	}
	NeedTools(t, "verilator", "g++", "ar")
	for module := range equivalent {
		if !slices.ContainsFunc(rows, func(r Mutation) bool { return r.Module == module }) {
			t.Errorf("mutants of %s are listed as equivalent, but it is not in the table", module)
		}
	}
	if only := os.Getenv("VCSIM_MUTATE_MODULE"); only != "" {
		names := strings.Split(only, ",")
		rows = slices.DeleteFunc(rows, func(r Mutation) bool { return !slices.Contains(names, r.Module) })
	}
	var mutex sync.Mutex // of the totals
	total, caught, left := 0, 0, 0
	t.Run("modules", func(t *testing.T) {
		for _, row := range rows {
			if row.Long && !all {
				continue
			}
			t.Run(row.Module, func(t *testing.T) {
				t.Parallel()
				u, sets := row.Sets()
				n, survivors, err := Survivors(t.TempDir(), u, folder+"/"+row.Module+".v", sets, row.Cycles, row.Operators)
				if err != nil {
					t.Fatal(err)
				}
				proven := 0
				for _, m := range survivors {
					why := equivalent[row.Module][Mutant{Source: m.Source, Old: m.Old, New: m.New}]
					if why == "" {
						t.Errorf("line %d: not caught: %s: %s instead of %s", m.Line, m.Source, m.New, m.Old)
						continue
					}
					proven++
					t.Logf("line %d: equivalent: %s instead of %s: %s", m.Line, m.New, m.Old, why)
				}
				if listed := len(equivalent[row.Module]); proven != listed {
					t.Errorf("%d mutants listed as equivalent, %d of them survive", listed, proven)
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
