package mutate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"vcsim/testbench"
)

// prove has yosys compare a module with one of its mutants: from the same
// registers and the same inputs, outputs of instances among them, follow the
// same outputs and the same registers, whatever they are. With given, an
// expression over the names of the module, this holds in cycles in which it is
// true alone. No register needs to be reachable, so that some mutants that
// behave like the module have no such proof.
//
// The module has the parameters that it shares with each of the sets.
func prove(dir, file string, mutant int, given string, sets []testbench.Set) (bool, error) {
	done := map[string]bool{}
	for _, set := range sets {
		params, err := shared(file, set.Params)
		if err != nil {
			return false, err
		}
		if done[params] {
			continue
		}
		done[params] = true
		if ok, err := proveSet(dir, file, mutant, given, params); !ok || err != nil {
			return false, err
		}
	}
	return len(done) > 0, nil
}

var parameter = regexp.MustCompile(`(?m)^\s*parameter\s+(?:\[[^\]]*\]\s*)?(\w+)\s*=`)

// shared returns the options of chparam for those parameters that a module has.
func shared(file string, params testbench.Params) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var s strings.Builder
	for _, m := range parameter.FindAllStringSubmatch(string(text), -1) {
		for _, p := range params {
			if p.Name == m[1] {
				fmt.Fprintf(&s, "-set %s %d ", p.Name, p.Value)
			}
		}
	}
	return s.String(), nil
}

func proveSet(dir, file string, mutant int, given, params string) (bool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	gold, gate := filepath.Join(dir, "gold.v"), filepath.Join(dir, "gate.v")
	if _, err := mutateFile(file, gate, mutant); err != nil {
		return false, err
	}
	if given != "" {
		text = []byte(strings.Replace(string(text), "\nendmodule", "\nalways @* assume ("+given+");\nendmodule", 1))
	}
	if err := os.WriteFile(gold, text, 0o666); err != nil {
		return false, err
	}
	top := strings.TrimSuffix(filepath.Base(file), ".v")
	headers := ""
	for _, folder := range testbench.Folders(top) {
		headers += " -I " + folder
	}
	var script strings.Builder
	for _, m := range [][2]string{{"gold", gold}, {"gate", gate}} {
		fmt.Fprintf(&script, "read_verilog -formal %s %s; ", headers, m[1])
		if params != "" {
			fmt.Fprintf(&script, "chparam %s %s; ", params, top)
		}
		fmt.Fprintf(&script, "rename %s %s; ", top, m[0])
	}
	if libs := instances(string(text)); len(libs) > 0 {
		fmt.Fprintf(&script, "read_verilog -defer %s %s; ", headers, strings.Join(libs, " "))
	}
	script.WriteString("hierarchy; proc; opt_expr; opt_clean; ")
	for _, m := range []string{"gold", "gate"} {
		// Instances and registers give inputs, which both share, and get outputs.
		fmt.Fprintf(&script, "expose -evert %s/c:*; expose -cut -dff %[1]s/w:*; ", m)
	}
	// What was registered in step 1 is an output of step 2.
	script.WriteString("miter -equiv -flatten gold gate miter; hierarchy -top miter; opt_expr; opt_merge; opt_clean; " +
		"sat -verify -set-assumes -seq 2 -prove trigger 0 -prove-skip 1 miter")
	out, err := yosys(script.String())
	switch {
	case strings.Contains(out, "SAT proof finished - no model found: SUCCESS!"):
		return err == nil, err
	case strings.Contains(out, "proof did fail"), strings.Contains(out, "No matching port"), errors.Is(err, errSlow):
		return false, nil
	case err == nil:
		return false, fmt.Errorf("no result: %s", out[max(0, len(out)-1500):])
	}
	return false, err
}

var instance = regexp.MustCompile(`(?m)^\s*((?:vc|t26[45])_\w+) (?:#\(|u_)`)

// instances returns the files of the modules that a module names.
func instances(text string) []string {
	var files []string
	seen := map[string]bool{}
	for _, m := range instance.FindAllStringSubmatch(text, -1) {
		if seen[m[1]] {
			continue
		}
		seen[m[1]] = true
		found, err := filepath.Glob(filepath.Join(testbench.Root(), "rtl", "*", m[1]+".v"))
		if gen, err2 := filepath.Glob(filepath.Join(testbench.Root(), "rtl", "*", "gen", m[1]+".v")); err == nil && err2 == nil {
			files = append(files, append(found, gen...)...)
		}
	}
	return files
}
