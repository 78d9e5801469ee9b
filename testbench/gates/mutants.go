package gates

import (
	"bytes"
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

// Mutants draws faults of single cells and asks whether the comparison notices each: 63 faults side by side for cycles of a stimulus under
// one of the four patterns, those left under the next; then what is left one by one, for as many cycles of 64 stimuli side by side. Of one
// that it does not notice yosys has to show that outputs and next state stay the same (see same), or reasons holds why they do.
func (b *Bench) Mutants(t *testing.T, count, cycles int, seed uint64, reasons map[string]string) {
	n, err := b.Netlist()
	if err != nil {
		t.Fatal(err)
	}
	list := n.Design.Mutants(n.Lib, count, rand.New(rand.NewPCG(seed, 0)))
	if len(list) < count {
		t.Fatalf("%d mutants, want %d", len(list), count)
	}
	left := list
	for i, stall := range testbench.Stalls {
		var next []netlist.Mutant
		for part := range slices.Chunk(left, netlist.Lanes-1) {
			differ, err := b.differ(n, part, stall, seed+uint64(i), cycles)
			if err != nil {
				t.Fatal(err)
			}
			for k, f := range part {
				if differ>>(k+1)&1 == 0 {
					next = append(next, f)
				}
			}
		}
		left = next
	}
	noticed, proven, listed := count-len(left), 0, 0
	for _, f := range left {
		sim, err := netlist.NewSim(n.Design, n.Lib, []netlist.Mutant{f})
		if err != nil {
			t.Fatal(err)
		}
		ok, err := same(t.TempDir(), sim, 0)
		if err != nil {
			t.Errorf("%v: %v", f, err)
			continue
		}
		if ok {
			proven++
			continue
		}
		sim.Everywhere(0)
		r, err := NewRun(b, sim, func(k int) testbench.Model { return b.Set.Model(testbench.Stalls[k%4], seed+100+uint64(k)) })
		if err != nil {
			t.Fatal(err)
		}
		differ := uint64(0)
		for i := 0; i < cycles && differ == 0; i++ {
			if differ, err = r.Step(); differ == 0 && err != nil {
				t.Fatal(err)
			}
			r.Clock()
		}
		if differ == 0 {
			for before := 1; before <= longest && !ok; before++ {
				if ok, err = same(t.TempDir(), sim, before); err != nil {
					t.Errorf("%v: %v", f, err)
				}
			}
		}
		switch {
		case differ != 0:
			noticed++
		case ok:
			proven++
		case reasons[f.String()] != "":
			listed++
		default:
			t.Errorf("not noticed: %v", f)
		}
	}
	t.Logf("%s: of %d faults of cells %d are noticed, %d shown equivalent, %d by their reason", b.Unit.Top, count, noticed, proven, listed)
}

// differ returns the runs of a netlist whose outputs leave those of the model; run 0 has no fault.
func (b *Bench) differ(n *Netlist, faults []netlist.Mutant, stall testbench.Stall, seed uint64, cycles int) (uint64, error) {
	sim, err := netlist.NewSim(n.Design, n.Lib, faults)
	if err != nil {
		return 0, err
	}
	model := b.Set.Model(stall, seed)
	r, err := NewRun(b, sim, func(int) testbench.Model { return nil })
	if err != nil {
		return 0, err
	}
	all := uint64(1)<<(len(faults)+1) - 1
	if len(faults) == netlist.Lanes-1 {
		all = ^uint64(0)
	}
	for k := 1; k < netlist.Lanes; k++ {
		r.inputs[k], r.outputs[k] = r.inputs[0], r.outputs[0]
	}
	differ := uint64(0)
	for range cycles {
		model.Cycle(r.inputs[0], r.outputs[0])
		d, err := r.Compare()
		if d&1 != 0 || d == 0 && err != nil {
			return 0, err
		}
		if differ |= d & all; differ == all&^1 {
			break
		}
		r.Clock()
	}
	return differ, nil
}

// longest is the largest number of cycles before the compared one that a proof goes back.
const longest = 3

// same has yosys say whether outputs and next state of the one mutant of sim are always those of the design: from any state of the registers
// that so many cycles of the design leave, and in the first of these after reset. What a mutant does not do first it does never.
func same(dir string, sim *netlist.Sim, before int) (bool, error) {
	ok, err := holds(dir, sim, netlist.Miter{Before: before})
	for first := 0; ok && first < before; first++ {
		ok, err = holds(dir, sim, netlist.Miter{Before: first, Reset: true})
	}
	return ok, err
}

// holds has yosys look for a case in which a miter differs.
func holds(dir string, sim *netlist.Sim, m netlist.Miter) (bool, error) {
	file := filepath.Join(dir, "miter.v")
	var text bytes.Buffer
	ends, err := sim.WriteMiter(&text, m)
	if err != nil || ends == 0 {
		return err == nil, err
	}
	if err := os.WriteFile(file, text.Bytes(), 0o666); err != nil {
		return false, err
	}
	cmd := exec.Command("yosys", "-p", "read_verilog "+file+"; proc; opt_clean; sat -timeout 60 -verify -prove differ 0 miter")
	cmd.Dir = testbench.Root()
	out, err := cmd.CombinedOutput()
	switch text := string(out); {
	case strings.Contains(text, "SAT proof finished - no model found: SUCCESS!"):
		return err == nil, err
	case strings.Contains(text, "proof did fail"), strings.Contains(text, "timeout"):
		return false, nil
	}
	return false, fmt.Errorf("yosys: %v: %s", err, out[max(0, len(out)-1500):])
}
