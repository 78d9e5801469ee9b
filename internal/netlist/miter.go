package netlist

import (
	"fmt"
	"io"
	"slices"
)

// Everywhere lets all 64 runs have mutant k.
func (s *Sim) Everywhere(k int) { s.v[s.faults[k]] = ^uint64(0) }

// WriteMiter writes a module miter in Verilog whose output differ is high where outputs of the design, data of registers or inputs of memories are
// others with mutant k than without it, over all inputs and all values of registers and memories. It returns the number of the nets compared.
func (s *Sim) WriteMiter(w io.Writer, k int) (int, error) {
	depends := make([]bool, len(s.v))
	depends[s.faults[k]] = true
	for _, a := range s.ands {
		depends[a.out] = depends[a.a>>1] || depends[a.b>>1]
	}
	var ends []literal
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
	ends = slices.Compact(ends)
	need := make([]bool, len(s.v))
	for _, l := range ends {
		need[l>>1] = true
	}
	for _, a := range slices.Backward(s.ands) {
		if need[a.out] {
			need[a.a>>1], need[a.b>>1] = true, true
		}
	}
	made := make([]bool, len(s.v))
	var body []byte
	add := func(format string, args ...any) { body = fmt.Appendf(body, format, args...) }
	// Copy 0 has no fault, copy 1 has; what does not depend on it is there once.
	name := func(l literal, copy int) string {
		sign := ""
		if l&1 != 0 {
			sign = "~"
		}
		switch v := l >> 1; {
		case v == 0:
			return sign + "1'b0"
		case int32(v) == s.faults[k]:
			return fmt.Sprintf("%s1'b%d", sign, copy)
		case depends[v]:
			return fmt.Sprintf("%sv%d_%d", sign, v, copy)
		default:
			return fmt.Sprintf("%sv%d", sign, v)
		}
	}
	for _, a := range s.ands {
		made[a.out] = true
		if !need[a.out] {
			continue
		}
		for copy := range 2 {
			if copy == 0 || depends[a.out] {
				add("  wire %s = %s & %s;\n", name(literal(2*a.out), copy), name(literal(a.a), copy), name(literal(a.b), copy))
			}
		}
	}
	fmt.Fprint(w, "module miter (output differ")
	for v := range s.v {
		if v > 0 && need[v] && !made[v] && int32(v) != s.faults[k] {
			fmt.Fprintf(w, ",\n  input v%d", v)
		}
	}
	fmt.Fprintf(w, ");\n%s  assign differ = 1'b0", body)
	for _, l := range ends {
		fmt.Fprintf(w, "\n    | (%s ^ %s)", name(l, 0), name(l, 1))
	}
	_, err := fmt.Fprint(w, ";\nendmodule\n")
	return len(ends), err
}
