package mutate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
// They are equal with all of params, the parameters that the module has in the
// benches (parameters).
func prove(dir, file string, mutant int, given string, params []string) (bool, error) {
	for _, p := range params {
		if ok, err := proveSet(dir, file, mutant, given, p); !ok || err != nil {
			return false, err
		}
	}
	return len(params) > 0, nil
}

// parameters returns, as options of chparam, the parameters of all instances of a module
// in the sets of the benches, each once. A module may have others than the set that it
// is in: its parent chooses some.
func parameters(module string, benches []Mutation) ([]string, error) {
	var list []string
	for _, b := range benches {
		u, sets := b.Sets()
		for _, set := range sets {
			more, err := elaborated(module, u.Top, set.Params)
			if err != nil {
				return nil, err
			}
			for _, p := range more {
				if !slices.Contains(list, p) {
					list = append(list, p)
				}
			}
		}
	}
	return list, nil
}

var (
	derived   = regexp.MustCompile(`(?m)^module (?:\$paramod(?:\$[0-9a-f]+)?)?\\(\w+)`)
	parameter = regexp.MustCompile(`(?m)^  parameter (?:signed )?\\(\w+) (\S+)$`)
)

// elaborated returns the parameters of the instances of a module in a top.
func elaborated(module, top string, params testbench.Params) (list []string, err error) {
	var script strings.Builder
	script.WriteString("read_verilog -defer")
	for _, folder := range testbench.Folders(top) {
		script.WriteString(" -I " + folder)
	}
	for _, folder := range testbench.Folders(top) {
		files, err := filepath.Glob(filepath.Join(testbench.Root(), folder, "*.v"))
		if err != nil {
			return nil, err
		}
		script.WriteString(" " + strings.Join(files, " "))
	}
	script.WriteString("; hierarchy -top " + top)
	for _, p := range params {
		fmt.Fprintf(&script, " -chparam %s %d", p.Name, p.Value)
	}
	script.WriteString("; write_rtlil")
	text, err := yosys(script.String())
	if err != nil {
		return nil, err
	}
	at := derived.FindAllStringSubmatchIndex(text, -1)
	for i, m := range at {
		if text[m[2]:m[3]] != module {
			continue
		}
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		var s strings.Builder
		for _, p := range parameter.FindAllStringSubmatch(text[m[1]:end], -1) {
			fmt.Fprintf(&s, "-set %s %s ", p[1], p[2])
		}
		list = append(list, s.String())
	}
	return list, nil
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
	script.WriteString("hierarchy; proc -norom; opt_expr; opt_clean; ")
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
