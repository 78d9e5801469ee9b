package liberty

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// A Library is what synthesis, timing and power need of a Liberty file. Units are those of ASAP7: ps, fF, fJ, pW, um2.
type Library struct {
	Name  string
	Cells []*Cell // in the order of the file
}

// Cell finds a cell by name, nil without one.
func (l *Library) Cell(name string) *Cell {
	for _, c := range l.Cells {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// A Cell is a standard cell.
type Cell struct {
	Name    string
	Area    float64 // um2
	Leakage float64 // pW, the mean that the file gives without a condition
	DontUse bool
	Gate    string // kind of an integrated clock gate, such as latch_posedge_precontrol; "" for other cells
	Seq     *Seq   // nil for a combinational cell
	Pins    []Pin  // signals, without supplies
}

// Pin finds a pin by name, nil without one.
func (c *Cell) Pin(name string) *Pin {
	for i := range c.Pins {
		if c.Pins[i].Name == name {
			return &c.Pins[i]
		}
	}
	return nil
}

// A Seq is the state of a flip-flop or a latch. Its expressions are in the syntax of Liberty.
type Seq struct {
	Latch         bool
	State, Inv    string // names of the state and of its complement, as functions of outputs use them
	Clock, Next   string // clocked_on and next_state, or enable and data_in
	Clear, Preset string
}

// A Pin is a signal of a cell.
type Pin struct {
	Name      string
	Direction string // input, output or internal
	Clock     bool
	Cap       float64 // fF of an input
	MaxCap    float64 // fF that an output may drive
	Function  string  // of an output, in the syntax of Liberty
	Arcs      []Arc
	Energies  []Energy
}

// An Arc is a timing arc: delays and transitions in ps, of an output over (input transition in ps, load in fF); or a constraint of an
// input over the transitions of both pins.
type Arc struct {
	Related, Type, Sense, When                                     string
	Rise, Fall, RiseSlew, FallSlew, RiseConstraint, FallConstraint *Table // nil where the file has none
}

// An Energy is internal energy in fJ of an edge: of an output caused by Related over (input transition, load), or of an input over its
// transition.
type Energy struct {
	Related, When string
	Rise, Fall    *Table
}

// A Table is a table of one axis or two: V[i*len(Y)+j] belongs to X[i] and Y[j]. Y is nil for one axis, X too for a scalar.
type Table struct{ X, Y, V []float64 }

// At interpolates, and extrapolates beyond the ends, as Liberty has it.
func (t *Table) At(x, y float64) float64 {
	if t == nil || len(t.V) == 0 {
		return 0
	}
	i, fx := place(t.X, x)
	if len(t.Y) == 0 {
		if len(t.X) < 2 {
			return t.V[0]
		}
		return t.V[i] + fx*(t.V[i+1]-t.V[i])
	}
	j, fy := place(t.Y, y)
	row := func(i int) float64 {
		v := t.V[i*len(t.Y):]
		if len(t.Y) < 2 {
			return v[0]
		}
		return v[j] + fy*(v[j+1]-v[j])
	}
	if len(t.X) < 2 {
		return row(0)
	}
	return row(i) + fx*(row(i+1)-row(i))
}

// place finds the interval of an axis for v, and where v is in it.
func place(axis []float64, v float64) (i int, f float64) {
	if len(axis) < 2 {
		return 0, 0
	}
	for i < len(axis)-2 && v >= axis[i+1] {
		i++
	}
	return i, (v - axis[i]) / (axis[i+1] - axis[i])
}

// Parse reads a library. Internal energy that a file gives for several supplies counts once, for the first: ASAP7 repeats all of
// it for VSS.
func Parse(name string, r io.Reader) (*Library, error) {
	g, err := ParseGroup(name, r)
	if err != nil {
		return nil, err
	}
	if g.Name != "library" {
		return nil, fmt.Errorf("%s: a group %q where library is due", name, g.Name)
	}
	l := &Library{Name: g.arg()}
	for _, c := range g.All("cell") {
		cell, err := newCell(c)
		if err != nil {
			return nil, fmt.Errorf("%s: cell %s: %w", name, c.arg(), err)
		}
		l.Cells = append(l.Cells, cell)
	}
	return l, nil
}

// A reader reads numbers of a group and keeps the first fault.
type reader struct{ err error }

func (r *reader) number(g *Group, name string) float64 {
	text := g.Attr(name)
	if text == "" {
		return 0
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%s: %q is not a number", name, text)
	}
	return v
}

func newCell(g *Group) (*Cell, error) {
	r := new(reader)
	c := &Cell{Name: g.arg(), Area: r.number(g, "area"), DontUse: g.Attr("dont_use") == "true", Gate: g.Attr("clock_gating_integrated_cell")}
	c.Leakage = r.number(g, "cell_leakage_power")
	for _, k := range g.All("leakage_power") {
		if k.Attr("when") == "" && c.Leakage == 0 {
			c.Leakage = r.number(k, "value")
		}
	}
	for _, kind := range []string{"ff", "latch"} {
		for _, k := range g.All(kind) {
			c.Seq = newSeq(k)
		}
	}
	for _, k := range g.All("pin") {
		pin := Pin{Name: k.arg(), Direction: k.Attr("direction"), Clock: k.Attr("clock") == "true", Cap: r.number(k, "capacitance"),
			MaxCap: r.number(k, "max_capacitance"), Function: k.Attr("function")}
		if pin.Function == "" {
			pin.Function = k.Attr("state_function")
		}
		supply := ""
		for _, a := range k.Groups {
			switch a.Name {
			case "timing":
				pin.Arcs = append(pin.Arcs, r.arc(a))
			case "internal_power":
				if supply == "" {
					supply = a.Attr("related_pg_pin")
				}
				if a.Attr("related_pg_pin") == supply {
					pin.Energies = append(pin.Energies, Energy{Related: a.Attr("related_pin"), When: a.Attr("when"), Rise: r.table(a, "rise_power"), Fall: r.table(a, "fall_power")})
				}
			}
		}
		c.Pins = append(c.Pins, pin)
	}
	return c, r.err
}

func newSeq(g *Group) *Seq {
	s := &Seq{Latch: g.Name == "latch", Clear: g.Attr("clear"), Preset: g.Attr("preset")}
	if len(g.Args) > 0 {
		s.State = g.Args[0]
	}
	if len(g.Args) > 1 {
		s.Inv = g.Args[1]
	}
	if s.Clock, s.Next = g.Attr("clocked_on"), g.Attr("next_state"); s.Latch {
		s.Clock, s.Next = g.Attr("enable"), g.Attr("data_in")
	}
	return s
}

func (r *reader) arc(g *Group) Arc {
	return Arc{Related: g.Attr("related_pin"), Type: g.Attr("timing_type"), Sense: g.Attr("timing_sense"), When: g.Attr("when"),
		Rise: r.table(g, "cell_rise"), Fall: r.table(g, "cell_fall"), RiseSlew: r.table(g, "rise_transition"), FallSlew: r.table(g, "fall_transition"),
		RiseConstraint: r.table(g, "rise_constraint"), FallConstraint: r.table(g, "fall_constraint")}
}

// table reads a table of a group, nil where it has none.
func (r *reader) table(g *Group, name string) *Table {
	i := slices.IndexFunc(g.Groups, func(k *Group) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	var t Table
	read := func(text string) []float64 {
		list, err := numbers(text)
		if err != nil && r.err == nil {
			r.err = fmt.Errorf("%s: %w", name, err)
		}
		return list
	}
	for _, a := range g.Groups[i].Attrs {
		for _, text := range a.Values {
			switch a.Name {
			case "index_1":
				t.X = append(t.X, read(text)...)
			case "index_2":
				t.Y = append(t.Y, read(text)...)
			case "values":
				t.V = append(t.V, read(text)...)
			}
		}
	}
	if len(t.V) != max(1, len(t.X))*max(1, len(t.Y)) && r.err == nil {
		r.err = fmt.Errorf("%s: %d values for %d by %d", name, len(t.V), max(1, len(t.X)), max(1, len(t.Y)))
	}
	return &t
}
