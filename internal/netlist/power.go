package netlist

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"

	"vcsim/internal/liberty"
)

// Supply is that of the ASAP7 liberty, in V.
const Supply = 0.7

// slew is the transition that internal energies are looked up with, in ps. They hardly depend on it: from 10 to 40 ps those of a NAND2x1
// change by less than a tenth.
const slew = 20

// meanEnergy returns the internal energy in fJ of an edge of a pin, the mean over rise and fall and over what caused it and the state that
// the other pins are in. The load in fF counts for outputs.
func meanEnergy(p *liberty.Pin, load float64) float64 {
	if len(p.Energies) == 0 {
		return 0
	}
	sum := 0.0
	for _, e := range p.Energies {
		sum += (e.Rise.At(slew, load) + e.Fall.At(slew, load)) / 2
	}
	return sum / float64(len(p.Energies))
}

// switching returns the energy in fJ of an edge that charges or discharges a load in fF.
func switching(load float64) float64 { return load * Supply * Supply / 2 }

// clockEnergy returns the energy in fJ of a cycle at the clock pin of a cell: internal, and of its capacitance.
func clockEnergy(c *liberty.Cell) float64 {
	for i := range c.Pins {
		if p := &c.Pins[i]; p.Clock && p.Direction == "input" {
			return 2*meanEnergy(p, 0) + 2*switching(p.Cap)
		}
	}
	return 0
}

// An Account is the energy of a part of a design over what a Sim has counted, in fJ, all runs together.
type Account struct {
	Path    string
	Unit    string  // module of the RTL
	Logic   float64 // nets that combinational cells drive, and inputs of the top: internal and load
	State   float64 // the same of flip-flops and memories
	Clock   float64 // clock pins, and clock gates
	Leakage float64
}

// Total returns the sum.
func (a Account) Total() float64 { return a.Logic + a.State + a.Clock + a.Leakage }

// A MemoryAccount counts the accesses of a memory.
type MemoryAccount struct {
	Path          string
	Ports         string // 1rw or 1r1w
	Width, Depth  int
	Reads, Writes uint64
}

// Cycles returns the number of cycles counted, over all runs.
func (s *Sim) Cycles() uint64 { return s.cycles }

// Power returns the energy by instance at a clock in GHz, and the accesses of memories.
func (s *Sim) Power(ghz float64) (map[string]*Account, []MemoryAccount) {
	list := map[string]*Account{}
	at := func(path string) *Account {
		if list[path] == nil {
			list[path] = &Account{Path: path, Unit: s.units[path]}
		}
		return list[path]
	}
	for i := range s.Drivers {
		d := &s.Drivers[i]
		e := switching(d.Load) + d.Energy
		if d.lib != nil {
			e += meanEnergy(d.lib, d.Load)
		}
		e *= float64(s.toggles[i])
		if a := at(d.Path); d.state {
			a.State += e
		} else {
			a.Logic += e
		}
	}
	for path, e := range s.clocks {
		at(path).Clock += e * float64(s.cycles)
	}
	for i := range s.gates {
		g := &s.gates[i]
		open := g.energy // the load of the pins is inside
		for k := range g.cell.Pins {
			if p := &g.cell.Pins[k]; p.Direction == "output" {
				open += 2 * meanEnergy(p, 0)
			}
		}
		at(g.path).Clock += clockEnergy(g.cell)*float64(s.cycles) + open*float64(g.count)
	}
	for path, p := range s.leaks {
		at(path).Leakage += p * 1e-6 / ghz * float64(s.cycles) // pW * ns = 1e-6 fJ
	}
	var memories []MemoryAccount
	for i := range s.rams {
		r := &s.rams[i]
		memories = append(memories, MemoryAccount{r.path, r.ports, r.width, r.depth, r.reads, r.writes})
	}
	return list, memories
}

// A Uniform is what the combinational cells of a design take a cycle in fJ when every net toggles so often that all states are as likely.
type Uniform struct {
	Switching float64 // loads of their outputs
	Internal  float64 // at each toggle of a pin the mean of its energies, as everywhere in this package
	// Summed is Internal as OpenSTA 2.0 counts it: at each toggle the energies of a rising and of a falling edge, and those of all inputs that
	// may have caused it, each with the share of states that it is for. Later versions take the mean of both, too.
	Summed float64
}

// Uniform returns the energies when every net toggles in a share of the cycles.
func (s *Sim) Uniform(lib *liberty.Library, share float64) (u Uniform, err error) {
	for i := range s.Drivers {
		d := &s.Drivers[i]
		if d.lib == nil || d.state {
			continue
		}
		cell := lib.Cell(d.Cell)
		u.Switching += switching(d.Load) * share
		for k := range cell.Pins {
			p, load := &cell.Pins[k], 0.0
			switch {
			case p == d.lib:
				load = d.Load
			case p.Direction == "output" || d.lib != firstOutput(cell): // inputs count once
				continue
			}
			summed, err := summedEnergy(cell, p, load)
			if err != nil {
				return u, fmt.Errorf("cell %s: %w", cell.Name, err)
			}
			u.Internal += meanEnergy(p, load) * share
			u.Summed += summed * share
		}
	}
	return u, nil
}

func firstOutput(c *liberty.Cell) *liberty.Pin {
	for i := range c.Pins {
		if c.Pins[i].Direction == "output" {
			return &c.Pins[i]
		}
	}
	return nil
}

// summedEnergy returns the energy in fJ of both edges of a pin, each table with the share of the states of the inputs that it is for: where
// its condition holds, or, without one, where the other operand of the innermost operator that has its input lets that pass.
func summedEnergy(c *liberty.Cell, p *liberty.Pin, load float64) (sum float64, err error) {
	ins := inputs(c)
	if len(ins) > 6 {
		return 0, fmt.Errorf("%d inputs", len(ins))
	}
	for i := range p.Energies {
		e, states := &p.Energies[i], ^uint64(0)
		switch {
		case e.When != "":
			when := e.When
			for k := range c.Pins {
				if q := &c.Pins[k]; q.Direction == "output" { // a condition may name it
					when = regexp.MustCompile(`\b`+q.Name+`\b`).ReplaceAllLiteralString(when, "("+q.Function+")")
				}
			}
			f, err := ParseExpr(when)
			if err != nil {
				return 0, err
			}
			states = f.truth(ins)
		case e.Related != "":
			f, err := ParseExpr(p.Function)
			if err != nil {
				return 0, err
			}
			states = f.passes(e.Related, ins)
		}
		sum += float64(bits.OnesCount64(states)) / 64 * (e.Rise.At(slew, load) + e.Fall.At(slew, load))
	}
	return sum, err
}

// passes returns in which states of at most six pins the operand beside a pin lets it through its operator.
func (e *Expr) passes(pin string, pins []string) uint64 {
	states := ^uint64(0)
	switch e.op {
	case '!':
		return e.args[0].passes(pin, pins)
	case '*', '+':
		for i, a := range e.args {
			if !a.has(pin) {
				continue
			}
			if !a.literal() {
				return a.passes(pin, pins)
			}
			if states = e.args[1-i].truth(pins); e.op == '+' {
				states = ^states
			}
			return states
		}
	}
	return states
}

// has reports whether a pin is in an expression.
func (e *Expr) has(pin string) bool {
	return e.op == 'v' && e.name == pin || slices.ContainsFunc(e.args, func(a *Expr) bool { return a.has(pin) })
}

// literal reports whether an expression is a pin or the complement of one.
func (e *Expr) literal() bool { return e.op == 'v' || e.op == '!' && e.args[0].literal() }
