package netlist

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A Machine is a module of a design with and without a mutant, as one sequential circuit whose output is high where the two differ.
type Machine struct {
	graph aiger
	bad   literal
}

// Write writes the circuit in the binary AIGER format.
func (m *Machine) Write(w io.Writer) error { return m.graph.write(w, []literal{m.bad}) }

// Scopes returns the modules that mutant k is a part of, each behind those that it instantiates: what no output of one of them shows, the
// design does not show either.
func (f *Faults) Scopes(k int) (list []*Module) {
	for _, m := range f.sim.design.Modules {
		if m.Has(f.mutants[k].Module) {
			list = append(list, m)
		}
	}
	return list
}

// Given is what machines may assume.
type Given struct {
	Low    []string // ports of the top that are low
	Inputs []Bound
	Words  []Bound
}

// A Bound says that some bits, as a number, are at most Max. Those of an input, named as a port of the top, or of a module in it, are so while input
// Valid is high. Those of a memory, named as its instance, are so in every word: a machine assumes it of words that are read, and its output is high
// where a word that is written breaks it.
type Bound struct {
	Module     string // as in the RTL, "" for the top
	Name       string
	Valid      string
	From, Bits int
	Max        uint64
	Signed     bool // the number is from -Max-1 to Max
}

// Breaks returns the runs in which an input is beyond its bound in this cycle, in some instance of the module.
func (s *Sim) Breaks(b *Bound) (runs uint64, err error) {
	places := []map[string][]literal{s.ports}
	if b.Module != "" {
		places = s.places[b.Module]
	}
	if len(places) == 0 {
		return 0, fmt.Errorf("no module %s", b.Module)
	}
	for _, ports := range places {
		word, valid := ports[b.Name], ports[b.Valid]
		if len(word) < b.From+b.Bits || b.Valid != "" && len(valid) != 1 {
			return 0, fmt.Errorf("%s: no input %s with bit %d, or no %s", b.Module, b.Name, b.From+b.Bits-1, b.Valid)
		}
		sign, n := uint64(0), b.Bits
		if b.Signed {
			n--
			sign = s.get(word[b.From+n])
		}
		ok := ^uint64(0)
		for i, l := range word[b.From : b.From+n] { // the lowest first
			if zero := ^(s.get(l) ^ sign); b.Max>>i&1 != 0 {
				ok |= zero
			} else {
				ok &= zero
			}
		}
		if b.Valid != "" {
			ok |= ^s.get(valid[0])
		}
		runs |= ^ok
	}
	return runs, nil
}

// Machines returns the machines of mutant k in a module of the design, one for each state in which an instance of it is when Start is called.
//
// The output of a machine is high where outputs of the module differ, or what a memory takes, or what a register takes that differed in no run
// so far. Registers and memories that did differ are there twice; the others once, as they are the same up to the first difference. Inputs are
// free, but for those that are given, which are inputs of the top, or of a module in it to which they lead. So is what a memory gives when it is
// read, though it gives the same where address and rows are the same.
func (f *Faults) Machines(k int, scope *Module, given Given) ([]*Machine, error) {
	if f.start == nil {
		return nil, fmt.Errorf("no start")
	}
	s, fault := f.sim, &f.faults[k]
	mask := fault.mask
	if scope != s.design.Top {
		var err error
		if s, err = compile(&Design{Top: scope, Modules: s.design.Modules}, f.lib, f.mutants[k:k+1]); err != nil {
			return nil, err
		}
		mask = s.faults[0]
	}
	ports := s.ports
	if scope != f.sim.design.Top {
		ports = s.given(f.sim.design.Top, scope)
	}
	names, vars := s.states()
	whole := map[string]int32{}
	all, list := f.sim.states()
	for i, n := range all {
		whole[n] = list[i]
	}
	memories := map[string]int{}
	for i := range f.sim.rams {
		memories[f.sim.rams[i].path] = i
	}
	differs := map[int32]bool{} // at the start
	for _, c := range fault.start {
		differs[c.v] = c.diff&1 != 0
	}
	apart, rows := make([]bool, len(vars)), make([]bool, len(s.rams))
	var starts [][2][]bool
	for _, path := range instances(f.sim.design.Top, scope) {
		var start [2][]bool
		for i, n := range names {
			q := whole[join(path, n)]
			value := f.start[q]&1 != 0
			start[0], start[1] = append(start[0], value), append(start[1], value != differs[q])
			apart[i] = apart[i] || fault.ever[q] || differs[q]
		}
		for i := range s.rams {
			rows[i] = rows[i] || fault.rams[int32(memories[join(path, s.rams[i].path)])]
		}
		if !slices.ContainsFunc(starts, func(o [2][]bool) bool { return slices.Equal(o[0], start[0]) && slices.Equal(o[1], start[1]) }) {
			starts = append(starts, start)
		}
	}
	var machines []*Machine
	for _, start := range starts {
		b := &machineBuilder{s: s, g: aiger{hash: map[[2]literal]literal{}}, mask: mask, scope: scope, given: given, ports: ports, rows: rows, held: map[int32][2]heldBit{}}
		for i, v := range vars {
			b.state(v, start[0][i], start[1][i], apart[i])
		}
		machines = append(machines, b.build())
	}
	return machines, nil
}

// states returns names and variables of all that a design holds from cycle to cycle, but for what is in memories.
func (s *Sim) states() (names []string, vars []int32) {
	for i := range s.ffs {
		f := &s.ffs[i]
		names, vars = append(names, join(f.path, f.place.m.Cells[f.place.cell].Name)), append(vars, f.q)
	}
	for i := range s.rams {
		for j, v := range s.rams[i].rdata {
			names, vars = append(names, fmt.Sprintf("%s[%d]", s.rams[i].path, j)), append(vars, v)
		}
	}
	return names, vars
}

// instances returns the paths of the instances of a module.
func instances(top, m *Module) (paths []string) {
	if top == m {
		return []string{""}
	}
	for i := range top.Cells {
		if c := &top.Cells[i]; c.Module != nil {
			for _, p := range instances(c.Module, m) {
				if p == "" {
					paths = append(paths, c.Name)
				} else {
					paths = append(paths, join(c.Name, p))
				}
			}
		}
	}
	return paths
}

// given returns the ports of the top that lead to inputs of a module in it, wherever it is instantiated, as literals of the inputs. A bit that
// does not is free, as is a port of which no bit does.
func (s *Sim) given(top, scope *Module) map[string][]literal {
	leads := map[Bit][]literal{} // by net of the top
	first := true
	for i := range top.Cells {
		c := &top.Cells[i]
		if c.Module != scope {
			continue
		}
		here := map[Bit][]literal{}
		for _, p := range c.Pins {
			if in := s.inputs[p.Name]; !p.Output && len(in) == len(p.Bits) {
				for j, bit := range p.Bits {
					if bit > High {
						here[bit] = append(here[bit], literal(2*in[j]))
					}
				}
			}
		}
		if first {
			leads, first = here, false
			continue
		}
		maps.DeleteFunc(leads, func(bit Bit, l []literal) bool { return !slices.Equal(l, here[bit]) })
	}
	if len(instances(top, scope)) != count(top, scope) {
		return nil // some are deeper
	}
	ports := map[string][]literal{}
	for _, p := range top.Ports {
		if p.Output {
			continue
		}
		var list []literal
		for _, bit := range p.Bits {
			l, ok := leads[bit]
			if !ok {
				list = nil
				break
			}
			list = append(list, l[0])
		}
		if list != nil {
			ports[p.Name] = list
		}
	}
	return ports
}

// count returns how many cells of a module are instances of another.
func count(top, scope *Module) (n int) {
	for i := range top.Cells {
		if top.Cells[i].Module == scope {
			n++
		}
	}
	return n
}

// A machineBuilder makes a Machine of two copies of a design: copy 1 has the mutant.
type machineBuilder struct {
	s     *Sim
	g     aiger
	mask  int32
	scope *Module
	given Given
	ports map[string][]literal // that is given of
	holds literal              // what is given, in this cycle
	rows  []bool               // memories whose rows may differ
	held  map[int32][2]heldBit
	nets  [2][]literal
}

// A heldBit is a bit of state: the variable of its latch, and what it is, which is the complement where it starts at one.
type heldBit struct {
	v uint32
	l literal
}

// state adds a bit of state: once, or twice where the copies may differ.
func (b *machineBuilder) state(v int32, good, bad, apart bool) {
	register := func(one bool) heldBit {
		l := b.g.variable()
		h := heldBit{uint32(l >> 1), l}
		if one {
			h.l = l.not()
		}
		return h
	}
	h := register(good)
	b.held[v] = [2]heldBit{h, h}
	if apart {
		b.held[v] = [2]heldBit{h, register(bad)}
	}
}

func (b *machineBuilder) input() literal {
	l := b.g.variable()
	b.g.inputs = append(b.g.inputs, uint32(l>>1))
	return l
}

func (b *machineBuilder) get(copy int, l literal) literal { return b.nets[copy][l>>1] ^ l&1 }

func (b *machineBuilder) differ(list ...literal) literal {
	d := falseLit
	for _, l := range list {
		d = b.g.or(d, b.g.xor(b.get(0, l), b.get(1, l)))
	}
	return d
}

func (b *machineBuilder) build() *Machine {
	s, g := b.s, &b.g
	for copy := range b.nets {
		b.nets[copy] = make([]literal, len(s.v))
	}
	b.nets[1][b.mask] = trueLit // other mutants are in neither
	b.holds = trueLit
	low := map[literal]bool{}
	for _, name := range b.given.Low {
		for _, l := range b.ports[name] {
			low[l] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.inputs)) {
		for _, v := range s.inputs[name] {
			if !low[literal(2*v)] {
				l := b.input()
				b.nets[0][v], b.nets[1][v] = l, l
			}
		}
	}
	for _, bound := range b.given.Inputs {
		ports, valid := b.ports, trueLit
		if bound.Module != "" {
			if bound.Module != b.scope.Unit {
				continue
			}
			ports = s.ports
		}
		bits := ports[bound.Name]
		if bound.Valid != "" && len(ports[bound.Valid]) == 1 {
			valid = b.get(0, ports[bound.Valid][0])
		} else if bound.Valid != "" {
			continue
		}
		if bits != nil {
			b.holds = g.and(b.holds, g.and(valid, b.within(bound, b.word(0, bits)).not()).not())
		}
	}
	for v, h := range b.held {
		b.nets[0][v], b.nets[1][v] = h[0].l, h[1].l
	}
	for copy := range b.nets {
		for _, a := range s.ands {
			b.nets[copy][a.out] = g.and(b.get(copy, literal(a.a)), b.get(copy, literal(a.b)))
		}
	}
	bad := falseLit
	for _, name := range slices.Sorted(maps.Keys(s.ports)) {
		if _, input := s.inputs[name]; !input {
			bad = g.or(bad, b.differ(s.ports[name]...))
		}
	}
	for i := range s.ffs {
		f := &s.ffs[i]
		var next [2]literal
		for copy := range next {
			next[copy] = g.mux(b.get(copy, f.open), b.get(copy, f.data), b.get(copy, literal(2*f.q)))
		}
		bad = g.or(bad, b.next(f.q, next))
	}
	for i := range s.rams {
		bad = g.or(bad, b.memory(i))
	}
	// What is given held in all cycles so far.
	h := g.variable() // the complement: it starts at zero
	b.holds = g.and(b.holds, h.not())
	g.latches = append(g.latches, latch{uint32(h >> 1), b.holds.not()})
	return &Machine{graph: b.g, bad: g.and(bad, b.holds)}
}

// word returns what literals of the design are in a copy.
func (b *machineBuilder) word(copy int, list []literal) (word []literal) {
	for _, l := range list {
		word = append(word, b.get(copy, l))
	}
	return word
}

// within returns whether the bits of a bound, out of all those that its name stands for, are at most its largest number.
func (b *machineBuilder) within(bound Bound, word []literal) literal {
	ok, sign, n := trueLit, falseLit, bound.Bits
	if bound.Signed {
		n--
		sign = word[bound.From+n]
	}
	for i, l := range word[bound.From : bound.From+n] { // the lowest first
		if l = b.g.xor(l, sign); bound.Max>>i&1 != 0 {
			ok = b.g.or(l.not(), ok)
		} else {
			ok = b.g.and(l.not(), ok)
		}
	}
	return ok
}

// next gives a bit of state what it takes. It returns where the copies differ though they have the bit in common.
func (b *machineBuilder) next(v int32, next [2]literal) (bad literal) {
	h := b.held[v]
	latched := func(h heldBit, next literal) { b.g.latches = append(b.g.latches, latch{h.v, next ^ h.l&1}) }
	// The latch holds the complement of a bit that starts at one: its next value is that of next.
	latched(h[0], next[0])
	if h[0] == h[1] {
		return b.g.xor(next[0], next[1])
	}
	latched(h[1], next[1])
	return falseLit
}

// memory adds the output of a memory. It returns where what the memory takes differs though its rows shall not.
func (b *machineBuilder) memory(i int) (bad literal) {
	g, r := &b.g, &b.s.rams[i]
	same := falseLit // both copies read the same row
	if !b.rows[i] {
		bad = g.or(b.differ(r.write), g.and(b.get(0, r.write), b.differ(slices.Concat(r.waddr, r.wdata)...)))
		same = g.and(b.get(0, r.read), b.differ(r.raddr...).not())
	}
	var words [2][]literal
	for _, v := range r.rdata {
		first := b.input()
		second := g.mux(same, first, b.input())
		words[0], words[1] = append(words[0], first), append(words[1], second)
		bad = g.or(bad, b.next(v, [2]literal{g.mux(b.get(0, r.read), first, b.get(0, literal(2*v))), g.mux(b.get(1, r.read), second, b.get(1, literal(2*v)))}))
	}
	for _, bound := range b.given.Words {
		if r.path != bound.Name && !strings.HasSuffix(r.path, "."+bound.Name) {
			continue
		}
		for copy, word := range words {
			b.holds = g.and(b.holds, b.within(bound, word))
			bad = g.or(bad, g.and(b.get(copy, r.write), b.within(bound, b.word(copy, r.wdata)).not()))
		}
	}
	return bad
}
