package gates

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vcsim/internal/netlist"
	"vcsim/testbench"
)

// A Bench is a unit whose module is mapped.
type Bench struct {
	Unit    testbench.Unit
	Set     testbench.Set
	Options Options
	// Given is what proofs may assume; every cycle of a run has inputs such as it says.
	Given netlist.Given
	// Parts are benches of modules in the netlist, with the parameters that they have there: they say of faults that the whole does not show
	// whether the unit would, on its own, with stimuli that the whole never gives it.
	Parts []Bench
}

// Netlist maps the module.
func (b *Bench) Netlist() (*Netlist, error) { return Synth(b.Unit.Top, b.Set.Params, b.Options) }

// A Starter is a model that starts in a state that the reset does not give.
type Starter interface {
	// Start returns what registers hold then, which are named as in netlist.Sim.SetRegister.
	Start() []Register
}

// A Register is a register of the RTL with its value.
type Register struct {
	Path, Name string
	Value      uint64
}

// A link joins a port of a unit, of at most 64 bits, to one of the netlist.
type link struct {
	name  string // of the netlist
	from  int    // bit
	mask  uint64
	guard int // index of the valid without which the port has no value, -1 where it always has one
}

// A Run is a netlist with 64 models beside it, each with a stimulus of its own.
type Run struct {
	Sim     *netlist.Sim
	Faults  *netlist.Faults // beside the runs, nil without
	Models  [netlist.Lanes]testbench.Model
	in, out []link
	inputs  [netlist.Lanes][]uint64
	outputs [netlist.Lanes][]uint64
	ports   []testbench.Port
	given   []netlist.Bound
	Cycle   int
	Live    uint64 // runs whose model is not at its end
}

// NewRun joins a unit to its netlist. Each of the 64 runs gets the model that model returns for it.
func NewRun(b *Bench, sim *netlist.Sim, model func(run int) testbench.Model) (*Run, error) {
	r, err := newRun(b, &Run{Sim: sim}, model)
	if err == nil {
		err = r.start()
	}
	return r, err
}

// start puts registers where models start.
func (r *Run) start() error {
	for k, m := range r.Models {
		if s, ok := m.(Starter); ok {
			for _, q := range s.Start() {
				if err := r.Sim.SetRegister(q.Path, q.Name, k, q.Value); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// NewFaultRun joins a unit to its netlist, with faults beside the 64 runs. An output port shows a fault where it is another than in the run,
// which is that of the model.
func NewFaultRun(b *Bench, faults *netlist.Faults, model func(run int) testbench.Model) (*Run, error) {
	r, err := newRun(b, &Run{Sim: faults.Sim(), Faults: faults}, model)
	if err == nil {
		for _, l := range r.out {
			guard := ""
			if l.guard >= 0 {
				guard = r.out[l.guard].name
			}
			faults.Observe(l.name, l.from, l.mask, guard)
		}
		faults.Start()
		err = r.start()
	}
	return r, err
}

func newRun(b *Bench, r *Run, model func(run int) testbench.Model) (*Run, error) {
	sim := r.Sim
	r.ports = b.Set.With(b.Unit.Out)
	join := func(ports []testbench.Port) ([]link, error) {
		var links []link
		for _, p := range ports {
			l := link{name: p.Name, mask: ^uint64(0), guard: -1}
			if sim.Bits(l.name) == 0 { // a part of a wide one: .0 or _0 behind the name
				if i := strings.LastIndexAny(l.name, "._"); i > 0 {
					n, err := strconv.Atoi(l.name[i+1:])
					if err != nil {
						return nil, fmt.Errorf("the netlist has no port %s", p.Name)
					}
					l.name, l.from = l.name[:i], 64*n
				}
			}
			n := sim.Bits(l.name) - l.from
			if n <= 0 {
				return nil, fmt.Errorf("the netlist has no port %s", p.Name)
			}
			if n < 64 {
				l.mask = 1<<n - 1
			}
			if p.Loose {
				l.guard = slices.IndexFunc(ports, func(q testbench.Port) bool { return q.Name == p.Guard })
			}
			links = append(links, l)
		}
		return links, nil
	}
	var err error
	if r.in, err = join(b.Set.With(b.Unit.In)); err != nil {
		return nil, err
	}
	if r.out, err = join(r.ports); err != nil {
		return nil, err
	}
	r.given = b.Given.Inputs
	for i := range r.Models {
		r.inputs[i], r.outputs[i] = make([]uint64, len(r.in)), make([]uint64, len(r.out))
		r.Models[i] = model(i)
	}
	// Two cycles of reset with all inputs low, as in the harness.
	for _, v := range []uint64{^uint64(0), ^uint64(0), 0} {
		var all [netlist.Lanes]uint64
		for i := range all {
			all[i] = v & 1
		}
		if sim.Bits("rst_i") > 0 {
			if err := sim.SetInput("rst_i", 0, &all); err != nil {
				return nil, err
			}
		}
		if v != 0 {
			sim.Eval()
			r.Clock()
		}
	}
	r.Live = ^uint64(0)
	return r, nil
}

// Step runs a cycle up to its edge, which Clock is. It returns the runs whose outputs differ from those of their model, and how the first does.
func (r *Run) Step() (uint64, error) {
	for k, m := range r.Models {
		if f, ok := m.(testbench.Finite); ok && r.Live>>k&1 != 0 {
			if done, err := f.Done(); err != nil {
				return 0, err
			} else if done {
				r.Live &^= 1 << k
			}
		}
		if r.Live>>k&1 != 0 {
			m.Cycle(r.inputs[k], r.outputs[k])
		}
	}
	return r.Compare()
}

// Compare runs a cycle of the netlist, up to its edge, with the inputs that are set.
func (r *Run) Compare() (uint64, error) {
	var values [netlist.Lanes]uint64
	for i, l := range r.in {
		for k := range values {
			values[k] = r.inputs[k][i]
		}
		if err := r.Sim.SetInput(l.name, l.from, &values); err != nil {
			return 0, err
		}
	}
	r.Sim.Eval()
	for i := range r.given {
		g := &r.given[i]
		if runs, err := r.Sim.Breaks(g); err != nil {
			return 0, err
		} else if runs &= r.Live; runs != 0 {
			return 0, fmt.Errorf("cycle %d of run %d: %s %s is beyond what is given", r.Cycle, bits.TrailingZeros64(runs), g.Module, g.Name)
		}
	}
	differ := uint64(0)
	var first error
	for i, l := range r.out {
		if err := r.Sim.Output(l.name, l.from, &values); err != nil {
			return 0, err
		}
		for k := range values {
			if l.guard >= 0 && r.outputs[k][l.guard] == 0 {
				continue
			}
			if want := r.outputs[k][i] & l.mask; values[k] != want && r.Live>>k&1 != 0 {
				if first == nil {
					first = fmt.Errorf("cycle %d of run %d: %s: Go %#x, gates %#x", r.Cycle, k, r.ports[i].Name, want, values[k])
				}
				differ |= 1 << k
			}
		}
	}
	r.Cycle++
	return differ, first
}

// Clock is the edge of the clock.
func (r *Run) Clock() {
	if r.Faults == nil {
		r.Sim.Clock()
	} else {
		r.Faults.Clock(r.Live)
	}
}

// Compare runs the netlist against the model, 64 stimuli side by side, under the four patterns in turn, for cycles in all. Every output
// port has to be the same in every cycle.
func (b *Bench) Compare(t *testing.T, cycles int) {
	n, err := b.Netlist()
	if err != nil {
		t.Fatal(err)
	}
	sim, err := netlist.NewSim(n.Design, n.Lib, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRun(b, sim, func(k int) testbench.Model { return b.Set.Model(testbench.Stalls[k%4], uint64(k)) })
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for compared < cycles && r.Live != 0 {
		if _, err := r.Step(); err != nil {
			t.Fatalf("%v, %v", testbench.Stalls[0], err)
		}
		compared += bits.OnesCount64(r.Live)
		r.Clock()
	}
	t.Logf("%s %s: %d cells, %d cycles, no mismatch", b.Unit.Top, b.Set.Params, n.Design.Count(func(c *netlist.Cell) bool { return !c.Memory() }), compared)
}

// Verilated runs the netlist, with functional models of its cells and the memories of the RTL, in the bench of the RTL: the simulation of this
// package has a witness.
func (b *Bench) Verilated(t *testing.T, cycles int) {
	n, err := b.Netlist()
	if err != nil {
		t.Fatal(err)
	}
	u := b.Unit
	if u.Source, err = n.Verilog(); err != nil {
		t.Fatal(err)
	}
	testbench.Compare(t, u, b.Set, "gates of "+u.Top, cycles)
}
