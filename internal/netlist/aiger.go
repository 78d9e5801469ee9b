package netlist

import (
	"bytes"
	"fmt"
	"io"
)

// aiger builds a sequential circuit of AND gates. Its latches start at zero.
type aiger struct {
	inputs  []uint32 // variables
	latches []latch
	ands    []and
	hash    map[[2]literal]literal
	n       uint32 // variables
}

type latch struct {
	v    uint32
	next literal
}

func (g *aiger) variable() literal {
	g.n++
	return literal(2 * g.n)
}

func (g *aiger) and(a, b literal) literal {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == falseLit || a == b.not():
		return falseLit
	case a == trueLit || a == b:
		return b
	}
	if out, ok := g.hash[[2]literal{a, b}]; ok {
		return out
	}
	out := g.variable()
	g.ands = append(g.ands, and{uint32(out >> 1), uint32(a), uint32(b)})
	g.hash[[2]literal{a, b}] = out
	return out
}

func (g *aiger) or(a, b literal) literal     { return g.and(a.not(), b.not()).not() }
func (g *aiger) xor(a, b literal) literal    { return g.or(g.and(a, b.not()), g.and(a.not(), b)) }
func (g *aiger) mux(s, a, b literal) literal { return g.or(g.and(s, a), g.and(s.not(), b)) }

// write writes the circuit in the binary AIGER format (A. Biere, K. Heljanko and S. Wieringa, "AIGER 1.9 and beyond", 2011).
func (g *aiger) write(w io.Writer, outputs []literal) error {
	number := make([]uint32, g.n+1)
	next := uint32(0)
	count := func(v uint32) {
		next++
		number[v] = next
	}
	for _, v := range g.inputs {
		count(v)
	}
	for _, l := range g.latches {
		count(l.v)
	}
	for _, a := range g.ands {
		count(a.out)
	}
	number2 := func(l literal) uint32 { return 2*number[l>>1] | uint32(l&1) }
	var b bytes.Buffer
	fmt.Fprintf(&b, "aig %d %d %d %d %d\n", next, len(g.inputs), len(g.latches), len(outputs), len(g.ands))
	for _, l := range g.latches {
		fmt.Fprintf(&b, "%d\n", number2(l.next))
	}
	for _, l := range outputs {
		fmt.Fprintf(&b, "%d\n", number2(l))
	}
	delta := func(n uint32) {
		for ; n >= 0x80; n >>= 7 {
			b.WriteByte(byte(n) | 0x80)
		}
		b.WriteByte(byte(n))
	}
	for _, a := range g.ands {
		x, y := number2(literal(a.a)), number2(literal(a.b))
		if x < y {
			x, y = y, x
		}
		delta(2*number[a.out] - x)
		delta(x - y)
	}
	_, err := w.Write(b.Bytes())
	return err
}
