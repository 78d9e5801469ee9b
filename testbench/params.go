package testbench

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// A Param is a Verilog parameter of the module under test.
type Param struct {
	Name  string
	Value int
}

// Params are those of one parameter set.
type Params []Param

func (params Params) String() string {
	var s []string
	for _, p := range params {
		s = append(s, fmt.Sprintf("%s=%d", p.Name, p.Value))
	}
	return strings.Join(s, " ")
}

// Check reports the first parameter that the module of a Verilog file does not
// have, or that follows from its others.
func (params Params) Check(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	have := map[string]string{}
	for _, d := range declared(string(text)) {
		have[d.name] = d.from
	}
	for _, p := range params {
		from, ok := have[p.Name]
		switch {
		case !ok:
			return fmt.Errorf("%s has no parameter %s", file, p.Name)
		case from != "":
			return fmt.Errorf("%s: %s follows from %s and is not passed", file, p.Name, from)
		}
	}
	return nil
}

// A declaration is that of a parameter of a module.
type declaration struct {
	name  string
	value string // the default
	from  string // the first other parameter that the default names; "" for one that is passed
}

var (
	parameterLine = regexp.MustCompile(`(?m)^ *parameter +(\w+) *= *([^/\n]*[^,/\n ])`)
	identifier    = regexp.MustCompile(`[A-Za-z_]\w*`)
)

// declared returns the parameters of the module in a text, in order.
func declared(text string) []declaration {
	var list []declaration
	seen := map[string]bool{}
	for _, m := range parameterLine.FindAllStringSubmatch(text, -1) {
		d := declaration{name: m[1], value: m[2]}
		for _, word := range identifier.FindAllString(d.value, -1) {
			if seen[word] {
				d.from = word
				break
			}
		}
		seen[d.name] = true
		list = append(list, d)
	}
	return list
}
