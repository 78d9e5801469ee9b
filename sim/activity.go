package sim

import "fmt"

// A State says what a unit did in a cycle.
type State uint8

const (
	Idle    State = iota // no word at an input, none at an output
	Busy                 // a word moved in or out, or one is inside the pipeline
	Starved              // an input is ready and empty, and nothing moved
	Blocked              // an output is full and not taken
	NumStates
)

func (s State) String() string { return [...]string{"idle", "busy", "starved", "blocked"}[s] }

// Flow counts the cycles of one stream.
type Flow struct {
	Moved   uint64 // valid and ready
	Blocked uint64 // valid, not ready
	Starved uint64 // ready, not valid
	Idle    uint64 // neither
}

// UnitActivity counts the cycles of one unit by State, and whom its stalls are
// due to.
type UnitActivity struct {
	Name   string
	Kind   string // the name without the number of a unit that there are several of
	Cycles [NumStates]uint64
	// BlockedBy and StarvedBy count, by index of the unit at the root, the
	// cycles in which this one was blocked or starved: the last unit of a
	// chain of blocked ones holds all of them up, the first of a chain of
	// starved ones lets all of them wait. The last entry stands for the
	// outside.
	BlockedBy, StarvedBy []uint64
}

// Activity watches units and their streams, and attributes stalls.
type Activity struct {
	units   []UnitActivity
	ports   []unitPorts
	wires   []*Wire
	flows   []Flow
	names   []string
	state   []State
	root    []int  // of the stall of each unit in this cycle
	sampled uint64 // cycles
}

type unitPorts struct {
	in, out  []*Wire
	consumer []int // unit at the far side of each output, -1 for the outside
	producer []int // unit at the far side of each input
}

// Add names a unit with its input and output streams, in dataflow order,
// sources first. It returns the index of the unit.
func (a *Activity) Add(name string, in, out []*Wire) int {
	return a.add(UnitActivity{Name: name, Kind: name}, in, out)
}

// AddNth is Add for unit n of several of a kind; its name is kind and number.
func (a *Activity) AddNth(kind string, n int, in, out []*Wire) int {
	return a.add(UnitActivity{Name: fmt.Sprintf("%s %d", kind, n), Kind: kind}, in, out)
}

func (a *Activity) add(u UnitActivity, in, out []*Wire) int {
	name := u.Name
	a.units = append(a.units, u)
	a.ports = append(a.ports, unitPorts{in: in, out: out})
	for i, w := range in {
		a.addWire(fmt.Sprintf("%s.in%d", name, i), w)
	}
	for i, w := range out {
		a.addWire(fmt.Sprintf("%s.out%d", name, i), w)
	}
	a.link()
	return len(a.units) - 1
}

func (a *Activity) addWire(name string, w *Wire) {
	for _, have := range a.wires {
		if have == w {
			return
		}
	}
	a.wires = append(a.wires, w)
	a.names = append(a.names, name)
	a.flows = append(a.flows, Flow{})
}

// link finds the unit at the other end of every stream.
func (a *Activity) link() {
	n := len(a.units)
	a.state, a.root = make([]State, n), make([]int, n)
	for i := range a.units {
		a.units[i].BlockedBy = make([]uint64, n+1)
		a.units[i].StarvedBy = make([]uint64, n+1)
		p := &a.ports[i]
		p.consumer, p.producer = p.consumer[:0], p.producer[:0]
		for _, w := range p.out {
			p.consumer = append(p.consumer, a.owner(w, func(q *unitPorts) []*Wire { return q.in }))
		}
		for _, w := range p.in {
			p.producer = append(p.producer, a.owner(w, func(q *unitPorts) []*Wire { return q.out }))
		}
	}
}

func (a *Activity) owner(w *Wire, side func(*unitPorts) []*Wire) int {
	for i := range a.ports {
		for _, v := range side(&a.ports[i]) {
			if v == w {
				return i
			}
		}
	}
	return -1
}

// Watch counts one cycle.
func (a *Activity) Watch(uint64) {
	a.sampled++
	for i, w := range a.wires {
		f := &a.flows[i]
		switch {
		case w.Valid && w.Ready:
			f.Moved++
		case w.Valid:
			f.Blocked++
		case w.Ready:
			f.Starved++
		default:
			f.Idle++
		}
	}
	outside := len(a.units)
	for i := range a.units {
		a.state[i] = a.classify(i)
		a.units[i].Cycles[a.state[i]]++
	}
	// Sinks first: the root of a blocked chain is known before its members.
	for i := len(a.units) - 1; i >= 0; i-- {
		if a.state[i] != Blocked {
			continue
		}
		p, root := &a.ports[i], outside
		for j, w := range p.out {
			if c := p.consumer[j]; w.Valid && !w.Ready && c >= 0 {
				root = c
				if a.state[c] == Blocked && c > i {
					root = a.root[c]
				}
				break
			}
		}
		a.root[i] = root
		a.units[i].BlockedBy[root]++
	}
	for i := range a.units {
		if a.state[i] != Starved {
			continue
		}
		p, root := &a.ports[i], outside
		for j, w := range p.in {
			if c := p.producer[j]; w.Ready && !w.Valid && c >= 0 {
				root = c
				if a.state[c] == Starved && c < i {
					root = a.root[c]
				}
				break
			}
		}
		a.root[i] = root
		a.units[i].StarvedBy[root]++
	}
}

// classify ranks a blocked output above a word that moves, and that above an
// empty input.
func (a *Activity) classify(i int) State {
	p := &a.ports[i]
	s := Idle
	for _, w := range p.out {
		switch {
		case w.Valid && !w.Ready:
			return Blocked
		case w.Valid:
			s = Busy
		}
	}
	for _, w := range p.in {
		switch {
		case w.Valid:
			s = Busy
		case w.Ready && s == Idle:
			s = Starved
		}
	}
	return s
}

// Cycles returns the number of cycles counted.
func (a *Activity) Cycles() uint64 { return a.sampled }

// Units returns the counts of every unit, in the order of Add.
func (a *Activity) Units() []UnitActivity { return a.units }

// Wires calls each for every stream, named after the unit that was added first
// with it.
func (a *Activity) Wires(each func(name string, w *Wire)) {
	for i, w := range a.wires {
		each(a.names[i], w)
	}
}

// State returns what unit i did in the cycle watched last.
func (a *Activity) State(i int) State { return a.state[i] }

// Flow returns the counts of stream w.
func (a *Activity) Flow(w *Wire) Flow {
	for i, have := range a.wires {
		if have == w {
			return a.flows[i]
		}
	}
	return Flow{}
}
