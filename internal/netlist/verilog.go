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

// lint keeps Verilator from warnings that have no meaning for a netlist.
const lint = `/* verilator lint_off PINMISSING */
/* verilator lint_off PINCONNECTEMPTY */
/* verilator lint_off UNOPTFLAT */
/* verilator lint_off LATCH */
/* verilator lint_off COMBDLY */
/* verilator lint_off MULTITOP */
`

// Write writes all modules in Verilog. The top refuses other parameters than those it was made for; memories are those of the RTL.
func (d *Design) Write(w io.Writer, params []Param) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "// Netlist of %s.\n%s\n", d.Top.Unit, lint)
	for _, m := range d.Modules {
		d.writeModule(b, m, params)
	}
	return b.Flush()
}

func net(b Bit) string {
	if b <= High {
		return fmt.Sprintf("1'b%d", b)
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

func (d *Design) writeModule(b *bufio.Writer, m *Module, params []Param) {
	fmt.Fprintf(b, "module %s", m.Name)
	if m == d.Top && len(params) > 0 {
		var list []string
		for _, p := range params {
			list = append(list, fmt.Sprintf("  parameter %s = %d", p.Name, p.Value))
		}
		fmt.Fprintf(b, " #(\n%s\n)", strings.Join(list, ",\n"))
	}
	var ports []string
	for _, p := range m.Ports {
		dir, width := "input ", ""
		if p.Output {
			dir = "output"
		}
		if len(p.Bits) > 1 {
			width = fmt.Sprintf("[%d:0] ", len(p.Bits)-1)
		}
		ports = append(ports, fmt.Sprintf("  %s wire %s%s", dir, width, p.Name))
	}
	fmt.Fprintf(b, " (\n%s\n);\n", strings.Join(ports, ",\n"))
	if m == d.Top {
		for _, p := range params {
			fmt.Fprintf(b, "  generate if (%s != %d) begin : gen_illegal_%[1]s\n    illegal_%[1]s_is_not_%[2]d_of_the_netlist u_illegal ();\n  end endgenerate\n", p.Name, p.Value)
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
	for i := range m.Cells {
		c := &m.Cells[i]
		switch {
		case c.Module != nil:
			fmt.Fprintf(b, "  %s \\%s  (", c.Module.Name, c.Name)
		case c.Memory():
			fmt.Fprintf(b, "  %s #(.Width(%d), .Depth(%d)) \\%s  (", c.Type, c.Params["Width"], c.Params["Depth"], c.Name)
		default:
			fmt.Fprintf(b, "  %s u%d (", c.Type, i)
		}
		var conns []string
		for _, p := range c.Pins {
			conns = append(conns, fmt.Sprintf(".%s(%s)", p.Name, concat(p.Bits)))
		}
		fmt.Fprintf(b, "%s);\n", strings.Join(conns, ", "))
	}
	fmt.Fprint(b, "endmodule\n\n")
}
