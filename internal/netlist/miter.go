package netlist

import (
	"fmt"
	"io"
	"slices"
)

// Everywhere lets all 64 runs have mutant k.
func (s *Sim) Everywhere(k int) { s.v[s.faults[k]] = ^uint64(0) }

// A Miter says what WriteMiter compares.
type Miter struct {
	Mutant int
	// Before is how many cycles without the fault come before the one that is compared: the registers then hold what these left, and not just any value.
	Before int
	// Reset has the registers at zero at the first of all cycles.
	Reset bool
}

// WriteMiter writes a module miter in Verilog whose output differ is high where outputs of the design, data of registers or inputs of memories are
// others with a mutant than without it, over all inputs and all values of registers, and of memories in every cycle. It returns the number of
// the nets compared.
func (s *Sim) WriteMiter(w io.Writer, m Miter) (int, error) {
	fault := s.faults[m.Mutant]
	depends := make([]bool, len(s.v))
	depends[fault] = true
	for _, a := range s.ands {
		depends[a.out] = depends[a.a>>1] || depends[a.b>>1]
	}
	ends := s.ends(depends)
	need := s.need(ends, m.Before)
	made := make([]bool, len(s.v))
	for _, a := range s.ands {
		made[a.out] = true
	}
	registers := make([]bool, len(s.v))
	for _, f := range s.ffs {
		registers[f.q] = true
	}
	// Copy 0 has no fault, copy 1 has, in the last cycle; what does not depend on it is there once.
	name := func(l literal, cycle, copy int) string {
		sign := ""
		if l&1 != 0 {
			sign = "~"
		}
		switch v := l >> 1; {
		case v == 0:
			return sign + "1'b0"
		case int32(v) == fault:
			return fmt.Sprintf("%s1'b%d", sign, copy)
		case copy == 1 && depends[v]:
			return fmt.Sprintf("%sw%d", sign, v)
		default:
			return fmt.Sprintf("%sv%d_%d", sign, v, cycle)
		}
	}
	var ports, body []byte
	add := func(format string, args ...any) { body = fmt.Appendf(body, format, args...) }
	for cycle := range m.Before + 1 {
		for v := range s.v {
			if v == 0 || !need[cycle][v] || made[v] || int32(v) == fault || registers[v] && (cycle > 0 || m.Reset) {
				continue
			}
			ports = fmt.Appendf(ports, ",\n  input v%d_%d", v, cycle)
		}
		for i := range s.ffs {
			f := &s.ffs[i]
			if !need[cycle][f.q] {
				continue
			}
			q := literal(2 * f.q)
			switch {
			case cycle > 0 && f.open == trueLit:
				add("  wire %s = %s;\n", name(q, cycle, 0), name(f.data, cycle-1, 0))
			case cycle > 0:
				add("  wire %s = %s ? %s : %s;\n", name(q, cycle, 0), name(f.open, cycle-1, 0), name(f.data, cycle-1, 0), name(q, cycle-1, 0))
			case m.Reset:
				add("  wire %s = 1'b0;\n", name(q, cycle, 0))
			}
		}
		for _, a := range s.ands {
			if !need[cycle][a.out] {
				continue
			}
			for copy := range 2 {
				if copy == 0 || cycle == m.Before && depends[a.out] {
					add("  wire %s = %s & %s;\n", name(literal(2*a.out), cycle, copy), name(literal(a.a), cycle, copy), name(literal(a.b), cycle, copy))
				}
			}
		}
	}
	fmt.Fprintf(w, "module miter (output differ%s);\n%s  assign differ = 1'b0", ports, body)
	for _, l := range ends {
		fmt.Fprintf(w, "\n    | (%s ^ %s)", name(l, m.Before, 0), name(l, m.Before, 1))
	}
	_, err := fmt.Fprint(w, ";\nendmodule\n")
	return len(ends), err
}

// ends returns outputs, and what registers and memories take, as far as they depend on the fault.
func (s *Sim) ends(depends []bool) (ends []literal) {
	for name, port := range s.ports {
		if _, input := s.inputs[name]; !input {
			ends = append(ends, port...)
		}
	}
	for _, f := range s.ffs {
		ends = append(ends, f.data, f.open)
	}
	for i := range s.rams {
		r := &s.rams[i]
		ends = append(ends, r.read, r.write)
		ends = slices.Concat(ends, r.raddr, r.waddr, r.wdata)
	}
	ends = slices.DeleteFunc(ends, func(l literal) bool { return !depends[l>>1] })
	slices.Sort(ends)
	return slices.Compact(ends)
}

// need returns by cycle the variables that the ends hang on in the last one, with so many cycles before.
func (s *Sim) need(ends []literal, before int) [][]bool {
	need := make([][]bool, before+1)
	for cycle := before; cycle >= 0; cycle-- {
		n := make([]bool, len(s.v))
		need[cycle] = n
		if cycle == before {
			for _, l := range ends {
				n[l>>1] = true
			}
		} else {
			for i := range s.ffs {
				f := &s.ffs[i]
				if !need[cycle+1][f.q] {
					continue
				}
				n[f.data>>1] = true
				if f.open != trueLit {
					n[f.open>>1], n[f.q] = true, true
				}
			}
		}
		for _, a := range slices.Backward(s.ands) {
			if n[a.out] {
				n[a.a>>1], n[a.b>>1] = true, true
			}
		}
	}
	return need
}
