package netlist

import (
	"fmt"
	"slices"
	"strings"

	"vcsim/internal/liberty"
)

// compiler builds a Sim.
type compiler struct {
	s     *Sim
	lib   map[string]*liberty.Cell
	exprs map[[2]string]*Expr
	hash  map[[2]literal]literal
	nets  []literal // by global net; noLit where nobody has driven it yet
	deps  []pending
	loads []float64
	sinks map[int]float64 // fJ of a toggle of a net inside the cells that it drives
	ffs   []pendingFF
	rams  []pendingRAM
	wires []wire
	gated map[int]int // gates by global net of their output: index in gates
	clock int
	drv   []int // global net of each driver
	fault map[faultPlace][]fault
	insts []instance
}

// An instance has the global nets of its ports.
type instance struct {
	unit  string
	ports map[string][]int
}

type faultPlace struct {
	m    *Module
	cell int
}

type fault struct {
	Mutant
	mask int32 // variable with the runs that have it
}

const noLit = ^literal(0)

// pending is a combinational output to be made once its inputs are there.
type pending struct {
	net   int
	cell  *liberty.Cell
	pin   *liberty.Pin
	pins  map[string]int // global nets
	place faultPlace
	where string // for messages
}

type pendingFF struct {
	index int
	cell  *liberty.Cell
	pins  map[string]int
	clock int
	place faultPlace
}

// A wire leads from an input of a module to an output of it, or from one output to another.
type wire struct{ from, to int }

type pendingRAM struct {
	index int
	pins  map[string][]int
	kind  string
}

// NewSim compiles a design. Run k of 64, from 1 on, has mutant k-1 of those given.
func NewSim(d *Design, lib *liberty.Library, mutants []Mutant) (*Sim, error) {
	if len(mutants) >= Lanes {
		return nil, fmt.Errorf("%d mutants, at most %d", len(mutants), Lanes-1)
	}
	s, err := compile(d, lib, mutants)
	if err != nil {
		return nil, err
	}
	for i, k := range s.faults {
		s.v[k] = 1 << (i + 1)
	}
	return s, nil
}

// compile compiles a design. No run has a mutant.
func compile(d *Design, lib *liberty.Library, mutants []Mutant) (*Sim, error) {
	s := &Sim{design: d, v: make([]uint64, 1), ports: map[string][]literal{}, inputs: map[string][]int32{}, places: map[string][]map[string][]literal{}, clocks: map[string]float64{}, leaks: map[string]float64{}, units: map[string]string{}}
	c := &compiler{s: s, lib: map[string]*liberty.Cell{}, exprs: map[[2]string]*Expr{}, hash: map[[2]literal]literal{}, gated: map[int]int{}, clock: -1, sinks: map[int]float64{}, fault: map[faultPlace][]fault{}}
	for _, cell := range lib.Cells {
		c.lib[cell.Name] = cell
	}
	for _, f := range mutants {
		k := c.variable()
		s.faults = append(s.faults, k)
		p := faultPlace{f.Module, f.Cell}
		c.fault[p] = append(c.fault[p], fault{f, k})
	}
	c.nets = []literal{falseLit, trueLit}
	c.loads = []float64{0, 0}
	top := map[Bit]int{}
	for _, p := range d.Top.Ports {
		for _, b := range p.Bits {
			n := c.global(top, b)
			if p.Output || b <= High {
				continue
			}
			k := c.variable()
			c.nets[n] = literal(2 * k)
			s.inputs[p.Name] = append(s.inputs[p.Name], k)
			if p.Name == "clk_i" {
				c.clock = n
				continue
			}
			c.driver(n, Driver{Pin: p.Name})
		}
	}
	if err := c.module(d.Top, "", top); err != nil {
		return nil, err
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	for _, p := range d.Top.Ports {
		for _, b := range p.Bits {
			l := c.nets[c.global(top, b)]
			if l == noLit {
				return nil, fmt.Errorf("%s: nobody drives port %s", d.Top.Unit, p.Name)
			}
			s.ports[p.Name] = append(s.ports[p.Name], l)
		}
	}
	for _, i := range c.insts {
		ports := map[string][]literal{}
		for name, nets := range i.ports {
			for _, n := range nets {
				if c.nets[n] == noLit {
					c.nets[n] = falseLit // nobody drives it, nor looks at it
				}
				ports[name] = append(ports[name], c.nets[n])
			}
		}
		s.places[i.unit] = append(s.places[i.unit], ports)
	}
	for i := range s.Drivers {
		s.Drivers[i].Load, s.Drivers[i].Energy = c.loads[c.drv[i]], c.sinks[c.drv[i]]
		s.outs = append(s.outs, c.nets[c.drv[i]])
	}
	s.before, s.toggles, s.next = make([]uint64, len(s.outs)), make([]uint64, len(s.outs)), make([]uint64, len(s.ffs))
	return s, nil
}

func (c *compiler) variable() int32 {
	c.s.v = append(c.s.v, 0)
	return int32(len(c.s.v) - 1)
}

func (c *compiler) global(local map[Bit]int, b Bit) int {
	if b <= High {
		return int(b)
	}
	n, ok := local[b]
	if !ok {
		n = len(c.nets)
		c.nets, c.loads = append(c.nets, noLit), append(c.loads, 0)
		local[b] = n
	}
	return n
}

func (c *compiler) driver(net int, d Driver) {
	c.s.Drivers, c.drv = append(c.s.Drivers, d), append(c.drv, net)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (c *compiler) module(m *Module, path string, local map[Bit]int) error {
	c.s.units[path] = m.Unit
	for i := range m.Cells {
		cell := &m.Cells[i]
		switch {
		case cell.Module != nil:
			inner := map[Bit]int{}
			for _, output := range []bool{false, true} {
				for _, p := range cell.Pins {
					k := slices.IndexFunc(cell.Module.Ports, func(q Port) bool { return q.Name == p.Name })
					for j, b := range cell.Module.Ports[k].Bits {
						if p.Output != output {
							continue
						}
						n := c.global(local, p.Bits[j])
						have, ok := inner[b]
						switch {
						case output && b <= High:
							c.nets[n] = literal(b)
						case output && ok:
							c.wires = append(c.wires, wire{from: have, to: n})
						default:
							inner[b] = n
						}
					}
				}
			}
			place := instance{cell.Module.Unit, map[string][]int{}}
			for _, p := range cell.Pins {
				for _, b := range p.Bits {
					place.ports[p.Name] = append(place.ports[p.Name], c.global(local, b))
				}
			}
			c.insts = append(c.insts, place)
			if err := c.module(cell.Module, join(path, cell.Name), inner); err != nil {
				return err
			}
		case cell.Memory():
			pins := map[string][]int{}
			for _, p := range cell.Pins {
				for _, b := range p.Bits {
					pins[p.Name] = append(pins[p.Name], c.global(local, b))
				}
			}
			width, depth := cell.Params["Width"], cell.Params["Depth"]
			r := simRAM{path: join(path, cell.Name), words: (width + 63) / 64, depth: depth}
			r.mem = make([]uint64, Lanes*depth*r.words)
			for _, n := range pins["rdata_o"] {
				k := c.variable()
				c.nets[n] = literal(2 * k)
				r.rdata = append(r.rdata, k)
				c.driver(n, Driver{Path: path, Cell: cell.Type, Pin: "rdata_o", state: true})
			}
			r.out = make([]uint64, len(r.rdata))
			r.width, r.ports = width, strings.TrimPrefix(cell.Type, "vc_ram_")
			c.rams = append(c.rams, pendingRAM{len(c.s.rams), pins, cell.Type})
			c.s.rams = append(c.s.rams, r)
		default:
			if err := c.standard(m, i, path, local); err != nil {
				return fmt.Errorf("%s: %s: %w", m.Unit, cell.Type, err)
			}
		}
	}
	return nil
}

// standard takes a standard cell in.
func (c *compiler) standard(m *Module, i int, path string, local map[Bit]int) error {
	cell := &m.Cells[i]
	lc := c.lib[cell.Type]
	if lc == nil {
		return fmt.Errorf("not in the library")
	}
	c.s.leaks[path] += lc.Leakage
	pins := map[string]int{}
	for _, p := range cell.Pins {
		if len(p.Bits) == 0 {
			continue
		}
		n := c.global(local, p.Bits[0])
		pins[p.Name] = n
		if !p.Output {
			pin := lc.Pin(p.Name)
			c.loads[n] += pin.Cap
			if !pin.Clock {
				c.sinks[n] += meanEnergy(pin, 0)
			}
		}
	}
	place := faultPlace{m, i}
	for k := range lc.Pins {
		pin := &lc.Pins[k]
		n, ok := pins[pin.Name]
		if pin.Direction != "output" || !ok {
			continue
		}
		switch {
		case clockGate(lc):
			c.gated[n] = len(c.s.gates)
			c.s.gates = append(c.s.gates, simGate{path: path, cell: lc})
			c.ffs = append(c.ffs, pendingFF{index: -1 - c.gated[n], cell: lc, pins: pins})
			c.nets[n] = falseLit // before the edge
		case lc.Seq != nil:
			if lc.Seq.Clear != "" || lc.Seq.Preset != "" || strings.HasPrefix(lc.Seq.Clock, "!") {
				return fmt.Errorf("this simulation has flip-flops of one edge, and latches that the high clock opens, without asynchronous inputs only")
			}
			// The variable is the state, or its complement where the data is complemented: it starts as the register of the RTL.
			q := c.variable()
			out := literal(2 * q)
			if e, err := c.expr(lc.Seq.Next); err != nil {
				return err
			} else if e.op == '!' {
				out = out.not()
			}
			if pin.Function == lc.Seq.Inv {
				out = out.not()
			} else if pin.Function != lc.Seq.State {
				return fmt.Errorf("output %s is no state", pin.Name)
			}
			c.ffs = append(c.ffs, pendingFF{index: len(c.s.ffs), cell: lc, pins: pins, clock: pins[lc.Seq.Clock], place: place})
			c.s.ffs = append(c.s.ffs, simFF{q: q, path: path, place: place})
			c.nets[n] = c.broken(place, pin.Name, out)
			c.driver(n, Driver{Path: path, Cell: cell.Type, Pin: pin.Name, lib: pin, state: true})
		default:
			c.deps = append(c.deps, pending{net: n, cell: lc, pin: pin, pins: pins, place: place, where: join(path, cell.Name)})
			c.driver(n, Driver{Path: path, Cell: cell.Type, Pin: pin.Name, lib: pin})
		}
	}
	return nil
}

func (c *compiler) expr(text string) (*Expr, error) {
	key := [2]string{text}
	if e := c.exprs[key]; e != nil {
		return e, nil
	}
	e, err := ParseExpr(text)
	c.exprs[key] = e
	return e, err
}

// broken returns an output with the faults of its cell that are at the output.
func (c *compiler) broken(p faultPlace, pin string, out literal) literal {
	for _, f := range c.fault[p] {
		mask := literal(2 * f.mask)
		switch {
		case strings.HasPrefix(f.Kind, "inverted"):
			out = c.xor(out, mask)
		case strings.HasPrefix(f.Kind, "stuck") && f.Pins[0] == pin && f.Stuck == High:
			out = c.or(out, mask)
		case strings.HasPrefix(f.Kind, "stuck") && f.Pins[0] == pin:
			out = c.and(out, mask.not())
		}
	}
	return out
}

func (c *compiler) and(a, b literal) literal {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == falseLit || a == b.not():
		return falseLit
	case a == trueLit || a == b:
		return b
	}
	if out, ok := c.hash[[2]literal{a, b}]; ok {
		return out
	}
	k := c.variable()
	c.s.ands = append(c.s.ands, and{uint32(k), uint32(a), uint32(b)})
	out := literal(2 * k)
	c.hash[[2]literal{a, b}] = out
	return out
}

func (c *compiler) or(a, b literal) literal  { return c.and(a.not(), b.not()).not() }
func (c *compiler) xor(a, b literal) literal { return c.or(c.and(a, b.not()), c.and(a.not(), b)) }

func (c *compiler) build(e *Expr, pin func(name string) literal) literal {
	switch e.op {
	case 'v':
		return pin(e.name)
	case '0':
		return falseLit
	case '1':
		return trueLit
	case '!':
		return c.build(e.args[0], pin).not()
	}
	a, b := c.build(e.args[0], pin), c.build(e.args[1], pin)
	switch e.op {
	case '*':
		return c.and(a, b)
	case '+':
		return c.or(a, b)
	}
	return c.xor(a, b)
}

// input returns a pin of a cell with the faults that are at it.
func (c *compiler) input(p faultPlace, pins map[string]int, name string) literal {
	v := c.nets[pins[name]]
	for _, f := range c.fault[p] {
		if strings.HasPrefix(f.Kind, "stuck") && f.Pins[0] == name {
			if f.Stuck == High {
				v = c.or(v, literal(2*f.mask))
			} else {
				v = c.and(v, literal(2*f.mask).not())
			}
		}
	}
	return v
}

// finish makes the functions in the order of the data, then what registers and memories take.
func (c *compiler) finish() error {
	driven := c.join()
	if err := c.functions(driven); err != nil {
		return err
	}
	if err := c.clockGates(); err != nil {
		return err
	}
	if err := c.registers(); err != nil {
		return err
	}
	return c.memories()
}

// join makes a buffer of each wire between ports, and returns the nets that somebody drives.
func (c *compiler) join() (driven []bool) {
	for _, w := range slices.Backward(c.wires) {
		c.loads[w.from] += c.loads[w.to]
	}
	buffer := &liberty.Cell{Pins: []liberty.Pin{{Name: "A", Direction: "input"}, {Name: "Y", Direction: "output", Function: "A"}}}
	driven = make([]bool, len(c.nets))
	for i := range c.deps {
		driven[c.deps[i].net] = true
	}
	for _, w := range c.wires {
		if c.nets[w.from] == noLit && !driven[w.from] {
			c.nets[w.to] = falseLit // nobody drives it: a field that nobody looks at
		}
		driven[w.to] = true
		if c.nets[w.to] == noLit {
			c.deps = append(c.deps, pending{net: w.to, cell: buffer, pin: &buffer.Pins[1], pins: map[string]int{"A": w.from, "Y": w.to}})
		}
	}
	return driven
}

// functions makes the outputs of combinational cells, each after its inputs (Kahn's order).
func (c *compiler) functions(driven []bool) error {
	readers := make([][]int32, len(c.nets))
	missing := make([]int, len(c.deps))
	var ready []int
	for i := range c.deps {
		d := &c.deps[i]
		for name, n := range d.pins {
			if name != d.pin.Name && c.nets[n] == noLit {
				if p := d.cell.Pin(name); p.Direction == "output" {
					continue
				}
				readers[n] = append(readers[n], int32(i))
				missing[i]++
			}
		}
		if missing[i] == 0 {
			ready = append(ready, i)
		}
	}
	done := 0
	for ; len(ready) > 0; done++ {
		d := &c.deps[ready[len(ready)-1]]
		ready = ready[:len(ready)-1]
		if err := c.function(d); err != nil {
			return err
		}
		for _, r := range readers[d.net] {
			if missing[r]--; missing[r] == 0 {
				ready = append(ready, int(r))
			}
		}
	}
	if done < len(c.deps) {
		return c.unordered(driven, len(c.deps)-done)
	}
	return nil
}

// function makes an output whose inputs are there, with the faults of its cell.
func (c *compiler) function(d *pending) error {
	e, err := c.expr(d.pin.Function)
	if err != nil {
		return fmt.Errorf("cell %s: %w", d.cell.Name, err)
	}
	pin := func(name string) literal { return c.input(d.place, d.pins, name) }
	out := c.build(e, pin)
	for _, f := range c.fault[d.place] {
		wrong, kind := pin, e
		switch {
		case f.Type != "":
			p := c.lib[f.Type].Pin(d.pin.Name)
			if kind, err = c.expr(p.Function); err != nil {
				return fmt.Errorf("cell %s: %w", f.Type, err)
			}
		case strings.HasPrefix(f.Kind, "exchanged"):
			wrong = func(name string) literal {
				if k := slices.Index(f.Pins[:], name); k >= 0 {
					name = f.Pins[1-k]
				}
				return pin(name)
			}
		default:
			continue
		}
		bad, mask := c.build(kind, wrong), literal(2*f.mask)
		out = c.or(c.and(out, mask.not()), c.and(bad, mask))
	}
	c.nets[d.net] = c.broken(d.place, d.pin.Name, out)
	return nil
}

// unordered says why some cells have no place in the order of the data.
func (c *compiler) unordered(driven []bool, left int) error {
	for i := range c.deps {
		d := &c.deps[i]
		for name, n := range d.pins {
			if c.nets[n] == noLit && !driven[n] {
				return fmt.Errorf("nobody drives input %s of %s (%s)", name, d.cell.Name, d.where)
			}
		}
	}
	return fmt.Errorf("%d cells are in a loop", left)
}

// clockGates finds when each gate is open.
func (c *compiler) clockGates() error {
	for _, f := range c.ffs {
		if f.index >= 0 {
			continue
		}
		g := &c.s.gates[-1-f.index]
		g.open = falseLit
		for _, p := range f.cell.Pins {
			if n, ok := f.pins[p.Name]; ok && p.Direction == "input" && !p.Clock {
				g.open = c.or(g.open, c.nets[n])
			} else if ok && p.Clock && n != c.clock {
				return fmt.Errorf("a clock gate behind another")
			}
		}
	}
	return nil
}

// registers finds data and clock of each flip-flop and latch, and what a cycle takes at its clock pin.
func (c *compiler) registers() error {
	var latches []int
	for _, f := range c.ffs {
		if f.index < 0 {
			continue
		}
		ff := &c.s.ffs[f.index]
		e, err := c.expr(f.cell.Seq.Next)
		if err != nil {
			return err
		}
		ff.data = c.build(e, func(name string) literal { return c.input(f.place, f.pins, name) })
		if e.op == '!' {
			ff.data = ff.data.not()
		}
		if f.cell.Seq.Latch {
			latches = append(latches, f.index)
		}
		pin := clockEnergy(f.cell)
		if f.clock == c.clock {
			ff.open = trueLit
			c.s.clocks[ff.path] += pin
			continue
		}
		g, ok := c.gated[f.clock]
		if !ok {
			return fmt.Errorf("cell %s: a clock is neither clk_i nor behind a clock gate", f.cell.Name)
		}
		ff.open = c.s.gates[g].open
		c.s.gates[g].energy += pin
	}
	return c.latches(latches)
}

// latches gives latches the data that comes through them: behind the edge the clock is high, and what registers hold then is what they are
// about to take. Only registers may be in front of a latch, as what else is there would still move.
func (c *compiler) latches(list []int) error {
	if len(list) == 0 {
		return nil
	}
	next := map[int32]literal{} // of variables, behind the edge
	for _, k := range c.s.faults {
		next[k] = literal(2 * k)
	}
	for _, i := range list {
		next[c.s.ffs[i].q] = noLit
	}
	for _, f := range c.s.ffs {
		if next[f.q] != noLit {
			next[f.q] = c.or(c.and(f.open, f.data), c.and(f.open.not(), literal(2*f.q)))
		}
	}
	gate := map[int32]and{}
	for _, a := range c.s.ands {
		gate[int32(a.out)] = a
	}
	var after func(l literal) (literal, error)
	after = func(l literal) (literal, error) {
		k := int32(l >> 1)
		if k == 0 {
			return l, nil
		}
		if n, ok := next[k]; ok && n != noLit {
			return n ^ l&1, nil
		}
		a, ok := gate[k]
		if !ok {
			return 0, fmt.Errorf("the data of a latch hangs on an input, a memory or another latch")
		}
		x, err := after(literal(a.a))
		if err != nil {
			return 0, err
		}
		y, err := after(literal(a.b))
		if err != nil {
			return 0, err
		}
		next[k] = c.and(x, y)
		return next[k] ^ l&1, nil
	}
	for _, i := range list {
		ff := &c.s.ffs[i]
		var err error
		if ff.data, err = after(ff.data); err != nil {
			return fmt.Errorf("%s: %w", ff.path, err)
		}
	}
	return nil
}

// memories finds what the ports of each memory take.
func (c *compiler) memories() error {
	for _, p := range c.rams {
		r := &c.s.rams[p.index]
		lits := func(name string) (list []literal) {
			for _, n := range p.pins[name] {
				list = append(list, c.nets[n])
			}
			return list
		}
		if p.kind == "vc_ram_1rw" {
			en, we := lits("en_i")[0], lits("we_i")[0]
			r.write, r.read = c.and(en, we), c.and(en, we.not())
			r.waddr = lits("addr_i")
			r.raddr = r.waddr
		} else {
			r.write, r.read, r.waddr, r.raddr = lits("we_i")[0], lits("re_i")[0], lits("waddr_i"), lits("raddr_i")
		}
		r.wdata = lits("wdata_i")
		r.rows = make([]uint64, Lanes*r.words)
		for name, nets := range p.pins {
			for i, n := range nets {
				if c.nets[n] == noLit {
					return fmt.Errorf("nobody drives bit %d of %s of memory %s", i, name, r.path)
				}
			}
		}
	}
	return nil
}
