package netlist

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"vcsim/internal/liberty"
)

// Output reports whether a pin of a cell of the library is an output, for Read.
func Output(lib *liberty.Library) func(cell, pin string) bool {
	outputs := map[[2]string]bool{}
	for _, c := range lib.Cells {
		for _, p := range c.Pins {
			outputs[[2]string{c.Name, p.Name}] = p.Direction == "output"
		}
	}
	return func(cell, pin string) bool { return outputs[[2]string{cell, pin}] }
}

// clockGate reports whether a cell is an integrated clock gate.
func clockGate(c *liberty.Cell) bool { return c.Gate != "" }

// WriteCells writes a functional model in Verilog of each cell of the library that the design uses.
func (d *Design) WriteCells(w io.Writer, lib *liberty.Library) error {
	done := map[string]bool{}
	for _, m := range d.Modules {
		for i := range m.Cells {
			c := &m.Cells[i]
			if c.Module != nil || c.Memory() || done[c.Type] {
				continue
			}
			done[c.Type] = true
			cell := lib.Cell(c.Type)
			if cell == nil {
				return fmt.Errorf("%s: cell %s is not in library %s", m.Unit, c.Type, lib.Name)
			}
			if err := writeCell(w, cell); err != nil {
				return fmt.Errorf("cell %s: %w", c.Type, err)
			}
		}
	}
	return nil
}

// writeCell writes the model of a cell. A register that starts at zero has to mean what it means in the RTL: where the state is the
// complement of the data (ASAP7's flip-flops are such), the model holds the complement of the state.
func writeCell(w io.Writer, c *liberty.Cell) error {
	var ports []string
	for _, p := range c.Pins {
		switch p.Direction {
		case "input", "output":
			ports = append(ports, p.Direction+" wire "+p.Name)
		}
	}
	fmt.Fprintf(w, "module %s (%s);\n", c.Name, strings.Join(ports, ", "))
	body, err := cellBody(c)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%sendmodule\n\n", body)
	return err
}

func cellBody(c *liberty.Cell) (string, error) {
	var b strings.Builder
	expr := func(text string) (string, error) {
		e, err := ParseExpr(text)
		if err != nil {
			return "", err
		}
		return e.Verilog(), nil
	}
	switch {
	case clockGate(c):
		if !strings.HasPrefix(c.Gate, "latch_posedge") {
			return "", fmt.Errorf("a clock gate of kind %q has no model", c.Gate)
		}
		var enables []string
		clock, out := "", ""
		for _, p := range c.Pins {
			switch {
			case p.Direction == "output":
				out = p.Name
			case p.Direction == "input" && p.Clock:
				clock = p.Name
			case p.Direction == "input":
				enables = append(enables, p.Name)
			}
		}
		if clock == "" || out == "" || len(enables) == 0 {
			return "", fmt.Errorf("a clock gate without a clock, an enable or an output")
		}
		// As vc_clock_gate: the clock behind the gate rises as flip-flops change, and not before they have sampled what hangs on it.
		fmt.Fprintf(&b, "  reg vc_state;\n  always @(posedge %[1]s or negedge %[1]s) vc_state <= %[1]s & (%[2]s);\n  assign %[3]s = vc_state;\n",
			clock, strings.Join(enables, " | "), out)
		return b.String(), nil
	case c.Seq != nil:
		s := c.Seq
		next, err := expr(s.Next)
		if err != nil {
			return "", err
		}
		clock, err := expr(s.Clock)
		if err != nil {
			return "", err
		}
		held := s.State // what vc_state is
		if e, _ := ParseExpr(s.Next); e.op == '!' {
			next, held = e.args[0].Verilog(), s.Inv
		}
		fmt.Fprintf(&b, "  reg vc_state;\n  wire vc_clock = %s;\n", clock)
		var edges, force string
		for _, f := range []struct {
			when  string
			state string
		}{{s.Clear, "1'b0"}, {s.Preset, "1'b1"}} {
			if f.when == "" {
				continue
			}
			e, err := expr(f.when)
			if err != nil {
				return "", err
			}
			value := f.state
			if held == s.Inv {
				value = map[string]string{"1'b0": "1'b1", "1'b1": "1'b0"}[f.state]
			}
			name := fmt.Sprintf("vc_force%d", len(edges))
			fmt.Fprintf(&b, "  wire %s = %s;\n", name, e)
			edges += " or posedge " + name
			force += fmt.Sprintf("if (%s) vc_state <= %s; else ", name, value)
		}
		if s.Latch {
			fmt.Fprintf(&b, "  always @* %sif (vc_clock) vc_state <= %s;\n", force, next)
		} else {
			fmt.Fprintf(&b, "  always @(posedge vc_clock%s) %svc_state <= %s;\n", edges, force, next)
		}
		other := s.Inv
		if held == s.Inv {
			other = s.State
		}
		fmt.Fprintf(&b, "  wire %s = vc_state;\n", held)
		if other != "" {
			fmt.Fprintf(&b, "  wire %s = ~vc_state;\n", other)
		}
	}
	for _, p := range c.Pins {
		if p.Direction != "output" {
			continue
		}
		if p.Function == "" {
			return "", fmt.Errorf("output %s has no function", p.Name)
		}
		f, err := expr(p.Function)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "  assign %s = %s;\n", p.Name, f)
	}
	return b.String(), nil
}

// inputs returns the input pins of a cell, by name.
func inputs(c *liberty.Cell) (names []string) {
	for _, p := range c.Pins {
		if p.Direction == "input" {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}
