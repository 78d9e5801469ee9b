package netlist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"vcsim/internal/liberty"
)

// A Mutant is a fault of one cell of a netlist.
type Mutant struct {
	Module *Module
	Cell   int
	Kind   string // what is wrong, for the reader
	Type   string // cell that stands in its place, "" for none
	Pins   [2]string
	Stuck  Bit // of pin Pins[0], for kind stuck
}

func (f Mutant) String() string {
	c := &f.Module.Cells[f.Cell]
	out := ""
	for _, p := range c.Pins {
		if p.Output && len(p.Bits) > 0 {
			out = f.Module.Names[int(p.Bits[0])]
		}
	}
	return fmt.Sprintf("%s: %s of %s: %s", f.Module.Unit, c.Type, out, f.Kind)
}

// Mutants draws n faults of cells, all instances of a module having the same: a cell of another function, two pins exchanged, an output
// inverted, a pin stuck. No fault leaves the function of its cell as it was.
func (d *Design) Mutants(lib *liberty.Library, n int, rng *rand.Rand) []Mutant {
	type place struct {
		m *Module
		i int
	}
	var places []place
	for _, m := range d.Modules {
		for i := range m.Cells {
			if c := &m.Cells[i]; c.Module == nil && !c.Memory() && !strings.HasPrefix(c.Type, "ICG") && !strings.HasPrefix(c.Type, "TIE") {
				places = append(places, place{m, i})
			}
		}
	}
	var list []Mutant
	seen := map[string]bool{}
	for tries := 0; len(list) < n && tries < 100*n; tries++ {
		p := places[rng.IntN(len(places))]
		faults := cellFaults(lib, p.m.Cells[p.i].Type)
		if len(faults) == 0 {
			continue
		}
		// A kind first: there are more cells to take than pins to exchange.
		kinds := []string{}
		for _, f := range faults {
			if k, _, _ := strings.Cut(f.Kind, " "); !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
		kind := kinds[rng.IntN(len(kinds))]
		faults = slices.DeleteFunc(faults, func(f Mutant) bool { return !strings.HasPrefix(f.Kind, kind+" ") })
		f := faults[rng.IntN(len(faults))]
		f.Module, f.Cell = p.m, p.i
		key := fmt.Sprint(p.m.Name, p.i, f.Kind)
		if !seen[key] {
			seen[key] = true
			list = append(list, f)
		}
	}
	return list
}

// cellFaults lists the faults that a cell can have.
func cellFaults(lib *liberty.Library, name string) (list []Mutant) {
	c := lib.Cell(name)
	if c == nil {
		return nil
	}
	ins := inputs(c)
	out := ""
	for _, p := range c.Pins {
		if p.Direction == "output" {
			if out != "" {
				return nil // several
			}
			out = p.Name
		}
	}
	list = append(list, Mutant{Kind: "inverted " + out, Pins: [2]string{out}})
	for _, v := range []Bit{Low, High} {
		list = append(list, Mutant{Kind: fmt.Sprintf("stuck %s at %d", out, v), Pins: [2]string{out}, Stuck: v})
	}
	for _, p := range ins {
		if !c.Pin(p).Clock && len(ins) > 1 {
			for _, v := range []Bit{Low, High} {
				list = append(list, Mutant{Kind: fmt.Sprintf("stuck %s at %d", p, v), Pins: [2]string{p}, Stuck: v})
			}
		}
	}
	if c.Seq != nil || len(ins) > 6 || len(ins) < 2 {
		return list
	}
	f, err := ParseExpr(c.Pin(out).Function)
	if err != nil {
		return list
	}
	was := f.truth(ins)
	for i := range ins {
		for j := range i {
			pins := slices.Clone(ins)
			pins[i], pins[j] = pins[j], pins[i]
			if f.truth(pins) != was {
				list = append(list, Mutant{Kind: fmt.Sprintf("exchanged %s, %s", ins[j], ins[i]), Pins: [2]string{ins[i], ins[j]}})
			}
		}
	}
	tables := map[uint64]bool{was: true}
	for _, o := range lib.Cells {
		if o.Seq != nil || o.Name == name || !slices.Equal(inputs(o), ins) {
			continue
		}
		p := o.Pin(out)
		if p == nil || p.Direction != "output" {
			continue
		}
		g, err := ParseExpr(p.Function)
		if err != nil {
			continue
		}
		if t := g.truth(ins); !tables[t] {
			tables[t] = true
			list = append(list, Mutant{Kind: "function of " + o.Name, Type: o.Name})
		}
	}
	return list
}
