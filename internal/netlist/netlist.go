// Package netlist holds mapped netlists: it reads what yosys writes, and writes them as Verilog for simulation, with models of the cells
// that follow from their Liberty description, and simulates them itself, 64 runs side by side, with counters of toggles and with faults. From
// the toggles it works out energy.
package netlist

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"vcsim/internal/liberty"
)

// A Design is a netlist with hierarchy.
type Design struct {
	Top     *Module
	Modules []*Module // the used ones, a module behind those that it instantiates
}

// A Module is a part of a design.
type Module struct {
	Name string // as in the RTL, for the top; else with a number
	Unit string // as in the RTL
	// Params are its parameters that are numbers of at most 63 bits, those that it has without being told among them.
	Params map[string]int
	Ports  []Port
	Cells  []Cell // by name
	Names  map[int]string
}

// Has reports whether a module is this one or a part of it.
func (m *Module) Has(part *Module) bool {
	return m == part || slices.ContainsFunc(m.Cells, func(c Cell) bool { return c.Module != nil && c.Module.Has(part) })
}

// A Port has the bits of its net, the lowest first.
type Port struct {
	Name   string
	Output bool
	Bits   []Bit
}

// A Bit is the number of a net of its module, or a constant: 0 or 1.
type Bit int

// Constant bits. Nets count from 2.
const (
	Low  Bit = 0
	High Bit = 1
)

// A Cell is a standard cell, an instance of a module of the design, or one of a memory.
type Cell struct {
	Name   string
	Type   string
	Module *Module        // nil for standard cells and memories
	Params map[string]int // of a memory
	Pins   []Port         // by name
}

// Memory reports whether the cell is a memory of the RTL.
func (c *Cell) Memory() bool { return strings.HasPrefix(c.Type, "vc_ram_") }

// Pin returns the net of a pin of one bit.
func (c *Cell) Pin(name string) (Bit, bool) {
	for _, p := range c.Pins {
		if p.Name == name && len(p.Bits) == 1 {
			return p.Bits[0], true
		}
	}
	return 0, false
}

type jsonModule struct {
	Attributes map[string]any
	Parameters map[string]any `json:"parameter_default_values"`
	Ports      map[string]struct {
		Direction string
		Bits      []any
	}
	Cells map[string]struct {
		Type        string
		Parameters  map[string]any
		Directions  map[string]string `json:"port_directions"`
		Connections map[string][]any
	}
	Netnames map[string]struct {
		Hide int `json:"hide_name"`
		Bits []any
	}
}

// Read reads the JSON of yosys's write_json. output reports whether a pin of a standard cell is an output.
func Read(r io.Reader, top string, output func(cell, pin string) bool) (*Design, error) {
	var file struct{ Modules map[string]jsonModule }
	if err := json.NewDecoder(r).Decode(&file); err != nil {
		return nil, fmt.Errorf("netlist of %s: %w", top, err)
	}
	d := &Design{}
	done := map[string]*Module{}
	var load func(name string) (*Module, error)
	load = func(name string) (*Module, error) {
		if m := done[name]; m != nil {
			return m, nil
		}
		j, ok := file.Modules[name]
		if !ok {
			return nil, fmt.Errorf("netlist of %s: no module %s", top, name)
		}
		m := &Module{Unit: unitName(name), Names: map[int]string{}}
		m.Name = m.Unit
		m.Params = readParams(j.Parameters)
		for _, p := range slices.Sorted(maps.Keys(j.Ports)) {
			port := j.Ports[p]
			bits, err := readBits(port.Bits)
			if err != nil {
				return nil, fmt.Errorf("%s: port %s: %w", m.Unit, p, err)
			}
			m.Ports = append(m.Ports, Port{p, port.Direction == "output", bits})
		}
		for _, c := range slices.Sorted(maps.Keys(j.Cells)) {
			cell := j.Cells[c]
			out := Cell{Name: c, Type: cell.Type}
			if sub, ok := file.Modules[cell.Type]; ok && !out.Memory() && sub.Attributes["blackbox"] == nil { // a cell of the library may be there too
				child, err := load(cell.Type)
				if err != nil {
					return nil, err
				}
				out.Module = child
			}
			for _, p := range slices.Sorted(maps.Keys(cell.Connections)) {
				bits, err := readBits(cell.Connections[p])
				if err != nil {
					return nil, fmt.Errorf("%s: %s.%s: %w", m.Unit, c, p, err)
				}
				pin := Port{p, cell.Directions[p] == "output", bits}
				switch {
				case out.Module != nil:
					i := slices.IndexFunc(out.Module.Ports, func(q Port) bool { return q.Name == p })
					if i < 0 || len(out.Module.Ports[i].Bits) != len(bits) {
						return nil, fmt.Errorf("%s: %s.%s does not fit module %s", m.Unit, c, p, out.Module.Unit)
					}
					pin.Output = out.Module.Ports[i].Output
				case out.Memory():
					pin.Output = strings.HasSuffix(p, "_o")
				default:
					pin.Output = output(cell.Type, p)
				}
				out.Pins = append(out.Pins, pin)
			}
			if out.Memory() {
				if out.Params = readParams(cell.Parameters); len(out.Params) < len(cell.Parameters) {
					return nil, fmt.Errorf("%s: a parameter of %s is no number", m.Unit, c)
				}
			}
			m.Cells = append(m.Cells, out)
		}
		for _, n := range slices.SortedFunc(maps.Keys(j.Netnames), func(a, b string) int {
			return cmp.Or(cmp.Compare(j.Netnames[a].Hide, j.Netnames[b].Hide), cmp.Compare(a, b))
		}) {
			for i, b := range j.Netnames[n].Bits {
				if id, ok := b.(float64); ok && m.Names[int(id)] == "" {
					m.Names[int(id)] = n + "[" + strconv.Itoa(i) + "]"
				}
			}
		}
		done[name] = m
		d.Modules = append(d.Modules, m)
		return m, nil
	}
	m, err := load(top)
	if err != nil {
		return nil, err
	}
	d.Top = m
	for i, m := range d.Modules {
		if m != d.Top {
			m.Name = fmt.Sprintf("%s__%d", m.Unit, i)
		}
	}
	return d, nil
}

// unitName returns the name of a module in the RTL: yosys calls one with parameters $paramod\NAME\... or $paramod$HASH\NAME.
func unitName(name string) string {
	if !strings.HasPrefix(name, "$paramod") {
		return name
	}
	parts := strings.Split(name, `\`)
	if len(parts) < 2 {
		return name
	}
	return parts[1]
}

// readParams returns those parameters that are numbers of at most 63 bits.
func readParams(values map[string]any) map[string]int {
	params := map[string]int{}
	for k, v := range values {
		if n, err := strconv.ParseInt(fmt.Sprint(v), 2, 64); err == nil {
			params[k] = int(n)
		}
	}
	return params
}

func readBits(list []any) ([]Bit, error) {
	bits := make([]Bit, len(list))
	for i, v := range list {
		switch v := v.(type) {
		case float64:
			bits[i] = Bit(v)
		case string:
			if v == "1" {
				bits[i] = High
			} else if v != "0" && v != "x" {
				return nil, fmt.Errorf("a bit is %q", v)
			} // nobody looks at x
		default:
			return nil, fmt.Errorf("a bit is %v", v)
		}
	}
	return bits, nil
}

// MergeGates makes one clock gate of all that have the same inputs in a module.
func (d *Design) MergeGates(lib *liberty.Library) {
	gates := map[string]bool{}
	for _, c := range lib.Cells {
		gates[c.Name] = clockGate(c)
	}
	for _, m := range d.Modules {
		first := map[string]Bit{} // output of the gate with these inputs
		same := map[Bit]Bit{}
		m.Cells = slices.DeleteFunc(m.Cells, func(c Cell) bool {
			if c.Module != nil || !gates[c.Type] {
				return false
			}
			key, out := c.Type, Low
			for _, p := range c.Pins {
				if p.Output {
					out = p.Bits[0]
				} else {
					key += fmt.Sprint(" ", p.Name, p.Bits)
				}
			}
			have, ok := first[key]
			if !ok {
				first[key] = out
				return false
			}
			same[out] = have
			return true
		})
		for i := range m.Cells {
			for _, p := range m.Cells[i].Pins {
				for k, b := range p.Bits {
					if to, ok := same[b]; ok {
						p.Bits[k] = to
					}
				}
			}
		}
	}
}

// Count returns how many cells of the design, all instances taken, f holds for.
func (d *Design) Count(f func(c *Cell) bool) int {
	var count func(m *Module) int
	count = func(m *Module) (n int) {
		for i := range m.Cells {
			c := &m.Cells[i]
			switch {
			case c.Module != nil:
				n += count(c.Module)
			case f(c):
				n++
			}
		}
		return n
	}
	return count(d.Top)
}
