package netlist

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Param is a parameter that a module of the RTL has and its netlist was made for.
type Param struct {
	Name  string
	Value int
}

// A Writer writes a design in Verilog for simulation.
type Writer struct {
	Params  []Param  // of the top: another value is refused
	Mutants []Mutant // number k of them, from 1 on, stands where the variable vc_mutant of the bench is k
	Counted bool     // the bench counts what Probes names
}

// lint keeps Verilator from warnings that have no meaning for a netlist.
const lint = `/* verilator lint_off PINMISSING */
/* verilator lint_off PINCONNECTEMPTY */
/* verilator lint_off UNOPTFLAT */
/* verilator lint_off LATCH */
/* verilator lint_off COMBDLY */
/* verilator lint_off MULTITOP */
`

// chunk is the number of nets that the bench counts at a time.
const chunk = 64

// Write writes all modules.
func (o Writer) Write(w io.Writer, d *Design) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "// Netlist of %s.\n%s`ifndef VC_MUTANT\n`define VC_MUTANT $c32(\"vc_mutant\")\n`endif\n\n", d.Top.Unit, lint)
	sizes := map[*Module]int{}
	for _, m := range d.Modules {
		if err := o.module(b, d, m, sizes); err != nil {
			return err
		}
	}
	return b.Flush()
}

// local lists the nets of a module that one of its own cells drives, and for the top the inputs too, in order.
func (d *Design) local(m *Module) (nets []Bit) {
	if m == d.Top {
		for _, p := range m.Ports {
			if !p.Output {
				nets = append(nets, p.Bits...)
			}
		}
	}
	for i := range m.Cells {
		c := &m.Cells[i]
		if c.Module != nil {
			continue
		}
		for _, p := range c.Pins {
			if p.Output {
				nets = append(nets, p.Bits...)
			}
		}
	}
	slices.Sort(nets)
	nets = slices.Compact(nets)
	for len(nets) > 0 && nets[0] <= High {
		nets = nets[1:]
	}
	return nets
}

// events lists what of the cells of a module is counted by the cycle, not by the toggle.
func events(m *Module) (list []event) {
	for i := range m.Cells {
		c := &m.Cells[i]
		switch {
		case c.Memory():
			list = append(list, event{c, Reads}, event{c, Writes})
		case c.Module == nil && strings.HasPrefix(c.Type, "ICG"):
			list = append(list, event{c, Opens})
		}
	}
	return list
}

// An event is what a cell does in a cycle.
type event struct {
	cell *Cell
	kind Kind
}

// Kind says what a probe counts.
type Kind int

// Kinds of probes: toggles of a net; cycles in which a clock gate is open; reads and writes of a memory.
const (
	Toggles Kind = iota
	Opens
	Reads
	Writes
)

func (e event) verilog() string {
	pin := func(name string) string { b, _ := e.cell.Pin(name); return net(b) }
	switch {
	case e.kind == Opens:
		var terms []string
		for _, p := range e.cell.Pins {
			if !p.Output && p.Name != "CLK" && p.Bits[0] != Low {
				terms = append(terms, net(p.Bits[0]))
			}
		}
		return "(" + strings.Join(terms, " | ") + ")"
	case e.cell.Type == "vc_ram_1rw" && e.kind == Writes:
		return "(" + pin("en_i") + " & " + pin("we_i") + ")"
	case e.cell.Type == "vc_ram_1rw":
		return "(" + pin("en_i") + " & ~" + pin("we_i") + ")"
	case e.kind == Writes:
		return pin("we_i")
	}
	return pin("re_i")
}

func chunks(n int) int { return (n + chunk - 1) / chunk }

func net(b Bit) string {
	switch b {
	case Low:
		return "1'b0"
	case High:
		return "1'b1"
	}
	return fmt.Sprintf("n%d", b)
}

func concat(bits []Bit) string {
	if len(bits) == 1 {
		return net(bits[0])
	}
	var s []string
	for _, b := range slices.Backward(bits) {
		s = append(s, net(b))
	}
	return "{" + strings.Join(s, ", ") + "}"
}

func (o Writer) module(b *bufio.Writer, d *Design, m *Module, sizes map[*Module]int) error {
	fmt.Fprintf(b, "module %s", m.Name)
	var params []string
	if m == d.Top {
		for _, p := range o.Params {
			params = append(params, fmt.Sprintf("  parameter %s = %d", p.Name, p.Value))
		}
	}
	if o.Counted {
		params = append(params, "  parameter VcBase = 0")
	}
	if len(params) > 0 {
		fmt.Fprintf(b, " #(\n%s\n)", strings.Join(params, ",\n"))
	}
	fmt.Fprint(b, " (\n")
	for i, p := range m.Ports {
		dir, comma := "input ", ","
		if p.Output {
			dir = "output"
		}
		if i == len(m.Ports)-1 && (!o.Counted || m == d.Top) {
			comma = ""
		}
		width := ""
		if len(p.Bits) > 1 {
			width = fmt.Sprintf("[%d:0] ", len(p.Bits)-1)
		}
		fmt.Fprintf(b, "  %s wire %s%s%s\n", dir, width, p.Name, comma)
	}
	if o.Counted && m != d.Top {
		fmt.Fprintln(b, "  input  wire vc_clk")
	}
	fmt.Fprint(b, ");\n")
	if m == d.Top {
		for _, p := range o.Params {
			fmt.Fprintf(b, "  generate if (%s != %d) begin : gen_illegal_%[1]s\n    illegal_%[1]s_is_not_%[2]d_of_the_netlist u_illegal ();\n  end endgenerate\n", p.Name, p.Value)
		}
		if o.Counted {
			fmt.Fprintln(b, "  wire vc_clk = clk_i;")
		}
	}
	declared := map[Bit]bool{Low: true, High: true}
	declare := func(bits []Bit) {
		for _, n := range bits {
			if !declared[n] {
				declared[n] = true
				fmt.Fprintf(b, "  wire %s;\n", net(n))
			}
		}
	}
	for _, p := range m.Ports {
		declare(p.Bits)
		if !p.Output {
			fmt.Fprintf(b, "  assign %s = %s;\n", concat(p.Bits), p.Name)
		}
	}
	for i := range m.Cells {
		for _, p := range m.Cells[i].Pins {
			declare(p.Bits)
		}
	}
	for _, p := range m.Ports {
		if p.Output {
			fmt.Fprintf(b, "  assign %s = %s;\n", p.Name, concat(p.Bits))
		}
	}
	local := d.local(m)
	counted := events(m)
	offset := chunks(len(local)) + chunks(len(counted))
	for i := range m.Cells {
		c := &m.Cells[i]
		name := fmt.Sprintf("u%d", i)
		var conns []string
		switch {
		case c.Module != nil:
			name = fmt.Sprintf("\\%s ", c.Name)
			if o.Counted {
				fmt.Fprintf(b, "  %s #(.VcBase(VcBase + %d)) %s (", c.Module.Name, offset, name)
				conns = append(conns, ".vc_clk(vc_clk)")
				offset += sizes[c.Module]
			} else {
				fmt.Fprintf(b, "  %s %s (", c.Module.Name, name)
			}
		case c.Memory():
			var set []string
			for _, k := range []string{"Width", "Depth"} {
				if v, ok := c.Params[k]; ok {
					set = append(set, fmt.Sprintf(".%s(%d)", k, v))
				}
			}
			fmt.Fprintf(b, "  %s #(%s) \\%s  (", c.Type, strings.Join(set, ", "), c.Name)
		default:
			if mutants := o.of(m, i); mutants != nil {
				if err := o.mutated(b, c, name, mutants); err != nil {
					return err
				}
				continue
			}
			fmt.Fprintf(b, "  %s %s (", c.Type, name)
		}
		for _, p := range c.Pins {
			conns = append(conns, fmt.Sprintf(".%s(%s)", p.Name, concat(p.Bits)))
		}
		fmt.Fprintf(b, "%s);\n", strings.Join(conns, ", "))
	}
	if o.Counted {
		var calls []string
		at := 0
		for part := range slices.Chunk(local, chunk) {
			fmt.Fprintf(b, "  wire [63:0] vc_probe%d = %s;\n", at, wide(concat(part), len(part)))
			calls = append(calls, fmt.Sprintf("    $c(\"vc_toggles(\", VcBase + %d, \",\", vc_probe%d, \");\");\n", at, at))
			at++
		}
		for part := range slices.Chunk(counted, chunk) {
			var terms []string
			for _, e := range slices.Backward(part) {
				terms = append(terms, e.verilog())
			}
			fmt.Fprintf(b, "  wire [63:0] vc_probe%d = %s;\n", at, wide("{"+strings.Join(terms, ", ")+"}", len(part)))
			calls = append(calls, fmt.Sprintf("    $c(\"vc_cycles(\", VcBase + %d, \",\", vc_probe%d, \");\");\n", at, at))
			at++
		}
		if len(calls) > 0 {
			fmt.Fprintf(b, "  always @(posedge vc_clk) begin\n%s  end\n", strings.Join(calls, ""))
		}
		sizes[m] = offset
	}
	fmt.Fprint(b, "endmodule\n\n")
	return nil
}

func wide(text string, n int) string {
	if n == chunk {
		return text
	}
	return fmt.Sprintf("{%d'b0, %s}", chunk-n, text)
}
