package gates

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vcsim/internal/netlist"
	"vcsim/testbench"
)

// After so many cycles what is not noticed is proven, if it can be. Where there are benches of parts, a quarter of them comes before: a part does
// more in a cycle when it is alone.
const early = 1 << 16

// Mutants draws faults of single cells and asks whether the comparison notices each: for cycles of 64 stimuli side by side, sixteen under each
// of the four patterns, until an output shows it, or it is proven that none ever does (see prove). What is open at the end is searched again, by other
// searches.
func (b *Bench) Mutants(t *testing.T, count, cycles int, seed uint64, again []string) {
	n, err := b.Netlist()
	if err != nil {
		t.Fatal(err)
	}
	list := n.Design.Mutants(n.Lib, count, rand.New(rand.NewPCG(seed, 0)))
	if len(list) < count {
		t.Fatalf("%d mutants, want %d", len(list), count)
	}
	faults, err := netlist.NewFaults(n.Design, n.Lib, list)
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.faultRun(faults, seed)
	if err != nil {
		t.Fatal(err)
	}
	given, proven := b.Given, 0
	given.Low = append(given.Low, "rst_i")
	settle := func(searches []string) {
		for _, k := range slices.Clone(faults.Live) {
			scope, err := prove(t.TempDir(), faults, k, given, searches)
			if err != nil {
				t.Fatalf("%v: %v", list[k], err)
			}
			if scope != "" {
				t.Logf("shown equivalent in %s: %v", scope, list[k])
				proven++
				faults.Drop(k)
			}
		}
	}
	// What no part notices, and cannot be proven early, stays to the end.
	parts, first := 0, min(early, cycles)
	if len(b.Parts) > 0 {
		first /= 4
	}
	for cycle := 1; cycle <= cycles && len(faults.Live) > 0; cycle++ {
		if _, err := r.Step(); err != nil {
			t.Fatal(err)
		}
		r.Clock()
		if cycle != first {
			continue
		}
		for i := range b.Parts {
			seen, err := b.Parts[i].notices(n, list, faults.Live, min(early, cycles), seed)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range seen {
				t.Logf("noticed in the bench of %s: %v", b.Parts[i].Unit.Top, list[k])
				faults.Drop(k)
			}
			parts += len(seen)
		}
		settle(quick)
	}
	// What the cycles since then have not shown may have more registers that differ, which a proof has to know of; and it may take longer.
	if len(again) > 0 {
		settle(again)
	}
	for _, k := range faults.Live {
		t.Errorf("neither noticed nor proven: %v", list[k])
	}
	t.Logf("%s: of %d faults of cells %d are noticed, %d of them in the bench of a part, %d shown equivalent", b.Unit.Top, count,
		count-proven-len(faults.Live), parts, proven)
}

// notices returns which of some mutants of a netlist the bench notices of a module in it, in so many cycles.
func (b *Bench) notices(n *Netlist, list []netlist.Mutant, which []int, cycles int, seed uint64) (seen []int, err error) {
	at := slices.IndexFunc(n.Design.Modules, func(m *netlist.Module) bool {
		return m.Unit == b.Unit.Top && !slices.ContainsFunc(b.Set.Params, func(p testbench.Param) bool { return m.Params[p.Name] != p.Value })
	})
	if at < 0 {
		return nil, fmt.Errorf("the netlist has no module %s with %v", b.Unit.Top, b.Set.Params)
	}
	top := n.Design.Modules[at]
	var mutants []netlist.Mutant
	var number []int
	for _, k := range which {
		if top.Has(list[k].Module) {
			mutants, number = append(mutants, list[k]), append(number, k)
		}
	}
	if len(mutants) == 0 {
		return nil, nil
	}
	faults, err := netlist.NewFaults(&netlist.Design{Top: top, Modules: n.Design.Modules}, n.Lib, mutants)
	if err != nil {
		return nil, err
	}
	r, err := b.faultRun(faults, seed)
	for ; err == nil && r.Cycle < cycles && len(faults.Live) > 0; r.Clock() {
		_, err = r.Step()
	}
	for i, k := range number {
		if !slices.Contains(faults.Live, i) {
			seen = append(seen, k)
		}
	}
	return seen, err
}

// faultRun joins the unit to its netlist with faults: sixteen runs under each of the four patterns.
func (b *Bench) faultRun(faults *netlist.Faults, seed uint64) (*Run, error) {
	return NewFaultRun(b, faults, func(k int) testbench.Model { return b.Set.Model(testbench.Stalls[k%4], 64*seed+uint64(k)) })
}

// prove shows by some searches that no output differs with a mutant, in any cycle: of the module that it is in, over all inputs, or of one that
// instantiates it, up to the top. It returns the name of the module, "" without a proof. What no run showed decides which registers may differ; see
// netlist.Faults.Machines.
func prove(dir string, f *netlist.Faults, k int, given netlist.Given, searches []string) (string, error) {
	for _, scope := range f.Scopes(k) {
		machines, err := f.Machines(k, scope, given)
		if err != nil {
			return "", err
		}
		all := true
		for _, m := range machines {
			if all, err = never(dir, m, searches); err != nil {
				return "", err
			}
			if !all {
				break
			}
		}
		if all {
			return scope.Unit, nil
		}
	}
	return "", nil
}

// Searches for an invariant: which is the fastest is chance. Their times are seconds of the processor. Most mutants that are proven at all
// are so by the quick ones; the patient ones are for what would be open without, in a run of all cases.
var (
	quick   = []string{"pdr -n -T 20", "pdr -n -r -T 40", "pdr -n -f -T 30"}
	patient = []string{"pdr -n -T 200", "pdr -n -r -T 300"}
)

// never has ABC show that the output of a machine is never high: it merges nets that are always the same, by induction over what they have in
// common, then looks for an invariant of the rest by property-directed reachability, and checks it.
func never(dir string, m *netlist.Machine, searches []string) (bool, error) {
	file, err := os.Create(filepath.Join(dir, "machine.aig"))
	if err != nil {
		return false, err
	}
	err = m.Write(file)
	if e := file.Close(); err == nil {
		err = e
	}
	if err != nil {
		return false, err
	}
	out, err := abc(dir, "read_aiger machine.aig; scleanup; scorr; write_aiger merged.aig")
	if err != nil {
		return false, err
	}
	if _, err := os.Stat(filepath.Join(dir, "merged.aig")); err != nil {
		return false, fmt.Errorf("yosys-abc: %s", out)
	}
	for _, search := range searches {
		out, err := abc(dir, "read_aiger merged.aig; "+search)
		switch {
		case err != nil:
			return false, err
		case strings.Contains(out, "Property proved."):
			return true, nil
		case strings.Contains(out, "was asserted in frame"):
			return false, nil
		case !strings.Contains(out, "Property UNDECIDED."):
			return false, fmt.Errorf("yosys-abc: %s", out)
		}
	}
	return false, nil
}

// abc runs commands of ABC. It returns the end of what it says.
func abc(dir, commands string) (string, error) {
	cmd := exec.Command("yosys-abc", "-c", commands)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	out = out[max(0, len(out)-1500):]
	if err != nil {
		return "", fmt.Errorf("yosys-abc: %w: %s", err, out)
	}
	return string(out), nil
}
