package netlist

import (
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
